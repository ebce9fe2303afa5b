#include "amd/sim/chip_limits.h"

#include <stddef.h>

#include "amd/hw/chips.h"
#include "amd/sim/cache/cache.h"
#include "amd/sim/base/model.h"
#include "amd/sim/pops/pops.h"
#include "util/macros.h"

/* Of arrays that the bitmap holds. */
static bool
has_units(const struct amd_chip *chip)
{
   uint32_t units = 0;
   for (unsigned se = 0; se < chip->num_se; se++) {
      for (unsigned sa = 0; sa < chip->num_sa_per_se; sa++)
         units |= amd_chip_cu_bits(chip, se, sa);
   }
   return units;
}

const char *
amd_chip_refused(const struct amd_chip *chip)
{
   const struct amd_pops_packers packers = amd_pops_packers(chip);
   const unsigned arrays = chip->num_se > ARRAY_SIZE(chip->cu_bitmap) ? 2 : ARRAY_SIZE(chip->cu_bitmap[0]);
   const bool engines = chip->num_se && chip->num_se <= 2 * ARRAY_SIZE(chip->cu_bitmap);
   const bool fits = engines && chip->num_sa_per_se && chip->num_sa_per_se <= arrays;
   const struct {
      bool refused;
      const char *why;
   } rows[] = {
      {!engines, "has not 1 to 8 shader engines"},
      {!fits, "has no shader arrays, or more than its bitmap holds"},
      {!chip->num_cu_per_sa || chip->num_cu_per_sa > 32, "has not 1 to 32 compute units a shader array"},
      {fits && !has_units(chip), "has no compute units"},
      {chip->num_rb_pipes > 32 || !chip->enabled_rb_pipes_mask, "has not 1 to 32 render backends"},
      {packers.count > AMD_POPS_MAX_PACKERS, "has more than 64 packers"},
      {!amd_caches_fit(chip), "has more caches than the model"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].refused)
         return rows[i].why;
   }
   return NULL;
}

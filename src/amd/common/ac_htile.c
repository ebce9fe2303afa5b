#include "amd/common/ac_htile.h"

#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/hw/meta.h"
#include "util/macros.h"

bool
ac_htile_init(struct ac_htile *htile, enum amd_gen gen, uint32_t gb_addr_config, const struct ac_surface *surface,
              uint32_t width_px, uint32_t height_px, unsigned level)
{
   const struct amd_meta_pattern *pattern =
      amd_meta_find(gen, gb_addr_config, AMD_META_HTILE, V_SW_64KB_Z_X, true, 0, 0);
   unsigned end = surface->num_levels > 1 ? surface->first_tail_level : 1;

   memset(htile, 0, sizeof(*htile));
   if (!pattern || level >= end)
      return false;
   htile->pattern = pattern;
   htile->slice_blocks = end < surface->num_levels;
   for (unsigned i = end; i-- > 0;) {
      uint64_t columns = div_round_up(div_round_up(width_px, UINT64_C(1) << i), UINT64_C(1) << pattern->width_log2);
      uint64_t rows = div_round_up(div_round_up(height_px, UINT64_C(1) << i), UINT64_C(1) << pattern->height_log2);

      if (i == level) {
         htile->first_block = htile->slice_blocks;
         htile->row_blocks = (uint32_t)columns;
         htile->level_blocks = (uint32_t)(columns * rows);
      }
      htile->slice_blocks += (uint32_t)(columns * rows);
   }
   return true;
}

uint64_t
ac_htile_size_B(const struct ac_htile *htile, uint32_t slices)
{
   return (uint64_t)htile->slice_blocks * slices << htile->pattern->size_log2;
}

/* One row a generation. Sources: RDNA and RDNA 2 ISA documents (registers, address registers); LLVM 19, features of
 * gfx1010 and gfx1030 (NSA sizes, waves, hazards). */
#include "amd/compiler/aco_target.h"

#include <stddef.h>

static const struct aco_target targets[AMD_GEN_COUNT] = {
   [AMD_GFX10] = {.vgprs = 1024, .vgpr_granule = 8, .max_waves = 20, .max_image_addresses = 5,
                  .pos0_vm = true, .has_hazards = true},
   [AMD_GFX10_3] = {.vgprs = 1024, .vgpr_granule = 16, .max_waves = 16, .max_image_addresses = 13,
                    .nsa_in_clauses = true},
};

const struct aco_target *
aco_target(enum amd_gen gen)
{
   return targets[gen].vgprs ? &targets[gen] : NULL;
}

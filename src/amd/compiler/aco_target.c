/* One row a generation. Sources: "Vega", "RDNA 1", "RDNA 2", "RDNA 3" and "RDNA 3.5" ISA documents; LLVM 19
 * (gfx900, gfx1010, gfx1030, gfx1102, gfx1150), which tests/amd/compiler/test_aco_target.py asks for most of it.
 * Some chips have half as many VGPRs more and as much larger granules: gfx1100, gfx1101, gfx1151. */
#include "amd/compiler/aco_target.h"

#include "amd/hw/isa.h"
#include "util/macros.h"

#define UNSIGNED(bits) {0, (1 << (bits)) - 1}
#define SIGNED(bits) {-(1 << ((bits) - 1)), (1 << ((bits) - 1)) - 1}

#define MEMORY(flat_bits)                                                                                            \
   .smem = SIGNED(21), .smem_buffer = UNSIGNED(20), .mubuf = UNSIGNED(12), .flat = UNSIGNED((flat_bits) - 1),        \
   .global = SIGNED(flat_bits), .scratch = SIGNED(flat_bits), .ds = UNSIGNED(16), .lds_B = 65536

#define GFX10_AND_LATER                                                                                              \
   .has_wave32 = true, .sgprs = 106, .constant_bus = 2, .vop3_literals = true, .vscnt_max = 63,                      \
   .has_clauses = true, .has_gl1 = true, .says_dims = true, .instance_vgpr = 3, .alpha_second = true, .has_ngg = true

#define GFX11_AND_LATER                                                                                              \
   GFX10_AND_LATER, .max_waves = 16, .vgprs = 1024, .vgpr_granule = 16, .max_image_addresses = 5,                    \
   .nsa_in_clauses = true, .fetch_line_B = 128, MEMORY(13), .has_param_loads = true, .scratch_instrs = true,         \
   .packed_ids = true, .pops_by_exports = true, .ngg_only = true,                                                    \
   .swizzles_dual_source = true, .alpha_beside_depth = true, .has_forward_hazards = true,                            \
   .rate_width_bit = 4, .rate_height_bit = 2

static const struct aco_target targets[AMD_GEN_COUNT] = {
   /* clang-format off */
   [AMD_GFX9] = {.compiles = true, .max_waves = 10, .vgprs = 512, .vgpr_granule = 8, .sgprs = 102, .special_sgprs = 6,
                 .simd_sgprs = 800, .sgpr_granule = 16, .constant_bus = 1, .max_image_addresses = 1, MEMORY(13),
                 .whole_bpermute = true, .split_formats = true, .flat_1d = true, .instance_vgpr = 1,
                 .pops_in_mode = true,
                 .exports_halves = true, .has_null_target = true, .max_params = 32, .has_wait_states = true},
   [AMD_GFX10] = {.compiles = true, GFX10_AND_LATER, .dlc_passes_gl1 = true, .max_waves = 20,
                  .vgprs = 1024, .vgpr_granule = 8, .max_image_addresses = 5, MEMORY(12),
                  .exports_halves = true, .has_null_target = true, .pos0_vm = true, .resource_level = true,
                  .max_params = 32, .fetch_line_B = 64, .has_hazards = true, .ngg_asks = true,
                  .ngg_launch_barrier = true},
   [AMD_GFX10_3] = {.compiles = true, GFX10_AND_LATER, .dlc_passes_gl1 = true, .max_waves = 16,
                    .vgprs = 1024, .vgpr_granule = 16, .max_image_addresses = 13, MEMORY(12),
                    .nsa_in_clauses = true, .exports_halves = true, .has_null_target = true, .resource_level = true,
                    .max_params = 32, .fetch_line_B = 64, .rate_width_bit = 2, .rate_height_bit = 4,
                    .ngg_asks = true},
   [AMD_GFX11] = {.compiles = true, GFX11_AND_LATER, .trans_use_hazard = true},
   [AMD_GFX11_5] = {.compiles = true, GFX11_AND_LATER},
};
/* clang-format on */

const struct aco_target *
aco_target(enum amd_gen gen)
{
   return &targets[gen];
}

unsigned
aco_constant_bus(const struct aco_target *target, unsigned op)
{
   bool shift64 = op == AMD_OP_v_lshlrev_b64 || op == AMD_OP_v_lshrrev_b64 || op == AMD_OP_v_ashrrev_i64;
   bool permutes = op == AMD_OP_v_permlane16_b32 || op == AMD_OP_v_permlanex16_b32; /* has two scalar operands */
   return shift64 ? 1 : permutes ? 2 : target->constant_bus;
}

unsigned
aco_waves(const struct aco_target *target, unsigned wave_size, unsigned vgprs, unsigned sgprs)
{
   unsigned lanes = wave_size / 32, waves = target->max_waves;
   waves = MIN2(waves, target->vgprs / lanes / (unsigned)align_up(MAX2(vgprs, 1), target->vgpr_granule / lanes));
   if (!target->simd_sgprs)
      return waves;
   sgprs = (unsigned)align_up(sgprs + target->special_sgprs, target->sgpr_granule);
   return MIN2(waves, target->simd_sgprs / sgprs);
}

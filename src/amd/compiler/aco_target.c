#include "amd/compiler/aco_target.h"

#include "amd/hw/isa.h"
#include "util/macros.h"

static const struct aco_target targets[AMD_GEN_COUNT] = {ACO_TARGET_ROWS};

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

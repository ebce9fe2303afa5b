#include "gallium/drivers/radeonsi/shader/si_wave_size.h"

#include "amd/compiler/aco_target.h"
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/base/si_debug.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/macros.h"

/* Their values are other ones in waves of another size; those that compare invocations have a flag. */
static const enum nir_intrinsic_op subgroup_values[] = {
   NIR_INTRINSIC_load_subgroup_size,    NIR_INTRINSIC_load_subgroup_invocation, NIR_INTRINSIC_load_subgroup_id,
   NIR_INTRINSIC_load_num_subgroups,    NIR_INTRINSIC_load_subgroup_eq_mask,    NIR_INTRINSIC_load_subgroup_ge_mask,
   NIR_INTRINSIC_load_subgroup_gt_mask, NIR_INTRINSIC_load_subgroup_le_mask,    NIR_INTRINSIC_load_subgroup_lt_mask};

static bool
is_of_subgroup(const struct nir_intrinsic_instr *instr)
{
   for (unsigned i = 0; i < ARRAY_SIZE(subgroup_values); i++) {
      if (instr->op == subgroup_values[i])
         return true;
   }
   if (instr->op == NIR_INTRINSIC_barrier)
      return nir_intrinsic_execution_scope(instr) == NIR_SCOPE_SUBGROUP;
   return nir_intrinsic_infos[instr->op].flags & NIR_INTRINSIC_FLAG_SUBGROUP;
}

static bool
sees_subgroup(const struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && is_of_subgroup(nir_as_intrinsic(instr)))
            return true;
      }
   }
   return false;
}

/* A workgroup that half a wave holds would leave the other half idle. Registers and LDS decide nothing: a SIMD's
 * registers hold as many lanes of either size (aco_waves()), a workgroup has its LDS once. What is left has waves of
 * 64 in every stage: more lanes in flight where the number of waves is the limit, and fewer instructions issued. */
unsigned
si_wave_size(const struct si_screen *screen, const struct nir_shader *nir)
{
   const uint32_t *size = nir->info.workgroup_size;

   if (!aco_target(screen->info.gen)->has_wave32)
      return 64;
   if (nir->info.subgroup_size)
      return nir->info.subgroup_size;
   if (!nir->info.subgroup_varies && sees_subgroup(nir))
      return SI_SUBGROUP_SIZE;
   if (si_debug(SI_DEBUG_WAVE32) || si_debug(SI_DEBUG_WAVE64))
      return si_debug(SI_DEBUG_WAVE32) ? 32 : 64;
   const bool alone = nir->stage == NIR_STAGE_COMPUTE || nir->stage == NIR_STAGE_TASK;

   return alone && (uint64_t)size[0] * size[1] * size[2] <= 32 ? 32 : 64;
}

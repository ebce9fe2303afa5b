#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"

bool
nir_lower_discard(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      if (nir_cf_loop_around(&block->cf))
         continue;
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         struct nir_intrinsic_instr *intrinsic = nir_as_intrinsic(instr);
         bool plain = intrinsic->op == NIR_INTRINSIC_discard;
         if (!plain && intrinsic->op != NIR_INTRINSIC_discard_if)
            continue;
         intrinsic->op = plain ? NIR_INTRINSIC_demote : NIR_INTRINSIC_demote_if;
         progress = true;
      }
   }
   return progress;
}

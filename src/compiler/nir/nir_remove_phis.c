#include "compiler/nir/nir_passes.h"

/* The one value a phi can have besides itself; NULL if there are several. */
static struct nir_def *
only_value(const struct nir_phi_instr *phi)
{
   struct nir_def *value = NULL;
   nir_foreach_phi_src(src, phi) {
      if (src->src.def == &phi->def || src->src.def == value)
         continue;
      if (value)
         return NULL;
      value = src->src.def;
   }
   return value;
}

bool
nir_remove_phis(struct nir_shader *shader)
{
   bool progress = false, changed = true;
   while (changed) { /* one round more per nesting of loops */
      changed = false;
      nir_foreach_block(block, shader) {
         nir_foreach_instr_safe(instr, block) {
            if (instr->type != NIR_INSTR_PHI)
               break;
            struct nir_phi_instr *phi = nir_as_phi(instr);
            struct nir_def *value = only_value(phi);
            if (!value)
               continue;
            nir_def_replace(&phi->def, value);
            nir_instr_remove(instr);
            changed = true;
         }
      }
      progress |= changed;
   }
   return progress;
}

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

static bool
lower(struct nir_shader *shader, struct nir_phi_instr *phi)
{
   unsigned count = phi->def.num_components;
   if (count == 1)
      return false;
   struct nir_def *channels[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < count; c++) {
      struct nir_phi_instr *scalar = nir_phi_create(shader);
      nir_def_init(shader, &scalar->instr, &scalar->def, 1, phi->def.bit_size);
      nir_instr_insert(nir_before_instr(&phi->instr), &scalar->instr);
      channels[c] = &scalar->def;
   }
   nir_foreach_phi_src(src, phi) {
      struct nir_builder b = nir_builder_at(shader, nir_after_block(src->pred));
      for (unsigned c = 0; c < count; c++)
         nir_phi_add_src(shader, nir_as_phi(channels[c]->parent), src->pred, nir_channel(&b, src->src.def, c));
   }
   struct nir_builder b = nir_builder_at(shader, nir_before_block(phi->instr.block));
   nir_def_replace(&phi->def, nir_vec(&b, channels, count));
   nir_instr_remove(&phi->instr);
   return true;
}

bool
nir_lower_phis_to_scalar(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_PHI)
            break;
         progress |= lower(shader, nir_as_phi(instr));
      }
   }
   return progress;
}

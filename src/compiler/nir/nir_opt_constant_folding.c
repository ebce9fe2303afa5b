#include "compiler/nir/nir_passes.h"

static bool
fold(struct nir_shader *shader, struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   if (info->flags & NIR_OP_FLAG_DERIVATIVE)
      return false;
   union nir_const_value values[4][NIR_MAX_COMPONENTS];
   const union nir_const_value *srcs[4] = {values[0], values[1], values[2], values[3]};
   unsigned bits = info->dest_bits ? 0 : alu->def.bit_size;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const struct nir_def *def = alu->src[i].src.def;
      if (!nir_src_is_const(alu->src[i].src))
         return false;
      if (!info->src_bits[i])
         bits = def->bit_size;
      unsigned count = info->src_components[i] ? info->src_components[i] : alu->def.num_components;
      for (unsigned c = 0; c < count; c++)
         values[i][c] = nir_as_load_const(def->parent)->value[alu->src[i].swizzle[c]];
   }
   struct nir_load_const_instr *load = nir_load_const_create(shader, alu->def.num_components, alu->def.bit_size);
   nir_eval_alu(alu->op, alu->def.num_components, bits, load->value, srcs);
   nir_instr_insert(nir_before_instr(&alu->instr), &load->instr);
   nir_def_replace(&alu->def, &load->def);
   nir_instr_remove(&alu->instr);
   return true;
}

bool
nir_opt_constant_folding(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_ALU)
            progress |= fold(shader, nir_as_alu(instr));
      }
   }
   return progress;
}

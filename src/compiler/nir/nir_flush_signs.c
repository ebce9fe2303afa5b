/* Operations on the sign are bits to the hardware. Where a shader wants denormals flushed, they flush, too. (A
 * product with 1 would change NaNs.) */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

static bool
flush(struct nir_shader *shader, struct nir_alu_instr *alu)
{
   const unsigned bits = alu->def.bit_size;
   if ((alu->op != NIR_OP_fneg && alu->op != NIR_OP_fabs && alu->op != NIR_OP_fsign) ||
       !(shader->info.float_controls & NIR_FLOAT_CONTROL(NIR_FLOAT_FLUSH, bits)))
      return false;
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&alu->instr));
   struct nir_def *parts[NIR_MAX_COMPONENTS];
   b.exact = true;
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      struct nir_def *x = nir_channel(&b, alu->src[0].src.def, alu->src[0].swizzle[i]);
      struct nir_def *normal = nir_imm_floatN(&b, bits == 16 ? 0x1p-14 : bits == 32 ? 0x1p-126 : 0x1p-1022, bits);
      struct nir_def *sign = nir_iand(&b, x, nir_imm_intN(&b, UINT64_C(1) << (bits - 1), bits));
      x = nir_bcsel(&b, nir_flt(&b, nir_fabs(&b, x), normal), sign, x);
      parts[i] = nir_build_alu(&b, alu->op, x, NULL, NULL, NULL);
   }
   nir_def_replace(&alu->def, nir_vec(&b, parts, alu->def.num_components));
   nir_instr_remove(&alu->instr);
   return true;
}

bool
nir_flush_signs(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (shader->info.float_controls && instr->type == NIR_INSTR_ALU)
            progress |= flush(shader, nir_as_alu(instr));
      }
   }
   return progress;
}

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

/* Component c of a source, as an operand with a swizzle. */
static void
scalar_src(struct nir_alu_src *to, const struct nir_alu_src *from, unsigned c)
{
   nir_src_init(&to->src, from->src.def);
   for (unsigned i = 0; i < NIR_MAX_COMPONENTS; i++)
      to->swizzle[i] = from->swizzle[c];
}

static bool
lower(struct nir_shader *shader, struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   unsigned count = alu->def.num_components;
   if (count == 1 || info->dest_components)
      return false;
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&alu->instr));
   struct nir_def *channels[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < count; c++) {
      struct nir_alu_instr *scalar = nir_alu_create(shader, alu->op);
      scalar->exact = alu->exact;
      for (unsigned i = 0; i < info->num_srcs; i++)
         scalar_src(&scalar->src[i], &alu->src[i], c);
      nir_def_init(shader, &scalar->instr, &scalar->def, 1, alu->def.bit_size);
      nir_builder_insert(&b, &scalar->instr);
      channels[c] = &scalar->def;
   }
   nir_def_replace(&alu->def, nir_vec(&b, channels, count));
   nir_instr_remove(&alu->instr);
   return true;
}

bool
nir_lower_alu_to_scalar(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_ALU)
            progress |= lower(shader, nir_as_alu(instr));
      }
   }
   return progress;
}

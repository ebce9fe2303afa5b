#include "compiler/nir/nir_lower_alu_internal.h"

#include "util/dynarray.h"
#include "util/macros.h"

/* A source as a value of its own. */
static struct nir_def *
source(struct nir_builder *b, const struct nir_alu_instr *alu, unsigned i)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   unsigned count = info->src_components[i] ? info->src_components[i] : alu->def.num_components;
   unsigned swizzle[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < count; c++)
      swizzle[c] = alu->src[i].swizzle[c];
   return nir_swizzle(b, alu->src[i].src.def, swizzle, count);
}

static bool
lower(struct nir_shader *shader, struct nir_alu_instr *alu, const struct nir_lower_options *options)
{
   static struct nir_def *(*const parts[])(struct nir_builder *, const struct nir_alu_instr *, struct nir_def **,
                                           const struct nir_lower_options *) = {
      nir_lower_float_op, nir_lower_pack_op, nir_lower_division, nir_lower_int64_op, nir_lower_int_op,
   };
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&alu->instr));
   struct nir_def *src[4], *result = NULL;
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_srcs; i++)
      src[i] = source(&b, alu, i);
   b.exact = alu->exact;
   for (unsigned i = 0; i < ARRAY_SIZE(parts) && !result; i++)
      result = parts[i](&b, alu, src, options);
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_srcs && !result; i++) {
      if (src[i] != alu->src[i].src.def && list_is_empty(&src[i]->uses))
         nir_instr_remove(src[i]->parent);
   }
   if (!result)
      return false;
   assert(result->num_components == alu->def.num_components && result->bit_size == alu->def.bit_size);
   nir_def_replace(&alu->def, result);
   nir_instr_remove(&alu->instr);
   return true;
}

/* Opcodes that no option is about; saves the work of looking. */
static bool
is_basic(enum nir_op op)
{
   return op == NIR_OP_mov || op == NIR_OP_vec2 || op == NIR_OP_vec3 || op == NIR_OP_vec4 || op == NIR_OP_bcsel ||
          op == NIR_OP_fadd || op == NIR_OP_fmul || op == NIR_OP_ffma;
}

bool
nir_lower_alu_ops(struct nir_shader *shader, const struct nir_lower_options *options)
{
   bool progress = false, again;
   /* Results may hold opcodes to lower, and a lowering may split blocks: collect first, repeat until none is left. */
   do {
      struct dynarray work = {};
      again = false;
      nir_foreach_block(block, shader) {
         nir_foreach_instr(instr, block) {
            if (instr->type == NIR_INSTR_ALU && !is_basic(nir_as_alu(instr)->op))
               dynarray_append(&work, struct nir_alu_instr *, nir_as_alu(instr));
         }
      }
      for (size_t i = 0; i < dynarray_count(&work, struct nir_alu_instr *); i++)
         again |= lower(shader, *dynarray_at(&work, struct nir_alu_instr *, i), options);
      dynarray_free(&work);
      progress |= again;
   } while (again);
   return progress;
}

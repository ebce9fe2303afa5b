#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"

static void
copy(struct nir_builder *b, struct nir_deref_instr *to, struct nir_deref_instr *from, uint32_t access)
{
   const struct nir_type *type = to->type;
   if (type->base == NIR_TYPE_STRUCT) {
      for (unsigned i = 0; i < type->num_fields; i++)
         copy(b, nir_build_deref_struct(b, to, i), nir_build_deref_struct(b, from, i),
              access | type->fields[i].access);
   } else if (type->base == NIR_TYPE_ARRAY || type->columns > 1) {
      unsigned count = type->base == NIR_TYPE_ARRAY ? type->length : type->columns;
      for (unsigned i = 0; i < count; i++)
         copy(b, nir_build_deref_array_imm(b, to, i), nir_build_deref_array_imm(b, from, i), access);
   } else {
      nir_build_store_deref_of(b, to, nir_build_load_deref_of(b, from, access), 0, access);
   }
}

bool
nir_lower_copies(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_copy_deref)
            continue;
         struct nir_intrinsic_instr *copy_deref = nir_as_intrinsic(instr);
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         copy(&b, nir_src_as_deref(copy_deref->src[0]), nir_src_as_deref(copy_deref->src[1]),
              nir_intrinsic_access(copy_deref));
         nir_instr_remove(instr);
         progress = true;
      }
   }
   return progress;
}

#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"

/* Stores the constants at *values and moves on. */
static void
store(struct nir_builder *b, struct nir_deref_instr *deref, const union nir_const_value **values)
{
   const struct nir_type *type = deref->type;
   if (type->base == NIR_TYPE_STRUCT) {
      for (unsigned i = 0; i < type->num_fields; i++)
         store(b, nir_build_deref_struct(b, deref, i), values);
   } else if (type->base == NIR_TYPE_ARRAY || type->columns > 1) {
      unsigned count = type->base == NIR_TYPE_ARRAY ? type->length : type->columns;
      for (unsigned i = 0; i < count; i++)
         store(b, nir_build_deref_array_imm(b, deref, i), values);
   } else {
      nir_build_store_deref_of(b, deref, nir_imm(b, type->components, type->bit_size, *values), 0, 0);
      *values += type->components;
   }
}

bool
nir_lower_initializers(struct nir_shader *shader)
{
   bool progress = false, shared = false; /* other invocations of the patch see it */
   struct nir_builder b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   nir_foreach_variable(variable, shader) {
      if (!variable->initializer || !(variable->mode & (NIR_VAR_FUNCTION_TEMP | NIR_VAR_SHADER_OUT)))
         continue;
      const union nir_const_value *values = variable->initializer;
      store(&b, nir_build_deref_var(&b, variable), &values);
      variable->initializer = NULL;
      shared |= variable->mode == NIR_VAR_SHADER_OUT &&
                (shader->stage == NIR_STAGE_TESS_CTRL || shader->stage == NIR_STAGE_MESH);
      progress = true;
   }
   if (shared)
      nir_barrier(&b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
                  .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE,
                  .memory_modes = NIR_VAR_SHADER_OUT);
   return progress;
}

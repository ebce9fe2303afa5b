#include "compiler/nir/nir_constant_data.h"

#include <string.h>

#include "compiler/nir/nir_types.h"
#include "util/arena.h"
#include "util/macros.h"

static uint32_t
scalar_B(const struct nir_type *type)
{
   return type->bit_size == 1 ? 4 : type->bit_size / 8; /* as in other memory */
}

/* Writes the values of the type, depth first; *values moves on. */
static void
write_values(const struct nir_type *type, const union nir_const_value **values, uint8_t *to)
{
   if (type->base == NIR_TYPE_STRUCT) {
      for (uint32_t i = 0; i < type->num_fields; i++)
         write_values(type->fields[i].type, values, to + type->fields[i].offset_B);
      return;
   }
   if (type->base == NIR_TYPE_ARRAY) {
      for (uint32_t i = 0; i < type->length; i++)
         write_values(type->element, values, to + (size_t)i * type->stride_B);
      return;
   }
   for (unsigned column = 0; column < type->columns; column++) {
      for (unsigned i = 0; i < type->components; i++)
         memcpy(to + column * type->stride_B + i * scalar_B(type), &(*values)++->u64, scalar_B(type));
   }
}

uint8_t *
nir_constant_data(struct arena *arena, const struct nir_shader *shader)
{
   uint8_t *data = arena_array(arena, uint8_t, (size_t)shader->info.constant_B + 4);
   nir_foreach_variable(variable, shader) {
      const union nir_const_value *values = variable->initializer;
      if (variable->mode == NIR_VAR_CONSTANT)
         write_values(variable->type, &values, data + variable->offset_B);
   }
   return data;
}

uint8_t *
nir_used_constant_data(struct arena *arena, const struct nir_shader *shader, uint32_t *size_B)
{
   *size_B = (uint32_t)align_up(shader->info.constant_B, 4);
   if (!*size_B)
      return NULL;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_constant)
            return nir_constant_data(arena, shader);
      }
   }
   *size_B = 0;
   return NULL;
}

/* Bytes from the first to the last, UINT64_MAX if there is no layout. */
static uint64_t
extent_B(const struct nir_type *type)
{
   uint64_t size_B = 0;
   if (type->base == NIR_TYPE_STRUCT) {
      for (uint32_t i = 0; i < type->num_fields; i++) {
         const struct nir_struct_field *field = &type->fields[i];
         uint64_t inner_B = extent_B(field->type);
         if (field->offset_B < 0 || inner_B > NIR_MAX_CONSTANT_B)
            return UINT64_MAX;
         size_B = MAX2(size_B, (uint64_t)field->offset_B + inner_B);
      }
      return size_B;
   }
   if (type->base == NIR_TYPE_ARRAY) {
      uint64_t inner_B = extent_B(type->element);
      bool disjoint = type->length == 1 || type->stride_B >= inner_B;
      return type->length && disjoint && inner_B <= NIR_MAX_CONSTANT_B
                ? (uint64_t)(type->length - 1) * type->stride_B + inner_B
                : UINT64_MAX;
   }
   if (!nir_type_is_numeric(type) || type->row_major || (type->columns > 1 && !type->stride_B))
      return UINT64_MAX;
   return (uint64_t)(type->columns - 1) * type->stride_B + type->components * scalar_B(type);
}

bool
nir_is_constant_table(const struct nir_variable *variable, const struct nir_shader_info *info)
{
   return variable->initializer && variable->type && variable->offset_B <= info->constant_B &&
          extent_B(variable->type) <= info->constant_B - variable->offset_B;
}

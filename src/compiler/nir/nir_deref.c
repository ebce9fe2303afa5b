#include "compiler/nir/nir_deref.h"

#include "util/macros.h"

struct nir_deref_instr *
nir_deref_parent(const struct nir_deref_instr *deref)
{
   if (deref->deref_type == NIR_DEREF_VAR || deref->deref_type == NIR_DEREF_CAST)
      return NULL;
   return nir_as_deref(deref->parent.def->parent);
}

struct nir_deref_instr *
nir_deref_root(struct nir_deref_instr *deref)
{
   for (struct nir_deref_instr *parent; (parent = nir_deref_parent(deref));)
      deref = parent;
   return deref;
}

struct nir_variable *
nir_deref_variable(struct nir_deref_instr *deref)
{
   deref = nir_deref_root(deref);
   return deref->deref_type == NIR_DEREF_VAR ? deref->var : NULL;
}

void
nir_deref_path_of(struct nir_deref_instr *deref, struct nir_deref_path *path)
{
   unsigned length = 0;
   for (struct nir_deref_instr *step = deref; step; step = nir_deref_parent(step))
      length++;
   assert(length <= NIR_DEREF_MAX_PATH && "a type nested deeper than the passes allow");
   path->length = length;
   for (struct nir_deref_instr *step = deref; step; step = nir_deref_parent(step))
      path->path[--length] = step;
}

bool
nir_intrinsic_takes_deref(enum nir_intrinsic_op op)
{
   return op <= NIR_INTRINSIC_image_deref_samples;
}

static uint32_t
scalar_size_B(const struct nir_type *type)
{
   return type->bit_size == 1 ? 4 : type->bit_size / 8;
}

uint32_t
nir_type_align_B(const struct nir_type *type)
{
   if (type->base == NIR_TYPE_ARRAY)
      return nir_type_align_B(type->element);
   if (type->base == NIR_TYPE_STRUCT) {
      uint32_t align_B = 1;
      for (unsigned i = 0; i < type->num_fields; i++)
         align_B = MAX2(align_B, nir_type_align_B(type->fields[i].type));
      return align_B;
   }
   return MIN2(scalar_size_B(type) * (1u << log2_ceil(type->components)), 16u);
}

static uint32_t
padded_size_B(const struct nir_type *type)
{
   return (uint32_t)align_up(nir_type_explicit_size_B(type), nir_type_align_B(type));
}

const struct nir_type *
nir_type_with_layout(struct arena *arena, const struct nir_type *type)
{
   if (type->base == NIR_TYPE_ARRAY) {
      const struct nir_type *element = nir_type_with_layout(arena, type->element);
      return nir_type_array(arena, element, type->length, padded_size_B(element));
   }
   if (type->base == NIR_TYPE_STRUCT) {
      struct nir_struct_field *fields = arena_array(arena, struct nir_struct_field, type->num_fields);
      uint32_t offset_B = 0;
      for (unsigned i = 0; i < type->num_fields; i++) {
         fields[i] = type->fields[i];
         fields[i].type = nir_type_with_layout(arena, type->fields[i].type);
         offset_B = (uint32_t)align_up(offset_B, nir_type_align_B(fields[i].type));
         fields[i].offset_B = (int32_t)offset_B;
         offset_B += nir_type_explicit_size_B(fields[i].type);
      }
      return nir_type_struct(arena, fields, type->num_fields, type->name);
   }
   if (type->columns > 1) {
      const struct nir_type *column = nir_type_vector(type->base, type->bit_size, type->components);
      return nir_type_matrix(arena, type->bit_size, type->components, type->columns, padded_size_B(column), false);
   }
   return type;
}

static void
retype(struct arena *arena, struct nir_deref_instr *deref)
{
   struct nir_deref_instr *parent = nir_deref_parent(deref);
   if (deref->deref_type == NIR_DEREF_VAR)
      deref->type = deref->var->type;
   else if (deref->deref_type == NIR_DEREF_CAST)
      deref->type = nir_type_with_layout(arena, deref->type);
   else if (deref->deref_type == NIR_DEREF_STRUCT)
      deref->type = parent->type->fields[deref->field].type;
   else if (deref->deref_type == NIR_DEREF_ARRAY)
      deref->type = nir_type_element(parent->type);
}

void
nir_retype_derefs(struct nir_shader *shader, uint32_t mode)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_DEREF && nir_as_deref(instr)->mode == mode)
            retype(shader->arena, nir_as_deref(instr)); /* parents come first */
      }
   }
}

bool
nir_layout_variables(struct nir_shader *shader, uint32_t mode, uint32_t *size_B)
{
   bool progress = false;
   nir_foreach_variable(variable, shader) {
      const bool block = mode == NIR_VAR_SHARED && variable->type->is_block; /* has a layout */
      if (variable->mode != mode || block)
         continue;
      variable->type = nir_type_with_layout(shader->arena, variable->type);
      *size_B = (uint32_t)align_up(*size_B, MAX2(nir_type_align_B(variable->type), 4u));
      variable->offset_B = *size_B;
      /* Any number of variables; who has less memory than this says so. */
      *size_B = (uint32_t)MIN2((uint64_t)*size_B + nir_type_explicit_size_B(variable->type), INT32_MAX);
      progress = true;
   }
   *size_B = (uint32_t)align_up(*size_B, 4);
   if (progress)
      nir_retype_derefs(shader, mode);
   return progress;
}

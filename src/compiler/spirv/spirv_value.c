/* Values of ids: look-up with the checks of definition and dominance, constants and undefined values in SSA form. */
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

void
spirv_count_work(struct spirv_emit *e, uint32_t amount)
{
   spirv_require(e->m, amount <= SPIRV_MAX_WORK && e->work + amount <= SPIRV_MAX_WORK,
                 "the module is too large after inlining");
   e->work += amount;
}

/* ---- values ---- */

struct spirv_ssa *
spirv_ssa_new(struct spirv_emit *e, const struct spirv_type *type)
{
   struct spirv_ssa *ssa = arena_new(&e->m->temp, struct spirv_ssa);
   ssa->type = type;
   if (spirv_is_composite(type)) {
      spirv_require(e->m, type->scalars <= SPIRV_MAX_SCALARS, "a value of type %s is too large",
                    spirv_type_name(e->m, type));
      spirv_require(e->m, type->kind != SPIRV_TYPE_ARRAY || type->length, "a value of a run-time array");
      spirv_count_work(e, spirv_child_count(type));
   } else {
      spirv_require(e->m, spirv_is_vector_or_scalar(type), "a value of type %s", spirv_type_name(e->m, type));
   }
   return ssa;
}

void
spirv_ssa_put(struct spirv_emit *e, struct spirv_ssa *ssa, uint32_t index, struct spirv_ssa *part)
{
   ssa->parts = spirv_parts_put(&e->m->temp, ssa->parts, spirv_child_count(ssa->type), index, part);
}

struct spirv_ssa *
spirv_ssa_with(struct spirv_emit *e, const struct spirv_ssa *ssa, uint32_t index, struct spirv_ssa *part)
{
   uint32_t work = 0;
   struct spirv_ssa *copy = arena_new(&e->m->temp, struct spirv_ssa);
   copy->type = ssa->type;
   copy->parts = spirv_parts_with(&e->m->temp, ssa->parts, spirv_child_count(ssa->type), index, part, &work);
   spirv_count_work(e, work);
   return copy;
}

struct spirv_ssa *
spirv_ssa_of_def(struct spirv_emit *e, const struct spirv_type *type, struct nir_def *def)
{
   struct spirv_ssa *ssa = spirv_ssa_new(e, type);
   spirv_require(
      e->m, !spirv_is_composite(type) && def->num_components == type->components && def->bit_size == type->bit_size,
      "a value of %u times %u bits has the type %s", def->num_components, def->bit_size, spirv_type_name(e->m, type));
   ssa->def = def;
   return ssa;
}

struct spirv_ssa *
spirv_ssa_constant(struct spirv_emit *e, struct spirv_constant *constant)
{
   if (constant->ssa)
      return constant->ssa;
   const struct spirv_type *type = constant->type;
   struct spirv_ssa *ssa = spirv_ssa_new(e, type);
   if (spirv_is_composite(type)) {
      for (uint32_t i = 0; i < spirv_child_count(type); i++) {
         struct spirv_constant *part = spirv_constant_part(constant, i);
         part = part ? part : spirv_constant_null(e->m, spirv_child_type(type, i));
         spirv_ssa_put(e, ssa, i, spirv_ssa_constant(e, part));
      }
   } else {
      ssa->def = nir_imm(&e->start, type->components, type->bit_size, constant->value);
   }
   return constant->ssa = ssa;
}

struct spirv_ssa *
spirv_ssa_undef(struct spirv_emit *e, const struct spirv_type *type)
{
   struct spirv_ssa *ssa = spirv_ssa_new(e, type);
   if (spirv_is_composite(type)) {
      for (uint32_t i = 0; i < spirv_child_count(type); i++)
         spirv_ssa_put(e, ssa, i, spirv_ssa_undef(e, spirv_child_type(type, i)));
   } else {
      ssa->def = nir_undef(&e->start, type->components, type->bit_size);
   }
   return ssa;
}

struct nir_def *
spirv_bool_constant(struct spirv_emit *e, bool value)
{
   if (!e->bools[value])
      e->bools[value] = nir_imm_bool(&e->start, value);
   return e->bools[value];
}

struct nir_def *
spirv_int_constant(struct spirv_emit *e, uint32_t value)
{
   if (value >= ARRAY_SIZE(e->small_ints))
      return nir_imm_int(&e->start, (int32_t)value);
   if (!e->small_ints[value])
      e->small_ints[value] = nir_imm_int(&e->start, (int32_t)value);
   return e->small_ints[value];
}

/* ---- look-up ---- */

static struct spirv_id *
look_up(struct spirv_emit *e, uint32_t id)
{
   struct spirv_id *entry = &e->m->ids[id];
   if (entry->block) {
      const struct spirv_block *block = spirv_block(e->m, entry->block - 1);
      spirv_require(e->m, spirv_dominates(block, e->block), "%%%u does not dominate its use", id);
   }
   return entry;
}

struct spirv_ssa *
spirv_ssa(struct spirv_emit *e, uint32_t id)
{
   struct spirv_id *entry = look_up(e, id);
   switch (entry->kind) {
   case SPIRV_ID_SSA:
      return entry->ssa;
   case SPIRV_ID_CONSTANT:
      return spirv_ssa_constant(e, entry->constant);
   case SPIRV_ID_UNDEF:
      return spirv_ssa_undef(e, spirv_type(e->m, entry->type_id));
   case SPIRV_ID_VARIABLE:
   case SPIRV_ID_POINTER:
      if (spirv_is_address(spirv_type(e->m, entry->type_id)))
         return spirv_ssa_of_def(e, spirv_type(e->m, entry->type_id), spirv_address(e, spirv_pointer(e, id)));
      break;
   case SPIRV_ID_NONE:
   case SPIRV_ID_EXT_GLSL:
   case SPIRV_ID_EXT_SKIP:
   case SPIRV_ID_EXT_TRINARY:
   case SPIRV_ID_EXT_GCN:
   case SPIRV_ID_EXT_BALLOT:
   case SPIRV_ID_EXT_EXPLICIT:
   case SPIRV_ID_TYPE:
   case SPIRV_ID_FUNCTION:
   case SPIRV_ID_HANDLE:
   case SPIRV_ID_VOID:
      break;
   }
   spirv_fail(e->m, "%%%u is no value", id);
}

struct nir_def *
spirv_def(struct spirv_emit *e, uint32_t id)
{
   const struct spirv_ssa *ssa = spirv_ssa(e, id);
   spirv_require(e->m, ssa->def, "%%%u is no scalar or vector", id);
   return ssa->def;
}

struct nir_def *
spirv_def_of(struct spirv_emit *e, uint32_t id, const struct spirv_type *type)
{
   const struct spirv_ssa *ssa = spirv_ssa(e, id);
   spirv_require(e->m, ssa->def && ssa->type == type, "%%%u has the type %s, not %s", id,
                 spirv_type_name(e->m, ssa->type), spirv_type_name(e->m, type));
   return ssa->def;
}

struct nir_def *
spirv_index(struct spirv_emit *e, uint32_t id)
{
   const struct spirv_ssa *ssa = spirv_ssa(e, id);
   spirv_require(e->m, ssa->type->kind == SPIRV_TYPE_INT, "index %%%u is no integer", id);
   if (ssa->def->bit_size == 32)
      return ssa->def;
   return ssa->type->is_signed ? nir_i2iN(&e->b, ssa->def, 32) : nir_u2uN(&e->b, ssa->def, 32);
}

struct spirv_pointer *
spirv_pointer(struct spirv_emit *e, uint32_t id)
{
   struct spirv_id *entry = look_up(e, id);
   if (entry->kind == SPIRV_ID_VARIABLE)
      return spirv_variable_pointer(e, entry->variable);
   if (entry->kind != SPIRV_ID_POINTER && spirv_is_pointer(e, id))
      return spirv_address_pointer(e, spirv_type(e->m, entry->type_id), spirv_def(e, id));
   spirv_require(e->m, entry->kind == SPIRV_ID_POINTER, "%%%u is no pointer", id);
   return entry->pointer;
}

bool
spirv_is_pointer(struct spirv_emit *e, uint32_t id)
{
   const struct spirv_id *entry = &e->m->ids[id];
   const bool value =
      entry->kind == SPIRV_ID_SSA || entry->kind == SPIRV_ID_CONSTANT || entry->kind == SPIRV_ID_UNDEF;
   return entry->kind == SPIRV_ID_VARIABLE || entry->kind == SPIRV_ID_POINTER ||
          (value && spirv_is_address(spirv_type(e->m, entry->type_id)));
}

struct spirv_handle *
spirv_handle(struct spirv_emit *e, uint32_t id)
{
   struct spirv_id *entry = look_up(e, id);
   spirv_require(e->m, entry->kind == SPIRV_ID_HANDLE, "%%%u is no image or sampler", id);
   return entry->handle;
}

const struct spirv_type *
spirv_type_of(struct spirv_emit *e, uint32_t id)
{
   spirv_require(e->m, e->m->ids[id].type_id, "%%%u has no type", id);
   return spirv_type(e->m, e->m->ids[id].type_id);
}

/* ---- results ---- */

void
spirv_set_ssa(struct spirv_emit *e, const uint32_t *w, struct spirv_ssa *ssa)
{
   struct spirv_id *entry = &e->m->ids[w[2]];
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m, ssa->type == type, "the result is of type %s, not %s", spirv_type_name(e->m, ssa->type),
                 spirv_type_name(e->m, type));
   entry->kind = SPIRV_ID_SSA;
   entry->ssa = ssa;
}

void
spirv_set_def(struct spirv_emit *e, const uint32_t *w, struct nir_def *def)
{
   spirv_set_ssa(e, w, spirv_ssa_of_def(e, spirv_result_type(e, w), def));
}

void
spirv_set_pointer(struct spirv_emit *e, uint32_t id, struct spirv_pointer *pointer)
{
   e->m->ids[id].kind = SPIRV_ID_POINTER;
   e->m->ids[id].pointer = pointer;
}

void
spirv_set_handle(struct spirv_emit *e, uint32_t id, struct spirv_handle *handle)
{
   e->m->ids[id].kind = SPIRV_ID_HANDLE;
   e->m->ids[id].handle = handle;
}

/* Building, splitting and copying values. */
#include "compiler/spirv/spirv_emit.h"

/* ---- extract and insert ---- */

static struct spirv_ssa *
child(struct spirv_emit *e, const struct spirv_ssa *ssa, uint32_t index)
{
   const struct spirv_type *type = ssa->type;
   if (type->kind == SPIRV_TYPE_VECTOR) {
      spirv_require(e->m, index < type->components, "component %u is out of bounds", index);
      return spirv_ssa_of_def(e, type->element, nir_channel(&e->b, ssa->def, index));
   }
   spirv_require(e->m, spirv_is_composite(type) && index < spirv_child_count(type), "index %u is out of bounds",
                 index);
   return spirv_ssa_part(ssa, index);
}

static void
extract(struct spirv_emit *e, const uint32_t *w)
{
   struct spirv_ssa *ssa = spirv_ssa(e, w[3]);
   for (uint32_t i = 4; i < spirv_length(w); i++)
      ssa = child(e, ssa, w[i]);
   spirv_set_ssa(e, w, ssa);
}

static struct spirv_ssa *
insert_at(struct spirv_emit *e, const struct spirv_ssa *into, struct spirv_ssa *value, const uint32_t *path,
          uint32_t length)
{
   const struct spirv_type *type = into->type;
   if (!length) {
      spirv_require(e->m, value->type == type, "the inserted value has the wrong type");
      return value;
   }
   if (type->kind == SPIRV_TYPE_VECTOR) {
      spirv_require(e->m, length == 1 && path[0] < type->components, "the index does not fit the vector");
      spirv_require(e->m, value->type == type->element, "the inserted value has the wrong type");
      return spirv_ssa_of_def(e, type, nir_vector_insert_imm(&e->b, into->def, value->def, path[0]));
   }
   spirv_require(e->m, spirv_is_composite(type) && path[0] < spirv_child_count(type), "index %u is out of bounds",
                 path[0]);
   const struct spirv_ssa *old = spirv_ssa_part(into, path[0]);
   return spirv_ssa_with(e, into, path[0], insert_at(e, old, value, path + 1, length - 1));
}

/* ---- construct ---- */

static void
construct_vector(struct spirv_emit *e, const uint32_t *w, const struct spirv_type *type)
{
   struct nir_def *parts[4];
   uint32_t count = 0;
   for (uint32_t i = 3; i < spirv_length(w); i++) {
      const struct spirv_ssa *ssa = spirv_ssa(e, w[i]);
      const struct spirv_type *scalar = ssa->type->kind == SPIRV_TYPE_VECTOR ? ssa->type->element : ssa->type;
      spirv_require(e->m, ssa->def && scalar == type->element, "constituent %%%u has the wrong type", w[i]);
      spirv_require(e->m, count + ssa->type->components <= type->components, "too many constituents");
      for (uint32_t c = 0; c < ssa->type->components; c++)
         parts[count++] = ssa->type->components == 1 ? ssa->def : nir_channel(&e->b, ssa->def, c);
   }
   spirv_require(e->m, count == type->components, "%u components for a vector of %u", count, type->components);
   spirv_set_def(e, w, nir_vec(&e->b, parts, count));
}

/* One constituent in all places. */
static void
construct_replicated(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m, spirv_is_composite(type) || type->kind == SPIRV_TYPE_VECTOR,
                 "the result type is no composite");
   const bool is_vector = type->kind == SPIRV_TYPE_VECTOR;
   struct spirv_ssa *part = spirv_ssa(e, w[3]), *ssa = is_vector ? NULL : spirv_ssa_new(e, type);
   const uint32_t count = is_vector ? type->components : spirv_child_count(type);
   for (uint32_t i = 0; i < count; i++) {
      const struct spirv_type *place = is_vector ? type->element : spirv_child_type(type, i);
      spirv_require(e->m, part->type == place, "constituent %%%u has the wrong type", w[3]);
      if (ssa)
         spirv_ssa_put(e, ssa, i, part);
   }
   if (ssa)
      spirv_set_ssa(e, w, ssa);
   else
      spirv_set_def(e, w, nir_swizzle(&e->b, part->def, (const unsigned[4]){0}, count));
}

static void
construct(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   if (type->kind == SPIRV_TYPE_VECTOR) {
      construct_vector(e, w, type);
      return;
   }
   spirv_require(e->m, spirv_is_composite(type), "the result type is no composite");
   struct spirv_ssa *ssa = spirv_ssa_new(e, type);
   uint32_t count = spirv_length(w) - 3;
   if (type->kind == SPIRV_TYPE_COOPERATIVE && count == 1) { /* one for all elements */
      construct_replicated(e, w);
      return;
   }
   spirv_require(e->m, count == spirv_child_count(type), "%u constituents for %u places", count,
                 spirv_child_count(type));
   for (uint32_t i = 0; i < count; i++) {
      struct spirv_ssa *part = spirv_ssa(e, w[3 + i]);
      spirv_require(e->m, part->type == spirv_child_type(type, i), "constituent %%%u has the wrong type", w[3 + i]);
      spirv_ssa_put(e, ssa, i, part);
   }
   spirv_set_ssa(e, w, ssa);
}

/* ---- vectors ---- */

static void
shuffle(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   const struct spirv_ssa *from[2] = {spirv_ssa(e, w[3]), spirv_ssa(e, w[4])};
   uint32_t first = from[0]->type->components, count = spirv_length(w) - 5;
   for (unsigned i = 0; i < 2; i++)
      spirv_require(e->m,
                    from[i]->type->kind == SPIRV_TYPE_VECTOR && type->kind == SPIRV_TYPE_VECTOR &&
                       from[i]->type->element == type->element,
                    "the vector types do not fit");
   spirv_require(e->m, count == type->components, "%u components for a vector of %u", count, type->components);
   unsigned swizzle[4];
   bool one_source = true;
   struct nir_def *parts[4];
   for (uint32_t i = 0; i < count; i++) {
      uint32_t index = w[5 + i];
      spirv_require(e->m, index == UINT32_MAX || index < first + from[1]->type->components,
                    "component %u is out of bounds", index);
      one_source &= index == UINT32_MAX || index < first;
      swizzle[i] = index == UINT32_MAX ? 0 : index;
   }
   if (one_source) {
      spirv_set_def(e, w, nir_swizzle(&e->b, from[0]->def, swizzle, count));
      return;
   }
   for (uint32_t i = 0; i < count; i++)
      parts[i] = swizzle[i] < first ? nir_channel(&e->b, from[0]->def, swizzle[i])
                                    : nir_channel(&e->b, from[1]->def, swizzle[i] - first);
   spirv_set_def(e, w, nir_vec(&e->b, parts, count));
}

static void
extract_dynamic(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *vector = spirv_ssa(e, w[3]);
   spirv_require(e->m, vector->type->kind == SPIRV_TYPE_VECTOR && vector->type->element == spirv_result_type(e, w),
                 "the types do not fit");
   spirv_set_def(e, w, nir_vector_extract(&e->b, vector->def, spirv_index(e, w[4])));
}

static void
insert_dynamic(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *vector = spirv_ssa(e, w[3]);
   spirv_require(e->m, vector->type->kind == SPIRV_TYPE_VECTOR, "%%%u is no vector", w[3]);
   struct nir_def *scalar = spirv_def_of(e, w[4], vector->type->element);
   spirv_set_def(e, w, nir_vector_insert(&e->b, vector->def, scalar, spirv_index(e, w[5])));
}

/* ---- copies ---- */

/* The same scalars under another type. */
static struct spirv_ssa *
retype(struct spirv_emit *e, const struct spirv_ssa *ssa, const struct spirv_type *type)
{
   struct spirv_ssa *copy = spirv_ssa_new(e, type);
   copy->def = ssa->def;
   for (uint32_t i = 0; spirv_is_composite(type) && i < spirv_child_count(type); i++)
      spirv_ssa_put(e, copy, i, retype(e, spirv_ssa_part(ssa, i), spirv_child_type(type, i)));
   return copy;
}

static void
copy_object(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_id *id = &e->m->ids[w[3]];
   spirv_require(e->m, id->type_id == w[1], "the result has another type than the operand");
   if (id->kind == SPIRV_ID_HANDLE)
      spirv_set_handle(e, w[2], spirv_handle(e, w[3]));
   else if (id->kind == SPIRV_ID_POINTER || id->kind == SPIRV_ID_VARIABLE)
      spirv_set_pointer(e, w[2], spirv_pointer(e, w[3]));
   else
      spirv_set_ssa(e, w, spirv_ssa(e, w[3]));
}

static struct spirv_ssa *
select_parts(struct spirv_emit *e, struct nir_def *condition, const struct spirv_ssa *a, const struct spirv_ssa *b)
{
   struct spirv_ssa *result = spirv_ssa_new(e, a->type);
   if (a->def)
      result->def = nir_bcsel(&e->b, condition, a->def, b->def);
   for (uint32_t i = 0; spirv_is_composite(a->type) && i < spirv_child_count(a->type); i++)
      spirv_ssa_put(e, result, i, select_parts(e, condition, spirv_ssa_part(a, i), spirv_ssa_part(b, i)));
   return result;
}

static void
select(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w), *condition_type = spirv_type_of(e, w[3]);
   struct nir_def *condition = spirv_def(e, w[3]);
   const struct spirv_ssa *a = spirv_ssa(e, w[4]), *b = spirv_ssa(e, w[5]);
   spirv_require(e->m, spirv_is_bool(condition_type) && a->type == type && b->type == type, "the types do not fit");
   spirv_require(e->m, condition_type->components == 1 || (a->def && condition_type->components == type->components),
                 "the condition has the wrong size");
   if (a->def) {
      const bool one_for_all = !spirv_is_address(type) && condition_type->components != type->components;
      spirv_require(e->m, e->m->version >= 0x104 || !one_for_all, "one condition for a vector needs SPIR-V 1.4");
      spirv_set_def(e, w, nir_bcsel(&e->b, condition, a->def, b->def));
      return;
   }
   spirv_require(e->m, e->m->version >= 0x104, "a selection of composites needs SPIR-V 1.4");
   spirv_set_ssa(e, w, select_parts(e, condition, a, b));
}

bool
spirv_emit_composite(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpCompositeExtract:
      extract(e, w);
      return true;
   case SpvOpCompositeInsert:
      spirv_require(e->m, spirv_length(w) - 5 <= SPIRV_MAX_INDICES, "too many indices");
      spirv_set_ssa(e, w, insert_at(e, spirv_ssa(e, w[4]), spirv_ssa(e, w[3]), w + 5, spirv_length(w) - 5));
      return true;
   case SpvOpCompositeConstruct:
      construct(e, w);
      return true;
   case SpvOpCompositeConstructReplicateEXT:
      construct_replicated(e, w);
      return true;
   case SpvOpVectorShuffle:
      shuffle(e, w);
      return true;
   case SpvOpVectorExtractDynamic:
      extract_dynamic(e, w);
      return true;
   case SpvOpVectorInsertDynamic:
      insert_dynamic(e, w);
      return true;
   case SpvOpCopyObject:
      copy_object(e, w);
      return true;
   case SpvOpExpectKHR: /* the expected value is not used */
      copy_object(e, w);
      return true;
   case SpvOpAssumeTrueKHR:
      return true;
   case SpvOpCopyLogical:
      spirv_require(e->m,
                    spirv_type_compatible(spirv_result_type(e, w), spirv_type_of(e, w[3])) &&
                       spirv_result_type(e, w) != spirv_type_of(e, w[3]),
                    "the types do not match logically");
      spirv_set_ssa(e, w, retype(e, spirv_ssa(e, w[3]), spirv_result_type(e, w)));
      return true;
   case SpvOpSelect:
      select(e, w);
      return true;
   case SpvOpUndef:
      if (spirv_may_be_undefined(e->m, spirv_result_type(e, w)))
         spirv_set_ssa(e, w, spirv_ssa_undef(e, spirv_result_type(e, w)));
      return true;
   default: /* others: not of this file */
      return false;
   }
}

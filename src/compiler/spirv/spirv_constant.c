/* Constants and specialization constants. */

#include "compiler/spirv/spirv_module.h"
#include "util/macros.h"

struct spirv_constant *
spirv_constant(struct spirv_module *m, uint32_t id)
{
   spirv_require(m, id < m->bound && m->ids[id].kind == SPIRV_ID_CONSTANT, "%%%u is no constant", id);
   return m->ids[id].constant;
}

uint64_t
spirv_constant_uint(struct spirv_module *m, uint32_t id)
{
   const struct spirv_constant *constant = spirv_constant(m, id);
   spirv_require(m, constant->type->kind == SPIRV_TYPE_INT, "%%%u is no integer constant", id);
   return constant->value[0].u64;
}

uint32_t
spirv_constant_u32(struct spirv_module *m, uint32_t id)
{
   uint64_t value = spirv_constant_uint(m, id);
   spirv_require(m, value <= UINT32_MAX, "constant %%%u is too large", id);
   return (uint32_t)value;
}

struct spirv_constant *
spirv_constant_null(struct spirv_module *m, const struct spirv_type *type)
{
   struct spirv_constant *constant = arena_new(&m->temp, struct spirv_constant);
   constant->type = type;
   if (spirv_is_address(type) && type->storage == SpvStorageClassWorkgroup)
      constant->value[0].u64 = 0xfffffff0; /* a variable may be at 0 */
   return constant;
}

static const struct spirv_spec_constant *
specialization(const struct spirv_module *m, uint32_t id)
{
   if (!m->options)
      return NULL;
   spirv_for_each_decoration(it, m, id) {
      if (it->decoration != SpvDecorationSpecId)
         continue;
      for (uint32_t i = 0; i < m->options->num_spec_constants; i++) {
         if (m->options->spec_constants[i].id == m->words[it->word])
            return &m->options->spec_constants[i];
      }
   }
   return NULL;
}

static struct spirv_constant *
scalar(struct spirv_module *m, const uint32_t *w, const struct spirv_type *type)
{
   struct spirv_constant *constant = spirv_constant_null(m, type);
   spirv_require(m, type->kind == SPIRV_TYPE_INT || type->kind == SPIRV_TYPE_FLOAT, "the type is no number");
   uint64_t value = w[3] | (type->bit_size == 64 ? (uint64_t)w[4] << 32 : 0);
   constant->value[0].u64 = value & bit_mask(type->bit_size);
   return constant;
}

static struct spirv_constant *
boolean(struct spirv_module *m, const struct spirv_type *type, bool value)
{
   struct spirv_constant *constant = spirv_constant_null(m, type);
   spirv_require(m, type->kind == SPIRV_TYPE_BOOL, "the type is not bool");
   constant->value[0].b = value;
   return constant;
}

/* A constituent; an undefined one counts as zero. An integer of the other sign is taken for its bits: the
 * specification forbids it, but naga (wgpu of 2026) writes vectors of uint so, and spirv-val and RADV let it pass. */
static struct spirv_constant *
constituent(struct spirv_module *m, uint32_t id, const struct spirv_type *type)
{
   struct spirv_constant *constant = m->ids[id].kind == SPIRV_ID_UNDEF
                                        ? spirv_constant_null(m, spirv_type(m, m->ids[id].type_id))
                                        : spirv_constant(m, id);
   if (constant->type->kind == SPIRV_TYPE_INT && type->kind == SPIRV_TYPE_INT &&
       constant->type->bit_size == type->bit_size && constant->type != type) {
      struct spirv_constant *cast = spirv_constant_null(m, type);
      cast->value[0] = constant->value[0];
      return cast;
   }
   spirv_require(m, constant->type == type, "constituent %%%u has the type %s, not %s", id,
                 spirv_type_name(m, constant->type), spirv_type_name(m, type));
   return constant;
}

/* One constituent stands in all places. */
static struct spirv_constant *
replicated(struct spirv_module *m, const uint32_t *w, const struct spirv_type *type)
{
   struct spirv_constant *constant = spirv_constant_null(m, type);
   if (type->kind == SPIRV_TYPE_VECTOR) {
      for (uint32_t i = 0; i < type->components; i++)
         constant->value[i] = constituent(m, w[3], type->element)->value[0];
      return constant;
   }
   spirv_require(m, spirv_is_composite(type) && (type->kind != SPIRV_TYPE_ARRAY || type->length),
                 "the type is no composite");
   const uint32_t count = spirv_child_count(type);
   m->constant_work += count;
   spirv_require(m, count <= SPIRV_MAX_WORK && m->constant_work <= SPIRV_MAX_WORK, "a constant is too large");
   for (uint32_t i = 0; i < count; i++)
      constant->parts =
         spirv_parts_put(&m->temp, constant->parts, count, i, constituent(m, w[3], spirv_child_type(type, i)));
   return constant;
}

static struct spirv_constant *
composite(struct spirv_module *m, const uint32_t *w, const struct spirv_type *type)
{
   struct spirv_constant *constant = spirv_constant_null(m, type);
   uint32_t count = spirv_length(w) - 3;
   if (type->kind == SPIRV_TYPE_COOPERATIVE && count == 1) /* one for all elements */
      return replicated(m, w, type);
   if (type->kind == SPIRV_TYPE_VECTOR) {
      spirv_require(m, count == type->components, "%u constituents for a vector of %u", count, type->components);
      for (uint32_t i = 0; i < count; i++)
         constant->value[i] = constituent(m, w[3 + i], type->element)->value[0];
      return constant;
   }
   spirv_require(m, spirv_is_composite(type) && (type->kind != SPIRV_TYPE_ARRAY || type->length),
                 "the type is no composite");
   spirv_require(m, count == spirv_child_count(type), "%u constituents for %u places", count,
                 spirv_child_count(type));
   for (uint32_t i = 0; i < count; i++) {
      struct spirv_constant *part = constituent(m, w[3 + i], spirv_child_type(type, i));
      constant->parts = spirv_parts_put(&m->temp, constant->parts, count, i, part);
   }
   return constant;
}

static void
specialize(struct spirv_module *m, const uint32_t *w, struct spirv_constant *constant)
{
   const struct spirv_spec_constant *spec = specialization(m, w[2]);
   if (!spec)
      return;
   if (constant->type->kind == SPIRV_TYPE_BOOL) {
      constant->value[0].u64 = spec->value != 0;
      return;
   }
   spirv_require(m, spec->size_B * 8 == constant->type->bit_size, "specialization constant %u has %u bytes", spec->id,
                 spec->size_B);
   constant->value[0].u64 = spec->value & bit_mask(constant->type->bit_size);
}

static void
constant_instruction(struct spirv_module *m, const uint32_t *w)
{
   const struct spirv_type *type = spirv_type(m, w[1]);
   struct spirv_constant *constant;
   switch (spirv_opcode(w)) {
   case SpvOpConstantTrue:
   case SpvOpConstantFalse:
      constant = boolean(m, type, spirv_opcode(w) == SpvOpConstantTrue);
      break;
   case SpvOpSpecConstantTrue:
   case SpvOpSpecConstantFalse:
      constant = boolean(m, type, spirv_opcode(w) == SpvOpSpecConstantTrue);
      specialize(m, w, constant);
      break;
   case SpvOpConstant:
      constant = scalar(m, w, type);
      break;
   case SpvOpSpecConstant:
      constant = scalar(m, w, type);
      specialize(m, w, constant);
      break;
   case SpvOpConstantComposite:
   case SpvOpSpecConstantComposite:
      constant = composite(m, w, type);
      break;
   case SpvOpConstantCompositeReplicateEXT:
   case SpvOpSpecConstantCompositeReplicateEXT:
      constant = replicated(m, w, type);
      break;
   case SpvOpConstantNull:
      spirv_require(m, spirv_is_vector_or_scalar(type) || spirv_is_composite(type), "no null value of type %s",
                    spirv_type_name(m, type));
      spirv_require(m, !type->has_opaque && !type->has_pointer, "a null value of opaque type");
      constant = spirv_constant_null(m, type);
      break;
   case SpvOpSpecConstantOp:
      constant = spirv_spec_op(m, w);
      break;
   default:
      spirv_fail(m, "the constant is not supported");
   }
   m->ids[w[2]].kind = SPIRV_ID_CONSTANT;
   m->ids[w[2]].constant = constant;
}

/* Whether composites have values of their own, and not only what lies in memory or stands for resources. */
static bool
holds_values(const struct spirv_type *type)
{
   if (!spirv_is_composite(type))
      return spirv_is_vector_or_scalar(type);
   if (type->kind == SPIRV_TYPE_ARRAY && !type->length)
      return false;
   for (uint32_t i = 0; i < (type->kind == SPIRV_TYPE_STRUCT ? type->length : 1); i++) {
      if (!holds_values(spirv_child_type(type, i)))
         return false;
   }
   return true;
}

bool
spirv_may_be_undefined(struct spirv_module *m, const struct spirv_type *type)
{
   spirv_require(m, type->kind != SPIRV_TYPE_VOID && type->kind != SPIRV_TYPE_FUNCTION,
                 "an undefined value of type %s", spirv_type_name(m, type));
   return holds_values(type);
}

static void
undefined(struct spirv_module *m, const uint32_t *w)
{
   if (spirv_may_be_undefined(m, spirv_type(m, w[1])))
      m->ids[w[2]].kind = SPIRV_ID_UNDEF;
}

/* All instructions between annotations and functions. */
void
spirv_types_and_constants(struct spirv_module *m)
{
   for (m->at = m->types_begin; m->at < m->types_end; m->at += spirv_length(spirv_words(m, m->at))) {
      const uint32_t *w = spirv_words(m, m->at);
      switch (spirv_opcode(w)) {
      case SpvOpLine:
      case SpvOpNoLine:
      case SpvOpExtInst:
      case SpvOpExtInstWithForwardRefsKHR:
         break;
      case SpvOpUndef:
         undefined(m, w);
         break;
      case SpvOpVariable:
      case SpvOpUntypedVariableKHR:
         spirv_variable_instruction(m, w);
         break;
      default: /* others: types and constants */
         if (spirv_makes_type(spirv_opcode(w)))
            spirv_type_instruction(m, w);
         else
            constant_instruction(m, w);
      }
   }
   m->at = 0;
}

/* OpSpecConstantOp: evaluated at once, with the constant folder of nir. */
#include "compiler/nir/nir_eval_modes.h"
#include "compiler/spirv/spirv_alu.h"

static struct spirv_constant *
child(struct spirv_module *m, const struct spirv_constant *constant, uint32_t index)
{
   const struct spirv_type *type = constant->type;
   if (type->kind == SPIRV_TYPE_VECTOR) {
      spirv_require(m, index < type->components, "component %u is out of bounds", index);
      struct spirv_constant *component = spirv_constant_null(m, type->element);
      component->value[0] = constant->value[index];
      return component;
   }
   spirv_require(m, spirv_is_composite(type) && index < spirv_child_count(type), "index %u is out of bounds", index);
   struct spirv_constant *part = spirv_constant_part(constant, index);
   return part ? part : spirv_constant_null(m, spirv_child_type(type, index));
}

static struct spirv_constant *
extract(struct spirv_module *m, const uint32_t *w, const struct spirv_type *type)
{
   struct spirv_constant *constant = spirv_constant(m, w[4]);
   for (uint32_t i = 5; i < spirv_length(w); i++)
      constant = child(m, constant, w[i]);
   spirv_require(m, constant->type == type, "the type of the result is wrong");
   return constant;
}

static struct spirv_constant *
insert_at(struct spirv_module *m, const struct spirv_constant *into, struct spirv_constant *value,
          const uint32_t *path, uint32_t length)
{
   if (!length) {
      spirv_require(m, value->type == into->type, "the inserted value has the wrong type");
      return value;
   }
   struct spirv_constant *copy = spirv_constant_null(m, into->type);
   struct spirv_constant *replaced = insert_at(m, child(m, into, path[0]), value, path + 1, length - 1);
   if (into->type->kind == SPIRV_TYPE_VECTOR) {
      for (unsigned i = 0; i < 4; i++)
         copy->value[i] = into->value[i];
      copy->value[path[0]] = replaced->value[0];
      return copy;
   }
   copy->parts =
      spirv_parts_with(&m->temp, into->parts, spirv_child_count(into->type), path[0], replaced, &m->constant_work);
   spirv_require(m, m->constant_work <= SPIRV_MAX_WORK, "the constants are too large");
   return copy;
}

static struct spirv_constant *
insert(struct spirv_module *m, const uint32_t *w, const struct spirv_type *type)
{
   uint32_t length = spirv_length(w) - 6;
   spirv_require(m, length <= SPIRV_MAX_INDICES, "too many indices");
   struct spirv_constant *result = insert_at(m, spirv_constant(m, w[5]), spirv_constant(m, w[4]), w + 6, length);
   spirv_require(m, result->type == type, "the type of the result is wrong");
   return result;
}

static struct spirv_constant *
shuffle(struct spirv_module *m, const uint32_t *w, const struct spirv_type *type)
{
   const struct spirv_constant *from[2] = {spirv_constant(m, w[4]), spirv_constant(m, w[5])};
   spirv_require(m,
                 type->kind == SPIRV_TYPE_VECTOR && from[0]->type->kind == SPIRV_TYPE_VECTOR &&
                    from[1]->type->kind == SPIRV_TYPE_VECTOR,
                 "a shuffle takes vectors");
   spirv_require(m, from[0]->type->element == type->element && from[1]->type->element == type->element,
                 "the component types differ");
   spirv_require(m, spirv_length(w) - 6 == type->components, "the number of components is wrong");
   struct spirv_constant *result = spirv_constant_null(m, type);
   for (uint32_t i = 0; i < type->components; i++) {
      uint32_t index = w[6 + i], first = from[0]->type->components;
      if (index == UINT32_MAX)
         continue;
      spirv_require(m, index < first + from[1]->type->components, "component %u is out of bounds", index);
      result->value[i] = index < first ? from[0]->value[index] : from[1]->value[index - first];
   }
   return result;
}

static struct spirv_constant *
select_constant(struct spirv_module *m, const uint32_t *w, const struct spirv_type *type)
{
   const struct spirv_constant *condition = spirv_constant(m, w[4]);
   struct spirv_constant *a = spirv_constant(m, w[5]), *b = spirv_constant(m, w[6]);
   spirv_require(m, spirv_is_bool(condition->type) && a->type == type && b->type == type, "the types do not fit");
   if (condition->type->components == 1)
      return condition->value[0].b ? a : b;
   spirv_require(m, condition->type->components == type->components, "the condition has the wrong size");
   struct spirv_constant *result = spirv_constant_null(m, type);
   for (uint32_t i = 0; i < type->components; i++)
      result->value[i] = condition->value[i].b ? a->value[i] : b->value[i];
   return result;
}

static enum nir_op
convert_op(struct spirv_module *m, uint32_t opcode, unsigned bits)
{
   switch (opcode) {
   case SpvOpUConvert:
      return bits == 8 ? NIR_OP_u2u8 : bits == 16 ? NIR_OP_u2u16 : bits == 32 ? NIR_OP_u2u32 : NIR_OP_u2u64;
   case SpvOpSConvert:
      return bits == 8 ? NIR_OP_i2i8 : bits == 16 ? NIR_OP_i2i16 : bits == 32 ? NIR_OP_i2i32 : NIR_OP_i2i64;
   case SpvOpFConvert:
      return bits == 16 ? NIR_OP_f2f16 : bits == 32 ? NIR_OP_f2f32 : NIR_OP_f2f64;
   default: /* others: QuantizeToF16 */
      return NIR_OP_fquantize2f16;
   }
}

/* NIR_FLOAT_CONTROL() of the entry point's rounding. */
static unsigned
rounding(struct spirv_module *m)
{
   const struct spirv_entry *entry = spirv_find_entry(m);
   unsigned controls = 0;
   for (size_t i = 0; entry && i < dynarray_count(&m->modes, struct spirv_mode); i++) {
      const struct spirv_mode *mode = dynarray_at(&m->modes, const struct spirv_mode, i);
      const uint32_t bits = m->words[mode->word];
      if (mode->function == entry->function && mode->mode == SpvExecutionModeRoundingModeRTZ && bits <= 64)
         controls |= NIR_FLOAT_CONTROL(NIR_FLOAT_TO_ZERO, bits);
   }
   return controls;
}

static struct spirv_constant *
convert(struct spirv_module *m, const uint32_t *w, const struct spirv_type *type)
{
   const struct spirv_constant *from = spirv_constant(m, w[4]);
   enum nir_op op = convert_op(m, w[3], type->bit_size);
   bool is_float = w[3] == SpvOpFConvert || w[3] == SpvOpQuantizeToF16;
   spirv_require(m,
                 is_float ? spirv_is_float(type) && spirv_is_float(from->type)
                          : spirv_is_int(type) && spirv_is_int(from->type),
                 "the types do not fit");
   spirv_require(m, type->components == from->type->components, "the number of components changes");
   spirv_require(m, w[3] != SpvOpQuantizeToF16 || (type->bit_size == 32 && from->type->bit_size == 32),
                 "the type must be a 32-bit float");
   struct spirv_constant *result = spirv_constant_null(m, type);
   const union nir_const_value *srcs[1] = {from->value};
   const struct nir_eval e = {op, type->components, from->type->bit_size, type->bit_size};
   nir_eval_modes(rounding(m), &e, result->value, srcs);
   return result;
}

static struct spirv_constant *
arithmetic(struct spirv_module *m, const uint32_t *w, const struct spirv_type *type)
{
   const struct spirv_alu_row *row = spirv_alu_row(w[3]);
   spirv_require(m, row && !(row->flags & SPIRV_ALU_FLOAT), "the operation makes no specialization constant");
   uint32_t count = nir_op_infos[row->nir].num_srcs;
   const union nir_const_value *srcs[2] = {NULL};
   const struct spirv_type *operand = NULL;
   for (uint32_t i = 0; i < count; i++) {
      const struct spirv_constant *source = spirv_constant(m, w[4 + i]);
      bool fits = row->flags & SPIRV_ALU_INT ? spirv_is_int(source->type) : spirv_is_bool(source->type);
      spirv_require(m, fits && source->type->components == type->components, "operand %%%u has the wrong type",
                    w[4 + i]);
      bool is_count = i && row->flags & SPIRV_ALU_SHIFT;
      spirv_require(m, is_count || !operand || operand->bit_size == source->type->bit_size,
                    "the operand sizes differ");
      spirv_require(m, !(row->flags & SPIRV_ALU_32) || source->type->bit_size == 32,
                    "the operands must have 32 bits");
      operand = is_count ? operand : source->type;
      srcs[row->flags & SPIRV_ALU_SWAP ? count - 1 - i : i] = source->value;
   }
   spirv_require(m,
                 row->flags & SPIRV_ALU_COMPARE ? spirv_is_bool(type)
                                                : spirv_is_int(type) && type->bit_size == operand->bit_size,
                 "the type of the result is wrong");
   struct spirv_constant *result = spirv_constant_null(m, type);
   nir_eval_alu((enum nir_op)row->nir, type->components, operand->bit_size, result->value, srcs);
   return result;
}

struct spirv_constant *
spirv_spec_op(struct spirv_module *m, const uint32_t *w)
{
   const struct spirv_type *type = spirv_type(m, w[1]);
   struct spirv_constant *result;
   switch (w[3]) {
   case SpvOpCompositeExtract:
      result = extract(m, w, type);
      break;
   case SpvOpCompositeInsert:
      result = insert(m, w, type);
      break;
   case SpvOpVectorShuffle:
      result = shuffle(m, w, type);
      break;
   case SpvOpSelect:
      result = select_constant(m, w, type);
      break;
   case SpvOpUConvert:
   case SpvOpSConvert:
   case SpvOpFConvert:
   case SpvOpQuantizeToF16:
      result = convert(m, w, type);
      break;
   case SpvOpCooperativeMatrixLengthKHR:
      spirv_require(m, spirv_length(w) == 5 && type->kind == SPIRV_TYPE_INT && type->bit_size == 32,
                    "the length is a number of 32 bits");
      result = spirv_constant_null(m, type);
      result->value[0].u32 = spirv_cooperative_length(m, w[4]);
      break;
   default: /* others: arithmetic, which refuses the rest */
      result = arithmetic(m, w, type);
   }
   return arena_dup(&m->temp, result, sizeof(*result));
}

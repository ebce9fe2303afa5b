/* SPV_INTEL_shader_integer_functions2: integers that saturate, averages, differences, counts of zeros. */
#include "compiler/spirv/spirv_emit.h"

/* ---- signed, without more bits ---- */

/* The number that x is beyond of: the greatest, or if x is negative the least. */
static struct nir_def *
limit_of(struct nir_builder *b, struct nir_def *x)
{
   const unsigned bits = x->bit_size;
   struct nir_def *sign = nir_ishr(b, x, nir_imm_int(b, (int32_t)bits - 1));
   return nir_ixor(b, sign, nir_imm_intN(b, UINT64_MAX >> (65 - bits), bits));
}

static struct nir_def *
is_negative(struct nir_builder *b, struct nir_def *x)
{
   return nir_ilt(b, x, nir_imm_intN(b, 0, x->bit_size));
}

/* A sum has another sign than both operands. */
static struct nir_def *
add_saturated(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   struct nir_def *sum = nir_iadd(b, x, y);
   struct nir_def *beyond = is_negative(b, nir_iand(b, nir_ixor(b, x, sum), nir_ixor(b, y, sum)));
   return nir_bcsel(b, beyond, limit_of(b, x), sum);
}

/* The operands differ in sign, and the difference has not the first one's. */
static struct nir_def *
subtract_saturated(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   struct nir_def *difference = nir_isub(b, x, y);
   struct nir_def *beyond = is_negative(b, nir_iand(b, nir_ixor(b, x, y), nir_ixor(b, x, difference)));
   return nir_bcsel(b, beyond, limit_of(b, x), difference);
}

/* ---- both ---- */

static struct nir_def *
half(struct nir_builder *b, struct nir_def *x, bool is_signed)
{
   return is_signed ? nir_ishr(b, x, nir_imm_int(b, 1)) : nir_ushr(b, x, nir_imm_int(b, 1));
}

/* What both have, and half of what one has. */
static struct nir_def *
average(struct nir_builder *b, struct nir_def *x, struct nir_def *y, bool is_signed)
{
   return nir_iadd(b, nir_iand(b, x, y), half(b, nir_ixor(b, x, y), is_signed));
}

/* All that they have, less half of what only one has. */
static struct nir_def *
average_rounded(struct nir_builder *b, struct nir_def *x, struct nir_def *y, bool is_signed)
{
   return nir_isub(b, nir_ior(b, x, y), half(b, nir_ixor(b, x, y), is_signed));
}

static struct nir_def *
distance(struct nir_builder *b, struct nir_def *x, struct nir_def *y, bool is_signed)
{
   struct nir_def *less = is_signed ? nir_ilt(b, x, y) : nir_ult(b, x, y);
   return nir_bcsel(b, less, nir_isub(b, y, x), nir_isub(b, x, y));
}

/* Of the second one the low 16 bits count. */
static struct nir_def *
multiply_16(struct nir_builder *b, struct nir_def *x, struct nir_def *y, bool is_signed)
{
   struct nir_def *shift = nir_imm_int(b, (int32_t)y->bit_size - 16), *high = nir_ishl(b, y, shift);
   return nir_imul(b, x, is_signed ? nir_ishr(b, high, shift) : nir_ushr(b, high, shift));
}

static struct nir_def *
of_two(struct nir_builder *b, uint32_t opcode, struct nir_def *x, struct nir_def *y)
{
   switch (opcode) {
   case SpvOpAbsISubINTEL:
   case SpvOpAbsUSubINTEL:
      return distance(b, x, y, opcode == SpvOpAbsISubINTEL);
   case SpvOpIAddSatINTEL:
      return add_saturated(b, x, y);
   case SpvOpUAddSatINTEL:
      return nir_bcsel(b, nir_ult(b, nir_inot(b, x), y), nir_imm_intN(b, UINT64_MAX, x->bit_size), nir_iadd(b, x, y));
   case SpvOpISubSatINTEL:
      return subtract_saturated(b, x, y);
   case SpvOpUSubSatINTEL:
      return nir_bcsel(b, nir_ult(b, x, y), nir_imm_intN(b, 0, x->bit_size), nir_isub(b, x, y));
   case SpvOpIAverageINTEL:
   case SpvOpUAverageINTEL:
      return average(b, x, y, opcode == SpvOpIAverageINTEL);
   case SpvOpIAverageRoundedINTEL:
   case SpvOpUAverageRoundedINTEL:
      return average_rounded(b, x, y, opcode == SpvOpIAverageRoundedINTEL);
   case SpvOpIMul32x16INTEL:
   case SpvOpUMul32x16INTEL:
      return multiply_16(b, x, y, opcode == SpvOpIMul32x16INTEL);
   default: /* others: not of two operands */
      return NULL;
   }
}

/* Zeros on one side of the highest or lowest one; of 0 all bits. */
static struct nir_def *
count_zeros(struct nir_builder *b, struct nir_def *x, bool leading)
{
   struct nir_def *all = nir_imm_int(b, (int32_t)x->bit_size);
   if (leading)
      return nir_isub(b, nir_iadd_imm(b, all, -1), nir_ufind_msb(b, x)); /* -1: there is none */
   return nir_bcsel(b, nir_ieq_imm(b, x, 0), all, nir_find_lsb(b, x));
}

static struct nir_def *
operand(struct spirv_emit *e, const uint32_t *w, uint32_t index, const struct spirv_type *result)
{
   const struct spirv_ssa *ssa = spirv_ssa(e, w[index]);
   spirv_require(e->m,
                 spirv_is_int(result) && spirv_is_int(ssa->type) && ssa->type->components == result->components &&
                    ssa->type->bit_size == result->bit_size,
                 "operand %%%u has the wrong type", w[index]);
   return ssa->def;
}

bool
spirv_emit_intel(struct spirv_emit *e, const uint32_t *w)
{
   const uint32_t opcode = spirv_opcode(w);
   struct nir_builder *b = &e->b;
   if (opcode < SpvOpUCountLeadingZerosINTEL || opcode > SpvOpUMul32x16INTEL)
      return false;
   const struct spirv_type *type = spirv_result_type(e, w);
   struct nir_def *x = operand(e, w, 3, type);
   if (opcode == SpvOpUCountLeadingZerosINTEL || opcode == SpvOpUCountTrailingZerosINTEL)
      spirv_set_def(e, w, nir_u2uN(b, count_zeros(b, x, opcode == SpvOpUCountLeadingZerosINTEL), type->bit_size));
   else
      spirv_set_def(e, w, of_two(b, opcode, x, operand(e, w, 4, type)));
   return true;
}

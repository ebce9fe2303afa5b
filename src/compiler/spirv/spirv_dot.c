/* Dot products of integers (SPV_KHR_integer_dot_product), and of pairs of halves (SPV_VALVE_mixed_float_dot_product).
 */
#include "compiler/spirv/spirv_emit.h"

struct dot {
   uint32_t opcode;
   const struct spirv_type *result;
   const struct spirv_ssa *src[2];
   const struct spirv_ssa *accumulator; /* NULL: none */
   bool is_signed[2];                   /* the sources; their sum is signed if the first one is */
   bool packed;                         /* four integers of 8 bits in 32 */
};

/* Operands from w[3] on; the format of packed vectors stands last. */
static struct dot
read_operands(struct spirv_emit *e, const uint32_t *w)
{
   const uint32_t opcode = spirv_opcode(w), count = spirv_length(w);
   const bool saturates = opcode >= SpvOpSDotAccSat;
   struct dot d = {.opcode = opcode, .result = spirv_result_type(e, w)};
   const struct spirv_type *type[2];
   for (unsigned i = 0; i < 2; i++) {
      d.src[i] = spirv_ssa(e, w[3 + i]);
      type[i] = d.src[i]->type;
      d.is_signed[i] = opcode == SpvOpSDot || opcode == SpvOpSDotAccSat ||
                       (!i && (opcode == SpvOpSUDot || opcode == SpvOpSUDotAccSat));
   }
   d.packed = type[0]->kind == SPIRV_TYPE_INT;
   spirv_require(e->m,
                 spirv_is_int(type[0]) && spirv_is_int(type[1]) && type[0]->bit_size == type[1]->bit_size &&
                    type[0]->components == type[1]->components,
                 "the vectors do not fit");
   spirv_require(e->m, d.result->kind == SPIRV_TYPE_INT && d.result->bit_size >= (d.packed ? 8 : type[0]->bit_size),
                 "the result is no integer, or smaller than the components");
   if (d.packed) {
      spirv_require(e->m,
                    count == 6u + saturates && w[5 + saturates] == SpvPackedVectorFormatPackedVectorFormat4x8Bit,
                    "scalars without the format of packed vectors");
      spirv_require(e->m, type[0]->bit_size == 32, "a packed vector has 32 bits");
   }
   if (saturates) {
      d.accumulator = spirv_ssa(e, w[5]);
      spirv_require(e->m, d.accumulator->type == d.result, "the accumulator has another type than the result");
   }
   return d;
}

static struct nir_def *
widen(struct nir_builder *b, struct nir_def *x, bool is_signed, unsigned bits)
{
   return is_signed ? nir_i2iN(b, x, bits) : nir_u2uN(b, x, bits);
}

/* Four integers of 8 bits as one of 32. */
static struct nir_def *
pack_bytes(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *word = nir_u2u32(b, nir_channel(b, x, 0));
   for (unsigned i = 1; i < 4; i++)
      word = nir_ior(b, word, nir_ishl(b, nir_u2u32(b, nir_channel(b, x, i)), nir_imm_int(b, (int32_t)(8 * i))));
   return word;
}

/* What the opcodes of nir compute, for a sum of 32 bits. `start` is added, to the limits if `saturate`. */
static struct nir_def *
as_opcode(struct nir_builder *b, const struct dot *d, struct nir_def *start, bool saturate)
{
   struct nir_def *x = d->src[0]->def, *y = d->src[1]->def;
   const bool bytes = d->packed || (x->bit_size == 8 && x->num_components == 4);
   if (bytes) {
      x = d->packed ? x : pack_bytes(b, x);
      y = d->packed ? y : pack_bytes(b, y);
      if (d->is_signed[0] && d->is_signed[1])
         return saturate ? nir_sdot_4x8_iadd_sat(b, x, y, start) : nir_sdot_4x8_iadd(b, x, y, start);
      if (d->is_signed[0])
         return saturate ? nir_sudot_4x8_iadd_sat(b, x, y, start) : nir_sudot_4x8_iadd(b, x, y, start);
      return saturate ? nir_udot_4x8_uadd_sat(b, x, y, start) : nir_udot_4x8_uadd(b, x, y, start);
   }
   /* Two products of 16 bits may have 33 together. */
   if (x->bit_size != 16 || x->num_components != 2 || d->is_signed[0] != d->is_signed[1] || d->result->bit_size == 64)
      return NULL;
   x = nir_pack_32_2x16(b, x);
   y = nir_pack_32_2x16(b, y);
   if (d->is_signed[0])
      return saturate ? nir_sdot_2x16_iadd_sat(b, x, y, start) : nir_sdot_2x16_iadd(b, x, y, start);
   return saturate ? nir_udot_2x16_uadd_sat(b, x, y, start) : nir_udot_2x16_uadd(b, x, y, start);
}

static struct nir_def *
sum_of_products(struct nir_builder *b, const struct dot *d, unsigned bits)
{
   struct nir_def *sum = NULL;
   for (unsigned i = 0; i < d->src[0]->def->num_components; i++) {
      struct nir_def *x = widen(b, nir_channel(b, d->src[0]->def, i), d->is_signed[0], bits);
      struct nir_def *y = widen(b, nir_channel(b, d->src[1]->def, i), d->is_signed[1], bits);
      struct nir_def *product = nir_imul(b, x, y);
      sum = sum ? nir_iadd(b, sum, product) : product;
   }
   return sum;
}

/* The sum of two integers, to the limits of `bits`, which may be fewer than they have. */
static struct nir_def *
add_saturated(struct nir_builder *b, struct nir_def *x, struct nir_def *y, bool is_signed, unsigned bits)
{
   const unsigned size = x->bit_size;
   struct nir_def *sum = nir_iadd(b, x, y);
   if (bits < size) {
      const uint64_t top = UINT64_C(1) << (bits - 1);
      if (!is_signed)
         return nir_umin(b, sum, nir_imm_intN(b, 2 * top - 1, size));
      return nir_imax(b, nir_imin(b, sum, nir_imm_intN(b, top - 1, size)), nir_imm_intN(b, ~(top - 1), size));
   }
   if (!is_signed)
      return nir_bcsel(b, nir_ult(b, sum, x), nir_imm_intN(b, UINT64_MAX, size), sum);
   /* Signs: both unlike the sum's. The limit has the sign of the operands. */
   struct nir_def *over = nir_iand(b, nir_ixor(b, x, sum), nir_ixor(b, y, sum));
   struct nir_def *limit =
      nir_ixor(b, nir_ishr_imm(b, x, size - 1), nir_imm_intN(b, (UINT64_C(1) << (size - 1)) - 1, size));
   return nir_bcsel(b, nir_ilt(b, over, nir_imm_zero(b, 1, size)), limit, sum);
}

/* Two products of halves and an accumulator of 32 or 16 bits, summed in 32. */
static void
emit_halves(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   const struct spirv_type *result = spirv_result_type(e, w);
   struct nir_def *x = spirv_def(e, w[3]), *y = spirv_def(e, w[4]), *sum = spirv_def_of(e, w[5], result);
   const unsigned bits = spirv_opcode(w) == SpvOpFDot2MixAcc32VALVE ? 32 : 16;
   spirv_require(e->m, result->kind == SPIRV_TYPE_FLOAT && result->bit_size == bits,
                 "the result is no float of %u bits", bits);
   for (unsigned i = 0; i < 2; i++) {
      const struct spirv_type *type = spirv_type_of(e, w[3 + i]);
      spirv_require(e->m, spirv_is_float(type) && type->components == 2 && type->bit_size == 16,
                    "%%%u is no pair of halves", w[3 + i]);
   }
   sum = nir_f2fN(b, sum, 32);
   for (unsigned i = 0; i < 2; i++)
      sum = nir_ffma(b, nir_f2fN(b, nir_channel(b, x, i), 32), nir_f2fN(b, nir_channel(b, y, i), 32), sum);
   spirv_set_def(e, w, nir_f2fN(b, sum, bits));
}

bool
spirv_emit_dot(struct spirv_emit *e, const uint32_t *w)
{
   const uint32_t opcode = spirv_opcode(w);
   if (opcode == SpvOpFDot2MixAcc32VALVE || opcode == SpvOpFDot2MixAcc16VALVE) {
      emit_halves(e, w);
      return true;
   }
   if (opcode < SpvOpSDot || opcode > SpvOpSUDotAccSat)
      return false;
   struct nir_builder *b = &e->b;
   const struct dot d = read_operands(e, w);
   const unsigned bits = d.result->bit_size, size = bits == 64 ? 64 : 32;
   const bool direct = d.accumulator && bits == 32; /* the opcode adds it */
   struct nir_def *sum = as_opcode(b, &d, direct ? d.accumulator->def : nir_imm_int(b, 0), direct);
   if (sum) {
      sum = widen(b, sum, d.is_signed[0], size);
   } else {
      sum = sum_of_products(b, &d, size);
      if (direct)
         sum = add_saturated(b, d.accumulator->def, sum, d.is_signed[0], bits);
   }
   if (d.accumulator && !direct)
      sum = add_saturated(b, widen(b, d.accumulator->def, d.is_signed[0], size), sum, d.is_signed[0], bits);
   spirv_set_def(e, w, nir_u2uN(b, sum, bits));
   return true;
}

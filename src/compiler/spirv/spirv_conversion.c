/* Conversions between number types, and bit casts. */
#include "compiler/spirv/spirv_emit.h"

enum conversion_end { /* what an operand or result must be */
                      END_FLOAT,
                      END_INT,
                      END_UNSIGNED,
};

static bool
fits(const struct spirv_type *type, enum conversion_end end)
{
   return end == END_FLOAT ? spirv_is_float(type) : spirv_is_int(type) && (end == END_INT || !type->is_signed);
}

static struct nir_def *
operand(struct spirv_emit *e, const uint32_t *w, enum conversion_end from, enum conversion_end to)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   const struct spirv_ssa *ssa = spirv_ssa(e, w[3]);
   spirv_require(e->m, fits(type, to) && fits(ssa->type, from) && type->components == ssa->type->components,
                 "the types do not fit the conversion");
   return ssa->def;
}

/* The direction of rounding asked for with FPRoundingMode; only a conversion to 16 bits has one to choose. */
static bool
rounds_to_zero(struct spirv_emit *e, uint32_t id)
{
   spirv_for_each_decoration(it, e->m, id) {
      if (it->decoration != SpvDecorationFPRoundingMode)
         continue;
      uint32_t mode = e->m->words[it->word];
      spirv_require(e->m, mode == SpvFPRoundingModeRTE || mode == SpvFPRoundingModeRTZ,
                    "this rounding mode is not supported");
      return mode == SpvFPRoundingModeRTZ;
   }
   return false;
}

static struct nir_def *
to_float(struct spirv_emit *e, const uint32_t *w, struct nir_def *x, unsigned bits)
{
   if (bits == 16 && rounds_to_zero(e, w[2]))
      return nir_f2f16_rtz(&e->b, x->bit_size == 64 ? nir_f2fN(&e->b, x, 32) : x);
   return nir_f2fN(&e->b, x, bits);
}

/* ---- bit casts ---- */

/* Components of `bits` bits, low parts first, from any vector. */
static unsigned
split(struct nir_builder *b, struct nir_def *x, unsigned bits, struct nir_def **parts)
{
   unsigned count = 0;
   for (unsigned c = 0; c < x->num_components; c++) {
      struct nir_def *whole = nir_channel(b, x, c);
      for (unsigned shift = 0; shift < x->bit_size; shift += bits)
         parts[count++] =
            bits == x->bit_size ? whole : nir_u2uN(b, shift ? nir_ushr_imm(b, whole, shift) : whole, bits);
   }
   return count;
}

/* One component of `bits` bits from smaller ones, the low first. */
static struct nir_def *
join(struct nir_builder *b, struct nir_def *const *parts, unsigned count, unsigned bits)
{
   struct nir_def *whole = nir_u2uN(b, parts[0], bits);
   for (unsigned i = 1; i < count; i++)
      whole = nir_ior(b, whole, nir_ishl_imm(b, nir_u2uN(b, parts[i], bits), i * parts[i]->bit_size));
   return whole;
}

static void
bit_cast(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   struct nir_def *x = spirv_def(e, w[3]), *parts[64], *result[4];
   const struct spirv_type *from = spirv_type_of(e, w[3]);
   spirv_require(e->m, spirv_is_vector_or_scalar(type) && !type->has_bool && !from->has_bool, "a cast of booleans");
   spirv_require(e->m, type->components * type->bit_size == x->num_components * x->bit_size,
                 "the types have different sizes");
   if (type->bit_size == x->bit_size) {
      spirv_set_def(e, w, x);
      return;
   }
   unsigned smaller = type->bit_size < x->bit_size ? type->bit_size : x->bit_size;
   unsigned per_result = type->bit_size / smaller;
   split(&e->b, x, smaller, parts);
   for (unsigned i = 0; i < type->components; i++)
      result[i] = per_result == 1 ? parts[i] : join(&e->b, parts + i * per_result, per_result, type->bit_size);
   spirv_set_def(e, w, nir_vec(&e->b, result, type->components));
}

bool
spirv_emit_conversion(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   unsigned bits;
   switch (spirv_opcode(w)) {
   case SpvOpConvertFToU:
   case SpvOpConvertFToS:
   case SpvOpConvertSToF:
   case SpvOpConvertUToF:
   case SpvOpUConvert:
   case SpvOpSConvert:
   case SpvOpFConvert:
   case SpvOpQuantizeToF16:
      bits = spirv_result_type(e, w)->bit_size;
      break;
   case SpvOpBitcast:
      bit_cast(e, w);
      return true;
   default: /* others: not of this file */
      return false;
   }
   switch (spirv_opcode(w)) {
   case SpvOpConvertFToU:
      spirv_set_def(e, w, nir_f2uN(b, operand(e, w, END_FLOAT, END_UNSIGNED), bits));
      break;
   case SpvOpConvertFToS:
      spirv_set_def(e, w, nir_f2iN(b, operand(e, w, END_FLOAT, END_INT), bits));
      break;
   case SpvOpConvertSToF:
      spirv_set_def(e, w, nir_i2fN(b, operand(e, w, END_INT, END_FLOAT), bits));
      break;
   case SpvOpConvertUToF:
      spirv_set_def(e, w, nir_u2fN(b, operand(e, w, END_INT, END_FLOAT), bits));
      break;
   case SpvOpUConvert:
      spirv_set_def(e, w, nir_u2uN(b, operand(e, w, END_INT, END_UNSIGNED), bits));
      break;
   case SpvOpSConvert:
      spirv_set_def(e, w, nir_i2iN(b, operand(e, w, END_INT, END_INT), bits));
      break;
   case SpvOpFConvert:
      spirv_set_def(e, w, to_float(e, w, operand(e, w, END_FLOAT, END_FLOAT), bits));
      break;
   default: { /* others: QuantizeToF16 */
      struct nir_def *x = operand(e, w, END_FLOAT, END_FLOAT);
      spirv_require(e->m, bits == 32 && x->bit_size == 32, "the type must be a 32-bit float");
      spirv_set_def(e, w, nir_fquantize2f16(b, x));
   }
   }
   return true;
}

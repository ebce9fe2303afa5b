#include "compiler/nir/nir_lower_alu_internal.h"

#define B(bits, value) nir_imm_floatN(b, value, bits)

/* Two Newton steps on the reciprocal, then one on the quotient. */
static struct nir_def *
divide_64(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   struct nir_def *one = B(64, 1), *minus = nir_fneg(b, y), *reciprocal = nir_frcp(b, y);
   for (unsigned i = 0; i < 2; i++)
      reciprocal = nir_ffma(b, reciprocal, nir_ffma(b, minus, reciprocal, one), reciprocal);
   struct nir_def *quotient = nir_fmul(b, x, reciprocal);
   struct nir_def *refined = nir_ffma(b, nir_ffma(b, minus, quotient, x), reciprocal, quotient);
   /* Zero, infinity and NaN come from the plain product. */
   struct nir_def *plain = nir_fmul(b, x, nir_frcp(b, y));
   struct nir_def *special = nir_funord(b, refined, refined);
   return nir_bcsel(b, special, plain, refined);
}

static struct nir_def *
sign(struct nir_builder *b, struct nir_def *x)
{
   unsigned bits = x->bit_size;
   struct nir_def *zero = B(bits, 0);
   return nir_bcsel(b, nir_flt(b, zero, x), B(bits, 1), nir_bcsel(b, nir_flt(b, x, zero), B(bits, -1), x));
}

static struct nir_def *
dot(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   struct nir_def *sum = nir_fmul(b, nir_channel(b, x, 0), nir_channel(b, y, 0));
   for (unsigned i = 1; i < x->num_components; i++)
      sum = nir_fadd(b, sum, nir_fmul(b, nir_channel(b, x, i), nir_channel(b, y, i)));
   return sum;
}

/* Denormals are scaled by 2^24 first. exponent: the number of halvings; significand: the exponent field set to that
 * of 0.5. */
static struct nir_def *
frexp_32(struct nir_builder *b, struct nir_def *x, bool want_exponent)
{
   struct nir_def *magnitude = nir_iand_imm(b, x, 0x7fffffff);
   struct nir_def *denormal = nir_ult_imm(b, magnitude, 0x00800000);
   struct nir_def *scaled = nir_bcsel(b, denormal, nir_fmul_imm(b, x, 0x1p24), x);
   struct nir_def *special = nir_ior(b, nir_ieq_imm(b, magnitude, 0), nir_uge_imm(b, magnitude, 0x7f800000));
   if (!want_exponent) {
      struct nir_def *significand = nir_ior_imm(b, nir_iand_imm(b, scaled, 0x807fffff), 0x3f000000);
      return nir_bcsel(b, special, x, significand);
   }
   struct nir_def *field = nir_iand_imm(b, nir_ushr_imm(b, scaled, 23), 0xff);
   struct nir_def *bias = nir_bcsel(b, denormal, nir_imm_int(b, -126 - 24), nir_imm_int(b, -126));
   return nir_bcsel(b, special, nir_imm_int(b, 0), nir_iadd(b, field, bias));
}

static struct nir_def *
quantize(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *rounded = nir_f2f32(b, nir_f2f16(b, x));
   struct nir_def *denormal = nir_flt(b, nir_fabs(b, rounded), B(32, 0x1p-14));
   return nir_bcsel(b, denormal, nir_iand_imm(b, x, 0x80000000), rounded);
}

struct nir_def *
nir_lower_float_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src,
                   const struct nir_lower_options *options)
{
   switch ((int)alu->op) {
   case NIR_OP_fsub:
      return options->fsub ? nir_fadd(b, src[0], nir_fneg(b, src[1])) : NULL;
   case NIR_OP_fdiv:
      if (!options->fdiv)
         return NULL;
      return src[0]->bit_size == 64 ? divide_64(b, src[0], src[1]) : nir_fmul(b, src[0], nir_frcp(b, src[1]));
   case NIR_OP_fpow:
      return options->fpow ? nir_fexp2(b, nir_fmul(b, src[1], nir_flog2(b, src[0]))) : NULL;
   case NIR_OP_ffract:
      return options->ffract ? nir_fadd(b, src[0], nir_fneg(b, nir_ffloor(b, src[0]))) : NULL;
   case NIR_OP_fsign:
      return options->fsign ? sign(b, src[0]) : NULL;
   case NIR_OP_fdot2:
   case NIR_OP_fdot3:
   case NIR_OP_fdot4:
      return options->fdot ? dot(b, src[0], src[1]) : NULL;
   case NIR_OP_ffrexp_sig:
      return options->frexp && src[0]->bit_size == 32 ? frexp_32(b, src[0], false) : NULL;
   case NIR_OP_ffrexp_exp:
      return options->frexp && src[0]->bit_size == 32 ? frexp_32(b, src[0], true) : NULL;
   case NIR_OP_fquantize2f16:
      return options->fquantize2f16 ? quantize(b, src[0]) : NULL;
   default:
      return NULL;
   }
}

/* ---- packing ---- */

static struct nir_def *
pack_norm(struct nir_builder *b, struct nir_def *x, unsigned bits, bool is_signed)
{
   double scale = (double)((UINT64_C(1) << (bits - is_signed)) - 1);
   struct nir_def *packed = nir_imm_int(b, 0);
   for (unsigned i = 0; i < x->num_components; i++) {
      struct nir_def *value = nir_channel(b, x, i);
      if (is_signed) { /* NaN gives 0 */
         value = nir_bcsel(b, nir_fisnan(b, value), nir_imm_float(b, 0), value);
         value = nir_fmin(b, nir_fmax(b, value, nir_imm_float(b, -1)), nir_imm_float(b, 1));
      } else {
         value = nir_fsat(b, value);
      }
      value = nir_f2i32(b, nir_fround_even(b, nir_fmul_imm(b, value, scale)));
      value = nir_iand_imm(b, value, (1u << bits) - 1);
      packed = nir_ior(b, packed, nir_ishl_imm(b, value, i * bits));
   }
   return packed;
}

static struct nir_def *
unpack_norm(struct nir_builder *b, struct nir_def *x, unsigned bits, bool is_signed)
{
   double scale = 1 / (double)((UINT64_C(1) << (bits - is_signed)) - 1);
   struct nir_def *values[4];
   for (unsigned i = 0; i < 32 / bits; i++) {
      struct nir_def *field = nir_ishl_imm(b, x, 32 - bits * (i + 1));
      if (is_signed)
         values[i] = nir_fmax(b, nir_fmul_imm(b, nir_i2f32(b, nir_ishr_imm(b, field, 32 - bits)), scale),
                              nir_imm_float(b, -1));
      else
         values[i] = nir_fmul_imm(b, nir_u2f32(b, nir_ushr_imm(b, field, 32 - bits)), scale);
   }
   return nir_vec(b, values, 32 / bits);
}

static struct nir_def *
pack_half(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *low = nir_u2u32(b, nir_f2f16(b, nir_channel(b, x, 0)));
   struct nir_def *high = nir_u2u32(b, nir_f2f16(b, nir_channel(b, x, 1)));
   return nir_ior(b, low, nir_ishl_imm(b, high, 16));
}

static struct nir_def *
unpack_half(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *values[2] = {nir_f2f32(b, nir_u2u16(b, x)), nir_f2f32(b, nir_u2u16(b, nir_ushr_imm(b, x, 16)))};
   return nir_vec(b, values, 2);
}

struct nir_def *
nir_lower_pack_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src,
                  const struct nir_lower_options *options)
{
   if (!options->pack)
      return NULL;
   switch ((int)alu->op) {
   case NIR_OP_pack_unorm_2x16:
      return pack_norm(b, src[0], 16, false);
   case NIR_OP_pack_snorm_2x16:
      return pack_norm(b, src[0], 16, true);
   case NIR_OP_pack_unorm_4x8:
      return pack_norm(b, src[0], 8, false);
   case NIR_OP_pack_snorm_4x8:
      return pack_norm(b, src[0], 8, true);
   case NIR_OP_unpack_unorm_2x16:
      return unpack_norm(b, src[0], 16, false);
   case NIR_OP_unpack_snorm_2x16:
      return unpack_norm(b, src[0], 16, true);
   case NIR_OP_unpack_unorm_4x8:
      return unpack_norm(b, src[0], 8, false);
   case NIR_OP_unpack_snorm_4x8:
      return unpack_norm(b, src[0], 8, true);
   case NIR_OP_pack_half_2x16:
      return pack_half(b, src[0]);
   case NIR_OP_unpack_half_2x16:
      return unpack_half(b, src[0]);
   default:
      return NULL;
   }
}

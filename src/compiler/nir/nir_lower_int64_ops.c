/* 64-bit integer opcodes in terms of 32-bit halves, and of 64-bit addition, shifts, logic and comparison, which
 * hardware with 64-bit registers has. */
#include "compiler/nir/nir_lower_alu_internal.h"

struct halves {
   struct nir_def *low, *high;
};

static struct halves
split(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *pair = nir_unpack_64_2x32(b, x);
   return (struct halves){nir_channel(b, pair, 0), nir_channel(b, pair, 1)};
}

static struct nir_def *
join(struct nir_builder *b, struct nir_def *low, struct nir_def *high)
{
   struct nir_def *pair[2] = {low, high};
   return nir_pack_64_2x32(b, nir_vec(b, pair, 2));
}

static struct nir_def *
multiply(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   struct halves p = split(b, x), q = split(b, y);
   struct nir_def *high = nir_umul_high(b, p.low, q.low);
   high = nir_iadd(b, high, nir_imul(b, p.low, q.high));
   high = nir_iadd(b, high, nir_imul(b, p.high, q.low));
   return join(b, nir_imul(b, p.low, q.low), high);
}

static struct nir_def *
negate_if(struct nir_builder *b, struct nir_def *condition, struct nir_def *x)
{
   return nir_bcsel(b, condition, nir_ineg(b, x), x);
}

/* Saturating, NaN to 0. The magnitude is cut into two halves exactly. */
static struct nir_def *
from_float(struct nir_builder *b, struct nir_def *x, bool is_signed)
{
   if (x->bit_size == 16)
      x = nir_f2f32(b, x);
   unsigned bits = x->bit_size;
   struct nir_def *magnitude = nir_ftrunc(b, is_signed ? nir_fabs(b, x) : nir_fmax(b, x, nir_imm_floatN(b, 0, bits)));
   struct nir_def *high = nir_ffloor(b, nir_fmul_imm(b, magnitude, 0x1p-32));
   struct nir_def *low = nir_fadd(b, magnitude, nir_fmul_imm(b, high, -0x1p32));
   struct nir_def *value = join(b, nir_f2u32(b, low), nir_f2u32(b, high));
   struct nir_def *limit = nir_imm_floatN(b, is_signed ? 0x1p63 : 0x1p64, bits);
   struct nir_def *largest = nir_imm_int64(b, is_signed ? INT64_MAX : -1);
   struct nir_def *overflow = nir_fge(b, magnitude, limit);
   if (!is_signed)
      return nir_bcsel(b, overflow, largest, value);
   struct nir_def *negative = nir_flt(b, x, nir_imm_floatN(b, 0, bits));
   struct nir_def *edge = nir_bcsel(b, negative, nir_imm_int64(b, INT64_MIN), largest);
   struct nir_def *number = nir_bcsel(b, overflow, edge, negate_if(b, negative, value));
   return nir_bcsel(b, nir_fisnan(b, x), nir_imm_int64(b, 0), number);
}

/* One rounding: the 32 most significant bits from the leading one on, with a sticky bit for the rest. */
static struct nir_def *
to_float(struct nir_builder *b, struct nir_def *x, unsigned bits, bool is_signed)
{
   struct nir_def *negative = is_signed ? nir_ilt_imm(b, x, 0) : NULL;
   if (is_signed)
      x = negate_if(b, negative, x);
   struct halves h = split(b, x);
   struct nir_def *result;
   if (bits == 64) {
      result = nir_fadd(b, nir_fmul_imm(b, nir_u2f64(b, h.high), 0x1p32), nir_u2f64(b, h.low));
   } else {
      struct nir_def *shift =
         nir_isub(b, nir_imm_int(b, 31), nir_imax(b, nir_ufind_msb(b, h.high), nir_imm_int(b, 0)));
      struct halves top = split(b, nir_ishl(b, x, shift));
      struct nir_def *sticky = nir_b2i32(b, nir_ine_imm(b, top.low, 0));
      struct nir_def *large = nir_u2f32(b, nir_ior(b, top.high, sticky));
      large = nir_fldexp(b, large, nir_isub(b, nir_imm_int(b, 32), shift));
      result = nir_bcsel(b, nir_ieq_imm(b, h.high, 0), nir_u2f32(b, h.low), large);
   }
   if (is_signed)
      result = nir_bcsel(b, negative, nir_fneg(b, result), result);
   return nir_f2fN(b, result, bits);
}

static struct nir_def *
bit_find(struct nir_builder *b, enum nir_op op, struct nir_def *x)
{
   struct halves h = split(b, x);
   if (op == NIR_OP_bit_count)
      return nir_iadd(b, nir_bit_count(b, h.low), nir_bit_count(b, h.high));
   bool lsb = op == NIR_OP_find_lsb;
   struct nir_def *low = lsb ? nir_find_lsb(b, h.low) : nir_ufind_msb(b, h.low);
   struct nir_def *high = lsb ? nir_find_lsb(b, h.high) : nir_ufind_msb(b, h.high);
   struct nir_def *high_found = nir_iadd_imm(b, high, 32);
   if (!lsb)
      return nir_bcsel(b, nir_ine_imm(b, h.high, 0), high_found, low);
   high_found = nir_bcsel(b, nir_ine_imm(b, h.high, 0), high_found, nir_imm_int(b, -1));
   return nir_bcsel(b, nir_ine_imm(b, h.low, 0), low, high_found);
}

static struct nir_def *
lower_scalar(struct nir_builder *b, enum nir_op op, struct nir_def *x, struct nir_def *y, unsigned dest_bits)
{
   struct nir_def *zero = nir_imm_int64(b, 0), *one = nir_imm_int64(b, 1);
   switch ((int)op) {
   case NIR_OP_imul:
      return multiply(b, x, y);
   case NIR_OP_imin:
      return nir_bcsel(b, nir_ilt(b, x, y), x, y);
   case NIR_OP_imax:
      return nir_bcsel(b, nir_ilt(b, x, y), y, x);
   case NIR_OP_umin:
      return nir_bcsel(b, nir_ult(b, x, y), x, y);
   case NIR_OP_umax:
      return nir_bcsel(b, nir_ult(b, x, y), y, x);
   case NIR_OP_iabs:
      return negate_if(b, nir_ilt(b, x, zero), x);
   case NIR_OP_isign:
      return nir_bcsel(b, nir_ilt(b, zero, x), one, nir_ishr_imm(b, x, 63));
   case NIR_OP_uadd_carry:
      return nir_bcsel(b, nir_ult(b, nir_iadd(b, x, y), x), one, zero);
   case NIR_OP_usub_borrow:
      return nir_bcsel(b, nir_ult(b, x, y), one, zero);
   case NIR_OP_bit_count:
   case NIR_OP_find_lsb:
   case NIR_OP_ufind_msb:
      return bit_find(b, op, x);
   case NIR_OP_f2i64:
   case NIR_OP_f2u64:
      return from_float(b, x, op == NIR_OP_f2i64);
   case NIR_OP_i2f16: /* beyond 2^17 a half is infinite: clamped to 32 bits */
      return nir_i2f16(b, nir_i2i32(b, lower_scalar(b, NIR_OP_imax, lower_scalar(b, NIR_OP_imin, x,
                          nir_imm_int64(b, 1 << 20), 64), nir_imm_int64(b, -(1 << 20)), 64)));
   case NIR_OP_u2f16:
      return nir_u2f16(b, nir_u2u32(b, lower_scalar(b, NIR_OP_umin, x, nir_imm_int64(b, 1 << 20), 64)));
   case NIR_OP_i2f32:
   case NIR_OP_i2f64:
   case NIR_OP_u2f32:
   case NIR_OP_u2f64:
      return to_float(b, x, dest_bits, op == NIR_OP_i2f32 || op == NIR_OP_i2f64);
   default:
      return NULL;
   }
}

struct nir_def *
nir_lower_int64_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def **src,
                   const struct nir_lower_options *options)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   bool to_int64 = alu->op == NIR_OP_f2i64 || alu->op == NIR_OP_f2u64;
   if (!options->int64_arith || !(to_int64 || src[0]->bit_size == 64) || info->num_srcs > 2 ||
       (info->src_base[0] == NIR_TYPE_FLOAT && !to_int64))
      return NULL;
   struct nir_def *channels[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < alu->def.num_components; c++) {
      struct nir_def *x = info->src_components[0] ? src[0] : nir_channel(b, src[0], c);
      struct nir_def *y = info->num_srcs < 2 ? NULL : info->src_components[1] ? src[1] : nir_channel(b, src[1], c);
      channels[c] = lower_scalar(b, alu->op, x, y, alu->def.bit_size);
      if (!channels[c])
         return NULL;
   }
   return nir_vec(b, channels, alu->def.num_components);
}

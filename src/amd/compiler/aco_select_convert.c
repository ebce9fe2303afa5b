/* Selection of conversions and of normalised unpacking. */
#include "amd/compiler/aco_select.h"

static struct aco_operand
kd(struct isel *c, double value)
{
   uint64_t word = double_bits(value);
   return isel_vector(c, ACO_S2, 2, (struct aco_operand[]){k((uint32_t)word), k((uint32_t)(word >> 32))});
}

/* 1 in the lanes of the mask. */
static struct aco_operand
one_where(struct isel *c, struct aco_operand mask)
{
   return isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, k(0), k(1), mask);
}

/* Double to float for one more rounding to come: towards zero; to_odd: the last bit says too whether something was
 * lost. */
static struct aco_operand
truncate_double(struct isel *c, struct aco_operand x, bool to_odd)
{
   x = isel_as_v(c, x, 2);
   struct aco_operand nearest = isel_v1(c, AMD_OP_v_cvt_f32_f64, ACO_V1, x);
   struct aco_operand back = isel_v1(c, AMD_OP_v_cvt_f64_f32, ACO_V2, nearest), ops[2] = {back, x};
   struct aco_instr *larger = isel_valu(c, AMD_OP_v_cmp_gt_f64, c->program->lm, 2, ops);
   larger->abs = 3;
   struct aco_operand result =
      isel_v2(c, AMD_OP_v_sub_nc_u32, ACO_V1, nearest, one_where(c, isel_result(c, larger, 0)));
   if (!to_odd)
      return result;
   struct aco_operand lost = isel_v2(c, AMD_OP_v_cmp_lg_f64, c->program->lm, back, x);
   return isel_v2(c, AMD_OP_v_or_b32, ACO_V1, one_where(c, lost), result);
}

static struct aco_operand
float_to_float(struct isel *c, struct aco_operand x, unsigned from, unsigned to)
{
   if (from == 64 && x.kind == ACO_OP_CONST)
      x = isel_as_v(c, x, 2);
   if (from == 64 && to == 16)
      x = truncate_double(c, x, true);
   if (from == 64 && to == 32)
      x = isel_v1(c, AMD_OP_v_cvt_f32_f64, ACO_V1, x);
   if (from == 16 && to > 16)
      x = isel_v1(c, AMD_OP_v_cvt_f32_f16, ACO_V1, isel_as_v(c, x, 1));
   if (from > 16 && to == 16)
      x = isel_v1(c, AMD_OP_v_cvt_f16_f32, ACO_V1, x);
   if (from < 64 && to == 64)
      x = isel_v1(c, AMD_OP_v_cvt_f64_f32, ACO_V2, x);
   return x;
}

/* Towards zero; 32-bit results saturate in hardware, smaller ones by a clamp after. */
static struct aco_operand
float_to_int(struct isel *c, struct aco_operand x, unsigned from, unsigned to, bool is_signed)
{
   if (to == 64) {
      /* hi = floor(t / 2^32), lo = t - hi * 2^32, exact in doubles. Beyond the range lo takes the end of it too. */
      x = isel_as_v(c, float_to_float(c, x, from, 64), 2);
      struct aco_operand t = isel_v1(c, AMD_OP_v_trunc_f64, ACO_V2, x);
      struct aco_operand scaled = isel_v2(c, AMD_OP_v_mul_f64, ACO_V2, t, kd(c, 0x1p-32));
      struct aco_operand hi = isel_v1(c, AMD_OP_v_floor_f64, ACO_V2, scaled);
      struct aco_operand lo = isel_v3(c, AMD_OP_v_fma_f64, ACO_V2, hi, kd(c, -0x1p32), t), parts[2];
      parts[0] = isel_v1(c, AMD_OP_v_cvt_u32_f64, ACO_V1, lo);
      parts[1] = isel_v1(c, is_signed ? AMD_OP_v_cvt_i32_f64 : AMD_OP_v_cvt_u32_f64, ACO_V1, hi);
      struct aco_operand above =
         isel_v2(c, AMD_OP_v_cmp_ge_f64, c->program->lm, t, kd(c, is_signed ? 0x1p63 : 0x1p64));
      struct aco_operand below =
         isel_v2(c, AMD_OP_v_cmp_lt_f64, c->program->lm, t, is_signed ? kd(c, -0x1p63) : k(0));
      parts[0] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, parts[0], k(UINT32_MAX), above);
      parts[0] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, parts[0], k(0), below);
      return isel_vector(c, ACO_V2, 2, parts);
   }
   if (from == 16)
      x = float_to_float(c, x, 16, 32);
   if (from == 64 && x.kind == ACO_OP_CONST)
      x = isel_as_v(c, x, 2);
   unsigned op = from == 64 ? (is_signed ? AMD_OP_v_cvt_i32_f64 : AMD_OP_v_cvt_u32_f64)
                            : (is_signed ? AMD_OP_v_cvt_i32_f32 : AMD_OP_v_cvt_u32_f32);
   x = isel_v1(c, op, ACO_V1, x);
   if (to == 32)
      return x;
   if (!is_signed)
      return isel_v2(c, AMD_OP_v_min_u32, ACO_V1, k((uint32_t)bit_mask(to)), x);
   uint32_t max = (uint32_t)bit_mask(to - 1);
   return isel_v3(c, AMD_OP_v_med3_i32, ACO_V1, isel_as_v(c, k(~max), 1), x, k(max));
}

/* Low dword of a 64-bit integer that becomes a double and then a float. Above 2^53 the double would be rounded: what
 * it cannot hold goes into its last bit (to odd), so that the float is rounded once. */
static struct aco_operand
sticky_low(struct isel *c, const struct aco_operand parts[2], bool is_signed)
{
   struct aco_operand low = isel_as_v(c, parts[0], 1), high = isel_as_v(c, parts[1], 1);
   struct aco_operand lost = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(0x7ff), low);
   lost = isel_v2(c, AMD_OP_v_cmp_ne_u32, c->program->lm, k(0), lost);
   struct aco_operand sticky = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, k(0), k(0x800), lost);
   sticky = isel_v3(c, AMD_OP_v_and_or_b32, ACO_V1, low, k(~0x7ffu), sticky);
   uint32_t limit = 1u << (53 - 32);
   if (is_signed)
      high = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, k(limit), high);
   struct aco_operand small = isel_v2(c, AMD_OP_v_cmp_gt_u32, c->program->lm, k(is_signed ? 2 * limit : limit), high);
   return isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, sticky, low, small);
}

static struct aco_operand
int_to_float(struct isel *c, struct aco_operand x, unsigned from, unsigned to, bool is_signed)
{
   if (from == 64) {
      struct aco_operand parts[2];
      isel_split64(c, x, &parts[0], &parts[1]);
      if (to == 32)
         parts[0] = sticky_low(c, parts, is_signed);
      struct aco_operand hi = isel_v1(c, is_signed ? AMD_OP_v_cvt_f64_i32 : AMD_OP_v_cvt_f64_u32, ACO_V2, parts[1]);
      struct aco_operand lo = isel_v1(c, AMD_OP_v_cvt_f64_u32, ACO_V2, parts[0]);
      hi = isel_v2(c, AMD_OP_v_ldexp_f64, ACO_V2, hi, k(32));
      return float_to_float(c, isel_v2(c, AMD_OP_v_add_f64, ACO_V2, hi, lo), 64, to);
   }
   x = isel_extend(c, x, from, is_signed);
   if (to == 64)
      return isel_v1(c, is_signed ? AMD_OP_v_cvt_f64_i32 : AMD_OP_v_cvt_f64_u32, ACO_V2, x);
   x = isel_v1(c, is_signed ? AMD_OP_v_cvt_f32_i32 : AMD_OP_v_cvt_f32_u32, ACO_V1, x);
   return float_to_float(c, x, 32, to);
}

static struct aco_operand
int_to_int(struct isel *c, struct aco_operand x, unsigned from, unsigned to, bool is_signed)
{
   if (from == 64) {
      struct aco_operand hi;
      if (to == 64)
         return x;
      isel_split64(c, x, &x, &hi);
      return x;
   }
   if (to <= from)
      return x;
   x = isel_extend(c, x, from, is_signed);
   if (to < 64)
      return x;
   bool v = aco_is_v(&x);
   struct aco_operand parts[2] = {x, k(0)};
   if (is_signed)
      parts[1] =
         v ? isel_v2(c, AMD_OP_v_ashrrev_i32, ACO_V1, k(31), x) : isel_s2(c, AMD_OP_s_ashr_i32, ACO_S1, x, k(31));
   return isel_vector(c, v ? ACO_V2 : ACO_S2, 2, parts);
}

/* A boolean to one of two constants; yes is the low (64-bit float: high) dword. */
static struct aco_operand
from_bool(struct isel *c, const struct nir_alu_instr *alu, unsigned comp, uint32_t yes, bool in_high)
{
   const struct nir_alu_src *src = &alu->src[0];
   struct aco_operand x;
   if (!src->src.def->divergent) {
      isel_bool_to_scc(c, &src->src, src->swizzle[comp]);
      x = isel_scc_select(c, ACO_S1, k(yes), k(0));
   } else {
      struct aco_operand mask = isel_bool_mask(c, &src->src, src->swizzle[comp]);
      if (mask.kind == ACO_OP_CONST)
         mask = isel_as_s(c, mask, aco_rc_size_dw(c->program->lm));
      x = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, k(0), k(yes), mask);
   }
   if (alu->def.bit_size < 64)
      return x;
   struct aco_operand parts[2] = {in_high ? k(0) : x, in_high ? x : k(0)};
   return isel_vector(c, aco_is_v(&x) ? ACO_V2 : ACO_S2, 2, parts);
}

/* Integer / (2^n - 1) rounded as the division would: one step of correction on the product with the reciprocal. */
static struct aco_operand
normalise(struct isel *c, struct aco_operand x, float max)
{
   float reciprocal = 1.0f / max;
   struct aco_operand r = isel_as_v(c, k(float_bits(reciprocal)), 1), m = isel_as_v(c, k(float_bits(max)), 1);
   struct aco_operand q = isel_v2(c, AMD_OP_v_mul_f32, ACO_V1, r, x);
   struct aco_instr *rest = isel_valu(c, AMD_OP_v_fma_f32, ACO_V1, 3, (struct aco_operand[]){q, m, x});
   rest->neg = 1;
   rest->exact = true;
   return isel_v3(c, AMD_OP_v_fma_f32, ACO_V1, isel_result(c, rest, 0), r, q);
}

static void
unpack_norm(struct isel *c, struct nir_alu_instr *alu, unsigned bits, bool is_signed)
{
   struct aco_operand word = isel_as_v(c, isel_alu_src(c, alu, 0, 0), 1);
   for (unsigned i = 0; i < 32 / bits; i++) {
      struct aco_operand x =
         isel_v3(c, is_signed ? AMD_OP_v_bfe_i32 : AMD_OP_v_bfe_u32, ACO_V1, word, k(i * bits), k(bits));
      x = isel_v1(c, is_signed ? AMD_OP_v_cvt_f32_i32 : AMD_OP_v_cvt_f32_u32, ACO_V1, x);
      x = normalise(c, x, (float)bit_mask(is_signed ? bits - 1 : bits));
      if (is_signed)
         x = isel_v2(c, AMD_OP_v_max_f32, ACO_V1, k(float_bits(-1)), x);
      isel_set(c, &alu->def, i, x);
   }
}

/* round(clamp(x) * (2^n - 1)) of each source component, packed. */
static void
pack_norm(struct isel *c, struct nir_alu_instr *alu, unsigned bits, bool is_signed)
{
   struct aco_operand word = {0};
   for (unsigned i = 0; i < 32 / bits; i++) {
      struct aco_operand x = isel_as_v(c, isel_alu_src(c, alu, 0, i), 1);
      if (is_signed) { /* NaN: v_med3 gives the smallest, so it is taken to 0 first */
         struct aco_operand nan = isel_v2(c, AMD_OP_v_cmp_u_f32, c->program->lm, x, x);
         x = isel_v3(c, AMD_OP_v_med3_f32, ACO_V1, k(float_bits(-1)), x, k(float_bits(1)));
         x = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, x, k(0), nan);
      } else {
         x = isel_v2(c, AMD_OP_v_max_f32, ACO_V1, k(0), x);
         x = isel_v2(c, AMD_OP_v_min_f32, ACO_V1, k(float_bits(1)), x);
      }
      uint32_t max = (uint32_t)bit_mask(is_signed ? bits - 1 : bits);
      /* The product needs more bits than a float has: it is rounded once, in double. */
      x = isel_v1(c, AMD_OP_v_cvt_f64_f32, ACO_V2, x);
      x = isel_v2(c, AMD_OP_v_mul_f64, ACO_V2, x, kd(c, max));
      x = isel_v1(c, AMD_OP_v_rndne_f64, ACO_V2, x);
      x = isel_v1(c, AMD_OP_v_cvt_i32_f64, ACO_V1, x);
      if (is_signed)
         x = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k((uint32_t)bit_mask(bits)), x);
      word = i ? isel_v3(c, AMD_OP_v_lshl_or_b32, ACO_V1, x, k(i * bits), word) : x;
   }
   isel_set(c, &alu->def, 0, word);
}

static bool
packed(struct isel *c, struct nir_alu_instr *alu)
{
   switch ((int)alu->op) { /* others: not packed */
   case NIR_OP_unpack_unorm_2x16:
      unpack_norm(c, alu, 16, false);
      return true;
   case NIR_OP_unpack_snorm_2x16:
      unpack_norm(c, alu, 16, true);
      return true;
   case NIR_OP_unpack_unorm_4x8:
      unpack_norm(c, alu, 8, false);
      return true;
   case NIR_OP_unpack_snorm_4x8:
      unpack_norm(c, alu, 8, true);
      return true;
   case NIR_OP_pack_unorm_2x16:
      pack_norm(c, alu, 16, false);
      return true;
   case NIR_OP_pack_snorm_2x16:
      pack_norm(c, alu, 16, true);
      return true;
   case NIR_OP_pack_unorm_4x8:
      pack_norm(c, alu, 8, false);
      return true;
   case NIR_OP_pack_snorm_4x8:
      pack_norm(c, alu, 8, true);
      return true;
   default:
      return false;
   }
}

bool
isel_alu_convert(struct isel *c, struct nir_alu_instr *alu)
{
   /* size: a flat switch */
   if (packed(c, alu))
      return true;
   unsigned from = alu->src[0].src.def->bit_size, to = alu->def.bit_size;
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      struct aco_operand x = {0}, result;
      if (from > 1)
         x = isel_alu_src(c, alu, 0, i);
      switch ((int)alu->op) {
      case NIR_OP_f2f16:
      case NIR_OP_f2f32:
      case NIR_OP_f2f64:
         result = float_to_float(c, x, from, to);
         break;
      case NIR_OP_f2f16_rtz:
         x = from == 64 ? truncate_double(c, x, false) : float_to_float(c, x, from, 32);
         result = isel_v2(c, AMD_OP_v_cvt_pkrtz_f16_f32, ACO_V1, x, k(0));
         break;
      case NIR_OP_f2i8:
      case NIR_OP_f2i16:
      case NIR_OP_f2i32:
      case NIR_OP_f2i64:
         result = float_to_int(c, x, from, to, true);
         break;
      case NIR_OP_f2u8:
      case NIR_OP_f2u16:
      case NIR_OP_f2u32:
      case NIR_OP_f2u64:
         result = float_to_int(c, x, from, to, false);
         break;
      case NIR_OP_i2f16:
      case NIR_OP_i2f32:
      case NIR_OP_i2f64:
         result = int_to_float(c, x, from, to, true);
         break;
      case NIR_OP_u2f16:
      case NIR_OP_u2f32:
      case NIR_OP_u2f64:
         result = int_to_float(c, x, from, to, false);
         break;
      case NIR_OP_i2i8:
      case NIR_OP_i2i16:
      case NIR_OP_i2i32:
      case NIR_OP_i2i64:
         result = int_to_int(c, x, from, to, true);
         break;
      case NIR_OP_u2u8:
      case NIR_OP_u2u16:
      case NIR_OP_u2u32:
      case NIR_OP_u2u64:
         result = int_to_int(c, x, from, to, false);
         break;
      case NIR_OP_b2f16:
      case NIR_OP_b2f32:
      case NIR_OP_b2f64:
         result = from_bool(c, alu, i, to == 16 ? 0x3c00 : to == 32 ? 0x3f800000 : 0x3ff00000, true);
         break;
      case NIR_OP_b2i8:
      case NIR_OP_b2i16:
      case NIR_OP_b2i32:
      case NIR_OP_b2i64:
         result = from_bool(c, alu, i, 1, false);
         break;
      default: /* others: no conversions */
         return false;
      }
      isel_set(c, &alu->def, i, result);
   }
   return true;
}

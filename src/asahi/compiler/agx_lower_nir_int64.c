/* Integers of 64 bits become pairs of 32, but for what the hardware has: sums, products of 32 bits, extension. */
#include "asahi/compiler/agx_lower_nir.h"

struct pair {
   struct nir_def *lo, *hi;
};

static const struct nir_alu_instr *
alu_of(const struct nir_def *def)
{
   return def->parent->type == NIR_INSTR_ALU && def->num_components == 1 ? nir_as_alu(def->parent) : NULL;
}

/* What was put together or extended is taken from there. */
static struct pair
halves(struct nir_builder *b, struct nir_def *x)
{
   const struct nir_alu_instr *alu = alu_of(x);
   const struct nir_src src = {.def = x};
   if (nir_src_is_const(src)) {
      const uint64_t value = nir_src_comp_as_uint(src, 0);
      return (struct pair){nir_imm_int(b, (int32_t)value), nir_imm_int(b, (int32_t)(value >> 32))};
   }
   if (alu && alu->op == NIR_OP_pack_64_2x32)
      return (struct pair){nir_channel(b, alu->src[0].src.def, alu->src[0].swizzle[0]),
                           nir_channel(b, alu->src[0].src.def, alu->src[0].swizzle[1])};
   if (alu && (alu->op == NIR_OP_u2u64 || alu->op == NIR_OP_i2i64) && alu->src[0].src.def->bit_size == 32) {
      struct nir_def *low = nir_channel(b, alu->src[0].src.def, alu->src[0].swizzle[0]);
      return (struct pair){low, alu->op == NIR_OP_u2u64 ? nir_imm_int(b, 0) : nir_ishr_imm(b, low, 31)};
   }
   struct nir_def *both = nir_unpack_64_2x32(b, x);
   return (struct pair){nir_channel(b, both, 0), nir_channel(b, both, 1)};
}

/* The 32 bits that a value was extended from, or NULL. */
static struct nir_def *
extended_from(struct nir_builder *b, struct nir_def *x, bool is_signed)
{
   const struct nir_alu_instr *alu = alu_of(x);
   const struct nir_src src = {.def = x};
   if (nir_src_is_const(src)) {
      const uint64_t value = nir_src_comp_as_uint(src, 0);
      const bool fits = is_signed ? (int64_t)value == (int32_t)value : value <= UINT32_MAX;
      return fits ? nir_imm_int(b, (int32_t)value) : NULL;
   }
   if (!alu || alu->op != (is_signed ? NIR_OP_i2i64 : NIR_OP_u2u64) || alu->src[0].src.def->bit_size != 32)
      return NULL;
   return nir_channel(b, alu->src[0].src.def, alu->src[0].swizzle[0]);
}

static struct nir_def *
joined(struct nir_builder *b, struct nir_def *lo, struct nir_def *hi)
{
   struct nir_def *const parts[] = {lo, hi};
   return nir_pack_64_2x32(b, nir_vec(b, parts, 2));
}

static struct nir_def *
zero(struct nir_builder *b)
{
   return nir_imm_int(b, 0);
}

static struct nir_def *
bitwise(struct nir_builder *b, enum nir_op op, struct nir_def *x, struct nir_def *y)
{
   const struct pair p = halves(b, x), q = y ? halves(b, y) : (struct pair){NULL, NULL};
   return joined(b, nir_build_alu(b, op, p.lo, q.lo, NULL, NULL), nir_build_alu(b, op, p.hi, q.hi, NULL, NULL));
}

static struct nir_def *
product(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
      struct nir_def *a = extended_from(b, x, is_signed), *c = a ? extended_from(b, y, is_signed) : NULL;
      if (c)
         return is_signed ? nir_imul_2x32_64(b, a, c) : nir_umul_2x32_64(b, a, c);
   }
   const struct pair p = halves(b, x), q = halves(b, y), low = halves(b, nir_umul_2x32_64(b, p.lo, q.lo));
   struct nir_def *hi = nir_iadd(b, nir_imul(b, p.lo, q.hi), nir_iadd(b, nir_imul(b, p.hi, q.lo), low.hi));
   return joined(b, low.lo, hi);
}

static struct nir_def *
less(struct nir_builder *b, struct nir_def *x, struct nir_def *y, bool is_signed)
{
   const struct pair p = halves(b, x), q = halves(b, y);
   struct nir_def *high = is_signed ? nir_ilt(b, p.hi, q.hi) : nir_ult(b, p.hi, q.hi);
   return nir_ior(b, high, nir_iand(b, nir_ieq(b, p.hi, q.hi), nir_ult(b, p.lo, q.lo)));
}

static struct nir_def *
equal(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   const struct pair p = halves(b, x), q = halves(b, y);
   return nir_ieq_imm(b, nir_ior(b, nir_ixor(b, p.lo, q.lo), nir_ixor(b, p.hi, q.hi)), 0);
}

/* By 32 and more the halves change places; 0 moves nothing over, which a shift by 31 and one more gives. */
static struct nir_def *
shift(struct nir_builder *b, enum nir_op op, struct nir_def *x, struct nir_def *by)
{
   const struct pair p = halves(b, x);
   struct nir_def *far = nir_ine_imm(b, nir_iand_imm(b, by, 32), 0), *rest = nir_inot(b, by); /* 31 - by, mod 32 */
   if (op == NIR_OP_ishl) {
      struct nir_def *over = nir_ushr(b, nir_ushr_imm(b, p.lo, 1), rest), *low = nir_ishl(b, p.lo, by);
      struct nir_def *near = nir_ior(b, nir_ishl(b, p.hi, by), over);
      return joined(b, nir_bcsel(b, far, zero(b), low), nir_bcsel(b, far, low, near));
   }
   struct nir_def *over = nir_ishl(b, nir_ishl_imm(b, p.hi, 1), rest);
   struct nir_def *high = nir_build_alu(b, op, p.hi, by, NULL, NULL);
   struct nir_def *near = nir_ior(b, nir_ushr(b, p.lo, by), over);
   struct nir_def *fill = op == NIR_OP_ishr ? nir_ishr_imm(b, p.hi, 31) : zero(b);
   return joined(b, nir_bcsel(b, far, high, near), nir_bcsel(b, far, fill, high));
}

static struct nir_def *
highest(struct nir_builder *b, struct nir_def *x)
{
   const struct pair p = halves(b, x);
   struct nir_def *above = nir_iadd_imm(b, nir_ufind_msb(b, p.hi), 32);
   return nir_bcsel(b, nir_ieq_imm(b, p.hi, 0), nir_ufind_msb(b, p.lo), above);
}

static struct nir_def *
lowest(struct nir_builder *b, struct nir_def *x)
{
   const struct pair p = halves(b, x);
   struct nir_def *high = nir_find_lsb(b, p.hi);
   struct nir_def *above = nir_bcsel(b, nir_ieq_imm(b, p.hi, 0), nir_imm_int(b, -1), nir_iadd_imm(b, high, 32));
   return nir_bcsel(b, nir_ieq_imm(b, p.lo, 0), above, nir_find_lsb(b, p.lo));
}

/* ---- floats ---- */

/* The topmost 32 bits with one that stands for what is below, so that it is rounded once; then scaled back. */
static struct nir_def *
to_float(struct nir_builder *b, struct nir_def *x, unsigned bits)
{
   struct nir_def *low_by = nir_imax(b, nir_iadd_imm(b, nir_ufind_msb(b, x), -31), zero(b));
   const struct pair top = halves(b, nir_ushr(b, x, low_by));
   struct nir_def *again = nir_ishl(b, nir_u2u64(b, top.lo), low_by);
   struct nir_def *sticky = nir_b2i32(b, nir_ine(b, again, x));
   struct nir_def *wide = nir_u2f32(b, nir_ior(b, top.lo, sticky));
   struct nir_def *scaled = nir_fmul(b, wide, nir_ishl_imm(b, nir_iadd_imm(b, low_by, 127), 23));
   return nir_f2fN(b, scaled, bits);
}

static struct nir_def *
from_float(struct nir_builder *b, struct nir_def *x)
{
   /* Both parts are exact: the high one by truncation, the low one because it has fewer digits. */
   struct nir_def *whole = nir_ftrunc(b, nir_f2fN(b, x, 32));
   struct nir_def *high = nir_ftrunc(b, nir_fmul_imm(b, whole, 0x1p-32));
   struct nir_def *low = nir_ffma(b, high, nir_imm_float(b, -0x1p32f), whole);
   struct nir_def *value = joined(b, nir_f2u32(b, low), nir_f2u32(b, high));
   struct nir_def *most = nir_imm_int64(b, -1); /* what is beyond, in both parts */
   return nir_bcsel(b, nir_fge_imm(b, whole, 0x1p64), most, value);
}

static struct nir_def *
from_signed_float(struct nir_builder *b, struct nir_def *x)
{
   x = nir_f2fN(b, x, 32);
   struct nir_def *size = from_float(b, nir_fabs(b, x));
   struct nir_def *least = nir_imm_int64(b, INT64_MIN), *most = nir_imm_int64(b, INT64_MAX);
   struct nir_def *value = nir_bcsel(b, nir_flt_imm(b, x, 0), nir_ineg(b, size), size);
   value = nir_bcsel(b, nir_fge_imm(b, x, 0x1p63), most, value);
   return nir_bcsel(b, nir_flt_imm(b, x, -0x1p63), least, value);
}

static struct nir_def *
magnitude(struct nir_builder *b, struct nir_def *x)
{
   return nir_bcsel(b, nir_ilt_imm(b, x, 0), nir_ineg(b, x), x);
}

static struct nir_def *
signed_to_float(struct nir_builder *b, struct nir_def *x, unsigned bits)
{
   struct nir_def *size = to_float(b, magnitude(b, x), bits);
   return nir_bcsel(b, nir_ilt_imm(b, x, 0), nir_fneg(b, size), size);
}

struct nir_def *
agx_lower_int64_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def *const *src)
{
   /* size: a flat switch */
   struct nir_def *x = src[0], *y = nir_op_infos[alu->op].num_srcs > 1 ? src[1] : NULL;
   const bool wide = x->bit_size == 64;
   if (!wide && alu->def.bit_size != 64)
      return NULL;
   if (alu->op == NIR_OP_unpack_64_2x32 && alu_of(x) && alu_of(x)->op != NIR_OP_unpack_64_2x32) {
      const enum nir_op from = alu_of(x)->op;
      if (from == NIR_OP_pack_64_2x32 || from == NIR_OP_u2u64 || from == NIR_OP_i2i64) {
         const struct pair p = halves(b, x);
         return p.lo->bit_size == 32 && alu_of(x)->src[0].src.def->bit_size == 32 ? nir_vec2(b, p.lo, p.hi) : NULL;
      }
   }
   switch ((int)alu->op) {
   case NIR_OP_iand:
   case NIR_OP_ior:
   case NIR_OP_ixor:
   case NIR_OP_inot:
      return bitwise(b, alu->op, x, y);
   case NIR_OP_imul:
      return product(b, x, y);
   case NIR_OP_ishl:
   case NIR_OP_ishr:
   case NIR_OP_ushr:
      return shift(b, alu->op, x, y);
   case NIR_OP_ieq:
      return equal(b, x, y);
   case NIR_OP_ine:
      return nir_inot(b, equal(b, x, y));
   case NIR_OP_ilt:
   case NIR_OP_ult:
      return less(b, x, y, alu->op == NIR_OP_ilt);
   case NIR_OP_ige:
   case NIR_OP_uge:
      return nir_inot(b, less(b, x, y, alu->op == NIR_OP_ige));
   case NIR_OP_imin:
   case NIR_OP_umin:
      return nir_bcsel(b, less(b, x, y, alu->op == NIR_OP_imin), x, y);
   case NIR_OP_imax:
   case NIR_OP_umax:
      return nir_bcsel(b, less(b, x, y, alu->op == NIR_OP_imax), y, x);
   case NIR_OP_iabs:
      return magnitude(b, x);
   case NIR_OP_isign: {
      const struct pair p = halves(b, x);
      struct nir_def *sign = nir_ishr_imm(b, p.hi, 31), *any = nir_ine_imm(b, nir_ior(b, p.lo, p.hi), 0);
      return joined(b, nir_ior(b, sign, nir_b2i32(b, any)), sign);
   }
   case NIR_OP_uadd_carry:
      return nir_u2u64(b, nir_b2i32(b, less(b, nir_iadd(b, x, y), x, false)));
   case NIR_OP_usub_borrow:
      return nir_u2u64(b, nir_b2i32(b, less(b, x, y, false)));
   case NIR_OP_bit_count: {
      const struct pair p = halves(b, x);
      return nir_iadd(b, nir_bit_count(b, p.lo), nir_bit_count(b, p.hi));
   }
   case NIR_OP_ufind_msb:
      return highest(b, x);
   case NIR_OP_find_lsb:
      return lowest(b, x);
   case NIR_OP_u2f16:
   case NIR_OP_u2f32:
      return to_float(b, x, alu->def.bit_size);
   case NIR_OP_i2f16:
   case NIR_OP_i2f32:
      return signed_to_float(b, x, alu->def.bit_size);
   case NIR_OP_f2u64:
      return wide ? NULL : from_float(b, nir_fmax(b, nir_f2fN(b, x, 32), nir_imm_float(b, 0)));
   case NIR_OP_f2i64:
      return wide ? NULL : from_signed_float(b, x);
   default: /* others: the hardware has them, or nothing does (floats of 64 bits) */
      return NULL;
   }
}

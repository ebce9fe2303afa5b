/* Floats: classes, scaling by powers of two, roundings, packed formats; and bit fields of a width that is not known.
 */
#include "asahi/compiler/agx_lower_nir.h"

static struct nir_def *
bits32(struct nir_builder *b, uint32_t value)
{
   return nir_imm_int(b, (int32_t)value);
}

static struct nir_def *
masked(struct nir_builder *b, struct nir_def *x, uint32_t mask)
{
   return nir_iand(b, x, bits32(b, mask));
}

/* ---- exponents. Halves go by way of 32 bits, where all of them are normal. ---- */

/* 2 to the power of an integer from -126 to 127. */
static struct nir_def *
power(struct nir_builder *b, struct nir_def *e)
{
   return nir_ishl_imm(b, nir_iadd_imm(b, e, 127), 23);
}

/* In three steps, which reach from every number to every other. */
static struct nir_def *
ldexp32(struct nir_builder *b, struct nir_def *x, struct nir_def *e)
{
   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *step = nir_imin(b, nir_imax(b, e, bits32(b, (uint32_t)-126)), bits32(b, 127));
      x = nir_fmul(b, x, power(b, step));
      e = nir_isub(b, e, step);
   }
   return x;
}

static struct nir_def *
is_scaled(struct nir_builder *b, struct nir_def *x) /* neither zero, denormal, infinite nor NaN */
{
   struct nir_def *exponent = masked(b, x, 0x7f800000);
   return nir_iand(b, nir_ine_imm(b, exponent, 0), nir_ine_imm(b, exponent, 0x7f800000));
}

static struct nir_def *
frexp_sig32(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *denormal = nir_ieq_imm(b, masked(b, x, 0x7f800000), 0);
   struct nir_def *other = nir_bcsel(b, denormal, masked(b, x, 0x80000000), x);
   return nir_bcsel(b, is_scaled(b, x), nir_ior(b, masked(b, x, 0x807fffff), bits32(b, 0x3f000000)), other);
}

static struct nir_def *
frexp_exp32(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *exponent = nir_iadd_imm(b, masked(b, nir_ushr_imm(b, x, 23), 0xff), -126);
   return nir_bcsel(b, is_scaled(b, x), exponent, bits32(b, 0));
}

/* ---- halves ---- */

static struct nir_def *
quantize(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *back = nir_f2f32(b, nir_f2f16(b, x));
   struct nir_def *small = nir_ult(b, masked(b, back, 0x7fffffff), bits32(b, 0x38800000)); /* 2^-14 */
   return nir_bcsel(b, small, masked(b, x, 0x80000000), back);
}

/* The nearest, and one back if that lies farther from zero. */
static struct nir_def *
towards_zero(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *half = nir_f2f16(b, x), *wide = nir_f2fN(b, x, 32);
   struct nir_def *beyond = nir_flt(b, nir_fabs(b, wide), nir_fabs(b, nir_f2f32(b, half)));
   return nir_bcsel(b, beyond, nir_iadd_imm(b, half, -1), half);
}

/* ---- packed formats ---- */

static struct nir_def *
pack_norm(struct nir_builder *b, struct nir_def *vector, bool is_signed)
{
   const unsigned count = vector->num_components, bits = 32 / count;
   const double scale = (double)((1u << (bits - is_signed)) - 1);
   struct nir_def *packed = NULL;
   for (unsigned i = 0; i < count; i++) {
      struct nir_def *x = nir_channel(b, vector, i), *part;
      if (is_signed) {
         x = nir_fmax(b, nir_fmin(b, x, nir_imm_float(b, 1)), nir_imm_float(b, -1));
         /* NaN lost against 1 above, and is 0 in the end: nothing but a NaN differs from itself. */
         struct nir_def *original = nir_channel(b, vector, i);
         x = nir_bcsel(b, nir_feq(b, original, original), x, nir_imm_float(b, 0));
         part = nir_f2i32(b, nir_fround_even(b, nir_fmul_imm(b, x, scale)));
         part = nir_iand_imm(b, part, (1u << bits) - 1);
      } else {
         part = nir_f2u32(b, nir_fround_even(b, nir_fmul_imm(b, nir_fsat(b, x), scale)));
      }
      part = i ? nir_ishl_imm(b, part, bits * i) : part;
      packed = packed ? nir_ior(b, packed, part) : part;
   }
   return packed;
}

/* x / d, rounded once: the product with the reciprocal, and what is missing from it. */
static struct nir_def *
divided(struct nir_builder *b, struct nir_def *x, double d)
{
   struct nir_def *reciprocal = nir_imm_float(b, (float)(1 / d)), *quotient = nir_fmul(b, x, reciprocal);
   struct nir_def *missing = nir_ffma(b, quotient, nir_imm_float(b, (float)-d), x);
   return nir_ffma(b, missing, reciprocal, quotient);
}

static struct nir_def *
unpack_norm(struct nir_builder *b, struct nir_def *packed, unsigned count, bool is_signed)
{
   const unsigned bits = 32 / count;
   struct nir_def *parts[4];
   for (unsigned i = 0; i < count; i++) {
      struct nir_def *x = packed;
      if (is_signed) {
         x = nir_ishr_imm(b, nir_ishl_imm(b, x, 32 - bits * (i + 1)), 32 - bits);
         x = divided(b, nir_i2f32(b, x), (double)((1u << (bits - 1)) - 1));
         parts[i] = nir_fmax(b, x, nir_imm_float(b, -1));
      } else {
         x = nir_ubitfield_extract(b, x, bits32(b, bits * i), bits32(b, bits));
         parts[i] = divided(b, nir_u2f32(b, x), (double)((1u << bits) - 1));
      }
   }
   return nir_vec(b, parts, count);
}

/* ---- bit fields ---- */

/* An amount that is less than `bits` whatever comes. */
static bool
is_masked(const struct nir_alu_src *amount, unsigned bits)
{
   const struct nir_instr *parent = amount->src.def->parent;
   if (nir_src_is_const(amount->src))
      return true;
   if (parent->type != NIR_INSTR_ALU || nir_as_alu(parent)->op != NIR_OP_iand)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      const struct nir_alu_src *mask = &nir_as_alu(parent)->src[i];
      if (nir_src_is_const(mask->src) && nir_src_comp_as_uint(mask->src, mask->swizzle[0]) < bits)
         return true;
   }
   return false;
}

/* Shifts of the hardware take amounts of 32 and more as they are. */
static struct nir_def *
mask_shift(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def *const *src)
{
   const unsigned bits = alu->def.bit_size;
   if (bits < 16 || bits == 64 || is_masked(&alu->src[1], bits))
      return NULL;
   return nir_build_alu(b, alu->op, src[0], nir_iand_imm(b, src[1], bits - 1), NULL, NULL);
}

/* Widths beyond 32 count modulo 32. */
static struct nir_def *
known_width(struct nir_builder *b, struct nir_def *width)
{
   return nir_bcsel(b, nir_ult(b, bits32(b, 32), width), masked(b, width, 31), width);
}

static struct nir_def *
low_mask(struct nir_builder *b, struct nir_def *width)
{
   width = known_width(b, width);
   struct nir_def *mask = nir_iadd_imm(b, nir_ishl(b, bits32(b, 1), width), -1);
   return nir_bcsel(b, nir_ult_imm(b, width, 32), mask, bits32(b, 0xffffffff));
}

static struct nir_def *
extract_signed(struct nir_builder *b, struct nir_def *x, struct nir_def *offset, struct nir_def *width)
{
   width = known_width(b, width);
   struct nir_def *above = nir_isub(b, bits32(b, 32), width);
   struct nir_def *field = nir_ishr(b, nir_ishl(b, nir_ishr(b, x, offset), above), above);
   return nir_bcsel(b, nir_ieq_imm(b, width, 0), bits32(b, 0), field);
}

static struct nir_def *
insert(struct nir_builder *b, struct nir_def *base, struct nir_def *x, struct nir_def *offset, struct nir_def *width)
{
   struct nir_def *mask = nir_ishl(b, low_mask(b, width), offset);
   struct nir_def *field = nir_iand(b, nir_ishl(b, x, offset), mask);
   return nir_ior(b, nir_iand(b, base, nir_inot(b, mask)), field);
}

/* ---- cubes ---- */

/* (s, t, twice the major axis, face); z wins ties, then y. */
static struct nir_def *
cube_face(struct nir_builder *b, struct nir_def *direction)
{
   struct nir_def *v[3], *a[3], *minus[3], *below[3], *out[4];
   for (unsigned i = 0; i < 3; i++) {
      v[i] = nir_channel(b, direction, i);
      a[i] = nir_fabs(b, v[i]);
      minus[i] = nir_fneg(b, v[i]);
      below[i] = nir_flt_imm(b, v[i], 0);
   }
   struct nir_def *z = nir_iand(b, nir_fge(b, a[2], a[0]), nir_fge(b, a[2], a[1])), *y = nir_fge(b, a[1], a[0]);
   struct nir_def *face[3];
   for (unsigned i = 0; i < 3; i++)
      face[i] = nir_bcsel(b, below[i], nir_imm_float(b, (float)(2 * i + 1)), nir_imm_float(b, (float)(2 * i)));
   struct nir_def *s[3] = {nir_bcsel(b, below[0], v[2], minus[2]), v[0], nir_bcsel(b, below[2], minus[0], v[0])};
   struct nir_def *t[3] = {minus[1], nir_bcsel(b, below[1], minus[2], v[2]), minus[1]};
   struct nir_def **const lists[] = {s, t, v, face};
   for (unsigned i = 0; i < 4; i++)
      out[i] = nir_bcsel(b, z, lists[i][2], nir_bcsel(b, y, lists[i][1], lists[i][0]));
   out[2] = nir_fadd(b, out[2], out[2]);
   return nir_vec(b, out, 4);
}

struct nir_def *
agx_lower_half_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def *const *src)
{
   if (alu->def.bit_size != 16 || (alu->op != NIR_OP_fdiv && alu->op != NIR_OP_fpow))
      return NULL;
   struct nir_def *x = nir_f2f32(b, src[0]), *y = nir_f2f32(b, src[1]);
   return nir_f2f16(b, alu->op == NIR_OP_fdiv ? nir_fdiv(b, x, y) : nir_fpow(b, x, y));
}

struct nir_def *
agx_lower_float_op(struct nir_builder *b, const struct nir_alu_instr *alu, struct nir_def *const *src)
{
   /* size: a flat switch */
   struct nir_def *x = src[0];
   const bool half = x && x->bit_size == 16,
              known = nir_op_infos[alu->op].num_srcs > 2 &&
                      nir_src_is_const(alu->src[nir_op_infos[alu->op].num_srcs - 1].src);
   if (x && x->bit_size == 64)
      return NULL;
   switch ((int)alu->op) {
   case NIR_OP_fldexp:
      return nir_f2fN(b, ldexp32(b, nir_f2fN(b, x, 32), src[1]), alu->def.bit_size);
   case NIR_OP_ffrexp_sig:
      return nir_f2fN(b, frexp_sig32(b, nir_f2fN(b, x, 32)), alu->def.bit_size);
   case NIR_OP_ffrexp_exp:
      return frexp_exp32(b, nir_f2fN(b, x, 32));
   case NIR_OP_fquantize2f16:
      return quantize(b, x);
   case NIR_OP_f2f16_rtz:
      return half ? x : towards_zero(b, x);
   case NIR_OP_fisnan:
      return nir_fneu(b, x, x);
   case NIR_OP_fisinf:
      return half ? nir_ieq_imm(b, nir_iand_imm(b, x, 0x7fff), 0x7c00)
                  : nir_ieq_imm(b, masked(b, x, 0x7fffffff), 0x7f800000);
   case NIR_OP_ford:
      return nir_iand(b, nir_feq(b, x, x), nir_feq(b, src[1], src[1]));
   case NIR_OP_funord:
      return nir_ior(b, nir_fneu(b, x, x), nir_fneu(b, src[1], src[1]));
   case NIR_OP_pack_unorm_2x16:
   case NIR_OP_pack_unorm_4x8:
      return pack_norm(b, x, false);
   case NIR_OP_pack_snorm_2x16:
   case NIR_OP_pack_snorm_4x8:
      return pack_norm(b, x, true);
   case NIR_OP_unpack_unorm_2x16:
      return unpack_norm(b, x, 2, false);
   case NIR_OP_unpack_unorm_4x8:
      return unpack_norm(b, x, 4, false);
   case NIR_OP_unpack_snorm_2x16:
      return unpack_norm(b, x, 2, true);
   case NIR_OP_unpack_snorm_4x8:
      return unpack_norm(b, x, 4, true);
   case NIR_OP_ubitfield_extract:
      return known ? NULL : nir_iand(b, nir_ushr(b, x, src[1]), low_mask(b, src[2]));
   case NIR_OP_ibitfield_extract:
      return extract_signed(b, x, src[1], src[2]);
   case NIR_OP_bitfield_insert:
      return known ? NULL : insert(b, x, src[1], src[2], src[3]);
   case NIR_OP_cube_face:
      return cube_face(b, x);
   case NIR_OP_ishl:
   case NIR_OP_ishr:
   case NIR_OP_ushr:
      return mask_shift(b, alu, src);
   default: /* others: the hardware has them, or another file lowers them */
      return NULL;
   }
}

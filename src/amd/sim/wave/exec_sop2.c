/* Scalar instructions of two sources. */
#include "amd/sim/wave/exec_salu_private.h"
#include "util/macros.h"

static uint64_t
bitfield(uint64_t v, uint32_t spec, bool sign, unsigned bits)
{
   unsigned offset = spec & (bits - 1), width = spec >> 16 & 127;
   if (!width)
      return 0;
   width = MIN2(width, bits);
   v = offset ? v >> offset : v;
   if (sign && offset)
      v = (uint64_t)(sign_extend(v << (64 - bits + offset), 64) >> (64 - bits + offset));
   return sign ? (uint64_t)sign_extend(v, width) : v & bit_mask(width);
}

static enum step
s_add_u32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1), r = x + y;
   return scalar_write_scc(w, c, r, r < x);
}

static enum step
s_sub_u32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write_scc(w, c, x - y, y > x);
}

static enum step
s_add_i32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   int32_t r;
   bool overflow = __builtin_add_overflow((int32_t)x, (int32_t)y, &r);
   return scalar_write_scc(w, c, (uint32_t)r, overflow);
}

static enum step
s_sub_i32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   int32_t r;
   bool overflow = __builtin_sub_overflow((int32_t)x, (int32_t)y, &r);
   return scalar_write_scc(w, c, (uint32_t)r, overflow);
}

static enum step
s_addc_u32(struct wave *w, const struct code *c)
{
   uint64_t r = (uint64_t)scalar_low(w, c, 0) + scalar_low(w, c, 1) + w->state.scc;
   return scalar_write_scc(w, c, r, r >> 32);
}

static enum step
s_subb_u32(struct wave *w, const struct code *c)
{
   uint64_t r = (uint64_t)scalar_low(w, c, 0) - scalar_low(w, c, 1) - w->state.scc;
   return scalar_write_scc(w, c, r, r >> 32 & 1);
}

static enum step
s_min_i32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   bool first = (int32_t)x < (int32_t)y;
   return scalar_write_scc(w, c, first ? x : y, first);
}

static enum step
s_min_u32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   bool first = x < y;
   return scalar_write_scc(w, c, first ? x : y, first);
}

static enum step
s_max_i32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   bool first = (int32_t)x > (int32_t)y;
   return scalar_write_scc(w, c, first ? x : y, first);
}

static enum step
s_max_u32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   bool first = x > y;
   return scalar_write_scc(w, c, first ? x : y, first);
}

static enum step
s_cselect(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, exec_scalar(w, c, w->state.scc ? 0 : 1));
}

static enum step
s_and(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1);
   return scalar_write_test(w, c, a & b);
}

static enum step
s_or(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1);
   return scalar_write_test(w, c, a | b);
}

static enum step
s_xor(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1);
   return scalar_write_test(w, c, a ^ b);
}

static enum step
s_andn2(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1);
   return scalar_write_test(w, c, a & ~b);
}

static enum step
s_orn2(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1);
   return scalar_write_test(w, c, a | ~b);
}

static enum step
s_nand(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1);
   return scalar_write_test(w, c, ~(a & b));
}

static enum step
s_nor(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1);
   return scalar_write_test(w, c, ~(a | b));
}

static enum step
s_xnor(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), b = exec_scalar(w, c, 1);
   return scalar_write_test(w, c, ~(a ^ b));
}

static enum step
s_lshl_b32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write_test(w, c, x << (y & 31));
}

static enum step
s_lshl_b64(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, exec_scalar(w, c, 0) << (exec_scalar(w, c, 1) & 63));
}

static enum step
s_lshr_b32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write_test(w, c, x >> (y & 31));
}

static enum step
s_lshr_b64(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, exec_scalar(w, c, 0) >> (exec_scalar(w, c, 1) & 63));
}

static enum step
s_ashr_i32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write_test(w, c, (uint32_t)((int32_t)x >> (y & 31)));
}

static enum step
s_ashr_i64(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, (uint64_t)((int64_t)exec_scalar(w, c, 0) >> (exec_scalar(w, c, 1) & 63)));
}

static enum step
s_bfm_b32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write(w, c, ((1u << (x & 31)) - 1) << (y & 31));
}

static enum step
s_bfm_b64(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write(w, c, ((UINT64_C(1) << (x & 63)) - 1) << (y & 63));
}

static enum step
s_mul_i32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write(w, c, x * y);
}

static enum step
s_mul_hi_u32(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, (uint64_t)scalar_low(w, c, 0) * scalar_low(w, c, 1) >> 32);
}

static enum step
s_mul_hi_i32(struct wave *w, const struct code *c)
{
   int64_t r = (int64_t)(int32_t)scalar_low(w, c, 0) * (int32_t)scalar_low(w, c, 1);
   return scalar_write(w, c, (uint64_t)r >> 32);
}

static enum step
s_bfe_u32(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, bitfield(scalar_low(w, c, 0), scalar_low(w, c, 1), false, 32));
}

static enum step
s_bfe_i32(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, (uint32_t)bitfield(scalar_low(w, c, 0), scalar_low(w, c, 1), true, 32));
}

static enum step
s_bfe_u64(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, bitfield(exec_scalar(w, c, 0), scalar_low(w, c, 1), false, 64));
}

static enum step
s_bfe_i64(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, bitfield(exec_scalar(w, c, 0), scalar_low(w, c, 1), true, 64));
}

static enum step
s_absdiff_i32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write_test(w, c, (int32_t)(x - y) < 0 ? y - x : x - y);
}

static enum step
shift_and_add(struct wave *w, const struct code *c, unsigned shift)
{
   uint64_t r = ((uint64_t)scalar_low(w, c, 0) << shift) + scalar_low(w, c, 1);
   return scalar_write_scc(w, c, r, r >> 32);
}

static enum step
s_lshl1_add_u32(struct wave *w, const struct code *c)
{
   return shift_and_add(w, c, 1);
}

static enum step
s_lshl2_add_u32(struct wave *w, const struct code *c)
{
   return shift_and_add(w, c, 2);
}

static enum step
s_lshl3_add_u32(struct wave *w, const struct code *c)
{
   return shift_and_add(w, c, 3);
}

static enum step
s_lshl4_add_u32(struct wave *w, const struct code *c)
{
   return shift_and_add(w, c, 4);
}

static enum step
s_pack_ll_b32_b16(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write(w, c, (x & 0xffff) | y << 16);
}

static enum step
s_pack_lh_b32_b16(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write(w, c, (x & 0xffff) | (y & 0xffff0000));
}

static enum step
s_pack_hl_b32_b16(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write(w, c, x >> 16 | y << 16);
}

static enum step
s_pack_hh_b32_b16(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0), y = scalar_low(w, c, 1);
   return scalar_write(w, c, x >> 16 | (y & 0xffff0000));
}

static const scalar_fn handlers[] = {
   [AMD_OP_s_add_u32] = s_add_u32,
   [AMD_OP_s_sub_u32] = s_sub_u32,
   [AMD_OP_s_add_i32] = s_add_i32,
   [AMD_OP_s_sub_i32] = s_sub_i32,
   [AMD_OP_s_addc_u32] = s_addc_u32,
   [AMD_OP_s_subb_u32] = s_subb_u32,
   [AMD_OP_s_min_i32] = s_min_i32,
   [AMD_OP_s_min_u32] = s_min_u32,
   [AMD_OP_s_max_i32] = s_max_i32,
   [AMD_OP_s_max_u32] = s_max_u32,
   [AMD_OP_s_cselect_b32] = s_cselect,
   [AMD_OP_s_cselect_b64] = s_cselect,
   [AMD_OP_s_and_b32] = s_and,
   [AMD_OP_s_and_b64] = s_and,
   [AMD_OP_s_or_b32] = s_or,
   [AMD_OP_s_or_b64] = s_or,
   [AMD_OP_s_xor_b32] = s_xor,
   [AMD_OP_s_xor_b64] = s_xor,
   [AMD_OP_s_andn2_b32] = s_andn2,
   [AMD_OP_s_andn2_b64] = s_andn2,
   [AMD_OP_s_orn2_b32] = s_orn2,
   [AMD_OP_s_orn2_b64] = s_orn2,
   [AMD_OP_s_nand_b32] = s_nand,
   [AMD_OP_s_nand_b64] = s_nand,
   [AMD_OP_s_nor_b32] = s_nor,
   [AMD_OP_s_nor_b64] = s_nor,
   [AMD_OP_s_xnor_b32] = s_xnor,
   [AMD_OP_s_xnor_b64] = s_xnor,
   [AMD_OP_s_lshl_b32] = s_lshl_b32,
   [AMD_OP_s_lshl_b64] = s_lshl_b64,
   [AMD_OP_s_lshr_b32] = s_lshr_b32,
   [AMD_OP_s_lshr_b64] = s_lshr_b64,
   [AMD_OP_s_ashr_i32] = s_ashr_i32,
   [AMD_OP_s_ashr_i64] = s_ashr_i64,
   [AMD_OP_s_bfm_b32] = s_bfm_b32,
   [AMD_OP_s_bfm_b64] = s_bfm_b64,
   [AMD_OP_s_mul_i32] = s_mul_i32,
   [AMD_OP_s_mul_hi_u32] = s_mul_hi_u32,
   [AMD_OP_s_mul_hi_i32] = s_mul_hi_i32,
   [AMD_OP_s_bfe_u32] = s_bfe_u32,
   [AMD_OP_s_bfe_i32] = s_bfe_i32,
   [AMD_OP_s_bfe_u64] = s_bfe_u64,
   [AMD_OP_s_bfe_i64] = s_bfe_i64,
   [AMD_OP_s_absdiff_i32] = s_absdiff_i32,
   [AMD_OP_s_lshl1_add_u32] = s_lshl1_add_u32,
   [AMD_OP_s_lshl2_add_u32] = s_lshl2_add_u32,
   [AMD_OP_s_lshl3_add_u32] = s_lshl3_add_u32,
   [AMD_OP_s_lshl4_add_u32] = s_lshl4_add_u32,
   [AMD_OP_s_pack_ll_b32_b16] = s_pack_ll_b32_b16,
   [AMD_OP_s_pack_lh_b32_b16] = s_pack_lh_b32_b16,
   [AMD_OP_s_pack_hl_b32_b16] = s_pack_hl_b32_b16,
   [AMD_OP_s_pack_hh_b32_b16] = s_pack_hh_b32_b16,
};

bool
exec_sop2_bind(struct code *c)
{
   return scalar_bind(c, handlers, ARRAY_SIZE(handlers));
}

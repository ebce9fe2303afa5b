/* Rows of scalar operations. b: of SOPK the immediate, and a the register. */
#include "oracle.h"

static int64_t
s16(uint64_t v)
{
   return (int64_t)(v & 0x7fff) - (int64_t)(v & 0x8000);
}

static uint32_t
ones(uint64_t v, unsigned bits)
{
   uint32_t n = 0;
   for (unsigned i = 0; i < bits; i++)
      n += v >> i & 1;
   return n;
}

static uint32_t
lowest(uint64_t v, unsigned bits)
{
   for (unsigned i = 0; i < bits; i++)
      if (v >> i & 1)
         return i;
   return UINT32_MAX;
}

static uint32_t
zeros_above(uint64_t v, unsigned bits)
{
   for (unsigned i = 0; i < bits; i++)
      if (v >> (bits - 1 - i) & 1)
         return i;
   return UINT32_MAX;
}

static uint64_t
mirrored(uint64_t v, unsigned bits)
{
   uint64_t r = 0;
   for (unsigned i = 0; i < bits; i++)
      r |= (v >> i & 1) << (bits - 1 - i);
   return r;
}

static uint64_t
quads(uint64_t v, unsigned bits, bool whole)
{
   uint64_t r = 0;
   for (unsigned i = 0; i < bits / 4; i++)
      if (v >> 4 * i & 15)
         r |= whole ? 15ull << 4 * i : 1ull << i;
   return r;
}

static uint64_t
twice_each(uint32_t v)
{
   uint64_t r = 0;
   for (unsigned i = 0; i < 32; i++)
      r |= (uint64_t)(v >> i & 1) * 3 << 2 * i;
   return r;
}

/* Bits from 4:0 (5:0) of the second operand on, as many as its bits 22:16 say. */
static uint64_t
field(uint64_t v, uint64_t of, unsigned bits, bool is_signed)
{
   unsigned at = of & (bits - 1), width = of >> 16 & 127;
   uint64_t r = is_signed ? (bits == 64 ? (uint64_t)((int64_t)v >> at) : (uint64_t)(int64_t)(s32(v) >> at))
                          : (bits == 64 ? v : u32(v)) >> at;
   if (width < 64) {
      r &= (1ull << width) - 1;
      if (is_signed && width && r >> (width - 1) & 1)
         r |= ~0ull << width;
   }
   return bits == 64 ? r : u32(r);
}

static bool
overflows(int64_t v)
{
   return v < INT32_MIN || v > INT32_MAX;
}

#define ROW(name, input, ...)                                                                                        \
   static void run_##name(const struct oracle_in *in, struct oracle_out *out)                                        \
   {                                                                                                                 \
      const uint64_t a = in->a, b = in->b, c = in->c, old = in->old, exec = in->exec;                                \
      (void)a, (void)b, (void)c, (void)old, (void)exec;                                                              \
      __VA_ARGS__;                                                                                                   \
   }
/* Without SCC; with SCC for what is not 0. */
#define U(name, expr) ROW(name, BITS, out->value = u32((uint64_t)(expr)))
#define Q(name, expr) ROW(name, BITS, out->value = (uint64_t)(expr))
#define UZ(name, expr) ROW(name, BITS, out->value = u32((uint64_t)(expr)); out->bit = out->value)
#define QZ(name, expr) ROW(name, BITS, out->value = (uint64_t)(expr); out->bit = out->value)
#define LOGIC(name, expr) UZ(s_##name##_b32, expr) QZ(s_##name##_b64, expr)
#define C(name, expr) ROW(name, BITS, out->bit = (expr))
#define SAVE(name, expr32, expr64)                                                                                   \
   ROW(s_##name##_saveexec_b64, BITS, out->value = exec; out->exec = (expr64); out->bit = out->exec)                 \
   ROW(s_##name##_saveexec_b32, BITS, out->value = u32(exec); uint64_t low = u32(expr32);                            \
       out->exec = (exec & ~0xffffffffull) | low; out->bit = low)
#define SAME(name, expr) SAVE(name, expr, expr)
#define F(name, input, expr)                                                                                         \
   ROW(name, input, const double x = f32(a), y = f32(b), z = f32(c), o = f32(old); (void)x, (void)y, (void)z,        \
       (void)o, out->value = bits32((float)(expr)))
#define H(name, input, expr)                                                                                         \
   ROW(name, input, const double x = f16(a), y = f16(b), o = f16(old); (void)x, (void)y, (void)o,                    \
       out->value = bits16(expr))
#define CF(name, of, expr) ROW(name, FLOATS, const double x = of(a), y = of(b); out->bit = (expr))
#define NUMBERS(t)                                                                                                   \
   CF(s_cmp_lt_##t, t, isless(x, y)) CF(s_cmp_eq_##t, t, x == y) CF(s_cmp_le_##t, t, islessequal(x, y))              \
   CF(s_cmp_gt_##t, t, isgreater(x, y)) CF(s_cmp_lg_##t, t, islessgreater(x, y))                                     \
   CF(s_cmp_ge_##t, t, isgreaterequal(x, y)) CF(s_cmp_o_##t, t, !isunordered(x, y))                                  \
   CF(s_cmp_u_##t, t, isunordered(x, y)) CF(s_cmp_nge_##t, t, !isgreaterequal(x, y))                                 \
   CF(s_cmp_nlg_##t, t, !islessgreater(x, y)) CF(s_cmp_ngt_##t, t, !isgreater(x, y))                                 \
   CF(s_cmp_nle_##t, t, !islessequal(x, y)) CF(s_cmp_neq_##t, t, x != y) CF(s_cmp_nlt_##t, t, !isless(x, y))

#define ROWS                                                                                                         \
   ROW(s_add_u32, BITS, out->value = u32(a + b); out->bit = (a + b) >> 32)                                           \
   ROW(s_sub_u32, BITS, out->value = u32(a - b); out->bit = b > a)                                                   \
   ROW(s_add_i32, BITS, out->value = u32(a + b); out->bit = overflows((int64_t)s32(a) + s32(b)))                     \
   ROW(s_sub_i32, BITS, out->value = u32(a - b); out->bit = overflows((int64_t)s32(a) - s32(b)))                     \
   ROW(s_addc_u32, BITS, out->value = u32(a + b + in->bit); out->bit = (a + b + in->bit) >> 32)                      \
   ROW(s_subb_u32, BITS, out->value = u32(a - b - in->bit); out->bit = b + in->bit > a)                              \
   ROW(s_min_i32, BITS, out->value = u32((uint64_t)MIN2(s32(a), s32(b))); out->bit = s32(a) < s32(b))                \
   ROW(s_min_u32, BITS, out->value = MIN2(a, b); out->bit = a < b)                                                   \
   ROW(s_max_i32, BITS, out->value = u32((uint64_t)MAX2(s32(a), s32(b))); out->bit = s32(a) > s32(b))                \
   ROW(s_max_u32, BITS, out->value = MAX2(a, b); out->bit = a > b)                                                   \
   U(s_cselect_b32, in->bit ? a : b) Q(s_cselect_b64, in->bit ? a : b)                                               \
   LOGIC(and, a &b) LOGIC(or, a | b) LOGIC(xor, a ^ b) LOGIC(andn2, a & ~b) LOGIC(orn2, a | ~b)                      \
   LOGIC(nand, ~(a & b)) LOGIC(nor, ~(a | b)) LOGIC(xnor, ~(a ^ b)) LOGIC(not, ~a)                                   \
   UZ(s_lshl_b32, a << (b & 31)) QZ(s_lshl_b64, a << (b & 63)) UZ(s_lshr_b32, a >> (b & 31))                         \
   QZ(s_lshr_b64, a >> (b & 63)) UZ(s_ashr_i32, s32(a) >> (b & 31)) QZ(s_ashr_i64, (int64_t)a >> (b & 63))           \
   U(s_bfm_b32, ((1ull << (a & 31)) - 1) << (b & 31)) Q(s_bfm_b64, ((1ull << (a & 63)) - 1) << (b & 63))             \
   U(s_mul_i32, a *b) U(s_mul_hi_u32, a *b >> 32) U(s_mul_hi_i32, ((__int128)s32(a) * s32(b)) >> 32)                 \
   UZ(s_bfe_u32, field(a, b, 32, false)) UZ(s_bfe_i32, field(a, b, 32, true))                                        \
   QZ(s_bfe_u64, field(a, b, 64, false)) QZ(s_bfe_i64, field(a, b, 64, true))                                        \
   UZ(s_absdiff_i32, s32(a - b) < 0 ? b - a : a - b)                                                                 \
   ROW(s_lshl1_add_u32, BITS, out->value = u32(2 * a + b); out->bit = (2 * a + b) >> 32)                             \
   ROW(s_lshl2_add_u32, BITS, out->value = u32(4 * a + b); out->bit = (4 * a + b) >> 32)                             \
   ROW(s_lshl3_add_u32, BITS, out->value = u32(8 * a + b); out->bit = (8 * a + b) >> 32)                             \
   ROW(s_lshl4_add_u32, BITS, out->value = u32(16 * a + b); out->bit = (16 * a + b) >> 32)                           \
   U(s_pack_ll_b32_b16, (a & 0xffff) | b << 16) U(s_pack_lh_b32_b16, (a & 0xffff) | (b & 0xffff0000))                \
   U(s_pack_hh_b32_b16, a >> 16 | (b & 0xffff0000)) U(s_pack_hl_b32_b16, a >> 16 | b << 16)                          \
   F(s_add_f32, FLOATS, x + y) F(s_sub_f32, FLOATS, x - y) F(s_mul_f32, FLOATS, x *y)                                \
   F(s_min_f32, FLOATS, least(x, y)) F(s_max_f32, FLOATS, most(x, y)) F(s_fmac_f32, FLOATS, fused(x, y, o))          \
   F(s_fmaak_f32, MILD, fused(x, y, z)) F(s_fmamk_f32, MILD, fused(x, y, z))                                         \
   H(s_add_f16, FLOATS, x + y) H(s_sub_f16, FLOATS, x - y) H(s_mul_f16, FLOATS, x *y)                                \
   H(s_min_f16, FLOATS, least(x, y)) H(s_max_f16, FLOATS, most(x, y)) H(s_fmac_f16, MILD, fused16(x, y, o))          \
   ROW(s_cvt_pk_rtz_f16_f32, MILD, out->value = cut16(f32(a)) | cut16(f32(b)) << 16)                                 \
   F(s_ceil_f32, FLOATS, ceil(x)) F(s_floor_f32, FLOATS, floor(x)) F(s_trunc_f32, FLOATS, trunc(x))                  \
   F(s_rndne_f32, FLOATS, nearest_even(x)) H(s_ceil_f16, FLOATS, ceil(x)) H(s_floor_f16, FLOATS, floor(x))           \
   H(s_trunc_f16, FLOATS, trunc(x)) H(s_rndne_f16, FLOATS, nearest_even(x)) F(s_cvt_f32_i32, BITS, s32(a))           \
   F(s_cvt_f32_u32, BITS, u32(a)) F(s_cvt_f32_f16, FLOATS, f16(a)) F(s_cvt_hi_f32_f16, FLOATS, f16(a >> 16))         \
   ROW(s_cvt_i32_f32, FLOATS, out->value = u32((uint64_t)(int64_t)to_integer(f32(a), INT32_MIN, INT32_MAX)))         \
   ROW(s_cvt_u32_f32, FLOATS, out->value = (uint64_t)to_integer(f32(a), 0, UINT32_MAX))                              \
   H(s_cvt_f16_f32, FLOATS, f32(a))                                                                                  \
   U(s_movk_i32, s16(b)) U(s_cmovk_i32, in->bit ? (uint64_t)s16(b) : a) U(s_mulk_i32, (int64_t)s32(a) * s16(b))      \
   ROW(s_addk_i32, BITS, out->value = u32(a + (uint64_t)s16(b)); out->bit = overflows((int64_t)s32(a) + s16(b)))     \
   C(s_cmpk_eq_i32, s32(a) == s16(b)) C(s_cmpk_lg_i32, s32(a) != s16(b)) C(s_cmpk_gt_i32, s32(a) > s16(b))           \
   C(s_cmpk_ge_i32, s32(a) >= s16(b)) C(s_cmpk_lt_i32, s32(a) < s16(b)) C(s_cmpk_le_i32, s32(a) <= s16(b))           \
   C(s_cmpk_eq_u32, a == b) C(s_cmpk_lg_u32, a != b) C(s_cmpk_gt_u32, a > b) C(s_cmpk_ge_u32, a >= b)                \
   C(s_cmpk_lt_u32, a < b) C(s_cmpk_le_u32, a <= b)                                                                  \
   U(s_mov_b32, a) Q(s_mov_b64, a) U(s_cmov_b32, in->bit ? a : old) Q(s_cmov_b64, in->bit ? a : old)                 \
   UZ(s_wqm_b32, quads(a, 32, true)) QZ(s_wqm_b64, quads(a, 64, true)) UZ(s_quadmask_b32, quads(a, 32, false))       \
   QZ(s_quadmask_b64, quads(a, 64, false)) U(s_brev_b32, mirrored(a, 32)) Q(s_brev_b64, mirrored(a, 64))             \
   UZ(s_bcnt0_i32_b32, ones(~a, 32)) UZ(s_bcnt0_i32_b64, ones(~a, 64)) UZ(s_bcnt1_i32_b32, ones(a, 32))              \
   UZ(s_bcnt1_i32_b64, ones(a, 64)) U(s_ff0_i32_b32, lowest(~a, 32)) U(s_ff0_i32_b64, lowest(~a, 64))                \
   U(s_ff1_i32_b32, lowest(a, 32)) U(s_ff1_i32_b64, lowest(a, 64)) U(s_flbit_i32_b32, zeros_above(a, 32))            \
   U(s_flbit_i32_b64, zeros_above(a, 64)) U(s_flbit_i32, zeros_above(s32(a) < 0 ? ~a : a, 32))                       \
   U(s_flbit_i32_i64, zeros_above(a >> 63 ? ~a : a, 64)) U(s_sext_i32_i8, (int64_t)(a & 127) - (int64_t)(a & 128))   \
   U(s_sext_i32_i16, s16(a)) U(s_bitset0_b32, old & ~(1ull << (a & 31))) U(s_bitset1_b32, old | 1ull << (a & 31))    \
   Q(s_bitset0_b64, old & ~(1ull << (a & 63))) Q(s_bitset1_b64, old | 1ull << (a & 63))                              \
   UZ(s_abs_i32, s32(a) < 0 ? -a : a) Q(s_bitreplicate_b64_b32, twice_each(u32(a)))                                  \
   SAME(and, a &exec) SAME(or, a | exec) SAME(xor, a ^ exec) SAME(andn2, a & ~exec) SAME(orn2, a | ~exec)            \
   SAME(nand, ~(a & exec)) SAME(nor, ~(a | exec)) SAME(xnor, ~(a ^ exec)) SAME(andn1, ~a & exec)                     \
   SAME(orn1, ~a | exec)                                                                                             \
   ROW(s_andn1_wrexec_b64, BITS, out->value = out->exec = ~a & exec; out->bit = out->value)                          \
   ROW(s_andn2_wrexec_b64, BITS, out->value = out->exec = a & ~exec; out->bit = out->value)                          \
   ROW(s_andn1_wrexec_b32, BITS, out->value = u32(~a & exec); out->bit = out->value;                                 \
       out->exec = (exec & ~0xffffffffull) | out->value)                                                             \
   ROW(s_andn2_wrexec_b32, BITS, out->value = u32(a & ~exec); out->bit = out->value;                                 \
       out->exec = (exec & ~0xffffffffull) | out->value)                                                             \
   C(s_cmp_eq_i32, s32(a) == s32(b)) C(s_cmp_lg_i32, s32(a) != s32(b)) C(s_cmp_gt_i32, s32(a) > s32(b))              \
   C(s_cmp_ge_i32, s32(a) >= s32(b)) C(s_cmp_lt_i32, s32(a) < s32(b)) C(s_cmp_le_i32, s32(a) <= s32(b))              \
   C(s_cmp_eq_u32, a == b) C(s_cmp_lg_u32, a != b) C(s_cmp_gt_u32, a > b) C(s_cmp_ge_u32, a >= b)                    \
   C(s_cmp_lt_u32, a < b) C(s_cmp_le_u32, a <= b) C(s_cmp_eq_u64, a == b) C(s_cmp_lg_u64, a != b)                    \
   C(s_bitcmp0_b32, !(a >> (b & 31) & 1)) C(s_bitcmp1_b32, a >> (b & 31) & 1)                                        \
   C(s_bitcmp0_b64, !(a >> (b & 63) & 1)) C(s_bitcmp1_b64, a >> (b & 63) & 1) NUMBERS(f32) NUMBERS(f16)

ROWS

#undef ROW
#define ROW(name, input, ...) {AMD_OP_##name, ORACLE_##input, 0, run_##name},
   const struct oracle_row oracle_scalar_rows[] = {ROWS};
const unsigned oracle_num_scalar_rows = ARRAY_SIZE(oracle_scalar_rows);

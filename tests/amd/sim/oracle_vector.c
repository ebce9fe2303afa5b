/* Rows of vector operations. */
#include <float.h>

#include "oracle.h"

/* ---- words of the documents ---- */

static int32_t
s24(uint64_t v)
{
   return (int32_t)((v & 0x7fffff) - (v & 0x800000));
}
static int32_t
s16(uint64_t v)
{
   return (int32_t)(v & 0x7fff) - (int32_t)(v & 0x8000);
}
static uint32_t
u16(uint64_t v)
{
   return v & 0xffff;
}
static uint32_t
byte(uint64_t v, unsigned i)
{
   return v >> 8 * i & 255;
}

static double
middle(double a, double b, double c) /* which of two zeros is not said */
{
   if (isnan(a) || isnan(b) || isnan(c))
      return least(least(a, b), c);
   double top = most(most(a, b), c);
   return top == a ? most(b, c) : top == b ? most(a, c) : most(a, b);
}

static int64_t
middle_int(int64_t a, int64_t b, int64_t c)
{
   int64_t top = MAX2(MAX2(a, b), c), low = MIN2(MIN2(a, b), c);
   return a + b + c - top - low;
}

static uint32_t
to_u32(double v)
{
   return (uint32_t)to_integer(v, 0, 4294967295.0);
}
static uint32_t
to_s32(double v)
{
   return (uint32_t)(int32_t)to_integer(v, -2147483648.0, 2147483647.0);
}

static double
bf16(uint64_t v)
{
   return f32(v << 16);
}

static uint64_t
normalized(double value, double low, double scale)
{
   value = isnan(value) ? 0 : value < low ? low : value > 1 ? 1 : value;
   return (uint64_t)(int64_t)nearbyint(value * scale) & 0xffff;
}

static double
fraction(double v, double below_1)
{
   double r = v - floor(v);
   return r < below_1 ? r : isnan(r) ? r : below_1;
}
static double
sine(double turns)
{
   return sin(2 * M_PI * (turns - floor(turns)));
}
static double
cosine(double turns)
{
   return cos(2 * M_PI * (turns - floor(turns)));
}
static double
mantissa(double v)
{
   int e;
   return isfinite(v) && v != 0 ? frexp(v, &e) : v;
}
static int
exponent(double v)
{
   int e = 0;
   if (isfinite(v) && v != 0)
      frexp(v, &e);
   return e;
}
static double
product0(double a, double b)
{
   return a == 0 || b == 0 ? 0 : a * b;
}

/* As single precision without denormals. */
static double
rounded(double product)
{
   return (double)f32(oracle_without_denormals(AMD_TYPE_F32, bits32((float)product)));
}

/* Num / den is q, but for signs and what is not a number or has no end. */
static double
divided(double q, double den, double num)
{
   bool minus = !signbit(den) != !signbit(num);
   if (isnan(num) || isnan(den) || (den == 0 && num == 0) || (isinf(den) && isinf(num)))
      return NAN;
   if (den == 0 || isinf(num))
      return minus ? -INFINITY : INFINITY;
   if (isinf(den) || num == 0)
      return minus ? -0.0 : 0.0;
   q = isnan(q) ? INFINITY : fabs(q);
   return minus ? -q : q;
}

static uint32_t
bit_count(uint64_t v)
{
   uint32_t n = 0;
   for (; v; v >>= 1)
      n += v & 1;
   return n;
}

/* Position of the first bit set from the top or from the bottom; -1: none. */
static uint32_t
from_top(uint32_t v)
{
   for (unsigned i = 0; i < 32; i++)
      if (v >> (31 - i) & 1)
         return i;
   return UINT32_MAX;
}

static uint32_t
from_bottom(uint32_t v)
{
   for (unsigned i = 0; i < 32; i++)
      if (v >> i & 1)
         return i;
   return UINT32_MAX;
}

static uint32_t
reversed(uint32_t v)
{
   uint32_t r = 0;
   for (unsigned i = 0; i < 32; i++)
      r |= (v >> i & 1) << (31 - i);
   return r;
}

static uint32_t
differences(uint64_t a, uint64_t b, unsigned bits, bool masked)
{
   uint32_t sum = 0;
   for (unsigned i = 0; i < 32; i += bits) {
      uint32_t x = a >> i & ((1ull << bits) - 1), y = b >> i & ((1ull << bits) - 1);
      sum += masked && !y ? 0 : x > y ? x - y : y - x;
   }
   return sum;
}

static uint32_t
permuted(uint64_t a, uint64_t b, uint64_t c)
{
   uint64_t data = (a << 32) | u32(b);
   uint32_t r = 0;
   for (unsigned i = 0; i < 4; i++) {
      uint32_t select = byte(c, i), value;
      if (select > 12)
         value = 255;
      else if (select == 12)
         value = 0;
      else if (select > 7) /* signs of the four halves */
         value = data >> (16 * (select - 8) + 15) & 1 ? 255 : 0;
      else
         value = byte(data, select);
      r |= value << 8 * i;
   }
   return r;
}

enum { CUBE_ID, CUBE_S, CUBE_T, CUBE_MAJOR };
static float
cube(float x, float y, float z, unsigned what)
{
   float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), r[4];
   if (az >= ax && az >= ay)
      memcpy(r, (float[4]){z < 0 ? 5 : 4, z < 0 ? -x : x, -y, 2 * z}, 16);
   else if (ay >= ax)
      memcpy(r, (float[4]){y < 0 ? 3 : 2, x, y < 0 ? -z : z, 2 * y}, 16);
   else
      memcpy(r, (float[4]){x < 0 ? 1 : 0, x < 0 ? z : -z, -y, 2 * x}, 16);
   return r[what];
}

/* Sum of products of parts of so many bits. */
static int64_t
dot(uint64_t a, uint64_t b, unsigned bits, bool is_signed)
{
   int64_t sum = 0;
   for (unsigned i = 0; i < 32; i += bits) {
      int64_t x = a >> i & ((1ull << bits) - 1), y = b >> i & ((1ull << bits) - 1);
      if (is_signed) {
         x -= x >> (bits - 1) ? 1ll << bits : 0;
         y -= y >> (bits - 1) ? 1ll << bits : 0;
      }
      sum += x * y;
   }
   return sum;
}

/* Bits: signalling and quiet NaN, -inf, -normal, -denormal, -0, 0, denormal, normal, inf. */
static bool
is_of_class(uint64_t v, unsigned exponent_bits, unsigned mantissa_bits, uint64_t classes)
{
   uint64_t m = v & ((1ull << mantissa_bits) - 1), all = (1ull << exponent_bits) - 1, e = v >> mantissa_bits & all;
   bool minus = v >> (exponent_bits + mantissa_bits) & 1;
   if (e == all && m)
      return classes >> (m >> (mantissa_bits - 1)) & 1;
   unsigned kind = e == all ? 0 : e ? 1 : m ? 2 : 3;
   return classes >> (minus ? 2 + kind : 9 - kind) & 1;
}

/* ---- rows ---- */

#define ROW(name, input, ulps, ...)                                                                                  \
   static void run_##name(const struct oracle_in *in, struct oracle_out *out)                                        \
   {                                                                                                                 \
      const uint64_t a = in->a, b = in->b, c = in->c, old = in->old;                                                 \
      (void)a, (void)b, (void)c, (void)old;                                                                          \
      __VA_ARGS__;                                                                                                   \
   }
#define U(name, expr) ROW(name, BITS, 0, out->value = u32((uint64_t)(expr)))
#define U16(name, expr) ROW(name, BITS, 0, out->value = u16((uint64_t)(expr)))
#define U64(name, expr) ROW(name, BITS, 0, out->value = (uint64_t)(expr))
#define F(name, input, ulps, expr)                                                                                   \
   ROW(name, input, ulps, const double x = f32(a), y = f32(b), z = f32(c), o = f32(old); (void)x, (void)y, (void)z,  \
       (void)o, out->value = bits32((float)(expr)))
#define H(name, input, ulps, expr)                                                                                   \
   ROW(name, input, ulps, const double x = f16(a), y = f16(b), z = f16(c), o = f16(old); (void)x, (void)y, (void)z,  \
       (void)o, out->value = bits16(expr))
#define D(name, input, ulps, expr)                                                                                   \
   ROW(name, input, ulps, const double x = f64(a), y = f64(b), z = f64(c); (void)x, (void)y, (void)z,                \
       out->value = bits64(expr))
/* Of both halves of packed words. */
#define P(name, expr)                                                                                                \
   ROW(name, BITS, 0, for (unsigned k = 0; k < 32; k += 16) {                                                        \
      const uint64_t p = a >> k, q = b >> k, r = c >> k;                                                             \
      (void)p, (void)q, (void)r;                                                                                     \
      out->value |= (uint64_t)u16((uint64_t)(expr)) << k;                                                            \
   })
#define PH(name, input, ulps, expr)                                                                                  \
   ROW(name, input, ulps, for (unsigned k = 0; k < 32; k += 16) {                                                    \
      const double x = f16(a >> k), y = f16(b >> k), z = f16(c >> k), o = f16(old >> k);                             \
      (void)x, (void)y, (void)z, (void)o;                                                                            \
      out->value |= bits16(expr) << k;                                                                               \
   })
/* Comparisons */
#define C(name, x_of, expr)                                                                                          \
   ROW(name, BITS, 0, const __typeof__(x_of(a)) x = x_of(a), y = x_of(b); (void)x, (void)y, out->bit = (expr))
#define CF(name, x_of, expr)                                                                                         \
   ROW(name, FLOATS, 0, const double x = x_of(a), y = x_of(b); (void)x, (void)y, out->bit = (expr))
#define BOTH(K, op, type, x_of, expr) K(v_cmp_##op##_##type, x_of, expr) K(v_cmpx_##op##_##type, x_of, expr)
#define INTEGERS(K, type, x_of)                                                                                      \
   BOTH(K, f, type, x_of, false) BOTH(K, lt, type, x_of, x < y) BOTH(K, eq, type, x_of, x == y)                      \
   BOTH(K, le, type, x_of, x <= y) BOTH(K, gt, type, x_of, x > y) BOTH(K, ne, type, x_of, x != y)                    \
   BOTH(K, ge, type, x_of, x >= y) BOTH(K, t, type, x_of, true)
#define NUMBERS(K, type, x_of)                                                                                       \
   BOTH(K, f, type, x_of, false) BOTH(K, lt, type, x_of, isless(x, y)) BOTH(K, eq, type, x_of, x == y)               \
   BOTH(K, le, type, x_of, islessequal(x, y)) BOTH(K, gt, type, x_of, isgreater(x, y))                               \
   BOTH(K, lg, type, x_of, islessgreater(x, y)) BOTH(K, ge, type, x_of, isgreaterequal(x, y))                        \
   BOTH(K, o, type, x_of, !isunordered(x, y)) BOTH(K, u, type, x_of, isunordered(x, y))                              \
   BOTH(K, nge, type, x_of, !isgreaterequal(x, y)) BOTH(K, nlg, type, x_of, !islessgreater(x, y))                    \
   BOTH(K, ngt, type, x_of, !isgreater(x, y)) BOTH(K, nle, type, x_of, !islessequal(x, y))                           \
   BOTH(K, neq, type, x_of, x != y) BOTH(K, nlt, type, x_of, !isless(x, y)) BOTH(K, tru, type, x_of, true)
#define CLASSES(type, e, m)                                                                                          \
   ROW(v_cmp_class_##type, FLOATS, 0, out->bit = is_of_class(a, e, m, b))                                            \
   ROW(v_cmpx_class_##type, FLOATS, 0, out->bit = is_of_class(a, e, m, b))
static int64_t
s64(uint64_t v)
{
   return (int64_t)v;
}
static uint64_t
u64(uint64_t v)
{
   return v;
}

#define ROWS                                                                                                         \
   INTEGERS(C, i16, s16) INTEGERS(C, u16, u16) INTEGERS(C, i32, s32) INTEGERS(C, u32, u32) INTEGERS(C, i64, s64)     \
   INTEGERS(C, u64, u64) NUMBERS(CF, f16, f16) NUMBERS(CF, f32, f32) NUMBERS(CF, f64, f64)                           \
   CLASSES(f16, 5, 10) CLASSES(f32, 8, 23) CLASSES(f64, 11, 52)                                                      \
   U(v_mov_b32, a) U(v_not_b32, ~a) U(v_and_b32, a & b) U(v_or_b32, a | b) U(v_xor_b32, a ^ b)                       \
   U(v_xnor_b32, ~(a ^ b)) U(v_cndmask_b32, in->bit ? b : a) U(v_bfrev_b32, reversed(u32(a)))                        \
   U16(v_mov_b16, a) U16(v_not_b16, ~a) U16(v_and_b16, a & b) U16(v_or_b16, a | b) U16(v_xor_b16, a ^ b)             \
   U16(v_cndmask_b16, in->bit ? b : a)                                                                               \
   U(v_lshlrev_b32, b << (a & 31)) U(v_lshrrev_b32, u32(b) >> (a & 31)) U(v_ashrrev_i32, s32(b) >> (a & 31))         \
   U64(v_lshlrev_b64, b << (a & 63)) U64(v_lshrrev_b64, b >> (a & 63)) U64(v_ashrrev_i64, s64(b) >> (a & 63))        \
   U16(v_lshlrev_b16, b << (a & 15)) U16(v_lshrrev_b16, u16(b) >> (a & 15)) U16(v_ashrrev_i16, s16(b) >> (a & 15))   \
   U(v_add_nc_u32, a + b) U(v_sub_nc_u32, a - b) U(v_subrev_nc_u32, b - a) U(v_add_nc_i32, a + b)                    \
   U(v_sub_nc_i32, a - b) U16(v_add_nc_u16, a + b) U16(v_sub_nc_u16, a - b) U16(v_subrev_u16, b - a)                 \
   U16(v_add_nc_i16, a + b) U16(v_sub_nc_i16, a - b) U16(v_mul_lo_u16, a *b) U16(v_mad_u16, a *b + c)                \
   U16(v_mad_i16, a *b + c) U16(v_mad_legacy_u16, a *b + c) U16(v_mad_legacy_i16, a *b + c)                          \
   ROW(v_add_co_u32, BITS, 0, out->value = u32(a + b), out->bit = (a + b) >> 32)                                     \
   ROW(v_sub_co_u32, BITS, 0, out->value = u32(a - b), out->bit = a < b)                                             \
   ROW(v_subrev_co_u32, BITS, 0, out->value = u32(b - a), out->bit = b < a)                                          \
   ROW(v_add_co_ci_u32, BITS, 0, out->value = u32(a + b + in->bit), out->bit = (a + b + in->bit) >> 32)              \
   ROW(v_sub_co_ci_u32, BITS, 0, out->value = u32(a - b - in->bit), out->bit = a < b + in->bit)                      \
   ROW(v_subrev_co_ci_u32, BITS, 0, out->value = u32(b - a - in->bit), out->bit = b < a + in->bit)                   \
   U(v_mul_lo_u32, a *b) U(v_mul_lo_i32, a *b) U(v_mul_hi_u32, a *b >> 32)                                           \
   U(v_mul_hi_i32, ((__int128)s32(a) * s32(b)) >> 32) U(v_mul_i32_i24, (int64_t)s24(a) * s24(b))                     \
   U(v_mul_hi_i32_i24, (int64_t)s24(a) * s24(b) >> 32) U(v_mul_u32_u24, (a & 0xffffff) * (b & 0xffffff))             \
   U(v_mul_hi_u32_u24, (a & 0xffffff) * (b & 0xffffff) >> 32) U(v_mad_i32_i24, (int64_t)s24(a) * s24(b) + s32(c))    \
   U(v_mad_u32_u24, (a & 0xffffff) * (b & 0xffffff) + c) U(v_mad_u32_u16, u16(a) * u16(b) + c)                       \
   U(v_mad_i32_i16, (int64_t)s16(a) * s16(b) + s32(c))                                                               \
   ROW(v_mad_u64_u32, BITS, 0, unsigned __int128 sum = (unsigned __int128)(a * b) + c; out->value = (uint64_t)sum;   \
       out->bit = (sum >> 64) != 0)                                                                                  \
   ROW(v_mad_i64_i32, BITS, 0, __int128 sum = (__int128)s32(a) * s32(b) + s64(c); out->value = (uint64_t)sum;        \
       out->bit = (sum >> 64) & 1)                                                                                   \
   U(v_min_i32, MIN2(s32(a), s32(b))) U(v_max_i32, MAX2(s32(a), s32(b))) U(v_min_u32, MIN2(a, b))                    \
   U(v_max_u32, MAX2(a, b)) U16(v_min_i16, MIN2(s16(a), s16(b))) U16(v_max_i16, MAX2(s16(a), s16(b)))                \
   U16(v_min_u16, MIN2(u16(a), u16(b))) U16(v_max_u16, MAX2(u16(a), u16(b)))                                         \
   U(v_min3_i32, MIN2(MIN2(s32(a), s32(b)), s32(c))) U(v_max3_i32, MAX2(MAX2(s32(a), s32(b)), s32(c)))               \
   U(v_min3_u32, MIN2(MIN2(a, b), c)) U(v_max3_u32, MAX2(MAX2(a, b), c)) U(v_med3_u32, middle_int(a, b, c))          \
   U(v_med3_i32, middle_int(s32(a), s32(b), s32(c))) U16(v_med3_i16, middle_int(s16(a), s16(b), s16(c)))             \
   U16(v_med3_u16, middle_int(u16(a), u16(b), u16(c))) U16(v_min3_i16, MIN2(MIN2(s16(a), s16(b)), s16(c)))           \
   U16(v_min3_u16, MIN2(MIN2(u16(a), u16(b)), u16(c))) U16(v_max3_i16, MAX2(MAX2(s16(a), s16(b)), s16(c)))           \
   U16(v_max3_u16, MAX2(MAX2(u16(a), u16(b)), u16(c))) U(v_maxmin_i32, MIN2(MAX2(s32(a), s32(b)), s32(c)))           \
   U(v_minmax_i32, MAX2(MIN2(s32(a), s32(b)), s32(c))) U(v_maxmin_u32, MIN2(MAX2(a, b), c))                          \
   U(v_minmax_u32, MAX2(MIN2(a, b), c))                                                                              \
   U(v_bfe_u32, (u32(a) >> (b & 31)) & ((1ull << (c & 31)) - 1))                                                     \
   ROW(v_bfe_i32, BITS, 0, unsigned width = c & 31, at = b & 31; int64_t field = s32(a) >> at;                       \
       out->value =                                                                                                  \
          width ? u32((uint64_t)((int64_t)((uint64_t)field << (64 - width)) >> (64 - width))) : 0)                   \
   U(v_bfi_b32, (a & b) | (~a & c)) U(v_bfm_b32, ((1ull << (a & 31)) - 1) << (b & 31))                               \
   U(v_bcnt_u32_b32, bit_count(a) + b) U(v_ffbh_u32, from_top(u32(a))) U(v_ffbl_b32, from_bottom(u32(a)))            \
   U(v_ffbh_i32, from_top(u32(s32(a) < 0 ? ~a : a)))                                                                 \
   U(v_mbcnt_lo_u32_b32, bit_count(a & ((1ull << MIN2(in->lane, 32)) - 1)) + b)                                      \
   U(v_mbcnt_hi_u32_b32, (in->lane > 32 ? bit_count(a & ((1ull << (in->lane - 32)) - 1)) : 0) + b)                   \
   U(v_alignbit_b32, (a << 32 | b) >> (c & 31)) U(v_alignbyte_b32, (a << 32 | b) >> 8 * (c & 3))                     \
   U(v_perm_b32, permuted(a, b, c)) U(v_lerp_u8, ((byte(a, 0) + byte(b, 0) + (c & 1)) >> 1) |                        \
     ((byte(a, 1) + byte(b, 1) + (c >> 8 & 1)) >> 1) << 8 | ((byte(a, 2) + byte(b, 2) + (c >> 16 & 1)) >> 1) << 16 | \
     ((byte(a, 3) + byte(b, 3) + (c >> 24 & 1)) >> 1) << 24)                                                         \
   U(v_sad_u8, differences(a, b, 8, false) + c) U(v_sad_hi_u8, ((uint64_t)differences(a, b, 8, false) << 16) + c)    \
   U(v_sad_u16, differences(a, b, 16, false) + c) U(v_sad_u32, differences(a, b, 32, false) + c)                     \
   U(v_msad_u8, differences(a, b, 8, true) + c) U(v_add3_u32, a + b + c) U(v_xad_u32, (a ^ b) + c)                   \
   U(v_lshl_add_u32, (a << (b & 31)) + c) U(v_add_lshl_u32, (a + b) << (c & 31))                                     \
   U(v_lshl_or_b32, a << (b & 31) | c) U(v_and_or_b32, (a & b) | c) U(v_or3_b32, a | b | c) U(v_xor3_b32, a ^ b ^ c) \
   U(v_pack_b32_f16, u16(a) | b << 16) U(v_cvt_i32_i16, s16(a)) U(v_cvt_u32_u16, u16(a))                             \
   U(v_cvt_pk_u16_u32, MIN2(a, 65535) | MIN2(b, 65535) << 16)                                                        \
   U(v_cvt_pk_i16_i32, u16((uint64_t)MAX2(MIN2(s32(a), 32767), -32768)) |                                            \
     (uint64_t)u16((uint64_t)MAX2(MIN2(s32(b), 32767), -32768)) << 16)                                               \
   U16(v_sat_pk_u8_i16, MAX2(MIN2(s16(a), 255), 0) | MAX2(MIN2(s16(a >> 16), 255), 0) << 8)                          \
   P(v_pk_add_u16, p + q) P(v_pk_add_i16, p + q) P(v_pk_sub_u16, p - q) P(v_pk_sub_i16, p - q)                       \
   P(v_pk_mul_lo_u16, p *q) P(v_pk_mad_u16, p *q + r) P(v_pk_mad_i16, p *q + r)                                      \
   P(v_pk_min_u16, MIN2(u16(p), u16(q))) P(v_pk_max_u16, MAX2(u16(p), u16(q)))                                       \
   P(v_pk_min_i16, MIN2(s16(p), s16(q))) P(v_pk_max_i16, MAX2(s16(p), s16(q))) P(v_pk_lshlrev_b16, q << (p & 15))    \
   P(v_pk_lshrrev_b16, u16(q) >> (p & 15)) P(v_pk_ashrrev_i16, s16(q) >> (p & 15))                                   \
   U(v_dot2_i32_i16, dot(a, b, 16, true) + s32(c)) U(v_dot2_u32_u16, (uint64_t)dot(a, b, 16, false) + c)             \
   U(v_dot4_i32_i8, dot(a, b, 8, true) + s32(c)) U(v_dot4_u32_u8, (uint64_t)dot(a, b, 8, false) + c)                 \
   U(v_dot8_i32_i4, dot(a, b, 4, true) + s32(c)) U(v_dot8_u32_u4, (uint64_t)dot(a, b, 4, false) + c)                 \
   U(v_dot4c_i32_i8, dot(a, b, 8, true) + s32(old)) U(v_dot4_i32_iu8, (uint64_t)dot(a, b, 8, false) + c)             \
   U(v_dot8_i32_iu4, (uint64_t)dot(a, b, 4, false) + c)                                                              \
   F(v_add_f32, FLOATS, 0, x + y) F(v_sub_f32, FLOATS, 0, x - y) F(v_subrev_f32, FLOATS, 0, y - x)                   \
   F(v_mul_f32, FLOATS, 0, x *y) F(v_mul_legacy_f32, FLOATS, 0, product0(x, y))                                      \
   F(v_min_f32, FLOATS, 0, least(x, y)) F(v_max_f32, FLOATS, 0, most(x, y))                                          \
   F(v_min3_f32, FLOATS, 0, least(least(x, y), z)) F(v_max3_f32, FLOATS, 0, most(most(x, y), z))                     \
   F(v_med3_f32, FLOATS, 0, (out->slack = DBL_MIN, middle(x, y, z)))                                                 \
   F(v_maxmin_f32, FLOATS, 0, least(most(x, y), z))                                                                  \
   F(v_minmax_f32, FLOATS, 0, most(least(x, y), z)) F(v_fma_f32, FLOATS, 0, fused(x, y, z))                          \
   F(v_fmac_f32, FLOATS, 0, fused(x, y, o)) F(v_fmac_legacy_f32, FLOATS, 0, x == 0 || y == 0 ? o : fused(x, y, o))   \
   F(v_fma_legacy_f32, FLOATS, 0, x == 0 || y == 0 ? z : fused(x, y, z))                                             \
   F(v_fmamk_f32, MILD, 0, fused(x, y, z)) F(v_fmaak_f32, MILD, 0, fused(x, y, z))                                   \
   F(v_mad_f32, MILD, 0, rounded(x * y) + z) F(v_mac_f32, MILD, 0, rounded(x * y) + o)               \
   F(v_mad_legacy_f32, MILD, 0, (out->slack = DBL_MIN, rounded(product0(x, y)) + z))                                 \
   F(v_mac_legacy_f32, MILD, 0, (out->slack = DBL_MIN, rounded(product0(x, y)) + o))                                 \
   F(v_madmk_f32, MILD, 0, rounded(x * y) + z) F(v_madak_f32, MILD, 0, rounded(x * y) + z)           \
   F(v_trunc_f32, FLOATS, 0, trunc(x)) F(v_ceil_f32, FLOATS, 0, ceil(x)) F(v_floor_f32, FLOATS, 0, floor(x))         \
   F(v_rndne_f32, FLOATS, 0, nearest_even(x)) F(v_fract_f32, MILD, 0, fraction(x, 0x1.fffffep-1))                    \
   F(v_exp_f32, MILD, 2, exp2(x)) F(v_log_f32, MILD, 2, log2(fabs(x) == x ? x : NAN))                                \
   F(v_exp_legacy_f32, MILD, 2, exp2(x)) F(v_log_legacy_f32, MILD, 2, log2(fabs(x) == x ? x : NAN))                  \
   F(v_rcp_f32, MILD, 1, 1 / x) F(v_rcp_iflag_f32, MILD, 1, 1 / x) F(v_rsq_f32, MILD, 1, 1 / sqrt(x))                \
   F(v_sqrt_f32, MILD, 1, sqrt(x)) F(v_sin_f32, MILD, 1, (out->slack = 1e-7, sine(x)))                               \
   F(v_cos_f32, MILD, 1, (out->slack = 1e-7, cosine(x))) F(v_frexp_mant_f32, FLOATS, 0, mantissa(x))                 \
   U(v_frexp_exp_i32_f32, exponent(f32(a))) U(v_frexp_exp_i32_f64, exponent(f64(a)))                                 \
   U16(v_frexp_exp_i16_f16, exponent(f16(a)))                                                                        \
   F(v_ldexp_f32, FLOATS, 0, (float)ldexp(x, MAX2(MIN2(s32(b), 1000), -1000)))                                       \
   F(v_mullit_f32, FLOATS, 0, y <= -FLT_MAX || isnan(y) || !(z > 0) ? -FLT_MAX : product0(x, y))                     \
   ROW(v_dot2_f32_bf16, MILD, 1, double p = bf16(a) * bf16(b), q = bf16(a >> 16) * bf16(b >> 16), r = f32(c);        \
       out->value = bits32((float)p + (float)q + (float)r); out->slack = (fabs(p) + fabs(q) + fabs(r)) * 0x1p-22)    \
   F(v_cubeid_f32, MILD, 0, cube((float)x, (float)y, (float)z, CUBE_ID))                                             \
   F(v_cubesc_f32, MILD, 0, cube((float)x, (float)y, (float)z, CUBE_S))                                              \
   F(v_cubetc_f32, MILD, 0, cube((float)x, (float)y, (float)z, CUBE_T))                                              \
   F(v_cubema_f32, MILD, 0, cube((float)x, (float)y, (float)z, CUBE_MAJOR))                                          \
   F(v_div_fixup_f32, MILD, 0, divided(x, y, z))                                                                     \
   ROW(v_dot2_f32_f16, MILD, 1, double p = f16(a) * f16(b), q = f16(a >> 16) * f16(b >> 16), r = f32(c);             \
       out->value = bits32((float)(p + q + r)); out->slack = (fabs(p) + fabs(q) + fabs(r)) * 0x1p-22)                \
   ROW(v_dot2c_f32_f16, MILD, 1, double p = f16(a) * f16(b), q = f16(a >> 16) * f16(b >> 16), r = f32(old);          \
       out->value = bits32((float)(p + q + r)); out->slack = (fabs(p) + fabs(q) + fabs(r)) * 0x1p-22)                \
   F(v_cvt_f32_i32, BITS, 0, s32(a)) F(v_cvt_f32_u32, BITS, 0, u32(a)) F(v_cvt_f32_f16, FLOATS, 0, f16(a))           \
   F(v_cvt_f32_ubyte0, BITS, 0, byte(a, 0)) F(v_cvt_f32_ubyte1, BITS, 0, byte(a, 1))                                 \
   F(v_cvt_f32_ubyte2, BITS, 0, byte(a, 2)) F(v_cvt_f32_ubyte3, BITS, 0, byte(a, 3))                                 \
   F(v_cvt_off_f32_i4, BITS, 0, ((double)(a & 7) - (double)(a & 8)) / 16) F(v_cvt_f32_f64, FLOATS, 0, f64(a))        \
   ROW(v_cvt_i32_f32, FLOATS, 0, out->value = to_s32(f32(a)))                                                        \
   ROW(v_cvt_u32_f32, FLOATS, 0, out->value = to_u32(f32(a)))                                                        \
   ROW(v_cvt_i32_f64, FLOATS, 0, out->value = to_s32(f64(a)))                                                        \
   ROW(v_cvt_u32_f64, FLOATS, 0, out->value = to_u32(f64(a)))                                                        \
   ROW(v_cvt_rpi_i32_f32, MILD, 0, out->value = to_s32(floor((double)f32(a) + 0.5)))                                 \
   ROW(v_cvt_flr_i32_f32, FLOATS, 0, out->value = to_s32(floor(f32(a))))                                             \
   D(v_cvt_f64_i32, BITS, 0, s32(a)) D(v_cvt_f64_u32, BITS, 0, u32(a)) D(v_cvt_f64_f32, FLOATS, 0, f32(a))           \
   H(v_cvt_f16_f32, FLOATS, 0, f32(a)) H(v_cvt_f16_u16, BITS, 0, u16(a)) H(v_cvt_f16_i16, BITS, 0, s16(a))           \
   U16(v_cvt_u16_f16, to_integer(f16(a), 0, 65535)) U16(v_cvt_i16_f16, (int64_t)to_integer(f16(a), -32768, 32767))   \
   ROW(v_cvt_norm_i16_f16, MILD, 0, out->value = normalized(f16(a), -1, 32767))                                      \
   ROW(v_cvt_norm_u16_f16, MILD, 0, out->value = normalized(f16(a), 0, 65535))                                       \
   ROW(v_cvt_pknorm_i16_f32, MILD, 0,                                                                                \
       out->value = normalized(f32(a), -1, 32767) | normalized(f32(b), -1, 32767) << 16)                             \
   ROW(v_cvt_pknorm_u16_f32, MILD, 0,                                                                                \
       out->value = normalized(f32(a), 0, 65535) | normalized(f32(b), 0, 65535) << 16)                               \
   ROW(v_cvt_pknorm_i16_f16, MILD, 0,                                                                                \
       out->value = normalized(f16(a), -1, 32767) | normalized(f16(b), -1, 32767) << 16)                             \
   ROW(v_cvt_pknorm_u16_f16, MILD, 0,                                                                                \
       out->value = normalized(f16(a), 0, 65535) | normalized(f16(b), 0, 65535) << 16)                               \
   ROW(v_cvt_pkrtz_f16_f32, MILD, 0, out->value = cut16(f32(a)) | cut16(f32(b)) << 16)                               \
   ROW(v_cvt_pk_i16_f32, MILD, 0, out->value = u16((uint64_t)(int64_t)to_integer(f32(a), -32768, 32767)) |           \
       (uint64_t)u16((uint64_t)(int64_t)to_integer(f32(b), -32768, 32767)) << 16)                                    \
   ROW(v_cvt_pk_u16_f32, MILD, 0, out->value = (uint64_t)to_integer(f32(a), 0, 65535) |                              \
       (uint64_t)to_integer(f32(b), 0, 65535) << 16)                                                                 \
   D(v_add_f64, FLOATS, 0, x + y) D(v_mul_f64, FLOATS, 0, x *y) D(v_fma_f64, FLOATS, 0, fma(x, y, z))                \
   D(v_min_f64, FLOATS, 0, least(x, y)) D(v_max_f64, FLOATS, 0, most(x, y))                                          \
   D(v_trunc_f64, FLOATS, 0, trunc(x)) D(v_ceil_f64, FLOATS, 0, ceil(x)) D(v_floor_f64, FLOATS, 0, floor(x))         \
   D(v_rndne_f64, FLOATS, 0, nearest_even(x)) D(v_fract_f64, MILD, 0, fraction(x, 0x1.fffffffffffffp-1))             \
   D(v_rcp_f64, MILD, 1, 1 / x) D(v_rsq_f64, MILD, 1, 1 / sqrt(x)) D(v_sqrt_f64, MILD, 1, sqrt(x))                   \
   D(v_frexp_mant_f64, FLOATS, 0, mantissa(x)) D(v_ldexp_f64, FLOATS, 0, ldexp(x, MAX2(MIN2(s32(b), 3000), -3000)))  \
   D(v_div_fixup_f64, MILD, 0, divided(x, y, z))                                                                     \
   H(v_add_f16, FLOATS, 0, x + y) H(v_sub_f16, FLOATS, 0, x - y) H(v_subrev_f16, FLOATS, 0, y - x)                   \
   H(v_mul_f16, FLOATS, 0, x *y) H(v_min_f16, FLOATS, 0, least(x, y)) H(v_max_f16, FLOATS, 0, most(x, y))            \
   H(v_min3_f16, FLOATS, 0, least(least(x, y), z)) H(v_max3_f16, FLOATS, 0, most(most(x, y), z))                     \
   H(v_med3_f16, FLOATS, 0, (out->slack = DBL_MIN, middle(x, y, z)))                                                 \
   H(v_maxmin_f16, FLOATS, 0, least(most(x, y), z))                                                                  \
   H(v_minmax_f16, FLOATS, 0, most(least(x, y), z)) H(v_fma_f16, MILD, 1, fused16(x, y, z))                          \
   H(v_fma_legacy_f16, MILD, 1, fused16(x, y, z)) H(v_fmac_f16, MILD, 1, fused16(x, y, o))                           \
   H(v_fmamk_f16, MILD, 1, fused16(x, y, z)) H(v_fmaak_f16, MILD, 1, fused16(x, y, z))                               \
   H(v_mad_f16, MILD, 0, f16(bits16(x * y)) + z) H(v_mad_legacy_f16, MILD, 0, f16(bits16(x * y)) + z)                \
   H(v_mac_f16, MILD, 0, f16(bits16(x * y)) + o) H(v_madmk_f16, MILD, 0, f16(bits16(x * y)) + z)                     \
   H(v_madak_f16, MILD, 0, f16(bits16(x * y)) + z)                                                                   \
   H(v_trunc_f16, FLOATS, 0, trunc(x)) H(v_ceil_f16, FLOATS, 0, ceil(x)) H(v_floor_f16, FLOATS, 0, floor(x))         \
   H(v_rndne_f16, FLOATS, 0, nearest_even(x)) H(v_fract_f16, MILD, 0, fraction(x, 0x1.ffcp-1))                       \
   H(v_rcp_f16, MILD, 1, 1 / x) H(v_sqrt_f16, MILD, 1, sqrt(x)) H(v_rsq_f16, MILD, 1, 1 / sqrt(x))                   \
   H(v_log_f16, MILD, 1, log2(fabs(x) == x ? x : NAN)) H(v_exp_f16, MILD, 1, exp2(x))                                \
   H(v_sin_f16, MILD, 1, (out->slack = 1e-4, sine(x))) H(v_cos_f16, MILD, 1, (out->slack = 1e-4, cosine(x)))         \
   H(v_frexp_mant_f16, FLOATS, 0, mantissa(x)) H(v_ldexp_f16, FLOATS, 0, ldexp(x, s16(b)))                           \
   H(v_div_fixup_f16, MILD, 0, divided(x, y, z)) H(v_div_fixup_legacy_f16, MILD, 0, divided(x, y, z))                \
   ROW(v_dot2_f16_f16, MILD, 1, double p = f16(a) * f16(b), q = f16(a >> 16) * f16(b >> 16), r = f16(c);             \
       out->value = bits16(p + q + r); out->slack = (fabs(p) + fabs(q) + fabs(r)) * 0x1p-10)                         \
   PH(v_pk_add_f16, FLOATS, 0, x + y) PH(v_pk_mul_f16, FLOATS, 0, x *y) PH(v_pk_min_f16, FLOATS, 0, least(x, y))     \
   PH(v_pk_max_f16, FLOATS, 0, most(x, y)) PH(v_pk_fma_f16, MILD, 1, fused16(x, y, z))                               \
   PH(v_pk_fmac_f16, MILD, 1, fused16(x, y, o))                                                                      \
   F(v_fma_mix_f32, MILD, 0, fused(x, y, z)) F(v_mad_mix_f32, MILD, 0, rounded(x * y) + z)                   \
   ROW(v_fma_mixlo_f16, MILD, 0, out->value = bits16(fused(f32(a), f32(b), f32(c))))                                 \
   ROW(v_mad_mixlo_f16, MILD, 0, out->value = bits16((float)(rounded((double)f32(a) * f32(b)) + f32(c))))

ROWS

#undef ROW
#define ROW(name, input, ulps, ...) {AMD_OP_##name, ORACLE_##input, ulps, run_##name},
   const struct oracle_row oracle_vector_rows[] = {ROWS};
const unsigned oracle_num_vector_rows = ARRAY_SIZE(oracle_vector_rows);

/* What vector operations compute: one function an operation over 32 lanes, in loops that the compiler vectorises.
 * exec_compare.c has comparisons. Built twice (sim/wide.h).
 *
 * Accuracy: rcp, rsq, sqrt, log, exp are those of the host's libm or division, within 1 ulp, as documented for the
 * hardware; sin and cos take any number of revolutions: the range of +-256 that the manuals name is that of GFX8 and
 * older (LLVM: FeatureTrigReducedRange), and drivers for GFX9 and later rely on that. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "amd/sim/wave/exec_kernels.h"
#include "amd/sim/wave/exec_math.h"
#include "util/macros.h"

/* frexpf() by bits; 0 of what is 0 or not finite. Of wave_float_source(): where MODE makes denormals zeros, a
 * comparison with 0 is no help, since clang 19 takes it for a test of bits. */
static inline int32_t
frexp_exponent(float a)
{
   const uint32_t size = u(a) & 0x7fffffff;
   const int32_t of_denormal = -117 - __builtin_clz(size | 1), of_normal = (int32_t)(size >> 23) - 126;
   return !size || size >= 0x7f800000 ? 0 : size < 0x00800000 ? of_denormal : of_normal;
}

/* Itself if it is 0 or not finite. */
static inline float
frexp_mantissa(float a)
{
   const uint32_t size = u(a) & 0x7fffffff,
                  shifted = size < 0x00800000 ? size << (__builtin_clz(size | 1) - 8) : size;
   return !size || size >= 0x7f800000 ? a : f((u(a) & 0x80000000) | 0x3f000000 | (shifted & 0x007fffff));
}

/* Rows. */
/* clang-format off */

/* The result may lie where a source does: then lanes agree. Operations that only select multiply by `one`: MODE
 * flushes their denormals, too. */
#define K(name, ...)                                                                                                 \
   static void k_##name(struct lanes *x)                                                                             \
   {                                                                                                                 \
      const float one = wave_float_one();                                                                            \
      (void)one;                                                                                                     \
      do {                                                                                                           \
         const uint32_t *A = x->a, *B = x->b, *C = x->c;                                                             \
         uint32_t *D = x->d;                                                                                         \
         (void)A, (void)B, (void)C, (void)D;                                                                         \
         LOOP                                                                                                        \
         {                                                                                                           \
            __VA_ARGS__;                                                                                             \
         }                                                                                                           \
      } while (lanes_next(x));                                                                                       \
   }
#define KF(name, expr) K(name, float a = f(A[i]); D[i] = u(expr))
#define KF2(name, expr) K(name, float a = f(A[i]), b = f(B[i]); D[i] = u(expr))
#define KF3(name, expr) K(name, float a = f(A[i]), b = f(B[i]), c = f(C[i]); D[i] = u(expr))
#define KU(name, expr) K(name, uint32_t a = A[i]; D[i] = (uint32_t)(expr))
#define KU2(name, expr) K(name, uint32_t a = A[i], b = B[i]; D[i] = (uint32_t)(expr))
#define KU3(name, expr) K(name, uint32_t a = A[i], b = B[i], c = C[i]; D[i] = (uint32_t)(expr))
#define KI2(name, expr) K(name, int32_t a = (int32_t)A[i], b = (int32_t)B[i]; D[i] = (uint32_t)(expr))
#define KI3(name, expr)                                                                                              \
   K(name, int32_t a = (int32_t)A[i], b = (int32_t)B[i], c = (int32_t)C[i]; D[i] = (uint32_t)(expr))
#define KH(name, expr) K(name, float a = h(A[i]); D[i] = uh(expr))
#define KH2(name, expr) K(name, float a = h(A[i]), b = h(B[i]); D[i] = uh(expr))
#define KH3(name, expr) K(name, float a = h(A[i]), b = h(B[i]), c = h(C[i]); D[i] = uh(expr))
#define KS2(name, expr) K(name, int32_t a = (int16_t)A[i], b = (int16_t)B[i]; D[i] = (uint16_t)(expr))
#define KS3(name, expr)                                                                                              \
   K(name, int32_t a = (int16_t)A[i], b = (int16_t)B[i], c = (int16_t)C[i]; D[i] = (uint16_t)(expr))
#define KW2(name, expr) K(name, uint32_t a = (uint16_t)A[i], b = (uint16_t)B[i]; D[i] = (uint16_t)(expr))
#define KW3(name, expr)                                                                                              \
   K(name, uint32_t a = (uint16_t)A[i], b = (uint16_t)B[i], c = (uint16_t)C[i]; D[i] = (uint16_t)(expr))
/* 64 bits. */
#define PUT64(value)                                                                                                 \
   uint64_t r64 = (value);                                                                                           \
   D[i] = (uint32_t)r64;                                                                                             \
   x->d_hi[i] = (uint32_t)(r64 >> 32)
#define KD(name, expr) K(name, double a = DA; PUT64(double_bits(expr)))
#define KD2(name, expr) K(name, double a = DA, b = DB; PUT64(double_bits(expr)))
#define KD3(name, expr) K(name, double a = DA, b = DB, c = DC; PUT64(double_bits(expr)))

/* Sources of functions that may look at their bits: the host's instructions for rounding do not. */
#ifdef __SSE4_1__
#define ROUNDED(a) (a)
#define ROUNDED_64(a) (a)
#else
#define ROUNDED(a) wave_float_source(a)
#define ROUNDED_64(a) wave_double_source(a)
#endif

/* Minimum and maximum: a number wins over NaN, -0 is below +0. Denormals are left to the caller: from GFX9 on MODE
 * flushes them (LLVM: supportsMinMaxDenormModes()). Two that count as 0 are equal and have a sign in common. */
static inline float
fmin1(float a, float b)
{
   return a != a ? b : b != b ? a : a < b ? a : b < a ? b : f(u(a) | u(b));
}

static inline float
fmax1(float a, float b)
{
   return a != a ? b : b != b ? a : a > b ? a : b > a ? b : f(u(a) & u(b));
}

static inline double
dmin1(double a, double b)
{
   return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static inline double
dmax1(double a, double b)
{
   return a != a ? b : b != b ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

static inline float
fmed(float a, float b, float c)
{
   if (a != a || b != b || c != c)
      return fmin1(fmin1(a, b), c);
   return fmax1(fmin1(a, b), fmin1(fmax1(a, b), c));
}

/* sin and cos of revolutions: an angle of one turn. */
static inline double
turn(float a)
{
   return ((double)a - floor((double)a)) * 6.283185307179586;
}

static inline float legacy_mul(float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }
static inline float flush1(float a) { return fabsf(a) < 0x1p-126f ? copysignf(0.0f, a) : a; }
/* Denormals are flushed whatever MODE says: "RDNA 3.5" ISA, V_EXP_F32, V_LOG_F32, V_RCP_F32, V_RSQ_F32, V_SQRT_F32;
 * others measured that of V_RCP_IFLAG_F32, too. */
static inline float exp1(float a) { return flush1(exp2f(flush1(a))); }
static inline float log1(float a) { return log2f(flush1(a)); }
static inline float rcp1(float a) { return flush1(1.0f / flush1(a)); }
static inline float rsq1(float a) { return (float)(1.0 / sqrt((double)flush1(a))); }
static inline float sqrt1(float a) { return sqrtf(flush1(a)); }
/* Rounded twice; without denormals, whatever MODE says. RDNA ISA, V_MAD_F32. */
static inline float mad1(float a, float b, float c) { return flush1(flush1(flush1(a) * flush1(b)) + flush1(c)); }
static inline float legacy_mad(float a, float b, float c) { return a == 0 || b == 0 ? flush1(c) : mad1(a, b, c); }
static inline float fract1(float a) { float r = a - floorf(a); return r < 1.0f ? r : r != r ? r : 0x1.fffffep-1f; }
static inline float sin1(float a) { return (float)sin(turn(a)); }
static inline float cos1(float a) { return (float)cos(turn(a)); }
static inline uint32_t cvt_u32(double a) { return a != a || a <= 0 ? 0 : a >= 0x1p32 ? UINT32_MAX : (uint32_t)a; }
static inline int32_t
cvt_i32(double a)
{
   return a != a ? 0 : a <= INT32_MIN ? INT32_MIN : a >= INT32_MAX ? INT32_MAX : (int32_t)a;
}
static inline uint32_t cvt_u16(float a) { return a != a || a <= 0 ? 0 : a >= 65535 ? 65535 : (uint32_t)a; }
static inline int32_t cvt_i16(float a) { return a != a ? 0 : a <= -32768 ? -32768 : a >= 32767 ? 32767 : (int32_t)a; }

/* Of several sources that are NaN the first one becomes the result, the third one last (assumed). Of a sum and of a
 * product the compiler chooses, so it is told. jit_vector.c has the same instructions. */
#ifdef __AVX__
#define ORDERED2(name, text, expr)                                                                                   \
   static void k_##name(struct lanes *x)                                                                             \
   {                                                                                                                 \
      do {                                                                                                           \
         for (int i = 0; i < HALF; i += 8) {                                                                         \
            v8u r, a = lanes_load(x->a + i), b = lanes_load(x->b + i);                                               \
            __asm__(text " %2, %1, %0" : "=x"(r) : "x"(a), "xm"(b));                                                 \
            lanes_store(x->d + i, r);                                                                                \
         }                                                                                                           \
      } while (lanes_next(x));                                                                                       \
   }
#define ORDERED3(name, third, expr)                                                                                  \
   static void k_##name(struct lanes *x)                                                                             \
   {                                                                                                                 \
      do {                                                                                                           \
         for (int i = 0; i < HALF; i += 8) {                                                                         \
            v8u a = lanes_load(x->a + i), b = lanes_load(x->b + i), c = lanes_load(x->third + i);                    \
            __asm__("vfmadd231ps %2, %1, %0" : "+x"(c) : "x"(a), "xm"(b));                                           \
            lanes_store(x->d + i, c);                                                                                \
         }                                                                                                           \
      } while (lanes_next(x));                                                                                       \
   }
#else
#define ORDERED2(name, text, expr) KF2(name, expr)
#define ORDERED3(name, third, expr) K(name, float a = f(A[i]), b = f(B[i]), c = f(x->third[i]); D[i] = u(expr))
#endif
ORDERED2(add_f32, "vaddps", a + b)
KF2(sub_f32, a - b)
KF2(subrev_f32, b - a)
ORDERED2(mul_f32, "vmulps", a * b)
KF2(mul_legacy_f32, legacy_mul(a, b))
KF2(min_f32, one * fmin1(a, b))
KF2(max_f32, one * fmax1(a, b))
ORDERED3(fmac_f32, old, __builtin_fmaf(a, b, c))
K(fmac_legacy_f32, float p = f(A[i]), q = f(B[i]);
  D[i] = u(p == 0 || q == 0 ? one * f(x->old[i]) : __builtin_fmaf(p, q, f(x->old[i]))))
ORDERED3(fma_f32, c, __builtin_fmaf(a, b, c))
KF3(fma_legacy_f32, a == 0 || b == 0 ? one * c : __builtin_fmaf(a, b, c))
K(mac_f32, D[i] = u(mad1(f(A[i]), f(B[i]), f(x->old[i]))))
K(mac_legacy_f32, D[i] = u(legacy_mad(f(A[i]), f(B[i]), f(x->old[i]))))
KF3(mad_f32, mad1(a, b, c))
KF3(mad_legacy_f32, legacy_mad(a, b, c))
KF3(mullit_f32, b <= -FLT_MAX || b != b || !(c > 0) ? -FLT_MAX : legacy_mul(a, b))
KF3(min3_f32, one * fmin1(fmin1(a, b), c))
KF3(max3_f32, one * fmax1(fmax1(a, b), c))
KF3(med3_f32, one * fmed(a, b, c))
KF(fract_f32, fract1(ROUNDED(a)))
KF(trunc_f32, truncf(ROUNDED(a)))
KF(ceil_f32, ceilf(ROUNDED(a)))
/* To even, whatever MODE says. */
#ifdef __AVX__
static void
k_rndne_f32(struct lanes *x)
{
   do {
      for (int i = 0; i < HALF; i += 8)
         lanes_store(x->d + i, (v8u)_mm256_round_ps((__m256)lanes_load(x->a + i), _MM_FROUND_NINT));
   } while (lanes_next(x));
}
#else
KF(rndne_f32, __builtin_roundevenf(ROUNDED(a)))
#endif
KF(floor_f32, floorf(ROUNDED(a)))
#ifdef __AVX2__
/* Eight lanes at a time, but those of which the host's libm knows more. */
#define BY_EIGHT(name, function, ...)                                                                                \
   static void k_##name(struct lanes *x)                                                                             \
   {                                                                                                                 \
      const bool nearest = math_rounds_to_nearest();                                                                 \
      do {                                                                                                           \
         for (int i = 0; i < HALF; i += 8) {                                                                         \
            const v8u from = lanes_load(x->a + i);                                                                   \
            unsigned known = 0;                                                                                      \
            v8u to = from;                                                                                           \
            if (nearest)                                                                                             \
               to = (v8u)__VA_ARGS__;                                                                                \
            for (unsigned left = ~known & 255; left; left &= left - 1)                                               \
               to[__builtin_ctz(left)] = u(function(f(from[__builtin_ctz(left)])));                                  \
            lanes_store(x->d + i, to);                                                                               \
         }                                                                                                           \
      } while (lanes_next(x));                                                                                       \
   }
BY_EIGHT(exp_f32, exp1, math_exp2_lanes((__m256)from, &known))
BY_EIGHT(log_f32, log1, math_log2_lanes((__m256)from, &known))
BY_EIGHT(sin_f32, sin1, math_sin_lanes((__m256)from, 0, &known))
BY_EIGHT(cos_f32, cos1, math_sin_lanes((__m256)from, 1, &known))
#else
KF(exp_f32, exp1(a))
KF(log_f32, log1(a))
KF(sin_f32, sin1(a))
KF(cos_f32, cos1(a))
#endif
KF(rcp_f32, rcp1(a))
KF(rsq_f32, rsq1(a))
KF(sqrt_f32, sqrt1(a))
K(frexp_exp_i32_f32, D[i] = (uint32_t)frexp_exponent(wave_float_source(f(A[i]))))
KF(frexp_mant_f32, frexp_mantissa(wave_float_source(a)))
K(ldexp_f32, int32_t e = (int32_t)B[i]; e = e > 400 ? 400 : e < -400 ? -400 : e;
  D[i] = u(ldexpf(wave_float_source(f(A[i])), e)))
K(mov_b32, D[i] = A[i])
K(cndmask_b32, D[i] = x->carry_in >> i & 1 ? B[i] : A[i])
KU2(mul_i32_i24, (uint32_t)(((int64_t)((int32_t)(a << 8) >> 8)) * ((int32_t)(b << 8) >> 8)))
KU2(mul_hi_i32_i24, (uint32_t)((uint64_t)((int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8)) >> 32))
KU2(mul_u32_u24, (a & 0xffffff) * (b & 0xffffff))
KU2(mul_hi_u32_u24, (uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 32)
KU3(mad_i32_i24, (uint32_t)((int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8)) + c)
KU3(mad_u32_u24, (a & 0xffffff) * (b & 0xffffff) + c)
KI2(min_i32, a < b ? a : b)
KI2(max_i32, a > b ? a : b)
KU2(min_u32, a < b ? a : b)
KU2(max_u32, a > b ? a : b)
KU2(lshrrev_b32, b >> (a & 31))
KU2(ashrrev_i32, (int32_t)b >> (a & 31))
KU2(lshlrev_b32, b << (a & 31))
KU2(and_b32, a & b)
KU2(or_b32, a | b)
KU2(xor_b32, a ^ b)
KU2(xnor_b32, ~(a ^ b))
KU(not_b32, ~a)
static void
k_add_nc_u32(struct lanes *x)
{
   bool clamp = x->code->in.clamp;
   do {
      for (int i = 0; i < HALF; i++) {
         uint32_t r = x->a[i] + x->b[i];
         x->d[i] = clamp && r < x->a[i] ? UINT32_MAX : r;
      }
   } while (lanes_next(x));
}
static inline void
sub_u32(struct lanes *x, bool reversed)
{
   bool clamp = x->code->in.clamp;
   do {
      const uint32_t *a = reversed ? x->b : x->a, *b = reversed ? x->a : x->b;
      for (int i = 0; i < HALF; i++)
         x->d[i] = clamp && b[i] > a[i] ? 0 : a[i] - b[i];
   } while (lanes_next(x));
}
static void k_sub_nc_u32(struct lanes *x) { sub_u32(x, false); }
static void k_subrev_nc_u32(struct lanes *x) { sub_u32(x, true); }
static inline int32_t
sat32(int64_t v, bool clamp)
{
   return (int32_t)(clamp ? MAX2(MIN2(v, INT32_MAX), INT32_MIN) : v);
}
K(add_nc_i32, D[i] = (uint32_t)sat32((int64_t)(int32_t)A[i] + (int32_t)B[i], x->code->in.clamp))
K(sub_nc_i32, D[i] = (uint32_t)sat32((int64_t)(int32_t)A[i] - (int32_t)B[i], x->code->in.clamp))
/* Carries. */
static void
carry_op(struct lanes *x, const uint32_t *a, const uint32_t *b, bool subtract, uint32_t in)
{
   uint32_t out = 0;
   bool clamp = x->code->in.clamp;
   for (int i = 0; i < HALF; i++) {
      uint64_t c = in >> i & 1, r = subtract ? (uint64_t)a[i] - b[i] - c : (uint64_t)a[i] + b[i] + c;
      uint32_t carry = r >> 32 & 1;
      out |= carry << i;
      x->d[i] = clamp && carry ? (subtract ? 0 : UINT32_MAX) : (uint32_t)r;
   }
   x->mask = out;
}
static void k_add_co_u32(struct lanes *x) { carry_op(x, x->a, x->b, false, 0); }
static void k_sub_co_u32(struct lanes *x) { carry_op(x, x->a, x->b, true, 0); }
static void k_subrev_co_u32(struct lanes *x) { carry_op(x, x->b, x->a, true, 0); }
static void k_add_co_ci_u32(struct lanes *x) { carry_op(x, x->a, x->b, false, x->carry_in); }
static void k_sub_co_ci_u32(struct lanes *x) { carry_op(x, x->a, x->b, true, x->carry_in); }
static void k_subrev_co_ci_u32(struct lanes *x) { carry_op(x, x->b, x->a, true, x->carry_in); }

K(cvt_i32_f64, D[i] = (uint32_t)cvt_i32(trunc(DA)))
K(cvt_u32_f64, D[i] = cvt_u32(trunc(DA)))
K(cvt_f64_i32, PUT64(double_bits((double)(int32_t)A[i])))
K(cvt_f64_u32, PUT64(double_bits((double)A[i])))
K(cvt_f64_f32, PUT64(double_bits((double)f(A[i]))))
K(cvt_f32_f64, D[i] = u((float)DA))
K(cvt_f32_i32, D[i] = u((float)(int32_t)A[i]))
K(cvt_f32_u32, D[i] = u((float)A[i]))
K(cvt_u32_f32, D[i] = cvt_u32((double)f(A[i])))
K(cvt_i32_f32, D[i] = (uint32_t)cvt_i32((double)f(A[i])))
K(cvt_rpi_i32_f32, D[i] = (uint32_t)cvt_i32(floor((double)f(A[i]) + 0.5)))
K(cvt_flr_i32_f32, D[i] = (uint32_t)cvt_i32(floor((double)f(A[i]))))
K(cvt_off_f32_i4, D[i] = u((float)((int32_t)(A[i] << 28) >> 28) / 16.0f))
K(cvt_f16_f32, D[i] = uh(f(A[i])))
K(cvt_f32_f16, D[i] = u(h(A[i])))
K(cvt_f32_ubyte0, D[i] = u((float)(A[i] & 255)))
K(cvt_f32_ubyte1, D[i] = u((float)(A[i] >> 8 & 255)))
K(cvt_f32_ubyte2, D[i] = u((float)(A[i] >> 16 & 255)))
K(cvt_f32_ubyte3, D[i] = u((float)(A[i] >> 24)))
K(cvt_f16_u16, D[i] = uh((float)(uint16_t)A[i]))
K(cvt_f16_i16, D[i] = uh((float)(int16_t)A[i]))
K(cvt_u16_f16, D[i] = cvt_u16(h(A[i])))
K(cvt_i16_f16, D[i] = (uint16_t)cvt_i16(h(A[i])))
static inline uint32_t snorm16(float a) { return (uint16_t)(int16_t)rint(fmax1(fmin1(a, 1), -1) * 32767.0); }
static inline uint32_t unorm16(float a) { return (uint16_t)rint(fmax1(fmin1(a, 1), 0) * 65535.0); }
K(cvt_norm_i16_f16, D[i] = snorm16(h(A[i])))
K(cvt_norm_u16_f16, D[i] = unorm16(h(A[i])))
K(cvt_pknorm_i16_f16, D[i] = snorm16(h(A[i])) | snorm16(h(B[i])) << 16)
K(cvt_pknorm_u16_f16, D[i] = unorm16(h(A[i])) | unorm16(h(B[i])) << 16)
K(cvt_pknorm_i16_f32, D[i] = snorm16(f(A[i])) | snorm16(f(B[i])) << 16)
K(cvt_pknorm_u16_f32, D[i] = unorm16(f(A[i])) | unorm16(f(B[i])) << 16)
K(cvt_pk_u16_u32, D[i] = MIN2(A[i], 65535u) | MIN2(B[i], 65535u) << 16)
K(cvt_pk_i16_i32, D[i] = (uint16_t)MAX2(MIN2((int32_t)A[i], 32767), -32768) |
                         (uint32_t)(uint16_t)MAX2(MIN2((int32_t)B[i], 32767), -32768) << 16)
/* Of the result. */
static inline void
flush_halves(const struct lanes *x)
{
   for (int i = 0; i < HALF && x->flushes_halves; i++)
      x->d[i] = wave_flush_halves(x->d[i]);
}
#ifdef __F16C__
static void
k_cvt_pkrtz_f16_f32(struct lanes *x)
{
   do {
      for (int i = 0; i < HALF; i += 8) {
         const __m128i low = _mm256_cvtps_ph((__m256)lanes_load(x->a + i), _MM_FROUND_TO_ZERO);
         const __m128i high = _mm256_cvtps_ph((__m256)lanes_load(x->b + i), _MM_FROUND_TO_ZERO);
         lanes_store(x->d + i, (v8u)_mm256_cvtepu16_epi32(low) | (v8u)_mm256_cvtepu16_epi32(high) << 16);
      }
      flush_halves(x);
   } while (lanes_next(x));
}
#else
/* Toward zero. */
static inline uint32_t
half_rtz(float v)
{
   uint32_t bits = u(v), sign = bits >> 16 & 0x8000, e = bits >> 23 & 255, m = bits & 0x7fffff;
   uint32_t special = 0x7c00 | (m ? 0x200 | m >> 13 : 0), normal = (e - 112) << 10 | m >> 13;
   uint32_t small = (m | 0x800000) >> MIN2(126 - MIN2(e, 126), 31);
   return sign | (e == 255 ? special : e >= 143 ? 0x7bff : e >= 113 ? normal : small);
}
static void
k_cvt_pkrtz_f16_f32(struct lanes *x)
{
   do {
      for (int i = 0; i < HALF; i++)
         x->d[i] = half_rtz(f(x->a[i])) | half_rtz(f(x->b[i])) << 16;
      flush_halves(x);
   } while (lanes_next(x));
}
#endif
K(cvt_pk_u8_f32, uint32_t s = 8 * (B[i] & 3), v = (uint32_t)fmax1(fmin1(__builtin_rintf(f(A[i])), 255), 0);
  D[i] = (C[i] & ~(255u << s)) | v << s)
K(cvt_pkaccum_u8_f32, uint32_t s = 8 * (B[i] & 3), v = (uint32_t)fmax1(fmin1(__builtin_rintf(f(A[i])), 255), 0);
  D[i] = (x->old[i] & ~(255u << s)) | v << s)
K(pack_b32_f16, D[i] = (A[i] & 0xffff) | B[i] << 16)
K(sat_pk_u8_i16, int16_t lo = (int16_t)A[i], hi = (int16_t)(A[i] >> 16);
  D[i] = (uint32_t)MAX2(MIN2(lo, 255), 0) | (uint32_t)MAX2(MIN2(hi, 255), 0) << 8)

static inline uint32_t rev32(uint32_t a)
{
   a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
   a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
   a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
   return __builtin_bswap32(a);
}
KU(bfrev_b32, rev32(a))
KU(ffbh_u32, a ? (uint32_t)__builtin_clz(a) : UINT32_MAX)
KU(ffbl_b32, a ? (uint32_t)__builtin_ctz(a) : UINT32_MAX)
KU(ffbh_i32, a == 0 || a == UINT32_MAX ? UINT32_MAX : (uint32_t)__builtin_clz((int32_t)a < 0 ? ~a : a))
KU2(bfm_b32, ((1u << (a & 31)) - 1) << (b & 31))
KU2(bcnt_u32_b32, (uint32_t)__builtin_popcount(a) + b)
KU2(mul_lo_u32, a *b)
KU2(mul_hi_u32, (uint64_t)a * b >> 32)
KU2(mul_hi_i32, (uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32)
KU3(bfe_u32, (c & 31) ? (a >> (b & 31)) & ((1u << (c & 31)) - 1) : 0)
static inline uint32_t
bfe_signed(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t offset = b & 31, width = c & 31, v = a >> offset;
   if (!width)
      return 0;
   if (offset + width >= 32)
      return (uint32_t)((int32_t)a >> offset);
   return (uint32_t)((int32_t)(v << (32 - width)) >> (32 - width));
}
KU3(bfe_i32, bfe_signed(a, b, c))
KU3(bfi_b32, (a & b) | (~a & c))
static inline uint32_t
lerp8(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t r = 0;
   for (int k = 0; k < 32; k += 8)
      r |= ((a >> k & 255) + (b >> k & 255) + (c >> k & 1)) >> 1 << k;
   return r;
}
KU3(lerp_u8, lerp8(a, b, c))
KU3(alignbit_b32, (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)))
KU3(alignbyte_b32, (uint32_t)(((uint64_t)a << 32 | b) >> 8 * (c & 3)))
KI3(min3_i32, MIN2(MIN2(a, b), c))
KU3(min3_u32, MIN2(MIN2(a, b), c))
KI3(max3_i32, MAX2(MAX2(a, b), c))
KU3(max3_u32, MAX2(MAX2(a, b), c))
KI3(med3_i32, MAX2(MIN2(a, b), MIN2(MAX2(a, b), c)))
KU3(med3_u32, MAX2(MIN2(a, b), MIN2(MAX2(a, b), c)))
static inline uint32_t adiff(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }
static inline uint32_t sad8(uint32_t a, uint32_t b)
{
   return adiff(a & 255, b & 255) + adiff(a >> 8 & 255, b >> 8 & 255) + adiff(a >> 16 & 255, b >> 16 & 255) +
          adiff(a >> 24, b >> 24);
}
KU3(sad_u8, sad8(a, b) + c)
KU3(sad_hi_u8, (sad8(a, b) << 16) + c)
KU3(sad_u16, adiff(a & 0xffff, b & 0xffff) + adiff(a >> 16, b >> 16) + c)
KU3(sad_u32, adiff(a, b) + c)
static inline uint32_t
masked_sad8(uint32_t a, uint32_t b)
{
   uint32_t r = 0;
   for (int k = 0; k < 32; k += 8)
      r += b >> k & 255 ? adiff(a >> k & 255, b >> k & 255) : 0;
   return r;
}
KU3(msad_u8, masked_sad8(a, b) + c)
KU3(xor3_b32, a ^ b ^ c)
KU3(xad_u32, (a ^ b) + c)
KU3(lshl_add_u32, (a << (b & 31)) + c)
KU3(add_lshl_u32, (a + b) << (c & 31))
KU3(add3_u32, a + b + c)
KU3(lshl_or_b32, (a << (b & 31)) | c)
KU3(and_or_b32, (a & b) | c)
KU3(or3_b32, a | b | c)
KU3(mad_u32_u16, (a & 0xffff) * (b & 0xffff) + c)
KU3(mad_i32_i16, (uint32_t)((int32_t)(int16_t)a * (int16_t)b) + c)
static inline uint32_t
perm1(uint32_t a, uint32_t b, uint32_t sel)
{
   uint64_t data = (uint64_t)a << 32 | b;
   uint32_t r = 0;
   for (unsigned k = 0; k < 4; k++) {
      unsigned s = sel >> 8 * k & 255;
      uint32_t v = 255;
      if (s < 8)
         v = data >> 8 * s & 255;
      else if (s < 12)
         v = data >> (16 * (s - 8) + 15) & 1 ? 255 : 0;
      else if (s == 12)
         v = 0;
      r |= v << 8 * k;
   }
   return r;
}
KU3(perm_b32, perm1(a, b, c))

/* Cube faces (RDNA 2 ISA, v_cube*): ties prefer z, then y. */
static inline int cube_major(float a, float b, float c)
{
   float x = fabsf(a), y = fabsf(b), z = fabsf(c);
   return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}
KF3(cubeid_f32, ({ int m = cube_major(a, b, c); float v = m == 2 ? c : m == 1 ? b : a; (float)(2 * m + (v < 0)); }))
KF3(cubesc_f32, one * ({ int m = cube_major(a, b, c); m == 2 ? (c < 0 ? -a : a) : m == 1 ? a : (a < 0 ? c : -c); }))
KF3(cubetc_f32, one * ({ int m = cube_major(a, b, c); m == 1 ? (b < 0 ? -c : c) : -b; }))
KF3(cubema_f32, ({ int m = cube_major(a, b, c); 2 * (m == 2 ? c : m == 1 ? b : a); }))

/* A quotient that came to nothing on its way is too large (observed, by others on hardware: tinygrad's emulator). */
static inline float
div_fixup1(float q, float den, float num)
{
   bool sign = signbit(den) != signbit(num);
   if (num != num)
      return num;
   if (den != den)
      return den;
   if ((num == 0 && den == 0) || (isinf(num) && isinf(den)))
      return f(0xffc00000);
   if (den == 0 || isinf(num))
      return sign ? -INFINITY : INFINITY;
   if (isinf(den) || num == 0)
      return sign ? -0.0f : 0.0f;
   q = q != q ? INFINITY : fabsf(q);
   return sign ? -q : q;
}
KF3(div_fixup_f32, one * div_fixup1(a, b, c))
KH3(div_fixup_f16, div_fixup1(a, b, c))
static inline double
div_fixup2(double q, double den, double num)
{
   bool sign = signbit(den) != signbit(num);
   if (num != num)
      return num;
   if (den != den)
      return den;
   if ((num == 0 && den == 0) || (isinf(num) && isinf(den)))
      return -NAN;
   if (den == 0 || isinf(num))
      return sign ? -(double)INFINITY : (double)INFINITY;
   if (isinf(den) || num == 0)
      return sign ? -0.0 : 0.0;
   q = q != q ? (double)INFINITY : fabs(q);
   return sign ? -q : q;
}
KD3(div_fixup_f64, (double)one * div_fixup2(a, b, c))

KD2(add_f64, a + b)
KD2(mul_f64, a * b)
KD2(min_f64, (double)one * dmin1(a, b))
KD2(max_f64, (double)one * dmax1(a, b))
KD3(fma_f64, __builtin_fma(a, b, c))
K(ldexp_f64, int32_t e = (int32_t)B[i]; e = e > 4000 ? 4000 : e < -4000 ? -4000 : e;
  PUT64(double_bits(ldexp(wave_double_source(DA), e))))
KD(trunc_f64, trunc(ROUNDED_64(a)))
KD(ceil_f64, ceil(ROUNDED_64(a)))
KD(rndne_f64, __builtin_roundeven(ROUNDED_64(a)))
KD(floor_f64, floor(ROUNDED_64(a)))
KD(rcp_f64, 1.0 / a)
KD(rsq_f64, 1.0 / sqrt(a))
KD(sqrt_f64, sqrt(a))
KD(fract_f64, ({ double r = a - floor(ROUNDED_64(a)); r < 1.0 ? r : r != r ? r : 0x1.fffffffffffffp-1; }))
K(frexp_exp_i32_f64, int e = 0; double a = DA; if (isfinite(a) && a != 0) frexp(a, &e); D[i] = (uint32_t)e)
KD(frexp_mant_f64, isfinite(a) && a != 0 ? frexp(a, &(int){0}) : (double)one * a)
K(lshlrev_b64, PUT64(B64 << (A[i] & 63)))
K(lshrrev_b64, PUT64(B64 >> (A[i] & 63)))
K(ashrrev_i64, PUT64((uint64_t)((int64_t)B64 >> (A[i] & 63))))
static void
k_mad_u64_u32(struct lanes *x)
{
   x->mask = 0;
   for (int i = 0; i < HALF; i++) {
      uint64_t p = (uint64_t)x->a[i] * x->b[i], c = x->c[i] | (uint64_t)x->c_hi[i] << 32, r = p + c;
      x->mask |= (uint32_t)(r < p) << i;
      x->d[i] = (uint32_t)r;
      x->d_hi[i] = (uint32_t)(r >> 32);
   }
}
/* The mask is bit 64 of the sum ("RDNA 3.5" ISA). */
static void
k_mad_i64_i32(struct lanes *x)
{
   x->mask = 0;
   for (int i = 0; i < HALF; i++) {
      int64_t p = (int64_t)(int32_t)x->a[i] * (int32_t)x->b[i], r;
      int64_t c = (int64_t)(x->c[i] | (uint64_t)x->c_hi[i] << 32);
      bool over = __builtin_add_overflow(p, c, &r);
      x->mask |= (uint32_t)(over != (r < 0)) << i;
      x->d[i] = (uint32_t)r;
      x->d_hi[i] = (uint32_t)((uint64_t)r >> 32);
   }
}

KH2(add_f16, a + b)
KH2(sub_f16, a - b)
KH2(subrev_f16, b - a)
KH2(mul_f16, a *b)
KH2(min_f16, fmin1(a, b))
KH2(max_f16, fmax1(a, b))
/* The product is exact in double; only sums that span more than 53 bits round twice. */
static inline uint32_t
fma16(float a, float b, float c)
{
   _Float16 n = (_Float16)((double)a * b + c);
   uint16_t bits;
   memcpy(&bits, &n, 2);
   return bits;
}
K(fma_f16, D[i] = fma16(h(A[i]), h(B[i]), h(C[i])))
/* The product is rounded before the sum. */
KH3(mad_f16, h(uh(a *b)) + c)
K(mac_f16, D[i] = uh(h(uh(h(A[i]) * h(B[i]))) + h(x->old[i])))
K(fmac_f16, D[i] = fma16(h(A[i]), h(B[i]), h(x->old[i])))
KH3(min3_f16, fmin1(fmin1(a, b), c))
KH3(max3_f16, fmax1(fmax1(a, b), c))
KH3(med3_f16, fmed(a, b, c))
KH(rcp_f16, 1.0f / a)
KH(sqrt_f16, sqrtf(a))
KH(rsq_f16, (float)(1.0 / sqrt((double)a)))
KH(log_f16, log2f(a))
KH(exp_f16, exp2f(a))
KH(floor_f16, floorf(a))
KH(ceil_f16, ceilf(a))
KH(trunc_f16, truncf(a))
KH(rndne_f16, __builtin_roundevenf(a))
KH(fract_f16, ({ float r = a - floorf(a); r > 0x1.ffcp-1f ? 0x1.ffcp-1f : r; }))
KH(sin_f16, sin1(a))
KH(cos_f16, cos1(a))
K(frexp_exp_i16_f16, D[i] = (uint16_t)frexp_exponent(h(A[i])))
KH(frexp_mant_f16, frexp_mantissa(a))
K(ldexp_f16, D[i] = uh(ldexpf(h(A[i]), (int16_t)B[i])))
static inline uint32_t clamp_u16(int64_t v, bool c) { return (uint16_t)(c ? MAX2(MIN2(v, 65535), 0) : v); }
static inline uint32_t clamp_i16(int64_t v, bool c) { return (uint16_t)(c ? MAX2(MIN2(v, 32767), -32768) : v); }
#define CL x->code->in.clamp
K(add_nc_u16, D[i] = clamp_u16((int64_t)(uint16_t)A[i] + (uint16_t)B[i], CL))
K(sub_nc_u16, D[i] = clamp_u16((int64_t)(uint16_t)A[i] - (uint16_t)B[i], CL))
K(subrev_u16, D[i] = clamp_u16((int64_t)(uint16_t)B[i] - (uint16_t)A[i], CL))
K(add_nc_i16, D[i] = clamp_i16((int64_t)(int16_t)A[i] + (int16_t)B[i], CL))
K(sub_nc_i16, D[i] = clamp_i16((int64_t)(int16_t)A[i] - (int16_t)B[i], CL))
K(mad_u16, D[i] = clamp_u16((int64_t)(uint16_t)A[i] * (uint16_t)B[i] + (uint16_t)C[i], CL))
K(mad_i16, D[i] = clamp_i16((int64_t)(int16_t)A[i] * (int16_t)B[i] + (int16_t)C[i], CL))
KW2(mul_lo_u16, a *b)
KW2(lshrrev_b16, b >> (a & 15))
KS2(ashrrev_i16, b >> (a & 15))
KW2(lshlrev_b16, b << (a & 15))
KW2(max_u16, MAX2(a, b))
KS2(max_i16, MAX2(a, b))
KW2(min_u16, MIN2(a, b))
KS2(min_i16, MIN2(a, b))
KS3(min3_i16, MIN2(MIN2(a, b), c))
KW3(min3_u16, MIN2(MIN2(a, b), c))
KS3(max3_i16, MAX2(MAX2(a, b), c))
KW3(max3_u16, MAX2(MAX2(a, b), c))
KS3(med3_i16, MAX2(MIN2(a, b), MIN2(MAX2(a, b), c)))
KW3(med3_u16, MAX2(MIN2(a, b), MIN2(MAX2(a, b), c)))

/* Dot products; the packed ones read whole dwords. */
/* Single precision without denormals, whatever MODE says (LLVM: performFMACombine() of SIISelLowering.cpp). */
static inline float
dot2(uint32_t a, uint32_t b, float c)
{
   return flush1(h(a) * h(b) + h(a >> 16) * h(b >> 16) + flush1(c));
}
K(dot2_f32_f16, D[i] = u(dot2(A[i], B[i], f(C[i]))))
K(dot2c_f32_f16, D[i] = u(dot2(A[i], B[i], f(x->old[i]))))
/* Bit n of signs: source n has signs. */
static inline int64_t
dot_of(uint32_t a, uint32_t b, unsigned bits, unsigned signs)
{
   int64_t sum = 0;
   for (unsigned k = 0; k < 32; k += bits) {
      const uint32_t p = a << (32 - bits - k), q = b << (32 - bits - k);
      const int64_t m = signs & 1 ? (int32_t)p >> (32 - bits) : (int64_t)(p >> (32 - bits));
      sum += m * (signs & 2 ? (int32_t)q >> (32 - bits) : (int64_t)(q >> (32 - bits)));
   }
   return sum;
}
/* CLAMP keeps the whole sum within its type (LLVM: llvm.amdgcn.sdot4 and its like). */
static inline uint32_t
satu32(int64_t v, bool clamp)
{
   return (uint32_t)(clamp ? MAX2(MIN2(v, UINT32_MAX), 0) : v);
}
#define DOT(name, bits, signs, init)                                                                                 \
   K(name, D[i] = (uint32_t)sat32((int32_t)(init) + dot_of(A[i], B[i], bits, signs), CL))
#define UDOT(name, bits) K(name, D[i] = satu32(C[i] + dot_of(A[i], B[i], bits, 0), CL))
DOT(dot2_i32_i16, 16, 3, C[i])
UDOT(dot2_u32_u16, 16)
DOT(dot4_i32_i8, 8, 3, C[i])
UDOT(dot4_u32_u8, 8)
DOT(dot8_i32_i4, 4, 3, C[i])
UDOT(dot8_u32_u4, 4)
DOT(dot4c_i32_i8, 8, 3, x->old[i])
/* GFX11: neg says which sources have signs. */
DOT(dot4_i32_iu8, 8, x->code->in.neg, C[i])
DOT(dot8_i32_iu4, 4, x->code->in.neg, C[i])

/* GFX11. */
KF3(maxmin_f32, one * fmin1(fmax1(a, b), c))
KF3(minmax_f32, one * fmax1(fmin1(a, b), c))
KH3(maxmin_f16, fmin1(fmax1(a, b), c))
KH3(minmax_f16, fmax1(fmin1(a, b), c))
KU3(maxmin_u32, MIN2(MAX2(a, b), c))
KU3(minmax_u32, MAX2(MIN2(a, b), c))
KI3(maxmin_i32, MIN2(MAX2(a, b), c))
KI3(minmax_i32, MAX2(MIN2(a, b), c))
K(cvt_i32_i16, D[i] = (uint32_t)(int32_t)(int16_t)A[i])
K(cvt_u32_u16, D[i] = (uint16_t)A[i])
KW2(and_b16, a & b)
KW2(or_b16, a | b)
KW2(xor_b16, a ^ b)
K(not_b16, D[i] = ~A[i] & 0xffff)
K(cvt_pk_i16_f32, D[i] = (uint16_t)MAX2(MIN2(cvt_i32((double)f(A[i])), 32767), -32768) |
                         (uint32_t)(uint16_t)MAX2(MIN2(cvt_i32((double)f(B[i])), 32767), -32768) << 16)
K(cvt_pk_u16_f32, D[i] = MIN2(cvt_u32((double)f(A[i])), 65535u) | MIN2(cvt_u32((double)f(B[i])), 65535u) << 16)
/* Upper halves of floats; the order of the sums is assumed. */
static inline float bf(uint32_t bits) { return f(bits << 16); }
static inline uint32_t
ubf(float v)
{
   return v != v ? 0x7fc0 : (u(v) + 0x7fff + (u(v) >> 16 & 1)) >> 16;
}
K(dot2_f32_bf16, D[i] = u(bf(A[i]) * bf(B[i]) + bf(A[i] >> 16) * bf(B[i] >> 16) + f(C[i])))
K(dot2_bf16_bf16, D[i] = ubf(bf(A[i]) * bf(B[i]) + bf(A[i] >> 16) * bf(B[i] >> 16) + bf(C[i])))
K(dot2_f16_f16, D[i] = uh(h(A[i]) * h(B[i]) + h(A[i] >> 16) * h(B[i] >> 16) + h(C[i])))

#define ROW(name) [AMD_OP_v_##name] = k_##name,
#define PACKED(pk, plain) [AMD_OP_v_pk_##pk] = k_##plain,

static const kernel_fn kernels[AMD_OP_COUNT] = {
   ROW(add_f32) ROW(sub_f32) ROW(subrev_f32) ROW(mul_f32) ROW(mul_legacy_f32) ROW(min_f32) ROW(max_f32)
   ROW(fmac_f32) ROW(fmac_legacy_f32) ROW(fma_f32) ROW(fma_legacy_f32) ROW(min3_f32) ROW(max3_f32) ROW(med3_f32)
   ROW(mullit_f32) ROW(mac_f32) ROW(mac_legacy_f32) ROW(mad_f32) ROW(mad_legacy_f32)
   ROW(fract_f32) ROW(trunc_f32) ROW(ceil_f32) ROW(rndne_f32) ROW(floor_f32) ROW(exp_f32) ROW(log_f32) ROW(rcp_f32)
   ROW(rsq_f32) ROW(sqrt_f32) ROW(sin_f32) ROW(cos_f32) ROW(frexp_exp_i32_f32) ROW(frexp_mant_f32) ROW(ldexp_f32)
   ROW(mov_b32) ROW(cndmask_b32) ROW(mul_i32_i24) ROW(mul_hi_i32_i24) ROW(mul_u32_u24) ROW(mul_hi_u32_u24)
   ROW(mad_i32_i24) ROW(mad_u32_u24) ROW(min_i32) ROW(max_i32) ROW(min_u32) ROW(max_u32) ROW(lshrrev_b32)
   ROW(ashrrev_i32) ROW(lshlrev_b32) ROW(and_b32) ROW(or_b32) ROW(xor_b32) ROW(xnor_b32) ROW(not_b32)
   ROW(add_nc_i32) ROW(sub_nc_i32) ROW(cvt_i32_f64) ROW(cvt_u32_f64) ROW(cvt_f64_i32) ROW(cvt_f64_u32)
   ROW(cvt_f64_f32) ROW(cvt_f32_f64) ROW(cvt_f32_i32) ROW(cvt_f32_u32) ROW(cvt_u32_f32) ROW(cvt_i32_f32)
   ROW(cvt_rpi_i32_f32) ROW(cvt_flr_i32_f32) ROW(cvt_off_f32_i4) ROW(cvt_f16_f32) ROW(cvt_f32_f16)
   ROW(cvt_f32_ubyte0) ROW(cvt_f32_ubyte1) ROW(cvt_f32_ubyte2) ROW(cvt_f32_ubyte3) ROW(cvt_f16_u16) ROW(cvt_f16_i16)
   ROW(cvt_u16_f16) ROW(cvt_i16_f16) ROW(cvt_norm_i16_f16) ROW(cvt_norm_u16_f16) ROW(cvt_pknorm_i16_f16)
   ROW(cvt_pknorm_u16_f16) ROW(cvt_pknorm_i16_f32) ROW(cvt_pknorm_u16_f32) ROW(cvt_pk_u16_u32) ROW(cvt_pk_i16_i32)
   ROW(cvt_pkrtz_f16_f32) ROW(cvt_pk_u8_f32) ROW(pack_b32_f16) ROW(sat_pk_u8_i16) ROW(bfrev_b32) ROW(ffbh_u32)
   ROW(ffbl_b32) ROW(ffbh_i32) ROW(bfm_b32) ROW(bcnt_u32_b32) ROW(mul_lo_u32) ROW(mul_hi_u32) ROW(mul_hi_i32)
   ROW(bfe_u32) ROW(bfe_i32) ROW(bfi_b32) ROW(lerp_u8) ROW(alignbit_b32) ROW(alignbyte_b32) ROW(min3_i32)
   ROW(min3_u32) ROW(max3_i32) ROW(max3_u32) ROW(med3_i32) ROW(med3_u32) ROW(sad_u8) ROW(sad_hi_u8) ROW(sad_u16)
   ROW(sad_u32) ROW(msad_u8) ROW(xor3_b32) ROW(xad_u32) ROW(lshl_add_u32) ROW(add_lshl_u32) ROW(add3_u32)
   ROW(lshl_or_b32) ROW(and_or_b32) ROW(or3_b32) ROW(mad_u32_u16) ROW(mad_i32_i16) ROW(perm_b32) ROW(cubeid_f32)
   ROW(cubesc_f32) ROW(cubetc_f32) ROW(cubema_f32) ROW(div_fixup_f32) ROW(div_fixup_f16) ROW(div_fixup_f64)
   ROW(add_f64) ROW(mul_f64) ROW(min_f64) ROW(max_f64) ROW(fma_f64) ROW(ldexp_f64) ROW(trunc_f64) ROW(ceil_f64)
   ROW(rndne_f64) ROW(floor_f64) ROW(rcp_f64) ROW(rsq_f64) ROW(sqrt_f64) ROW(fract_f64) ROW(frexp_exp_i32_f64)
   ROW(frexp_mant_f64) ROW(lshlrev_b64) ROW(lshrrev_b64) ROW(ashrrev_i64) ROW(add_f16) ROW(sub_f16) ROW(subrev_f16)
   ROW(mul_f16) ROW(min_f16) ROW(max_f16) ROW(fma_f16) ROW(fmac_f16) ROW(min3_f16) ROW(max3_f16) ROW(med3_f16)
   ROW(rcp_f16) ROW(sqrt_f16) ROW(rsq_f16) ROW(log_f16) ROW(exp_f16) ROW(floor_f16) ROW(ceil_f16) ROW(trunc_f16)
   ROW(rndne_f16) ROW(fract_f16) ROW(sin_f16) ROW(cos_f16) ROW(frexp_exp_i16_f16) ROW(frexp_mant_f16) ROW(ldexp_f16)
   ROW(add_nc_u16) ROW(sub_nc_u16) ROW(add_nc_i16) ROW(sub_nc_i16) ROW(mad_u16) ROW(mad_i16) ROW(mul_lo_u16)
   ROW(lshrrev_b16) ROW(ashrrev_i16) ROW(lshlrev_b16) ROW(max_u16) ROW(max_i16) ROW(min_u16) ROW(min_i16)
   ROW(min3_i16) ROW(min3_u16) ROW(max3_i16) ROW(max3_u16) ROW(med3_i16) ROW(med3_u16) ROW(dot2_f32_f16)
   ROW(dot2c_f32_f16) ROW(dot2_i32_i16) ROW(dot2_u32_u16) ROW(dot4_i32_i8) ROW(dot4_u32_u8) ROW(dot8_i32_i4)
   ROW(dot8_u32_u4) ROW(dot4c_i32_i8) ROW(add_nc_u32) ROW(sub_nc_u32) ROW(subrev_nc_u32) ROW(add_co_u32)
   ROW(sub_co_u32) ROW(subrev_co_u32) ROW(add_co_ci_u32) ROW(sub_co_ci_u32) ROW(subrev_co_ci_u32) ROW(mad_u64_u32)
   ROW(mad_i64_i32)
   ROW(dot4_i32_iu8) ROW(dot8_i32_iu4) ROW(maxmin_f32) ROW(minmax_f32) ROW(maxmin_f16) ROW(minmax_f16)
   ROW(maxmin_u32) ROW(minmax_u32) ROW(maxmin_i32) ROW(minmax_i32) ROW(cvt_i32_i16) ROW(cvt_u32_u16) ROW(and_b16)
   ROW(or_b16) ROW(xor_b16) ROW(not_b16) ROW(cvt_pk_i16_f32) ROW(cvt_pk_u16_f32) ROW(dot2_f16_f16)
   ROW(dot2_f32_bf16) ROW(dot2_bf16_bf16)
   [AMD_OP_v_mov_b16] = k_mov_b32, [AMD_OP_v_cndmask_b16] = k_cndmask_b32,
   [AMD_OP_v_rcp_iflag_f32] = k_rcp_f32,
   [AMD_OP_v_madmk_f32] = k_mad_f32, [AMD_OP_v_madak_f32] = k_mad_f32, [AMD_OP_v_mul_lo_i32] = k_mul_lo_u32,
   [AMD_OP_v_fmamk_f32] = k_fma_f32, [AMD_OP_v_fmaak_f32] = k_fma_f32,
   [AMD_OP_v_fmamk_f16] = k_fma_f16, [AMD_OP_v_fmaak_f16] = k_fma_f16,
   [AMD_OP_v_fma_mix_f32] = k_fma_f32, [AMD_OP_v_fma_mixlo_f16] = k_fma_f32, [AMD_OP_v_fma_mixhi_f16] = k_fma_f32,
   ROW(mad_f16) ROW(mac_f16) ROW(subrev_u16) ROW(cvt_pkaccum_u8_f32)
   [AMD_OP_v_madmk_f16] = k_mad_f16, [AMD_OP_v_madak_f16] = k_mad_f16, [AMD_OP_v_mad_legacy_f16] = k_mad_f16,
   [AMD_OP_v_fma_legacy_f16] = k_fma_f16, [AMD_OP_v_div_fixup_legacy_f16] = k_div_fixup_f16,
   [AMD_OP_v_mad_legacy_u16] = k_mad_u16, [AMD_OP_v_mad_legacy_i16] = k_mad_i16,
   [AMD_OP_v_exp_legacy_f32] = k_exp_f32, [AMD_OP_v_log_legacy_f32] = k_log_f32,
   [AMD_OP_v_mad_mix_f32] = k_mad_f32, [AMD_OP_v_mad_mixlo_f16] = k_mad_f32, [AMD_OP_v_mad_mixhi_f16] = k_mad_f32,
   PACKED(mad_i16, mad_i16) PACKED(mul_lo_u16, mul_lo_u16) PACKED(add_i16, add_nc_i16) PACKED(sub_i16, sub_nc_i16)
   PACKED(lshlrev_b16, lshlrev_b16) PACKED(lshrrev_b16, lshrrev_b16) PACKED(ashrrev_i16, ashrrev_i16)
   PACKED(max_i16, max_i16) PACKED(min_i16, min_i16) PACKED(mad_u16, mad_u16) PACKED(add_u16, add_nc_u16)
   PACKED(sub_u16, sub_nc_u16) PACKED(max_u16, max_u16) PACKED(min_u16, min_u16) PACKED(fma_f16, fma_f16)
   PACKED(add_f16, add_f16) PACKED(mul_f16, mul_f16) PACKED(min_f16, min_f16) PACKED(max_f16, max_f16)
   PACKED(fmac_f16, fmac_f16)
};

kernel_fn
WIDE(exec_kernel)(enum amd_op op)
{
   return kernels[op] ? kernels[op] : WIDE(exec_compare_kernel)(op);
}

/* exp2, log2, sin and cos of eight lanes at once, with the bytes that the host's libm gives: computed with more
 * digits than a float has, and left to libm where these do not tell how it rounds. For files that are built for AVX2.
 */
#ifndef INDIUM_AMD_SIM_EXEC_MATH_H
#define INDIUM_AMD_SIM_EXEC_MATH_H

#ifdef __AVX2__
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

/* How far libm's result may be from the exact one beyond half a unit of the last place, and more than that: relative
 * to it, and for log2 as it is. With glibc 2.36 none of every 31st float gives another result. */
#define MATH_MARGIN 3e-10
#define MATH_LOG_MARGIN 4e-9

static inline __m256d
math_number(double v)
{
   return _mm256_set1_pd(v);
}

/* c[0] + x * (c[1] + x * ...) */
static inline __m256d
math_polynomial(__m256d x, const double *c, unsigned count)
{
   __m256d sum = math_number(c[count - 1]);
   for (unsigned i = count - 1; i-- > 0;)
      sum = _mm256_fmadd_pd(sum, x, math_number(c[i]));
   return sum;
}

/* Of what lies between -126 and 126: 2^n times the series of e^(r ln 2), r up to 1/2. */
static inline __m256d
math_exp2(__m256d x)
{
   static const double series[] = {1,
                                   0.69314718055994530942,
                                   0.24022650695910071233,
                                   0.055504108664821579953,
                                   0.0096181291076284771620,
                                   0.0013333558146428443423,
                                   0.00015403530393381609954,
                                   1.5252733804059840280e-05,
                                   1.3215486790144309488e-06,
                                   1.0178086009239699728e-07,
                                   7.0549116208011233299e-09};
   const __m256d n = _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
   const __m256d of_rest = math_polynomial(_mm256_sub_pd(x, n), series, 11);
   const __m256i whole = _mm256_castpd_si256(_mm256_add_pd(n, math_number(0x1.8p52)));
   return _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(of_rest), _mm256_slli_epi64(whole, 52)));
}

/* Of positive normal floats: the exponent, and 2 atanh(s) / ln 2 of s = (m - 1) / (m + 1), m from sqrt(1/2) on. */
static inline __m256d
math_log2(__m256d x)
{
   enum { MANTISSA_BITS = 52 };
   static const double series[] = {2.8853900817779268147,  0.96179669392597560491, 0.57707801635558536295,
                                   0.41219858311113240210, 0.32059889797532520164, 0.26230818925253880134,
                                   0.22195308321368667806, 0.19235933878519512098};
   const __m256i bits = _mm256_castpd_si256(x), root = _mm256_set1_epi64x(0x3fe6a09e667f3bcd);
   const __m256i above = _mm256_sub_epi64(bits, root);
   const __m256i exponent = _mm256_and_si256(above, _mm256_set1_epi64x((int64_t)0xfff0000000000000));
   const __m256d m = _mm256_castsi256_pd(_mm256_sub_epi64(bits, exponent));
   /* The exponent's bits on top of those of 0x1.8p52 + 2048, below which it may fall. */
   const __m256i shifted =
      _mm256_srli_epi64(_mm256_add_epi64(exponent, _mm256_set1_epi64x(INT64_C(2047) << 52)), MANTISSA_BITS);
   const __m256i biased = _mm256_or_si256(shifted, _mm256_castpd_si256(math_number(0x1p52)));
   const __m256d e = _mm256_sub_pd(_mm256_castsi256_pd(biased), math_number(0x1p52 + 2047));
   const __m256d s = _mm256_div_pd(_mm256_sub_pd(m, math_number(1)), _mm256_add_pd(m, math_number(1)));
   return _mm256_fmadd_pd(s, math_polynomial(_mm256_mul_pd(s, s), series, 8), e);
}

/* Quarters of a turn to shift the sine by: 1 is the cosine. Of 0 to 2 pi. */
static inline __m256d
math_sin(__m256d x, double quarters)
{
   static const double of_sin[] = {
      1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000};
   static const double of_cos[] = {1,
                                   -1.0 / 2,
                                   1.0 / 24,
                                   -1.0 / 720,
                                   1.0 / 40320,
                                   -1.0 / 3628800,
                                   1.0 / 479001600,
                                   -1.0 / 87178291200,
                                   1.0 / 20922789888000};
   const __m256d n = _mm256_round_pd(_mm256_mul_pd(x, math_number(0.63661977236758134308)),
                                     _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
   __m256d r = _mm256_fnmadd_pd(n, math_number(1.5707963267948966), x);
   r = _mm256_fnmadd_pd(n, math_number(6.123233995736766e-17), r);
   const __m256d square = _mm256_mul_pd(r, r);
   const __m256i quarter = _mm256_castpd_si256(_mm256_add_pd(n, math_number(0x1.8p52 + quarters)));
   const __m256d sin = _mm256_mul_pd(r, math_polynomial(square, of_sin, 8)), cos = math_polynomial(square, of_cos, 9);
   const __m256d odd = _mm256_castsi256_pd(_mm256_slli_epi64(quarter, 63));
   const __m256i sign = _mm256_slli_epi64(_mm256_srli_epi64(quarter, 1), 63);
   return _mm256_xor_pd(_mm256_blendv_pd(sin, cos, odd), _mm256_castsi256_pd(sign));
}

static inline __m256
math_narrow(__m256d low, __m256d high)
{
   return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

static inline __m256d
math_margin(__m256d a, double margin)
{
   const __m256d size = _mm256_andnot_pd(math_number(-0.0), a);
   return _mm256_fmadd_pd(size, math_number(MATH_MARGIN), math_number(margin));
}

/* Rounds to floats. *known: bits of those lanes that are the same for all of what libm may find. */
static inline __m256
math_round(__m256d low, __m256d high, double margin, unsigned *known)
{
   const __m256d low_margin = math_margin(low, margin), high_margin = math_margin(high, margin);
   const __m256 least = math_narrow(_mm256_sub_pd(low, low_margin), _mm256_sub_pd(high, high_margin)),
                most = math_narrow(_mm256_add_pd(low, low_margin), _mm256_add_pd(high, high_margin));
   *known &= (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(least, most, _CMP_EQ_OQ));
   return least;
}

static inline __m256
math_size(__m256 a)
{
   return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

static inline unsigned
math_within(__m256 a, float from, float below)
{
   const __m256 first = _mm256_cmp_ps(a, _mm256_set1_ps(from), _CMP_GE_OQ),
                second = _mm256_cmp_ps(a, _mm256_set1_ps(below), _CMP_LT_OQ);
   return (unsigned)_mm256_movemask_ps(_mm256_and_ps(first, second));
}

static inline __m256d
math_low(__m256 a)
{
   return _mm256_cvtps_pd(_mm256_castps256_ps128(a));
}

static inline __m256d
math_high(__m256 a)
{
   return _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1));
}

/* Denormals become zeros. */
static inline __m256
math_flush(__m256 a)
{
   const __m256 small = _mm256_cmp_ps(math_size(a), _mm256_set1_ps(0x1p-126f), _CMP_LT_OQ);
   return _mm256_blendv_ps(a, _mm256_and_ps(a, _mm256_set1_ps(-0.0f)), small);
}

/* Lanes of the mask hold this, as libm has it. */
static inline void
math_set(__m256 *result, unsigned *known, __m256 lanes, __m256 value)
{
   *result = _mm256_blendv_ps(*result, value, lanes);
   *known |= (unsigned)_mm256_movemask_ps(lanes);
}

static inline __m256
math_word(uint32_t word)
{
   return _mm256_castsi256_ps(_mm256_set1_epi32((int)word));
}

/* Sources that are NaN stay, but tell so no more. */
static inline void
math_set_nan(__m256 *result, unsigned *known, __m256 a)
{
   math_set(result, known, _mm256_cmp_ps(a, a, _CMP_UNORD_Q), _mm256_or_ps(a, math_word(0x00400000)));
}

/* ---- of floats; *known: lanes with a result ---- */

#define MATH_INVALID 0xffc00000
#define MATH_INFINITE 0x7f800000

/* Not of denormals; results that would be become 0. */
static inline __m256
math_exp2_lanes(__m256 a, unsigned *known)
{
   *known = math_within(a, -126, 128);
   __m256 r = math_round(math_exp2(math_low(a)), math_exp2(math_high(a)), 0, known);
   math_set_nan(&r, known, a);
   math_set(&r, known, _mm256_cmp_ps(a, _mm256_set1_ps(128), _CMP_GE_OQ), math_word(MATH_INFINITE));
   math_set(&r, known, _mm256_cmp_ps(a, _mm256_set1_ps(-126.5f), _CMP_LE_OQ), math_word(0));
   return r;
}

/* Not of denormals. Near 1 libm is off by more. */
static inline __m256
math_log2_lanes(__m256 a, unsigned *known)
{
   const __m256 zero = math_word(0);
   *known = math_within(a, 0x1p-126f, INFINITY) & ~math_within(a, 0.9f, 1.125f);
   __m256 r = math_round(math_log2(math_low(a)), math_log2(math_high(a)), MATH_LOG_MARGIN, known);
   math_set_nan(&r, known, a);
   math_set(&r, known, _mm256_cmp_ps(a, math_word(MATH_INFINITE), _CMP_EQ_OQ), a);
   math_set(&r, known, _mm256_cmp_ps(a, zero, _CMP_EQ_OQ), _mm256_set1_ps(-INFINITY));
   math_set(&r, known, _mm256_cmp_ps(a, zero, _CMP_LT_OQ), math_word(MATH_INVALID));
   return r;
}

/* Of a part of a turn: exec_kernels.c, turn(). */
static inline __m256d
math_turn(__m256d a)
{
   const __m256d whole = _mm256_round_pd(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
   return _mm256_mul_pd(_mm256_sub_pd(a, whole), math_number(6.283185307179586));
}

static inline __m256
math_sin_lanes(__m256 a, double quarters, unsigned *known)
{
   *known = math_within(math_size(a), 0, INFINITY);
   __m256 r =
      math_round(math_sin(math_turn(math_low(a)), quarters), math_sin(math_turn(math_high(a)), quarters), 0, known);
   math_set_nan(&r, known, a);
   math_set(&r, known, _mm256_cmp_ps(math_size(a), math_word(MATH_INFINITE), _CMP_EQ_OQ), math_word(MATH_INVALID));
   return r;
}

/* Whether the host rounds to nearest. */
static inline bool
math_rounds_to_nearest(void)
{
   return !(_mm_getcsr() & _MM_ROUND_MASK);
}
#endif

#endif

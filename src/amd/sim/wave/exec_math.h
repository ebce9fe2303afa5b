/* exp2, log2, sin and cos of eight lanes at once, with the bytes that the host's libm gives: computed with more
 * digits than a float has, and left to libm where these do not tell how it rounds. For files that are built for AVX2.
 */
#ifndef INDIUM_AMD_SIM_EXEC_MATH_H
#define INDIUM_AMD_SIM_EXEC_MATH_H

#ifdef __AVX2__
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

/* How far libm's result may be from what is computed here, and more than that, beyond half a unit of the last place:
 * relative to it, and for log2 as it is. With glibc 2.36 nothing else comes of all floats (log2), of every 31st and
 * all of usual size (the others). */
#define MATH_EXP_MARGIN 4e-10
#define MATH_SIN_MARGIN 1e-10
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

/* Of what lies between -126 and 128: 2^n times 2^r, r from -1/2 to 1/2. Polynomials here are those through the nodes
 * of Chebyshev. */
static inline __m256d
math_exp2(__m256d x)
{
   static const double of_rest[] = {0.9999999999595618,     0.6931471805568324,    0.24022651213498092,
                                    0.055504109063258665,   0.009618025613318034,  0.0013333478473685416,
                                    0.00015469729214118296, 1.5303700711365693e-05};
   const __m256d n = _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
   const __m256d power = math_polynomial(_mm256_sub_pd(x, n), of_rest, 8);
   const __m256i whole = _mm256_castpd_si256(_mm256_add_pd(n, math_number(0x1.8p52)));
   return _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(power), _mm256_slli_epi64(whole, 52)));
}

/* The logarithm of m, from sqrt(1/2) to sqrt(2), and e: 2 atanh(s) / ln 2 of s = (m - 1) / (m + 1). */
static inline __m256d
math_log2(__m256d m, __m256d e)
{
   static const double of_square[] = {2.885390081789993, 0.9617966734432283, 0.5770835677034892, 0.411673658400816,
                                      0.34071413665191197};
   const __m256d s = _mm256_div_pd(_mm256_sub_pd(m, math_number(1)), _mm256_add_pd(m, math_number(1)));
   return _mm256_fmadd_pd(s, math_polynomial(_mm256_mul_pd(s, s), of_square, 5), e);
}

/* Quarters of a turn to shift the sine by: 1 is the cosine. Of 0 to 2 pi. */
static inline __m256d
math_sin(__m256d x, double quarters)
{
   static const double of_sin[] = {0.9999999999956709, -0.16666666631577168, 0.008333328781097757,
                                   -0.00019839201800436314, 2.717341870116158e-06};
   static const double of_cos[] = {0.9999999999524657, -0.49999999614703977, 0.04166661667759459,
                                   -0.001388661754772064, 2.4379789395383755e-05};
   const __m256d n = _mm256_round_pd(_mm256_mul_pd(x, math_number(0.63661977236758134308)),
                                     _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
   __m256d r = _mm256_fnmadd_pd(n, math_number(1.5707963267948966), x);
   r = _mm256_fnmadd_pd(n, math_number(6.123233995736766e-17), r);
   const __m256d square = _mm256_mul_pd(r, r);
   const __m256i quarter = _mm256_castpd_si256(_mm256_add_pd(n, math_number(0x1.8p52 + quarters)));
   const __m256d sin = _mm256_mul_pd(r, math_polynomial(square, of_sin, 5)), cos = math_polynomial(square, of_cos, 5);
   const __m256d odd = _mm256_castsi256_pd(_mm256_slli_epi64(quarter, 63));
   const __m256i sign = _mm256_slli_epi64(_mm256_srli_epi64(quarter, 1), 63);
   return _mm256_xor_pd(_mm256_blendv_pd(sin, cos, odd), _mm256_castsi256_pd(sign));
}

static inline __m256
math_narrow(__m256d low, __m256d high)
{
   return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

/* Rounds to floats, which are normal or 0. *known: bits of those lanes that are the same for all of what libm may
 * find, whose doubles are not near the middle of two floats. */
static inline __m256
math_round(__m256d low, __m256d high, double margin, unsigned *known)
{
   const uint32_t near = (uint32_t)(margin * 0x1p56); /* of the 29 bits that floats do not have, shifted by 3 */
   const __m256i words = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high), 0x88));
   const __m256i past = _mm256_add_epi32(_mm256_slli_epi32(words, 3), _mm256_set1_epi32((int)(near - 0x80000000)));
   const __m256i is_far = _mm256_cmpeq_epi32(_mm256_max_epu32(past, _mm256_set1_epi32((int)(2 * near + 1))), past);
   *known &= (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_permute4x64_epi64(is_far, 0xd8)));
   return math_narrow(low, high);
}

/* The same of doubles that libm may have found greater or less by a margin. */
static inline __m256
math_round_within(__m256d low, __m256d high, double margin, unsigned *known)
{
   const __m256d by = math_number(margin);
   const __m256 least = math_narrow(_mm256_sub_pd(low, by), _mm256_sub_pd(high, by)),
                most = math_narrow(_mm256_add_pd(low, by), _mm256_add_pd(high, by));
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
#define MATH_ALL 255

/* Results that would be denormals become 0. */
static inline __m256
math_exp2_lanes(__m256 a, unsigned *known)
{
   *known = math_within(a, -126, 128);
   __m256 r = math_round(math_exp2(math_low(a)), math_exp2(math_high(a)), MATH_EXP_MARGIN, known);
   if (*known == MATH_ALL)
      return r;
   math_set_nan(&r, known, a);
   math_set(&r, known, _mm256_cmp_ps(a, _mm256_set1_ps(128), _CMP_GE_OQ), math_word(MATH_INFINITE));
   math_set(&r, known, _mm256_cmp_ps(a, _mm256_set1_ps(-126.5f), _CMP_LE_OQ), math_word(0));
   return r;
}

/* Of positive normal floats. */
static inline __m256
math_log2_normal(__m256 a, unsigned *known)
{
   const __m256i bits = _mm256_castps_si256(a), root = _mm256_set1_epi32(0x3f3504f3);
   const __m256i e = _mm256_srai_epi32(_mm256_sub_epi32(bits, root), 23);
   const __m256 m = _mm256_castsi256_ps(_mm256_sub_epi32(bits, _mm256_slli_epi32(e, 23)));
   const __m256d low = math_log2(math_low(m), _mm256_cvtepi32_pd(_mm256_castsi256_si128(e))),
                 high = math_log2(math_high(m), _mm256_cvtepi32_pd(_mm256_extracti128_si256(e, 1)));
   return math_round_within(low, high, MATH_LOG_MARGIN, known);
}

/* Denormals become zeros. Near 1 libm is off by more. */
static inline __m256
math_log2_lanes(__m256 a, unsigned *known)
{
   const __m256 zero = math_word(0);
   *known = math_within(a, 0x1p-126f, INFINITY) & ~math_within(a, 0.9f, 1.125f);
   __m256 r = math_log2_normal(a, known);
   if (*known == MATH_ALL)
      return r;
   a = math_flush(a);
   math_set_nan(&r, known, a);
   math_set(&r, known, _mm256_cmp_ps(a, _mm256_set1_ps(1), _CMP_EQ_OQ), zero);
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

/* Lanes that are 0, or finite and far from denormals. */
static inline unsigned
math_has_normal_sine(__m256 a)
{
   const __m256i size = _mm256_castps_si256(math_size(a)), infinite = _mm256_set1_epi32(MATH_INFINITE);
   const __m256i normal =
      _mm256_and_si256(_mm256_cmpgt_epi32(size, _mm256_set1_epi32(0x03800000)), _mm256_cmpgt_epi32(infinite, size));
   const __m256i zero = _mm256_cmpeq_epi32(size, _mm256_setzero_si256());
   return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_or_si256(normal, zero)));
}

static inline __m256
math_sin_lanes(__m256 a, double quarters, unsigned *known)
{
   *known = math_has_normal_sine(a);
   const __m256d low = math_sin(math_turn(math_low(a)), quarters), high = math_sin(math_turn(math_high(a)), quarters);
   __m256 r = math_round(low, high, MATH_SIN_MARGIN, known);
   if (*known == MATH_ALL)
      return r;
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

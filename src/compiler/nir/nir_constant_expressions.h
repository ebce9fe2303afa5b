/* Helper functions that the expressions of nir_opcodes.py call. Every one is total: no input is undefined. */
#ifndef INDIUM_NIR_CONSTANT_EXPRESSIONS_H
#define INDIUM_NIR_CONSTANT_EXPRESSIONS_H

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "compiler/nir/nir.h"
#include "util/half.h"
#include "util/macros.h"

static inline double
nir_canonical(double value)
{
   return value == value ? value : (double)NAN;
}

static inline float
nir_half_to_float(uint32_t value)
{
   return (float)nir_canonical(half_to_float((uint16_t)value));
}

/* Rounds to the 24 bits of a float so that a second rounding to fewer than 23 bits is right: to odd. */
static inline float
nir_float_round_to_odd(double value)
{
   float nearest = (float)value;
   if ((double)nearest == value || value != value)
      return nearest;
   if (isinf(nearest))
      return value > 0 ? 0x1.fffffep127f : -0x1.fffffep127f;
   uint32_t bits = float_bits(nearest);
   if (fabs((double)nearest) > fabs(value))
      bits--; /* now truncated towards zero */
   return bits_float(bits | 1);
}

static inline uint16_t
nir_half_from_double(double value)
{
   return half_from_float(nir_float_round_to_odd(value));
}

/* One rounding at the given size; the result of 16 and 32 bits is returned so that the next rounding is exact. */
static inline double
nir_fma(double a, double b, double c, unsigned bits)
{
   if (bits == 64)
      return fma(a, b, c);
   if (bits == 32)
      return fmaf((float)a, (float)b, (float)c);
   /* a * b is exact: 22 bits. Add with the error term and round to odd. */
   double product = a * b, sum = product + c;
   double back = sum - product, error = (product - (sum - back)) + (c - back);
   if (error != 0 && !isinf(sum) && sum == sum) {
      uint64_t word = double_bits(sum);
      if (!(word & 1))
         sum = bits_double((error > 0) == (sum > 0) ? word + 1 : word - 1);
   }
   return sum;
}

/* The other operand for a NaN; -0 counts as smaller than +0. */
static inline double
nir_fmin(double a, double b)
{
   if (a != a)
      return b;
   if (b != b)
      return a;
   return a < b || (a == b && signbit(a)) ? a : b;
}

static inline double
nir_fmax(double a, double b)
{
   if (a != a)
      return b;
   if (b != b)
      return a;
   return a > b || (a == b && !signbit(a)) ? a : b;
}

/* Of `count` integers in a word each, with signs or without. */
static inline int64_t
nir_dot(uint32_t x, uint32_t y, unsigned count, bool x_signed, bool y_signed)
{
   const unsigned bits = 32 / count;
   int64_t sum = 0;
   for (unsigned i = 0; i < count; i++) {
      const uint32_t a = x >> (i * bits) & (uint32_t)bit_mask(bits), b = y >> (i * bits) & (uint32_t)bit_mask(bits);
      sum += (x_signed ? sign_extend(a, bits) : (int64_t)a) * (y_signed ? sign_extend(b, bits) : (int64_t)b);
   }
   return sum;
}

static inline uint32_t
nir_saturate(int64_t x, bool is_signed)
{
   const int64_t low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
   return (uint32_t)(x < low ? low : x > high ? high : x);
}

static inline bool
nir_isinf(double value)
{
   return isinf(value);
}

/* Significand in [0.5, 1) with the sign; zero, infinity and NaN return themselves. */
static inline double
nir_frexp_sig(double value)
{
   int exponent;
   return frexp(value, &exponent);
}

static inline int32_t
nir_frexp_exp(double value)
{
   int exponent;
   if (value == 0 || isinf(value) || value != value)
      return 0;
   frexp(value, &exponent);
   return exponent;
}

/* To half and back; half denormals become zero with the sign. */
static inline float
nir_quantize_f16(float value)
{
   uint16_t half = half_from_float(value);
   if (!(half & 0x7c00))
      half &= 0x8000;
   return half_to_float(half);
}

/* Towards zero; what is beyond 65504 but finite becomes 65504. */
static inline float
nir_f2f16_rtz(double value)
{
   uint16_t half = nir_half_from_double(value);
   if (value == value && !isinf(value) && fabs((double)half_to_float(half)) > fabs(value))
      half--;
   return half_to_float(half);
}

static inline int64_t
nir_f2i(double value, unsigned bits)
{
   double limit = ldexp(1, (int)bits - 1);
   if (value != value)
      return 0;
   if (value >= limit)
      return (int64_t)(bit_mask(bits) >> 1);
   if (value < -limit)
      return -(int64_t)(bit_mask(bits) >> 1) - 1;
   return (int64_t)value;
}

static inline uint64_t
nir_f2u(double value, unsigned bits)
{
   if (!(value > 0))
      return 0;
   return value >= ldexp(1, (int)bits) ? bit_mask(bits) : (uint64_t)value;
}

static inline uint64_t
nir_mask(uint64_t value, unsigned bits)
{
   return value & bit_mask(bits);
}

static inline int64_t
nir_idiv(int64_t a, int64_t b, unsigned bits)
{
   if (!b)
      return 0;
   return b == -1 ? (int64_t)-(uint64_t)a : a / b;
}

static inline int64_t
nir_irem(int64_t a, int64_t b)
{
   return b == 0 || b == -1 ? 0 : a % b;
}

static inline int64_t
nir_imod(int64_t a, int64_t b)
{
   int64_t remainder = nir_irem(a, b);
   return remainder && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

static inline uint32_t
nir_bitfield_reverse(uint32_t value)
{
   uint32_t result = 0;
   for (unsigned i = 0; i < 32; i++)
      result |= (value >> i & 1) << (31 - i);
   return result;
}

static inline int32_t
nir_ifind_msb(int32_t value)
{
   uint32_t differs = (uint32_t)(value < 0 ? ~value : value);
   return differs ? 31 - __builtin_clz(differs) : -1;
}

/* Outside the rule offset + bits <= 32 the counts are taken modulo 32, and bits modulo 32 with 32 kept. */
static inline uint32_t
nir_bitfield_insert(uint32_t base, uint32_t insert, uint32_t offset, uint32_t bits)
{
   uint32_t mask = (uint32_t)(bit_mask(bits > 32 ? bits & 31 : bits) << (offset & 31));
   return (base & ~mask) | ((uint32_t)((uint64_t)insert << (offset & 31)) & mask);
}

static inline uint32_t
nir_ubitfield_extract(uint32_t value, uint32_t offset, uint32_t bits)
{
   return (uint32_t)((value >> (offset & 31)) & bit_mask(bits > 32 ? bits & 31 : bits));
}

static inline int32_t
nir_ibitfield_extract(int32_t value, uint32_t offset, uint32_t bits)
{
   bits = bits > 32 ? bits & 31 : bits;
   if (!bits)
      return 0;
   /* The sign bit is bit offset + bits - 1 of the value, or its own sign where the field runs over the end. */
   return (int32_t)sign_extend((uint64_t)(value >> (offset & 31)), bits);
}

/* round(clamp(value, 0, 1) * (2^bits - 1)) to nearest even; NaN gives 0. */
static inline uint32_t
nir_pack_unorm(float value, unsigned bits)
{
   double clamped = nir_fmin(nir_fmax(value, 0), 1);
   return (uint32_t)rint(clamped * (double)bit_mask(bits));
}

static inline uint32_t
nir_pack_snorm(float value, unsigned bits)
{
   double clamped = value != value ? 0 : nir_fmin(nir_fmax(value, -1), 1);
   return (uint32_t)(int32_t)rint(clamped * (double)bit_mask(bits - 1)) & (uint32_t)bit_mask(bits);
}

/* The low `bits` bits as signed over 2^(bits-1) - 1, not below -1. */
static inline float
nir_unpack_snorm(uint32_t value, unsigned bits)
{
   float result = (float)sign_extend(value, bits) / (float)bit_mask(bits - 1);
   return result < -1 ? -1 : result;
}

static inline uint32_t
nir_pack_half_2x16(float low, float high)
{
   return half_from_float((float)nir_canonical(low)) | (uint32_t)half_from_float((float)nir_canonical(high)) << 16;
}

/* result: s, t, twice the major axis, face number (0..5: +x -x +y -y +z -z); z wins ties, then y.
 * Source: RDNA 2 ISA document, V_CUBESC/TC/MA/ID_F32. */
static inline void
nir_cube_face(float *result, float x, float y, float z)
{
   float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
   if (az >= ax && az >= ay) {
      result[0] = z < 0 ? -x : x;
      result[1] = -y;
      result[2] = 2 * z;
      result[3] = z < 0 ? 5 : 4;
   } else if (ay >= ax) {
      result[0] = x;
      result[1] = y < 0 ? -z : z;
      result[2] = 2 * y;
      result[3] = y < 0 ? 3 : 2;
   } else {
      result[0] = x < 0 ? z : -z;
      result[1] = -y;
      result[2] = 2 * x;
      result[3] = x < 0 ? 1 : 0;
   }
}

#endif

/* What each vector and scalar operation computes, written down once more from the ISA documents ("Vega", "RDNA 1",
 * "RDNA 2", "RDNA 3", chapters of the opcodes), apart from src/amd/sim/wave. */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "amd/hw/isa.h"
#include "util/macros.h"

/* 113 bits, of what the ABI of each host has. */
#if defined(__x86_64__)
typedef __float128 quad;
#else
typedef long double quad;
#endif

/* Operands as bits, as wide as the operation's. */
struct oracle_in {
   uint64_t a, b, c, old;
   bool bit; /* of a lane mask, or SCC */
   unsigned lane;
   uint64_t exec, vcc;
};

struct oracle_out {
   uint64_t value;
   bool bit; /* lane mask, or SCC */
   uint64_t exec;
   double slack; /* how far a float may be off, besides the row's limit */
};

enum oracle_input {
   ORACLE_BITS,   /* all bits at random, and corners */
   ORACLE_FLOATS, /* also zeros, infinities, NaN and denormals */
   ORACLE_MILD,   /* floats around 1 */
};

struct oracle_row {
   enum amd_op op;
   enum oracle_input input;
   double ulps; /* of the result, that it may be off */
   void (*run)(const struct oracle_in *in, struct oracle_out *out);
};

/* What an operation does with denormals. */
enum oracle_denormals {
   ORACLE_BY_MODE,
   ORACLE_FLUSHED, /* whatever MODE says */
   ORACLE_FLUSHED_SINGLES,
   ORACLE_KEPT,
   ORACLE_UNKNOWN, /* runs where all are kept only */
};
enum oracle_denormals oracle_denormals(enum amd_op op);

enum oracle_place { ORACLE_SOURCE, ORACLE_RESULT };
/* A source or result of the operation as MODE leaves it. */
uint64_t oracle_flush(enum amd_op op, enum amd_type type, uint64_t bits, unsigned mode, enum oracle_place place);
uint64_t oracle_without_denormals(enum amd_type type, uint64_t bits);

extern const struct oracle_row oracle_vector_rows[], oracle_scalar_rows[];
extern const unsigned oracle_num_vector_rows, oracle_num_scalar_rows;

static inline float
f32(uint64_t bits)
{
   uint32_t low = (uint32_t)bits;
   float value;
   memcpy(&value, &low, 4);
   return value;
}

static inline uint64_t
bits32(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, 4);
   return bits;
}

static inline double
f64(uint64_t bits)
{
   double value;
   memcpy(&value, &bits, 8);
   return value;
}

static inline uint64_t
bits64(double value)
{
   uint64_t bits;
   memcpy(&bits, &value, 8);
   return bits;
}

/* By the definition of the format. */
static inline double
f16(uint64_t bits)
{
   unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
   double value = exponent == 31 ? (mantissa ? NAN : INFINITY)
                  : exponent     ? ldexp(1024 + mantissa, (int)exponent - 25)
                                 : ldexp(mantissa, -24);
   return bits >> 15 & 1 ? -value : value;
}

/* As the host rounds: the nearest, even where two are, or towards zero. */
static inline uint64_t
bits16(double value)
{
   uint64_t sign = signbit(value) ? 0x8000 : 0;
   double size = fabs(value);
   int exponent;
   if (isnan(value))
      return 0x7e00;
   if (size == 0)
      return sign;
   if (size >= 65520)
      return sign | (isfinite(value) && fegetround() == FE_TOWARDZERO ? 0x7bff : 0x7c00);
   frexp(size, &exponent);
   exponent = exponent - 1 < -14 ? -14 : exponent - 1;
   double units = nearbyint(ldexp(size, 10 - exponent)); /* 1024 to 2048 of a normal number */
   if (exponent == -14 && units < 1024)
      return sign | (uint64_t)units;
   if (units == 2048) {
      units = 1024;
      exponent++;
   }
   return sign | (uint64_t)(exponent + 15) << 10 | ((uint64_t)units - 1024);
}

static inline int32_t
s32(uint64_t v)
{
   return (int32_t)(uint32_t)v;
}

static inline uint32_t
u32(uint64_t v)
{
   return (uint32_t)v;
}

/* The nearest integer, even where two are, in every mode. */
static inline double
nearest_even(double v)
{
   const double low = floor(v), part = v - low;
   if (!isfinite(v))
      return v;
   return copysign(part < 0.5 || (part == 0.5 && fmod(low, 2) == 0) ? low : low + 1, v);
}

/* Minimum of numbers: NaN loses, and -0 is less than 0. */
static inline double
least(double a, double b)
{
   if (isnan(a))
      return b;
   if (isnan(b))
      return a;
   if (a == b)
      return signbit(a) ? a : b;
   return a < b ? a : b;
}

static inline double
most(double a, double b)
{
   return isnan(a) || isnan(b) ? least(a, b) : -least(-a, -b);
}

/* To an integer from low to high: cut off, NaN is 0. */
static inline double
to_integer(double value, double low, double high)
{
   if (isnan(value))
      return 0;
   value = trunc(value);
   return value < low ? low : value > high ? high : value;
}

/* a * b + c, where a product of single precision is exact. A sum that is not gets an odd last bit: rounding it again
 * is like rounding once. */
static inline double
fused(double a, double b, double c)
{
   const quad product = (quad)a * b;
   quad sum = product + c;
   const quad part = sum - product, rest = (product - (sum - part)) + (c - part);
   unsigned __int128 bits;
   memcpy(&bits, &sum, sizeof(sum));
   if (isfinite(a * b) && isfinite(c) && rest != 0 && !(bits & 1))
      bits = (rest > 0) == (sum > 0) ? bits + 1 : bits - 1;
   memcpy(&sum, &bits, sizeof(sum));
   return (double)(float)sum;
}

static inline double
fused16(double a, double b, double c)
{
   return (double)((quad)a * b + c);
}

/* The half towards zero. */
static inline uint64_t
cut16(double value)
{
   uint64_t bits = bits16(value);
   if (isnan(value) || isinf(value))
      return bits;
   return fabs(f16(bits)) > fabs(value) ? bits - 1 : bits;
}

#endif

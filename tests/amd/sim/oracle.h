/* What each vector and scalar operation computes, written down once more from the ISA documents ("Vega", "RDNA 1",
 * "RDNA 2", "RDNA 3", chapters of the opcodes), apart from src/amd/sim/wave. */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

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
   double slack; /* how far a float may be off, beside the row's limit */
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

/* The nearest, even where two are. */
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
      return sign | 0x7c00;
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

#endif

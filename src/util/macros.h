/* Small arithmetic and array helpers. */
#ifndef INDIUM_UTIL_MACROS_H
#define INDIUM_UTIL_MACROS_H

#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#define PUBLIC __attribute__((visibility("default")))

#define MIN2(a, b) ((a) < (b) ? (a) : (b))
#define MAX2(a, b) ((a) > (b) ? (a) : (b))

/* alignment: a power of two. */
static inline uint64_t
align_up(uint64_t value, uint64_t alignment)
{
   return (value + alignment - 1) & ~(alignment - 1);
}

static inline uint64_t
div_round_up(uint64_t value, uint64_t divisor)
{
   return value / divisor + (value % divisor != 0);
}

static inline int
is_power_of_two(uint64_t value)
{
   return value && !(value & (value - 1));
}

/* floor(log2(value)); value != 0. */
static inline unsigned
log2_floor(uint64_t value)
{
   return 63 - (unsigned)__builtin_clzll(value);
}

/* Smallest n with 1 << n >= value; 0 for 0 and 1. */
static inline unsigned
log2_ceil(uint64_t value)
{
   return value <= 1 ? 0 : log2_floor(value - 1) + 1;
}

/* bits in [0, 64]. */
static inline uint64_t
bit_mask(unsigned bits)
{
   return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Sign-extends the low `bits` bits; bits in [1, 64]. */
static inline int64_t
sign_extend(uint64_t value, unsigned bits)
{
   return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static inline uint32_t
float_bits(float value)
{
   union {
      float f;
      uint32_t u;
   } bits = {.f = value};
   return bits.u;
}

static inline float
bits_float(uint32_t value)
{
   union {
      uint32_t u;
      float f;
   } bits = {.u = value};
   return bits.f;
}

static inline uint64_t
double_bits(double value)
{
   union {
      double d;
      uint64_t u;
   } bits = {.d = value};
   return bits.u;
}

static inline double
bits_double(uint64_t value)
{
   union {
      uint64_t u;
      double d;
   } bits = {.u = value};
   return bits.d;
}

#endif

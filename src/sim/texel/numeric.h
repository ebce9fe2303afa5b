/* Number rules of texels: how a float becomes a fixed-point, sRGB or small-float field and back.
 *
 * Conversions to fixed point round the exact product to nearest even; NaN becomes 0; sRGB follows IEC 61966-2-1 with
 * the nearest code. Small floats round to nearest even. Source: Vulkan 1.3, 3.10 and 3.11; D3D11.3 functional
 * specification, 3.2. */
#ifndef INDIUM_SIM_NUMERIC_H
#define INDIUM_SIM_NUMERIC_H

#include <math.h>
#include <stdint.h>

#include "util/macros.h"

/* Nearest integer, ties to even, of a value in [-2^51, 2^51]: the sum has no bits left for a fraction. */
static inline int64_t
sim_round_even(double value)
{
   const double magic = 6755399441055744.0; /* 1.5 * 2^52 */
   return (int64_t)(double_bits(value + magic) - double_bits(magic));
}

/* bits in [1, 32]. */
static inline uint32_t
sim_unorm_from_float(float value, unsigned bits)
{
   double max = (double)bit_mask(bits);
   if (!(value > 0.0f))
      return 0;
   return value >= 1.0f ? (uint32_t)bit_mask(bits) : (uint32_t)sim_round_even((double)value * max);
}

static inline float
sim_unorm_to_float(uint32_t value, unsigned bits)
{
   return (float)((double)value / (double)bit_mask(bits));
}

/* Two's complement field of `bits` bits, bits in [2, 32]. */
static inline uint32_t
sim_snorm_from_float(float value, unsigned bits)
{
   double max = (double)bit_mask(bits - 1);
   if (value != value)
      return 0;
   double clamped = value < -1.0f ? -1.0 : value > 1.0f ? 1.0 : (double)value;
   return (uint32_t)((uint64_t)sim_round_even(clamped * max) & bit_mask(bits));
}

/* The most negative code is -1 too. */
static inline float
sim_snorm_to_float(uint32_t value, unsigned bits)
{
   double f = (double)sign_extend(value, bits) / (double)bit_mask(bits - 1);
   return f < -1.0 ? -1.0f : (float)f;
}

/* Integers that do not fit saturate (colour buffers and typed stores). */
static inline uint32_t
sim_uint_saturate(uint32_t value, unsigned bits)
{
   uint32_t max = (uint32_t)bit_mask(bits);
   return value > max ? max : value;
}

static inline uint32_t
sim_sint_saturate(int32_t value, unsigned bits)
{
   int64_t max = (int64_t)bit_mask(bits - 1);
   int64_t clamped = value > max ? max : value < -max - 1 ? -max - 1 : value;
   return (uint32_t)((uint64_t)clamped & bit_mask(bits));
}

/* Floats from 2^-13, below which the code is 0, to 1 in buckets that have the upper 16 bits in common. */
enum { SIM_SRGB_BUCKETS = 13 << 7, SIM_SRGB_FIRST_BUCKET = 0x3900 };

struct sim_srgb_codes {
   uint32_t of_bucket[SIM_SRGB_BUCKETS]; /* code of its smallest value; that of others is the same or the next one */
   float step[256];                      /* [i]: the smallest float whose nearest code is i + 1 or higher */
};
extern const struct sim_srgb_codes *const sim_srgb_codes;

/* Nearest 8-bit sRGB code of a linear value; out of range values clamp. */
static inline uint32_t
sim_srgb_from_float(float value)
{
   value = value > 0x1p-13f ? value : 0x1p-13f;
   value = value < 1.0f ? value : 0x1.fffffep-1f;
   uint32_t code = sim_srgb_codes->of_bucket[(float_bits(value) >> 16) - SIM_SRGB_FIRST_BUCKET];
   return code + (value >= sim_srgb_codes->step[code]);
}

/* Linear value of each 8-bit sRGB code. */
extern const float *const sim_srgb_to_float;

/* IEEE binary16, to nearest even; NaN stays NaN. Only integers, so the host's float mode, which is that of a wave
 * while one runs, does not matter. */
uint16_t sim_half_from_float(float value);
float sim_half_to_float(uint16_t half);

/* Float with 5 exponent bits, no sign and mantissa_bits (5 or 6): negative values become 0, too large finite ones the
 * largest finite value, infinity and NaN stay. */
uint32_t sim_small_float_from_float(float value, unsigned mantissa_bits);
float sim_small_float_to_float(uint32_t value, unsigned mantissa_bits);

/* E5B9G9R9. */
uint32_t sim_shared_exponent_from_float(const float rgb[3]);
void sim_shared_exponent_to_float(uint32_t value, float rgb[3]);

#endif

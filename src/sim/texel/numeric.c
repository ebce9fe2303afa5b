#include "sim/texel/numeric.h"

static float srgb_linear[256];
static struct sim_srgb_codes srgb_codes;

const float *const sim_srgb_to_float = srgb_linear;
const struct sim_srgb_codes *const sim_srgb_codes = &srgb_codes;

static double
srgb_decode(double code)
{
   return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

__attribute__((constructor)) static void
srgb_tables(void)
{
   for (unsigned i = 0; i < 256; i++)
      srgb_linear[i] = (float)srgb_decode(i / 255.0);
   srgb_codes.step[255] = INFINITY;
   for (unsigned i = 0; i < 255; i++) {
      double exact = srgb_decode((i + 0.5) / 255.0);
      float step = (float)exact;
      srgb_codes.step[i] = (double)step < exact ? nextafterf(step, 2.0f) : step;
   }
   for (uint32_t i = 0, code = 0; i < SIM_SRGB_BUCKETS; i++) {
      float smallest = bits_float((i + SIM_SRGB_FIRST_BUCKET) << 16);
      while (smallest >= srgb_codes.step[code])
         code++;
      srgb_codes.of_bucket[i] = code;
   }
}

/* The significand is shifted to units of the half's last place; what falls out decides. A carry into the exponent
 * gives the right code by itself, infinity too. */
uint16_t
sim_half_from_float(float value)
{
   uint32_t bits = float_bits(value), sign = bits >> 31 << 15, biased = bits >> 23 & 0xff;
   uint32_t significand = bits & 0x7fffff;
   int exponent = (int)biased - 127;
   if (biased == 0xff && significand)
      return (uint16_t)(sign | 0x7e00 | significand >> 13);
   if (exponent > 15)
      return (uint16_t)(sign | 0x7c00);
   if (exponent < -25)
      return (uint16_t)sign;
   unsigned drop = exponent < -14 ? (unsigned)(-1 - exponent) : 13;
   significand |= 1u << 23;
   uint32_t kept = significand >> drop, rest = significand & (uint32_t)bit_mask(drop), tie = 1u << (drop - 1);
   kept += rest > tie || (rest == tie && kept & 1);
   return (uint16_t)(sign | (kept + (exponent < -14 ? 0 : (uint32_t)(exponent + 14) << 10)));
}

float
sim_half_to_float(uint16_t half)
{
   uint32_t sign = (uint32_t)half >> 15 << 31, magnitude = half & 0x7fff, bias = 127 - 15;
   if (!magnitude)
      return bits_float(sign);
   if (magnitude >= 0x7c00)
      bias *= 2;
   else if (magnitude < 0x400) { /* subnormal: the leading one moves to where it adds 1 to the exponent */
      unsigned shift = (unsigned)__builtin_clz(magnitude) - 21;
      magnitude <<= shift;
      bias -= shift;
   }
   return bits_float(sign | ((magnitude << 13) + (bias << 23)));
}

uint32_t
sim_small_float_from_float(float value, unsigned mantissa_bits)
{
   uint32_t infinity = 31u << mantissa_bits;
   if (value != value)
      return infinity | 1u << (mantissa_bits - 1);
   if (value <= 0.0f)
      return 0;
   if (isinf(value))
      return infinity;
   double largest = ldexp(2.0 - ldexp(1.0, -(int)mantissa_bits), 15);
   if ((double)value >= largest)
      return infinity - 1;
   int exponent;
   frexp((double)value, &exponent);
   exponent = exponent - 1 < -14 ? -14 : exponent - 1;
   /* In units of the last place; a carry into the exponent gives the right code by itself. */
   uint32_t units = (uint32_t)nearbyint(ldexp((double)value, (int)mantissa_bits - exponent));
   return ((uint32_t)(exponent + 14) << mantissa_bits) + units;
}

float
sim_small_float_to_float(uint32_t value, unsigned mantissa_bits)
{
   uint32_t mantissa = value & (uint32_t)bit_mask(mantissa_bits), exponent = value >> mantissa_bits & 31;
   if (exponent == 31)
      return mantissa ? NAN : INFINITY;
   if (!exponent)
      return ldexpf((float)mantissa, -14 - (int)mantissa_bits);
   return ldexpf((float)(mantissa | 1u << mantissa_bits), (int)exponent - 15 - (int)mantissa_bits);
}

uint32_t
sim_shared_exponent_from_float(const float rgb[3])
{
   const float largest = 65408.0f; /* 511/512 * 2^16 */
   float clamped[3], max = 0.0f;
   for (unsigned i = 0; i < 3; i++) {
      clamped[i] = !(rgb[i] > 0.0f) ? 0.0f : rgb[i] > largest ? largest : rgb[i];
      max = fmaxf(max, clamped[i]);
   }
   int exponent = -16;
   if (max > 0.0f) {
      int e;
      frexpf(max, &e);
      exponent = e - 1 < -16 ? -16 : e - 1;
   }
   exponent += 16;
   if (floor(ldexp((double)max, 24 - exponent) + 0.5) == 512.0)
      exponent++;
   uint32_t bits = (uint32_t)exponent << 27;
   for (unsigned i = 0; i < 3; i++)
      bits |= (uint32_t)floor(ldexp((double)clamped[i], 24 - exponent) + 0.5) << (9 * i);
   return bits;
}

void
sim_shared_exponent_to_float(uint32_t value, float rgb[3])
{
   int exponent = (int)(value >> 27) - 24;
   for (unsigned i = 0; i < 3; i++)
      rgb[i] = ldexpf((float)(value >> (9 * i) & 511), exponent);
}

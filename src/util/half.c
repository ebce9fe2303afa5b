#include "util/half.h"

#include "util/macros.h"

uint16_t
half_from_float(float value)
{
   uint32_t bits = float_bits(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
   if (magnitude > 0x7f800000) /* NaN: keep it quiet */
      return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
   if (magnitude >= 0x477ff000) /* rounds beyond 65504 */
      return (uint16_t)(sign | 0x7c00);
   if (magnitude < 0x38800000) { /* subnormal result: let the FPU align and round */
      float aligned = bits_float(magnitude) + bits_float(0x3f000000);
      return (uint16_t)(sign | (float_bits(aligned) - 0x3f000000));
   }
   uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
   return (uint16_t)(sign | ((rounded - 0x38000000) >> 13));
}

float
half_to_float(uint16_t value)
{
   uint32_t sign = (uint32_t)(value & 0x8000) << 16, exponent = value >> 10 & 0x1f, mantissa = value & 0x3ff;
   if (exponent == 31)
      return bits_float(sign | 0x7f800000 | mantissa << 13);
   if (!exponent) {
      float magnitude = (float)mantissa * 0x1p-24f;
      return bits_float(sign | float_bits(magnitude));
   }
   return bits_float(sign | (exponent + 112) << 23 | mantissa << 13);
}

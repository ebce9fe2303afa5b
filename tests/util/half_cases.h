/* A pair of conversions against the compiler's own _Float16: every half, and floats of every sign, exponent and upper
 * 11 bits of the mantissa with each tail that rounds differently. */
#ifndef INDIUM_TESTS_HALF_CASES_H
#define INDIUM_TESTS_HALF_CASES_H

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/macros.h"

static inline uint16_t
half_expected(uint32_t bits)
{
   _Float16 rounded = (_Float16)bits_float(bits);
   uint16_t half;
   memcpy(&half, &rounded, 2);
   return half;
}

/* mode: the rounding mode (fenv.h) of the host meanwhile. Returns how many are wrong and prints the first. */
static inline unsigned
half_check(uint16_t (*from_float)(float), float (*to_float)(uint16_t), int mode)
{
   static const uint32_t tails[] = {0, 1, 0x7ff, 0x800, 0x801, 0xfff};
   unsigned wrong = 0;
   for (uint32_t i = 0; i < 6u << 20; i++) {
      uint32_t bits = i / 6 << 12 | tails[i % 6];
      uint16_t expected = half_expected(bits), half;
      fesetround(mode);
      half = from_float(bits_float(bits));
      fesetround(FE_TONEAREST);
      if (half != expected && !wrong++)
         printf("float 0x%08x becomes 0x%04x, not 0x%04x\n", bits, half, expected);
   }
   for (uint32_t i = 0; i < 65536; i++) {
      uint16_t half = (uint16_t)i;
      _Float16 value;
      memcpy(&value, &half, 2);
      float expected = (float)value, result;
      fesetround(mode);
      result = to_float(half);
      fesetround(FE_TONEAREST);
      bool both_nan = expected != expected && result != result;
      if (float_bits(result) != float_bits(expected) && !both_nan && !wrong++)
         printf("half 0x%04x becomes 0x%08x, not 0x%08x\n", i, float_bits(result), float_bits(expected));
   }
   return wrong;
}

#endif

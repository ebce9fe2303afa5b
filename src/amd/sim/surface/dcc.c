#include "amd/sim/surface/dcc.h"

#include <string.h>

/* One, or the largest integer. */
static uint32_t
one_of(const struct sim_texel_format *format)
{
   switch (format->numeric) {
   case SIM_UINT:
      return UINT32_MAX;
   case SIM_SINT:
      return INT32_MAX;
   default: /* others: 1.0 */
      return 0x3f800000;
   }
}

static void
ones(const struct sim_texel_format *format, bool color, bool alpha, bool alpha_on_msb, uint8_t texel[16])
{
   unsigned last = format->components - 1u, alpha_at = alpha_on_msb ? last : 0;
   uint32_t value[4];
   /* Formats of three components have no alpha. */
   for (unsigned i = 0; i < 4; i++)
      value[i] = (format->components != 3 && i == alpha_at ? alpha : color) ? one_of(format) : 0;
   sim_texel_encode(format, value, texel);
}

/* Whole words of the texel. */
static void
words(uint8_t texel[16], uint32_t value)
{
   for (unsigned i = 0; i < 4; i++)
      memcpy(texel + 4 * i, &value, 4);
}

/* Bits: alpha is the last component. */
static void
bits(const struct sim_texel_format *format, bool color, bool alpha, uint8_t texel[16])
{
   unsigned component_B = format->size_B / (format->components ? format->components : 1u);
   memset(texel, color ? 0xff : 0, 16);
   if (component_B && component_B <= format->size_B)
      memset(texel + format->size_B - component_B, alpha ? 0xff : 0, component_B);
}

bool
amd_dcc_constant(enum amd_dcc_key key, const struct sim_texel_format *format, bool alpha_on_msb, uint8_t texel[16])
{
   switch (key) {
   case AMD_DCC_ONES_0000:
      memset(texel, 0, 16);
      return true;
   case AMD_DCC_ONES_0001:
   case AMD_DCC_ONES_1110:
   case AMD_DCC_ONES_1111:
      ones(format, key != AMD_DCC_ONES_0001, key != AMD_DCC_ONES_1110, alpha_on_msb, texel);
      return true;
   case AMD_DCC_BITS_0001:
   case AMD_DCC_BITS_1110:
   case AMD_DCC_BITS_1111:
      bits(format, key != AMD_DCC_BITS_0001, key != AMD_DCC_BITS_1110, texel);
      return true;
   case AMD_DCC_HALVES_1:
      words(texel, 0x3c003c00);
      return true;
   case AMD_DCC_FLOATS_1:
      words(texel, 0x3f800000);
      return true;
   case AMD_DCC_COMPRESSED:
   case AMD_DCC_PLAIN:
   case AMD_DCC_SINGLE:
   case AMD_DCC_REGISTER:
      break;
   }
   return false;
}

/* The unified numbers of GFX11, most of which are GFX10's further down: kinds that nobody used are gone. Sources:
 * register databases; Mesa's table of formats. */
#include "amd/hw/descriptors.h"
#include "amd/sim/surface/formats.h"
#include "util/macros.h"

unsigned
amd_format_from_gfx11(unsigned format)
{
   static const struct {
      uint8_t first, count;
      uint16_t unified; /* of the first; the others follow */
   } runs[] = {
      {1, 29, V_GFX10_FORMAT_8_UNORM},           {30, 1, V_GFX10_FORMAT_10_11_11_FLOAT},
      {31, 1, V_GFX10_FORMAT_11_11_10_FLOAT},    {32, 2, V_GFX10_FORMAT_10_10_10_2_UNORM},
      {34, 2, V_GFX10_FORMAT_10_10_10_2_UINT},   {36, 6, V_GFX10_FORMAT_2_10_10_10_UNORM},
      {42, 6, V_GFX10_FORMAT_8_8_8_8_UNORM},     {48, 3, V_GFX10_FORMAT_32_32_UINT},
      {51, 7, V_GFX10_FORMAT_16_16_16_16_UNORM}, {58, 3, V_GFX10_FORMAT_32_32_32_UINT},
      {61, 3, V_GFX10_FORMAT_32_32_32_32_UINT},  {64, 3, V_GFX10_FORMAT_8_SRGB},
      {67, 15, V_GFX10_FORMAT_5_9_9_9_FLOAT}, /* to X24_8_32_FLOAT */
      {109, 14, V_GFX10_FORMAT_BC1_UNORM},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(runs); i++) {
      if (format >= runs[i].first && format < (unsigned)runs[i].first + runs[i].count)
         return runs[i].unified + format - runs[i].first;
   }
   return 0;
}

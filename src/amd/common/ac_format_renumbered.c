#include "amd/common/ac_format_renumbered.h"

#include "amd/hw/descriptors.h"
#include "util/macros.h"

/* Numbers that follow each other in both. Source: register database gfx11-rsrc.json, BUF_FORMAT and IMG_FORMAT. */
static const struct {
   uint16_t unified, number, count;
} runs[] = {
   {V_GFX10_FORMAT_8_UNORM, 1, 29},           {V_GFX10_FORMAT_10_11_11_FLOAT, 30, 1},
   {V_GFX10_FORMAT_11_11_10_FLOAT, 31, 1},    {V_GFX10_FORMAT_10_10_10_2_UNORM, 32, 2},
   {V_GFX10_FORMAT_10_10_10_2_UINT, 34, 2},   {V_GFX10_FORMAT_2_10_10_10_UNORM, 36, 6},
   {V_GFX10_FORMAT_8_8_8_8_UNORM, 42, 6},     {V_GFX10_FORMAT_32_32_UINT, 48, 3},
   {V_GFX10_FORMAT_16_16_16_16_UNORM, 51, 7}, {V_GFX10_FORMAT_32_32_32_UINT, 58, 3},
   {V_GFX10_FORMAT_32_32_32_32_UINT, 61, 3},  {V_GFX10_FORMAT_8_SRGB, 64, 3},
   {V_GFX10_FORMAT_5_9_9_9_FLOAT, 67, 15},    {V_GFX10_FORMAT_BC1_UNORM, 109, 14},
};

uint32_t
ac_format_renumbered(uint32_t unified)
{
   for (unsigned i = 0; i < ARRAY_SIZE(runs); i++) {
      if (unified - runs[i].unified < runs[i].count)
         return runs[i].number + (unified - runs[i].unified);
   }
   return 0;
}

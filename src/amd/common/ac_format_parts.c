#include "amd/common/ac_format_parts.h"

#include "amd/common/ac_format.h"
#include "amd/hw/descriptors.h"
#include "util/macros.h"

enum { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 7, SRGB = 9 };

/* The kinds of a run of unified numbers. */
static const uint8_t all[] = {UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT};
static const uint8_t integer_float[] = {UINT, SINT, FLOAT};
static const uint8_t srgb[] = {SRGB}, floats[] = {FLOAT}, linear_srgb[] = {UNORM, SRGB};

/* Source: register database gfx9.json, BUF_ and IMG_DATA_FORMAT, IMG_NUM_FORMAT. The sign of BC6 is that of a
 * normalized number, as RADV and radeonsi have it. */
static const struct {
   uint16_t unified; /* of the first */
   uint8_t data, count;
   const uint8_t *numbers;
} runs[] = {
   {V_GFX10_FORMAT_8_UNORM, 1, 6, all},
   {V_GFX10_FORMAT_16_UNORM, 2, 7, all},
   {V_GFX10_FORMAT_8_8_UNORM, 3, 6, all},
   {V_GFX10_FORMAT_32_UINT, 4, 3, integer_float},
   {V_GFX10_FORMAT_16_16_UNORM, 5, 7, all},
   {V_GFX10_FORMAT_10_11_11_UNORM, 6, 7, all},
   {V_GFX10_FORMAT_11_11_10_UNORM, 7, 7, all},
   {V_GFX10_FORMAT_10_10_10_2_UNORM, 8, 6, all},
   {V_GFX10_FORMAT_2_10_10_10_UNORM, 9, 6, all},
   {V_GFX10_FORMAT_8_8_8_8_UNORM, 10, 6, all},
   {V_GFX10_FORMAT_32_32_UINT, 11, 3, integer_float},
   {V_GFX10_FORMAT_16_16_16_16_UNORM, 12, 7, all},
   {V_GFX10_FORMAT_32_32_32_UINT, 13, 3, integer_float},
   {V_GFX10_FORMAT_32_32_32_32_UINT, 14, 3, integer_float},
   {V_GFX10_FORMAT_8_SRGB, 1, 1, srgb},
   {V_GFX10_FORMAT_8_8_SRGB, 3, 1, srgb},
   {V_GFX10_FORMAT_8_8_8_8_SRGB, 10, 1, srgb},
   {V_GFX10_FORMAT_5_6_5_UNORM, 16, 1, all},
   {V_GFX10_FORMAT_1_5_5_5_UNORM, 17, 1, all},
   {V_GFX10_FORMAT_5_5_5_1_UNORM, 18, 1, all},
   {V_GFX10_FORMAT_4_4_4_4_UNORM, 19, 1, all},
   {V_GFX10_FORMAT_5_9_9_9_FLOAT, 34, 1, floats},
   {V_GFX10_FORMAT_BC1_UNORM, 35, 2, linear_srgb},
   {V_GFX10_FORMAT_BC2_UNORM, 36, 2, linear_srgb},
   {V_GFX10_FORMAT_BC3_UNORM, 37, 2, linear_srgb},
   {V_GFX10_FORMAT_BC4_UNORM, 38, 2, all},
   {V_GFX10_FORMAT_BC5_UNORM, 39, 2, all},
   {V_GFX10_FORMAT_BC6_UFLOAT, 40, 2, all},
   {V_GFX10_FORMAT_BC7_UNORM, 41, 2, linear_srgb},
   {AC_FORMAT_ETC2_RGB_UNORM, 24, 2, linear_srgb},
   {AC_FORMAT_ETC2_RGBA_UNORM, 25, 2, linear_srgb},
   {AC_FORMAT_EAC_R_UNORM, 26, 2, all},
   {AC_FORMAT_EAC_RG_UNORM, 27, 2, all},
   {AC_FORMAT_ETC2_RGBA1_UNORM, 28, 2, linear_srgb},
};

struct ac_format_parts
ac_format_parts(uint32_t unified)
{
   for (unsigned i = 0; i < ARRAY_SIZE(runs); i++) {
      if (unified - runs[i].unified < runs[i].count)
         return (struct ac_format_parts){runs[i].data, runs[i].numbers[unified - runs[i].unified]};
   }
   return (struct ac_format_parts){0};
}

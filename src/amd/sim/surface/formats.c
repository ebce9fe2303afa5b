#include "amd/sim/surface/formats.h"

#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "amd/sim/base/model.h"
#include "util/macros.h"

/* Numbers of 9 bits, and after them what only GFX9 has. */
enum {
   ETC2_RGB_UNORM = 512,
   ETC2_RGB_SRGB,
   ETC2_RGBA_UNORM,
   ETC2_RGBA_SRGB,
   ETC2_R_UNORM,
   ETC2_R_SNORM,
   ETC2_RG_UNORM,
   ETC2_RG_SNORM,
   ETC2_RGBA1_UNORM,
   ETC2_RGBA1_SRGB,
   FORMAT_COUNT,
};

static struct sim_texel_format unified[FORMAT_COUNT];

/* Families of the unified numbers: consecutive numeric kinds over the same fields. Names of the manual list fields
 * from the highest bit down; the fields here go from bit 0 upwards. */
#define NORM_SCALED_INT "usUSiI"
#define NORM_SCALED_INT_FLOAT "usUSiIf"
#define INT_FLOAT "iIf"
static const struct {
   uint16_t first;
   uint8_t components;
   uint8_t bits[4];
   const char *kinds;
} families[] = {
   {V_GFX10_FORMAT_8_UNORM, 1, {8}, NORM_SCALED_INT},
   {V_GFX10_FORMAT_16_UNORM, 1, {16}, NORM_SCALED_INT_FLOAT},
   {V_GFX10_FORMAT_8_8_UNORM, 2, {8, 8}, NORM_SCALED_INT},
   {V_GFX10_FORMAT_32_UINT, 1, {32}, INT_FLOAT},
   {V_GFX10_FORMAT_16_16_UNORM, 2, {16, 16}, NORM_SCALED_INT_FLOAT},
   {V_GFX10_FORMAT_10_11_11_UNORM, 3, {11, 11, 10}, NORM_SCALED_INT_FLOAT},
   {V_GFX10_FORMAT_11_11_10_UNORM, 3, {10, 11, 11}, NORM_SCALED_INT_FLOAT},
   {V_GFX10_FORMAT_10_10_10_2_UNORM, 4, {2, 10, 10, 10}, NORM_SCALED_INT},
   {V_GFX10_FORMAT_2_10_10_10_UNORM, 4, {10, 10, 10, 2}, NORM_SCALED_INT},
   {V_GFX10_FORMAT_8_8_8_8_UNORM, 4, {8, 8, 8, 8}, NORM_SCALED_INT},
   {V_GFX10_FORMAT_32_32_UINT, 2, {32, 32}, INT_FLOAT},
   {V_GFX10_FORMAT_16_16_16_16_UNORM, 4, {16, 16, 16, 16}, NORM_SCALED_INT_FLOAT},
   {V_GFX10_FORMAT_32_32_32_UINT, 3, {32, 32, 32}, INT_FLOAT},
   {V_GFX10_FORMAT_32_32_32_32_UINT, 4, {32, 32, 32, 32}, INT_FLOAT},
   {V_GFX10_FORMAT_8_SRGB, 1, {8}, "g"},
   {V_GFX10_FORMAT_8_8_SRGB, 2, {8, 8}, "g"},
   {V_GFX10_FORMAT_8_8_8_8_SRGB, 4, {8, 8, 8, 8}, "g"},
   {V_GFX10_FORMAT_5_6_5_UNORM, 3, {5, 6, 5}, "u"},
   {V_GFX10_FORMAT_1_5_5_5_UNORM, 4, {5, 5, 5, 1}, "u"},
   {V_GFX10_FORMAT_5_5_5_1_UNORM, 4, {1, 5, 5, 5}, "u"},
   {V_GFX10_FORMAT_4_4_4_4_UNORM, 4, {4, 4, 4, 4}, "u"},
   {V_GFX10_FORMAT_4_4_UNORM, 2, {4, 4}, "u"},
   {V_GFX10_FORMAT_FMASK8_S2_F2, 1, {8}, "i"},
   {V_GFX10_FORMAT_FMASK8_S4_F4, 1, {8}, "i"},
   {V_GFX10_FORMAT_FMASK32_S8_F8, 1, {32}, "i"},
   {V_GFX10_FORMAT_32_FLOAT_CLAMP, 1, {32}, "f"},
   {V_GFX10_FORMAT_8_24_UNORM, 2, {24, 8}, "ui"},
   {V_GFX10_FORMAT_24_8_UNORM, 2, {8, 24}, "ui"},
};

static const struct {
   uint16_t format;
   uint8_t layout, numeric;
} packed[] = {{V_GFX10_FORMAT_5_9_9_9_FLOAT, SIM_TEXEL_SHARED_EXPONENT, SIM_FLOAT},
              {V_GFX10_FORMAT_BC1_UNORM, SIM_TEXEL_BC1, SIM_UNORM},
              {V_GFX10_FORMAT_BC1_SRGB, SIM_TEXEL_BC1, SIM_SRGB},
              {V_GFX10_FORMAT_BC2_UNORM, SIM_TEXEL_BC2, SIM_UNORM},
              {V_GFX10_FORMAT_BC2_SRGB, SIM_TEXEL_BC2, SIM_SRGB},
              {V_GFX10_FORMAT_BC3_UNORM, SIM_TEXEL_BC3, SIM_UNORM},
              {V_GFX10_FORMAT_BC3_SRGB, SIM_TEXEL_BC3, SIM_SRGB},
              {V_GFX10_FORMAT_BC4_UNORM, SIM_TEXEL_BC4, SIM_UNORM},
              {V_GFX10_FORMAT_BC4_SNORM, SIM_TEXEL_BC4, SIM_SNORM},
              {V_GFX10_FORMAT_BC5_UNORM, SIM_TEXEL_BC5, SIM_UNORM},
              {V_GFX10_FORMAT_BC5_SNORM, SIM_TEXEL_BC5, SIM_SNORM},
              {V_GFX10_FORMAT_BC6_UFLOAT, SIM_TEXEL_BC6H, SIM_UNORM},
              {V_GFX10_FORMAT_BC6_SFLOAT, SIM_TEXEL_BC6H, SIM_FLOAT},
              {V_GFX10_FORMAT_BC7_UNORM, SIM_TEXEL_BC7, SIM_UNORM},
              {V_GFX10_FORMAT_BC7_SRGB, SIM_TEXEL_BC7, SIM_SRGB},
              {ETC2_RGB_UNORM, SIM_TEXEL_ETC2_RGB, SIM_UNORM},
              {ETC2_RGB_SRGB, SIM_TEXEL_ETC2_RGB, SIM_SRGB},
              {ETC2_RGBA_UNORM, SIM_TEXEL_ETC2_RGBA, SIM_UNORM},
              {ETC2_RGBA_SRGB, SIM_TEXEL_ETC2_RGBA, SIM_SRGB},
              {ETC2_R_UNORM, SIM_TEXEL_EAC_R, SIM_UNORM},
              {ETC2_R_SNORM, SIM_TEXEL_EAC_R, SIM_SNORM},
              {ETC2_RG_UNORM, SIM_TEXEL_EAC_RG, SIM_UNORM},
              {ETC2_RG_SNORM, SIM_TEXEL_EAC_RG, SIM_SNORM},
              {ETC2_RGBA1_UNORM, SIM_TEXEL_ETC2_PUNCH, SIM_UNORM},
              {ETC2_RGBA1_SRGB, SIM_TEXEL_ETC2_PUNCH, SIM_SRGB}};

static enum sim_numeric
numeric_of(char kind)
{
   switch (kind) {
   case 'u':
      return SIM_UNORM;
   case 's':
      return SIM_SNORM;
   case 'U':
      return SIM_USCALED;
   case 'S':
      return SIM_SSCALED;
   case 'i':
      return SIM_UINT;
   case 'I':
      return SIM_SINT;
   case 'g':
      return SIM_SRGB;
   default:
      return SIM_FLOAT;
   }
}

__attribute__((constructor)) static void
fill_table(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(families); i++) {
      for (unsigned k = 0; families[i].kinds[k]; k++)
         unified[families[i].first + k] =
            sim_texel_plain(numeric_of(families[i].kinds[k]), families[i].components, families[i].bits);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(packed); i++)
      unified[packed[i].format] = sim_texel_packed(packed[i].layout, packed[i].numeric);
   /* 64 bits: a float, then 8 bits of stencil in the second word. */
   struct sim_texel_format x24_8_32 = sim_texel_plain(SIM_FLOAT, 1, (const uint8_t[4]){32});
   x24_8_32.size_B = 8;
   x24_8_32.fast = 0;
   unified[V_GFX10_FORMAT_X24_8_32_FLOAT] = x24_8_32;
}

/* GFX9: a layout, in one order for buffers and images, and a kind of number. */
static unsigned
from_two_parts(unsigned layout, unsigned number)
{
   static const struct {
      uint16_t first;    /* unified */
      const char *kinds; /* in the order of the unified numbers; g: srgb */
      uint16_t srgb;
   } layouts[64] = {
      [1] = {V_GFX10_FORMAT_8_UNORM, NORM_SCALED_INT, V_GFX10_FORMAT_8_SRGB},
      [2] = {V_GFX10_FORMAT_16_UNORM, NORM_SCALED_INT_FLOAT, 0},
      [3] = {V_GFX10_FORMAT_8_8_UNORM, NORM_SCALED_INT, V_GFX10_FORMAT_8_8_SRGB},
      [4] = {V_GFX10_FORMAT_32_UINT, INT_FLOAT, 0},
      [5] = {V_GFX10_FORMAT_16_16_UNORM, NORM_SCALED_INT_FLOAT, 0},
      [6] = {V_GFX10_FORMAT_10_11_11_UNORM, NORM_SCALED_INT_FLOAT, 0},
      [7] = {V_GFX10_FORMAT_11_11_10_UNORM, NORM_SCALED_INT_FLOAT, 0},
      [8] = {V_GFX10_FORMAT_10_10_10_2_UNORM, NORM_SCALED_INT, 0},
      [9] = {V_GFX10_FORMAT_2_10_10_10_UNORM, NORM_SCALED_INT, 0},
      [10] = {V_GFX10_FORMAT_8_8_8_8_UNORM, NORM_SCALED_INT, V_GFX10_FORMAT_8_8_8_8_SRGB},
      [11] = {V_GFX10_FORMAT_32_32_UINT, INT_FLOAT, 0},
      [12] = {V_GFX10_FORMAT_16_16_16_16_UNORM, NORM_SCALED_INT_FLOAT, 0},
      [13] = {V_GFX10_FORMAT_32_32_32_UINT, INT_FLOAT, 0},
      [14] = {V_GFX10_FORMAT_32_32_32_32_UINT, INT_FLOAT, 0},
      [16] = {V_GFX10_FORMAT_5_6_5_UNORM, "u", 0},
      [17] = {V_GFX10_FORMAT_1_5_5_5_UNORM, "u", 0},
      [18] = {V_GFX10_FORMAT_5_5_5_1_UNORM, "u", 0},
      [19] = {V_GFX10_FORMAT_4_4_4_4_UNORM, "u", 0},
      [20] = {V_GFX10_FORMAT_8_24_UNORM, "ui", 0},
      [21] = {V_GFX10_FORMAT_24_8_UNORM, "ui", 0},
      [22] = {V_GFX10_FORMAT_X24_8_32_FLOAT, "f", 0},
      [24] = {ETC2_RGB_UNORM, "u", ETC2_RGB_SRGB},
      [25] = {ETC2_RGBA_UNORM, "u", ETC2_RGBA_SRGB},
      [26] = {ETC2_R_UNORM, "us", 0},
      [27] = {ETC2_RG_UNORM, "us", 0},
      [28] = {ETC2_RGBA1_UNORM, "u", ETC2_RGBA1_SRGB},
      [34] = {V_GFX10_FORMAT_5_9_9_9_FLOAT, "f", 0},
      [35] = {V_GFX10_FORMAT_BC1_UNORM, "u", V_GFX10_FORMAT_BC1_SRGB},
      [36] = {V_GFX10_FORMAT_BC2_UNORM, "u", V_GFX10_FORMAT_BC2_SRGB},
      [37] = {V_GFX10_FORMAT_BC3_UNORM, "u", V_GFX10_FORMAT_BC3_SRGB},
      [38] = {V_GFX10_FORMAT_BC4_UNORM, "us", 0},
      [39] = {V_GFX10_FORMAT_BC5_UNORM, "us", 0},
      [40] = {V_GFX10_FORMAT_BC6_UFLOAT, "us", 0},
      [41] = {V_GFX10_FORMAT_BC7_UNORM, "u", V_GFX10_FORMAT_BC7_SRGB},
      [57] = {V_GFX10_FORMAT_4_4_UNORM, "u", 0},
      /* S8_16, S8_32: stencil next to depth of 16 and 32 bits. Source: Mesa's register headers. */
      [59] = {V_GFX10_FORMAT_8_UNORM, NORM_SCALED_INT, 0},
      [60] = {V_GFX10_FORMAT_8_UNORM, NORM_SCALED_INT, 0},
   };
   static const char numbers[16] = {'u', 's', 'U', 'S', 'i', 'I', '?', 'f', '?', 'g', '?', '?', '?', '?', '?', '?'};
   if ((layout & 63) == 45) /* FMASK: the number says samples and fragments, in the order of the unified formats */
      return V_GFX10_FORMAT_FMASK8_S2_F1 + (number & 15);
   const char *kind = layouts[layout & 63].kinds ? strchr(layouts[layout & 63].kinds, numbers[number & 15]) : NULL;
   if (numbers[number & 15] == 'g')
      return layouts[layout & 63].srgb;
   return kind ? layouts[layout & 63].first + (unsigned)(kind - layouts[layout & 63].kinds) : 0;
}

/* What is one number already. */
static unsigned
from_number(enum amd_gen gen, unsigned format)
{
   return amd_traits[gen].fewer_formats ? amd_format_from_gfx11(format) : format;
}

unsigned
amd_format_of_image(enum amd_gen gen, const struct amd_sq_img_rsrc *rsrc)
{
   return amd_traits[gen].two_part_formats ? from_two_parts(rsrc->data_format, rsrc->num_format)
                                           : from_number(gen, rsrc->format);
}

uint8_t
amd_format_depth_log2(const struct amd_sq_img_rsrc *rsrc, uint8_t own_log2)
{
   enum { S8_16 = 59, S8_32 = 60 };
   return rsrc->data_format == S8_16 ? 1 : rsrc->data_format == S8_32 ? 2 : own_log2;
}

bool
amd_format_image_is_null(const struct amd_sq_img_rsrc *rsrc)
{
   return !rsrc->data_format && !rsrc->format;
}

unsigned
amd_format_of_buffer(enum amd_gen gen, const struct amd_sq_buf_rsrc *rsrc)
{
   return amd_traits[gen].two_part_formats ? from_two_parts(rsrc->data_format, rsrc->num_format)
                                           : from_number(gen, rsrc->format);
}

unsigned
amd_format_of_instruction(enum amd_gen gen, unsigned field)
{
   return amd_traits[gen].two_part_formats ? from_two_parts(field & 15, field >> 4) : from_number(gen, field);
}

const struct sim_texel_format *
amd_format_unified(unsigned format)
{
   return &unified[format < FORMAT_COUNT ? format : 0];
}

struct sim_texel_format
amd_format_color(unsigned color_format, unsigned number_type)
{
   static const struct {
      uint8_t components, bits[4];
   } fields[] = {
      [V_COLOR_8] = {1, {8}},
      [V_COLOR_16] = {1, {16}},
      [V_COLOR_8_8] = {2, {8, 8}},
      [V_COLOR_32] = {1, {32}},
      [V_COLOR_16_16] = {2, {16, 16}},
      [V_COLOR_10_11_11] = {3, {11, 11, 10}},
      [V_COLOR_11_11_10] = {3, {10, 11, 11}},
      [V_COLOR_10_10_10_2] = {4, {2, 10, 10, 10}},
      [V_COLOR_2_10_10_10] = {4, {10, 10, 10, 2}},
      [V_COLOR_8_8_8_8] = {4, {8, 8, 8, 8}},
      [V_COLOR_32_32] = {2, {32, 32}},
      [V_COLOR_16_16_16_16] = {4, {16, 16, 16, 16}},
      [V_COLOR_32_32_32_32] = {4, {32, 32, 32, 32}},
      [V_COLOR_5_6_5] = {3, {5, 6, 5}},
      [V_COLOR_1_5_5_5] = {4, {5, 5, 5, 1}},
      [V_COLOR_5_5_5_1] = {4, {1, 5, 5, 5}},
      [V_COLOR_4_4_4_4] = {4, {4, 4, 4, 4}},
   };
   static const uint8_t numerics[8] = {SIM_UNORM, SIM_SNORM, SIM_USCALED, SIM_SSCALED,
                                       SIM_UINT,  SIM_SINT,  SIM_SRGB,    SIM_FLOAT};
   struct sim_texel_format none = {0};
   if (color_format == V_COLOR_5_9_9_9 && number_type == 7) {
      struct sim_texel_format shared = sim_texel_packed(SIM_TEXEL_SHARED_EXPONENT, SIM_FLOAT);
      /* Only whole texels are written: no channel has the bits of the exponent to itself. */
      shared.components = 3;
      for (unsigned i = 0; i < 3; i++) {
         shared.bits[i] = i == 2 ? 14 : 9;
         shared.shift[i] = (uint8_t)(9 * i);
      }
      return shared;
   }
   if (color_format >= ARRAY_SIZE(fields) || !fields[color_format].components || number_type == 2 || number_type == 3)
      return none;
   enum sim_numeric numeric = numerics[number_type & 7];
   unsigned bits = fields[color_format].bits[0];
   if ((numeric == SIM_FLOAT && (bits < 10 || fields[color_format].components == 4) && bits != 16 && bits != 32) ||
       (numeric == SIM_SRGB && bits != 8) || ((numeric == SIM_UNORM || numeric == SIM_SNORM) && bits == 32))
      return none;
   return sim_texel_plain(numeric, fields[color_format].components, fields[color_format].bits);
}

unsigned
amd_format_size_B(unsigned format)
{
   return amd_format_unified(format)->size_B;
}

void
amd_format_unpack(unsigned format, const void *texel, uint32_t value[4])
{
   sim_texel_decode(amd_format_unified(format), texel, value);
}

void
amd_format_pack(unsigned format, const uint32_t value[4], void *texel)
{
   sim_texel_encode(amd_format_unified(format), value, texel);
}

bool
amd_format_is_integer(unsigned format)
{
   return sim_numeric_is_int(amd_format_unified(format)->numeric);
}

bool
amd_format_is_signed_integer(unsigned format)
{
   return amd_format_unified(format)->numeric == SIM_SINT;
}

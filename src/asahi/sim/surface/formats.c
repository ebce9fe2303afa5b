#include "asahi/sim/surface/formats.h"

#include <pthread.h>
#include <string.h>

#include "sim/texel/numeric.h"
#include "util/macros.h"

/* Components from the lowest bit up. */
static const struct {
   uint8_t components, bits[4];
} plain[] = {
   [AGX_CHANNELS_R8] = {1, {8}},
   [AGX_CHANNELS_R16] = {1, {16}},
   [AGX_CHANNELS_R8G8] = {2, {8, 8}},
   [AGX_CHANNELS_R5G6B5] = {3, {5, 6, 5}},
   [AGX_CHANNELS_R4G4B4A4] = {4, {4, 4, 4, 4}},
   [AGX_CHANNELS_A1R5G5B5] = {4, {5, 5, 5, 1}}, /* see plain_format() */
   [AGX_CHANNELS_R5G5B5A1] = {4, {5, 5, 5, 1}},
   [AGX_CHANNELS_R32] = {1, {32}},
   [AGX_CHANNELS_R16G16] = {2, {16, 16}},
   [AGX_CHANNELS_R11G11B10] = {3, {11, 11, 10}},
   [AGX_CHANNELS_R10G10B10A2] = {4, {10, 10, 10, 2}},
   [AGX_CHANNELS_R8G8B8A8] = {4, {8, 8, 8, 8}},
   [AGX_CHANNELS_R32G32] = {2, {32, 32}},
   [AGX_CHANNELS_R16G16B16A16] = {4, {16, 16, 16, 16}},
   [AGX_CHANNELS_UNKNOWN_36] = {1, {32}}, /* agx_surface.no_texels */
   [AGX_CHANNELS_R32G32B32A32] = {4, {32, 32, 32, 32}},
};

/* Whether components of so many bits have the type. */
static bool
has_type(unsigned bits, unsigned components, enum agx_texture_type type)
{
   switch (type) {
   case AGX_TEXTURE_TYPE_UNORM:
      return bits <= 16 && !(bits == 11 && components == 3);
   case AGX_TEXTURE_TYPE_SNORM:
      return bits == 8 || bits == 16;
   case AGX_TEXTURE_TYPE_UINT:
   case AGX_TEXTURE_TYPE_SINT:
      return bits >= 8 && !(bits == 11 && components == 3);
   case AGX_TEXTURE_TYPE_FLOAT:
      return bits == 16 || bits == 32 || (bits == 11 && components == 3);
   case AGX_TEXTURE_TYPE_XR:
      break;
   }
   return false;
}

static struct sim_texel_format
plain_format(enum agx_channels channels, enum agx_texture_type type, bool srgb)
{
   static const enum sim_numeric numerics[] = {
      [AGX_TEXTURE_TYPE_UNORM] = SIM_UNORM, [AGX_TEXTURE_TYPE_SNORM] = SIM_SNORM, [AGX_TEXTURE_TYPE_UINT] = SIM_UINT,
      [AGX_TEXTURE_TYPE_SINT] = SIM_SINT,   [AGX_TEXTURE_TYPE_FLOAT] = SIM_FLOAT,
   };
   struct sim_texel_format none = {0};
   unsigned components = plain[channels].components, bits = plain[channels].bits[0];
   if (!has_type(bits, components, type) || (srgb && (bits != 8 || type != AGX_TEXTURE_TYPE_UNORM)))
      return none;
   enum sim_numeric numeric = srgb ? SIM_SRGB : numerics[type];
   struct sim_texel_format format = sim_texel_plain(numeric, components, plain[channels].bits);
   /* Alpha lies lowest (assumed from the name: no driver is known to use it). */
   for (unsigned i = 0; channels == AGX_CHANNELS_A1R5G5B5 && i < 4; i++)
      format.shift[i] = (uint8_t)(i == 3 ? 0 : 1 + 5 * i);
   return format;
}

/* Formats that sim/texel/texel.h has as a whole. sign: a signed variant has this type. */
static const struct {
   uint8_t channels, layout;
   uint8_t type, numeric, signed_numeric; /* signed_numeric 0: there is none, type SNORM asks for it */
   bool srgb;                             /* there is such a variant */
} packed[] = {
   {AGX_CHANNELS_R9G9B9E5, SIM_TEXEL_SHARED_EXPONENT, AGX_TEXTURE_TYPE_FLOAT, SIM_FLOAT, 0, false},
   {AGX_CHANNELS_BC1, SIM_TEXEL_BC1, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, 0, true},
   {AGX_CHANNELS_BC2, SIM_TEXEL_BC2, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, 0, true},
   {AGX_CHANNELS_BC3, SIM_TEXEL_BC3, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, 0, true},
   {AGX_CHANNELS_BC4, SIM_TEXEL_BC4, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, SIM_SNORM, false},
   {AGX_CHANNELS_BC5, SIM_TEXEL_BC5, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, SIM_SNORM, false},
   {AGX_CHANNELS_BC6H, SIM_TEXEL_BC6H, AGX_TEXTURE_TYPE_FLOAT, SIM_FLOAT, 0, false},
   {AGX_CHANNELS_BC6H_UFLOAT, SIM_TEXEL_BC6H, AGX_TEXTURE_TYPE_FLOAT, SIM_UNORM, 0, false},
   {AGX_CHANNELS_BC7, SIM_TEXEL_BC7, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, 0, true},
   {AGX_CHANNELS_ETC2_RGB8, SIM_TEXEL_ETC2_RGB, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, 0, true},
   {AGX_CHANNELS_ETC2_RGB8A1, SIM_TEXEL_ETC2_PUNCH, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, 0, true},
   {AGX_CHANNELS_ETC2_RGBA8, SIM_TEXEL_ETC2_RGBA, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, 0, true},
   {AGX_CHANNELS_EAC_R11, SIM_TEXEL_EAC_R, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, SIM_SNORM, false},
   {AGX_CHANNELS_EAC_RG11, SIM_TEXEL_EAC_RG, AGX_TEXTURE_TYPE_UNORM, SIM_UNORM, SIM_SNORM, false},
};

/* By channels code; 0: none. */
static const struct {
   uint8_t width, height;
} astc_blocks[] = {
   [AGX_CHANNELS_ASTC_4X4] = {4, 4},     [AGX_CHANNELS_ASTC_5X4] = {5, 4},     [AGX_CHANNELS_ASTC_5X5] = {5, 5},
   [AGX_CHANNELS_ASTC_6X5] = {6, 5},     [AGX_CHANNELS_ASTC_6X6] = {6, 6},     [AGX_CHANNELS_ASTC_8X5] = {8, 5},
   [AGX_CHANNELS_ASTC_8X6] = {8, 6},     [AGX_CHANNELS_ASTC_8X8] = {8, 8},     [AGX_CHANNELS_ASTC_10X5] = {10, 5},
   [AGX_CHANNELS_ASTC_10X6] = {10, 6},   [AGX_CHANNELS_ASTC_10X8] = {10, 8},   [AGX_CHANNELS_ASTC_10X10] = {10, 10},
   [AGX_CHANNELS_ASTC_12X10] = {12, 10}, [AGX_CHANNELS_ASTC_12X12] = {12, 12},
};

struct sim_texel_format
agx_pixel_format(enum agx_channels channels, enum agx_texture_type type, bool srgb)
{
   struct sim_texel_format none = {0};
   if (channels < ARRAY_SIZE(plain) && plain[channels].components)
      return plain_format(channels, type, srgb);
   /* HDR, of type FLOAT, is not there. */
   if (channels < ARRAY_SIZE(astc_blocks) && astc_blocks[channels].width && type == AGX_TEXTURE_TYPE_UNORM)
      return sim_texel_astc(srgb ? SIM_SRGB : SIM_UNORM, astc_blocks[channels].width, astc_blocks[channels].height);
   for (unsigned i = 0; i < ARRAY_SIZE(packed); i++) {
      if (packed[i].channels != channels)
         continue;
      bool is_signed = packed[i].signed_numeric && type == AGX_TEXTURE_TYPE_SNORM;
      if ((type != packed[i].type && !is_signed) || (srgb && !packed[i].srgb))
         return none;
      enum sim_numeric numeric = srgb ? SIM_SRGB : is_signed ? packed[i].signed_numeric : packed[i].numeric;
      return sim_texel_packed(packed[i].layout, numeric);
   }
   return none;
}

unsigned
agx_format_B(enum agx_format format)
{
   switch (format) {
   case AGX_FORMAT_I8:
   case AGX_FORMAT_U8NORM:
   case AGX_FORMAT_S8NORM:
   case AGX_FORMAT_SRGBA8:
      return 1;
   case AGX_FORMAT_I16:
   case AGX_FORMAT_F16:
   case AGX_FORMAT_U16NORM:
   case AGX_FORMAT_S16NORM:
      return 2;
   case AGX_FORMAT_I32:
   case AGX_FORMAT_RGB10A2:
   case AGX_FORMAT_RG11B10F:
   case AGX_FORMAT_RGB9E5:
   case AGX_FORMAT_RG11B10F_RTZ:
   case AGX_FORMAT_RGB9E5_RTZ:
      return 4;
   }
   return 0;
}

bool
agx_format_is_packed(enum agx_format format)
{
   return format == AGX_FORMAT_RGB10A2 || format >= AGX_FORMAT_RG11B10F;
}

/* Of the packed formats; the others' are made of one component repeated. */
static struct sim_texel_format
make_texel_format(enum agx_format format, unsigned components)
{
   static const uint8_t byte[4] = {8, 8, 8, 8}, half[4] = {16, 16, 16, 16}, word[4] = {32, 32, 32, 32};
   switch (format) {
   case AGX_FORMAT_I8:
      return sim_texel_plain(SIM_UINT, components, byte);
   case AGX_FORMAT_I16:
      return sim_texel_plain(SIM_UINT, components, half);
   case AGX_FORMAT_I32:
      return sim_texel_plain(SIM_UINT, components, word);
   case AGX_FORMAT_F16:
      return sim_texel_plain(SIM_FLOAT, components, half);
   case AGX_FORMAT_U8NORM:
      return sim_texel_plain(SIM_UNORM, components, byte);
   case AGX_FORMAT_S8NORM:
      return sim_texel_plain(SIM_SNORM, components, byte);
   case AGX_FORMAT_U16NORM:
      return sim_texel_plain(SIM_UNORM, components, half);
   case AGX_FORMAT_S16NORM:
      return sim_texel_plain(SIM_SNORM, components, half);
   case AGX_FORMAT_SRGBA8:
      return sim_texel_plain(SIM_SRGB, components, byte);
   case AGX_FORMAT_RGB10A2:
      return sim_texel_plain(SIM_UNORM, 4, (const uint8_t[4]){10, 10, 10, 2});
   case AGX_FORMAT_RG11B10F:
   case AGX_FORMAT_RG11B10F_RTZ:
      return sim_texel_plain(SIM_FLOAT, 3, (const uint8_t[4]){11, 11, 10});
   case AGX_FORMAT_RGB9E5:
   case AGX_FORMAT_RGB9E5_RTZ:
      return sim_texel_packed(SIM_TEXEL_SHARED_EXPONENT, SIM_FLOAT);
   }
   return (struct sim_texel_format){0};
}

enum { FORMATS = 16 };

static struct sim_texel_format texel_formats[FORMATS][5]; /* by format and components */

static void
fill_texel_formats(void)
{
   for (unsigned format = 0; format < FORMATS; format++)
      for (unsigned components = 1; agx_format_B((enum agx_format)format) && components <= 4; components++)
         texel_formats[format][components] = make_texel_format((enum agx_format)format, components);
}

static const struct sim_texel_format *
texel_format(enum agx_format format, unsigned components)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   pthread_once(&once, fill_texel_formats);
   return &texel_formats[format][components];
}

void
agx_format_unpack(enum agx_format format, unsigned components, const void *bytes, uint32_t value[4])
{
   sim_texel_decode(texel_format(format, components), bytes, value);
}

/* A float of 5 exponent bits and so many of mantissa, of the same sign and not larger than this one. */
static uint32_t
cut(uint32_t value, unsigned mantissa_bits)
{
   int exponent = (int)(value >> 23 & 0xff) - 127;
   if (exponent == 128)
      return value;
   if (exponent > 15)
      return (value & 0x80000000) | (uint32_t)(15 + 127) << 23 |
             (((1u << mantissa_bits) - 1) << (23 - mantissa_bits));
   int kept = (int)mantissa_bits - (exponent < -14 ? -14 - exponent : 0);
   return kept < 0 ? value & 0x80000000 : value & ~((1u << (23 - kept)) - 1);
}

void
agx_format_round_to_zero(const struct sim_texel_format *format, uint32_t value[4])
{
   for (unsigned c = 0; c < format->components; c++) {
      if (format->layout == SIM_TEXEL_SHARED_EXPONENT)
         value[c] = cut(value[c], 8);
      else if (format->numeric == SIM_FLOAT && format->bits[c] < 32)
         value[c] = cut(value[c], format->bits[c] == 16 ? 10u : format->bits[c] - 5u);
   }
}

void
agx_format_pack(enum agx_format format, unsigned components, const uint32_t value[4], void *bytes)
{
   const struct sim_texel_format *texel = texel_format(format, components);
   uint32_t low[4];
   memcpy(low, value, sizeof(low));
   for (unsigned i = 0; i < 4; i++) {
      if (format == AGX_FORMAT_I8 || format == AGX_FORMAT_I16)
         low[i] &= (1u << (8 * agx_format_B(format))) - 1;
   }
   if (format == AGX_FORMAT_RG11B10F_RTZ || format == AGX_FORMAT_RGB9E5_RTZ)
      agx_format_round_to_zero(texel, low);
   sim_texel_encode(texel, low, bytes);
}

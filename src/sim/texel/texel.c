#include "sim/texel/texel.h"

#include <assert.h>
#include <string.h>

#include "sim/texel/astc.h"
#include "sim/texel/bc.h"
#include "sim/texel/etc.h"
#include "sim/texel/numeric.h"
#include "sim/texel/texel_fast.h"

static float unorm8[256];

__attribute__((constructor)) static void
unorm_table(void)
{
   for (unsigned i = 0; i < 256; i++)
      unorm8[i] = sim_unorm_to_float(i, 8);
}

static enum texel_fast
find_fast_path(const struct sim_texel_format *format)
{
   if (format->components == 4 && format->bits[0] == 8 && format->bits[3] == 8 && format->bits[1] == 8) {
      if (format->numeric == SIM_UNORM)
         return FAST_UNORM8X4;
      if (format->numeric == SIM_SRGB)
         return FAST_SRGB8X4;
      if (format->numeric == SIM_UINT)
         return FAST_UINT8X4;
   }
   if (format->numeric == SIM_UNORM && format->size_B <= 4)
      return FAST_UNORM_WORD;
   bool words = format->numeric == SIM_FLOAT || sim_numeric_is_int(format->numeric);
   if (words && format->bits[0] == 32)
      return FAST_WORDS;
   if (format->numeric == SIM_FLOAT && format->bits[0] == 16)
      return FAST_HALF;
   return FAST_NONE;
}

struct sim_texel_format
sim_texel_plain(enum sim_numeric numeric, unsigned components, const uint8_t bits[4])
{
   struct sim_texel_format format = {
      .layout = SIM_TEXEL_PLAIN,
      .numeric = (uint8_t)numeric,
      .components = (uint8_t)components,
      .block_width = 1,
      .block_height = 1,
   };
   unsigned shift = 0;
   for (unsigned i = 0; i < components; i++) {
      format.bits[i] = bits[i];
      format.shift[i] = (uint8_t)shift;
      shift += bits[i];
   }
   format.size_B = (uint8_t)(shift / 8);
   format.fast = (uint8_t)find_fast_path(&format);
   return format;
}

struct sim_texel_format
sim_texel_packed(enum sim_texel_layout layout, enum sim_numeric numeric)
{
   static const uint8_t size_B[] = {[SIM_TEXEL_PLAIN] = 0,      [SIM_TEXEL_SHARED_EXPONENT] = 4,
                                    [SIM_TEXEL_BC1] = 8,        [SIM_TEXEL_BC2] = 16,
                                    [SIM_TEXEL_BC3] = 16,       [SIM_TEXEL_BC4] = 8,
                                    [SIM_TEXEL_BC5] = 16,       [SIM_TEXEL_BC6H] = 16,
                                    [SIM_TEXEL_BC7] = 16,       [SIM_TEXEL_ETC2_RGB] = 8,
                                    [SIM_TEXEL_ETC2_PUNCH] = 8, [SIM_TEXEL_ETC2_RGBA] = 16,
                                    [SIM_TEXEL_EAC_R] = 8,      [SIM_TEXEL_EAC_RG] = 16};
   uint8_t side = layout >= SIM_TEXEL_BC1 ? 4 : 1;
   return (struct sim_texel_format){.size_B = size_B[layout],
                                    .layout = (uint8_t)layout,
                                    .numeric = (uint8_t)numeric,
                                    .components = 4,
                                    .block_width = side,
                                    .block_height = side};
}

struct sim_texel_format
sim_texel_astc(enum sim_numeric numeric, unsigned block_width, unsigned block_height)
{
   return (struct sim_texel_format){.size_B = 16,
                                    .layout = SIM_TEXEL_ASTC,
                                    .numeric = (uint8_t)numeric,
                                    .components = 4,
                                    .block_width = (uint8_t)block_width,
                                    .block_height = (uint8_t)block_height};
}

static inline uint32_t
load_word(const void *texel, unsigned size_B, unsigned shift)
{
   const uint8_t *bytes = (const uint8_t *)texel + shift / 32 * 4;
   unsigned left_B = size_B - shift / 32 * 4;
   uint32_t word = 0;
   if (left_B >= 4)
      memcpy(&word, bytes, 4);
   else
      word = bytes[0] | (left_B > 1 ? (uint32_t)bytes[1] << 8 : 0) | (left_B > 2 ? (uint32_t)bytes[2] << 16 : 0);
   return word >> (shift % 32);
}

static uint32_t
decode_field(const struct sim_texel_format *format, unsigned component, uint32_t field)
{
   unsigned bits = format->bits[component];
   field &= (uint32_t)bit_mask(bits);
   switch ((enum sim_numeric)format->numeric) {
   case SIM_UNORM:
      return float_bits(bits == 8 ? unorm8[field] : sim_unorm_to_float(field, bits));
   case SIM_SNORM:
      return float_bits(sim_snorm_to_float(field, bits));
   case SIM_USCALED:
      return float_bits((float)field);
   case SIM_SSCALED:
      return float_bits((float)sign_extend(field, bits));
   case SIM_UINT:
      return field;
   case SIM_SINT:
      return (uint32_t)sign_extend(field, bits);
   case SIM_FLOAT:
      return bits == 32 ? field
                        : float_bits(bits == 16 ? sim_half_to_float((uint16_t)field)
                                                : sim_small_float_to_float(field, bits - 5));
   case SIM_SRGB:
      return float_bits(component == 3 ? unorm8[field] : sim_srgb_to_float[field]);
   }
   __builtin_unreachable();
}

static void
decode_generic(const struct sim_texel_format *format, const void *texel, uint32_t value[4])
{
   value[0] = value[1] = value[2] = 0;
   value[3] = sim_numeric_is_int(format->numeric) ? 1 : float_bits(1.0f);
   for (unsigned i = 0; i < format->components; i++)
      value[i] = decode_field(format, i, load_word(texel, format->size_B, format->shift[i]));
}

void
sim_texel_decode(const struct sim_texel_format *format, const void *texel, uint32_t value[4])
{
   const uint8_t *bytes = texel;
   if (format->layout == SIM_TEXEL_SHARED_EXPONENT) {
      float rgb[3];
      sim_shared_exponent_to_float(load_word(texel, 4, 0), rgb);
      memcpy(value, rgb, sizeof(rgb));
      value[3] = float_bits(1.0f);
      return;
   }
   assert(format->layout == SIM_TEXEL_PLAIN && "compressed blocks go through sim_texel_decode_block");
   switch ((enum texel_fast)format->fast) {
   case FAST_UNORM8X4:
      for (unsigned i = 0; i < 4; i++)
         value[i] = float_bits(unorm8[bytes[i]]);
      return;
   case FAST_SRGB8X4:
      for (unsigned i = 0; i < 3; i++)
         value[i] = float_bits(sim_srgb_to_float[bytes[i]]);
      value[3] = float_bits(unorm8[bytes[3]]);
      return;
   case FAST_UINT8X4:
      for (unsigned i = 0; i < 4; i++)
         value[i] = bytes[i];
      return;
   case FAST_WORDS:
      value[1] = value[2] = 0;
      value[3] = format->numeric == SIM_FLOAT ? float_bits(1.0f) : 1;
      memcpy(value, texel, format->size_B);
      return;
   case FAST_NONE:
   case FAST_UNORM_WORD:
   case FAST_HALF:
      break;
   }
   decode_generic(format, texel, value);
}

/* One component's field. component < components, plain layouts only. */
static uint32_t
sim_texel_encode_field(const struct sim_texel_format *format, unsigned component, uint32_t value)
{
   unsigned bits = format->bits[component];
   float f = bits_float(value);
   switch ((enum sim_numeric)format->numeric) {
   case SIM_UNORM:
      return sim_unorm_from_float(f, bits);
   case SIM_SNORM:
      return sim_snorm_from_float(f, bits);
   case SIM_USCALED:
      return f > 0.0f ? sim_uint_saturate(f >= 4294967296.0f ? UINT32_MAX : (uint32_t)f, bits) : 0;
   case SIM_SSCALED:
      return sim_sint_saturate(f != f                ? 0
                               : f >= 2147483648.0f  ? INT32_MAX
                               : f <= -2147483648.0f ? INT32_MIN
                                                     : (int32_t)f,
                               bits);
   case SIM_UINT:
      return sim_uint_saturate(value, bits);
   case SIM_SINT:
      return sim_sint_saturate((int32_t)value, bits);
   case SIM_FLOAT:
      return bits == 32 ? value : bits == 16 ? sim_half_from_float(f) : sim_small_float_from_float(f, bits - 5);
   case SIM_SRGB:
      return component == 3 ? sim_unorm_from_float(f, bits) : sim_srgb_from_float(f);
   }
   __builtin_unreachable();
}

void
sim_texel_encode(const struct sim_texel_format *format, const uint32_t value[4], void *texel)
{
   uint32_t words[4] = {0};
   if (format->fast == FAST_UNORM8X4) {
      words[0] = sim_unorm_from_float(bits_float(value[0]), 8) | sim_unorm_from_float(bits_float(value[1]), 8) << 8 |
                 sim_unorm_from_float(bits_float(value[2]), 8) << 16 |
                 sim_unorm_from_float(bits_float(value[3]), 8) << 24;
      memcpy(texel, words, 4);
      return;
   }
   if (format->fast == FAST_UINT8X4) {
      for (unsigned i = 0; i < 4; i++)
         words[0] |= sim_uint_saturate(value[i], 8) << 8 * i;
      memcpy(texel, words, 4);
      return;
   }
   if (format->layout == SIM_TEXEL_SHARED_EXPONENT) {
      const float rgb[3] = {bits_float(value[0]), bits_float(value[1]), bits_float(value[2])};
      words[0] = sim_shared_exponent_from_float(rgb);
   } else {
      assert(format->layout == SIM_TEXEL_PLAIN && "nothing writes compressed blocks texel by texel");
      for (unsigned i = 0; i < format->components; i++)
         words[format->shift[i] / 32] |= sim_texel_encode_field(format, i, value[i]) << (format->shift[i] % 32);
   }
   memcpy(texel, words, format->size_B);
}

void
texel_of_block(const struct sim_texel_format *format, const float color[4], uint32_t value[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const bool srgb = format->numeric == SIM_SRGB && i < 3;
      value[i] = float_bits(srgb ? sim_srgb_to_float[sim_unorm_from_float(color[i], 8)] : color[i]);
   }
}

void
sim_texel_decode_block(const struct sim_texel_format *format, const void *block, unsigned x, unsigned y,
                       uint32_t value[4])
{
   bool is_signed = format->numeric == SIM_SNORM || format->numeric == SIM_FLOAT;
   float color[4] = {0.0f, 0.0f, 0.0f, 1.0f};
   if (format->layout == SIM_TEXEL_ASTC)
      sim_astc_decode(block, format->block_width, format->block_height, format->numeric == SIM_SRGB, x, y, color);
   else
      (format->layout >= SIM_TEXEL_ETC2_RGB ? sim_etc_decode : sim_bc_decode)((enum sim_texel_layout)format->layout,
                                                                              is_signed, block, x, y, color);
   texel_of_block(format, color, value);
}

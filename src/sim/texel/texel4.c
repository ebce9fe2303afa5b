#include "sim/texel/texel4.h"

#include "sim/texel/numeric4.h"
#include "sim/texel/texel_fast.h"

static void
encode_each(const struct sim_texel_format *format, const v4u value[4], v4u words[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t one[4] = {value[0][i], value[1][i], value[2][i], value[3][i]};
      uint32_t texel[4] = {0};
      sim_texel_encode(format, one, texel);
      for (unsigned w = 0; w < 4; w++)
         words[w][i] = texel[w];
   }
}

static void
decode_each(const struct sim_texel_format *format, const v4u words[4], v4u value[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t texel[4] = {words[0][i], words[1][i], words[2][i], words[3][i]};
      uint32_t one[4];
      sim_texel_decode(format, texel, one);
      for (unsigned c = 0; c < 4; c++)
         value[c][i] = one[c];
   }
}

/* Some components of a word. */
static bool
is_unorm_word(const struct sim_texel_format *format)
{
   return format->layout == SIM_TEXEL_PLAIN && format->numeric == SIM_UNORM && format->components >= 3 &&
          format->size_B <= 4;
}

static v4u
encode_unorm_word(const struct sim_texel_format *format, const v4u value[4])
{
   v4u word = {0};
   for (unsigned c = 0; c < format->components; c++)
      word |= sim_unorm_from_float4((v4f)value[c], format->bits[c]) << format->shift[c];
   return word;
}

void
sim_texel_encode4(const struct sim_texel_format *format, const v4u value[4], v4u words[4])
{
   switch ((enum texel_fast)format->fast) {
   case FAST_UNORM8X4:
      words[0] = sim_unorm_from_float4((v4f)value[0], 8) | sim_unorm_from_float4((v4f)value[1], 8) << 8 |
                 sim_unorm_from_float4((v4f)value[2], 8) << 16 | sim_unorm_from_float4((v4f)value[3], 8) << 24;
      return;
   case FAST_UNORM_WORD:
      words[0] = (v4u){0};
      for (unsigned c = 0; c < format->components; c++)
         words[0] |= sim_unorm_from_float4((v4f)value[c], format->bits[c]) << format->shift[c];
      return;
   case FAST_WORDS:
      for (unsigned c = 0; c < format->components; c++)
         words[c] = value[c];
      return;
   case FAST_NONE:
   case FAST_SRGB8X4:
   case FAST_UINT8X4:
   case FAST_HALF:
      break;
   }
   if (is_unorm_word(format))
      words[0] = encode_unorm_word(format, value);
   else
      encode_each(format, value, words);
}

void
sim_texel_decode4(const struct sim_texel_format *format, const v4u words[4], v4u value[4])
{
   switch ((enum texel_fast)format->fast) {
   case FAST_UNORM8X4:
      /* Of 8 bits the quotient of floats is the nearest to that of numbers. */
      for (unsigned c = 0; c < 4; c++)
         value[c] = (v4u)(__builtin_convertvector((v4i)(words[0] >> 8 * c & 255), v4f) / 255.0f);
      return;
   case FAST_NONE:
   case FAST_UNORM_WORD:
   case FAST_SRGB8X4:
   case FAST_UINT8X4:
   case FAST_WORDS:
   case FAST_HALF:
      break;
   }
   decode_each(format, words, value);
}

bool
sim_texel_is_8x4(const struct sim_texel_format *format)
{
   return format->fast == FAST_UNORM8X4 || format->fast == FAST_SRGB8X4;
}

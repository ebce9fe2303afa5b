/* Texels of plain formats, of all lanes, from the words they are in memory to components: sim_texel_decode(). For
 * files that are built twice (sim/wide.h). Internal to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_UNPACK_H
#define INDIUM_AMD_SIM_TEX_UNPACK_H

#include "amd/sim/tex/tex.h"
#include "sim/texel/numeric.h"
#include "sim/texel/texel.h"
#include "sim/wide.h"

/* Whether unpack() has the format. Quotients of 16 bits are the same as floats and as numbers of 53 bits. */
static bool
can_unpack(const struct sim_texel_format *f)
{
   bool all = f->layout == SIM_TEXEL_PLAIN && is_power_of_two(f->size_B);
   for (unsigned i = 0; i < f->components && all; i++) {
      const unsigned bits = f->bits[i];
      switch ((enum sim_numeric)f->numeric) {
      case SIM_UNORM:
      case SIM_SNORM:
         all = bits <= 16;
         break;
      case SIM_FLOAT:
         all = bits == 16 || bits == 32;
         break;
      case SIM_UINT:
      case SIM_SINT:
      case SIM_SRGB:
         break;
      case SIM_USCALED:
      case SIM_SSCALED:
         all = false;
         break;
      }
   }
   return all;
}

/* code / 255: the first product and the sum are exact but for the last rounding. */
static inline float
unorm8(uint32_t code)
{
   const float number = (float)(int)code;
   return number * 0x1.0101p-8f + number * 0x1.010102p-32f;
}

/* sim_half_to_float(): subnormals are whole numbers of units. */
static inline uint32_t
half_bits(uint32_t half)
{
   const uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
   const uint32_t normal = (magnitude << 13) + ((magnitude >= 0x7c00 ? 224u : 112u) << 23);
   const uint32_t small = float_bits((float)(int)magnitude * 0x1p-24f);
   return sign | (magnitude < 0x400 ? small : normal);
}

static void
unpack_unorm(int n, unsigned shift, unsigned bits, const uint32_t *words, uint32_t *to)
{
   const uint32_t mask = (1u << bits) - 1;
   const float max = (float)mask;
   for (int l = 0; l < n && bits == 8; l++)
      to[l] = float_bits(unorm8(words[l] >> shift & mask));
   for (int l = 0; l < n && bits != 8; l++)
      to[l] = float_bits((float)(int)(words[l] >> shift & mask) / max);
}

static void
unpack_snorm(int n, unsigned shift, unsigned bits, const uint32_t *words, uint32_t *to)
{
   const float max = (float)((1u << (bits - 1)) - 1);
   for (int l = 0; l < n; l++) {
      const float f = (float)((int32_t)(words[l] << (32 - shift - bits)) >> (32 - bits)) / max;
      to[l] = float_bits(f < -1.0f ? -1.0f : f);
   }
}

static void
unpack_srgb(int n, unsigned shift, const uint32_t *words, uint32_t *to)
{
   for (int l = 0; l < n; l += 8) {
      v8u eight;
      memcpy(&eight, words + l, sizeof(eight));
      eight = wide_look_up(sim_srgb_to_float, eight >> shift & 255);
      memcpy(to + l, &eight, sizeof(eight));
   }
}

static void
unpack_component(int n, const struct sim_texel_format *f, unsigned i, const uint32_t *words, uint32_t *to)
{
   /* size: a switch */
   const unsigned shift = f->shift[i] % 32, bits = f->bits[i];
   switch ((enum sim_numeric)f->numeric) {
   case SIM_UNORM:
      unpack_unorm(n, shift, bits, words, to);
      break;
   case SIM_SNORM:
      unpack_snorm(n, shift, bits, words, to);
      break;
   case SIM_SRGB:
      if (i == 3)
         unpack_unorm(n, shift, 8, words, to);
      else
         unpack_srgb(n, shift, words, to);
      break;
   case SIM_FLOAT:
      for (int l = 0; l < n && bits == 16; l++)
         to[l] = half_bits(words[l] >> shift & 0xffff);
      for (int l = 0; l < n && bits == 32; l++)
         to[l] = words[l];
      break;
   case SIM_UINT:
      for (int l = 0; l < n; l++)
         to[l] = words[l] << (32 - shift - bits) >> (32 - bits);
      break;
   case SIM_SINT:
      for (int l = 0; l < n; l++)
         to[l] = (uint32_t)((int32_t)(words[l] << (32 - shift - bits)) >> (32 - bits));
      break;
   case SIM_USCALED:
   case SIM_SSCALED:
      break;
   }
}

/* words[i]: bytes 4 * i to 4 * i + 3 of each lane's texel. Missing components are 0, 0, 0, 1. */
static void
unpack(int n, const struct sim_texel_format *f, uint32_t (*words)[AMD_TEX_LANES], uint32_t (*to)[AMD_TEX_LANES])
{
   const uint32_t one = sim_numeric_is_int(f->numeric) ? 1 : float_bits(1.0f);
   for (unsigned i = 0; i < f->components; i++)
      unpack_component(n, f, i, words[f->shift[i] / 32], to[i]);
   for (unsigned i = f->components; i < 4; i++)
      for (int l = 0; l < n; l++)
         to[i][l] = i == 3 ? one : 0;
}

#endif

#include "asahi/sim/wave/wave_format.h"

#include "sim/texel/numeric.h"

static const struct wave_format formats[] = {
   [AGX_FORMAT_I8] = {1, 0, false},          [AGX_FORMAT_I16] = {2, 0, false},
   [AGX_FORMAT_I32] = {4, 0, false},         [AGX_FORMAT_F16] = {2, 0, true},
   [AGX_FORMAT_U8NORM] = {1, 0, true},       [AGX_FORMAT_S8NORM] = {1, 0, true},
   [AGX_FORMAT_U16NORM] = {2, 0, true},      [AGX_FORMAT_S16NORM] = {2, 0, true},
   [AGX_FORMAT_RGB10A2] = {4, 4, true},      [AGX_FORMAT_SRGBA8] = {1, 0, true},
   [AGX_FORMAT_RG11B10F] = {4, 3, true},     [AGX_FORMAT_RGB9E5] = {4, 3, true},
   [AGX_FORMAT_RG11B10F_RTZ] = {4, 3, true}, [AGX_FORMAT_RGB9E5_RTZ] = {4, 3, true},
};

struct wave_format
wave_format(enum agx_format format)
{
   return formats[format];
}

/* A number as the float of a register: rounded once. */
static uint32_t
to_register(double exact, unsigned bits)
{
   if (bits == 32)
      return float_bits((float)exact);
   /* What single precision cannot hold makes its last bit odd, so that rounding that to half is right. */
   uint64_t b = double_bits(exact);
   if (b & 0x1fffffff)
      b = (b & ~UINT64_C(0x1fffffff)) | 0x20000000;
   return sim_half_from_float((float)bits_double(b));
}

static float
from_register(uint32_t value, unsigned bits)
{
   return bits == 32 ? bits_float(value) : sim_half_to_float((uint16_t)value);
}

static double
snorm(uint32_t value, unsigned bits)
{
   double v = (double)sign_extend(value, bits) / (double)bit_mask(bits - 1);
   return v < -1 ? -1 : v;
}

void
wave_format_load(enum agx_format format, unsigned bits, uint32_t e, unsigned component, uint32_t *value)
{
   float rgb[3] = {0};
   switch (format) {
   case AGX_FORMAT_I8:
   case AGX_FORMAT_I16:
   case AGX_FORMAT_I32:
      *value = e;
      return;
   case AGX_FORMAT_F16:
      *value = bits == 16 ? e : float_bits(sim_half_to_float((uint16_t)e));
      return;
   case AGX_FORMAT_U8NORM:
      *value = to_register(e / 255.0, bits);
      return;
   case AGX_FORMAT_S8NORM:
      *value = to_register(snorm(e, 8), bits);
      return;
   case AGX_FORMAT_U16NORM:
      *value = to_register(e / 65535.0, bits);
      return;
   case AGX_FORMAT_S16NORM:
      *value = to_register(snorm(e, 16), bits);
      return;
   case AGX_FORMAT_SRGBA8:
      *value = to_register(component == 3 ? e / 255.0 : (double)sim_srgb_to_float[e & 255], bits);
      return;
   case AGX_FORMAT_RGB10A2:
      for (unsigned i = 0; i < 4; i++)
         value[i] = to_register(i < 3 ? (e >> 10 * i & 1023) / 1023.0 : (e >> 30) / 3.0, bits);
      return;
   case AGX_FORMAT_RG11B10F:
   case AGX_FORMAT_RG11B10F_RTZ:
      rgb[0] = sim_small_float_to_float(e & 0x7ff, 6);
      rgb[1] = sim_small_float_to_float(e >> 11 & 0x7ff, 6);
      rgb[2] = sim_small_float_to_float(e >> 22, 5);
      break;
   case AGX_FORMAT_RGB9E5:
   case AGX_FORMAT_RGB9E5_RTZ:
      sim_shared_exponent_to_float(e, rgb);
      break;
   }
   for (unsigned i = 0; i < 3; i++)
      value[i] = to_register((double)rgb[i], bits);
}

/* Without the bits that the format cannot hold, so that rounding to nearest leaves what is there. */
static float
cut(float value, unsigned mantissa_bits)
{
   return bits_float(float_bits(value) & ~(uint32_t)bit_mask(23 - mantissa_bits));
}

static uint32_t
pack(enum agx_format format, const float v[4])
{
   bool rtz = format == AGX_FORMAT_RG11B10F_RTZ || format == AGX_FORMAT_RGB9E5_RTZ;
   if (format == AGX_FORMAT_RGB10A2)
      return sim_unorm_from_float(v[0], 10) | sim_unorm_from_float(v[1], 10) << 10 |
             sim_unorm_from_float(v[2], 10) << 20 | sim_unorm_from_float(v[3], 2) << 30;
   if (format == AGX_FORMAT_RGB9E5 || format == AGX_FORMAT_RGB9E5_RTZ)
      return sim_shared_exponent_from_float(v);
   float r = rtz ? cut(v[0], 6) : v[0], g = rtz ? cut(v[1], 6) : v[1], b = rtz ? cut(v[2], 5) : v[2];
   return sim_small_float_from_float(r, 6) | sim_small_float_from_float(g, 6) << 11 |
          sim_small_float_from_float(b, 5) << 22;
}

uint32_t
wave_format_store(enum agx_format format, unsigned bits, const uint32_t *value, unsigned component)
{
   float v[4] = {0};
   unsigned packed = formats[format].packed;
   for (unsigned i = 0; i < (packed ? packed : 1) && formats[format].is_float; i++)
      v[i] = from_register(value[i], bits);
   switch (format) {
   case AGX_FORMAT_I8:
   case AGX_FORMAT_I16:
   case AGX_FORMAT_I32:
      return *value;
   case AGX_FORMAT_F16:
      return bits == 16 ? *value : sim_half_from_float(v[0]);
   case AGX_FORMAT_U8NORM:
      return sim_unorm_from_float(v[0], 8);
   case AGX_FORMAT_S8NORM:
      return sim_snorm_from_float(v[0], 8);
   case AGX_FORMAT_U16NORM:
      return sim_unorm_from_float(v[0], 16);
   case AGX_FORMAT_S16NORM:
      return sim_snorm_from_float(v[0], 16);
   case AGX_FORMAT_SRGBA8:
      return component == 3 ? sim_unorm_from_float(v[0], 8) : sim_srgb_from_float(v[0]);
   case AGX_FORMAT_RGB10A2:
   case AGX_FORMAT_RG11B10F:
   case AGX_FORMAT_RG11B10F_RTZ:
   case AGX_FORMAT_RGB9E5:
   case AGX_FORMAT_RGB9E5_RTZ:
      break;
   }
   return pack(format, v);
}

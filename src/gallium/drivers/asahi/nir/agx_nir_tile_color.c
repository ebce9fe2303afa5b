/* Colours as the formats of the tile buffer have them. */
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "util/macros.h"

/* The tile would keep the low bits. */
static struct nir_def *
clamp_integers(struct nir_builder *b, struct nir_def *color, const struct agx_tile_format *format)
{
   struct nir_def *out[4];

   if (format->bits == 32)
      return color;
   for (unsigned i = 0; i < 4; i++) {
      int64_t min, max;

      agx_tile_range(format, i, &min, &max);
      struct nir_def *value = nir_channel(b, color, i), *most = nir_imm_int(b, (int32_t)max);

      out[i] = format->is_signed ? nir_imax(b, nir_imin(b, value, most), nir_imm_int(b, (int32_t)min))
                                 : nir_umin(b, value, most);
   }
   return nir_vec(b, out, 4);
}

struct nir_def *
agx_nir_clamp_to_target(struct nir_builder *b, struct nir_def *color, const struct agx_tile_format *format)
{
   if (format->is_integer)
      return clamp_integers(b, color, format);
   if (!format->is_normalized)
      return color;
   if (!format->is_signed)
      return nir_fsat(b, color);
   return nir_fmin(b, nir_fmax(b, color, nir_imm_float(b, -1)), nir_imm_float(b, 1));
}

struct nir_def *
agx_nir_complete_color(struct nir_builder *b, struct nir_def *const components[4],
                       const struct agx_tile_format *format)
{
   struct nir_def *out[4];

   for (unsigned i = 0; i < 4; i++) {
      out[i] = components[i]        ? components[i]
               : i < 3              ? nir_imm_int(b, 0)
               : format->is_integer ? nir_imm_int(b, 1)
                                    : nir_imm_float(b, 1);
   }
   return nir_vec(b, out, 4);
}

struct nir_def *
agx_nir_load_tile_color(struct nir_builder *b, const struct agx_tile_target *target, enum agx_format format,
                        struct nir_def *samples)
{
   struct nir_def *components[4] = {0};
   struct nir_def *value =
      nir_load_tile_agx(b, target->format.components, 32, samples, .base = target->offset_B, .format = format);

   for (unsigned i = 0; i < target->format.components && (i < 3 || target->format.has_alpha); i++)
      components[i] = nir_channel(b, value, i);
   return agx_nir_complete_color(b, components, &target->format);
}

static unsigned
value_bits(const struct agx_tile_format *format, unsigned component)
{
   unsigned bits = format->component_bits[component] ? format->component_bits[component] : format->bits;

   return bits - format->is_signed;
}

struct nir_def *
agx_nir_color_to_bits(struct nir_builder *b, struct nir_def *color, const struct agx_tile_format *format,
                      unsigned component)
{
   unsigned bits = value_bits(format, component);
   struct nir_def *scaled = nir_fmul_imm(b, color, (double)bit_mask(bits));

   return nir_f2iN(b, nir_fround_even(b, scaled), 32);
}

struct nir_def *
agx_nir_color_from_bits(struct nir_builder *b, struct nir_def *value, const struct agx_tile_format *format,
                        unsigned component)
{
   unsigned bits = value_bits(format, component);
   unsigned width = bits + format->is_signed;
   struct nir_def *number = format->is_signed
                               ? nir_i2fN(b, nir_ishr_imm(b, nir_ishl_imm(b, value, 32 - width), 32 - width), 32)
                               : nir_u2fN(b, nir_iand_imm(b, value, bit_mask(width)), 32);

   return nir_fmul_imm(b, number, 1.0 / (double)bit_mask(bits));
}

struct nir_def *
agx_nir_round_to_target(struct nir_builder *b, const struct agx_tile_format *format, struct nir_def *color)
{
   struct nir_def *out[4];

   if (!format->is_normalized || format->is_signed || format->bits >= 8)
      return color;
   for (unsigned i = 0; i < 4; i++)
      out[i] = agx_nir_color_from_bits(b, agx_nir_color_to_bits(b, nir_fsat(b, nir_channel(b, color, i)), format, i),
                                       format, i);
   return nir_vec(b, out, 4);
}

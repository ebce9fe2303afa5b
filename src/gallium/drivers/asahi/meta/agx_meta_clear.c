/* Clears of images outside of rendering: every element gets the same bytes. */
#include <math.h>
#include <string.h>

#include "gallium/drivers/asahi/meta/agx_compression.h"
#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "util/format.h"
#include "util/format_enum.h"
#include "util/half.h"
#include "util/macros.h"

/* ---- one texel ---- */

static double
clamp(double value, double low, double high)
{
   return value > low ? value < high ? value : high : low; /* what is not a number is low */
}

static uint32_t
linear_to_srgb(float linear)
{
   double x = clamp(linear, 0, 1);

   return (uint32_t)lrint(255 * (x < 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055));
}

/* Floats without a sign, of 11 or 10 bits: a half with a shorter mantissa, cut off. */
static uint32_t
small_float(float value, unsigned bits)
{
   return value > 0 || isnan(value) ? (uint32_t)(half_from_float(value) & 0x7fff) >> (15 - bits) : 0;
}

static uint32_t
bits_of_float(float value, unsigned bits)
{
   uint32_t word;

   memcpy(&word, &value, 4);
   return bits == 32 ? word : half_from_float(value);
}

/* The bits of one component. */
static uint32_t
component_bits(const struct format_component *component, const union pipe_clear_color *color, unsigned channel)
{
   unsigned bits = component->bits;
   double most = (double)bit_mask(bits), signed_most = (double)bit_mask(bits - 1);
   float f = color->f[channel];

   switch ((enum format_numeric)component->numeric) {
   case FORMAT_UNORM:
      return (uint32_t)llrint(most * clamp(f, 0, 1));
   case FORMAT_SNORM:
      return (uint32_t)llrint(signed_most * clamp(isnan(f) ? 0 : f, -1, 1)) & (uint32_t)bit_mask(bits);
   case FORMAT_SRGB:
      return channel == 3 ? (uint32_t)llrint(most * clamp(f, 0, 1)) : linear_to_srgb(f);
   case FORMAT_UFLOAT:
      return small_float(f, bits);
   case FORMAT_SFLOAT:
      return bits_of_float(f, bits);
   case FORMAT_UINT:
      return (uint32_t)MIN2(color->u[channel], bit_mask(bits));
   case FORMAT_SINT:
      return (uint32_t)(int64_t)clamp(color->i[channel], -signed_most - 1, signed_most) & (uint32_t)bit_mask(bits);
   case FORMAT_VOID:
   case FORMAT_USCALED:
   case FORMAT_SSCALED:
   case FORMAT_FIXED:
      break;
   }
   return 0;
}

/* Three mantissas of 9 bits and their exponent (the Vulkan specification, RGB to shared exponent conversion). */
static uint32_t
shared_exponent(const float rgb[3])
{
   const double most = 65408; /* 511 / 512 * 2^16 */
   double c[3], largest = 0;
   int exponent;

   for (unsigned i = 0; i < 3; i++) {
      c[i] = clamp(rgb[i], 0, most);
      largest = MAX2(largest, c[i]);
   }
   exponent = largest > 0 ? (int)MAX2(floor(log2(largest)), -16.0) + 16 : 0;
   if (lrint(floor(largest / exp2(exponent - 24) + 0.5)) == 512)
      exponent++;
   uint32_t word = (uint32_t)exponent << 27;
   for (unsigned i = 0; i < 3; i++)
      word |= (uint32_t)floor(c[i] / exp2(exponent - 24) + 0.5) << 9 * i;
   return word;
}

/* A texel of a format with a colour. False for formats that have none (compressed ones). */
static bool
pack_color(uint32_t format, const union pipe_clear_color *color, uint32_t texel[4])
{
   const struct format_info *info = format_info(format);

   memset(texel, 0, 16);
   if (!info || info->compression || info->components[0].name >= FORMAT_DEPTH || info->block_size_B > 16)
      return false;
   if (format == FORMAT_E5B9G9R9_UFLOAT_PACK32) {
      texel[0] = shared_exponent(color->f);
      return true;
   }
   for (unsigned i = 0; i < info->component_count; i++) {
      const struct format_component *component = &info->components[i];
      uint64_t bits = component_bits(component, color, component->name);

      texel[component->shift / 32] |= (uint32_t)(bits << component->shift % 32);
   }
   return true;
}

/* ---- images ---- */

/* All samples of a pixel get the same bytes: they fill the element. */
static void
repeat(uint32_t value[4], unsigned texel_B)
{
   for (unsigned at_B = texel_B; at_B < 16; at_B += texel_B)
      memcpy((char *)value + at_B, value, texel_B);
}

/* All of a level between elements is the image's too: it is filled as it lies in memory. Not where elements lie by a
 * table, nor between the rows that an application may see. */
static bool
fills_memory(const struct ail_layout *layout)
{
   return !layout->image.sparse && layout->image.tiling != AIL_TILING_LINEAR;
}

static void
fill_level(struct agx_context *ctx, const struct agx_resource *image, enum agx_plane plane,
           const struct agx_level_box *box, const uint32_t value[4])
{
   const struct ail_layout *layout = &image->planes[plane];
   const struct agx_meta_layers layers = {
      .va = agx_plane_va(image, plane) + ail_level_offset_B(layout, box->layer, box->level),
      .size_B = align_up(layout->levels[box->level].size_B, 16),
      .stride_B = layout->layer_stride_B,
      .layers = box->layers,
   };

   agx_meta_fill_layers(ctx, &layers, value);
}

static void
clear_plane(struct agx_context *ctx, const struct agx_resource *image, enum agx_plane plane,
            const struct pipe_subresource_range *range, const uint32_t texel[4])
{
   const struct ail_layout *layout = &image->planes[plane];
   unsigned size_log2 = log2_floor(layout->element_B), program_log2 = MIN2(size_log2, AGX_META_SIZES - 1u);

   for (unsigned level = range->base_level; level < range->base_level + range->levels; level++) {
      bool is_3d = image->desc.type == PIPE_IMAGE_3D;
      struct agx_level_box box = {.level = level,
                                  .width = agx_level_width_px(image, level),
                                  .height = agx_level_height_px(image, level),
                                  .layer = is_3d ? 0 : range->base_layer,
                                  .layers = is_3d ? agx_level_depth_px(image, level) : range->layers};
      struct agx_meta_table table = {
         .dst = agx_meta_side(image, plane, level, 0, 0, box.layer),
         .size = {box.width << (size_log2 - program_log2), box.height, box.layers},
         .parts_log2 = size_log2 - program_log2,
      };

      memcpy(table.value, texel, 16);
      repeat(table.value, layout->block_B);
      if (agx_level_is_compressed(image, plane, level))
         agx_compressed_clear(ctx, image, plane, &box, table.value);
      else if (fills_memory(layout))
         fill_level(ctx, image, plane, &box, table.value);
      else
         agx_meta_dispatch(ctx, AGX_META_CLEAR + program_log2, &table);
   }
}

/* depth as the format has it. */
static void
clear_depth(struct agx_context *ctx, const struct agx_resource *image, float depth,
            const struct pipe_subresource_range *range)
{
   uint32_t texel[4] = {0};

   if (image->plane_format[AGX_PLANE_MAIN] == FORMAT_D16_UNORM)
      texel[0] = (uint32_t)lrint(65535 * clamp(depth, 0, 1));
   else
      memcpy(texel, &depth, 4);
   clear_plane(ctx, image, AGX_PLANE_MAIN, range, texel);
}

static void
clear_image(struct pipe_context *pipe, struct pipe_resource *handle, const struct pipe_clear_value *value,
            const struct pipe_subresource_range *range)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_resource *image = agx_resource(handle);
   uint32_t texel[4];

   if ((range->aspects & PIPE_ASPECT_COLOR) && pack_color(image->desc.format, &value->color, texel))
      clear_plane(ctx, image, AGX_PLANE_MAIN, range, texel);
   if (range->aspects & PIPE_ASPECT_DEPTH)
      clear_depth(ctx, image, value->depth, range);
   if (range->aspects & PIPE_ASPECT_STENCIL)
      clear_plane(ctx, image, AGX_PLANE_STENCIL, range, (const uint32_t[4]){value->stencil});
}

void
agx_init_meta_clear(struct agx_context *ctx)
{
   ctx->base.clear_image = clear_image;
}

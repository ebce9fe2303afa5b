#include "gallium/drivers/radeonsi/resource/si_dcc.h"

#include "amd/common/ac_format.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/base/si_debug.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/resource/si_metadata.h"
#include "util/format.h"
#include "util/format_enum.h"
#include "util/macros.h"
#include "util/mutant.h"

/* Their curve is no matter of bits. */
static enum format_numeric
numeric(uint32_t format)
{
   return format_info(si_meta_linear_format(format))->components[0].numeric;
}

/* As CB sees them: the same components in the same order. Floats of 16 bits are compressed otherwise than integers
 * (source: Mesa, vi_dcc_formats_compatible), and what a clear calls one depends on the sign: all are kept separate
 * here.
 */
static bool
alike(uint32_t a, uint32_t b)
{
   struct ac_color_format one, other;

   return ac_format_color(a, &one) && ac_format_color(b, &other) && one.format == other.format &&
          one.swap == other.swap && one.is_normalized == other.is_normalized && one.is_float == other.is_float &&
          numeric(a) == numeric(b);
}

static bool
views_are_alike(const struct pipe_image_desc *desc)
{
   if (!desc->other_views)
      return true;
   for (unsigned i = 0; i < desc->num_view_formats; i++) {
      if (!alike(desc->format, desc->view_formats[i]))
         return false;
   }
   return desc->num_view_formats;
}

/* Floats have atomics if the device enables their feature, as in RADV. */
static bool
has_atomics(const struct si_screen *screen, const struct pipe_image_desc *desc, uint32_t format)
{
   if (format_info(format)->components[0].numeric == FORMAT_SFLOAT && !desc->float_atomics)
      return false;
   return screen->base.format_features(&screen->base, format, false) & PIPE_FORMAT_STORAGE_ATOMIC;
}

/* Atomics decompress, so that what may have them is left plain. */
static bool
stores_compress(const struct si_screen *screen, const struct pipe_image_desc *desc)
{
   bool atomics = has_atomics(screen, desc, desc->format);

   for (unsigned i = 0; desc->other_views && i < desc->num_view_formats; i++)
      atomics |= has_atomics(screen, desc, desc->view_formats[i]);
   return screen->info.dcc_stores && !atomics;
}

bool
si_dcc_wanted(const struct si_screen *screen, const struct pipe_image_desc *desc)
{
   struct ac_color_format color;
   bool large = desc->samples > 1 || (uint64_t)desc->width_px * desc->height_px > 512 * 512;

   return screen->info.dcc && !si_debug(SI_DEBUG_NODCC) && desc->usage & PIPE_USAGE_COLOR && !desc->plain &&
          !(desc->usage & PIPE_USAGE_HOST_TRANSFER) &&
          (!(desc->usage & PIPE_USAGE_STORAGE) || stores_compress(screen, desc)) &&
          ac_format_color(desc->format, &color) && !desc->linear && !desc->has_modifier && !desc->shared &&
          !desc->concurrent && !desc->sparse && desc->type == PIPE_IMAGE_2D &&
          (desc->samples == 1 || screen->info.fdcc) && (desc->levels == 1 || desc->layers == 1) &&
          !(screen->info.mip_chain && desc->levels * desc->layers > 1) && (large || si_debug(SI_DEBUG_DCC)) &&
          (screen->info.fdcc || views_are_alike(desc));
}

/* Or the only one. Source: Mesa, vi_alpha_is_on_msb. */
static bool
alpha_is_last(uint32_t format)
{
   struct ac_color_format color;

   if (!ac_format_color(format, &color))
      return false;
   return format_info(format)->component_count == 1 ? color.swap == V_SWAP_ALT_REV : color.swap <= V_SWAP_ALT;
}

static struct amd_sq_img_rsrc
metadata_fields(const struct si_screen *screen, uint32_t format)
{
   struct amd_sq_img_rsrc fields = {.alpha_is_on_msb = !screen->info.fdcc && alpha_is_last(format)};

   if (screen->info.mip_chain) /* whose descriptors know no sizes of blocks */
      return fields;
   fields.max_uncompressed_block_size = V_MAX_BLOCK_SIZE_256B;
   fields.max_compressed_block_size = screen->info.dcc_block;
   return fields;
}

void
si_dcc_init(const struct si_screen *screen, struct si_resource *image, uint64_t *size_B)
{
   if (si_dcc_wanted(screen, &image->desc) && si_metadata_init(screen, image, AMD_META_DCC, size_B))
      image->metadata_fields = metadata_fields(screen, image->desc.format);
}

/* Stores take no sRGB, and two signed bytes are -1. */
uint32_t
si_dcc_plane_format(const struct si_resource *image)
{
   switch (image->desc.format) {
   case FORMAT_R8_SNORM:
      return ac_format_image(FORMAT_R8_SINT);
   case FORMAT_R8G8_SNORM:
      return ac_format_image(FORMAT_R8G8_SINT);
   case FORMAT_R8G8B8A8_SNORM:
   case FORMAT_B8G8R8A8_SNORM:
   case FORMAT_A8B8G8R8_SNORM_PACK32:
      return ac_format_image(FORMAT_R8G8B8A8_SINT);
   case FORMAT_R16_SNORM:
      return ac_format_image(FORMAT_R16_SINT);
   case FORMAT_R16G16_SNORM:
      return ac_format_image(FORMAT_R16G16_SINT);
   case FORMAT_R16G16B16A16_SNORM:
      return ac_format_image(FORMAT_R16G16B16A16_SINT);
   default: /* others: as stores know them */
      return ac_format_image(si_meta_linear_format(image->desc.format));
   }
}

/* Source: what RADV programs. Memory of APUs moves 64 bytes at least. */
uint32_t
si_dcc_control(const struct ac_gpu_info *info, unsigned samples)
{
   if (info->fdcc)
      return S_CB_COLOR0_FDCC_CONTROL_MAX_UNCOMPRESSED_BLOCK_SIZE(V_MAX_BLOCK_SIZE_256B) |
             S_CB_COLOR0_FDCC_CONTROL_MIN_COMPRESSED_BLOCK_SIZE(info->apu) |
             S_CB_COLOR0_FDCC_CONTROL_MAX_COMPRESSED_BLOCK_SIZE(info->dcc_block) |
             S_CB_COLOR0_FDCC_CONTROL_INDEPENDENT_128B_BLOCKS(1) |
             S_CB_COLOR0_FDCC_CONTROL_DISABLE_CONSTANT_ENCODE_REG(1) | S_CB_COLOR0_FDCC_CONTROL_FDCC_ENABLE(1) |
             S_CB_COLOR0_FDCC_CONTROL_ENABLE_MAX_COMP_FRAG_OVERRIDE(info->overrides_fragments) |
             S_CB_COLOR0_FDCC_CONTROL_MAX_COMP_FRAGS(info->overrides_fragments && samples >= 4);
   return S_CB_COLOR0_DCC_CONTROL_MAX_UNCOMPRESSED_BLOCK_SIZE(V_MAX_BLOCK_SIZE_256B) |
          S_CB_COLOR0_DCC_CONTROL_MIN_COMPRESSED_BLOCK_SIZE(info->apu) |
          S_CB_COLOR0_DCC_CONTROL_MAX_COMPRESSED_BLOCK_SIZE(info->dcc_block) |
          S_CB_COLOR0_DCC_CONTROL_INDEPENDENT_64B_BLOCKS(info->dcc_block == V_MAX_BLOCK_SIZE_64B) |
          S_CB_COLOR0_DCC_CONTROL_INDEPENDENT_128B_BLOCKS(info->dcc_block == V_MAX_BLOCK_SIZE_128B);
}

/* Four bytes that say so. */
static uint32_t
key_word(enum amd_gen gen, enum amd_dcc_key key)
{
   for (unsigned byte = 0; byte < 256; byte++) {
      if (amd_dcc_key(gen, (uint8_t)byte) == key)
         return byte * 0x01010101;
   }
   return SI_DCC_PLAIN;
}

/* What a byte can say of a colour: it is all 0, or its components are 0 or 1 in terms of the format; alpha is the
 * last component of four. Else that all of the 256 bytes are as the first element. */
static enum amd_dcc_key
key_of_color(uint32_t format, const union pipe_clear_color *color)
{
   const struct format_info *info = format_info(format);
   bool integer = info->components[0].numeric == FORMAT_UINT || info->components[0].numeric == FORMAT_SINT;
   bool alpha = info->component_count == 4, zeros = true, ones = !integer, opaque = !integer && color->f[3] == 1;

   for (unsigned i = 0; i < MIN2(info->component_count, 3u); i++) {
      zeros &= !color->u[i];
      ones &= color->f[i] == 1;
   }
   if (zeros && (!alpha || !color->u[3]))
      return AMD_DCC_ONES_0000;
   if (ones && (!alpha || opaque))
      return AMD_DCC_ONES_1111;
   if (zeros && opaque && alpha_is_last(format))
      return AMD_DCC_ONES_0001;
   return AMD_DCC_SINGLE;
}

/* The same on GFX11, whose bytes know no formats: ones are bits, of unsigned normalized components as large as alpha,
 * which is the last. */
static enum amd_dcc_key
key_of_bits(uint32_t format, enum amd_dcc_key key)
{
   const struct format_info *info = format_info(format);
   struct ac_color_format color;
   bool bits = key != AMD_DCC_SINGLE && ac_format_color(format, &color) && color.swap <= V_SWAP_ALT;

   for (unsigned i = 0; i < info->component_count; i++) {
      const struct format_component *c = &info->components[i];

      bits &= (c->numeric == FORMAT_UNORM || c->numeric == FORMAT_SRGB) && c->bits == info->components[0].bits;
   }
   if (key == AMD_DCC_ONES_0000)
      return key;
   return !bits ? AMD_DCC_SINGLE : key == AMD_DCC_ONES_1111 ? AMD_DCC_BITS_1111 : AMD_DCC_BITS_0001;
}

/* That all is as one element needs RB+ with small ones (source: RADV). */
bool
si_dcc_clear(struct si_context *ctx, const struct si_resource *image, uint32_t format, struct si_layers layers,
             const union pipe_clear_color *color)
{
   const struct ac_gpu_info *info = &ctx->screen->info;
   enum amd_dcc_key key = key_of_color(format, color);
   bool one_element = info->dcc_one_element && image->desc.samples == 1 &&
                      (image->planes[SI_PLANE_MAIN].element_log2 >= 2 || info->has_rbplus);

   if (!si_metadata_of_level(image, layers.level))
      return false;
   if (info->fdcc)
      key = key_of_bits(format, key);
   if (key == AMD_DCC_SINGLE && !one_element)
      return false;
   si_metadata_finish(ctx);
   if (key == AMD_DCC_SINGLE && !mutant("blocks-not-cleared") &&
       !si_meta_clear_blocks(ctx, image, format, layers, color))
      return false;
   si_metadata_write(ctx, image, layers, UINT32_MAX, key_word(info->gen, key));
   si_metadata_finish(ctx);
   return true;
}

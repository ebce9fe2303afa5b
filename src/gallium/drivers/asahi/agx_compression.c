#include "gallium/drivers/asahi/agx_compression.h"

#include "gallium/drivers/asahi/agx_compute.h"
#include "gallium/drivers/asahi/agx_debug.h"
#include "gallium/drivers/asahi/agx_format.h"
#include "gallium/drivers/asahi/agx_meta.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/mutant.h"

/* ---- which images ---- */

/* The compressor looks at channels: views of other ones would see something else. */
static bool
views_have_its_channels(const struct pipe_image_desc *desc)
{
   if (!desc->other_views)
      return true;
   for (unsigned i = 0; i < desc->num_view_formats; i++) {
      if (ail_format_channels(desc->view_formats[i]) != ail_format_channels(desc->format))
         return false;
   }
   return desc->num_view_formats > 0;
}

/* Metadata is allocated for levels that are halved rounding up. Of levels where that makes another number of tiles
 * than the size in pixels, as powers of two, nobody has told where a tile's metadata lies; and depth and stencil
 * targets have no size but that of the level. */
static bool
levels_have_known_places(const struct ail_layout *layout)
{
   for (unsigned i = 0; i < layout->image.levels; i++) {
      const struct ail_level *level = &layout->levels[i];

      if (level->compressed && (log2_ceil(level->metadata_width_tl) != level->metadata_width_log2_tl ||
                                log2_ceil(level->metadata_height_tl) != level->metadata_height_log2_tl))
         return false;
   }
   return true;
}

bool
agx_compresses(const struct pipe_image_desc *desc, const struct ail_image *plane)
{
   struct ail_image compressed = *plane;
   struct ail_layout layout;

   compressed.compressed = true;
   /* Nothing but the ends of tiles compresses. Texels of formats without integers cannot be copied bit by bit. */
   return desc->usage & (PIPE_USAGE_COLOR | PIPE_USAGE_DEPTH_STENCIL) && !(desc->usage & PIPE_USAGE_STORAGE) &&
          !desc->shared && views_have_its_channels(desc) && agx_format_same_channels(plane->format) &&
          ail_layout_init(&layout, &compressed) == AIL_OK && levels_have_known_places(&layout) &&
          !agx_debug(AGX_DEBUG_NOCOMPRESSION);
}

/* ---- texels ---- */

void
agx_compressed_texels(const struct agx_resource *image, enum agx_plane plane, unsigned level,
                      struct agx_meta_table *table, uint32_t texture[6])
{
   const struct ail_layout *layout = &image->planes[plane];
   const struct format_info *info = format_info(agx_format_same_channels(layout->image.format));
   struct agx_plane_view view = {
      .image = image,
      .plane = plane,
      .type = PIPE_VIEW_2D_ARRAY,
      .format = info->format,
      .base_level = level,
      .levels = 1,
      .layers = layout->layer_count,
   };
   uint32_t shifts = 0;

   for (unsigned i = 0; i < 4; i++) {
      view.swizzle[i] = (uint8_t)(i < info->component_count ? PIPE_SWIZZLE_R + i : PIPE_SWIZZLE_0);
      for (unsigned c = 0; c < info->component_count; c++)
         shifts |= info->components[c].name == i ? info->components[c].shift % 32u << 8 * i : 0;
   }
   agx_plane_texture(&view, texture);
   table->number[AGX_META_TEXEL_LOG2] = log2_floor(layout->block_B);
   table->number[AGX_META_TEXEL_SHIFTS] = shifts;
   table->number[AGX_META_TEXEL_HALVES] = info->components[0].bits == 16;
   table->number[AGX_META_SAMPLES_WIDE] = layout->image.samples == 4;
   table->number[AGX_META_SAMPLES_HIGH] = layout->image.samples > 1;
}

/* ---- in place ---- */

static bool
is_whole_level(const struct agx_resource *image, const struct agx_level_box *box)
{
   return !box->x && !box->y && box->width >= agx_level_width_px(image, box->level) &&
          box->height >= agx_level_height_px(image, box->level);
}

static uint64_t
metadata_va(const struct agx_resource *image, enum agx_plane plane, unsigned level, unsigned layer)
{
   const struct ail_layout *layout = &image->planes[plane];

   return agx_plane_va(image, plane) + layout->metadata_offset_B + layout->levels[level].metadata_offset_B +
          layer * layout->metadata_layer_stride_B;
}

/* Four mode bytes. */
static uint32_t
plain_word(const struct ail_layout *layout)
{
   return 0x01010101u * (uint32_t)ail_mode_byte(layout, AIL_MODE_UNCOMPRESSED);
}

/* Every tile of the level says that it is stored as it is. */
static void
declare_plain(struct agx_context *ctx, const struct agx_resource *image, enum agx_plane plane,
              const struct agx_level_box *box)
{
   const struct ail_layout *layout = &image->planes[plane];
   const struct ail_level *level = &layout->levels[box->level];
   uint32_t word = plain_word(layout);
   struct agx_meta_table table = {
      .dst = {.va = metadata_va(image, plane, box->level, box->layer),
              .layer_B = layout->metadata_layer_stride_B,
              .tiles = AGX_TILES_LINEAR | 3 << AGX_TILES_ELEMENT},
      .size = {1u << (level->metadata_width_log2_tl + level->metadata_height_log2_tl), 1, box->layers},
      .value = {word, word},
   };

   agx_meta_dispatch(ctx, AGX_META_CLEAR + 3, &table);
}

static void
decompress_tiles(struct agx_context *ctx, const struct agx_resource *image, enum agx_plane plane,
                 const struct agx_level_box *box)
{
   const struct ail_layout *layout = &image->planes[plane];
   const struct ail_level *level = &layout->levels[box->level];
   uint64_t metadata = metadata_va(image, plane, box->level, box->layer);
   uint32_t tile_width, tile_height, texture[6];
   struct agx_meta_table table;

   ail_compression_tile_px(layout, &tile_width, &tile_height);
   uint32_t x = box->x & ~(tile_width - 1), y = box->y & ~(tile_height - 1);

   table = (struct agx_meta_table){
      .dst = agx_meta_side(image, plane, box->level, x, y, box->layer),
      .size = {(uint32_t)div_round_up(box->x + box->width - x, tile_width) * AIL_COMPRESSION_TILE_SA,
               (uint32_t)div_round_up(box->y + box->height - y, tile_height) * AIL_COMPRESSION_TILE_SA, box->layers},
      .value = {(uint32_t)metadata, (uint32_t)(metadata >> 32), (uint32_t)layout->metadata_layer_stride_B,
                plain_word(layout)},
      .number[AGX_META_TILES] = level->metadata_width_log2_tl | (uint32_t)level->metadata_height_log2_tl << 16,
      .number[AGX_META_LEVEL_WIDTH] = agx_level_width_px(image, box->level),
      .number[AGX_META_LEVEL_HEIGHT] = agx_level_height_px(image, box->level),
   };
   agx_compressed_texels(image, plane, box->level, &table, texture);
   agx_compute_barrier(ctx);
   agx_meta_dispatch_texture(ctx, layout->image.samples > 1 ? AGX_META_DECOMPRESS_SAMPLES : AGX_META_DECOMPRESS,
                             &table, texture);
   agx_compute_barrier(ctx);
}

void
agx_decompress(struct agx_context *ctx, const struct agx_resource *image, enum agx_plane plane,
               const struct agx_level_box *box, bool overwritten)
{
   bool nothing = !box->width || !box->height || !box->layers;

   if (!agx_level_is_compressed(image, plane, box->level) || nothing || mutant("agx-decompress-missing"))
      return;
   if (overwritten && is_whole_level(image, box))
      declare_plain(ctx, image, plane, box);
   else
      decompress_tiles(ctx, image, plane, box);
}

#include "gallium/drivers/asahi/meta/agx_compression.h"

#include <string.h>

#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/mutant.h"

/* ---- texels ---- */

static void
set_sample_numbers(const struct ail_layout *layout, struct agx_meta_table *table)
{
   table->number[AGX_META_SAMPLES_WIDE] = layout->image.samples == 4;
   table->number[AGX_META_SAMPLES_HIGH] = layout->image.samples > 1;
}

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
   set_sample_numbers(layout, table);
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
mode_word(const struct ail_layout *layout, enum ail_mode mode)
{
   return 0x01010101u * (uint32_t)ail_mode_byte(layout, mode);
}

/* Every tile of the level says this, in the layers of the box. */
static void
declare(struct agx_context *ctx, const struct agx_resource *image, enum agx_plane plane,
        const struct agx_level_box *box, enum ail_mode mode)
{
   const struct ail_layout *layout = &image->planes[plane];
   const struct ail_level *level = &layout->levels[box->level];
   uint32_t word = mode_word(layout, mode);
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
                mode_word(layout, AIL_MODE_UNCOMPRESSED)},
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
      declare(ctx, image, plane, box, AIL_MODE_UNCOMPRESSED);
   else
      decompress_tiles(ctx, image, plane, box);
}

/* ---- of one colour ---- */

void
agx_compressed_clear(struct agx_context *ctx, const struct agx_resource *image, enum agx_plane plane,
                     const struct agx_level_box *box, const uint32_t texel[4])
{
   const struct ail_layout *layout = &image->planes[plane];
   const struct ail_level *level = &layout->levels[box->level];
   uint32_t colors_B = mutant("agx-solid-one") ? layout->block_B : AIL_MODE_BYTES * layout->block_B;
   uint32_t parts_log2 = log2_ceil((uint32_t)div_round_up(colors_B, 16));
   struct agx_meta_table table = {
      .dst = agx_meta_side(image, plane, box->level, 0, 0, box->layer),
      .size = {level->metadata_width_tl << parts_log2, level->metadata_height_tl, box->layers},
      .parts_log2 = parts_log2,
   };

   memcpy(table.value, texel, sizeof(table.value));
   set_sample_numbers(layout, &table);
   if (!mutant("agx-solid-metadata"))
      declare(ctx, image, plane, box, AIL_MODE_SOLID);
   agx_meta_dispatch(ctx, AGX_META_SOLID, &table);
}

/* Lossless compression: where the metadata lies, and its mode bytes. */
#include <string.h>

#include "asahi/layout/ail_internal.h"

/* Size of a mipmap level in samples: both sides double with 4 samples, the height with 2. */
static uint32_t
width_sa(const struct ail_layout *layout, uint32_t width_px)
{
   return width_px << (layout->samples_log2 == 2);
}

static uint32_t
height_sa(const struct ail_layout *layout, uint32_t height_px)
{
   return height_px << (layout->samples_log2 >= 1);
}

static uint32_t
tiles(uint32_t size_sa)
{
   return (size_sa + AIL_COMPRESSION_TILE_SA - 1) / AIL_COMPRESSION_TILE_SA;
}

/* Level after level, each padded to powers of two of compression tiles and to a cache line. The sizes of the levels
 * are halved rounding up, against those of the image. */
void
ail_metadata_init(struct ail_layout *layout)
{
   uint32_t full_width_sa = width_sa(layout, layout->image.width_px);
   uint32_t full_height_sa = height_sa(layout, layout->image.height_px);
   uint32_t w_sa = (uint32_t)align_up(full_width_sa, AIL_COMPRESSION_TILE_SA);
   uint32_t h_sa = (uint32_t)align_up(full_height_sa, AIL_COMPRESSION_TILE_SA);
   uint32_t longest_sa = MAX2(w_sa, h_sa);
   uint64_t offset_B = 0;
   for (uint32_t l = 0; l < layout->allocated_levels; l++) {
      struct ail_level *level = &layout->levels[l];
      if (ail_minify(longest_sa, l) < AIL_COMPRESSION_TILE_SA)
         break;
      level->metadata_allocated = true;
      level->compressed = ail_minify(MIN2(full_width_sa, full_height_sa), l) >= AIL_COMPRESSION_TILE_SA;
      level->metadata_width_tl = tiles(width_sa(layout, level->width_px));
      level->metadata_height_tl = tiles(height_sa(layout, level->height_px));
      level->metadata_width_log2_tl = (uint8_t)log2_ceil(tiles(w_sa));
      level->metadata_height_log2_tl = (uint8_t)log2_ceil(tiles(h_sa));
      level->metadata_offset_B = offset_B;
      level->metadata_size_B = UINT64_C(8) << (level->metadata_width_log2_tl + level->metadata_height_log2_tl);
      offset_B += align_up(level->metadata_size_B, AIL_CACHE_LINE_B);
      w_sa = (w_sa + 1) / 2;
      h_sa = (h_sa + 1) / 2;
   }
   layout->metadata_layer_stride_B = offset_B;
   layout->size_B = align_up(layout->metadata_offset_B + offset_B * layout->layer_count, AIL_CACHE_LINE_B);
}

void
ail_compression_tile_px(const struct ail_layout *layout, uint32_t *width_px, uint32_t *height_px)
{
   if (!layout || !width_px || !height_px)
      return;
   *width_px = AIL_COMPRESSION_TILE_SA >> (layout->samples_log2 == 2);
   *height_px = AIL_COMPRESSION_TILE_SA >> (layout->samples_log2 >= 1);
}

uint64_t
ail_metadata_offset_B(const struct ail_layout *layout, uint32_t x_tl, uint32_t y_tl, uint32_t layer, uint32_t level)
{
   if (!layout || level >= layout->allocated_levels || layer >= layout->layer_count)
      return AIL_NONE;
   const struct ail_level *l = &layout->levels[level];
   if (!l->metadata_allocated || x_tl >= l->metadata_width_tl || y_tl >= l->metadata_height_tl)
      return AIL_NONE;
   uint64_t tile = ail_morton(x_tl, y_tl, l->metadata_width_log2_tl, l->metadata_height_log2_tl);
   return layout->metadata_offset_B + layer * layout->metadata_layer_stride_B + l->metadata_offset_B + tile * 8;
}

int
ail_mode_byte(const struct ail_layout *layout, enum ail_mode mode)
{
   /* By log2 of the bytes of a sample; the modes of real compressed tiles are not known. */
   static const uint8_t bytes[5][2] = {{0x1f, 0x60}, {0x3f, 0x01}, {0x7f, 0x03}, {0xff, 0x07}, {0xff, 0x07}};
   if (!layout || !is_power_of_two(layout->block_B) || layout->block_B > 16)
      return -1;
   if (mode != AIL_MODE_UNCOMPRESSED && mode != AIL_MODE_SOLID)
      return -1;
   return bytes[log2_floor(layout->block_B)][mode == AIL_MODE_SOLID];
}

enum ail_error
ail_metadata_read(const struct ail_layout *layout, const void *image, uint32_t x_tl, uint32_t y_tl, uint32_t layer,
                  uint32_t level, uint8_t bytes[8], enum ail_mode *mode)
{
   /* size: a tile by its coordinates */
   if (!layout || !image)
      return AIL_ERROR_NULL;
   uint64_t offset_B = ail_metadata_offset_B(layout, x_tl, y_tl, layer, level);
   if (offset_B == AIL_NONE)
      return AIL_ERROR_NOT_COMPRESSED;
   uint8_t stored[8];
   memcpy(stored, (const char *)image + offset_B, 8);
   if (bytes)
      memcpy(bytes, stored, 8);
   bool same = true;
   for (unsigned i = 1; i < 8; i++)
      same = same && stored[i] == stored[0];
   if (mode) {
      *mode = AIL_MODE_OTHER;
      if (same && stored[0] == ail_mode_byte(layout, AIL_MODE_UNCOMPRESSED))
         *mode = AIL_MODE_UNCOMPRESSED;
      else if (same && stored[0] == ail_mode_byte(layout, AIL_MODE_SOLID))
         *mode = AIL_MODE_SOLID;
   }
   return AIL_OK;
}

enum ail_error
ail_metadata_write(const struct ail_layout *layout, void *image, uint32_t x_tl, uint32_t y_tl, uint32_t layer,
                   uint32_t level, enum ail_mode mode)
{
   /* size: a tile by its coordinates */
   if (!layout || !image)
      return AIL_ERROR_NULL;
   uint64_t offset_B = ail_metadata_offset_B(layout, x_tl, y_tl, layer, level);
   if (offset_B == AIL_NONE)
      return AIL_ERROR_NOT_COMPRESSED;
   int byte = ail_mode_byte(layout, mode);
   if (byte < 0)
      return AIL_ERROR_MODE;
   memset((char *)image + offset_B, byte, 8);
   return AIL_OK;
}

enum ail_error
ail_metadata_fill(const struct ail_layout *layout, void *image, enum ail_mode mode)
{
   if (!layout || !image)
      return AIL_ERROR_NULL;
   if (!layout->image.compressed)
      return AIL_ERROR_NOT_COMPRESSED;
   int byte = ail_mode_byte(layout, mode);
   if (byte < 0)
      return AIL_ERROR_MODE;
   memset((char *)image + layout->metadata_offset_B, byte, layout->size_B - layout->metadata_offset_B);
   return AIL_OK;
}

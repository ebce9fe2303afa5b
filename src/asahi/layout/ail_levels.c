/* Mip chains of GPU-tiled and twiddled images: size, place and tile of every level. */
#include "asahi/layout/ail_internal.h"

/* log2 of the smallest square power-of-two tile whose side holds side_el. */
static void
set_square_tile(struct ail_level *level, uint32_t side_el)
{
   level->tile_width_log2_el = level->tile_height_log2_el = (uint8_t)log2_ceil(side_el);
}

/* Rounds the running offset up so that no cache line holds two levels; returns the next offset. */
static uint64_t
place_level(struct ail_level *level, uint64_t offset_B, uint64_t size_B)
{
   level->offset_B = offset_B;
   level->size_B = size_B;
   level->tiles_per_row = (level->stride_el + (1u << level->tile_width_log2_el) - 1) >> level->tile_width_log2_el;
   return align_up(offset_B + size_B, AIL_CACHE_LINE_B);
}

/* The first level that is smaller than a page tile along either axis. Block-compressed images take level 0 in whole
 * blocks for the halving. */
static uint32_t
first_small_level(const struct ail_layout *layout, uint32_t tile_width_el, uint32_t tile_height_el)
{
   uint32_t bw = layout->block_width_px, bh = layout->block_height_px;
   uint32_t width_px = bw * layout->levels[0].width_el, height_px = bh * layout->levels[0].height_el;
   uint32_t level = 0;
   while ((width_px + bw - 1) / bw >= tile_width_el && (height_px + bh - 1) / bh >= tile_height_el) {
      width_px = ail_minify(width_px, 1);
      height_px = ail_minify(height_px, 1);
      level++;
   }
   return level;
}

/* Tiles of large level l: those of level 0 shifted right by 2 l, and a column, a row and a corner more where a
 * halving dropped an odd tile. No multiplication, one for level 0 aside: that is what the hardware does. */
static uint64_t
large_level_tiles(uint32_t columns, uint32_t rows, uint32_t l)
{
   uint32_t dropped = (1u << l) - 1;
   bool odd_columns = columns & dropped, odd_rows = rows & dropped;
   uint64_t tiles = ((uint64_t)columns * rows) >> (2 * l);
   if (odd_columns)
      tiles += rows >> l;
   if (odd_rows)
      tiles += columns >> l;
   return tiles + (odd_columns && odd_rows);
}

void
ail_levels_gpu_init(struct ail_layout *layout)
{
   const uint8_t *tile_log2 = ail_page_tile_log2[log2_floor(layout->element_B)];
   uint32_t width_el = layout->levels[0].width_el, height_el = layout->levels[0].height_el;
   uint32_t columns = (width_el + (1u << tile_log2[0]) - 1) >> tile_log2[0];
   uint32_t rows = (height_el + (1u << tile_log2[1]) - 1) >> tile_log2[1];
   uint32_t small = first_small_level(layout, 1u << tile_log2[0], 1u << tile_log2[1]);
   bool blocks = layout->block_width_px > 1;

   /* Small levels are powers of two. Block-compressed images round up before the halving, others after it. */
   uint32_t small_width_el = blocks ? ail_minify(ail_next_power_of_two(width_el), small)
                                    : ail_next_power_of_two(ail_minify(width_el, small));
   uint32_t small_height_el = blocks ? ail_minify(ail_next_power_of_two(height_el), small)
                                     : ail_next_power_of_two(ail_minify(height_el, small));
   uint64_t offset_B = 0;
   for (uint32_t l = 0; l < layout->allocated_levels; l++) {
      struct ail_level *level = &layout->levels[l];
      uint64_t size_B;
      level->stride_el = level->width_el;
      if (l < small) {
         size_B = large_level_tiles(columns, rows, l) * AIL_PAGE_B;
         level->tile_width_log2_el = tile_log2[0];
         level->tile_height_log2_el = tile_log2[1];
         /* Blocks: the halving may drop the last, partly filled tile of a row; the hardware counts it. */
         level->stride_el += blocks && (columns & ((1u << l) - 1));
      } else {
         size_B = (uint64_t)small_width_el * small_height_el * layout->element_B;
         set_square_tile(level, blocks ? MIN2(small_width_el, small_height_el)
                                       : MIN2(ail_minify(width_el, l), ail_minify(height_el, l)));
         small_width_el = ail_minify(small_width_el, 1);
         small_height_el = ail_minify(small_height_el, 1);
      }
      offset_B = place_level(level, offset_B, size_B);
   }
   layout->chain_size_B = offset_B;
   layout->mip_tail_first_level = MIN2(small, layout->allocated_levels);
}

void
ail_levels_twiddled_init(struct ail_layout *layout)
{
   const uint8_t *page_log2 = ail_page_tile_log2[log2_floor(layout->element_B)];
   uint32_t width_el = layout->levels[0].width_el, height_el = layout->levels[0].height_el;
   uint32_t full_width_el = ail_next_power_of_two(width_el), full_height_el = ail_next_power_of_two(height_el);
   bool blocks = layout->block_width_px > 1;
   uint64_t offset_B = 0;
   layout->mip_tail_first_level = layout->allocated_levels;
   for (uint32_t l = 0; l < layout->allocated_levels; l++) {
      struct ail_level *level = &layout->levels[l];
      /* Memory for the halved power of two, addresses by the power of two of the halved size: it may be smaller. */
      uint32_t memory_width_el = ail_minify(full_width_el, l), memory_height_el = ail_minify(full_height_el, l);
      uint32_t side_el =
         MIN2(ail_next_power_of_two(ail_minify(width_el, l)), ail_next_power_of_two(ail_minify(height_el, l)));
      level->stride_el = ail_next_power_of_two(ail_minify(width_el, l));
      if (blocks) {
         side_el = MIN2(memory_width_el, memory_height_el);
         level->stride_el = memory_width_el;
      }
      set_square_tile(level, side_el);
      offset_B = place_level(level, offset_B, (uint64_t)memory_width_el * memory_height_el * layout->element_B);
      /* A level of whole pages, each a rectangle of the image, can be bound page by page. */
      if (layout->mip_tail_first_level == layout->allocated_levels &&
          (side_el < 1u << page_log2[1] || level->stride_el < 1u << page_log2[0]))
         layout->mip_tail_first_level = l;
   }
   layout->chain_size_B = offset_B;
}

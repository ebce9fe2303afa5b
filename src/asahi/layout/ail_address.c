/* The address of an element. */
#include "asahi/layout/ail_internal.h"

/* Spreads the low 16 bits of a value over the even bits of the result. */
static uint32_t
spread(uint32_t value)
{
   value = (value | value << 8) & 0x00ff00ff;
   value = (value | value << 4) & 0x0f0f0f0f;
   value = (value | value << 2) & 0x33333333;
   return (value | value << 1) & 0x55555555;
}

/*    x_bits = 5, y_bits = 3:   x4 x3 y2 x2 y1 x1 y0 x0 */
uint32_t
ail_morton(uint32_t x, uint32_t y, unsigned x_bits, unsigned y_bits)
{
   unsigned shared = MIN2(x_bits, y_bits);
   uint32_t low = (1u << shared) - 1;
   uint32_t rest = x_bits > y_bits ? x >> shared : y >> shared;
   return spread(x & low) | spread(y & low) << 1 | rest << (2 * shared);
}

uint64_t
ail_element_offset_B(const struct ail_layout *layout, uint32_t x_el, uint32_t y_el, uint32_t layer, uint32_t level,
                     uint32_t sample)
{
   if (!layout || layer >= layout->layer_count || level >= layout->allocated_levels)
      return AIL_NONE;
   const struct ail_level *l = &layout->levels[level];
   if (x_el >= l->width_el || y_el >= l->height_el || sample >> layout->samples_log2)
      return AIL_NONE;
   uint64_t base_B = layer * layout->layer_stride_B + l->offset_B;
   if (layout->image.tiling == AIL_TILING_LINEAR)
      return base_B + (uint64_t)y_el * layout->stride_B + (uint64_t)x_el * layout->element_B;
   unsigned w = l->tile_width_log2_el, h = l->tile_height_log2_el;
   uint64_t tile = (uint64_t)(y_el >> h) * l->tiles_per_row + (x_el >> w);
   uint64_t in_tile = ail_morton(x_el & ((1u << w) - 1), y_el & ((1u << h) - 1), w, h);
   return base_B + ((tile << (w + h)) + in_tile) * layout->element_B + sample * layout->block_B;
}

bool
ail_box_is_inside(const struct ail_layout *layout, const struct ail_box *box)
{
   if (box->level >= layout->allocated_levels)
      return false;
   const struct ail_level *level = &layout->levels[box->level];
   return box->x_el <= level->width_el && box->width_el <= level->width_el - box->x_el &&
          box->y_el <= level->height_el && box->height_el <= level->height_el - box->y_el &&
          box->layer <= layout->layer_count && box->layers <= layout->layer_count - box->layer;
}

#include "amd/common/ac_block_view.h"

#include "amd/hw/swizzle.h"
#include "util/macros.h"

enum { MAX_SIZE_PX = 16384, MAX_DEPTH_PX = 8192 };

/* The sizes of level 0 that leave `size` for a level. */
struct range {
   uint32_t low, high;
};

static struct range
sizes_of_level_0(uint32_t size, unsigned level)
{
   uint64_t high = ((uint64_t)(size + 1) << level) - 1;

   return (struct range){size == 1 ? 1 : size << level, (uint32_t)MIN2(high, MAX_SIZE_PX)};
}

/* Sizes matter by how many halves of a block their levels begin: from one half on, and just above. */
static uint32_t
next_size(uint32_t size, uint32_t half)
{
   return size % half ? (uint32_t)align_up(size, half) : size + 1;
}

/* Does an image of this size and any number of levels fit? */
static bool
fits(struct ac_block_view *view, struct ac_surface_desc *desc, const struct ac_surface *image, unsigned level,
     uint32_t depth_px)
{
   for (desc->levels = view->level + 1; desc->levels <= AC_SURFACE_MAX_LEVELS; desc->levels++) {
      struct ac_surface *surface = &view->surface;

      if (!ac_surface_init(surface, desc) || surface->slice_B != image->slice_B ||
          surface->levels[view->level].offset_B > image->levels[level].offset_B)
         continue;
      uint64_t there = ac_surface_offset_B(image, level, 0, 0, 0, 0);
      uint64_t here = ac_surface_offset_B(surface, view->level, 0, 0, 0, 0), inner = surface->alignment_B - 1;

      view->width_px = desc->width_px;
      view->height_px = desc->height_px;
      view->depth_px = depth_px;
      view->offset_B = (there & ~inner) - (here & ~inner);
      view->address_xor = (uint32_t)((there ^ here) & inner);
      return true;
   }
   return false;
}

static bool
find_size(struct ac_block_view *view, const struct ac_surface *image, unsigned level, uint32_t depth_px)
{
   const struct ac_surface_level *l = &image->levels[level];
   struct range widths = sizes_of_level_0(l->width_el, view->level);
   struct range heights = sizes_of_level_0(l->height_el, view->level);
   uint32_t block_width = 1u << image->block_width_log2, block_height = 1u << image->block_height_log2;
   uint64_t blocks = image->slice_B / image->alignment_B;
   struct ac_surface_desc desc = {
      .gen = image->equation->gen,
      .gb_addr_config = image->equation->config,
      .slices = depth_px,
      .element_B = (uint8_t)(1u << image->element_log2),
      .block_width_px = 1,
      .block_height_px = 1,
      .samples = 1,
      .tiled = true,
   };

   for (uint32_t w = widths.low; w <= widths.high; w = next_size(w, block_width / 2)) {
      for (uint32_t h = heights.low; h <= heights.high; h = next_size(h, block_height / 2)) {
         if (div_round_up(w, block_width) * div_round_up(h, block_height) > blocks)
            break;
         desc.width_px = w;
         desc.height_px = h;
         if (fits(view, &desc, image, level, depth_px))
            return true;
      }
   }
   return false;
}

bool
ac_block_view_init(struct ac_block_view *view, const struct ac_surface *image, unsigned level, uint32_t depth_px)
{
   uint32_t depth = MAX2(depth_px >> level, 1u);

   for (view->level = 0; view->level < AC_SURFACE_MAX_LEVELS && depth << view->level <= MAX_DEPTH_PX; view->level++) {
      if (find_size(view, image, level, depth << view->level))
         return true;
   }
   return false;
}

#include "amd/common/ac_block_view.h"

#include <assert.h>

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
      .is_3d = true,
      .tiling = AC_TILING_MODE,
      .mode = image->mode,
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
ac_block_view_halves(const struct ac_surface *image, unsigned level)
{
   const struct ac_surface_level *first = &image->levels[0], *l = &image->levels[level];

   return MAX2(first->width_el >> level, 1u) == l->width_el && MAX2(first->height_el >> level, 1u) == l->height_el;
}

void
ac_block_view_init_layer(struct ac_block_view *view, const struct ac_surface *image, unsigned level, unsigned layer)
{
   const struct ac_surface_level *l = &image->levels[level];
   bool in_tail = level >= image->first_tail_level;
   uint64_t first = ac_surface_offset_B(image, level, 0, 0, 0, 0),
            own = ac_surface_offset_B(image, level, 0, 0, layer, 0);
   unsigned levels = 1;

   *view = (struct ac_block_view){.width_px = l->width_el, .height_px = l->height_el, .depth_px = 1};
   if (in_tail) {
      uint32_t tail_el[3];

      ac_surface_tail_size(image, tail_el);
      view->level = level - image->first_tail_level;
      view->width_px = MIN2(l->width_el << view->level, tail_el[0]);
      view->height_px = MIN2(l->height_el << view->level, tail_el[1]);
      levels = MAX2(view->level + 1, 2u);
   } else if (!image->epitch_el && align_up(l->width_el, 1u << image->block_width_log2) != l->pitch_el) {
      view->level = 1;
      view->width_px = 2 * l->width_el + 1;
      view->height_px = 2 * l->height_el;
      levels = 2;
   }
   bool ok = ac_surface_init(&view->surface, &(struct ac_surface_desc){
                                                .gen = image->equation->gen,
                                                .gb_addr_config = image->equation->config,
                                                .width_px = view->width_px,
                                                .height_px = view->height_px,
                                                .slices = 1,
                                                .levels = levels,
                                                .element_B = (uint8_t)(1u << image->element_log2),
                                                .block_width_px = 1,
                                                .block_height_px = 1,
                                                .samples = 1,
                                                .tiling = AC_TILING_MODE,
                                                .mode = image->mode,
                                             });
   assert(ok && "the image itself has this mode");
   if (image->epitch_el && !in_tail) {
      view->surface.levels[0].pitch_el = l->pitch_el;
      view->surface.epitch_el = l->pitch_el;
   }
   view->offset_B = layer * image->slice_B + l->offset_B;
   view->address_xor = (uint32_t)((first ^ own) & (image->alignment_B - 1));
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

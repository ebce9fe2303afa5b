#include "amd/common/ac_surface_mip_chain.h"

#include "amd/hw/swizzle.h"
#include "util/macros.h"

void
ac_surface_mip_chain_linear(struct ac_surface *surface)
{
   uint32_t pitch_el = (uint32_t)align_up(surface->levels[0].width_el, 256u >> surface->element_log2);
   uint32_t rows_el = surface->levels[0].height_el;

   for (unsigned i = 0; i < surface->num_levels; i++) {
      struct ac_surface_level *level = &surface->levels[i];

      level->offset_B = surface->slice_B;
      level->pitch_el = pitch_el;
      level->rows_el = rows_el;
      surface->slice_B += (uint64_t)pitch_el * rows_el << surface->element_log2;
      rows_el = (uint32_t)div_round_up(rows_el, 2);
   }
   surface->epitch_el = pitch_el;
}

/* Slots halve from half a block of 64 KiB down to 2 KiB, then go down in steps of 256 B; smaller blocks have the end
 * of that. */
static uint32_t
tail_offset_B(const struct ac_surface *surface, unsigned slot)
{
   slot += 16 - surface->equation->block_log2;
   return slot <= 4 ? 0x8000u >> slot : (11 - MIN2(slot, 11u)) * 256;
}

enum axis { X, Y, Z, AXES };

/* Of a level, in blocks. */
struct box {
   uint32_t size[AXES], at[AXES];
};

static bool
starts_in_tail(const struct ac_surface *surface)
{
   uint32_t tail_el[AXES];

   ac_surface_tail_size(surface, tail_el);
   return surface->num_levels > 1 && surface->levels[0].width_el <= tail_el[X] &&
          surface->levels[0].height_el <= tail_el[Y] && (!surface->slab_log2 || surface->slices <= tail_el[Z]);
}

/* Whether what comes after a level of so many blocks fits into the tail: one block, two along sides that the tail has
 * whole. */
static bool
ends_chain(const struct ac_surface *surface, const uint32_t size[AXES])
{
   uint32_t tail_el[AXES];

   ac_surface_tail_size(surface, tail_el);
   bool whole[AXES] = {tail_el[X] >> surface->block_width_log2, tail_el[Y] >> surface->block_height_log2,
                       surface->slab_log2 && tail_el[Z] >> surface->slab_log2};
   return size[X] <= 1u + whole[X] && size[Y] <= 1u + whole[Y] && (!surface->slab_log2 || size[Z] <= 1u + whole[Z]);
}

/* Fills in first_tail_level and the levels' places. */
static void
place_levels(struct ac_surface *surface, struct box box, enum axis along, struct box boxes[])
{
   bool in_tail = starts_in_tail(surface);

   surface->first_tail_level = surface->num_levels;
   for (unsigned i = 0; i < surface->num_levels; i++) {
      if (i && !in_tail) {
         /* Levels 1 and 3 come after the one before on one axis, all others on the other. */
         enum axis axis = i != 1 && i != 3 ? along : along == Y ? X : Y;

         box.at[axis] += box.size[axis];
         in_tail = ends_chain(surface, box.size);
         for (unsigned k = 0; k < AXES; k++)
            box.size[k] = (uint32_t)div_round_up(box.size[k], 2);
      }
      if (in_tail) {
         surface->first_tail_level = MIN2(surface->first_tail_level, (uint8_t)i);
         surface->levels[i].tail_xor_B = tail_offset_B(surface, i - surface->first_tail_level);
      }
      boxes[i] = box;
   }
}

void
ac_surface_mip_chain_tiled(struct ac_surface *surface)
{
   uint32_t w = (uint32_t)div_round_up(surface->levels[0].width_el, UINT64_C(1) << surface->block_width_log2);
   uint32_t h = (uint32_t)div_round_up(surface->levels[0].height_el, UINT64_C(1) << surface->block_height_log2);
   uint32_t d = surface->slab_log2 ? (uint32_t)div_round_up(surface->slices, UINT64_C(1) << surface->slab_log2) : 0;
   enum axis along = d > MAX2(w, h) ? Z : h > w ? Y : X;
   struct box boxes[AC_SURFACE_MAX_LEVELS];

   place_levels(surface, (struct box){.size = {w, h, d}}, along, boxes);
   if (surface->num_levels > 1 && surface->first_tail_level) {
      uint32_t *across = along == Y ? &w : &h, more = (uint32_t)div_round_up(*across, 2);

      /* Two blocks where a third level lies next to level 1 and another below that. */
      *across += more == 1 && MIN2(surface->first_tail_level, surface->num_levels - 1) > 2 ? 2 : more;
   }
   surface->slice_B = (uint64_t)w * h << surface->equation->block_log2;
   for (unsigned i = 0; i < surface->num_levels; i++) {
      struct ac_surface_level *level = &surface->levels[i];
      const uint32_t *at = boxes[i].at;

      level->offset_B = at[Z] * surface->slice_B + (((uint64_t)at[Y] * w + at[X]) << surface->equation->block_log2);
      level->pitch_el = w << surface->block_width_log2;
      level->rows_el = (uint32_t)align_up(level->height_el, 1u << surface->block_height_log2);
   }
   surface->epitch_el =
      surface->num_levels > 1 && along != Y ? h << surface->block_height_log2 : w << surface->block_width_log2;
}

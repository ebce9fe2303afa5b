#include "amd/common/ac_surface_beside.h"

#include "util/macros.h"

void
ac_surface_beside_linear(struct ac_surface *surface)
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

/* Slots halve from half a block down to 2 KiB, then go down in steps of 256 B. */
static uint32_t
tail_offset_B(unsigned slot)
{
   return slot <= 4 ? 0x8000u >> slot : (11 - MIN2(slot, 11u)) * 256;
}

/* In blocks. */
struct place {
   uint32_t x, y;
};

static void
find_places(struct ac_surface *surface, uint32_t w, uint32_t h, bool down, struct place places[])
{
   bool in_tail = surface->num_levels > 1 && surface->levels[0].width_el <= 1u << surface->block_width_log2 >> 1 &&
                  surface->levels[0].height_el <= 1u << surface->block_height_log2;
   struct place at = {0, 0};

   surface->first_tail_level = surface->num_levels;
   for (unsigned i = 0; i < surface->num_levels; i++) {
      if (i && !in_tail) {
         /* Levels 1 and 3 come after the one before on one axis, all others on the other. */
         if ((i == 1 || i == 3) == down)
            at.y += h;
         else
            at.x += w;
         in_tail = w == 1 && h <= 2;
         w = (uint32_t)div_round_up(w, 2);
         h = (uint32_t)div_round_up(h, 2);
      }
      if (in_tail) {
         surface->first_tail_level = MIN2(surface->first_tail_level, (uint8_t)i);
         surface->levels[i].tail_xor_B = tail_offset_B(i - surface->first_tail_level);
      }
      places[i] = at;
   }
}

void
ac_surface_beside_tiled(struct ac_surface *surface)
{
   uint32_t w = (uint32_t)div_round_up(surface->levels[0].width_el, UINT64_C(1) << surface->block_width_log2);
   uint32_t h = (uint32_t)div_round_up(surface->levels[0].height_el, UINT64_C(1) << surface->block_height_log2);
   bool chain = surface->num_levels > 1, down = w >= h;
   unsigned block_log2 = log2_floor(surface->alignment_B);
   struct place places[AC_SURFACE_MAX_LEVELS];

   find_places(surface, w, h, down, places);
   if (chain && surface->first_tail_level) {
      uint32_t *across = down ? &h : &w, more = (uint32_t)div_round_up(*across, 2);

      /* Two blocks where a third level lies beside level 1 and another below that. */
      *across += more == 1 && MIN2(surface->first_tail_level, surface->num_levels - 1) > 2 ? 2 : more;
   }
   for (unsigned i = 0; i < surface->num_levels; i++) {
      struct ac_surface_level *level = &surface->levels[i];

      level->offset_B = ((uint64_t)places[i].y * w + places[i].x) << block_log2;
      level->pitch_el = w << surface->block_width_log2;
      level->rows_el = (uint32_t)align_up(level->height_el, 1u << surface->block_height_log2);
   }
   surface->slice_B = (uint64_t)w * h << block_log2;
   surface->epitch_el = chain && down ? h << surface->block_height_log2 : w << surface->block_width_log2;
}

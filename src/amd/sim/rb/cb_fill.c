/* Tiles of one colour. Whole ones go to memory as they lie there, in whatever order of pixels. */
#include <string.h>

#include "amd/sim/draw/tiles.h"
#include "util/macros.h"

enum { MAX_ROW_B = AMD_TILE_PX * 16 };

void
amd_cb_fill_words(const struct amd_color_state *color, struct amd_cb_fill *fill)
{
   for (unsigned i = 0; i < color->count; i++)
      for (unsigned w = 0; color->target[i].enable && 4 * w < color->target[i].format.size_B; w++)
         for (unsigned k = 0; k < AMD_TILE_PIXELS; k++)
            fill->tile->words[i][w][k] = fill->texel[i][w];
}

/* Where a tile lies, as rows of eight pixels. */
struct rows {
   uint64_t first_B;
   uint32_t pitch_B, row_B;
};

/* False: not so, or past the end of memory. */
static bool
find_rows(const struct amd_target_state *t, uint32_t x, uint32_t y, uint32_t slice, unsigned sample,
          struct rows *rows)
{
   const struct amd_surface *s = &t->surface;
   rows->row_B = AMD_TILE_PX * s->element_B;
   if (s->linear) {
      rows->pitch_B = s->pitch_el * s->element_B;
      rows->first_B = amd_surface_offset(s, x, y, slice, sample);
   } else {
      rows->pitch_B = rows->row_B;
      rows->first_B = amd_surface_tile_start_B(s, x, y, slice, sample);
   }
   return rows->first_B + (AMD_TILE_PX - 1) * (uint64_t)rows->pitch_B + rows->row_B <= t->run_B;
}

static bool
is_whole(const struct amd_target_state *t, const struct amd_cb_tile *tile, uint32_t slice)
{
   struct rows rows;
   const uint32_t element_B = t->surface.element_B;
   bool whole = amd_surface_tile_inside(&t->surface, tile->x, tile->y) == UINT64_MAX &&
                element_B == t->format.size_B && element_B <= 16 && !(element_B & (element_B - 1)) &&
                (t->surface.linear || amd_surface_tile_row_B(&t->surface));
   for (unsigned s = 0; s < tile->samples && whole; s++)
      whole = tile->cover[s] == UINT64_MAX && find_rows(t, tile->x, tile->y, slice, s, &rows);
   return whole;
}

static void
store_rows(const struct amd_target_state *t, const struct rows *rows, const uint8_t pattern[MAX_ROW_B])
{
   uint8_t *at = t->host + rows->first_B;
   for (unsigned y = 0; y < AMD_TILE_PX; y++, at += rows->pitch_B) {
      if (rows->row_B == 4 * AMD_TILE_PX)
         memcpy(at, pattern, 4 * AMD_TILE_PX);
      else
         memcpy(at, pattern, rows->row_B);
      if (rows->pitch_B != rows->row_B)
         amd_note(t->written, rows->first_B + y * (uint64_t)rows->pitch_B, rows->row_B);
   }
   if (rows->pitch_B == rows->row_B)
      amd_note(t->written, rows->first_B, AMD_TILE_PX * rows->row_B);
}

static void
fill_target(const struct amd_target_state *t, enum amd_gen gen, const struct amd_cb_tile *tile, uint32_t slice,
            const uint32_t texel[4])
{
   uint8_t pattern[MAX_ROW_B];
   struct rows rows;
   for (unsigned i = 0; i < AMD_TILE_PX; i++)
      memcpy(pattern + i * t->format.size_B, texel, t->format.size_B);
   if (t->meta.dcc || t->meta.cmask)
      amd_color_meta_open_tile(t, gen, tile->x, tile->y, slice, UINT64_MAX);
   for (unsigned s = 0; s < tile->samples; s++)
      if (find_rows(t, tile->x, tile->y, slice, s, &rows))
         store_rows(t, &rows, pattern);
}

void
amd_cb_fill_tile(const struct amd_color_state *color, const struct amd_cb_fill *fill, uint32_t layer)
{
   bool whole = true;
   for (unsigned i = 0; i < color->count && whole; i++) {
      const struct amd_target_state *t = &color->target[i];
      whole = !t->enable || is_whole(t, fill->tile, MIN2(t->first_slice + layer, t->last_slice));
   }
   if (!whole) {
      amd_cb_write_tile(color, fill->tile, layer);
      return;
   }
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      if (t->enable)
         fill_target(t, color->gen, fill->tile, MIN2(t->first_slice + layer, t->last_slice), fill->texel[i]);
   }
}

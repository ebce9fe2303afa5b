/* Tiles of one colour. Whole ones go to memory as they lie there, in whatever order of pixels. */
#include <string.h>

#include "amd/sim/rb/rb.h"
#include "util/macros.h"

enum { STEP_B = 64 };

/* Tiles lie in rows of eight pixels, or in a row of all. */
static uint32_t
row_of(const struct amd_target_state *t)
{
   const uint32_t element_B = t->surface.element_B;
   bool repeats = element_B == t->format.size_B && element_B <= 16 && !(element_B & (element_B - 1));
   if (!repeats)
      return 0;
   return t->surface.linear ? AMD_TILE_PX * element_B : amd_surface_tile_row_B(&t->surface);
}

void
amd_cb_fill_begin(const struct amd_color_state *color, struct amd_cb_fill *fill)
{
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      struct amd_cb_fill_target *f = &fill->target[i];
      if (!t->enable)
         continue;
      for (unsigned w = 0; 4 * w < t->format.size_B; w++)
         for (unsigned k = 0; k < AMD_TILE_PIXELS; k++)
            fill->tile->words[i][w][k] = f->texel[w];
      f->row_B = row_of(t);
      for (unsigned at_B = 0; f->row_B && at_B < sizeof(f->pattern); at_B += t->format.size_B)
         memcpy(f->pattern + at_B, f->texel, t->format.size_B);
   }
}

/* Where each sample of a tile starts. False: it does not lie in rows, or some of it past the surface or its memory.
 */
static bool
find_tile(const struct amd_target_state *t, const struct amd_cb_fill_target *f, const struct amd_cb_tile *tile,
          uint32_t slice, uint64_t start_B[AMD_MAX_SAMPLES])
{
   const struct amd_surface *s = &t->surface;
   if (!f->row_B || tile->x + AMD_TILE_PX > s->width_el || tile->y + AMD_TILE_PX > s->height_el)
      return false;
   const struct amd_surface_pixel first = amd_surface_pixel(s, tile->x, tile->y, slice);
   const uint64_t pitch_B = s->linear ? s->pitch_el * s->element_B : 0, rows_B = (AMD_TILE_PX - 1) * pitch_B;
   for (unsigned i = 0; i < MIN2(tile->samples, amd_target_samples(t)); i++) {
      start_B[i] = amd_surface_sample(s, first, i);
      if (!s->linear)
         start_B[i] &= ~(uint64_t)(f->row_B - 1);
      if (start_B[i] + rows_B + f->row_B > t->run_B)
         return false;
   }
   return true;
}

static inline void
fill_row(const struct amd_target_state *t, const struct amd_cb_fill_target *f, uint64_t start_B)
{
   uint8_t *const at = t->host + start_B;
   for (uint32_t i = 0; i < f->row_B; i += STEP_B) {
      if (f->row_B - i >= STEP_B)
         memcpy(at + i, f->pattern, STEP_B);
      else
         memcpy(at + i, f->pattern, f->row_B - i);
   }
   amd_note(t->written, start_B, f->row_B);
}

static void
fill_sample(const struct amd_target_state *t, const struct amd_cb_fill_target *f, uint64_t start_B)
{
   const uint64_t pitch_B = t->surface.pitch_el * t->surface.element_B;
   for (unsigned y = 0; y < (t->surface.linear ? AMD_TILE_PX : 1); y++)
      fill_row(t, f, start_B + y * pitch_B);
}

static bool
is_whole(const struct amd_cb_tile *tile)
{
   bool whole = true;
   for (unsigned s = 0; s < tile->samples; s++)
      whole &= tile->cover[s] == UINT64_MAX;
   return whole;
}

void
amd_cb_fill_tile(const struct amd_color_state *color, const struct amd_cb_fill *fill, uint32_t layer)
{
   const struct amd_cb_tile *tile = fill->tile;
   uint64_t start_B[AMD_MAX_TARGETS][AMD_MAX_SAMPLES];
   bool whole = is_whole(tile);
   for (unsigned i = 0; i < color->count && whole; i++) {
      const struct amd_target_state *t = &color->target[i];
      whole =
         !t->enable || find_tile(t, &fill->target[i], tile, MIN2(t->first_slice + layer, t->last_slice), start_B[i]);
   }
   if (!whole) {
      amd_cb_write_tile(color, tile, layer);
      return;
   }
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      if (!t->enable)
         continue;
      if (t->meta.dcc || t->meta.cmask)
         amd_color_meta_open_tile(t, color->gen, tile->x, tile->y, MIN2(t->first_slice + layer, t->last_slice),
                                  UINT64_MAX);
      for (unsigned s = 0; s < MIN2(tile->samples, amd_target_samples(t)); s++)
         fill_sample(t, &fill->target[i], start_B[i][s]);
   }
}

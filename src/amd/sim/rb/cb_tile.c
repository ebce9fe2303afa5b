/* Colours of whole tiles, where targets take them as they are. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/rb/tile_memory.h"
#include "amd/sim/rb/tile_wide.h"
#include "sim/texel/texel4.h"
#include "util/macros.h"

bool
amd_cb_takes_tiles(const struct amd_color_state *color)
{
   bool takes = color->mode == V_CB_NORMAL && !color->dual_source;
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      takes &= !t->enable || (!t->reads_target && amd_surface_has_tiles(&t->surface));
   }
   return takes;
}

/* Texels of any size, and up to the end of memory. */
static void
store_each(const struct amd_target_state *t, const struct amd_surface_tile *tile, uint32_t toggled, uint64_t pixels,
           const uint32_t (*words)[AMD_TILE_PIXELS])
{
   const unsigned size_B = t->format.size_B;
   for (uint64_t left = pixels; left; left &= left - 1) {
      const unsigned i = (unsigned)__builtin_ctzll(left);
      const uint64_t at_B = tile->base_B + (tile->at_B[i] ^ toggled);
      if (at_B + size_B > t->run_B) {
         amd_note_outside(t->outside);
         continue;
      }
      for (unsigned b = 0; b < size_B; b += 4)
         memcpy(t->host + at_B + b, &words[b / 4][amd_tile_lane(i)], MIN2(size_B - b, 4u));
      amd_note(t->written, at_B, size_B);
   }
}

/* Texels of a word: quads whose pixels all are covered at once. */
static void
store_quads(const struct amd_target_state *t, const struct amd_surface_quads *quads, uint64_t lanes,
            const uint32_t words[AMD_TILE_PIXELS])
{
   for (unsigned q = 0; lanes; q++, lanes >>= 4) {
      const unsigned some = lanes & 15;
      const uint64_t first_B = quads->start_B + quads->at_B[q], second_B = first_B + quads->below_B;
      const uint64_t at_B[4] = {first_B, first_B + 4, second_B, second_B + 4};
      if (some == 15) {
         memcpy(t->host + first_B, &words[4 * q], 8);
         memcpy(t->host + second_B, &words[4 * q + 2], 8);
      }
      for (unsigned i = 0; i < 4 && some != 15; i++)
         if (some >> i & 1)
            memcpy(t->host + at_B[i], &words[4 * q + i], 4);
   }
}

/* All of a tile that lies in a row. */
static void
store_tile(const struct amd_target_state *t, const struct amd_surface_quads *quads,
           const uint32_t words[AMD_TILE_PIXELS])
{
   uint8_t *above = t->host + quads->start_B, *below = above + quads->below_B;
#pragma GCC unroll 16
   for (unsigned q = 0; q < AMD_TILE_PIXELS / 4; q++) {
      memcpy(above + quads->at_B[q], &words[4 * q], 8);
      memcpy(below + quads->at_B[q], &words[4 * q + 2], 8);
   }
}

/* A sample's texels of a word, where the memory of the tile allows it. */
static bool
store_at_once(const struct amd_target_state *t, const struct amd_cb_tile *tile, uint32_t slice, unsigned sample,
              uint64_t pixels, const uint32_t words[AMD_TILE_PIXELS])
{
   struct amd_surface_quads quads;
   if (t->format.size_B != 4 || !amd_surface_find_quads(&t->surface, tile->x, tile->y, slice, sample, &quads) ||
       quads.start_B + AMD_TILE_PIXELS * 4 > t->run_B)
      return false;
   if (pixels == UINT64_MAX)
      store_tile(t, &quads, words);
   else
      store_quads(t, &quads, amd_tile_lanes(pixels), words);
   tile_note_quads(t->written, &quads, 4, pixels);
   return true;
}

/* The same wherever the memory lies. */
static void
store_anywhere(const struct amd_target_state *t, const struct amd_cb_tile *tile, uint32_t slice, unsigned sample,
               uint64_t pixels, const uint32_t (*words)[AMD_TILE_PIXELS])
{
   const uint32_t toggled = t->surface.s[sample];
   struct amd_surface_tile at;
   uint32_t rows[AMD_TILE_PIXELS];
   amd_surface_find_tile(&t->surface, tile->x, tile->y, slice, pixels, &at);
   if (t->format.size_B != 4 || at.end_B > t->run_B) {
      store_each(t, &at, toggled, pixels, words);
      return;
   }
   for (unsigned i = 0; i < AMD_TILE_PIXELS; i++)
      rows[i] = words[0][amd_tile_lane(i)];
   tile_store(&at, toggled, pixels, 4, rows, t->host, t->written);
}

static void
write_target(const struct amd_target_state *t, enum amd_gen gen, const struct amd_cb_tile *tile, uint32_t layer,
             const uint32_t (*words)[AMD_TILE_PIXELS])
{
   const uint32_t slice = MIN2(t->first_slice + layer, t->last_slice);
   const uint64_t inside = amd_surface_tile_inside(&t->surface, tile->x, tile->y);
   const unsigned samples = MIN2(tile->samples, amd_target_samples(t));
   uint64_t any = 0;
   for (unsigned s = 0; s < samples; s++)
      any |= tile->cover[s] & inside;
   if (!any)
      return;
   if (t->meta.dcc || t->meta.cmask)
      amd_color_meta_open_tile(t, gen, tile->x, tile->y, slice, any);
   for (unsigned s = 0; s < samples; s++) {
      const uint64_t pixels = tile->cover[s] & inside;
      if (pixels && !store_at_once(t, tile, slice, s, pixels, words[0]))
         store_anywhere(t, tile, slice, s, pixels, words);
   }
}

void
amd_cb_expect_tile(const struct amd_color_state *color, uint32_t x, uint32_t y, uint32_t layer)
{
   enum { HOST_LINE_B = 64 };
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      const uint32_t row_B = t->enable ? amd_surface_tile_row_B(&t->surface) : 0;
      if (!row_B || x >= t->surface.width_el || y >= t->surface.height_el)
         continue;
      uint64_t start_B = amd_surface_tile_start_B(&t->surface, x, y, MIN2(t->first_slice + layer, t->last_slice), 0);
      for (uint32_t at_B = 0; at_B < row_B && start_B + row_B <= t->run_B; at_B += HOST_LINE_B)
         __builtin_prefetch(t->host + start_B + at_B, 1);
   }
}

void
amd_cb_write_tile(const struct amd_color_state *color, const struct amd_cb_tile *tile, uint32_t layer)
{
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      if (t->enable)
         write_target(t, color->gen, tile, layer, tile->words[i]);
   }
}

/* Where each component of a texel of four begins. False: not each is there. */
static bool
component_bits(const struct amd_target_state *t, uint8_t to[4])
{
   unsigned seen = 0;
   for (unsigned i = 0; i < 4; i++) {
      to[t->component[i] & 3] = (uint8_t)(8 * i);
      seen |= 1u << t->component[i];
   }
   return seen == 15;
}

bool
amd_cb_encode_lanes(const struct amd_target_state *t, const uint32_t (*export)[AMD_WAVE_MAX_LANES], bool halves,
                    unsigned count, uint32_t *texels)
{
   _Alignas(32) uint32_t wide[4][AMD_WAVE_MAX_LANES];
   const uint32_t *memory[4];
   uint8_t to[4] = {0};
   if (!sim_texel_is_8x4(&t->format))
      return false;
   if (halves && t->format.numeric != SIM_SRGB && component_bits(t, to)) {
      amd_tile_wide()->halves_unorm8x4(export[0], export[1], to, count, texels);
      return true;
   }
   for (unsigned i = 0; i < 2 && halves; i++)
      amd_tile_wide()->halves(export[i], count, wide[2 * i], wide[2 * i + 1]);
   for (unsigned i = 0; i < 4; i++)
      memory[i] = halves ? wide[t->component[i]] : export[t->component[i]];
   (t->format.numeric == SIM_SRGB ? amd_tile_wide()->srgb8x4 : amd_tile_wide()->unorm8x4)(memory, count, texels);
   return true;
}

/* Colours of whole tiles, where targets take them as they are. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/draw/tiles.h"
#include "amd/sim/rb/tile_wide.h"
#include "sim/texel4.h"
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

/* Texels of size_B bytes, in the pixels' order. */
static inline void
store_texels(const struct amd_target_state *t, const struct amd_surface_tile *tile, uint32_t toggled, uint64_t pixels,
             const uint32_t (*words)[AMD_TILE_PIXELS], unsigned size_B)
{
   uint8_t *const host = t->host + tile->base_B;
   uint64_t line = UINT64_MAX;
   for (uint64_t left = pixels; left; left &= left - 1) {
      const unsigned i = (unsigned)__builtin_ctzll(left);
      const uint32_t at_B = tile->at_B[i] ^ toggled;
      if (tile->end_B > t->run_B && tile->base_B + at_B + size_B > t->run_B)
         continue;
      for (unsigned b = 0; b < size_B; b += 4)
         memcpy(host + at_B + b, &words[b / 4][i], MIN2(size_B - b, 4u));
      if ((tile->base_B + at_B) >> AMD_WRITTEN_LOG2 != line)
         amd_note_write(t->written, tile->base_B + at_B);
      line = (tile->base_B + at_B) >> AMD_WRITTEN_LOG2;
   }
}

/* All 64 pixels, in 256 bytes. */
static void
store_256B(const struct amd_target_state *t, const struct amd_surface_tile *tile, uint32_t toggled,
           const uint32_t texels[AMD_TILE_PIXELS])
{
   const uint64_t first_B = tile->base_B + ((tile->at_B[0] ^ toggled) & ~UINT32_C(255));
   uint8_t *const host = t->host + first_B;
   const uint32_t low = toggled & 255;
   for (unsigned i = 0; i < AMD_TILE_PIXELS; i++)
      memcpy(host + ((tile->at_B[i] & 255) ^ low), &texels[i], 4);
   amd_note_write(t->written, first_B);
   amd_note_write(t->written, first_B + 128);
}

static void
write_target(const struct amd_target_state *t, enum amd_gen gen, const struct amd_cb_tile *tile, uint32_t layer,
             const uint32_t (*words)[AMD_TILE_PIXELS])
{
   const uint32_t slice = MIN2(t->first_slice + layer, t->last_slice);
   const uint64_t inside = amd_surface_tile_inside(&t->surface, tile->x, tile->y);
   struct amd_surface_tile at;
   uint64_t any = 0;
   for (unsigned s = 0; s < tile->samples; s++)
      any |= tile->cover[s] & inside;
   if (!any)
      return;
   if (t->meta.dcc || t->meta.cmask)
      amd_color_meta_open_tile(t, gen, tile->x, tile->y, slice, any);
   amd_surface_find_tile(&t->surface, tile->x, tile->y, slice, any, &at);
   for (unsigned s = 0; s < tile->samples; s++) {
      const uint64_t pixels = tile->cover[s] & inside;
      const uint32_t toggled = t->surface.s[s];
      if (pixels == UINT64_MAX && at.end_B <= t->run_B && amd_surface_tile_is_256B(&t->surface))
         store_256B(t, &at, toggled, words[0]);
      else if (t->format.size_B == 4)
         store_texels(t, &at, toggled, pixels, words, 4);
      else
         store_texels(t, &at, toggled, pixels, words, t->format.size_B);
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

bool
amd_cb_encode_lanes(const struct amd_target_state *t, const uint32_t (*export)[AMD_WAVE_MAX_LANES], bool halves,
                    unsigned count, uint32_t *texels)
{
   _Alignas(32) uint32_t wide[4][AMD_WAVE_MAX_LANES];
   const uint32_t *memory[4];
   if (!sim_texel_is_unorm8x4(&t->format))
      return false;
   for (unsigned i = 0; i < 2 && halves; i++)
      amd_tile_wide()->halves(export[i], count, wide[2 * i], wide[2 * i + 1]);
   for (unsigned i = 0; i < 4; i++)
      memory[i] = halves ? wide[t->component[i]] : export[t->component[i]];
   amd_tile_wide()->unorm8x4(memory, count, texels);
   return true;
}

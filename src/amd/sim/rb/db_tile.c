/* Depth tests of whole tiles: what db.c does to quads, if there is only depth. */
#include <string.h>

#include "amd/sim/rb/tile_memory.h"
#include "amd/sim/rb/tile_wide.h"
#include "sim/texel/numeric.h"
#include "sim/texel/vec4.h"
#include "util/macros.h"

/* Quad by quad. */
static void
test_quads(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim, uint32_t x,
           uint32_t y, bool writes, uint64_t cover[AMD_MAX_SAMPLES])
{
   /* size: a tile by its coordinates */
   static const struct amd_db_export nothing = {NULL, NULL};
   const unsigned samples = amd_surface_samples(&state->samples);
   for (unsigned q = 0; q < 16; q++) {
      const unsigned at = q / 4 * 16 + q % 4 * 2;
      struct amd_pixels px = {x + q % 4 * 2, y + q / 4 * 2, {0}};
      for (unsigned s = 0; s < samples; s++)
         for (unsigned i = 0; i < 4; i++)
            px.cover[i] |= (uint8_t)((cover[s] >> (at + i / 2 * 8 + i % 2) & 1) << s);
      if (!amd_cover_word(px.cover))
         continue;
      if (writes)
         amd_db_test(state, memo, prim, &nothing, &px);
      else
         amd_db_reject(state, memo, prim, &px);
      for (unsigned s = 0; s < samples; s++) {
         cover[s] &= ~(UINT64_C(0x303) << at);
         for (unsigned i = 0; i < 4; i++)
            cover[s] |= (uint64_t)(px.cover[i] >> s & 1) << (at + i / 2 * 8 + i % 2);
      }
   }
}

static uint32_t
clear_value(const struct amd_depth_state *d)
{
   return d->z_format_float ? float_bits(d->clear_z_value) : sim_unorm_from_float(d->clear_z_value, d->z_bits);
}

static void
tile_depths(const struct amd_draw_state *state, const struct amd_prim *prim, uint32_t x, uint32_t y, unsigned sample,
            bool writes, uint32_t z[AMD_TILE_PIXELS])
{
   /* size: a tile by its coordinates */
   const struct amd_depth_state *d = &state->depth;
   const struct amd_sample_state *samples = &state->samples;
   const struct amd_viewport *viewport = &state->viewports[prim->viewport];
   if (writes && d->clear_z) {
      for (unsigned i = 0; i < AMD_TILE_PIXELS; i++)
         z[i] = clear_value(d);
      return;
   }
   double dx = amd_surface_samples(samples) == 1 ? 0.0 : samples->positions.x16[sample] / 16.0;
   double dy = amd_surface_samples(samples) == 1 ? 0.0 : samples->positions.y16[sample] / 16.0;
   amd_tile_wide()->depths(&(struct tile_plane){.a = prim->z.a,
                                                .b = prim->z.b,
                                                .c = prim->z.c,
                                                .x = (double)((int32_t)x - prim->origin_x) + 0.5 + dx,
                                                .y = (double)((int32_t)y - prim->origin_y) + 0.5 + dy,
                                                .low = viewport->zmin,
                                                .high = viewport->zmax,
                                                .clamp = d->viewport_clamp,
                                                .unorm_bits = d->z_format_float ? 0 : d->z_bits},
                           z);
}

/* Where a sample's depths lie: as quads, where they can. */
struct place {
   struct amd_surface_quads quads;
   const struct amd_surface_tile *tile; /* that of all samples */
   bool has_quads;
   uint32_t toggled;
};

/* False: some sample past the end of memory. */
static bool
find_places(const struct amd_depth_state *d, uint32_t x, uint32_t y, uint32_t slice, unsigned samples,
            struct amd_surface_tile *tile, struct place places[AMD_MAX_SAMPLES])
{
   /* size: a tile by its coordinates */
   bool found = false;
   for (unsigned s = 0; s < samples; s++) {
      struct place *at = &places[s];
      at->has_quads = amd_surface_find_quads(&d->z, x, y, slice, s, &at->quads) &&
                      at->quads.start_B + (uint64_t)AMD_TILE_PIXELS * d->z.element_B <= d->z_run_B;
      if (at->has_quads)
         continue;
      at->toggled = d->z.s[s];
      at->tile = tile;
      if (!found)
         amd_surface_find_tile(&d->z, x, y, slice, UINT64_MAX, tile);
      found = true;
      if (tile->end_B > d->z_run_B)
         return false;
   }
   return true;
}

static void
load_depths(const struct amd_depth_state *d, const struct place *at, uint32_t z[AMD_TILE_PIXELS])
{
   uint16_t narrow[AMD_TILE_PIXELS];
   if (!at->has_quads && d->z_bits == 16) {
      tile_load(at->tile, at->toggled, 2, d->z_host, z);
   } else if (!at->has_quads) {
      tile_load(at->tile, at->toggled, 4, d->z_host, z);
   } else if (d->z_bits == 16) {
      tile_load_quads(&at->quads, 2, d->z_host, (uint8_t *)narrow);
      for (unsigned i = 0; i < AMD_TILE_PIXELS; i++)
         z[i] = narrow[i];
   } else {
      tile_load_quads(&at->quads, 4, d->z_host, (uint8_t *)z);
   }
}

/* Where pixels are not meant, z becomes what is stored. */
static void
keep_others(uint64_t pixels, const uint32_t stored[AMD_TILE_PIXELS], uint32_t z[AMD_TILE_PIXELS])
{
   static const v4u bit[2] = {{1, 2, 4, 8}, {16, 32, 64, 128}};
   for (unsigned i = 0; i < AMD_TILE_PIXELS; i += 4) {
      const v4u row = v4_splat_bits((uint32_t)(pixels >> (i & ~7u)) & 0xff);
      v4u new, old;
      memcpy(&new, &z[i], sizeof(new));
      memcpy(&old, &stored[i], sizeof(old));
      const v4u other = (v4u)((row & bit[i / 4 & 1]) == 0);
      new ^= (new ^ old) & other;
      memcpy(&z[i], &new, sizeof(new));
   }
}

/* z is changed. */
static void
store_depths(const struct amd_depth_state *d, const struct place *at, uint64_t pixels,
             const uint32_t stored[AMD_TILE_PIXELS], uint32_t z[AMD_TILE_PIXELS])
{
   uint16_t narrow[AMD_TILE_PIXELS];
   if (at->has_quads && pixels != UINT64_MAX)
      keep_others(pixels, stored, z);
   if (!at->has_quads && d->z_bits == 16) {
      tile_store(at->tile, at->toggled, pixels, 2, z, d->z_host, d->z_written);
   } else if (!at->has_quads) {
      tile_store(at->tile, at->toggled, pixels, 4, z, d->z_host, d->z_written);
   } else if (d->z_bits == 16) {
      for (unsigned i = 0; i < AMD_TILE_PIXELS; i++)
         narrow[i] = (uint16_t)z[i];
      tile_store_quads(&at->quads, 2, pixels, (const uint8_t *)narrow, d->z_host, d->z_written);
   } else {
      tile_store_quads(&at->quads, 4, pixels, (const uint8_t *)z, d->z_host, d->z_written);
   }
}

/* Of one sample. All pixels lie in the surface. */
static uint64_t
test_sample(const struct amd_draw_state *state, const struct amd_prim *prim, const struct place *at, bool clear,
            uint32_t x, uint32_t y, unsigned sample, bool writes, uint64_t pixels)
{
   /* size: one sample: its place, its values, its state */
   const struct amd_depth_state *d = &state->depth;
   const uint32_t z_mask = (uint32_t)bit_mask(d->z_bits);
   _Alignas(32) uint32_t z[AMD_TILE_PIXELS], stored[AMD_TILE_PIXELS], above[AMD_TILE_PIXELS];
   tile_depths(state, prim, x, y, sample, writes, z);
   if (clear)
      for (unsigned i = 0; i < AMD_TILE_PIXELS; i++)
         stored[i] = clear_value(d);
   else
      load_depths(d, at, stored);
   for (unsigned i = 0; i < AMD_TILE_PIXELS && d->z_bits == 24; i++) {
      above[i] = stored[i] & ~z_mask;
      stored[i] &= z_mask;
   }
   if (d->z_enable)
      pixels &= amd_tile_wide()->compare(d->zfunc, d->z_format_float, z, stored);
   if (!writes || !d->z_write || !pixels)
      return pixels;
   for (unsigned i = 0; i < AMD_TILE_PIXELS && d->z_bits == 24; i++) {
      z[i] |= above[i];
      stored[i] |= above[i];
   }
   store_depths(d, at, pixels, stored, z);
   return pixels;
}

void
amd_db_test_tile(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                 uint32_t x, uint32_t y, bool writes, uint64_t cover[AMD_MAX_SAMPLES])
{
   const struct amd_depth_state *d = &state->depth;
   const unsigned samples = amd_surface_samples(&state->samples);
   bool simple = (!writes || (!(d->has_stencil && d->stencil_enable) && !d->bounds_enable)) &&
                 !state->samples.by_pixel && !state->reference;
   uint64_t any = 0, inside;
   struct amd_surface_tile tile;
   struct place places[AMD_MAX_SAMPLES];
   struct amd_htile_clear clear = {false, false};
   if (!d->any)
      return;
   for (unsigned s = 0; s < samples; s++)
      any |= cover[s];
   if (!simple || !d->has_z || !d->z_host || !amd_surface_has_tiles(&d->z)) {
      test_quads(state, memo, prim, x, y, writes, cover);
      return;
   }
   const uint32_t slice = MIN2(d->first_slice + prim->layer, d->last_slice);
   inside = amd_surface_tile_inside(&d->z, x, y);
   /* Pixels beyond the surface pass. */
   if (!(any & inside))
      return;
   if (!find_places(d, x, y, slice, samples, &tile, places)) {
      test_quads(state, memo, prim, x, y, writes, cover);
      return;
   }
   if (d->htile.enable)
      amd_htile_open(d, memo, x, y, slice, writes, &clear);
   for (unsigned s = 0; s < samples; s++) {
      if (cover[s] & inside)
         cover[s] =
            (cover[s] & ~inside) | test_sample(state, prim, &places[s], clear.z, x, y, s, writes, cover[s] & inside);
   }
}

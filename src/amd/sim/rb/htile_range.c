/* Ranges of depth in HTILE: what DB writes when it has drawn, and the tiles that it drops by them, unseen.
 *
 *      only depth:         31:18 largest, 17:4 smallest
 *      depth and stencil:  31:18 base, 17:12 delta; the base is the largest with ZRANGE_PRECISION, else the smallest
 *
 * in 14 bits of 0 to 1, rounded outwards. A delta below 16 is the difference (PAL; Mesa's ac_htile_dword); how larger
 * ones are coded is not public: 63 is the whole range (assumed), and others are read so. */
#include "amd/sim/rb/rb.h"

#include <math.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/rb/tile_wide.h"
#include "sim/texel/compare.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

enum { TILE_PX = 8, ONE = 0x3fff, EXACT_DELTAS = 16, ANY_DELTA = 63 };

struct range {
   uint32_t low, high;
};

static struct range
decode(const struct amd_htile_state *h, uint32_t tile)
{
   if (!h->has_stencil)
      return (struct range){tile >> 4 & ONE, tile >> 18};
   uint32_t base = tile >> 18, delta = tile >> 12 & 63;
   if (delta >= EXACT_DELTAS)
      return (struct range){0, ONE};
   return h->base_is_largest ? (struct range){base - MIN2(base, delta), base}
                             : (struct range){base, MIN2(base + delta, (uint32_t)ONE)};
}

static uint32_t
encode(const struct amd_htile_state *h, uint32_t tile, struct range r)
{
   if (!h->has_stencil)
      return (tile & 15) | r.low << 4 | r.high << 18;
   uint32_t delta = r.high - r.low, base = h->base_is_largest ? r.high : r.low;
   if (delta >= EXACT_DELTAS)
      delta = ANY_DELTA, base = h->base_is_largest ? ONE : 0;
   return (tile & 0xfff) | delta << 12 | base << 18;
}

static float
depth_at(const struct amd_depth_state *d, const uint8_t *at)
{
   uint32_t bits = 0;
   memcpy(&bits, at, d->z.element_B);
   return d->z_format_float ? bits_float(bits) : sim_unorm_to_float(bits & (uint32_t)bit_mask(d->z_bits), d->z_bits);
}

static void
widen(float z, float *low, float *high)
{
   *low = z < *low ? z : *low;
   *high = z > *high ? z : *high;
}

/* As many elements as a tile has pixels, in a row. Codes are ordered as what they stand for. */
static void
measure_row(const struct amd_depth_state *d, const uint8_t *row, float *low, float *high)
{
   uint32_t least, most;
   if (d->z_format_float) {
      amd_tile_wide()->range(row, low, high);
      return;
   }
   (d->z_bits == 16 ? amd_tile_wide()->range16 : amd_tile_wide()->range24)(row, &least, &most);
   widen(sim_unorm_to_float(least, d->z_bits), low, high);
   widen(sim_unorm_to_float(most, d->z_bits), low, high);
}

/* The rows of a tile, where they have whole such ones. */
static bool
measure_rows(const struct amd_depth_state *d, uint32_t x, uint32_t y, uint32_t slice, float *low, float *high)
{
   const uint32_t part_B = TILE_PX * TILE_PX * d->z.element_B;
   uint64_t start_B[16];
   if (d->z.tile_rows_B % part_B || !amd_surface_find_rows(&d->z, x, y, slice, d->z_run_B, start_B))
      return false;
   for (unsigned i = 0; i < d->z.tile_rows; i++)
      for (uint32_t at_B = 0; at_B < d->z.tile_rows_B; at_B += part_B)
         measure_row(d, d->z_host + start_B[i] + at_B, low, high);
   return true;
}

/* Over all samples of the tile. */
static void
measure(const struct amd_depth_state *d, uint32_t x, uint32_t y, uint32_t slice, float *low, float *high)
{
   const struct amd_surface *z = &d->z;
   if (measure_rows(d, x, y, slice, low, high))
      return;
   for (uint32_t i = 0; i < TILE_PX * TILE_PX; i++) {
      uint32_t px = x + i % TILE_PX, py = y + i / TILE_PX;
      if (px >= z->width_el || py >= z->height_el)
         continue;
      struct amd_surface_pixel pixel = amd_surface_pixel(z, px, py, slice);
      for (unsigned s = 0; s < 1u << d->htile.samples_log2; s++) {
         uint64_t at_B = amd_surface_sample(z, pixel, s);
         if (at_B + z->element_B <= d->z_run_B)
            widen(depth_at(d, d->z_host + at_B), low, high);
      }
   }
}

/* Outwards, to 14 bits of 0 to 1. */
static struct range
round_range(float low, float high)
{
   const double least = low > 0 ? MIN2((double)low * ONE, ONE) : 0,
                most = high > 0 ? MIN2((double)high * ONE, ONE) : 0;
   const struct range r = {(uint32_t)least, (uint32_t)most};
   return (struct range){r.low, r.high + (most > (double)r.high)};
}

static void
summarise_tile(const struct amd_depth_state *d, uint32_t x, uint32_t y, uint32_t slice)
{
   const struct amd_htile_state *h = &d->htile;
   uint64_t at_B = amd_meta_offset(&h->layout, x, y, slice, 0);
   uint32_t old, tile;
   float low = INFINITY, high = -INFINITY;
   if (at_B + 4 > h->memory.run_B)
      return;
   memcpy(&old, h->memory.host + at_B, 4);
   if (!(old & 15)) /* clear: has the clear value */
      return;
   measure(d, x, y, slice, &low, &high);
   const struct range r = round_range(low, high);
   tile = encode(h, old, r.low <= r.high ? r : (struct range){0, ONE});
   tile = (tile & ~h->kept) | (old & h->kept);
   if (tile == old)
      return;
   memcpy(h->memory.host + at_B, &tile, 4);
   amd_note(h->memory.written, at_B, 4);
}

/* Tiles of one slice, some at a time. */
enum { TASK_TILES = 512 };
struct summary {
   const struct amd_depth_state *d;
   uint8_t *opened;
   uint32_t slice;
};

static void
summarise_some(void *data, unsigned task)
{
   const struct summary *s = data;
   const struct amd_htile_state *h = &s->d->htile;
   const uint32_t tiles = h->tiles_wide * h->tiles_high, end = MIN2((task + 1) * TASK_TILES, tiles);
   uint64_t word;
   for (uint32_t first = task * TASK_TILES; first < end; first += 8) {
      memcpy(&word, s->opened + first, 8); /* there are 8 bytes more */
      for (uint32_t i = first; word && i < MIN2(first + 8, end); i++) {
         if (!s->opened[i])
            continue;
         s->opened[i] = 0;
         if (s->d->has_z)
            summarise_tile(s->d, i % h->tiles_wide * TILE_PX, i / h->tiles_wide * TILE_PX, s->slice);
      }
   }
}

void
amd_htile_summarise(const struct amd_depth_state *d, struct sim_pool *pool)
{
   const struct amd_htile_state *h = &d->htile;
   const uint32_t tiles = h->tiles_wide * h->tiles_high, slices = d->last_slice - d->first_slice + 1;
   for (uint32_t slice = 0; h->opened && slice < slices; slice++) {
      uint8_t *used = &h->opened[(uint64_t)slices * tiles + slice];
      struct summary s = {d, &h->opened[(uint64_t)slice * tiles], d->first_slice + slice};
      if (*used)
         sim_pool_run(pool, (unsigned)div_round_up(tiles, (uint32_t)TASK_TILES), summarise_some, &s);
      *used = 0;
   }
}

/* Depths on the primitive's plane within the tile, as the surface would keep them. False if there is no telling. */
static bool
bound_plane(const struct amd_draw_state *state, const struct amd_prim *prim, uint32_t x, uint32_t y, float *low,
            float *high)
{
   const struct amd_depth_state *d = &state->depth;
   const struct amd_viewport *viewport = &state->viewports[prim->viewport];
   *low = INFINITY, *high = -INFINITY;
   for (unsigned i = 0; i < 4; i++) {
      double px = (double)((int32_t)x - prim->origin_x) + (i & 1 ? TILE_PX : 0);
      double py = (double)((int32_t)y - prim->origin_y) + (i & 2 ? TILE_PX : 0);
      float z = (float)(prim->z.a * px + prim->z.b * py + prim->z.c);
      if (isnan(z))
         return false;
      widen(z, low, high);
   }
   /* None of this changes which one is the least and which the largest. */
   for (unsigned i = 0; i < 2; i++) {
      float *z = i ? high : low;
      if (d->viewport_clamp)
         *z = MAX2(MIN2(*z, viewport->zmax), viewport->zmin);
      if (!d->z_format_float)
         *z = sim_unorm_to_float(sim_unorm_from_float(*z, d->z_bits), d->z_bits);
   }
   return true;
}

bool
amd_htile_culls(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                uint32_t x, uint32_t y)
{
   const struct amd_depth_state *d = &state->depth;
   const struct amd_htile_state *h = &d->htile;
   uint32_t slice = MIN2(d->first_slice + prim->layer, d->last_slice), tile;
   uint64_t at_B = amd_meta_offset(&h->layout, x, y, slice, 0);
   if (x + TILE_PX > d->z.width_el || y + TILE_PX > d->z.height_el || at_B + 4 > h->memory.run_B)
      return false;
   amd_note_keep(h->memory.looked, memo->looked, AMD_HTILE_LINES, at_B >> AMD_NOTE_LINE_LOG2, 1u << at_B / 4 % 32);
   memcpy(&tile, h->memory.host + at_B, 4);
   struct range r = decode(h, tile);
   float low, high;
   /* 0 and 1 stand for all that lies beyond them, too. */
   if ((!r.low && r.high == ONE) || (d->zfunc & SIM_COMPARE_LESS && r.high == ONE) ||
       (d->zfunc & SIM_COMPARE_GREATER && !r.low) || !bound_plane(state, prim, x, y, &low, &high))
      return false;
   bool may_be_less = (double)low * ONE < r.high;
   bool may_be_greater = (double)high * ONE > r.low;
   bool may_be_equal = (r.high == ONE || (double)low * ONE <= r.high) && (!r.low || (double)high * ONE >= r.low);
   return !((d->zfunc & SIM_COMPARE_LESS && may_be_less) || (d->zfunc & SIM_COMPARE_EQUAL && may_be_equal) ||
            (d->zfunc & SIM_COMPARE_GREATER && may_be_greater));
}

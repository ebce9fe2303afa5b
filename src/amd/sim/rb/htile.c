#include "amd/sim/rb/rb.h"

#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/surface/surface_tile.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

enum {
   TILE_PX = 8,
   Z_MASK = 0xf,
   STENCIL_MASK = 0x300,
   STENCIL_RESULTS = 0xf0, /* all unknown */
   /* Of a memo: */
   CLEAR_Z = 1,
   CLEAR_STENCIL = 2,
};

static inline void
store(uint8_t *at, uint32_t value, unsigned size_B)
{
   if (size_B == 4)
      memcpy(at, &value, 4);
   else
      memcpy(at, &value, size_B);
}

/* A tile whose samples' bytes lie in rows. */
static bool
fill_at_once(const struct amd_surface *surface, uint8_t *host, uint64_t run_B, struct amd_note_page *written,
             uint32_t x, uint32_t y, uint32_t slice, uint32_t value)
{
   /* size: a tile by its coordinates, and its memory */
   uint64_t start_B[16];
   uint32_t line[16]; /* whole ones: a row has 64 bytes at least */
   if (surface->element_B > 4 || !amd_surface_find_rows(surface, x, y, slice, run_B, start_B))
      return false;
   value = surface->element_B == 1 ? (value & 0xff) * 0x01010101 : value;
   value = surface->element_B == 2 ? (value & 0xffff) * 0x00010001 : value;
   for (unsigned i = 0; i < ARRAY_SIZE(line); i++)
      line[i] = value;
   for (unsigned i = 0; i < surface->tile_rows; i++) {
      for (uint32_t at_B = 0; at_B < surface->tile_rows_B; at_B += sizeof(line))
         memcpy(host + start_B[i] + at_B, line, sizeof(line));
      amd_note(written, start_B[i], surface->tile_rows_B);
   }
   return true;
}

/* Stores one value in all samples of the tile's pixels. */
static void
fill_tile(const struct amd_surface *surface, uint8_t *host, uint64_t run_B, struct amd_note_page *written,
          unsigned samples, uint32_t x, uint32_t y, uint32_t slice, uint32_t value)
{
   /* size: a tile by its coordinates, and its memory */
   const unsigned size_B = surface->element_B;
   uint64_t quad_B[4];
   if (fill_at_once(surface, host, run_B, written, x & ~7u, y & ~7u, slice, value))
      return;
   for (uint32_t i = 0; i < TILE_PX * TILE_PX; i++) {
      uint32_t px = (x & ~7u) + i / 4 % 4 * 2 + (i & 1), py = (y & ~7u) + i / 16 * 2 + (i >> 1 & 1);
      if (!(i & 3))
         amd_surface_quad(surface, px, py, slice, quad_B);
      if (px >= surface->width_el || py >= surface->height_el)
         continue;
      for (unsigned s = 0; s < samples; s++) {
         uint64_t at_B = quad_B[i & 3] ^ surface->s[s];
         if (at_B + size_B > run_B)
            continue;
         store(host + at_B, value, size_B);
         amd_note(written, at_B, size_B);
      }
   }
}

static bool
writes_stencil(const struct amd_depth_state *d)
{
   return d->clear_stencil || (d->stencil_enable && (d->face[0].write_mask || d->face[1].write_mask));
}

static void
note_opened(const struct amd_depth_state *d, uint32_t x, uint32_t y, uint32_t slice)
{
   const struct amd_htile_state *h = &d->htile;
   const uint64_t tiles = (uint64_t)h->tiles_wide * h->tiles_high;
   const uint32_t slices = d->last_slice - d->first_slice + 1, i = slice - d->first_slice;
   if (!h->opened)
      return;
   __atomic_store_n(&h->opened[i * tiles + (uint64_t)(y / TILE_PX) * h->tiles_wide + x / TILE_PX], 1,
                    __ATOMIC_RELAXED);
   __atomic_store_n(&h->opened[slices * tiles + i], 1, __ATOMIC_RELAXED);
}

static struct amd_htile_clear
open_tile(const struct amd_depth_state *d, struct amd_htile_memo *memo, uint32_t x, uint32_t y, uint32_t slice,
          bool writes)
{
   const struct amd_htile_state *h = &d->htile;
   const uint64_t at_B = amd_meta_offset(&h->layout, x, y, slice, 0), line = at_B >> AMD_NOTE_LINE_LOG2;
   const uint32_t dword = 1u << at_B / 4 % 32;
   uint32_t tile, old;
   if (slice > d->last_slice)
      return (struct amd_htile_clear){false, false};
   if (at_B + 4 > h->memory.run_B) {
      amd_note_outside(h->memory.outside);
      return (struct amd_htile_clear){false, false};
   }
   amd_note_keep(h->memory.looked, memo->looked, AMD_HTILE_LINES, line, dword);
   memcpy(&tile, h->memory.host + at_B, 4);
   old = tile;
   struct amd_htile_clear clear = {.z = d->has_z && !(tile & Z_MASK),
                                   .stencil = d->has_stencil && h->has_stencil && !(tile & STENCIL_MASK)};
   bool writes_z = writes && (d->z_write || d->clear_z);
   if (d->has_z && writes && (writes_z || h->resummarize))
      note_opened(d, x, y, slice);
   if (d->has_z && (writes_z || h->expand_z)) {
      uint32_t value =
         d->z_format_float ? float_bits(d->clear_z_value) : sim_unorm_from_float(d->clear_z_value, d->z_bits);
      if (clear.z)
         fill_tile(&d->z, d->z_host, d->z_run_B, d->z_written, 1u << h->samples_log2, x, y, slice, value);
      /* The range stays until the draw ends: the bound that its own function looks at holds meanwhile. */
      tile |= Z_MASK;
      clear.z = false;
   }
   if (d->has_stencil && h->has_stencil && ((writes && writes_stencil(d)) || h->expand_stencil)) {
      if (clear.stencil)
         fill_tile(&d->stencil, d->stencil_host, d->stencil_run_B, d->stencil_written, 1u << h->samples_log2, x, y,
                   slice, d->clear_stencil_value);
      tile |= STENCIL_MASK | STENCIL_RESULTS;
      clear.stencil = false;
   }
   tile = (tile & ~h->kept) | (old & h->kept);
   if (tile != old) {
      memcpy(h->memory.host + at_B, &tile, 4);
      amd_note_keep(h->memory.written, memo->written, AMD_HTILE_LINES, line, dword);
   }
   return clear;
}

bool
amd_htile_open(const struct amd_depth_state *d, struct amd_htile_memo *memo, uint32_t x, uint32_t y, uint32_t slice,
               bool writes, struct amd_htile_clear *clear)
{
   const struct amd_surface *surface = d->has_z ? &d->z : &d->stencil;
   const uint32_t tile_x = x / TILE_PX, tile_y = y / TILE_PX;
   if (x >= surface->width_el || y >= surface->height_el)
      return false;
   if (!memo->valid || memo->x != tile_x || memo->y != tile_y || memo->slice != slice) {
      memo->valid = true;
      memo->x = tile_x;
      memo->y = tile_y;
      memo->slice = slice;
      const struct amd_htile_clear opened = open_tile(d, memo, x, y, slice, writes);
      memo->clear = (opened.z ? CLEAR_Z : 0u) | (opened.stencil ? CLEAR_STENCIL : 0u);
   }
   clear->z = memo->clear & CLEAR_Z;
   clear->stencil = memo->clear & CLEAR_STENCIL;
   return true;
}

void
amd_htile_close(const struct amd_depth_state *d, const struct amd_htile_memo *memo)
{
   amd_note_rest(d->htile.memory.looked, memo->looked, AMD_HTILE_LINES);
   amd_note_rest(d->htile.memory.written, memo->written, AMD_HTILE_LINES);
}

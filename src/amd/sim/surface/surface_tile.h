/* Tiles of 8 x 8 pixels of a surface: where all of them lie, from one look at the address tables. */
#ifndef INDIUM_AMD_SIM_SURFACE_TILE_H
#define INDIUM_AMD_SIM_SURFACE_TILE_H

#include "amd/sim/surface/surface.h"

enum { AMD_TILE_PX = 8, AMD_TILE_PIXELS = AMD_TILE_PX * AMD_TILE_PX };

struct amd_surface_tile {
   uint64_t base_B, end_B; /* of memory in which the pixels lie, from surface->base */
   /* Of sample 0, row by row, from base_B; those of sample s differ in the bits surface->s[s]. */
   uint32_t at_B[AMD_TILE_PIXELS];
   uint8_t run; /* 4, 2 or 1: so many pixels of a row, from a multiple of it on, lie one after the other */
};

/* Whether tiles do not cross blocks of memory. Others go pixel by pixel. */
static inline bool
amd_surface_has_tiles(const struct amd_surface *surface)
{
   return surface->linear || (surface->block_w_log2 >= 3 && surface->block_h_log2 >= 3 &&
                              !((surface->tail_x | surface->tail_y) % AMD_TILE_PX));
}

/* Bytes of a sample of a tile, where they lie in a row, in whatever order; else 0. */
static inline uint32_t
amd_surface_tile_row_B(const struct amd_surface *surface)
{
   return surface->tile_row_B;
}

/* Starts of rows that differ in any of the terms. */
static inline void
amd_surface_list_rows(struct amd_surface *surface, const uint32_t *terms, unsigned count)
{
   surface->tile_rows = 1;
   for (unsigned i = 0; i < count; i++) {
      if (terms[i] < surface->tile_rows_B)
         continue;
      for (unsigned k = 0; k < surface->tile_rows; k++)
         surface->tile_rows_xor[surface->tile_rows + k] = surface->tile_rows_xor[k] ^ terms[i];
      surface->tile_rows *= 2;
   }
}

/* Finds the largest rows: so many of the terms, which are of a pixel's and a sample's bits, have bits in them alone,
 * and have all. */
static inline void
amd_surface_learn_rows(struct amd_surface *surface, unsigned samples)
{
   enum { LEAST_B = 64, TERMS = 10 };
   const uint32_t all_B = AMD_TILE_PIXELS * surface->element_B * samples;
   uint32_t terms[TERMS], count = 0;
   for (unsigned i = 1; i < AMD_TILE_PX; i *= 2) {
      terms[count++] = surface->x_low[i];
      terms[count++] = surface->y_low[i];
   }
   for (unsigned s = 1; s < samples; s *= 2)
      terms[count++] = surface->s[s];
   for (uint32_t row_B = all_B; row_B >= LEAST_B && row_B * 16 >= all_B && !surface->tile_rows; row_B /= 2) {
      uint32_t bits = 0, inside_B = surface->element_B;
      for (unsigned i = 0; i < count; i++) {
         bits |= terms[i] < row_B ? terms[i] : 0;
         inside_B <<= terms[i] < row_B;
      }
      surface->tile_rows_B = row_B;
      if (inside_B == row_B && bits == row_B - surface->element_B)
         amd_surface_list_rows(surface, terms, count);
   }
}

/* Finds what is the same in all tiles of a surface that is complete otherwise. */
static inline void
amd_surface_learn_tiles(struct amd_surface *surface, unsigned samples)
{
   const uint32_t tile_B = AMD_TILE_PIXELS * surface->element_B;
   uint32_t terms = 0;
   if (surface->linear || !amd_surface_has_tiles(surface))
      return;
   for (unsigned i = 1; i < AMD_TILE_PX; i *= 2)
      terms |= surface->x_low[i] | surface->y_low[i];
   surface->tile_row_B = terms == tile_B - surface->element_B ? tile_B : 0;
   for (unsigned q = 0; q < AMD_TILE_PIXELS / 4; q++)
      surface->tile_quads_B[q] = surface->y_low[q / 4 * 2] ^ surface->x_low[q % 4 * 2];
   amd_surface_learn_rows(surface, samples);
}

/* Where the bytes of such a sample start. */
static inline uint64_t
amd_surface_tile_start_B(const struct amd_surface *surface, uint32_t x, uint32_t y, uint32_t slice, unsigned sample)
{
   return amd_surface_offset(surface, x, y, slice, sample) & ~(uint64_t)(AMD_TILE_PIXELS * surface->element_B - 1);
}

/* Where the rows of all samples of a tile start, surface->tile_rows of them. False: there are none, or some of it
 * lies past the surface or the end of memory. */
static inline bool
amd_surface_find_rows(const struct amd_surface *surface, uint32_t x, uint32_t y, uint32_t slice, uint64_t run_B,
                      uint64_t start_B[16])
{
   /* size: a tile by its coordinates */
   const uint64_t first_B = amd_surface_offset(surface, x, y, slice, 0);
   if (x + AMD_TILE_PX > surface->width_el || y + AMD_TILE_PX > surface->height_el)
      return false;
   for (unsigned i = 0; i < surface->tile_rows; i++) {
      start_B[i] = (first_B ^ surface->tile_rows_xor[i]) & ~(uint64_t)(surface->tile_rows_B - 1);
      if (start_B[i] + surface->tile_rows_B > run_B)
         return false;
   }
   return surface->tile_rows;
}

/* Bits of a tile's pixels, row by row, in the order of lanes: quad by quad. In the number of a pixel, the lowest bit
 * of y goes below the upper two of x. */
static inline uint64_t
amd_tile_lanes(uint64_t rows)
{
   uint64_t moved = (rows ^ rows >> 6) & UINT64_C(0x00cc00cc00cc00cc);
   rows ^= moved ^ moved << 6;
   moved = (rows ^ rows >> 4) & UINT64_C(0x00f000f000f000f0);
   return rows ^ moved ^ moved << 4;
}

/* The reverse. */
static inline uint64_t
amd_tile_rows(uint64_t lanes)
{
   uint64_t moved = (lanes ^ lanes >> 4) & UINT64_C(0x00f000f000f000f0);
   lanes ^= moved ^ moved << 4;
   moved = (lanes ^ lanes >> 6) & UINT64_C(0x00cc00cc00cc00cc);
   return lanes ^ moved ^ moved << 6;
}

/* How many pixels; most tiles have all. */
static inline unsigned
amd_tile_count(uint64_t pixels)
{
   return pixels == UINT64_MAX ? AMD_TILE_PIXELS : (unsigned)__builtin_popcountll(pixels);
}

/* The lane of pixel y * 8 + x. */
static inline unsigned
amd_tile_lane(unsigned pixel)
{
   return (pixel & 0x31) | (pixel & 6) << 1 | (pixel & 8) >> 2;
}

/* Bit y * 8 + x: the pixel lies in the surface. */
static inline uint64_t
amd_surface_tile_inside(const struct amd_surface *surface, uint32_t x, uint32_t y)
{
   uint32_t w = surface->width_el > x ? surface->width_el - x : 0,
            h = surface->height_el > y ? surface->height_el - y : 0;
   uint64_t columns = w >= AMD_TILE_PX ? UINT64_MAX : ((UINT64_C(1) << w) - 1) * UINT64_C(0x0101010101010101);
   return h >= AMD_TILE_PX ? columns : columns & ((UINT64_C(1) << 8 * h) - 1);
}

static inline uint8_t
amd_surface_tile_run(const struct amd_surface *surface, uint32_t start_B)
{
   const uint32_t B = surface->element_B, *x = surface->x_low, *y = surface->y_low, *s = surface->s;
   /* What else changes bits of a run would change its order. */
   const uint32_t others = start_B | x[4] | y[1] | y[2] | y[4] | s[1] | s[2] | s[4] | s[8];
   if (x[1] == B && x[2] == 2 * B && !(others & (4 * B - 1)))
      return 4;
   return x[1] == B && !((others | x[2]) & (2 * B - 1)) ? 2 : 1;
}

/* Quads of a tile whose pixels lie side by side, and whose rows have a distance. */
struct amd_surface_quads {
   uint64_t start_B;     /* from surface->base */
   const uint32_t *at_B; /* their first pixels, row by row; added */
   uint32_t below_B;     /* from the first row of each to the second; added */
};

/* x and y: multiples of 8. False: they lie otherwise. */
static inline bool
amd_surface_find_quads(const struct amd_surface *s, uint32_t x, uint32_t y, uint32_t slice, unsigned sample,
                       struct amd_surface_quads *quads)
{
   const uint32_t tile_B = amd_surface_tile_row_B(s);
   if (s->linear || !tile_B || s->x_low[1] != s->element_B)
      return false;
   quads->start_B = amd_surface_offset(s, x, y, slice, sample);
   quads->below_B = s->y_low[1];
   quads->at_B = s->tile_quads_B;
   return !(quads->start_B & (tile_B - 1));
}

/* x and y: multiples of 8, in a surface that has tiles. pixels: those that are meant, for where the memory ends. */
static inline void
amd_surface_find_tile(const struct amd_surface *surface, uint32_t x, uint32_t y, uint32_t slice, uint64_t pixels,
                      struct amd_surface_tile *tile)
{
   const struct amd_surface_pixel first = amd_surface_pixel(surface, x, y, slice);
   tile->base_B = first.block_B;
   if (surface->linear) {
      const uint32_t row_B = surface->pitch_el * surface->element_B;
      for (unsigned i = 0; i < AMD_TILE_PIXELS; i++)
         tile->at_B[i] = i / AMD_TILE_PX * row_B + i % AMD_TILE_PX * surface->element_B;
      unsigned last = pixels ? 63u - (unsigned)__builtin_clzll(pixels) : 0;
      tile->end_B = tile->base_B + tile->at_B[last | (AMD_TILE_PX - 1)] + surface->element_B;
      tile->run = 4;
      return;
   }
   tile->end_B = tile->base_B + (first.in_block_B | ((1u << surface->block_log2) - 1)) + 1;
   tile->run = amd_surface_tile_run(surface, first.in_block_B);
   for (unsigned row = 0; row < AMD_TILE_PX; row++) {
      uint32_t start = first.in_block_B ^ surface->y_low[row];
      for (unsigned i = 0; i < AMD_TILE_PX; i++)
         tile->at_B[row * AMD_TILE_PX + i] = start ^ surface->x_low[i];
   }
}

#endif

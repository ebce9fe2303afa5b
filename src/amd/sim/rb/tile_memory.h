/* Elements of a tile to and from memory, of 2 or 4 bytes, as words in the pixels' order. Internal to rb. The tile
 * ends below the end of memory. */
#ifndef INDIUM_AMD_SIM_TILE_MEMORY_H
#define INDIUM_AMD_SIM_TILE_MEMORY_H

#include <string.h>

#include "amd/sim/rb/rb.h"

/* Most tiles have no more lines. */
enum { TILE_NOTES = 2 };

/* Some of up to four elements in a row. */
static inline void
tile_note(struct amd_note_page *written, struct amd_note_kept notes[TILE_NOTES], uint64_t at_B, unsigned size_B,
          uint32_t some)
{
   if (size_B == 2) {
      some <<= at_B >> 1 & 1;
      some = (some & 3 ? 1u : 0) | (some & 12 ? 2u : 0) | (some & 16 ? 4u : 0);
   }
   const uint64_t dwords = (uint64_t)some << (at_B / 4 & 31), line = at_B >> AMD_NOTE_LINE_LOG2;
   amd_note_keep(written, notes, TILE_NOTES, line, (uint32_t)dwords);
   if (dwords >> 32) /* linear surfaces */
      amd_note_keep(written, notes, TILE_NOTES, line + 1, (uint32_t)(dwords >> 32));
}

/* run: that of the tile, a constant. */
static inline void
tile_store_runs(const struct amd_surface_tile *tile, uint32_t toggled, uint64_t pixels, unsigned size_B, unsigned run,
                const uint32_t words[AMD_TILE_PIXELS], uint8_t *host, struct amd_note_page *written)
{
   /* size: inner loop of stores: values, not a struct */
   const uint64_t whole = (UINT64_C(1) << run) - 1;
   struct amd_note_kept notes[TILE_NOTES] = {{0, 0}, {0, 0}};
   for (unsigned i = 0; i < AMD_TILE_PIXELS; i += run) {
      const uint64_t at_B = tile->base_B + (tile->at_B[i] ^ toggled), some = pixels >> i & whole;
      if (!some)
         continue;
      tile_note(written, notes, at_B, size_B, (uint32_t)some);
      if (some == whole) {
         uint16_t narrow[4];
         for (unsigned k = 0; k < run; k++)
            narrow[k] = (uint16_t)words[i + k];
         if (size_B == 4)
            memcpy(host + at_B, &words[i], 4 * run);
         else
            memcpy(host + at_B, narrow, 2 * run);
         continue;
      }
      for (unsigned k = 0; k < run; k++)
         if (some >> k & 1)
            memcpy(host + at_B + k * size_B, &words[i + k], size_B);
   }
   amd_note_rest(written, notes, TILE_NOTES);
}

static inline void
tile_store(const struct amd_surface_tile *tile, uint32_t toggled, uint64_t pixels, unsigned size_B,
           const uint32_t words[AMD_TILE_PIXELS], uint8_t *host, struct amd_note_page *written)
{
   /* size: inner loop of stores: values, not a struct */
   if (tile->run == 4)
      tile_store_runs(tile, toggled, pixels, size_B, 4, words, host, written);
   else if (tile->run == 2)
      tile_store_runs(tile, toggled, pixels, size_B, 2, words, host, written);
   else
      tile_store_runs(tile, toggled, pixels, size_B, 1, words, host, written);
}

static inline void
tile_load_runs(const struct amd_surface_tile *tile, uint32_t toggled, unsigned size_B, unsigned run,
               const uint8_t *host, uint32_t words[AMD_TILE_PIXELS])
{
   for (unsigned i = 0; i < AMD_TILE_PIXELS; i += run) {
      const uint8_t *at = host + tile->base_B + (tile->at_B[i] ^ toggled);
      if (size_B == 4)
         memcpy(&words[i], at, 4 * run);
      for (unsigned k = 0; k < run && size_B == 2; k++) {
         uint16_t narrow;
         memcpy(&narrow, at + 2 * k, 2);
         words[i + k] = narrow;
      }
   }
}

/* All pixels. */
static inline void
tile_load(const struct amd_surface_tile *tile, uint32_t toggled, unsigned size_B, const uint8_t *host,
          uint32_t words[AMD_TILE_PIXELS])
{
   if (tile->run == 4)
      tile_load_runs(tile, toggled, size_B, 4, host, words);
   else if (tile->run == 2)
      tile_load_runs(tile, toggled, size_B, 2, host, words);
   else
      tile_load_runs(tile, toggled, size_B, 1, host, words);
}

/* The same of a tile's quads; size_B: a constant. rows: elements as memory has them, row by row. */
static inline void
tile_load_quads(const struct amd_surface_quads *quads, unsigned size_B, const uint8_t *host, uint8_t *rows)
{
   const uint8_t *above = host + quads->start_B, *below = above + quads->below_B;
#pragma GCC unroll 16
   for (unsigned q = 0; q < AMD_TILE_PIXELS / 4; q++) {
      uint8_t *to = rows + (q / 4 * 16 + q % 4 * 2) * size_B;
      memcpy(to, above + quads->at_B[q], 2 * size_B);
      memcpy(to + AMD_TILE_PX * size_B, below + quads->at_B[q], 2 * size_B);
   }
}

/* Pixels, row by row, of which elements of 2 or 4 bytes were written: no two of a quad's rows share a dword. */
static inline void
tile_note_quads(struct amd_note_page *written, const struct amd_surface_quads *quads, unsigned size_B,
                uint64_t pixels)
{
   const uint64_t line = quads->start_B >> AMD_NOTE_LINE_LOG2;
   uint64_t dwords = 0;
   if (pixels == UINT64_MAX) {
      amd_note(written, quads->start_B, AMD_TILE_PIXELS * size_B);
      return;
   }
   if (size_B == 2)
      pixels |= pixels >> 1;
#pragma GCC unroll 16
   for (unsigned q = 0; q < AMD_TILE_PIXELS / 4; q++) {
      const uint64_t of_row = size_B == 2 ? 1 : 3, some = pixels >> (q / 4 * 16 + q % 4 * 2);
      dwords |= (some & of_row) << quads->at_B[q] / 4 | (some >> 8 & of_row) << (quads->at_B[q] + quads->below_B) / 4;
   }
   if ((uint32_t)dwords)
      amd_note_dwords(written, line, (uint32_t)dwords);
   if (dwords >> 32)
      amd_note_dwords(written, line + 1, (uint32_t)(dwords >> 32));
}

/* pixels: those that have changed. */
static inline void
tile_store_quads(const struct amd_surface_quads *quads, unsigned size_B, uint64_t pixels, const uint8_t *rows,
                 uint8_t *host, struct amd_note_page *written)
{
   uint8_t *above = host + quads->start_B, *below = above + quads->below_B;
#pragma GCC unroll 16
   for (unsigned q = 0; q < AMD_TILE_PIXELS / 4; q++) {
      const uint8_t *from = rows + (q / 4 * 16 + q % 4 * 2) * size_B;
      memcpy(above + quads->at_B[q], from, 2 * size_B);
      memcpy(below + quads->at_B[q], from + AMD_TILE_PX * size_B, 2 * size_B);
   }
   tile_note_quads(written, quads, size_B, pixels);
}

#endif

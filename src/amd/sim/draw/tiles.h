/* Depth and colour of tiles of 8 x 8 pixels. What they do is what the functions of pipeline.h do to the tile's quads.
 */
#ifndef INDIUM_AMD_SIM_TILES_H
#define INDIUM_AMD_SIM_TILES_H

#include "amd/sim/draw/pipeline.h"
#include "amd/sim/surface/surface_tile.h"

/* What a primitive covers of 8 x 8 pixels, where all its pixels export the same. */
struct amd_alike_tile {
   uint32_t prim;
   uint16_t x, y;    /* px, multiples of 8 */
   uint64_t cover[]; /* bit y * 8 + x, by sample of the surfaces */
};

static inline size_t
amd_alike_tile_B(unsigned samples)
{
   return sizeof(struct amd_alike_tile) + samples * sizeof(uint64_t);
}

/* spi_ps_alike.c: whether pixels export the same, by what the draw's state and its program tell. */
enum amd_waves_alike amd_spi_ps_alike(struct amd_pipeline *p);
/* The same as amd_spi_run_pixels(), of tiles. */
bool amd_spi_run_alike(struct amd_pipeline *p);

/* db_tile.c: the test (writes) or the rejection, without exports, of the 8 x 8 pixels from (x, y), multiples of 8.
 * cover: bit y * 8 + x, by sample. */
void amd_db_test_tile(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                      uint32_t x, uint32_t y, bool writes, uint64_t cover[AMD_MAX_SAMPLES]);

/* Colours of the 8 x 8 pixels from (x, y), multiples of 8. */
struct amd_cb_tile {
   uint32_t x, y;
   unsigned samples;
   uint64_t cover[AMD_MAX_SAMPLES]; /* bit y * 8 + x, by sample */
   /* Texels, as amd_cb_encode() has them, in the order of lanes: see amd_tile_lane(). */
   uint32_t words[AMD_MAX_TARGETS][4][AMD_TILE_PIXELS];
};
/* cb_tile.c: whether all targets take colours as they are, a tile at once. */
bool amd_cb_takes_tiles(const struct amd_color_state *color);
/* The tile from (x, y) is written soon: its memory may come. */
void amd_cb_expect_tile(const struct amd_color_state *color, uint32_t x, uint32_t y, uint32_t layer);
void amd_cb_write_tile(const struct amd_color_state *color, const struct amd_cb_tile *tile, uint32_t layer);
/* One colour for all pixels of tiles. */
struct amd_cb_fill {
   struct amd_cb_fill_target {
      uint32_t texel[4]; /* words, as amd_cb_encode() has them */
      /* amd_cb_fill_begin(): */
      uint32_t row_B; /* bytes of a whole tile, or line of one, that lie behind each other; 0: nothing does */
      uint8_t pattern[64];
   } target[AMD_MAX_TARGETS];
   struct amd_cb_tile *tile;
};
/* cb_fill.c: once the texels are set. They become the words of fill->tile, too. */
void amd_cb_fill_begin(const struct amd_color_state *color, struct amd_cb_fill *fill);
/* Writes fill->tile, whose cover and place are set. */
void amd_cb_fill_tile(const struct amd_color_state *color, const struct amd_cb_fill *fill, uint32_t layer);
/* Texels of a word each from the first lanes of an export with all components, floats or halves of words; count: a
 * multiple of 8. False: the format does not go this way. */
bool amd_cb_encode_lanes(const struct amd_target_state *target, const uint32_t (*export)[AMD_WAVE_MAX_LANES],
                         bool halves, unsigned count, uint32_t *texels);

#endif

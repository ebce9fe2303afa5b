/* Render backend: depth and stencil (db), colour (cb), their metadata. */
#ifndef INDIUM_AMD_SIM_RB_H
#define INDIUM_AMD_SIM_RB_H

#include "amd/sim/batch/pipeline.h"
#include "amd/sim/surface/surface_tile.h"
#include "sim/texel/vec4.h"

/* ---- colour metadata: color_meta.c ---- */

/* Makes the pixel's memory plain: all samples. */
void amd_color_meta_open(const struct amd_target_state *target, enum amd_gen gen, uint32_t x, uint32_t y,
                         uint32_t slice);
/* The same of some of the 8 x 8 pixels from (x, y), multiples of 8: bit y * 8 + x. */
void amd_color_meta_open_tile(const struct amd_target_state *target, enum amd_gen gen, uint32_t x, uint32_t y,
                              uint32_t slice, uint64_t pixels);

/* ---- HTILE: htile.c, htile_range.c ---- */

/* Whether depth and stencil of a pixel's tile are clear in memory's stead. */
struct amd_htile_clear {
   bool z, stencil;
};

/* As many as most bins have. */
enum { AMD_HTILE_LINES = 32 };

/* The tile that was looked up last, and the result: the next pixel lies there most often. Zero: none was. */
struct amd_htile_memo {
   bool valid;
   uint32_t x, y, slice;
   uint32_t clear; /* of struct amd_htile_clear: two bytes at once would wait until both are stored */
   struct amd_note_kept looked[AMD_HTILE_LINES], written[AMD_HTILE_LINES];
};

/* Before a pixel is tested: what the test may write is plain afterwards. writes: if it may write anything; the same
 * in all calls with a memo, and nobody else writes the tiles meanwhile. False: the pixel lies outside. */
bool amd_htile_open(const struct amd_depth_state *depth, struct amd_htile_memo *memo, uint32_t x, uint32_t y,
                    uint32_t slice, bool writes, struct amd_htile_clear *clear);
/* size: a pixel by its coordinates */

/* After the last use of a memo. */
void amd_htile_close(const struct amd_depth_state *depth, const struct amd_htile_memo *memo);

/* Whether no pixel of the primitive can pass in the tile from (x, y) on, by the range of depths there. */
bool amd_htile_culls(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                     uint32_t x, uint32_t y);

/* When a draw has ended: writes the ranges of what it opened. */
void amd_htile_summarise(const struct amd_depth_state *depth, struct sim_pool *pool);

/* ---- depth: db.c, db_tile.c ---- */

/* What shaders export for a quad: NULL where they do not. */
struct amd_db_export {
   const v4f *z;
   const v4u *stencil;
};
/* Tests the samples that the pixels cover and updates the surfaces; those that pass are left. memo: of all that a
 * draw's stage tests in one bin, zero at first. */
void amd_db_test(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                 const struct amd_db_export *export, struct amd_pixels *pixels);
/* Drops the samples whose depth test fails now, without writing. */
void amd_db_reject(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                   struct amd_pixels *pixels);
/* The test (writes) or the rejection, without exports, of the 8 x 8 pixels from (x, y), multiples of 8. cover: bit
 * y * 8 + x, by sample. */
void amd_db_test_tile(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                      uint32_t x, uint32_t y, bool writes, uint64_t cover[AMD_MAX_SAMPLES]);
/* size: a tile by its coordinates */

/* ---- colour of quads: cb.c ---- */

/* Colours of four pixels. */
struct amd_cb_colors {
   /* [target][component][pixel], amd_color_sources() of them, as 32 bits: float or integer as the target's format
    * needs. */
   v4u rgba[AMD_MAX_TARGETS][4];
   v4u texels[AMD_MAX_TARGETS][4]; /* amd_cb_encode(): words of targets that take colours as they are */
};
/* What need not be done again for other pixels of these colours. */
void amd_cb_encode(const struct amd_color_state *color, struct amd_cb_colors *colors);
/* Writes the pixels' colours. */
void amd_cb_write(const struct amd_color_state *color, const struct amd_pixels *pixels, uint32_t layer,
                  const struct amd_cb_colors *colors);
/* Mode RESOLVE: the mean of target 0's samples goes to target 1. */
void amd_cb_resolve(const struct amd_color_state *color, uint32_t x, uint32_t y, uint32_t layer, unsigned samples);

/* ---- colour of tiles of 8 x 8 pixels, as of their quads: cb_tile.c, cb_fill.c ---- */

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
      uint32_t row_B; /* bytes of a whole tile, or line of one, that are contiguous; 0: nothing does */
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

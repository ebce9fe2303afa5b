/* HTILE as DB keeps it: a dword for 8x8 pixels says whether depth and stencil are clear, and how far depth reaches.
 *
 * The model writes plain depth only. Tiles that a draw may have written get their range of depths when it ends. Of
 * primitives, tiles that fail by the range are dropped ahead of all else. What is clear
 * is spelled out in memory before something is written there, or when DB_RENDER_CONTROL asks for it.
 *
 *      depth alone:        31:18 largest, 17:4 smallest depth, 3:0 depth
 *      depth and stencil:  31:12 range of depths, 9:8 stencil, 7:4 results of stencil tests, 3:0 depth
 *
 * Depth 0 and stencil 0: clear; depth 15 and stencil 3: plain. Source: public drivers. */
#ifndef INDIUM_AMD_SIM_HTILE_H
#define INDIUM_AMD_SIM_HTILE_H

#include "amd/sim/draw/color_meta.h"
#include "amd/sim/draw/notes.h"

struct amd_htile_state {
   bool enable, has_stencil;
   uint8_t samples_log2;
   uint32_t kept;                 /* bits of a tile that DB leaves alone */
   bool expand_z, expand_stencil; /* even if nothing is written */
   bool base_is_largest;          /* ZRANGE_PRECISION */
   bool resummarize;              /* tiles that are drawn to get their range, even if nothing is written */
   bool culls, summarises;        /* by ranges; ranges are written */
   uint32_t tiles_wide, tiles_high;
   uint8_t *opened; /* not 0: tiles that get their range; by slice, line and column, behind that by slice */
   struct amd_meta layout;
   struct amd_meta_memory memory;
};

struct amd_depth_state;
struct sim_pool;

/* Whether depth and stencil of a pixel's tile are clear in memory's stead. */
struct amd_htile_clear {
   bool z, stencil;
};

/* After the surfaces are there; desc, surface: of depth, or of stencil if that is all. False after a fault. */
bool amd_htile_init(struct amd_depth_state *depth, const struct amd_gpu *gpu, const struct amd_surface_desc *desc,
                    const struct amd_surface *surface, unsigned level);

/* As many as most bins have. */
enum { AMD_HTILE_LINES = 32 };

/* The tile that was looked at last, and what came of it: the next pixel lies there most often. Zero: none was. */
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

/* Behind the last use of a memo. */
void amd_htile_close(const struct amd_depth_state *depth, const struct amd_htile_memo *memo);

struct amd_regs;
struct amd_draw_state;
struct amd_prim;

/* Which ranges are used and written; all else of depth is decoded. */
void amd_htile_decode_culling(struct amd_depth_state *depth, const struct amd_regs *regs);

/* Whether no pixel of the primitive can pass in the tile from (x, y) on, by the range of depths there. */
bool amd_htile_culls(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                     uint32_t x, uint32_t y);

/* When a draw has ended: writes the ranges of what it opened. */
void amd_htile_summarise(const struct amd_depth_state *depth, struct sim_pool *pool);

#endif

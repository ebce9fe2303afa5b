/* HTILE as DB keeps it: a dword for 8x8 pixels says whether depth and stencil are clear.
 *
 * The model writes plain depth only, and the widest range of depths into the dword: there is no hierarchical test.
 * What is clear is spelled out in memory before something is written there, or when DB_RENDER_CONTROL asks for it.
 *
 *      depth alone:        31:18 largest, 17:4 smallest depth, 3:0 depth
 *      depth and stencil:  31:12 range of depths, 9:8 stencil, 7:4 results of stencil tests, 3:0 depth
 *
 * Depth 0 and stencil 0: clear; depth 15 and stencil 3: plain. Source: public drivers. */
#ifndef INDIUM_AMD_SIM_HTILE_H
#define INDIUM_AMD_SIM_HTILE_H

#include "amd/sim/draw/color_meta.h"

struct amd_htile_state {
   bool enable, has_stencil;
   uint8_t samples_log2;
   uint32_t kept;                 /* bits of a tile that DB leaves alone */
   bool expand_z, expand_stencil; /* even if nothing is written */
   struct amd_meta layout;
   struct amd_meta_memory memory;
};

struct amd_depth_state;

/* Whether depth and stencil of a pixel's tile are clear in memory's stead. */
struct amd_htile_clear {
   bool z, stencil;
};

/* After the surfaces are there; desc, surface: of depth, or of stencil if that is all. False after a fault. */
bool amd_htile_init(struct amd_depth_state *depth, const struct amd_gpu *gpu, const struct amd_surface_desc *desc,
                    const struct amd_surface *surface, unsigned level);

/* The tile that was looked at last, and what came of it: the next pixel lies there most often. Zero: none was. */
struct amd_htile_memo {
   bool valid;
   uint32_t x, y, slice;
   struct amd_htile_clear clear;
};

/* Before a pixel is tested: what the test may write is plain afterwards. writes: if it may write anything; the same
 * in all calls with a memo, and nobody else writes the tiles meanwhile. False: the pixel lies outside. */
bool amd_htile_open(const struct amd_depth_state *depth, struct amd_htile_memo *memo, uint32_t x, uint32_t y,
                    uint32_t slice, bool writes, struct amd_htile_clear *clear);

#endif

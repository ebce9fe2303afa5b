/* HTILE as DB keeps it: a dword for 8x8 pixels says whether depth and stencil are clear, and how far depth reaches.
 *
 * The model writes plain depth only. Tiles that a draw may have written get their range of depths when it ends. Of
 * primitives, tiles that fail by the range are dropped ahead of all else. What is clear
 * is spelled out in memory before something is written there, or when DB_RENDER_CONTROL asks for it.
 *
 *      only depth:         31:18 largest, 17:4 smallest depth, 3:0 depth
 *      depth and stencil:  31:12 range of depths, 9:8 stencil, 7:4 results of stencil tests, 3:0 depth
 *
 * Depth 0 and stencil 0: clear; depth 15 and stencil 3: plain. Source: public drivers. */
#ifndef INDIUM_AMD_SIM_HTILE_H
#define INDIUM_AMD_SIM_HTILE_H

#include "amd/sim/state/color_meta.h"
#include "amd/sim/state/notes.h"

struct amd_htile_state {
   bool enable, has_stencil;
   uint8_t samples_log2;
   uint32_t kept;                 /* bits of a tile that DB does not change */
   bool expand_z, expand_stencil; /* even if nothing is written */
   bool base_is_largest;          /* ZRANGE_PRECISION */
   bool resummarize;              /* tiles that are drawn to get their range, even if nothing is written */
   bool culls, summarises;        /* by ranges; ranges are written */
   uint32_t tiles_wide, tiles_high;
   uint8_t *opened; /* not 0: tiles that get their range; by slice, line and column, after that by slice */
   struct amd_meta layout;
   struct amd_meta_memory memory;
};

#endif

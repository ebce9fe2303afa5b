/* What the files of pa share. */
#ifndef INDIUM_AMD_SIM_PA_PRIVATE_H
#define INDIUM_AMD_SIM_PA_PRIVATE_H

#include "amd/sim/pa/pa.h"

/* sc_mask.c: gives the lines of memory->prims their places in the pattern, and drops those without pixels. */
void amd_sc_stipple(struct amd_pipeline *p);
/* Pixels of the block of 8 x 8 at (x, y), bit by bit, that lie in the rectangle. */
uint64_t amd_rect_mask(const struct amd_rect *rect, int32_t x, int32_t y);
/* Pixels of the block of 8 x 8 at (x, y) that line stipple and clip rectangles let through. */
uint64_t amd_sc_mask(const struct amd_draw_state *state, const struct amd_prim *prim, int32_t x, int32_t y);

/* sc_cover.c: of a block, one bit a pixel, the pixels at each place of their quads. */
extern const uint64_t amd_places_of_quad[4];

/* sc_cover.c: sim_raster_block() where that is not all. */
uint64_t amd_sc_cover(const struct amd_sample_state *samples, const struct amd_prim *prim, int32_t x, int32_t y,
                      uint64_t masks[SIM_RASTER_MAX_SAMPLES]);

#endif

/* Levels side by side in one plane (GFX9): level 0, level 1 at its end, and the smaller ones along level 1. */
#ifndef INDIUM_AMD_SIM_SURFACE_CHAIN_H
#define INDIUM_AMD_SIM_SURFACE_CHAIN_H

#include "amd/sim/surface/surface.h"

/* Fills in where the level lies; blocks and equation are there. desc->pitch_el (EPITCH + 1): the pitch of the plane,
 * or its height if level 1 is below level 0. */
void amd_surface_chain_tiled(struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level);

/* Levels below each other, of one pitch. */
void amd_surface_chain_linear(struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level);

/* The largest level that a tail takes; d may be NULL. */
void amd_surface_tail_size(const struct amd_surface *surface, uint32_t *w, uint32_t *h, uint32_t *d);

#endif

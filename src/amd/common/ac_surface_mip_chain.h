/* Levels side by side in one plane (GFX9). */
#ifndef INDIUM_AC_SURFACE_MIP_CHAIN_H
#define INDIUM_AC_SURFACE_MIP_CHAIN_H

#include "amd/common/ac_surface.h"

/* Both place the levels, whose sizes in elements are there, and know the length of a slice and EPITCH then.
 * Linear: all levels have the pitch of level 0 and lie below each other, level 0 first.
 * Tiled, block sizes being there: level 1 lies below level 0, or to its right if that is higher than wide; the others
 * next to level 1 the other way, or of slabs, where level 0 has more of them than its sides have blocks, in slabs
 * after it. The first level that fits into one half of a block starts the tail, whose levels differ in bits of the
 * address inside the block.
 * Source: facts of AMD's address library (gfx9addrlib.cpp: GetMipStartPos, ComputeSurfaceInfoTiled,
 * ComputeSurfaceLinearPadding). */
void ac_surface_mip_chain_linear(struct ac_surface *surface);
void ac_surface_mip_chain_tiled(struct ac_surface *surface);

#endif

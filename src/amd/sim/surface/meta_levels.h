/* Levels of metadata side by side in one plane (GFX9). */
#ifndef INDIUM_AMD_SIM_META_LEVELS_H
#define INDIUM_AMD_SIM_META_LEVELS_H

#include "amd/sim/surface/meta.h"

/* Where the level starts, and how many blocks a row and a slice have. The block's size is there. thick: blocks have
 * depth. Source: AMD's address library (gfx9addrlib.cpp, GetMetaMipInfo, GetMetaMiptailInfo). */
void amd_meta_levels_place(struct amd_meta *meta, const struct amd_surface_desc *desc, unsigned level, bool thick);

#endif

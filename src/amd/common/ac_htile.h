/* HTILE, a dword for 8x8 pixels of a depth buffer: where those of a level lie. Pure functions. Source of the layout:
 * facts of AMD's address library (HwlComputeHtileInfo); patterns: amd/hw/meta.h. */
#ifndef INDIUM_AC_HTILE_H
#define INDIUM_AC_HTILE_H

#include "amd/common/ac_surface.h"

struct amd_meta_pattern;

#define AC_HTILE_TILE_PX 8

/* Blocks of a level lie in rows; (pattern->width_log2, height_log2) tell what each stands for, size_log2 its bytes.
 */
struct ac_htile {
   const struct amd_meta_pattern *pattern;
   uint32_t first_block, row_blocks, slice_blocks;
};

/* Of a depth surface that is width_px wide and height_px high at level 0. False: the chip has no public pattern, or
 * the level is one of those that share a block. */
bool ac_htile_init(struct ac_htile *htile, enum amd_gen gen, uint32_t gb_addr_config,
                   const struct ac_surface *surface, uint32_t width_px, uint32_t height_px, unsigned level);

/* Bytes of so many slices, all levels. */
uint64_t ac_htile_size_B(const struct ac_htile *htile, uint32_t slices);

#endif

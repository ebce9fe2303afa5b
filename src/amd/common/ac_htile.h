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
   uint32_t level_blocks; /* from the first on */
};

/* Of a depth surface that is width_px wide and height_px high at level 0. False: the chip has no public pattern, or
 * the level is one of those that share a block. */
bool ac_htile_init(struct ac_htile *htile, enum amd_gen gen, uint32_t gb_addr_config,
                   const struct ac_surface *surface, uint32_t width_px, uint32_t height_px, unsigned level);

/* Bytes of so many slices, all levels. */
uint64_t ac_htile_size_B(const struct ac_htile *htile, uint32_t slices);

/* What a dword says. Depth alone: the largest and smallest depth in 14 bits each, whether depth is plain. With
 * stencil: a base and a difference of depths, 9:8 whether stencil is plain, 7:4 results of its tests, whether depth
 * is. Source: RADV and radeonsi. */
#define AC_HTILE_DEPTH_BITS 0xfffffc0fu /* what is depth's where there is stencil */
#define AC_HTILE_STENCIL_BITS 0x000003f0u

/* Plain, of any depth. */
static inline uint32_t
ac_htile_plain(bool has_stencil)
{
   return has_stencil ? 0xfffff30f : 0xfffc000f;
}

/* All samples have one depth, 0 or 1, and stencil 0. */
static inline uint32_t
ac_htile_clear(bool has_stencil, bool depth_is_1)
{
   return depth_is_1 ? (has_stencil ? 0xfffc0000 : 0xfffffff0) : 0;
}

#endif

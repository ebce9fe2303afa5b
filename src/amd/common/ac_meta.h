/* Compression metadata of a surface, HTILE of depth and DCC of colour: where those of a level lie. Pure functions.
 * Source of the layout: facts of AMD's address library (HwlComputeHtileInfo, HwlComputeDccInfo); patterns:
 * amd/hw/meta.h. */
#ifndef INDIUM_AC_META_H
#define INDIUM_AC_META_H

#include "amd/common/ac_surface.h"
#include "amd/hw/meta.h"

/* Blocks of a level lie in rows. */
struct ac_meta {
   uint8_t width_log2, height_log2; /* pixels that a block stands for */
   uint8_t size_log2;               /* its bytes */
   uint32_t alignment_B;
   uint32_t first_block, row_blocks, slice_blocks;
   uint32_t level_blocks; /* from the first on */
};

/* Of a surface that is width_px wide and height_px high at level 0. False: the chip or the surface's mode has no
 * pattern, or the level is one of those that share a block; on GFX9 also levels, samples and slabs. */
bool ac_meta_init(struct ac_meta *meta, enum amd_meta_kind kind, enum amd_gen gen, uint32_t gb_addr_config,
                  const struct ac_surface *surface, uint32_t width_px, uint32_t height_px, unsigned level);
/* size: a chip, a surface and one of its levels */

/* Bytes of so many slices, all levels. */
uint64_t ac_meta_size_B(const struct ac_meta *meta, uint32_t slices);

#endif

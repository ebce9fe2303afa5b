/* Where the metadata of a surface lies: HTILE, CMASK, DCC. Source of the rules: AMD's address library
 * (gfx10addrlib.cpp, HwlComputeHtileInfo, HwlComputeCmaskInfo, HwlComputeDccInfo), amd/hw/meta.h. */
#ifndef INDIUM_AMD_SIM_META_H
#define INDIUM_AMD_SIM_META_H

#include "amd/hw/meta.h"
#include "amd/sim/surface/surface.h"

struct amd_meta {
   struct sim_va base;
   uint64_t slice_B, size_B; /* of the whole chain */
   uint64_t level_offset_B;
   uint32_t width_log2, height_log2, size_log2; /* of a block: pixels, bytes */
   uint32_t blocks_per_row;
   uint32_t tail_x, tail_y; /* px: added to coordinates of levels in the mip tail */
   uint32_t in_block_xor;   /* bytes */
   uint32_t key_samples;    /* of DCC: samples that have bytes */
   /* Without public patterns of the generation: entries in the order of pixels, or of DCC in that of the colour. */
   bool packed;
   const struct amd_surface *color; /* packed DCC: must live as long */
   uint32_t halves;                 /* 1: addresses inside of a block count halves of bytes */
   uint32_t x_low[128], x_high[128], y_low[128], y_high[128], z[256], s[16];
};

/* Of one level of a surface; surface: that of the level, desc: what it was made from (may be read later). base_256B
 * as in registers and descriptors. False after a fault: the model does not have the layout. */
bool amd_meta_init(struct amd_meta *meta, enum amd_meta_kind kind, const struct amd_surface_desc *desc,
                   const struct amd_surface *surface, unsigned level, uint64_t base_256B, bool aligned,
                   struct sim_fault *fault);

/* Byte offset of what stands for a pixel from meta->base, shifted left by meta->halves: bit 0 is then the half.
 * sample: of DCC. */
static inline uint64_t
amd_meta_offset(const struct amd_meta *meta, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
   if (meta->color)
      return amd_surface_offset(meta->color, x, y, slice, sample) >> 8;
   if (meta->packed) {
      uint64_t tile = (uint64_t)(y >> meta->height_log2) * meta->blocks_per_row + (x >> meta->width_log2);
      return ((slice * meta->slice_B + meta->level_offset_B) << meta->halves) + (tile << meta->size_log2);
   }
   x += meta->tail_x;
   y += meta->tail_y;
   uint64_t block = (uint64_t)(y >> meta->height_log2) * meta->blocks_per_row + (x >> meta->width_log2);
   uint32_t in_block = meta->x_low[x & 127] ^ meta->x_high[x >> 7 & 127] ^ meta->y_low[y & 127] ^
                       meta->y_high[y >> 7 & 127] ^ meta->z[slice & 255] ^ meta->s[sample & 15];
   in_block &= (1u << (meta->size_log2 + meta->halves)) - 1;
   uint64_t start_B = slice * meta->slice_B + meta->level_offset_B + (block << meta->size_log2);
   return (start_B << meta->halves) + (in_block ^ meta->in_block_xor << meta->halves);
}

/* The fragment of a sample as FMASK's bits have it; 15: unknown. */
unsigned amd_fmask_fragment(uint32_t bits, unsigned samples_log2, unsigned sample);
/* FMASK in which each sample has its own fragment. */
uint32_t amd_fmask_identity(unsigned samples_log2);

#endif

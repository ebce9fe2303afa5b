/* Where the metadata of a surface lies: HTILE, CMASK, DCC. Source of the rules: AMD's address library
 * (gfx10addrlib.cpp, HwlComputeHtileInfo, HwlComputeCmaskInfo, HwlComputeDccInfo), amd/hw/meta.h; of GFX9:
 * meta_rule.h. */
#ifndef INDIUM_AMD_SIM_META_H
#define INDIUM_AMD_SIM_META_H

#include "amd/hw/meta.h"
#include "amd/sim/surface/surface.h"

struct amd_meta {
   struct sim_va base;
   uint64_t size_B;                              /* of the whole chain */
   uint32_t width_log2, height_log2, depth_log2; /* of a block: pixels, slices */
   uint32_t size_log2;                           /* bytes of a block; of GFX9 without the gap */
   uint64_t level_block, blocks_per_row, blocks_per_slice;
   uint32_t start_x, start_y, start_z; /* px: added to coordinates of levels next to others or in the mip tail */
   uint32_t in_block_xor;              /* bytes */
   uint32_t pipes;                     /* mask of the bits that pick pipes */
   uint32_t key_samples;               /* of DCC: samples that are compressed */
   uint32_t halves;                    /* 1: addresses inside of a block count halves of bytes */
   uint32_t gap_at, gap;               /* GFX9: bits that lie below a part of the block's number */
   uint32_t x_low[128], x_high[128], y_low[128], y_high[128], z[256], s[16];
};

/* What metadata is aligned to; RB: GFX9 only. */
struct amd_meta_align {
   bool pipe, rb;
};

/* The metadata of one level. */
struct amd_meta_desc {
   enum amd_meta_kind kind;
   struct amd_meta_align align;
   const struct amd_surface_desc *desc; /* of the surface that it belongs to */
   const struct amd_surface *surface;   /* made from desc, of this level; GFX9 does not look at it */
   unsigned level;
   uint64_t base_256B; /* as in registers and descriptors */
};

/* False after a fault: the model does not have the layout. */
bool amd_meta_init(struct amd_meta *meta, const struct amd_meta_desc *from, struct sim_fault *fault);

/* Whether a level has metadata where its surface has. Source: Mesa's ac_surface ("GFX10 can only compress the first
 * level in the mip tail"). */
bool amd_meta_has_level(const struct amd_surface_desc *desc, const struct amd_surface *surface, unsigned level);

/* Byte offset of what stands for a pixel from meta->base, shifted left by meta->halves: bit 0 is then the half.
 * sample: of DCC. */
static inline uint64_t
amd_meta_offset(const struct amd_meta *meta, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
   x += meta->start_x;
   y += meta->start_y;
   slice += meta->start_z;
   uint64_t block = (slice >> meta->depth_log2) * meta->blocks_per_slice + meta->level_block +
                    (y >> meta->height_log2) * meta->blocks_per_row + (x >> meta->width_log2);
   uint32_t in_block = meta->x_low[x & 127] ^ meta->x_high[x >> 7 & 127] ^ meta->y_low[y & 127] ^
                       meta->y_high[y >> 7 & 127] ^ meta->z[slice & 255] ^ meta->s[sample & 15];
   uint64_t start = block << (meta->size_log2 + meta->halves), below = start & ((UINT64_C(1) << meta->gap_at) - 1);
   return (below | (start ^ below) << meta->gap) ^ in_block ^ meta->in_block_xor << meta->halves;
}

/* The fragment of a sample as FMASK's bits have it; 15: unknown. */
unsigned amd_fmask_fragment(uint32_t bits, unsigned samples_log2, unsigned sample);
/* FMASK in which each sample has its own fragment. */
uint32_t amd_fmask_identity(unsigned samples_log2);

#endif

/* Quads in blocks of 8 x 8 pixels, where no pixel is coarse and each has one sample: what a primitive has in a block
 * goes from the scan converter to the commit as one. */
#ifndef INDIUM_AMD_SIM_BLOCKS_H
#define INDIUM_AMD_SIM_BLOCKS_H

#include "amd/sim/batch/pipeline.h"
#include "amd/sim/surface/surface_tile.h"

enum { AMD_BLOCK_QUADS = AMD_TILE_PIXELS / 4, AMD_ALL_QUADS = 0xffff };

struct amd_block {
   uint64_t cover, raster; /* as in struct amd_quad, a bit a pixel: of the quads that are there, four bits each */
   uint32_t prim;
   uint32_t first_quad; /* in the bin's list, later in the batch's */
   uint16_t x, y;       /* px of the first pixel, multiples of 8 */
   uint16_t quads;      /* that are there, by place: row by row */
   uint8_t count;       /* of them */
};

/* Bits of lanes that belong to the quads, those of each after those of the last one. */
static inline uint64_t
amd_block_squeeze(uint64_t lanes, uint32_t quads)
{
   uint64_t bits = 0;
   if (quads == AMD_ALL_QUADS)
      return lanes;
   for (unsigned at = 0; quads; quads &= quads - 1, at += 4)
      bits |= (lanes >> 4 * __builtin_ctz(quads) & 15) << at;
   return bits;
}

/* The reverse. */
static inline uint64_t
amd_block_spread(uint64_t bits, uint32_t quads)
{
   uint64_t lanes = 0;
   if (quads == AMD_ALL_QUADS)
      return bits;
   for (; quads; quads &= quads - 1, bits >>= 4)
      lanes |= (bits & 15) << 4 * __builtin_ctz(quads);
   return lanes;
}

/* Quads without their first ones. */
static inline uint32_t
amd_block_drop(uint32_t quads, unsigned count)
{
   for (; count; count--)
      quads &= quads - 1;
   return quads;
}

/* Bit by bit: which quads have a pixel. */
static inline uint16_t
amd_block_quads(uint64_t lanes)
{
   uint64_t any = lanes | lanes >> 1;
   any = (any | any >> 2) & UINT64_C(0x1111111111111111);
   any = (any | any >> 3) & UINT64_C(0x0303030303030303);
   any = (any | any >> 6) & UINT64_C(0x000f000f000f000f);
   any = (any | any >> 12) & UINT64_C(0x000000ff000000ff);
   return (uint16_t)(any | any >> 24);
}

/* Pixels row by row: those that continue, and those inside of the primitive. first_quad stays as it is. */
static inline void
amd_block_set(struct amd_block *block, uint32_t prim, uint32_t x, uint32_t y, uint64_t cover, uint64_t raster)
{
   const uint64_t lanes = amd_tile_lanes(cover);
   const uint16_t quads = cover == UINT64_MAX ? AMD_ALL_QUADS : amd_block_quads(lanes);
   block->prim = prim;
   block->x = (uint16_t)x;
   block->y = (uint16_t)y;
   block->cover = amd_block_squeeze(lanes, quads);
   block->raster = amd_block_squeeze(amd_tile_lanes(raster), quads);
   block->quads = quads;
   block->count = quads == AMD_ALL_QUADS ? AMD_BLOCK_QUADS : (uint8_t)__builtin_popcount(quads);
}

/* Its quad number `index`, at that place. */
static inline struct amd_quad
amd_block_quad(const struct amd_block *block, unsigned index, unsigned place)
{
   struct amd_quad quad = {
      .prim = block->prim, .x = (uint16_t)(block->x + place % 4 * 2), .y = (uint16_t)(block->y + place / 4 * 2)};
   for (unsigned i = 0; i < 4; i++) {
      quad.cover[i] = block->cover >> (4 * index + i) & 1;
      quad.raster[i] = block->raster >> (4 * index + i) & 1;
   }
   return quad;
}

#endif

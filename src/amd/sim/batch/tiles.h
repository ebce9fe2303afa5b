/* Tiles of 8 x 8 pixels, in place of quads, where all pixels of a primitive export the same. */
#ifndef INDIUM_AMD_SIM_TILES_H
#define INDIUM_AMD_SIM_TILES_H

#include <stddef.h>
#include <stdint.h>

/* What a primitive covers of one. */
struct amd_alike_tile {
   uint32_t prim;
   uint16_t x, y;    /* px, multiples of 8 */
   uint64_t cover[]; /* bit y * 8 + x, by sample of the surfaces */
};

static inline size_t
amd_alike_tile_B(unsigned samples)
{
   return sizeof(struct amd_alike_tile) + samples * sizeof(uint64_t);
}

#endif

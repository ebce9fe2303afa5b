/* Address equations of tiled surfaces: facts only (swizzle*.txt); each side computes addresses from them on its
 * own. */
#ifndef INDIUM_AMD_SWIZZLE_H
#define INDIUM_AMD_SWIZZLE_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/hw/gen.h"

/* Bit n, below block_log2, of an address inside a block is the parity of (x & bits[n].x), (y & bits[n].y), (slice &
 * bits[n].z) and (sample & bits[n].s) together; x and y in elements, absolute. */
struct amd_swizzle_equation {
   enum amd_gen gen;
   uint32_t config;      /* amd_swizzle_config() */
   uint8_t mode;         /* SW_MODE of a descriptor */
   uint8_t element_log2; /* bytes of an element */
   uint8_t samples_log2;
   uint8_t block_log2;    /* bytes of a block: 8, 12, 16 or 18 */
   bool is_3d;            /* only of 3D images */
   uint8_t thick_log2[3]; /* blocks of 3D images: width, height, depth in elements; 0 0 0: a block of one slice */
   struct {
      uint16_t x, y, z, s;
   } bits[18];
};

/* The fields of GB_ADDR_CONFIG that decide about patterns. Equal numbers mean other patterns in other generations. */
uint32_t amd_swizzle_config(enum amd_gen gen, uint32_t gb_addr_config);

/* Modes in Z order, from GFX10.3 on: levels of depth and stencil of 1 and 2 bytes go into the tail with those of 4
 * bytes. Source: AMD's address library, dsMipmapHtileFix. */
bool amd_swizzle_tail_of_32_bits(enum amd_gen gen, unsigned mode, unsigned element_log2);

/* NULL if the table has no such pattern. */
const struct amd_swizzle_equation *amd_swizzle_find(enum amd_gen gen, uint32_t gb_addr_config, unsigned mode,
                                                    unsigned element_log2, unsigned samples_log2);

/* The pattern of a 3D image: one of its own if the mode has that (with depth or not), else as above. */
const struct amd_swizzle_equation *amd_swizzle_find_3d(enum amd_gen gen, uint32_t gb_addr_config, unsigned mode,
                                                       unsigned element_log2);

/* Pattern n in table order, or NULL past the end. */
const struct amd_swizzle_equation *amd_swizzle_at(unsigned n);

#endif

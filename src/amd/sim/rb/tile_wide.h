/* Loops over the pixels of a tile, built twice: sim/wide.h. Internal to rb and what commits pixels. */
#ifndef INDIUM_AMD_SIM_TILE_WIDE_H
#define INDIUM_AMD_SIM_TILE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/sim/surface/surface_tile.h"

/* A primitive's plane of depth, and what DB makes of it. */
struct tile_plane {
   double a, b, c, x, y; /* x and y: of the first pixel's sample, px from the primitive's origin */
   float low, high;      /* the viewport's range */
   bool clamp;
   uint8_t unorm_bits; /* 0: depth is a float */
};

struct tile_wide {
   /* Depth of the tile's pixels as the surface stores it. */
   void (*depths)(const struct tile_plane *plane, uint32_t z[AMD_TILE_PIXELS]);
   /* Pixels whose depth passes; function: enum sim_compare. */
   uint64_t (*compare)(unsigned function, bool is_float, const uint32_t z[AMD_TILE_PIXELS],
                       const uint32_t stored[AMD_TILE_PIXELS]);
   /* The least and the largest of a tile's depths, floats in any order; not of NaN. */
   void (*range)(const uint8_t depths[4 * AMD_TILE_PIXELS], float *low, float *high);
   /* The same of codes of 16 bits. */
   void (*range16)(const uint8_t depths[2 * AMD_TILE_PIXELS], uint32_t *low, uint32_t *high);
   /* And of the lower 24 bits of words. */
   void (*range24)(const uint8_t depths[4 * AMD_TILE_PIXELS], uint32_t *low, uint32_t *high);
   /* The halves of `count` words as floats; all counts are multiples of 8. */
   void (*halves)(const uint32_t *pairs, unsigned count, uint32_t *low, uint32_t *high);
   /* Texels of four components of 8 bits: memory[i] is that of bits 8 * i and up, floats. */
   void (*unorm8x4)(const uint32_t *const memory[4], unsigned count, uint32_t *texels);
   /* The same of four halves each, two in a word of `low` and two in one of `high`. to: the bit where each begins. */
   void (*halves_unorm8x4)(const uint32_t *low, const uint32_t *high, const uint8_t to[4], unsigned count,
                           uint32_t *texels);
   /* Of floats, the first three as sRGB. */
   void (*srgb8x4)(const uint32_t *const memory[4], unsigned count, uint32_t *texels);
};

const struct tile_wide *amd_tile_wide(void);

/* What WIDE() makes of them. */
#define TILE_WIDE(build) \
   void tile_depths_##build(const struct tile_plane *plane, uint32_t z[AMD_TILE_PIXELS]); \
   uint64_t tile_compare_##build(unsigned function, bool is_float, const uint32_t z[AMD_TILE_PIXELS], \
                                 const uint32_t stored[AMD_TILE_PIXELS]); \
   void tile_range_##build(const uint8_t depths[4 * AMD_TILE_PIXELS], float *low, float *high); \
   void tile_range16_##build(const uint8_t depths[2 * AMD_TILE_PIXELS], uint32_t *low, uint32_t *high); \
   void tile_range24_##build(const uint8_t depths[4 * AMD_TILE_PIXELS], uint32_t *low, uint32_t *high); \
   void tile_halves_##build(const uint32_t *pairs, unsigned count, uint32_t *low, uint32_t *high); \
   void tile_unorm8x4_##build(const uint32_t *const memory[4], unsigned count, uint32_t *texels); \
   void tile_halves_unorm8x4_##build(const uint32_t *low, const uint32_t *high, const uint8_t to[4], unsigned count, \
                                     uint32_t *texels); \
   void tile_srgb8x4_##build(const uint32_t *const memory[4], unsigned count, uint32_t *texels);
TILE_WIDE(base)
TILE_WIDE(avx2)

#endif

/* The arguments of the internal programs of meta operations. C and GLSL both read this file: addresses are u64 there
 * and uvec2 here, whose lower half comes first. */
#ifndef INDIUM_AGX_META_TABLE_H
#define INDIUM_AGX_META_TABLE_H

#ifdef VULKAN
#define uint32_t uint
#define uint64_t uvec2
#define SIDE agx_meta_side
#else
#include <stdint.h>
#define SIDE struct agx_meta_side
#endif

/* "Images" of the programs, by binding: their loads are not those of images (agx_nir_meta.c). A texel of the first
 * two is the address of the element there: in dst, in src. The third one is texture state 0. */
#define AGX_META_DST_ADDRESSES 0
#define AGX_META_SRC_ADDRESSES 1
#define AGX_META_TEXELS 2

/* Width and height of the tiles of compressed images in samples: AIL_COMPRESSION_TILE_SA. */
#define AGX_META_TILE_SA 16
#define AGX_META_TILE_LOG2 4

/* Numbers of the programs for compressed images (agx_compression.h), and of copies. */
#define AGX_META_TEXEL_LOG2 0   /* of its bytes; those of one sample */
#define AGX_META_TEXEL_SHIFTS 1 /* up to 4 bytes: where its components are, a byte each */
#define AGX_META_TEXEL_HALVES 2 /* more than that: its components have 16 bits, not 32 */
#define AGX_META_SAMPLES_WIDE 3 /* log2 of the samples that lie side by side, */
#define AGX_META_SAMPLES_HIGH 4 /* and one below the other */
#define AGX_META_TILES 5        /* width and height of the metadata in tiles: log2, 16 bits each */
#define AGX_META_LEVEL_WIDTH 6  /* in pixels */
#define AGX_META_LEVEL_HEIGHT 7
#define AGX_META_TURN 8 /* of copies too: elements of 2 bytes go to the left by so many bits, below 16 */
#define AGX_META_NUMBERS 9

/* A level of an image, or rows in a buffer. */
struct agx_meta_side {
   uint64_t va;
   uint64_t layer_B;
   uint32_t tiles; /* AGX_STORAGE_TILES of images; of buffers only AGX_TILES_LINEAR and the element's size */
   uint32_t row_B; /* linear */
   uint32_t x_el, y_el, layer;
   uint32_t level; /* AGX_STORAGE_LEVEL */
};

/* The push constants of a program. */
struct agx_meta_table {
   SIDE dst, src;
   uint32_t size[3];
   uint32_t parts_log2; /* of 16 bytes, of elements larger than that: x counts them */
   uint32_t value[4];
   uint32_t number[AGX_META_NUMBERS]; /* by program */
};

#undef SIDE
#ifdef VULKAN
#undef uint32_t
#undef uint64_t
#endif

#endif

/* A texture that is larger than its memory: sizes, residency, and what a picture of it must be. */
#ifndef VIRTUAL_TEXTURE_H
#define VIRTUAL_TEXTURE_H

#include "vkx.h"

#define VT_MAX_LEVELS 16u

/* What the shader's push constants are. */
struct vt_push {
   uint32_t kind, level, x, y, width, height, size, levels, tail;
   int32_t at_x, at_y;
   uint32_t block_w, block_h;
};
enum vt_kind { VT_FILL, VT_SHOW };

struct vt_level {
   uint32_t size;           /* texels a side */
   uint32_t first, columns; /* number of its first block, blocks in a row; of levels in the tail 0 */
   uint32_t rows;
};

struct vt {
   uint32_t size, levels, tail; /* levels from `tail` on are always there */
   uint32_t block_w, block_h;
   struct vt_level level[VT_MAX_LEVELS];
   uint32_t blocks; /* of all levels below the tail */
   int32_t *slot;   /* by block: where in the pool it lies, -1: nowhere */
   uint32_t *used;  /* by block: the last frame that wanted it */
   uint32_t pool;   /* blocks that there is memory for */
   int32_t *owner;  /* by slot: the block in it, -1: none */
};

/* The texel of a level: 0xaabbggrr. */
uint32_t vt_texel(uint32_t level, uint32_t x, uint32_t y);

/* The picture that the residency of now makes. */
void vt_reference(const struct vt *vt, const struct vt_push *show, uint32_t *pixels);

#endif

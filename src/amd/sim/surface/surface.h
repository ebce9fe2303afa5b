/* Addresses of texels in linear and tiled surfaces. Source of the rules: surface layouts (doc: AMD's address library,
 * gfx10addrlib.cpp, GetMipSize, GetMaxNumMipsInTail, ComputeSurfaceInfoMacroTiled; gfx9addrlib.cpp, GetMipStartPos,
 * ComputeSurfaceLinearPadding), amd/hw/swizzle.h. */
#ifndef INDIUM_AMD_SIM_SURFACE_H
#define INDIUM_AMD_SIM_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/hw/gen.h"
#include "sim/vm/fault.h"
#include "sim/vm/vm.h"

/* What a descriptor or register block says. Sizes of level 0, in elements (blocks of compressed formats). */
struct amd_surface_desc {
   enum amd_gen gen;
   uint32_t gb_addr_config;
   uint64_t base_256B;   /* address >> 8, low bits may hold the swizzle of tiled modes */
   uint8_t mode;         /* SW_MODE */
   uint8_t element_log2; /* bytes; 12-byte elements only in linear mode, see element_B */
   uint8_t element_B;
   uint8_t samples_log2;
   uint8_t levels;                       /* of the whole chain */
   uint8_t texel_px;                     /* 4 for compressed formats, else 1 */
   bool is_3d;                           /* slices of a level shrink with the level */
   uint32_t width_px, height_px, slices; /* level 0 */
   /* Of linear surfaces of one level; of all where levels lie side by side: the extent across them, see
    * surface_chain.h. 0: the rule. */
   uint32_t pitch_el;
};

struct amd_surface {
   struct sim_va base;
   uint32_t element_B;
   bool linear;
   uint64_t slice_B; /* of the whole chain */
   uint64_t size_B;
   uint64_t level_offset_B;
   uint32_t block_log2; /* bytes */
   uint32_t pitch_el, block_w_log2, block_h_log2, blocks_per_row;
   uint32_t slab_log2;           /* slices that share a block: 3D images only */
   uint32_t tail_x, tail_y;      /* added to coordinates of levels in the mip tail */
   uint32_t width_el, height_el; /* of the level */
   uint32_t in_block_xor;        /* of the surface, and of a level's place in the tail */
   uint8_t first_in_tail;        /* number of levels if there is no tail */
   /* Of tiles of 8 x 8 pixels (surface_tile.h): bytes of a sample of one, 0: they do not lie in a row; where quads
    * begin in it. */
   uint32_t tile_row_B, tile_quads_B[16];
   /* Rows in which all samples of a tile lie, 0: none; their bytes, and the bits in which they differ. */
   uint32_t tile_rows, tile_rows_B, tile_rows_xor[16];
   uint32_t x_low[128], x_high[128], y_low[128], y_high[128], z[256], s[16];
};

/* Addresses of one level. False after a fault: the model does not have the layout. */
bool amd_surface_init(struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level,
                      struct sim_fault *fault);

/* A texel without its sample: its samples differ in bits of the block only. */
struct amd_surface_pixel {
   uint64_t block_B;
   uint32_t in_block_B;
};

/* What a slice, a column and a row each give to the place of a pixel. Coordinates in elements, inside the surface's
 * padding. */
static inline struct amd_surface_pixel
amd_surface_slice(const struct amd_surface *surface, uint32_t slice)
{
   uint64_t start = (slice >> surface->slab_log2) * surface->slice_B + surface->level_offset_B;
   uint32_t in_block = surface->linear ? 0 : surface->z[slice & 255] ^ surface->in_block_xor;
   return (struct amd_surface_pixel){start, in_block};
}

static inline struct amd_surface_pixel
amd_surface_column(const struct amd_surface *surface, uint32_t x)
{
   if (surface->linear)
      return (struct amd_surface_pixel){(uint64_t)x * surface->element_B, 0};
   x += surface->tail_x;
   uint64_t block = x >> surface->block_w_log2;
   return (struct amd_surface_pixel){block << surface->block_log2,
                                     surface->x_low[x & 127] ^ surface->x_high[x >> 7 & 127]};
}

static inline struct amd_surface_pixel
amd_surface_row(const struct amd_surface *surface, uint32_t y)
{
   if (surface->linear)
      return (struct amd_surface_pixel){(uint64_t)y * surface->pitch_el * surface->element_B, 0};
   y += surface->tail_y;
   uint64_t block = (uint64_t)(y >> surface->block_h_log2) * surface->blocks_per_row;
   return (struct amd_surface_pixel){block << surface->block_log2,
                                     surface->y_low[y & 127] ^ surface->y_high[y >> 7 & 127]};
}

static inline struct amd_surface_pixel
amd_surface_join(struct amd_surface_pixel a, struct amd_surface_pixel b)
{
   return (struct amd_surface_pixel){a.block_B + b.block_B, a.in_block_B ^ b.in_block_B};
}

static inline struct amd_surface_pixel
amd_surface_pixel(const struct amd_surface *surface, uint32_t x, uint32_t y, uint32_t slice)
{
   return amd_surface_join(amd_surface_slice(surface, slice),
                           amd_surface_join(amd_surface_row(surface, y), amd_surface_column(surface, x)));
}

/* Byte offset of a sample from surface->base. */
static inline uint64_t
amd_surface_sample(const struct amd_surface *surface, struct amd_surface_pixel pixel, uint32_t sample)
{
   return pixel.block_B + (pixel.in_block_B ^ surface->s[sample & 15]);
}

static inline uint64_t
amd_surface_offset(const struct amd_surface *surface, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
   return amd_surface_sample(surface, amd_surface_pixel(surface, x, y, slice), sample);
}

/* Byte offsets of the pixels (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1), x and y even: no block is smaller. Those
 * of a sample differ in the bits s[sample]. */
static inline void
amd_surface_quad(const struct amd_surface *surface, uint32_t x, uint32_t y, uint32_t slice, uint64_t offset_B[4])
{
   uint64_t first_B = amd_surface_offset(surface, x, y, slice, 0);
   if (surface->linear) {
      uint64_t below_B = first_B + (uint64_t)surface->pitch_el * surface->element_B;
      offset_B[0] = first_B;
      offset_B[1] = first_B + surface->element_B;
      offset_B[2] = below_B;
      offset_B[3] = below_B + surface->element_B;
      return;
   }
   uint32_t right = surface->x_low[1], below = surface->y_low[1];
   offset_B[0] = first_B;
   offset_B[1] = first_B ^ right;
   offset_B[2] = first_B ^ below;
   offset_B[3] = first_B ^ right ^ below;
}

/* Host memory of a whole surface; access beyond run_B of it needs a fault. NULL after a fault. */
uint8_t *amd_surface_map(const struct amd_surface *surface, const struct sim_vm *vm, unsigned access, uint64_t *run_B,
                         struct sim_fault *fault);

#endif

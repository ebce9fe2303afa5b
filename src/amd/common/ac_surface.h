/* Where the texels of an image lie in memory. Pure functions. GFX9 has levels elsewhere, see ac_surface_mip_chain.h.
 *
 * Linear: rows of 256-byte aligned pitch; in a slice the smallest level comes first, each with its own pitch.
 * Tiled: blocks of 4 or 64 KiB whose inner order is an equation of address bits (amd/hw/swizzle.txt); small levels
 * share the first block of a slice, the tail. Blocks of 3D images may hold several slices, a slab (thick). A level
 * has room for half of the one above it, rounded up. After GFX9 depth and stencil are 64KB_Z_X; multisampled
 * colour is 64KB_R_X, on GFX9 64KB_D_X; for the rest see ac_surface_mode.h. Source: facts of AMD's address library
 * for GFX10; multisampled linear surfaces do not exist. */
#ifndef INDIUM_AC_SURFACE_H
#define INDIUM_AC_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/hw/gen.h"

struct amd_swizzle_equation;

#define AC_SURFACE_MAX_LEVELS 15

enum ac_tiling {
   AC_TILING_NONE, /* rows */
   AC_TILING_BEST, /* what the vendor's drivers take */
   AC_TILING_MODE, /* the mode of the description */
};

struct ac_surface_desc {
   enum amd_gen gen;
   uint32_t gb_addr_config;
   uint32_t width_px, height_px; /* of level 0 */
   uint32_t slices;              /* array layers, or the depth of a 3D image */
   uint32_t levels;
   uint8_t element_B; /* bytes of a texel or compressed block: 1, 2, 4, 8, 16 */
   uint8_t block_width_px, block_height_px;
   uint8_t samples;
   bool is_1d, is_3d;
   bool slices_are_targets;  /* of a 3D image: shown as images of two dimensions */
   bool depth_stencil;       /* the depth block reads it: tiled in Z order */
   bool htile;               /* and compresses it, and textures read it so */
   enum ac_tiling tiling;    /* of colour with one sample; AC_TILING_MODE also of depth and stencil */
   uint32_t max_alignment_B; /* of AC_TILING_BEST, where it can be; 0: any */
   uint8_t mode;             /* with AC_TILING_MODE: V_SW_*, tiled */
};

struct ac_surface_level {
   uint64_t offset_B; /* in a slice; of the tail's block for levels in the tail */
   uint32_t width_el, height_el;
   uint32_t pitch_el, rows_el;    /* with padding */
   uint16_t tail_x_el, tail_y_el; /* added to the coordinates */
   uint32_t tail_xor_B;           /* GFX9: into the place inside the block */
};

struct ac_surface {
   uint8_t mode; /* V_SW_*: SW_MODE of descriptors and targets */
   uint8_t element_log2, samples_log2;
   uint8_t block_width_log2, block_height_log2; /* of a tiled block, elements */
   uint8_t slab_log2;                           /* slices in it */
   uint8_t num_levels;
   uint8_t first_tail_level; /* num_levels if there is no tail */
   uint32_t alignment_B;
   uint32_t slices;
   uint64_t slice_B; /* of a slab, where slices share blocks */
   uint64_t size_B;
   uint32_t epitch_el; /* GFX9: EPITCH + 1, the extent of the plane of all levels across them */
   const struct amd_swizzle_equation *equation; /* NULL: linear */
   struct ac_surface_level levels[AC_SURFACE_MAX_LEVELS];
};

/* False if such a surface cannot be laid out (element of 12 bytes, multisampling with levels, unknown chip, a mode
 * without a pattern). */
bool ac_surface_init(struct ac_surface *surface, const struct ac_surface_desc *desc);

/* Rooms up to this size share the tail: width and height in elements, slices. */
void ac_surface_tail_size(const struct ac_surface *surface, uint32_t size_el[3]);

/* Room for a level: half of that above, rounded up, in elements. More than the texels need: those halve downwards. */
uint32_t ac_surface_room_el(uint32_t level_0_el, unsigned level);

/* Byte offset of an element from the start of the surface. */
uint64_t ac_surface_offset_B(const struct ac_surface *surface, unsigned level, uint32_t x_el, uint32_t y_el,
                             uint32_t slice, uint32_t sample);

#endif

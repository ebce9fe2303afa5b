/* Fills descriptors of buffers (V#), images (T#) and samplers (S#). GFX9: ac_descriptor_parts.h. */
#ifndef INDIUM_AC_DESCRIPTOR_H
#define INDIUM_AC_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/hw/descriptors.h"

struct ac_surface;

#define AC_BUFFER_DESCRIPTOR_DW 4
#define AC_IMAGE_DESCRIPTOR_DW 8
#define AC_SAMPLER_DESCRIPTOR_DW 4

/* Untyped access to size_B bytes; what follows reads as zero and is not written. */
static inline void
ac_buffer_descriptor(uint32_t word3, uint64_t va, uint32_t size_B, uint32_t words[AC_BUFFER_DESCRIPTOR_DW])
{
   words[0] = (uint32_t)va;
   words[1] = S_SQ_BUF_RSRC_WORD1_BASE_ADDRESS_HI(va >> 32);
   words[2] = size_B;
   words[3] = word3;
}

/* word3 of the function above. */
uint32_t ac_raw_buffer_word3(enum amd_gen gen);

/* word3 with a format (ac_format_buffer) and DST_SEL of its components; OOB_SELECT is 0. */
uint32_t ac_buffer_word3(enum amd_gen gen, uint32_t format, const uint8_t select[4]);

/* Typed access: element i at va + i * stride_B. format: FORMAT of the descriptor (ac_format_buffer). stride_B 0:
 * every index reads the same element, and size_B counts bytes from va; otherwise size_B is split into elements of
 * which the last one may be shorter than the stride but not than element_B. */
struct ac_typed_buffer {
   uint64_t va;
   uint32_t size_B;
   uint32_t stride_B, element_B;
   uint32_t format;
   const uint8_t *select; /* DST_SEL of 4 components */
};
void ac_typed_buffer_descriptor(enum amd_gen gen, const struct ac_typed_buffer *buffer,
                                uint32_t words[AC_BUFFER_DESCRIPTOR_DW]);

enum ac_view_type {
   AC_VIEW_1D,
   AC_VIEW_2D,
   AC_VIEW_3D,
   AC_VIEW_CUBE,
   AC_VIEW_1D_ARRAY,
   AC_VIEW_2D_ARRAY,
};

struct ac_image_view {
   const struct ac_surface *surface;
   uint64_t va;                 /* of the surface, multiple of 256 */
   uint64_t meta_va;            /* of its HTILE or DCC, aligned to pipes; 0: it is not compressed */
   struct amd_sq_img_rsrc meta; /* further fields then */
   uint8_t depth_B;             /* of stencil read through HTILE: bytes of the depth next to it, for GFX9 */
   enum ac_view_type type;      /* CUBE also for cube arrays */
   uint32_t format;             /* FORMAT of the descriptor (ac_format_image) */
   uint8_t select[4];
   uint8_t border_swizzle;                 /* BC_SWIZZLE (ac_border_swizzle) */
   uint32_t width_px, height_px, depth_px; /* of level 0 */
   uint32_t base_level, last_level;
   float min_lod;
   uint32_t base_layer, last_layer; /* of cubes: faces; with slices_of_level: slices */
   bool slices_of_level;            /* 3D: stores know slices of the base level, not of the image */
};
/* BC_SWIZZLE that brings each component of a border colour to where DST_SEL `select` of a format (not of a view)
 * takes it from. Source: what RADV programs for each order of components. */
uint8_t ac_border_swizzle(const uint8_t select[4]);

/* A view of one layer of a linear array begins at that layer: in a descriptor of a linear image that is no array,
 * DEPTH is the pitch. Source: comments on GFX10.3 in radeonsi and RADV. */
void ac_image_descriptor(enum amd_gen gen, const struct ac_image_view *view, uint32_t words[AC_IMAGE_DESCRIPTOR_DW]);

/* Fixed point with 8 bits below the point, clamped to [low, high]. */
uint32_t ac_fixed_8(float value, float low, float high);

/* Members are values of the S# fields of the same names (V_SQ_TEX_*). */
struct ac_sampler {
   uint8_t clamp_x, clamp_y, clamp_z;
   uint8_t compare; /* depth compare function */
   uint8_t border;
   uint16_t border_entry; /* of the table of colours, where border is REGISTER */
   uint8_t filter_mode;
   bool face_edges; /* texels beyond the edge of a cube's face are not those of its neighbours */
   bool mag_linear, min_linear;
   uint8_t mip_filter;
   bool unnormalized;
   uint8_t aniso_log2; /* 0: off .. 4: 16 samples */
   float min_lod, max_lod, lod_bias;
};
void ac_sampler_descriptor(enum amd_gen gen, const struct ac_sampler *sampler,
                           uint32_t words[AC_SAMPLER_DESCRIPTOR_DW]);

#endif

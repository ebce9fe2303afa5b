/* Memory, buffers, images and their views. Views hold their descriptors ready-made. */
#ifndef INDIUM_SI_RESOURCE_H
#define INDIUM_SI_RESOURCE_H

#include "amd/common/ac_descriptor.h"
#include "amd/common/ac_surface.h"
#include "amd/hw/meta.h"
#include "gallium/auxiliary/aux_heap.h"
#include "gallium/drivers/radeonsi/resource/si_sparse.h"
#include "gallium/include/pipe/p_handle.h"
#include "gallium/include/pipe/p_state.h"

#define SI_NUM_MEMORY_TYPES 3 /* of resources; after them one of descriptors */
#define SI_VISIBLE_MEMORY_TYPES (1u << 1 | 1u << 2) /* bits of those that the processor sees */

struct si_memory {
   struct amdgpu_ws_bo *bo;
   struct aux_heap_share share; /* none if imported or for descriptors */
};
PIPE_HANDLE(si, memory)

enum si_plane {
   SI_PLANE_MAIN, /* colour or depth */
   SI_PLANE_STENCIL,
   SI_PLANES,
};

struct si_resource {
   uint64_t va; /* after binding; of sparse ones from the start */
   uint64_t size_B;
   struct si_sparse sparse;
   /* images: */
   struct pipe_image_desc desc;
   struct amdgpu_ws_bo *bo; /* of a bound one */
   uint32_t alignment_B;
   uint32_t plane_format[SI_PLANES]; /* colour format that holds the plane, 0: no such plane */
   uint64_t plane_offset_B[SI_PLANES];
   struct ac_surface planes[SI_PLANES];
   /* Compression metadata of all levels and layers (si_metadata.h). */
   bool has_metadata, stencil_in_htile;
   enum amd_meta_kind metadata;            /* which */
   struct amd_sq_img_rsrc metadata_fields; /* what descriptors say of it */
   uint64_t metadata_offset_B, metadata_slice_B;
   uint64_t clear_depths_offset_B; /* of HTILE: a float a level */
};
PIPE_HANDLE(si, resource)

/* Registers of a colour target, for slot 0. */
struct si_color_target {
   uint32_t base, base_ext, view, info, attrib, attrib2, attrib3;
   uint32_t dcc_control;
   uint64_t dcc_va;    /* 0: none */
   uint32_t epitch_el; /* GFX9: of ac_surface; 0: ATTRIB3 exists instead */
   uint8_t export_format;
   bool is_integer, blendable;
};

/* Registers of a depth and stencil target. */
struct si_depth_target {
   uint8_t samples_log2;
   uint32_t view, size_xy, z_info, stencil_info;
   uint64_t z_va, stencil_va;
   uint64_t htile_va, clear_depth_va;       /* 0: none */
   uint32_t z_epitch_el, stencil_epitch_el; /* GFX9: of ac_surface */
   uint32_t offset_format;                  /* PA_SU_POLY_OFFSET_DB_FMT_CNTL */
};

struct si_image_view {
   struct si_resource *image; /* or &blocks */
   struct si_resource blocks; /* of a compressed image seen as blocks: one level and layer of it */
   uint32_t format;
   uint32_t aspects;
   uint32_t base_level, base_layer, levels, layers;
   uint32_t width_px, height_px; /* of the base level */
   uint8_t samples;
   bool has_color, has_depth, has_stencil;
   uint32_t sampled[AC_IMAGE_DESCRIPTOR_DW];
   uint32_t storage[AC_IMAGE_DESCRIPTOR_DW];
   struct si_color_target color;
   struct si_depth_target depth;
};
PIPE_HANDLE(si, image_view)

struct si_buffer_view {
   uint32_t words[AC_BUFFER_DESCRIPTOR_DW];
};
PIPE_HANDLE(si, buffer_view)

struct si_sampler {
   uint32_t words[AC_SAMPLER_DESCRIPTOR_DW];
   bool has_border_entry;
   uint16_t border_entry; /* of si_screen.borders */
};
PIPE_HANDLE(si, sampler)

/* Plane that holds an aspect (PIPE_ASPECT_*). */
enum si_plane si_plane_of_aspect(uint32_t aspect);

/* The address of a plane of a bound image. */
static inline uint64_t
si_plane_va(const struct si_resource *image, enum si_plane plane)
{
   return image->va + image->plane_offset_B[plane];
}

uint32_t si_level_width_px(const struct si_resource *image, unsigned level);
uint32_t si_level_height_px(const struct si_resource *image, unsigned level);
uint32_t si_level_depth_px(const struct si_resource *image, unsigned level);

/* Layers of one level; of 3D images slices. */
struct si_layers {
   unsigned level, first, count;
};

/* All layers (3D: slices) of a level of a plane as a 2D array, in a format of the same element size. */
struct si_plane_view {
   const struct si_resource *image;
   enum si_plane plane;
   unsigned level;
   uint32_t format; /* FORMAT of the descriptor */
   uint8_t select[4];
   bool stores; /* or for memory as it is; what is compressed is to be made plain before (si_metadata.h) */
};

void si_plane_descriptor(enum amd_gen gen, const struct si_plane_view *view, uint32_t words[AC_IMAGE_DESCRIPTOR_DW]);

/* One level of a compressed image as an image of another format whose texels are the blocks: the sizes of levels in
 * blocks do not halve as sizes of texels do. *level and *layer become those of the new image. False if there is none
 * (3D images above caps.max_block_views_3d_px). Has the new image the other layers, too: si_blocks_have_layers(). */
bool si_image_of_blocks(const struct si_resource *image, uint32_t format, unsigned *level, unsigned *layer,
                        struct si_resource *blocks);

bool si_blocks_have_layers(const struct si_resource *image, unsigned level);

#endif

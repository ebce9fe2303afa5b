/* Memory, buffers, images and their views. Views hold their descriptors ready-made. */
#ifndef INDIUM_AGX_RESOURCE_H
#define INDIUM_AGX_RESOURCE_H

#include <ail/ail.h>

#include "gallium/auxiliary/aux_heap.h"
#include "gallium/drivers/asahi/base/agx_abi.h"
#include "gallium/drivers/asahi/resource/agx_sparse.h"
#include "gallium/include/pipe/p_handle.h"
#include "gallium/include/pipe/p_state.h"

#define AGX_NUM_MEMORY_TYPES 2

struct agx_memory {
   struct asahi_ws_bo *bo;
   struct aux_heap_share share; /* none if imported or for descriptors */
};
PIPE_HANDLE(agx, memory)

enum agx_plane {
   AGX_PLANE_MAIN, /* colour or depth */
   AGX_PLANE_STENCIL,
   AGX_PLANES,
};

struct agx_resource {
   uint64_t va; /* after binding; of sparse ones from the start: a range, or a table */
   struct asahi_ws_bo *bo;
   uint64_t size_B;
   struct agx_sparse sparse;
   /* images: */
   struct pipe_image_desc desc; /* format: agx_stored_format() */
   uint8_t turned_bits;         /* texels are those of the application, turned right */
   uint32_t alignment_B;
   uint32_t plane_format[AGX_PLANES]; /* colour or depth format that holds the plane, 0: no such plane */
   uint64_t plane_offset_B[AGX_PLANES];
   struct ail_layout planes[AGX_PLANES];
};
PIPE_HANDLE(agx, resource)

struct agx_image_view {
   struct agx_resource *image; /* or &blocks */
   struct agx_resource blocks; /* of a compressed image seen as blocks: one level of it */
   uint32_t format;
   uint32_t aspects;
   uint32_t base_level, base_layer, levels, layers;
   uint32_t width_px, height_px; /* of the base level */
   uint8_t samples;
   uint32_t sampled[AGX_TEXTURE_DESCRIPTOR_DW];
   uint32_t storage[AGX_STORAGE_DESCRIPTOR_DW];
};
PIPE_HANDLE(agx, image_view)

struct agx_buffer_view {
   uint32_t words[AGX_STORAGE_DESCRIPTOR_DW];
};
PIPE_HANDLE(agx, buffer_view)

struct agx_pipe_sampler {
   uint32_t heap_index;
   float lod_bias;         /* the hardware has none: shaders add it */
   bool has_custom_border; /* it is shaders', too: agx_nir_border */
   uint32_t zeros_index;
   union pipe_clear_color border;
};
PIPE_HANDLE(agx_pipe, sampler) /* struct agx_sampler is the record */

/* Where a buffer lies for readers that are no shaders, and for the pixel back end (agx_sparse.h). */
static inline uint64_t
agx_read_va(const struct agx_resource *buffer)
{
   return buffer->va + buffer->sparse.alias_B;
}

static inline uint64_t
agx_write_va(const struct agx_resource *buffer)
{
   return buffer->va + 2 * buffer->sparse.alias_B;
}

/* Where not 0 stands for each byte of a buffer that has memory; 0: for all. */
static inline uint64_t
agx_residency_va(const struct agx_resource *buffer)
{
   return buffer->sparse.alias_B ? buffer->va + 3 * buffer->sparse.alias_B : 0;
}

/* Plane that holds an aspect (PIPE_ASPECT_*). */
enum agx_plane agx_plane_of_aspect(uint32_t aspect);

/* The address of a plane of a bound image. */
static inline uint64_t
agx_plane_va(const struct agx_resource *image, enum agx_plane plane)
{
   return image->va + image->plane_offset_B[plane];
}

uint32_t agx_level_width_px(const struct agx_resource *image, unsigned level);
uint32_t agx_level_height_px(const struct agx_resource *image, unsigned level);
uint32_t agx_level_depth_px(const struct agx_resource *image, unsigned level);

/* What a TEXTURE or PBE record of some levels and layers of a plane says. */
struct agx_plane_view {
   const struct agx_resource *image;
   enum agx_plane plane;
   enum pipe_view_type type;
   uint32_t format;    /* of the same element size as the plane's */
   uint8_t swizzle[4]; /* enum pipe_swizzle */
   uint32_t base_level, levels, base_layer, layers;
   bool plain; /* elements as they would lie without compression: agx_decompress() */
};

/* The 24 bytes of a TEXTURE, for sampling, fetching and loading. */
void agx_plane_texture(const struct agx_plane_view *view, uint32_t words[6]);

/* The 24 bytes of a PBE of the base level, for stores of programs. raw: texels come as they are in memory, sRGB
 * encoded already (ends of tiles). */
void agx_plane_pbe(const struct agx_plane_view *view, bool raw, uint32_t words[6]);

/* Where the elements of a level lie, from a layer on: the words AGX_STORAGE_ADDRESS to AGX_STORAGE_LEVEL of a storage
 * descriptor. */
void agx_level_words(const struct agx_resource *image, enum agx_plane plane, unsigned level, unsigned layer,
                     uint32_t words[5]);

/* A buffer descriptor (agx_abi.h); buffer NULL: the null descriptor. */
void agx_buffer_descriptor(const struct pipe_resource *buffer, uint64_t offset_B, uint64_t size_B,
                           uint32_t words[AGX_BUFFER_DESCRIPTOR_DW]);

/* A SAMPLER record. */
uint64_t agx_sampler_words(const struct pipe_sampler_desc *desc);

#endif

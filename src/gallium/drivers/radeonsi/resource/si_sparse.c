#include "gallium/drivers/radeonsi/resource/si_sparse.h"

#include <stdlib.h>

#include "amd/common/ac_format.h"
#include "amd/common/ac_surface_mode.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/format.h"
#include "util/macros.h"

/* ---- pieces ---- */

/* Source of the standard sizes: Vulkan, "Standard Sparse Image Block Shapes"; AMD's blocks of 64 KiB have them. */
static struct pipe_sparse_format
format_of(const struct format_info *info, const struct ac_surface *surface)
{
   return (struct pipe_sparse_format){
      .block_width_px = (uint32_t)info->block_width_el << surface->block_width_log2,
      .block_height_px = (uint32_t)info->block_height_el << surface->block_height_log2,
      .block_depth_px = 1u << surface->slab_log2,
      .single_tail = surface->slab_log2 != 0,
      .standard = true,
   };
}

/* Levels of compressed 3D images are copied as levels of other images, which large ones with slabs may not have. */
static bool
is_compressed_3d(const struct pipe_image_desc *desc, const struct format_info *info)
{
   return info->compression && desc->type == PIPE_IMAGE_3D;
}

static bool
sparse_format(const struct pipe_screen *pipe, const struct pipe_image_desc *desc, struct pipe_sparse_format *format)
{
   const struct si_screen *screen = si_screen((struct pipe_screen *)pipe);
   const struct format_info *info = format_info(desc->format);
   bool is_3d = desc->type == PIPE_IMAGE_3D;
   struct ac_surface surface;

   if (!info || is_compressed_3d(desc, info) || info->planes != 1 || ac_format_depth(desc->format) ||
       ac_format_has_stencil(desc->format) || !ac_format_image(desc->format) ||
       (desc->slice_views && is_3d && screen->info.mip_chain))
      return false;
   const struct ac_surface_desc one_block = {
      .gen = screen->info.gen,
      .gb_addr_config = screen->info.gb_addr_config,
      .width_px = 1,
      .height_px = 1,
      .slices = 1,
      .levels = 1,
      .element_B = info->block_size_B,
      .block_width_px = info->block_width_el,
      .block_height_px = info->block_height_el,
      .samples = 1,
      .is_3d = is_3d,
      .tiling = AC_TILING_MODE,
      .mode = ac_surface_sparse_mode(screen->info.gen, is_3d),
   };

   if (!ac_surface_init(&surface, &one_block))
      return false;
   *format = format_of(info, &surface);
   return true;
}

/* Blocks of the tail: of 3D images each slab of its levels has one. */
static uint32_t
tail_blocks(const struct si_resource *image)
{
   const struct ac_surface *surface = &image->planes[SI_PLANE_MAIN];
   uint32_t depth_px = si_level_depth_px(image, surface->first_tail_level);

   return (uint32_t)div_round_up(depth_px, UINT64_C(1) << surface->slab_log2);
}

/* The tails of 3D images have offsets of their own after those of the image. */
static bool
has_tail_after(const struct si_resource *resource)
{
   const struct ac_surface *surface = &resource->planes[SI_PLANE_MAIN];

   return resource->sparse.kind == PIPE_SPARSE_RESIDENCY && surface->slab_log2 &&
          surface->first_tail_level < surface->num_levels;
}

uint64_t
si_sparse_size_B(const struct si_resource *resource)
{
   uint64_t size_B = align_up(MAX2(resource->size_B, 1u), SI_SPARSE_PAGE_B);

   return has_tail_after(resource) ? size_B + (uint64_t)tail_blocks(resource) * SI_SPARSE_BLOCK_B : size_B;
}

struct pipe_sparse_layout
si_sparse_layout(const struct si_resource *image)
{
   const struct ac_surface *surface = &image->planes[SI_PLANE_MAIN];
   struct pipe_sparse_layout out = {
      .format = format_of(format_info(image->desc.format), surface),
      .tail_first_level = surface->first_tail_level,
      .tail_stride_B = surface->slice_B,
   };

   if (surface->first_tail_level == surface->num_levels)
      return out;
   out.tail_offset_B = surface->levels[surface->first_tail_level].offset_B;
   out.tail_size_B = SI_SPARSE_BLOCK_B;
   if (has_tail_after(image)) {
      out.tail_offset_B = image->size_B;
      out.tail_size_B = (uint64_t)tail_blocks(image) * SI_SPARSE_BLOCK_B;
   }
   return out;
}

static struct pipe_sparse_layout
sparse_layout(const struct pipe_resource *image, uint32_t aspect)
{
   return si_sparse_layout(si_resource(image));
}

/* ---- life ---- */

enum pipe_result
si_sparse_init(struct si_screen *screen, struct si_resource *resource, enum pipe_sparse kind)
{
   const unsigned flags = (kind == PIPE_SPARSE_RESIDENCY ? AMDGPU_WS_RANGE_HOLES : 0) |
                          (resource->sparse.descriptors ? AMDGPU_WS_RANGE_VA_32BIT : 0);

   resource->sparse.kind = kind;
   resource->sparse.range.va = resource->va;
   resource->alignment_B = MAX2(resource->alignment_B, SI_SPARSE_PAGE_B);
   int error = amdgpu_ws_range_create(screen->ws, align_up(MAX2(resource->size_B, 1u), SI_SPARSE_PAGE_B),
                                      resource->alignment_B, flags, &resource->sparse.range);

   if (error)
      return resource->va > PIPE_VA_REPLAYED ? PIPE_ADDRESS_TAKEN : PIPE_OUT_OF_DEVICE_MEMORY;
   resource->va = resource->sparse.range.va;
   return PIPE_OK;
}

void
si_sparse_finish(struct si_screen *screen, struct si_resource *resource)
{
   amdgpu_ws_range_destroy(screen->ws, &resource->sparse.range);
}

static enum pipe_result
sparse_buffer_create(struct pipe_screen *screen, uint64_t size_B, enum pipe_sparse kind, bool descriptors,
                     uint64_t va, struct pipe_resource **out)
{
   struct si_resource *buffer = calloc(1, sizeof(*buffer));

   if (!buffer)
      return PIPE_OUT_OF_HOST_MEMORY;
   buffer->size_B = size_B;
   buffer->va = va;
   buffer->sparse.descriptors = descriptors;
   enum pipe_result result = si_sparse_init(si_screen(screen), buffer, kind);
   if (result != PIPE_OK) {
      free(buffer);
      return result;
   }
   *out = si_resource_handle(buffer);
   return PIPE_OK;
}

void
si_init_sparse(struct si_screen *screen)
{
   screen->base.sparse_buffer_create = sparse_buffer_create;
   screen->base.sparse_format = sparse_format;
   screen->base.sparse_layout = sparse_layout;
}

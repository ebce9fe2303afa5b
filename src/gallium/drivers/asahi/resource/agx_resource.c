/* Buffers and images: their size, planes and place in memory. */
#include "gallium/drivers/asahi/resource/agx_resource.h"

#include <stdlib.h>

#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/resource/agx_image_layout.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "util/macros.h"
#include "util/mutant.h"

enum agx_plane
agx_plane_of_aspect(uint32_t aspect)
{
   return aspect == PIPE_ASPECT_STENCIL ? AGX_PLANE_STENCIL : AGX_PLANE_MAIN;
}

uint32_t
agx_level_width_px(const struct agx_resource *image, unsigned level)
{
   return MAX2(image->desc.width_px >> level, 1u);
}

uint32_t
agx_level_height_px(const struct agx_resource *image, unsigned level)
{
   return MAX2(image->desc.height_px >> level, 1u);
}

uint32_t
agx_level_depth_px(const struct agx_resource *image, unsigned level)
{
   return image->desc.type == PIPE_IMAGE_3D ? MAX2(image->desc.depth_px >> level, 1u) : 1;
}

static enum pipe_result
buffer_create(struct pipe_screen *screen, uint64_t size_B, struct pipe_resource **out)
{
   struct agx_resource *buffer = calloc(1, sizeof(*buffer));

   if (!buffer)
      return PIPE_OUT_OF_HOST_MEMORY;
   buffer->size_B = size_B;
   buffer->alignment_B = 64;
   *out = agx_resource_handle(buffer);
   return PIPE_OK;
}

/* Bytes from row to row, in the words of whoever shares the image; of a layout without rows, the width. */
static uint64_t
row_pitch_B(const struct agx_resource *image, enum agx_plane plane, unsigned level)
{
   const struct ail_layout *layout = &image->planes[plane];

   if (image->desc.has_modifier && layout->image.tiling != AIL_TILING_LINEAR)
      return (uint64_t)image->desc.width_px * layout->element_B;
   return ail_row_pitch_B(layout, level);
}

/* Whether the image can be where its description wants it. */
static bool
is_placed_right(const struct agx_resource *image, enum agx_plane plane)
{
   const struct pipe_image_desc *desc = &image->desc;

   return !desc->placed ||
          (desc->offset_B % ail_alignment_B(&image->planes[plane]) == 0 && desc->offset_B < AIL_ADDRESS_SPACE_B &&
           (desc->row_pitch_B == row_pitch_B(image, plane, 0) || mutant("agx-pitch-own")));
}

/* Views show slices of blocks as an image of one level, which puts its slices as near to each other as they fit:
 * where the chain of each has a page at most, and slices begin on pages, both put them in the same places. */
static bool
has_block_slices(const struct pipe_image_desc *desc)
{
   return desc->block_views && desc->type == PIPE_IMAGE_3D && desc->depth_px > 1;
}

/* Layouts reach further than the GPU's addresses. */
static enum pipe_result
init_plane(struct agx_resource *image, const struct pipe_image_desc *desc, enum agx_plane plane)
{
   static const enum ail_dimension dimensions[] = {
      [PIPE_IMAGE_1D] = AIL_1D, [PIPE_IMAGE_2D] = AIL_2D, [PIPE_IMAGE_3D] = AIL_3D};
   bool is_3d = desc->type == PIPE_IMAGE_3D;
   struct ail_image ail = {
      .format = image->plane_format[plane],
      .dimension = dimensions[desc->type],
      .width_px = desc->width_px,
      .height_px = desc->height_px,
      .depth_px = is_3d ? desc->depth_px : 1,
      .layers = is_3d ? 1 : desc->layers,
      .levels = desc->levels,
      .samples = desc->samples,
      .writeable = desc->usage & PIPE_USAGE_STORAGE || has_block_slices(desc),
      .renderable = desc->usage & (PIPE_USAGE_COLOR | PIPE_USAGE_DEPTH_STENCIL),
      .sparse = desc->sparse == PIPE_SPARSE_RESIDENCY,
   };

   struct agx_image_layout chosen = agx_image_layout(desc, &ail);

   ail.tiling = chosen.tiling;
   ail.compressed = chosen.compressed;
   ail.force_stride = desc->placed && chosen.tiling == AIL_TILING_LINEAR && !mutant("agx-pitch-own");
   ail.stride_B = ail.force_stride ? (uint32_t)MIN2(desc->row_pitch_B, UINT32_MAX) : 0;
   enum ail_error error = chosen.possible ? ail_layout_init(&image->planes[plane], &ail) : AIL_ERROR_TILING;

   if (error == AIL_ERROR_ADDRESS_SPACE)
      return PIPE_OUT_OF_DEVICE_MEMORY;
   if (error != AIL_OK || !is_placed_right(image, plane))
      return PIPE_UNSUPPORTED;
   if (has_block_slices(desc) && image->planes[plane].layer_stride_B != AIL_PAGE_B)
      return PIPE_UNSUPPORTED;
   agx_image_layout_report(&chosen, &image->planes[plane], image->turned_bits != 0);
   return PIPE_OK;
}

static enum pipe_result
init_planes(struct agx_resource *image, const struct pipe_image_desc *desc)
{
   uint64_t size_B = desc->placed ? desc->offset_B : 0;

   image->plane_format[AGX_PLANE_MAIN] = agx_format_of_aspect(desc->format, false);
   image->plane_format[AGX_PLANE_STENCIL] = agx_format_of_aspect(desc->format, true);
   for (unsigned i = 0; i < AGX_PLANES; i++) {
      if (!image->plane_format[i])
         continue;
      enum pipe_result result = init_plane(image, desc, i);

      if (result != PIPE_OK)
         return result;
      uint32_t alignment_B = ail_alignment_B(&image->planes[i]);

      image->alignment_B = MAX2(image->alignment_B, alignment_B);
      image->plane_offset_B[i] = align_up(size_B, alignment_B);
      size_B = image->plane_offset_B[i] + ail_size_B(&image->planes[i]);
   }
   image->size_B = size_B;
   return PIPE_OK;
}

static bool
is_offered(const struct pipe_screen *screen, const struct pipe_image_desc *desc)
{
   struct pipe_sparse_format format;

   return !(desc->sparse && desc->has_modifier) &&
          (desc->sparse != PIPE_SPARSE_RESIDENCY || screen->sparse_format(screen, desc, &format));
}

static enum pipe_result
image_create(struct pipe_screen *screen, const struct pipe_image_desc *desc, struct pipe_resource **out)
{
   bool offered = is_offered(screen, desc);
   struct agx_resource *image = offered ? calloc(1, sizeof(*image)) : NULL;
   enum pipe_result result;

   if (!image)
      return offered ? PIPE_OUT_OF_HOST_MEMORY : PIPE_UNSUPPORTED;
   struct pipe_image_desc stored = *desc;
   stored.format = agx_stored_format(desc);
   image->turned_bits = stored.format != desc->format ? AGX_TURN_BITS : 0;
   image->desc = stored;
   image->desc.view_formats = NULL;
   result = init_planes(image, &stored);
   if (result == PIPE_OK && desc->sparse && !agx_sparse_init(agx_screen(screen), image, desc->sparse))
      result = PIPE_OUT_OF_DEVICE_MEMORY;
   if (result != PIPE_OK) {
      agx_sparse_finish(agx_screen(screen), image);
      free(image);
      return result;
   }
   *out = agx_resource_handle(image);
   return PIPE_OK;
}

static void
resource_destroy(struct pipe_screen *screen, struct pipe_resource *resource)
{
   agx_sparse_finish(agx_screen(screen), agx_resource(resource));
   free(agx_resource(resource));
}

static struct pipe_memory_requirements
resource_requirements(const struct pipe_resource *pipe)
{
   const struct agx_resource *resource = agx_resource(pipe);
   bool sparse = resource->sparse.kind != PIPE_SPARSE_NONE;

   return (struct pipe_memory_requirements){
      .size_B = sparse ? agx_sparse_size_B(resource) : align_up(MAX2(resource->size_B, 1u), resource->alignment_B),
      .alignment_B = sparse ? agx_sparse_block_B(resource) : resource->alignment_B,
      .memory_types = (1u << AGX_NUM_MEMORY_TYPES) - 1,
   };
}

static void
resource_bind(struct pipe_resource *resource, struct pipe_memory *memory, uint64_t offset_B)
{
   agx_resource(resource)->bo = agx_memory(memory)->bo;
   agx_resource(resource)->va = agx_memory(memory)->bo->va + offset_B;
}

static uint64_t
resource_address(const struct pipe_resource *resource)
{
   return agx_resource(resource)->va;
}

static struct pipe_subresource_layout
image_layout(const struct pipe_resource *pipe, uint32_t aspect, uint32_t level, uint32_t layer)
{
   const struct agx_resource *image = agx_resource(pipe);
   enum agx_plane plane = agx_plane_of_aspect(aspect);
   const struct ail_layout *layout = &image->planes[plane];
   const struct ail_level *l = &layout->levels[level];

   return (struct pipe_subresource_layout){
      .offset_B = image->plane_offset_B[plane] + ail_level_offset_B(layout, layer, level),
      .size_B = l->size_B + (agx_level_depth_px(image, level) - 1) * layout->layer_stride_B,
      .row_pitch_B = row_pitch_B(image, plane, level),
      .layer_pitch_B = layout->layer_stride_B,
      .depth_pitch_B = layout->layer_stride_B,
   };
}

void
agx_init_resource(struct agx_screen *screen)
{
   screen->base.buffer_create = buffer_create;
   screen->base.image_create = image_create;
   screen->base.resource_destroy = resource_destroy;
   screen->base.resource_requirements = resource_requirements;
   screen->base.resource_bind = resource_bind;
   screen->base.resource_address = resource_address;
   screen->base.image_layout = image_layout;
}

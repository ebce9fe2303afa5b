/* Buffers and images: their size, planes and place in memory. */
#include "gallium/drivers/radeonsi/resource/si_resource.h"

#include <stdlib.h>

#include "amd/common/ac_block_view.h"
#include "amd/common/ac_format.h"
#include "amd/common/ac_modifier.h"
#include "amd/common/ac_surface_mode.h"
#include "amd/hw/descriptors.h"
#include "gallium/drivers/radeonsi/resource/si_dcc.h"
#include "gallium/drivers/radeonsi/base/si_debug.h"
#include "gallium/drivers/radeonsi/resource/si_htile.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/format.h"
#include "util/macros.h"

enum si_plane
si_plane_of_aspect(uint32_t aspect)
{
   return aspect == PIPE_ASPECT_STENCIL ? SI_PLANE_STENCIL : SI_PLANE_MAIN;
}

uint32_t
si_level_width_px(const struct si_resource *image, unsigned level)
{
   return MAX2(image->desc.width_px >> level, 1u);
}

uint32_t
si_level_height_px(const struct si_resource *image, unsigned level)
{
   return MAX2(image->desc.height_px >> level, 1u);
}

uint32_t
si_level_depth_px(const struct si_resource *image, unsigned level)
{
   return image->desc.type == PIPE_IMAGE_3D ? MAX2(image->desc.depth_px >> level, 1u) : 1;
}

static enum pipe_result
buffer_create(struct pipe_screen *screen, uint64_t size_B, struct pipe_resource **out)
{
   struct si_resource *buffer = calloc(1, sizeof(*buffer));

   if (!buffer)
      return PIPE_OUT_OF_HOST_MEMORY;
   buffer->size_B = size_B;
   buffer->alignment_B = 256;
   *out = si_resource_handle(buffer);
   return PIPE_OK;
}

/* How a plane is tiled where the depth block and samples do not prescribe it. What others see of shared memory they
 * know by rows. */
static enum ac_tiling
choose_tiling(const struct si_screen *screen, const struct pipe_image_desc *desc, const struct format_info *format)
{
   if (desc->has_modifier)
      return ac_modifier_mode(desc->modifier) == V_SW_LINEAR ? AC_TILING_NONE : AC_TILING_MODE;
   if (desc->linear || desc->shared)
      return AC_TILING_NONE;
   /* Of blocks, levels whose sizes do not halve have to be seen as levels of another image. */
   if (format->compression && desc->type == PIPE_IMAGE_3D && desc->levels > 1)
      return desc->block_views && !screen->info.mip_chain ? AC_TILING_MODE : AC_TILING_NONE;
   if (si_debug(SI_DEBUG_DCC) && !screen->info.mip_chain && si_dcc_wanted(screen, desc))
      return AC_TILING_MODE;
   return AC_TILING_BEST;
}

static bool
init_plane(const struct si_screen *screen, struct si_resource *image, enum si_plane plane, uint32_t format)
{
   const struct format_info *info = format_info(format);
   const struct pipe_image_desc *desc = &image->desc;
   bool depth_stencil = image->plane_format[plane] != desc->format;
   bool is_1d = desc->type == PIPE_IMAGE_1D, is_3d = desc->type == PIPE_IMAGE_3D;

   /* Where a descriptor of 3D cannot show a slice. */
   bool shows_slices = desc->slice_views && screen->info.mip_chain;

   if (!info || info->planes != 1)
      return false;
   if (desc->sparse == PIPE_SPARSE_RESIDENCY &&
       (depth_stencil || desc->samples > 1 || is_1d || shows_slices || (is_3d && info->compression)))
      return false; /* si_sparse.c offers none */
   enum ac_tiling tiling = choose_tiling(screen, desc, info);
   uint8_t mode = desc->has_modifier ? ac_modifier_mode(desc->modifier) : V_SW_64KB_R_X;

   if (tiling == AC_TILING_MODE && desc->type == PIPE_IMAGE_3D &&
       MAX2(desc->width_px, desc->height_px) > AC_BLOCK_VIEW_MAX_PX)
      return false;
   if (desc->sparse == PIPE_SPARSE_RESIDENCY)
      tiling = AC_TILING_MODE, mode = ac_surface_sparse_mode(screen->info.gen, is_3d);
   /* As depth, whose HTILE is stencil's. */
   if (plane == SI_PLANE_STENCIL && image->plane_format[SI_PLANE_MAIN])
      tiling = AC_TILING_MODE, mode = image->planes[SI_PLANE_MAIN].mode;
   /* The scan converter knows no other. */
   if (desc->usage & PIPE_USAGE_SHADING_RATE && screen->info.rate_images)
      tiling = AC_TILING_MODE;
   return ac_surface_init(
      &image->planes[plane],
      &(struct ac_surface_desc){
         .gen = screen->info.gen,
         .gb_addr_config = screen->info.gb_addr_config,
         .width_px = desc->width_px,
         .height_px = is_1d ? 1 : desc->height_px,
         .slices = is_3d ? desc->depth_px : desc->layers,
         .levels = desc->levels,
         .element_B = info->block_size_B,
         .block_width_px = info->block_width_el,
         .block_height_px = info->block_height_el,
         .samples = desc->samples,
         .is_1d = is_1d,
         .is_3d = is_3d,
         .slices_are_targets =
            is_3d && (shows_slices || (desc->usage & PIPE_USAGE_COLOR && (desc->usage & PIPE_USAGE_INPUT_ATTACHMENT ||
                                                                          !(desc->usage & PIPE_USAGE_STORAGE)))),
         .depth_stencil = depth_stencil && !desc->linear,
         .htile = si_htile_wanted(screen, desc),
         .max_alignment_B = desc->max_alignment_B,
         .tiling = tiling,
         .mode = mode,
      });
}

#define ADDRESSES_B (UINT64_C(1) << 48) /* of the GPU */

/* Whether a plane lies where it was told. */
static bool
is_placed_right(const struct si_resource *image, enum si_plane plane)
{
   const struct ac_surface *surface = &image->planes[plane];
   const struct pipe_image_desc *desc = &image->desc;

   return !desc->placed || (desc->offset_B % surface->alignment_B == 0 && desc->offset_B < ADDRESSES_B &&
                            desc->row_pitch_B == (uint64_t)surface->levels[0].pitch_el << surface->element_log2);
}

static enum pipe_result
image_create(struct pipe_screen *screen, const struct pipe_image_desc *desc, struct pipe_resource **out)
{
   struct si_resource *image = calloc(1, sizeof(*image));
   uint64_t size_B = desc->placed ? desc->offset_B : 0;

   if (!image)
      return PIPE_OUT_OF_HOST_MEMORY;
   image->desc = *desc;
   image->plane_format[SI_PLANE_MAIN] = ac_format_of_aspect(desc->format, false);
   if (ac_format_has_stencil(desc->format))
      image->plane_format[SI_PLANE_STENCIL] = ac_format_of_aspect(desc->format, true);
   for (unsigned i = 0; i < SI_PLANES; i++) {
      if (!image->plane_format[i])
         continue;
      if (!init_plane(si_screen(screen), image, i, image->plane_format[i]) || !is_placed_right(image, i)) {
         free(image);
         return PIPE_UNSUPPORTED;
      }
      image->alignment_B = MAX2(image->alignment_B, image->planes[i].alignment_B);
      image->plane_offset_B[i] = align_up(size_B, image->planes[i].alignment_B);
      size_B = image->plane_offset_B[i] + image->planes[i].size_B;
   }
   si_htile_init(si_screen(screen), image, &size_B);
   si_dcc_init(si_screen(screen), image, &size_B);
   image->size_B = size_B;
   image->va = desc->sparse ? desc->sparse_va : 0;
   enum pipe_result result = desc->sparse ? si_sparse_init(si_screen(screen), image, desc->sparse) : PIPE_OK;
   if (result != PIPE_OK) {
      free(image);
      return result;
   }
   *out = si_resource_handle(image);
   return PIPE_OK;
}

static void
resource_destroy(struct pipe_screen *screen, struct pipe_resource *resource)
{
   si_sparse_finish(si_screen(screen), si_resource(resource));
   free(si_resource(resource));
}

static struct pipe_memory_requirements
resource_requirements(const struct pipe_resource *pipe)
{
   const struct si_resource *resource = si_resource(pipe);
   bool is_copied = resource->desc.usage & PIPE_USAGE_HOST_TRANSFER;
   uint64_t size_B = resource->sparse.kind ? si_sparse_size_B(resource) : MAX2(resource->size_B, 1u);

   return (struct pipe_memory_requirements){
      .size_B = align_up(size_B, resource->alignment_B),
      .alignment_B = resource->alignment_B,
      .memory_types = is_copied ? SI_VISIBLE_MEMORY_TYPES : (1u << SI_NUM_MEMORY_TYPES) - 1,
   };
}

static void
resource_bind(struct pipe_resource *resource, struct pipe_memory *memory, uint64_t offset_B)
{
   si_resource(resource)->bo = si_memory(memory)->bo;
   si_resource(resource)->va = si_memory(memory)->bo->va + offset_B;
}

static uint64_t
resource_address(const struct pipe_resource *resource)
{
   return si_resource(resource)->va;
}

static struct pipe_subresource_layout
image_layout(const struct pipe_resource *pipe, uint32_t aspect, uint32_t level, uint32_t layer)
{
   const struct si_resource *image = si_resource(pipe);
   enum si_plane plane = si_plane_of_aspect(aspect);
   const struct ac_surface *surface = &image->planes[plane];
   const struct ac_surface_level *l = &surface->levels[level];

   return (struct pipe_subresource_layout){
      .offset_B = image->plane_offset_B[plane] + layer * surface->slice_B + l->offset_B,
      .size_B = ((uint64_t)l->pitch_el * l->rows_el << surface->element_log2) +
                (si_level_depth_px(image, level) - 1) * surface->slice_B,
      .row_pitch_B = (uint64_t)l->pitch_el << surface->element_log2,
      .layer_pitch_B = surface->slice_B,
      .depth_pitch_B = surface->slice_B,
   };
}

void
si_init_resource(struct si_screen *screen)
{
   screen->base.buffer_create = buffer_create;
   screen->base.image_create = image_create;
   screen->base.resource_destroy = resource_destroy;
   screen->base.resource_requirements = resource_requirements;
   screen->base.resource_bind = resource_bind;
   screen->base.resource_address = resource_address;
   screen->base.image_layout = image_layout;
}

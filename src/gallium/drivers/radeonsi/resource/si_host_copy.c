/* Copies between images and memory that the processor makes. Such images are not compressed, and lie in memory that
 * it sees. */
#include "amd/common/ac_surface_copy.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/format.h"
#include "util/macros.h"

static struct ac_surface_box
box_of(const struct si_resource *image, const struct format_info *info, const struct pipe_host_copy *copy)
{
   bool is_3d = image->desc.type == PIPE_IMAGE_3D;

   return (struct ac_surface_box){
      .level = copy->image.level,
      .x_el = (uint32_t)copy->offset.x / info->block_width_el,
      .y_el = (uint32_t)copy->offset.y / info->block_height_el,
      .slice = is_3d ? (uint32_t)copy->offset.z : copy->image.base_layer,
      .width_el = (uint32_t)div_round_up(copy->extent.width, info->block_width_el),
      .height_el = (uint32_t)div_round_up(copy->extent.height, info->block_height_el),
      .slices = is_3d ? copy->extent.depth : copy->image.layers,
   };
}

static enum pipe_result
image_host_copy(struct pipe_screen *screen, struct pipe_resource *resource, const struct pipe_host_copy *copy,
                bool to_image)
{
   const struct si_resource *image = si_resource(resource);
   enum si_plane plane = si_plane_of_aspect(copy->image.aspects);
   const struct ac_surface *surface = &image->planes[plane];
   const struct format_info *info = format_info(image->plane_format[plane]);
   const struct ac_surface_box box = box_of(image, info, copy);
   uint64_t row_px = copy->row_length_px ? copy->row_length_px : copy->extent.width;
   uint64_t rows_px = copy->image_height_px ? copy->image_height_px : copy->extent.height;
   struct ac_rows rows = {.start = copy->memory,
                          .row_B = div_round_up(row_px, info->block_width_el) << surface->element_log2};
   char *map = amdgpu_ws_bo_map(image->bo);

   if (!map)
      return PIPE_OUT_OF_HOST_MEMORY;
   rows.slice_B = div_round_up(rows_px, info->block_height_el) * rows.row_B;
   /* Levels share blocks, so the memory of one level cannot be copied as it is: MEMCPY copies rows. */
   if (copy->as_it_lies && image->desc.type != PIPE_IMAGE_3D)
      rows.slice_B = screen->image_layout(resource, copy->image.aspects, copy->image.level, 0).size_B;
   map += si_plane_va(image, plane) - image->bo->va;
   return ac_surface_copy(surface, map, &box, &rows, to_image) ? PIPE_OK : PIPE_OUT_OF_HOST_MEMORY;
}

void
si_init_host_copy(struct si_screen *screen)
{
   screen->base.caps.host_image_copy = true;
   screen->base.caps.host_copy_slows_targets = true; /* they would be compressed */
   screen->base.image_host_copy = image_host_copy;
}

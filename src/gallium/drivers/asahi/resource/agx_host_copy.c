/* Copies between images and memory that the processor makes: ail's tiler. Such images are not compressed. */
#include <stdlib.h>
#include <string.h>

#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "gallium/winsys/asahi/asahi_winsys.h"
#include "util/format.h"
#include "util/macros.h"

/* A level as it lies, layer after layer. */
static void
copy_bytes(const struct ail_layout *layout, char *image, const struct ail_box *box, char *memory, bool to_image)
{
   const uint64_t size_B = layout->levels[box->level].size_B;

   for (uint32_t i = 0; i < box->layers; i++) {
      char *at = image + ail_level_offset_B(layout, box->layer + i, box->level);

      memcpy(to_image ? at : memory, to_image ? memory : at, size_B);
      memory += size_B;
   }
}

struct rows {
   char *start;
   ptrdiff_t row_B, layer_B;
};

/* Texels of 2 bytes, turned left; to and from may be the same. */
static void
turn_rows(const struct rows *to, const struct rows *from, const struct ail_box *box, unsigned bits)
{
   for (uint32_t i = 0; i < box->layers * box->height_el * box->width_el; i++) {
      uint32_t x = i % box->width_el, y = i / box->width_el % box->height_el,
               layer = i / box->width_el / box->height_el;
      uint16_t texel;

      memcpy(&texel, from->start + layer * from->layer_B + y * from->row_B + 2 * x, 2);
      texel = (uint16_t)(texel << bits | texel >> (16 - bits));
      memcpy(to->start + layer * to->layer_B + y * to->row_B + 2 * x, &texel, 2);
   }
}

/* The application's rows stay as they are: those that go into the image are a copy. */
static enum pipe_result
tile_turned(const struct agx_resource *image, char *map, const struct ail_box *box, const struct rows *from)
{
   const ptrdiff_t row_B = 2 * (ptrdiff_t)box->width_el;
   struct rows own = {.row_B = row_B, .layer_B = row_B * box->height_el};

   own.start = malloc(MAX2((size_t)own.layer_B * box->layers, 1u));
   if (!own.start)
      return PIPE_OUT_OF_HOST_MEMORY;
   turn_rows(&own, from, box, 16u - image->turned_bits);
   enum ail_error error = ail_tile(&image->planes[AGX_PLANE_MAIN], map, box, own.start, own.row_B, own.layer_B);

   free(own.start);
   return error == AIL_OK ? PIPE_OK : PIPE_UNSUPPORTED;
}

static enum pipe_result
image_host_copy(struct pipe_screen *screen, struct pipe_resource *resource, const struct pipe_host_copy *copy,
                bool to_image)
{
   const struct agx_resource *image = agx_resource(resource);
   enum agx_plane plane = agx_plane_of_aspect(copy->image.aspects);
   const struct ail_layout *layout = &image->planes[plane];
   const struct format_info *info = format_info(image->plane_format[plane]);
   bool is_3d = image->desc.type == PIPE_IMAGE_3D;
   const struct ail_box box = {
      .level = copy->image.level,
      .x_el = (uint32_t)copy->offset.x / info->block_width_el,
      .y_el = (uint32_t)copy->offset.y / info->block_height_el,
      .layer = is_3d ? (uint32_t)copy->offset.z : copy->image.base_layer,
      .width_el = (uint32_t)div_round_up(copy->extent.width, info->block_width_el),
      .height_el = (uint32_t)div_round_up(copy->extent.height, info->block_height_el),
      .layers = is_3d ? copy->extent.depth : copy->image.layers,
   };
   uint64_t row_px = copy->row_length_px ? copy->row_length_px : copy->extent.width;
   uint64_t rows_px = copy->image_height_px ? copy->image_height_px : copy->extent.height;
   struct rows rows = {.start = copy->memory,
                       .row_B = (ptrdiff_t)(div_round_up(row_px, info->block_width_el) * layout->element_B)};
   char *map = asahi_ws_bo_map(image->bo);
   enum ail_error error = AIL_OK;

   if (!map)
      return PIPE_OUT_OF_HOST_MEMORY;
   rows.layer_B = (ptrdiff_t)div_round_up(rows_px, info->block_height_el) * rows.row_B;
   map += agx_plane_va(image, plane) - image->bo->va;
   if (copy->as_it_lies)
      copy_bytes(layout, map, &box, copy->memory, to_image);
   else if (to_image && image->turned_bits)
      return tile_turned(image, map, &box, &rows);
   else if (to_image)
      error = ail_tile(layout, map, &box, copy->memory, rows.row_B, rows.layer_B);
   else
      error = ail_detile(layout, map, &box, copy->memory, rows.row_B, rows.layer_B);
   if (image->turned_bits && !copy->as_it_lies && error == AIL_OK)
      turn_rows(&rows, &rows, &box, image->turned_bits);
   return error == AIL_OK ? PIPE_OK : PIPE_UNSUPPORTED;
}

void
agx_init_host_copy(struct agx_screen *screen)
{
   screen->base.caps.host_image_copy = screen->base.caps.host_copy_any_memory = true;
   screen->base.caps.host_copy_slows_targets = true; /* they would be compressed */
   screen->base.image_host_copy = image_host_copy;
}

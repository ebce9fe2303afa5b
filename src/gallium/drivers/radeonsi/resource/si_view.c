/* Image views: descriptor words and target registers, ready to be copied. */
#include <stdlib.h>

#include "amd/common/ac_block_view.h"
#include "amd/common/ac_format.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/resource/si_metadata.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/drivers/radeonsi/resource/si_target.h"
#include "util/format.h"

static const uint8_t identity[4] = {V_SQ_SEL_X, V_SQ_SEL_Y, V_SQ_SEL_Z, V_SQ_SEL_W};

static enum ac_view_type
view_type(enum pipe_view_type type)
{
   switch (type) {
   case PIPE_VIEW_1D:
      return AC_VIEW_1D;
   case PIPE_VIEW_2D:
      return AC_VIEW_2D;
   case PIPE_VIEW_3D:
      return AC_VIEW_3D;
   case PIPE_VIEW_CUBE:
   case PIPE_VIEW_CUBE_ARRAY:
      return AC_VIEW_CUBE;
   case PIPE_VIEW_1D_ARRAY:
      return AC_VIEW_1D_ARRAY;
   case PIPE_VIEW_2D_ARRAY:
      return AC_VIEW_2D_ARRAY;
   }
   return AC_VIEW_2D;
}

/* DST_SEL of a view: the format's order under the view's swizzle. */
static void
view_select(const uint8_t of_format[4], const uint8_t swizzle[4], uint8_t select[4])
{
   for (unsigned i = 0; i < 4; i++) {
      if (swizzle[i] == PIPE_SWIZZLE_0)
         select[i] = V_SQ_SEL_0;
      else if (swizzle[i] == PIPE_SWIZZLE_1)
         select[i] = V_SQ_SEL_1;
      else
         select[i] = of_format[swizzle[i]];
   }
}

/* 0: the plane's memory is as it is. */
static uint64_t
plane_metadata(const struct si_resource *image, enum si_plane plane)
{
   return plane == SI_PLANE_MAIN || image->stencil_in_htile ? si_metadata_va(image) : 0;
}

void
si_plane_descriptor(enum amd_gen gen, const struct si_plane_view *from, uint32_t words[AC_IMAGE_DESCRIPTOR_DW])
{
   const struct si_resource *image = from->image;
   enum si_plane plane = from->plane;
   struct ac_image_view view = {
      .surface = &image->planes[plane],
      .va = si_plane_va(image, plane),
      .meta_va = from->stores ? 0 : plane_metadata(image, plane),
      .meta = image->metadata_fields,
      .depth_B = plane == SI_PLANE_STENCIL ? 1u << image->planes[SI_PLANE_MAIN].element_log2 : 0,
      .type = image->desc.type == PIPE_IMAGE_3D ? AC_VIEW_3D : AC_VIEW_2D_ARRAY,
      .format = from->format,
      .width_px = image->desc.width_px,
      .height_px = image->desc.height_px,
      .depth_px = image->desc.depth_px,
      .base_level = from->level,
      .last_level = from->level,
      .last_layer = image->desc.layers - 1,
   };

   for (unsigned i = 0; i < 4; i++)
      view.select[i] = from->select[i];
   ac_image_descriptor(gen, &view, words);
}

/* What shaders see; sampled views of depth/stencil images show one of the planes. */
static void
fill_descriptors(const struct ac_gpu_info *info, struct si_image_view *view, const struct pipe_image_view_desc *desc)
{
   enum amd_gen gen = info->gen;
   const struct si_resource *image = view->image;
   bool stencil_only = desc->range.aspects == PIPE_ASPECT_STENCIL;
   enum si_plane plane = stencil_only ? SI_PLANE_STENCIL : SI_PLANE_MAIN;
   uint32_t format = ac_format_of_aspect(desc->format, stencil_only);
   uint8_t of_format[4];
   struct ac_image_view out = {
      .surface = &image->planes[plane],
      .va = si_plane_va(image, plane),
      .meta_va = plane_metadata(image, plane),
      .meta = image->metadata_fields,
      .depth_B = plane == SI_PLANE_STENCIL ? 1u << image->planes[SI_PLANE_MAIN].element_log2 : 0,
      .type = view_type(desc->type),
      .format = ac_format_image(format),
      .width_px = image->desc.width_px,
      .height_px = image->desc.height_px,
      .depth_px = image->desc.depth_px,
      .base_level = view->base_level,
      .last_level = view->base_level + view->levels - 1,
      .min_lod = desc->min_lod,
      .base_layer = view->base_layer,
      .last_layer = view->base_layer + view->layers - 1,
   };

   if (!format || !out.format)
      return;
   ac_format_swizzle(format, of_format);
   out.border_swizzle = ac_border_swizzle(of_format);
   view_select(of_format, desc->swizzle, out.select);
   if (out.type == AC_VIEW_3D) /* all slices of the image */
      out.base_layer = out.last_layer = 0;
   ac_image_descriptor(gen, &out, view->sampled);

   if (!(desc->usage & PIPE_USAGE_STORAGE))
      return;
   for (unsigned i = 0; i < 4; i++)
      out.select[i] = identity[i];
   ac_format_swizzle(format, out.select);
   if (out.type == AC_VIEW_CUBE)
      out.type = AC_VIEW_2D_ARRAY;
   if (out.meta_va) /* of levels with other metadata: that of one */
      out.last_level = out.base_level;
   if (image->desc.type == PIPE_IMAGE_3D && !info->mip_chain)
      out.type = AC_VIEW_3D; /* of a slice, too: stores count from the first one */
   out.slices_of_level = out.type == AC_VIEW_3D;
   if (out.slices_of_level) {
      out.base_layer = view->base_layer;
      out.last_layer = view->base_layer + view->layers - 1;
   }
   out.meta_va = si_metadata_of_level(image, out.base_level);
   out.meta.write_compress_enable = info->dcc_stores;
   ac_image_descriptor(gen, &out, view->storage);
}

static bool
shows_blocks(const struct pipe_image_view_desc *desc)
{
   const struct format_info *own = format_info(si_resource(desc->image)->desc.format);
   const struct format_info *seen = format_info(desc->format);

   return own->compression && !seen->compression;
}

static void
take_view(struct si_resource *blocks, const struct ac_block_view *view, unsigned *level)
{
   blocks->va = (blocks->va + view->offset_B) | view->address_xor;
   blocks->desc.width_px = view->width_px;
   blocks->desc.height_px = view->height_px;
   blocks->desc.levels = view->surface.num_levels;
   blocks->planes[SI_PLANE_MAIN] = view->surface;
   *level = view->level;
}

/* Slices of a 3D image lie as far apart as those of all its levels. */
static bool
init_blocks_3d(struct si_resource *blocks, unsigned *level)
{
   struct ac_block_view view;

   if (!ac_block_view_init(&view, &blocks->planes[SI_PLANE_MAIN], *level, blocks->desc.depth_px))
      return false;
   take_view(blocks, &view, level);
   blocks->desc.depth_px = view.depth_px;
   return true;
}

static void
init_linear_blocks(struct si_resource *blocks, unsigned *level, unsigned *layer)
{
   struct ac_surface *surface = &blocks->planes[SI_PLANE_MAIN];
   const struct ac_surface_level l = surface->levels[*level];

   blocks->va += l.offset_B + *layer * surface->slice_B;
   blocks->desc.width_px = l.width_el;
   blocks->desc.height_px = l.height_el;
   blocks->desc.levels = 1;
   blocks->desc.layers = 1;
   surface->levels[0] = l;
   surface->levels[0].offset_B = 0;
   surface->epitch_el = l.pitch_el;
   surface->num_levels = 1;
   if (blocks->desc.type != PIPE_IMAGE_3D)
      surface->slices = 1;
   *level = *layer = 0;
}

bool
si_blocks_have_layers(const struct si_resource *image, unsigned level)
{
   const struct ac_surface *surface = &image->planes[SI_PLANE_MAIN];

   return surface->equation && (image->desc.type == PIPE_IMAGE_3D || ac_block_view_halves(surface, level));
}

bool
si_image_of_blocks(const struct si_resource *image, uint32_t format, unsigned *level, unsigned *layer,
                   struct si_resource *blocks)
{
   const struct ac_surface *surface = &image->planes[SI_PLANE_MAIN];

   *blocks = *image;
   blocks->desc.format = blocks->plane_format[SI_PLANE_MAIN] = format;
   if (!surface->equation) {
      init_linear_blocks(blocks, level, layer);
   } else if (ac_block_view_halves(surface, *level)) {
      blocks->desc.width_px = surface->levels[0].width_el;
      blocks->desc.height_px = surface->levels[0].height_el;
   } else if (image->desc.type == PIPE_IMAGE_3D) {
      return init_blocks_3d(blocks, level);
   } else {
      struct ac_block_view view;

      ac_block_view_init_layer(&view, surface, *level, *layer);
      take_view(blocks, &view, level);
      blocks->desc.layers = 1;
      *layer = 0;
   }
   return true;
}

static enum pipe_result
image_view_create(struct pipe_screen *screen, const struct pipe_image_view_desc *desc, struct pipe_image_view **out)
{
   struct si_image_view *view = calloc(1, sizeof(*view));

   if (!view)
      return PIPE_OUT_OF_HOST_MEMORY;
   view->image = si_resource(desc->image);
   view->format = desc->format;
   view->aspects = desc->range.aspects;
   view->base_level = desc->range.base_level;
   view->base_layer = desc->range.base_layer;
   view->levels = desc->range.levels;
   view->layers = desc->range.layers;
   if (shows_blocks(desc)) {
      if (!si_image_of_blocks(view->image, desc->format, &view->base_level, &view->base_layer, &view->blocks)) {
         free(view);
         return PIPE_UNSUPPORTED;
      }
      view->image = &view->blocks;
   }
   const struct si_resource *image = view->image;
   const struct si_layers layers = {view->base_level, view->base_layer, view->layers};
   view->width_px = si_level_width_px(image, view->base_level);
   view->height_px = si_level_height_px(image, view->base_level);
   view->samples = image->desc.samples;
   fill_descriptors(&si_screen(screen)->info, view, desc);
   if (desc->usage & PIPE_USAGE_COLOR)
      view->has_color = si_color_target_init(&si_screen(screen)->info, &view->color, image, desc->format, layers);
   if (desc->usage & PIPE_USAGE_DEPTH_STENCIL) {
      view->has_depth = ac_format_depth(image->desc.format) != 0;
      view->has_stencil = image->plane_format[SI_PLANE_STENCIL] != 0;
      si_depth_target_init(&si_screen(screen)->info, &view->depth, image, layers);
   }
   *out = si_image_view_handle(view);
   return PIPE_OK;
}

static void
image_view_destroy(struct pipe_screen *screen, struct pipe_image_view *view)
{
   free(si_image_view(view));
}

void
si_init_view(struct si_screen *screen)
{
   screen->base.image_view_create = image_view_create;
   screen->base.image_view_destroy = image_view_destroy;
}

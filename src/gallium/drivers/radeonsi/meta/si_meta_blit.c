/* Blits, resolves and, on rings without draws, clears, by compute shaders. */
#include <math.h>
#include <string.h>

#include "amd/common/ac_format.h"
#include "gallium/drivers/radeonsi/resource/si_dcc.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/resource/si_metadata.h"
#include "util/format.h"
#include "util/format_enum.h"
#include "util/macros.h"

uint32_t
si_meta_linear_format(uint32_t format)
{
   switch (format) {
   case FORMAT_R8_SRGB:
      return FORMAT_R8_UNORM;
   case FORMAT_R8G8_SRGB:
      return FORMAT_R8G8_UNORM;
   case FORMAT_R8G8B8A8_SRGB:
      return FORMAT_R8G8B8A8_UNORM;
   case FORMAT_B8G8R8A8_SRGB:
      return FORMAT_B8G8R8A8_UNORM;
   case FORMAT_A8B8G8R8_SRGB_PACK32:
      return FORMAT_A8B8G8R8_UNORM_PACK32;
   default: /* others: as they are */
      return format;
   }
}

static bool
is_integer(uint32_t format)
{
   const struct format_info *info = format_info(format);

   return info->components[0].numeric == FORMAT_UINT || info->components[0].numeric == FORMAT_SINT;
}

/* A level of an image. */
struct side {
   const struct si_resource *image;
   unsigned level;
   uint32_t format;
};

static void
image_words(const struct si_context *ctx, struct side side, enum si_plane plane, bool stores, uint32_t words[8])
{
   uint32_t format = stores ? si_meta_linear_format(side.format) : side.format;
   struct si_plane_view view = {
      .image = side.image, .plane = plane, .level = side.level, .format = ac_format_image(format), .stores = stores};

   ac_format_swizzle(format, view.select);
   si_plane_descriptor(ctx->screen->info.gen, &view, words);
}

static void
fill_images(const struct si_context *ctx, struct si_meta_table *table, struct side src, struct side dst,
            enum si_plane plane)
{
   image_words(ctx, src, plane, false, table->src);
   image_words(ctx, dst, plane, true, table->dst);
   if (si_meta_linear_format(dst.format) != dst.format)
      table->flags[0] |= SI_META_TO_SRGB;
   if (is_integer(dst.format))
      table->flags[0] |= SI_META_INTEGER;
}

/* One axis of a blit: the destination from low to high, and what source coordinate each texel centre has. Both ends
 * may be swapped. */
static void
blit_axis(const int32_t src[2], const int32_t dst[2], int32_t *low, uint32_t *size, float *scale, float *origin)
{
   int32_t first = MIN2(dst[0], dst[1]);

   *low = first;
   *size = (uint32_t)(MAX2(dst[0], dst[1]) - first);
   *scale = dst[1] == dst[0] ? 0 : (float)(src[1] - src[0]) / (float)(dst[1] - dst[0]);
   *origin = (float)src[0] + (float)(first - dst[0]) * *scale;
}

static void
blit_plane(struct si_context *ctx, struct si_resource *src, struct si_resource *dst,
           const struct pipe_image_blit *region, enum pipe_filter filter, uint32_t aspect)
{
   enum si_plane plane = si_plane_of_aspect(aspect);
   const struct pipe_offset *s = region->src_offset, *d = region->dst_offset;
   bool src_3d = src->desc.type == PIPE_IMAGE_3D, dst_3d = dst->desc.type == PIPE_IMAGE_3D;
   int32_t src_z[2] = {s[0].z, s[1].z}, dst_z[2] = {d[0].z, d[1].z};
   struct si_meta_table table = {0};

   if (!src_3d) {
      src_z[0] = (int32_t)region->src.base_layer;
      src_z[1] = src_z[0] + (int32_t)region->src.layers;
   }
   if (!dst_3d) {
      dst_z[0] = (int32_t)region->dst.base_layer;
      dst_z[1] = dst_z[0] + (int32_t)region->dst.layers;
   }
   si_metadata_make_plain(
      ctx, dst, aspect,
      (struct si_layers){region->dst.level, dst_3d ? 0 : (uint32_t)dst_z[0], dst_3d ? 1 : region->dst.layers}, false);
   fill_images(ctx, &table, (struct side){src, region->src.level, src->plane_format[plane]},
               (struct side){dst, region->dst.level, dst->plane_format[plane]}, plane);
   memcpy(table.sampler_words, si_sampler(ctx->screen->meta->samplers[filter])->words, sizeof(table.sampler_words));
   blit_axis((int32_t[]){s[0].x, s[1].x}, (int32_t[]){d[0].x, d[1].x}, &table.dst_offset[0], &table.size[0],
             &table.scale[0], &table.origin[0]);
   blit_axis((int32_t[]){s[0].y, s[1].y}, (int32_t[]){d[0].y, d[1].y}, &table.dst_offset[1], &table.size[1],
             &table.scale[1], &table.origin[1]);
   blit_axis(src_z, dst_z, &table.dst_offset[2], &table.size[2], &table.scale[2], &table.origin[2]);
   /* Samplers of the shader take normalized coordinates. */
   table.scale[0] /= (float)si_level_width_px(src, region->src.level);
   table.origin[0] /= (float)si_level_width_px(src, region->src.level);
   table.scale[1] /= (float)si_level_height_px(src, region->src.level);
   table.origin[1] /= (float)si_level_height_px(src, region->src.level);
   if (src_3d) {
      table.scale[2] /= (float)si_level_depth_px(src, region->src.level);
      table.origin[2] /= (float)si_level_depth_px(src, region->src.level);
   }
   si_meta_dispatch(ctx, src_3d ? SI_META_BLIT_3D : SI_META_BLIT, &table);
}

static void
blit_image(struct pipe_context *pipe, struct pipe_resource *src, struct pipe_resource *dst,
           const struct pipe_image_blit *region, enum pipe_filter filter)
{
   for (uint32_t aspects = region->src.aspects; aspects; aspects &= aspects - 1)
      blit_plane(si_context(pipe), si_resource(src), si_resource(dst), region, filter, aspects & -aspects);
}

static void
resolve(struct si_context *ctx, struct si_meta_table *table, unsigned samples)
{
   table->size[3] = samples;
   table->scale[0] = 1.0f / (float)samples;
   si_meta_dispatch(ctx, SI_META_RESOLVE, table);
}

/* The render area of all layers or views; the images are in the table. */
static void
resolve_area(struct si_context *ctx, struct si_meta_table *table, const struct si_image_view *src,
             const struct si_image_view *dst, const struct pipe_rendering *rendering)
{
   uint32_t views = rendering->view_mask;

   table->size[0] = rendering->width;
   table->size[1] = rendering->height;
   table->size[2] = views ? 1 : MAX2(rendering->layers, 1);
   table->src_offset[0] = table->dst_offset[0] = (int32_t)rendering->x;
   table->src_offset[1] = table->dst_offset[1] = (int32_t)rendering->y;
   do {
      uint32_t layer = views ? (uint32_t)__builtin_ctz(views) : 0;

      table->src_offset[2] = (int32_t)(src->base_layer + layer);
      table->dst_offset[2] = (int32_t)(dst->base_layer + layer);
      resolve(ctx, table, src->samples);
      views &= views - 1;
   } while (views);
}

static struct si_layers
layers_of(const struct si_image_view *view)
{
   return (struct si_layers){view->base_level, view->base_layer, view->layers};
}

void
si_meta_resolve_views(struct si_context *ctx, const struct si_image_view *src, const struct si_image_view *dst,
                      const struct pipe_rendering *rendering)
{
   struct si_meta_table table = {0};

   si_metadata_make_plain(ctx, dst->image, PIPE_ASPECT_COLOR, layers_of(dst), false);
   fill_images(ctx, &table, (struct side){src->image, src->base_level, src->format},
               (struct side){dst->image, dst->base_level, dst->format}, SI_PLANE_MAIN);
   resolve_area(ctx, &table, src, dst, rendering);
}

static void
set_mode(struct si_meta_table *table, enum si_plane plane, enum pipe_resolve mode)
{
   if (mode == PIPE_RESOLVE_SAMPLE_ZERO || plane == SI_PLANE_STENCIL)
      table->flags[0] |= SI_META_INTEGER;
   if (mode == PIPE_RESOLVE_MIN || mode == PIPE_RESOLVE_MAX)
      table->flags[0] |= mode == PIPE_RESOLVE_MIN ? SI_META_MIN : SI_META_MAX;
}

void
si_meta_resolve_plane(struct si_context *ctx, enum si_plane plane, enum pipe_resolve mode,
                      const struct pipe_rendering *rendering)
{
   const struct si_image_view *src = si_image_view(rendering->depth_stencil);
   const struct si_image_view *dst = si_image_view(rendering->depth_stencil_resolve);
   struct si_meta_table table = {0};

   si_metadata_make_plain(ctx, dst->image, plane == SI_PLANE_STENCIL ? PIPE_ASPECT_STENCIL : PIPE_ASPECT_DEPTH,
                          layers_of(dst), false);
   fill_images(ctx, &table, (struct side){src->image, src->base_level, src->image->plane_format[plane]},
               (struct side){dst->image, dst->base_level, dst->image->plane_format[plane]}, plane);
   set_mode(&table, plane, mode);
   resolve_area(ctx, &table, src, dst, rendering);
}

static void
resolve_image(struct pipe_context *pipe, struct pipe_resource *pipe_src, struct pipe_resource *pipe_dst,
              const struct pipe_image_copy *region, enum pipe_resolve mode)
{
   const struct si_resource *src = si_resource(pipe_src), *dst = si_resource(pipe_dst);
   const enum si_plane plane = si_plane_of_aspect(region->src.aspects);
   const bool is_color = region->src.aspects == PIPE_ASPECT_COLOR;
   struct si_meta_table table = {
      .size = {region->extent.width, region->extent.height, region->src.layers},
      .src_offset = {region->src_offset.x, region->src_offset.y, (int32_t)region->src.base_layer},
      /* z: the slice of a 3D image */
      .dst_offset = {region->dst_offset.x, region->dst_offset.y,
                     (int32_t)region->dst.base_layer + region->dst_offset.z},
   };

   si_metadata_make_plain(si_context(pipe), dst, region->src.aspects,
                          (struct si_layers){region->dst.level, region->dst.base_layer, region->dst.layers}, false);
   fill_images(si_context(pipe), &table,
               (struct side){src, region->src.level, is_color ? src->desc.format : src->plane_format[plane]},
               (struct side){dst, region->dst.level, is_color ? dst->desc.format : dst->plane_format[plane]}, plane);
   set_mode(&table, plane, mode);
   resolve(si_context(pipe), &table, src->desc.samples);
}

/* The sRGB curve. */
static float
encode(float linear)
{
   return linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1 / 2.4f) - 0.055f;
}

/* What stores write. */
static void
encode_color(uint32_t format, const union pipe_clear_color *color, uint32_t value[4])
{
   union pipe_clear_color encoded = *color;

   for (unsigned i = 0; i < 3 && si_meta_linear_format(format) != format; i++)
      encoded.f[i] = encode(color->f[i]);
   memcpy(value, encoded.u, sizeof(encoded.u));
}

bool
si_meta_clear_color(struct si_context *ctx, const struct si_resource *image, uint32_t format, struct si_layers layers,
                    const union pipe_clear_color *color)
{
   unsigned samples = image->desc.samples;
   struct si_meta_table table = {
      .size = {si_level_width_px(image, layers.level), si_level_height_px(image, layers.level), layers.count,
               samples},
      .dst_offset = {0, 0, (int32_t)layers.first},
   };

   if (!ac_format_image(si_meta_linear_format(format)))
      return false;
   si_metadata_make_plain(ctx, image, PIPE_ASPECT_COLOR, layers, true);
   encode_color(format, color, table.src);
   image_words(ctx, (struct side){image, layers.level, format}, SI_PLANE_MAIN, true, table.dst);
   si_meta_dispatch(ctx, samples > 1 ? SI_META_CLEAR_IMAGE_MS : SI_META_CLEAR_IMAGE, &table);
   return true;
}

bool
si_meta_clear_blocks(struct si_context *ctx, const struct si_resource *image, uint32_t format,
                     struct si_layers layers, const union pipe_clear_color *color)
{
   unsigned n = 8u - image->planes[SI_PLANE_MAIN].element_log2;
   uint32_t width = 1u << (n + 1) / 2, height = 1u << n / 2;
   struct si_meta_table table = {
      .size = {(uint32_t)div_round_up(si_level_width_px(image, layers.level), width),
               (uint32_t)div_round_up(si_level_height_px(image, layers.level), height), layers.count},
      .src_offset = {(int32_t)width, (int32_t)height},
      .dst_offset = {0, 0, (int32_t)layers.first},
   };

   if (!ac_format_image(si_meta_linear_format(format)))
      return false;
   encode_color(format, color, table.src);
   image_words(ctx, (struct side){image, layers.level, format}, SI_PLANE_MAIN, true, table.dst);
   si_meta_dispatch(ctx, SI_META_CLEAR_BLOCKS, &table);
   return true;
}

void
si_init_meta_blit(struct si_context *ctx)
{
   ctx->base.blit_image = blit_image;
   ctx->base.resolve_image = resolve_image;
}

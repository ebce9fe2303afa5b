#include "gallium/drivers/asahi/commands/agx_transfer.h"

#include <string.h>

#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/commands/agx_rendering.h"
#include "util/format_enum.h"
#include "util/log.h"
#include "util/macros.h"

uint32_t
agx_unorm_of_srgb(uint32_t format)
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

/* Layers of a level, as targets or textures. */
struct side {
   const struct agx_resource *image;
   enum agx_plane plane;
   uint32_t format, level, base_layer, layers;
};

static struct agx_plane_view
plane_view(const struct side *side, enum pipe_view_type type, uint32_t format)
{
   return (struct agx_plane_view){
      .image = side->image,
      .plane = side->plane,
      .type = type,
      .format = format,
      .swizzle = {PIPE_SWIZZLE_R, PIPE_SWIZZLE_G, PIPE_SWIZZLE_B, PIPE_SWIZZLE_A},
      .base_level = side->level,
      .levels = 1,
      .base_layer = side->base_layer,
      .layers = side->layers,
   };
}

/* The format of a plane as a colour: depth and stencil are numbers like others to the pixel back end. A view's colour
 * format need not be the image's. */
static uint32_t
color_format(const struct side *side)
{
   uint32_t of = agx_format_of_aspect(side->format, side->plane == AGX_PLANE_STENCIL);

   switch (of) {
   case FORMAT_D16_UNORM:
      return FORMAT_R16_UNORM;
   case FORMAT_D32_SFLOAT:
      return FORMAT_R32_SFLOAT;
   case FORMAT_S8_UINT:
      return FORMAT_R8_UINT;
   default: /* others: colours */
      return of;
   }
}

/* A render command of no draws: the background program makes the pixels of one target. The target is always an array
 * of layers, so that there is one kind of program. */
static void
run_pass(struct agx_context *ctx, struct agx_tile_key *key, struct agx_tile_pass *pass, const struct side *dst)
{
   uint32_t format = color_format(dst);
   struct agx_framebuffer fb = {.width_px = agx_level_width_px(dst->image, dst->level),
                                .height_px = agx_level_height_px(dst->image, dst->level),
                                .layers = dst->layers};
   struct agx_plane_view old = plane_view(dst, PIPE_VIEW_2D_ARRAY, agx_unorm_of_srgb(format));
   struct agx_tile_key store;
   struct agx_tile_pass store_pass = {.texture_count = 1};

   if (!agx_tile_layout_init(&fb.tile, &format, 1, 1)) {
      log_error("transfers to images of format %u are not supported", dst->format);
      ctx->failed = true;
      return;
   }
   memcpy(&key->tile, &fb.tile, sizeof(key->tile));
   key->layered = true;
   agx_plane_texture(&old, pass->textures[1]);
   pass->texture_count = 2;
   memset(&store, 0, sizeof(store));
   memcpy(&store.tile, &fb.tile, sizeof(store.tile));
   store.layered = true;
   store.ops[0] = AGX_TILE_STORE;
   agx_plane_pbe(&old, true, store_pass.textures[0]);

   const struct agx_tile_program *begin = agx_tile_program(ctx->screen, key);
   const struct agx_tile_program *end = agx_tile_program(ctx->screen, &store);

   if (!begin || !end) {
      ctx->failed = true;
      return;
   }
   agx_compute_close(ctx);
   agx_render_add_pass(ctx, &fb, agx_tile_use(ctx, begin, pass->words, pass->textures, pass->texture_count),
                       agx_tile_use(ctx, end, store_pass.words, store_pass.textures, 1));
}

struct rect {
   int32_t x, y;
   uint32_t width, height;
};

static void
set_rect(struct agx_tile_pass *pass, const struct rect *rect)
{
   const uint32_t words[4] = {(uint32_t)rect->x, (uint32_t)rect->y, (uint32_t)rect->x + rect->width,
                              (uint32_t)rect->y + rect->height};

   memcpy(pass->words + AGX_TILE_RECT, words, sizeof(words));
}

/* origin: of the source, relative to the destination. */
static void
resolve(struct agx_context *ctx, const struct side *src, const struct side *dst, const struct rect *to,
        struct pipe_offset origin, enum pipe_resolve mode)
{
   struct agx_tile_key key;
   struct agx_tile_pass pass = {0};
   struct agx_plane_view view = plane_view(src, PIPE_VIEW_2D_ARRAY, color_format(src));

   memset(&key, 0, sizeof(key));
   key.ops[0] = AGX_TILE_RESOLVE;
   key.src_samples = src->image->desc.samples;
   key.resolve = (uint8_t)mode;
   agx_plane_texture(&view, pass.textures[0]);
   set_rect(&pass, to);
   pass.words[AGX_TILE_ORIGIN] = (uint32_t)origin.x;
   pass.words[AGX_TILE_ORIGIN + 1] = (uint32_t)origin.y;
   run_pass(ctx, &key, &pass, dst);
}

static struct side
view_side(const struct agx_image_view *view, enum agx_plane plane, uint32_t layers)
{
   return (struct side){view->image, plane, view->format, view->base_level, view->base_layer, layers};
}

static void
resolve_area(struct agx_context *ctx, const struct agx_image_view *src, const struct agx_image_view *dst,
             enum agx_plane plane, enum pipe_resolve mode, const struct pipe_rendering *rendering)
{
   struct rect area = {(int32_t)rendering->x, (int32_t)rendering->y, rendering->width, rendering->height};
   uint32_t first = rendering->view_mask ? (uint32_t)__builtin_ctz(rendering->view_mask) : 0;
   uint32_t layers =
      rendering->view_mask ? 32 - (uint32_t)__builtin_clz(rendering->view_mask) - first : MAX2(rendering->layers, 1u);
   struct side from = view_side(src, plane, layers), to = view_side(dst, plane, layers);

   from.base_layer += first;
   to.base_layer += first;
   resolve(ctx, &from, &to, &area, (struct pipe_offset){0}, mode);
}

void
agx_resolve_views(struct agx_context *ctx, const struct agx_image_view *src, const struct agx_image_view *dst,
                  const struct pipe_rendering *rendering)
{
   resolve_area(ctx, src, dst, AGX_PLANE_MAIN, PIPE_RESOLVE_AVERAGE, rendering);
}

void
agx_resolve_plane(struct agx_context *ctx, bool stencil, enum pipe_resolve mode,
                  const struct pipe_rendering *rendering)
{
   const struct agx_image_view *src = agx_image_view(rendering->depth_stencil);
   const struct agx_image_view *dst = agx_image_view(rendering->depth_stencil_resolve);

   resolve_area(ctx, src, dst, stencil ? AGX_PLANE_STENCIL : AGX_PLANE_MAIN, mode, rendering);
}

static void
resolve_image(struct pipe_context *pipe, struct pipe_resource *pipe_src, struct pipe_resource *pipe_dst,
              const struct pipe_image_copy *region, enum pipe_resolve mode)
{
   const struct agx_resource *src = agx_resource(pipe_src), *dst = agx_resource(pipe_dst);
   const enum agx_plane plane = region->src.aspects == PIPE_ASPECT_STENCIL ? AGX_PLANE_STENCIL : AGX_PLANE_MAIN;
   struct side from = {src, plane, src->desc.format, region->src.level, region->src.base_layer, region->src.layers};
   struct side to = {dst,
                     plane,
                     dst->desc.format,
                     region->dst.level,
                     region->dst.base_layer + (uint32_t)region->dst_offset.z,
                     region->src.layers};
   struct rect area = {region->dst_offset.x, region->dst_offset.y, region->extent.width, region->extent.height};

   struct pipe_offset origin = {.x = region->src_offset.x - region->dst_offset.x,
                                .y = region->src_offset.y - region->dst_offset.y};

   resolve(agx_context(pipe), &from, &to, &area, origin, mode);
}

/* ---- blits ---- */

struct axis {
   int32_t low;
   uint32_t size;
   float scale, origin; /* source coordinate of destination coordinate x: x * scale + origin */
};

/* Both ends may be swapped. */
static struct axis
blit_axis(const int32_t src[2], const int32_t dst[2])
{
   struct axis axis = {.low = MIN2(dst[0], dst[1])};

   axis.size = (uint32_t)(MAX2(dst[0], dst[1]) - axis.low);
   axis.scale = dst[0] == dst[1] ? 0 : (float)(src[1] - src[0]) / (float)(dst[1] - dst[0]);
   axis.origin = (float)src[0] - (float)dst[0] * axis.scale;
   return axis;
}

/* Depth, or layers of a side that is no 3D image, from its first one on. The result counts from the target's first
 * slice or layer. */
static struct axis
blit_slices(const struct pipe_image_blit *region, bool src_3d, bool dst_3d)
{
   const int32_t src_layers[2] = {0, (int32_t)region->src.layers}, dst_layers[2] = {0, (int32_t)region->dst.layers};
   const int32_t src_z[2] = {region->src_offset[0].z, region->src_offset[1].z};
   const int32_t dst_z[2] = {region->dst_offset[0].z, region->dst_offset[1].z};
   struct axis axis = blit_axis(src_3d ? src_z : src_layers, dst_3d ? dst_z : dst_layers);

   axis.origin += (float)axis.low * axis.scale;
   /* Layers have no middle that samplers look at. */
   if (!src_3d)
      axis.origin += 0.5f * axis.scale - 0.5f;
   return axis;
}

static uint32_t
float_word(float value)
{
   uint32_t word;

   memcpy(&word, &value, 4);
   return word;
}

static uint32_t
blit_sampler(struct agx_context *ctx, enum pipe_filter filter)
{
   struct pipe_sampler_desc desc = {.mag = filter,
                                    .min = filter,
                                    .wrap_u = PIPE_WRAP_CLAMP_TO_EDGE,
                                    .wrap_v = PIPE_WRAP_CLAMP_TO_EDGE,
                                    .wrap_w = PIPE_WRAP_CLAMP_TO_EDGE,
                                    .max_anisotropy = 1};

   return agx_sampler_heap_add(&ctx->screen->samplers, agx_sampler_words(&desc));
}

static void
blit_plane(struct agx_context *ctx, const struct agx_resource *src, const struct agx_resource *dst,
           enum agx_plane plane, const struct pipe_image_blit *region, enum pipe_filter filter)
{
   bool src_3d = src->desc.type == PIPE_IMAGE_3D, dst_3d = dst->desc.type == PIPE_IMAGE_3D;
   const int32_t ends[2][2][2] = {
      {{region->src_offset[0].x, region->src_offset[1].x}, {region->dst_offset[0].x, region->dst_offset[1].x}},
      {{region->src_offset[0].y, region->src_offset[1].y}, {region->dst_offset[0].y, region->dst_offset[1].y}},
   };
   struct axis axes[3];
   struct side from = {src,
                       plane,
                       src->desc.format,
                       region->src.level,
                       src_3d ? 0 : region->src.base_layer,
                       src_3d ? 1 : region->src.layers};
   struct agx_tile_key key;
   struct agx_tile_pass pass = {0};

   for (unsigned i = 0; i < 2; i++)
      axes[i] = blit_axis(ends[i][0], ends[i][1]);
   axes[2] = blit_slices(region, src_3d, dst_3d);
   struct side to = {dst,
                     plane,
                     dst->desc.format,
                     region->dst.level,
                     dst_3d ? (uint32_t)axes[2].low : region->dst.base_layer,
                     dst_3d ? axes[2].size : region->dst.layers};
   struct rect area = {axes[0].low, axes[1].low, axes[0].size, axes[1].size};
   const float size[3] = {(float)agx_level_width_px(src, region->src.level),
                          (float)agx_level_height_px(src, region->src.level),
                          (float)agx_level_depth_px(src, region->src.level)};

   if (!axes[0].size || !axes[1].size || !to.layers)
      return;
   struct agx_plane_view view = plane_view(&from, src_3d ? PIPE_VIEW_3D : PIPE_VIEW_2D_ARRAY, color_format(&from));

   memset(&key, 0, sizeof(key));
   key.ops[0] = AGX_TILE_BLIT;
   key.src_3d = src_3d;
   agx_plane_texture(&view, pass.textures[0]);
   set_rect(&pass, &area);
   for (unsigned i = 0; i < 3; i++) {
      float by = i < 2 || src_3d ? 1.0f / size[i] : 1.0f;

      pass.words[AGX_TILE_SCALE + i] = float_word(axes[i].scale * by);
      pass.words[AGX_TILE_ORIGIN + i] = float_word(axes[i].origin * by);
   }
   pass.words[AGX_TILE_SCALE + 3] = blit_sampler(ctx, filter) + AGX_SAMPLER_HEAP_FIRST;
   run_pass(ctx, &key, &pass, &to);
}

static void
blit_image(struct pipe_context *pipe, struct pipe_resource *pipe_src, struct pipe_resource *pipe_dst,
           const struct pipe_image_blit *region, enum pipe_filter filter)
{
   const struct agx_resource *src = agx_resource(pipe_src), *dst = agx_resource(pipe_dst);
   uint32_t aspects = region->src.aspects;

   if (aspects & (PIPE_ASPECT_COLOR | PIPE_ASPECT_DEPTH))
      blit_plane(agx_context(pipe), src, dst, AGX_PLANE_MAIN, region, filter);
   if (aspects & PIPE_ASPECT_STENCIL)
      blit_plane(agx_context(pipe), src, dst, agx_plane_of_aspect(PIPE_ASPECT_STENCIL), region, filter);
}

void
agx_init_transfer(struct agx_context *ctx)
{
   ctx->base.blit_image = blit_image;
   ctx->base.resolve_image = resolve_image;
}

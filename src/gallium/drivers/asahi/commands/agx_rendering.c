/* Rendering: one render command, made when it ends. Clears of whole targets are in the background program and in the
 * registers of depth and stencil; everything that targets hold is loaded, unless it is cleared or nobody cares, and
 * stored at the end. */
#include "gallium/drivers/asahi/commands/agx_rendering.h"

#include <string.h>

#include "asahi/hw/hw_limits.h"
#include "gallium/drivers/asahi/meta/agx_compression.h"
#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/base/agx_msaa.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "gallium/drivers/asahi/commands/agx_tile_programs.h"
#include "gallium/drivers/asahi/commands/agx_transfer.h"
#include "util/format_enum.h"
#include "util/log.h"
#include "util/macros.h"

/* ---- targets ---- */

static const struct agx_image_view *
color_view(const struct pipe_rendering *info, unsigned i)
{
   return i < info->num_colors ? agx_image_view(info->colors[i].view) : NULL;
}

/* Nothing lies outside of the render area, and nothing in other views. */
static bool
covers(const struct pipe_rendering *info, const struct agx_image_view *view, uint32_t clear_views)
{
   bool views =
      !info->view_mask || (clear_views & info->view_mask) == bit_mask(32 - (unsigned)__builtin_clz(info->view_mask));

   return !info->x && !info->y && info->width >= view->width_px && info->height >= view->height_px && views;
}

static enum pipe_load_op
load_op(const struct pipe_rendering *info, const struct agx_image_view *view, enum pipe_load_op op, uint32_t views)
{
   if (info->resuming || !covers(info, view, op == PIPE_LOAD_CLEAR ? views : UINT32_MAX))
      return PIPE_LOAD;
   return op;
}

static enum pipe_load_op
color_load(const struct pipe_rendering *info, unsigned i)
{
   return load_op(info, color_view(info, i), info->colors[i].load, info->colors[i].clear_views);
}

static void
set_framebuffer(struct agx_context *ctx, const struct pipe_rendering *info)
{
   struct agx_framebuffer *fb = &ctx->graphics.framebuffer;
   const struct agx_image_view *depth = agx_image_view(info->depth_stencil);
   unsigned samples = depth ? depth->samples : 1;

   memset(fb, 0, sizeof(*fb));
   /* All of the targets: what lies outside of the render area is loaded and stored again. */
   fb->width_px = depth ? depth->width_px : 0;
   fb->height_px = depth ? depth->height_px : 0;
   fb->layers = info->view_mask ? 32 - (unsigned)__builtin_clz(info->view_mask) : MAX2(info->layers, 1u);
   for (unsigned i = 0; i < info->num_colors; i++) {
      const struct agx_image_view *view = color_view(info, i);

      if (!view)
         continue;
      fb->formats[i] = view->format;
      fb->width_px = MAX2(fb->width_px, view->width_px);
      fb->height_px = MAX2(fb->height_px, view->height_px);
      samples = view->samples;
   }
   if (!fb->width_px) {
      fb->empty = true;
      fb->width_px = MIN2(info->x + info->width, AGX_MAX_PX);
      fb->height_px = MIN2(info->y + info->height, AGX_MAX_PX);
   }
   if (depth) {
      fb->has_depth = agx_format_of_aspect(depth->format, false) != 0 && !info->no_depth;
      fb->has_stencil = agx_format_of_aspect(depth->format, true) != 0 && !info->no_stencil;
      fb->depth_format = depth->format;
   }
   if (!agx_tile_layout_init(&fb->tile, fb->formats, info->num_colors, samples)) {
      log_error("a rendering to a target of a format that cannot be one");
      ctx->failed = true;
   }
}

static struct agx_plane_view
target_plane(const struct agx_image_view *view, uint32_t layers, bool linear_rgb)
{
   static const uint8_t identity[4] = {PIPE_SWIZZLE_R, PIPE_SWIZZLE_G, PIPE_SWIZZLE_B, PIPE_SWIZZLE_A};
   struct agx_plane_view plane = {
      .image = view->image,
      .plane = AGX_PLANE_MAIN,
      .type = layers > 1 ? PIPE_VIEW_2D_ARRAY : PIPE_VIEW_2D,
      .format = linear_rgb ? agx_unorm_of_srgb(view->format) : view->format,
      .base_level = view->base_level,
      .levels = 1,
      .base_layer = view->base_layer,
      .layers = layers,
   };

   memcpy(plane.swizzle, identity, sizeof(identity));
   return plane;
}

/* ---- the command ---- */

/* What is loaded and not changed is not stored: programs may read it meanwhile, and tiles that lay as they are would
 * be compressed under their hands. */
static bool
is_stored(bool loads, bool writes)
{
   return !loads || writes;
}

/* As the kernel takes it: layers lie on pages, or there is one. */
static uint32_t
zls_stride(uint64_t layer_stride_B)
{
   return ((uint32_t)div_round_up(layer_stride_B, AIL_PAGE_B) - 1) << 14 | 1;
}

/* The same for the metadata of a level of a compressed plane. */
static void
fill_metadata(const struct agx_image_view *view, enum agx_plane plane, struct drm_asahi_zls_buffer *buffer)
{
   const struct ail_layout *layout = &view->image->planes[plane];

   buffer->comp_base = agx_plane_va(view->image, plane) + layout->metadata_offset_B +
                       layout->levels[view->base_level].metadata_offset_B +
                       view->base_layer * layout->metadata_layer_stride_B;
   buffer->comp_stride = ((uint32_t)(layout->metadata_layer_stride_B / AIL_CACHE_LINE_B) - 1) << 14;
}

static void
fill_depth(const struct agx_context *ctx, struct drm_asahi_cmd_render *command, struct agx_zls_control *zls)
{
   const struct pipe_rendering *info = &ctx->graphics.render.info;
   const struct agx_image_view *view = agx_image_view(info->depth_stencil);
   const struct ail_layout *layout = &view->image->planes[AGX_PLANE_MAIN];
   bool is_16 = agx_format_of_aspect(view->format, false) == FORMAT_D16_UNORM;
   enum pipe_load_op load = load_op(info, view, info->depth_load, info->depth_stencil_clear_views);
   float clear = info->clear_depth;

   command->depth.base =
      agx_plane_va(view->image, AGX_PLANE_MAIN) + ail_level_offset_B(layout, view->base_layer, view->base_level);
   command->depth.stride = zls_stride(layout->layer_stride_B);
   zls->z_load = load == PIPE_LOAD;
   zls->z_store = is_stored(zls->z_load, ctx->graphics.render.writes_depth);
   if (agx_level_is_compressed(view->image, AGX_PLANE_MAIN, view->base_level)) {
      fill_metadata(view, AGX_PLANE_MAIN, &command->depth);
      zls->z_load_compress = zls->z_store_compress = true;
   }
   zls->z_format = is_16 ? AGX_ZLS_FORMAT_16 : AGX_ZLS_FORMAT_32F;
   if (is_16) {
      command->flags |= DRM_ASAHI_RENDER_DBIAS_IS_INT;
      command->isp_bgobjdepth = (uint32_t)(MIN2(MAX2(clear, 0.0f), 1.0f) * 65535.0f + 0.5f);
   } else {
      memcpy(&command->isp_bgobjdepth, &clear, 4);
   }
}

static void
fill_stencil(const struct agx_context *ctx, struct drm_asahi_cmd_render *command, struct agx_zls_control *zls)
{
   const struct pipe_rendering *info = &ctx->graphics.render.info;
   const struct agx_image_view *view = agx_image_view(info->depth_stencil);
   enum agx_plane plane = AGX_PLANE_STENCIL;
   const struct ail_layout *layout = &view->image->planes[plane];

   command->stencil.base =
      agx_plane_va(view->image, plane) + ail_level_offset_B(layout, view->base_layer, view->base_level);
   command->stencil.stride = zls_stride(layout->layer_stride_B);
   zls->s_load = load_op(info, view, info->stencil_load, info->depth_stencil_clear_views) == PIPE_LOAD;
   zls->s_store = is_stored(zls->s_load, ctx->graphics.render.writes_stencil);
   if (agx_level_is_compressed(view->image, plane, view->base_level)) {
      fill_metadata(view, plane, &command->stencil);
      zls->s_load_compress = zls->s_store_compress = true;
   }
   command->isp_bgobjvals |= info->clear_stencil;
}

static void
fill_depth_stencil(const struct agx_context *ctx, struct drm_asahi_cmd_render *command)
{
   const struct agx_framebuffer *fb = &ctx->graphics.framebuffer;
   const struct agx_image_view *view = agx_image_view(ctx->graphics.render.info.depth_stencil);
   struct agx_zls_control zls = {0};
   struct agx_cr_isp_zls_pixels pixels = {view ? view->width_px : fb->width_px,
                                          view ? view->height_px : fb->height_px};

   if (fb->has_depth)
      fill_depth(ctx, command, &zls);
   if (fb->has_stencil)
      fill_stencil(ctx, command, &zls);
   agx_zls_control_pack(&command->zls_ctrl, &zls);
   agx_cr_isp_zls_pixels_pack(&command->isp_zls_pixels, &pixels);
}

static struct drm_asahi_bg_eot
as_bg_eot(struct agx_tile_use use)
{
   return (struct drm_asahi_bg_eot){.usc = use.usc | 4, .rsrc_spec = use.counts}; /* bit 2: always set [seen] */
}

static struct drm_asahi_bg_eot
use_programs(struct agx_context *ctx, const struct agx_tile_key *key, const struct agx_tile_pass *pass)
{
   const struct agx_tile_program *program = agx_tile_program(ctx->screen, key);

   if (program)
      return as_bg_eot(agx_tile_use(ctx, program, pass->words, pass->textures, pass->texture_count));
   ctx->failed = true;
   return (struct drm_asahi_bg_eot){0};
}

static struct agx_tile_key
key_of(const struct agx_framebuffer *fb)
{
   struct agx_tile_key key;

   memset(&key, 0, sizeof(key));
   memcpy(&key.tile, &fb->tile, sizeof(key.tile));
   key.layered = fb->layers > 1;
   return key;
}

static void
clear_words(const struct agx_tile_format *format, const union pipe_clear_color *color, uint32_t words[4])
{
   for (unsigned i = 0; i < 4; i++) {
      int64_t min, max, value = format->is_signed ? (int64_t)color->i[i] : (int64_t)color->u[i];

      agx_tile_range(format, i, &min, &max);
      words[i] = format->is_integer ? (uint32_t)MIN2(MAX2(value, min), max) : color->u[i];
   }
}

/* What the begin of a tile does; partial: of one that was stored in the middle. */
static struct drm_asahi_bg_eot
background(struct agx_context *ctx, bool partial)
{
   const struct agx_framebuffer *fb = &ctx->graphics.framebuffer;
   const struct pipe_rendering *info = &ctx->graphics.render.info;
   struct agx_tile_key key = key_of(fb);
   struct agx_tile_pass pass = {0};

   for (unsigned i = 0; i < fb->tile.num_targets; i++) {
      if (!fb->tile.targets[i].used || fb->tile.targets[i].spilled)
         continue;
      enum pipe_load_op op = partial ? PIPE_LOAD : color_load(info, i);

      if (op == PIPE_LOAD) {
         struct agx_plane_view plane = target_plane(color_view(info, i), fb->layers, true);

         key.ops[i] = AGX_TILE_LOAD;
         agx_plane_texture(&plane, pass.textures[i]);
         pass.texture_count = i + 1;
      } else if (op == PIPE_LOAD_CLEAR) {
         key.ops[i] = AGX_TILE_CLEAR;
         clear_words(&fb->tile.targets[i].format, &info->colors[i].clear, pass.words + AGX_TILE_COLORS + 4 * i);
      }
   }
   return use_programs(ctx, &key, &pass);
}

static struct drm_asahi_bg_eot
end_of_tile(struct agx_context *ctx)
{
   const struct agx_framebuffer *fb = &ctx->graphics.framebuffer;
   struct agx_tile_key key = key_of(fb);
   struct agx_tile_pass pass = {0};

   for (unsigned i = 0; i < fb->tile.num_targets; i++) {
      if (!fb->tile.targets[i].used || fb->tile.targets[i].spilled)
         continue;
      struct agx_plane_view plane = target_plane(color_view(&ctx->graphics.render.info, i), fb->layers, true);

      key.ops[i] = AGX_TILE_STORE;
      agx_plane_pbe(&plane, true, pass.textures[i]);
      pass.texture_count = i + 1;
   }
   return use_programs(ctx, &key, &pass);
}

static float
merge_limit(unsigned size_px)
{
   return 1.732051f / (float)size_px; /* tan 60 degrees */
}

/* Sizes, samples, heaps: what does not depend on what targets hold. */
static void
fill_render(struct agx_context *ctx, const struct agx_framebuffer *fb, struct drm_asahi_cmd_render *command)
{
   struct agx_cr_ppp_control control = {.enable_w_clamp = true, .fixed_point_format = true};

   command->flags |= DRM_ASAHI_RENDER_PROCESS_EMPTY_TILES;
   command->ppp_multisamplectl = agx_sample_positions(fb->tile.samples);
   command->sampler_heap = ctx->screen->samplers.bo->va;
   command->sampler_count = AGX_SAMPLER_HEAP_ENTRIES;
   agx_cr_ppp_control_pack(&command->ppp_ctrl, &control);
   command->width_px = (uint16_t)fb->width_px;
   command->height_px = (uint16_t)fb->height_px;
   command->layers = (uint16_t)fb->layers;
   command->utile_width_px = fb->tile.width_px;
   command->utile_height_px = fb->tile.height_px;
   command->samples = fb->tile.samples;
   command->sample_size_B = fb->tile.sample_size_B;
   command->isp_bgobjvals = 0x300; /* as drivers always have it [seen] */
   float merge[2] = {merge_limit(fb->width_px), merge_limit(fb->height_px)};
   memcpy(&command->isp_merge_upper_x, &merge[0], 4);
   memcpy(&command->isp_merge_upper_y, &merge[1], 4);
}

static void
add_render(struct agx_context *ctx)
{
   const struct agx_render *render = &ctx->graphics.render;

   agx_compute_close(ctx);
   struct drm_asahi_bg_eot programs[] = {background(ctx, false), end_of_tile(ctx), background(ctx, true)};
   struct drm_asahi_cmd_render *command = &agx_add_command(ctx, true)->render_cmd;

   fill_render(ctx, &ctx->graphics.framebuffer, command);
   fill_depth_stencil(ctx, command);
   if (render->has_positions)
      command->ppp_multisamplectl = render->positions;
   command->vdm_ctrl_stream_base = ctx->vdm.start_va;
   command->isp_scissor_base = render->scissors.va;
   command->isp_dbias_base = render->biases.va;
   command->isp_oclqry_base = agx_occlusion_base(ctx);
   command->vertex_helper = agx_scratch_helper(ctx->screen, render->scratch[AGX_HW_VERTEX]);
   command->fragment_helper = agx_scratch_helper(ctx->screen, render->scratch[AGX_HW_FRAGMENT]);
   if (render->scratch[AGX_HW_VERTEX])
      command->flags |= DRM_ASAHI_RENDER_VERTEX_SCRATCH;
   command->bg = programs[0];
   command->eot = command->partial_eot = programs[1];
   command->partial_bg = programs[2];
}

void
agx_render_add_pass(struct agx_context *ctx, const struct agx_framebuffer *fb, struct agx_tile_use begin,
                    struct agx_tile_use end)
{
   struct agx_cr_isp_zls_pixels pixels = {fb->width_px, fb->height_px};

   agx_cs_begin(&ctx->vdm);
   agx_encode_start(ctx);
   agx_cs_end(&ctx->vdm);
   struct drm_asahi_cmd_render *command = &agx_add_command(ctx, true)->render_cmd;

   fill_render(ctx, fb, command);
   agx_cr_isp_zls_pixels_pack(&command->isp_zls_pixels, &pixels);
   command->vdm_ctrl_stream_base = ctx->vdm.start_va;
   command->bg = command->partial_bg = as_bg_eot(begin);
   command->eot = command->partial_eot = as_bg_eot(end);
}

/* ---- begin and end ---- */

/* By draws, what the begin of tiles does not clear: parts of targets. */
static void
clear_part(struct agx_context *ctx, uint32_t attachment, uint32_t aspects, uint32_t views)
{
   const struct pipe_rendering *info = &ctx->graphics.render.info;
   struct pipe_clear_value value = {.depth = info->clear_depth, .stencil = info->clear_stencil};
   struct pipe_clear_rect rect = {info->x,      info->y, info->width,
                                  info->height, 0,       info->view_mask ? 1 : MAX2(info->layers, 1u)};

   if (attachment != UINT32_MAX)
      value.color = info->colors[attachment].clear;
   for (bool more = true; more; more = views) {
      if (info->view_mask)
         rect.base_layer = (uint32_t)__builtin_ctz(views);
      ctx->base.clear_attachment(&ctx->base, attachment, aspects, &value, &rect);
      views = info->view_mask ? views & (views - 1) : 0;
   }
}

static void
clear_parts(struct agx_context *ctx)
{
   const struct pipe_rendering *info = &ctx->graphics.render.info;
   const struct agx_image_view *depth = agx_image_view(info->depth_stencil);
   uint32_t aspects = 0;

   for (unsigned i = 0; i < info->num_colors; i++) {
      if (color_view(info, i) && info->colors[i].load == PIPE_LOAD_CLEAR && color_load(info, i) == PIPE_LOAD)
         clear_part(ctx, i, PIPE_ASPECT_COLOR, info->colors[i].clear_views);
   }
   if (!depth || load_op(info, depth, PIPE_LOAD_CLEAR, info->depth_stencil_clear_views) == PIPE_LOAD_CLEAR)
      return;
   if (ctx->graphics.framebuffer.has_depth && info->depth_load == PIPE_LOAD_CLEAR)
      aspects |= PIPE_ASPECT_DEPTH;
   if (ctx->graphics.framebuffer.has_stencil && info->stencil_load == PIPE_LOAD_CLEAR)
      aspects |= PIPE_ASPECT_STENCIL;
   if (aspects)
      clear_part(ctx, UINT32_MAX, aspects, info->depth_stencil_clear_views);
}

/* ---- targets that the tile buffer does not hold ---- */

static void
clear_spilled(struct agx_context *ctx, unsigned i)
{
   const struct agx_framebuffer *fb = &ctx->graphics.framebuffer;
   const struct pipe_rendering *info = &ctx->graphics.render.info;
   const struct agx_image_view *view = color_view(info, i);
   struct agx_framebuffer one = {.width_px = view->width_px, .height_px = view->height_px, .layers = fb->layers};
   struct agx_plane_view plane = target_plane(view, fb->layers, true);
   struct agx_tile_pass clear = {0}, store = {.texture_count = 1};

   plane.plain = true;
   agx_tile_layout_init(&one.tile, &view->format, 1, fb->tile.samples);
   struct agx_tile_key keys[2] = {key_of(&one), key_of(&one)};

   keys[0].ops[0] = AGX_TILE_CLEAR;
   keys[1].ops[0] = AGX_TILE_STORE;
   clear_words(&one.tile.targets[0].format, &info->colors[i].clear, clear.words);
   agx_plane_pbe(&plane, true, store.textures[0]);
   const struct agx_tile_program *begin = agx_tile_program(ctx->screen, &keys[0]);
   const struct agx_tile_program *end = agx_tile_program(ctx->screen, &keys[1]);

   if (!begin || !end) {
      ctx->failed = true;
      return;
   }
   agx_compute_close(ctx);
   agx_render_add_pass(ctx, &one, agx_tile_use(ctx, begin, clear.words, NULL, 0),
                       agx_tile_use(ctx, end, store.words, store.textures, 1));
}

/* Programs store their pixels one by one, which no compressed image takes. */
static void
decompress_spilled(struct agx_context *ctx, unsigned i)
{
   const struct agx_image_view *view = color_view(&ctx->graphics.render.info, i);
   struct agx_level_box box = {.level = view->base_level,
                               .width = view->width_px,
                               .height = view->height_px,
                               .layer = view->base_layer,
                               .layers = ctx->graphics.framebuffer.layers};

   agx_decompress(ctx, view->image, AGX_PLANE_MAIN, &box, color_load(&ctx->graphics.render.info, i) != PIPE_LOAD);
}

/* Their texture states, and clears of whole ones, ahead of the render. */
static void
prepare_spilled(struct agx_context *ctx)
{
   struct agx_framebuffer *fb = &ctx->graphics.framebuffer;
   const struct pipe_rendering *info = &ctx->graphics.render.info;

   if (!fb->tile.num_spilled)
      return;
   uint32_t(*states)[6] = agx_upload_alloc(ctx, 2 * fb->tile.num_spilled * 24, 16, &fb->spilled_va);

   for (unsigned i = 0; i < fb->tile.num_targets; i++) {
      const struct agx_tile_target *target = &fb->tile.targets[i];

      if (!target->spilled)
         continue;
      struct agx_plane_view plane = target_plane(color_view(info, i), fb->layers, false);

      plane.type = PIPE_VIEW_2D_ARRAY;
      plane.plain = true;
      decompress_spilled(ctx, i);
      agx_plane_texture(&plane, states[target->state]);
      agx_plane_pbe(&plane, false, states[target->state + 1]);
      if (color_load(info, i) == PIPE_LOAD_CLEAR)
         clear_spilled(ctx, i);
   }
}

/* Starts a stream of draws; nothing of the state is known to it. */
static void
open_render(struct agx_context *ctx)
{
   memset(&ctx->graphics.render, 0, sizeof(ctx->graphics.render));
   ctx->graphics.render.open = true;
   ctx->graphics.render.bias_dirty = true;
   ctx->dirty = AGX_ALL_ATOMS;
   agx_cs_begin(&ctx->vdm);
   agx_encode_start(ctx);
}

static void
begin_rendering(struct pipe_context *pipe, const struct pipe_rendering *rendering)
{
   struct agx_context *ctx = agx_context(pipe);

   set_framebuffer(ctx, rendering);
   ctx->graphics.render.info = *rendering;
   prepare_spilled(ctx);
   open_render(ctx);
   ctx->graphics.render.info = *rendering;
   if (!rendering->resuming)
      clear_parts(ctx);
}

/* What targets hold is in memory only after the command: whoever reads them in the same rendering waits for it. */
void
agx_render_split(struct agx_context *ctx)
{
   struct pipe_rendering info = ctx->graphics.render.info;

   if (!ctx->graphics.render.open)
      return;
   if (ctx->graphics.framebuffer.inherited) {
      agx_compute_close(ctx);
      agx_add_segment(ctx);
      agx_encode_start(ctx);
      ctx->dirty = AGX_ALL_ATOMS;
      return;
   }
   agx_cs_end(&ctx->vdm);
   if (!ctx->failed)
      add_render(ctx);
   agx_query_flush(ctx);
   info.resuming = true;
   open_render(ctx);
   ctx->graphics.render.info = info;
}

static void
resolve_all(struct agx_context *ctx, const struct pipe_rendering *info)
{
   for (unsigned i = 0; i < info->num_colors; i++) {
      const struct pipe_attachment *color = &info->colors[i];

      if (color->view && color->resolve)
         agx_resolve_views(ctx, agx_image_view(color->view), agx_image_view(color->resolve), info);
   }
   if (!info->depth_stencil || !info->depth_stencil_resolve)
      return;
   if (info->depth_resolve)
      agx_resolve_plane(ctx, false, info->depth_resolve, info);
   if (info->stencil_resolve)
      agx_resolve_plane(ctx, true, info->stencil_resolve, info);
}

static void
end_rendering(struct pipe_context *pipe)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct pipe_rendering info = ctx->graphics.render.info;

   agx_cs_end(&ctx->vdm);
   if (!ctx->failed)
      add_render(ctx);
   ctx->graphics.render.open = false;
   agx_query_flush(ctx);
   if (!info.suspending && !ctx->failed)
      resolve_all(ctx, &info);
}

void
agx_inherit_rendering(struct agx_context *ctx, const struct pipe_inheritance *inheritance)
{
   struct agx_framebuffer *fb = &ctx->graphics.framebuffer;

   memset(fb, 0, sizeof(*fb));
   memcpy(fb->formats, inheritance->color_formats, sizeof(fb->formats));
   fb->inherited = true;
   fb->empty = !inheritance->depth_format && !inheritance->stencil_format;
   for (unsigned i = 0; i < inheritance->num_colors; i++)
      fb->empty &= !fb->formats[i];
   fb->has_depth = agx_format_of_aspect(inheritance->depth_format, false) != 0;
   fb->has_stencil = agx_format_of_aspect(inheritance->stencil_format, true) != 0;
   fb->depth_format = inheritance->depth_format;
   /* The states of spilled targets are those of whoever executes this. */
   if (!agx_tile_layout_init(&fb->tile, fb->formats, inheritance->num_colors, MAX2(inheritance->samples, 1u)))
      ctx->failed = true;
   agx_upload_alloc(ctx, MAX2(2 * fb->tile.num_spilled * 24, 24u), 16, &fb->spilled_va);
   open_render(ctx);
}

void
agx_init_rendering(struct agx_context *ctx)
{
   ctx->base.begin_rendering = begin_rendering;
   ctx->base.end_rendering = end_rendering;
}

/* Rendering: targets, clears at its start, resolves at its end. */
#include "amd/common/ac_format.h"
#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/resource/si_target.h"
#include "util/macros.h"

void
si_emit_framebuffer(struct si_context *ctx)
{
   const struct si_framebuffer *fb = &ctx->state.framebuffer;
   const struct ac_gpu_info *info = &ctx->screen->info;
   struct si_cs *cs = &ctx->cs;

   if (fb->inherited)
      return;
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
      si_emit_color_target(cs, info, i, i < fb->num_colors && fb->colors[i] ? &fb->colors[i]->color : NULL);
   si_emit_depth_target(cs, info,
                        fb->depth_stencil ? &fb->depth_stencil->depth
                        : fb->htile_va    ? &fb->no_depth
                                          : NULL,
                        fb->htile_va);
   si_emit_rate_image(ctx);
   si_cs_reserve(cs, 4);
   si_context_regs(
      cs,
      {R_PA_SC_WINDOW_SCISSOR_TL, S_PA_SC_WINDOW_SCISSOR_TL_TL_X(fb->x) | S_PA_SC_WINDOW_SCISSOR_TL_TL_Y(fb->y) |
                                     S_PA_SC_WINDOW_SCISSOR_TL_WINDOW_OFFSET_DISABLE(1)},
      {R_PA_SC_WINDOW_SCISSOR_BR, S_PA_SC_WINDOW_SCISSOR_BR_BR_X(MIN2(fb->x + fb->width_px, 16384u)) |
                                     S_PA_SC_WINDOW_SCISSOR_BR_BR_Y(MIN2(fb->y + fb->height_px, 16384u))});
}

#define TARGET_ATOMS (1u << SI_ATOM_FRAMEBUFFER | 1u << SI_ATOM_BLEND | 1u << SI_ATOM_COLOR_CONTROL | \
                      1u << SI_ATOM_DEPTH_STENCIL | 1u << SI_ATOM_DEPTH_BIAS | 1u << SI_ATOM_ORDER | \
                      1u << SI_ATOM_SHADING_RATE)

void
si_inherit_rendering(struct si_context *ctx, const struct pipe_inheritance *inheritance)
{
   struct si_framebuffer *fb = &ctx->state.framebuffer;

   *fb = (struct si_framebuffer){.inherited = true, .num_colors = inheritance->num_colors};
   fb->samples = MAX2(inheritance->samples, 1);
   for (unsigned i = 0; i < inheritance->num_colors; i++) {
      struct ac_color_format color;

      if (!inheritance->color_formats[i] || !ac_format_color(inheritance->color_formats[i], &color))
         continue;
      fb->color_mask |= 0xfu << (4 * i);
      fb->export_formats[i] = color.export_format;
   }
   fb->has_depth = ac_format_depth(inheritance->depth_format) != 0;
   fb->has_stencil = ac_format_has_stencil(inheritance->stencil_format);
   fb->depth_offset_format = si_depth_offset_format(inheritance->depth_format);
   ctx->dirty |= TARGET_ATOMS;
}

static void
set_framebuffer(struct si_context *ctx, const struct pipe_rendering *rendering)
{
   struct si_framebuffer *fb = &ctx->state.framebuffer;
   const struct si_image_view *depth = si_image_view(rendering->depth_stencil);

   *fb = (struct si_framebuffer){.x = rendering->x,
                                 .y = rendering->y,
                                 .width_px = rendering->width,
                                 .height_px = rendering->height,
                                 .layers = rendering->layers,
                                 .num_colors = rendering->num_colors,
                                 .depth_stencil = depth};
   for (unsigned i = 0; i < rendering->num_colors; i++) {
      const struct si_image_view *view = si_image_view(rendering->colors[i].view);

      if (!view || !view->has_color)
         continue;
      fb->colors[i] = view;
      fb->color_mask |= 0xfu << (4 * i);
   }
   if (depth) {
      fb->has_depth = depth->has_depth && !rendering->no_depth;
      fb->has_stencil = depth->has_stencil && !rendering->no_stencil;
      fb->depth_offset_format = depth->depth.offset_format;
   }
   ctx->dirty |= TARGET_ATOMS;
}

/* Clears the render area of all layers, or of the views. attachment: as in clear_attachment. */
static void
clear_all(struct si_context *ctx, uint32_t attachment, uint32_t aspects, uint32_t views)
{
   const struct pipe_rendering *rendering = &ctx->rendering;
   struct pipe_clear_value value = {.depth = rendering->clear_depth, .stencil = rendering->clear_stencil};
   struct pipe_clear_rect rect = {rendering->x,
                                  rendering->y,
                                  rendering->width,
                                  rendering->height,
                                  0,
                                  rendering->view_mask ? 1 : MAX2(rendering->layers, 1)};

   if (attachment != UINT32_MAX)
      value.color = rendering->colors[attachment].clear;
   for (bool more = true; more; more = views) {
      if (rendering->view_mask)
         rect.base_layer = (uint32_t)__builtin_ctz(views);
      ctx->base.clear_attachment(&ctx->base, attachment, aspects, &value, &rect);
      views &= views - 1;
   }
}

static void
begin_rendering(struct pipe_context *pipe, const struct pipe_rendering *rendering)
{
   struct si_context *ctx = si_context(pipe);
   const uint32_t predicate = ctx->predicate;
   uint32_t aspects = 0;

   set_framebuffer(ctx, rendering);
   if (rendering->shading_rate)
      si_set_rates(ctx, si_image_view(rendering->shading_rate));
   ctx->rendering = *rendering;
   ctx->in_rendering = true;
   if (rendering->resuming)
      return;
   ctx->predicate = 0;
   for (unsigned i = 0; i < rendering->num_colors; i++) {
      if (ctx->state.framebuffer.colors[i] && rendering->colors[i].load == PIPE_LOAD_CLEAR)
         clear_all(ctx, i, PIPE_ASPECT_COLOR, rendering->colors[i].clear_views);
   }
   if (ctx->state.framebuffer.has_depth && rendering->depth_load == PIPE_LOAD_CLEAR)
      aspects |= PIPE_ASPECT_DEPTH;
   if (ctx->state.framebuffer.has_stencil && rendering->stencil_load == PIPE_LOAD_CLEAR)
      aspects |= PIPE_ASPECT_STENCIL;
   if (aspects)
      clear_all(ctx, UINT32_MAX, aspects, rendering->depth_stencil_clear_views);
   ctx->predicate = predicate;
}

static bool
has_resolves(const struct pipe_rendering *rendering)
{
   bool any = rendering->depth_stencil && rendering->depth_stencil_resolve;

   for (unsigned i = 0; i < rendering->num_colors; i++)
      any |= rendering->colors[i].view && rendering->colors[i].resolve;
   return any && !rendering->suspending;
}

static void
end_rendering(struct pipe_context *pipe)
{
   struct si_context *ctx = si_context(pipe);
   const struct pipe_rendering *rendering = &ctx->rendering;

   ctx->in_rendering = false;
   if (!has_resolves(rendering))
      return;
   si_flush_graphics(ctx);
   si_invalidate_caches(ctx);
   for (unsigned i = 0; i < rendering->num_colors; i++) {
      const struct pipe_attachment *color = &rendering->colors[i];

      if (color->view && color->resolve)
         si_meta_resolve_views(ctx, si_image_view(color->view), si_image_view(color->resolve), rendering);
   }
   if (rendering->depth_stencil && rendering->depth_stencil_resolve) {
      if (rendering->depth_resolve)
         si_meta_resolve_plane(ctx, SI_PLANE_MAIN, rendering->depth_resolve, rendering);
      if (rendering->stencil_resolve)
         si_meta_resolve_plane(ctx, SI_PLANE_STENCIL, rendering->stencil_resolve, rendering);
   }
   /* Resolves count as colour output: whoever waits for that waits for graphics only. */
   si_wait_compute(ctx);
   si_invalidate_caches(ctx);
}

void
si_init_rendering(struct si_context *ctx)
{
   ctx->base.begin_rendering = begin_rendering;
   ctx->base.end_rendering = end_rendering;
}

/* Viewports and scissors. */
#include "gallium/drivers/radeonsi/si_context.h"
#include "util/macros.h"

/* Largest coordinate before clipping is needed, in pixels from the origin: 15 bits before the point of the
 * rasteriser. */
#define GUARD_BAND_PX 32767.0f

struct transform {
   float scale[3], offset[3];
};

static struct transform
transform_of(const struct pipe_viewport *viewport)
{
   return (struct transform){
      .scale = {viewport->width / 2, viewport->height / 2, viewport->max_depth - viewport->min_depth},
      .offset = {viewport->x + viewport->width / 2, viewport->y + viewport->height / 2, viewport->min_depth},
   };
}

/* By how much a triangle may leave a viewport before it is clipped, in half extents of the viewport. */
static float
guard_band(float scale, float offset)
{
   float extent = MAX2(__builtin_fabsf(scale), 0.5f);

   return MAX2((GUARD_BAND_PX - __builtin_fabsf(offset)) / extent, 1.0f);
}

static void
emit_guard_band(struct si_context *ctx)
{
   struct si_cs *cs = &ctx->cs;
   float horizontal = GUARD_BAND_PX, vertical = GUARD_BAND_PX;
   /* Wide lines and points are discarded only when their whole width is outside. */
   float discard = 1.0f;

   for (unsigned i = 0; i < ctx->state.gfx->viewports.count; i++) {
      struct transform t = transform_of(&ctx->state.gfx->viewports.of[i]);

      horizontal = MIN2(horizontal, guard_band(t.scale[0], t.offset[0]));
      vertical = MIN2(vertical, guard_band(t.scale[1], t.offset[1]));
   }
   if (si_raster_topology(ctx) <= PIPE_LINE_STRIP)
      discard = MIN2(horizontal, vertical);
   si_cs_reserve(cs, 6);
   si_context_regs(
      cs, {R_PA_CL_GB_VERT_CLIP_ADJ, float_bits(vertical)}, {R_PA_CL_GB_VERT_DISC_ADJ, float_bits(discard)},
      {R_PA_CL_GB_HORZ_CLIP_ADJ, float_bits(horizontal)}, {R_PA_CL_GB_HORZ_DISC_ADJ, float_bits(discard)});
}

struct range {
   float min, max;
};

/* To what depths are clamped, if they are (si_render_override()). */
static struct range
depth_range(const struct pipe_graphics_state *gfx, unsigned viewport)
{
   const struct pipe_viewport *v = &gfx->viewports.of[viewport];

   if (!gfx->depth_clamp)
      return (struct range){0, 1};
   if (gfx->depth_clamp_range.is_set)
      return (struct range){gfx->depth_clamp_range.min, gfx->depth_clamp_range.max};
   return (struct range){MIN2(v->min_depth, v->max_depth), MAX2(v->min_depth, v->max_depth)};
}

void
si_emit_viewports(struct si_context *ctx)
{
   struct si_cs *cs = &ctx->cs;
   unsigned count = ctx->state.gfx->viewports.count;

   if (!count)
      return;
   emit_guard_band(ctx);
   si_cs_reserve(cs, 2 + 6 * count + 2 + 2 * count);
   si_cs_context_regs(cs, R_PA_CL_VPORT_XSCALE, 6 * count);
   for (unsigned i = 0; i < count; i++) {
      struct transform t = transform_of(&ctx->state.gfx->viewports.of[i]);

      if (ctx->state.gfx->depth_from_minus_one) {
         t.scale[2] /= 2;
         t.offset[2] += t.scale[2];
      }
      si_values(cs, {R_PA_CL_VPORT_XSCALE, float_bits(t.scale[0])}, {R_PA_CL_VPORT_XOFFSET, float_bits(t.offset[0])},
                {R_PA_CL_VPORT_YSCALE, float_bits(t.scale[1])}, {R_PA_CL_VPORT_YOFFSET, float_bits(t.offset[1])},
                {R_PA_CL_VPORT_ZSCALE, float_bits(t.scale[2])}, {R_PA_CL_VPORT_ZOFFSET, float_bits(t.offset[2])});
   }
   si_cs_context_regs(cs, R_PA_SC_VPORT_ZMIN_0, 2 * count);
   for (unsigned i = 0; i < count; i++) {
      const struct range depth = depth_range(ctx->state.gfx, i);

      si_values(cs, {R_PA_SC_VPORT_ZMIN_0, float_bits(depth.min)}, {R_PA_SC_VPORT_ZMAX_0, float_bits(depth.max)});
   }
}

/* Pixels of the axis that a viewport can touch. */
static void
clamp_axis(float origin, float extent, int32_t *low, int32_t *high)
{
   float first = MIN2(origin, origin + extent), last = MAX2(origin, origin + extent);

   *low = MAX2(*low, (int32_t)MAX2(first, 0.0f));
   *high = MIN2(*high, (int32_t)__builtin_ceilf(MIN2(last, 16384.0f)));
}

/* The scissor and the viewport's rectangle: primitives in the guard band must not draw outside. */
void
si_emit_scissors(struct si_context *ctx)
{
   struct si_cs *cs = &ctx->cs;
   unsigned count = MIN2(ctx->state.gfx->scissors.count, ctx->state.gfx->viewports.count);

   if (!count && ctx->screen->info.rolls_lose_scissors)
      count = 1; /* of nothing: what is discarded has none */
   if (!count)
      return;
   si_cs_reserve(cs, 2 + 2 * count);
   si_cs_context_regs(cs, R_PA_SC_VPORT_SCISSOR_0_TL, 2 * count);
   for (unsigned i = 0; i < count; i++) {
      const struct pipe_scissor *s = &ctx->state.gfx->scissors.of[i];
      const struct pipe_viewport *v = &ctx->state.gfx->viewports.of[i];
      int32_t left = MIN2(s->x, 16384), top = MIN2(s->y, 16384);
      int32_t right = (int32_t)MIN2((int64_t)s->x + s->width, 16384),
              bottom = (int32_t)MIN2((int64_t)s->y + s->height, 16384);

      clamp_axis(v->x, v->width, &left, &right);
      clamp_axis(v->y, v->height, &top, &bottom);
      right = MAX2(right, left);
      bottom = MAX2(bottom, top);
      si_values(cs,
                {R_PA_SC_VPORT_SCISSOR_0_TL, S_PA_SC_VPORT_SCISSOR_0_TL_TL_X(left) |
                                                S_PA_SC_VPORT_SCISSOR_0_TL_TL_Y(top) |
                                                S_PA_SC_VPORT_SCISSOR_0_TL_WINDOW_OFFSET_DISABLE(1)},
                {R_PA_SC_VPORT_SCISSOR_0_BR,
                 S_PA_SC_VPORT_SCISSOR_0_BR_BR_X(right) | S_PA_SC_VPORT_SCISSOR_0_BR_BR_Y(bottom)});
   }
}

/* PA_SC_CLIPRECT_RULE: for each set of the four rectangles, whether pixels in just these are drawn. */
static uint32_t
rectangle_rule(unsigned count, bool discard_inside)
{
   uint32_t rule = 0;

   for (unsigned set = 0; set < 16; set++)
      rule |= (uint32_t)((set & bit_mask(count)) ? !discard_inside : discard_inside) << set;
   return count ? rule : 0xffff;
}

void
si_emit_discard_rectangles(struct si_context *ctx)
{
   const struct pipe_graphics_state *gfx = ctx->state.gfx;
   const struct pipe_discard_rectangles *rectangles = &gfx->discard_rectangles;
   const unsigned count = MIN2(gfx->discard_rectangles_used, rectangles->count);
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 3 + 2 + 2 * PIPE_MAX_DISCARD_RECTANGLES);
   si_cs_context_reg(cs, R_PA_SC_CLIPRECT_RULE, rectangle_rule(count, gfx->discard_inside));
   if (!count)
      return;
   si_cs_context_regs(cs, R_PA_SC_CLIPRECT_0_TL, 2 * count);
   for (unsigned i = 0; i < count; i++) {
      const struct pipe_scissor *r = &rectangles->of[i];
      const int64_t right = MIN2((int64_t)r->x + r->width, 16384), bottom = MIN2((int64_t)r->y + r->height, 16384);

      si_cs_emit(cs, S_PA_SC_CLIPRECT_0_TL_TL_X((uint32_t)MIN2(r->x, 16384)) |
                        S_PA_SC_CLIPRECT_0_TL_TL_Y((uint32_t)MIN2(r->y, 16384)));
      si_cs_emit(cs, S_PA_SC_CLIPRECT_0_BR_BR_X((uint32_t)right) | S_PA_SC_CLIPRECT_0_BR_BR_Y((uint32_t)bottom));
   }
}

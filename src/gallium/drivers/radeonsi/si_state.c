/* Binding of state objects and dynamic state: remembers and marks dirty. */
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_state.h"
#include "util/macros.h"
#include "util/mutant.h"

static void
bind_blend(struct pipe_context *pipe, struct pipe_blend *blend)
{
   if (si_context(pipe)->state.blend == si_blend(blend))
      return;
   si_context(pipe)->state.blend = si_blend(blend);
   si_mark_dirty(si_context(pipe), SI_ATOM_BLEND);
   if (!mutant("order-old-blend"))
      si_mark_dirty(si_context(pipe), SI_ATOM_ORDER);
}

static void
bind_depth_stencil(struct pipe_context *pipe, struct pipe_depth_stencil *depth_stencil)
{
   if (si_context(pipe)->state.depth_stencil == si_depth_stencil(depth_stencil))
      return;
   si_context(pipe)->state.depth_stencil = si_depth_stencil(depth_stencil);
   si_mark_dirty(si_context(pipe), SI_ATOM_DEPTH_STENCIL);
   if (!mutant("order-old-tests"))
      si_mark_dirty(si_context(pipe), SI_ATOM_ORDER);
}

static void
bind_rasterizer(struct pipe_context *pipe, struct pipe_rasterizer *rasterizer)
{
   if (si_context(pipe)->state.rasterizer == si_rasterizer(rasterizer))
      return;
   si_context(pipe)->state.rasterizer = si_rasterizer(rasterizer);
   si_mark_dirty(si_context(pipe), SI_ATOM_RASTERIZER);
   si_mark_dirty(si_context(pipe), SI_ATOM_MSAA);
   si_mark_dirty(si_context(pipe), SI_ATOM_OCCLUSION);
   si_mark_dirty(si_context(pipe), SI_ATOM_ORDER);
}

static void
set_topology(struct pipe_context *pipe, enum pipe_topology topology, bool primitive_restart)
{
   struct si_context *ctx = si_context(pipe);

   if (ctx->state.topology == topology && ctx->state.primitive_restart == primitive_restart)
      return;
   ctx->state.topology = topology;
   ctx->state.primitive_restart = primitive_restart;
   si_mark_dirty(ctx, SI_ATOM_TOPOLOGY);
   si_mark_dirty(ctx, SI_ATOM_VIEWPORTS); /* the guard band */
}

static void
set_shading_rate(struct pipe_context *pipe, const struct pipe_shading_rate *rate)
{
   si_context(pipe)->state.shading_rate = *rate;
   si_mark_dirty(si_context(pipe), SI_ATOM_SHADING_RATE);
}

static void
set_viewports(struct pipe_context *pipe, unsigned first, unsigned count, const struct pipe_viewport *viewports)
{
   struct si_context *ctx = si_context(pipe);

   memcpy(ctx->state.viewports + first, viewports, count * sizeof(*viewports));
   ctx->state.num_viewports = MAX2(ctx->state.num_viewports, first + count);
   si_mark_dirty(ctx, SI_ATOM_VIEWPORTS);
   si_mark_dirty(ctx, SI_ATOM_SCISSORS);
}

static void
set_scissors(struct pipe_context *pipe, unsigned first, unsigned count, const struct pipe_scissor *scissors)
{
   struct si_context *ctx = si_context(pipe);

   memcpy(ctx->state.scissors + first, scissors, count * sizeof(*scissors));
   ctx->state.num_scissors = MAX2(ctx->state.num_scissors, first + count);
   si_mark_dirty(ctx, SI_ATOM_SCISSORS);
}

static void
set_blend_constants(struct pipe_context *pipe, const float rgba[4])
{
   memcpy(si_context(pipe)->state.blend_constants, rgba, 4 * sizeof(float));
   si_mark_dirty(si_context(pipe), SI_ATOM_BLEND_CONSTANTS);
}

static void
set_depth_bias(struct pipe_context *pipe, float constant, float clamp, float slope)
{
   struct si_context *ctx = si_context(pipe);

   ctx->state.depth_bias_constant = constant;
   ctx->state.depth_bias_clamp = clamp;
   ctx->state.depth_bias_slope = slope;
   si_mark_dirty(ctx, SI_ATOM_DEPTH_BIAS);
}

static void
set_depth_bounds(struct pipe_context *pipe, float min, float max)
{
   si_context(pipe)->state.depth_bounds[0] = min;
   si_context(pipe)->state.depth_bounds[1] = max;
   si_mark_dirty(si_context(pipe), SI_ATOM_DEPTH_BOUNDS);
}

static void
set_line_width(struct pipe_context *pipe, float width_px)
{
   si_context(pipe)->state.line_width_px = width_px;
   si_mark_dirty(si_context(pipe), SI_ATOM_LINE_WIDTH);
}

static void
set_faces(struct si_context *ctx, uint8_t values[2], unsigned faces, uint8_t value)
{
   for (unsigned face = 0; face < 2; face++) {
      if (faces >> face & 1)
         values[face] = value;
   }
   si_mark_dirty(ctx, SI_ATOM_STENCIL_REFERENCE);
   if (!mutant("order-old-stencil"))
      si_mark_dirty(ctx, SI_ATOM_ORDER);
}

static void
set_stencil_compare_mask(struct pipe_context *pipe, unsigned faces, uint8_t mask)
{
   set_faces(si_context(pipe), si_context(pipe)->state.stencil_compare_mask, faces, mask);
}

static void
set_stencil_write_mask(struct pipe_context *pipe, unsigned faces, uint8_t mask)
{
   set_faces(si_context(pipe), si_context(pipe)->state.stencil_write_mask, faces, mask);
}

static void
set_stencil_reference(struct pipe_context *pipe, unsigned faces, uint8_t reference)
{
   set_faces(si_context(pipe), si_context(pipe)->state.stencil_reference, faces, reference);
}

void
si_init_state(struct si_context *ctx)
{
   ctx->base.bind_blend = bind_blend;
   ctx->base.bind_depth_stencil = bind_depth_stencil;
   ctx->base.bind_rasterizer = bind_rasterizer;
   ctx->base.set_topology = set_topology;
   ctx->base.set_shading_rate = set_shading_rate;
   ctx->base.set_viewports = set_viewports;
   ctx->base.set_scissors = set_scissors;
   ctx->base.set_blend_constants = set_blend_constants;
   ctx->base.set_depth_bias = set_depth_bias;
   ctx->base.set_depth_bounds = set_depth_bounds;
   ctx->base.set_line_width = set_line_width;
   ctx->base.set_stencil_compare_mask = set_stencil_compare_mask;
   ctx->base.set_stencil_write_mask = set_stencil_write_mask;
   ctx->base.set_stencil_reference = set_stencil_reference;
}

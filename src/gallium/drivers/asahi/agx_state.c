/* Binding of state objects and dynamic state: remembers and marks dirty. */
#include "gallium/drivers/asahi/agx_state.h"

#include <string.h>

#include "gallium/drivers/asahi/agx_context.h"

static void
bind_blend(struct pipe_context *pipe, struct pipe_blend *blend)
{
   /* The program has it. */
}

static void
bind_depth_stencil(struct pipe_context *pipe, struct pipe_depth_stencil *depth_stencil)
{
   struct agx_context *ctx = agx_context(pipe);

   if (ctx->graphics.depth_stencil == agx_depth_stencil(depth_stencil))
      return;
   ctx->graphics.depth_stencil = agx_depth_stencil(depth_stencil);
   ctx->dirty |= AGX_FACE_ATOMS | AGX_STENCIL_ATOMS | AGX_BIT(FRAGMENT_CONTROL);
}

static void
bind_rasterizer(struct pipe_context *pipe, struct pipe_rasterizer *rasterizer)
{
   struct agx_context *ctx = agx_context(pipe);

   if (ctx->graphics.rasterizer == agx_rasterizer(rasterizer))
      return;
   ctx->graphics.rasterizer = agx_rasterizer(rasterizer);
   uint32_t *front_ccw = &ctx->graphics.stage_words[AGX_GRAPHICS_FRONT_CCW];

   if (*front_ccw != ctx->graphics.rasterizer->front_ccw)
      ctx->dirty |= AGX_BIT(STAGE_TABLE);
   *front_ccw = ctx->graphics.rasterizer->front_ccw;
   ctx->dirty |= AGX_FACE_ATOMS | AGX_BIT(FRAGMENT_CONTROL) | AGX_BIT(CULL) | AGX_BIT(CULL_2) |
                 AGX_BIT(DEPTH_BIAS_SCISSOR) | AGX_BIT(VERTEX_SHADER);
   ctx->graphics.render.bias_dirty = true;
}

static void
set_topology(struct pipe_context *pipe, enum pipe_topology topology, bool primitive_restart)
{
   static const enum agx_primitive primitives[] = {
      [PIPE_POINT_LIST] = AGX_PRIMITIVE_POINTS,
      [PIPE_LINE_LIST] = AGX_PRIMITIVE_LINES,
      [PIPE_LINE_STRIP] = AGX_PRIMITIVE_LINE_STRIP,
      [PIPE_TRIANGLE_LIST] = AGX_PRIMITIVE_TRIANGLES,
      [PIPE_TRIANGLE_STRIP] = AGX_PRIMITIVE_TRIANGLE_STRIP,
      [PIPE_TRIANGLE_FAN] = AGX_PRIMITIVE_TRIANGLE_FAN,
   };
   struct agx_context *ctx = agx_context(pipe);
   struct agx_vdm_index_list list = {
      .primitive = primitives[topology],
      .index_count_present = true,
      .instance_count_present = true,
      .start_present = true,
   };

   if (primitive_restart && !ctx->graphics.primitive_restart)
      ctx->dirty |= AGX_BIT(VERTEX_SHADER); /* has the restart index */
   ctx->graphics.topology = topology;
   ctx->graphics.primitive_restart = primitive_restart;
   agx_vdm_index_list_pack(&ctx->graphics.index_list, &list);
}

static void
set_blend_constants(struct pipe_context *pipe, const float rgba[4])
{
   struct agx_context *ctx = agx_context(pipe);

   memcpy(ctx->graphics.stage_words + AGX_GRAPHICS_BLEND_CONSTANTS, rgba, 4 * sizeof(float));
   ctx->dirty |= AGX_BIT(STAGE_TABLE);
}

static void
set_depth_bias(struct pipe_context *pipe, float constant, float clamp, float slope)
{
   struct agx_context *ctx = agx_context(pipe);

   ctx->graphics.depth_bias_constant = constant;
   ctx->graphics.depth_bias_clamp = clamp;
   ctx->graphics.depth_bias_slope = slope;
   ctx->graphics.render.bias_dirty = true;
   ctx->dirty |= AGX_BIT(DEPTH_BIAS_SCISSOR);
}

static void
set_depth_bounds(struct pipe_context *pipe, float min, float max)
{
   /* caps.depth_bounds is false. */
}

static void
set_line_width(struct pipe_context *pipe, float width_px)
{
   agx_context(pipe)->graphics.line_width_px = width_px;
   agx_context(pipe)->dirty |= AGX_FACE_ATOMS;
}

static void
set_faces(uint8_t values[2], unsigned faces, uint8_t value)
{
   for (unsigned face = 0; face < 2; face++) {
      if (faces >> face & 1)
         values[face] = value;
   }
}

static void
set_stencil_compare_mask(struct pipe_context *pipe, unsigned faces, uint8_t mask)
{
   set_faces(agx_context(pipe)->graphics.stencil_compare_mask, faces, mask);
   agx_context(pipe)->dirty |= AGX_STENCIL_ATOMS;
}

static void
set_stencil_write_mask(struct pipe_context *pipe, unsigned faces, uint8_t mask)
{
   set_faces(agx_context(pipe)->graphics.stencil_write_mask, faces, mask);
   agx_context(pipe)->dirty |= AGX_STENCIL_ATOMS;
}

static void
set_stencil_reference(struct pipe_context *pipe, unsigned faces, uint8_t reference)
{
   set_faces(agx_context(pipe)->graphics.stencil_reference, faces, reference);
   agx_context(pipe)->dirty |= AGX_FACE_ATOMS;
}

void
agx_init_state(struct agx_context *ctx)
{
   ctx->base.bind_blend = bind_blend;
   ctx->base.bind_depth_stencil = bind_depth_stencil;
   ctx->base.bind_rasterizer = bind_rasterizer;
   ctx->base.set_topology = set_topology;
   ctx->base.set_blend_constants = set_blend_constants;
   ctx->base.set_depth_bias = set_depth_bias;
   ctx->base.set_depth_bounds = set_depth_bounds;
   ctx->base.set_line_width = set_line_width;
   ctx->base.set_stencil_compare_mask = set_stencil_compare_mask;
   ctx->base.set_stencil_write_mask = set_stencil_write_mask;
   ctx->base.set_stencil_reference = set_stencil_reference;
}

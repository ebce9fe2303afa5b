/* The state of draws: the words that have what changed are dirty. */
#include "gallium/drivers/asahi/draw/agx_state.h"

#include <string.h>

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "gallium/drivers/asahi/base/agx_msaa.h"

#define POSITIONS (AGX_BIT(STAGE_TABLE) | AGX_BIT(CULL)) /* the render command has them, too: emit_cull() */
#define TESTS (AGX_FACE_ATOMS | AGX_STENCIL_ATOMS | AGX_BIT(FRAGMENT_CONTROL))

/* 0: only programs know it. */
static const uint32_t atoms[PIPE_STATES] = {
   [PIPE_STATE_TOPOLOGY] = AGX_BIT(FRONT_FACE_2) | AGX_BIT(BACK_FACE_2) | AGX_BIT(CULL),
   [PIPE_STATE_PRIMITIVE_RESTART] = AGX_BIT(VERTEX_SHADER), /* has the restart index */
   [PIPE_STATE_VERTEX_STRIDES_B] = AGX_BIT(VERTEX_TABLE),
   [PIPE_STATE_VIEWPORTS] = AGX_VIEWPORT_ATOMS,
   [PIPE_STATE_SCISSORS] = AGX_VIEWPORT_ATOMS,
   [PIPE_STATE_CULL] = AGX_BIT(CULL),
   [PIPE_STATE_FRONT_CCW] = AGX_BIT(CULL) | AGX_BIT(STAGE_TABLE),
   [PIPE_STATE_DISCARD] = AGX_BIT(CULL) | AGX_BIT(CULL_2) | AGX_BIT(VERTEX_SHADER),
   [PIPE_STATE_DEPTH_CLAMP] = AGX_BIT(CULL),
   [PIPE_STATE_DEPTH_CLIP] = AGX_BIT(CULL),
   [PIPE_STATE_POLYGON_MODE] = AGX_FACE_ATOMS,
   [PIPE_STATE_DEPTH_BIAS_ENABLE] = AGX_BIT(FRAGMENT_CONTROL) | AGX_BIT(DEPTH_BIAS_SCISSOR),
   [PIPE_STATE_DEPTH_BIAS] = AGX_BIT(DEPTH_BIAS_SCISSOR),
   [PIPE_STATE_LINE_WIDTH_PX] = AGX_FACE_ATOMS,
   [PIPE_STATE_LINE_MODE] = AGX_BIT(CULL),
   [PIPE_STATE_SAMPLES] = POSITIONS,
   [PIPE_STATE_SAMPLE_LOCATIONS_ENABLE] = POSITIONS,
   [PIPE_STATE_SAMPLE_LOCATIONS] = POSITIONS,
   [PIPE_STATE_DEPTH_TEST] = TESTS,
   [PIPE_STATE_DEPTH_WRITE] = TESTS,
   [PIPE_STATE_DEPTH_COMPARE] = TESTS,
   [PIPE_STATE_STENCIL_TEST] = TESTS,
   [PIPE_STATE_STENCIL] = TESTS,
   [PIPE_STATE_STENCIL_COMPARE_MASK] = AGX_STENCIL_ATOMS,
   [PIPE_STATE_STENCIL_WRITE_MASK] = AGX_STENCIL_ATOMS,
   [PIPE_STATE_STENCIL_REFERENCE] = AGX_FACE_ATOMS,
   [PIPE_STATE_TARGETS] = TESTS,
   [PIPE_STATE_BLEND_CONSTANTS] = AGX_BIT(STAGE_TABLE),
};

static const enum agx_primitive primitives[] = {
   [PIPE_POINT_LIST] = AGX_PRIMITIVE_POINTS,
   [PIPE_LINE_LIST] = AGX_PRIMITIVE_LINES,
   [PIPE_LINE_STRIP] = AGX_PRIMITIVE_LINE_STRIP,
   [PIPE_TRIANGLE_LIST] = AGX_PRIMITIVE_TRIANGLES,
   [PIPE_TRIANGLE_STRIP] = AGX_PRIMITIVE_TRIANGLE_STRIP,
   [PIPE_TRIANGLE_FAN] = AGX_PRIMITIVE_TRIANGLE_FAN,
};

void
agx_set_topology(struct agx_context *ctx, enum pipe_topology topology)
{
   struct agx_vdm_index_list list = {
      .primitive = primitives[pipe_topology_without_neighbours(topology)],
      .index_count_present = true,
      .instance_count_present = true,
      .start_present = true,
   };

   agx_vdm_index_list_pack(&ctx->graphics.index_list, &list);
}

void
agx_find_way(struct agx_context *ctx)
{
   const struct agx_program *program = ctx->programs[PIPE_BIND_GRAPHICS];

   ctx->has_geometry = (program && program->graphics->ahead.corners) || agx_has_neighbours(ctx);
}

/* What is kept in the form that draws need. */
static void
derive(struct agx_context *ctx, uint64_t changed)
{
   const struct pipe_graphics_state *gfx = ctx->graphics.gfx;
   uint32_t *words = ctx->graphics.stage_words;

   if (changed & PIPE_BIT(TOPOLOGY)) {
      agx_set_topology(ctx, gfx->topology);
      agx_find_way(ctx);
   }
   if (changed & (PIPE_BIT(SAMPLES) | PIPE_BIT(SAMPLE_LOCATIONS_ENABLE) | PIPE_BIT(SAMPLE_LOCATIONS)))
      words[AGX_GRAPHICS_POSITIONS] = agx_positions(gfx);
   if (changed & PIPE_BIT(FRONT_CCW))
      words[AGX_GRAPHICS_FRONT_CCW] = gfx->front_ccw;
   if (changed & PIPE_BIT(BLEND_CONSTANTS))
      memcpy(words + AGX_GRAPHICS_BLEND_CONSTANTS, gfx->blend_constants, sizeof(gfx->blend_constants));
   if (changed & (PIPE_BIT(DEPTH_BIAS) | PIPE_BIT(DEPTH_BIAS_ENABLE)))
      ctx->graphics.render.bias_dirty = true;
}

static void
set_graphics_state(struct pipe_context *pipe, const struct pipe_graphics_state *state, uint64_t changed)
{
   struct agx_context *ctx = agx_context(pipe);

   ctx->graphics.gfx = state;
   for (uint64_t left = changed; left; left &= left - 1)
      ctx->dirty |= atoms[__builtin_ctzll(left)];
   derive(ctx, changed);
}

void
agx_init_state(struct agx_context *ctx)
{
   ctx->base.set_graphics_state = set_graphics_state;
}

/* The state of draws: the atoms that emit what changed are dirty. */
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"

#define ATOM(name) (1u << SI_ATOM_##name)
#define TESTS (ATOM(DEPTH_STENCIL) | ATOM(ORDER))
#define STENCIL (ATOM(STENCIL_REFERENCE) | ATOM(ORDER))
#define COLOR (ATOM(BLEND) | ATOM(COLOR_CONTROL) | ATOM(ORDER))

/* 0: only programs know it. */
static const uint32_t atoms[PIPE_STATES] = {
   [PIPE_STATE_TOPOLOGY] = ATOM(TOPOLOGY) | ATOM(VIEWPORTS) /* the guard band */ | ATOM(PROVOKING),
   [PIPE_STATE_PRIMITIVE_RESTART] = ATOM(TOPOLOGY),
   [PIPE_STATE_VERTEX_STRIDES_B] = ATOM(VERTEX_BUFFERS),
   [PIPE_STATE_VIEWPORTS] = ATOM(VIEWPORTS) | ATOM(SCISSORS),
   [PIPE_STATE_SCISSORS] = ATOM(SCISSORS),
   [PIPE_STATE_CULL] = ATOM(RASTERIZER),
   [PIPE_STATE_FRONT_CCW] = ATOM(RASTERIZER),
   [PIPE_STATE_DISCARD] = ATOM(RASTERIZER),
   [PIPE_STATE_PROVOKING_LAST] = ATOM(RASTERIZER) | ATOM(PROVOKING),
   [PIPE_STATE_DEPTH_CLAMP] = ATOM(RASTERIZER),
   [PIPE_STATE_DEPTH_CLIP] = ATOM(RASTERIZER),
   [PIPE_STATE_POLYGON_MODE] = ATOM(RASTERIZER),
   [PIPE_STATE_DEPTH_BIAS_ENABLE] = ATOM(RASTERIZER),
   [PIPE_STATE_RELAXED_ORDER] = ATOM(ORDER),
   [PIPE_STATE_DEPTH_BIAS] = ATOM(DEPTH_BIAS),
   [PIPE_STATE_LINE_WIDTH_PX] = ATOM(LINE_WIDTH),
   [PIPE_STATE_SHADING_RATE] = ATOM(SHADING_RATE),
   [PIPE_STATE_SAMPLES] = ATOM(MSAA) | ATOM(OCCLUSION) | ATOM(ORDER),
   [PIPE_STATE_SAMPLE_MASK] = ATOM(MSAA),
   [PIPE_STATE_SAMPLE_SHADING] = ATOM(MSAA),
   [PIPE_STATE_DEPTH_TEST] = TESTS,
   [PIPE_STATE_DEPTH_WRITE] = TESTS,
   [PIPE_STATE_DEPTH_COMPARE] = TESTS,
   [PIPE_STATE_DEPTH_BOUNDS_TEST] = TESTS,
   [PIPE_STATE_STENCIL_TEST] = TESTS,
   [PIPE_STATE_STENCIL] = TESTS,
   [PIPE_STATE_DEPTH_BOUNDS] = ATOM(DEPTH_BOUNDS),
   [PIPE_STATE_STENCIL_COMPARE_MASK] = STENCIL,
   [PIPE_STATE_STENCIL_WRITE_MASK] = STENCIL,
   [PIPE_STATE_STENCIL_REFERENCE] = STENCIL,
   [PIPE_STATE_BLEND] = ATOM(BLEND_EQUATION), /* dirties ORDER if colours need another one */
   [PIPE_STATE_BLEND_ENABLE] = ATOM(BLEND),   /* the same */
   [PIPE_STATE_COLOR_WRITE_MASK] = COLOR,
   [PIPE_STATE_COLOR_WRITE_OFF] = COLOR,
   [PIPE_STATE_LOGIC_OP_ENABLE] = COLOR,
   [PIPE_STATE_LOGIC_OP] = COLOR,
   [PIPE_STATE_ALPHA_TO_COVERAGE] = ATOM(COLOR_CONTROL), /* programs have it, too */
   [PIPE_STATE_BLEND_CONSTANTS] = ATOM(BLEND_CONSTANTS),
   [PIPE_STATE_TARGETS] = COLOR,
};

static void
set_graphics_state(struct pipe_context *pipe, const struct pipe_graphics_state *state, uint64_t changed)
{
   struct si_context *ctx = si_context(pipe);

   ctx->state.gfx = state;
   for (; changed; changed &= changed - 1)
      ctx->dirty |= si_mutate_atoms(SI_MUTANT_STATE, atoms[__builtin_ctzll(changed)]);
}

void
si_init_state(struct si_context *ctx)
{
   ctx->base.set_graphics_state = set_graphics_state;
}

#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "util/macros.h"

static uint32_t
stencil_op(enum pipe_stencil_op op)
{
   switch (op) {
   case PIPE_STENCIL_KEEP:
      return V_STENCIL_KEEP;
   case PIPE_STENCIL_ZERO:
      return V_STENCIL_ZERO;
   case PIPE_STENCIL_REPLACE:
      return V_STENCIL_REPLACE_TEST;
   case PIPE_STENCIL_INCREMENT_CLAMP:
      return V_STENCIL_ADD_CLAMP;
   case PIPE_STENCIL_DECREMENT_CLAMP:
      return V_STENCIL_SUB_CLAMP;
   case PIPE_STENCIL_INVERT:
      return V_STENCIL_INVERT;
   case PIPE_STENCIL_INCREMENT_WRAP:
      return V_STENCIL_ADD_WRAP;
   case PIPE_STENCIL_DECREMENT_WRAP:
      return V_STENCIL_SUB_WRAP;
   }
   return V_STENCIL_KEEP;
}

static uint32_t
stencil_control(const struct pipe_graphics_state *gfx)
{
   const struct pipe_stencil_face *front = &gfx->stencil[0], *back = &gfx->stencil[1];

   return S_DB_STENCIL_CONTROL_STENCILFAIL(stencil_op(front->fail)) |
          S_DB_STENCIL_CONTROL_STENCILZPASS(stencil_op(front->pass)) |
          S_DB_STENCIL_CONTROL_STENCILZFAIL(stencil_op(front->depth_fail)) |
          S_DB_STENCIL_CONTROL_STENCILFAIL_BF(stencil_op(back->fail)) |
          S_DB_STENCIL_CONTROL_STENCILZPASS_BF(stencil_op(back->pass)) |
          S_DB_STENCIL_CONTROL_STENCILZFAIL_BF(stencil_op(back->depth_fail));
}

/* Tests of planes that the target does not have are off. enum pipe_compare has the numbers of the hardware's
 * comparisons. */
void
si_emit_depth_stencil(struct si_context *ctx)
{
   const struct pipe_graphics_state *gfx = ctx->state.gfx;
   const bool depth = ctx->state.framebuffer.has_depth && !gfx->targets.pass_depth_over, stencil = gfx->stencil_test;
   const bool has_stencil = ctx->state.framebuffer.has_stencil && !gfx->targets.pass_stencil_over;
   uint32_t control = 0;

   if (depth && gfx->depth_test)
      control |= S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(gfx->depth_write);
   if (gfx->depth_test)
      control |= S_DB_DEPTH_CONTROL_ZFUNC(gfx->depth_compare);
   control |= S_DB_DEPTH_CONTROL_DEPTH_BOUNDS_ENABLE(depth && gfx->depth_bounds_test);
   if (stencil)
      control |= S_DB_DEPTH_CONTROL_STENCIL_ENABLE(has_stencil) | S_DB_DEPTH_CONTROL_BACKFACE_ENABLE(1) |
                 S_DB_DEPTH_CONTROL_STENCILFUNC(gfx->stencil[0].compare) |
                 S_DB_DEPTH_CONTROL_STENCILFUNC_BF(gfx->stencil[1].compare);
   si_cs_reserve(&ctx->cs, 6);
   si_cs_context_reg(&ctx->cs, R_DB_DEPTH_CONTROL, control);
   si_cs_context_reg(&ctx->cs, R_DB_STENCIL_CONTROL, stencil ? stencil_control(gfx) : 0);
}

/* The registers of both faces have the same fields. */
static uint32_t
reference_and_masks(const struct pipe_graphics_state *gfx, unsigned face)
{
   return S_DB_STENCILREFMASK_STENCILTESTVAL(gfx->stencil_reference[face]) |
          S_DB_STENCILREFMASK_STENCILMASK(gfx->stencil_compare_mask[face]) |
          S_DB_STENCILREFMASK_STENCILWRITEMASK(gfx->stencil_write_mask[face]) | S_DB_STENCILREFMASK_STENCILOPVAL(1);
}

void
si_emit_stencil_reference(struct si_context *ctx)
{
   si_cs_reserve(&ctx->cs, 4);
   si_context_regs(&ctx->cs, {R_DB_STENCILREFMASK, reference_and_masks(ctx->state.gfx, 0)},
                   {R_DB_STENCILREFMASK_BF, reference_and_masks(ctx->state.gfx, 1)});
}

void
si_emit_depth_bounds(struct si_context *ctx)
{
   si_cs_reserve(&ctx->cs, 4);
   si_context_regs(&ctx->cs, {R_DB_DEPTH_BOUNDS_MIN, float_bits(ctx->state.gfx->depth_bounds.min)},
                   {R_DB_DEPTH_BOUNDS_MAX, float_bits(ctx->state.gfx->depth_bounds.max)});
}

#include <stdlib.h>

#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_state.h"
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

/* enum pipe_compare has the numbers of the hardware's comparisons. */
static struct pipe_depth_stencil *
depth_stencil_create(struct pipe_screen *screen, const struct pipe_depth_stencil_desc *desc)
{
   struct si_depth_stencil *state = calloc(1, sizeof(*state));

   if (!state)
      return NULL;
   if (desc->depth_test)
      state->depth_control |= S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(desc->depth_write) |
                              S_DB_DEPTH_CONTROL_ZFUNC(desc->depth_compare);
   state->depth_control |= S_DB_DEPTH_CONTROL_DEPTH_BOUNDS_ENABLE(desc->depth_bounds_test);
   if (desc->stencil_test) {
      state->depth_control |= S_DB_DEPTH_CONTROL_STENCIL_ENABLE(1) | S_DB_DEPTH_CONTROL_BACKFACE_ENABLE(1) |
                              S_DB_DEPTH_CONTROL_STENCILFUNC(desc->front.compare) |
                              S_DB_DEPTH_CONTROL_STENCILFUNC_BF(desc->back.compare);
      state->stencil_control = S_DB_STENCIL_CONTROL_STENCILFAIL(stencil_op(desc->front.fail)) |
                               S_DB_STENCIL_CONTROL_STENCILZPASS(stencil_op(desc->front.pass)) |
                               S_DB_STENCIL_CONTROL_STENCILZFAIL(stencil_op(desc->front.depth_fail)) |
                               S_DB_STENCIL_CONTROL_STENCILFAIL_BF(stencil_op(desc->back.fail)) |
                               S_DB_STENCIL_CONTROL_STENCILZPASS_BF(stencil_op(desc->back.pass)) |
                               S_DB_STENCIL_CONTROL_STENCILZFAIL_BF(stencil_op(desc->back.depth_fail));
   }
   si_order_init_tests(state, desc, si_screen(screen)->options.assume_no_z_fights);
   return si_depth_stencil_handle(state);
}

static void
depth_stencil_destroy(struct pipe_screen *screen, struct pipe_depth_stencil *state)
{
   free(si_depth_stencil(state));
}

/* Tests of planes that the target does not have are off. */
void
si_emit_depth_stencil(struct si_context *ctx)
{
   uint32_t control = ctx->state.depth_stencil->depth_control;

   if (!ctx->state.framebuffer.has_depth)
      control &=
         C_DB_DEPTH_CONTROL_Z_ENABLE & C_DB_DEPTH_CONTROL_Z_WRITE_ENABLE & C_DB_DEPTH_CONTROL_DEPTH_BOUNDS_ENABLE;
   if (!ctx->state.framebuffer.has_stencil)
      control &= C_DB_DEPTH_CONTROL_STENCIL_ENABLE;
   si_cs_reserve(&ctx->cs, 6);
   si_cs_context_reg(&ctx->cs, R_DB_DEPTH_CONTROL, control);
   si_cs_context_reg(&ctx->cs, R_DB_STENCIL_CONTROL, ctx->state.depth_stencil->stencil_control);
}

void
si_emit_stencil_reference(struct si_context *ctx)
{
   si_cs_reserve(&ctx->cs, 4);
   si_cs_context_regs(&ctx->cs, R_DB_STENCILREFMASK, 2);
   for (unsigned face = 0; face < 2; face++)
      si_cs_emit(&ctx->cs, S_DB_STENCILREFMASK_STENCILTESTVAL(ctx->state.stencil_reference[face]) |
                              S_DB_STENCILREFMASK_STENCILMASK(ctx->state.stencil_compare_mask[face]) |
                              S_DB_STENCILREFMASK_STENCILWRITEMASK(ctx->state.stencil_write_mask[face]) |
                              S_DB_STENCILREFMASK_STENCILOPVAL(1));
}

void
si_emit_depth_bounds(struct si_context *ctx)
{
   si_cs_reserve(&ctx->cs, 4);
   si_cs_context_regs(&ctx->cs, R_DB_DEPTH_BOUNDS_MIN, 2);
   si_cs_emit(&ctx->cs, float_bits(ctx->state.depth_bounds[0]));
   si_cs_emit(&ctx->cs, float_bits(ctx->state.depth_bounds[1]));
}

void
si_init_depth_stencil(struct si_screen *screen)
{
   screen->base.depth_stencil_create = depth_stencil_create;
   screen->base.depth_stencil_destroy = depth_stencil_destroy;
}

/* Variable rate shading: for how many pixels fragment shaders run once. */
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_program.h"
#include "util/macros.h"

/* With a rate of 1x1, which these leave or take. */
static bool
takes_single(enum pipe_rate_op op)
{
   return op == PIPE_RATE_REPLACE || op == PIPE_RATE_MIN;
}

/* What brings no rate stands for 1x1. That is worked out here: the combiners of the hardware are for rates that are
 * there. Modes have the numbers of enum pipe_rate_op: saturated sums of logarithms multiply. Whoever is shaded by
 * sample is shaded at 1x1, whatever came out (SAMPLE_ITER). */
void
si_emit_shading_rate(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const struct si_framebuffer *fb = &ctx->state.framebuffer;
   struct pipe_shading_rate rate = ctx->state.shading_rate;
   bool has_attachment = fb->inherited ? program->rate_attachment : fb->has_rates;
   struct si_cs *cs = &ctx->cs;

   if (!ctx->screen->info.pops->has_vrs)
      return;
   if (!program->coarse)
      rate = (struct pipe_shading_rate){0};
   if (!has_attachment) {
      if (takes_single(rate.with_attachment))
         rate = (struct pipe_shading_rate){0};
      rate.with_attachment = PIPE_RATE_KEEP;
   }
   if (!program->writes_rate) {
      if (takes_single(rate.with_primitive))
         rate.width_log2 = rate.height_log2 = 0;
      rate.with_primitive = PIPE_RATE_KEEP;
   }
   si_cs_reserve(cs, 6);
   si_cs_uconfig_reg(cs, R_GE_VRS_RATE,
                     S_GE_VRS_RATE_RATE_X(rate.width_log2) | S_GE_VRS_RATE_RATE_Y(rate.height_log2));
   si_cs_context_reg(cs, R_PA_CL_VRS_CNTL,
                     S_PA_CL_VRS_CNTL_VERTEX_RATE_COMBINER_MODE(rate.with_primitive) |
                        S_PA_CL_VRS_CNTL_HTILE_RATE_COMBINER_MODE(rate.with_attachment) |
                        S_PA_CL_VRS_CNTL_SAMPLE_ITER_COMBINER_MODE(V_SC_VRS_COMB_MODE_OVERRIDE));
}

/* What a stream has set, and what has to be set again. */
#include "gallium/drivers/radeonsi/si_context.h"
#include "util/mutant.h"

void
si_forget_user_data(struct si_context *ctx, enum pipe_bind_point point)
{
   struct si_descriptors *descriptors = &ctx->descriptors[point];

   descriptors->dirty_sets = descriptors->bound_sets;
   descriptors->dynamic_dirty = descriptors->num_dynamic > 0;
   descriptors->push_dirty = true;
   if (point == PIPE_BIND_GRAPHICS) {
      ctx->dirty |= 1u << SI_ATOM_DESCRIPTORS | 1u << SI_ATOM_PUSH_CONSTANTS | 1u << SI_ATOM_PROVOKING |
                    1u << SI_ATOM_XFB | 1u << SI_ATOM_TESSELLATION;
      ctx->draw_parameters_known = false;
   }
}

void
si_forget_state(struct si_context *ctx)
{
   ctx->dirty = SI_ALL_ATOMS;
   ctx->last_instances = UINT32_MAX;
   if (!mutant("order-old-register"))
      ctx->last_scan_mode = 0;
   ctx->last_blend.known = ctx->last_color_control.known = false;
   ctx->last_blend.rest = 0;
   ctx->compute_program_dirty = true;
   for (unsigned point = 0; point < PIPE_BIND_POINTS; point++)
      si_forget_user_data(ctx, point);
}

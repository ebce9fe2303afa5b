/* Draws of mesh shaders: workgroups instead of vertices. Where these do not start like those of compute shaders, a
 * workgroup is a vertex of a draw without indices. Source: RADV. */
#include "gallium/drivers/radeonsi/draw/si_draw_task.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/macros.h"

/* Room for the draw packet and what is in front of it; false if nothing can be drawn. */
static bool
prepare(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];

   if (!program || !program->mesh || !si_emit_draw_state(ctx))
      return false;
   si_cs_reserve(&ctx->cs, 32);
   if (ctx->last_instances != 1)
      si_packet(&ctx->cs, num_instances, .count = 1);
   ctx->last_instances = 1;
   /* Other programs have their parameters in the same places. */
   ctx->draw_parameters_known = false;
   return true;
}

/* Number of a user data register as packets count it. */
static uint32_t
user_register(const struct si_context *ctx, unsigned sgpr)
{
   return (ctx->programs[PIPE_BIND_GRAPHICS]->last_user_data + 4 * sgpr - AMD_SH_REG_START) / 4;
}

/* What the tasks of the other ring ask for. */
static void
draw_tasks(struct si_context *ctx, const uint32_t groups[3], const struct pipe_indirect_draws *draws)
{
   struct si_cs *cs = &ctx->cs;

   if (!si_run_tasks(ctx, groups, draws))
      return;
   si_cs_reserve(cs, 16);
   uint32_t *packet = cs->cur;

   si_packet(cs, dispatch_taskmesh_gfx, .xyz_dim_reg = user_register(ctx, SI_SGPR_MS_NUM_WORKGROUPS),
             .ring_entry_reg = user_register(ctx, SI_SGPR_MS_RING_ENTRY),
             .xyz_dim_enable = ctx->screen->info.mesh_groups,
             .initiator = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX));
   *packet |= ctx->predicate; /* as the other ring decides */
}

static void
draw_meshes(struct pipe_context *pipe, const uint32_t groups[3])
{
   struct si_context *ctx = si_context(pipe);
   struct si_cs *cs = &ctx->cs;
   const uint32_t source = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX);

   if (!groups[0] || !groups[1] || !groups[2] || !prepare(ctx))
      return;
   if (ctx->programs[PIPE_BIND_GRAPHICS]->task) {
      draw_tasks(ctx, groups, NULL);
      return;
   }
   si_user_data(cs, ms_groups, ctx->programs[PIPE_BIND_GRAPHICS]->last_user_data,
                .num_workgroups = {groups[0], groups[1], groups[2]}, .draw_id = 0);
   uint32_t *packet = cs->cur;

   if (ctx->screen->info.mesh_groups)
      si_packet(cs, dispatch_mesh_direct, .dim_x = groups[0], .dim_y = groups[1], .dim_z = groups[2],
                .initiator = source);
   else
      si_packet(cs, draw_index_auto, .count_el = groups[0] * groups[1] * groups[2], .initiator = source);
   *packet |= ctx->predicate;
}

void
si_draw_meshes_indirect(struct si_context *ctx, const struct pipe_indirect_draws *draws)
{
   struct si_cs *cs = &ctx->cs;
   const uint64_t va = si_resource(draws->buffer)->va + draws->offset_B;
   const uint64_t count_va = draws->count_buffer ? si_resource(draws->count_buffer)->va + draws->count_offset_B : 0;

   if (!draws->max_draws || !prepare(ctx))
      return;
   if (ctx->programs[PIPE_BIND_GRAPHICS]->task) {
      draw_tasks(ctx, NULL, draws);
      return;
   }
   si_packet(cs, set_base, .index = V_BASE_INDEX_INDIRECT_DATA, .address = va);
   uint32_t *packet = cs->cur;

   si_packet(cs, dispatch_mesh_indirect_multi, .xyz_dim_reg = user_register(ctx, SI_SGPR_MS_NUM_WORKGROUPS),
             .draw_index_reg = user_register(ctx, SI_SGPR_MS_DRAW_ID),
             .xyz_dim_enable = ctx->screen->info.mesh_groups, .draw_index_enable = true,
             .count_indirect_enable = draws->count_buffer != NULL, .max_draws = draws->max_draws,
             .count_address = count_va, .stride_B = draws->stride_B,
             .initiator = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX));
   *packet |= ctx->predicate;
}

void
si_init_draw_mesh(struct si_context *ctx)
{
   ctx->base.draw_meshes = draw_meshes;
}

/* Dispatches. */
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/cs/si_queue_scratch.h"
#include "util/macros.h"

static void
emit_program(struct si_context *ctx, const struct si_program *program)
{
   const struct si_scratch *scratch = program->scratch;

   si_pm4_emit(&ctx->cs, &program->regs);
   if (scratch && ctx->ring == AMDGPU_WS_GFX) {
      struct si_pm4 regs = {0};

      si_scratch_compute_registers(ctx->screen, SI_SGPR_CS_SCRATCH_ADDRESS, &regs, scratch->wave_B,
                                   si_scratch_va(scratch, SI_SCRATCH_COMPUTE));
      si_pm4_emit(&ctx->cs, &regs);
   } else if (scratch) {
      ctx->queue_scratch_wave_B = MAX2(ctx->queue_scratch_wave_B, scratch->wave_B);
   }
   ctx->compute_program_dirty = false;
}

bool
si_emit_dispatch_state(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_COMPUTE];

   if (!program || !si_sets_are_bound(ctx, PIPE_BIND_COMPUTE))
      return false;
   if (ctx->compute_program_dirty)
      emit_program(ctx, program);
   si_emit_compute_descriptors(ctx);
   return true;
}

static void
emit_start(struct si_cs *cs, const uint32_t base[3])
{
   si_cs_reserve(cs, 5);
   si_sh_regs(cs, {R_COMPUTE_START_X, base[0]}, {R_COMPUTE_START_Y, base[1]}, {R_COMPUTE_START_Z, base[2]});
}

static void
dispatch(struct pipe_context *pipe, const uint32_t base[3], const uint32_t groups[3])
{
   struct si_context *ctx = si_context(pipe);
   struct si_cs *cs = &ctx->cs;
   bool has_base = base[0] || base[1] || base[2];

   if (!groups[0] || !groups[1] || !groups[2] || !si_emit_dispatch_state(ctx))
      return;
   if (has_base)
      emit_start(cs, base);
   si_cs_reserve(cs, 5 + 5);
   si_user_data(cs, cs_groups, R_COMPUTE_USER_DATA_0, .num_workgroups = {groups[0], groups[1], groups[2]});
   si_emit_condition(ctx, 5);
   /* Where the range ends. */
   uint32_t *packet = cs->cur;
   si_packet(cs, dispatch_direct, .dim_x = base[0] + groups[0], .dim_y = base[1] + groups[1],
             .dim_z = base[2] + groups[2],
             .initiator = si_dispatch_initiator(ctx->programs[PIPE_BIND_COMPUTE], !has_base));
   if (ctx->ring == AMDGPU_WS_GFX)
      *packet |= ctx->predicate;
}

static void
dispatch_indirect(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B)
{
   struct si_context *ctx = si_context(pipe);
   struct si_cs *cs = &ctx->cs;
   uint64_t va = si_resource(buffer)->va + offset_B;
   uint32_t initiator;

   if (!si_emit_dispatch_state(ctx))
      return;
   /* The group counts go into the user data from memory, as the dispatch takes them. */
   for (unsigned i = 0; i < 3; i++) {
      si_cs_reserve(cs, 6);
      si_packet(cs, copy_data, .src_sel = V_COPY_SRC_MEM, .dst_sel = V_COPY_DST_REGISTER, .src = va + 4 * i,
                .dst = (R_COMPUTE_USER_DATA_0 + 4 * (SI_SGPR_CS_NUM_WORKGROUPS + i)) / 4);
   }
   si_cs_reserve(cs, 4 + 3);
   initiator = si_dispatch_initiator(ctx->programs[PIPE_BIND_COMPUTE], true);
   if (ctx->ring == AMDGPU_WS_GFX) {
      si_packet(cs, set_base, .index = V_BASE_INDEX_INDIRECT_DATA, .address = va);
      uint32_t *packet = cs->cur;
      si_packet(cs, dispatch_indirect, .offset_B = 0, .initiator = initiator);
      *packet |= ctx->predicate;
   } else {
      si_emit_condition(ctx, 4);
      si_packet(cs, dispatch_indirect_mec, .address = va, .initiator_mec = initiator);
   }
}

void
si_init_compute(struct si_context *ctx)
{
   ctx->base.dispatch = dispatch;
   ctx->base.dispatch_indirect = dispatch_indirect;
}

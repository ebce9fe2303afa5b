/* Draws of task shaders. A stream of its own, for a compute ring, runs them; the graphics ring takes what they ask
 * for from the rings in memory (si_task.h). Both streams are submitted together and run side by side (a gang). Words
 * in memory order them:
 *
 *    begun   the graphics ring has come to the first draw: what was before this stream is done
 *    ready   the graphics ring has passed so many barriers that tasks may depend on
 *    done    tasks have come so far, and what they wrote is in memory
 *
 * Who waits for the last value of a word sets it to 0 again, so that the streams may run once more. Source: RADV. */
#include "gallium/drivers/radeonsi/draw/si_draw_task.h"

#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/cs/si_queue_scratch.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "util/macros.h"
#include "util/mutant.h"

enum { BEGUN_B = 0, READY_B = 4, DONE_B = 8, WORDS = 3, ROOM_DW = 96 };

/* ---- words ---- */

static void
write_word(struct si_cs *cs, uint64_t va, uint32_t value)
{
   const struct amd_pm4_write_data packet = {.dst_sel = V_WRITE_DATA_DST_MEM, .wr_confirm = true, .address = va};

   cs->cur = amd_pm4_write_data_pack(cs->cur, &packet, 1);
   si_cs_emit(cs, value);
}

static void
wait_word(struct si_cs *cs, uint64_t va, uint32_t value)
{
   si_packet(cs, wait_reg_mem, .function = V_WAIT_GREATER_EQUAL, .mem_space = V_WAIT_SPACE_MEMORY, .address = va,
             .reference = value, .mask = UINT32_MAX, .clocks = 4);
}

/* Once all waves of the compute ring are done, and what they wrote is there. */
static void
release_word(struct si_cs *cs, uint64_t va, uint32_t value)
{
   si_packet(cs, release_mem, .event_type = V_BOTTOM_OF_PIPE_TS, .event_index = V_EVENT_INDEX_END_OF_PIPE,
             .int_sel = V_RELEASE_DATA_AFTER_CONFIRM, .data_sel = V_RELEASE_DATA_32, .address = va, .data = value,
             .gl2_wb = true, .glv_inv = true, .gl1_inv = true, .seq = V_SEQ_FORWARD);
}

/* ---- the stream ---- */

static bool
start(struct si_context *ctx)
{
   struct si_cs *cs = &ctx->task_cs;
   const uint64_t control_va = ctx->screen->task_rings->va;

   if (ctx->tasks.started)
      return true;
   if (!si_cs_begin(cs)) {
      ctx->failed = true;
      return false;
   }
   memset(si_upload_alloc(ctx, WORDS, 1, &ctx->tasks.words_va), 0, 4 * WORDS);
   ctx->tasks.started = ctx->tasks.behind_barrier = true;
   si_cs_reserve(cs, ROOM_DW);
   wait_word(cs, ctx->tasks.words_va + BEGUN_B, 1);
   write_word(cs, ctx->tasks.words_va + BEGUN_B, 0);
   si_sh_regs(cs, {R_COMPUTE_START_X, 0}, {R_COMPUTE_START_Y, 0}, {R_COMPUTE_START_Z, 0});
   si_packet(cs, dispatch_task_state_init, .control_address = control_va);
   si_partial_flush(ctx, V_VS_PARTIAL_FLUSH);
   si_cs_reserve(&ctx->cs, ROOM_DW);
   write_word(&ctx->cs, ctx->tasks.words_va + BEGUN_B, 1);
   si_packet(&ctx->cs, dispatch_task_state_init, .control_address = control_va);
   return true;
}

/* Tasks see what the graphics stream has made ready for them. */
static void
follow_barrier(struct si_context *ctx)
{
   struct si_cs *cs = &ctx->task_cs;

   if (!ctx->tasks.behind_barrier || mutant("tasks-at-once"))
      return;
   ctx->tasks.behind_barrier = false;
   si_write_at_end(ctx, V_BOTTOM_OF_PIPE_TS, V_RELEASE_DATA_32, ctx->tasks.words_va + READY_B, ++ctx->tasks.ready);
   si_cs_reserve(cs, 7 + SI_ACQUIRE_DW);
   wait_word(cs, ctx->tasks.words_va + READY_B, ctx->tasks.ready);
   cs->cur = si_first_acquire(&ctx->screen->info, cs->cur);
}

/* Number of a user SGPR's register as packets count it. */
static uint32_t
user_register(unsigned sgpr)
{
   return (R_COMPUTE_USER_DATA_0 + 4 * sgpr - AMD_SH_REG_START) / 4;
}

static void
run_indirect(struct si_context *ctx, uint32_t initiator, const struct pipe_indirect_draws *draws)
{
   const uint64_t count_va = draws->count_buffer ? si_resource(draws->count_buffer)->va + draws->count_offset_B : 0;
   struct si_cs *cs = &ctx->task_cs;

   si_emit_task_condition(ctx, cs, 1 + AMD_PM4_DISPATCH_TASKMESH_INDIRECT_MULTI_ACE_DW);
   uint32_t *packet = cs->cur;

   si_packet(cs, dispatch_taskmesh_indirect_multi_ace, .address = si_resource(draws->buffer)->va + draws->offset_B,
             .ring_entry_reg = user_register(SI_SGPR_TS_RING_ENTRY), .count_indirect_enable = count_va != 0,
             .draw_index_enable = true, .xyz_dim_enable = true, .draw_index_reg = user_register(SI_SGPR_TS_DRAW_ID),
             .xyz_dim_reg = user_register(SI_SGPR_TS_NUM_WORKGROUPS), .max_draws = draws->max_draws,
             .count_address = count_va, .stride_B = draws->stride_B, .initiator = initiator);
   *packet |= S_PKT3_SHADER_TYPE(1);
}

static void
run_direct(struct si_context *ctx, uint32_t initiator, const uint32_t groups[3])
{
   struct si_cs *cs = &ctx->task_cs;

   si_user_data(cs, ts_groups, R_COMPUTE_USER_DATA_0, .num_workgroups = {groups[0], groups[1], groups[2]},
                .draw_id = 0);
   si_emit_task_condition(ctx, cs, 1 + AMD_PM4_DISPATCH_TASKMESH_DIRECT_ACE_DW);
   uint32_t *packet = cs->cur;

   si_packet(cs, dispatch_taskmesh_direct_ace, .dim_x = groups[0], .dim_y = groups[1], .dim_z = groups[2],
             .initiator = initiator, .ring_entry_reg = user_register(SI_SGPR_TS_RING_ENTRY));
   *packet |= S_PKT3_SHADER_TYPE(1);
}

static void
emit_program(struct si_context *ctx, const struct si_program *task)
{
   const struct si_scratch *scratch = task->scratch;

   si_pm4_emit(&ctx->task_cs, &task->regs);
   if (scratch) {
      struct si_pm4 regs = {0};

      si_scratch_compute_registers(ctx->screen, SI_SGPR_TS_SCRATCH_ADDRESS, &regs, scratch->wave_B,
                                   si_scratch_va(scratch, SI_SCRATCH_TASKS));
      si_pm4_emit(&ctx->task_cs, &regs);
   }
}

bool
si_emit_task_state(struct si_context *ctx)
{
   const struct si_program *task = ctx->programs[PIPE_BIND_GRAPHICS]->task;
   struct si_cs *cs = &ctx->task_cs;

   if (!start(ctx))
      return false;
   follow_barrier(ctx);
   emit_program(ctx, task);
   si_emit_task_descriptors(ctx, cs, task);
   si_cs_reserve(cs, ROOM_DW);
   si_cs_sh_reg(cs, R_COMPUTE_USER_DATA_0 + 4 * SI_SGPR_TS_TASK_RINGS, (uint32_t)ctx->screen->task_rings->va);
   return true;
}

bool
si_run_tasks(struct si_context *ctx, const uint32_t groups[3], const struct pipe_indirect_draws *draws)
{
   const uint32_t initiator = si_dispatch_initiator(ctx->programs[PIPE_BIND_GRAPHICS]->task, false);

   if (!si_emit_task_state(ctx))
      return false;
   if (draws)
      run_indirect(ctx, initiator, draws);
   else
      run_direct(ctx, initiator, groups);
   return true;
}

static void
await_tasks(struct si_context *ctx)
{
   const uint64_t va = ctx->tasks.words_va + DONE_B;

   si_cs_reserve(&ctx->task_cs, ROOM_DW);
   release_word(&ctx->task_cs, va, ++ctx->tasks.done);
   si_cs_reserve(&ctx->cs, ROOM_DW);
   wait_word(&ctx->cs, va, ctx->tasks.done);
}

void
si_barrier_tasks(struct si_context *ctx, bool from_tasks)
{
   if (ctx->tasks.started && from_tasks)
      await_tasks(ctx);
   ctx->tasks.behind_barrier = true;
}

bool
si_end_tasks(struct si_context *ctx)
{
   if (!ctx->tasks.started)
      return true;
   si_cs_reserve(&ctx->task_cs, ROOM_DW);
   write_word(&ctx->task_cs, ctx->tasks.words_va + READY_B, 0);
   await_tasks(ctx);
   write_word(&ctx->cs, ctx->tasks.words_va + DONE_B, 0);
   return si_cs_end(&ctx->task_cs);
}

void
si_execute_tasks(struct si_context *ctx, const struct si_context *secondary)
{
   if (!secondary->tasks.started || !start(ctx))
      return;
   ctx->tasks.behind_barrier = true;
   for (const struct aux_chunk *chunk = secondary->task_cs.first; chunk; chunk = chunk->next) {
      uint32_t *packets = si_cs_append(&ctx->task_cs, chunk);

      if (packets)
         si_pass_task_condition(ctx, packets, chunk->used_B / 4);
   }
}

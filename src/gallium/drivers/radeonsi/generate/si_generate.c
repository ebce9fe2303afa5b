/* Commands that generate packets and that run them. */
#include "gallium/drivers/radeonsi/generate/si_generate.h"
#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/draw/si_draw_task.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/macros.h"
#include "util/mutant.h"

#define MAX_BUFFER_DW 0xffff8u /* what IB_SIZE holds, in whole lines of SI_GENERATED_ALIGN_DW */

/* How memory for so many sequences is cut. */
struct cut {
   struct si_template_size size; /* of a sequence */
   uint32_t part_sequences, num_parts;
   uint32_t part_B, tasks_part_B; /* with the room for a jump */
   uint64_t tasks_B, data_B;      /* where they begin */
   uint64_t size_B;
};

static uint32_t
part_B(uint32_t sequences, uint32_t sequence_dw)
{
   return sequence_dw ? 4 * (sequences * sequence_dw + SI_GENERATED_ALIGN_DW) : 0;
}

static struct cut
cut(const struct pipe_token_layout *layout, const struct si_program *program, uint32_t sequences)
{
   struct cut c = {.size = si_template_size(layout, program)};
   const uint32_t longer_dw = MAX2(c.size.packets_dw, c.size.tasks_dw);

   c.part_sequences = MIN2(sequences, (MAX_BUFFER_DW - SI_GENERATED_ALIGN_DW) / longer_dw);
   c.num_parts = (uint32_t)div_round_up(sequences, c.part_sequences);
   c.part_B = part_B(c.part_sequences, c.size.packets_dw);
   c.tasks_part_B = part_B(c.part_sequences, c.size.tasks_dw);
   c.tasks_B = (uint64_t)c.num_parts * c.part_B;
   c.data_B = c.tasks_B + (uint64_t)c.num_parts * c.tasks_part_B;
   c.size_B = c.data_B + (uint64_t)sequences * c.size.data_dw * 4;
   return c;
}

static uint64_t
generated_size(const struct pipe_token_layout *layout, struct pipe_program *handle, uint32_t max_sequences)
{
   return cut(layout, handle ? si_program(handle) : NULL, max_sequences).size_B;
}

/* ---- generation ---- */

static uint64_t
upload(struct si_context *ctx, const struct si_template *template)
{
   const uint32_t ops_dw = template->num_ops * (sizeof(template->ops[0]) / 4);
   const uint32_t words_dw = template->size.packets_dw + template->size.tasks_dw + template->size.data_dw;
   uint64_t va;
   uint32_t *to = si_upload_alloc(ctx, ops_dw + words_dw, 4, &va);

   memcpy(to, template->ops, 4 * ops_dw);
   memcpy(to + ops_dw, template->words, 4 * words_dw);
   return va;
}

static void
generate_from(struct si_context *ctx, const struct si_context *state, const struct pipe_generated *info)
{
   const struct pipe_token_layout *layout = info->layout;
   const struct cut c = cut(layout, state->programs[layout->point], info->max_sequences);
   struct si_template template;

   if (!si_template_fill(state, info, &template))
      return;
   const struct si_generate_arguments arguments = {
      .stream_va = info->stream_va,
      .count_va = info->count_va,
      .ops_va = upload(ctx, &template),
      .packets_va = info->memory_va,
      .tasks_va = info->memory_va + c.tasks_B,
      .data_va = info->memory_va + c.data_B,
      .set_va = info->set ? si_execution_set(info->set)->bo->va : 0,
      .stream_stride_B = layout->stride_B,
      .max_sequences = info->max_sequences,
      .packets_dw = c.size.packets_dw,
      .tasks_dw = c.size.tasks_dw,
      .data_dw = c.size.data_dw,
      .part_sequences = c.part_sequences,
      .part_B = c.part_B,
      .tasks_part_B = c.tasks_part_B,
      .entry_B = sizeof(struct si_set_entry),
      .num_ops = template.num_ops,
      .nop = PKT3(PKT3_NOP, 1),
      .nop_more = S_PKT3_COUNT(1),
   };

   si_internal_dispatch(ctx, si_program(ctx->screen->generate), &arguments, sizeof(arguments) / 4,
                        (const uint32_t[3]){info->max_sequences, 1, 1});
}

static void
generate(struct pipe_context *pipe, struct pipe_context *state, const struct pipe_generated *info)
{
   generate_from(si_context(pipe), si_context(state), info);
}

/* ---- execution ---- */

/* What was generated is there for whoever fetches packets, and its data for shaders. */
static void
wait_generated(struct si_context *ctx)
{
   if (!mutant("generated-at-once"))
      si_wait_compute(ctx);
   if (mutant("generated-prefetched"))
      return;
   si_invalidate_caches(ctx);
   ctx->tasks.behind_barrier = true;
   if (ctx->ring != AMDGPU_WS_GFX)
      return;
   si_cs_reserve(&ctx->cs, 2);
   si_packet(&ctx->cs, pfp_sync_me, .dummy = 0);
}

/* Room for a jump back, in a stream that writes it behind a part; returns where its SI_JUMP_DW dwords lie there. */
static uint32_t *
write_jump_back(struct si_cs *cs, uint64_t va)
{
   const struct amd_pm4_write_data packet = {.dst_sel = V_WRITE_DATA_DST_MEM, .wr_confirm = true, .address = va};

   si_cs_reserve(cs, 64);
   cs->cur = amd_pm4_write_data_pack(cs->cur, &packet, SI_GENERATED_ALIGN_DW);
   for (unsigned i = 0; i < SI_GENERATED_ALIGN_DW; i++)
      si_cs_emit(cs, PKT3_NOP_PAD);
   return cs->cur - SI_JUMP_DW;
}

/* A compute ring: the stream writes a jump to what follows behind the part, and jumps there. If a condition keeps it
 * from that, it continues at once. cs: the context's, or that of its tasks. */
static void
jump_through(struct si_context *ctx, struct si_cs *cs, uint64_t va, uint32_t size_dw)
{
   uint32_t *back = write_jump_back(cs, va + 4 * (uint64_t)size_dw);

   if (cs == &ctx->task_cs)
      si_emit_task_condition(ctx, cs, SI_JUMP_DW);
   else
      si_emit_condition(ctx, SI_JUMP_DW);
   si_packet_of(cs, PKT3_INDIRECT_BUFFER, indirect_buffer, .base = va, .ib_size = size_dw + SI_GENERATED_ALIGN_DW,
                .chain = true, .valid = true);
   si_cs_split(cs, back);
}

static void
call(struct si_context *ctx, uint64_t va, uint32_t size_dw)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 4);
   uint32_t *packet = cs->cur;
   si_packet_of(cs, PKT3_INDIRECT_BUFFER, indirect_buffer, .base = va, .ib_size = size_dw);
   *packet |= ctx->predicate;
}

static void
run_parts(struct si_context *ctx, const struct pipe_generated *info)
{
   const struct cut c = cut(info->layout, ctx->programs[info->layout->point], info->max_sequences);

   for (uint32_t i = 0; i < c.num_parts; i++) {
      const uint32_t sequences = MIN2(info->max_sequences - i * c.part_sequences, c.part_sequences);
      const uint64_t va = info->memory_va + (uint64_t)i * c.part_B;

      if (c.size.tasks_dw)
         jump_through(ctx, &ctx->task_cs, info->memory_va + c.tasks_B + (uint64_t)i * c.tasks_part_B,
                      sequences * c.size.tasks_dw);
      if (ctx->ring == AMDGPU_WS_GFX)
         call(ctx, va, sequences * c.size.packets_dw);
      else
         jump_through(ctx, &ctx->cs, va, sequences * c.size.packets_dw);
   }
}

/* What sequences may have set. */
static void
forget(struct si_context *ctx, const struct pipe_generated *info)
{
   const enum pipe_bind_point point = info->layout->point;

   ctx->descriptors[point].push_dirty = true;
   if (point == PIPE_BIND_COMPUTE) {
      ctx->compute_program_dirty = true;
      return;
   }
   ctx->dirty |= 1u << SI_ATOM_PUSH_CONSTANTS | 1u << SI_ATOM_VERTEX_BUFFERS | 1u << SI_ATOM_INDEX_TYPE;
   ctx->last_instances = UINT32_MAX;
   ctx->draw_parameters_known = false;
}

static bool
emit_state(struct si_context *ctx, const struct pipe_generated *info)
{
   const struct si_program *program = ctx->programs[info->layout->point];

   if (info->layout->point == PIPE_BIND_GRAPHICS)
      return program && si_emit_draw_state(ctx) && (!program->task || si_emit_task_state(ctx));
   if (info->set && ctx->ring != AMDGPU_WS_GFX)
      ctx->queue_scratch_wave_B = MAX2(ctx->queue_scratch_wave_B, si_execution_set(info->set)->scratch_wave_B);
   return si_emit_dispatch_state(ctx);
}

static void
execute_generated(struct pipe_context *pipe, const struct pipe_generated *info, bool is_generated)
{
   struct si_context *ctx = si_context(pipe);

   if (!is_generated) {
      generate_from(ctx, ctx, info);
      wait_generated(ctx);
   }
   if (!emit_state(ctx, info))
      return;
   run_parts(ctx, info);
   forget(ctx, info);
}

void
si_init_generate(struct si_context *ctx)
{
   ctx->base.generate = generate;
   ctx->base.execute_generated = execute_generated;
}

void
si_init_generated(struct si_screen *screen)
{
   screen->base.generate_prepare = si_generate_prepare;
   screen->base.generated_size = generated_size;
   si_init_execution_set(screen);
   pthread_mutex_init(&screen->generate_lock, NULL);
}

/* Conditional rendering. On graphics rings SET_PREDICATION decides whether packets with the predicate bit run.
 * Compute rings do not have it: there each dispatch follows a COND_EXEC. Source: RADV. */
#include "gallium/drivers/radeonsi/si_context.h"

/* The command processor reads 64 bits on all generations, some also 32. The copy is done before it continues. */
static void
set_predication(struct si_context *ctx, uint64_t va, bool inverted)
{
   struct si_cs *cs = &ctx->cs;
   uint64_t copy_va;

   si_upload_alloc(ctx, 2, 2, &copy_va);
   si_write_data(ctx, copy_va, (const uint32_t[]){0, 0}, 2);
   si_cs_reserve(cs, 6 + 2 + 4);
   si_packet(cs, copy_data, .src_sel = V_COPY_SRC_MEM, .dst_sel = V_COPY_DST_MEM, .wr_confirm = true, .src = va,
             .dst = copy_va);
   si_packet(cs, pfp_sync_me, .dummy = 0);
   si_packet(cs, set_predication, .pred_op = V_PRED_OP_BOOL64, .draw_visible = !inverted, .address = copy_va);
}

/* Writes a word if another one is not 0. */
static void
write_if(struct si_context *ctx, uint64_t va, uint64_t to_va, uint32_t value)
{
   enum { WRITE_DW = 5 };
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 5 + WRITE_DW);
   si_packet(cs, cond_exec, .address = va, .count_dw = WRITE_DW);
   si_write_data(ctx, to_va, &value, 1);
}

/* Of a word that says whether to continue. */
static void
set_condition_word(struct si_context *ctx, uint64_t va, bool inverted)
{
   uint64_t word_va;

   si_upload_alloc(ctx, 1, 1, &word_va);
   si_write_data(ctx, word_va, &(uint32_t){inverted}, 1);
   write_if(ctx, va, word_va, !inverted);
   ctx->condition_va = word_va;
}

static void
begin_conditional(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B, bool inverted)
{
   struct si_context *ctx = si_context(pipe);
   const uint64_t va = si_resource(buffer)->va + offset_B;

   ctx->predicate = S_PKT3_PREDICATE(1);
   if (ctx->ring == AMDGPU_WS_GFX)
      set_predication(ctx, va, inverted);
   else
      set_condition_word(ctx, va, inverted);
}

static void
end_conditional(struct pipe_context *pipe)
{
   struct si_context *ctx = si_context(pipe);

   ctx->predicate = 0;
   ctx->condition_va = 0;
   if (ctx->ring != AMDGPU_WS_GFX)
      return;
   si_cs_reserve(&ctx->cs, 4);
   si_packet(&ctx->cs, set_predication, .pred_op = V_PRED_OP_CLEAR);
}

void
si_emit_condition(struct si_context *ctx, uint32_t packet_dw)
{
   if (!ctx->condition_va)
      return;
   si_cs_reserve(&ctx->cs, 5 + packet_dw);
   si_packet(&ctx->cs, cond_exec, .address = ctx->condition_va, .count_dw = packet_dw);
}

/* Packets with the bit run where nothing is predicated. On compute rings whoever executes this fills the word. */
void
si_inherit_condition(struct si_context *ctx)
{
   ctx->predicate = S_PKT3_PREDICATE(1);
   if (ctx->ring != AMDGPU_WS_GFX)
      si_upload_alloc(ctx, 1, 1, &ctx->condition_va);
}

void
si_pass_condition(struct si_context *ctx, const struct si_context *secondary)
{
   if (!secondary->condition_va)
      return;
   si_write_data(ctx, secondary->condition_va, &(uint32_t){!ctx->condition_va}, 1);
   if (ctx->condition_va)
      write_if(ctx, ctx->condition_va, secondary->condition_va, 1);
}

void
si_init_condition(struct si_context *ctx)
{
   ctx->base.begin_conditional = begin_conditional;
   ctx->base.end_conditional = end_conditional;
}

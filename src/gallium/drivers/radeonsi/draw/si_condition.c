/* Conditional rendering. On graphics rings SET_PREDICATION decides whether packets with the predicate bit run.
 * Compute rings do not have it: there a COND_EXEC decides on each dispatch. Source: RADV. */
#include "gallium/drivers/radeonsi/si_context.h"
#include "util/mutant.h"

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
   /* Tasks decide by the same value, once it is there. */
   ctx->tasks.condition_va = copy_va;
   ctx->tasks.condition_inverted = inverted;
   ctx->tasks.behind_barrier = true;
}

/* ---- compute rings ---- */

/* In front of a dispatch's packet stands a gate of GATE_DW dwords, which reads the condition itself. A word of the
 * stream's would be shared by all queues that the stream runs on.
 *
 *    not inverted   NOP_PAD, COND_EXEC of the packet
 *    inverted       COND_EXEC of the next dword, which is the header of a NOP that has the packet as its payload
 *    none           NOP
 *
 * COND_EXEC skips dwords (Linux: "discard following DWs"; assumed: also if they end within a packet). A secondary
 * does not know the condition: its gates are NOPs with a mark, and whoever executes it fills in the copies. */
enum { COND_EXEC_DW = 5, GATE_DW = COND_EXEC_DW + 1, MARK = 0x65746167 };

static void
put_gate(uint32_t *gate, uint64_t va, bool inverted, uint32_t packet_dw)
{
   const struct amd_pm4_cond_exec exec = {.address = va, .count_dw = inverted ? 1 : packet_dw};

   if (!va) {
      gate[0] = PKT3(PKT3_NOP, GATE_DW - 1);
      gate[1] = 0;
      return;
   }
   if (!inverted)
      *gate++ = PKT3_NOP_PAD;
   gate = amd_pm4_cond_exec_pack(gate, &exec);
   if (inverted)
      *gate = PKT3(PKT3_NOP, packet_dw);
}

static void
put_marked_gate(uint32_t *gate, uint32_t packet_dw)
{
   memset(gate, 0, GATE_DW * 4);
   gate[0] = PKT3(PKT3_NOP, GATE_DW - 1);
   gate[1] = MARK;
   gate[2] = packet_dw;
}

void
si_emit_condition(struct si_context *ctx, uint32_t packet_dw)
{
   struct si_cs *cs = &ctx->cs;

   if (!ctx->condition_va && !ctx->condition_inherited)
      return;
   si_cs_reserve(cs, GATE_DW + packet_dw);
   if (ctx->condition_va)
      put_gate(cs->cur, ctx->condition_va, ctx->condition_inverted, packet_dw);
   else
      put_marked_gate(cs->cur, packet_dw);
   cs->cur += GATE_DW;
}

void
si_emit_task_condition(struct si_context *ctx, struct si_cs *cs, uint32_t packet_dw)
{
   if (!ctx->predicate)
      return;
   si_cs_reserve(cs, GATE_DW + packet_dw);
   if (ctx->tasks.condition_va)
      put_gate(cs->cur, ctx->tasks.condition_va, ctx->tasks.condition_inverted, packet_dw);
   else
      put_marked_gate(cs->cur, packet_dw);
   cs->cur += GATE_DW;
}

static void
fill_gates(uint32_t *packets, unsigned count_dw, uint64_t va, bool inverted)
{
   for (unsigned i = 0; i < count_dw; i += si_packet_dw(packets[i])) {
      if (packets[i] == PKT3(PKT3_NOP, GATE_DW - 1) && packets[i + 1] == MARK)
         put_gate(&packets[i], va, inverted, packets[i + 2]);
   }
}

void
si_pass_task_condition(const struct si_context *ctx, uint32_t *packets, unsigned count_dw)
{
   /* As below. */
   if (!ctx->predicate || ctx->tasks.condition_va)
      fill_gates(packets, count_dw, mutant("tasks-no-inherited") ? 0 : ctx->tasks.condition_va,
                 ctx->tasks.condition_inverted);
}

void
si_pass_condition(const struct si_context *ctx, const struct si_context *secondary, uint32_t *packets,
                  unsigned count_dw)
{
   /* What runs in a secondary with an unknown condition keeps its marks. */
   if (!secondary->condition_inherited || (ctx->condition_inherited && !ctx->condition_va))
      return;
   fill_gates(packets, count_dw, ctx->condition_va, ctx->condition_inverted);
}

/* ---- both ---- */

static void
begin_conditional(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B, bool inverted)
{
   struct si_context *ctx = si_context(pipe);
   const uint64_t va = si_resource(buffer)->va + offset_B;

   ctx->predicate = S_PKT3_PREDICATE(1);
   if (ctx->ring == AMDGPU_WS_GFX) {
      set_predication(ctx, va, inverted);
      return;
   }
   ctx->condition_va = va;
   ctx->condition_inverted = inverted;
}

static void
end_conditional(struct pipe_context *pipe)
{
   struct si_context *ctx = si_context(pipe);

   ctx->predicate = 0;
   ctx->condition_va = ctx->tasks.condition_va = 0;
   if (ctx->ring != AMDGPU_WS_GFX)
      return;
   si_cs_reserve(&ctx->cs, 4);
   si_packet(&ctx->cs, set_predication, .pred_op = V_PRED_OP_CLEAR);
}

/* Packets with the bit run where nothing is predicated. */
void
si_inherit_condition(struct si_context *ctx)
{
   ctx->predicate = S_PKT3_PREDICATE(1);
   ctx->condition_inherited = ctx->ring != AMDGPU_WS_GFX;
}

void
si_init_condition(struct si_context *ctx)
{
   ctx->base.begin_conditional = begin_conditional;
   ctx->base.end_conditional = end_conditional;
}

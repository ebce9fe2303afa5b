/* Reads command streams back: follows jumps, checks packets and registers against the tables, keeps register values.
 */
#include <string.h>

#include "amd/hw/pm4.h"
#include "amd/hw/reg_table.h"
#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/si_context.h"

static void
set_reg(struct replay *r, uint32_t offset_B, uint32_t value)
{
   const struct amd_reg *reg = amd_reg_find(AMD_GFX10_3, offset_B, NULL);

   if (!reg) {
      r->error = "a register that the tables do not have";
      return;
   }
   if (value & amd_reg_unknown_bits(AMD_GFX10_3, reg))
      r->error = reg->name;
   r->regs[offset_B / 4] = value;
   r->written[offset_B / 4] = true;
}

static void
set_regs(struct replay *r, uint32_t base_B, const uint32_t *payload, uint32_t count)
{
   for (uint32_t i = 1; i < count; i++)
      set_reg(r, base_B + ((payload[0] & 0xffff) + i - 1) * 4, payload[i]);
}

static void
add_draw(struct replay *r, uint32_t opcode, const uint32_t *payload, uint32_t count)
{
   struct replay_draw *draw = &r->draws[r->num_draws % REPLAY_MAX_DRAWS];

   r->num_draws++;
   draw->opcode = opcode;
   draw->instances = r->instances;
   memcpy(draw->payload, payload, count * 4);
}

/* Bits without an owner in any dword of the payload. */
static void
check_payload(struct replay *r, uint32_t opcode, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_packet *packet = amd_pm4_find(AMD_GFX10_3, (uint8_t)opcode);
   const struct amd_pm4_form *form = packet ? amd_pm4_form(AMD_GFX10_3, packet, count) : NULL;

   if (!form) {
      r->error = packet ? "a packet of a length that the tables do not have" : "a packet that the tables do not have";
      return;
   }
   for (uint32_t i = 0; i < count; i++) {
      if (payload[i] & amd_reg_unknown_bits(AMD_GFX10_3, amd_pm4_word(form, i)))
         r->error = packet->name;
   }
}

static void
run_packet(struct replay *r, uint32_t opcode, const uint32_t *payload, uint32_t count)
{
   check_payload(r, opcode, payload, count);
   switch (opcode) {
   case PKT3_SET_CONTEXT_REG:
      set_regs(r, AMD_CONTEXT_REG_START, payload, count);
      break;
   case PKT3_SET_SH_REG:
      set_regs(r, AMD_SH_REG_START, payload, count);
      break;
   case PKT3_SET_UCONFIG_REG:
   case PKT3_SET_UCONFIG_REG_INDEX:
      set_regs(r, AMD_UCONFIG_REG_START, payload, count);
      break;
   case PKT3_NUM_INSTANCES:
      r->instances = payload[0];
      break;
   case PKT3_DRAW_INDEX_AUTO:
   case PKT3_DRAW_INDEX_2:
   case PKT3_DRAW_INDIRECT_MULTI:
   case PKT3_DRAW_INDEX_INDIRECT_MULTI:
   case PKT3_DISPATCH_DIRECT:
   case PKT3_DISPATCH_INDIRECT:
      add_draw(r, opcode, payload, count);
      break;
   case PKT3_RELEASE_MEM:
      r->num_flushes++;
      break;
   case PKT3_DMA_DATA:
      r->num_dma++;
      break;
   default: /* others: change nothing that a draw reads */
      break;
   }
}

void
replay_ib(struct replay *r, uint64_t va, uint32_t size_dw)
{
   while (size_dw && !r->error) {
      const uint32_t *ib = fake_memory(va, size_dw * 4ull);
      uint32_t at = 0;

      r->buffers++;
      if (!ib || size_dw % 8) {
         r->error = "a buffer outside memory or of an odd size";
         return;
      }
      va = 0;
      for (; at < size_dw && !r->error; at++) {
         uint32_t header = ib[at], count = G_PKT3_COUNT(header) + 1, opcode = G_PKT3_OPCODE(header);

         if (header == PKT3_NOP_PAD)
            continue;
         if (G_PKT3_TYPE(header) != 3 || at + 1 + count > size_dw) {
            r->error = "not a packet";
            return;
         }
         if (opcode == PKT3_INDIRECT_BUFFER) {
            if (at + 1 + count != size_dw)
               r->error = "packets after a jump";
            va = (uint64_t)ib[at + 2] << 32 | ib[at + 1];
            size_dw = G_INDIRECT_BUFFER_CONTROL_IB_SIZE(ib[at + 3]);
            break;
         }
         r->packets++;
         run_packet(r, opcode, ib + at + 1, count);
         at += count;
      }
      if (!va)
         return;
   }
}

void
replay_context(struct replay *r, struct pipe_context *pipe)
{
   const struct si_context *ctx = si_context(pipe);

   memset(r, 0, sizeof(*r));
   replay_ib(r, ctx->screen->preambles[ctx->ring].va, ctx->screen->preambles[ctx->ring].size_dw);
   replay_ib(r, ctx->cs.first->va, ctx->cs.first_size_dw);
}

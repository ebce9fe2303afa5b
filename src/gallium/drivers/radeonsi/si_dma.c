/* Copies and fills by the command processor, through L2. Asynchronous: si_wait_dma() waits. */
#include "gallium/drivers/radeonsi/si_context.h"
#include "util/macros.h"

/* BYTE_COUNT has 26 bits; whole pages keep later pieces aligned. */
#define MAX_PIECE_B ((1u << 26) - 4096)

static void
emit_dma(struct si_context *ctx, uint32_t src_select, uint64_t src, uint64_t dst, uint32_t size_B, bool wait)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 7);
   si_cs_packet(cs, PKT3_DMA_DATA, 6);
   si_cs_emit(cs, S_DMA_DATA_CONTROL_DST_SEL(V_DMA_DST_ADDR_TC_L2) | S_DMA_DATA_CONTROL_SRC_SEL(src_select) |
                     S_DMA_DATA_CONTROL_CP_SYNC(wait));
   si_cs_emit(cs, (uint32_t)src);
   si_cs_emit(cs, (uint32_t)(src >> 32));
   si_cs_emit(cs, (uint32_t)dst);
   si_cs_emit(cs, (uint32_t)(dst >> 32));
   si_cs_emit(cs, S_DMA_DATA_COMMAND_BYTE_COUNT(size_B));
}

void
si_dma_copy(struct si_context *ctx, uint64_t dst_va, uint64_t src_va, uint64_t size_B)
{
   for (uint64_t at = 0; at < size_B; at += MAX_PIECE_B)
      emit_dma(ctx, V_DMA_SRC_ADDR_TC_L2, src_va + at, dst_va + at, (uint32_t)MIN2(size_B - at, MAX_PIECE_B), false);
   ctx->dma_busy = true;
}

void
si_dma_fill(struct si_context *ctx, uint64_t dst_va, uint64_t size_B, uint32_t value)
{
   for (uint64_t at = 0; at < size_B; at += MAX_PIECE_B)
      emit_dma(ctx, V_DMA_SRC_DATA, value, dst_va + at, (uint32_t)MIN2(size_B - at, MAX_PIECE_B), false);
   ctx->dma_busy = true;
}

void
si_wait_dma(struct si_context *ctx)
{
   if (ctx->dma_busy)
      emit_dma(ctx, V_DMA_SRC_ADDR_TC_L2, 0, 0, 0, true);
   ctx->dma_busy = false;
}

static void
write_data(struct si_context *ctx, uint32_t engine, uint64_t va, const uint32_t *words, unsigned count_dw)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 4 + count_dw);
   si_cs_packet(cs, PKT3_WRITE_DATA, 3 + count_dw);
   si_cs_emit(cs, S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM) | S_WRITE_DATA_CONTROL_WR_CONFIRM(1) |
                     S_WRITE_DATA_CONTROL_ENGINE_SEL(engine));
   si_cs_emit(cs, (uint32_t)va);
   si_cs_emit(cs, (uint32_t)(va >> 32));
   si_cs_emit_array(cs, words, count_dw);
}

void
si_write_data(struct si_context *ctx, uint64_t va, const uint32_t *words, unsigned count_dw)
{
   write_data(ctx, V_ENGINE_ME, va, words, count_dw);
}

void
si_write_ahead(struct si_context *ctx, uint64_t va, const uint32_t *words, unsigned count_dw)
{
   write_data(ctx, V_ENGINE_PFP, va, words, count_dw);
}

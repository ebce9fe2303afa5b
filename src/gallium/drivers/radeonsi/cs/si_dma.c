/* Copies and fills by the command processor, through L2, or on its rings by SDMA. Asynchronous: si_wait_dma() waits.
 */
#include "gallium/drivers/radeonsi/cs/si_sdma.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "util/macros.h"

/* BYTE_COUNT has 26 bits; whole pages keep later pieces aligned. */
#define MAX_PIECE_B ((1u << 26) - 4096)

static void
emit_dma(struct si_context *ctx, uint32_t src_select, uint64_t src, uint64_t dst, uint32_t size_B, bool wait)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 7);
   si_packet(cs, dma_data, .dst_sel = V_DMA_DST_ADDR_TC_L2, .src_sel = src_select, .cp_sync = wait, .src = src,
             .dst = dst, .byte_count = size_B);
}

void
si_dma_copy(struct si_context *ctx, uint64_t dst_va, uint64_t src_va, uint64_t size_B)
{
   if (si_is_sdma(ctx)) {
      si_sdma_copy(ctx, dst_va, src_va, size_B);
      return;
   }
   for (uint64_t at = 0; at < size_B; at += MAX_PIECE_B)
      emit_dma(ctx, V_DMA_SRC_ADDR_TC_L2, src_va + at, dst_va + at, (uint32_t)MIN2(size_B - at, MAX_PIECE_B), false);
   ctx->dma_busy = true;
}

void
si_dma_fill(struct si_context *ctx, uint64_t dst_va, uint64_t size_B, uint32_t value)
{
   if (si_is_sdma(ctx)) {
      si_sdma_fill(ctx, dst_va, size_B, value);
      return;
   }
   for (uint64_t at = 0; at < size_B; at += MAX_PIECE_B)
      emit_dma(ctx, V_DMA_SRC_DATA, value, dst_va + at, (uint32_t)MIN2(size_B - at, MAX_PIECE_B), false);
   ctx->dma_busy = true;
}

void
si_wait_dma(struct si_context *ctx)
{
   if (si_is_sdma(ctx)) {
      si_sdma_wait(ctx);
      return;
   }
   if (ctx->dma_busy)
      emit_dma(ctx, V_DMA_SRC_ADDR_TC_L2, 0, 0, 0, true);
   ctx->dma_busy = false;
}

static void
write_data(struct si_context *ctx, uint32_t engine, uint64_t va, const uint32_t *words, unsigned count_dw)
{
   const struct amd_pm4_write_data packet = {
      .dst_sel = V_WRITE_DATA_DST_MEM, .wr_confirm = true, .engine_sel = engine, .address = va};
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 4 + count_dw);
   cs->cur = amd_pm4_write_data_pack(cs->cur, &packet, count_dw);
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

#include "gallium/drivers/radeonsi/si_cache.h"

#include "gallium/drivers/radeonsi/si_context.h"

/* All of memory. */
static void
acquire(uint32_t gcr_cntl, uint32_t dw[SI_ACQUIRE_DW])
{
   dw[0] = PKT3(PKT3_ACQUIRE_MEM, 7);
   dw[1] = 0;
   dw[2] = UINT32_MAX;
   dw[3] = 0xffffff;
   dw[4] = 0;
   dw[5] = 0;
   dw[6] = S_ACQUIRE_MEM_POLL_INTERVAL_CLOCKS(10);
   dw[7] = gcr_cntl;
}

void
si_first_acquire(uint32_t dw[SI_ACQUIRE_DW])
{
   acquire(S_ACQUIRE_MEM_GCR_CNTL_GLI_INV(V_GLI_ALL) | S_ACQUIRE_MEM_GCR_CNTL_GLM_WB(1) |
              S_ACQUIRE_MEM_GCR_CNTL_GLM_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GLK_INV(1) |
              S_ACQUIRE_MEM_GCR_CNTL_GLV_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GL1_INV(1) |
              S_ACQUIRE_MEM_GCR_CNTL_GL2_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GL2_WB(1),
           dw);
}

void
si_invalidate_caches(struct si_context *ctx)
{
   uint32_t dw[SI_ACQUIRE_DW];

   acquire(S_ACQUIRE_MEM_GCR_CNTL_GLK_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GLV_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GL1_INV(1) |
              S_ACQUIRE_MEM_GCR_CNTL_GL2_WB(1),
           dw);
   si_cs_reserve(&ctx->cs, SI_ACQUIRE_DW);
   si_cs_emit_array(&ctx->cs, dw, SI_ACQUIRE_DW);
}

void
si_write_at_end(struct si_context *ctx, uint32_t op, uint32_t data, uint64_t va, uint32_t value)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 8);
   si_cs_packet(cs, PKT3_RELEASE_MEM, 7);
   si_cs_emit(cs, op | S_RELEASE_MEM_OP_EVENT_INDEX(V_EVENT_INDEX_END_OF_PIPE) | S_RELEASE_MEM_OP_GL2_WB(1));
   si_cs_emit(cs, S_RELEASE_MEM_SELECT_INT_SEL(V_RELEASE_DATA_AFTER_CONFIRM) | S_RELEASE_MEM_SELECT_DATA_SEL(data));
   si_cs_emit(cs, (uint32_t)va);
   si_cs_emit(cs, (uint32_t)(va >> 32));
   si_cs_emit(cs, value);
   si_cs_emit(cs, 0);
   si_cs_emit(cs, 0);
}

void
si_release(struct si_context *ctx, uint32_t event, uint64_t va, uint32_t value)
{
   si_write_at_end(ctx,
                   S_RELEASE_MEM_OP_EVENT_TYPE(event) | S_RELEASE_MEM_OP_GLV_INV(1) | S_RELEASE_MEM_OP_GL1_INV(1) |
                      S_RELEASE_MEM_OP_SEQ(V_SEQ_FORWARD),
                   V_RELEASE_DATA_32, va, value);
}

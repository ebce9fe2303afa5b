#include "gallium/drivers/radeonsi/si_cache.h"

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_gen_gfx9.h"

/* All of memory. */
static unsigned
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
   return SI_ACQUIRE_DW;
}

unsigned
si_first_acquire(const struct ac_gpu_info *info, uint32_t dw[SI_ACQUIRE_DW])
{
   if (info->cache_actions)
      return si_gfx9_acquire(dw, true);
   return acquire(S_ACQUIRE_MEM_GCR_CNTL_GLI_INV(V_GLI_ALL) | S_ACQUIRE_MEM_GCR_CNTL_GLM_WB(1) |
                     S_ACQUIRE_MEM_GCR_CNTL_GLM_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GLK_INV(1) |
                     S_ACQUIRE_MEM_GCR_CNTL_GLV_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GL1_INV(1) |
                     S_ACQUIRE_MEM_GCR_CNTL_GL2_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GL2_WB(1),
                  dw);
}

void
si_invalidate_caches(struct si_context *ctx)
{
   uint32_t dw[SI_ACQUIRE_DW];
   unsigned count;

   if (ctx->screen->info.cache_actions)
      count = si_gfx9_acquire(dw, false);
   else
      count = acquire(S_ACQUIRE_MEM_GCR_CNTL_GLM_WB(1) | S_ACQUIRE_MEM_GCR_CNTL_GLM_INV(1) |
                         S_ACQUIRE_MEM_GCR_CNTL_GLK_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GLV_INV(1) |
                         S_ACQUIRE_MEM_GCR_CNTL_GL1_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GL2_WB(1),
                      dw);
   si_cs_reserve(&ctx->cs, SI_ACQUIRE_DW);
   si_cs_emit_array(&ctx->cs, dw, count);
}

/* op: more of the first word than the event. */
static void
release(struct si_context *ctx, uint32_t event, uint32_t op, uint32_t data, uint64_t va, uint32_t value)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 8 + SI_GFX9_COUNTERS_DW);
   if (ctx->screen->info.cache_actions && ctx->ring == AMDGPU_WS_GFX)
      cs->cur += si_gfx9_dump_counters(cs->cur, si_unread_va(ctx->screen));
   si_cs_packet(cs, PKT3_RELEASE_MEM, 7);
   si_cs_emit(cs, op | S_RELEASE_MEM_OP_EVENT_TYPE(event) | S_RELEASE_MEM_OP_EVENT_INDEX(V_EVENT_INDEX_END_OF_PIPE));
   si_cs_emit(cs, S_RELEASE_MEM_SELECT_INT_SEL(V_RELEASE_DATA_AFTER_CONFIRM) | S_RELEASE_MEM_SELECT_DATA_SEL(data));
   si_cs_emit(cs, (uint32_t)va);
   si_cs_emit(cs, (uint32_t)(va >> 32));
   si_cs_emit(cs, value);
   si_cs_emit(cs, 0);
   si_cs_emit(cs, 0);
}

void
si_write_at_end(struct si_context *ctx, uint32_t event, uint32_t data, uint64_t va, uint32_t value)
{
   bool actions = ctx->screen->info.cache_actions;

   release(ctx, event, actions ? si_gfx9_release(false) : S_RELEASE_MEM_OP_GL2_WB(1), data, va, value);
}

void
si_release(struct si_context *ctx, uint32_t event, uint64_t va, uint32_t value)
{
   uint32_t op = S_RELEASE_MEM_OP_GL2_WB(1) | S_RELEASE_MEM_OP_GLV_INV(1) | S_RELEASE_MEM_OP_GL1_INV(1) |
                 S_RELEASE_MEM_OP_SEQ(V_SEQ_FORWARD);

   if (ctx->screen->info.cache_actions)
      op = si_gfx9_release(true);
   release(ctx, event, op, V_RELEASE_DATA_32, va, value);
}

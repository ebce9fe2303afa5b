#include "gallium/drivers/radeonsi/cs/si_cache.h"

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/cs/si_gen_gfx9.h"

/* All of memory. first: of a submit, which sees code and memory that others wrote. */
static uint32_t *
acquire(const struct ac_gpu_info *info, uint32_t *dw, bool first)
{
   const struct amd_pm4_acquire_mem packet = {.coher_size = UINT64_C(0xffffffffffffff),
                                              .clocks = 10,
                                              .gli_inv = first ? V_GLI_ALL : V_GLI_NOP,
                                              .glm_wb = true,
                                              .glm_inv = true,
                                              .glk_inv = true,
                                              .glv_inv = true,
                                              .gl1_inv = true,
                                              .gl2_inv = first,
                                              .gl2_wb = true};

   return info->cache_actions ? si_gfx9_acquire(dw, first) : amd_pm4_acquire_mem_pack(dw, &packet);
}

uint32_t *
si_first_acquire(const struct ac_gpu_info *info, uint32_t dw[SI_ACQUIRE_DW])
{
   return acquire(info, dw, true);
}

void
si_invalidate_caches(struct si_context *ctx)
{
   si_cs_reserve(&ctx->cs, SI_ACQUIRE_DW);
   ctx->cs.cur = acquire(&ctx->screen->info, ctx->cs.cur, false);
}

/* invalidate: the caches of shaders, too. */
static void
release(struct si_context *ctx, bool invalidate, uint32_t event, uint32_t data, uint64_t va, uint32_t value)
{
   const bool actions = ctx->screen->info.cache_actions;
   struct amd_pm4_release_mem packet = {.event_type = event,
                                        .event_index = V_EVENT_INDEX_END_OF_PIPE,
                                        .int_sel = V_RELEASE_DATA_AFTER_CONFIRM,
                                        .data_sel = data,
                                        .address = va,
                                        .data = value};
   struct si_cs *cs = &ctx->cs;

   if (actions) {
      si_gfx9_release(&packet, invalidate);
   } else {
      packet.gl2_wb = true;
      packet.glv_inv = packet.gl1_inv = invalidate;
      packet.seq = invalidate ? V_SEQ_FORWARD : V_SEQ_PARALLEL;
   }
   si_cs_reserve(cs, 1 + AMD_PM4_RELEASE_MEM_DW + SI_GFX9_COUNTERS_DW);
   if (actions && ctx->ring == AMDGPU_WS_GFX)
      cs->cur = si_gfx9_dump_counters(cs->cur, si_unread_va(ctx->screen));
   cs->cur = amd_pm4_release_mem_pack(cs->cur, &packet);
}

void
si_write_at_end(struct si_context *ctx, uint32_t event, uint32_t data, uint64_t va, uint32_t value)
{
   release(ctx, false, event, data, va, value);
}

void
si_release(struct si_context *ctx, uint32_t event, uint64_t va, uint32_t value)
{
   release(ctx, true, event, V_RELEASE_DATA_32, va, value);
}

void
si_partial_flush(struct si_context *ctx, uint32_t event)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 2);
   si_packet(cs, event_write, .event_type = event, .event_index = V_EVENT_INDEX_PARTIAL_FLUSH);
}

void
si_wait_value(struct si_context *ctx, uint64_t va, uint32_t value)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_reserve(cs, 7);
   si_packet(cs, wait_reg_mem, .function = V_WAIT_EQUAL, .mem_space = V_WAIT_SPACE_MEMORY, .address = va,
             .reference = value, .mask = UINT32_MAX, .clocks = 4);
}

void
si_flush_graphics(struct si_context *ctx)
{
   si_release(ctx, V_CACHE_FLUSH_AND_INV_TS_EVENT, ctx->fence_va, ++ctx->fence_value);
   si_wait_value(ctx, ctx->fence_va, ctx->fence_value);
}

void
si_wait_compute(struct si_context *ctx)
{
   si_partial_flush(ctx, V_CS_PARTIAL_FLUSH);
}

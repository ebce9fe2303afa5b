/* Barriers: waits for stages, flushes and invalidations of caches; events. */
#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/draw/si_draw_task.h"
#include "gallium/drivers/radeonsi/cs/si_sdma.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/resource/si_metadata.h"

static void
emit_pfp_sync(struct si_context *ctx)
{
   si_cs_reserve(&ctx->cs, 2);
   si_packet(&ctx->cs, pfp_sync_me, .dummy = 0);
}

#define GRAPHICS_STAGES (PIPE_STAGE_PRE_RASTER | PIPE_STAGE_FRAGMENT | PIPE_STAGE_COLOR)
#define TARGET_WRITES (PIPE_ACCESS_COLOR_WRITE | PIPE_ACCESS_DEPTH_WRITE)

static void
wait_graphics(struct si_context *ctx, const struct pipe_barrier *barrier)
{
   bool transfer = barrier->src_stages & PIPE_STAGE_TRANSFER;
   bool targets = barrier->src_access & TARGET_WRITES;

   if (transfer || (targets && (barrier->src_stages & GRAPHICS_STAGES))) {
      si_flush_graphics(ctx);
   } else {
      if (barrier->src_stages & PIPE_STAGE_PRE_RASTER)
         si_partial_flush(ctx, V_VS_PARTIAL_FLUSH);
      if (barrier->src_stages & (PIPE_STAGE_FRAGMENT | PIPE_STAGE_COLOR))
         si_partial_flush(ctx, V_PS_PARTIAL_FLUSH);
   }
}

static void
wait_and_invalidate(struct si_context *ctx, const struct pipe_barrier *barrier)
{
   if (barrier->src_stages & PIPE_STAGE_TRANSFER)
      si_wait_dma(ctx);
   if (ctx->ring == AMDGPU_WS_GFX)
      wait_graphics(ctx, barrier);
   if (barrier->src_stages & (PIPE_STAGE_TRANSFER | PIPE_STAGE_COMPUTE))
      si_wait_compute(ctx);
   si_barrier_tasks(ctx, barrier->src_stages >> NIR_STAGE_TASK & 1);
   si_invalidate_caches(ctx);
}

/* Transfers are draws, dispatches and copies of the command processor. A compute ring has no draws and one engine.
 * Images have one state whatever they are used for (si_metadata.h), but for transfer queues. */
static void
barrier(struct pipe_context *pipe, const struct pipe_barrier *barrier)
{
   struct si_context *ctx = si_context(pipe);

   if (si_is_sdma(ctx)) {
      si_wait_dma(ctx);
      si_metadata_discard(ctx, barrier);
      return;
   }
   if (!si_metadata_discard(ctx, barrier) && (barrier->src_stages || barrier->dst_stages))
      wait_and_invalidate(ctx, barrier);
   if (ctx->ring == AMDGPU_WS_GFX && (barrier->dst_stages & (PIPE_STAGE_INDIRECT | PIPE_STAGE_VERTEX)))
      emit_pfp_sync(ctx);
   si_metadata_hand_over(ctx, barrier);
}

static void
event_write(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B, uint32_t value,
            uint32_t stages)
{
   struct si_context *ctx = si_context(pipe);
   uint32_t event = V_BOTTOM_OF_PIPE_TS;

   if (stages & PIPE_STAGE_TRANSFER)
      si_wait_dma(ctx);
   if (si_is_sdma(ctx)) {
      si_sdma_write(ctx, si_resource(buffer)->va + offset_B, value);
      return;
   }
   if (stages & (PIPE_STAGE_COLOR | PIPE_STAGE_FRAGMENT | PIPE_STAGE_TRANSFER))
      event = V_CACHE_FLUSH_AND_INV_TS_EVENT;
   si_release(ctx, event, si_resource(buffer)->va + offset_B, value);
}

static void
event_wait(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B)
{
   si_wait_value(si_context(pipe), si_resource(buffer)->va + offset_B, 1);
}

void
si_init_barrier(struct si_context *ctx)
{
   ctx->base.barrier = barrier;
   ctx->base.event_write = event_write;
   ctx->base.event_wait = event_wait;
}

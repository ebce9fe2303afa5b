/* Occlusion queries. A render command has one array of 64-bit counters, which draws name by index; so all queries of
 * the device share one. Behind the render that a query ended in, or at once outside of renders, its counter is copied
 * to the query's slot. */
#include <pthread.h>
#include <stdlib.h>

#include "gallium/drivers/asahi/agx_compute.h"
#include "gallium/drivers/asahi/agx_meta.h"
#include "util/log.h"
#include "util/macros.h"

#define COUNTERS 32768u

struct agx_occlusion_heap {
   struct asahi_ws_bo *bo;
   pthread_mutex_t lock;
   uint32_t next;
};

bool
agx_occlusion_init(struct agx_screen *screen)
{
   screen->occlusion = calloc(1, sizeof(*screen->occlusion));
   if (!screen->occlusion)
      return false;
   pthread_mutex_init(&screen->occlusion->lock, NULL);
   screen->occlusion->bo = asahi_ws_bo_create(screen->ws, COUNTERS * 8, 0, 0);
   return screen->occlusion->bo;
}

void
agx_occlusion_finish(struct agx_screen *screen)
{
   if (!screen->occlusion)
      return;
   asahi_ws_bo_destroy(screen->occlusion->bo);
   pthread_mutex_destroy(&screen->occlusion->lock);
   free(screen->occlusion);
   screen->occlusion = NULL;
}

uint64_t
agx_occlusion_va(const struct agx_screen *screen, uint32_t index)
{
   return screen->occlusion->bo->va + 8ull * index;
}

/* Round and round: a counter is in use from the begin of a query to its end, and 32768 of them are not at a time. */
static uint32_t
take_counter(struct agx_screen *screen)
{
   pthread_mutex_lock(&screen->occlusion->lock);
   uint32_t index = screen->occlusion->next++ % COUNTERS;

   pthread_mutex_unlock(&screen->occlusion->lock);
   return index;
}

static void
query_begin(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t index, bool precise)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_query_pool *pool = agx_query_pool(handle);
   struct agx_occlusion_query record = {.index = take_counter(ctx->screen)};

   if (pool->type != PIPE_QUERY_OCCLUSION) {
      log_error("asahi: queries of pipeline statistics are not supported");
      ctx->failed = true;
      return;
   }
   /* What renders have behind them goes before the one that is open. */
   agx_meta_fill(ctx, agx_occlusion_va(ctx->screen, record.index), 8, 0);
   agx_occlusion_query_pack(&ctx->graphics.occlusion_query, &record);
   ctx->graphics.counter = record.index;
   ctx->graphics.visibility = AGX_VISIBILITY_MODE_COUNTING;
   ctx->dirty |= AGX_BIT(OCCLUSION_QUERY) | AGX_BIT(FRAGMENT_CONTROL);
}

static void
write_result(struct agx_context *ctx, uint64_t slot_va, uint32_t counter)
{
   agx_compute_barrier(ctx);
   agx_meta_copy(ctx, slot_va + AGX_QUERY_VALUES_B, agx_occlusion_va(ctx->screen, counter), 8);
   agx_meta_fill(ctx, slot_va, 4, 1);
}

static void
query_end(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t index)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_query_pool *pool = agx_query_pool(handle);
   uint64_t slot_va = pool->bo->va + (uint64_t)index * pool->slot_B;
   struct agx_render *render = &ctx->graphics.render;

   if (pool->type != PIPE_QUERY_OCCLUSION)
      return;
   ctx->graphics.visibility = AGX_VISIBILITY_MODE_NONE;
   ctx->dirty |= AGX_BIT(FRAGMENT_CONTROL);
   if (!render->open) {
      write_result(ctx, slot_va, ctx->graphics.counter);
      return;
   }
   struct agx_ended_query *ended = agx_array_append(ctx, &render->queries, sizeof(*ended), 1);

   *ended = (struct agx_ended_query){.slot_va = slot_va, .counter = ctx->graphics.counter};
}

void
agx_occlusion_flush(struct agx_context *ctx)
{
   const struct agx_array *queries = &ctx->graphics.render.queries;

   for (uint32_t i = 0; i < queries->count; i++) {
      const struct agx_ended_query *ended = (const struct agx_ended_query *)(const void *)queries->map + i;

      write_result(ctx, ended->slot_va, (uint32_t)ended->counter);
   }
}

void
agx_init_occlusion(struct agx_context *ctx)
{
   ctx->base.query_begin = query_begin;
   ctx->base.query_end = query_end;
}

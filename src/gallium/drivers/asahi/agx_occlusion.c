/* Occlusion queries. A render command has one array of 64-bit counters, which draws name by index; so all queries of
 * the device share one. Behind the render that a query ended in, or at once outside of renders, its counter is copied
 * to the query's slot. */
#include <pthread.h>
#include <stdlib.h>

#include "gallium/drivers/asahi/agx_compute.h"
#include "gallium/drivers/asahi/agx_meta.h"
#include "util/log.h"
#include "util/macros.h"

#define COUNTERS 32767u
#define NOBODY 0u /* the counter that is not read */

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
   screen->occlusion->bo = asahi_ws_bo_create(screen->ws, (COUNTERS + 1) * 8, 0, 0);
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

/* Round and round: a counter is in use from the begin of a query to its end, and 32766 of them are not at a time. */
static uint32_t
take_counter(struct agx_screen *screen)
{
   pthread_mutex_lock(&screen->occlusion->lock);
   uint32_t index = 1 + screen->occlusion->next++ % (COUNTERS - 1);

   pthread_mutex_unlock(&screen->occlusion->lock);
   return index;
}

static void
set_query(struct agx_context *ctx, uint32_t counter, bool counts)
{
   struct agx_occlusion_query record = {.index = counter};

   agx_occlusion_query_pack(&ctx->graphics.occlusion_query, &record);
   ctx->graphics.counter = counter;
   ctx->graphics.visibility = counts ? AGX_VISIBILITY_MODE_COUNTING : AGX_VISIBILITY_MODE_NONE;
   ctx->dirty |= AGX_BIT(OCCLUSION_QUERY) | AGX_BIT(FRAGMENT_CONTROL);
}

void
agx_occlusion_inherit(struct agx_context *ctx)
{
   ctx->graphics.inherits_query = true;
   set_query(ctx, NOBODY, true);
}

/* Behind all counters lies one that marks a base as one to be replaced. */
uint64_t
agx_occlusion_base(const struct agx_context *ctx)
{
   bool inherited = ctx->graphics.inherits_query && ctx->graphics.counter == NOBODY;

   return agx_occlusion_va(ctx->screen, inherited ? COUNTERS : 0);
}

void
agx_occlusion_give(const struct agx_context *ctx, struct drm_asahi_cmd_render *command)
{
   if (command->isp_oclqry_base == agx_occlusion_va(ctx->screen, COUNTERS) && ctx->graphics.visibility)
      command->isp_oclqry_base = agx_occlusion_va(ctx->screen, ctx->graphics.counter);
}

static void
query_begin(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t index, bool precise)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_query_pool *pool = agx_query_pool(handle);
   uint32_t counter = take_counter(ctx->screen);

   if (pool->type != PIPE_QUERY_OCCLUSION) {
      log_error("asahi: queries of pipeline statistics are not supported");
      ctx->failed = true;
      return;
   }
   /* What renders have behind them goes before the one that is open. */
   agx_meta_fill(ctx, agx_occlusion_va(ctx->screen, counter), 8, 0);
   set_query(ctx, counter, true);
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
   uint32_t counter = ctx->graphics.counter;

   set_query(ctx, NOBODY, ctx->graphics.inherits_query);
   if (!render->open) {
      write_result(ctx, slot_va, counter);
      return;
   }
   struct agx_ended_query *ended = agx_array_append(ctx, &render->queries, sizeof(*ended), 1);

   *ended = (struct agx_ended_query){.slot_va = slot_va, .counter = counter};
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

/* Occlusion queries. A render command has one array of 64-bit counters, which draws name by index; so all queries of
 * the device share one. */
#include <pthread.h>
#include <stdlib.h>

#include "gallium/drivers/asahi/meta/agx_meta.h"

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

static uint64_t
counter_va(const struct agx_screen *screen, uint32_t index)
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

/* After all counters there is one that marks a base as one to be replaced. */
uint64_t
agx_occlusion_base(const struct agx_context *ctx)
{
   bool inherited = ctx->graphics.inherits_query && ctx->graphics.counter == NOBODY;

   return counter_va(ctx->screen, inherited ? COUNTERS : 0);
}

void
agx_occlusion_give(const struct agx_context *ctx, struct drm_asahi_cmd_render *command)
{
   if (command->isp_oclqry_base == counter_va(ctx->screen, COUNTERS) && ctx->graphics.visibility)
      command->isp_oclqry_base = counter_va(ctx->screen, ctx->graphics.counter);
}

void
agx_occlusion_begin(struct agx_context *ctx)
{
   uint32_t counter = take_counter(ctx->screen);

   /* What renders have after them goes before the one that is open. */
   agx_meta_fill(ctx, counter_va(ctx->screen, counter), 8, 0);
   set_query(ctx, counter, true);
}

uint64_t
agx_occlusion_end(struct agx_context *ctx)
{
   uint64_t va = counter_va(ctx->screen, ctx->graphics.counter);

   set_query(ctx, NOBODY, ctx->graphics.inherits_query);
   return va;
}

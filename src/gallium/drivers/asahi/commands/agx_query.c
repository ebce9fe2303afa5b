/* Queries: timestamps here; what draws count is theirs. */
#include "gallium/drivers/asahi/commands/agx_query.h"

#include <stdlib.h>
#include <string.h>

#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"
#include "gallium/drivers/asahi/assembly/agx_xfb.h"
#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "util/macros.h"

/* Internal programs count them ahead of the render. */
static bool
of_primitives(const struct agx_query_pool *pool)
{
   return pool->type == PIPE_QUERY_XFB || pool->type == PIPE_QUERY_GENERATED;
}

static enum pipe_result
query_pool_create(struct pipe_screen *pipe, enum pipe_query_type type, uint32_t count, uint32_t counters,
                  struct pipe_query_pool **out)
{
   struct agx_screen *screen = agx_screen(pipe);
   static const uint8_t values[] = {[PIPE_QUERY_OCCLUSION] = 1,
                                    [PIPE_QUERY_TIMESTAMP] = 1,
                                    [PIPE_QUERY_XFB] = 2,
                                    [PIPE_QUERY_GENERATED] = 1,
                                    [PIPE_QUERY_PIPELINE_STATISTICS] = AGX_NUM_STATISTICS};
   struct agx_query_pool *pool = calloc(1, sizeof(*pool));

   if (!pool)
      return PIPE_OUT_OF_HOST_MEMORY;
   pool->type = type;
   pool->count = count;
   pool->values = values[type];
   pool->slot_B = AGX_QUERY_VALUES_B + 8 * pool->values;
   pool->bo = asahi_ws_bo_create(screen->ws, (uint64_t)MAX2(count, 1u) * pool->slot_B, 0,
                                 ASAHI_WS_BO_CACHED | ASAHI_WS_BO_SHAREABLE);
   if (!pool->bo || !asahi_ws_bo_map(pool->bo) || (of_primitives(pool) && !agx_assembly_prepare(screen)) ||
       (type == PIPE_QUERY_TIMESTAMP && asahi_ws_bind_timestamps(pool->bo, &pool->timestamps))) {
      asahi_ws_bo_destroy(pool->bo);
      free(pool);
      return PIPE_OUT_OF_DEVICE_MEMORY;
   }
   *out = agx_query_pool_handle(pool);
   return PIPE_OK;
}

static void
query_pool_destroy(struct pipe_screen *screen, struct pipe_query_pool *handle)
{
   struct agx_query_pool *pool = agx_query_pool(handle);

   if (pool->timestamps)
      asahi_ws_unbind_timestamps(agx_screen(screen)->ws, pool->timestamps);
   asahi_ws_bo_destroy(pool->bo);
   free(pool);
}

static bool
query_result(struct pipe_screen *pipe, struct pipe_query_pool *handle, uint32_t index, uint64_t *values)
{
   const struct agx_query_pool *pool = agx_query_pool(handle);
   const char *slot = (const char *)pool->bo->map + (uint64_t)index * pool->slot_B;

   if (!__atomic_load_n((const uint32_t *)slot, __ATOMIC_ACQUIRE))
      return false;
   memcpy(values, slot + AGX_QUERY_VALUES_B, 8 * pool->values);
   return true;
}

static void
host_query_reset(struct pipe_screen *pipe, struct pipe_query_pool *handle, uint32_t first, uint32_t count)
{
   const struct agx_query_pool *pool = agx_query_pool(handle);

   memset((char *)pool->bo->map + (uint64_t)first * pool->slot_B, 0, (size_t)count * pool->slot_B);
}

void
agx_init_query_pool(struct agx_screen *screen)
{
   screen->base.query_pool_create = query_pool_create;
   screen->base.query_pool_destroy = query_pool_destroy;
   screen->base.query_result = query_result;
   screen->base.query_reset = host_query_reset;
}

/* The kernel notes when a command begins: one that waits for all before it, and then says that the time is there. */
static void
write_timestamp(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t index, uint32_t stages)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_query_pool *pool = agx_query_pool(handle);
   uint32_t slot_B = index * pool->slot_B;

   agx_compute_close(ctx);
   agx_compute_open(ctx);
   ctx->compute_timestamps.start =
      (struct drm_asahi_timestamp){.handle = pool->timestamps, .offset = slot_B + AGX_QUERY_VALUES_B};
   agx_meta_fill(ctx, pool->bo->va + slot_B, 4, 1);
}

static void
query_reset(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t first, uint32_t count)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_query_pool *pool = agx_query_pool(handle);

   /* Earlier queries may still write. */
   agx_compute_barrier(ctx);
   agx_meta_fill(ctx, pool->bo->va + (uint64_t)first * pool->slot_B, (uint64_t)count * pool->slot_B, 0);
   agx_compute_barrier(ctx);
}

static void
write_result(struct agx_context *ctx, const struct agx_ended_query *ended)
{
   agx_compute_barrier(ctx);
   if (ended->adds)
      agx_meta_add_statistics(ctx, ended->slot_va + AGX_QUERY_VALUES_B, ended->values_va);
   else
      agx_meta_copy(ctx, ended->slot_va + AGX_QUERY_VALUES_B, ended->values_va, 8);
   if (!ended->is_last)
      return;
   agx_compute_barrier(ctx);
   agx_meta_fill(ctx, ended->slot_va, 4, 1);
}

void
agx_query_flush(struct agx_context *ctx)
{
   const struct agx_array *queries = &ctx->graphics.render.queries;

   for (uint32_t i = 0; i < queries->count; i++)
      write_result(ctx, (const struct agx_ended_query *)(const void *)queries->map + i);
}

void
agx_query_add_result(struct agx_context *ctx, const struct agx_ended_query *ended)
{
   struct agx_render *render = &ctx->graphics.render;

   if (render->open)
      *(struct agx_ended_query *)agx_array_append(ctx, &render->queries, sizeof(*ended), 1) = *ended;
   else
      write_result(ctx, ended);
}

static void
query_begin(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t index, bool precise)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_query_pool *pool = agx_query_pool(handle);

   if (pool->type == PIPE_QUERY_PIPELINE_STATISTICS)
      agx_statistics_begin(ctx, pool->bo->va + (uint64_t)index * pool->slot_B);
   else if (of_primitives(pool))
      agx_xfb_query(ctx, pool->type, pool->bo->va + (uint64_t)index * pool->slot_B + AGX_QUERY_VALUES_B);
   else
      agx_occlusion_begin(ctx);
}

/* After the render that a query ended in, or at once outside of renders, its slot gets the result. */
static void
query_end(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t index)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_query_pool *pool = agx_query_pool(handle);
   struct agx_ended_query ended = {.slot_va = pool->bo->va + (uint64_t)index * pool->slot_B, .is_last = true};

   if (of_primitives(pool)) {
      agx_xfb_query(ctx, pool->type, 0);
      agx_meta_fill(ctx, ended.slot_va, 4, 1);
      return;
   }
   if (pool->type == PIPE_QUERY_PIPELINE_STATISTICS) {
      ended.values_va = agx_statistics_end(ctx);
      ended.adds = true;
   } else {
      ended.values_va = agx_occlusion_end(ctx);
   }
   agx_query_add_result(ctx, &ended);
}

/* All earlier work is done when this runs, so there is nothing to wait for. A command of its own: the times of the
 * one before may be there only when that has ended. */
static void
query_copy(struct pipe_context *pipe, struct pipe_query_pool *handle, const struct pipe_query_copy *copy)
{
   struct agx_context *ctx = agx_context(pipe);

   agx_compute_close(ctx);
   agx_meta_copy_queries(ctx, agx_query_pool(handle), copy);
}

void
agx_init_query(struct agx_context *ctx)
{
   ctx->base.write_timestamp = write_timestamp;
   ctx->base.query_begin = query_begin;
   ctx->base.query_end = query_end;
   ctx->base.query_reset = query_reset;
   ctx->base.query_copy = query_copy;
}

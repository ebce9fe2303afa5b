#include "gallium/drivers/asahi/commands/agx_statistics.h"

#include <string.h>

#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "util/macros.h"

static uint64_t
value_va(uint64_t values_va, enum agx_statistic statistic)
{
   return values_va + 8u * statistic;
}

static void
start(struct agx_context *ctx, uint64_t values_va)
{
   struct agx_statistics *statistics = &ctx->statistics;
   uint64_t word = value_va(values_va, AGX_STATISTIC_FRAGMENT_INVOCATIONS);

   *statistics = (struct agx_statistics){.active = true, .values_va = values_va};
   memcpy(agx_upload_alloc(ctx, sizeof(word), 8, &statistics->address_va), &word, sizeof(word));
   ctx->dirty |= AGX_BIT(FRAGMENT_SHADER);
}

void
agx_statistics_begin(struct agx_context *ctx, uint64_t slot_va)
{
   start(ctx, slot_va + AGX_QUERY_VALUES_B);
}

uint64_t
agx_statistics_end(struct agx_context *ctx)
{
   uint64_t va;

   memcpy(agx_upload_alloc(ctx, sizeof(ctx->statistics.host), 8, &va), ctx->statistics.host,
          sizeof(ctx->statistics.host));
   memset(&ctx->statistics, 0, sizeof(ctx->statistics));
   ctx->dirty |= AGX_BIT(FRAGMENT_SHADER);
   return va;
}

/* ---- secondaries ---- */

void
agx_statistics_inherit(struct agx_context *ctx)
{
   uint64_t va;

   agx_upload_alloc(ctx, 8 * AGX_NUM_STATISTICS, 8, &va);
   start(ctx, va);
   ctx->statistics.inherited = true;
}

/* Does the open render add these values already? They are then of two executions, and perhaps of two queries. */
static bool
are_used(const struct agx_render *render, uint64_t values_va)
{
   const struct agx_ended_query *queries = (const struct agx_ended_query *)(const void *)render->queries.map;

   for (uint32_t i = 0; render->open && i < render->queries.count; i++) {
      if (queries[i].values_va == values_va)
         return true;
   }
   return false;
}

void
agx_statistics_before(struct agx_context *ctx, const struct agx_context *secondary)
{
   uint64_t values_va = secondary->statistics.values_va;

   if (!ctx->statistics.active || !secondary->statistics.inherited)
      return;
   if (are_used(&ctx->graphics.render, values_va))
      agx_render_split(ctx);
   agx_compute_barrier(ctx); /* what an earlier execution left is added somewhere first */
   agx_meta_fill(ctx, values_va, 8 * AGX_NUM_STATISTICS, 0);
   agx_compute_barrier(ctx);
}

void
agx_statistics_add_secondary(struct agx_context *ctx, const struct agx_context *secondary)
{
   struct agx_statistics *statistics = &ctx->statistics;

   if (!statistics->active || !secondary->statistics.inherited)
      return;
   for (unsigned i = 0; i < AGX_NUM_STATISTICS; i++)
      statistics->host[i] += secondary->statistics.host[i];
   agx_query_add_result(ctx, &(struct agx_ended_query){.slot_va = statistics->values_va - AGX_QUERY_VALUES_B,
                                                       .values_va = secondary->statistics.values_va,
                                                       .adds = true});
}

/* ---- what is counted ---- */

/* Primitives of n vertices: (n - less) / by. Those that restarts leave unfinished count. */
static const struct {
   uint8_t less, by;
} primitives[] = {
   [PIPE_POINT_LIST] = {0, 1},
   [PIPE_LINE_LIST] = {0, 2},
   [PIPE_LINE_STRIP] = {1, 1},
   [PIPE_TRIANGLE_LIST] = {0, 3},
   [PIPE_TRIANGLE_STRIP] = {2, 1},
   [PIPE_TRIANGLE_FAN] = {2, 1},
   [PIPE_LINE_LIST_ADJACENCY] = {0, 4},
   [PIPE_LINE_STRIP_ADJACENCY] = {3, 1},
   [PIPE_TRIANGLE_LIST_ADJACENCY] = {0, 6},
   [PIPE_TRIANGLE_STRIP_ADJACENCY] = {4, 2},
   [PIPE_PATCH_LIST] = {0, 1}, /* which nobody draws */
};

static const enum agx_statistic of_vertices[] = {AGX_STATISTIC_INPUT_VERTICES, AGX_STATISTIC_VERTEX_INVOCATIONS};
static const enum agx_statistic of_primitives[] = {AGX_STATISTIC_INPUT_PRIMITIVES, AGX_STATISTIC_CLIPPING_INVOCATIONS,
                                                   AGX_STATISTIC_CLIPPING_PRIMITIVES};

void
agx_statistics_draw(struct agx_context *ctx, uint32_t vertices, uint32_t instances)
{
   uint64_t *host = ctx->statistics.host;
   uint32_t less = primitives[ctx->graphics.gfx->topology].less;
   uint64_t each = vertices < less ? 0 : (vertices - less) / primitives[ctx->graphics.gfx->topology].by;

   for (unsigned i = 0; i < ARRAY_SIZE(of_vertices); i++)
      host[of_vertices[i]] += (uint64_t)vertices * instances;
   for (unsigned i = 0; i < ARRAY_SIZE(of_primitives); i++)
      host[of_primitives[i]] += each * instances;
}

static void
count(struct agx_context *ctx, struct agx_meta_count *what, const enum agx_statistic *statistics, unsigned number)
{
   for (unsigned i = 0; i < number; i++) {
      what->dst_va = value_va(ctx->statistics.values_va, statistics[i]);
      agx_meta_count(ctx, what);
   }
}

void
agx_statistics_draw_indirect(struct agx_context *ctx, uint64_t va, uint32_t stride_B, uint32_t draws)
{
   struct agx_meta_count parameters = {
      .src_va = va, .stride_B = stride_B, .count = draws, .by = 1, .times = 1, .words = 2};

   count(ctx, &parameters, of_vertices, ARRAY_SIZE(of_vertices));
   parameters.less = primitives[ctx->graphics.gfx->topology].less;
   parameters.by = primitives[ctx->graphics.gfx->topology].by;
   count(ctx, &parameters, of_primitives, ARRAY_SIZE(of_primitives));
}

static uint32_t
size_of(const uint32_t workgroup[3])
{
   return workgroup[0] * workgroup[1] * workgroup[2];
}

void
agx_statistics_dispatch(struct agx_context *ctx, const uint32_t groups[3], const uint32_t workgroup[3])
{
   ctx->statistics.host[AGX_STATISTIC_COMPUTE_INVOCATIONS] +=
      (uint64_t)groups[0] * groups[1] * groups[2] * size_of(workgroup);
}

void
agx_statistics_dispatch_indirect(struct agx_context *ctx, uint64_t va, const uint32_t workgroup[3])
{
   static const enum agx_statistic statistic = AGX_STATISTIC_COMPUTE_INVOCATIONS;
   struct agx_meta_count parameters = {.src_va = va, .count = 1, .by = 1, .times = size_of(workgroup), .words = 3};

   count(ctx, &parameters, &statistic, 1);
   agx_compute_barrier(ctx); /* the dispatch may write over its own parameters */
}

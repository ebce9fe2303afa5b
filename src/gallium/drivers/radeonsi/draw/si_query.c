/* Queries: occlusion, timestamps, pipeline statistics.
 *
 * A slot holds the begin and end values of its kind and, in its last 8 bytes, a word that becomes 1 when the results
 * are there:  occlusion: for each render backend {begin, end};  statistics: begins, ends;  timestamp: {0, ticks};
 * primitives of transform feedback: {needed, written} at begin, the same at the end;  generated ones: see below;
 * of mesh shaders: {begin, end}. */
#include <stdlib.h>

#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/cs/si_sdma.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/draw/si_draw_task.h"
#include "gallium/drivers/radeonsi/draw/si_query.h"
#include "gallium/drivers/radeonsi/draw/si_xfb.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "util/macros.h"
#include "util/mutant.h"

/* Place of each counter of the contract in the order of the hardware: input vertices and primitives, vertex, geometry
 * invocations and primitives, clipper invocations and primitives, fragment, control, evaluation, compute; tasks and
 * meshes, behind what any hardware writes. */
enum { TASKS_PLACE = 14, MESHES_PLACE, PLACES };
const uint8_t si_statistics_order[PIPE_STATISTICS] = {7, 6, 3, 4, 5, 2, 1, 0, 8, 9, 10, TASKS_PLACE, MESHES_PLACE};

/* Of SAMPLE_STREAMOUTSTATS. */
static const uint8_t xfb_order[] = {1, 0};

/* Of generated primitives: what the geometry engine samples (needed, written), and the counter of NGG programs, each
 * where there is such a thing. Of the first only what is needed counts. */
enum { ENGINE_B = 16 };

static bool
has_engine(const struct si_screen *screen)
{
   return screen->info.has_strmout;
}

/* counters: that the hardware writes each time. */
static void
plan_counts(struct si_query_pool *pool, unsigned counters, const uint8_t *order, unsigned num_values)
{
   pool->pairs = num_values;
   pool->num_values = num_values;
   pool->order = order;
   pool->end_offset_B = counters * 8;
   pool->pair_step_B = 8;
}

/* The sum of both. */
static bool
plan_generated(struct si_query_pool *pool, struct si_screen *screen)
{
   pool->pairs = has_engine(screen) + screen->ngg;
   pool->pair_step_B = ENGINE_B;
   pool->end_offset_B = pool->pairs * ENGINE_B;
   if (!screen->ngg)
      return true;
   pthread_mutex_lock(&screen->scratch_lock);
   if (!screen->generated)
      screen->generated = amdgpu_ws_bo_create(screen->ws, 4096, 4096, AMDGPU_WS_VRAM, AMDGPU_WS_BO_VA_32BIT);
   const bool made = screen->generated != NULL;

   pthread_mutex_unlock(&screen->scratch_lock);
   return made;
}

/* Counters of tasks and meshes lie with their rings; who does not ask for them need not wait for these stages. */
static bool
plan_statistics(struct si_query_pool *pool, struct si_screen *screen, uint32_t counters)
{
   const bool meshes = screen->info.has_mesh && counters & PIPE_MESH_STATISTICS;

   plan_counts(pool, meshes ? PLACES : screen->info.num_statistics, si_statistics_order,
               meshes ? PIPE_STATISTICS : SI_NUM_STATISTICS);
   return !meshes || si_task_rings_create(screen);
}

static bool
plan_mesh(struct si_query_pool *pool, struct si_screen *screen)
{
   pool->pairs = 1;
   pool->end_offset_B = 8;
   pool->pair_step_B = 16;
   return si_task_rings_create(screen);
}

static enum pipe_result
query_pool_create(struct pipe_screen *pipe, enum pipe_query_type type, uint32_t count, uint32_t counters,
                  struct pipe_query_pool **out)
{
   struct si_screen *screen = si_screen(pipe);
   struct si_query_pool *pool = calloc(1, sizeof(*pool));
   bool made = true;

   if (!pool)
      return PIPE_OUT_OF_HOST_MEMORY;
   pool->type = type;
   pool->count = count;
   switch (type) {
   case PIPE_QUERY_OCCLUSION:
      pool->pairs = screen->info.num_rb;
      pool->end_offset_B = 8;
      pool->pair_step_B = 16;
      break;
   case PIPE_QUERY_TIMESTAMP:
      pool->pairs = 1;
      pool->end_offset_B = 8;
      pool->pair_step_B = 16;
      break;
   case PIPE_QUERY_XFB:
      plan_counts(pool, 2, xfb_order, 2);
      break;
   case PIPE_QUERY_GENERATED:
      made = plan_generated(pool, screen);
      break;
   case PIPE_QUERY_PIPELINE_STATISTICS:
      made = plan_statistics(pool, screen, counters);
      break;
   case PIPE_QUERY_MESH:
      made = plan_mesh(pool, screen);
      break;
   }
   pool->available_offset_B = MAX2(2 * pool->end_offset_B, pool->pairs * 16);
   pool->slot_B = pool->available_offset_B + 16;
   pool->bo = amdgpu_ws_bo_create(screen->ws, (uint64_t)MAX2(count, 1) * pool->slot_B, 4096, AMDGPU_WS_GTT,
                                  AMDGPU_WS_BO_CPU_ACCESS);
   if (!made || !pool->bo || !amdgpu_ws_bo_map(pool->bo)) {
      amdgpu_ws_bo_destroy(pool->bo);
      free(pool);
      return PIPE_OUT_OF_DEVICE_MEMORY;
   }
   *out = si_query_pool_handle(pool);
   return PIPE_OK;
}

static void
query_pool_destroy(struct pipe_screen *screen, struct pipe_query_pool *handle)
{
   struct si_query_pool *pool = si_query_pool(handle);

   amdgpu_ws_bo_destroy(pool->bo);
   free(pool);
}

static bool
query_result(struct pipe_screen *pipe, struct pipe_query_pool *handle, uint32_t index, uint64_t *values)
{
   const struct si_query_pool *pool = si_query_pool(handle);
   const char *slot = (const char *)pool->bo->map + (uint64_t)index * pool->slot_B;
   uint64_t sum = 0;

   if (!__atomic_load_n((const uint32_t *)(slot + pool->available_offset_B), __ATOMIC_ACQUIRE))
      return false;
   for (unsigned i = 0; i < pool->pairs; i++) {
      uint64_t begin, end;
      unsigned at = pool->num_values ? pool->order[i] : i;

      memcpy(&begin, slot + at * pool->pair_step_B, 8);
      memcpy(&end, slot + at * pool->pair_step_B + pool->end_offset_B, 8);
      if (pool->num_values)
         values[i] = end - begin;
      else
         sum += end - begin;
   }
   if (!pool->num_values)
      values[0] = sum;
   return true;
}

static void
host_query_reset(struct pipe_screen *pipe, struct pipe_query_pool *handle, uint32_t first, uint32_t count)
{
   struct si_query_pool *pool = si_query_pool(handle);

   memset((char *)pool->bo->map + (uint64_t)first * pool->slot_B, 0, (size_t)count * pool->slot_B);
}

void
si_init_query_pool(struct si_screen *screen)
{
   screen->base.query_pool_create = query_pool_create;
   screen->base.query_pool_destroy = query_pool_destroy;
   screen->base.query_result = query_result;
   screen->base.query_reset = host_query_reset;
}

static uint64_t
slot_va(const struct si_query_pool *pool, uint32_t index)
{
   return pool->bo->va + (uint64_t)index * pool->slot_B;
}

static void
emit_sample(struct si_context *ctx, uint32_t event, uint32_t index, uint64_t va)
{
   si_cs_reserve(&ctx->cs, 4);
   si_packet(&ctx->cs, event_write_address, .event_type = event, .event_index = index, .address = va);
}

/* A write when all earlier work has finished. */
static void
emit_end_of_pipe(struct si_context *ctx, uint32_t data, uint64_t va, uint32_t value)
{
   si_write_at_end(ctx, V_BOTTOM_OF_PIPE_TS, data, va, value);
}

/* The engine of compute rings writes one counter, to the address itself. */
enum { COMPUTE_STATISTIC = SI_NUM_STATISTICS - 1 };

/* 64 bits that programs count in. */
static void
copy_counter(struct si_context *ctx, uint64_t from, uint64_t to)
{
   si_cs_reserve(&ctx->cs, 6);
   si_packet(&ctx->cs, copy_data, .src_sel = V_COPY_SRC_MEM, .dst_sel = V_COPY_DST_MEM, .count_sel = true,
             .wr_confirm = true, .src = from, .dst = to);
}

/* Of NGG programs, once all earlier ones have added theirs. */
static void
sample_counter(struct si_context *ctx, uint64_t va)
{
   si_partial_flush(ctx, V_VS_PARTIAL_FLUSH);
   copy_counter(ctx, ctx->screen->generated->va + 8 * ctx->query_stream, va);
}

/* Of task and mesh shaders. Earlier tasks have ended, later ones wait until they have been counted. */
static void
sample_meshes(struct si_context *ctx, uint64_t va)
{
   const uint64_t counters_va = ctx->screen->task_rings->va + SI_TASK_COUNTERS_B;

   if (!mutant("mesh-queries-ahead"))
      si_barrier_tasks(ctx, true);
   si_partial_flush(ctx, V_VS_PARTIAL_FLUSH);
   copy_counter(ctx, counters_va + offsetof(struct si_task_counters, tasks), va + 8 * TASKS_PLACE);
   copy_counter(ctx, counters_va + offsetof(struct si_task_counters, meshes), va + 8 * MESHES_PLACE);
}

static void
sample_mesh_primitives(struct si_context *ctx, uint64_t va)
{
   si_partial_flush(ctx, V_VS_PARTIAL_FLUSH);
   copy_counter(ctx, ctx->screen->task_rings->va + SI_TASK_COUNTERS_B + offsetof(struct si_task_counters, primitives),
                va);
}

static void
sample(struct si_context *ctx, const struct si_query_pool *pool, uint64_t va)
{
   static const uint32_t streams[] = {V_SAMPLE_STREAMOUTSTATS, V_SAMPLE_STREAMOUTSTATS1, V_SAMPLE_STREAMOUTSTATS2,
                                      V_SAMPLE_STREAMOUTSTATS3};
   bool pipes = ctx->screen->info.counts_pixel_pipes;

   if (pool->type == PIPE_QUERY_GENERATED && ctx->screen->ngg)
      sample_counter(ctx, va + (has_engine(ctx->screen) ? ENGINE_B : 0));
   if (pool->type == PIPE_QUERY_GENERATED && !has_engine(ctx->screen))
      return;
   if (pool->type == PIPE_QUERY_MESH) {
      sample_mesh_primitives(ctx, va);
      return;
   }
   if (pool->num_values == PIPE_STATISTICS && ctx->ring == AMDGPU_WS_GFX)
      sample_meshes(ctx, va);
   if (pool->type == PIPE_QUERY_XFB && !has_engine(ctx->screen))
      si_sample_programs_xfb(ctx, ctx->query_stream, va);
   else if (pool->type == PIPE_QUERY_XFB || pool->type == PIPE_QUERY_GENERATED)
      emit_sample(ctx, streams[ctx->query_stream], V_EVENT_INDEX_SAMPLE_STREAMOUTSTATS, va);
   else if (pool->type == PIPE_QUERY_OCCLUSION)
      emit_sample(ctx, pipes ? V_PIXEL_PIPE_STAT_DUMP : V_ZPASS_DONE, V_EVENT_INDEX_ZPASS, va);
   else
      emit_sample(ctx, V_SAMPLE_PIPELINESTAT, V_EVENT_INDEX_SAMPLE_PIPELINESTAT,
                  ctx->ring == AMDGPU_WS_GFX ? va : va + pool->pair_step_B * si_statistics_order[COMPUTE_STATISTIC]);
}

static void
emit_statistics_event(struct si_context *ctx, uint32_t event)
{
   if (!ctx->statistics_queries)
      return;
   si_cs_reserve(&ctx->cs, 2);
   si_packet(&ctx->cs, event_write, .event_type = event);
}

void
si_pause_statistics(struct si_context *ctx)
{
   emit_statistics_event(ctx, V_PIPELINESTAT_STOP);
}

void
si_resume_statistics(struct si_context *ctx)
{
   emit_statistics_event(ctx, V_PIPELINESTAT_START);
}

/* What counts while such queries run. */
static void
count_queries(struct si_context *ctx, enum pipe_query_type type, int more)
{
   if (type == PIPE_QUERY_PIPELINE_STATISTICS)
      ctx->statistics_queries += (unsigned)more;
   if (type == PIPE_QUERY_GENERATED) {
      ctx->generated_queries += (unsigned)more;
      si_mark_dirty(ctx, SI_ATOM_XFB);
   }
}

static void
set_query_stream(struct pipe_context *pipe, unsigned stream)
{
   si_context(pipe)->query_stream = stream;
}

static void
query_begin(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t index, bool precise)
{
   struct si_context *ctx = si_context(pipe);
   const struct si_query_pool *pool = si_query_pool(handle);

   if (pool->type == PIPE_QUERY_OCCLUSION) {
      if (ctx->occlusion_queries++ == 0)
         si_mark_dirty(ctx, SI_ATOM_OCCLUSION);
      ctx->precise_occlusion |= precise;
   }
   count_queries(ctx, pool->type, 1);
   ctx->dirty |= si_mutate_atoms(SI_MUTANT_QUERY, 1u << SI_ATOM_ORDER);
   sample(ctx, pool, slot_va(pool, index));
}

static void
query_end(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t index)
{
   struct si_context *ctx = si_context(pipe);
   const struct si_query_pool *pool = si_query_pool(handle);

   if (pool->type == PIPE_QUERY_OCCLUSION && --ctx->occlusion_queries == 0) {
      ctx->precise_occlusion = false;
      si_mark_dirty(ctx, SI_ATOM_OCCLUSION);
   }
   count_queries(ctx, pool->type, -1);
   si_mark_dirty(ctx, SI_ATOM_ORDER);
   sample(ctx, pool, slot_va(pool, index) + pool->end_offset_B);
   emit_end_of_pipe(ctx, V_RELEASE_DATA_32, slot_va(pool, index) + pool->available_offset_B, 1);
}

void
si_emit_occlusion(struct si_context *ctx)
{
   bool counts = ctx->occlusion_queries > 0, pipes = ctx->screen->info.counts_pixel_pipes;
   unsigned samples = si_raster_samples(ctx);

   si_cs_reserve(&ctx->cs, 3);
   si_cs_context_reg(&ctx->cs, R_DB_COUNT_CONTROL,
                     S_DB_COUNT_CONTROL_ZPASS_INCREMENT_DISABLE(!counts && !pipes) |
                        S_DB_COUNT_CONTROL_PERFECT_ZPASS_COUNTS(counts) |
                        S_DB_COUNT_CONTROL_DISABLE_CONSERVATIVE_ZPASS_COUNTS(counts && ctx->screen->info.rdna) |
                        S_DB_COUNT_CONTROL_SAMPLE_RATE(counts ? log2_floor(samples) : 0) |
                        S_DB_COUNT_CONTROL_ZPASS_ENABLE(counts) | S_DB_COUNT_CONTROL_SLICE_EVEN_ENABLE(counts) |
                        S_DB_COUNT_CONTROL_SLICE_ODD_ENABLE(counts));
}

static void
write_timestamp(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t index, uint32_t stages)
{
   struct si_context *ctx = si_context(pipe);
   const struct si_query_pool *pool = si_query_pool(handle);
   uint64_t va = slot_va(pool, index);

   if (si_is_sdma(ctx)) {
      si_sdma_timestamp(ctx, va + pool->end_offset_B);
      si_sdma_write(ctx, va + pool->available_offset_B, 1);
      return;
   }
   /* The end of the pipe is never too early. */
   emit_end_of_pipe(ctx, V_RELEASE_DATA_TIMESTAMP, va + pool->end_offset_B, 0);
   emit_end_of_pipe(ctx, V_RELEASE_DATA_32, va + pool->available_offset_B, 1);
}

static void
query_reset(struct pipe_context *pipe, struct pipe_query_pool *handle, uint32_t first, uint32_t count)
{
   struct si_context *ctx = si_context(pipe);
   const struct si_query_pool *pool = si_query_pool(handle);

   /* Earlier queries may still write. */
   si_flush_graphics(ctx);
   si_dma_fill(ctx, slot_va(pool, first), (uint64_t)count * pool->slot_B, 0);
   si_wait_dma(ctx);
}

static void
query_copy(struct pipe_context *pipe, struct pipe_query_pool *handle, const struct pipe_query_copy *copy)
{
   struct si_context *ctx = si_context(pipe);
   const struct si_query_pool *pool = si_query_pool(handle);

   if (copy->wait) {
      for (uint32_t i = 0; i < copy->count; i++)
         si_wait_value(ctx, slot_va(pool, copy->first + i) + pool->available_offset_B, 1);
   }
   si_flush_graphics(ctx);
   si_invalidate_caches(ctx);
   si_meta_copy_queries(ctx, pool, copy);
}

void
si_init_query(struct si_context *ctx)
{
   ctx->base.query_begin = query_begin;
   ctx->base.query_end = query_end;
   ctx->base.set_query_stream = set_query_stream;
   ctx->base.write_timestamp = write_timestamp;
   ctx->base.query_reset = query_reset;
   ctx->base.query_copy = query_copy;
}

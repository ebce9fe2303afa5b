/* Life of a context: creation, begin, end, reset, execution of secondaries. */
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/resource/si_metadata.h"
#include "gallium/drivers/radeonsi/draw/si_draw_task.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/cs/si_sdma.h"

#include <assert.h>
#include <stdlib.h>

#include "util/macros.h"
#include "util/mutant.h"

static void
free_chunks(struct si_context *ctx)
{
   si_cs_reset(&ctx->cs);
   si_cs_reset(&ctx->task_cs);
   aux_upload_reset(&ctx->upload);
}

static const struct pipe_graphics_state no_state = {.line_width_px = 1, .samples = 1};

/* Back to the state of a new context, but for the functions. */
static void
reset_state(struct si_context *ctx)
{
   size_t kept = offsetof(struct si_context, dirty);

   memset((char *)ctx + kept, 0, sizeof(*ctx) - kept);
   ctx->state.gfx = &no_state;
   si_forget_state(ctx);
}

static enum pipe_result
context_begin(struct pipe_context *pipe, const struct pipe_inheritance *inheritance, bool reusable)
{
   struct si_context *ctx = si_context(pipe);
   uint32_t *words;

   free_chunks(ctx);
   reset_state(ctx);
   if (!aux_upload_start(&ctx->upload) || !si_cs_begin(&ctx->cs)) {
      free_chunks(ctx);
      return PIPE_OUT_OF_DEVICE_MEMORY;
   }
   if (!si_is_sdma(ctx)) {
      words = si_upload_alloc(ctx, 1, 1, &ctx->fence_va);
      *words = 0;
      /* The stream may run more than once. */
      si_write_data(ctx, ctx->fence_va, &(uint32_t){0}, 1);
   }
   ctx->secondary = inheritance != NULL;
   if (inheritance) {
      ctx->generated_queries = 1; /* possibly */
      ctx->statistics_queries = !mutant("order-outer-statistics");
      ctx->occlusion_queries = inheritance->in_occlusion_query;
      ctx->precise_occlusion = inheritance->in_occlusion_query && !mutant("order-outer-counts"); /* perhaps */
      ctx->in_rendering = inheritance->in_rendering;
   }
   if (inheritance && inheritance->in_conditional)
      si_inherit_condition(ctx);
   if (ctx->in_rendering)
      si_inherit_rendering(ctx, inheritance);
   return PIPE_OK;
}

static enum pipe_result
context_end(struct pipe_context *pipe)
{
   struct si_context *ctx = si_context(pipe);

   si_wait_dma(ctx);
   si_leave_front_end(ctx);
   si_leave_restart_index(ctx);
   if (!si_end_tasks(ctx) || !si_cs_end(&ctx->cs) || ctx->failed)
      return PIPE_OUT_OF_DEVICE_MEMORY;
   if (!ctx->secondary && !si_is_sdma(ctx))
      si_mutate_stream(&ctx->cs, ctx->screen->info.gen);
   return PIPE_OK;
}

static void
context_reset(struct pipe_context *pipe)
{
   struct si_context *ctx = si_context(pipe);

   free_chunks(ctx);
   reset_state(ctx);
}

static void
context_execute(struct pipe_context *pipe, struct pipe_context *secondary)
{
   struct si_context *ctx = si_context(pipe);

   /* A barrier in the secondary does not know of the primary's copies. Its own have ended with it (context_end). */
   si_wait_dma(ctx);
   /* A secondary that runs inside rendering does not know the targets: they are set here. */
   if (ctx->in_rendering) {
      si_emit_framebuffer(ctx);
      si_emit_occlusion(ctx);
   }
   si_leave_front_end(ctx);
   si_leave_restart_index(ctx);
   ctx->queue_scratch_wave_B = MAX2(ctx->queue_scratch_wave_B, si_context(secondary)->queue_scratch_wave_B);
   si_execute_tasks(ctx, si_context(secondary));
   for (const struct aux_chunk *chunk = si_context(secondary)->cs.first; chunk; chunk = chunk->next) {
      uint32_t *packets = si_cs_append(&ctx->cs, chunk);

      if (packets)
         si_pass_condition(ctx, si_context(secondary), packets, chunk->used_B / 4);
   }
   si_forget_state(ctx);
}

static void
context_destroy(struct pipe_context *pipe)
{
   struct si_context *ctx = si_context(pipe);

   free_chunks(ctx);
   free(ctx);
}

struct pipe_context *
si_context_create(struct pipe_screen *screen, unsigned family)
{
   struct si_context *ctx = calloc(1, sizeof(*ctx));

   if (!ctx)
      return NULL;
   ctx->base.screen = screen;
   ctx->screen = si_screen(screen);
   ctx->ring = (enum amdgpu_ws_ring)family;
   si_cs_init(&ctx->cs, &ctx->screen->chunks);
   si_cs_init(&ctx->task_cs, &ctx->screen->chunks);
   ctx->cs.is_sdma = si_is_sdma(ctx);
   ctx->upload.pool = &ctx->screen->chunks;
   ctx->base.destroy = context_destroy;
   ctx->base.begin = context_begin;
   ctx->base.end = context_end;
   ctx->base.reset = context_reset;
   ctx->base.execute = context_execute;
   si_init_state(ctx);
   si_init_draw(ctx);
   si_init_draw_mesh(ctx);
   si_init_condition(ctx);
   si_init_compute(ctx);
   si_init_descriptors(ctx);
   si_init_vertex(ctx);
   si_init_rendering(ctx);
   si_init_barrier(ctx);
   si_init_query(ctx);
   si_init_xfb(ctx);
   si_init_meta(ctx);
   si_init_generate(ctx);
   reset_state(ctx);
   return &ctx->base;
}

/* Life of a context: creation, begin, end, reset, execution of secondaries. */
#include "gallium/drivers/asahi/agx_context.h"

#include <stdlib.h>
#include <string.h>

static void
free_memory(struct agx_context *ctx)
{
   agx_cs_reset(&ctx->cdm);
   agx_cs_reset(&ctx->vdm);
   aux_upload_reset(&ctx->upload);
   aux_upload_reset(&ctx->usc_upload);
   ctx->num_commands = ctx->num_event_waits = ctx->num_segments = 0;
}

/* Back to the state of a new context, but for the functions. */
static void
reset_state(struct agx_context *ctx)
{
   size_t kept = offsetof(struct agx_context, failed);

   memset((char *)ctx + kept, 0, sizeof(*ctx) - kept);
   agx_graphics_reset(ctx);
}

static enum pipe_result
context_begin(struct pipe_context *pipe, const struct pipe_inheritance *inheritance, bool reusable)
{
   struct agx_context *ctx = agx_context(pipe);

   free_memory(ctx);
   reset_state(ctx);
   if (!aux_upload_start(&ctx->upload) || !aux_upload_start(&ctx->usc_upload)) {
      free_memory(ctx);
      return PIPE_OUT_OF_DEVICE_MEMORY;
   }
   if (inheritance)
      agx_graphics_inherit(ctx, inheritance);
   return PIPE_OK;
}

static enum pipe_result
context_end(struct pipe_context *pipe)
{
   struct agx_context *ctx = agx_context(pipe);

   agx_graphics_end(ctx);
   agx_compute_close(ctx);
   return ctx->failed || ctx->cdm.out_of_memory || ctx->vdm.out_of_memory ? PIPE_OUT_OF_DEVICE_MEMORY : PIPE_OK;
}

static void
context_reset(struct pipe_context *pipe)
{
   struct agx_context *ctx = agx_context(pipe);

   free_memory(ctx);
   reset_state(ctx);
}

static void
context_execute(struct pipe_context *pipe, struct pipe_context *secondary)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_context *from = agx_context(secondary);

   agx_statistics_before(ctx, from);
   ctx->uses_heap |= from->uses_heap;
   agx_execute_segment(ctx, from, 0);
   bool draws = agx_graphics_execute(ctx, from);

   agx_statistics_add_secondary(ctx, from);
   if (draws)
      return;
   for (unsigned point = 0; point < PIPE_BIND_POINTS; point++)
      memset(&ctx->tables[point], 0, sizeof(ctx->tables[point]));
}

static void
context_destroy(struct pipe_context *pipe)
{
   struct agx_context *ctx = agx_context(pipe);

   free_memory(ctx);
   free(ctx->commands);
   free(ctx->event_waits);
   free(ctx->segments);
   free(ctx);
}

struct pipe_context *
agx_context_create(struct pipe_screen *pipe, unsigned family)
{
   struct agx_screen *screen = agx_screen(pipe);
   struct agx_context *ctx = calloc(1, sizeof(*ctx));

   if (!ctx)
      return NULL;
   ctx->base.screen = pipe;
   ctx->screen = screen;
   agx_cs_init(&ctx->cdm, &screen->chunks, AGX_CS_CDM);
   agx_cs_init(&ctx->vdm, &screen->chunks, AGX_CS_VDM);
   ctx->upload.pool = &screen->chunks;
   ctx->usc_upload.pool = &screen->usc_chunks;
   ctx->base.destroy = context_destroy;
   ctx->base.begin = context_begin;
   ctx->base.end = context_end;
   ctx->base.reset = context_reset;
   ctx->base.execute = context_execute;
   agx_init_descriptors(ctx);
   agx_init_compute(ctx);
   agx_init_barrier(ctx);
   agx_init_query(ctx);
   agx_init_meta(ctx);
   agx_init_graphics(ctx);
   reset_state(ctx);
   return &ctx->base;
}

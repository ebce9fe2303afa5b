/* Barriers and events. Commands run one after the other; within a stream of dispatches a record orders them. Caches
 * need nothing besides: the kernel cleans them between commands. */
#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"

/* Images have one state whatever they are used for, and any metadata decodes: discards need nothing. */
static void
barrier(struct pipe_context *pipe, const struct pipe_barrier *barrier)
{
   if (!barrier->src_stages && !barrier->dst_stages)
      return;
   agx_render_split(agx_context(pipe));
   agx_compute_barrier(agx_context(pipe));
}

static void
event_write(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B, uint32_t value,
            uint32_t stages)
{
   struct agx_context *ctx = agx_context(pipe);

   agx_compute_barrier(ctx);
   agx_meta_fill(ctx, agx_resource(buffer)->va + offset_B, 4, value);
}

/* Also what earlier commands set is waited for by the CPU: their words may be reset and set again by anybody. */
static void
event_wait(struct pipe_context *pipe, struct pipe_resource *handle, uint64_t offset_B)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_resource *buffer = agx_resource(handle);
   const char *map = asahi_ws_bo_map(buffer->bo);

   if (!map) {
      ctx->failed = true;
      return;
   }
   agx_compute_close(ctx);
   agx_add_event_wait(ctx, ctx->num_commands, (const uint32_t *)(map + (buffer->va - buffer->bo->va) + offset_B));
}

void
agx_init_barrier(struct agx_context *ctx)
{
   ctx->base.barrier = barrier;
   ctx->base.event_write = event_write;
   ctx->base.event_wait = event_wait;
}

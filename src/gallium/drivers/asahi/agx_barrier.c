/* Barriers and events. Commands run one after the other; within a stream of dispatches a record orders them. Caches
 * need nothing beside: the kernel cleans them between commands. */
#include "gallium/drivers/asahi/agx_compute.h"
#include "gallium/drivers/asahi/agx_meta.h"
#include "gallium/drivers/asahi/agx_resource.h"

static void
barrier(struct pipe_context *pipe, const struct pipe_barrier *barrier)
{
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

/* What this queue or an earlier submit sets is set by now. TODO of docs/drivers/asahi/driver.md: the host's events.
 */
static void
event_wait(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B)
{
   struct agx_context *ctx = agx_context(pipe);

   agx_compute_barrier(ctx);
   agx_meta_wait_event(ctx, agx_resource(buffer)->va + offset_B);
}

void
agx_init_barrier(struct agx_context *ctx)
{
   ctx->base.barrier = barrier;
   ctx->base.event_write = event_write;
   ctx->base.event_wait = event_wait;
}

/* Queues: what the kernel gets of a submit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gallium/auxiliary/aux_queue.h"
#include "gallium/auxiliary/aux_sync.h"
#include "gallium/drivers/asahi/agx_context.h"
#include "util/log.h"

struct agx_queue {
   struct aux_queue base;
   struct asahi_ws_queue *ws;
};

static struct agx_queue *
agx_queue(struct aux_queue *queue)
{
   return (struct agx_queue *)queue;
}

bool
agx_empty_stream_init(struct agx_screen *screen)
{
   struct agx_cs cs;

   screen->empty_stream = asahi_ws_bo_create(screen->ws, AGX_CS_TAIL_B, 0, ASAHI_WS_BO_READ_ONLY);
   if (!screen->empty_stream || !asahi_ws_bo_map(screen->empty_stream))
      return false;
   agx_cs_init(&cs, &screen->chunks, AGX_CS_CDM);
   cs.cur = screen->empty_stream->map;
   agx_cs_end(&cs);
   return true;
}

/* The kernel takes no submit without a command. */
static struct asahi_ws_command
empty_command(const struct agx_screen *screen)
{
   uint64_t va = screen->empty_stream->va;

   return (struct asahi_ws_command){.compute_cmd = {.cdm_ctrl_stream_base = va, .cdm_ctrl_stream_end = va + 8}};
}

static uint32_t
count_commands(const struct aux_submit *submit)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < submit->num_contexts; i++)
      count += agx_context(submit->contexts[i])->num_commands;
   return count;
}

static int
run(struct aux_queue *queue, const struct aux_submit *submit)
{
   uint32_t count = count_commands(submit), at = 0;
   struct asahi_ws_command empty = empty_command(agx_screen(&queue->screen->base)), *commands = &empty;
   int error = -ENOMEM;

   if (count)
      commands = malloc(count * sizeof(*commands));
   for (uint32_t i = 0; i < submit->num_contexts && commands; i++) {
      const struct agx_context *ctx = agx_context(submit->contexts[i]);

      if (ctx->num_commands)
         memcpy(commands + at, ctx->commands, ctx->num_commands * sizeof(*commands));
      at += ctx->num_commands;
   }
   if (commands)
      error = asahi_ws_queue_submit(agx_queue(queue)->ws, &(struct asahi_ws_submit){
                                                             .commands = commands,
                                                             .command_count = count ? count : 1,
                                                             .waits = submit->waits,
                                                             .signals = submit->signals,
                                                             .wait_count = submit->num_waits,
                                                             .signal_count = submit->num_signals,
                                                          });
   if (commands != &empty)
      free(commands);
   if (error)
      log_error("the submit failed: error %d", -error);
   return error;
}

static bool
lost(struct aux_queue *queue)
{
   return asahi_ws_queue_lost(agx_queue(queue)->ws);
}

static const struct aux_queue_ops ops = {run, lost};

static enum pipe_result
queue_create(struct pipe_screen *screen, unsigned family, struct pipe_queue **out)
{
   struct agx_queue *queue = calloc(1, sizeof(*queue));

   if (!queue)
      return PIPE_OUT_OF_HOST_MEMORY;
   queue->ws = asahi_ws_queue_create(agx_screen(screen)->ws);
   if (!queue->ws || !aux_queue_init(&queue->base, screen, &ops)) {
      if (queue->ws)
         asahi_ws_queue_destroy(queue->ws);
      free(queue);
      return PIPE_OUT_OF_HOST_MEMORY;
   }
   *out = aux_queue_handle(&queue->base);
   return PIPE_OK;
}

static void
queue_destroy(struct pipe_screen *screen, struct pipe_queue *pipe)
{
   struct agx_queue *queue = agx_queue(aux_queue(pipe));

   aux_queue_finish(&queue->base);
   asahi_ws_queue_destroy(queue->ws);
   free(queue);
}

static uint64_t
timestamp(struct pipe_screen *screen)
{
   uint64_t ns = 0;

   asahi_ws_timestamp(agx_screen(screen)->ws, &ns);
   return ns;
}

void
agx_init_queue(struct agx_screen *screen)
{
   screen->base.caps.num_queue_families = 1;
   screen->base.caps.queue_families[0] =
      (struct pipe_queue_family){PIPE_CAN_GRAPHICS | PIPE_CAN_COMPUTE | PIPE_CAN_TRANSFER, 1};
   aux_init_sync(&screen->base);
   aux_init_queue(&screen->base);
   screen->base.queue_create = queue_create;
   screen->base.queue_destroy = queue_destroy;
   screen->base.timestamp = timestamp;
}

/* The graphics queue: turns ended contexts into a submit. */
#include <stdlib.h>

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/drivers/radeonsi/si_sync.h"
#include "util/log.h"
#include "util/macros.h"

struct pipe_queue {
   struct si_screen *screen;
   struct amdgpu_ws_ctx *ctx;
   uint32_t idle_syncobj;   /* signaled by the last submit */
};

static enum pipe_result
queue_create(struct pipe_screen *screen, struct pipe_queue **out)
{
   struct pipe_queue *queue = calloc(1, sizeof(*queue));

   if (!queue)
      return PIPE_OUT_OF_HOST_MEMORY;
   queue->screen = si_screen(screen);
   queue->ctx = amdgpu_ws_ctx_create(queue->screen->ws, AMDGPU_CTX_PRIORITY_NORMAL, NULL);
   if (!queue->ctx || amdgpu_ws_syncobj_create(queue->screen->ws, true, &queue->idle_syncobj)) {
      if (queue->ctx)
         amdgpu_ws_ctx_destroy(queue->ctx);
      free(queue);
      return PIPE_OUT_OF_HOST_MEMORY;
   }
   queue->screen->queue_ctx = queue->ctx;
   *out = queue;
   return PIPE_OK;
}

static void
queue_destroy(struct pipe_screen *screen, struct pipe_queue *queue)
{
   amdgpu_ws_syncobj_destroy(queue->screen->ws, queue->idle_syncobj);
   if (queue->screen->queue_ctx == queue->ctx)
      queue->screen->queue_ctx = NULL;
   amdgpu_ws_ctx_destroy(queue->ctx);
   free(queue);
}

/* Up to AMDGPU_WS_MAX_IBS - 1 contexts behind the preamble. */
static int
submit_some(struct pipe_queue *queue, struct pipe_context *const *contexts, uint32_t count,
            const struct amdgpu_ws_sync *waits, unsigned num_waits, const struct amdgpu_ws_sync *signals,
            unsigned num_signals)
{
   struct amdgpu_ws_ib ibs[AMDGPU_WS_MAX_IBS];
   struct amdgpu_ws_submit submit = {
      .ring = AMDGPU_WS_GFX, .ibs = ibs, .ib_count = 1 + count,
      .waits = waits, .wait_count = num_waits, .signals = signals, .signal_count = num_signals,
   };

   ibs[0] = (struct amdgpu_ws_ib){queue->screen->preamble->va, queue->screen->preamble_dw};
   for (uint32_t i = 0; i < count; i++) {
      const struct si_cs *cs = &si_context(contexts[i])->cs;

      ibs[1 + i] = (struct amdgpu_ws_ib){cs->first->va, cs->first_size_dw};
   }
   return amdgpu_ws_ctx_submit(queue->ctx, &submit, NULL);
}

/* Points of timelines that nobody has submitted yet: wait until somebody has. */
static int
wait_for_submits(struct pipe_queue *queue, const struct amdgpu_ws_sync *waits, unsigned count)
{
   if (!count)
      return 0;
   return amdgpu_ws_syncobj_wait(queue->screen->ws, waits, count, AMDGPU_WS_WAIT_ALL | AMDGPU_WS_WAIT_PENDING,
                                 INT64_MAX, NULL);
}

static enum pipe_result
queue_submit(struct pipe_queue *queue, struct pipe_context *const *contexts, uint32_t num_contexts,
             struct pipe_sync *const *waits, const uint64_t *wait_points, uint32_t num_waits,
             struct pipe_sync *const *signals, const uint64_t *signal_points, uint32_t num_signals)
{
   struct amdgpu_ws_sync *list = malloc((num_waits + num_signals + 1) * sizeof(*list));
   struct amdgpu_ws_sync *signal_list = list + num_waits;
   int error;

   if (!list)
      return PIPE_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < num_waits; i++)
      list[i] = (struct amdgpu_ws_sync){waits[i]->syncobj, wait_points ? wait_points[i] : 0};
   for (uint32_t i = 0; i < num_signals; i++)
      signal_list[i] = (struct amdgpu_ws_sync){signals[i]->syncobj, signal_points ? signal_points[i] : 0};
   signal_list[num_signals] = (struct amdgpu_ws_sync){queue->idle_syncobj, 0};

   error = wait_for_submits(queue, list, num_waits);
   do {
      uint32_t now = MIN2(num_contexts, AMDGPU_WS_MAX_IBS - 1u);
      bool last = now == num_contexts;

      if (!error)
         error = submit_some(queue, contexts, now, list, num_waits, signal_list, last ? num_signals + 1 : 0);
      contexts += now;
      num_contexts -= now;
      num_waits = 0;
   } while (num_contexts && !error);
   free(list);
   if (error)
      log_error("the submit failed: error %d", -error);
   return si_result_of_errno(error);
}

static enum pipe_result
queue_wait_idle(struct pipe_queue *queue)
{
   struct amdgpu_ws_sync idle = {queue->idle_syncobj, 0};
   int error = amdgpu_ws_syncobj_wait(queue->screen->ws, &idle, 1, AMDGPU_WS_WAIT_ALL, INT64_MAX, NULL);

   if (!error && amdgpu_ws_ctx_reset_status(queue->ctx) != AMDGPU_WS_NO_RESET)
      return PIPE_DEVICE_LOST;
   return si_result_of_errno(error);
}

static uint64_t
timestamp(struct pipe_screen *screen)
{
   uint64_t ticks = 0;

   amdgpu_ws_timestamp(si_screen(screen)->ws, &ticks);
   return ticks;
}

void
si_init_queue(struct si_screen *screen)
{
   screen->base.queue_create = queue_create;
   screen->base.queue_destroy = queue_destroy;
   screen->base.queue_submit = queue_submit;
   screen->base.queue_wait_idle = queue_wait_idle;
   screen->base.timestamp = timestamp;
}

/* Queues. A submit that waits for a point of a timeline which nobody has submitted yet cannot go to the
 * kernel: it and everything behind it is handed to a thread that waits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/drivers/radeonsi/si_submit.h"
#include "gallium/drivers/radeonsi/si_sync.h"
#include "util/macros.h"

struct si_queue {
   struct si_screen *screen;
   enum amdgpu_ws_ring ring;
   struct amdgpu_ws_ctx *ctx;
   uint32_t idle_syncobj; /* signaled by the last submit */
   pthread_mutex_t lock;  /* of what follows */
   pthread_cond_t changed;
   struct si_submit *first, **last; /* handed to the thread, in order; the first is being worked on */
   bool has_thread, stopping;
   int deferred_error; /* of a submit of the thread */
   pthread_t thread;
};
PIPE_HANDLE(si, queue)

static enum pipe_result
queue_create(struct pipe_screen *screen, unsigned family, struct pipe_queue **out)
{
   struct si_queue *queue = calloc(1, sizeof(*queue));

   if (!queue)
      return PIPE_OUT_OF_HOST_MEMORY;
   queue->screen = si_screen(screen);
   queue->ring = (enum amdgpu_ws_ring)family;
   queue->ctx = amdgpu_ws_ctx_create(queue->screen->ws);
   if (!queue->ctx || amdgpu_ws_syncobj_create(queue->screen->ws, true, &queue->idle_syncobj)) {
      if (queue->ctx)
         amdgpu_ws_ctx_destroy(queue->ctx);
      free(queue);
      return PIPE_OUT_OF_HOST_MEMORY;
   }
   pthread_mutex_init(&queue->lock, NULL);
   pthread_cond_init(&queue->changed, NULL);
   queue->last = &queue->first;
   *out = si_queue_handle(queue);
   return PIPE_OK;
}

static void
queue_destroy(struct pipe_screen *screen, struct pipe_queue *pipe)
{
   struct si_queue *queue = si_queue(pipe);

   if (queue->has_thread) {
      pthread_mutex_lock(&queue->lock);
      queue->stopping = true;
      pthread_cond_broadcast(&queue->changed);
      pthread_mutex_unlock(&queue->lock);
      pthread_join(queue->thread, NULL);
   }
   amdgpu_ws_syncobj_destroy(queue->screen->ws, queue->idle_syncobj);
   amdgpu_ws_ctx_destroy(queue->ctx);
   pthread_cond_destroy(&queue->changed);
   pthread_mutex_destroy(&queue->lock);
   free(queue);
}

/* Works the list off until the queue goes away. */
static void *
run_thread(void *data)
{
   struct si_queue *queue = data;

   pthread_mutex_lock(&queue->lock);
   for (;;) {
      struct si_submit *submit = queue->first;
      int error;

      if (!submit) {
         if (queue->stopping)
            break;
         pthread_cond_wait(&queue->changed, &queue->lock);
         continue;
      }
      pthread_mutex_unlock(&queue->lock);
      error = si_submit_wait_ready(submit, INT64_MAX);
      if (!error)
         error = si_submit_run(submit, queue->ctx);
      if (error)
         si_submit_drop(submit);
      pthread_mutex_lock(&queue->lock);
      if (error)
         queue->deferred_error = error;
      queue->first = submit->next;
      if (!queue->first)
         queue->last = &queue->first;
      si_submit_free(submit);
      pthread_cond_broadcast(&queue->changed);
   }
   pthread_mutex_unlock(&queue->lock);
   return NULL;
}

/* Hands the submit over; lock held. 0 or a negative errno. */
static int
defer(struct si_queue *queue, struct si_submit *submit)
{
   if (!queue->has_thread && pthread_create(&queue->thread, NULL, run_thread, queue))
      return -ENOMEM;
   queue->has_thread = true;
   *queue->last = submit;
   queue->last = &submit->next;
   pthread_cond_broadcast(&queue->changed);
   return 0;
}

/* Runs the submit or hands it over, and takes it. */
static enum pipe_result
run_or_defer(struct si_queue *queue, struct si_submit *submit)
{
   bool deferred = false;
   int error;

   pthread_mutex_lock(&queue->lock);
   error = queue->deferred_error;
   if (!error && (queue->first || si_submit_wait_ready(submit, 0) == -ETIME)) {
      error = defer(queue, submit);
      deferred = !error;
   }
   pthread_mutex_unlock(&queue->lock);
   if (deferred)
      return PIPE_OK;
   if (!error)
      error = si_submit_run(submit, queue->ctx);
   enum pipe_result result = si_result_of_errno(error);
   /* What it waited for is gone. */
   if (error && submit->num_waits)
      result = PIPE_DEVICE_LOST;
   if (result == PIPE_DEVICE_LOST)
      si_submit_drop(submit);
   si_submit_free(submit);
   return result;
}

static enum pipe_result
queue_submit(struct pipe_queue *pipe, struct pipe_context *const *contexts, uint32_t num_contexts,
             struct pipe_sync *const *waits, const uint64_t *wait_points, uint32_t num_waits,
             struct pipe_sync *const *signals, const uint64_t *signal_points, uint32_t num_signals)
{
   struct si_queue *queue = si_queue(pipe);
   struct si_submit *submit = si_submit_create(queue->screen, queue->ring, num_contexts, num_waits, num_signals + 1);
   int error = 0;

   if (!submit) {
      for (uint32_t i = 0; i < num_waits; i++) {
         if (si_sync(waits[i])->once)
            queue->screen->base.sync_destroy(&queue->screen->base, waits[i]);
      }
      return PIPE_OUT_OF_HOST_MEMORY;
   }
   if (num_contexts)
      memcpy(submit->contexts, contexts, num_contexts * sizeof(*contexts));
   for (uint32_t i = 0; i < num_signals; i++)
      submit->signals[i] =
         (struct amdgpu_ws_sync){si_sync(signals[i])->syncobj, signal_points ? signal_points[i] : 0};
   submit->signals[num_signals] = (struct amdgpu_ws_sync){queue->idle_syncobj, 0};
   for (uint32_t i = 0; i < num_waits; i++) {
      int taken = si_submit_take(submit, i, si_sync(waits[i]), wait_points ? wait_points[i] : 0);

      error = error ? error : taken;
   }
   if (!error)
      return run_or_defer(queue, submit);
   si_submit_drop(submit);
   si_submit_free(submit);
   return PIPE_DEVICE_LOST;
}

static bool
queue_lost(struct pipe_queue *pipe)
{
   struct si_queue *queue = si_queue(pipe);

   pthread_mutex_lock(&queue->lock);
   int error = queue->deferred_error;
   pthread_mutex_unlock(&queue->lock);
   return error || amdgpu_ws_ctx_reset_status(queue->ctx) != AMDGPU_WS_NO_RESET;
}

static enum pipe_result
queue_wait_idle(struct pipe_queue *pipe)
{
   struct si_queue *queue = si_queue(pipe);
   struct amdgpu_ws_sync idle = {queue->idle_syncobj, 0};
   int error;

   pthread_mutex_lock(&queue->lock);
   while (queue->first)
      pthread_cond_wait(&queue->changed, &queue->lock);
   error = queue->deferred_error;
   pthread_mutex_unlock(&queue->lock);
   if (!error)
      error = amdgpu_ws_syncobj_wait(queue->screen->ws, &idle, 1, AMDGPU_WS_WAIT_ALL, INT64_MAX);
   if (!error && queue_lost(pipe))
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

/* There is one ring for graphics. Each of its queues has a context in the kernel, which lets jobs take turns: none
 * waits behind another's semaphores. Of the rings for compute, which run beside it and each other, one is used: what
 * is recorded for it has one scratch buffer. */
static const struct pipe_queue_family families[AMDGPU_WS_RINGS] = {
   [AMDGPU_WS_GFX] = {PIPE_CAN_GRAPHICS | PIPE_CAN_COMPUTE | PIPE_CAN_TRANSFER, 2},
   [AMDGPU_WS_COMPUTE] = {PIPE_CAN_COMPUTE | PIPE_CAN_TRANSFER, 1},
};

void
si_init_queue(struct si_screen *screen)
{
   screen->base.caps.num_queue_families = ARRAY_SIZE(families);
   memcpy(screen->base.caps.queue_families, families, sizeof(families));
   screen->base.queue_create = queue_create;
   screen->base.queue_destroy = queue_destroy;
   screen->base.queue_submit = queue_submit;
   screen->base.queue_wait_idle = queue_wait_idle;
   screen->base.queue_lost = queue_lost;
   screen->base.timestamp = timestamp;
}

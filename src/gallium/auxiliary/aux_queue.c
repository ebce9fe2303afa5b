#include "gallium/auxiliary/aux_queue.h"

#include <errno.h>
#include <string.h>

#include "gallium/auxiliary/aux_sync.h"

bool
aux_queue_init(struct aux_queue *queue, struct pipe_screen *screen, const struct aux_queue_ops *ops)
{
   queue->screen = aux_screen(screen);
   queue->ops = ops;
   if (ws_syncobj_create(queue->screen->drm_fd, true, &queue->idle_syncobj))
      return false;
   pthread_mutex_init(&queue->lock, NULL);
   pthread_cond_init(&queue->changed, NULL);
   queue->last = &queue->first;
   return true;
}

void
aux_queue_finish(struct aux_queue *queue)
{
   if (queue->has_thread) {
      pthread_mutex_lock(&queue->lock);
      queue->stopping = true;
      pthread_cond_broadcast(&queue->changed);
      pthread_mutex_unlock(&queue->lock);
      pthread_join(queue->thread, NULL);
   }
   ws_syncobj_destroy(queue->screen->drm_fd, queue->idle_syncobj);
   pthread_cond_destroy(&queue->changed);
   pthread_mutex_destroy(&queue->lock);
}

/* Works the list off until the queue goes away. */
static void *
run_thread(void *data)
{
   struct aux_queue *queue = data;

   pthread_mutex_lock(&queue->lock);
   for (;;) {
      struct aux_submit *submit = queue->first;
      int error;

      if (!submit) {
         if (queue->stopping)
            break;
         pthread_cond_wait(&queue->changed, &queue->lock);
         continue;
      }
      pthread_mutex_unlock(&queue->lock);
      error = aux_submit_wait_ready(submit, INT64_MAX);
      if (!error)
         error = queue->ops->run(queue, submit);
      if (error)
         aux_submit_drop(submit);
      pthread_mutex_lock(&queue->lock);
      if (error)
         queue->deferred_error = error;
      queue->first = submit->next;
      if (!queue->first)
         queue->last = &queue->first;
      aux_submit_free(submit);
      pthread_cond_broadcast(&queue->changed);
   }
   pthread_mutex_unlock(&queue->lock);
   return NULL;
}

/* Hands the submit over; lock held. 0 or a negative errno. */
static int
defer(struct aux_queue *queue, struct aux_submit *submit)
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
run_or_defer(struct aux_queue *queue, struct aux_submit *submit)
{
   bool deferred = false;
   int error;

   pthread_mutex_lock(&queue->lock);
   error = queue->deferred_error;
   if (!error && (queue->first || aux_submit_wait_ready(submit, 0) == -ETIME ||
                  (queue->ops->blocks && queue->ops->blocks(queue, submit)))) {
      error = defer(queue, submit);
      deferred = !error;
   }
   pthread_mutex_unlock(&queue->lock);
   if (deferred)
      return PIPE_OK;
   if (!error)
      error = queue->ops->run(queue, submit);
   enum pipe_result result = aux_result_of_errno(error);
   /* What it waited for is gone. */
   if (error && submit->num_waits)
      result = PIPE_DEVICE_LOST;
   if (result == PIPE_DEVICE_LOST)
      aux_submit_drop(submit);
   aux_submit_free(submit);
   return result;
}

/* What a call waits for and signals. */
struct syncs {
   struct pipe_sync *const *waits, *const *signals;
   const uint64_t *wait_points, *signal_points;
   uint32_t num_waits, num_signals;
};

/* A submit that does nothing yet. NULL when out of memory. */
static struct aux_submit *
create_submit(struct aux_queue *queue, uint32_t num_contexts, uint32_t num_binds, const struct syncs *s)
{
   struct aux_submit *submit =
      aux_submit_create(queue->screen, num_contexts, num_binds, s->num_waits, s->num_signals + 1);

   for (uint32_t i = 0; i < s->num_waits && !submit; i++) {
      if (aux_sync(s->waits[i])->once)
         queue->screen->base.sync_destroy(&queue->screen->base, s->waits[i]);
   }
   return submit;
}

static enum pipe_result
start_submit(struct aux_queue *queue, struct aux_submit *submit, const struct syncs *s)
{
   int error = 0;

   for (uint32_t i = 0; i < s->num_signals; i++)
      submit->signals[i] =
         (struct ws_sync){aux_sync(s->signals[i])->syncobj, s->signal_points ? s->signal_points[i] : 0};
   submit->signals[s->num_signals] = (struct ws_sync){queue->idle_syncobj, 0};
   for (uint32_t i = 0; i < s->num_waits; i++) {
      int taken = aux_submit_take(submit, i, aux_sync(s->waits[i]), s->wait_points ? s->wait_points[i] : 0);

      error = error ? error : taken;
   }
   if (!error)
      return run_or_defer(queue, submit);
   aux_submit_drop(submit);
   aux_submit_free(submit);
   return PIPE_DEVICE_LOST;
}

static enum pipe_result
queue_submit(struct pipe_queue *pipe, struct pipe_context *const *contexts, uint32_t num_contexts,
             struct pipe_sync *const *waits, const uint64_t *wait_points, uint32_t num_waits,
             struct pipe_sync *const *signals, const uint64_t *signal_points, uint32_t num_signals)
{
   const struct syncs syncs = {waits, signals, wait_points, signal_points, num_waits, num_signals};
   struct aux_submit *submit = create_submit(aux_queue(pipe), num_contexts, 0, &syncs);

   if (!submit)
      return PIPE_OUT_OF_HOST_MEMORY;
   if (num_contexts)
      memcpy(submit->contexts, contexts, num_contexts * sizeof(*contexts));
   return start_submit(aux_queue(pipe), submit, &syncs);
}

static enum pipe_result
queue_bind(struct pipe_queue *pipe, const struct pipe_bind *binds, uint32_t num_binds, struct pipe_sync *const *waits,
           const uint64_t *wait_points, uint32_t num_waits, struct pipe_sync *const *signals,
           const uint64_t *signal_points, uint32_t num_signals)
{
   const struct syncs syncs = {waits, signals, wait_points, signal_points, num_waits, num_signals};
   struct aux_submit *submit = create_submit(aux_queue(pipe), 0, num_binds, &syncs);

   if (!submit)
      return PIPE_OUT_OF_HOST_MEMORY;
   memcpy(submit->binds, binds, num_binds * sizeof(*binds));
   return start_submit(aux_queue(pipe), submit, &syncs);
}

static bool
queue_lost(struct pipe_queue *pipe)
{
   struct aux_queue *queue = aux_queue(pipe);

   pthread_mutex_lock(&queue->lock);
   int error = queue->deferred_error;
   pthread_mutex_unlock(&queue->lock);
   return error || queue->ops->lost(queue);
}

static enum pipe_result
queue_wait_idle(struct pipe_queue *pipe)
{
   struct aux_queue *queue = aux_queue(pipe);
   struct ws_sync idle = {queue->idle_syncobj, 0};
   int error;

   pthread_mutex_lock(&queue->lock);
   while (queue->first)
      pthread_cond_wait(&queue->changed, &queue->lock);
   error = queue->deferred_error;
   pthread_mutex_unlock(&queue->lock);
   if (!error)
      error = ws_syncobj_wait(queue->screen->drm_fd, &idle, 1, WS_WAIT_ALL, INT64_MAX);
   if (!error && queue_lost(pipe))
      return PIPE_DEVICE_LOST;
   return aux_result_of_errno(error);
}

void
aux_init_queue(struct pipe_screen *screen)
{
   screen->queue_submit = queue_submit;
   screen->queue_bind = screen->caps.sparse_binding ? queue_bind : NULL;
   screen->queue_wait_idle = queue_wait_idle;
   screen->queue_lost = queue_lost;
}

#include "gallium/auxiliary/aux_queue.h"

#include <errno.h>

#include "gallium/auxiliary/aux_sync.h"
#include "util/thread.h"

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
   if (!queue->has_thread && !thread_start(&queue->thread, run_thread, queue))
      return -ENOMEM;
   queue->has_thread = true;
   *queue->last = submit;
   queue->last = &submit->next;
   pthread_cond_broadcast(&queue->changed);
   return 0;
}

/* Hands the submit over if it cannot run yet. 0 or a negative errno. */
static int
defer_if_early(struct aux_queue *queue, struct aux_submit *submit, bool *deferred)
{
   int error;

   *deferred = false;
   pthread_mutex_lock(&queue->lock);
   error = queue->deferred_error;
   if (!error && (queue->first || aux_submit_wait_ready(submit, 0) == -ETIME ||
                  (queue->ops->blocks && queue->ops->blocks(queue, submit)))) {
      error = defer(queue, submit);
      *deferred = !error;
   }
   pthread_mutex_unlock(&queue->lock);
   return error;
}

static enum pipe_result
queue_submit(struct pipe_queue *pipe, const struct pipe_submit *from)
{
   struct aux_queue *queue = aux_queue(pipe);
   bool deferred = false;
   int error;
   struct aux_submit *submit = aux_submit_create(queue->screen, from, queue->idle_syncobj, &error);

   if (!submit)
      return PIPE_OUT_OF_HOST_MEMORY;
   if (!error)
      error = defer_if_early(queue, submit, &deferred);
   if (deferred)
      return PIPE_OK;
   if (!error)
      error = queue->ops->run(queue, submit);
   enum pipe_result result = aux_result_of_errno(error);
   /* What it waited for is gone. */
   if (error && from->num_waits)
      result = PIPE_DEVICE_LOST;
   if (result == PIPE_DEVICE_LOST)
      aux_submit_drop(submit);
   aux_submit_free(submit);
   return result;
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
   screen->queue_wait_idle = queue_wait_idle;
   screen->queue_lost = queue_lost;
}

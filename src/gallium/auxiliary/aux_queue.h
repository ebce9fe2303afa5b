/* Queues, whatever executes them. A submit that waits for a point of a timeline which nobody has submitted yet
 * cannot go to the kernel: it and everything after it is handed to a thread that waits. */
#ifndef INDIUM_AUX_QUEUE_H
#define INDIUM_AUX_QUEUE_H

#include <pthread.h>

#include "gallium/auxiliary/aux_submit.h"
#include "gallium/include/pipe/p_handle.h"

struct aux_queue;

/* Of a driver. */
struct aux_queue_ops {
   /* Hands the submit to the kernel. 0 or a negative errno, logged. */
   int (*run)(struct aux_queue *queue, const struct aux_submit *submit);
   /* Has the kernel dropped work? */
   bool (*lost)(struct aux_queue *queue);
   /* Would run() wait for what the application may do only after the call? It is the thread's then. NULL: never. */
   bool (*blocks)(struct aux_queue *queue, const struct aux_submit *submit);
};

/* A driver's queue begins with it. */
struct aux_queue {
   struct aux_screen *screen;
   const struct aux_queue_ops *ops;
   uint32_t idle_syncobj; /* signaled by the last submit */
   pthread_mutex_t lock;  /* of what follows */
   pthread_cond_t changed;
   struct aux_submit *first, **last; /* handed to the thread, in order; the first is being worked on */
   bool has_thread, stopping;
   int deferred_error; /* of a submit of the thread */
   pthread_t thread;
};
PIPE_HANDLE(aux, queue)

/* False when out of memory: then nothing is to be finished. */
bool aux_queue_init(struct aux_queue *queue, struct pipe_screen *screen, const struct aux_queue_ops *ops);
void aux_queue_finish(struct aux_queue *queue);

/* Fills in the functions of the screen, which begins with struct aux_screen, but for creation and destruction. */
void aux_init_queue(struct pipe_screen *screen);

#endif

/* A submit: contexts to run, or memory to bind, after waits; then signals. */
#ifndef INDIUM_AUX_SUBMIT_H
#define INDIUM_AUX_SUBMIT_H

#include "gallium/auxiliary/aux_screen.h"
#include "gallium/winsys/common/ws_syncobj.h"

struct pipe_context;
struct aux_sync;

struct aux_submit {
   struct aux_submit *next; /* of a list of the queue */
   struct aux_screen *screen;
   struct pipe_context **contexts;
   struct ws_sync *waits, *signals;
   uint32_t *taken; /* of each wait: the syncobj that goes away with it, or 0 */
   struct pipe_bind *binds;
   uint32_t num_contexts, num_waits, num_signals, num_binds;
};

/* The arrays are there for the caller to fill; waits by aux_submit_take(). NULL when out of memory. */
struct aux_submit *aux_submit_create(struct aux_screen *screen, uint32_t num_contexts, uint32_t num_binds,
                                     uint32_t num_waits, uint32_t num_signals);

/* Wait i: for a point of a timeline, or (0) for a binary object, whose payload goes into the submit at once: waits
 * take payloads in the order of the calls, in whatever order the kernel gets the submits. By Vulkan's rules its
 * signal has been submitted, so there is a fence soon. 0 or a negative errno. */
int aux_submit_take(struct aux_submit *submit, uint32_t i, struct aux_sync *sync, uint64_t point);

/* Waits until all waits have a fence in the kernel; -ETIME if the time is up. timeout_ns as of
 * ws_syncobj_wait. */
int aux_submit_wait_ready(const struct aux_submit *submit, int64_t timeout_ns);

/* Waits until all waits are over. timeout_ns as of ws_syncobj_wait. */
int aux_submit_wait(const struct aux_submit *submit, int64_t timeout_ns);

/* It will not run: signals all the same, so that nobody waits for ever. */
void aux_submit_drop(const struct aux_submit *submit);

void aux_submit_free(struct aux_submit *submit);

#endif

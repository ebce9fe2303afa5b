/* A submit: contexts to run, or memory to bind, after waits; then signals. */
#ifndef INDIUM_AUX_SUBMIT_H
#define INDIUM_AUX_SUBMIT_H

#include "gallium/auxiliary/aux_screen.h"
#include "gallium/winsys/common/ws_syncobj.h"

struct pipe_context;

/* What is kept of a struct pipe_submit until the kernel has it. */
struct aux_submit {
   struct aux_submit *next; /* of a list of the queue */
   struct aux_screen *screen;
   struct ws_syncs syncs; /* the last signal is the queue's own */
   uint32_t *taken;       /* of each wait: the syncobj that goes away with it, or 0 */
   struct pipe_context **contexts;
   struct pipe_bind *binds;
   uint32_t num_contexts, num_binds;
};

/* Takes all of `from`. The payload of a binary wait goes into the submit at once: waits take payloads in the order of
 * the calls, in whatever order the kernel gets the submits. By Vulkan's rules its signal has been submitted, so there
 * is a fence soon. idle: a syncobj to be signaled, too. NULL when out of memory; *error: 0 or a negative errno of the
 * waits, with which the submit is good for aux_submit_drop() and aux_submit_free() only. */
struct aux_submit *aux_submit_create(struct aux_screen *screen, const struct pipe_submit *from, uint32_t idle,
                                     int *error);

/* Waits until all waits have a fence in the kernel; -ETIME if the time is up. timeout_ns as of
 * ws_syncobj_wait. */
int aux_submit_wait_ready(const struct aux_submit *submit, int64_t timeout_ns);

/* Waits until all waits are over. timeout_ns as of ws_syncobj_wait. */
int aux_submit_wait(const struct aux_submit *submit, int64_t timeout_ns);

/* It will not run: signals all the same, so that nobody waits for ever. */
void aux_submit_drop(const struct aux_submit *submit);

void aux_submit_free(struct aux_submit *submit);

#endif

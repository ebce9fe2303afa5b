/* A submit: contexts to run after waits, then signals. */
#ifndef INDIUM_SI_SUBMIT_H
#define INDIUM_SI_SUBMIT_H

#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

struct pipe_context;
struct si_screen;
struct si_sync;

struct si_submit {
   struct si_submit *next;        /* of a list of the queue */
   struct si_screen *screen;
   struct pipe_context **contexts;
   struct amdgpu_ws_sync *waits, *signals;
   struct si_sync **once;         /* of each wait: what goes away with it, or NULL */
   uint32_t num_contexts, num_waits, num_signals;
};

/* The arrays are there for the caller to fill. One free() releases all; NULL when out of memory. */
struct si_submit *si_submit_create(struct si_screen *screen, uint32_t num_contexts, uint32_t num_waits,
                                   uint32_t num_signals);

/* Waits until all waits have a fence in the kernel; -ETIME if the time is up. timeout_ns as of
 * amdgpu_ws_syncobj_wait. */
int si_submit_wait_ready(const struct si_submit *submit, int64_t timeout_ns);

/* What the waits leave behind: binary ones reset the syncobj if the submit ran. To be called once. */
void si_submit_consume(const struct si_submit *submit, bool ran);

/* 0 or a negative errno, logged. Consumes the waits. */
int si_submit_run(const struct si_submit *submit, struct amdgpu_ws_ctx *ctx);

#endif

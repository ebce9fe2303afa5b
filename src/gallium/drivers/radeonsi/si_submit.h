/* A submit: contexts to run after waits, then signals. */
#ifndef INDIUM_SI_SUBMIT_H
#define INDIUM_SI_SUBMIT_H

#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

struct pipe_context;
struct si_screen;
struct si_sync;

struct si_submit {
   struct si_submit *next; /* of a list of the queue */
   struct si_screen *screen;
   enum amdgpu_ws_ring ring;
   struct pipe_context **contexts;
   struct amdgpu_ws_sync *waits, *signals;
   uint32_t *taken; /* of each wait: the syncobj that goes away with it, or 0 */
   uint32_t num_contexts, num_waits, num_signals;
};

/* The arrays are there for the caller to fill; waits by si_submit_take(). NULL when out of memory. */
struct si_submit *si_submit_create(struct si_screen *screen, enum amdgpu_ws_ring ring, uint32_t num_contexts,
                                   uint32_t num_waits, uint32_t num_signals);

/* Wait i: for a point of a timeline, or (0) for a binary object, whose payload goes into the submit at once: waits
 * take payloads in the order of the calls, in whatever order the kernel gets the submits. By Vulkan's rules its
 * signal has been submitted, so there is a fence soon. 0 or a negative errno. */
int si_submit_take(struct si_submit *submit, uint32_t i, struct si_sync *sync, uint64_t point);

/* Waits until all waits have a fence in the kernel; -ETIME if the time is up. timeout_ns as of
 * amdgpu_ws_syncobj_wait. */
int si_submit_wait_ready(const struct si_submit *submit, int64_t timeout_ns);

/* 0 or a negative errno, logged. */
int si_submit_run(const struct si_submit *submit, struct amdgpu_ws_ctx *ctx);

/* It will not run: signals all the same, so that nobody waits for ever. */
void si_submit_drop(const struct si_submit *submit);

void si_submit_free(struct si_submit *submit);

#endif

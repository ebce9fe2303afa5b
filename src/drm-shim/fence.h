/* Completion of a piece of work. All functions: the shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_FENCE_H
#define INDIUM_DRM_SHIM_FENCE_H

#include <stdbool.h>
#include <stdint.h>

struct shim_fence;

/* Of a fence of which more is known than when it is signaled. */
struct shim_fence_ops {
   const char *driver;
   const char *(*timeline)(const struct shim_fence *fence);
   void (*set_deadline)(struct shim_fence *fence, uint64_t deadline_ns);
   void (*release)(struct shim_fence *fence); /* the last reference is gone; it frees what starts with the fence */
};

struct shim_fence {
   unsigned refs;
   bool signaled;
   int error;           /* once signaled: 0, or why the work was not done (a negative errno) */
   int64_t signaled_ns; /* when that was, as shim_now_ns() has it */
   uint64_t context;    /* fences of one are signaled in the order of seq; 0: of no other's */
   uint64_t seq;
   unsigned part_count; /* a merged fence is signaled when all its parts are, which are no merged ones */
   struct shim_fence **parts;
   const struct shim_fence_ops *ops; /* or NULL */
};

/* One reference, not signaled. */
struct shim_fence *shim_fence_create(void);

/* A number for the fences of a new context. */
uint64_t shim_fence_new_context(void);

/* A reference to the fence that always was signaled. */
struct shim_fence *shim_fence_signaled(void);

/* A fence for all of them, as the kernel merges: without what is signaled, and of a context only the last; takes its
 * own references. count may be 0. */
struct shim_fence *shim_fence_merge(struct shim_fence *const *fences, unsigned count);

struct shim_fence *shim_fence_ref(struct shim_fence *fence);
void shim_fence_unref(struct shim_fence *fence); /* NULL is fine */

bool shim_fence_is_signaled(struct shim_fence *fence);

/* Wakes all waiters and makes sync files readable. error: 0, or a negative errno if the work was not done. */
void shim_fence_signal(struct shim_fence *fence, int error);

/* When somebody would like to see it signaled (CLOCK_MONOTONIC): told to those whose ops take it. */
void shim_fence_set_deadline(struct shim_fence *fence, uint64_t deadline_ns);

/* False: not signaled until then (as shim_sleep). */
bool shim_fence_wait(struct shim_fence *fence, int64_t until_ns);

/* Called after every signal. NULL: nobody looks. */
enum shim_fence_observer {
   SHIM_FENCE_SYNC_FILES,
   SHIM_FENCE_EVENTFDS,
   SHIM_FENCE_OBSERVERS,
};
extern void (*shim_fence_observers[SHIM_FENCE_OBSERVERS])(void);

#endif

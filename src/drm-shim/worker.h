/* A queue of jobs and the thread that runs them in order, so that what a job waits for never blocks who submits it.
 * The shim's lock is held around every function and callback. */
#ifndef INDIUM_DRM_SHIM_WORKER_H
#define INDIUM_DRM_SHIM_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "util/dynarray.h"
#include "util/list.h"

/* The vendor's struct has one. */
struct shim_job {
   struct list_head link;
   struct dynarray waits; /* struct shim_fence *, references */
   uint64_t rings;        /* bits: what runs one job at a time; 0: nothing */
   /* Of turns.h. */
   struct list_head turn_link;
   struct shim_worker *worker;
   bool begun, waits_for_memory;
};

struct shim_worker;

struct shim_worker_calls {
   /* Runs the first job and removes it; may give up the lock meanwhile. */
   void (*run)(struct shim_worker *worker, struct shim_job *job);
   bool (*hurries)(const struct shim_worker *worker); /* jobs do not wait any more */
   bool (*ends)(const struct shim_worker *worker);    /* no more jobs will come */
   void (*ended)(struct shim_worker *worker);         /* the thread has: the worker may be freed */
};

struct shim_worker {
   struct list_head jobs; /* struct shim_job */
   bool has_thread;
   const struct shim_worker_calls *calls;
};

void shim_worker_init(struct shim_worker *worker, const struct shim_worker_calls *calls);

/* Whoever changes what `hurries` and `ends` tell calls shim_wake(). False: no thread can be had. */
bool shim_worker_start(struct shim_worker *worker);

/* In the child of a fork(2): jobs and thread are the parent's. */
void shim_worker_forked(struct shim_worker *worker);

/* Appends; shim_wake() makes the thread look at it. */
void shim_worker_add(struct shim_worker *worker, struct shim_job *job);
/* It is done. */
void shim_worker_remove(struct shim_job *job);

/* Adds a wait; takes over the reference. */
struct shim_fence;
void shim_job_wait_for(struct shim_job *job, struct shim_fence *fence);
bool shim_job_is_ready(const struct shim_job *job);

/* Drops the waits of a job that is in no queue. */
void shim_job_free_waits(struct shim_job *job);

#endif

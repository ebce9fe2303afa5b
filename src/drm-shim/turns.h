/* Turns of jobs: under schedules other than in-order the jobs of several queues interleave, one running at a time, so
 * that what lacks a semaphore between them shows. Who runs is chosen among all jobs that could: those at the head of
 * their queue, whose waits are over and whose rings are free, and those that have begun.
 *
 * The choice depends on what has been submitted, not on when threads of the shim get there. So that it does not
 * depend on how fast the application submits either, no job begins before the application waits for one or looks
 * whether it is done, or SHIM_TURNS_HOLD_NS have passed; then all continues until nothing is left to run.
 *
 * The shim's lock is held around every function. */
#ifndef INDIUM_DRM_SHIM_TURNS_H
#define INDIUM_DRM_SHIM_TURNS_H

#include "drm-shim/worker.h"

#define SHIM_TURNS_HOLD_NS INT64_C(50000000)

/* One of `count` candidates, in the order of submission; current: the one that has had the turn, or -1. */
typedef unsigned shim_turns_choose(unsigned count, int current);

/* From now on, before any job. Without it every job begins when it is ready. */
void shim_turns_enable(shim_turns_choose *choose);

/* Whether a job at the head of its queue, whose waits are over, may begin now. */
bool shim_turns_take(struct shim_job *job);
/* When a thread that may not begin a job looks again at the latest, as shim_sleep() takes it. */
int64_t shim_turns_until_ns(void);

/* Of a job that runs: whether another one is to have the turn; for shim_turns_give(). */
bool shim_turns_is_over(struct shim_job *job);
/* Gives the turn away, and returns when it has come back. waits: the job cannot continue before something else
 * happens (others go first). */
void shim_turns_give(struct shim_job *job, bool waits);

/* The application waits for a job, or looks whether it is done. */
void shim_turns_look(void);

/* A job comes to its queue, and leaves it. */
void shim_turns_add(struct shim_job *job);
void shim_turns_remove(struct shim_job *job);
/* In the child of a fork(2): there are none. */
void shim_turns_forked(void);

#endif

/* A pool of host threads that run numbered tasks. Tasks of one run must not depend on each other's order. */
#ifndef INDIUM_SIM_POOL_H
#define INDIUM_SIM_POOL_H

struct sim_pool;

typedef void (*sim_pool_task)(void *data, unsigned task);

/* threads >= 1; the caller of sim_pool_run is one of them. */
struct sim_pool *sim_pool_create(unsigned threads);
void sim_pool_destroy(struct sim_pool *pool);

/* From now on a run has as many threads as its tasks keep busy, by what those of the same function took before; the
 * others sleep. Else all threads take part in each run. */
void sim_pool_be_thrifty(struct sim_pool *pool);

/* Runs task 0 .. count - 1 and returns when all have ended. Only one caller at a time. Where one ran out of memory,
 * some have not run, and the call ends in out_of_memory(). */
void sim_pool_run(struct sim_pool *pool, unsigned count, sim_pool_task run, void *data);

#endif

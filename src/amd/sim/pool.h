/* A pool of host threads that run numbered tasks. Tasks of one run must not depend on each other's order. */
#ifndef INDIUM_AMD_SIM_POOL_H
#define INDIUM_AMD_SIM_POOL_H

struct amd_pool;

typedef void (*amd_pool_task)(void *data, unsigned task);

/* threads >= 1; the caller of amd_pool_run is one of them. */
struct amd_pool *amd_pool_create(unsigned threads);
void amd_pool_destroy(struct amd_pool *pool);

/* Runs task 0 .. count - 1 and returns when all have ended. Only one caller at a time. Where one ran out of memory,
 * some have not run, and the call ends in out_of_memory(). */
void amd_pool_run(struct amd_pool *pool, unsigned count, amd_pool_task run, void *data);

#endif

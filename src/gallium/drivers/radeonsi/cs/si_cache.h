/* Packets that write caches back and invalidate them, and those that wait. */
#ifndef INDIUM_SI_CACHE_H
#define INDIUM_SI_CACHE_H

#include <stdint.h>

#include "amd/hw/pm4.h"

struct ac_gpu_info;
struct si_context;

#define SI_ACQUIRE_DW (1 + AMD_PM4_ACQUIRE_MEM_DW) /* at most */

/* The packet that every submit starts with. The end of the job before leaves its lines in the caches of the shader
 * cores; the host may have written their memory since, and code too. Source: amdgpu's end-of-job packet, which only
 * flushes; RADV starts its submits with the same. Returns the dword after it. */
uint32_t *si_first_acquire(const struct ac_gpu_info *info, uint32_t dw[SI_ACQUIRE_DW]);

/* Shaders see memory as it is. */
void si_invalidate_caches(struct si_context *ctx);

/* A write when all earlier work has ended, the L2 cache written back. event: one of the *_TS; data:
 * V_RELEASE_DATA_*. */
void si_write_at_end(struct si_context *ctx, uint32_t event, uint32_t data, uint64_t va, uint32_t value);

/* The same of a dword, and the caches are invalidated too; event: one of the *_TS events. */
void si_release(struct si_context *ctx, uint32_t event, uint64_t va, uint32_t value);

void si_flush_graphics(struct si_context *ctx);                /* all draws are done, their results in memory */
void si_partial_flush(struct si_context *ctx, uint32_t event); /* event: one of the *_PARTIAL_FLUSH */
void si_wait_value(struct si_context *ctx, uint64_t va, uint32_t value); /* until the dword is equal */
void si_wait_compute(struct si_context *ctx);                            /* all dispatches are done */

#endif

/* Draws: from a draw packet's operands and the registers to pixels in memory. */
#ifndef INDIUM_AMD_SIM_DRAW_H
#define INDIUM_AMD_SIM_DRAW_H

#include "amd/sim/batch/pipeline.h"

/* False after a fault. All results are in memory on return, but for those of its last pixel waves under schedules
 * that let draws overlap (pending.c). */
bool amd_draw_run(struct amd_gpu *gpu, const struct amd_draw *draw);
/* pending.c: runs the waves of such draws for a while, as the schedule wants, or all of them to their end. False
 * after a fault. */
bool amd_draws_continue(struct amd_gpu *gpu);
bool amd_draws_wait(struct amd_gpu *gpu);
/* After one: they are dropped. */
void amd_draws_forget(struct amd_draw_memory *memory, struct amd_wave_engine *engine);

/* Buffers that draws reuse; freed with the model. */
void amd_draw_memory_free(struct amd_draw_memory *memory);

#endif

/* Launches under way: what they have in common with each other in the engine that runs them. */
#ifndef INDIUM_AMD_SIM_WAVE_RUN_H
#define INDIUM_AMD_SIM_WAVE_RUN_H

#include "amd/sim/wave/wave_private.h"

/* A launch comes to those that are under way; first: number of its first group. NULL after a fault. */
struct wave_run *wave_run_begin(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, uint32_t first,
                                struct sim_fault *fault);
/* Before the first group of the oldest one retires. */
void wave_run_tell_races(struct wave_run *run);
/* The oldest one is under way no more. ok: it has run to its end. */
bool wave_run_end(struct amd_wave_engine *engine, bool ok, struct sim_fault *fault);

#endif

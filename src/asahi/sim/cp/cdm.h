/* Streams of dispatches. */
#ifndef INDIUM_ASAHI_SIM_CP_CDM_H
#define INDIUM_ASAHI_SIM_CP_CDM_H

#include "asahi/hw/records.h"
#include "asahi/sim/base/gpu.h"

/* Runs the command's stream to its end. False after a guest fault.
 *
 * Launches that no barrier separates may run in any order: they do in that of the stream, under the schedule `worst`
 * in reverse, under `seed=N` in a random one; each reads its program and its sizes when it runs. */
bool agx_cdm_run(const struct agx_gpu *gpu, const struct agx_compute_command *command);

#endif

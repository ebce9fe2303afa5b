/* Submissions of recordings (sim/record/recording.h): "usc ADDRESS", and the command buffer as "words WORD...": of
 * "queue" that of Linux, of "iogpu" one of macOS. */
#ifndef INDIUM_ASAHI_SIM_RECORDED_H
#define INDIUM_ASAHI_SIM_RECORDED_H

#include "asahi/sim/agx_sim.h"
#include "sim/record/recording.h"

/* Of a recording: the device announced no soft faults (agx_sim_set_soft_faults()). */
#define AGX_OPTION_NO_SOFT_FAULTS "no-soft-faults"

/* Runs the commands in order, up to the first fault (fault->kind tells it). False with an error if the lines mean
 * nothing. */
bool agx_sim_run_recorded(struct agx_sim *sim, struct sim_vm *vm, const struct sim_record *submit,
                          struct sim_fault *fault, struct sim_record_error *error);

#endif

/* Command buffers of macOS (asahi/hw/iogpu.txt), as far as it is known what its kernel makes of them. */
#ifndef INDIUM_ASAHI_SIM_IOGPU_H
#define INDIUM_ASAHI_SIM_IOGPU_H

#include <stddef.h>

#include "asahi/sim/agx_sim.h"

/* Fills the command from a command buffer. False with a fault that names what is wrong in it, or what of it nobody
 * has told the meaning of. vm: the end-of-tile program says how large a sample is. */
bool agx_sim_read_iogpu(const struct sim_vm *vm, uint64_t usc_base, const void *buffer, size_t size_B,
                        struct agx_sim_command *command, struct sim_fault *fault);

#endif

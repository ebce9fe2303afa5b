/* Waiting for memory: what WAIT_REG_MEM of the command processor and POLL_REGMEM of SDMA do. */
#ifndef INDIUM_AMD_SIM_POLL_H
#define INDIUM_AMD_SIM_POLL_H

#include "amd/sim/base/gpu.h"

struct amd_poll {
   struct sim_va va;
   uint32_t function; /* V_WAIT_* */
   uint32_t reference, mask;
   bool (*wait)(void *data); /* lets jobs of other rings run meanwhile; false: has failed there */
   void *wait_data;
};

/* The condition; function: V_WAIT_*. */
bool amd_poll_satisfied(uint32_t function, uint32_t value, uint32_t reference);
/* Returns when the condition holds; false after a fault, also when nobody writes what is wanted for long. */
bool amd_poll(struct amd_gpu *gpu, const struct amd_poll *poll);

#endif

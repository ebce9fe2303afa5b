/* SDMA: the engine of transfer rings. It copies, fills and writes memory, and knows no registers.
 *
 * Each packet runs to its end here; on hardware copies run in parallel with the packets after them until a NOP or
 * FENCE has waited for them, and what touches their memory before that is a hazard (order.h). */
#ifndef INDIUM_AMD_SIM_SDMA_H
#define INDIUM_AMD_SIM_SDMA_H

#include "amd/sim/base/gpu.h"

struct amd_sdma {
   struct amd_gpu *gpu;
   /* While a packet waits for memory, as in struct amd_cp. */
   bool (*wait)(void *data);
   bool (*pause)(void *data);
   void *wait_data;

   struct sim_va packet_va;
   const char *packet_name;
};

/* Dwords of a packet; words: as many as each of its kind has. */
uint32_t amd_sdma_size(const struct amd_pm4_packet *packet, const uint32_t *words);

/* Runs one buffer. False after a fault. */
bool amd_sdma_run(struct amd_sdma *sdma, struct sim_va va, uint32_t size_dw);

#endif

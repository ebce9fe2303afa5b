/* Draws that may change places as wholes when they are rasterised out of order (reorder.h). */
#ifndef INDIUM_AMD_SIM_DRAW_MIX_H
#define INDIUM_AMD_SIM_DRAW_MIX_H

#include "amd/sim/draw/draw.h"

struct amd_batch_draw {
   struct amd_draw draw;
   const char *packet_name;
   struct sim_va packet_va;
   struct amd_regs regs; /* when it was named */
   bool relaxed;         /* the program asked for relaxed order, as marks say */
};

/* In how many primitives the draws of a batch may change places as wholes: in no case, where one has more than the
 * mark lets be overtaken. */
bool amd_draws_mix(const struct amd_gpu *gpu, const struct amd_batch_draw *draws, uint32_t count);

/* Upper bound of the primitives that a draw sets up, when no stage makes more of them. */
uint64_t amd_draw_most_prims(const struct amd_gpu *gpu, const struct amd_draw *draw);

#endif

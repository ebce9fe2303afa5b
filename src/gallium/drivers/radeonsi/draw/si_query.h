#ifndef INDIUM_SI_QUERY_H
#define INDIUM_SI_QUERY_H

#include "gallium/include/pipe/p_screen.h"

struct amdgpu_ws_bo;

/* Those of the hardware that the contract has; programs count tasks and meshes (si_task.h). */
#define SI_NUM_STATISTICS 11

struct si_query_pool {
   enum pipe_query_type type;
   uint32_t count;
   struct amdgpu_ws_bo *bo;
   uint32_t slot_B;
   uint32_t pairs;              /* {begin, end} pairs of a slot */
   uint32_t num_values;         /* of a result, each of a pair of its own; 0: one, the sum of all pairs */
   const uint8_t *order;        /* with num_values: the pair of each */
   uint32_t pair_step_B;        /* between begins */
   uint32_t end_offset_B;       /* from a begin to its end */
   uint32_t available_offset_B; /* of the availability word in a slot */
};
PIPE_HANDLE(si, query_pool)

/* Place of each of the contract's counters in a statistics sample; the last two are of chips with mesh shaders. */
extern const uint8_t si_statistics_order[PIPE_STATISTICS];

/* Around internal draws and dispatches, which the application's statistics do not count. */
void si_pause_statistics(struct si_context *ctx);
void si_resume_statistics(struct si_context *ctx);

#endif

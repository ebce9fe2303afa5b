/* Compute dispatch: COMPUTE_* registers to a launch of waves. */
#ifndef INDIUM_AMD_SIM_DISPATCH_H
#define INDIUM_AMD_SIM_DISPATCH_H

#include "amd/hw/chips.h"
#include "amd/sim/wave/wave.h"

/* Of a dispatch's groups, in the order in which they start: some of them. */
struct amd_group_range {
   uint32_t first, count;
};

/* Register values as written by the guest, and the packet's dimensions. */
struct amd_dispatch {
   struct sim_va program;
   uint32_t rsrc1, rsrc2, rsrc3;
   uint32_t tmpring_size;
   uint32_t num_thread[3];              /* COMPUTE_NUM_THREAD_*: full 15:0, partial 31:16 */
   uint32_t start[3];                   /* COMPUTE_START_*: first group (ignored with FORCE_START_AT_000) */
   uint32_t dim[3];                     /* packet: groups past the range's end, or threads (USE_THREAD_DIMENSIONS) */
   uint32_t initiator;                  /* COMPUTE_DISPATCH_INITIATOR as the packet gives it */
   const struct amd_group_range *range; /* NULL: all groups */
   uint32_t user_data[16];
   const struct amd_chip *chip;
   struct sim_va scratch; /* where waves do not get it in user data */
   struct sim_va border;  /* table of border colours, va 0: none */
   uint64_t time;
   struct amd_caches *caches; /* may be NULL */
   struct amd_gds *gds;       /* may be NULL */
};

/* False after a guest fault. The stores are in memory on return. */
bool amd_sim_dispatch(struct amd_wave_engine *engine, const struct sim_vm *vm, const struct amd_dispatch *dispatch,
                      struct sim_fault *fault);

#endif

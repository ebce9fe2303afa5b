/* What a stream of primitives can come to in the pipeline: in all interleavings of its steps, or in a random one. */
#ifndef INDIUM_INTEL_SIM_UAV_EXPLORE_H
#define INDIUM_INTEL_SIM_UAV_EXPLORE_H

#include "intel/sim/uav_pipe.h"

enum { UAV_EXPLORE_PRIMS = 4, UAV_MAX_HISTORY = UAV_MAX_PRIMS * (2 * INTEL_STAGES + 1) };

/* The steps from an empty pipeline on, up to a finding. count 0: it was not found. */
struct uav_history {
   unsigned count;
   struct uav_step steps[UAV_MAX_HISTORY];
};

struct uav_found {
   unsigned states, ends; /* different ones; without a further step */
   unsigned hangs;        /* of the ends */
   unsigned overtakings;  /* steps out of different states */
   struct uav_hang hang;  /* the one with the shortest history */
   struct uav_history hang_history;
   struct uav_overtaking overtaking;
   struct uav_history overtaking_history; /* the last step reads */
};

/* All interleavings of up to UAV_EXPLORE_PRIMS primitives. */
struct uav_found uav_explore(const struct uav_prim *prims, unsigned count);

/* One, of any number up to UAV_MAX_PRIMS: the same for the same seed. */
struct uav_found uav_walk(const struct uav_prim *prims, unsigned count, uint64_t seed);

#endif

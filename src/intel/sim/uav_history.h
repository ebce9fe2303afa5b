/* A history in words, a line a step: primitives are A, B, C. */
#ifndef INDIUM_INTEL_SIM_UAV_HISTORY_H
#define INDIUM_INTEL_SIM_UAV_HISTORY_H

#include "intel/sim/uav_explore.h"
#include "util/arena.h"

const char *uav_stage_name(enum intel_stage stage);

char *uav_history_text(struct arena *arena, const struct uav_prim *prims, unsigned count,
                       const struct uav_history *history);

/* The findings, with the histories behind them; "" if there are none. */
char *uav_found_text(struct arena *arena, const struct uav_prim *prims, unsigned count,
                     const struct uav_found *found);

#endif

/* What can be said of primitives without running them: work of pixel shaders that is lost, and flushes. */
#ifndef INDIUM_INTEL_SIM_UAV_NEEDS_H
#define INDIUM_INTEL_SIM_UAV_NEEDS_H

#include "intel/sim/uav_pipe.h"

/* Why a pixel shader must run; bits. */
enum uav_need {
   UAV_NEED_STORES = 1, /* it writes memory */
   UAV_NEED_COUNT = 2,  /* an occlusion query counts samples, and the shader has a say in which */
   UAV_NEED_TARGET = 4, /* it writes a target */
   UAV_NEED_DEPTH = 8,  /* it has a say in what is written to depth or stencil, or which samples pass */
};

/* As far as the state tells; the caller knows whether the shader stores, and whether a query counts. */
unsigned uav_needs(const struct intel_uav_state *state, bool stores, bool counted);

/* The needs that the hardware leaves unmet: it does not dispatch the shader. */
unsigned uav_lost(const struct uav_prim *prim);

/* Flushes that the stages send, a primitive at most one, and those that nobody needs: no later primitive requires
 * coherency with what this one wrote, and the bit is not what makes the pixel shader run either. */
struct uav_cost {
   unsigned flushes, needless, stalls;
};
struct uav_cost uav_cost(const struct uav_prim *prims, unsigned count);

#endif

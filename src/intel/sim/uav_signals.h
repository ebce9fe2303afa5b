/* Signals that the windower has of the state: whether pixel shaders run, may kill pixels, and do nothing but access
 * UAVs. On Haswell the driver says so in 3DSTATE_WM; later chips derive it of what the packets say. */
#ifndef INDIUM_INTEL_SIM_UAV_SIGNALS_H
#define INDIUM_INTEL_SIM_UAV_SIGNALS_H

#include <stdbool.h>

#include "intel/hw/uav_state.h"

/* Why ThreadDispatchEnable is on; bits of reasons, several may hold. */
enum intel_dispatch_reason {
   INTEL_DISPATCH_EXPLICIT, /* 3DSTATE_WM.Thread Dispatch Enable */
   INTEL_DISPATCH_FORCED,
   INTEL_DISPATCH_HAS_UAV,
   INTEL_DISPATCH_KILLS,
   INTEL_DISPATCH_RT_INDEPENDENT,
   INTEL_DISPATCH_TARGET,
   INTEL_DISPATCH_DEPTH,
   INTEL_DISPATCH_STENCIL,
   INTEL_DISPATCH_PSEXEC,
   INTEL_DISPATCH_REASONS,
};

struct intel_uav_signals {
   unsigned dispatch_reasons; /* 1 << enum intel_dispatch_reason */
   bool kill_pixel, thread_dispatch, uav_only;
};

/* What of 3DSTATE_WM_DEPTH_STENCIL has a buffer to work on. */
struct intel_depth_stencil {
   bool depth_test, depth_write, stencil_test, stencil_write;
};
struct intel_depth_stencil intel_depth_stencil(const struct intel_uav_state *state);

struct intel_uav_signals intel_uav_signals(const struct intel_uav_state *state);

/* The term of the equation, and how it is known: doc, observed or assumed, and where. */
const char *intel_dispatch_reason_text(enum intel_dispatch_reason reason);
const char *intel_dispatch_reason_grade(enum intel_dispatch_reason reason);

#endif

/* Where gen7.5, gen8 and gen9 differ in what docs/drivers/intel/uav.md is about: one row a generation. */
#ifndef INDIUM_INTEL_UAV_CAPS_H
#define INDIUM_INTEL_UAV_CAPS_H

#include <stdbool.h>

#include "intel/hw/uav_state.h"

struct intel_uav_caps {
   const char *name; /* of the generation */
   /* The hardware derives KillPixel, ThreadDispatch and UAV-only, and drivers can force the former two; else drivers
    * say all of them in 3DSTATE_WM. [doc: Broadwell PRM, 3DSTATE_WM] */
   bool derives_dispatch;
   /* Shaders compute stencil references. [doc: Skylake PRM, 3DSTATE_PS_EXTRA] */
   bool computes_stencil;
   /* Erratum lost-vs-flush: with Accesses UAV only in the vertex shader, a request that ends after the flush of an
    * earlier one without a new vertex sends none itself. [doc: HSD 1912017, by the mail; that others do not:
    * assumed] */
   bool loses_vs_flush;
   /* Erratum ps-uav-hang: Pixel Shader Has UAV has hung applications. [observed, by authors of Mesa's Vulkan driver
    * on Broadwell, who found no cause; Mesa's hasvk forces dispatch for it] */
   bool ps_uav_hangs;
   /* Erratum forced-dispatch-hiz: forced dispatch during an operation of 3DSTATE_WM_HZ_OP hangs. [observed, by
    * authors of Mesa on Skylake; on Broadwell nobody reports it] */
   bool forced_dispatch_hangs_hz_op;
};

static const struct intel_uav_caps intel_uav_caps[INTEL_GENS] = {
   [INTEL_GEN7_5] = {.name = "gen7.5"},
   [INTEL_GEN8] = {.name = "gen8", .derives_dispatch = true, .loses_vs_flush = true, .ps_uav_hangs = true},
   [INTEL_GEN9] = {.name = "gen9",
                   .derives_dispatch = true,
                   .computes_stencil = true,
                   .forced_dispatch_hangs_hz_op = true},
};

#endif

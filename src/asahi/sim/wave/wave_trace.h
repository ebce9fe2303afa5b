/* Finished simd groups as spans of a timeline (sim/waves/timeline.h): a process for each stage. Internal to the
 * engine. */
#ifndef INDIUM_ASAHI_SIM_WAVE_TRACE_H
#define INDIUM_ASAHI_SIM_WAVE_TRACE_H

#include "asahi/sim/wave/wave_private.h"

/* Serial phases; nothing where the engine has no timeline. */
void wave_trace_retire(const struct agx_wave_engine *engine, const struct wave *wave);
/* fault: what is still there has not ended. */
void wave_trace_end_launch(const struct agx_wave_engine *engine);

#endif

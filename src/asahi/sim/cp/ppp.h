/* PPP records: a header whose bits announce the parts of the state that follow it. */
#ifndef INDIUM_ASAHI_SIM_CP_PPP_H
#define INDIUM_ASAHI_SIM_CP_PPP_H

#include "asahi/sim/batch/draw_state.h"
#include "asahi/sim/base/gpu.h"

/* Reads the record at va, of size_dw words, into the state. False after a guest fault. */
bool agx_ppp_read(const struct agx_gpu *gpu, uint64_t va, unsigned size_dw, struct agx_draw_state *state);

#endif

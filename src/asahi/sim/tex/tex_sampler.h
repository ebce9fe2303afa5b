/* Sampler state. Internal to the texture unit. */
#ifndef INDIUM_ASAHI_SIM_TEX_SAMPLER_H
#define INDIUM_ASAHI_SIM_TEX_SAMPLER_H

#include "asahi/sim/tex/tex.h"
#include "sim/texel/sample.h"

/* False after a fault. */
bool tex_sampler_decode(struct sim_sampler *sampler, const struct agx_tex_request *request, struct sim_fault *fault);

#endif

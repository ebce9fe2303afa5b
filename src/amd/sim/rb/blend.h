/* Blending of a quad's colours. Internal to cb.c. */
#ifndef INDIUM_AMD_SIM_BLEND_H
#define INDIUM_AMD_SIM_BLEND_H

#include "amd/sim/state/draw_state.h"
#include "sim/texel/vec4.h"

/* Colours of four pixels, R G B A: [component][pixel]. */
struct amd_blend_colors {
   v4f src[4], src1[4], dst[4], constant[4];
};

void amd_blend(const struct amd_blend_state *blend, const struct amd_blend_colors *colors, v4f out[4]);

#endif

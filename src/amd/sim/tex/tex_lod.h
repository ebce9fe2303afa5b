/* Level of detail. Internal to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_LOD_H
#define INDIUM_AMD_SIM_TEX_LOD_H

#include "amd/sim/tex/tex.h"
#include "amd/sim/tex/tex_image.h"
#include "amd/sim/tex/tex_sample.h"

/* Dimensions of an image instruction. */
enum {
   TEX_DIM_1D,
   TEX_DIM_2D,
   TEX_DIM_3D,
   TEX_DIM_CUBE,
   TEX_DIM_1D_ARRAY,
   TEX_DIM_2D_ARRAY,
   TEX_DIM_2D_MSAA,
   TEX_DIM_2D_MSAA_ARRAY,
};

static inline bool
tex_is_1d(unsigned dim)
{
   return dim == TEX_DIM_1D || dim == TEX_DIM_1D_ARRAY;
}

/* Level, without biases and clamps, and probes of a lane. Steps on a cube are directions on the plane of the lane's
 * face. From derivatives of the quad: the same for all of its lanes, on one face of a cube. */
struct sim_footprint tex_footprint_of(const struct tex_image *image, const struct tex_sampler *sampler,
                                      const struct amd_tex_request *r, unsigned lane);

#endif

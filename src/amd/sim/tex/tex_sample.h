/* Filtering of one sample. Internal to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_SAMPLE_H
#define INDIUM_AMD_SIM_TEX_SAMPLE_H

#include "amd/hw/gen.h"
#include "amd/sim/tex/tex_image.h"
#include "sim/compare.h"
#include "sim/filter.h"
#include "sim/footprint.h"
#include "sim/wrap.h"

struct tex_sampler {
   enum sim_wrap wrap[3]; /* of x, y, z */
   uint8_t compare;       /* enum sim_compare */
   enum sim_reduction reduction;
   uint8_t mag, min;       /* 0 point, 1 linear */
   uint8_t max_anisotropy; /* 1 to 16 */
   bool aniso_override;    /* no anisotropy where a view has one level (observed: what Mesa sets it for) */
   uint8_t z_filter, mip;  /* 0 none, 1 point, 2 linear; z_filter none: depth is filtered as x and y */
   bool unnormalized, cube_wrap;
   float min_lod, max_lod, lod_bias;
   v4f border;
   v4u border_bits;
};

/* One lane's operands. */
struct tex_point {
   float s, t, r;        /* cube: face coordinates in [0, 1]; r is used by 3D only */
   uint32_t slice, face; /* absolute slice; cube: slice of face 0, and the face */
   int8_t offset[3];
   bool compare;
   float reference;
};

void tex_sampler_decode(struct tex_sampler *sampler, enum amd_gen gen, const uint32_t words[4]);

/* The filtered texel at a level of detail relative to the base level, before DST_SEL. */
v4u tex_sample(struct tex_image *image, const struct tex_sampler *sampler, const struct tex_point *point,
               const struct sim_footprint *footprint, float lod, struct sim_fault *fault, bool *bad);

/* The four texels of the bilinear footprint at the base level, in the order of a gather: (0,1) (1,1) (1,0) (0,0). */
void tex_gather(struct tex_image *image, const struct tex_sampler *sampler, const struct tex_point *point, float lod,
                v4u texels[4], struct sim_fault *fault, bool *bad);

#endif

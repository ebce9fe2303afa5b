/* Samplers, and images for the filter. Internal to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_SAMPLE_H
#define INDIUM_AMD_SIM_TEX_SAMPLE_H

#include "amd/hw/gen.h"
#include "amd/sim/tex/tex_image.h"
#include "sim/texel/sample.h"

struct tex_sampler {
   struct sim_sampler filter;
   /* aniso_override: no anisotropy where a view has one level (observed: what Mesa sets it for). z_filter: none means
    * that depth is filtered as x and y. */
   struct amd_sq_img_samp samp;
   float lod_bias;
};

void tex_sampler_decode(struct tex_sampler *sampler, enum amd_gen gen, const uint32_t words[4]);

/* The filter's view of an image, for one request: where its texels cannot be had, *bad and a fault say so. */
struct tex_source {
   struct sim_image image;
   struct tex_image *of;
   struct sim_fault *fault;
   bool *bad;
};

enum sim_image_kind tex_image_kind(const struct tex_image *image);
struct tex_source tex_source(struct tex_image *image, struct sim_fault *fault, bool *bad);

#endif

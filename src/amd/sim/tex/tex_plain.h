/* Requests of all lanes at once: loads of one level, samples and gathers. What an image instruction does nearly
 * always; tex.c and sim/texel/sample.h have the rest, lane by lane. Built twice (sim/wide.h). Internal to the texture
 * unit. */
#ifndef INDIUM_AMD_SIM_TEX_PLAIN_H
#define INDIUM_AMD_SIM_TEX_PLAIN_H

#include "amd/sim/tex/tex.h"
#include "amd/sim/tex/tex_sample.h"

/* What the lanes cover. */
struct tex_footprints {
   float lod[AMD_TEX_LANES]; /* without biases, not clamped: tex_plain_sample() does that */
   bool are_probes;          /* some lane has several */
   uint8_t probes[AMD_TEX_LANES];
   float step[3][AMD_TEX_LANES]; /* from probe to probe; only if are_probes */
};

struct tex_plain {
   struct tex_image *image;
   const struct tex_sampler *sampler; /* NULL: a load */
   const struct amd_tex_request *request;
   struct tex_footprints *footprints; /* NULL: no lane's filter depends on them */
   uint64_t *others; /* of a sample: gets the lanes that must go one by one, on several faces of a cube */
   struct sim_fault *fault;
   bool *bad;
};

/* Whether the request is one of these, but for its footprints. */
bool tex_plain_fits(const struct tex_image *image, const struct tex_sampler *sampler,
                    const struct amd_tex_request *request);
/* Whether the level of detail changes nothing. */
bool tex_plain_ignores_lod(const struct tex_image *image, const struct tex_sampler *sampler,
                           const struct amd_tex_request *request);

/* In the fastest build. */
void tex_plain_sample(const struct tex_plain *plain, uint32_t result[4][AMD_TEX_LANES]);
void tex_plain_sample_base(const struct tex_plain *plain, uint32_t result[4][AMD_TEX_LANES]);
void tex_plain_sample_avx2(const struct tex_plain *plain, uint32_t result[4][AMD_TEX_LANES]);

/* The same of loads; whether the level is another one for each lane, or a lane meets what a report names, is found on
 * the way: false, and the lanes must go one by one. */
bool tex_plain_fits_load(const struct tex_image *image, const struct amd_tex_request *request);
bool tex_plain_load(const struct tex_plain *plain, uint32_t result[4][AMD_TEX_LANES]);
bool tex_plain_load_base(const struct tex_plain *plain, uint32_t result[4][AMD_TEX_LANES]);
bool tex_plain_load_avx2(const struct tex_plain *plain, uint32_t result[4][AMD_TEX_LANES]);

#endif

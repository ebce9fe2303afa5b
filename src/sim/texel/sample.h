/* Filtering of one sample of an image, whatever its layout: levels, faces of cubes, borders, comparisons, probes
 * along an anisotropic footprint. A vendor's texture unit says where its texels are and which level it wants. */
#ifndef INDIUM_SIM_SAMPLE_H
#define INDIUM_SIM_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/texel/compare.h"
#include "sim/texel/filter.h"
#include "sim/texel/footprint.h"
#include "sim/texel/vec4.h"
#include "sim/texel/wrap.h"

enum sim_mip {
   SIM_MIP_NONE,
   SIM_MIP_NEAREST,
   SIM_MIP_LINEAR,
};

struct sim_sampler {
   enum sim_wrap wrap[3]; /* of x, y, z */
   uint8_t compare;       /* enum sim_compare */
   enum sim_reduction reduction;
   bool mag_linear, min_linear;
   uint8_t mip;            /* enum sim_mip */
   uint8_t max_anisotropy; /* 1 to 16 */
   bool unnormalized;
   bool seamless; /* filters reach across the edges of a cube's faces */
   float min_lod, max_lod;
   uint16_t weights; /* of filters are multiples of 1 / weights, and so are levels of detail; 0: floats */
   v4f border;
   v4u border_bits;
};

enum sim_image_kind {
   SIM_IMAGE_1D,
   SIM_IMAGE_2D,
   SIM_IMAGE_3D,
   SIM_IMAGE_CUBE,
};

/* An image as filters see it; the vendor's is around it. */
struct sim_image {
   enum sim_image_kind kind;
   bool is_int, is_signed;        /* linear filters of integers read the nearest texel, or reduce */
   bool clamps_reference;         /* of comparisons, to [0, 1]: UNORM */
   uint32_t width, height, depth; /* of level 0 of the chain */
   unsigned base_level, last_level;
   /* A texel inside of a level (a number of the chain). */
   v4u (*texel)(struct sim_image *image, unsigned level, uint32_t x, uint32_t y, uint32_t slice);
   /* Those of (x, y), (x + 1, y), (x, y + 1) and (x + 1, y + 1) at once, all inside. False: by the other function.
    * NULL: there is none. */
   bool (*square)(struct sim_image *image, unsigned level, uint32_t x, uint32_t y, uint32_t slice, v4f texels[4]);
};

/* Where to sample. */
struct sim_sample_point {
   float s, t, r;        /* cube: face coordinates in [0, 1]; r is used by 3D only */
   uint32_t slice, face; /* absolute slice; cube: slice of face 0, and the face */
   int8_t offset[3];
   bool compare;
   float reference;
};

/* Which level a level of detail means, and which filter. */
struct sim_mip_choice {
   bool linear;
   unsigned first; /* from the base level on */
   float between;  /* the weight of the next level */
};
/* top: number of the last level, counted from the base level. */
struct sim_mip_choice sim_choose_level(const struct sim_sampler *sampler, float top, float lod);

/* The filtered texel at a level of detail relative to the base level, in the order of the format. */
v4u sim_sample(struct sim_image *image, const struct sim_sampler *sampler, const struct sim_sample_point *point,
               const struct sim_footprint *footprint, float lod);

/* The four texels of the bilinear footprint, in the order of a gather: (0,1) (1,1) (1,0) (0,0). */
void sim_gather(struct sim_image *image, const struct sim_sampler *sampler, const struct sim_sample_point *point,
                float lod, v4u texels[4]);

#endif

/* Shading rates in an image of their own. */
#ifndef INDIUM_AMD_SIM_RATE_IMAGE_H
#define INDIUM_AMD_SIM_RATE_IMAGE_H

#include "amd/sim/surface/surface.h"

struct amd_gpu;
struct amd_shading_rate;

struct amd_rate_image {
   struct amd_surface surface;
   const uint8_t *host;
   uint64_t run_B;
   uint8_t *outside; /* see amd_note_outside() */
};

/* Whether registers name one. */
bool amd_rate_image_is_used(const struct amd_gpu *gpu);
/* False after a fault. */
bool amd_rate_image_init(struct amd_rate_image *image, const struct amd_gpu *gpu);
/* Of the 8x8 pixels that hold one; 1x1 outside. */
struct amd_shading_rate amd_rate_image_at(const struct amd_rate_image *image, uint32_t x_px, uint32_t y_px);

#endif

/* Descriptions of samplers. */
#ifndef INDIUM_P_SAMPLER_H
#define INDIUM_P_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "gallium/include/pipe/p_defines.h"

union pipe_clear_color {
   float f[4];
   int32_t i[4];
   uint32_t u[4];
};

/* Any place, which can be asked for when the application runs again. */
#define PIPE_PLACE_REPLAYED UINT32_MAX

struct pipe_sampler_desc {
   enum pipe_filter mag, min, mip;
   enum pipe_wrap wrap_u, wrap_v, wrap_w;
   float lod_bias, min_lod, max_lod;
   float max_anisotropy; /* 1: off */
   bool compare_enable, unnormalized;
   enum pipe_compare compare;
   enum pipe_border_color border;
   union pipe_clear_color custom_border; /* as shaders get it, unless pipe_caps.border_swizzle_from_view */
   uint32_t custom_place; /* of that: one of pipe_screen.sampler_place, PIPE_PLACE_REPLAYED, or 0: any */
   enum pipe_reduction reduction;
   bool face_edges; /* of cubes: texels beyond the edge of a face are those of wrap_u and wrap_v */
};

#endif

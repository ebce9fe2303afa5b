/* Coarse shading: how many pixels one run of the pixel shader stands for. */
#ifndef INDIUM_AMD_SIM_SHADING_RATE_H
#define INDIUM_AMD_SIM_SHADING_RATE_H

#include "amd/sim/state/color_meta.h"
#include "amd/sim/state/quad.h"
#include "amd/sim/state/rate_image.h"

struct amd_gpu;
struct amd_draw_state;

/* Of GFX11's numbers (VRSrate). */
struct amd_shading_rate amd_shading_rate_of_number(uint32_t number);

struct amd_shading_rate_state {
   bool numbered;  /* rates are GFX11's numbers */
   bool by_vertex; /* the provoking vertex brings a rate */
   bool by_primitive;
   bool by_surface; /* tiles of HTILE do, or an image */
   bool by_image;
   struct amd_shading_rate draw, last;
   /* V_SC_VRS_COMB_MODE_*: with the vertex's rate; with 1x1 where nothing else brings one; with `last`. */
   uint8_t with_vertex, with_primitive, with_surface, with_samples, with_last;
   bool fine; /* all is 1x1 */
   /* Erratum vrs-frag-z: how far from the centre of fragments two pixels wide their shader's z is taken. */
   double depth_left_px;
   struct amd_rate_image image;
   struct amd_meta surface;
   struct amd_meta_memory memory; /* of the surface */
   uint32_t first_slice, last_slice;
};

/* False after a fault. Samples, ordered sections and the pixel shader are decoded already. */
bool amd_shading_rate_decode(struct amd_draw_state *state, const struct amd_gpu *gpu);

/* Of a primitive, all of it or (by_surface) ahead of the surface's; vertex_bits: the Y of its provoking vertex's misc
 * vector; payload: of struct amd_prim_out. */
struct amd_shading_rate amd_shading_rate_of(const struct amd_shading_rate_state *s, uint32_t vertex_bits,
                                            uint32_t payload);
/* by_surface: of a primitive's pixels in the tile of 8x8 that holds one. */
struct amd_shading_rate amd_shading_rate_at(const struct amd_shading_rate_state *s, struct amd_shading_rate primitive,
                                            uint32_t x, uint32_t y, uint32_t layer);

#endif

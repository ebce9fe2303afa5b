/* Setup of one primitive: between pa.c, which knows what it is part of, and setup.c. */
#ifndef INDIUM_ASAHI_SIM_PA_SETUP_H
#define INDIUM_ASAHI_SIM_PA_SETUP_H

#include "asahi/sim/pa/pa.h"
#include "sim/raster/setup.h"

/* One primitive on its way. */
struct pa_setup {
   const struct agx_render *render;
   struct agx_setup *out;
   const struct agx_prim_in *in;
   struct agx_rect scissor;
   struct sim_clip_volume clip;
   struct sim_setup at;   /* on the screen */
   struct agx_prim prim;  /* what all its polygons share, but for the origin */
   bool has_coefficients; /* they are in `out`; made with the first polygon */
   struct agx_prim_planes planes;
};

/* Append its polygons to s->out, and coefficients that they share. v: of the primitive's vertices. */
void pa_setup_point(struct pa_setup *s, const struct sim_clip_vertex v[3]);
void pa_setup_line(struct pa_setup *s, const struct sim_clip_vertex v[3]);
void pa_setup_triangle(struct pa_setup *s, const struct sim_clip_vertex v[3]);

#endif

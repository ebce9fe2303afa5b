/* Clipping of polygons and lines in homogeneous coordinates. */
#ifndef INDIUM_SIM_CLIP_H
#define INDIUM_SIM_CLIP_H

#include <stdbool.h>
#include <stdint.h>

enum {
   SIM_CLIP_DISTANCES = 8,
   SIM_CLIP_MAX_VERTICES = 24,
};

struct sim_clip_vertex {
   double x, y, z, w; /* clip space */
   float dist[SIM_CLIP_DISTANCES];
};

enum sim_clip_plane {
   SIM_CLIP_W,
   SIM_CLIP_NEAR,
   SIM_CLIP_FAR,
   SIM_CLIP_LEFT, /* edges of what the rasteriser can take, not of the viewport */
   SIM_CLIP_RIGHT,
   SIM_CLIP_TOP,
   SIM_CLIP_BOTTOM,
   SIM_CLIP_DIST0, /* and seven more: what a shader says */
};

/* Of every volume. */
#define SIM_CLIP_ALWAYS                                                                                              \
   (1u << SIM_CLIP_W | 1u << SIM_CLIP_LEFT | 1u << SIM_CLIP_RIGHT | 1u << SIM_CLIP_TOP | 1u << SIM_CLIP_BOTTOM)

/* What stays. A pixel coordinate is x / w * scale + offset. */
struct sim_clip_volume {
   float scale[2], offset[2];
   int32_t low_px[2], high_px[2]; /* what the rasteriser can take */
   uint32_t planes;               /* bits by enum sim_clip_plane */
   bool zero_to_one;              /* z / w between the planes: from 0, else from -1 */
};

/* Whether some of the vertices lie outside. */
bool sim_clip_needed(const struct sim_clip_volume *volume, const struct sim_clip_vertex *vertices, unsigned count);
/* The polygon (of 2 vertices: the line) cut by the planes; how many vertices are left, 0 if nothing is. */
unsigned sim_clip_polygon(const struct sim_clip_volume *volume,
                          struct sim_clip_vertex vertices[SIM_CLIP_MAX_VERTICES], unsigned count);

#endif

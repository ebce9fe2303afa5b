/* Coverage of convex polygons at 8 to 12 subpixel bits, exact in integers, with the top-left rule.
 *
 * Screen coordinates are in 1 / 2^subpixel_bits px, y down; a sample lies on a 1/16 px grid. A sample exactly on an
 * edge belongs to the polygon if the edge is a left edge or a horizontal top edge. */
#ifndef INDIUM_SIM_RASTER_H
#define INDIUM_SIM_RASTER_H

#include <stdbool.h>
#include <stdint.h>

enum {
   SIM_RASTER_MAX_EDGES = 4,
   SIM_RASTER_MAX_SAMPLES = 16,
   /* Vertices outside of this range (in px) must have been clipped away. */
   SIM_RASTER_MIN_PX = -8192,
   SIM_RASTER_MAX_PX = 24576,
   SIM_RASTER_BLOCK_PX = 8,
};

/* Inside where a*x16 + b*y16 + c >= 0 for every edge, x16 and y16 in 1/16 px. */
struct sim_raster_edge {
   int32_t a, b;
   int64_t c;
};

struct sim_raster_poly {
   struct sim_raster_edge edges[SIM_RASTER_MAX_EDGES];
   unsigned edge_count;
   /* Pixels that may be covered, inclusive; empty if min > max. */
   int32_t min_x_px, min_y_px, max_x_px, max_y_px;
};

struct sim_raster_samples {
   unsigned count;
   int8_t x16[SIM_RASTER_MAX_SAMPLES], y16[SIM_RASTER_MAX_SAMPLES]; /* from the pixel centre, in [-8, 7] */
};

/* Twice the signed area of the first three vertices; positive: clockwise on the screen (y down). */
int64_t sim_raster_area2(const int32_t x[3], const int32_t y[3]);

/* Sets up a convex polygon of 3 or 4 vertices in either winding. False if it has no area. Coordinates within
 * SIM_RASTER_MIN_PX and MAX_PX. */
bool sim_raster_setup(struct sim_raster_poly *poly, unsigned subpixel_bits, const int32_t *x, const int32_t *y,
                      unsigned vertex_count);

/* The same so that centres are covered where pixels are conservatively: with `over` those that the polygon touches,
 * and else those within it, wherever its vertices are that land where they do: half a step away at most. What has no
 * area can be touched. inner_edges: bit i: the edge from vertex i is no edge of the primitive, and is as in
 * sim_raster_setup(). */
bool sim_raster_estimate(struct sim_raster_poly *poly, unsigned subpixel_bits, const int32_t *x, const int32_t *y,
                         unsigned vertex_count, unsigned inner_edges, bool over);
/* size: a polygon, by its vertices */

/* False if the square of size_px pixels at (x_px, y_px) surely holds no covered sample. */
bool sim_raster_may_cover(const struct sim_raster_poly *poly, int x_px, int y_px, int size_px);

/* True if the same square surely holds no sample that is not covered. */
bool sim_raster_covers(const struct sim_raster_poly *poly, int x_px, int y_px, int size_px);

/* Coverage of the 8x8 block whose first pixel is (x_px, y_px): bit y * 8 + x of masks[sample]. Returns the union. */
uint64_t sim_raster_block(const struct sim_raster_poly *poly, const struct sim_raster_samples *samples, int x_px,
                          int y_px, uint64_t *masks);

#endif

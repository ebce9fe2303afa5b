#include "sim/raster/raster.h"

#include <stdlib.h>
#include <string.h>

#include "sim/wide.h"
#include "util/macros.h"

typedef int32_t v8i __attribute__((vector_size(32)));

int64_t
sim_raster_area2(const int32_t x[3], const int32_t y[3])
{
   return (int64_t)(x[1] - x[0]) * (y[2] - y[0]) - (int64_t)(x[2] - x[0]) * (y[1] - y[0]);
}

/* The edge from vertex i to j with the inside on its right (y down, clockwise). */
static struct sim_raster_edge
make_edge(unsigned subpixel_bits, int32_t xi, int32_t yi, int32_t xj, int32_t yj)
{
   int32_t dx = xj - xi, dy = yj - yi;
   /* Clockwise: a left edge goes up (dy < 0), a top edge goes right (dy == 0, dx > 0). */
   bool owns_border = dy < 0 || (dy == 0 && dx > 0);
   struct sim_raster_edge edge = {.a = -dy, .b = dx};
   int64_t c = (int64_t)dy * xi - (int64_t)dx * yi - (owns_border ? 0 : 1);
   /* With n steps a sixteenth of a pixel, a * n k + b * n m + c >= 0 is the same as a * k + b * m + floor(c / n) >=
    * 0. */
   edge.c = c >> (subpixel_bits - 4);
   return edge;
}

/* The same for centres, of an edge that is moved: out by the half of a pixel and of a step, or in by as much. */
static struct sim_raster_edge
make_moved_edge(unsigned subpixel_bits, int32_t xi, int32_t yi, int32_t xj, int32_t yj, bool out)
{
   struct sim_raster_edge edge = {.a = yi - yj, .b = xj - xi};
   int64_t reach = llabs((long long)edge.a) + llabs((long long)edge.b);
   int64_t twice_c = -2 * ((int64_t)edge.a * xi + (int64_t)edge.b * yi) + (out ? reach : -reach);
   edge.c = (twice_c >> (subpixel_bits - 3)) + 8 * (out ? reach : -reach);
   return edge;
}

bool
sim_raster_setup(struct sim_raster_poly *poly, unsigned subpixel_bits, const int32_t *x, const int32_t *y,
                 unsigned vertex_count)
{
   int64_t area = sim_raster_area2(x, y);
   if (vertex_count == 4) {
      const int32_t other_x[3] = {x[0], x[2], x[3]}, other_y[3] = {y[0], y[2], y[3]};
      area += sim_raster_area2(other_x, other_y);
   }
   if (!area)
      return false;
   int32_t min_x = x[0], max_x = x[0], min_y = y[0], max_y = y[0];
   poly->edge_count = vertex_count;
   for (unsigned i = 0; i < vertex_count; i++) {
      unsigned j = i + 1 == vertex_count ? 0 : i + 1;
      poly->edges[i] = area > 0 ? make_edge(subpixel_bits, x[i], y[i], x[j], y[j])
                                : make_edge(subpixel_bits, x[j], y[j], x[i], y[i]);
      min_x = MIN2(min_x, x[i]), max_x = MAX2(max_x, x[i]);
      min_y = MIN2(min_y, y[i]), max_y = MAX2(max_y, y[i]);
   }
   poly->min_x_px = min_x >> subpixel_bits, poly->max_x_px = max_x >> subpixel_bits;
   poly->min_y_px = min_y >> subpixel_bits, poly->max_y_px = max_y >> subpixel_bits;
   return true;
}

bool
sim_raster_estimate(struct sim_raster_poly *poly, unsigned subpixel_bits, const int32_t *x, const int32_t *y,
                    unsigned vertex_count, unsigned inner_edges, bool over)
{
   bool has_area = sim_raster_setup(poly, subpixel_bits, x, y, vertex_count);
   if (!has_area && !over)
      return false;
   bool clockwise = sim_raster_area2(x, y) > 0 || (vertex_count == 4 && sim_raster_area2(x + 1, y + 1) > 0);
   int32_t min_x = x[0], max_x = x[0], min_y = y[0], max_y = y[0];
   poly->edge_count = vertex_count;
   for (unsigned i = 0; i < vertex_count; i++) {
      unsigned j = i + 1 == vertex_count ? 0 : i + 1, from = clockwise ? i : j, to = clockwise ? j : i;
      poly->edges[i] = inner_edges >> i & 1 ? make_edge(subpixel_bits, x[from], y[from], x[to], y[to])
                                            : make_moved_edge(subpixel_bits, x[from], y[from], x[to], y[to], over);
      min_x = MIN2(min_x, x[i]), max_x = MAX2(max_x, x[i]);
      min_y = MIN2(min_y, y[i]), max_y = MAX2(max_y, y[i]);
   }
   /* Pixels that end where it begins, or half a step ahead, are touched, too. */
   int32_t less_than_px = (1 << subpixel_bits) - 1;
   poly->min_x_px = ((min_x + less_than_px) >> subpixel_bits) - 1, poly->max_x_px = max_x >> subpixel_bits;
   poly->min_y_px = ((min_y + less_than_px) >> subpixel_bits) - 1, poly->max_y_px = max_y >> subpixel_bits;
   return true;
}

/* Largest value of the edge over samples of the square: samples reach from 0 to size * 16 - 1 sixteenths. */
static inline int64_t
edge_max(const struct sim_raster_edge *edge, int x_px, int y_px, int size_px)
{
   int64_t reach = size_px * 16 - 1;
   int64_t value = (int64_t)edge->a * (x_px * 16) + (int64_t)edge->b * (y_px * 16) + edge->c;
   return value + (edge->a > 0 ? edge->a * reach : 0) + (edge->b > 0 ? edge->b * reach : 0);
}

static inline int64_t
edge_min(const struct sim_raster_edge *edge, int x_px, int y_px, int size_px)
{
   int64_t reach = size_px * 16 - 1;
   int64_t value = (int64_t)edge->a * (x_px * 16) + (int64_t)edge->b * (y_px * 16) + edge->c;
   return value + (edge->a < 0 ? edge->a * reach : 0) + (edge->b < 0 ? edge->b * reach : 0);
}

bool
sim_raster_may_cover(const struct sim_raster_poly *poly, int x_px, int y_px, int size_px)
{
   for (unsigned i = 0; i < poly->edge_count; i++) {
      if (edge_max(&poly->edges[i], x_px, y_px, size_px) < 0)
         return false;
   }
   return true;
}

bool
sim_raster_covers(const struct sim_raster_poly *poly, int x_px, int y_px, int size_px)
{
   for (unsigned i = 0; i < poly->edge_count; i++) {
      if (edge_min(&poly->edges[i], x_px, y_px, size_px) < 0)
         return false;
   }
   return true;
}

/* An edge that crosses the block. Its values there change sign within the block, so they are within |a| + |b| times
 * 127 steps, and one row of 16 further in the row after the last: 32 bits, where |a| + |b| is at most 2^31 / 143, as
 * it is of all but the longest edges at 8 subpixel bits. */
struct crossing {
   int64_t at_centre; /* at the centre of the first pixel */
   int32_t a, b;
};
enum { MOST_FOR_32_BITS = INT32_MAX / 143 };

/* The same of edges that are too long for that: with more subpixel bits there are some. */
static uint64_t
sample_mask_64(const struct crossing *crossings, unsigned count, int dx16, int dy16)
{
   uint64_t mask = 0;
   for (unsigned bit = 0; bit < 64; bit++) {
      int x16 = dx16 + (int)(bit % 8) * 16, y16 = dy16 + (int)(bit / 8) * 16;
      bool inside = true;
      for (unsigned i = 0; i < count; i++) {
         const struct crossing *c = &crossings[i];
         inside &= c->at_centre + (int64_t)c->a * x16 + (int64_t)c->b * y16 >= 0;
      }
      mask |= (uint64_t)inside << bit;
   }
   return mask;
}

static uint64_t
sample_mask(const struct crossing *crossings, unsigned count, int dx16, int dy16)
{
   static const v8i steps = {0, 16, 32, 48, 64, 80, 96, 112};
   v8i value[SIM_RASTER_MAX_EDGES], down[SIM_RASTER_MAX_EDGES];
   for (unsigned i = 0; i < count; i++) {
      const struct crossing *c = &crossings[i];
      value[i] = steps * c->a + ((int32_t)c->at_centre + c->a * dx16 + c->b * dy16);
      down[i] = (v8i){0} + c->b * 16;
   }
   uint64_t mask = 0;
   for (unsigned row = 0; row < 8; row++) {
      v8i any = value[0];
      value[0] += down[0];
      for (unsigned i = 1; i < count; i++) {
         any |= value[i];
         value[i] += down[i];
      }
      mask |= (uint64_t)(~wide_signs((v8u)any) & 0xff) << (8 * row);
   }
   return mask;
}

uint64_t
sim_raster_block(const struct sim_raster_poly *poly, const struct sim_raster_samples *samples, int x_px, int y_px,
                 uint64_t *masks)
{
   struct crossing crossings[SIM_RASTER_MAX_EDGES];
   unsigned count = 0;
   bool fits = true;
   masks[0] = 0;
   for (unsigned s = 1; s < samples->count; s++)
      masks[s] = 0;
   for (unsigned i = 0; i < poly->edge_count; i++) {
      const struct sim_raster_edge *edge = &poly->edges[i];
      if (edge_max(edge, x_px, y_px, SIM_RASTER_BLOCK_PX) < 0)
         return 0;
      if (edge_min(edge, x_px, y_px, SIM_RASTER_BLOCK_PX) >= 0)
         continue;
      int64_t centre = (int64_t)edge->a * (x_px * 16 + 8) + (int64_t)edge->b * (y_px * 16 + 8) + edge->c;
      crossings[count++] = (struct crossing){centre, edge->a, edge->b};
      fits &= llabs((long long)edge->a) + llabs((long long)edge->b) <= MOST_FOR_32_BITS;
   }
   uint64_t all = 0;
   for (unsigned s = 0; s < samples->count; s++) {
      int x16 = samples->x16[s], y16 = samples->y16[s];
      masks[s] = !count ? UINT64_MAX : (fits ? sample_mask : sample_mask_64)(crossings, count, x16, y16);
      all |= masks[s];
   }
   return all;
}

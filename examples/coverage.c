#include "coverage.h"

/* Vulkan 1.3, "Standard Sample Locations": x and y of each sample in 1/16 pixel. */
static const uint8_t locations[4][8][2] = {
   {{8, 8}},
   {{12, 12}, {4, 4}},
   {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
   {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
};

/* Edge from p to q of a triangle that runs clockwise on the screen: the inside is to its right hand. */
static struct coverage_edge
edge_between(const int32_t p[2], const int32_t q[2])
{
   int64_t dx = (int64_t)q[0] - p[0], dy = (int64_t)q[1] - p[1];

   return (struct coverage_edge){
      .a = -dy, .b = dx, .c = dy * p[0] - dx * p[1], .owned = (dy == 0 && dx > 0) || dy < 0, /* top or left */
   };
}

static bool
inside(const struct coverage_edge edges[3], int64_t x, int64_t y)
{
   for (unsigned i = 0; i < 3; i++) {
      int64_t value = edges[i].a * x + edges[i].b * y + edges[i].c;

      if (value < 0 || (value == 0 && !edges[i].owned))
         return false;
   }
   return true;
}

/* First and last + 1 pixel of three coordinates, within [0, limit). */
static void
bounds(int32_t a, int32_t b, int32_t c, uint32_t limit, int32_t *first, int32_t *end)
{
   int32_t low = a < b ? a : b, high = a < b ? b : a;

   low = c < low ? c : low;
   high = c > high ? c : high;
   *first = low < 0 ? 0 : low >> 8;
   *end = high < 0 ? 0 : (high >> 8) + 1;
   if (*end > (int32_t)limit)
      *end = (int32_t)limit;
}

struct coverage
coverage_setup(const int32_t xy[3][2], uint32_t width, uint32_t height)
{
   int64_t area =
      (int64_t)(xy[1][0] - xy[0][0]) * (xy[2][1] - xy[0][1]) - (int64_t)(xy[1][1] - xy[0][1]) * (xy[2][0] - xy[0][0]);
   unsigned second = area > 0 ? 1 : 2, third = 3 - second;
   struct coverage coverage = {.edges = {edge_between(xy[0], xy[second]), edge_between(xy[second], xy[third]),
                                         edge_between(xy[third], xy[0])}};

   bounds(xy[0][0], xy[1][0], xy[2][0], width, &coverage.left, &coverage.right);
   bounds(xy[0][1], xy[1][1], xy[2][1], height, &coverage.top, &coverage.bottom);
   if (!area)
      coverage.bottom = coverage.top;
   return coverage;
}

uint32_t
coverage_of_pixel(const struct coverage *coverage, unsigned samples_log2, uint32_t x, uint32_t y)
{
   uint32_t mask = 0;

   for (unsigned s = 0; s < 1u << samples_log2; s++) {
      const uint8_t *at = locations[samples_log2][s];

      if (inside(coverage->edges, (int64_t)x * 256 + at[0] * 16, (int64_t)y * 256 + at[1] * 16))
         mask |= 1u << s;
   }
   return mask;
}

/* Clipping: what is left of polygons and lines, and that neighbours get the same points at their common edge. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/raster/clip.h"

static const struct sim_clip_volume volume = {.scale = {100, 100},
                                              .offset = {100, 100},
                                              .low_px = {-8192, -8192},
                                              .high_px = {24576, 24576},
                                              .zero_to_one = true,
                                              .planes = SIM_CLIP_ALWAYS | 1u << SIM_CLIP_NEAR | 1u << SIM_CLIP_FAR |
                                                        1u << (SIM_CLIP_DIST0 + 2)};

static struct sim_clip_vertex
vertex(double x, double y, double z, double w)
{
   return (struct sim_clip_vertex){.x = x, .y = y, .z = z, .w = w};
}

static void
kept_whole(void **state)
{
   struct sim_clip_vertex v[SIM_CLIP_MAX_VERTICES] = {
      vertex(-1, -1, 0, 1), vertex(1, -1, 1, 1), vertex(5, 3, 0.5, 1)}; /* beyond the viewport, not the guard band */
   assert_false(sim_clip_needed(&volume, v, 3));
   assert_int_equal(sim_clip_polygon(&volume, v, 3), 3);
   assert_true(v[2].x == 5 && v[2].y == 3);
}

static void
cut(void **state)
{
   /* One vertex as far after the near plane as the others are before it. */
   struct sim_clip_vertex v[SIM_CLIP_MAX_VERTICES] = {vertex(0, 0, 0.5, 1), vertex(1, 0, 0.5, 1),
                                                      vertex(0, 1, -0.5, 1)};
   assert_true(sim_clip_needed(&volume, v, 3));
   assert_int_equal(sim_clip_polygon(&volume, v, 3), 4);
   assert_true(v[0].x == 0 && v[1].x == 1 && v[2].x == 0.5 && v[2].y == 0.5 && v[3].x == 0 && v[3].y == 0.5);
   assert_true(v[2].z == 0 && v[3].z == 0);
   /* The same from -1. */
   struct sim_clip_volume wide = volume;
   wide.zero_to_one = false;
   v[0] = vertex(0, 0, 0.5, 1), v[1] = vertex(1, 0, 0.5, 1), v[2] = vertex(0, 1, -0.5, 1);
   assert_false(sim_clip_needed(&wide, v, 3));
   /* A line loses its end, by a distance of the shader. */
   v[0] = vertex(0, 0, 0.5, 1), v[1] = vertex(1, 0, 0.5, 1);
   v[0].dist[2] = 3, v[1].dist[2] = -1;
   assert_int_equal(sim_clip_polygon(&volume, v, 2), 2);
   assert_true(v[1].x == 0.75 && v[1].dist[2] == 0);
}

static void
gone(void **state)
{
   struct sim_clip_vertex v[SIM_CLIP_MAX_VERTICES] = {vertex(0, 0, 2, 1), vertex(1, 0, 2, 1), vertex(0, 1, 2, 1)};
   assert_int_equal(sim_clip_polygon(&volume, v, 3), 0);
   v[0] = vertex(0, 0, 0, -1), v[1] = vertex(1, 0, 0, -1);
   assert_int_equal(sim_clip_polygon(&volume, v, 2), 0);
   v[0] = vertex(NAN, 0, 0.5, 1);
   assert_true(sim_clip_needed(&volume, v, 1));
}

static double
random_coordinate(void)
{
   return (double)random() / RAND_MAX * 400.0 - 200.0;
}

static bool
same(const struct sim_clip_vertex *a, const struct sim_clip_vertex *b)
{
   return !memcmp(a, b, 4 * sizeof(double));
}

/* Two triangles at an edge, wherever that is cut, get the same point on it bit by bit. */
static void
neighbours(void **state)
{
   struct sim_clip_volume near = volume;
   near.planes = 1u << SIM_CLIP_NEAR;
   srandom(1);
   for (unsigned run = 0; run < 2000; run++) {
      struct sim_clip_vertex c[4];
      for (unsigned i = 0; i < 4; i++)
         c[i] = vertex(random_coordinate(), random_coordinate(), random_coordinate(), 1.0);
      struct sim_clip_vertex one[SIM_CLIP_MAX_VERTICES] = {c[0], c[1], c[2]};
      struct sim_clip_vertex two[SIM_CLIP_MAX_VERTICES] = {c[2], c[1], c[3]};
      unsigned n = sim_clip_polygon(&near, one, 3), m = sim_clip_polygon(&near, two, 3), shared = 0;
      for (unsigned i = 0; i < n * m; i++)
         shared += same(&one[i / m], &two[i % m]) && !same(&one[i / m], &c[1]) && !same(&one[i / m], &c[2]);
      assert_int_equal(shared, (c[1].z < 0) != (c[2].z < 0));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_whole),
      cmocka_unit_test(cut),
      cmocka_unit_test(gone),
      cmocka_unit_test(neighbours),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

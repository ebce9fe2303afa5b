/* Coverage against an exact reference: a sample is inside if the point moved by (e, e^2), e infinitely small, is
 * strictly inside of every edge. That is the top-left rule without naming left or top. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/raster/raster.h"

static uint32_t seed;
static unsigned bits;   /* below a pixel */
static unsigned filled; /* blocks */

static uint32_t
next_random(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 8;
}

static const struct sim_raster_samples one = {.count = 1};
static const struct sim_raster_samples four = {.count = 4, .x16 = {-2, 6, -6, 2}, .y16 = {-6, -2, 2, 6}};

static bool
reference_inside(const int32_t *x, const int32_t *y, unsigned count, bool clockwise, int64_t px, int64_t py)
{
   for (unsigned i = 0; i < count; i++) {
      unsigned j = (i + 1) % count;
      int64_t dx = x[j] - x[i], dy = y[j] - y[i];
      int64_t sign = clockwise ? 1 : -1;
      int64_t cross = sign * (dx * (py - y[i]) - dy * (px - x[i]));
      int64_t by_x = sign * -dy, by_y = sign * dx;
      int64_t order = cross ? cross : by_x ? by_x : by_y;
      if (order <= 0)
         return false;
   }
   return true;
}

static void
check_poly(const int32_t *x, const int32_t *y, unsigned count, const struct sim_raster_samples *samples, int x0,
           int y0)
{
   struct sim_raster_poly poly;
   int64_t area = sim_raster_area2(x, y);
   if (!sim_raster_setup(&poly, bits, x, y, count)) {
      assert_true(area == 0);
      return;
   }
   uint64_t masks[SIM_RASTER_MAX_SAMPLES];
   uint64_t all = sim_raster_block(&poly, samples, x0, y0, masks), expected_all = 0;
   for (unsigned s = 0; s < samples->count; s++) {
      uint64_t expected = 0;
      for (unsigned i = 0; i < 64; i++) {
         const int64_t one_px = INT64_C(1) << bits;
         int64_t px = (x0 + (int)(i % 8)) * one_px + one_px / 2 + samples->x16[s] * one_px / 16;
         int64_t py = (y0 + (int)(i / 8)) * one_px + one_px / 2 + samples->y16[s] * one_px / 16;
         if (reference_inside(x, y, count, area > 0, px, py)) {
            expected |= UINT64_C(1) << i;
            assert_true(x0 + (int)(i % 8) >= poly.min_x_px && x0 + (int)(i % 8) <= poly.max_x_px);
            assert_true(y0 + (int)(i / 8) >= poly.min_y_px && y0 + (int)(i / 8) <= poly.max_y_px);
         }
      }
      assert_int_equal(masks[s], expected);
      if (sim_raster_covers(&poly, x0, y0, 8))
         assert_true(expected == UINT64_MAX);
      expected_all |= expected;
   }
   assert_int_equal(all, expected_all);
   filled += sim_raster_covers(&poly, x0, y0, 8);
   if (expected_all)
      assert_true(sim_raster_may_cover(&poly, x0, y0, 8));
}

static void
random_triangles(void **state)
{
   seed = 1;
   for (unsigned n = 0; n < 20000; n++) {
      bits = 8 + n % 5;
      /* Coarse grids make samples fall exactly on edges and vertices. */
      unsigned grid = n % 3 == 0 ? 128 : n % 3 == 1 ? 16 : 1;
      int32_t x[3], y[3];
      for (unsigned i = 0; i < 3; i++) {
         x[i] = (int32_t)(next_random() % (4096 / grid) * grid) - 1024;
         y[i] = (int32_t)(next_random() % (4096 / grid) * grid) - 1024;
      }
      check_poly(x, y, 3, n % 2 ? &one : &four, 0, 0);
   }
}

static void
huge_triangles(void **state)
{
   seed = 2;
   for (unsigned n = 0; n < 20000; n++) {
      bits = 8 + n % 3 * 2;
      /* What 24 bits hold, 26 of the finest. */
      int32_t x[3], y[3], low = bits == 8 ? SIM_RASTER_MIN_PX * 256 : -33554432;
      for (unsigned i = 0; i < 3; i++) {
         x[i] = low + (int32_t)((next_random() << 8 ^ next_random()) % (bits == 8 ? 8388608u : 67108864u));
         y[i] = low + (int32_t)((next_random() << 8 ^ next_random()) % (bits == 8 ? 8388608u : 67108864u));
      }
      /* A block around a point of an edge, so that the edge crosses it. */
      int at = (int)(next_random() % 256);
      int bx = ((x[0] >> bits) * at + (x[1] >> bits) * (256 - at)) / 256,
          by = ((y[0] >> bits) * at + (y[1] >> bits) * (256 - at)) / 256;
      check_poly(x, y, 3, &four, bx & ~7, by & ~7);
      check_poly(x, y, 3, &four, (x[0] / 3 + x[1] / 3 + x[2] / 3) >> bits & ~7,
                 (y[0] / 3 + y[1] / 3 + y[2] / 3) >> bits & ~7);
   }
   assert_true(filled > 10000);
}

static void
quads(void **state)
{
   seed = 3;
   bits = 8;
   for (unsigned n = 0; n < 5000; n++) {
      int32_t w = (int32_t)(next_random() % 16) * 64 + 64, h = (int32_t)(next_random() % 16) * 64 + 64;
      int32_t sx = (int32_t)(next_random() % 1024) - 512, sy = (int32_t)(next_random() % 1024) - 512;
      int32_t x0 = (int32_t)(next_random() % 1024), y0 = (int32_t)(next_random() % 1024);
      const int32_t x[4] = {x0, x0 + w, x0 + w + sx, x0 + sx}, y[4] = {y0, y0 + sy % 64, y0 + sy % 64 + h, y0 + h};
      check_poly(x, y, 4, &four, 0, 0);
   }
}

/* A fan around a point covers each sample of its outline exactly once. */
static void
fan_is_a_partition(void **state)
{
   bits = 8;
   static const int32_t rim[8][2] = {{0, 0},       {1024, 0},    {2048, 0}, {2048, 1024},
                                     {2048, 2048}, {1024, 2048}, {0, 2048}, {0, 1024}};
   for (int32_t cx = 128; cx < 2048; cx += 96) {
      for (int32_t cy = 128; cy < 2048; cy += 128) {
         uint64_t seen = 0;
         for (unsigned i = 0; i < 8; i++) {
            const int32_t x[3] = {cx, rim[i][0], rim[(i + 1) % 8][0]}, y[3] = {cy, rim[i][1], rim[(i + 1) % 8][1]};
            struct sim_raster_poly poly;
            uint64_t mask[1];
            assert_true(sim_raster_setup(&poly, bits, x, y, 3));
            sim_raster_block(&poly, &one, 0, 0, mask);
            assert_int_equal(seen & mask[0], 0);
            seen |= mask[0];
         }
         assert_int_equal(seen, UINT64_MAX);
      }
   }
}

static int64_t
turn(const int64_t a[2], const int64_t b[2], const int64_t c[2])
{
   return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool
in_triangle(int64_t t[3][2], const int64_t p[2])
{
   unsigned turns = 0, beyond = 0; /* of edges; whether corners are left, right, above and below */
   for (unsigned i = 0; i < 3; i++) {
      int64_t side = turn(t[i], t[(i + 1) % 3], p);
      turns |= (unsigned)(side < 0) | (unsigned)(side > 0) << 1;
      beyond |= (unsigned)(p[0] >= t[i][0]) | (unsigned)(p[0] <= t[i][0]) << 1 | (unsigned)(p[1] >= t[i][1]) << 2 |
                (unsigned)(p[1] <= t[i][1]) << 3;
   }
   return turns != 3 && beyond == 15;
}

static bool
cross(const int64_t a[2], const int64_t b[2], const int64_t c[2], const int64_t d[2])
{
   int64_t ca = turn(a, b, c), da = turn(a, b, d), ac = turn(c, d, a), bc = turn(c, d, b);
   return ((ca < 0 && da > 0) || (ca > 0 && da < 0)) && ((ac < 0 && bc > 0) || (ac > 0 && bc < 0));
}

/* A square that is closed: a corner of either lies in the other, or edges cross. */
static bool
meets(int64_t t[3][2], int64_t square[4][2])
{
   for (unsigned i = 0; i < 3; i++)
      if (t[i][0] >= square[0][0] && t[i][0] <= square[2][0] && t[i][1] >= square[0][1] && t[i][1] <= square[2][1])
         return true;
   for (unsigned i = 0; i < 4; i++) {
      if (in_triangle(t, square[i]))
         return true;
      for (unsigned k = 0; k < 3; k++)
         if (cross(t[k], t[(k + 1) % 3], square[i], square[(i + 1) % 4]))
            return true;
   }
   return false;
}

/* A pixel is touched if it meets the triangle when it is larger by half a step on each side, and inside if its
 * corners are when it is as much larger. */
static void
conservative_triangles(void **state)
{
   seed = 3;
   bits = 8;
   for (unsigned n = 0; n < 1500; n++) {
      int32_t x[3], y[3], grid = n % 3 == 0 ? 256 : n % 3 == 1 ? 64 : 1;
      for (unsigned i = 0; i < 3; i++) {
         x[i] = (int32_t)(next_random() % (4096 / (uint32_t)grid)) * grid - 1024;
         y[i] = (int32_t)(next_random() % (4096 / (uint32_t)grid)) * grid - 1024;
      }
      if (n % 5 == 0)
         x[2] = (x[0] + x[1]) / 2, y[2] = (y[0] + y[1]) / 2; /* a line, or nearly one */
      int64_t t[3][2];
      for (unsigned i = 0; i < 3; i++)
         t[i][0] = 2 * x[i], t[i][1] = 2 * y[i];
      bool has_area = sim_raster_area2(x, y);
      for (unsigned over = 0; over < 2; over++) {
         struct sim_raster_poly poly;
         uint64_t mask = 0;
         bool there = sim_raster_estimate(&poly, bits, x, y, 3, 0, over);
         assert_true(there == (has_area || over));
         if (there)
            sim_raster_block(&poly, &one, 0, 0, &mask);
         for (int i = 0; i < 64; i++) {
            int64_t x0 = i % 8 * 512 - 1, y0 = i / 8 * 512 - 1, x1 = x0 + 514, y1 = y0 + 514;
            int64_t square[4][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
            bool inside = has_area, bounded = i % 8 >= poly.min_x_px && i % 8 <= poly.max_x_px &&
                                              i / 8 >= poly.min_y_px && i / 8 <= poly.max_y_px;
            for (unsigned k = 0; k < 4; k++)
               inside &= in_triangle(t, square[k]);
            assert_int_equal(mask >> i & there & bounded, over ? meets(t, square) : inside);
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_triangles),   cmocka_unit_test(huge_triangles),         cmocka_unit_test(quads),
      cmocka_unit_test(fan_is_a_partition), cmocka_unit_test(conservative_triangles),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

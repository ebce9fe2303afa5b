/* Renders on the model against a rasteriser of its own: coverage by edge functions at each sample, attributes by
 * barycentric coordinates, depth, stencil and blending in the order of the draws, in plain C. All of it must hold
 * under every schedule (order of tiles and waves, partial renders) and for any number of host threads. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render_try.h"
#include "util/macros.h"

static unsigned failures;

static void
fail(const char *test, const char *what)
{
   printf("%s: %s\n", test, what);
   failures++;
}

/* A picture that is expected; RGBA of each sample as floats. */
enum { MAX_PX = 128 };
static float expected[4][MAX_PX][MAX_PX][4];
static float expected_z[4][MAX_PX][MAX_PX];

static const float sample_at[5][4][2] = {
   [1] = {{0.5f, 0.5f}},
   [2] = {{12 / 16.f, 12 / 16.f}, {4 / 16.f, 4 / 16.f}},
   [4] = {{6 / 16.f, 2 / 16.f}, {14 / 16.f, 6 / 16.f}, {2 / 16.f, 10 / 16.f}, {10 / 16.f, 14 / 16.f}},
};

static void
clear_expected(float z)
{
   for (unsigned s = 0; s < 4; s++)
      for (unsigned y = 0; y < MAX_PX; y++)
         for (unsigned x = 0; x < MAX_PX; x++) {
            memcpy(expected[s][y][x], (const float[4]){0.2f, 0.4f, 0.6f, 1.0f}, 16);
            expected_z[s][y][x] = z;
         }
}

/* Vertices of eight floats: position in clip space, colour. */
struct screen_vertex {
   double x, y, z, w;
};

static struct screen_vertex
to_screen(const struct render_try *r, const float *v)
{
   struct screen_vertex s = {.w = v[3]};
   s.x = nearbyint((v[0] / s.w + 1.0) * r->width_px / 2.0 * 256.0) / 256.0;
   s.y = nearbyint((v[1] / s.w + 1.0) * r->height_px / 2.0 * 256.0) / 256.0;
   s.z = v[2] / s.w;
   return s;
}

static double
edge(const struct screen_vertex *a, const struct screen_vertex *b, double x, double y)
{
   return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static bool
owns(const struct screen_vertex *a, const struct screen_vertex *b, double value)
{
   /* Clockwise with y down: left edges go up, top edges go right. */
   return value > 0.0 || (value == 0.0 && (b->y < a->y || (b->y == a->y && b->x > a->x)));
}

enum shade { SHADE_OPAQUE, SHADE_BLEND };

/* Draws a triangle into the expectation, depth test LESS if `depth`. */
static void
expect_triangle(const struct render_try *r, const float *data, enum shade shade, bool depth)
{
   struct screen_vertex v[3];
   const float *attributes[3] = {data + 4, data + 12, data + 20};
   for (unsigned i = 0; i < 3; i++)
      v[i] = to_screen(r, data + i * 8);
   double area = edge(&v[0], &v[1], v[2].x, v[2].y);
   if (area < 0.0) {
      const struct screen_vertex vertex = v[1];
      const float *attribute = attributes[1];
      v[1] = v[2], v[2] = vertex;
      attributes[1] = attributes[2], attributes[2] = attribute;
      area = -area;
   }
   for (unsigned s = 0; s < r->samples; s++) {
      for (unsigned y = 0; y < r->height_px; y++) {
         for (unsigned x = 0; x < r->width_px; x++) {
            double sx = x + (double)sample_at[r->samples][s][0], sy = y + (double)sample_at[r->samples][s][1];
            double e[3], l[3], centre[3], sum = 0.0;
            bool inside = true;
            for (unsigned i = 0; i < 3; i++) {
               const struct screen_vertex *a = &v[(i + 1) % 3], *b = &v[(i + 2) % 3];
               e[i] = edge(a, b, sx, sy);
               inside &= owns(a, b, e[i]);
               centre[i] = edge(a, b, x + 0.5, y + 0.5) / area / v[i].w;
               l[i] = e[i] / area;
               sum += centre[i];
            }
            if (!inside)
               continue;
            float z = (float)(l[0] * v[0].z + l[1] * v[1].z + l[2] * v[2].z);
            if (depth && !(z < expected_z[s][y][x]))
               continue;
            if (depth)
               expected_z[s][y][x] = z;
            float *out = expected[s][y][x];
            float rgba[4];
            for (unsigned c = 0; c < 4; c++)
               rgba[c] = (float)((centre[0] * attributes[0][c] + centre[1] * attributes[1][c] +
                                  centre[2] * attributes[2][c]) /
                                 sum);
            for (unsigned c = 0; c < 4; c++) {
               float value =
                  shade == SHADE_BLEND ? rgba[c] * 0.5f + roundf(out[c] * 255.0f) / 255.0f * 0.5f : rgba[c];
               out[c] = fminf(fmaxf(value, 0.0f), 1.0f);
            }
         }
      }
   }
}

/* Compares the picture; `steps` of 255 may differ. */
static void
compare(const struct render_try *r, const char *test, int steps)
{
   unsigned wrong = 0;
   for (unsigned s = 0; s < r->samples; s++) {
      for (unsigned y = 0; y < r->height_px; y++) {
         for (unsigned x = 0; x < r->width_px; x++) {
            uint32_t got = render_pixel(r, x, y, 0, s);
            for (unsigned c = 0; c < 4; c++) {
               int want = (int)lroundf(expected[s][y][x][c] * 255.0f), have = (int)(got >> c * 8 & 0xff);
               if (want - have > steps || have - want > steps) {
                  if (!wrong++)
                     printf("%s: pixel %u, %u sample %u component %u is %d, should be %d\n", test, x, y, s, c, have,
                            want);
               }
            }
         }
      }
   }
   if (wrong) {
      printf("%s: %u components are wrong\n", test, wrong);
      failures++;
   }
}

static const struct sim_schedule schedules[] = {
   {SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_ROUND_ROBIN, 0}, {SIM_SCHEDULE_SEED, 1},
   {SIM_SCHEDULE_SEED, 77},    {SIM_SCHEDULE_WORST, 0},
};

/* Runs the stream under every schedule. */
static void
run_and_compare(struct render_try *r, const char *test, int steps)
{
   for (unsigned i = 0; i < ARRAY_SIZE(schedules); i++) {
      char name[64];
      snprintf(name, sizeof(name), "%s, schedule %u", test, i);
      r->schedule = schedules[i];
      r->threads = 1 + i % 3;
      memset(render_host(r, r->target), 0xee, 4 << 20);
      if (!render_run(r))
         fail(name, r->fault.message);
      else
         compare(r, name, steps);
   }
}

static const float triangle[24] = {
   -0.9f, -0.8f, 0.5f, 1.0f, 1.0f,  0.0f,  0.0f, 1.0f, 0.9f, -0.5f, 0.5f, 1.0f,
   0.0f,  1.0f,  0.0f, 1.0f, -0.1f, 0.95f, 0.5f, 1.0f, 0.0f, 0.0f,  1.0f, 1.0f,
};

/* w differs: attributes are interpolated in perspective. */
static const float tilted[24] = {
   -1.8f, -1.6f, 0.2f, 2.0f, 1.0f, 0.2f, 0.0f, 1.0f, 0.9f, -0.9f, 0.8f, 1.0f,
   0.0f,  1.0f,  0.3f, 0.5f, 0.4f, 3.6f, 3.6f, 4.0f, 0.1f, 0.0f,  1.0f, 1.0f,
};

static void
test_triangle(uint32_t samples)
{
   struct render_try r;
   render_begin(&r, 100, 70, samples, 1);
   clear_expected(1.0f);
   struct render_draw d = render_draw(&r);
   d.data = triangle, d.data_count = 24;
   render_add(&r, &d);
   expect_triangle(&r, triangle, SHADE_OPAQUE, false);
   d.data = tilted;
   render_add(&r, &d);
   expect_triangle(&r, tilted, SHADE_OPAQUE, false);
   char name[32];
   snprintf(name, sizeof(name), "triangles of %u samples", samples);
   run_and_compare(&r, name, 1);
   render_free(&r);
}

/* Random triangles with a depth test, opaque: hidden surfaces are removed. */
static void
random_triangles(float *data, unsigned count, uint64_t seed)
{
   for (unsigned i = 0; i < count * 3; i++) {
      float *v = data + i * 8;
      for (unsigned c = 0; c < 8; c++)
         v[c] = (float)(sim_schedule_random(seed, i, c) >> 40) / (float)(1 << 24);
      v[0] = v[0] * 2.4f - 1.2f;
      v[1] = v[1] * 2.4f - 1.2f;
      v[3] = 1.0f;
   }
}

static void
test_depth(uint32_t samples)
{
   enum { COUNT = 12 };
   static float data[COUNT * 24];
   struct render_try r;
   render_begin(&r, 96, 64, samples, 1);
   clear_expected(1.0f);
   random_triangles(data, COUNT, 3);
   for (unsigned i = 0; i < COUNT; i += 4) {
      struct render_draw d = render_draw(&r);
      d.data = data + i * 24, d.data_count = 96, d.count = 12;
      d.face.disable_depth_write = false;
      d.face.depth_function = AGX_ZS_FUNC_LESS;
      render_add(&r, &d);
      for (unsigned k = 0; k < 4; k++)
         expect_triangle(&r, data + (i + k) * 24, SHADE_OPAQUE, true);
   }
   run_and_compare(&r, samples == 1 ? "depth" : "depth of several samples", 1);
   render_free(&r);
}

/* Blends half and half with what the tile has, in the order of the primitives of one draw and of several. */
static const char blend_program[] = "iter r4_r5_r6_r7, cf1, cf0\n"
                                    "pixwait 12, 0\n"
                                    "ld_tile r0_r1_r2_r3, 0, 1, 0, u8norm, xyzw\n"
                                    "fmul r4, r4, 0.5\n"
                                    "fmul r5, r5, 0.5\n"
                                    "fmul r6, r6, 0.5\n"
                                    "fmul r7, r7, 0.5\n"
                                    "ffma r4, r0, 0.5, r4\n"
                                    "ffma r5, r1, 0.5, r5\n"
                                    "ffma r6, r2, 0.5, r6\n"
                                    "ffma r7, r3, 0.5, r7\n"
                                    "st_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw\n"
                                    "stop\n";

static void
test_blend(void)
{
   enum { COUNT = 12 };
   static float data[COUNT * 24];
   struct render_try r;
   render_begin(&r, 96, 64, 1, 1);
   clear_expected(1.0f);
   random_triangles(data, COUNT, 9);
   for (unsigned i = 0; i < COUNT; i += 6) {
      struct render_draw d = render_draw(&r);
      d.fragment = blend_program;
      d.control.pass_type = AGX_PASS_TYPE_TRANSLUCENT;
      d.data = data + i * 24, d.data_count = 144, d.count = 18;
      render_add(&r, &d);
      for (unsigned k = 0; k < 6; k++)
         expect_triangle(&r, data + (i + k) * 24, SHADE_BLEND, false);
   }
   run_and_compare(&r, "blending", 3);
   render_free(&r);
}

int
main(void)
{
   test_triangle(1);
   test_triangle(2);
   test_triangle(4);
   test_depth(1);
   test_depth(4);
   test_blend();
   printf("%u failures\n", failures);
   return failures != 0;
}

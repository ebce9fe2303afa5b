/* What positions of vertices mean: divided or not, clipped by planes in registers, rounded to more subpixel bits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "drawn.h"

static const double px[3] = {2, 60, 10}, py[3] = {3, 8, 45}, w[3] = {1.0, 4.0, 2.0};

static void
set_triangle(void)
{
   static const float rgb[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
   for (unsigned i = 0; i < 3; i++)
      set_vertex(i, (float)(px[i] * 2 / W - 1), (float)(py[i] * 2 / H - 1), 0.25f, (float)w[i], rgb[i][0], rgb[i][1],
                 rgb[i][2], 1);
}

/* Weights of the corners at a pixel's centre, on the screen. False: near an edge or outside. */
static bool
weights(unsigned x, unsigned y, double b[3])
{
   double area = (px[1] - px[0]) * (py[2] - py[0]) - (px[2] - px[0]) * (py[1] - py[0]);
   for (unsigned i = 0; i < 3; i++) {
      unsigned j = (i + 1) % 3, k = (i + 2) % 3;
      double cx = x + 0.5, cy = y + 0.5;
      b[i] = ((px[j] - cx) * (py[k] - cy) - (px[k] - cx) * (py[j] - cy)) / area;
   }
   return b[0] > 1e-3 && b[1] > 1e-3 && b[2] > 1e-3;
}

/* Draws the triangle and compares its colours: with perspective, or as on the screen. */
static void
check_triangle(struct stream *s, bool perspective)
{
   draw_auto(s, V_DI_PT_TRILIST, 3);
   must_run(s);
   unsigned seen = 0;
   for (unsigned i = 0; i < W * H; i++) {
      double b[3], sum = 0;
      if (!weights(i % W, i / W, b))
         continue;
      for (unsigned c = 0; c < 3; c++)
         sum += b[c] /= perspective ? w[c] : 1.0;
      for (unsigned c = 0; c < 3; c++)
         assert_true(fabs((pixel(s, i % W, i / W) >> (8 * c) & 255) - 255.0 * b[c] / sum) <= 0.51);
      seen++;
   }
   assert_true(seen > 1000);
   stream_destroy(s);
}

/* The same triangle, as the vertex shader may give it: x and y, z and w each divided already. */
static void
divided_by_w(void **state)
{
   for (unsigned format = 0; format < 8; format++) {
      bool xy = format & 1, z = format & 2, one_w = format & 4;
      struct stream s = open_stream(1);
      set_triangle();
      for (unsigned i = 0; i < 3; i++) {
         float *v = vertices[i], by_w = v[3];
         for (unsigned c = 0; c < 3; c++)
            v[c] /= (c < 2 ? xy : z) ? by_w : 1.0f;
         v[3] = one_w ? 1.0f / by_w : by_w;
      }
      set_reg(&s, R_PA_CL_VTE_CNTL,
              0x3f | S_PA_CL_VTE_CNTL_VTX_XY_FMT(xy) | S_PA_CL_VTE_CNTL_VTX_Z_FMT(z) |
                 S_PA_CL_VTE_CNTL_VTX_W0_FMT(!one_w));
      check_triangle(&s, true);
   }
}

/* Pixels as positions, as blits have them: no viewport, no clipping, w is 1. */
static void
window_space(void **state)
{
   struct stream s = open_stream(1);
   set_triangle();
   for (unsigned i = 0; i < 3; i++)
      vertices[i][0] = (float)px[i], vertices[i][1] = (float)py[i], vertices[i][2] = 0.25f, vertices[i][3] = 1.0f;
   set_reg(&s, R_PA_CL_VTE_CNTL, S_PA_CL_VTE_CNTL_VTX_XY_FMT(1) | S_PA_CL_VTE_CNTL_VTX_Z_FMT(1));
   set_reg(&s, R_PA_CL_CLIP_CNTL, S_PA_CL_CLIP_CNTL_CLIP_DISABLE(1));
   check_triangle(&s, false);
}

static void
without_perspective(void **state)
{
   struct stream s = open_stream(1);
   set_triangle();
   set_reg(&s, R_PA_SU_SC_MODE_CNTL, S_PA_SU_SC_MODE_CNTL_PERSP_CORR_DIS(1));
   check_triangle(&s, false);
}

/* Plane 2 keeps x + y / 2 > -w / 4; where it only culls, the triangle stays whole: one corner is inside. */
static void
planes_in_registers(void **state)
{
   for (unsigned cull_only = 0; cull_only < 2; cull_only++) {
      struct stream s = open_stream(1);
      set_triangle();
      const float plane[4] = {1.0f, 0.5f, 0.0f, 0.25f};
      for (unsigned c = 0; c < 4; c++)
         set_float(&s, R_PA_CL_UCP_0_X + 4 * (4 * 2 + c), plane[c]);
      set_reg(&s, R_PA_CL_CLIP_CNTL,
              S_PA_CL_CLIP_CNTL_UCP_ENA_2(1) | S_PA_CL_CLIP_CNTL_UCP_CULL_ONLY_ENA(cull_only) |
                 S_PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF(1));
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      must_run(&s);
      unsigned seen[2] = {0};
      for (unsigned i = 0; i < W * H; i++) {
         double b[3], x = (i % W + 0.5) * 2 / W - 1, y = (i / W + 0.5) * 2 / H - 1, distance = x + y / 2 + 0.25;
         if (!weights(i % W, i / W, b) || fabs(distance) < 0.01)
            continue;
         bool inside = distance > 0;
         assert_int_equal(pixel(&s, i % W, i / W) != 0, inside || cull_only);
         seen[inside]++;
      }
      assert_true(seen[0] > 300 && seen[1] > 300);
      stream_destroy(&s);
   }
}

/* Where an edge has to lie so that it lands on the next step, after a pixel's centre; a little less, and the pixel
 * belongs to it. Steps of half a pixel and less meet the centre, those of a pixel do not. */
static void
subpixel_bits(void **state)
{
   const struct {
      unsigned mode;
      double least, differs; /* px */
   } rows[] = {{V_X_16_8_FIXED_POINT_1_16TH, 0.03125, 0.003},
               {V_X_16_8_FIXED_POINT_1_8TH, 0.0625, 0.006},
               {V_X_16_8_FIXED_POINT_1_4TH, 0.125, 0.012},
               {V_X_16_8_FIXED_POINT_1_2, 0.25, 0.025},
               {V_X_16_8_FIXED_POINT_1, 0, 0.05},
               {V_X_16_8_FIXED_POINT_1_256TH, 0.00196, 0.0002},
               {V_X_14_10_FIXED_POINT_1_1024TH, 0.00049, 0.00005},
               {V_X_12_12_FIXED_POINT_1_4096TH, 0.000123, 0.000012}};
   for (unsigned row = 0; row < ARRAY_SIZE(rows); row++) {
      for (unsigned more = 0; more < 2; more++) {
         struct stream s = open_stream(1);
         double left = 4.5 + rows[row].least + (more ? rows[row].differs : -rows[row].differs);
         set_vertex_px(0, left, 4.5, 0, 1);
         set_vertex_px(1, 40.5, 4.5, 0, 1);
         set_vertex_px(2, left, 40.5, 0, 1);
         set_reg(&s, R_PA_SU_VTX_CNTL,
                 S_PA_SU_VTX_CNTL_PIX_CENTER(1) | S_PA_SU_VTX_CNTL_ROUND_MODE(V_X_ROUND_TO_EVEN) |
                    S_PA_SU_VTX_CNTL_QUANT_MODE(rows[row].mode));
         draw_auto(&s, V_DI_PT_TRILIST, 3);
         must_run(&s);
         assert_int_equal(pixel(&s, 4, 10) != 0, !more);
         assert_int_not_equal(pixel(&s, 5, 10), 0);
         stream_destroy(&s);
      }
   }
}

/* Of 12 bits below a pixel, 12 are left above it: what lies further from the screen offset is clipped. The planes
 * of what is left are those of the whole. */
static void
range_around_the_offset(void **state)
{
   struct stream s = open_stream(1);
   set_vertex_px(0, -10000, 8, 0, 1);
   set_vertex_px(1, 10000, 8, 0, 1);
   set_vertex_px(2, 32, 10000, 0, 1);
   set_reg(&s, R_PA_SU_VTX_CNTL, 0x3d);
   set_reg(&s, R_PA_SU_HARDWARE_SCREEN_OFFSET, 2 | 1 << 16);
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   must_run(&s);
   for (unsigned i = 0; i < W * H; i++)
      assert_int_equal(pixel(&s, i % W, i / W), i / W >= 8 ? 0xffffffff : 0);
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(divided_by_w),        cmocka_unit_test(window_space),
      cmocka_unit_test(without_perspective), cmocka_unit_test(planes_in_registers),
      cmocka_unit_test(subpixel_bits),       cmocka_unit_test(range_around_the_offset),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

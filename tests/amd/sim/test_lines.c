/* Which pixels lines have, by their diamonds and by their pattern; clip rectangles; overrasterisation; inner
 * coverage. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "drawn.h"

static uint32_t seed = 5;

static double
random_px(double limit)
{
   seed = seed * 1664525u + 1013904223u;
   return floor((seed >> 8) / 16777216.0 * limit * 256.0) / 256.0;
}

/* How far the point lies outside of the pixel's diamond; less than 0: inside. */
static double
outside(double x, double y, double px, double py)
{
   return fabs(px - (x + 0.5)) + fabs(py - (y + 0.5)) - 0.5;
}

/* Vulkan 1.3, 28.6.3: the fragments whose diamonds the line from a to b leaves. 0 or 1; -1: it is close. */
static int
leaves_diamond(double x, double y, const double a[2], const double b[2])
{
   double least = 1e9, end = outside(x, y, b[0], b[1]);
   for (unsigned i = 0; i <= 4096; i++) {
      double t = i / 4096.0;
      least = fmin(least, outside(x, y, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])));
   }
   if (fabs(least) < 0.02 || (least < 0 && fabs(end) < 0.02))
      return -1;
   return least < 0 && end > 0;
}

static void
diamonds(void **state)
{
   unsigned seen = 0;
   for (unsigned run = 0; run < 60; run++) {
      struct stream s = open_stream(1);
      double a[2] = {random_px(W), random_px(H)}, b[2] = {random_px(W), random_px(H)};
      if (run % 3 == 0) /* ends of short ones matter most */
         b[0] = a[0] + random_px(3.0) - 1.5, b[1] = a[1] + random_px(3.0) - 1.5;
      set_vertex_px(0, a[0], a[1], 0, 1);
      set_vertex_px(1, b[0], b[1], 0, 1);
      set_reg(&s, R_PA_SU_SC_MODE_CNTL, S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(run & 1));
      draw_auto(&s, V_DI_PT_LINELIST, 2);
      must_run(&s);
      for (unsigned y = 0; y < H; y++) {
         for (unsigned x = 0; x < W; x++) {
            if (x + 2.0 < fmin(a[0], b[0]) || x > fmax(a[0], b[0]) + 2 || y + 2.0 < fmin(a[1], b[1]) ||
                y > fmax(a[1], b[1]) + 2) {
               assert_int_equal(pixel(&s, x, y), 0);
               continue;
            }
            int expected = leaves_diamond(x, y, a, b);
            if (expected >= 0)
               assert_int_equal(pixel(&s, x, y) != 0, expected);
            seen += expected > 0;
         }
      }
      stream_destroy(&s);
   }
   assert_true(seen > 500);
}

/* Vulkan 1.3, 28.6, of lines that are not strict: how far a pixel is along one is measured by its longer axis; what
 * varies does so in perspective. */
static void
interpolation(void **state)
{
   unsigned seen = 0;
   for (unsigned run = 0; run < 60; run++) {
      struct stream s = open_stream(1);
      const double a[2] = {random_px(W), random_px(H)}, b[2] = {random_px(W), random_px(H)};
      const double wa = 0.5 + random_px(3.0), wb = 0.5 + random_px(3.0);
      const unsigned axis = fabs(b[0] - a[0]) >= fabs(b[1] - a[1]) ? 0 : 1;
      set_vertex(0, (float)(a[0] * 2 / W - 1), (float)(a[1] * 2 / H - 1), 0, (float)wa, 0, 1, 0, 1);
      set_vertex(1, (float)(b[0] * 2 / W - 1), (float)(b[1] * 2 / H - 1), 0, (float)wb, 1, 1, 0, 1);
      set_reg(&s, R_PA_SU_SC_MODE_CNTL, S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(run & 1));
      draw_auto(&s, V_DI_PT_LINELIST, 2);
      must_run(&s);
      for (unsigned i = 0; i < W * H && fabs(b[axis] - a[axis]) > 8; i++) {
         const double at = (axis ? i / W : i % W) + 0.5, t = (at - a[axis]) / (b[axis] - a[axis]);
         const double red = t / wb / ((1 - t) / wa + t / wb), drawn = pixel(&s, i % W, i / W) & 0xff;
         if (!(pixel(&s, i % W, i / W) & 0xff00) || t < 0 || t > 1)
            continue;
         assert_true(fabs(drawn - red * 255) < 1.5);
         seen++;
      }
      stream_destroy(&s);
   }
   assert_true(seen > 1000);
}

/* With ends across it a line is the rectangle around its middle, and varies from one end to the other (Vulkan 1.3,
 * 28.6.1). */
static void
rectangles(void **state)
{
   unsigned seen = 0;
   for (unsigned run = 0; run < 30; run++) {
      struct stream s = open_stream(1);
      const double a[2] = {random_px(W), random_px(H)}, b[2] = {random_px(W), random_px(H)};
      const double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy), width = 3 + run % 5;
      set_vertex(0, (float)(a[0] * 2 / W - 1), (float)(a[1] * 2 / H - 1), 0, 1, 0, 1, 0, 1);
      set_vertex(1, (float)(b[0] * 2 / W - 1), (float)(b[1] * 2 / H - 1), 0, 1, 1, 1, 0, 1);
      set_reg(&s, R_PA_SC_LINE_CNTL, S_PA_SC_LINE_CNTL_PERPENDICULAR_ENDCAP_ENA(1));
      set_reg(&s, R_PA_SU_LINE_CNTL, (uint32_t)(width * 8)); /* half of it, in sixteenths */
      draw_auto(&s, V_DI_PT_LINELIST, 2);
      must_run(&s);
      for (unsigned i = 0; i < W * H && length > 8; i++) {
         const double x = i % W + 0.5 - a[0], y = i / W + 0.5 - a[1];
         const double along = (x * dx + y * dy) / length, across = fabs(x * dy - y * dx) / length;
         const double outside = fmax(fmax(-along, along - length), across - width / 2);
         if (fabs(outside) < 0.02)
            continue;
         assert_int_equal(pixel(&s, i % W, i / W) != 0, outside < 0);
         if (outside < 0)
            assert_true(fabs((pixel(&s, i % W, i / W) & 0xff) - along / length * 255) < 1.5);
         seen += outside < 0;
      }
      stream_destroy(&s);
   }
   assert_true(seen > 1000);
}

/* A strip to the right, up and to the left, 32, 16 and 32 px; then, after a restart index, one down of 16 px. */
static void
stipple(void **state)
{
   enum { INDEX_B = 16 << 20, RESETS_PRIMITIVE = 1, RESETS_STRIP = 2 };
   static const uint16_t indices[] = {0, 1, 2, 3, 0xffff, 4, 5};
   static const double px[6] = {8.5, 40.5, 40.5, 8.5, 50.5, 50.5}, py[6] = {8.5, 8.5, 24.5, 24.5, 40.5, 24.5};
   static const unsigned starts[4] = {0, 32, 48, 0};
   for (unsigned run = 0; run < 12; run++) {
      const unsigned repeat = 1 + run % 3, pattern = 0xc5a3;
      bool each = run / 3 & 1, msb = run / 6 & 1;
      struct stream s = open_stream(1);
      for (unsigned i = 0; i < 6; i++)
         set_vertex_px(i, px[i], py[i], 0, 1);
      memcpy(s.memory + INDEX_B, indices, sizeof(indices));
      set_reg(&s, R_PA_SC_MODE_CNTL_0, S_PA_SC_MODE_CNTL_0_LINE_STIPPLE_ENABLE(1));
      set_reg(&s, R_PA_SC_LINE_STIPPLE,
              S_PA_SC_LINE_STIPPLE_LINE_PATTERN(pattern) | S_PA_SC_LINE_STIPPLE_REPEAT_COUNT(repeat - 1) |
                 S_PA_SC_LINE_STIPPLE_PATTERN_BIT_ORDER(msb) |
                 S_PA_SC_LINE_STIPPLE_AUTO_RESET_CNTL(each ? RESETS_PRIMITIVE : RESETS_STRIP));
      set_reg(&s, R_PA_SU_SC_MODE_CNTL, S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(run & 1));
      set_reg(&s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_LINESTRIP);
      set_reg(&s, R_GE_MULTI_PRIM_IB_RESET_EN, 1);
      set_reg(&s, R_VGT_MULTI_PRIM_IB_RESET_INDX, 0xffff);
      emit_packet(&s, PKT3_INDEX_TYPE, 1, (const uint32_t[1]){V_VGT_INDEX_16});
      const uint64_t va = stream_base + INDEX_B;
      emit_packet(&s, PKT3_DRAW_INDEX_2, 5, (const uint32_t[5]){7, (uint32_t)va, (uint32_t)(va >> 32), 7, 0});
      must_run(&s);
      for (unsigned line = 0; line < 4; line++) {
         unsigned from = line == 3 ? 4 : line, length = line & 1 ? 16 : 32;
         int dx = line == 0 ? 1 : line == 2 ? -1 : 0, dy = line == 1 ? 1 : line == 3 ? -1 : 0;
         for (unsigned i = 1; i < length; i++) { /* at corners another line may draw */
            unsigned at = (each ? 0 : starts[line]) + i, bit = at / repeat % 16;
            bool drawn = pattern >> (msb ? 15 - bit : bit) & 1;
            assert_int_equal(
               pixel(&s, (unsigned)((int)px[from] + dx * (int)i), (unsigned)((int)py[from] + dy * (int)i)) != 0,
               drawn);
         }
      }
      stream_destroy(&s);
   }
}

/* Lines to the right, a draw each. Never reset, the pattern continues from draw to draw, also after one that starts
 * it anew, and from where the register of its state says. */
static void
stipple_continues(void **state)
{
   static const struct {
      unsigned reset, length, from; /* from: where the pattern stands */
      bool written;
   } draws[] = {{0, 21, 5 * 3 + 2, true}, {0, 30, 38, false}, {2, 11, 0, false}, {0, 40, 11, false}, {0, 9, 0, true}};
   enum { PATTERN = 0xc5a3, REPEAT = 3 };
   struct stream s = open_stream(1);
   set_reg(&s, R_PA_SC_MODE_CNTL_0, S_PA_SC_MODE_CNTL_0_LINE_STIPPLE_ENABLE(1));
   for (unsigned i = 0; i < ARRAY_SIZE(draws); i++) {
      const unsigned from = draws[i].from % (16 * REPEAT), y = 4 + 8 * i;
      set_vertex_px(0, 8.5, y + 0.5, 0, 1);
      set_vertex_px(1, 8.5 + draws[i].length, y + 0.5, 0, 1);
      if (draws[i].written)
         set_reg(&s, R_PA_SC_LINE_STIPPLE_STATE, from / REPEAT | from % REPEAT << 8);
      set_reg(&s, R_PA_SC_LINE_STIPPLE,
              S_PA_SC_LINE_STIPPLE_LINE_PATTERN(PATTERN) | S_PA_SC_LINE_STIPPLE_REPEAT_COUNT(REPEAT - 1) |
                 S_PA_SC_LINE_STIPPLE_AUTO_RESET_CNTL(draws[i].reset));
      draw_auto(&s, V_DI_PT_LINESTRIP, 2);
      must_run(&s);
      for (unsigned k = 0; k < draws[i].length; k++)
         assert_int_equal(pixel(&s, 8 + k, y) != 0, PATTERN >> (from + k) / REPEAT % 16 & 1);
   }
   set_reg(&s, R_PA_SC_LINE_STIPPLE, S_PA_SC_LINE_STIPPLE_AUTO_RESET_CNTL(3));
   draw_auto(&s, V_DI_PT_LINESTRIP, 2);
   assert_false(stream_run(&s));
   assert_non_null(strstr(s.fault.message, "AUTO_RESET_CNTL 3"));
   stream_destroy(&s);
}

/* A rule is a table by the rectangles that hold the pixel: only the first; none; not exactly one of two; ... */
static void
clip_rectangles(void **state)
{
   static const uint16_t rules[] = {0xaaaa, 0x0001, 0x9999, 0x8000, 0x6996, 0x0000};
   static const uint8_t rects[4][4] = {{5, 5, 30, 40}, {20, 10, 50, 20}, {25, 0, 64, 48}, {0, 12, 64, 30}};
   for (unsigned run = 0; run < ARRAY_SIZE(rules); run++) {
      struct stream s = open_stream(1);
      set_vertex_px(0, 0, 0, 0, 1);
      set_vertex_px(1, 0, H, 0, 1);
      set_vertex_px(2, W, 0, 0, 1);
      for (unsigned i = 0; i < 4; i++) {
         set_reg(&s, R_PA_SC_CLIPRECT_0_TL + 8 * i,
                 S_PA_SC_CLIPRECT_0_TL_TL_X(rects[i][0]) | S_PA_SC_CLIPRECT_0_TL_TL_Y(rects[i][1]));
         set_reg(&s, R_PA_SC_CLIPRECT_0_BR + 8 * i,
                 S_PA_SC_CLIPRECT_0_BR_BR_X(rects[i][2]) | S_PA_SC_CLIPRECT_0_BR_BR_Y(rects[i][3]));
      }
      set_reg(&s, R_PA_SC_CLIPRECT_RULE, rules[run]);
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      must_run(&s);
      for (unsigned i = 0; i < W * H; i++) {
         unsigned x = i % W, y = i / W, in = 0;
         for (unsigned r = 0; r < 4; r++)
            in |= (unsigned)(x >= rects[r][0] && x < rects[r][2] && y >= rects[r][1] && y < rects[r][3]) << r;
         assert_int_equal(pixel(&s, x, y) != 0, rules[run] >> in & 1);
      }
      stream_destroy(&s);
   }
}

/* Four rasterised samples, surfaces of one: a pixel is drawn where any of them lies inside. */
static void
overrasterisation(void **state)
{
   struct stream s = open_stream(1);
   static const double px[3] = {3.3, 50.1, 11.7}, py[3] = {2.1, 20.9, 44.6};
   static const double sx[4] = {-2, 6, -6, 2}, sy[4] = {-6, -2, 2, 6};
   set_samples_4x(&s);
   set_reg(&s, R_DB_EQAA, S_DB_EQAA_OVERRASTERIZATION_AMOUNT(2));
   for (unsigned i = 0; i < 3; i++)
      set_vertex_px(i, px[i], py[i], 0, 1);
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   must_run(&s);
   unsigned partly = 0;
   for (unsigned n = 0; n < W * H; n++) {
      unsigned covered = 0;
      bool unsure = false;
      for (unsigned k = 0; k < 4; k++) {
         bool inside = true;
         for (unsigned i = 0; i < 3; i++) {
            unsigned j = (i + 1) % 3;
            double e = (px[j] - px[i]) * (n / W + 0.5 + sy[k] / 16 - py[i]) -
                       (py[j] - py[i]) * (n % W + 0.5 + sx[k] / 16 - px[i]);
            inside &= e > 0;
            unsure |= fabs(e) < 0.3; /* vertices snap to 1/256 */
         }
         covered += inside;
      }
      if (!unsure)
         assert_int_equal(pixel(&s, n % W, n / W), covered ? 0xffffffff : 0);
      partly += !unsure && covered && covered < 4;
   }
   assert_true(partly > 20);
   stream_destroy(&s);
}

/* The same over surfaces of several samples: a pixel has all of them or none. */
static void
overrasterised_surfaces(void **state)
{
   unsigned lit[4] = {0};
   for (unsigned samples_log2 = 0; samples_log2 < 4; samples_log2++) {
      struct stream s = open_stream(1);
      const struct target_info tiled = tiled_rgba8(samples_log2);
      set_target(&s, 0, &tiled);
      set_samples_4x(&s);
      set_reg(&s, R_DB_EQAA, S_DB_EQAA_OVERRASTERIZATION_AMOUNT(2));
      set_vertex_px(0, 3.3, 2.1, 0, 1);
      set_vertex_px(1, 50.1, 20.9, 0, 1);
      set_vertex_px(2, 11.7, 44.6, 0, 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      must_run(&s);
      for (uint32_t at_B = TARGET_B; at_B < TARGET_B + (1 << 20); at_B += 4)
         lit[samples_log2] += s.memory[at_B + 3] == 0xff;
      assert_int_equal(lit[samples_log2], lit[0] << samples_log2);
      stream_destroy(&s);
   }
   assert_true(lit[0] > 800);
}

/* The coverage input as red, next to green. */
static void
coverage_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float color[AMD_WAVE_MAX_LANES][4];
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      color[lane][0] = (float)start->vgpr[2][lane] / 255.0f;
      color[lane][1] = 1.0f;
   }
   native_export(exports, count, 0, start->exec, true, color);
}

/* 1 or 0: whether a square of pixels lies inside of the triangle; -1: nearly. */
static int
holds_square(const double px[3], const double py[3], unsigned x, unsigned y, unsigned size)
{
   double least = 1e9;
   for (unsigned corner = 0; corner < 4; corner++) {
      for (unsigned i = 0; i < 3; i++) {
         const unsigned j = (i + 1) % 3;
         const double dx = px[j] - px[i], dy = py[j] - py[i];
         const double cx = x + size * (corner & 1), cy = y + size * (corner >> 1);
         least = fmin(least, (dx * (cy - py[i]) - dy * (cx - px[i])) / hypot(dx, dy));
      }
   }
   return fabs(least) < 0.02 ? -1 : least > 0;
}

/* Underestimated: pixels that are all inside. Of coarse ones the inner coverage is that of the whole, or none. */
static void
inner_coverage(void **state)
{
   static const double px[3] = {3.3, 60.1, 11.7}, py[3] = {2.1, 20.9, 44.6};
   for (unsigned coarse = 0; coarse < 2; coarse++) {
      struct stream s = open_stream(1);
      unsigned whole = 0, partly = 0;
      native_shaders[2] = coverage_shader;
      const uint32_t inputs = S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1) | S_SPI_PS_INPUT_ENA_SAMPLE_COVERAGE_ENA(1);
      set_reg(&s, R_SPI_PS_INPUT_ENA, inputs);
      set_reg(&s, R_SPI_PS_INPUT_ADDR, inputs);
      set_reg(&s, R_PA_SC_AA_CONFIG, S_PA_SC_AA_CONFIG_COVERAGE_TO_SHADER_SELECT(V_INPUT_INNER_COVERAGE));
      set_reg(&s, R_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL,
              S_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_UNDER_RAST_ENABLE(1));
      set_reg(&s, R_DB_VRS_OVERRIDE_CNTL,
              S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_COMBINER_MODE(V_SC_VRS_COMB_MODE_OVERRIDE) |
                 S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_X(coarse) |
                 S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_Y(coarse));
      for (unsigned i = 0; i < 3; i++)
         set_vertex_px(i, px[i], py[i], 0, 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      must_run(&s);
      for (unsigned n = 0; n < W * H; n++) {
         const unsigned x = n % W, y = n / W, value = pixel(&s, x, y) & 0xffff;
         const int inside = holds_square(px, py, x, y, 1);
         const int all = coarse ? holds_square(px, py, x & ~1u, y & ~1u, 2) : inside;
         if (inside < 0 || all < 0)
            continue;
         assert_int_equal(value, !inside ? 0 : !all ? 0xff00 : coarse ? 0xff0f : 0xff01);
         whole += all;
         partly += inside && !all;
      }
      assert_true(whole > 500 && (partly > 50) == coarse);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(diamonds),          cmocka_unit_test(interpolation),
      cmocka_unit_test(rectangles),        cmocka_unit_test(stipple),
      cmocka_unit_test(stipple_continues), cmocka_unit_test(clip_rectangles),
      cmocka_unit_test(overrasterisation), cmocka_unit_test(overrasterised_surfaces),
      cmocka_unit_test(inner_coverage),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Draws with shaders of real instructions: packets in, pixels out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "amd/sim/state/shading_rate.h"
#include "shaded.h"
#include "util/macros.h"

static void
triangle_of_two_colours(void **state)
{
   for (unsigned n = 0; n < 4; n++) {
      struct stream s = open_stream(1 + n / 2, n % 2);
      set_vertex(&s, 0, 0, 0, 0, 0);
      set_vertex(&s, 1, 40, 0, 1, 0);
      set_vertex(&s, 2, 0, 40, 0, 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      for (unsigned y = 0; y < H; y++) {
         for (unsigned x = 0; x < W; x++) {
            uint8_t *p = s.memory + TARGET_B + (y * W + x) * 4;
            bool inside = x + y < 39; /* centres: x + y + 1 < 40 */
            assert_int_equal(p[3], inside ? 255 : 0);
            assert_true(!inside || fabs(p[0] - 255 * (x + 0.5) / 40) <= 0.51);
            assert_true(!inside || fabs(p[1] - 255 * (y + 0.5) / 40) <= 0.51);
         }
      }
      stream_destroy(&s);
   }
}

/* Many small triangles share waves; each keeps its colour. */
static void
many_primitives_in_a_wave(void **state)
{
   struct stream s = open_stream(2, false);
   unsigned n = 0;
   for (unsigned y = 0; y < H / 2; y++) {
      for (unsigned x = 0; x < W / 2; x++, n++) {
         float r = (float)(x * 8) / 255.0f, g = (float)(y * 10) / 255.0f;
         set_vertex(&s, 3 * n, 2 * x, 2 * y, r, g);
         set_vertex(&s, 3 * n + 1, 2 * x + 2, 2 * y, r, g);
         set_vertex(&s, 3 * n + 2, 2 * x, 2 * y + 2, r, g);
      }
   }
   draw_auto(&s, V_DI_PT_TRILIST, 3 * n);
   if (!stream_run(&s))
      fail_msg("%s", s.fault.message);
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         uint8_t *p = s.memory + TARGET_B + (y * W + x) * 4;
         bool inside = x % 2 + y % 2 < 1;
         assert_int_equal(p[0], inside ? x / 2 * 8 : 0);
         assert_int_equal(p[1], inside ? y / 2 * 10 : 0);
      }
   }
   stream_destroy(&s);
}

static void
check_coarse(const struct stream *s, unsigned wide, unsigned high)
{
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         const uint8_t *p = s->memory + TARGET_B + (y * W + x) * 4;
         bool inside = x + y < 39;
         double at_x = x / wide * wide + wide / 2.0, at_y = y / high * high + high / 2.0;
         assert_int_equal(p[3], inside ? 255 : 0);
         assert_true(!inside || fabs(p[0] - 255 * at_x / 40) <= 0.51);
         assert_true(!inside || fabs(p[1] - 255 * at_y / 40) <= 0.51);
      }
   }
}

/* Colours are those of the coarse pixels' centres; coverage stays that of the pixels. Rates are log2. */
static void
coarse_pixels(void **state)
{
   static const struct {
      unsigned draw[2], with_vertex, last[2], with_last; /* what is set */
      bool fine;
      unsigned x_log2, y_log2; /* what must come out */
   } cases[] = {
      {{0, 0}, V_SC_VRS_COMB_MODE_PASSTHRU, {1, 1}, V_SC_VRS_COMB_MODE_OVERRIDE, false, 1, 1},
      {{0, 0}, V_SC_VRS_COMB_MODE_PASSTHRU, {1, 0}, V_SC_VRS_COMB_MODE_OVERRIDE, false, 1, 0},
      {{0, 1}, V_SC_VRS_COMB_MODE_PASSTHRU, {0, 0}, V_SC_VRS_COMB_MODE_PASSTHRU, false, 0, 1},
      {{1, 0}, V_SC_VRS_COMB_MODE_PASSTHRU, {0, 1}, V_SC_VRS_COMB_MODE_MAX, false, 1, 1},
      {{1, 1}, V_SC_VRS_COMB_MODE_PASSTHRU, {0, 1}, V_SC_VRS_COMB_MODE_MIN, false, 0, 1},
      {{1, 0}, V_SC_VRS_COMB_MODE_PASSTHRU, {1, 1}, V_SC_VRS_COMB_MODE_SATURATE, false, 1, 1},
      {{1, 1}, V_SC_VRS_COMB_MODE_OVERRIDE, {0, 0}, V_SC_VRS_COMB_MODE_PASSTHRU, false, 0, 0},
      {{0, 0}, V_SC_VRS_COMB_MODE_PASSTHRU, {1, 1}, V_SC_VRS_COMB_MODE_OVERRIDE, true, 0, 0},
   };
   for (unsigned n = 0; n < ARRAY_SIZE(cases); n++) {
      struct stream s = open_stream(1 + n % 2, n % 2);
      set_reg(&s, R_VGT_DRAW_PAYLOAD_CNTL, S_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(1));
      set_reg(&s, R_GE_VRS_RATE, S_GE_VRS_RATE_RATE_X(cases[n].draw[0]) | S_GE_VRS_RATE_RATE_Y(cases[n].draw[1]));
      set_reg(&s, R_PA_CL_VRS_CNTL, S_PA_CL_VRS_CNTL_VERTEX_RATE_COMBINER_MODE(cases[n].with_vertex));
      set_reg(&s, R_DB_VRS_OVERRIDE_CNTL,
              S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_COMBINER_MODE(cases[n].with_last) |
                 S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_X(cases[n].last[0]) |
                 S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_Y(cases[n].last[1]));
      set_reg(&s, R_DB_RENDER_OVERRIDE2, S_DB_RENDER_OVERRIDE2_FORCE_VRS_RATE_FINE(cases[n].fine));
      set_vertex(&s, 0, 0, 0, 0, 0);
      set_vertex(&s, 1, 40, 0, 1, 0);
      set_vertex(&s, 2, 0, 40, 0, 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      check_coarse(&s, 1u << cases[n].x_log2, 1u << cases[n].y_log2);
      stream_destroy(&s);
   }
}

/* Rates in HTILE of a depth surface that no test uses, and not where the pixel
 * shader exports depth. */
static void
rates_of_a_surface(void **state)
{
   enum { HTILE_B = 16 << 20, HTILE_SIZE_B = 1 << 20 };
   static const struct {
      unsigned surface[2], draw[2], with_surface;
      bool exports;
      unsigned x_log2, y_log2;
   } cases[] = {
      {{1, 1}, {0, 0}, V_SC_VRS_COMB_MODE_OVERRIDE, false, 1, 1},
      {{1, 0}, {0, 1}, V_SC_VRS_COMB_MODE_OVERRIDE, false, 1, 0},
      {{0, 1}, {1, 0}, V_SC_VRS_COMB_MODE_MAX, false, 1, 1},
      {{0, 1}, {1, 1}, V_SC_VRS_COMB_MODE_MIN, false, 0, 1},
      {{1, 1}, {0, 1}, V_SC_VRS_COMB_MODE_PASSTHRU, false, 0, 1},
      {{2, 3}, {0, 0}, V_SC_VRS_COMB_MODE_OVERRIDE, false, 1, 1}, /* coarser than there is */
      {{1, 1}, {0, 0}, V_SC_VRS_COMB_MODE_OVERRIDE, true, 0, 0},
   };
   for (unsigned n = 0; n < ARRAY_SIZE(cases); n++) {
      struct stream s = open_stream(1, false);
      const uint32_t tile = 0xfffff33f | cases[n].surface[0] << 6 | cases[n].surface[1] << 10;
      for (unsigned i = 0; i < HTILE_SIZE_B / 4; i++)
         memcpy(s.memory + HTILE_B + 4 * i, &tile, 4);
      set_reg(&s, R_VGT_DRAW_PAYLOAD_CNTL, S_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(1));
      set_reg(&s, R_GE_VRS_RATE, S_GE_VRS_RATE_RATE_X(cases[n].draw[0]) | S_GE_VRS_RATE_RATE_Y(cases[n].draw[1]));
      set_reg(&s, R_PA_CL_VRS_CNTL, S_PA_CL_VRS_CNTL_HTILE_RATE_COMBINER_MODE(cases[n].with_surface));
      set_reg(&s, R_DB_Z_INFO(AMD_GFX10_3),
              S_DB_Z_INFO_FORMAT(V_Z_16) | S_DB_Z_INFO_SW_MODE(24) | S_DB_Z_INFO_TILE_SURFACE_ENABLE(1));
      set_reg(&s, R_DB_DEPTH_SIZE_XY, S_DB_DEPTH_SIZE_XY_X_MAX(W - 1) | S_DB_DEPTH_SIZE_XY_Y_MAX(H - 1));
      set_reg(&s, R_DB_HTILE_DATA_BASE, (uint32_t)((stream_base + HTILE_B) >> 8));
      set_reg(&s, R_DB_HTILE_SURFACE,
              S_DB_HTILE_SURFACE_PIPE_ALIGNED(1) | S_DB_HTILE_SURFACE_VRS_HTILE_ENCODING(V_VRS_HTILE_4BIT_ENCODING));
      set_reg(&s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_Z_EXPORT_ENABLE(cases[n].exports));
      set_vertex(&s, 0, 0, 0, 0, 0);
      set_vertex(&s, 1, 40, 0, 1, 0);
      set_vertex(&s, 2, 0, 40, 0, 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      check_coarse(&s, 1u << cases[n].x_log2, 1u << cases[n].y_log2);
      stream_destroy(&s);
   }
}

/* The bits as RADV writes them, where it lowers the output for either generation; numbers as their names say, but no
 * more than 2x2. */
static void
rates_of_vertices_and_primitives(void **state)
{
   static const struct {
      bool numbered;
      unsigned bits, x_log2, y_log2;
   } cases[] = {
      /* GFX10.3: 3 is twice as fine. */
      {false, 0 | 0 << 2, 0, 0},
      {false, 1 | 0 << 2, 1, 0},
      {false, 0 | 1 << 2, 0, 1},
      {false, 1 | 1 << 2, 1, 1},
      {false, 3 | 1 << 2, 0, 1},
      /* GFX11: 1x1 1x2 2x1 2x2, 1x4 2x4 4x1 4x2 4x4, 4 samples. */
      {true, 0, 0, 0},
      {true, 1, 0, 1},
      {true, 4, 1, 0},
      {true, 5, 1, 1},
      {true, 2, 0, 1},
      {true, 6, 1, 1},
      {true, 8, 1, 0},
      {true, 9, 1, 1},
      {true, 10, 1, 1},
      {true, 14, 0, 0},
   };
   for (unsigned n = 0; n < ARRAY_SIZE(cases); n++) {
      const struct amd_shading_rate_state by_vertex = {.numbered = cases[n].numbered,
                                                       .by_vertex = true,
                                                       .with_vertex = V_SC_VRS_COMB_MODE_OVERRIDE},
                                          by_primitive = {.numbered = cases[n].numbered,
                                                          .by_primitive = true,
                                                          .with_primitive = V_SC_VRS_COMB_MODE_OVERRIDE};
      struct amd_shading_rate rates[] = {
         amd_shading_rate_of(&by_vertex, cases[n].bits << 2, UINT32_MAX),
         amd_shading_rate_of(&by_primitive, UINT32_MAX, cases[n].bits << 28),
      };
      for (unsigned i = 0; i < ARRAY_SIZE(rates); i++) {
         assert_int_equal(rates[i].x_log2, cases[n].x_log2);
         assert_int_equal(rates[i].y_log2, cases[n].y_log2);
      }
   }
}

static void
shader_faults_name_the_draw(void **state)
{
   struct stream s = open_stream(1, false);
   set_reg(&s, R_SPI_SHADER_USER_DATA_VS_0 + 4, 0x55);
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   assert_false(stream_run(&s));
   assert_int_equal(s.fault.kind, SIM_FAULT_ADDRESS);
   assert_non_null(strstr(s.fault.message, "vertex shader"));
   assert_non_null(strstr(s.fault.message, "DRAW_INDEX_AUTO"));
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangle_of_two_colours),
      cmocka_unit_test(many_primitives_in_a_wave),
      cmocka_unit_test(coarse_pixels),
      cmocka_unit_test(rates_of_a_surface),
      cmocka_unit_test(rates_of_vertices_and_primitives),
      cmocka_unit_test(shader_faults_name_the_draw),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

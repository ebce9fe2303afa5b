/* Kinds of primitives that OpenGL has besides Vulkan's: quads, polygons, loops; their provoking vertices, outlines
 * and edge flags. Expectations: OpenGL 4.6 (compatibility profile), 10.1 and table 13.2. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "drawn.h"

enum { MAX_CORNERS = 8 };

/* A draw and the outlines of the polygons that it is, by vertices. Those of a quad strip: 0 1 3 2. */
struct row {
   uint32_t type;
   unsigned vertex_count, polygon_count, corner_count;
   uint8_t corners[2][MAX_CORNERS];
   uint8_t first[2], last[2]; /* the provoking vertex of each polygon */
};

static const struct row rows[] = {
   {V_DI_PT_QUADLIST, 8, 2, 4, {{0, 1, 2, 3}, {4, 5, 6, 7}}, {0, 4}, {3, 7}},
   {V_DI_PT_QUADSTRIP, 6, 2, 4, {{0, 1, 3, 2}, {2, 3, 5, 4}}, {0, 2}, {3, 5}},
   {V_DI_PT_POLYGON, 7, 1, 7, {{0, 1, 2, 3, 4, 5, 6}}, {0}, {0}},
   {V_DI_PT_POLYGON, 3, 1, 3, {{0, 1, 2}}, {0}, {0}},
};

/* Each polygon's corners lie on an ellipse, two side by side; those that two share do in the middle. */
static void
place(const struct row *row, double px[MAX_CORNERS], double py[MAX_CORNERS])
{
   for (unsigned n = row->polygon_count; n-- > 0;) {
      for (unsigned i = 0; i < row->corner_count; i++) {
         double angle = 2 * M_PI * (i + 0.5) / row->corner_count;
         unsigned vertex = row->corners[n][i];
         px[vertex] = row->type == V_DI_PT_QUADSTRIP ? 10.3 + 20 * (vertex / 2) : 16.3 + 32 * n - 12 * sin(angle);
         py[vertex] =
            row->type == V_DI_PT_QUADSTRIP ? 6.2 + 31 * (vertex & 1) + 2 * (vertex / 2) : 22.2 + 15 * cos(angle);
      }
   }
   for (unsigned i = 0; i < row->vertex_count; i++)
      set_vertex_px(i, px[i], py[i], 0, (float)(i + 1) / 16.0f);
}

/* How far a pixel's centre lies inside of a polygon, along the edge it is nearest to; less than 0: outside. */
static double
depth_in(const struct row *row, unsigned n, const double *px, const double *py, unsigned x, unsigned y)
{
   double least = 1e9, sign = 0;
   for (unsigned i = 0; i < row->corner_count; i++) {
      unsigned a = row->corners[n][i], b = row->corners[n][(i + 1) % row->corner_count],
               c = row->corners[n][(i + 2) % row->corner_count];
      double dx = px[b] - px[a], dy = py[b] - py[a];
      sign = dx * (py[c] - py[a]) - dy * (px[c] - px[a]) > 0 ? 1 : -1;
      least = fmin(least, sign * (dx * (y + 0.5 - py[a]) - dy * (x + 0.5 - px[a])) / hypot(dx, dy));
   }
   return least;
}

static void
filled_from_the_provoking_vertex(void **state)
{
   for (unsigned run = 0; run < 2 * ARRAY_SIZE(rows); run++) {
      const struct row *row = &rows[run / 2];
      bool last = run & 1;
      double px[MAX_CORNERS], py[MAX_CORNERS];
      struct stream s = open_stream(1);
      place(row, px, py);
      set_reg(&s, R_SPI_PS_INPUT_CNTL_0, S_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(1));
      set_reg(&s, R_PA_SU_SC_MODE_CNTL, S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(last));
      draw_auto(&s, row->type, row->vertex_count);
      must_run(&s);
      unsigned seen = 0;
      for (unsigned i = 0; i < W * H; i++) {
         double depth[2] = {-1, -1};
         for (unsigned n = 0; n < row->polygon_count; n++)
            depth[n] = depth_in(row, n, px, py, i % W, i / W);
         if (fabs(depth[0]) < 0.01 || fabs(depth[1]) < 0.01)
            continue;
         unsigned inside = depth[0] > 0 ? 0 : 1;
         unsigned from = last ? row->last[inside] : row->first[inside];
         uint32_t gray = (uint32_t)lround(255.0 * (from + 1) / 16.0);
         assert_int_equal(pixel(&s, i % W, i / W), depth[inside] > 0 ? gray * 0x010101 | 0xff000000 : 0);
         seen += depth[inside] > 0;
      }
      assert_true(seen > 150);
      stream_destroy(&s);
   }
}

/* Only edges of the polygons are drawn, not those of the triangles that they are made of; and each corner once. */
static void
outlines(void **state)
{
   for (unsigned run = 0; run < 4 * ARRAY_SIZE(rows); run++) {
      const struct row *row = &rows[run / 4];
      bool lines = run & 2;
      unsigned mode = lines ? V_X_DRAW_LINES : V_X_DRAW_POINTS, corners = 0, drawn = 0;
      double px[MAX_CORNERS], py[MAX_CORNERS];
      struct stream s = open_stream(1);
      place(row, px, py);
      set_reg(&s, R_PA_SU_SC_MODE_CNTL,
              S_PA_SU_SC_MODE_CNTL_POLY_MODE(1) | S_PA_SU_SC_MODE_CNTL_POLYMODE_FRONT_PTYPE(mode) |
                 S_PA_SU_SC_MODE_CNTL_POLYMODE_BACK_PTYPE(mode) | S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(run & 1));
      draw_auto(&s, row->type, row->vertex_count);
      must_run(&s);
      for (unsigned i = 0; i < W * H; i++) {
         double nearest = 1e9;
         for (unsigned n = 0; n < row->polygon_count; n++)
            nearest = fmin(nearest, fabs(depth_in(row, n, px, py, i % W, i / W)));
         if (pixel(&s, i % W, i / W)) {
            assert_true(nearest < 1.0 || !lines);
            drawn++;
         }
      }
      for (unsigned n = 0; n < row->polygon_count; n++) {
         for (unsigned i = 0; i < row->corner_count; i++) {
            unsigned a = row->corners[n][i], b = row->corners[n][(i + 1) % row->corner_count];
            double x = (px[a] + px[b]) / 2, y = (py[a] + py[b]) / 2;
            bool flat = fabs(px[a] - px[b]) > fabs(py[a] - py[b]);
            if (!lines)
               assert_int_not_equal(pixel(&s, (unsigned)px[a], (unsigned)py[a]), 0);
            else /* in the column or row of the middle */
               assert_true(pixel(&s, (unsigned)x, (unsigned)y) ||
                           pixel(&s, (unsigned)(flat ? x : x + 1), (unsigned)(flat ? y + 1 : y)) ||
                           pixel(&s, (unsigned)(flat ? x : x - 1), (unsigned)(flat ? y - 1 : y)));
         }
      }
      corners = row->vertex_count;
      assert_true(lines ? drawn > 40 : drawn == corners);
      stream_destroy(&s);
   }
}

static uint32_t edge_flags; /* by vertex */

static void
vertex_shader_with_flags(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float position[AMD_WAVE_MAX_LANES][4], misc[AMD_WAVE_MAX_LANES][4];
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      uint32_t vertex = start->vgpr[0][lane] % MAX_VERTICES, flag = edge_flags >> (vertex & 31) & 1;
      memcpy(position[lane], vertices[vertex], 16);
      memcpy(&misc[lane][1], &flag, 4);
   }
   native_export(exports, count, 12, start->exec, false, position);
   native_export(exports, count, 13, start->exec, true, misc);
   native_export(exports, count, 32, start->exec, false, position);
}

/* A vertex's flag is for the edge that it starts: only of lists. */
static void
edge_flags_of_vertices(void **state)
{
   static const uint32_t types[] = {V_DI_PT_TRILIST, V_DI_PT_QUADLIST, V_DI_PT_POLYGON, V_DI_PT_TRISTRIP};
   for (unsigned run = 0; run < 2 * ARRAY_SIZE(types) * 16; run++) {
      uint32_t type = types[run / 32];
      unsigned corners = type == V_DI_PT_TRILIST || type == V_DI_PT_TRISTRIP ? 3 : 4;
      static const double px[4] = {10.5, 10.5, 50.5, 50.5}, py[4] = {5.5, 40.5, 40.5, 5.5};
      struct stream s = open_stream(1);
      native_shaders[3] = vertex_shader_with_flags;
      edge_flags = run & 15;
      for (unsigned i = 0; i < 4; i++)
         set_vertex_px(i, px[i], py[i], 0, 1);
      for (unsigned i = 0; i < 4; i++)
         vertices[i][0] = (float)(px[i] * 2 / W - 1);
      set_reg(&s, R_SPI_SHADER_PGM_LO_VS, 3);
      set_reg(&s, R_PA_CL_VS_OUT_CNTL,
              S_PA_CL_VS_OUT_CNTL_USE_VTX_EDGE_FLAG(1) | S_PA_CL_VS_OUT_CNTL_VS_OUT_MISC_VEC_ENA(1));
      set_reg(&s, R_PA_SU_SC_MODE_CNTL,
              S_PA_SU_SC_MODE_CNTL_POLY_MODE(1) | S_PA_SU_SC_MODE_CNTL_POLYMODE_FRONT_PTYPE(V_X_DRAW_LINES) |
                 S_PA_SU_SC_MODE_CNTL_POLYMODE_BACK_PTYPE(V_X_DRAW_LINES) |
                 S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(run >> 4 & 1));
      draw_auto(&s, type, corners);
      must_run(&s);
      for (unsigned i = 0; i < corners; i++) {
         unsigned j = (i + 1) % corners, x = (unsigned)((px[i] + px[j]) / 2), y = (unsigned)((py[i] + py[j]) / 2);
         bool drawn = pixel(&s, x, y) || pixel(&s, x, y + 1) || pixel(&s, x, y - 1) || pixel(&s, x + 1, y);
         assert_int_equal(drawn, type == V_DI_PT_TRISTRIP || (run >> i & 1));
      }
      stream_destroy(&s);
   }
}

/* Two loops with the restart index between them: each comes back to its start. */
static void
line_loops(void **state)
{
   enum { INDEX_B = 16 << 20 };
   struct stream s = open_stream(1);
   static const uint16_t indices[] = {0, 1, 2, 0xffff, 3, 4, 5, 6};
   static const double px[7] = {4.5, 24.5, 4.5, 34.5, 60.5, 60.5, 34.5},
                       py[7] = {4.5, 4.5, 40.5, 8.5, 8.5, 40.5, 40.5};
   for (unsigned i = 0; i < 7; i++)
      set_vertex_px(i, px[i], py[i], 0, 1);
   memcpy(s.memory + INDEX_B, indices, sizeof(indices));
   set_reg(&s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_LINELOOP);
   set_reg(&s, R_GE_MULTI_PRIM_IB_RESET_EN, 1);
   set_reg(&s, R_VGT_MULTI_PRIM_IB_RESET_INDX, 0xffff);
   emit_packet(&s, PKT3_INDEX_TYPE, 1, (const uint32_t[1]){V_VGT_INDEX_16});
   const uint64_t va = stream_base + INDEX_B;
   emit_packet(&s, PKT3_DRAW_INDEX_2, 5, (const uint32_t[5]){8, (uint32_t)va, (uint32_t)(va >> 32), 8, 0});
   must_run(&s);
   static const struct {
      uint8_t x, y;
      bool drawn;
   } expected[] = {{14, 4, true},  {4, 22, true},  {14, 22, true}, {47, 8, true},   {60, 24, true},
                   {47, 40, true}, {34, 24, true}, {29, 6, false}, {47, 24, false}, {19, 24, false}};
   for (unsigned i = 0; i < ARRAY_SIZE(expected); i++) {
      unsigned x = expected[i].x, y = expected[i].y;
      bool drawn = pixel(&s, x, y) || pixel(&s, x + 1, y) || pixel(&s, x, y + 1) || pixel(&s, x - 1, y);
      assert_int_equal(drawn, expected[i].drawn);
   }
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(filled_from_the_provoking_vertex),
      cmocka_unit_test(outlines),
      cmocka_unit_test(edge_flags_of_vertices),
      cmocka_unit_test(line_loops),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

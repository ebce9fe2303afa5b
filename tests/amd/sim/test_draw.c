/* Draws through the packets with shaders written in C: coverage, interpolation, depth, samples, order. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "drawn.h"

static void
triangle_covers_exactly(void **state)
{
   struct stream s = open_stream(1);
   set_vertex_px(0, 4.5, 4.5, 0, 1);
   set_vertex_px(1, 40.5, 4.5, 0, 1);
   set_vertex_px(2, 4.5, 40.5, 0, 1);
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   must_run(&s);
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         /* Centres on the left and the top edge are in, on the hypotenuse x + y = 45 they are out. */
         bool inside = x >= 4 && y >= 4 && x + y < 44;
         assert_int_equal(pixel(&s, x, y), inside ? 0xffffffff : 0);
      }
   }
   stream_destroy(&s);
}

static void
interpolation_has_perspective(void **state)
{
   struct stream s = open_stream(2);
   const double w[3] = {1.0, 4.0, 2.0}, px[3] = {2, 60, 10}, py[3] = {3, 8, 45};
   const float rgb[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
   for (unsigned i = 0; i < 3; i++)
      set_vertex(i, (float)(px[i] * 2 / W - 1), (float)(py[i] * 2 / H - 1), 0.25f, (float)w[i], rgb[i][0], rgb[i][1],
                 rgb[i][2], 1);
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   must_run(&s);
   double area = (px[1] - px[0]) * (py[2] - py[0]) - (px[2] - px[0]) * (py[1] - py[0]);
   unsigned seen = 0;
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         double cx = x + 0.5, cy = y + 0.5, b[3], sum = 0;
         for (unsigned i = 0; i < 3; i++) {
            unsigned j = (i + 1) % 3, k = (i + 2) % 3;
            b[i] = ((px[j] - cx) * (py[k] - cy) - (px[k] - cx) * (py[j] - cy)) / area / w[i];
            sum += b[i];
         }
         if (b[0] < 1e-3 || b[1] < 1e-3 || b[2] < 1e-3)
            continue;
         seen++;
         for (unsigned c = 0; c < 3; c++)
            assert_true(fabs((pixel(&s, x, y) >> (8 * c) & 255) - 255.0 * b[c] / sum) <= 0.51);
         assert_int_equal(pixel(&s, x, y) >> 24, 255);
      }
   }
   assert_true(seen > 1000);
   stream_destroy(&s);
}

/* A triangle with one vertex after the eye equals the part that double arithmetic says is visible. */
static void
clips_at_the_eye(void **state)
{
   struct stream s = open_stream(1);
   const double v[3][4] = {{-0.5, -0.5, 0.5, 1}, {0.5, -0.5, 0.5, 1}, {0, 1.0, -0.5, -0.5}};
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned c = 0; c < 4; c++)
         vertices[i][c] = (float)v[i][c], vertices[i][4 + c] = 1.0f;
   }
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   must_run(&s);
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         double p[3] = {(x + 0.5) * 2 / W - 1, (y + 0.5) * 2 / H - 1, 1}, f[3], det = 0, one_w = 0, z = 0;
         for (unsigned i = 0; i < 3; i++) {
            const double *a = v[(i + 1) % 3], *b = v[(i + 2) % 3];
            f[i] = p[0] * (a[1] * b[3] - b[1] * a[3]) + p[1] * (a[3] * b[0] - b[3] * a[0]) +
                   p[2] * (a[0] * b[1] - b[0] * a[1]);
         }
         for (unsigned i = 0; i < 3; i++) {
            const double *a = v[(i + 1) % 3], *b = v[(i + 2) % 3];
            if (!i)
               det = v[0][0] * (a[1] * b[3] - b[1] * a[3]) + v[0][1] * (a[3] * b[0] - b[3] * a[0]) +
                     v[0][3] * (a[0] * b[1] - b[0] * a[1]);
            f[i] /= det;
            one_w += f[i];
            z += f[i] * v[i][2];
         }
         bool inside = f[0] > 0 && f[1] > 0 && f[2] > 0 && one_w > 0 && z > 0 && z < 1;
         double margin = fmin(fmin(fabs(f[0]), fabs(f[1])), fmin(fabs(f[2]), fabs(z)));
         if (margin > 0.02)
            assert_int_equal(pixel(&s, x, y) != 0, inside);
      }
   }
   stream_destroy(&s);
}

static void
rect_list_fills_its_box(void **state)
{
   struct stream s = open_stream(1);
   set_vertex_px(0, 0, 0, 0, 0.2f);
   set_vertex_px(1, 0, H, 0, 0.2f);
   set_vertex_px(2, W, 0, 0, 0.2f);
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   must_run(&s);
   for (unsigned i = 0; i < W * H; i++)
      assert_int_equal(pixel(&s, i % W, i / W), 0xff333333);
   stream_destroy(&s);
}

/* Outline of a triangle: every pixel is near an edge, and every edge is drawn. Corners as points. */
static void
fill_modes(void **state)
{
   const double px[3] = {6, 56, 20}, py[3] = {5, 12, 42};
   for (unsigned mode = 0; mode < 2; mode++) {
      struct stream s = open_stream(1);
      unsigned drawn = 0;
      set_reg(&s, R_PA_SU_SC_MODE_CNTL,
              S_PA_SU_SC_MODE_CNTL_POLY_MODE(1) | S_PA_SU_SC_MODE_CNTL_POLYMODE_FRONT_PTYPE(mode) |
                 S_PA_SU_SC_MODE_CNTL_POLYMODE_BACK_PTYPE(mode));
      for (unsigned i = 0; i < 3; i++)
         set_vertex_px(i, px[i], py[i], 0, 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      must_run(&s);
      for (unsigned y = 0; y < H; y++) {
         for (unsigned x = 0; x < W; x++) {
            double nearest = 1e9, corner = 1e9;
            for (unsigned i = 0; i < 3; i++) {
               unsigned j = (i + 1) % 3;
               double dx = px[j] - px[i], dy = py[j] - py[i], cx = x + 0.5 - px[i], cy = y + 0.5 - py[i];
               double t = fmin(fmax((cx * dx + cy * dy) / (dx * dx + dy * dy), 0), 1);
               nearest = fmin(nearest, hypot(cx - t * dx, cy - t * dy));
               corner = fmin(corner, fmax(fabs(cx), fabs(cy)));
            }
            if (pixel(&s, x, y))
               assert_true((mode ? nearest : corner) < 1.0);
            drawn += pixel(&s, x, y) != 0;
         }
      }
      /* Major lengths 50, 36 and 37; or three points of one pixel. */
      assert_true(mode ? drawn >= 117 && drawn <= 126 : drawn == 3);
      stream_destroy(&s);
   }
}

static void
lines_and_points(void **state)
{
   struct stream s = open_stream(1);
   set_vertex_px(0, 2.5, 5.5, 0, 1);
   set_vertex_px(1, 12.5, 5.5, 0, 1);
   draw_auto(&s, V_DI_PT_LINELIST, 2);
   must_run(&s);
   for (unsigned x = 0; x < W; x++)
      assert_int_equal(pixel(&s, x, 5) != 0, x >= 2 && x < 12);
   assert_int_equal(pixel(&s, 5, 4) | pixel(&s, 5, 6), 0);
   set_defaults(&s, W, H);
   set_target(&s, 0, &rgba8);
   set_reg(&s, R_PA_SU_POINT_SIZE, 0x00200020); /* half sizes of 2 px */
   set_vertex_px(0, 20, 20, 0, 1);
   draw_auto(&s, V_DI_PT_POINTLIST, 1);
   must_run(&s);
   for (unsigned y = 15; y < 25; y++) {
      for (unsigned x = 15; x < 25; x++)
         assert_int_equal(pixel(&s, x, y) != 0, x >= 18 && x < 22 && y >= 18 && y < 22);
   }
   stream_destroy(&s);
}

static void
set_depth(struct stream *s, unsigned func, bool write)
{
   set_reg(s, R_DB_Z_INFO(AMD_GFX10_3), S_DB_Z_INFO_FORMAT(V_Z_32_FLOAT) | S_DB_Z_INFO_SW_MODE(24)); /* 64KB_Z_X */
   uint32_t base = (uint32_t)((stream_base + DEPTH_B) >> 8);
   set_reg(s, R_DB_Z_READ_BASE(AMD_GFX10_3), base);
   set_reg(s, R_DB_Z_WRITE_BASE, base);
   set_reg(s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (W - 1));
   set_reg(s, R_DB_DEPTH_CONTROL,
           S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(write) |
              S_DB_DEPTH_CONTROL_ZFUNC(func));
}

static void
set_full_quad(unsigned first, float z, float gray)
{
   set_vertex_px(first, 0, 0, z, gray);
   set_vertex_px(first + 1, 0, H, z, gray);
   set_vertex_px(first + 2, W, 0, z, gray);
}

/* Every function against stored 0.5, with the test early and late. */
static void
depth_functions(void **state)
{
   static const bool expected[8][3] = {/* below, equal, above */
                                       {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
   const float z[3] = {0.25f, 0.5f, 0.75f};
   for (unsigned late = 0; late < 2; late++) {
      for (unsigned func = 0; func < 8; func++) {
         for (unsigned i = 0; i < 3; i++) {
            struct stream s = open_stream(1);
            set_reg(&s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_Z_ORDER(late ? V_LATE_Z : V_EARLY_Z_THEN_LATE_Z));
            set_full_quad(0, 0.5f, 0.0f);
            set_depth(&s, V_FRAG_ALWAYS, true);
            draw_auto(&s, V_DI_PT_RECTLIST, 3);
            must_run(&s);
            set_depth(&s, func, true);
            set_full_quad(0, z[i], 1.0f);
            draw_auto(&s, V_DI_PT_RECTLIST, 3);
            must_run(&s);
            assert_int_equal(pixel(&s, 7, 9), expected[func][i] ? 0xffffffff : 0xff000000);
            /* What was written shows in a test for equality. */
            set_depth(&s, V_FRAG_EQUAL, false);
            set_full_quad(0, expected[func][i] ? z[i] : 0.5f, 0.4f);
            draw_auto(&s, V_DI_PT_RECTLIST, 3);
            must_run(&s);
            assert_int_equal(pixel(&s, 7, 9), 0xff666666);
            stream_destroy(&s);
         }
      }
   }
}

/* A killed pixel writes no depth; a pixel that fails writes no colour. */
static void
kill_keeps_depth(void **state)
{
   struct stream s = open_stream(1);
   set_reg(&s, R_DB_SHADER_CONTROL,
           S_DB_SHADER_CONTROL_Z_ORDER(V_EARLY_Z_THEN_LATE_Z) | S_DB_SHADER_CONTROL_KILL_ENABLE(1));
   set_depth(&s, V_FRAG_ALWAYS, true);
   kill_odd = 1;
   set_full_quad(0, 0.25f, 1.0f);
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   must_run(&s);
   kill_odd = 0;
   set_depth(&s, V_FRAG_EQUAL, false);
   set_full_quad(0, 0.25f, 0.4f);
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   must_run(&s);
   for (unsigned x = 0; x < W; x++)
      assert_int_equal(pixel(&s, x, 11), x % 2 ? 0 : 0xff666666);
   stream_destroy(&s);
}

static void
set_stencil(struct stream *s, unsigned func, unsigned fail, unsigned zpass, unsigned zfail, unsigned ref)
{
   uint32_t base = (uint32_t)((stream_base + RESOLVED_B) >> 8);
   set_depth(s, V_FRAG_LEQUAL, true);
   set_reg(s, R_DB_STENCIL_INFO(AMD_GFX10_3), S_DB_STENCIL_INFO_FORMAT(1) | S_DB_STENCIL_INFO_SW_MODE(24));
   set_reg(s, R_DB_STENCIL_READ_BASE(AMD_GFX10_3), base);
   set_reg(s, R_DB_STENCIL_WRITE_BASE(AMD_GFX10_3), base);
   set_reg(s, R_DB_DEPTH_CONTROL,
           S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_ZFUNC(V_FRAG_LEQUAL) |
              S_DB_DEPTH_CONTROL_STENCIL_ENABLE(1) | S_DB_DEPTH_CONTROL_STENCILFUNC(func));
   set_reg(s, R_DB_STENCIL_CONTROL,
           S_DB_STENCIL_CONTROL_STENCILFAIL(fail) | S_DB_STENCIL_CONTROL_STENCILZPASS(zpass) |
              S_DB_STENCIL_CONTROL_STENCILZFAIL(zfail));
   set_reg(s, R_DB_STENCILREFMASK,
           S_DB_STENCILREFMASK_STENCILTESTVAL(ref) | S_DB_STENCILREFMASK_STENCILMASK(0xff) |
              S_DB_STENCILREFMASK_STENCILWRITEMASK(0xff) | S_DB_STENCILREFMASK_STENCILOPVAL(1));
}

static void
stencil_operations(void **state)
{
   static const struct {
      unsigned op;
      uint8_t before, after;
   } cases[] = {
      {V_STENCIL_KEEP, 7, 7},          {V_STENCIL_ZERO, 7, 0},         {V_STENCIL_REPLACE_TEST, 7, 9},
      {V_STENCIL_ADD_CLAMP, 255, 255}, {V_STENCIL_ADD_WRAP, 255, 0},   {V_STENCIL_SUB_CLAMP, 0, 0},
      {V_STENCIL_SUB_WRAP, 0, 255},    {V_STENCIL_INVERT, 0x0f, 0xf0}, {V_STENCIL_ADD_CLAMP, 7, 8},
      {V_STENCIL_SUB_CLAMP, 7, 6},
   };
   for (unsigned way = 0; way < 3; way++) { /* stencil fails, depth passes, depth fails */
      for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
         struct stream s = open_stream(1);
         /* All depths are 0 and, for one way, the fragment's is behind. */
         memset(s.memory + RESOLVED_B, cases[i].before, 1 << 16);
         unsigned op[3] = {V_STENCIL_KEEP, V_STENCIL_KEEP, V_STENCIL_KEEP};
         op[way] = cases[i].op;
         set_stencil(&s, way == 0 ? V_FRAG_NEVER : V_FRAG_ALWAYS, op[0], op[1], op[2], 9);
         set_full_quad(0, way == 2 ? 0.5f : 0.0f, 1.0f);
         draw_auto(&s, V_DI_PT_RECTLIST, 3);
         must_run(&s);
         assert_int_equal(s.memory[RESOLVED_B], cases[i].after);
         assert_int_equal(pixel(&s, 0, 0) != 0, way == 1);
         stream_destroy(&s);
      }
   }
}

/* Indexed strip with restart, and instances in order: the last instance's alpha stays. */
static void
indexed_strip_with_restart(void **state)
{
   struct stream s = open_stream(2);
   const uint16_t indices[] = {0, 1, 2, 3, 0xffff, 4, 5, 6};
   memcpy(s.memory + RESOLVED_B, indices, sizeof(indices));
   const double at[7][2] = {{4, 4}, {4, 20}, {20, 4}, {20, 20}, {30, 4}, {30, 12}, {38, 4}};
   for (unsigned i = 0; i < 7; i++) {
      set_vertex_px(i, at[i][0], at[i][1], 0, 1);
      vertices[i][7] = 0.2f; /* alpha: 0.2 + instance */
   }
   set_reg(&s, R_GE_MULTI_PRIM_IB_RESET_EN, 1);
   set_reg(&s, R_VGT_MULTI_PRIM_IB_RESET_INDX, 0xffffffff);
   set_reg(&s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_TRISTRIP);
   emit_packet(&s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){2});
   uint64_t va = stream_base + RESOLVED_B;
   emit_packet(&s, PKT3_DRAW_INDEX_2, 5, (const uint32_t[5]){8, (uint32_t)va, (uint32_t)(va >> 32), 8, 0});
   must_run(&s);
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         bool square = x >= 4 && x < 20 && y >= 4 && y < 20, corner = x >= 30 && y >= 4 && (x - 30) + (y - 4) < 7;
         assert_int_equal(pixel(&s, x, y), square || corner ? 0xffffffff : 0);
      }
   }
   stream_destroy(&s);
}

/* Erratum gfx10-empty-index-buffer. */
static void
empty_index_buffer_hangs(void **state)
{
   for (uint32_t buffer_el = 0; buffer_el < 2; buffer_el++) {
      struct stream s = stream_create_on("navi10", 1);
      emit_packet(&s, PKT3_DRAW_INDEX_2, 5, (const uint32_t[5]){buffer_el, (uint32_t)stream_base, 1, 3, 0});
      bool ok = stream_run(&s);
      assert_int_equal(!ok && s.fault.kind == SIM_FAULT_HANG, !buffer_el);
      stream_destroy(&s);
   }
}

/* More indices than are read at once, of two sizes, in two instances: each point is named three times. */
static void
many_indices(void **state)
{
   static const struct {
      unsigned type, size_B;
   } sizes[] = {{V_VGT_INDEX_16, 2}, {V_VGT_INDEX_32, 4}};
   for (unsigned n = 0; n < ARRAY_SIZE(sizes); n++) {
      struct stream s = open_stream(2);
      for (unsigned i = 0; i < W * H; i++) {
         set_vertex_px(i, i % W + 0.5, i / W + 0.5, 0, 1);
         vertices[i][7] = 0.2f;
      }
      for (uint32_t i = 0; i < 3 * W * H; i++)
         memcpy(s.memory + RESOLVED_B + i * sizes[n].size_B, &(uint32_t){i / 3}, sizes[n].size_B);
      set_reg(&s, R_PA_SU_POINT_SIZE, 0x00080008); /* half of a pixel on every side */
      set_reg(&s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_POINTLIST);
      emit_packet(&s, PKT3_INDEX_TYPE, 1, (const uint32_t[1]){sizes[n].type});
      emit_packet(&s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){2});
      uint64_t va = stream_base + RESOLVED_B;
      uint32_t count = 3 * W * H;
      emit_packet(&s, PKT3_DRAW_INDEX_2, 5, (const uint32_t[5]){count, (uint32_t)va, (uint32_t)(va >> 32), count, 0});
      must_run(&s);
      for (unsigned i = 0; i < W * H; i++)
         assert_int_equal(pixel(&s, i % W, i / W), 0xffffffff);
      stream_destroy(&s);
   }
}

/* Indices beyond a buffer are all 0, one wave however many they are; a vertex alone makes no triangle, nor any wave.
 */
static void
too_many_to_assemble(void **state)
{
   static const struct {
      uint32_t count, instances;
      bool runs;
   } rows[] = {{639, 1, true}, {704, 1, false}, {63, 10, true}, {63, 12, false}, {1, 320, true}, {1, 1 << 20, false}};
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = open_stream(1);
      amd_sim_set_limit(s.sim, 10);
      set_reg(&s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_TRILIST);
      emit_packet(&s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){rows[i].instances});
      emit_packet(&s, PKT3_DRAW_INDEX_2, 5, (const uint32_t[5]){1, (uint32_t)stream_base, 1, rows[i].count, 0});
      bool ok = stream_run(&s);
      assert_int_equal(ok, rows[i].runs);
      if (!ok) {
         assert_int_equal(s.fault.kind, SIM_FAULT_HANG);
         assert_non_null(strstr(s.fault.message, "vertices to assemble"));
         assert_non_null(strstr(s.fault.message, "; packet DRAW_INDEX_2 at dword "));
      }
      stream_destroy(&s);
   }
}

/* Samples of a pixel in a triangle; sixteenths of a pixel from its centre. unsure: one is on an edge, or nearly. */
static unsigned
samples_inside(const double px[3], const double py[3], unsigned x, unsigned y, const int8_t at[4][2], bool *unsure)
{
   unsigned mask = 0;
   for (unsigned k = 0; k < 4; k++) {
      double cx = x + 0.5 + at[k][0] / 16.0, cy = y + 0.5 + at[k][1] / 16.0;
      bool inside = true;
      for (unsigned i = 0; i < 3; i++) {
         unsigned j = (i + 1) % 3;
         double e = (px[j] - px[i]) * (cy - py[i]) - (py[j] - py[i]) * (cx - px[i]);
         inside &= e > 0;
         *unsure |= fabs(e) < 0.3; /* vertices snap to 1/256 */
      }
      mask |= (unsigned)inside << k;
   }
   return mask;
}

static struct stream
open_stream_4x(struct target_info *resolved)
{
   struct stream s = open_stream(2);
   const struct target_info tiled = tiled_rgba8(2);
   *resolved = rgba8;
   resolved->va = stream_base + RESOLVED_B;
   set_target(&s, 0, &tiled);
   set_samples_4x(&s);
   return s;
}

static void
resolve(struct stream *s, const struct target_info *resolved)
{
   set_target(s, 1, resolved);
   set_reg(s, R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_MODE(V_CB_RESOLVE) | S_CB_COLOR_CONTROL_ROP3(V_ROP3_COPY));
   set_reg(s, R_PA_SC_AA_CONFIG, 0);
   must_run(s);
   set_full_quad(0, 0, 1);
   draw_auto(s, V_DI_PT_RECTLIST, 3);
   must_run(s);
}

/* 4x: the samples written to a tiled target and averaged by the resolve mode equal coverage / 4. */
static void
msaa_resolve(void **state)
{
   static const int8_t at[4][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
   const double px[3] = {3.3, 50.1, 11.7}, py[3] = {2.1, 20.9, 44.6};
   struct target_info resolved;
   struct stream s = open_stream_4x(&resolved);
   for (unsigned i = 0; i < 3; i++)
      set_vertex_px(i, px[i], py[i], 0, 1);
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   resolve(&s, &resolved);
   for (unsigned i = 0; i < W * H; i++) {
      bool unsure = false;
      unsigned mask = samples_inside(px, py, i % W, i / W, at, &unsure);
      if (!unsure)
         assert_int_equal(s.memory[RESOLVED_B + 4 * i], (__builtin_popcount(mask) * 255 + 2) / 4);
   }
   stream_destroy(&s);
}

/* Samples that lie elsewhere in each pixel of a quad: what they cover, and their depths, which are less than those
 * that are there on one side of the line x + y / 2 = 40. */
/* MSAA_ENABLE counts for one sample, too: without, it is the middle. */
static void
place_of_the_only_sample(void **state)
{
   const double px[3] = {3.3, 60.1, 11.7}, py[3] = {2.1, 20.9, 44.6};
   for (unsigned moved = 0; moved < 2; moved++) {
      struct stream s = open_stream(1);
      unsigned drawn = 0;
      set_reg(&s, R_PA_SC_MODE_CNTL_0, S_PA_SC_MODE_CNTL_0_MSAA_ENABLE(moved));
      for (unsigned pixel = 0; pixel < 4; pixel++)
         set_reg(&s, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + 16 * pixel, 0x78); /* -8, 7 */
      for (unsigned i = 0; i < 3; i++)
         set_vertex_px(i, (float)px[i], (float)py[i], 0.0f, 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      must_run(&s);
      const int8_t at[4][2] = {{moved ? -8 : 0, moved ? 7 : 0}};
      for (unsigned i = 0; i < W * H; i++) {
         bool unsure = false;
         unsigned mask = samples_inside(px, py, i % W, i / W, at, &unsure) & 1;
         if (!unsure)
            assert_int_equal(pixel(&s, i % W, i / W) != 0, mask);
         drawn += mask;
      }
      assert_true(drawn > 500);
      stream_destroy(&s);
   }
}

static void
places_of_each_pixel(void **state)
{
   static const int8_t at[4][4][2] = {{{-8, -8}, {7, 7}, {-3, 5}, {0, 1}},
                                      {{6, -2}, {-7, 3}, {4, 4}, {-5, -5}},
                                      {{1, -8}, {-8, 1}, {7, -1}, {3, 6}},
                                      {{-1, -1}, {5, -7}, {-6, 6}, {2, 2}}};
   const double px[3] = {3.3, 60.1, 11.7}, py[3] = {2.1, 20.9, 44.6};
   for (unsigned late = 0; late < 2; late++) {
      struct target_info resolved;
      struct stream s = open_stream_4x(&resolved);
      for (unsigned pixel = 0; pixel < 4; pixel++) {
         uint32_t word = 0;
         for (unsigned i = 0; i < 4; i++)
            word |= (uint32_t)((at[pixel][i][0] & 15) | (at[pixel][i][1] & 15) << 4) << 8 * i;
         set_reg(&s, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + 16 * pixel, word);
      }
      set_reg(&s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_Z_ORDER(late ? V_LATE_Z : V_EARLY_Z_THEN_LATE_Z));
      set_full_quad(0, 0.5f, 0.0f);
      set_depth(&s, V_FRAG_ALWAYS, true);
      set_reg(&s, R_DB_Z_INFO(AMD_GFX10_3),
              S_DB_Z_INFO_FORMAT(V_Z_32_FLOAT) | S_DB_Z_INFO_SW_MODE(24) | S_DB_Z_INFO_NUM_SAMPLES(2));
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      must_run(&s);
      set_reg(&s, R_DB_DEPTH_CONTROL, S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_ZFUNC(V_FRAG_LESS));
      for (unsigned i = 0; i < 3; i++)
         set_vertex_px(i, (float)px[i], (float)py[i], (float)(0.5 + (px[i] + py[i] / 2 - 40) / 256), 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      must_run(&s);
      set_reg(&s, R_DB_DEPTH_CONTROL, 0);
      resolve(&s, &resolved);
      for (unsigned i = 0; i < W * H; i++) {
         bool unsure = false;
         const int8_t(*own)[2] = at[i / W % 2 * 2 + i % 2];
         unsigned mask = samples_inside(px, py, i % W, i / W, own, &unsure), passed = 0;
         for (unsigned k = 0; k < 4; k++) {
            double side = i % W + 0.5 + own[k][0] / 16.0 + (i / W + 0.5 + own[k][1] / 16.0) / 2 - 40;
            unsure |= fabs(side) < 0.02;
            passed += side < 0 && mask >> k & 1;
         }
         if (!unsure)
            assert_int_equal(s.memory[RESOLVED_B + 4 * i], (passed * 255 + 2) / 4);
      }
      stream_destroy(&s);
   }
}

/* Alpha of 5/8 of four samples: two and a half; the offset of a pixel in its quad says whether there is a third. */
static void
alpha_to_coverage(void **state)
{
   for (unsigned round = 0; round < 2; round++) {
      struct stream s = open_stream(1);
      const struct target_info tiled = tiled_rgba8(2);
      struct target_info resolved = rgba8;
      resolved.va = stream_base + RESOLVED_B;
      set_target(&s, 0, &tiled);
      set_samples_4x(&s);
      set_full_quad(0, 0, 1);
      for (unsigned i = 0; i < 3; i++)
         vertices[i][7] = 0.625f;
      set_reg(&s, R_DB_ALPHA_TO_MASK,
              S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_ENABLE(1) | S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET0(3) |
                 S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET1(1) | S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET2(0) |
                 S_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_OFFSET3(2) | S_DB_ALPHA_TO_MASK_OFFSET_ROUND(round));
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      must_run(&s);
      set_reg(&s, R_DB_ALPHA_TO_MASK, 0);
      set_target(&s, 1, &resolved);
      set_reg(&s, R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_MODE(V_CB_RESOLVE) | S_CB_COLOR_CONTROL_ROP3(V_ROP3_COPY));
      set_reg(&s, R_PA_SC_AA_CONFIG, 0);
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      must_run(&s);
      static const unsigned thirds[4] = {1, 0, 0, 1};
      for (unsigned i = 0; i < W * H; i++) {
         uint32_t value;
         memcpy(&value, s.memory + RESOLVED_B + i * 4, 4);
         unsigned covered = 2 + thirds[(i / W & 1) * 2 + (i & 1)];
         assert_int_equal(value & 255, (covered * 255 + 2) / 4);
      }
      stream_destroy(&s);
   }
}

/* Random overlapping triangles with depth and blending: same bytes for any number of threads. */
static void
threads_do_not_matter(void **state)
{
   static uint8_t reference[W * H * 4];
   for (unsigned threads = 1; threads <= 4; threads++) {
      struct stream s = open_stream(threads);
      uint32_t seed = 5;
      for (unsigned i = 0; i < 900; i++) {
         float r[6];
         for (unsigned k = 0; k < 6; k++)
            seed = seed * 1664525u + 1013904223u, r[k] = (float)(seed >> 8) / 16777216.0f;
         set_vertex_px(i, r[0] * W * 1.5f - 8, r[1] * H * 1.5f - 8, r[2], r[3]);
         vertices[i][7] = r[4];
      }
      set_depth(&s, V_FRAG_GEQUAL, true);
      set_reg(&s, R_CB_BLEND0_CONTROL,
              S_CB_BLEND0_CONTROL_ENABLE(1) | S_CB_BLEND0_CONTROL_COLOR_SRCBLEND(V_BLEND_SRC_ALPHA) |
                 S_CB_BLEND0_CONTROL_COLOR_DESTBLEND(V_BLEND_ONE_MINUS_SRC_ALPHA));
      draw_auto(&s, V_DI_PT_TRILIST, 900);
      must_run(&s);
      if (threads == 1)
         memcpy(reference, s.memory + TARGET_B, sizeof(reference));
      assert_memory_equal(reference, s.memory + TARGET_B, sizeof(reference));
      stream_destroy(&s);
   }
}

static void
counts_samples_and_statistics(void **state)
{
   struct stream s = open_stream(1);
   const uint32_t query = 2 << 20;
   uint64_t va = stream_base + query, stats[11], counts[32];
   emit_packet(&s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){0x19});
   set_reg(&s, R_DB_COUNT_CONTROL, S_DB_COUNT_CONTROL_ZPASS_ENABLE(1));
   set_vertex_px(0, 0, 0, 0, 1);
   set_vertex_px(1, 8, 0, 0, 1);
   set_vertex_px(2, 0, 8, 0, 1);
   emit_packet(&s, PKT3_EVENT_WRITE, 3, (const uint32_t[3]){0x15 | 1 << 8, (uint32_t)va, (uint32_t)(va >> 32)});
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   emit_packet(&s, PKT3_EVENT_WRITE, 3, (const uint32_t[3]){0x15 | 1 << 8, (uint32_t)va + 8, (uint32_t)(va >> 32)});
   emit_packet(&s, PKT3_EVENT_WRITE, 3,
               (const uint32_t[3]){0x1e | 2 << 8, (uint32_t)va + 1024, (uint32_t)(va >> 32)});
   must_run(&s);
   memcpy(counts, s.memory + query, sizeof(counts));
   memcpy(stats, s.memory + query + 1024, sizeof(stats));
   unsigned covered = 0, total = 0;
   for (unsigned i = 0; i < W * H; i++)
      covered += pixel(&s, i % W, i / W) != 0;
   for (unsigned i = 0; i < 16; i++) {
      bool enabled = amd_chip_by_name("navi21")->enabled_rb_pipes_mask >> i & 1;
      assert_int_equal(counts[2 * i] >> 63 & counts[2 * i + 1] >> 63, enabled);
      total += (unsigned)(counts[2 * i + 1] - counts[2 * i]);
   }
   assert_int_equal(covered, 28); /* x + y < 7 */
   assert_int_equal(total, covered);
   assert_int_equal(stats[3], 3); /* VS */
   assert_int_equal(stats[6], 1); /* primitives */
   assert_int_equal(stats[7], 3); /* vertices */
   assert_int_equal(stats[1], 1);
   assert_int_equal(stats[0], covered);
   stream_destroy(&s);
}

static void
missing_things_are_faults(void **state)
{
   struct stream s = open_stream(1);
   set_reg(&s, R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1));
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   assert_false(stream_run(&s));
   assert_int_equal(s.fault.kind, SIM_FAULT_STATE);
   assert_non_null(strstr(s.fault.message, "combination of stages"));
   assert_non_null(strstr(s.fault.message, "DRAW_INDEX_AUTO"));
   set_defaults(&s, W, H);
   set_target(&s, 0, &rgba8);
   set_reg(&s, R_CB_BLEND0_CONTROL, S_CB_BLEND0_CONTROL_ENABLE(1) | S_CB_BLEND0_CONTROL_COLOR_DESTBLEND(21));
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   assert_false(stream_run(&s));
   assert_non_null(strstr(s.fault.message, "CB_BLEND0_CONTROL 0x40001500"));
   set_defaults(&s, W, H);
   set_reg(&s, R_VGT_INDEX_TYPE, S_VGT_INDEX_TYPE_INDEX_TYPE(3));
   emit_packet(&s, PKT3_DRAW_INDEX_2, 5, (const uint32_t[5]){3, 0, 0, 3, 0});
   assert_false(stream_run(&s));
   assert_non_null(strstr(s.fault.message, "VGT_INDEX_TYPE"));
   set_defaults(&s, W, H);
   struct target_info t = rgba8;
   t.va = 0x12340000;
   set_target(&s, 0, &t);
   draw_auto(&s, V_DI_PT_TRILIST, 3);
   assert_false(stream_run(&s));
   assert_int_equal(s.fault.kind, SIM_FAULT_ADDRESS);
   emit(&s, PKT3(0xee, 1));
   emit(&s, 0);
   assert_false(stream_run(&s));
   assert_int_equal(s.fault.kind, SIM_FAULT_PACKET);
   stream_destroy(&s);
}

/* Fields that change what a draw does, one after the other: none is read as if it were 0. */
static void
missing_fields_are_faults(void **state)
{
   const struct {
      uint32_t reg, value;
      const char *says;
   } rows[] = {
      {R_SPI_SHADER_PGM_RSRC1_PS, 1u << 29, "16-bit floats"},
      {R_SPI_SHADER_PGM_RSRC1_VS, 1u << 31, "16-bit floats"},
      {R_SPI_SHADER_PGM_RSRC2_PS, S_SPI_SHADER_PGM_RSRC2_PS_WAVE_CNT_EN(1), "a wave count"},
      {R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_VS_WAVE_ID_EN(1), "wave ids of vertex shaders"},
      {R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_LS_EN(1), "combination of stages"},
      {R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_HS_EN(1), "combination of stages"},
      {R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_ES_EN(1), "combination of stages"},
      {R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_GS_EN(1), "combination of stages"},
      {R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_VS_EN(1), "combination of stages"},
      {R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1), "combination of stages"},
      {R_VGT_SHADER_STAGES_EN, S_VGT_SHADER_STAGES_EN_GS_FAST_LAUNCH(1), "combination of stages"},
      {R_GE_STEREO_CNTL, S_GE_STEREO_CNTL_EN_STEREO(1), "stereo"},
      {R_PA_CL_CLIP_CNTL, S_PA_CL_CLIP_CNTL_PS_UCP_MODE(3), "that clip planes cut"},
      {R_PA_CL_NANINF_CNTL, S_PA_CL_NANINF_CNTL_VTE_XY_NAN_RETAIN(1), "NaNs"},
      {R_SPI_BARYC_CNTL, S_SPI_BARYC_CNTL_PERSP_CENTER_CNTL(1), "centroids"},
      {R_SPI_BARYC_CNTL, S_SPI_BARYC_CNTL_POS_FLOAT_ULC(1), "upper left corners"},
      {R_SPI_PS_IN_CONTROL, S_SPI_PS_IN_CONTROL_OFFCHIP_PARAM_EN(1), "parameters in memory"},
      {R_SPI_PS_INPUT_CNTL_0, S_SPI_PS_INPUT_CNTL_0_CYL_WRAP(2), "wrap"},
      {R_PA_SU_VTX_CNTL, 0x29, "rounded to even"},
      {R_PA_SC_AA_CONFIG, S_PA_SC_AA_CONFIG_COVERAGE_TO_SHADER_SELECT(1), "coverage input"},
      {R_DB_RENDER_CONTROL, S_DB_RENDER_CONTROL_PS_INVOKE_DISABLE(AMD_GFX10_3, 1), "without pixel shaders"},
      {R_DB_RENDER_OVERRIDE, S_DB_RENDER_OVERRIDE_FORCE_COLOR_KILL(1), "forced"},
      {R_DB_DEPTH_CONTROL, S_DB_DEPTH_CONTROL_DISABLE_COLOR_WRITES_ON_DEPTH_PASS(1), "fail the depth test"},
      {R_DB_EQAA, S_DB_EQAA_OVERRASTERIZATION_AMOUNT(4), "overrasterisation"},
      {R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_DEGAMMA_ENABLE(1), "sRGB"},
      {R_SPI_SHADER_COL_FORMAT, V_SPI_SHADER_32_ABGR << 4, "has a hole"},
      {R_SPI_SHADER_PGM_LO_VS, 0, "draw without a program for its stage"},
      {R_CB_COLOR0_INFO, S_CB_COLOR0_INFO_ENDIAN(1) | S_CB_COLOR0_INFO_FORMAT(AMD_GFX10_3, V_COLOR_8_8_8_8),
       "swapped bytes"},
   };
   struct stream s = open_stream(1);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      set_defaults(&s, W, H);
      set_target(&s, 0, &rgba8);
      set_reg(&s, rows[i].reg, rows[i].value);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      assert_false(stream_run(&s));
      assert_int_equal(s.fault.kind, SIM_FAULT_STATE);
      if (!strstr(s.fault.message, rows[i].says))
         fail_msg("\"%s\" does not say \"%s\"", s.fault.message, rows[i].says);
      set_reg(&s, rows[i].reg, 0); /* some outlive CLEAR_STATE */
   }
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangle_covers_exactly),
      cmocka_unit_test(interpolation_has_perspective),
      cmocka_unit_test(clips_at_the_eye),
      cmocka_unit_test(rect_list_fills_its_box),
      cmocka_unit_test(fill_modes),
      cmocka_unit_test(lines_and_points),
      cmocka_unit_test(depth_functions),
      cmocka_unit_test(kill_keeps_depth),
      cmocka_unit_test(stencil_operations),
      cmocka_unit_test(indexed_strip_with_restart),
      cmocka_unit_test(empty_index_buffer_hangs),
      cmocka_unit_test(many_indices),
      cmocka_unit_test(too_many_to_assemble),
      cmocka_unit_test(msaa_resolve),
      cmocka_unit_test(places_of_each_pixel),
      cmocka_unit_test(place_of_the_only_sample),
      cmocka_unit_test(alpha_to_coverage),
      cmocka_unit_test(threads_do_not_matter),
      cmocka_unit_test(counts_samples_and_statistics),
      cmocka_unit_test(missing_things_are_faults),
      cmocka_unit_test(missing_fields_are_faults),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

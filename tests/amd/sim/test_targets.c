/* Several targets, layers and viewports, distances, flat attributes, per-sample shading, depth bias. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "native_engine.h"
#include "scene.h"
#include "util/macros.h"

enum { W = 64, H = 32, TARGET_B = 4 << 20, TARGET_STEP_B = 1 << 18, DEPTH_B = 12 << 20 };

/* Position, misc vector, distances, colour of up to 64 vertices. */
static struct vertex {
   float position[4], misc[4], distance[4], color[4];
} vertices[64];

static unsigned extra_exports; /* bit 0: misc vector, bit 1: distances */

static void
vertex_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float v[4][AMD_WAVE_MAX_LANES][4];
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      const struct vertex *in = &vertices[start->vgpr[0][lane] % 64];
      memcpy(v[0][lane], in->position, 16);
      memcpy(v[1][lane], in->misc, 16);
      memcpy(v[2][lane], in->distance, 16);
      memcpy(v[3][lane], in->color, 16);
   }
   unsigned target = 12;
   native_export(exports, count, target++, start->exec, !extra_exports, v[0]);
   if (extra_exports & 1)
      native_export(exports, count, target++, start->exec, extra_exports == 1, v[1]);
   if (extra_exports & 2)
      native_export(exports, count, target++, start->exec, true, v[2]);
   native_export(exports, count, 32, start->exec, false, v[3]);
}

/* Target t gets the colour with its red and green halved t times. */
static void
pixel_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float color[AMD_WAVE_MAX_LANES][4];
   for (unsigned target = 0; target < 8; target++) {
      for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
         float i, j;
         memcpy(&i, &start->vgpr[0][lane], 4);
         memcpy(&j, &start->vgpr[1][lane], 4);
         for (unsigned c = 0; c < 4; c++)
            color[lane][c] = start->exec >> lane & 1
                                ? native_interp(start, 0, c, lane, i, j) / (float)(c < 2 ? 1 << target : 1)
                                : 0.0f;
      }
      native_export(exports, count, target, start->exec, target == 7, color);
   }
}

/* The sample's number from the ancillary VGPR (after two barycentrics) as red. */
static void
sample_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float color[AMD_WAVE_MAX_LANES][4];
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      color[lane][0] = (float)(start->vgpr[2][lane] >> 8 & 15) * 51.0f / 255.0f;
      color[lane][3] = 1.0f;
   }
   native_export(exports, count, 0, start->exec, true, color);
}

/* White, in samples 0, 1 and 3. */
static void
coverage_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float color[AMD_WAVE_MAX_LANES][4], depth[AMD_WAVE_MAX_LANES][4];
   const uint32_t samples = 11;
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      memcpy(&depth[lane][2], &samples, 4);
      color[lane][0] = color[lane][3] = 1.0f;
   }
   native_export(exports, count, 8, start->exec, false, depth);
   native_export(exports, count, 0, start->exec, true, color);
}

/* Target 0: the first channel of the three vertices. Target 1: their weights, turned as SGPR 1 says. */
static void
vertices_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float value[AMD_WAVE_MAX_LANES][4], weight[AMD_WAVE_MAX_LANES][4];
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      float slot[3];
      memcpy(&slot[1], &start->vgpr[0][lane], 4);
      memcpy(&slot[2], &start->vgpr[1][lane], 4);
      slot[0] = 1.0f - slot[1] - slot[2];
      for (unsigned i = 0; i < 3 && start->exec >> lane & 1; i++) {
         value[lane][i] = start->params.data[start->params.quad_prim[lane / 4] * start->params.attr_count * 12 + i];
         weight[lane][i] = slot[(i + (start->sgpr[1] >> lane / 4 * 2 & 3)) % 3];
      }
      value[lane][3] = weight[lane][3] = 1.0f;
   }
   native_export(exports, count, 0, start->exec, false, value);
   native_export(exports, count, 1, start->exec, true, weight);
}

static void
set_vertex_px(unsigned i, double x, double y, float z, float r, float g)
{
   vertices[i] = (struct vertex){.position = {(float)(x * 2 / W - 1), (float)(y * 2 / H - 1), z, 1},
                                 .color = {r, g, 0.6f, 1.0f}};
}

static void
set_rect(unsigned first, double x0, double y0, double x1, double y1, float z, float r, float g)
{
   /* size: coordinates of a rectangle */
   set_vertex_px(first, x0, y0, z, r, g);
   set_vertex_px(first + 1, x0, y1, z, r, g);
   set_vertex_px(first + 2, x1, y0, z, r, g);
}

static struct target_info
target(unsigned i)
{
   return (struct target_info){
      .va = stream_base + TARGET_B + i * TARGET_STEP_B, .width = W, .height = H, .format = V_COLOR_8_8_8_8};
}

static struct stream
open_stream(void)
{
   native_shaders[1] = vertex_shader;
   native_shaders[2] = pixel_shader;
   native_shaders[3] = sample_shader;
   native_shaders[4] = coverage_shader;
   native_shaders[5] = vertices_shader;
   extra_exports = 0;
   struct stream s = stream_create(2);
   struct target_info t = target(0);
   set_defaults(&s, W, H);
   set_target(&s, 0, &t);
   return s;
}

static void
must_run(struct stream *s)
{
   if (!stream_run(s))
      fail_msg("%s", s->fault.message);
}

static const uint8_t *
pixel(const struct stream *s, unsigned target, unsigned slice, unsigned x, unsigned y)
{
   return s->memory + TARGET_B + target * TARGET_STEP_B + ((slice * H + y) * W + x) * 4;
}

static void
eight_targets(void **state)
{
   struct stream s = open_stream();
   set_reg(&s, R_SPI_SHADER_COL_FORMAT, 0x99999999);
   set_reg(&s, R_CB_SHADER_MASK, 0xffffffff);
   set_reg(&s, R_CB_TARGET_MASK, 0xfff1ffff); /* target 4 takes red only */
   for (unsigned i = 0; i < 8; i++) {
      struct target_info t = target(i);
      set_target(&s, i, &t);
   }
   set_rect(0, 0, 0, W, H, 0, 1.0f, 0.5f);
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   must_run(&s);
   for (unsigned i = 0; i < 8; i++) {
      const uint8_t *p = pixel(&s, i, 0, 33, 17);
      assert_int_equal(p[0], (unsigned)nearbyint(255.0 / (1 << i)));
      assert_int_equal(p[1], i == 4 ? 0 : (unsigned)nearbyint(127.5 / (1 << i)));
      assert_int_equal(p[2], i == 4 ? 0 : 153);
      assert_int_equal(p[3], i == 4 ? 0 : 255);
   }
   stream_destroy(&s);
}

/* result = src * 1 + dst * src1, src1 from export 1: half of red and green of the source. */
static void
dual_source(void **state)
{
   struct stream s = open_stream();
   memset(s.memory + TARGET_B, 100, W * H * 4);
   set_reg(&s, R_SPI_SHADER_COL_FORMAT, 0x99);
   set_reg(&s, R_CB_SHADER_MASK, 0xff);
   set_reg(&s, R_CB_BLEND0_CONTROL,
           S_CB_BLEND0_CONTROL_ENABLE(1) | S_CB_BLEND0_CONTROL_COLOR_SRCBLEND(V_BLEND_ONE) |
              S_CB_BLEND0_CONTROL_COLOR_DESTBLEND(V_BLEND_SRC1_COLOR(AMD_GFX10_3)));
   set_rect(0, 0, 0, W, H, 0, 0.2f, 0.4f);
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   must_run(&s);
   const uint8_t *p = pixel(&s, 0, 0, 5, 5);
   assert_int_equal(p[0], (unsigned)nearbyint(51 + 100 * 0.1));
   assert_int_equal(p[1], (unsigned)nearbyint(102 + 100 * 0.2));
   assert_int_equal(p[2], (unsigned)nearbyint(153 + 100 * 0.6));
   stream_destroy(&s);
}

static float
bits(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

/* The misc vector's third component: layer in bits 10:0, viewport in 19:16. Viewport 1 is the right half. */
static void
layers_and_viewports(void **state)
{
   struct stream s = open_stream();
   extra_exports = 1;
   set_reg(&s, R_PA_CL_VS_OUT_CNTL,
           S_PA_CL_VS_OUT_CNTL_USE_VTX_RENDER_TARGET_INDX(1) | S_PA_CL_VS_OUT_CNTL_USE_VTX_VIEWPORT_INDX(1) |
              S_PA_CL_VS_OUT_CNTL_VS_OUT_MISC_VEC_ENA(1));
   set_reg(&s, R_CB_COLOR0_VIEW, S_CB_COLOR0_VIEW_SLICE_MAX(AMD_GFX10_3, 3));
   for (unsigned axis = 0; axis < 3; axis++) {
      const float scale[3] = {W / 4.0f, H / 2.0f, 1}, offset[3] = {W * 0.75f, H / 2.0f, 0};
      set_float(&s, R_PA_CL_VPORT_XSCALE + 0x18 + 8 * axis, scale[axis]);
      set_float(&s, R_PA_CL_VPORT_XSCALE + 0x18 + 8 * axis + 4, offset[axis]);
   }
   for (unsigned n = 0; n < 3; n++) {
      set_rect(3 * n, 0, 0, W, H, 0, 1, 1);
      for (unsigned i = 0; i < 3; i++)
         vertices[3 * n + i].misc[2] = bits(n == 0 ? 2 : n == 1 ? 1 | 1 << 16 : 7); /* layer 7 is the last one */
   }
   draw_auto(&s, V_DI_PT_RECTLIST, 9);
   must_run(&s);
   for (unsigned slice = 0; slice < 8; slice++) {
      assert_int_equal(pixel(&s, 0, slice, 3, 9)[0], slice == 2 || slice == 3 ? 255 : 0);
      assert_int_equal(pixel(&s, 0, slice, W - 3, 9)[0], slice && slice < 4 ? 255 : 0);
   }
   stream_destroy(&s);
}

/* Distance 0 clips at x = 16, distance 1 culls whole primitives. */
static void
clip_and_cull_distances(void **state)
{
   struct stream s = open_stream();
   extra_exports = 2;
   set_reg(&s, R_PA_CL_VS_OUT_CNTL,
           S_PA_CL_VS_OUT_CNTL_CLIP_DIST_ENA_0(1) | S_PA_CL_VS_OUT_CNTL_CULL_DIST_ENA_1(1) |
              S_PA_CL_VS_OUT_CNTL_VS_OUT_CCDIST0_VEC_ENA(1));
   const double corners[2][3][2] = {{{0, 0}, {W, 0}, {0, 16}}, {{W, 16}, {W, H}, {0, H}}};
   for (unsigned n = 0; n < 2; n++) {
      for (unsigned i = 0; i < 3; i++) {
         set_vertex_px(3 * n + i, corners[n][i][0], corners[n][i][1], 0, 1, 1);
         vertices[3 * n + i].distance[0] = (float)(corners[n][i][0] - 16.0);
         vertices[3 * n + i].distance[1] = n ? -1.0f : 1.0f;
      }
   }
   draw_auto(&s, V_DI_PT_TRILIST, 6);
   must_run(&s);
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++) {
         double edge = (x + 0.5) / W + (y + 0.5) / 16 - 1;
         if (fabs(edge) > 0.01)
            assert_int_equal(pixel(&s, 0, 0, x, y)[0], edge < 0 && x >= 16 ? 255 : 0);
      }
   }
   stream_destroy(&s);
}

static void
flat_takes_the_provoking_vertex(void **state)
{
   for (unsigned last = 0; last < 2; last++) {
      struct stream s = open_stream();
      set_reg(&s, R_SPI_PS_INPUT_CNTL_0, S_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(1));
      set_reg(&s, R_PA_SU_SC_MODE_CNTL, S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(last));
      for (unsigned i = 0; i < 5; i++)
         set_vertex_px(i, i / 2 * 20, i % 2 * 20, 0, (float)i * 51.0f / 255.0f, 0);
      draw_auto(&s, V_DI_PT_TRISTRIP, 5);
      must_run(&s);
      /* Vulkan: triangle n of a strip has provoking vertex n, or n + 2. */
      assert_int_equal(pixel(&s, 0, 0, 3, 3)[0], last ? 2 * 51 : 0);
      assert_int_equal(pixel(&s, 0, 0, 17, 17)[0], last ? 3 * 51 : 51);
      assert_int_equal(pixel(&s, 0, 0, 23, 3)[0], last ? 4 * 51 : 2 * 51);
      stream_destroy(&s);
   }
}

/* Corners of a triangle and of a line, drawn as which vertex gives the colour where it is flat. */
static void
vertices_in_their_order(void **state)
{
   enum { FLAT = 1 << 10, RAW = FLAT | 0x20, ROTATED = RAW | 1 << 11 };
   static const struct {
      bool line, last;
      uint32_t control;
      uint8_t value[3];
   } rows[] = {
      {false, false, RAW, {0, 51, 102}},    {false, true, RAW, {102, 0, 51}},   {false, false, ROTATED, {0, 51, 102}},
      {false, true, ROTATED, {0, 51, 102}}, {true, false, RAW, {0, 51, 51}},    {true, true, RAW, {0, 51, 51}},
      {true, false, ROTATED, {0, 51, 51}},  {true, true, ROTATED, {0, 51, 51}}, {true, false, FLAT, {0, 0, 0}},
      {true, true, FLAT, {51, 0, 0}},
   };
   static const unsigned corners[3][2] = {{3, 3}, {60, 3}, {3, 28}};
   for (unsigned n = 0; n < ARRAY_SIZE(rows); n++) {
      struct stream s = open_stream();
      const struct target_info second = target(1);
      const unsigned count = rows[n].line ? 2 : 3;
      set_target(&s, 1, &second);
      set_reg(&s, R_SPI_SHADER_PGM_LO_PS, 5);
      set_reg(&s, R_SPI_SHADER_COL_FORMAT, 0x99);
      set_reg(&s, R_CB_SHADER_MASK, 0xff);
      set_reg(&s, R_CB_TARGET_MASK, 0xff);
      set_reg(&s, R_SPI_SHADER_PGM_RSRC1_PS, S_SPI_SHADER_PGM_RSRC1_PS_LOAD_PROVOKING_VTX(1));
      set_reg(&s, R_SPI_PS_INPUT_CNTL_0, rows[n].control);
      set_reg(&s, R_PA_SU_SC_MODE_CNTL, S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(rows[n].last));
      set_reg(&s, R_PA_SU_LINE_CNTL, 6 * 8);
      for (unsigned i = 0; i < count; i++)
         set_vertex_px(i, corners[i][0] + 0.5, corners[i][1] + 0.5, 0, (float)i * 51.0f / 255.0f, 0);
      draw_auto(&s, rows[n].line ? V_DI_PT_LINELIST : V_DI_PT_TRILIST, count);
      must_run(&s);
      assert_memory_equal(pixel(&s, 0, 0, 5, 3), rows[n].value, 3);
      for (unsigned i = 0; i < count; i++) {
         const uint8_t *weight = pixel(&s, 1, 0, i == 1 ? 57 : 4, i == 2 ? 26 : rows[n].line ? 4 : 3);
         for (unsigned k = 0; k < 3; k++)
            assert_in_range(weight[k], k == i ? 220 : 0, k == i ? 255 : 35);
      }
      stream_destroy(&s);
   }
}

/* A turn of what is not handed on as vertices have it: nothing says what that is. */
static void
turned_inputs(void **state)
{
   struct stream s = open_stream();
   set_reg(&s, R_SPI_PS_INPUT_CNTL_0, S_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(1) | S_SPI_PS_INPUT_CNTL_0_ROTATE_PC_PTR(1));
   set_rect(0, 0, 0, W, H, 0, 1, 1);
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   assert_false(stream_run(&s));
   assert_non_null(strstr(s.fault.message, "rotate"));
   stream_destroy(&s);
}

/* 2x2 pixels at once, whose coverage counts for each of them. */
static void
coverage_of_coarse_pixels(void **state)
{
   for (unsigned parts = 0; parts < 2; parts++) {
      struct stream s = open_stream();
      struct target_info tiled = target(0), resolved = target(4);
      tiled.mode = 27;
      tiled.samples_log2 = 2;
      set_target(&s, 0, &tiled);
      set_samples_4x(&s);
      set_reg(&s, R_SPI_SHADER_PGM_LO_PS, 4);
      set_reg(&s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_MASK_EXPORT_ENABLE(1));
      set_reg(&s, R_SPI_SHADER_Z_FORMAT, V_SPI_SHADER_32_ABGR);
      set_reg(&s, R_PA_CL_VRS_CNTL, S_PA_CL_VRS_CNTL_EXPOSE_VRS_PIXELS_MASK(parts));
      set_reg(&s, R_DB_VRS_OVERRIDE_CNTL,
              S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_COMBINER_MODE(V_SC_VRS_COMB_MODE_OVERRIDE) |
                 S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_X(1) | S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_Y(1));
      set_rect(0, 0, 0, W, H, 0, 1, 1);
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      set_target(&s, 1, &resolved);
      set_reg(&s, R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_MODE(V_CB_RESOLVE) | S_CB_COLOR_CONTROL_ROP3(V_ROP3_COPY));
      set_reg(&s, R_PA_SC_AA_CONFIG, 0);
      set_reg(&s, R_DB_SHADER_CONTROL, 0);
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      if (parts) {
         assert_false(stream_run(&s));
         assert_non_null(strstr(s.fault.message, "coverage of a coarse pixel's parts"));
      } else {
         must_run(&s);
         for (unsigned i = 0; i < 4; i++)
            assert_int_equal(pixel(&s, 4, 0, 20 + i % 2, 20 + i / 2)[0], (3 * 255 + 2) / 4);
      }
      stream_destroy(&s);
   }
}

/* Four runs a pixel, one for each sample. */
static void
start_samples(struct stream *s)
{
   const uint32_t inputs = S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1) | S_SPI_PS_INPUT_ENA_ANCILLARY_ENA(1);
   set_samples_4x(s);
   set_reg(s, R_SPI_SHADER_PGM_LO_PS, 3);
   set_reg(s, R_SPI_PS_INPUT_ENA, inputs);
   set_reg(s, R_SPI_PS_INPUT_ADDR, inputs);
   set_reg(s, R_PA_SC_MODE_CNTL_1, S_PA_SC_MODE_CNTL_1_PS_ITER_SAMPLE(1));
   set_reg(s, R_DB_EQAA, S_DB_EQAA_MAX_ANCHOR_SAMPLES(2) | S_DB_EQAA_PS_ITER_SAMPLES(2));
}

static void
draw_and_resolve(struct stream *s, const struct target_info *resolved)
{
   set_rect(0, 0, 0, W, H, 0, 1, 1);
   draw_auto(s, V_DI_PT_RECTLIST, 3);
   set_target(s, 1, resolved);
   set_reg(s, R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_MODE(V_CB_RESOLVE) | S_CB_COLOR_CONTROL_ROP3(V_ROP3_COPY));
   set_reg(s, R_PA_SC_AA_CONFIG, 0);
   set_reg(s, R_PA_SC_AA_MASK_X0Y0_X1Y0, 0xffffffff);
   set_reg(s, R_PA_SC_AA_MASK_X0Y1_X1Y1, 0xffffffff);
   set_reg(s, R_PA_SC_MODE_CNTL_1, 0);
   draw_auto(s, V_DI_PT_RECTLIST, 3);
}

/* Each sample holds its own number, and the resolve their mean. Where 2x2 pixels are shaded at once all of it is
 * sample 0. */
static void
shade_samples(bool coarse)
{
   struct stream s = open_stream();
   struct target_info tiled = target(0), resolved = target(4);
   tiled.mode = 27;
   tiled.samples_log2 = 2;
   set_target(&s, 0, &tiled);
   start_samples(&s);
   set_reg(&s, R_PA_CL_VRS_CNTL, S_PA_CL_VRS_CNTL_SAMPLE_ITER_COMBINER_MODE(V_SC_VRS_COMB_MODE_OVERRIDE));
   if (coarse)
      set_reg(&s, R_DB_VRS_OVERRIDE_CNTL,
              S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_COMBINER_MODE(V_SC_VRS_COMB_MODE_OVERRIDE) |
                 S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_X(1) | S_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_Y(1));
   draw_and_resolve(&s, &resolved);
   must_run(&s);
   assert_int_equal(pixel(&s, 4, 0, 20, 20)[0], coarse ? 0 : (0 + 51 + 102 + 153 + 2) / 4);
   assert_int_equal(pixel(&s, 4, 0, 20, 20)[3], 255);
   stream_destroy(&s);
}

static void
per_sample_shading(void **state)
{
   shade_samples(false);
   shade_samples(true);
}

/* Four rasterised samples, one run each, which holds its number; targets of as many or fewer samples take the first
 * ones. Where only the last two are rasterised, that is none for targets of up to two. */
static void
targets_of_fewer_samples(void **state)
{
   static const struct {
      unsigned samples_log2, mask, red, alpha;
   } rows[] = {{0, 15, 0, 255},
               {1, 15, (0 + 51 + 1) / 2, 255},
               {2, 15, (0 + 51 + 102 + 153 + 2) / 4, 255},
               {0, 12, 0, 0},
               {1, 12, 0, 0},
               {2, 12, (102 + 153 + 2) / 4, (2 * 255 + 2) / 4},
               {1, 10, 51 / 2 + 1, (255 + 1) / 2}};
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = open_stream();
      struct target_info few = target(0), resolved = target(4);
      few.mode = 27;
      few.samples_log2 = rows[i].samples_log2;
      set_target(&s, 0, &few);
      start_samples(&s);
      set_reg(&s, R_PA_SC_AA_MASK_X0Y0_X1Y0, rows[i].mask * 0x00010001);
      set_reg(&s, R_PA_SC_AA_MASK_X0Y1_X1Y1, rows[i].mask * 0x00010001);
      draw_and_resolve(&s, &resolved);
      must_run(&s);
      assert_int_equal(pixel(&s, 4, 0, 20, 20)[0], rows[i].red);
      assert_int_equal(pixel(&s, 4, 0, 20, 20)[3], rows[i].alpha);
      stream_destroy(&s);
   }
}

/* More samples than are rasterised: nothing says what the others get. */
static void
targets_of_more_samples(void **state)
{
   struct stream s = open_stream();
   struct target_info more = target(0);
   more.mode = 27;
   more.samples_log2 = 3;
   set_target(&s, 0, &more);
   set_samples_4x(&s);
   set_rect(0, 0, 0, W, H, 0, 1, 1);
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   assert_false(stream_run(&s));
   assert_non_null(strstr(s.fault.message, "colour target 0 of 8 samples under 4"));
   stream_destroy(&s);
}

/* A constant bias of 2^-4 in units of the format, and a slope of 1/64 a pixel times 4: both end at z + 1/16. */
static void
depth_bias(void **state)
{
   for (unsigned slope = 0; slope < 2; slope++) {
      struct stream s = open_stream();
      uint32_t base = (uint32_t)((stream_base + DEPTH_B) >> 8);
      set_reg(&s, R_DB_Z_INFO(AMD_GFX10_3), S_DB_Z_INFO_FORMAT(V_Z_16) | S_DB_Z_INFO_SW_MODE(24));
      set_reg(&s, R_DB_Z_READ_BASE(AMD_GFX10_3), base);
      set_reg(&s, R_DB_Z_WRITE_BASE, base);
      set_reg(&s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (W - 1));
      set_reg(&s, R_DB_DEPTH_CONTROL,
              S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(1) |
                 S_DB_DEPTH_CONTROL_ZFUNC(V_FRAG_ALWAYS));
      set_reg(&s, R_PA_SU_SC_MODE_CNTL,
              S_PA_SU_SC_MODE_CNTL_POLY_OFFSET_FRONT_ENABLE(1) | S_PA_SU_SC_MODE_CNTL_POLY_OFFSET_BACK_ENABLE(1));
      set_reg(&s, R_PA_SU_POLY_OFFSET_DB_FMT_CNTL, (uint8_t)-16);
      for (unsigned face = 0; face < 2; face++) {
         set_float(&s, R_PA_SU_POLY_OFFSET_FRONT_SCALE + 8 * face, slope ? 4.0f * 16.0f : 0.0f);
         set_float(&s, R_PA_SU_POLY_OFFSET_FRONT_OFFSET + 8 * face, slope ? 0.0f : 4096.0f);
      }
      set_vertex_px(0, 0, 0, 0.0f, 1, 1);
      set_vertex_px(1, 64, 0, slope ? 1.0f : 0.0f, 1, 1);
      set_vertex_px(2, 0, 64, 0.0f, 1, 1);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      must_run(&s);
      uint16_t first; /* the texel at (0, 0) is the block's first */
      memcpy(&first, s.memory + DEPTH_B, 2);
      assert_true(fabs(first / 65535.0 - 1 / 16.0 - (slope ? 0.5 / 64 : 0)) < 1e-4);
      stream_destroy(&s);
   }
}

/* Maps pages of a sparse surface, from the host's pages in turn; '-': a hole. */
static void
map_pages(struct stream *s, uint64_t va, const char *pages, uint8_t *host)
{
   for (unsigned i = 0; pages[i]; i++) {
      uint8_t *page = pages[i] == '-' ? NULL : host + (pages[i] - 'a') * 4096;
      assert_true(sim_vm_map(s->vm, sim_va(va + i * 4096), 4096, page, page ? SIM_READ | SIM_WRITE : SIM_PRT));
   }
}

/* Sparse images: rows 0 to 7 and 16 to 31 are there, in pages that lie apart; the others swallow what is drawn. */
static void
targets_in_pieces(void **state)
{
   enum { PAGE_ROWS = 8 };
   static const uint64_t va = UINT64_C(0x300000000);
   struct stream s = open_stream();
   uint8_t *host = aligned_alloc(4096, 3 * 4096);
   memset(host, 0x55, 3 * 4096);
   map_pages(&s, va, "c-ab", host);
   const struct target_info t = {.va = va, .width = W, .height = H, .format = V_COLOR_16_16_16_16};
   set_target(&s, 0, &t);
   set_rect(0, 0, 0, W, H, 0, 1.0f, 0.0f);
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   must_run(&s);
   set_rect(0, 32, 0, W, H, 0, 0.0f, 1.0f); /* the right half, on what is there */
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   must_run(&s);
   for (unsigned page = 0; page < 3; page++) {
      for (unsigned i = 0; i < PAGE_ROWS * W; i++) {
         uint16_t texel[4];
         memcpy(texel, host + page * 4096 + i * 8, 8);
         assert_int_equal(texel[0], i % W < 32 ? 0xffff : 0);
         assert_int_equal(texel[1], i % W < 32 ? 0 : 0xffff);
      }
   }
   stream_destroy(&s);
   free(host);
}

/* What was written into the pages of one draw is what the next one tests against, but for the holes. */
static void
depth_in_pieces(void **state)
{
   static const uint64_t va = UINT64_C(0x300000000);
   struct stream s = open_stream();
   uint8_t *host = aligned_alloc(4096, 16 * 4096);
   memset(host, 0, 16 * 4096);
   map_pages(&s, va, "-onmlkjihgfedcba", host);
   set_reg(&s, R_DB_Z_INFO(AMD_GFX10_3), S_DB_Z_INFO_FORMAT(V_Z_32_FLOAT) | S_DB_Z_INFO_SW_MODE(24));
   set_reg(&s, R_DB_Z_READ_BASE(AMD_GFX10_3), (uint32_t)(va >> 8));
   set_reg(&s, R_DB_Z_READ_BASE_HI(AMD_GFX10_3), (uint32_t)(va >> 40));
   set_reg(&s, R_DB_Z_WRITE_BASE, (uint32_t)(va >> 8));
   set_reg(&s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (W - 1));
   for (unsigned pass = 0; pass < 2; pass++) {
      set_reg(&s, R_DB_DEPTH_CONTROL,
              S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(!pass) |
                 S_DB_DEPTH_CONTROL_ZFUNC(pass ? V_FRAG_EQUAL : V_FRAG_ALWAYS));
      set_rect(0, 0, 0, W, H, 0.25f, pass ? 1.0f : 0.0f, 0);
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      must_run(&s);
   }
   unsigned equal = 0;
   for (unsigned i = 0; i < W * H; i++)
      equal += pixel(&s, 0, 0, i % W, i / W)[0] == 255;
   unsigned quarters = 0;
   for (unsigned i = 0; i < 16 * 4096; i += 4)
      quarters += !memcmp(host + i, &(float){0.25f}, 4);
   assert_int_equal(quarters, equal);
   assert_in_range(equal, W * H / 2, W * H - 1);
   stream_destroy(&s);
   free(host);
}

enum part { COLOR, DEPTH, HTILE, RATES };

/* A surface of the part at va, W x H, or for depth 2 * W x H. */
static void
use_part(struct stream *s, enum part part, uint64_t va)
{
   const uint32_t base[2] = {(uint32_t)(va >> 8), (uint32_t)(va >> 40)};
   const uint64_t depth_va = part == DEPTH ? va : stream_base + DEPTH_B;
   const struct target_info t = {.va = va, .width = W, .height = H, .format = V_COLOR_8_8_8_8};
   if (part == COLOR) {
      set_target(s, 0, &t);
      return;
   }
   set_reg(s, R_DB_Z_INFO(AMD_GFX10_3),
           S_DB_Z_INFO_FORMAT(V_Z_32_FLOAT) | S_DB_Z_INFO_SW_MODE(24) |
              S_DB_Z_INFO_TILE_SURFACE_ENABLE(part != DEPTH));
   set_reg(s, R_DB_Z_READ_BASE(AMD_GFX10_3), (uint32_t)(depth_va >> 8));
   set_reg(s, R_DB_Z_READ_BASE_HI(AMD_GFX10_3), (uint32_t)(depth_va >> 40));
   set_reg(s, R_DB_Z_WRITE_BASE, (uint32_t)(depth_va >> 8));
   set_reg(s, R_DB_Z_WRITE_BASE_HI(AMD_GFX10_3), (uint32_t)(depth_va >> 40));
   set_reg(s, R_DB_HTILE_DATA_BASE, base[0]);
   set_reg(s, R_DB_HTILE_DATA_BASE_HI(AMD_GFX10_3), base[1]);
   set_reg(s, R_DB_HTILE_SURFACE,
           S_DB_HTILE_SURFACE_PIPE_ALIGNED(1) |
              S_DB_HTILE_SURFACE_VRS_HTILE_ENCODING(part == RATES ? V_VRS_HTILE_4BIT_ENCODING : 0));
   set_reg(s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (2 * W - 1));
   set_reg(s, R_PA_SC_WINDOW_SCISSOR_BR, H << 16 | 2 * W);
   if (part == RATES)
      set_reg(s, R_PA_CL_VRS_CNTL, S_PA_CL_VRS_CNTL_HTILE_RATE_COMBINER_MODE(V_SC_VRS_COMB_MODE_OVERRIDE));
   else
      set_reg(s, R_DB_DEPTH_CONTROL,
              S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(1) |
                 S_DB_DEPTH_CONTROL_ZFUNC(V_FRAG_ALWAYS));
}

/* One page of each surface is mapped: pixels in it are drawn, others are a fault. */
static void
pixels_past_the_mapping(void **state)
{
   static const uint64_t va = UINT64_C(0x300000000);
   static const struct {
      enum part part;
      int past[2]; /* a corner of 8x8 px; those at (0, 0) are inside */
      const char *what;
   } rows[] = {
      {COLOR, {0, 16}, "colour target"}, /* lines of 256 bytes */
      {DEPTH, {32, 24}, "depth surface"},
      {HTILE, {64, 0}, "HTILE"}, /* x 6 is bit 15 */
      {RATES, {64, 0}, "shading rates"},
   };
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
      const enum part part = rows[i / 2].part;
      const int x = i & 1 ? rows[i / 2].past[0] : 0, y = i & 1 ? rows[i / 2].past[1] : 0;
      struct stream s = open_stream();
      uint8_t *host = aligned_alloc(4096, 4096);
      memset(host, 0xff, 4096);
      sim_vm_map(s.vm, sim_va(va), 4096, host, SIM_READ | SIM_WRITE);
      use_part(&s, part, va);
      set_rect(0, x, y, x + 8, y + 8, 0.25f, 1.0f, 0.0f);
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      bool ran = stream_run(&s);
      if (ran != !(i & 1))
         fail_msg("%s: %s", rows[i / 2].what, ran ? "ran" : s.fault.message);
      if (!ran && (s.fault.kind != SIM_FAULT_ADDRESS || !strstr(s.fault.message, rows[i / 2].what)))
         fail_msg("%s: %s", rows[i / 2].what, s.fault.message);
      stream_destroy(&s);
      free(host);
   }
}

static _Atomic unsigned waves_run;

static void
counting_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   waves_run++;
   pixel_shader(start, exports, count);
}

/* Nobody takes the colour: the shader runs where registers say that it does more than that. */
static void
shaders_without_targets(void **state)
{
   static const struct {
      uint32_t control;
      bool runs;
   } rows[] = {
      {S_DB_SHADER_CONTROL_Z_ORDER(V_EARLY_Z_THEN_LATE_Z), false},
      {S_DB_SHADER_CONTROL_Z_ORDER(V_LATE_Z), false},
      {S_DB_SHADER_CONTROL_Z_ORDER(V_LATE_Z) | S_DB_SHADER_CONTROL_EXEC_ON_HIER_FAIL(1), true},
      {S_DB_SHADER_CONTROL_Z_ORDER(V_EARLY_Z_THEN_LATE_Z) | S_DB_SHADER_CONTROL_EXEC_ON_NOOP(1), true},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = open_stream();
      native_shaders[2] = counting_shader;
      waves_run = 0;
      set_reg(&s, R_CB_TARGET_MASK, 0);
      set_reg(&s, R_DB_SHADER_CONTROL, rows[i].control);
      set_rect(0, 0, 0, W, H, 0, 1.0f, 0.5f);
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      must_run(&s);
      assert_int_equal(waves_run != 0, rows[i].runs);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(eight_targets),
      cmocka_unit_test(dual_source),
      cmocka_unit_test(layers_and_viewports),
      cmocka_unit_test(clip_and_cull_distances),
      cmocka_unit_test(flat_takes_the_provoking_vertex),
      cmocka_unit_test(vertices_in_their_order),
      cmocka_unit_test(turned_inputs),
      cmocka_unit_test(per_sample_shading),
      cmocka_unit_test(targets_of_fewer_samples),
      cmocka_unit_test(targets_of_more_samples),
      cmocka_unit_test(coverage_of_coarse_pixels),
      cmocka_unit_test(depth_bias),
      cmocka_unit_test(shaders_without_targets),
      cmocka_unit_test(targets_in_pieces),
      cmocka_unit_test(depth_in_pieces),
      cmocka_unit_test(pixels_past_the_mapping),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

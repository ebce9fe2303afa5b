/* What the state of draws does, each with numbers worked out by hand: queries, stencil, depth attachments, tests by
 * programs, hidden surface removal, flat shading, points, strips, restart, layers, clipping, and faults. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render_try.h"
#include "util/macros.h"

static unsigned failures;

#define EXPECT(condition, ...)                                                                                       \
   do {                                                                                                              \
      if (!(condition)) {                                                                                            \
         printf("%s: ", __func__);                                                                                   \
         printf(__VA_ARGS__);                                                                                        \
         printf("\n");                                                                                               \
         failures++;                                                                                                 \
      }                                                                                                              \
   } while (0)

enum { CLEAR = 0xff996633, RED = 0xff0000ff, GREEN = 0xff00ff00, BLUE = 0xffff0000, WHITE = 0xffffffff };

static bool
run_render(struct render_try *r, const char *test)
{
   bool ok = render_run(r);
   if (!ok) {
      printf("%s: %s\n", test, r->fault.message);
      failures++;
   }
   return ok;
}

/* Eight words a vertex. */
static void
set_vertex(const struct render_try *r, float *out, float x_px, float y_px, float z, const float user[4])
{
   out[0] = x_px / (float)r->width_px * 2.0f - 1.0f;
   out[1] = y_px / (float)r->height_px * 2.0f - 1.0f;
   out[2] = z;
   out[3] = 1.0f;
   memcpy(out + 4, user, 16);
}

/* Two triangles. */
static void
set_rect(const struct render_try *r, float out[48], float x0, float y0, float x1, float y1, float z, uint32_t rgba)
{
   /* size: coordinates of a rectangle */
   const float corners[6][2] = {{x0, y0}, {x1, y0}, {x0, y1}, {x0, y1}, {x1, y0}, {x1, y1}};
   const float user[4] = {(float)(rgba & 255) / 255.0f, (float)(rgba >> 8 & 255) / 255.0f,
                          (float)(rgba >> 16 & 255) / 255.0f, (float)(rgba >> 24) / 255.0f};
   for (unsigned i = 0; i < 6; i++)
      set_vertex(r, out + i * 8, corners[i][0], corners[i][1], z, user);
}

/* A rectangle, its data kept until it is added. */
static struct render_draw
rect(const struct render_try *r, float data[48], float x0, float y0, float x1, float y1, float z, uint32_t rgba)
{
   /* size: coordinates of a rectangle */
   struct render_draw d = render_draw(r);
   set_rect(r, data, x0, y0, x1, y1, z, rgba);
   d.data = data, d.data_count = 48, d.count = 6;
   return d;
}

static unsigned
count_pixels(const struct render_try *r, uint32_t colour, uint32_t layer)
{
   unsigned count = 0;
   for (uint32_t y = 0; y < r->height_px; y++)
      for (uint32_t x = 0; x < r->width_px; x++)
         count += render_pixel(r, x, y, layer, 0) == colour;
   return count;
}

static void
test_queries(uint32_t samples)
{
   struct render_try r;
   float data[48];
   render_begin(&r, 64, 64, samples, 1);
   uint64_t *results = render_host(&r, r.command.isp_oclqry_base);
   results[3] = 1000;
   struct render_draw d = rect(&r, data, 3, 5, 43, 35, 0.5f, RED);
   d.face.disable_depth_write = false;
   d.control.visibility_mode = AGX_VISIBILITY_MODE_COUNTING;
   d.query = 3;
   render_add(&r, &d);
   d = rect(&r, data, 0, 0, 64, 64, 0.75f, GREEN);
   d.face.depth_function = AGX_ZS_FUNC_LESS;
   d.control.visibility_mode = AGX_VISIBILITY_MODE_BOOLEAN;
   d.query = 4;
   render_add(&r, &d);
   d = rect(&r, data, 10, 10, 30, 30, 0.75f, BLUE);
   d.face.depth_function = AGX_ZS_FUNC_LESS;
   d.control.visibility_mode = AGX_VISIBILITY_MODE_COUNTING;
   d.query = 5;
   render_add(&r, &d);
   if (run_render(&r, "queries")) {
      EXPECT(results[3] == 1000 + 1200 * samples, "%u samples: %lu", samples, (unsigned long)results[3]);
      EXPECT(results[4] == 1, "boolean: %lu", (unsigned long)results[4]);
      EXPECT(results[5] == 0, "hidden: %lu", (unsigned long)results[5]);
   }
   render_free(&r);
}

/* The stencil after one draw that passes, fails its depth test or fails its stencil test. */
static void
test_stencil(void)
{
   static const struct {
      enum agx_stencil_op op;
      uint8_t old, result;
   } rows[] = {
      {AGX_STENCIL_OP_KEEP, 7, 7},         {AGX_STENCIL_OP_ZERO, 7, 0},         {AGX_STENCIL_OP_REPLACE, 7, 0x5a},
      {AGX_STENCIL_OP_INCR_SAT, 254, 255}, {AGX_STENCIL_OP_INCR_SAT, 255, 255}, {AGX_STENCIL_OP_DECR_SAT, 1, 0},
      {AGX_STENCIL_OP_DECR_SAT, 0, 0},     {AGX_STENCIL_OP_INVERT, 0x0f, 0xf0}, {AGX_STENCIL_OP_INCR_WRAP, 255, 0},
      {AGX_STENCIL_OP_DECR_WRAP, 0, 255},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows) * 3; i++) {
      unsigned row = i / 3, when = i % 3; /* pass, depth fails, stencil fails */
      struct render_try r;
      float data[48];
      render_begin(&r, 32, 32, 1, 1);
      r.command.isp_bgobjvals = 0x300 | rows[row].old;
      r.command.zls_ctrl = 1u << 18;
      r.command.stencil_base = render_memory(&r, NULL, 0x4000);
      struct render_draw d = rect(&r, data, 0, 0, 32, 32, 0.5f, RED);
      d.control.stencil_test_enable = true;
      d.face.stencil_reference = 0x5a;
      d.face.depth_function = when == 1 ? AGX_ZS_FUNC_GREATER : AGX_ZS_FUNC_LESS;
      d.stencil.compare = when == 2 ? AGX_ZS_FUNC_NEVER : AGX_ZS_FUNC_ALWAYS;
      d.stencil.depth_pass = when == 0 ? rows[row].op : AGX_STENCIL_OP_INVERT;
      d.stencil.depth_fail = when == 1 ? rows[row].op : AGX_STENCIL_OP_INVERT;
      d.stencil.stencil_fail = when == 2 ? rows[row].op : AGX_STENCIL_OP_INVERT;
      render_add(&r, &d);
      if (run_render(&r, "stencil")) {
         uint8_t got = *(uint8_t *)render_host(&r, r.command.stencil_base);
         EXPECT(got == rows[row].result, "row %u case %u: %02x", row, when, got);
         EXPECT(count_pixels(&r, RED, 0) == (when ? 0 : 1024), "row %u case %u: colour", row, when);
      }
      render_free(&r);
   }
}

static void
test_stencil_masks(void)
{
   struct render_try r;
   float data[48];
   render_begin(&r, 32, 32, 1, 1);
   struct render_draw d = rect(&r, data, 4, 4, 12, 12, 0.5f, RED);
   d.control.stencil_test_enable = true;
   d.face.stencil_reference = 0xff;
   d.stencil.write_mask = 0x0c;
   d.stencil.depth_pass = AGX_STENCIL_OP_REPLACE;
   render_add(&r, &d);
   d = rect(&r, data, 0, 0, 32, 32, 0.5f, GREEN);
   d.control.stencil_test_enable = true;
   d.face.stencil_reference = 0xf4;
   d.stencil.read_mask = 0x07;
   d.stencil.compare = AGX_ZS_FUNC_EQUAL; /* 4 == 0x0c & 7 */
   render_add(&r, &d);
   if (run_render(&r, "stencil masks"))
      EXPECT(count_pixels(&r, GREEN, 0) == 64, "%u pixels", count_pixels(&r, GREEN, 0));
   render_free(&r);
}

/* Depth goes to memory and comes back in another render. */
static void
test_depth_attachment(bool is_16, uint32_t samples)
{
   struct render_try r;
   float data[48];
   render_begin(&r, 80, 48, samples, 1);
   uint32_t format = is_16 ? 2u << 25 : 0;
   r.command.depth_base = render_memory(&r, NULL, 0x40000);
   r.command.zls_ctrl = 1u << 19 | format;
   r.command.isp_bgobjdepth = is_16 ? 0xffff : 0x3f800000;
   r.command.flag_dbias_is_int = is_16;
   struct render_draw d = rect(&r, data, 8, 8, 40, 40, 0.3f, RED);
   d.face.disable_depth_write = false;
   render_add(&r, &d);
   if (!run_render(&r, "depth attachment"))
      return;
   r.command.zls_ctrl = 1u << 15 | format;
   r.stream_dw = 0;
   d = rect(&r, data, 0, 0, 80, 48, 0.3f, GREEN);
   d.face.depth_function = AGX_ZS_FUNC_EQUAL;
   render_add(&r, &d);
   if (run_render(&r, "depth attachment"))
      EXPECT(count_pixels(&r, GREEN, 0) == 1024, "%u bits, %u samples: %u pixels", is_16 ? 16 : 32, samples,
             count_pixels(&r, GREEN, 0));
   render_free(&r);
}

/* Tests by the program. */
static const char odd_columns[] = "iter r4_r5_r6_r7, cf1, cf0\n"
                                  "mov r0l, thread_in_grid_x\n"
                                  "and r0l, r0l, 1\n"
                                  "csel r1l, r0l, 0, 0, 255, ieq\n"
                                  "pixwait 1, 0\n"
                                  "sample_mask 255, r1l\n"
                                  "pixwait 12, 0\n"
                                  "st_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw\n"
                                  "stop\n";
static const char own_depth[] = "iter r4_r5_r6_r7, cf1, cf0\n"
                                "ldimm r8, 1048576000\n" /* 0.25 */
                                "pixwait 1, 0\n"
                                "zs_emit 255, r8\n"
                                "pixwait 12, 0\n"
                                "st_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw\n"
                                "stop\n";

static void
test_late_tests(uint32_t samples)
{
   struct render_try r;
   float data[48];
   render_begin(&r, 64, 32, samples, 1);
   struct render_draw d = rect(&r, data, 0, 0, 32, 32, 0.5f, RED);
   d.fragment = odd_columns;
   d.early = false;
   d.control.pass_type = AGX_PASS_TYPE_PUNCH_THROUGH;
   d.face.disable_depth_write = false;
   d.face.depth_function = AGX_ZS_FUNC_LESS;
   render_add(&r, &d);
   d = rect(&r, data, 0, 0, 64, 32, 0.75f, GREEN); /* where the other was killed there is room */
   d.face.disable_depth_write = false;
   d.face.depth_function = AGX_ZS_FUNC_LESS;
   render_add(&r, &d);
   d = rect(&r, data, 0, 0, 64, 8, 0.9f, BLUE);
   d.fragment = own_depth;
   d.early = false;
   d.control.pass_type = AGX_PASS_TYPE_PUNCH_THROUGH;
   d.face.depth_function = AGX_ZS_FUNC_LESS;
   d.face_2.disable_depth_write = false;
   render_add(&r, &d);
   if (run_render(&r, "tests by programs")) {
      unsigned red = count_pixels(&r, RED, 0), green = count_pixels(&r, GREEN, 0), blue = count_pixels(&r, BLUE, 0);
      EXPECT(red == 16 * 24 && green == 48 * 24 && blue == 64 * 8, "%u samples: %u, %u, %u", samples, red, green,
             blue);
   }
   render_free(&r);
}

static void
expect_fault(const char *program, bool early, enum agx_pass_type pass, const char *message)
{
   struct render_try r;
   float data[48];
   render_begin(&r, 32, 32, 1, 1);
   struct render_draw d = rect(&r, data, 0, 0, 32, 32, 0.5f, RED);
   d.fragment = program;
   d.early = early;
   d.control.pass_type = pass;
   render_add(&r, &d);
   bool ok = render_run(&r);
   EXPECT(!ok && strstr(r.fault.message, message), "\"%s\" instead of \"%s\"", ok ? "no fault" : r.fault.message,
          message);
   render_free(&r);
}

static void
test_program_faults(void)
{
   expect_fault("pixwait 1, 0\nsample_mask 255, 255\nsample_mask 255, 255\nstop\n", false,
                AGX_PASS_TYPE_PUNCH_THROUGH, "tested already");
   expect_fault("mov r0l, thread_in_grid_x\nand r0l, r0l, 1\npixwait 1, 0\nsample_mask r0l, 255\nstop\n", false,
                AGX_PASS_TYPE_PUNCH_THROUGH, "neither tested nor killed");
   expect_fault("iter r4_r5_r6_r7, cf1, cf0\npixwait 12, 0\nst_tile r4_r5_r6_r7, 4, 255, 0, i32, xyzw\nstop\n", true,
                AGX_PASS_TYPE_OPAQUE, "of a sample that has 8");
}

/* Counts invocations at du2. */
static const char counting_program[] = "iter r4_r5_r6_r7, cf1, cf0\n"
                                       "ldimm r2, 1\n"
                                       "atomic _, r2, du2, 0, add, coherent1, a\n"
                                       "pixwait 12, 0\n"
                                       "st_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw\n"
                                       "stop\n";
/* Faults where it runs. */
static const char faulting_program[] = "iter r4_r5_r6_r7, cf1, cf0\n"
                                       "pixwait 12, 0\n"
                                       "st_tile r4_r5_r6_r7, 0, 255, 4, i32, xyzw\n"
                                       "stop\n";

/* Back to front, each draw over half of what is after it, as one triangle up to the scissor, so that there are no
 * helpers. What the first one's program does tells whether its hidden fragments run. */
static void
add_stairs(struct render_try *r, const char *program, uint64_t *counter)
{
   const uint32_t zeros[4] = {0};
   for (unsigned i = 0; i < 4; i++) {
      float data[48], z = 0.9f - 0.2f * (float)i;
      struct render_draw d = rect(r, data, 0, 0, 64, 64, z, i & 1 ? RED : GREEN);
      set_vertex(r, data + 8, 256, 0, z, data + 4);
      set_vertex(r, data + 16, 0, 256, z, data + 4);
      d.count = 3;
      d.scissors[0].max_y = 64u >> i;
      d.fragment = i ? render_colour_program : program;
      d.face.disable_depth_write = false;
      d.face.depth_function = AGX_ZS_FUNC_LESS;
      d.extra = zeros, d.extra_B = i ? 0 : 16;
      if (!i)
         *counter = align_up(r->used_B + sizeof(data), 128);
      render_add(r, &d);
   }
}

static void
test_hidden_surfaces(void)
{
   struct render_try r;
   uint64_t counter;
   float data[48];
   /* Programs that change memory run everywhere. */
   render_begin(&r, 64, 64, 1, 1);
   add_stairs(&r, counting_program, &counter);
   if (run_render(&r, "hidden surfaces")) {
      uint32_t count;
      memcpy(&count, r.memory + counter, 4);
      EXPECT(count == 4096, "%u fragments of a program that counts", count);
      EXPECT(count_pixels(&r, GREEN, 0) == 2048 + 512 && count_pixels(&r, RED, 0) == 1024 + 512, "colours");
   }
   render_free(&r);
   /* Others only where they show: half of the first one, and none of it after one more draw. */
   for (unsigned hidden = 0; hidden < 2; hidden++) {
      render_begin(&r, 64, 64, 1, 1);
      add_stairs(&r, faulting_program, &counter);
      struct render_draw d = rect(&r, data, 0, hidden ? 0 : 40, 64, 64, 0.1f, BLUE);
      d.face.depth_function = AGX_ZS_FUNC_LESS;
      render_add(&r, &d);
      bool ok = render_run(&r);
      EXPECT(ok == hidden, "hidden %u: %s", hidden, ok ? "runs" : r.fault.message);
      render_free(&r);
   }
}

/* A fragment that has failed its test is a helper from then on. */
static void
test_active_after_test(void)
{
   struct render_try r;
   float data[48];
   const uint32_t zeros[4] = {0};
   render_begin(&r, 64, 64, 1, 1);
   struct render_draw d = rect(&r, data, 0, 0, 64, 16, 0.25f, GREEN);
   d.face.disable_depth_write = false;
   render_add(&r, &d);
   d = rect(&r, data, 0, 0, 64, 64, 0.5f, RED);
   set_vertex(&r, data + 8, 256, 0, 0.5f, data + 4);
   set_vertex(&r, data + 16, 0, 256, 0.5f, data + 4);
   d.count = 3;
   d.fragment = "pixwait 1, 0\nsample_mask 255, 255\nldimm r0l, 0\nmov r1, is_active_thread\nldimm r2, 1\n"
                "if r1, 0, 1, ine\natomic _, r2, du2, 0, add, coherent1, a\npop_exec 1\nstop\n";
   d.early = false;
   d.control.pass_type = AGX_PASS_TYPE_PUNCH_THROUGH;
   d.face.depth_function = AGX_ZS_FUNC_LESS;
   d.extra = zeros, d.extra_B = 16;
   uint64_t counter = align_up(r.used_B + sizeof(data), 128);
   render_add(&r, &d);
   if (run_render(&r, "active threads")) {
      uint32_t count;
      memcpy(&count, r.memory + counter, 4);
      EXPECT(count == 64 * 48, "%u fragments", count);
   }
   render_free(&r);
}

/* Helpers write no pixels of images: as many are written as the triangle covers. */
static void
test_image_writes(void)
{
   struct render_try r;
   float data[24];
   const float user[4] = {0};
   render_begin(&r, 32, 32, 1, 1);
   const struct agx_pbe image = {.dimension = AGX_TEXTURE_DIMENSION_2D,
                                 .layout = AGX_LAYOUT_LINEAR,
                                 .channels = AGX_CHANNELS_R8G8B8A8,
                                 .type = AGX_TEXTURE_TYPE_UNORM,
                                 .swizzle_g = AGX_CHANNEL_G,
                                 .swizzle_b = AGX_CHANNEL_B,
                                 .swizzle_a = AGX_CHANNEL_A,
                                 .width_px = 32,
                                 .height_px = 32,
                                 .address = render_memory(&r, NULL, 4096),
                                 .stride_B = 128};
   uint8_t words[AGX_PBE_SIZE_B];
   agx_pbe_pack(words, &image);
   set_vertex(&r, data, 1, 1, 0.5f, user);
   set_vertex(&r, data + 8, 30, 9, 0.5f, user);
   set_vertex(&r, data + 16, 5, 29, 0.5f, user);
   struct render_draw d = render_draw(&r);
   d.data = data, d.data_count = 24;
   d.texture = render_memory(&r, words, sizeof(words));
   d.control.visibility_mode = AGX_VISIBILITY_MODE_COUNTING;
   d.fragment = "mov r0l, thread_in_grid_x\nmov r0h, thread_in_grid_y\nmov r4, r0l\nmov r5, r0h\n"
                "ldimm r8, 1065353216\nldimm r9, 1065353216\nldimm r10, 1065353216\nldimm r11, 1065353216\n"
                "imgw r8_r9_r10_r11, ts0, r4, 0, 2d\nstop\n";
   render_add(&r, &d);
   if (run_render(&r, "image writes")) {
      const uint32_t *texels = render_host(&r, image.address);
      uint64_t passed = *(uint64_t *)render_host(&r, r.command.isp_oclqry_base);
      unsigned written = 0;
      for (unsigned i = 0; i < 1024; i++)
         written += texels[i] == WHITE;
      EXPECT(passed > 300 && written == passed, "%u texels of %lu fragments", written, (unsigned long)passed);
   }
   render_free(&r);
}

/* Helpers change no memory: of two triangles that share a diagonal each fragment counts once. */
static void
test_helper_atomics(void)
{
   struct render_try r;
   float data[48];
   const uint32_t zeros[4] = {0};
   uint32_t count;
   render_begin(&r, 64, 64, 1, 1);
   struct render_draw d = rect(&r, data, 3, 5, 60, 47, 0.25f, GREEN);
   d.fragment = counting_program;
   d.extra = zeros, d.extra_B = 16;
   uint64_t counter = align_up(r.used_B + sizeof(data), 128);
   render_add(&r, &d);
   if (run_render(&r, "atomics of helpers")) {
      memcpy(&count, r.memory + counter, 4);
      EXPECT(count == 57 * 42, "%u fragments", count);
   }
   render_free(&r);
}

/* Flat colours: which vertex they are of. */
static const char flat_c[] = "ldcf r0_r1_r2, cf1\nldcf r4_r5_r6, cf2\nldcf r8_r9_r10, cf3\n"
                             "mov r0, r2\nmov r1, r6\nmov r2, r10\nldimm r3, 1065353216\n"
                             "pixwait 12, 0\nst_tile r0_r1_r2_r3, 0, 255, 0, u8norm, xyzw\nstop\n";
static const char flat_b[] = "ldcf r0_r1_r2, cf1\nldcf r4_r5_r6, cf2\nldcf r8_r9_r10, cf3\n"
                             "mov r0, r1\nmov r1, r5\nmov r2, r9\nldimm r3, 1065353216\n"
                             "pixwait 12, 0\nst_tile r0_r1_r2_r3, 0, 255, 0, u8norm, xyzw\nstop\n";

static void
test_flat(enum agx_primitive primitive, unsigned provoking, const char *program, const uint32_t expected[2])
{
   static const uint32_t colours[4] = {RED, GREEN, BLUE, WHITE};
   /* A strip of two triangles, or a fan around its first vertex: the left and the right half. */
   static const float strip[4][2] = {{0, 0}, {0, 32}, {32, 0}, {32, 32}};
   static const float fan[4][2] = {{0, 0}, {0, 32}, {32, 32}, {32, 0}};
   struct render_try r;
   float data[32];
   render_begin(&r, 32, 32, 1, 1);
   for (unsigned i = 0; i < 4; i++) {
      const float *at = primitive == AGX_PRIMITIVE_TRIANGLE_FAN ? fan[i] : strip[i];
      const float user[4] = {(float)(colours[i] & 1), (float)(colours[i] >> 8 & 1), (float)(colours[i] >> 16 & 1),
                             1.0f};
      set_vertex(&r, data + i * 8, at[0], at[1], 0.5f, user);
   }
   struct render_draw d = render_draw(&r);
   d.data = data, d.data_count = 32, d.count = 4;
   d.primitive = primitive;
   d.fragment = program;
   d.varyings = (struct agx_varying_counts_32){.flat = 4};
   static const enum agx_shade_model models[] = {AGX_SHADE_MODEL_FLAT_VERTEX_0, AGX_SHADE_MODEL_FLAT_VERTEX_1,
                                                 AGX_SHADE_MODEL_FLAT_VERTEX_2};
   d.cf[1].shade_model = models[provoking];
   d.cull.flat_shading_vertex = (enum agx_ppp_vertex)(AGX_PPP_VERTEX_0 + provoking);
   d.vertex_unknown.flat_shading_control = (enum agx_vdm_vertex)provoking;
   render_add(&r, &d);
   if (run_render(&r, "flat shading")) {
      bool is_fan = primitive == AGX_PRIMITIVE_TRIANGLE_FAN;
      uint32_t first = render_pixel(&r, 2, is_fan ? 20 : 6, 0, 0),
               second = render_pixel(&r, 28, is_fan ? 6 : 20, 0, 0);
      EXPECT(first == expected[0] && second == expected[1], "primitive %u vertex %u: %08x %08x", primitive, provoking,
             first, second);
   }
   render_free(&r);
}

/* Points of a size that the vertex says; point coordinates as colours. */
static void
test_points(bool up)
{
   struct render_try r;
   float data[16];
   const float user[4] = {8.0f};
   render_begin(&r, 64, 64, 1, 1);
   set_vertex(&r, data, 20, 20, 0.5f, user);
   set_vertex(&r, data + 8, 40, 33, 0.5f, user);
   struct render_draw d = render_draw(&r);
   d.data = data, d.data_count = 16, d.count = 2;
   d.primitive = AGX_PRIMITIVE_POINTS;
   d.varyings = (struct agx_varying_counts_32){0};
   d.outputs = (struct agx_output_select){.point_size = true, .varyings = true};
   d.vertex = render_short_vertex_program, d.words = 5;
   d.cf_slots = 1;
   d.cf_registers = 3;
   d.cf[1] = (struct agx_cf_binding){.components = 2,
                                     .shade_model = AGX_SHADE_MODEL_PERSPECTIVE,
                                     .source = AGX_COEFFICIENT_SOURCE_POINT_COORD,
                                     .base_coefficient_register = 1};
   d.face_2.object_type = up ? AGX_OBJECT_TYPE_POINT_SPRITE_UV10 : AGX_OBJECT_TYPE_POINT_SPRITE_UV01;
   d.fragment = "iter r4_r5, cf1, cf0\nldimm r6, 0\nldimm r7, 1065353216\npixwait 12, 0\n"
                "st_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw\nstop\n";
   render_add(&r, &d);
   if (run_render(&r, "points")) {
      EXPECT(count_pixels(&r, CLEAR, 0) == 64 * 64 - 128, "%u pixels are covered", 4096 - count_pixels(&r, CLEAR, 0));
      uint32_t top_left = render_pixel(&r, 16, 16, 0, 0);
      unsigned u = top_left & 255, v = top_left >> 8 & 255; /* 1/16, and that from the top or the bottom */
      EXPECT(u == 16 && v == (up ? 239 : 16), "point coordinates: %u, %u", u, v);
   }
   render_free(&r);
}

/* Indices of all sizes with restart: two strips of one triangle each. */
static void
test_indices(void)
{
   static const uint8_t narrow[] = {0, 1, 2, 0xff, 3, 4, 5};
   static const uint16_t middle[] = {0, 1, 2, 0xffff, 3, 4, 5};
   static const uint32_t wide[] = {0, 1, 2, 0xffffffff, 3, 4, 5};
   static const struct {
      const void *indices;
      uint32_t size_B, restart;
   } rows[] = {{narrow, 1, 0xff}, {middle, 2, 0xffff}, {wide, 4, 0xffffffff}};
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct render_try r;
      float data[56] = {0};
      render_begin(&r, 64, 64, 1, 1);
      set_rect(&r, data + 8, 0, 0, 16, 16, 0.5f, RED);
      struct render_draw d = render_draw(&r);
      d.data = data, d.data_count = 56, d.count = 7;
      d.start = 1;
      d.primitive = AGX_PRIMITIVE_TRIANGLE_STRIP;
      d.indices = rows[i].indices, d.index_size_B = rows[i].size_B;
      d.restart = true, d.restart_index = rows[i].restart;
      render_add(&r, &d);
      if (run_render(&r, "indices"))
         EXPECT(count_pixels(&r, RED, 0) == 256, "%u bytes: %u pixels", rows[i].size_B, count_pixels(&r, RED, 0));
      render_free(&r);
   }
}

/* Layer and viewport in one word of the vertex. */
static void
test_layers(void)
{
   struct render_try r;
   render_begin(&r, 32, 32, 1, 3);
   for (unsigned i = 0; i < 3; i++) {
      float data[48];
      struct render_draw d = rect(&r, data, 0, 0, 32, 32, 0.5f, 0);
      uint32_t target = i | (i & 1) << 16;
      for (unsigned v = 0; v < 6; v++)
         memcpy(&data[v * 8 + 4], &target, 4);
      d.varyings = (struct agx_varying_counts_32){0};
      d.outputs = (struct agx_output_select){.viewport_target = true, .render_target = true};
      d.vertex = render_short_vertex_program, d.words = 5;
      d.cf_count = d.cf_slots = d.cf_registers = 0;
      d.fragment = "ldimm r4, 1065353216\nldimm r5, 0\nldimm r6, 0\nldimm r7, 1065353216\npixwait 12, 0\n"
                   "st_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw\nstop\n";
      d.viewport_count = 2;
      d.viewports[1] = (struct agx_viewport){8, 8, 8, 8, 0, 1}; /* a quarter */
      d.scissors[1] = d.scissors[0];
      render_add(&r, &d);
   }
   if (run_render(&r, "layers"))
      for (unsigned i = 0; i < 3; i++)
         EXPECT(count_pixels(&r, RED, i) == (i & 1 ? 256 : 1024), "layer %u: %u pixels", i, count_pixels(&r, RED, i));
   render_free(&r);
}

/* A clip distance that is 0 in the middle of a rectangle; depth clip and clamp. */
static void
test_clipping(void)
{
   struct render_try r;
   float data[48];
   render_begin(&r, 32, 32, 1, 1);
   struct render_draw d = rect(&r, data, 0, 0, 32, 32, 0.5f, 0);
   for (unsigned v = 0; v < 6; v++)
      data[v * 8 + 4] = data[v * 8]; /* x */
   d.varyings = (struct agx_varying_counts_32){0};
   d.outputs = (struct agx_output_select){.clip_distance_0 = true};
   d.vertex = render_short_vertex_program, d.words = 5;
   d.cf_count = d.cf_slots = d.cf_registers = 0;
   d.fragment = "ldimm r4, 1065353216\nldimm r5, 0\nldimm r6, 0\nldimm r7, 1065353216\npixwait 12, 0\n"
                "st_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw\nstop\n";
   render_add(&r, &d);
   if (run_render(&r, "clipping"))
      EXPECT(count_pixels(&r, RED, 0) == 512 && render_pixel(&r, 16, 3, 0, 0) == RED, "clip distance: %u pixels",
             count_pixels(&r, RED, 0));
   render_free(&r);
   for (unsigned clamp = 0; clamp < 2; clamp++) {
      render_begin(&r, 32, 32, 1, 1);
      d = rect(&r, data, 0, 0, 32, 32, 0.0f, RED);
      for (unsigned v = 0; v < 6; v++)
         data[v * 8 + 2] = data[v * 8] * 2.0f; /* depth from -2 to 2 */
      d.cull.depth_clip = !clamp;
      d.cull.depth_clamp = clamp;
      render_add(&r, &d);
      if (run_render(&r, "clipping"))
         EXPECT(count_pixels(&r, RED, 0) == (clamp ? 1024 : 256), "depth clamp %u: %u pixels", clamp,
                count_pixels(&r, RED, 0));
      render_free(&r);
   }
}

static void
test_culling(void)
{
   for (unsigned i = 0; i < 8; i++) {
      struct render_try r;
      float data[48];
      render_begin(&r, 32, 32, 1, 1);
      struct render_draw d = rect(&r, data, 0, 0, 32, 32, 0.5f, RED); /* clockwise on the screen */
      d.cull.front_face_ccw = i & 1;
      d.cull.cull_front = i & 2;
      d.cull.cull_back = i & 4;
      bool culled = i & 1 ? d.cull.cull_back : d.cull.cull_front;
      render_add(&r, &d);
      if (run_render(&r, "culling"))
         EXPECT(count_pixels(&r, RED, 0) == (culled ? 0 : 1024), "case %u", i);
      render_free(&r);
   }
}

static void
test_scissor_and_instances(void)
{
   struct render_try r;
   float data[48];
   render_begin(&r, 64, 64, 1, 1);
   struct render_draw d = rect(&r, data, 0, 0, 64, 64, 0.5f, RED);
   d.scissors[0] = (struct agx_scissor){40, 7, 50, 21, 0.0f, 1.0f};
   d.instances = 3;
   d.control.visibility_mode = AGX_VISIBILITY_MODE_COUNTING;
   render_add(&r, &d);
   if (run_render(&r, "scissor")) {
      EXPECT(count_pixels(&r, RED, 0) == 33 * 29, "%u pixels", count_pixels(&r, RED, 0));
      uint64_t passed = *(uint64_t *)render_host(&r, r.command.isp_oclqry_base);
      EXPECT(passed == 3 * 33 * 29, "%lu samples of three instances", (unsigned long)passed);
   }
   render_free(&r);
}

/* State that contradicts itself, or that nobody set. */
static void
test_state_faults(void)
{
   for (unsigned i = 0; i < 6; i++) {
      static const char *const messages[] = {"nothing has set CULL", "takes slot 5 of 5",
                                             "OUTPUT_SIZE",          "flat shading is of vertex",
                                             "which OUTPUT_SELECT",  "coefficient registers"};
      struct render_try r;
      float data[48];
      render_begin(&r, 32, 32, 1, 1);
      struct render_draw d = rect(&r, data, 0, 0, 32, 32, 0.5f, RED);
      d.leave_out = i == 0 ? 1u << 21 : 0;
      d.cf[1].base_slot = i == 1 ? 5 : 1;
      d.varyings.linear = i == 2 ? 1 : 0;
      if (i == 3) {
         d.cf[1].shade_model = AGX_SHADE_MODEL_FLAT_VERTEX_2;
         d.varyings = (struct agx_varying_counts_32){.flat = 4};
      }
      if (i == 4)
         d.cf[0].source = AGX_COEFFICIENT_SOURCE_FRAGCOORD_Z;
      d.cf_registers = i == 5 ? 3 : 5;
      render_add(&r, &d);
      bool ok = render_run(&r);
      EXPECT(!ok && strstr(r.fault.message, messages[i]), "case %u: %s", i, ok ? "no fault" : r.fault.message);
      render_free(&r);
   }
}

int
main(void)
{
   test_queries(1);
   test_queries(4);
   test_stencil();
   test_stencil_masks();
   test_depth_attachment(false, 1);
   test_depth_attachment(true, 1);
   test_depth_attachment(false, 4);
   test_late_tests(1);
   test_late_tests(2);
   test_program_faults();
   test_hidden_surfaces();
   test_active_after_test();
   test_image_writes();
   test_helper_atomics();
   test_flat(AGX_PRIMITIVE_TRIANGLE_STRIP, 0, flat_c, (const uint32_t[]){RED, GREEN});
   test_flat(AGX_PRIMITIVE_TRIANGLE_STRIP, 2, flat_c, (const uint32_t[]){BLUE, WHITE});
   test_flat(AGX_PRIMITIVE_TRIANGLE_FAN, 1, flat_b, (const uint32_t[]){GREEN, BLUE});
   test_flat(AGX_PRIMITIVE_TRIANGLE_FAN, 2, flat_c, (const uint32_t[]){BLUE, WHITE});
   test_points(false);
   test_points(true);
   test_indices();
   test_layers();
   test_clipping();
   test_culling();
   test_scissor_and_instances();
   test_state_faults();
   printf("%u failures\n", failures);
   return failures != 0;
}

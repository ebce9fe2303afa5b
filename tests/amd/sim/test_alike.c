/* Draws whose pixels all export the same, by one quad for all and by every quad (where instructions are counted):
 * the same bytes in all of memory, with counts of samples and of invocations. And programs that look so and are not.
 * Random surfaces, primitives and states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/sim/wave/wave.h"
#include "shaded.h"
#include "text_program.h"
#include "util/macros.h"

enum { QUERY_B = 12 << 20, DEPTH_B = 16 << 20, MEMORY_B = 24 << 20, PRIMS = 12, DRAWS = 3, SCENES = 6 };

bool __real_amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch,
                         struct sim_fault *fault);
bool __wrap_amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch,
                         struct sim_fault *fault);

static struct {
   uint64_t alike, all; /* waves of pixels: that did not run, and those together with what ran */
   uint64_t instructions;
} waves;

bool
__wrap_amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   bool ok = __real_amd_wave_run(engine, launch, fault);
   waves.alike += launch->groups_alike;
   waves.all += launch->stage == AMD_STAGE_PS ? launch->group_count + launch->groups_alike : 0;
   waves.instructions = amd_wave_instructions(engine);
   return ok;
}

/* Four floats in s0 to s3, PRIM_MASK in s4, barycentrics in v0 and v1. */
#define MOVES "v_mov_b32 v4, s0\nv_mov_b32 v5, s1\nv_mov_b32 v6, s2\nv_mov_b32 v7, s3\n"
#define END "exp mrt0 v4, v5, v6, v7 done vm\ns_endpgm\n"
static const struct {
   const char *text;
   bool alike, halves;
} programs[] = {
   {MOVES END, true, false},
   {"v_cvt_pkrtz_f16_f32_e64 v0, s0, s1\nv_cvt_pkrtz_f16_f32_e64 v1, s2, s3\n"
    "exp mrt0 v0, v0, v1, v1 done compr vm\ns_endpgm\n",
    true, true},
   /* A part of the channels; a VGPR of which a half is written after the whole. */
   {"v_mov_b32 v0, s0\nv_cvt_f16_f32_e32 v0, s1\nexp mrt0 v0, off, v0, off done vm\ns_endpgm\n", true, false},
   {"s_mov_b32 m0, s4\nv_interp_mov_f32_e32 v4, p0, attr0.x\nv_interp_mov_f32_e32 v5, p0, attr0.y\n"
    "v_interp_mov_f32_e32 v6, p10, attr0.x\nv_mov_b32 v7, s3\n" END,
    true, false},
   {MOVES "v_mul_f32_e32 v4, v0, v4\n" END, false, false},
   {MOVES "v_mov_b32 v4, v0\n" END, false, false},
   {MOVES "v_mbcnt_lo_u32_b32 v5, -1, 0\nv_cvt_f32_u32_e32 v5, v5\nv_mul_f32_e32 v5, s0, v5\n" END, false, false},
   {MOVES "v_mov_b32_dpp v5, v4 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0\n" END, false, false},
   {MOVES "v_readfirstlane_b32 s6, v0\nv_mov_b32 v4, s6\n" END, false, false},
   {MOVES "v_cmp_gt_f32_e32 vcc, 0.5, v0\ns_and_b64 exec, exec, vcc\n" END, false, false},
   {MOVES "s_mov_b32 exec_lo, s0\n" END, false, false},
   {MOVES "v_cvt_f32_u32_e32 v4, s4\nv_mul_f32_e32 v4, 0x2f800000, v4\n" END, false, false},
   {MOVES "s_mov_b32 s5, exec_lo\nv_cvt_f32_u32_e32 v4, s5\nv_mul_f32_e32 v4, 0x2f800000, v4\n" END, false, false},
   {"v_cvt_f16_f32_e32 v0, s0\nv_cvt_f16_f32_e32 v1, s1\nexp mrt0 v0, v0, v1, v1 done compr vm\ns_endpgm\n", false,
    true},
   {"s_mov_b32 m0, s4\nv_interp_p1_f32_e32 v4, v0, attr0.x\nv_interp_p2_f32_e32 v4, v1, attr0.x\n"
    "v_mov_b32 v5, s1\nv_mov_b32 v6, s2\nv_mov_b32 v7, s3\n" END,
    false, false},
};

static uint64_t seed;

static uint32_t
random_below(uint32_t end)
{
   seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint32_t)((seed >> 33) % end);
}

static void
random_vertices(struct stream *s, bool whole)
{
   for (unsigned i = 0; i < 3 * PRIMS; i++) {
      const float z = (float)random_below(64) / 64.0f;
      set_vertex(s, i, random_below(16 * (W + 16)) / 16.0 - 8, random_below(16 * (H + 16)) / 16.0 - 8,
                 (float)random_below(256) / 255.0f, (float)random_below(256) / 255.0f);
      memcpy(s->memory + VERTEX_B + i * 32 + 8, &z, sizeof(z));
   }
   for (unsigned i = 0; i < 3 && whole; i++)
      set_vertex(s, i, i == 1 ? W : 0, i == 2 ? H : 0, 0.5f, 0.25f);
}

/* Returns whether one wave can be taken for others there. */
static bool
random_state(struct stream *s, bool halves)
{
   static const struct {
      uint8_t format, number;
   } formats[] = {{V_COLOR_8_8_8_8, V_NUMBER_UNORM},     {V_COLOR_8_8_8_8, V_NUMBER_SRGB},
                  {V_COLOR_16_16_16_16, V_NUMBER_FLOAT}, {V_COLOR_8, V_NUMBER_UNORM},
                  {V_COLOR_32_32_32_32, V_NUMBER_FLOAT}, {V_COLOR_16_16, V_NUMBER_FLOAT}};
   const unsigned f = random_below(ARRAY_SIZE(formats)), samples_log2 = random_below(3) ? 0 : 2;
   struct target_info target = {.va = stream_base + TARGET_B,
                                .width = W - random_below(9),
                                .height = H - random_below(9),
                                .format = formats[f].format,
                                .number = formats[f].number,
                                .samples_log2 = samples_log2 - random_below(samples_log2 + 1),
                                .mode = samples_log2 || random_below(2) ? 27 : 0}; /* 64KB_R_X or linear */
   const bool blends = !random_below(6);
   const unsigned mask = random_below(6) ? 15 : 5, depth = random_below(3);
   set_target(s, 0, &target);
   if (samples_log2)
      set_samples_4x(s);
   set_reg(s, R_SPI_SHADER_COL_FORMAT, halves ? V_SPI_SHADER_FP16_ABGR : V_SPI_SHADER_32_ABGR);
   set_reg(s, R_CB_TARGET_MASK, mask);
   if (!random_below(3)) {
      set_reg(s, R_VGT_DRAW_PAYLOAD_CNTL, S_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(1));
      set_reg(s, R_GE_VRS_RATE, S_GE_VRS_RATE_RATE_X(random_below(2)) | S_GE_VRS_RATE_RATE_Y(random_below(2)));
   }
   set_reg(s, R_CB_BLEND0_CONTROL,
           S_CB_BLEND0_CONTROL_ENABLE(blends) | S_CB_BLEND0_CONTROL_COLOR_SRCBLEND(V_BLEND_SRC_ALPHA) |
              S_CB_BLEND0_CONTROL_COLOR_DESTBLEND(V_BLEND_ONE_MINUS_SRC_ALPHA));
   set_reg(s, R_PA_SC_WINDOW_SCISSOR_TL, random_below(3) ? 0 : 5 << 16 | 3);
   set_reg(s, R_DB_Z_INFO(AMD_GFX10_3),
           S_DB_Z_INFO_FORMAT(depth ? V_Z_32_FLOAT : V_Z_INVALID) | S_DB_Z_INFO_SW_MODE(24) |
              S_DB_Z_INFO_NUM_SAMPLES(samples_log2));
   set_reg(s, R_DB_Z_READ_BASE(AMD_GFX10_3), (uint32_t)((stream_base + DEPTH_B) >> 8));
   set_reg(s, R_DB_Z_WRITE_BASE, (uint32_t)((stream_base + DEPTH_B) >> 8));
   set_reg(s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (W - 1));
   set_reg(s, R_DB_DEPTH_CONTROL,
           S_DB_DEPTH_CONTROL_Z_ENABLE(depth != 0) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(random_below(2)) |
              S_DB_DEPTH_CONTROL_ZFUNC(V_FRAG_GEQUAL));
   set_reg(s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_Z_ORDER(depth == 2 ? V_LATE_Z : V_EARLY_Z_THEN_LATE_Z));
   return !blends && mask == 15;
}

static void
emit_query(struct stream *s, unsigned event, unsigned index, unsigned at_B)
{
   const uint64_t va = stream_base + QUERY_B + at_B;
   emit_packet(s, PKT3_EVENT_WRITE, 3, (const uint32_t[3]){event | index << 8, (uint32_t)va, (uint32_t)(va >> 32)});
}

/* Draws some times, the first time with a program that has not run before. Returns whether some waves did not run.
 * may_be_alike: some could do without. */
static bool
draw(struct stream *s, unsigned program, bool count_instructions, bool *may_be_alike)
{
   const bool wave32 = random_below(2), whole = random_below(2);
   *s = open_stream(1 + random_below(2), wave32);
   if (count_instructions)
      assert_true(amd_sim_count(s->sim));
   write_text_program(s->memory + PS_B, AMD_GFX10_3, !wave32, programs[program].text);
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_PS, S_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR(4));
   set_reg(s, R_SPI_PS_INPUT_CNTL_0, S_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(0));
   set_reg(s, R_DB_COUNT_CONTROL, S_DB_COUNT_CONTROL_ZPASS_ENABLE(1));
   emit_packet(s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){V_PIPELINESTAT_START});
   *may_be_alike = random_state(s, programs[program].halves);
   random_vertices(s, whole);
   waves.alike = waves.all = 0;
   for (unsigned i = 0; i < DRAWS; i++) {
      for (unsigned c = 0; c < 4; c++)
         set_float(s, R_SPI_SHADER_USER_DATA_PS_0 + 4 * c, (float)random_below(256) / 255.0f);
      draw_auto(s, whole ? V_DI_PT_RECTLIST : V_DI_PT_TRILIST, whole ? 3 : 3 * PRIMS);
      emit_query(s, V_ZPASS_DONE, V_EVENT_INDEX_ZPASS, 512 * i);
   }
   emit_query(s, V_SAMPLE_PIPELINESTAT, V_EVENT_INDEX_SAMPLE_PIPELINESTAT, 2048);
   if (!stream_run(s))
      fail_msg("program %u: %s", program, s->fault.message);
   *may_be_alike &= whole;
   return waves.alike;
}

static bool
is_drawn(const struct stream *s)
{
   uint8_t any = 0;
   for (unsigned i = 0; i < 1 << 18; i++)
      any |= s->memory[TARGET_B + i];
   return any;
}

static void
one_quad_is_like_all(void **state)
{
   unsigned alike = 0, drawn = 0;
   for (unsigned program = 0; program < ARRAY_SIZE(programs); program++) {
      for (unsigned n = 0; n < SCENES; n++) {
         struct stream few, all;
         bool may_be_alike;
         const uint64_t scene = seed = program * 1000 + n;
         assert_false(draw(&all, program, true, &may_be_alike));
         const uint64_t waves_of_all = waves.all, instructions_of_all = waves.instructions;
         seed = scene;
         const bool was_alike = draw(&few, program, false, &may_be_alike);
         if (memcmp(few.memory, all.memory, MEMORY_B))
            fail_msg("program %u, scene %u: not the same bytes", program, n);
         assert_true(waves.all == waves_of_all && waves.instructions == instructions_of_all);
         assert_false(was_alike && !programs[program].alike);
         assert_false(programs[program].alike && may_be_alike && !was_alike);
         alike += was_alike;
         drawn += is_drawn(&few);
         stream_destroy(&few);
         stream_destroy(&all);
      }
   }
   assert_true(alike > SCENES && drawn > SCENES * ARRAY_SIZE(programs) * 7 / 8);
}

static void
set_viewport(struct stream *s, unsigned wide, unsigned high)
{
   set_float(s, R_PA_CL_VPORT_XSCALE, (float)wide / 2.0f);
   set_float(s, R_PA_CL_VPORT_XOFFSET, (float)wide / 2.0f);
   set_float(s, R_PA_CL_VPORT_YSCALE, (float)high / 2.0f);
   set_float(s, R_PA_CL_VPORT_YOFFSET, (float)high / 2.0f);
}

/* A triangle that has some of the rasteriser's bins whole, others in part, within a scissor. */
static void
whole_bins(void **state)
{
   enum { WIDE = 256, HIGH = 224, LEFT = 3, TOP = 5, RIGHT = 249, BOTTOM = 219 };
   const struct target_info target = {
      .va = stream_base + TARGET_B, .width = WIDE, .height = HIGH, .format = V_COLOR_8_8_8_8};
   const double across = 300.5;
   struct stream s = open_stream(1, false);
   set_viewport(&s, WIDE, HIGH);
   write_text_program(s.memory + PS_B, AMD_GFX10_3, true, programs[0].text);
   set_reg(&s, R_SPI_SHADER_PGM_RSRC2_PS, S_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR(4));
   set_target(&s, 0, &target);
   set_reg(&s, R_PA_SC_WINDOW_SCISSOR_TL, TOP << 16 | LEFT);
   set_reg(&s, R_PA_SC_WINDOW_SCISSOR_BR, BOTTOM << 16 | RIGHT);
   for (unsigned i = 0; i < 3; i++)
      set_vertex(&s, i, i == 1 ? across * W / WIDE : 0, i == 2 ? across * H / HIGH : 0, 0, 0);
   for (unsigned n = 1; n < 3; n++) {
      for (unsigned c = 0; c < 4; c++)
         set_float(&s, R_SPI_SHADER_USER_DATA_PS_0 + 4 * c, (float)n / 255.0f);
      draw_auto(&s, V_DI_PT_TRILIST, 3);
      waves.alike = 0;
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      assert_int_equal(waves.alike > 100, n == 2);
      for (unsigned i = 0; i < WIDE * HIGH; i++) {
         const unsigned x = i % WIDE, y = i / WIDE;
         bool inside = x >= LEFT && x < RIGHT && y >= TOP && y < BOTTOM && x + y + 1 < across;
         uint32_t texel;
         memcpy(&texel, s.memory + TARGET_B + 4 * i, 4);
         assert_int_equal(texel, inside ? n * 0x01010101 : 0);
      }
   }
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(one_quad_is_like_all), cmocka_unit_test(whole_bins)};
   unsetenv("INDIUM_REPORT"); /* a report asks for every wave */
   return cmocka_run_group_tests(tests, NULL, NULL);
}

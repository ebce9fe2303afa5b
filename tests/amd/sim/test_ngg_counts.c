/* What is counted of primitives from merged ES-GS waves, on GFX10.3 and GFX11: pipeline statistics, which are the
 * draw's numbers, and generated primitives, which programs count themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/sim/base/gpu.h"
#include "stream.h"
#include "text_program.h"
#include "util/macros.h"

enum { CODE_B = 2 << 20, OUT_B = 4 << 20, PER_GROUP = 10 };

/* One wave a subgroup. v10: lane; s5, s6: vertices and primitives that it gives out, which ask for room. */
#define LANES                                                                                                        \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "v_mbcnt_lo_u32_b32 v10, -1, 0\n"                                                                                 \
   "v_mbcnt_hi_u32_b32 v10, -1, v10\n"                                                                               \
   "v_mov_b32_e32 v20, 0\n"                                                                                          \
   "v_mov_b32_e32 v21, 1.0\n"                                                                                        \
   "s_and_b32 s5, s3, 0xff\n"                                                                                        \
   "s_bfe_u32 s6, s3, 0x80008\n"
#define ALLOCATE                                                                                                     \
   "s_lshl_b32 s7, s6, 12\n"                                                                                         \
   "s_or_b32 m0, s5, s7\n"                                                                                           \
   "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"
#define FIRST(count)                                                                                                 \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "v_cmp_gt_u32_e32 vcc, " count ", v10\n"                                                                          \
   "s_mov_b64 exec, vcc\n"
#define PRIM "exp prim v0, off, off, off done\n"
#define END                                                                                                          \
   FIRST("s5")                                                                                                       \
   "exp pos0 v20, v20, v20, v21 done\n"                                                                              \
   "s_endpgm\n"

static const char passes[] = LANES ALLOCATE FIRST("s6") PRIM END;
static const char drops_odd[] = LANES ALLOCATE FIRST("s6") "v_lshlrev_b32_e32 v11, 31, v10\n"
                                                           "v_or_b32_e32 v0, v0, v11\n" PRIM END;
/* Each thread makes a triangle: of vertices 3 * lane and after. */
static const char triangles[] =
   LANES "s_mul_i32 s5, s6, 3\n" ALLOCATE FIRST("s6") "v_mul_u32_u24_e32 v0, 3, v10\n"
                                                      "v_mul_u32_u24_e32 v0, 0x100401, v0\n"
                                                      "v_or_b32_e32 v11, 0, v0\n"
                                                      "v_add_nc_u32_e32 v0, 0x200400, v11\n" PRIM END;
/* The first lane adds the subgroup's primitives up: in GDS, or in the register that GFX11 has for it. */
static const char adds[] = LANES ALLOCATE "s_mov_b32 m0, 0x100\n"
                                          "s_mov_b64 exec, 1\n"
                                          "v_mov_b32_e32 v22, s6\n"
                                          "ds_add_u32 v20, v22 gds\n"
                                          "s_waitcnt lgkmcnt(0)\n" FIRST("s6") PRIM END;
static const char adds_to_register[] = LANES ALLOCATE "v_mov_b32_e32 v22, s6\n"
                                                      "ds_add_gs_reg_rtn v[23:24], v22 offset:32 gds\n"
                                                      "s_waitcnt lgkmcnt(0)\n" FIRST("s6") PRIM END;

static const char *const chips[] = {"navi21", "vangogh", "navi31", "gfx1150"};

static bool
is_gfx11(const char *chip)
{
   return amd_chip_by_name(chip)->gen >= AMD_GFX11;
}

/* instances: of the geometry shader; 0: there is none. All pixels are cut off. */
static struct stream
open_stream(const char *chip, const char *shader, unsigned instances, unsigned out)
{
   const enum amd_gen gen = amd_chip_by_name(chip)->gen;
   struct stream s = stream_create_on(chip, 2);
   write_text_program(s.memory + CODE_B, gen, true, shader);
   emit_packet(&s, PKT3_CONTEXT_CONTROL, 2, (const uint32_t[2]){0x80000000, 0x80000000});
   emit_packet(&s, PKT3_CLEAR_STATE, 1, (const uint32_t[1]){0});
   set_reg(&s, R_GE_MAX_VTX_INDX, UINT32_MAX);
   set_reg(&s, R_PA_SU_VTX_CNTL, 0x2d);
   set_reg(&s, R_PA_CL_CLIP_CNTL, S_PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF(1));
   set_reg(&s, R_PA_SC_WINDOW_SCISSOR_BR, 0);
   set_reg(&s, R_SPI_VS_OUT_CONFIG, S_SPI_VS_OUT_CONFIG_NO_PC_EXPORT(1));
   set_reg(&s, R_SPI_SHADER_PGM_LO_ES(gen), (uint32_t)((stream_base + CODE_B) >> 8));
   set_reg(&s, R_SPI_SHADER_PGM_LO_PS, (uint32_t)((stream_base + CODE_B) >> 8));
   set_reg(&s, R_SPI_SHADER_PGM_RSRC1_GS,
           S_SPI_SHADER_PGM_RSRC1_GS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_GS_FLOAT_MODE(0xf0));
   set_reg(&s, R_SPI_SHADER_PGM_RSRC2_GS, 0);
   if (gen >= AMD_GFX11)
      set_reg(&s, R_GE_CNTL, S_GE_CNTL_PRIMS_PER_SUBGRP(PER_GROUP) | S_GE_CNTL_VERTS_PER_SUBGRP(3 * PER_GROUP));
   else
      set_reg(&s, R_VGT_GS_ONCHIP_CNTL,
              S_VGT_GS_ONCHIP_CNTL_ES_VERTS_PER_SUBGRP(3 * PER_GROUP) |
                 S_VGT_GS_ONCHIP_CNTL_GS_PRIMS_PER_SUBGRP(PER_GROUP));
   set_reg(&s, R_GE_MAX_OUTPUT_PER_SUBGROUP, 6 * PER_GROUP);
   set_reg(&s, R_GE_NGG_SUBGRP_CNTL, S_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(1));
   set_reg(&s, R_VGT_ESGS_RING_ITEMSIZE, 1);
   set_reg(&s, R_VGT_GS_MAX_VERT_OUT, 3);
   set_reg(&s, R_VGT_GS_INSTANCE_CNT,
           S_VGT_GS_INSTANCE_CNT_ENABLE(1) | S_VGT_GS_INSTANCE_CNT_CNT(MAX2(instances, 1)));
   set_reg(&s, R_VGT_GS_OUT_PRIM_TYPE(gen), out);
   set_reg(
      &s, R_VGT_SHADER_STAGES_EN,
      S_VGT_SHADER_STAGES_EN_ES_EN(V_ES_STAGE_REAL) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) |
         (instances ? S_VGT_SHADER_STAGES_EN_GS_EN(V_GS_STAGE_ON) : S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN(1)) |
         S_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN(gen >= AMD_GFX11));
   return s;
}

static void
draw(struct stream *s, unsigned prim_type, uint32_t count, uint32_t instances)
{
   set_reg(s, R_VGT_PRIMITIVE_TYPE, prim_type);
   emit_packet(s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){instances});
   emit_packet(s, PKT3_DRAW_INDEX_AUTO, 2, (const uint32_t[2]){count, 2});
}

static void
sample(struct stream *s, uint32_t event, uint32_t index, unsigned at_B)
{
   const uint64_t va = stream_base + OUT_B + at_B;
   emit_packet(s, PKT3_EVENT_WRITE, 3, (const uint32_t[3]){event | index << 8, (uint32_t)va, (uint32_t)(va >> 32)});
}

static void
sample_statistics(struct stream *s, unsigned at_B)
{
   sample(s, V_SAMPLE_PIPELINESTAT, V_EVENT_INDEX_SAMPLE_PIPELINESTAT, at_B);
}

/* Those of threads and of what they give out; shared vertices of a strip may run once or more. */
static void
statistics_are_the_draw_s(void **state)
{
   static const struct {
      const char *name, *shader;
      unsigned gs_instances, prim_type, out, count, instances;
      unsigned in, gs_threads, made, clipper; /* primitives */
      unsigned least, most;                   /* vertices that run */
   } rows[] = {
      {"points", passes, 0, V_DI_PT_POINTLIST, V_POINTLIST, 777, 2, 1554, 0, 0, 1554, 1554, 1554},
      {"triangles", passes, 0, V_DI_PT_TRILIST, V_TRISTRIP, 300, 1, 100, 0, 0, 100, 300, 300},
      {"a strip", passes, 0, V_DI_PT_TRISTRIP, V_TRISTRIP, 102, 1, 100, 0, 0, 100, 102, 300},
      {"null primitives", drops_odd, 0, V_DI_PT_TRILIST, V_TRISTRIP, 300, 1, 100, 0, 0, 50, 300, 300},
      {"a geometry shader", triangles, 2, V_DI_PT_POINTLIST, V_TRISTRIP, 777, 3, 2331, 4662, 4662, 4662, 2331, 2331},
   };
   for (unsigned n = 0; n < ARRAY_SIZE(rows) * ARRAY_SIZE(chips); n++) {
      const unsigned i = n / ARRAY_SIZE(chips);
      const char *chip = chips[n % ARRAY_SIZE(chips)];
      struct stream s = open_stream(chip, rows[i].shader, rows[i].gs_instances, rows[i].out);
      uint64_t at[4][AMD_STAT_COUNT];
      for (unsigned k = 0; k < 3; k++) { /* off, on, off again */
         if (k)
            emit_packet(&s, PKT3_EVENT_WRITE, 1,
                        (const uint32_t[1]){k == 1 ? V_PIPELINESTAT_START : V_PIPELINESTAT_STOP});
         sample_statistics(&s, k * sizeof(at[0]));
         draw(&s, rows[i].prim_type, rows[i].count, rows[i].instances);
      }
      sample_statistics(&s, 3 * sizeof(at[0]));
      if (!stream_run(&s))
         fail_msg("%s on %s: %s", rows[i].name, chip, s.fault.message);
      memcpy(at, s.memory + OUT_B, sizeof(at));
      assert_memory_equal(at[0], at[1], sizeof(at[0]));
      assert_memory_equal(at[2], at[3], sizeof(at[0]));
      /* Up to GFX10.3 nobody but the program knows what geometry shaders make. Source: RADV, where it has them count.
       */
      const uint64_t expected[AMD_STAT_COUNT] = {
         [AMD_STAT_CLIP_INVOCATIONS] = rows[i].clipper,
         [AMD_STAT_GS_INVOCATIONS] = rows[i].gs_threads,
         [AMD_STAT_GS_PRIMITIVES] = is_gfx11(chip) ? rows[i].made : 0,
         [AMD_STAT_IA_PRIMITIVES] = rows[i].in,
         [AMD_STAT_IA_VERTICES] = rows[i].count * rows[i].instances,
      };
      for (unsigned k = 0; k < AMD_STAT_COUNT; k++) {
         const uint64_t found = at[2][k] - at[1][k];
         const bool runs = k == AMD_STAT_VS_INVOCATIONS, cut = k == AMD_STAT_CLIP_PRIMITIVES;
         if (runs ? found < rows[i].least || found > rows[i].most : !cut && found != expected[k])
            fail_msg("%s on %s: statistic %u is %u", rows[i].name, chip, k, (unsigned)found);
      }
      stream_destroy(&s);
   }
}

static void
copy(struct stream *s, uint32_t source, uint32_t from, unsigned to_B)
{
   const uint64_t to = stream_base + OUT_B + to_B;
   emit_packet(s, PKT3_COPY_DATA, 5,
               (const uint32_t[5]){source | V_COPY_DST_MEM << 8, from, 0, (uint32_t)to, (uint32_t)(to >> 32)});
}

/* The counters of stream output are not for NGG, whatever VGT_STRMOUT_CONFIG says; what programs add up is the draw's
 * number under every schedule. */
static void
programs_count_what_they_generate(void **state)
{
   enum { COUNT = 1234 };
   static const struct sim_schedule schedules[] = {
      {SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_ROUND_ROBIN, 0}, {SIM_SCHEDULE_SEED, 7}, {SIM_SCHEDULE_WORST, 0}};
   for (unsigned n = 0; n < ARRAY_SIZE(schedules) * ARRAY_SIZE(chips); n++) {
      const char *chip = chips[n % ARRAY_SIZE(chips)];
      const bool gfx11 = is_gfx11(chip);
      struct stream s = open_stream(chip, gfx11 ? adds_to_register : adds, 0, V_POINTLIST);
      uint64_t needed[4], added;
      amd_sim_set_schedule(s.sim, &schedules[n / ARRAY_SIZE(chips)]);
      if (!gfx11)
         set_reg(&s, R_VGT_STRMOUT_CONFIG, S_VGT_STRMOUT_CONFIG_EN_PRIMS_NEEDED_CNT(1));
      sample(&s, V_SAMPLE_STREAMOUTSTATS, V_EVENT_INDEX_SAMPLE_STREAMOUTSTATS, 0);
      draw(&s, V_DI_PT_POINTLIST, COUNT, 2);
      sample(&s, V_SAMPLE_STREAMOUTSTATS, V_EVENT_INDEX_SAMPLE_STREAMOUTSTATS, 16);
      emit_packet(&s, PKT3_EVENT_WRITE, 1,
                  (const uint32_t[1]){V_PS_PARTIAL_FLUSH | V_EVENT_INDEX_PARTIAL_FLUSH << 8});
      copy(&s, gfx11 ? V_COPY_SRC_REGISTER : V_COPY_SRC_GDS, gfx11 ? R_GDS_STRMOUT_PRIMS_NEEDED_0_LO / 4 : 0, 32);
      if (!stream_run(&s))
         fail_msg("%s: %s", chip, s.fault.message);
      memcpy(needed, s.memory + OUT_B, sizeof(needed));
      memcpy(&added, s.memory + OUT_B + 32, 8);
      assert_memory_equal(needed, needed + 2, 16);
      if (added != 2 * COUNT)
         fail_msg("%s, schedule %u: %u primitives", chip, n / (unsigned)ARRAY_SIZE(chips), (unsigned)added);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(statistics_are_the_draw_s),
      cmocka_unit_test(programs_count_what_they_generate),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

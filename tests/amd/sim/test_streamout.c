/* Stream output by programs of GFX11: subgroups take a lock in their order and add to registers, whatever order their
 * waves run in. What is written is what a loop over the draw's vertices writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "stream.h"
#include "text_program.h"
#include "util/macros.h"

enum { CODE_B = 2 << 20, OUT_B = 4 << 20, REGS_B = 8 << 20, POINTS = 777, PER_GROUP = 20 };

/* One wave a subgroup. s5: its vertices; v10: lane; m0: its number once it has asked for room. */
#define BEGIN                                                                                                        \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "v_mbcnt_lo_u32_b32 v10, -1, 0\n"                                                                                 \
   "v_mbcnt_hi_u32_b32 v10, -1, v10\n"                                                                               \
   "s_bfe_u32 s5, s2, 0x9000c\n"                                                                                     \
   "s_mul_i32 m0, s5, 0x1001\n"                                                                                      \
   "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"                                                                           \
   "v_mov_b32_e32 v20, 0\n"                                                                                          \
   "v_mov_b32_e32 v22, s5\n"                                                                                         \
   "s_and_b32 m0, s2, 0xfff\n"
#define LOCK                                                                                                         \
   "ds_ordered_count v21, v20 gds\n"                                                                                 \
   "s_waitcnt lgkmcnt(0)\n"
#define ADD                                                                                                          \
   "ds_add_gs_reg_rtn v[23:24], v22 gds\n"                                                                           \
   "ds_add_gs_reg_rtn v[25:26], v22 offset:36 gds\n"                                                                 \
   "s_waitcnt lgkmcnt(0)\n"
#define RELEASE "ds_ordered_count v21, v20 offset:768 gds\n"
#define STORE                                                                                                        \
   "v_readfirstlane_b32 s7, v23\n"                                                                                   \
   "v_cmp_gt_u32_e32 vcc, s5, v10\n"                                                                                 \
   "s_mov_b64 exec, vcc\n"                                                                                           \
   "v_add_nc_u32_e32 v11, s7, v10\n"                                                                                 \
   "v_lshlrev_b32_e32 v11, 2, v11\n"                                                                                 \
   "s_waitcnt lgkmcnt(0)\n"                                                                                          \
   "global_store_b32 v11, v5, s[8:9]\n"
#define END                                                                                                          \
   "exp prim v0, off, off, off done\n"                                                                               \
   "exp pos0 v20, v20, v20, v20 done\n"                                                                              \
   "s_endpgm\n"

static struct stream
open_stream(const char *chip, const char *shader, bool numbered)
{
   struct stream s = stream_create_on(chip, 2);
   write_text_program(s.memory + CODE_B, AMD_GFX11, true, shader);
   emit_packet(&s, PKT3_CONTEXT_CONTROL, 2, (const uint32_t[2]){0x80000000, 0x80000000});
   emit_packet(&s, PKT3_CLEAR_STATE, 1, (const uint32_t[1]){0});
   set_reg(&s, R_GE_MAX_VTX_INDX, UINT32_MAX);
   set_reg(&s, R_PA_SU_VTX_CNTL, 0x2d);
   set_reg(&s, R_PA_CL_CLIP_CNTL, S_PA_CL_CLIP_CNTL_DX_RASTERIZATION_KILL(1));
   set_reg(&s, R_SPI_VS_OUT_CONFIG, S_SPI_VS_OUT_CONFIG_NO_PC_EXPORT(1));
   set_reg(&s, R_SPI_SHADER_PGM_LO_ES(AMD_GFX11), (uint32_t)((stream_base + CODE_B) >> 8));
   set_reg(&s, R_SPI_SHADER_PGM_HI_ES(AMD_GFX11), 0);
   set_reg(&s, R_SPI_SHADER_PGM_RSRC1_GS,
           S_SPI_SHADER_PGM_RSRC1_GS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_GS_FLOAT_MODE(0xf0));
   set_reg(&s, R_SPI_SHADER_PGM_RSRC2_GS, S_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR(2));
   set_reg(&s, R_SPI_SHADER_USER_DATA_GS_0, (uint32_t)(stream_base + OUT_B));
   set_reg(&s, R_SPI_SHADER_USER_DATA_GS_0 + 4, (uint32_t)((stream_base + OUT_B) >> 32));
   set_reg(&s, R_GE_CNTL, S_GE_CNTL_PRIMS_PER_SUBGRP(PER_GROUP) | S_GE_CNTL_VERTS_PER_SUBGRP(PER_GROUP));
   set_reg(&s, R_GE_MAX_OUTPUT_PER_SUBGROUP, PER_GROUP);
   set_reg(&s, R_GE_NGG_SUBGRP_CNTL, S_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(1));
   set_reg(&s, R_VGT_GS_OUT_PRIM_TYPE(AMD_GFX11), V_POINTLIST);
   set_reg(&s, R_VGT_SHADER_STAGES_EN,
           S_VGT_SHADER_STAGES_EN_ES_EN(V_ES_STAGE_REAL) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) |
              S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN(1) | S_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN(numbered));
   emit_packet(&s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){1});
   set_reg(&s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_POINTLIST);
   return s;
}

static void
draw(struct stream *s, uint32_t count)
{
   emit_packet(s, PKT3_DRAW_INDEX_AUTO, 2, (const uint32_t[2]){count, 2});
}

static void
copy_register(struct stream *s, uint32_t reg, unsigned to_B)
{
   uint64_t to = stream_base + REGS_B + to_B;
   emit_packet(
      s, PKT3_COPY_DATA, 5,
      (const uint32_t[5]){V_COPY_SRC_REGISTER | V_COPY_DST_MEM << 8, reg / 4, 0, (uint32_t)to, (uint32_t)(to >> 32)});
}

static void
vertices_come_in_the_order_of_the_draw(void **state)
{
   static const struct sim_schedule schedules[] = {
      {SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_ROUND_ROBIN, 0}, {SIM_SCHEDULE_SEED, 5}, {SIM_SCHEDULE_WORST, 0}};
   static const char *const chips[] = {"navi31", "gfx1150"};
   for (unsigned n = 0; n < ARRAY_SIZE(schedules) * ARRAY_SIZE(chips); n++) {
      struct stream s = open_stream(chips[n % 2], BEGIN LOCK ADD RELEASE STORE END, true);
      uint32_t *out = (uint32_t *)(s.memory + OUT_B), *regs = (uint32_t *)(s.memory + REGS_B);
      amd_sim_set_schedule(s.sim, &schedules[n / 2]);
      set_reg(&s, R_GDS_STRMOUT_DWORDS_WRITTEN_0, 3);
      set_reg(&s, R_GDS_STRMOUT_PRIMS_WRITTEN_0_LO, 0xffffffff);
      draw(&s, POINTS);
      draw(&s, POINTS);
      copy_register(&s, R_GDS_STRMOUT_DWORDS_WRITTEN_0, 0);
      copy_register(&s, R_GDS_STRMOUT_PRIMS_WRITTEN_0_LO, 4);
      copy_register(&s, R_GDS_STRMOUT_PRIMS_WRITTEN_0_HI, 8);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      assert_int_equal(out[2], 0);
      for (unsigned i = 0; i < 2 * POINTS; i++)
         assert_int_equal(out[3 + i], i % POINTS);
      assert_int_equal(regs[0], 3 + 2 * POINTS);
      assert_int_equal(regs[1], 2 * POINTS - 1);
      assert_int_equal(regs[2], 1);
      stream_destroy(&s);
   }
}

/* The lock is taken and released without a lane, and no register changes. */
static void
lanes_that_are_off_get_nothing(void **state)
{
   struct stream s = open_stream("navi31",
                                 BEGIN "v_mov_b32 v21, 77\n"
                                       "v_mov_b32 v23, 0\n"
                                       "s_mov_b64 exec, 0\n" LOCK RELEASE "s_waitcnt lgkmcnt(0)\n"
                                       "s_mov_b64 exec, -1\n"
                                       "v_mov_b32 v5, v21\n" STORE END,
                                 true);
   draw(&s, PER_GROUP);
   if (!stream_run(&s))
      fail_msg("%s", s.fault.message);
   for (unsigned i = 0; i < PER_GROUP; i++)
      assert_int_equal(((uint32_t *)(s.memory + OUT_B))[i], 77);
   stream_destroy(&s);
}

static void
broken_orders_are_faults(void **state)
{
   static const struct {
      const char *shader, *says;
      bool numbered;
   } rows[] = {
      {BEGIN LOCK ADD RELEASE STORE END, "a wave without a number", false},
      {BEGIN LOCK ADD STORE END, "wave 0 of group 1 waits for the lock that number 0 has", true},
      {BEGIN LOCK ADD RELEASE RELEASE STORE END, "releases the lock", true},
      {BEGIN LOCK ADD "ds_ordered_count v21, v20 offset:256 gds\n" STORE END, "released and not done", true},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = open_stream("navi31", rows[i].shader, rows[i].numbered);
      draw(&s, POINTS);
      assert_false(stream_run(&s));
      if (!strstr(s.fault.message, rows[i].says))
         fail_msg("row %u: \"%s\" does not say \"%s\"", i, s.fault.message, rows[i].says);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertices_come_in_the_order_of_the_draw),
      cmocka_unit_test(lanes_that_are_off_get_nothing),
      cmocka_unit_test(broken_orders_are_faults),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Parameters of GFX11's vertices in the attribute ring: pictures equal those of GFX10.3's exports, subgroups that run
 * at once share no room, and what breaks the rules of the ring is a fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "shaded.h"
#include "text_program.h"
#include "util/macros.h"

enum {
   NGG_B = (2 << 20) + 8192,
   NGG_PS_B = (2 << 20) + 16384,
   RING_B = 12 << 20,
   PLACES_B = 24 << 20,
   PART_B = 65536,
   TARGET_SIZE_B = W * H * 4,
   VERTICES = 999,
};

/* A primitive shader of one wave a subgroup, passed through. s[8:9]: vertices; s[12:15]: the ring; s[10:11]: a word
 * for each number of a subgroup, for where its room is. Two parameters: the first is twice the second. */
#define BEGIN                                                                                                        \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "v_mbcnt_lo_u32_b32 v10, -1, 0\n"                                                                                 \
   "v_mbcnt_hi_u32_b32 v10, -1, v10\n"                                                                               \
   "s_bfe_u32 s16, s2, 0x9000c\n"                                                                                    \
   "s_bfe_u32 s17, s2, 0x90016\n"                                                                                    \
   "s_lshl_b32 s17, s17, 12\n"                                                                                       \
   "s_or_b32 m0, s16, s17\n"                                                                                         \
   "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"                                                                           \
   "s_bfe_u32 s17, s3, 0x80008\n"                                                                                    \
   "v_cmp_gt_u32_e32 vcc, s17, v10\n"                                                                                \
   "s_mov_b64 exec, vcc\n"                                                                                           \
   "exp prim v0, off, off, off done\n"                                                                               \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "v_cmp_gt_u32_e32 vcc, s16, v10\n"                                                                                \
   "s_mov_b64 exec, vcc\n"                                                                                           \
   "v_lshlrev_b32_e32 v20, 5, v5\n"                                                                                  \
   "global_load_b128 v[12:15], v20, s[8:9]\n"                                                                        \
   "global_load_b128 v[16:19], v20, s[8:9] offset:16\n"                                                              \
   "s_and_b32 s18, s2, 0xfff\n"                                                                                      \
   "s_lshl_b32 s18, s18, 2\n"                                                                                        \
   "v_mov_b32_e32 v21, s18\n"                                                                                        \
   "s_and_b32 s19, s5, 0x7fff\n"                                                                                     \
   "s_lshl_b32 s19, s19, 9\n"                                                                                        \
   "v_mov_b32_e32 v22, s19\n"                                                                                        \
   "global_store_b32 v21, v22, s[10:11]\n"                                                                           \
   "s_waitcnt vmcnt(0)\n"                                                                                            \
   "v_add_f32_e32 v24, v16, v16\n"                                                                                   \
   "v_add_f32_e32 v25, v17, v17\n"                                                                                   \
   "v_add_f32_e32 v26, v18, v18\n"                                                                                   \
   "v_add_f32_e32 v27, v19, v19\n"
#define STORE                                                                                                        \
   "buffer_store_b128 v[24:27], v10, s[12:15], s19 idxen\n"                                                          \
   "buffer_store_b128 v[16:19], v10, s[12:15], s19 idxen offset:16\n"
#define WAIT "s_waitcnt_vscnt null, 0x0\n"
#define END                                                                                                          \
   "exp pos0 v12, v13, v14, v15 done\n"                                                                              \
   "s_endpgm\n"

#define ROW(row) "s_mov_b32 m0, " row "\nexp pos0 v12, v13, v14, v15 done row_en\ns_endpgm\n"

static const char whole[] = BEGIN STORE WAIT END, row_0[] = BEGIN STORE WAIT ROW("0");

/* The second parameter. */
static const char pixel_shader[] = "s_mov_b32 m0, s0\n"
                                   "s_mov_b64 s[2:3], exec\n"
                                   "s_wqm_b64 exec, exec\n"
                                   "lds_param_load v2, attr0.x wait_vdst:15\n"
                                   "lds_param_load v3, attr0.y wait_vdst:15\n"
                                   "lds_param_load v4, attr0.z wait_vdst:15\n"
                                   "lds_param_load v5, attr0.w wait_vdst:15\n"
                                   "v_interp_p10_f32 v6, v2, v0, v2 wait_exp:0\n"
                                   "v_interp_p10_f32 v7, v3, v0, v3 wait_exp:0\n"
                                   "v_interp_p10_f32 v8, v4, v0, v4 wait_exp:0\n"
                                   "v_interp_p10_f32 v9, v5, v0, v5 wait_exp:0\n"
                                   "v_interp_p2_f32 v6, v2, v1, v6 wait_exp:7\n"
                                   "v_interp_p2_f32 v7, v3, v1, v7 wait_exp:7\n"
                                   "v_interp_p2_f32 v8, v4, v1, v8 wait_exp:7\n"
                                   "v_interp_p2_f32 v9, v5, v1, v9 wait_exp:7\n"
                                   "s_mov_b64 exec, s[2:3]\n"
                                   "exp mrt0 v6, v7, v8, v9 done\n"
                                   "s_endpgm\n";

static void
set_address(struct stream *s, uint32_t reg, uint64_t va)
{
   set_reg(s, reg, (uint32_t)va);
   set_reg(s, reg + 4, (uint32_t)(va >> 32));
}

static void
set_pixels(struct stream *s)
{
   const uint64_t target = stream_base + TARGET_B;
   write_text_program(s->memory + NGG_PS_B, AMD_GFX11, true, pixel_shader);
   set_reg(s, R_SPI_SHADER_PGM_LO_PS, (uint32_t)((stream_base + NGG_PS_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_PS,
           S_SPI_SHADER_PGM_RSRC1_PS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_PS_FLOAT_MODE(0xf0));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_PS, 0);
   set_reg(s, R_SPI_PS_INPUT_ENA, S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1));
   set_reg(s, R_SPI_PS_INPUT_ADDR, S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1));
   set_reg(s, R_SPI_PS_IN_CONTROL, S_SPI_PS_IN_CONTROL_NUM_INTERP(1));
   set_reg(s, R_SPI_PS_INPUT_CNTL_0, S_SPI_PS_INPUT_CNTL_0_OFFSET(1));
   set_reg(s, R_SPI_SHADER_COL_FORMAT, V_SPI_SHADER_32_ABGR);
   set_reg(s, R_CB_TARGET_MASK, 15);
   set_reg(s, R_CB_SHADER_MASK, 15);
   set_reg(s, R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_MODE(V_CB_NORMAL) | S_CB_COLOR_CONTROL_ROP3(V_ROP3_COPY));
   set_reg(s, R_CB_COLOR0_BASE, (uint32_t)(target >> 8));
   set_reg(s, R_CB_COLOR0_BASE_EXT(AMD_GFX11), 0);
   set_reg(s, R_CB_COLOR0_INFO,
           S_CB_COLOR0_INFO_FORMAT(AMD_GFX11, V_COLOR_8_8_8_8) | S_CB_COLOR0_INFO_NUMBER_TYPE(V_NUMBER_UNORM));
   set_reg(s, R_CB_COLOR0_ATTRIB2(AMD_GFX11),
           S_CB_COLOR0_ATTRIB2_MIP0_WIDTH(W - 1) | S_CB_COLOR0_ATTRIB2_MIP0_HEIGHT(H - 1));
   set_reg(s, R_CB_COLOR0_ATTRIB3, S_CB_COLOR0_ATTRIB3_RESOURCE_TYPE(1));
   set_reg(s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_Z_ORDER(V_EARLY_Z_THEN_LATE_Z));
}

static void
set_view(struct stream *s)
{
   set_reg(s, R_GE_MAX_VTX_INDX, UINT32_MAX);
   set_reg(s, R_PA_SU_VTX_CNTL, 0x2d);
   set_reg(s, R_PA_CL_VTE_CNTL, 0x43f);
   set_reg(s, R_PA_CL_CLIP_CNTL, S_PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF(1));
   set_whole_viewport(s, W, H);
}

static void
set_primitives(struct stream *s, const char *shader, unsigned per_group)
{
   write_text_program(s->memory + NGG_B, AMD_GFX11, true, shader);
   set_reg(s, R_SPI_SHADER_PGM_LO_ES(AMD_GFX11), (uint32_t)((stream_base + NGG_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_GS,
           S_SPI_SHADER_PGM_RSRC1_GS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_GS_FLOAT_MODE(0xf0));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_GS, S_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR(8));
   set_address(s, R_SPI_SHADER_USER_DATA_GS_0, stream_base + VERTEX_B);
   set_address(s, R_SPI_SHADER_USER_DATA_GS_0 + 8, stream_base + PLACES_B);
   /* 2 parameters of 16 bytes a record, 32 records side by side. */
   const uint64_t ring = stream_base + RING_B;
   const uint32_t words[4] = {(uint32_t)ring, (uint32_t)(ring >> 32) | 32 << 16 | 3u << 30, 0xffffffff, 2 << 21};
   for (unsigned i = 0; i < 4; i++)
      set_reg(s, R_SPI_SHADER_USER_DATA_GS_0 + 16 + 4 * i, words[i]);
   set_reg(s, R_SPI_ATTRIBUTE_RING_BASE, (uint32_t)(ring >> 16));
   set_reg(s, R_SPI_ATTRIBUTE_RING_SIZE, 0); /* 64 KiB a shader engine */
   set_reg(s, R_SPI_VS_OUT_CONFIG, S_SPI_VS_OUT_CONFIG_VS_EXPORT_COUNT(1));
   set_reg(s, R_GE_CNTL, S_GE_CNTL_PRIMS_PER_SUBGRP(per_group) | S_GE_CNTL_VERTS_PER_SUBGRP(3 * per_group));
   set_reg(s, R_GE_MAX_OUTPUT_PER_SUBGROUP, 3 * per_group);
   set_reg(s, R_GE_NGG_SUBGRP_CNTL, S_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(1));
   set_reg(s, R_VGT_GS_OUT_PRIM_TYPE(AMD_GFX11), V_TRISTRIP);
   set_reg(s, R_VGT_SHADER_STAGES_EN,
           S_VGT_SHADER_STAGES_EN_ES_EN(V_ES_STAGE_REAL) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) |
              S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN(1) | S_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN(1));
}

static struct stream
open_ring_stream(const char *chip, const char *shader, unsigned per_group)
{
   struct stream s = stream_create_on(chip, 2);
   emit_packet(&s, PKT3_CONTEXT_CONTROL, 2, (const uint32_t[2]){0x80000000, 0x80000000});
   emit_packet(&s, PKT3_CLEAR_STATE, 1, (const uint32_t[1]){0});
   set_view(&s);
   set_pixels(&s);
   set_primitives(&s, shader, per_group);
   emit_packet(&s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){1});
   return s;
}

static void
draw_fans(struct stream *s)
{
   for (unsigned i = 0; i < VERTICES; i++)
      set_vertex(s, i, i * 37 % 61 + (i % 3), i * 23 % 47 + i / 300.0, (float)(i % 7) / 6, (float)(i % 5) / 4);
   draw_auto(s, V_DI_PT_TRILIST, VERTICES);
}

static void
pictures_equal_those_of_exports(void **state)
{
   static const char *const chips[] = {"navi31", "phoenix", "gfx1150"};
   static const unsigned sizes[] = {21, 1, 10};
   struct stream expected = open_stream(1, false);
   draw_fans(&expected);
   assert_true(stream_run(&expected));
   for (unsigned n = 0; n < ARRAY_SIZE(chips) * ARRAY_SIZE(sizes); n++) {
      struct stream s = open_ring_stream(chips[n % 3], n % 2 ? row_0 : whole, sizes[n / 3]);
      draw_fans(&s);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      if (memcmp(s.memory + TARGET_B, expected.memory + TARGET_B, TARGET_SIZE_B))
         fail_msg("%s, %u primitives a subgroup", chips[n % 3], sizes[n / 3]);
      stream_destroy(&s);
   }
   stream_destroy(&expected);
}

/* 64 vertices take 2 rows of 2 parameters: 2 KiB, of which a part holds 32. */
static void
subgroups_share_no_room(void **state)
{
   enum { GROUPS = (VERTICES / 3 + 20) / 21, ROOM_B = 2048 };
   struct stream s = open_ring_stream("navi31", whole, 21);
   const uint32_t *places = (const uint32_t *)(s.memory + PLACES_B);
   bool parts[6] = {false};
   draw_fans(&s);
   if (!stream_run(&s))
      fail_msg("%s", s.fault.message);
   for (unsigned i = 0; i < GROUPS; i++) {
      assert_true(places[i] % 512 == 0 && places[i] / PART_B < 6);
      assert_int_equal(places[i] / PART_B, (places[i] + ROOM_B - 1) / PART_B);
      parts[places[i] / PART_B] = true;
      for (unsigned k = 0; k < i; k++)
         assert_true(places[i] >= places[k] + ROOM_B || places[k] >= places[i] + ROOM_B);
   }
   for (unsigned i = 0; i < 6; i++)
      assert_true(parts[i]);
   stream_destroy(&s);
}

static void
broken_rules_are_faults(void **state)
{
   static const struct {
      const char *shader, *says;
      unsigned per_group;
      uint32_t reg, value; /* 0: as it should be */
   } rows[] = {
      {BEGIN STORE END, "while a store of its parameters is under way", 21, 0, 0},
      {BEGIN STORE "s_waitcnt_vscnt null, 0x1\n" END, "while a store of its parameters is under way", 21, 0, 0},
      {BEGIN STORE WAIT ROW("1"), "export of vertex 126, 63 are allocated", 21, 0, 0},
      {BEGIN STORE WAIT ROW("0x800"), "export of row 2048", 21, 0, 0},
      {whole, "the attribute ring (SPI_ATTRIBUTE_RING_BASE) at unmapped address", 21, R_SPI_ATTRIBUTE_RING_BASE,
       0x70000},
      {whole, "a subgroup needs 131072 bytes of the attribute ring, an engine has 65536", 85, R_SPI_VS_OUT_CONFIG,
       S_SPI_VS_OUT_CONFIG_VS_EXPORT_COUNT(31)},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = open_ring_stream("gfx1150", rows[i].shader, rows[i].per_group);
      if (rows[i].reg)
         set_reg(&s, rows[i].reg, rows[i].value);
      draw_fans(&s);
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
      cmocka_unit_test(pictures_equal_those_of_exports),
      cmocka_unit_test(subgroups_share_no_room),
      cmocka_unit_test(broken_rules_are_faults),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

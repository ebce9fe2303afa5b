/* Stages ahead of the VS stage by hand-written waves: a geometry shader through the GSVS ring, and tessellation.
 * Pictures equal those of only the VS stage, or what domain points say; what breaks the rules is a fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "shaded.h"
#include "text_program.h"
#include "util/macros.h"

enum { ES_B = (2 << 20) + 8192, RING_B = 10 << 20, RING_SIZE_B = 64 << 10, TARGET_SIZE_B = W * H * 4, VERTICES = 90 };

static const uint64_t ring = UINT64_C(0x100000000) + RING_B;

/* ES hands the vertex' index over in LDS; a GS thread emits the three of its triangle. v10: lane, v12: LDS. */
#define ES                                                                                                           \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "v_mbcnt_lo_u32_b32 v10, -1, 0\n"                                                                                 \
   "v_mbcnt_hi_u32_b32 v10, -1, v10\n"                                                                               \
   "s_bfe_u32 s4, s3, 0x40018\n"                                                                                     \
   "s_lshl_b32 s10, s4, 6\n"                                                                                         \
   "v_add_nc_u32_e32 v12, s10, v10\n"                                                                                \
   "v_lshlrev_b32_e32 v12, 2, v12\n"                                                                                 \
   "s_and_b32 s5, s3, 0xff\n"                                                                                        \
   "v_cmp_gt_u32_e32 vcc, s5, v10\n"                                                                                 \
   "s_mov_b64 exec, vcc\n"                                                                                           \
   "ds_write_b32 v12, v5\n"                                                                                          \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "s_waitcnt lgkmcnt(0)\n"                                                                                          \
   "s_barrier\n"
#define GS                                                                                                           \
   "s_bfe_u32 s6, s3, 0x80008\n"                                                                                     \
   "s_bfe_u32 m0, s3, 0x80010\n"                                                                                     \
   "v_cmp_gt_u32_e32 vcc, s6, v10\n"                                                                                 \
   "s_mov_b64 exec, vcc\n"                                                                                           \
   "s_cbranch_execz end\n"                                                                                           \
   "v_and_b32_e32 v13, 0xffff, v0\n"                                                                                 \
   "v_lshlrev_b32_e32 v13, 2, v13\n"                                                                                 \
   "ds_read_b32 v20, v13\n"                                                                                          \
   "v_lshrrev_b32_e32 v14, 16, v0\n"                                                                                 \
   "v_lshlrev_b32_e32 v14, 2, v14\n"                                                                                 \
   "ds_read_b32 v21, v14\n"                                                                                          \
   "v_and_b32_e32 v15, 0xffff, v1\n"                                                                                 \
   "v_lshlrev_b32_e32 v15, 2, v15\n"                                                                                 \
   "ds_read_b32 v22, v15\n"                                                                                          \
   "s_waitcnt lgkmcnt(0)\n"                                                                                          \
   "v_lshrrev_b32_e32 v16, 4, v10\n"                                                                                 \
   "v_mul_u32_u24_e32 v16, 0xc0, v16\n" /* 16 threads of 3 vertices of a dword */                                    \
   "v_and_b32_e32 v17, 15, v10\n"                                                                                    \
   "v_lshl_add_u32 v16, v17, 2, v16\n"                                                                               \
   "v_add_nc_u32_e32 v16, s2, v16\n"
#define EMIT "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)\n"
#define VERTICES_OF_GS                                                                                               \
   "global_store_dword v16, v20, s[8:9] glc\n" EMIT "global_store_dword v16, v21, s[8:9] offset:64 glc\n" EMIT       \
   "global_store_dword v16, v22, s[8:9] offset:128 glc\n" EMIT
#define DONE                                                                                                         \
   "s_waitcnt_vscnt null, 0x0\n"                                                                                     \
   "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)\n"
#define END                                                                                                          \
   "end:\n"                                                                                                          \
   "s_endpgm\n"

static const char copy_shader[] = "v_lshlrev_b32_e32 v4, 2, v0\n"
                                  "global_load_dword v5, v4, s[2:3] glc dlc\n"
                                  "s_waitcnt vmcnt(0)\n"
                                  "v_lshlrev_b32_e32 v4, 5, v5\n"
                                  "global_load_dwordx4 v[8:11], v4, s[0:1]\n"
                                  "global_load_dwordx4 v[12:15], v4, s[0:1] offset:16\n"
                                  "s_waitcnt vmcnt(0)\n"
                                  "exp pos0 v8, v9, v10, v11 done\n"
                                  "exp param0 v12, v13, v14, v15\n"
                                  "s_endpgm\n";

static void
set_address(struct stream *s, uint32_t reg, uint64_t va)
{
   set_reg(s, reg, (uint32_t)va);
   set_reg(s, reg + 4, (uint32_t)(va >> 32));
}

static void
set_geometry(struct stream *s, const char *shader, unsigned max_vertices, unsigned max_prims)
{
   write_text_program(s->memory + ES_B, AMD_GFX10_3, true, shader);
   write_text_program(s->memory + VS_B, AMD_GFX10_3, true, copy_shader);
   set_reg(s, R_SPI_SHADER_PGM_LO_ES(AMD_GFX10_3), (uint32_t)((stream_base + ES_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_HI_ES(AMD_GFX10_3), 0);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_GS,
           S_SPI_SHADER_PGM_RSRC1_GS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_GS_FLOAT_MODE(0xf0) |
              S_SPI_SHADER_PGM_RSRC1_GS_GS_VGPR_COMP_CNT(1));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_GS,
           S_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR(2) | S_SPI_SHADER_PGM_RSRC2_GS_ES_VGPR_COMP_CNT(0) |
              S_SPI_SHADER_PGM_RSRC2_GS_LDS_SIZE(4));
   set_address(s, R_SPI_SHADER_USER_DATA_GS_0, ring);
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_VS, S_SPI_SHADER_PGM_RSRC2_VS_USER_SGPR(4));
   set_address(s, R_SPI_SHADER_USER_DATA_VS_0 + 8, ring);
   set_reg(s, R_VGT_GS_MODE, S_VGT_GS_MODE_MODE(V_GS_SCENARIO_G) | S_VGT_GS_MODE_ONCHIP(1));
   set_reg(s, R_VGT_GS_ONCHIP_CNTL,
           S_VGT_GS_ONCHIP_CNTL_ES_VERTS_PER_SUBGRP(max_vertices) |
              S_VGT_GS_ONCHIP_CNTL_GS_PRIMS_PER_SUBGRP(max_prims) |
              S_VGT_GS_ONCHIP_CNTL_GS_INST_PRIMS_IN_SUBGRP(max_prims));
   set_reg(s, R_VGT_ESGS_RING_ITEMSIZE, 1);
   set_reg(s, R_VGT_GS_MAX_VERT_OUT, 3);
   set_reg(s, R_VGT_GS_VERT_ITEMSIZE, 1);
   set_reg(s, R_VGT_GSVS_RING_ITEMSIZE, 3);
   set_reg(s, R_VGT_GSVS_RING_SIZE, RING_SIZE_B / 256);
   set_reg(s, R_VGT_GS_OUT_PRIM_TYPE(AMD_GFX10_3), V_TRISTRIP);
   set_reg(s, R_VGT_SHADER_STAGES_EN,
           S_VGT_SHADER_STAGES_EN_ES_EN(V_ES_STAGE_REAL) | S_VGT_SHADER_STAGES_EN_GS_EN(V_GS_STAGE_ON) |
              S_VGT_SHADER_STAGES_EN_VS_EN(V_VS_STAGE_COPY_SHADER));
}

/* A zigzag of vertices; as a list or a strip they overlap in many colours. */
static void
draw_zigzag(struct stream *s, unsigned type)
{
   for (unsigned i = 0; i < VERTICES; i++)
      set_vertex(s, i, i * 37 % 61 + (i % 3), i * 23 % 47 + i / 30.0, (float)(i % 7) / 6, (float)(i % 5) / 4);
   draw_auto(s, type, VERTICES);
}

static void
pictures_equal_those_of_vs(void **state)
{
   static const char whole[] = ES GS VERTICES_OF_GS "end:\n" DONE "s_endpgm\n";
   static const unsigned types[] = {V_DI_PT_TRILIST, V_DI_PT_TRISTRIP}, limits[][2] = {{255, 128}, {9, 3}, {200, 70}};
   for (unsigned n = 0; n < ARRAY_SIZE(types) * ARRAY_SIZE(limits); n++) {
      struct stream expected = open_stream(1, false), s = open_stream(1, false);
      const unsigned *limit = limits[n % ARRAY_SIZE(limits)];
      draw_zigzag(&expected, types[n / ARRAY_SIZE(limits)]);
      assert_true(stream_run(&expected));
      set_geometry(&s, whole, limit[0], limit[1]);
      draw_zigzag(&s, types[n / ARRAY_SIZE(limits)]);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      unsigned covered = 0;
      for (unsigned i = 3; i < TARGET_SIZE_B; i += 4)
         covered += expected.memory[TARGET_B + i] == 255;
      assert_true(covered > W * H / 2);
      assert_memory_equal(s.memory + TARGET_B, expected.memory + TARGET_B, TARGET_SIZE_B);
      stream_destroy(&expected);
      stream_destroy(&s);
   }
}

static void
broken_geometry_shaders_are_faults(void **state)
{
   static const char good[] = ES GS VERTICES_OF_GS "end:\n" DONE "s_endpgm\n";
   const struct {
      const char *shader, *says;
      uint32_t reg, value; /* 0: none */
   } rows[] = {
      {ES GS VERTICES_OF_GS END, "a wave ended without GS_DONE", 0, 0},
      {ES GS VERTICES_OF_GS "end:\n" DONE EMIT "s_endpgm\n", "after GS_DONE", 0, 0},
      {ES GS VERTICES_OF_GS EMIT "end:\n" DONE "s_endpgm\n", "more than 3 vertices", 0, 0},
      {ES GS "s_add_u32 m0, m0, 1\n" VERTICES_OF_GS "end:\n" DONE "s_endpgm\n", "M0 of a message", 0, 0},
      {good, "the GSVS ring has 256 bytes", R_VGT_GSVS_RING_SIZE, 1},
      {good, "VGT_GSVS_RING_ITEMSIZE is 2", R_VGT_GSVS_RING_ITEMSIZE, 2},
      {good, "stream 1 of the GSVS ring begins at dword 0", R_VGT_GS_VERT_ITEMSIZE_1, 1},
      {good, "beyond the 2048 bytes of LDS", R_VGT_ESGS_RING_ITEMSIZE, 40},
      {good, "VGT_GS_MODE", R_VGT_GS_MODE, S_VGT_GS_MODE_MODE(V_GS_SCENARIO_A)},
      {good, "output primitives 3", R_VGT_GS_OUT_PRIM_TYPE(AMD_GFX10_3), 3},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = open_stream(1, false);
      set_geometry(&s, rows[i].shader, 128, 64);
      if (rows[i].reg)
         set_reg(&s, rows[i].reg, rows[i].value);
      draw_zigzag(&s, V_DI_PT_TRILIST);
      assert_false(stream_run(&s));
      if (!strstr(s.fault.message, rows[i].says))
         fail_msg("row %u: \"%s\" does not say \"%s\"", i, s.fault.message, rows[i].says);
      stream_destroy(&s);
   }
}

/* One thread a patch of one control point stores six factors, all the same. */
#define FACTORS(value)                                                                                               \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "v_mbcnt_lo_u32_b32 v10, -1, 0\n"                                                                                 \
   "v_mbcnt_hi_u32_b32 v10, -1, v10\n"                                                                               \
   "s_bfe_u32 s6, s3, 0x80008\n"                                                                                     \
   "v_cmp_gt_u32_e32 vcc, s6, v10\n"                                                                                 \
   "s_mov_b64 exec, vcc\n"                                                                                           \
   "s_cbranch_execz end\n"                                                                                           \
   "v_and_b32_e32 v11, 0xff, v1\n"                                                                                   \
   "v_mul_u32_u24_e32 v11, 24, v11\n"                                                                                \
   "v_add_nc_u32_e32 v11, s4, v11\n"                                                                                 \
   "v_mov_b32_e32 v12, " value "\n"                                                                                  \
   "v_mov_b32_e32 v13, v12\n"                                                                                        \
   "v_mov_b32_e32 v14, v12\n"                                                                                        \
   "v_mov_b32_e32 v15, v12\n"                                                                                        \
   "global_store_dwordx4 v11, v[12:15], s[8:9] glc\n"
#define INSIDE "global_store_dwordx2 v11, v[12:13], s[8:9] offset:16 glc\n"

/* The patch with id 0 is the left half of the target, 1 the right one. Colour: u, v. */
static const char domain_shader[] = "v_cvt_f32_u32_e32 v3, v3\n"
                                    "v_add_f32_e32 v8, v0, v3\n"
                                    "v_subrev_f32_e32 v8, 1.0, v8\n"
                                    "v_add_f32_e32 v9, v1, v1\n"
                                    "v_subrev_f32_e32 v9, 1.0, v9\n"
                                    "v_mov_b32_e32 v10, 0.5\n"
                                    "v_mov_b32_e32 v11, 1.0\n"
                                    "exp pos0 v8, v9, v10, v11 done\n"
                                    "v_mov_b32_e32 v12, 0\n"
                                    "exp param0 v0, v1, v12, v11\n"
                                    "s_endpgm\n";

static void
set_tessellation(struct stream *s, const char *shader, unsigned patches)
{
   write_text_program(s->memory + ES_B, AMD_GFX10_3, true, shader);
   write_text_program(s->memory + VS_B, AMD_GFX10_3, true, domain_shader);
   set_reg(s, R_SPI_SHADER_PGM_LO_LS(AMD_GFX10_3), (uint32_t)((stream_base + ES_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_HI_LS(AMD_GFX10_3), 0);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_HS,
           S_SPI_SHADER_PGM_RSRC1_HS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_HS_FLOAT_MODE(0xf0) |
              S_SPI_SHADER_PGM_RSRC1_HS_LS_VGPR_COMP_CNT(3));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_HS, S_SPI_SHADER_PGM_RSRC2_HS_USER_SGPR(2));
   set_address(s, R_SPI_SHADER_USER_DATA_HS_0, ring);
   set_reg(s, R_VGT_LS_HS_CONFIG,
           S_VGT_LS_HS_CONFIG_NUM_PATCHES(patches) | S_VGT_LS_HS_CONFIG_HS_NUM_INPUT_CP(1) |
              S_VGT_LS_HS_CONFIG_HS_NUM_OUTPUT_CP(1));
   set_reg(s, R_VGT_TF_PARAM,
           S_VGT_TF_PARAM_TYPE(V_TESS_QUAD) | S_VGT_TF_PARAM_PARTITIONING(V_PART_FRAC_ODD) |
              S_VGT_TF_PARAM_TOPOLOGY(V_OUTPUT_TRIANGLE_CW));
   set_reg(s, R_VGT_HOS_MAX_TESS_LEVEL, 0x42800000); /* 64.0 */
   set_reg(s, R_VGT_HOS_MIN_TESS_LEVEL, 0);
   set_reg(s, R_VGT_TF_RING_SIZE, RING_SIZE_B / 4);
   set_reg(s, R_VGT_TF_MEMORY_BASE, (uint32_t)(ring >> 8));
   set_reg(s, R_VGT_TF_MEMORY_BASE_HI(AMD_GFX10_3), 0);
   set_reg(s, R_VGT_HS_OFFCHIP_PARAM, 1);
   set_reg(s, R_VGT_SHADER_STAGES_EN,
           S_VGT_SHADER_STAGES_EN_LS_EN(V_LS_STAGE_ON) | S_VGT_SHADER_STAGES_EN_HS_EN(V_HS_STAGE_ON) |
              S_VGT_SHADER_STAGES_EN_VS_EN(V_VS_STAGE_DS));
}

static void
domain_points_cover_the_patch(void **state)
{
   static const char *const shaders[] = {FACTORS("1.0") INSIDE END, FACTORS("0x40b00000") INSIDE END}; /* 5.5 */
   for (unsigned n = 0; n < 4; n++) {
      struct stream s = open_stream(1, false);
      set_tessellation(&s, shaders[n % 2], n / 2 ? 1 : 4);
      draw_auto(&s, V_DI_PT_PATCH, 2);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      for (unsigned i = 0; i < W * H; i++) {
         const uint8_t *got = s.memory + TARGET_B + i * 4;
         float u = ((float)(i % (W / 2)) + 0.5f) / (W / 2), v = ((float)(i / W) + 0.5f) / H;
         assert_in_range(got[0] + 2, (unsigned)(u * 255) + 1, (unsigned)(u * 255) + 4);
         assert_in_range(got[1] + 2, (unsigned)(v * 255) + 1, (unsigned)(v * 255) + 4);
         assert_int_equal(got[3], 255);
      }
      stream_destroy(&s);
   }
}

/* Factors that are 0 leave no pixels. */
static void
culled_patches_vanish(void **state)
{
   struct stream s = open_stream(1, false);
   set_tessellation(&s, FACTORS("0") INSIDE END, 2);
   draw_auto(&s, V_DI_PT_PATCH, 2);
   assert_true(stream_run(&s));
   for (unsigned i = 0; i < TARGET_SIZE_B; i++)
      assert_int_equal(s.memory[TARGET_B + i], 0);
   stream_destroy(&s);
}

static void
broken_tessellation_is_a_fault(void **state)
{
   static const char good[] = FACTORS("1.0") INSIDE END;
   static const struct {
      const char *shader, *says;
      unsigned prim_type;
      uint32_t reg, value; /* 0: none */
   } rows[] = {
      {FACTORS("1.0") END, "without tessellation factor 4 of patch 0", V_DI_PT_PATCH, 0, 0},
      {"s_endpgm\n", "without tessellation factor 0 of patch 0", V_DI_PT_PATCH, 0, 0},
      {good, "patches are for the tessellator", V_DI_PT_TRILIST, 0, 0},
      {good, "a threadgroup needs 48", V_DI_PT_PATCH, R_VGT_TF_RING_SIZE, 11},
      {good, "at unmapped address", V_DI_PT_PATCH, R_VGT_TF_MEMORY_BASE, 1},
      {good, "with 0 vertices in", V_DI_PT_PATCH, R_VGT_LS_HS_CONFIG, S_VGT_LS_HS_CONFIG_NUM_PATCHES(2)},
      {good, "no domain 2 with partitioning 0 and topology 1", V_DI_PT_PATCH, R_VGT_TF_PARAM,
       S_VGT_TF_PARAM_TYPE(V_TESS_QUAD) | S_VGT_TF_PARAM_TOPOLOGY(V_OUTPUT_LINE)},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = open_stream(1, false);
      set_tessellation(&s, rows[i].shader, 2);
      if (rows[i].reg)
         set_reg(&s, rows[i].reg, rows[i].value);
      draw_auto(&s, rows[i].prim_type, 6);
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
      cmocka_unit_test(pictures_equal_those_of_vs),     cmocka_unit_test(broken_geometry_shaders_are_faults),
      cmocka_unit_test(domain_points_cover_the_patch),  cmocka_unit_test(culled_patches_vanish),
      cmocka_unit_test(broken_tessellation_is_a_fault),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

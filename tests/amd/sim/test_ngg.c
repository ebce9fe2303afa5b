/* Primitives from merged ES-GS waves: pictures equal those of the VS stage, and what breaks a subgroup's promises is
 * a fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "shaded.h"
#include "text_program.h"
#include "util/macros.h"

enum { NGG_B = (2 << 20) + 8192, INDEX_B = 12 << 20, TARGET_SIZE_B = W * H * 4 };

/* s4: wave in the subgroup; m0: as many vertices and primitives as came in; v10: lane. */
#define BEGIN                                                                                                        \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "s_bfe_u32 s4, s3, 0x40018\n"                                                                                     \
   "s_bfe_u32 s5, s2, 0x9000c\n"                                                                                     \
   "s_bfe_u32 s6, s2, 0x90016\n"                                                                                     \
   "s_lshl_b32 s6, s6, 12\n"                                                                                         \
   "s_or_b32 m0, s5, s6\n"                                                                                           \
   "v_mbcnt_lo_u32_b32 v10, -1, 0\n"                                                                                 \
   "v_mbcnt_hi_u32_b32 v10, -1, v10\n"
#define ALLOCATE                                                                                                     \
   "s_cmp_eq_u32 s4, 0\n"                                                                                            \
   "s_cbranch_scc0 allocated\n"                                                                                      \
   "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"                                                                           \
   "allocated:\n"
#define GS_THREADS                                                                                                   \
   "s_bfe_u32 s6, s3, 0x80008\n"                                                                                     \
   "v_cmp_gt_u32_e32 vcc, s6, v10\n"                                                                                 \
   "s_mov_b64 exec, vcc\n"
#define PACK                                                                                                         \
   "v_and_b32_e32 v11, 0xffff, v0\n"                                                                                 \
   "v_lshrrev_b32_e32 v12, 16, v0\n"                                                                                 \
   "v_lshl_or_b32 v11, v12, 10, v11\n"                                                                               \
   "v_lshl_or_b32 v11, v1, 20, v11\n"
#define ES_THREADS                                                                                                   \
   "s_mov_b64 exec, -1\n"                                                                                            \
   "s_and_b32 s5, s3, 0xff\n"                                                                                        \
   "v_cmp_gt_u32_e32 vcc, s5, v10\n"                                                                                 \
   "s_mov_b64 exec, vcc\n"                                                                                           \
   "s_cbranch_execz end\n"
#define VERTEX                                                                                                       \
   "v_lshlrev_b32_e32 v20, 5, v5\n"                                                                                  \
   "global_load_dwordx4 v[12:15], v20, s[8:9]\n"                                                                     \
   "global_load_dwordx4 v[16:19], v20, s[8:9] offset:16\n"                                                           \
   "s_waitcnt vmcnt(0)\n"
#define EXPORT_VERTEX                                                                                                \
   "exp pos0 v12, v13, v14, v15 done\n"                                                                              \
   "exp param0 v16, v17, v18, v19\n"
#define END                                                                                                          \
   "end:\n"                                                                                                          \
   "s_endpgm\n"
#define EXPORT_PRIM "exp prim v11, off, off, off done\n"
#define REST GS_THREADS PACK EXPORT_PRIM ES_THREADS VERTEX EXPORT_VERTEX END

static const char plain[] = BEGIN ALLOCATE REST;
static const char passthrough[] =
   BEGIN ALLOCATE GS_THREADS "exp prim v0, off, off, off done\n" ES_THREADS VERTEX EXPORT_VERTEX END;
static const char no_message[] =
   BEGIN GS_THREADS "exp prim v0, off, off, off done\n" ES_THREADS VERTEX EXPORT_VERTEX END;

struct setting {
   const char *shader;
   uint32_t stages; /* besides ES_EN and PRIMGEN_EN */
   unsigned max_vertices, max_prims;
};

static const uint32_t passthru = S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN(1);

static void
set_ngg(struct stream *s, const struct setting *setting)
{
   write_text_program(s->memory + NGG_B, AMD_GFX10_3, true, setting->shader);
   set_reg(s, R_SPI_SHADER_PGM_LO_ES(AMD_GFX10_3), (uint32_t)((stream_base + NGG_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_HI_ES(AMD_GFX10_3), 0);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_GS,
           S_SPI_SHADER_PGM_RSRC1_GS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_GS_FLOAT_MODE(0xf0) |
              S_SPI_SHADER_PGM_RSRC1_GS_GS_VGPR_COMP_CNT(1));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_GS,
           S_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR(2) | S_SPI_SHADER_PGM_RSRC2_GS_ES_VGPR_COMP_CNT(3));
   set_reg(s, R_SPI_SHADER_USER_DATA_GS_0, (uint32_t)(stream_base + VERTEX_B));
   set_reg(s, R_SPI_SHADER_USER_DATA_GS_0 + 4, (uint32_t)((stream_base + VERTEX_B) >> 32));
   set_reg(s, R_VGT_GS_ONCHIP_CNTL,
           S_VGT_GS_ONCHIP_CNTL_ES_VERTS_PER_SUBGRP(setting->max_vertices) |
              S_VGT_GS_ONCHIP_CNTL_GS_PRIMS_PER_SUBGRP(setting->max_prims));
   set_reg(s, R_GE_MAX_OUTPUT_PER_SUBGROUP, setting->max_vertices);
   set_reg(s, R_GE_NGG_SUBGRP_CNTL, S_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(1));
   set_reg(s, R_VGT_ESGS_RING_ITEMSIZE, 1);
   set_reg(s, R_VGT_GS_OUT_PRIM_TYPE(AMD_GFX10_3), V_TRISTRIP);
   set_reg(s, R_VGT_SHADER_STAGES_EN,
           S_VGT_SHADER_STAGES_EN_ES_EN(V_ES_STAGE_REAL) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) | setting->stages);
}

/* A wavy sheet of triangles; neighbours share vertices. Two instances, whose ids no shader looks at. */
static void
draw_sheet(struct stream *s, unsigned prim_type)
{
   enum { COLUMNS = 13, ROWS = 9 };
   uint16_t indices[COLUMNS * ROWS * 6];
   unsigned n = 0;
   for (unsigned y = 0; y <= ROWS; y++)
      for (unsigned x = 0; x <= COLUMNS; x++)
         set_vertex(s, y * (COLUMNS + 1) + x, x * 4.7 + y * y % 3, y * 5.1 + x % 2, (float)(x % 5) / 4,
                    (float)(y % 4) / 3);
   for (unsigned y = 0; y < ROWS; y++) {
      for (unsigned x = 0; x < COLUMNS; x++) {
         unsigned a = y * (COLUMNS + 1) + x, c = a + COLUMNS + 1;
         const uint16_t quad[6] = {(uint16_t)a,       (uint16_t)(a + 1), (uint16_t)c,
                                   (uint16_t)(a + 1), (uint16_t)(c + 1), (uint16_t)c};
         memcpy(indices + n, quad, sizeof(quad));
         n += 6;
      }
   }
   memcpy(s->memory + INDEX_B, indices, sizeof(indices));
   set_reg(s, R_VGT_PRIMITIVE_TYPE, prim_type);
   set_reg(s, R_VGT_INDEX_TYPE, V_VGT_INDEX_16);
   emit_packet(s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){2});
   uint64_t va = stream_base + INDEX_B;
   emit_packet(s, PKT3_DRAW_INDEX_2, 5, (const uint32_t[5]){n, (uint32_t)va, (uint32_t)(va >> 32), n, 0});
}

static void
run_sheet(const struct setting *setting, unsigned prim_type, bool last, uint8_t *picture)
{
   struct stream s = open_stream(1, false);
   set_reg(&s, R_PA_SU_SC_MODE_CNTL, S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(last));
   set_reg(&s, R_SPI_PS_INPUT_CNTL_0, S_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(prim_type == V_DI_PT_TRISTRIP));
   if (setting)
      set_ngg(&s, setting);
   draw_sheet(&s, prim_type);
   if (!stream_run(&s))
      fail_msg("%s", s.fault.message);
   memcpy(picture, s.memory + TARGET_B, TARGET_SIZE_B);
   stream_destroy(&s);
}

static void
pictures_equal_those_of_vs(void **state)
{
   static const struct setting settings[] = {
      {plain, 0, 256, 128},
      {plain, 0, 7, 3},
      {plain, S_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN(0), 70, 100},
      {passthrough, passthru, 128, 128},
      {passthrough, passthru, 3, 128},
      {no_message, passthru | S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_NO_MSG(1), 100, 40},
   };
   static const unsigned types[] = {V_DI_PT_TRILIST, V_DI_PT_TRISTRIP};
   uint8_t *expected = malloc(TARGET_SIZE_B), *picture = malloc(TARGET_SIZE_B);
   for (unsigned n = 0; n < 2 * ARRAY_SIZE(types); n++) {
      run_sheet(NULL, types[n / 2], n % 2, expected);
      unsigned covered = 0;
      for (unsigned i = 0; i < W * H; i++)
         covered += expected[4 * i + 3] == 255;
      assert_true(covered > W * H / 2);
      for (unsigned i = 0; i < ARRAY_SIZE(settings); i++) {
         run_sheet(&settings[i], types[n / 2], n % 2, picture);
         if (memcmp(expected, picture, TARGET_SIZE_B))
            fail_msg("setting %u, type %u, provoking %u", i, types[n / 2], n % 2);
      }
   }
   free(expected);
   free(picture);
}

/* Null primitives leave no pixels, and the picture has others. */
static void
null_primitives_vanish(void **state)
{
   static const char drops[] = BEGIN ALLOCATE GS_THREADS PACK
      "v_or_b32_e32 v11, 0x80000000, v11\n" EXPORT_PRIM ES_THREADS VERTEX EXPORT_VERTEX END;
   uint8_t *picture = malloc(TARGET_SIZE_B);
   run_sheet(&(struct setting){drops, 0, 64, 64}, V_DI_PT_TRILIST, false, picture);
   for (unsigned i = 0; i < TARGET_SIZE_B; i++)
      assert_int_equal(picture[i], 0);
   free(picture);
}

static void
broken_promises_are_faults(void **state)
{
   static const struct {
      const char *shader, *says;
      const char *chip; /* NULL: navi21 */
      uint32_t vertex_group;
   } rows[] = {
      {BEGIN REST, "exports of a subgroup without GS_ALLOC_REQ", NULL, 0},
      {"s_endpgm\n", "a subgroup ended without GS_ALLOC_REQ", NULL, 0},
      {BEGIN "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\ns_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n" REST, "a second", NULL, 0},
      {BEGIN GS_THREADS PACK EXPORT_PRIM "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n" ES_THREADS VERTEX EXPORT_VERTEX END,
       "exports ahead of GS_ALLOC_REQ", NULL, 0},
      {BEGIN "s_add_u32 m0, m0, 1\n" ALLOCATE REST, "a subgroup has up to", NULL, 0},
      {BEGIN "s_add_u32 m0, m0, 0x1000\n" ALLOCATE REST, "a subgroup has up to", NULL, 0},
      {BEGIN "s_sub_u32 m0, m0, 1\n" ALLOCATE REST, "export of vertex", NULL, 0},
      {BEGIN "s_sub_u32 m0, m0, 0x1000\n" ALLOCATE REST, "export of primitive", NULL, 0},
      {BEGIN ALLOCATE GS_THREADS PACK
       "v_add_nc_u32_e32 v11, 0x1f00000, v11\n" EXPORT_PRIM ES_THREADS VERTEX EXPORT_VERTEX END,
       "a primitive of vertex", NULL, 0},
      {BEGIN ALLOCATE GS_THREADS PACK EXPORT_PRIM EXPORT_PRIM ES_THREADS VERTEX EXPORT_VERTEX END, "twice", NULL, 0},
      {BEGIN ALLOCATE GS_THREADS ES_THREADS VERTEX EXPORT_VERTEX END, "is never exported", NULL, 0},
      {BEGIN ALLOCATE GS_THREADS PACK EXPORT_PRIM END, "vertex 0 of", NULL, 0},
      {BEGIN ALLOCATE GS_THREADS PACK EXPORT_PRIM ES_THREADS VERTEX "exp pos0 v12, v13, v14, v15\n" END,
       "vertex 0 of", NULL, 0},
      {"s_mov_b32 m0, 0\ns_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\ns_endpgm\n", "ngg-fully-culled", "navi10", 59},
      {plain, "ge-vert-grp-size", "navi10", 60},
      {plain, "ge-vert-grp-size", "navi10", 0},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = open_stream_on(rows[i].chip ? rows[i].chip : "navi21", 1, false);
      set_ngg(&s, &(struct setting){rows[i].shader, 0, 64, 64});
      set_reg(&s, R_GE_CNTL, S_GE_CNTL_VERT_GRP_SIZE(rows[i].vertex_group));
      draw_sheet(&s, V_DI_PT_TRILIST);
      assert_false(stream_run(&s));
      assert_int_equal(s.fault.kind, SIM_FAULT_HANG);
      if (!strstr(s.fault.message, rows[i].says))
         fail_msg("row %u: \"%s\" does not say \"%s\"", i, s.fault.message, rows[i].says);
      stream_destroy(&s);
   }
}

/* A geometry shader of two instances: each makes a triangle of every point, with its right angle in the point, the
 * second instance's 24 px to the right and green. ES threads hand the vertex' index over in LDS; so do GS threads
 * what vertex threads make of it: index | corner << 16 | instance << 18. */
static const char geometry[] = BEGIN ALLOCATE /* s5: vertices; s6: primitives << 12, of what may come out */
   "s_lshr_b32 s7, s6, 12\n"                  /* primitives */
   "s_lshl_b32 s10, s4, 6\n"
   "v_add_nc_u32_e32 v10, s10, v10\n" /* thread of the subgroup */
   "v_lshlrev_b32_e32 v21, 2, v10\n"
   "s_and_b32 s11, s3, 0xff\n"
   "s_add_u32 s11, s11, s10\n"
   "v_cmp_gt_u32_e32 vcc, s11, v10\n"
   "s_mov_b64 exec, vcc\n"
   "ds_write_b32 v21, v5\n"
   "s_mov_b64 exec, -1\n"
   "s_waitcnt lgkmcnt(0)\n"
   "s_barrier\n"
   "s_bfe_u32 s11, s3, 0x80008\n"
   "s_add_u32 s11, s11, s10\n"
   "v_cmp_gt_u32_e32 vcc, s11, v10\n"
   "s_mov_b64 exec, vcc\n"
   "v_and_b32_e32 v11, 0xffff, v0\n"
   "v_lshlrev_b32_e32 v11, 2, v11\n"
   "ds_read_b32 v12, v11\n"
   "v_mul_u32_u24_e32 v13, 12, v10\n"
   "s_waitcnt lgkmcnt(0)\n"
   "v_lshl_or_b32 v12, v3, 18, v12\n"
   "v_or_b32_e32 v14, 0x10000, v12\n"
   "v_or_b32_e32 v15, 0x20000, v12\n"
   "ds_write_b32 v13, v12 offset:1024\n"
   "ds_write_b32 v13, v14 offset:1028\n"
   "ds_write_b32 v13, v15 offset:1032\n"
   "s_mov_b64 exec, -1\n"
   "s_waitcnt lgkmcnt(0)\n"
   "s_barrier\n"
   "v_cmp_gt_u32_e32 vcc, s7, v10\n"
   "s_mov_b64 exec, vcc\n"
   "s_cbranch_execz vertices\n"
   "v_mul_u32_u24_e32 v22, 3, v10\n"
   "v_mul_u32_u24_e32 v22, 0x100401, v22\n"
   "v_add_nc_u32_e32 v22, 0x200400, v22\n"
   "exp prim v22, off, off, off done\n"
   "vertices:\n"
   "s_mov_b64 exec, -1\n"
   "v_cmp_gt_u32_e32 vcc, s5, v10\n"
   "s_mov_b64 exec, vcc\n"
   "s_cbranch_execz end\n"
   "ds_read_b32 v23, v21 offset:1024\n"
   "s_waitcnt lgkmcnt(0)\n"
   "v_and_b32_e32 v5, 0xffff, v23\n"
   "v_bfe_u32 v24, v23, 16, 1\n"
   "v_bfe_u32 v25, v23, 17, 1\n"
   "v_bfe_u32 v26, v23, 18, 1\n"
   "v_cvt_f32_u32_e32 v24, v24\n"
   "v_cvt_f32_u32_e32 v25, v25\n"
   "v_cvt_f32_u32_e32 v26, v26\n" VERTEX "v_fmac_f32_e32 v12, 0x3e800000, v24\n" /* 8 px of 64: 0.25 */
   "v_fmac_f32_e32 v13, 0x3eaaaaab, v25\n"                                       /* 8 px of 48: 1 / 3 */
   "v_fmac_f32_e32 v12, 0x3f400000, v26\n"                                       /* 24 px: 0.75 */
   "v_mov_b32_e32 v17, v26\n" EXPORT_VERTEX END;

static void
set_geometry(struct stream *s, unsigned max_prims)
{
   set_ngg(s, &(struct setting){geometry, S_VGT_SHADER_STAGES_EN_GS_EN(V_GS_STAGE_ON), 128, max_prims});
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_GS,
           S_SPI_SHADER_PGM_RSRC1_GS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_GS_FLOAT_MODE(0xf0) |
              S_SPI_SHADER_PGM_RSRC1_GS_GS_VGPR_COMP_CNT(3));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_GS,
           S_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR(2) | S_SPI_SHADER_PGM_RSRC2_GS_ES_VGPR_COMP_CNT(3) |
              S_SPI_SHADER_PGM_RSRC2_GS_LDS_SIZE(8));
   set_reg(s, R_GE_MAX_OUTPUT_PER_SUBGROUP, 6 * max_prims);
   set_reg(s, R_VGT_GS_MAX_VERT_OUT, 3);
   set_reg(s, R_VGT_GS_INSTANCE_CNT, S_VGT_GS_INSTANCE_CNT_ENABLE(1) | S_VGT_GS_INSTANCE_CNT_CNT(2));
}

static void
geometry_shader_has_instances(void **state)
{
   enum { POINTS = 12 };
   static const unsigned limits[] = {40, 5, 1};
   for (unsigned n = 0; n < ARRAY_SIZE(limits); n++) {
      struct stream s = open_stream(1, false);
      set_geometry(&s, limits[n]);
      for (unsigned i = 0; i < POINTS; i++)
         set_vertex(&s, i, i % 3 * 8, i / 3 * 12, 1, 0);
      draw_auto(&s, V_DI_PT_POINTLIST, POINTS);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      for (unsigned y = 0; y < H; y++) {
         for (unsigned x = 0; x < W; x++) {
            const uint8_t *p = s.memory + TARGET_B + (y * W + x) * 4;
            bool inside = x < 48 && x % 8 + y % 12 < 7 && y % 12 < 8;
            assert_int_equal(p[0], inside ? 255 : 0);
            assert_int_equal(p[1], inside && x >= 24 ? 255 : 0);
         }
      }
      stream_destroy(&s);
   }
}

/* Everything culled: nothing to export, but on GFX10.1. */
static void
a_subgroup_may_be_empty(void **state)
{
   static const char empty[] = "s_bfe_u32 s4, s3, 0x40018\n"
                               "s_mov_b32 m0, 0\n" ALLOCATE "s_endpgm\n";
   uint8_t *picture = malloc(TARGET_SIZE_B);
   run_sheet(&(struct setting){empty, 0, 128, 128}, V_DI_PT_TRILIST, false, picture);
   assert_int_equal(picture[0], 0);
   free(picture);
}

/* GFX10.1 wants all waves of a subgroup to run ahead of the message, and the shader's barrier says so. */
static void
waves_run_ahead_of_the_message(void **state)
{
   static const struct {
      const char *shader, *chip;
      unsigned max; /* vertices and primitives; a wave has 64 */
      bool hangs;
   } rows[] = {
      {BEGIN ALLOCATE REST, "navi10", 128, true},
      {BEGIN ALLOCATE REST, "navi10", 64, false},
      {"s_barrier\n" BEGIN ALLOCATE REST, "navi10", 128, false},
      {BEGIN ALLOCATE REST, "navi21", 128, false},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = open_stream_on(rows[i].chip, 1, false);
      set_ngg(&s, &(struct setting){rows[i].shader, 0, rows[i].max, rows[i].max});
      set_reg(&s, R_GE_CNTL, S_GE_CNTL_VERT_GRP_SIZE(rows[i].max - 5));
      draw_sheet(&s, V_DI_PT_TRILIST);
      bool hangs = !stream_run(&s);
      if (hangs != rows[i].hangs || (hangs && !strstr(s.fault.message, "ngg-early-alloc")))
         fail_msg("row %u: \"%s\"", i, s.fault.message);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pictures_equal_those_of_vs), cmocka_unit_test(null_primitives_vanish),
      cmocka_unit_test(broken_promises_are_faults), cmocka_unit_test(geometry_shader_has_instances),
      cmocka_unit_test(a_subgroup_may_be_empty),    cmocka_unit_test(waves_run_ahead_of_the_message),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Task and mesh workgroups of both rings: every mesh workgroup that a task asked for runs once, in its packet, with
 * the payload of its task, through rings that are much smaller than the work. */
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
   TASK_B = 3 << 20,
   MESH_B = (3 << 20) + 4096,
   CONTROL_B = 12 << 20, /* offsets from there on are those of the programs */
   DRAW_RING_B = 256,
   PAYLOAD_B = 512,
   ARGUMENTS_B = 1024,
   LOG_B = 4096,
   ENTRIES = 4,
   MAX_MESHES = 8, /* of a task */
};

/* s[0:1]: address of CONTROL_B; s2: entry; s3 to s5: size of the dispatch; s6: draw; s7 to s9: workgroup. One thread.
 * It asks for (n mod 4) x 2 x 1 workgroups. */
static const char task[] = "s_mul_i32 s10, s9, s4\n"
                           "s_add_u32 s10, s10, s8\n"
                           "s_mul_i32 s10, s10, s3\n"
                           "s_add_u32 s10, s10, s7\n" /* n */
                           "s_add_u32 s11, s2, s10\n"
                           "s_and_b32 s12, s11, 3\n"
                           "s_bfe_u32 s13, s11, 0x10002\n"
                           "s_lshl_b32 s14, s12, 2\n"
                           "s_lshl_b32 s15, s6, 8\n"
                           "s_or_b32 s15, s15, s10\n"
                           "v_mov_b32_e32 v0, s14\n"
                           "v_mov_b32_e32 v1, s15\n"
                           "global_store_dword v0, v1, s[0:1] offset:512\n"
                           "s_waitcnt_vscnt null, 0x0\n"
                           "s_lshl_b32 s14, s12, 4\n"
                           "s_and_b32 s16, s10, 3\n"
                           "v_mov_b32_e32 v0, s14\n"
                           "v_mov_b32_e32 v1, s16\n"
                           "v_mov_b32_e32 v2, 2\n"
                           "v_mov_b32_e32 v3, 1\n"
                           "v_mov_b32_e32 v4, s13\n"
                           "global_store_dwordx3 v0, v[1:3], s[0:1] offset:256\n"
                           "global_store_byte v0, v4, s[0:1] offset:268\n"
                           "s_endpgm\n";

/* s[8:9]: address of CONTROL_B; s10: entry; s11 to s13: size; s14: packet; v5: workgroup. It notes its payload, and
 * what it was given. */
static const char mesh[] = "s_mov_b64 exec, 1\n"
                           "s_and_b32 s15, s10, 3\n"
                           "s_lshl_b32 s15, s15, 2\n"
                           "v_mov_b32_e32 v1, s15\n"
                           "global_load_dword v2, v1, s[8:9] offset:512 glc dlc\n"
                           "s_lshl_b32 s15, s10, 3\n"
                           "v_add_nc_u32_e32 v4, s15, v5\n"
                           "v_lshlrev_b32_e32 v4, 3, v4\n"
                           "v_add_nc_u32_e32 v4, 0x1000, v4\n"
                           "s_lshl_b32 s12, s12, 8\n"
                           "s_lshl_b32 s13, s13, 16\n"
                           "s_lshl_b32 s14, s14, 24\n"
                           "s_or_b32 s11, s11, s12\n"
                           "s_or_b32 s11, s11, s13\n"
                           "s_or_b32 s11, s11, s14\n"
                           "v_mov_b32_e32 v3, s11\n"
                           "s_waitcnt vmcnt(0)\n"
                           "global_store_dwordx2 v4, v[2:3], s[8:9]\n"
                           "s_mov_b32 m0, 0\n"
                           "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"
                           "s_endpgm\n";

static uint32_t
sh_dw(uint32_t reg)
{
   return (reg - AMD_SH_REG_START) / 4;
}

static struct stream
open_tasks(void)
{
   const uint64_t control = stream_base + CONTROL_B, ring = control + DRAW_RING_B;
   const uint32_t dw[9] = {ENTRIES, 0, ENTRIES, 0, ENTRIES, 0, ENTRIES, (uint32_t)ring, (uint32_t)(ring >> 32)};
   struct stream s = open_stream(1, false);
   memcpy(s.memory + CONTROL_B, dw, sizeof(dw));
   write_text_program(s.memory + TASK_B, AMD_GFX10_3, true, task);
   write_text_program(s.memory + MESH_B, AMD_GFX10_3, true, mesh);
   return s;
}

static void
init_tasks(struct stream *s)
{
   const uint64_t control = stream_base + CONTROL_B;
   emit_packet(s, PKT3_DISPATCH_TASK_STATE_INIT, 2,
               (const uint32_t[2]){(uint32_t)control, (uint32_t)(control >> 32)});
}

static void
set_mesh(struct stream *s)
{
   const uint64_t control = stream_base + CONTROL_B;
   set_reg(s, R_SPI_SHADER_PGM_LO_ES(AMD_GFX10_3), (uint32_t)((stream_base + MESH_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_HI_ES(AMD_GFX10_3), 0);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_GS,
           S_SPI_SHADER_PGM_RSRC1_GS_VGPRS(7) | S_SPI_SHADER_PGM_RSRC1_GS_FLOAT_MODE(0xf0));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_GS, S_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR(7));
   set_reg(s, R_SPI_SHADER_USER_DATA_GS_0, (uint32_t)control);
   set_reg(s, R_SPI_SHADER_USER_DATA_GS_0 + 4, (uint32_t)(control >> 32));
   set_reg(s, R_VGT_GS_ONCHIP_CNTL,
           S_VGT_GS_ONCHIP_CNTL_ES_VERTS_PER_SUBGRP(1) | S_VGT_GS_ONCHIP_CNTL_GS_PRIMS_PER_SUBGRP(1) |
              S_VGT_GS_ONCHIP_CNTL_GS_INST_PRIMS_IN_SUBGRP(1));
   set_reg(s, R_GE_MAX_OUTPUT_PER_SUBGROUP, 1);
   set_reg(s, R_GE_NGG_SUBGRP_CNTL, S_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(1));
   set_reg(s, R_VGT_GS_MAX_VERT_OUT, 1);
   set_reg(s, R_VGT_GS_OUT_PRIM_TYPE(AMD_GFX10_3), V_TRISTRIP);
   set_reg(s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_POINTLIST);
   set_reg(s, R_VGT_SHADER_STAGES_EN,
           S_VGT_SHADER_STAGES_EN_GS_EN(V_GS_STAGE_ON) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) |
              S_VGT_SHADER_STAGES_EN_GS_FAST_LAUNCH(1));
}

static void
draw_meshes(struct stream *s, uint32_t packet)
{
   uint32_t size_reg = sh_dw(R_SPI_SHADER_USER_DATA_GS_0 + 12), entry_reg = sh_dw(R_SPI_SHADER_USER_DATA_GS_0 + 8);
   set_reg(s, R_SPI_SHADER_USER_DATA_GS_0 + 24, packet);
   emit_packet(s, PKT3_DISPATCH_TASKMESH_GFX, 3,
               (const uint32_t[3]){size_reg | entry_reg << 16, 0,
                                   S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX)});
}

static void
set_task(struct stream *s)
{
   const uint64_t control = stream_base + CONTROL_B;
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)((stream_base + TASK_B) >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, 0);
   set_reg(s, R_COMPUTE_PGM_RSRC1, S_COMPUTE_PGM_RSRC1_VGPRS(7) | S_COMPUTE_PGM_RSRC1_FLOAT_MODE(0xf0));
   set_reg(s, R_COMPUTE_PGM_RSRC2,
           S_COMPUTE_PGM_RSRC2_USER_SGPR(7) | S_COMPUTE_PGM_RSRC2_TGID_X_EN(1) | S_COMPUTE_PGM_RSRC2_TGID_Y_EN(1) |
              S_COMPUTE_PGM_RSRC2_TGID_Z_EN(1));
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_NUM_THREAD_X + 4 * i, 1);
   set_reg(s, R_COMPUTE_USER_DATA_0, (uint32_t)control);
   set_reg(s, R_COMPUTE_USER_DATA_0 + 4, (uint32_t)(control >> 32));
}

static const uint32_t initiator =
   S_COMPUTE_DISPATCH_INITIATOR_COMPUTE_SHADER_EN(1) | S_COMPUTE_DISPATCH_INITIATOR_FORCE_START_AT_000(1);

static void
start_tasks(struct stream *s, const uint32_t size[3])
{
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_USER_DATA_0 + 12 + 4 * i, size[i]);
   set_reg(s, R_COMPUTE_USER_DATA_0 + 24, 0);
   emit_packet(s, PKT3_DISPATCH_TASKMESH_DIRECT_ACE, 5,
               (const uint32_t[5]){size[0], size[1], size[2], initiator, sh_dw(R_COMPUTE_USER_DATA_0 + 8)});
}

/* As many as the word after the draws says, at most `limit`. */
static void
start_tasks_indirect(struct stream *s, const uint32_t (*sizes)[3], unsigned count, unsigned limit)
{
   const uint64_t va = stream_base + CONTROL_B + ARGUMENTS_B, count_va = va + count * 16;
   for (unsigned i = 0; i < count; i++)
      memcpy(s->memory + CONTROL_B + ARGUMENTS_B + i * 16, sizes[i], 12);
   memcpy(s->memory + CONTROL_B + ARGUMENTS_B + count * 16, &count, 4);
   emit_packet(s, PKT3_DISPATCH_TASKMESH_INDIRECT_MULTI_ACE, 10,
               (const uint32_t[10]){
                  (uint32_t)va, (uint32_t)(va >> 32), sh_dw(R_COMPUTE_USER_DATA_0 + 8),
                  S_DISPATCH_TASKMESH_INDIRECT_MULTI_ACE_CONTROL_COUNT_INDIRECT_ENABLE(1) |
                     S_DISPATCH_TASKMESH_INDIRECT_MULTI_ACE_CONTROL_DRAW_INDEX_ENABLE(1) |
                     S_DISPATCH_TASKMESH_INDIRECT_MULTI_ACE_CONTROL_XYZ_DIM_ENABLE(1) |
                     S_DISPATCH_TASKMESH_INDIRECT_MULTI_ACE_CONTROL_DRAW_INDEX_REG(sh_dw(R_COMPUTE_USER_DATA_0 + 24)),
                  sh_dw(R_COMPUTE_USER_DATA_0 + 12), limit, (uint32_t)count_va, (uint32_t)(count_va >> 32), 16,
                  initiator});
}

/* What the log holds at an entry: once for each workgroup that task n of a draw asked for, and nothing beyond. */
static void
check_task(const struct stream *s, uint32_t entry, uint32_t packet, uint32_t draw, uint32_t n)
{
   for (uint32_t i = 0; i < MAX_MESHES; i++) {
      uint32_t found[2], x = n % 4;
      bool runs = i < x * 2;
      const uint32_t expected[2] = {runs ? draw << 8 | n : 0, runs ? x | 2 << 8 | 1 << 16 | packet << 24 : 0};
      memcpy(found, s->memory + CONTROL_B + LOG_B + (entry * MAX_MESHES + i) * 8, 8);
      if (memcmp(found, expected, 8))
         fail_msg("entry %u, workgroup %u: 0x%08x 0x%08x instead of 0x%08x 0x%08x", entry, i, found[0], found[1],
                  expected[0], expected[1]);
   }
}

/* Three packets of each ring: 15 workgroups, none, and 1 and 7 of two draws; in rings of four entries. */
static void
meshes_of_tasks_run_once(void **state)
{
   static const uint32_t sizes[4][3] = {{5, 3, 1}, {4, 0, 1}, {1, 1, 1}, {1, 1, 7}};
   struct stream s = open_tasks();
   init_tasks(&s);
   set_mesh(&s);
   for (uint32_t packet = 1; packet <= 3; packet++)
      draw_meshes(&s, packet);
   const struct amd_sim_ib gfx = {.va = sim_va(stream_base), .size_dw = s.count_dw};
   uint32_t first_dw = s.count_dw;
   init_tasks(&s);
   const struct amd_sim_ib preamble = {
      .va = sim_va(stream_base + first_dw * 4), .size_dw = s.count_dw - first_dw, .ring = AMD_SIM_RING_COMPUTE};
   first_dw = s.count_dw;
   set_task(&s);
   start_tasks(&s, sizes[0]);
   start_tasks(&s, sizes[1]);
   start_tasks_indirect(&s, &sizes[2], 2, 5);
   const struct amd_sim_ib compute = {
      .va = sim_va(stream_base + first_dw * 4), .size_dw = s.count_dw - first_dw, .ring = AMD_SIM_RING_COMPUTE};
   const struct amd_sim_ib ibs[] = {preamble, gfx, compute}; /* a ring's buffers may lie apart */
   if (!amd_sim_run(s.sim, s.vm, ibs, ARRAY_SIZE(ibs), &s.fault))
      fail_msg("%s", s.fault.message);
   uint32_t entry = ENTRIES;
   for (uint32_t n = 0; n < 15; n++)
      check_task(&s, entry++, 1, 0, n);
   check_task(&s, entry++, 0, 0, 0); /* the end of the first packet */
   check_task(&s, entry++, 0, 0, 0);
   check_task(&s, entry++, 3, 0, 0);
   for (uint32_t n = 0; n < 7; n++)
      check_task(&s, entry++, 3, 1, n);
   check_task(&s, entry++, 0, 0, 0);
   uint32_t control[6];
   memcpy(control, s.memory + CONTROL_B, sizeof(control));
   for (unsigned i = 0; i < 3; i++) /* all that was written is read and free again */
      assert_int_equal(control[2 * i], entry);
   stream_destroy(&s);
}

static void
bad_rings_are_faults(void **state)
{
   static const struct {
      bool init;
      unsigned dw;
      uint32_t value; /* in place of the control buffer's dword */
      const char *says;
   } rows[] = {
      {false, 0, ENTRIES, "no DISPATCH_TASK_STATE_INIT"},
      {true, 6, 3, "task control buffer"},           /* not a power of two */
      {true, 6, 0, "task control buffer"},           /* none */
      {true, 0, 3 * ENTRIES, "task control buffer"}, /* more in use than there are */
      {true, 2, ENTRIES + 1, "task control buffer"}, /* read ahead of what was written */
      {true, 8, 0x7fff, "unmapped address"},
   };
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
      struct stream s = open_tasks();
      memcpy(s.memory + CONTROL_B + 4 * rows[i / 2].dw, &rows[i / 2].value, 4);
      if (rows[i / 2].init)
         init_tasks(&s);
      if (i % 2) {
         s.count_dw = 0;
         if (rows[i / 2].init)
            init_tasks(&s);
         set_task(&s);
         start_tasks(&s, (const uint32_t[3]){1, 1, 1});
      } else {
         set_mesh(&s);
         draw_meshes(&s, 1);
      }
      assert_false(stream_run_on(&s, i % 2 ? AMD_SIM_RING_COMPUTE : AMD_SIM_RING_GFX));
      if (!strstr(s.fault.message, rows[i / 2].says))
         fail_msg("row %u: \"%s\" does not say \"%s\"", i, s.fault.message, rows[i / 2].says);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(meshes_of_tasks_run_once),
      cmocka_unit_test(bad_rings_are_faults),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

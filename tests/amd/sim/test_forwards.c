/* Hazards of GFX11: what runs into each, what LLVM 19 and Mesa's compiler put between, and what is just not enough.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hazard_rig.h"
#include "text_program.h"

/* Whether the instructions, one a line, run into the hazard. */
static bool
meets(const char *chip, unsigned lanes, const char *hazard, const char *text)
{
   char program[2048];
   snprintf(program, sizeof(program), "s_mov_b32 m0, 0\ns_mov_b64 vcc, 0\ns_waitcnt_depctr 0\n%s\ns_endpgm\n", text);
   struct sim_fault fault = {0};
   const struct amd_chip *row = amd_chip_by_name(chip);
   write_text_program(rig.code, row->gen, lanes == 64, program);
   if (hazard_rig_run(chip, lanes, &fault) || !strstr(fault.message, "hazard "))
      return false;
   if (!strstr(fault.message, hazard))
      fail_msg("%s on %s: %s\n%s", hazard, chip, fault.message, text);
   return true;
}

struct row {
   const char *text;
   bool meets;
};

#define FILL1 "v_mov_b32 v9, 0\n"
#define FILL2 FILL1 FILL1
#define FILL4 FILL2 FILL2
#define VDST_0 "s_waitcnt_depctr 0xfff\n"

static void
check(const char *chip, unsigned lanes, const char *hazard, const struct row *rows, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      if (meets(chip, lanes, hazard, rows[i].text) != rows[i].meets)
         fail_msg("%s, %u lanes: %s expected of\n%s", chip, lanes, rows[i].meets ? hazard : "no hazard",
                  rows[i].text);
}

static void
transcendental_then_use(void **state)
{
   static const struct row rows[] = {
      {"v_rcp_f32 v1, v2\nv_mov_b32 v3, v1", true},
      {"v_rcp_f32 v1, v2\n" FILL4 FILL1 "v_mov_b32 v3, v1", true},
      {"v_rcp_f32 v1, v2\n" FILL4 FILL2 "v_mov_b32 v3, v1", false},
      {"v_rcp_f32 v1, v2\nv_exp_f32 v9, v2\nv_mov_b32 v3, v1", true},
      {"v_rcp_f32 v1, v2\nv_exp_f32 v9, v2\nv_exp_f32 v9, v2\nv_mov_b32 v3, v1", false},
      {"v_rcp_f32 v1, v2\n" VDST_0 "v_mov_b32 v3, v1", false},
      {"v_rcp_f32 v1, v2\ns_waitcnt_depctr 0x1fff\nv_mov_b32 v3, v1", true},
      {"v_rcp_f32 v1, v2\nds_store_b32 v4, v2\nv_mov_b32 v3, v1", false},
      {"v_rcp_f32 v1, v2\ns_nop 15\nv_fma_f32 v3, v2, v2, v1", true},
      {"v_rcp_f32 v1, v2\nv_fmac_f32 v1, v2, v2", true},
      {"v_rcp_f32 v1, v2\nv_mov_b32 v3, v2", false},
      {"v_rcp_f32 v1, v2\nv_mov_b32 v1, v2\nv_mov_b32 v3, v1", false},
   };
   check("navi31", 32, "valu-trans-use", rows, ARRAY_SIZE(rows));
   check("navi31", 64, "valu-trans-use", rows, ARRAY_SIZE(rows));
   check("phoenix", 64, "valu-trans-use", rows, ARRAY_SIZE(rows));
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) /* AMDGPU.td: mended in GFX11.5 */
      assert_false(meets("gfx1150", 64, "valu-trans-use", rows[i].text));
}

static void
registers_around_exec(void **state)
{
#define EXEC "s_mov_b64 exec, -1\n"
   static const struct row rows[] = {
      {"v_mov_b32 v1, 0\n" EXEC "v_mov_b32 v2, 0\nv_add_f32 v3, v1, v2", true},
      {"v_mov_b32 v1, 0\n" EXEC "v_mov_b32 v2, 0\nv_add_f32 v3, v2, v1", true},
      {"v_mov_b32 v1, 0\n" FILL2 EXEC "v_mov_b32 v2, 0\nv_add_f32 v3, v1, v2", true},
      {"v_mov_b32 v1, 0\n" FILL1 EXEC FILL2 "v_mov_b32 v2, 0\nv_add_f32 v3, v1, v2", false},
      {"v_mov_b32 v1, 0\n" EXEC "v_mov_b32 v2, 0\n" FILL4 "v_add_f32 v3, v1, v2", true},
      {"v_mov_b32 v1, 0\n" EXEC "v_mov_b32 v2, 0\n" FILL4 FILL1 "v_add_f32 v3, v1, v2", false},
      {"v_mov_b32 v1, 0\n" EXEC "v_mov_b32 v2, 0\n" VDST_0 "v_add_f32 v3, v1, v2", false},
      {"v_mov_b32 v1, 0\n" EXEC VDST_0 "v_mov_b32 v2, 0\nv_add_f32 v3, v1, v2", false},
      {"v_mov_b32 v1, 0\nv_mov_b32 v2, 0\n" EXEC "v_add_f32 v3, v1, v2", false},
      /* What is swapped is written on both sides. */
      {"v_mov_b32 v1, 0\nv_mov_b32 v2, 0\n" EXEC "v_swap_b32 v1, v2\nv_mov_b32 v1, 0\nv_add_f32 v3, v1, v2", false},
      {"v_mov_b32 v1, 0\n" EXEC "v_mov_b32 v2, 0\nv_fma_mixhi_f16 v2, v1, v3, v3", false},
      {"v_mov_b32 v1, 0\n" EXEC "v_mov_b32 v2, 0\nv_fmac_f32 v2, v1, v3", true},
      {"v_mov_b32 v1, 0\n" EXEC "v_swap_b32 v9, v2\nv_add_f32 v3, v1, v2", true},
      {"v_mov_b32 v1, 0\ns_mov_b64 s[6:7], -1\nv_mov_b32 v2, 0\nv_add_f32 v3, v1, v2", false},
      /* A scalar instruction that waits for a vector one between: Mesa 26 asks for no more. */
      {"v_mov_b32 v1, 0\nv_cmp_eq_u32 vcc, v4, v4\ns_mov_b64 s[6:7], vcc\n" EXEC
       "v_mov_b32 v2, 0\nv_add_f32 v3, v1, v2",
       false},
      {"v_mov_b32 v1, 0\nv_cmp_eq_u32 vcc, v4, v4\ns_mov_b64 s[6:7], -1\n" EXEC
       "v_mov_b32 v2, 0\nv_add_f32 v3, v1, v2",
       true},
      {"v_mov_b32 v1, 0\nv_cmpx_eq_u32 v4, v4\ns_and_b64 exec, exec, -1\nv_mov_b32 v2, 0\nv_add_f32 v3, v1, v2",
       false},
      {"v_mov_b32 v1, 0\ns_and_saveexec_b64 s[6:7], -1\nv_mov_b32 v2, 0\nv_add_f32 v3, v1, v2", true},
   };
   check("navi31", 64, "valu-partial-forwarding", rows, ARRAY_SIZE(rows));
   check("gfx1150", 64, "valu-partial-forwarding", rows, ARRAY_SIZE(rows));
   assert_false(meets("navi31", 32, "valu-partial-forwarding",
                      "v_mov_b32 v1, 0\ns_mov_b32 exec_lo, -1\nv_mov_b32 v2, 0\nv_add_f32 v3, v1, v2"));
}

static void
written_lane_masks(void **state)
{
#define SELECT "v_cndmask_b32 v3, v1, v2, s[4:5]\n"
   static const struct row rows[] = {
      {SELECT "s_mov_b64 s[4:5], 0\ns_mov_b64 s[6:7], s[4:5]", true},
      {SELECT "s_mov_b32 s5, 0\ns_mov_b32 s6, s5", true},
      {SELECT "s_mov_b64 s[4:5], 0\n" SELECT, true},
      {SELECT "s_mov_b64 s[4:5], 0\ns_waitcnt_depctr 0xfffe\ns_mov_b64 s[6:7], s[4:5]", false},
      {SELECT "s_mov_b64 s[4:5], 0\n" VDST_0 "s_mov_b64 s[6:7], s[4:5]", true},
      {SELECT "v_mov_b32 v3, s6\ns_mov_b64 s[4:5], 0\ns_mov_b64 s[6:7], s[4:5]", false},
      {SELECT "v_mov_b32 v3, 0x12345678\ns_mov_b64 s[4:5], 0\ns_mov_b64 s[6:7], s[4:5]", false},
      {SELECT "s_mov_b64 s[4:5], 0\nv_mov_b32 v3, s6\ns_mov_b64 s[6:7], s[4:5]", false},
      {SELECT "s_waitcnt_depctr 0xfffe\ns_mov_b64 s[4:5], 0\ns_mov_b64 s[6:7], s[4:5]", false},
      /* As RADV has it: a scalar instruction waits for a vector one after the mask's reader. */
      {SELECT "v_cmp_eq_i32 vcc, 0, v1\ns_mov_b64 s[4:5], vcc\ns_mov_b64 s[6:7], s[4:5]", false},
      {"v_cmp_eq_i32 vcc, 0, v1\n" SELECT "s_mov_b64 s[4:5], vcc\ns_mov_b64 s[6:7], s[4:5]", true},
      {SELECT "s_mov_b64 s[6:7], 0\ns_mov_b64 s[8:9], s[6:7]", false},
      /* As Mesa 26 has it: a vector instruction with a scalar result after the write, or the reader waited for. */
      {SELECT "s_mov_b64 s[4:5], 0\nv_cmp_eq_i32 s[8:9], 0, v1\ns_mov_b64 s[6:7], s[4:5]", false},
      {SELECT "s_mov_b64 s[4:5], 0\nv_cmpx_eq_i32 0, v1\ns_mov_b64 s[6:7], s[4:5]", false},
      {SELECT "s_mov_b64 s[4:5], 0\ns_cbranch_scc0 end\ns_mov_b64 s[6:7], s[4:5]\nend:", false},
      {SELECT "s_mov_b64 s[4:5], 0\ns_cbranch_vccnz end\ns_mov_b64 s[6:7], s[4:5]\nend:", false},
      {SELECT "s_mov_b64 s[4:5], 0\ns_cbranch_execz end\ns_mov_b64 s[6:7], s[4:5]\nend:", true},
      {SELECT "s_mov_b64 s[4:5], 0\nv_mov_b32 v9, v1\ns_mov_b64 s[6:7], s[4:5]", true},
      {SELECT VDST_0 "s_mov_b64 s[4:5], 0\ns_mov_b64 s[6:7], s[4:5]", false},
      {SELECT "global_store_b32 v4, v9, s[0:1]\ns_mov_b64 s[4:5], 0\ns_mov_b64 s[6:7], s[4:5]", false},
      {"s_mov_b64 s[4:5], 0\ns_mov_b64 s[6:7], s[4:5]", false},
      {"v_cndmask_b32 v3, v1, v2, vcc\ns_mov_b64 vcc, 0\ns_mov_b64 s[6:7], vcc", true},
   };
   check("navi31", 64, "valu-mask-write", rows, ARRAY_SIZE(rows));
   check("gfx1150", 64, "valu-mask-write", rows, ARRAY_SIZE(rows));
   assert_false(
      meets("navi31", 32, "valu-mask-write", "v_cndmask_b32 v3, v1, v2, s4\ns_mov_b32 s4, 0\ns_mov_b32 s6, s4"));
}

static void
compared_then_permuted(void **state)
{
   static const struct row rows[] = {
      {"v_cmpx_eq_u32 v1, v1\nv_permlane16_b32 v3, v1, s4, s5", true},
      {"v_cmpx_eq_u32 v1, v1\ns_nop 3\nv_permlanex16_b32 v3, v1, s4, s5", true},
      {"v_cmpx_eq_u32 v1, v1\nv_nop\nv_permlane16_b32 v3, v1, s4, s5", false},
      {"v_cmpx_eq_u32 v1, v1\nv_mov_b32 v9, v9\nv_permlane16_b32 v3, v1, s4, s5", false},
      {"v_cmp_eq_u32 vcc_lo, v1, v1\nv_permlane16_b32 v3, v1, s4, s5", false},
   };
   check("navi31", 32, "vcmpx-permlane", rows, ARRAY_SIZE(rows));
   check("gfx1150", 32, "vcmpx-permlane", rows, ARRAY_SIZE(rows));
}

static void
products_in_a_chain(void **state)
{
#define PRODUCT(d, a, b) "v_wmma_i32_16x16x16_iu4 " d ", " a ", " b ", 0\n"
#define FIRST "v_mov_b32 v0, 0\nv_mov_b32 v1, 0\n" PRODUCT("v[4:11]", "v[0:1]", "v[0:1]")
   static const struct row rows[] = {
      {FIRST PRODUCT("v[8:15]", "v[6:7]", "v[0:1]"), true},
      {FIRST "s_nop 3\n" PRODUCT("v[8:15]", "v[0:1]", "v[3:4]"), true},
      {FIRST "v_nop\n" PRODUCT("v[8:15]", "v[4:5]", "v[4:5]"), false},
      {FIRST PRODUCT("v[4:11]", "v[0:1]", "v[0:1]"), false},
   };
   check("navi31", 32, "wmma-chain", rows, ARRAY_SIZE(rows));
   check("gfx1150", 64, "wmma-chain", rows, ARRAY_SIZE(rows));
   assert_true(meets("navi31", 32, "wmma-chain", FIRST PRODUCT("v[0:7]", "v[8:9]", "v[0:1]")));
   assert_false(meets("navi31", 64, "wmma-chain", FIRST PRODUCT("v[0:7]", "v[8:9]", "v[0:1]")));
}

static void
lds_into_registers_in_use(void **state)
{
#define LOAD(wait) "lds_direct_load v1 wait_vdst:" #wait
   static const struct row vectors[] = {
      {"v_mov_b32 v3, v1\n" LOAD(15), true},
      {"v_mov_b32 v1, v3\n" LOAD(1), true},
      {"v_mov_b32 v3, v1\n" LOAD(0), false},
      {"v_mov_b32 v3, v1\n" FILL4 LOAD(4), false},
      {"v_mov_b32 v3, v1\n" FILL4 LOAD(5), true},
      {"v_mov_b32 v3, v1\nv_exp_f32 v9, v2\n" FILL4 LOAD(4), true},
      {"v_mov_b32 v3, v1\nv_exp_f32 v9, v2\n" FILL4 LOAD(0), false},
      {"v_exp_f32 v9, v2\nv_mov_b32 v3, v1\n" FILL4 LOAD(4), false},
      {"v_mov_b32 v3, v1\n" FILL4 FILL4 FILL4 FILL4 LOAD(15), false},
      {"v_mov_b32 v3, v1\n" VDST_0 LOAD(15), false},
      {"v_mov_b32 v3, v2\n" LOAD(15), false},
   };
   static const struct row memory[] = {
      {"global_load_b32 v3, v1, s[0:1]\n" LOAD(0), true},
      {"ds_store_b32 v4, v1\n" LOAD(0), true},
      {"global_store_b32 v4, v1, s[0:1]\n" LOAD(0), true},
      {"global_store_b32 v4, v2, s[0:1]\n" LOAD(0), false},
      {"ds_store_b32 v4, v1\ns_waitcnt lgkmcnt(0)\n" LOAD(0), false},
      {"ds_store_b32 v4, v1\ns_waitcnt vmcnt(0)\n" LOAD(0), true},
      {"global_load_b32 v3, v1, s[0:1]\ns_waitcnt vmcnt(0)\n" LOAD(0), false},
      {"global_store_b32 v4, v1, s[0:1]\ns_waitcnt_vscnt null, 0x0\n" LOAD(0), false},
      {"global_store_b32 v4, v1, s[0:1]\ns_waitcnt_depctr 0xffe3\n" LOAD(0), false},
      {"global_store_b32 v4, v1, s[0:1]\n" FILL1 LOAD(0), false},
   };
   check("navi31", 32, "lds-direct-valu", vectors, ARRAY_SIZE(vectors));
   check("gfx1150", 64, "lds-direct-valu", vectors, ARRAY_SIZE(vectors));
   check("navi31", 32, "lds-direct-vmem", memory, ARRAY_SIZE(memory));
   check("gfx1150", 64, "lds-direct-vmem", memory, ARRAY_SIZE(memory));
}

/* Where timing does its worst. Each register is in a bank of its own of the four: the encoder asks for that. */
static void
pairs_without_interlock(void **state)
{
#define PAIR(x0, x1, y0, y1) "v_dual_add_f32 v4, " #x0 ", " #x1 " :: v_dual_mul_f32 v5, " #y0 ", " #y1
   static const struct row rows[] = {
      {"v_mov_b32 v1, 0\n" PAIR(v1, v6, v3, v7), true},
      {"v_mov_b32 v3, 0\n" PAIR(v1, v6, v3, v7), true},
      {"v_mov_b32 v0, 0\n" PAIR(v0, v6, v2, v7), true},
      {"v_mov_b32 v6, 0\n" PAIR(v1, v6, v3, v7), false},
      {"v_mov_b32 v7, 0\n" PAIR(v1, v7, s4, v9), true},
      {"v_mov_b32 v9, 0\n" PAIR(v1, v7, v2, v9), true},
      {"v_mov_b32 v1, 0\n" PAIR(v1, v7, v2, v9), false},
      {"v_mov_b32 v1, 0\n" PAIR(v1, v6, v2, v7), false},
      {"v_mov_b32 v1, 0\nv_mov_b32 v7, 0\n" PAIR(v1, v6, v2, v7), false}, /* one's first, the other's second */
      {"v_mov_b32 v1, 0\n" PAIR(v1, v6, s4, v7), false},
      {"v_mov_b32 v1, 0\n" PAIR(v1, v6, 1.0, v7), false},
      {PAIR(v1, v6, v3, v7), false},
      {"v_mov_b32 v1, 0\n" FILL2 FILL1 PAIR(v1, v6, v3, v7), true},
      {"v_mov_b32 v1, 0\n" FILL4 PAIR(v1, v6, v3, v7), false},
      {"v_mov_b32 v1, 0\ns_nop 15\n" PAIR(v1, v6, v3, v7), true},
      {"v_mov_b32 v1, 0\n" VDST_0 PAIR(v1, v6, v3, v7), false},
      {"v_mov_b32 v1, 0\ns_waitcnt_depctr 0x1fff\n" PAIR(v1, v6, v3, v7), true},
      {"v_mov_b32 v1, 0\nds_store_b32 v8, v2\n" PAIR(v1, v6, v3, v7), false},
      {"v_dual_mov_b32 v0, v6 :: v_dual_mov_b32 v1, v7\n" PAIR(v1, v6, v3, v7), true},
   };
   const struct sim_schedule worst = {SIM_SCHEDULE_WORST, 0}, seeded = {SIM_SCHEDULE_SEED, 1}, in_order = {0};
   amd_wave_engine_set_schedule(rig.engine, &worst);
   check("navi31", 32, "vopd-interlock", rows, ARRAY_SIZE(rows));
   check("gfx1150", 32, "vopd-interlock", rows, ARRAY_SIZE(rows));
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      amd_wave_engine_set_schedule(rig.engine, i & 1 ? &seeded : &in_order);
      assert_false(meets("navi31", 32, "vopd-interlock", rows[i].text));
   }
   amd_wave_engine_set_schedule(rig.engine, &in_order);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(transcendental_then_use), cmocka_unit_test(registers_around_exec),
      cmocka_unit_test(written_lane_masks),      cmocka_unit_test(compared_then_permuted),
      cmocka_unit_test(products_in_a_chain),     cmocka_unit_test(lds_into_registers_in_use),
      cmocka_unit_test(pairs_without_interlock),
   };
   return cmocka_run_group_tests(tests, hazard_rig_create, hazard_rig_destroy);
}

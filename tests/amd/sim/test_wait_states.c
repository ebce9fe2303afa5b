/* Wait states of GFX9: each pair of instructions of the table in docs/errata.md with too few between them, by s_nop
 * and by other instructions, and with just enough (Vega ISA, "Manually Inserted Wait States"). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hazard_rig.h"
#include "text_program.h"

/* The hazard that the instructions meet, or "". */
static const char *
met(const char *first, const char *between, unsigned count, const char *second)
{
   static char said[512];
   char program[2048];
   int length = snprintf(program, sizeof(program), "s_mov_b32 m0, 0\ns_mov_b64 vcc, 0\ns_nop 7\n%s\n", first);
   for (unsigned i = 0; i < count; i++)
      length += snprintf(program + length, sizeof(program) - (size_t)length, "%s\n", between);
   snprintf(program + length, sizeof(program) - (size_t)length, "%s\ns_endpgm\n", second);
   struct sim_fault fault = {0};
   write_text_program(rig.code, AMD_GFX9, true, program);
   bool ended = hazard_rig_run("vega10", 64, &fault);
   const char *hazard = ended ? NULL : strstr(fault.message, "hazard ");
   snprintf(said, sizeof(said), "%.*s", hazard ? (int)strcspn(hazard + 7, " ") : 0, hazard ? hazard + 7 : "");
   return said;
}

#define DPP "v_mov_b32_dpp v3, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf"

static const struct {
   const char *hazard, *first, *second;
   unsigned needed;
} rows[] = {
   {"valu-sgpr-vmem", "v_readfirstlane_b32 s0, v1", "global_load_dword v2, v1, s[0:1]", 5},
   {"valu-sgpr-vmem", "v_readfirstlane_b32 s11, v1", "buffer_load_dword v2, off, s[8:11], 0", 5},
   {"valu-lane-select", "v_readfirstlane_b32 s3, v1", "v_readlane_b32 s4, v2, s3", 4},
   {"valu-lane-select", "v_readfirstlane_b32 s3, v1", "v_writelane_b32 v2, 5, s3", 4},
   {"valu-vcc-div-fmas", "v_cmp_eq_u32 vcc, v1, v1", "v_div_fmas_f32 v3, v1, v2, v4", 4},
   {"valu-vccz-execz", "v_cmp_eq_u32 vcc, v1, v1", "v_mov_b32 v3, src_vccz", 5},
   {"valu-vccz-execz", "v_cmpx_eq_u32 s[6:7], v1, v1", "v_mov_b32 v3, src_execz", 5},
   {"valu-exec-dpp", "v_cmpx_eq_u32 s[6:7], v1, v1", DPP, 5},
   {"valu-dpp-vgpr", "v_mov_b32 v2, v1", DPP, 2},
   {"salu-m0", "s_mov_b32 m0, 0", "s_movrels_b32 s4, s5", 1},
   {"salu-m0", "s_mov_b32 m0, 0", "ds_append v2", 1},
   {"salu-m0", "s_mov_b32 m0, 0", "s_sendmsg sendmsg(MSG_INTERRUPT)", 1},
   {"setreg-getreg", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0", "s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 4)",
    2},
   {"setreg-getreg", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0", "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s2",
    2},
   {"vmem-store-data", "global_store_dwordx4 v1, v[4:7], s[0:1]", "v_mov_b32 v5, 0", 1},
   {"vmem-store-data", "buffer_store_dwordx3 v[4:6], off, s[8:11], 0", "v_mov_b32 v6, 0", 1},
   /* Nothing to wait for. */
   {"", "v_readfirstlane_b32 s2, v1", "global_load_dword v2, v1, s[0:1]", 0},
   {"", "v_readfirstlane_b32 s11, v1", "s_mov_b32 s11, 0\nbuffer_load_dword v2, off, s[8:11], 0", 0},
   {"", "v_readfirstlane_b32 s11, v1",
    "s_load_dwordx4 s[8:11], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nbuffer_load_dword v2, off, s[8:11], 0", 0},
   {"", "s_mov_b32 s3, 0", "v_readlane_b32 s4, v2, s3", 0},
   {"", "v_mov_b32 v2, v1", "v_mov_b32 v3, v2", 0},
   {"", "s_mov_b32 m0, 0", "s_mov_b32 s4, m0", 0},
   {"", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0", "s_getreg_b32 s4, hwreg(HW_REG_STATUS, 0, 4)", 0},
   {"", "global_store_dwordx2 v1, v[4:5], s[0:1]", "v_mov_b32 v5, 0", 0},
   {"", "global_store_dwordx4 v1, v[4:7], s[0:1]", "v_mov_b32 v8, 0", 0},
   {"", "buffer_store_dwordx4 v[4:7], off, s[8:11], s2", "v_mov_b32 v5, 0", 0},
};

static void
each_pair(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned n = 0; n <= rows[i].needed; n++) {
         const char *want = n < rows[i].needed ? rows[i].hazard : "";
         char nop[32];
         snprintf(nop, sizeof(nop), "s_nop %u", n ? n - 1 : 0);
         const char *by_nop = met(rows[i].first, nop, n > 0, rows[i].second);
         if (strcmp(by_nop, want))
            fail_msg("%s; s_nop of %u; %s: \"%s\" instead of \"%s\"", rows[i].first, n, rows[i].second, by_nop, want);
         const char *by_others = met(rows[i].first, "s_mov_b32 s15, 0", n, rows[i].second);
         if (strcmp(by_others, want))
            fail_msg("%s; %u others; %s: \"%s\" instead of \"%s\"", rows[i].first, n, rows[i].second, by_others,
                     want);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(each_pair)};
   return cmocka_run_group_tests(tests, hazard_rig_create, hazard_rig_destroy);
}

/* Races in LDS: what two waves of a group do to the same bytes, and what makes it safe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hazard_rig.h"
#include "sim/waves/race_lds.h"
#include "text_program.h"

/* v0: 4 * lane; v1: 128 * wave + 4 * lane, the wave's own; v2: the other wave's; v3: a value of the wave. */
#define START                                                                                                        \
   "s_mov_b32 m0, -1\ns_lshl_b32 s3, s2, 7\nv_add_nc_u32 v1, s3, v0\nv_xor_b32 v2, 0x80, v1\nv_mov_b32 v3, s2\n"
#define STORE_OWN "ds_write_b32 v1, v3\n"
#define LOAD_OTHER "ds_read_b32 v4, v2\n"
#define WAIT "s_waitcnt lgkmcnt(0)\n"
#define BARRIER WAIT "s_barrier\n"

static const struct {
   const char *text;
   const char *said[2]; /* of the two accesses; NULL: silence */
} rows[] = {
   {STORE_OWN LOAD_OTHER, {"write at 0x", "(ds_read_b32 v4, v2)"}},
   {STORE_OWN BARRIER LOAD_OTHER, {NULL}},
   {LOAD_OTHER STORE_OWN, {"read at 0x", "(ds_write_b32 v1, v3)"}},
   {LOAD_OTHER BARRIER STORE_OWN, {NULL}},
   {STORE_OWN BARRIER LOAD_OTHER STORE_OWN, {"read at 0x", "(ds_write_b32 v1, v3)"}},
   {STORE_OWN BARRIER LOAD_OTHER BARRIER STORE_OWN, {NULL}},
   {STORE_OWN "ds_read_b32 v4, v1\n" WAIT STORE_OWN, {NULL}},
   {LOAD_OTHER "ds_read_b32 v5, v1\n", {NULL}},
   /* Both waves to the same dwords. */
   {"ds_write_b32 v0, v3\n", {"wave 0, write at 0x", "wave 1, write at 0x"}},
   {"ds_write_b32 v0, v0\n", {NULL}},
   {"ds_write_b32 v0, v0\n" WAIT "ds_write_b32 v0, v3\n", {"wave 0, write at 0x", "wave 1, write at 0x"}},
   {"ds_add_u32 v0, v3\n", {NULL}},
   {"ds_add_u32 v0, v3\n" WAIT "ds_read_b32 v4, v0\n", {"atomic at 0x", "read at 0x"}},
   {"ds_add_u32 v0, v3\n" BARRIER "ds_read_b32 v4, v0\n", {NULL}},
   {"ds_add_u32 v0, v3\nds_write_b32 v2, v3\n", {"atomic at 0x", "write at 0x"}},
   /* Bytes of them, and 8 bytes of which 4 are also the other's. */
   {"v_lshl_or_b32 v5, s2, 1, v0\nds_write_b16 v5, v3\n", {NULL}},
   {"v_lshl_or_b32 v5, s2, 1, v0\nds_write_b32 v0, v3\nds_write_b16 v5, v3\n", {"write at 0x", "write at 0x"}},
   {"v_lshl_add_u32 v5, s2, 2, 8\nv_mov_b32 v4, s2\nds_write_b64 v5, v[3:4]\n", {"LDS address 0xc", "wave 1"}},
   /* Where nothing is. */
   {"v_mov_b32 v5, 0x8000\nds_write_b32 v5, v3\n", {NULL}},
};

static void
run_group(const char *text, const struct sim_schedule *schedule, char *said, size_t size_B)
{
   char program[2048];
   FILE *out = fmemopen(said, size_B, "w");
   struct sim_lds_races *races = sim_lds_races_create(out);
   struct sim_fault fault = {0};
   snprintf(program, sizeof(program), START "%ss_waitcnt 0\ns_endpgm\n", text);
   write_text_program(rig.code, AMD_GFX10_3, false, program);
   amd_wave_engine_set_schedule(rig.engine, schedule);
   amd_wave_engine_set_lds_races(rig.engine, races);
   bool ended = hazard_rig_run_group("navi21", 32, 2, &fault);
   amd_wave_engine_set_lds_races(rig.engine, NULL);
   const uint64_t count = sim_lds_races_count(races);
   sim_lds_races_destroy(races);
   fputc(0, out);
   fclose(out);
   if (!ended)
      fail_msg("%s: %s", text, fault.message);
   assert_int_equal(count != 0, *said != 0);
}

static void
pairs_of_accesses(void **state)
{
   static const struct sim_schedule schedules[] = {
      {SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_ROUND_ROBIN, 0}, {SIM_SCHEDULE_WORST, 0}, {SIM_SCHEDULE_SEED, 5}};
   char said[8192];
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned s = 0; s < ARRAY_SIZE(schedules); s++) {
         run_group(rows[i].text, &schedules[s], said, sizeof(said));
         bool silent = !rows[i].said[0];
         if (silent != !*said || (!silent && !strstr(said, "LDS race: ")))
            fail_msg("%s: %s expected, not: %s", rows[i].text, silent ? "silence" : "a race", said);
         for (unsigned k = 0; k < 2 && !silent && !s; k++)
            if (!strstr(said, rows[i].said[k]))
               fail_msg("%s: %s expected, not: %s", rows[i].text, rows[i].said[k], said);
      }
   }
}

/* All of a report, by hand: 32 lanes of each wave read what the other one wrote. */
static void
report(void **state)
{
   char said[8192];
   run_group(STORE_OWN LOAD_OTHER, &(struct sim_schedule){SIM_SCHEDULE_IN_ORDER, 0}, said, sizeof(said));
   assert_non_null(
      strstr(said, "indium: LDS race: 32 times, first at LDS address 0x80 of group 0: wave 0, read at 0x1"));
   assert_non_null(
      strstr(said, "indium: LDS race: 32 times, first at LDS address 0x0 of group 0: wave 0, write at 0x1"));
   assert_non_null(strstr(said, "(ds_write_b32 v1, v3), and wave 1, read at 0x1"));
   assert_non_null(strstr(said, "; no barrier between\n"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_of_accesses), cmocka_unit_test(report)};
   return cmocka_run_group_tests(tests, hazard_rig_create, hazard_rig_destroy);
}

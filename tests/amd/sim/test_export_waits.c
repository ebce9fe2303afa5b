/* What EXPCNT counts: instructions, each of which holds all the registers that it reads until it is done. A wait for
 * 1 covers all but the last one ("Vega", "RDNA 2" and "RDNA 3" ISA: EXP_CNT goes up by 1 with each export or GDS
 * instruction; LLVM, SIInsertWaitcnts.cpp, has one score for all sources of an export). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hazard_rig.h"
#include "text_program.h"

static const char *const chips[] = {"vega10", "navi10", "navi21", "navi31"};

/* After `reads` and the wait registers from `first_held` to `last_held` are held, and others are free. */
static void
check(const char *chip, const char *reads, const char *wait, unsigned first_held, unsigned last_held)
{
   const struct amd_chip *c = amd_chip_by_name(chip);
   for (unsigned reg = 1; reg <= last_held + 1; reg++) {
      char text[512], words[64];
      struct sim_fault fault = {0};
      snprintf(text, sizeof(text), "%s%sv_mov_b32 v%u, 0\ns_waitcnt lgkmcnt(0)\ns_endpgm\n", reads, wait, reg);
      snprintf(words, sizeof(words), "v%u is overwritten while an export reads it", reg);
      memset(rig.code, 0, RIG_SIZE_B);
      write_text_program(rig.code, c->gen, true, text);
      const bool ok = hazard_rig_run(chip, 64, &fault), held = reg >= first_held && reg <= last_held;
      if (ok == held || (held && !strstr(fault.message, words)))
         fail_msg("%s: v%u %s: %s\n%s", chip, reg, held ? "is free" : "is held", fault.message, text);
   }
}

static void
exports_of_several_registers(void **state)
{
   static const char two[] = "exp mrt0 v1, v2, v3, v4\nexp mrt1 v5, v6, v7, v8\n";
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      check(chips[i], two, "", 1, 8);
      check(chips[i], two, "s_waitcnt expcnt(2)\n", 1, 8);
      check(chips[i], two, "s_waitcnt expcnt(1)\n", 5, 8);
      check(chips[i], two, "s_waitcnt expcnt(0)\n", 9, 8);
   }
}

/* One that reads nothing counts, too, and one that reads a register four times counts once. */
static void
exports_of_few_registers(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      check(chips[i], "exp mrt0 v1, v1, v1, v1\nexp mrt1 v2, off, off, v2\n", "s_waitcnt expcnt(1)\n", 2, 2);
      check(chips[i], "exp mrt0 v1, v2, v3, v4\nexp mrt1 off, off, off, off\n", "s_waitcnt expcnt(1)\n", 5, 4);
   }
}

/* Address and data of atomics of GDS. */
static void
atomics(void **state)
{
   for (unsigned i = 1; i < ARRAY_SIZE(chips) - 1; i++) {
      static const char two[] = "s_mov_b32 m0, 0x100\nds_cmpst_b64 v0, v[1:2], v[3:4] gds\n"
                                "ds_cmpst_b64 v5, v[6:7], v[8:9] gds\n";
      check(chips[i], two, "s_waitcnt expcnt(2)\n", 1, 9);
      check(chips[i], two, "s_waitcnt expcnt(1)\n", 5, 9);
      check(chips[i], two, "s_waitcnt expcnt(0)\n", 10, 9);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(exports_of_several_registers),
                                      cmocka_unit_test(exports_of_few_registers), cmocka_unit_test(atomics)};
   return cmocka_run_group_tests(tests, hazard_rig_create, hazard_rig_destroy);
}

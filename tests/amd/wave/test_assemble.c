/* The assembler reads what the printer writes: random instructions of every row of the table, by isa_random, which
 * LLVM agrees with (isa_llvm), give their words back. Other text gets an error. */
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/wave/assemble.h"
#include "util/macros.h"

static const char *isa_random;

static enum amd_gen
gen_of(const char *chip)
{
   return amd_chip_by_name(chip)->gen;
}

static void
check(struct assembler *a, const char *text, const uint32_t *words, unsigned count)
{
   struct amd_inst inst;
   uint32_t made[AMD_INST_MAX_DW];
   unsigned size;
   if (!assemble(a, text, &inst))
      fail_msg("%s: %s", text, a->error);
   assert_true(amd_isa_encode(a->gen, &inst, made, &size));
   /* A mnemonic alone may be the text of a short and a long form: v_nop. */
   if (strchr(text, ' ') && (size != count || memcmp(made, words, size * 4))) {
      char again[256];
      amd_isa_print(a->gen, &inst, a->wave64, again, sizeof(again));
      fail_msg("%s: %08x %08x instead of %08x %08x, which is %s", text, made[0], made[1], words[0], words[1], again);
   }
}

/* Lines "words|text". */
static void
every_row(void **state)
{
   static const char *const cpus[][2] = {{"gfx1030", "navi21"},
                                         {"gfx1010", "navi10"},
                                         {"gfx900", "vega10"},
                                         {"gfx1100", "navi31"},
                                         {"gfx1150", "gfx1150"}};
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(cpus); i++) {
      if (gen_of(cpus[i / 2][1]) == AMD_GFX9 && !(i % 2))
         continue;
      struct assembler a = {.gen = gen_of(cpus[i / 2][1]), .wave64 = i % 2};
      char command[4096], line[512];
      snprintf(command, sizeof(command), "'%s' %s %u 6 %u", isa_random, cpus[i / 2][0], i + 1, a.wave64 ? 64 : 32);
      FILE *lines = popen(command, "r");
      assert_non_null(lines);
      unsigned count = 0;
      for (; fgets(line, sizeof(line), lines); count++) {
         uint32_t words[AMD_INST_MAX_DW] = {0};
         unsigned size = 0;
         char *at = line;
         while (*at != '|')
            words[size++] = (uint32_t)strtoul(at, &at, 16);
         at[strcspn(at, "\n")] = 0;
         check(&a, at + 1, words, size);
      }
      assert_int_equal(pclose(lines), 0);
      assert_true(count > 1000);
   }
}

static void
by_hand(void **state)
{
   static const struct {
      const char *text, *printed, *label;
   } rows[] = {
      {"v_add_f32 v1, v2, v3", "v_add_f32_e32 v1, v2, v3", ""},
      {"v_add_f32 v1, v2, s3", "v_add_f32_e64 v1, v2, s3", ""},
      {"v_mul_f32 v1, 3.0, v1", "v_mul_f32_e32 v1, 0x40400000, v1", ""},
      {"  s_mov_b32   s1,-1  ", "s_mov_b32 s1, -1", ""},
      {"s_cbranch_scc0 loop_1", "s_cbranch_scc0 0", "loop_1"},
      {"s_branch 65535", "s_branch 65535", ""},
      {"s_waitcnt vmcnt(0) lgkmcnt(0)", "s_waitcnt vmcnt(0) lgkmcnt(0)", ""},
      {"s_load_dword s1, s[2:3], 0x10", "s_load_dword s1, s[2:3], 0x10", ""},
   };
   struct assembler a = {.gen = gen_of("navi21")};
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct amd_inst inst;
      char text[256];
      if (!assemble(&a, rows[i].text, &inst))
         fail_msg("%s: %s", rows[i].text, a.error);
      amd_isa_print(a.gen, &inst, false, text, sizeof(text));
      assert_string_equal(text, rows[i].printed);
      assert_string_equal(a.label, rows[i].label);
   }
}

static void
errors(void **state)
{
   static const char *const rows[][3] = {
      {"", ": no such instruction in this generation"},
      {"v_nothing v1", "v_nothing: no such instruction in this generation"},
      {"v_mov_b32 v1", "v_mov_b32: an operand is missing"},
      {"v_mov_b32 v256, 0", "v256: no such operand"},
      {"v_mov_b32 v1, v2, v3", "v3: one operand too many"},
      {"v_mov_b32 v1, v2 glue", "glue: no such modifier"},
      {"ds_read2_b32 v[0:1], v2 offset0:-1", "offset0:-1: no such modifier"},
      {"s_mov_b32 v1, 0", "s_mov_b32: has no encoding with these operands"},
      {"s_waitcnt lunch(0)", "lunch(0): no such immediate"},
      {"exp mrt99 v0, v0, v0, v0", "mrt99 v0, v0, v0, v0: no such target"},
      {"v_mov_b32 v1, 0x123456789", "0x123456789: more than 32 bits"},
      {"v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v2",
       "v_dual_mov_b32: no such operation of a pair in this generation"},
      {"v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v2",
       "v_dual_mov_b32 v0, v1 : cannot be a pair with these operands", "navi31"},
      {"v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v5",
       "v_dual_mov_b32 v0, v1 : cannot be a pair with these operands", "navi31"},
      {"v_dual_mov_b32 v0, 0x100 :: v_dual_mov_b32 v1, 0x101", "v_dual_mov_b32 v1, 0x101: a pair has one literal",
       "navi31"},
      {"v_dual_lshlrev_b32 v0, v1, v2 :: v_dual_mov_b32 v1, v2",
       "v_dual_lshlrev_b32: no such operation of a pair in this generation", "navi31"},
      {"v_dual_mov_b32 v0, v1 :: v_mov_b32 v1, v2", "v_mov_b32: no such operation of a pair in this generation",
       "navi31"},
      {"v_dual_mov_b32 v0, v1 ::", ": no such operation of a pair in this generation", "navi31"},
      {"v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v2 clamp", "v_dual_mov_b32 v1, v2 clamp: too much", "navi31"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct assembler a = {.gen = gen_of(rows[i][2] ? rows[i][2] : "navi21")};
      struct amd_inst inst;
      if (assemble(&a, rows[i][0], &inst))
         fail_msg("%s", rows[i][0]);
      assert_string_equal(a.error, rows[i][1]);
   }
}

/* Lines of the table with other characters: an error or an instruction, and no crash. */
static void
mutated(void **state)
{
   struct assembler a = {.gen = gen_of("navi21")};
   char command[4096], line[512];
   uint64_t sequence = 1;
   snprintf(command, sizeof(command), "'%s' gfx1030 1 12 32", isa_random);
   FILE *lines = popen(command, "r");
   assert_non_null(lines);
   while (fgets(line, sizeof(line), lines)) {
      char *text = strchr(line, '|') + 1;
      text[strcspn(text, "\n")] = 0;
      if (strchr(text, '(') || strstr(text, "offset:")) /* looking for 65536 values takes its time */
         continue;
      for (unsigned changes = 0; changes < 3; changes++) {
         struct amd_inst inst;
         sequence = sequence * 6364136223846793005u + 1442695040888963407u;
         text[(sequence >> 33) % strlen(text)] = " ,[]|-:v1s"[(sequence >> 20) % 10];
         assert_true(assemble(&a, text, &inst) || a.error[0]);
      }
   }
   assert_int_equal(pclose(lines), 0);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(every_row), cmocka_unit_test(by_hand),
                                      cmocka_unit_test(errors), cmocka_unit_test(mutated)};
   assert(argc == 2);
   isa_random = argv[1];
   return cmocka_run_group_tests(tests, NULL, NULL);
}

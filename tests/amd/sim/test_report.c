/* What a report says of names (report.c): every pattern is of a name that some generation has. */
#include <assert.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/pm4.h"
#include "amd/hw/reg_table.h"
#include "amd/sim/report.h"

static bool
is_instruction(const char *pattern)
{
   bool found = false;
   for (unsigned i = 0; i < AMD_OP_COUNT; i++)
      found |= !fnmatch(pattern, amd_isa_op_name((enum amd_op)i), 0);
   return found;
}

static bool
is_register(const char *pattern)
{
   bool found = false;
   for (enum amd_gen gen = 0; gen < AMD_GEN_COUNT; gen++) {
      const struct amd_reg *reg;
      for (unsigned n = 0; (reg = amd_reg_at(gen, n)); n++)
         found |= !fnmatch(pattern, reg->name, 0);
   }
   return found;
}

/* Events are values of the packet's first dword. */
static bool
is_packet_or_event(const char *pattern, bool event)
{
   bool found = false;
   for (enum amd_gen gen = 0; gen < AMD_GEN_COUNT; gen++) {
      const struct amd_pm4_packet *write = amd_pm4_find(gen, PKT3_EVENT_WRITE);
      const struct amd_field *field = write ? amd_reg_field(gen, amd_pm4_word(&write->forms[0], 0), 0) : NULL;
      for (unsigned i = 0; event && field && i < field->value_count; i++)
         found |= !fnmatch(pattern, field->values[i].name, 0);
      for (unsigned i = 0; !event && i < 256; i++) {
         const struct amd_pm4_packet *packet = amd_pm4_find(gen, (uint8_t)i);
         found |= packet && !fnmatch(pattern, packet->name, 0);
      }
   }
   return found;
}

static bool
is_sdma(const char *pattern)
{
   bool found = false;
   for (uint32_t header = 0; header < AMD_REPORT_SDMA; header++) {
      const struct amd_pm4_packet *packet = amd_sdma_find(AMD_GFX10, header);
      found |= packet && !fnmatch(pattern, packet->name, 0);
   }
   return found;
}

static void
test_patterns(void **state)
{
   const char *kind, *pattern;
   unsigned count = 0;
   for (; (pattern = amd_report_pattern(count, &kind)); count++) {
      bool found = !strcmp(kind, "instruction") ? is_instruction(pattern)
                   : !strcmp(kind, "register")  ? is_register(pattern)
                   : !strcmp(kind, "sdma")      ? is_sdma(pattern)
                                                : is_packet_or_event(pattern, !strcmp(kind, "event"));
      if (!found)
         fail_msg("no %s is called %s", kind, pattern);
   }
   assert_true(count > 20);
}

static void
test_notes(void **state)
{
   bool ignored = true;
   assert_null(amd_report_note("instruction", "v_add_f32", &ignored));
   assert_null(amd_report_note("packet", "v_rcp_f32", &ignored));
   assert_non_null(amd_report_note("instruction", "v_rcp_f32", &ignored));
   assert_false(ignored);
   assert_non_null(amd_report_note("packet", "NOP", &ignored));
   assert_true(ignored);
   assert_non_null(amd_report_note("register", "PA_SC_BINNER_CNTL_0", &ignored));
   assert_true(ignored);
   assert_null(amd_report_note("register", "CB_TARGET_MASK", &ignored));
}

static const char *quirks_path;

/* Each note is a row of the table in docs/quirks.md, and each row a note. */
static void
test_quirks(void **state)
{
   static char text[1 << 18], row[512];
   FILE *file = fopen(quirks_path, "r");
   assert_non_null(file);
   text[fread(text, 1, sizeof(text) - 1, file)] = 0;
   fclose(file);
   const char *at = strstr(text, "## What reports say"), *kind, *pattern;
   assert_non_null(at);
   unsigned count = 0, rows = 0;
   for (; (pattern = amd_report_pattern(count, &kind)); count++) {
      bool ignored;
      const char *note = amd_report_note(kind, pattern, &ignored);
      snprintf(row, sizeof(row), "| %s `%s` | %s | %s |\n", kind, pattern, ignored ? "ignored" : "approximate", note);
      if (!strstr(at, row))
         fail_msg("docs/quirks.md lacks %s", row);
   }
   for (const char *end = strstr(at + 1, "\n## "); (at = strstr(at, "\n| ")) && at < end; at++)
      rows += at[3] != 'w'; /* the head */
   assert_int_equal(rows, count);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_patterns), cmocka_unit_test(test_notes),
                                      cmocka_unit_test(test_quirks)};
   assert(argc == 2);
   quirks_path = argv[1];
   return cmocka_run_group_tests(tests, NULL, NULL);
}

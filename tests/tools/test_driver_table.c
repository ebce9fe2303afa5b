/* The names that the option shows are those of the rows, and what a row asks for is whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tools/launch/driver_table.h"

static void
test_names(void **state)
{
   char names[512] = "";
   for (const struct driver *row = drivers; row->name; row++) {
      size_t used_B = strlen(names);
      snprintf(names + used_B, sizeof(names) - used_B, "%s%s", used_B ? "|" : "", row->name);
      assert_ptr_equal(driver_by_name(row->name), row);
   }
   assert_string_equal(names, DRIVER_NAMES);
   assert_null(driver_by_name("radv-2"));
   assert_null(driver_by_name("radv-251"));
   assert_null(driver_by_name(""));
}

/* Each group that the option shows has settings, and each setting is of one of them. */
static void
test_plain(void **state)
{
   char groups[] = "|" PLAIN_GROUPS "|", word[64];
   for (const struct plain *row = driver_by_name("radv")->plain; row->group; row++) {
      snprintf(word, sizeof(word), "|%s|", row->group);
      assert_non_null(strstr(groups, word));
      assert_true(!strcmp(row->setting.name, "RADV_DEBUG") || !strcmp(row->setting.name, "AMD_DEBUG"));
   }
   for (char *group = strtok(groups, "|"); group; group = strtok(NULL, "|")) {
      unsigned count = 0;
      for (const struct plain *row = driver_by_name("radv")->plain; row->group; row++)
         count += !strcmp(row->group, group);
      assert_int_not_equal(count, 0);
   }
}

static void
test_rows(void **state)
{
   for (const struct driver *row = drivers; row->name; row++) {
      /* This tree's driver takes every vendor's chips and no word of Mesa's. One that draws on the CPU takes no chip.
       */
      const bool on_cpu = !strcmp(row->name, "lavapipe-26");
      assert_int_equal(!row->manifest, !strcmp(row->name, "indium"));
      assert_int_equal(!row->chip, !row->manifest || on_cpu);
      assert_true(row->manifest || (!row->peer && !row->gl && !row->plain->group));
      assert_non_null(row->plain);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_plain),
                                      cmocka_unit_test(test_rows)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* choices: draws of one seed do not hang together, pairs are counted, and what is missing is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "choices.h"
#include "util/macros.h"

static const struct choice table[] = {{.name = "one", .values = 2},
                                      {.name = "two", .values = 2},
                                      {.name = "rare", .values = 3, .one_in = 8},
                                      {.name = "never", .values = 2}};
static const struct choices_never never[] = {{0, 1, 3, 1}};

/* A pair of two halves is a quarter, and one of an eighth's half with a half a 32nd. */
static void
draws_are_independent(void **state)
{
   static struct choices c = {.table = table, .count = 3};
   for (uint64_t seed = 0; seed < 32000; seed++) {
      choices_draw(&c, seed);
      choices_count(&c);
   }
   for (unsigned i = 0; i < 4; i++)
      assert_in_range(c.pairs[0][i / 2][1][i % 2], 7500, 8500);
   for (unsigned i = 0; i < 4; i++)
      assert_in_range(c.pairs[0][i / 2][2][1 + i % 2], 850, 1150);
   assert_int_equal(choices_missing(&c, stderr), 0);
}

static char *
missing(const struct choices *c, unsigned count)
{
   char *text = NULL;
   size_t size_B;
   FILE *file = open_memstream(&text, &size_B);
   assert_int_equal(choices_missing(c, file), count);
   fclose(file);
   return text;
}

static void
missing_pairs_are_told(void **state)
{
   static struct choices c = {
      .table = table, .count = ARRAY_SIZE(table), .never = never, .never_count = ARRAY_SIZE(never)};
   for (uint64_t seed = 0; seed < 1000; seed++) {
      choices_draw(&c, seed);
      assert_false(c.now[0] && c.now[3]);
      c.now[1] = c.now[0]; /* as two bits of one number might */
      choices_count(&c);
   }
   char *text = missing(&c, 3);
   assert_string_equal(text, "no program has one 0 with two 1\nno program has one 1 with two 0\n"
                             "no program has two 1 with never 1\n");
   free(text);
}

static void
impossible_pairs_are_not_missing(void **state)
{
   static struct choices possible = {.table = table, .count = 2};
   static struct choices c = {.table = table, .count = 2, .possible = &possible};
   possible.now[0] = possible.now[1] = 1;
   choices_count(&possible);
   possible.now[1] = 0;
   choices_count(&possible);
   choices_count(&c);
   c.now[0] = 1;
   choices_count(&c);
   char *text = missing(&c, 1);
   assert_string_equal(text, "no program has one 1 with two 1\n");
   free(text);
}

/* 30 draws: by chance two choices that are both rare do not meet. */
static void
short_runs_have_all_pairs(void **state)
{
   static const struct choice rare[] = {{.name = "one", .values = 3, .one_in = 8},
                                        {.name = "two", .values = 3, .one_in = 8},
                                        {.name = "half", .values = 2}};
   static struct choices by_chance = {.table = rare, .count = ARRAY_SIZE(rare)};
   static struct choices c = {.table = rare, .count = ARRAY_SIZE(rare)};
   FILE *nowhere = fopen("/dev/null", "w");
   for (uint64_t seed = 0; seed < 30; seed++) {
      choices_draw(&by_chance, seed);
      choices_count(&by_chance);
      choices_draw_new(&c, seed, 64);
      const unsigned new_pairs = choices_new_pairs(&c);
      assert_in_range(new_pairs, 0, 3);
      choices_count(&c);
      assert_int_equal(choices_new_pairs(&c), 0);
   }
   assert_true(choices_missing(&by_chance, nowhere));
   assert_int_equal(choices_missing(&c, stderr), 0);
   fclose(nowhere);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(draws_are_independent), cmocka_unit_test(missing_pairs_are_told),
      cmocka_unit_test(impossible_pairs_are_not_missing), cmocka_unit_test(short_runs_have_all_pairs)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

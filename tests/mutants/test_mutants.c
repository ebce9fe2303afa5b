/* Every row of tests/mutants changes what it names, and nothing else; and how rows apply. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/mutant_row.h"

enum { OBJECT_B = 1024 };

static void
put(uint8_t *data, struct mutant_bits bits, uint64_t value)
{
   for (unsigned i = 0; i < bits.width; i++) {
      unsigned bit = bits.low + i;
      data[bit / 8] = (uint8_t)((data[bit / 8] & ~(1u << bit % 8)) | (value >> i & 1) << bit % 8);
   }
}

/* Of zeros, of ones, and of bytes that all differ from the next, for copies. */
enum fill { ZEROS, ONES, MIXED, FILLS };

/* An object that the row is about: filled but for what its tests say. */
static struct mutant_object
object_of(const struct mutant_row *row, enum fill fill, uint8_t data[OBJECT_B])
{
   for (unsigned i = 0; i < OBJECT_B; i++)
      data[i] = fill == MIXED ? (uint8_t)(37 * i + 11) : fill == ONES ? 0xff : 0;
   for (unsigned i = 0; i < row->num_tests; i++) {
      const struct mutant_test *test = &row->tests[i];
      /* Mixed bytes are none of the values that rows exclude. */
      if (test->relation != MUTANT_UNEQUAL || fill != MIXED)
         put(data, test->bits, test->value + (test->relation == MUTANT_UNEQUAL));
   }
   return (struct mutant_object){row->object, (uint32_t)__builtin_ctz(row->gens), row->context, row->size_dw, data};
}

static bool
in_edits(const struct mutant_row *row, unsigned bit)
{
   for (unsigned i = 0; i < row->num_edits; i++) {
      if (bit - row->edits[i].bits.low < row->edits[i].bits.width)
         return true;
   }
   return false;
}

/* True if it changed something. */
static bool
apply(struct mutant_row *row, const struct mutant_object *object)
{
   uint8_t before[OBJECT_B];
   bool changed = false, drop = false;
   memcpy(before, object->data, OBJECT_B);
   setenv("INDIUM_MUTANT", row->name, 1);
   for (unsigned i = 0; i < (row->every ? row->every : 1); i++)
      drop |= mutate(row, 1, object);
   assert_int_equal(drop, row->drop);
   for (unsigned bit = 0; bit < 8 * OBJECT_B; bit++) {
      bool differs = (before[bit / 8] ^ ((uint8_t *)object->data)[bit / 8]) >> bit % 8 & 1;
      assert_true(!differs || in_edits(row, bit));
      changed |= differs;
   }
   return changed || drop;
}

static void
try_row(struct mutant_row *row)
{
   uint8_t data[OBJECT_B];
   bool changed = false;

   assert_true(row->num_tests <= MUTANT_MAX_TESTS && row->num_edits <= MUTANT_MAX_EDITS);
   for (enum fill fill = ZEROS; fill < FILLS; fill++) {
      struct mutant_object object = object_of(row, fill, data);
      assert_true(mutant_row_matches(row, &object));
      if (row->gens != UINT32_MAX) {
         object.gen = 31;
         assert_false(mutant_row_matches(row, &object));
      }
      object = object_of(row, fill, data);
      changed |= apply(row, &object);
      setenv("INDIUM_MUTANT", "another", 1);
      object = object_of(row, fill, data);
      assert_false(mutate(row, 1, &object));
   }
   if (!changed)
      fail_msg("a row of %s changes nothing", row->name);
}

static void
test_rows(void **state)
{
   unsigned count = 0;

#define TRY_ROWS(rows)                                                                                               \
   for (unsigned i = 0; i < num_##rows; i++, count++)                                                                \
      try_row(&rows[i]);
   MUTANT_SEAMS(TRY_ROWS)
#undef TRY_ROWS
   assert_true(count > 50);
}

static void
test_relations(void **state)
{
   uint8_t data[8] = {0x34, 0x12};
   struct mutant_row row = {.name = "x",
                            .object = 7,
                            .gens = 1 << 2,
                            .context = 4,
                            .num_tests = 1,
                            .tests = {{{4, 8}, MUTANT_EQUAL, 0x23}}};
   struct mutant_object object = {.number = 7, .gen = 2, .context = 5, .data = data};

   assert_true(mutant_row_matches(&row, &object));
   row.tests[0].relation = MUTANT_UNEQUAL;
   assert_false(mutant_row_matches(&row, &object));
   row.tests[0] = (struct mutant_test){{4, 8}, MUTANT_AT_MOST, 0x23};
   assert_true(mutant_row_matches(&row, &object));
   row.tests[0].value = 0x22;
   assert_false(mutant_row_matches(&row, &object));
   row.num_tests = 0;
   object.context = 1;
   assert_false(mutant_row_matches(&row, &object));
   object.context = 4;
   object.number = 8;
   assert_false(mutant_row_matches(&row, &object));
   row.object = MUTANT_ANY;
   assert_true(mutant_row_matches(&row, &object));
   row.size_dw = 3;
   assert_false(mutant_row_matches(&row, &object));
}

static void
test_edits(void **state)
{
   uint8_t data[8] = {0x34, 0x12, 0xff};
   const struct mutant_row swap = {.num_edits = 2,
                                   .edits = {{{0, 4}, MUTANT_COPY, 0, {4, 4}}, {{4, 4}, MUTANT_COPY, 0, {0, 4}}}};
   const struct mutant_row sums = {.num_edits = 3,
                                   .edits = {{{0, 8}, MUTANT_ADD, (uint64_t)-1, {0, 0}},
                                             {{8, 4}, MUTANT_XOR, 3, {0, 0}},
                                             {{12, 8}, MUTANT_SET, 0xab, {0, 0}}}};

   assert_true(mutant_row_edit(&swap, data));
   assert_int_equal(data[0], 0x43);
   assert_true(mutant_row_edit(&sums, data));
   assert_int_equal(data[0], 0x42);
   assert_int_equal(data[1], 0xb1);
   assert_int_equal(data[2], 0xfa);
   data[0] = 0x55;
   assert_false(mutant_row_edit(&swap, data));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_relations),
      cmocka_unit_test(test_edits),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "util/mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/mutant_row.h"

/* Tells `indium mutants` that the mistake was made: a byte in the file that it names. */
static void
note(void)
{
   static bool noted;
   const char *path = getenv("INDIUM_MUTANT_NOTE");
   if (noted || !path)
      return;
   noted = true;
   int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
   if (fd >= 0 && write(fd, "x", 1) != 1)
      noted = false;
   if (fd >= 0)
      close(fd);
}

static bool
is_chosen(const char *name)
{
   const char *chosen = getenv("INDIUM_MUTANT");
   return chosen && !strcmp(chosen, name);
}

bool
mutant(const char *name)
{
   const bool chosen = is_chosen(name);
   if (chosen)
      note();
   return chosen;
}

static uint64_t
mask(struct mutant_bits bits)
{
   return bits.width >= 64 ? UINT64_MAX : ((uint64_t)1 << bits.width) - 1;
}

static uint64_t
get(const uint8_t *data, struct mutant_bits bits)
{
   uint64_t value = 0;
   for (unsigned i = 0; i < bits.width; i++) {
      const unsigned bit = bits.low + i;
      value |= (uint64_t)(data[bit / 8] >> bit % 8 & 1) << i;
   }
   return value;
}

static void
put(uint8_t *data, struct mutant_bits bits, uint64_t value)
{
   for (unsigned i = 0; i < bits.width; i++) {
      const unsigned bit = bits.low + i, at = 1u << bit % 8;
      data[bit / 8] = (uint8_t)(value >> i & 1 ? data[bit / 8] | at : data[bit / 8] & ~at);
   }
}

static bool
holds(const struct mutant_test *test, const uint8_t *data)
{
   const uint64_t value = get(data, test->bits), expected = test->value & mask(test->bits);
   return test->relation == MUTANT_EQUAL     ? value == expected
          : test->relation == MUTANT_UNEQUAL ? value != expected
                                             : value <= expected;
}

bool
mutant_row_matches(const struct mutant_row *row, const struct mutant_object *object)
{
   if ((row->object != MUTANT_ANY && row->object != object->number) || !(row->gens >> object->gen & 1) ||
       row->context & ~object->context || (row->size_dw && row->size_dw != object->size_dw))
      return false;
   for (unsigned i = 0; i < row->num_tests; i++) {
      if (!holds(&row->tests[i], object->data))
         return false;
   }
   return true;
}

bool
mutant_row_edit(const struct mutant_row *row, void *data)
{
   uint64_t values[MUTANT_MAX_EDITS];
   bool changed = false;
   for (unsigned i = 0; i < row->num_edits; i++) {
      const struct mutant_edit *edit = &row->edits[i];
      const uint64_t value = get(data, edit->bits);
      values[i] = edit->action == MUTANT_SET   ? edit->value
                  : edit->action == MUTANT_ADD ? value + edit->value
                  : edit->action == MUTANT_XOR ? value ^ edit->value
                                               : get(data, edit->from);
   }
   for (unsigned i = 0; i < row->num_edits; i++) {
      changed |= get(data, row->edits[i].bits) != (values[i] & mask(row->edits[i].bits));
      put(data, row->edits[i].bits, values[i]);
   }
   return changed;
}

bool
mutate(struct mutant_row *rows, unsigned count, const struct mutant_object *object)
{
   bool drop = false;
   for (unsigned i = 0; i < count; i++) {
      struct mutant_row *row = &rows[i];
      if (!mutant_row_matches(row, object) || !is_chosen(row->name))
         continue;
      if (row->every > 1 && ++row->matched % row->every)
         continue;
      if (mutant_row_edit(row, object->data) || row->drop)
         note();
      drop |= row->drop;
   }
   return drop;
}

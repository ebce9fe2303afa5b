#include "machine_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "mutate_text.h"

char *
machine_text_next(struct arena *arena, const char *head, const char **texts)
{
   const char *next = strstr(*texts + 1, head);
   while (next && next[-1] != '\n')
      next = strstr(next + 1, head);
   size_t size_B = next ? (size_t)(next - *texts) : strlen(*texts);
   char *text = arena_alloc(arena, size_B + 1);
   memcpy(text, *texts, size_B);
   *texts = next;
   return text;
}

void
machine_text_round_trip(const struct machine_text *backend, struct choices *choices)
{
   for (uint32_t seed = 0; seed < backend->num_programs; seed++) {
      struct arena arena = {0};
      const char *texts = backend->texts(&arena, seed);
      unsigned count = 0;
      choices_count(choices);
      for (; texts; count++)
         backend->check(machine_text_next(&arena, backend->head, &texts), seed);
      assert_int_equal(count, backend->num_phases);
      arena_free(&arena);
   }
   assert_int_equal(choices_missing(choices, stderr), 0);
}

struct tally {
   unsigned compiled, refused;
};

/* What a text becomes compiles, too, and becomes itself. */
static void
try(const struct machine_text *backend, const char *text, struct tally *tally)
{
   struct arena arena = {0};
   const char *first, *second, *error = NULL;
   if (backend->compile(&arena, text, true, &first, &error)) {
      if (!backend->compile(&arena, first, false, &second, &error))
         fail_msg("%s\n%s", error, first);
      assert_string_equal(second, first);
      tally->compiled++;
   } else {
      assert_non_null(error);
      tally->refused++;
   }
   arena_free(&arena);
}

void
machine_text_mutate(const struct machine_text *backend)
{
   struct tally tally = {0};
   for (uint32_t seed = 0; seed < backend->num_seeds; seed++) {
      struct arena arena = {0};
      const char *texts = backend->texts(&arena, 5000 + seed);
      for (unsigned phase = 0; texts; phase++) {
         char *text = machine_text_next(&arena, backend->head, &texts);
         const size_t capacity = strlen(text) + 256;
         char *copy = arena_alloc(&arena, capacity);
         uint64_t sequence = (uint64_t)seed << 32 | phase;
         for (unsigned round = 0; round < 15; round++) {
            memcpy(copy, text, strlen(text) + 1);
            mutate_text(copy, capacity, &sequence);
            try(backend, copy, &tally);
         }
      }
      arena_free(&arena);
   }
   assert_true(tally.compiled > tally.refused / 20 && tally.refused > tally.compiled / 20);
}

void
machine_text_refused(const struct machine_text *backend, const char *text, const char *sentence)
{
   struct arena arena = {0};
   const char *ir, *error;
   assert_false(backend->compile(&arena, text, false, &ir, &error));
   assert_string_equal(error, sentence);
   arena_free(&arena);
}

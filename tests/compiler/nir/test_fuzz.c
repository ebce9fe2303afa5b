/* Mutated texts: the parser answers with an error or with a shader that is valid and prints to a fixpoint. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nir_random.h"
#include "nir_try.h"

/* Changes a few places: a byte, a number, a swapped or repeated or dropped piece. */
static void
mutate(char *text, size_t *length, uint64_t *state)
{
   static const char alphabet[] = "0123456789abfx%=(){}[]:;,.#\" \nvu";
   for (unsigned count = 1 + nir_random_next(state) % 3; count && *length > 40; count--) {
      size_t at = nir_random_next(state) % (*length - 20), other = nir_random_next(state) % (*length - 20);
      size_t piece = 1 + nir_random_next(state) % 16;
      switch (nir_random_next(state) % 5) {
      case 0:
         text[at] = alphabet[nir_random_next(state) % (sizeof(alphabet) - 1)];
         break;
      case 1:
         memmove(text + at, text + at + piece, *length - at - piece + 1);
         *length -= piece;
         break;
      case 2: /* another place's text */
         memmove(text + at, text + other, piece);
         break;
      case 3: { /* another digit where one stands */
         size_t digit = at + strcspn(text + at, "0123456789");
         if (digit < *length)
            text[digit] = (char)('0' + nir_random_next(state) % 10);
         break;
      }
      default: /* another line's start */
         at += strcspn(text + at, "\n");
         other += strcspn(text + other, "\n");
         if (at + 12 < *length && other + 12 < *length)
            memmove(text + at, text + other, 12);
         break;
      }
   }
}

struct tally {
   unsigned accepted, rejected;
};

static void
fuzz(const char *original, uint64_t seed, unsigned rounds, bool optimize, struct tally *tally)
{
   uint64_t sequence = seed;
   for (unsigned round = 0; round < rounds; round++) {
      size_t length = strlen(original);
      char *text = malloc(length + 1);
      memcpy(text, original, length + 1);
      mutate(text, &length, &sequence);
      *(nir_try_text(text, optimize) ? &tally->accepted : &tally->rejected) += 1;
      free(text);
   }
}

static void
random_programs(void **state)
{
   struct tally tally = {};
   for (uint32_t seed = 0; seed < 400; seed++) {
      struct arena arena = {};
      const struct nir_random_options options = {.seed = seed, .statements = 12};
      char *original = nir_shader_text(nir_random_shader(&arena, &options));
      fuzz(original, seed, 15, true, &tally);
      free(original);
      arena_free(&arena);
   }
   assert_true(tally.accepted > 100 && tally.rejected > 1000);
}

/* Types, variables, textures, inputs and outputs. */
static void
golden_programs(void **state)
{
   struct tally tally = {};
   DIR *folder = opendir(GOLDEN_FOLDER);
   assert_non_null(folder);
   for (struct dirent *entry; (entry = readdir(folder));) {
      char path[512], text[16384];
      if (!strstr(entry->d_name, ".nir"))
         continue;
      snprintf(path, sizeof(path), "%s/%s", GOLDEN_FOLDER, entry->d_name);
      FILE *file = fopen(path, "r");
      text[fread(text, 1, sizeof(text) - 1, file)] = 0;
      fclose(file);
      char *end = strstr(text, "# becomes");
      if (end)
         *end = 0;
      fuzz(text, strlen(text), 150, false, &tally);
   }
   closedir(folder);
   assert_true(tally.accepted > 100 && tally.rejected > 1000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs), cmocka_unit_test(golden_programs)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

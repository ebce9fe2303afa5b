/* Truncated, mutated and random words: an error or valid nir, never a crash (the sanitizers watch). Seeded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spirv_test.h"
#include "util/macros.h"

static const char *const corpus[] = {
   "control_flow.comp.spv", "control_flow_ssa.spv",  "images.frag.spv",      "storage_images.comp.spv",
   "atomics.comp.spv",      "subgroups.comp.spv",    "memory.comp.spv",      "interface.vert.spv",
   "interface.frag.spv",    "interlock.frag.spv",    "barycentric.frag.spv", "assembly.spv",
   "tessellation.tesc.spv", "tessellation.tese.spv", "cooperative.spv",
};
#define ROUNDS 500 /* mutations of each module */

static uint32_t
next(uint64_t *seed)
{
   return spirv_test_random(seed);
}

static void
truncated(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(corpus); i++) {
      struct spirv_test_module module = spirv_test_load(corpus[i]);
      enum nir_stage stage = spirv_find_stage(module.words, module.count);
      uint64_t seed = i;
      assert_true(spirv_test_try(module.words, module.count, stage, corpus[i]));
      for (size_t count = 0; count < module.count; count += count < 64 ? 1 : 1 + next(&seed) % 61)
         assert_false(spirv_test_try(module.words, count, stage, corpus[i]));
      free(module.words);
   }
}

static void
mutated(void **state)
{
   unsigned accepted = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(corpus); i++) {
      struct spirv_test_module module = spirv_test_load(corpus[i]);
      enum nir_stage stage = spirv_find_stage(module.words, module.count);
      uint32_t *words = malloc(module.count * 4);
      for (unsigned round = 0; round < ROUNDS; round++) {
         uint64_t seed = (uint64_t)i << 32 | round;
         char what[100];
         size_t count = module.count;
         memcpy(words, module.words, count * 4);
         next(&seed);
         for (unsigned times = 1 + round % 4; times && count > 100; times--)
            count = spirv_test_mutate(words, count, &seed);
         snprintf(what, sizeof(what), "%s round %u", corpus[i], round);
         accepted += spirv_test_try(words, count, stage, what);
      }
      free(words);
      free(module.words);
   }
   /* Some changes are harmless: the mutants do reach the code after the checks. */
   assert_in_range(accepted, 20, ARRAY_SIZE(corpus) * ROUNDS);
}

static void
random_words(void **state)
{
   for (unsigned round = 0; round < 400; round++) {
      uint64_t seed = round;
      uint32_t words[200] = {0x07230203, 0x00010000u + (round % 7 << 8), 0, 1 + next(&seed) % 300, 0};
      size_t count = 5;
      while (count < 180) {
         uint32_t length = 1 + next(&seed) % 6;
         words[count] = length << 16 | (next(&seed) % 4 ? next(&seed) % 400 : next(&seed) % 6500);
         for (uint32_t i = 1; i < length; i++)
            words[count + i] = next(&seed) % 3 ? next(&seed) % words[3] : next(&seed);
         count += length;
      }
      if (round % 3 == 0) /* a beginning that is well-formed */
         memcpy(words + 5, (const uint32_t[]){0x20011, 1, 0x3000e, 0, 1}, 20);
      assert_false(spirv_test_try(words, count, NIR_STAGE_COMPUTE, "random words"));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(truncated),
      cmocka_unit_test(mutated),
      cmocka_unit_test(random_words),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

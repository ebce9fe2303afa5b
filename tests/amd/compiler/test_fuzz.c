/* Mutated SPIR-V through the whole compiler: an error, or a program that passes the compiler's own checks; never a
 * crash (the sanitizers watch). Seeded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "spirv_test.h"
#include "plain_abi.h"
#include "util/macros.h"

static const char *const corpus[] = {"control_flow.comp.spv", "images.frag.spv",    "storage_images.comp.spv",
                                     "subgroups.comp.spv",    "memory.comp.spv",    "interface.vert.spv",
                                     "interface.frag.spv",    "interlock.frag.spv", "small_types.comp.spv",
                                     "arithmetic.comp.spv"};
#define ROUNDS 250 /* mutations of each module */

struct tally {
   unsigned rejected, compiled, refused; /* by spirv_to_nir; at all; by aco_compile */
};

static void
try(const uint32_t *words, size_t count, enum nir_stage stage, unsigned round, struct tally *tally)
{
   struct arena arena = {0};
   const char *error = NULL;
   const struct spirv_options translation = {.stage = stage, .features = SPIRV_FEATURE_ALL};
   const struct aco_options options = {.gen = AMD_GFX10_3,
                                       .wave_size = round % 2 ? 32 : 64,
                                       .float_mode = ACO_FLOAT_MODE_DEFAULT,
                                       .validate = true,
                                       .ps.col_format = 0x99999999,
                                       .vs.export_clip_dists = true};
   struct aco_output out;
   struct nir_shader *shader = spirv_to_nir(&arena, words, count, &translation, &error);
   if (!shader) {
      tally->rejected++;
   } else {
      nir_lower_variables(shader);
      nir_gather_info(shader);
      plain_abi_lower(shader);
      nir_optimize(shader);
      error = nir_validate(shader);
      if (error)
         fail_msg("round %u: %s", round, error);
      const struct aco_stage hw = plain_abi_stage(shader);
      if (aco_compile(&arena, &hw, &options, &out, &error)) {
         assert_true(out.exec_dw > 0);
         tally->compiled++;
      } else {
         assert_non_null(error);
         tally->refused++;
      }
   }
   arena_free(&arena);
}

static void
mutated_modules(void **state)
{
   struct tally tally = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(corpus); i++) {
      struct spirv_test_module module = spirv_test_load(corpus[i]);
      enum nir_stage stage = spirv_find_stage(module.words, module.count);
      uint32_t *words = malloc(module.count * 4);
      for (unsigned round = 0; round < ROUNDS; round++) {
         uint64_t seed = (uint64_t)i << 32 | round;
         size_t count = module.count;
         memcpy(words, module.words, count * 4);
         spirv_test_random(&seed);
         for (unsigned times = round % 4; times && count > 100; times--)
            count = spirv_test_mutate(words, count, &seed);
         try(words, count, stage, round, &tally);
      }
      free(words);
      free(module.words);
   }
   /* Every fourth round changes nothing. */
   assert_true(tally.compiled > ARRAY_SIZE(corpus) * ROUNDS / 4 && tally.rejected > ROUNDS);
   assert_true(tally.refused < ROUNDS / 10);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(mutated_modules)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

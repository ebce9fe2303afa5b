/* Damaged SPIR-V through the driver's passes and the compiler of AGX: an error, or a program that passes the
 * compiler's own checks and whose code is instructions; and where memory runs out the compilation ends, and the
 * process does not. Never a crash or a leak (the sanitizers watch). Seeded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../util/fail_alloc.h"
#include "asahi/hw/chips.h"
#include "asahi/hw/isa.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/agx_shader_standalone.h"
#include "spirv_test.h"
#include "util/macros.h"
#include "util/within_memory.h"

static const char *const corpus[] = {"control_flow.comp.spv", "images.frag.spv",      "storage_images.comp.spv",
                                     "subgroups.comp.spv",    "memory.comp.spv",      "interface.vert.spv",
                                     "interface.frag.spv",    "small_types.comp.spv", "control_flow_opt.spv"};

struct compilation {
   const uint32_t *words;
   size_t count;
   enum nir_stage stage;
   const char *chip;
   struct arena arena;
   struct agx_output out;
   const char *error;
   enum { REJECTED, REFUSED, COMPILED } end; /* by spirv_to_nir(), by the driver and its compiler */
};

static void
compile(void *data)
{
   struct compilation *c = data;
   const struct spirv_options translation = {.stage = c->stage, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *nir = spirv_to_nir(&c->arena, c->words, c->count, &translation, &c->error);
   c->end = REJECTED;
   if (!nir)
      return;
   nir_lower_input_attachments(nir, false);
   nir_lower_view_index(nir, false, false, 0);
   c->end = agx_shader_standalone_compile(&c->arena, agx_chip_by_name(c->chip), nir, NULL, &c->out, &c->error)
               ? COMPILED
               : REFUSED;
}

static void
check_code(const struct compilation *c)
{
   for (uint32_t at_B = 0; at_B < c->out.stats.code_B;) {
      struct agx_inst inst;
      const unsigned size_B = agx_isa_decode(c->out.code + at_B, c->out.code_B - at_B, &inst);
      assert_true(size_B > 0);
      at_B += size_B;
   }
}

static void
mutated_modules(void **state)
{
   const char *const rounds_text = getenv("AGX_TEST_ROUNDS"), *first_text = getenv("AGX_TEST_FIRST");
   const unsigned rounds = rounds_text ? (unsigned)atoi(rounds_text) : 40;
   const unsigned first = first_text ? (unsigned)atoi(first_text) : 0;
   unsigned ends[3] = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(corpus); i++) {
      struct spirv_test_module module = spirv_test_load(corpus[i]);
      uint32_t *words = malloc(module.count * 4);
      for (unsigned round = first; round < first + rounds; round++) {
         uint64_t seed = (uint64_t)i << 32 | round;
         struct compilation c = {.words = words,
                                 .count = module.count,
                                 .stage = spirv_find_stage(module.words, module.count),
                                 .chip = round % 2 ? "m1" : "m2"};
         memcpy(words, module.words, module.count * 4);
         spirv_test_random(&seed);
         for (unsigned times = round % 4; times && c.count > 100; times--)
            c.count = spirv_test_mutate(words, c.count, &seed);
         compile(&c);
         assert_true(c.end == COMPILED || c.error);
         if (round % 4 == 0 && c.end != COMPILED)
            fail_msg("%s: %s", corpus[i], c.error);
         if (c.end == COMPILED)
            check_code(&c);
         ends[c.end]++;
         arena_free(&c.arena);
      }
      free(words);
      free(module.words);
   }
   printf("%u rejected, %u refused, %u compiled\n", ends[REJECTED], ends[REFUSED], ends[COMPILED]);
   assert_true(ends[REJECTED] > rounds);
   assert_true(ends[REFUSED] < ends[COMPILED] / 10);
}

/* A step of allocations, so that each of some thousand fails in its turn in some build of this. */
static void
memory_runs_out(void **state)
{
   enum { STEP = 7 };
   for (unsigned i = 0; i < ARRAY_SIZE(corpus); i++) {
      struct spirv_test_module module = spirv_test_load(corpus[i]);
      bool failed = true;
      long n = i % STEP;
      for (; failed; n += STEP) {
         struct compilation c = {.words = module.words,
                                 .count = module.count,
                                 .stage = spirv_find_stage(module.words, module.count),
                                 .chip = "m1"};
         fail_countdown = n;
         const bool in_memory = within_memory(compile, &c);
         failed = fail_countdown < 0;
         fail_countdown = -1;
         assert_true(in_memory == !failed);
         assert_true(failed || c.end == COMPILED);
         arena_free(&c.arena);
      }
      assert_true(n > 10);
      free(module.words);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(mutated_modules), cmocka_unit_test(memory_runs_out)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

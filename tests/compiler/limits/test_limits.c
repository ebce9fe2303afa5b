/* Modules that have much of one construct of SPIR-V: translated, valid, run by the interpreter to the value that the
 * construct must give, and compiled for a chip of each kind. All of it on the stack that the driver would take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "asahi/hw/chips.h"
#include "compiler/nir/nir_interp.h"
#include "compiler/nir/nir_passes.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "constructs.h"
#include "gallium/drivers/asahi/agx_shader_standalone.h"
#include "gallium/drivers/radeonsi/si_shader_standalone.h"
#include "util/within_memory.h"

#define LANES 32

static const char *const chips[] = {"vega10", "navi21", "navi31", "m1"};

struct trial {
   const struct construct *construct;
   unsigned size; /* index in sizes */
   struct spv_words words;
   char *error;
};

static void
note(struct trial *t, const char *step, const char *error)
{
   if (!t->error && asprintf(&t->error, "%s %u: %s: %s", t->construct->name, t->construct->sizes[t->size], step,
                             error ? error : "no error is given") < 0)
      abort();
}

static struct nir_shader *
translate(struct trial *t, struct arena *arena)
{
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   const char *error = NULL;
   struct nir_shader *nir = spirv_to_nir(arena, t->words.at, t->words.count, &options, &error);
   if (!nir)
      note(t, "translation", error);
   return nir;
}

static void
run_construct(struct trial *t)
{
   struct arena arena = {0};
   uint32_t data[2 * LANES], n = t->construct->sizes[t->size];
   struct nir_shader *nir = translate(t, &arena);
   for (uint32_t i = 0; i < LANES; i++)
      data[i] = i < LANES / 2 ? i : i * n / LANES;
   uint32_t before[LANES];
   memcpy(before, data, sizeof(before));
   if (nir) {
      const struct nir_interp_buffer buffer = {.data = (uint8_t *)data, .size_B = sizeof(data)};
      const struct nir_interp_params params = {
         .num_lanes = LANES, .subgroup_size = 32, .num_workgroups = {1, 1, 1}, .buffers = &buffer, .num_buffers = 1};
      nir_lower_variables(nir);
      nir_optimize(nir);
      const char *error = nir_validate(nir);
      if (error)
         note(t, "validation", error);
      struct nir_interp_result result = nir_interp_run(&arena, nir, &params);
      if (result.error)
         note(t, "interpreter", result.error);
   }
   for (uint32_t i = 0; nir && i < LANES; i++) {
      if (data[LANES + i] != t->construct->expect(before[i], n))
         note(t, "interpreter", "a wrong value");
   }
   arena_free(&arena);
}

static void
compile_for(struct trial *t, const char *chip)
{
   struct arena arena = {0};
   struct nir_shader *nir = translate(t, &arena);
   const char *error = NULL;
   bool ok = false;
   if (nir && amd_chip_by_name(chip)) {
      struct aco_stage stage;
      struct si_shader_options *options = si_shader_standalone_options(amd_chip_by_name(chip), nir, &stage);
      struct aco_output out;
      options->aco.validate = true;
      ok = si_shader_try_compile(&arena, &stage, options, &out, &error);
   } else if (nir) {
      struct agx_output out;
      ok = agx_shader_standalone_compile(&arena, agx_chip_by_name(chip), nir, NULL, &out, &error);
   }
   if (!ok)
      note(t, chip, error);
   arena_free(&arena);
}

static void
run_trial(void *data)
{
   struct trial *t = data;
   struct arena arena = {0};
   const char *error = NULL;
   t->words = construct_module(t->construct, t->construct->sizes[t->size], LANES);
   if (!spirv_check(&arena, t->words.at, t->words.count, &error))
      note(t, "check", error);
   arena_free(&arena);
   run_construct(t);
   /* At the limit for one chip of each compiler, as the others share what counts. */
   for (unsigned i = t->size == 2; i < sizeof(chips) / sizeof(chips[0]); i += 1 + (t->size == 2))
      compile_for(t, chips[i]);
   free(t->words.at);
}

static void
try_constructs(unsigned size)
{
   bool failed = false;
   const struct construct *const lists[] = {constructs_flow, constructs_types, constructs_calls};
   for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
      for (const struct construct *construct = lists[i]; construct->name; construct++) {
         struct trial t = {.construct = construct, .size = size};
         assert_true(within_memory_on_stack(SPIRV_DEEP_STACK_B, run_trial, &t));
         if (t.error)
            print_error("%s\n", t.error);
         failed |= t.error != NULL;
         free(t.error);
      }
   }
   assert_false(failed);
}

static void
test_small(void **state)
{
   (void)state;
   try_constructs(0);
}

static void
test_typical(void **state)
{
   (void)state;
   try_constructs(1);
}

static void
test_limit(void **state)
{
   (void)state;
   try_constructs(2);
}

/* limit: of constructs at their limit. */
int
main(int argc, char **argv)
{
   const struct CMUnitTest common[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_typical)};
   const struct CMUnitTest limit[] = {cmocka_unit_test(test_limit)};
   return argc > 1 && !strcmp(argv[1], "limit") ? cmocka_run_group_tests(limit, NULL, NULL)
                                                : cmocka_run_group_tests(common, NULL, NULL);
}

/* Each allocation of a compilation fails once: the compilation ends, and the process does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../util/fail_alloc.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "plain_abi.h"
#include "spirv_test.h"
#include "util/macros.h"
#include "util/within_memory.h"

static const char *const corpus[] = {"control_flow.comp.spv", "images.frag.spv", "subgroups.comp.spv",
                                     "interface.vert.spv", "interlock.frag.spv"};

struct compilation {
   struct spirv_test_module module;
   enum nir_stage stage;
   struct arena arena;
   struct aco_output out;
   bool ok;
};

static void
compile(void *data)
{
   struct compilation *c = data;
   const char *error = NULL;
   const struct spirv_options translation = {.stage = c->stage, .features = SPIRV_FEATURE_ALL};
   const struct aco_options options = {.gen = AMD_GFX10_3,
                                       .wave_size = 64,
                                       .float_mode = ACO_FLOAT_MODE_DEFAULT,
                                       .ps.col_format = 0x99999999,
                                       .vs.export_clip_dists = true};
   struct nir_shader *shader = spirv_to_nir(&c->arena, c->module.words, c->module.count, &translation, &error);
   if (!shader)
      fail_msg("%s", error);
   nir_lower_variables(shader);
   nir_gather_info(shader);
   plain_abi_lower(shader);
   nir_optimize(shader);
   const struct aco_stage hw = plain_abi_stage(shader);
   c->ok = aco_compile(&c->arena, &hw, &options, &c->out, &error);
}

static void
compilation_runs_out_of_memory(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(corpus); i++) {
      struct compilation c = {.module = spirv_test_load(corpus[i])};
      c.stage = spirv_find_stage(c.module.words, c.module.count);
      bool failed = true;
      long n = 0;
      for (; failed; n++) {
         c.ok = false;
         fail_countdown = n;
         bool in_memory = within_memory(compile, &c);
         failed = fail_countdown < 0;
         fail_countdown = -1;
         assert_true(in_memory == !failed);
         assert_true(failed || c.ok);
         arena_free(&c.arena);
      }
      assert_true(n > 10);
      free(c.module.words);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(compilation_runs_out_of_memory)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Random programs compile in both wave sizes and with few registers, pass the validator and the allocation check;
 * every program's listing reads back to its words by LLVM's assembler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "aco_random.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "share.h"

static void
compile_all(unsigned wave_size, unsigned max_sgprs, unsigned max_vgprs, uint32_t first, uint32_t count,
            unsigned statements)
{
   wave_size = aco_test_wave_size(wave_size);
   for (uint32_t seed = first; seed < first + test_share_of(count); seed++) {
      struct arena arena = {0};
      struct nir_random_options options = {
         .seed = seed, .workgroup_size = 64, .subgroup_size = wave_size, .statements = statements};
      struct nir_shader *nir = aco_random_shader(&arena, &options);
      nir_lower_variables(nir);
      nir_optimize(nir);
      const struct aco_stage stage = aco_random_stage(nir);
      struct aco_options aco = aco_test_options(wave_size);
      aco.max_sgprs = max_sgprs;
      aco.max_vgprs = max_vgprs;
      struct aco_output out;
      const char *error;
      if (!aco_compile(&arena, &stage, &aco, &out, &error)) {
         if (getenv("ACO_TEST_PRINT"))
            nir_print(nir, stderr);
         fail_msg("seed %u wave%u: %s", seed, wave_size, error);
      }
      assert_true(out.exec_dw > 0 && out.code_dw >= out.exec_dw);
      arena_free(&arena);
   }
}

static void
wave32(void **state)
{
   compile_all(32, 0, 0, 0, 500, 0);
}

static void
wave64(void **state)
{
   compile_all(64, 0, 0, 1000, 500, 0);
}

static void
few_vgprs(void **state)
{
   compile_all(32, 0, 12, 2000, 200, 60);
}

static void
few_sgprs(void **state)
{
   compile_all(32, 24, 0, 2200, 200, 60);
   compile_all(64, 32, 0, 2400, 100, 60);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(wave32),
      cmocka_unit_test(wave64),
      cmocka_unit_test(few_vgprs),
      cmocka_unit_test(few_sgprs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Control flow: the same functions compiled by gcc and translated from SPIR-V give the same results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spirv_test.h"

#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wempty-body"
#include "shaders/control_flow.inl"

#define LANES 64

static const struct {
   const char *name;
   int (*function)(int x);
} rows[] = {
   {"early returns", early_returns}, {"return in a loop", return_in_loop}, {"switch with fallthrough", switch_fall},
   {"switch in a loop", switch_in_loop}, {"nested breaks", nested_breaks}, {"do while", do_while}, {"calls", calls},
   {"short circuit", short_circuit}, {"nested switch", nested_switch}, {"values of a loop", loop_values},
   {"empty arms", empty_arms},
};
#define COLUMNS (ARRAY_SIZE(rows) + 1)

static void
check(const char *name, bool optimize)
{
   struct spirv_test_module module = spirv_test_load(name);
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   int32_t data[LANES][COLUMNS];
   memset(data, 0, sizeof(data));
   spirv_test_run(&module, &options, optimize, LANES, data, sizeof(data));
   for (int x = 0; x < LANES; x++) {
      for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
         if (data[x][i] != rows[i].function(x))
            fail_msg("%s: %s(%d) is %d, not %d", name, rows[i].name, x, data[x][i], rows[i].function(x));
      }
      assert_int_equal(data[x][COLUMNS - 1], x == 13 ? 0 : 12345);
   }
   free(module.words);
}

static void
as_glslang_writes_it(void **state)
{
   check("control_flow.comp.spv", false);
   check("control_flow.comp.spv", true);
}

/* spirv-opt turns variables into phis, merges returns and inlines: other shapes of the same functions. */
static void
with_phis(void **state)
{
   check("control_flow_ssa.spv", false);
   check("control_flow_ssa.spv", true);
}

static void
optimized(void **state)
{
   check("control_flow_opt.spv", false);
   check("control_flow_opt.spv", true);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_glslang_writes_it),
      cmocka_unit_test(with_phis),
      cmocka_unit_test(optimized),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Control flow: the same functions compiled by gcc and translated from SPIR-V give the same results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
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
   {"early returns", early_returns},
   {"return in a loop", return_in_loop},
   {"switch with fallthrough", switch_fall},
   {"switch in a loop", switch_in_loop},
   {"nested breaks", nested_breaks},
   {"do while", do_while},
   {"calls", calls},
   {"short circuit", short_circuit},
   {"nested switch", nested_switch},
   {"values of a loop", loop_values},
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

/* Switches of one case: what the case computes is used after the switch, so an index reaches its address, and the
 * address its uses, past an end of nir's ifs and loops. Many of them, one after the other. */
enum { STEPS = 60 };

static const char addresses_head[] = "OpCapability Shader\n"
                                     "OpMemoryModel Logical GLSL450\n"
                                     "OpEntryPoint GLCompute %main \"main\" %index\n"
                                     "OpExecutionMode %main LocalSize 64 1 1\n"
                                     "OpDecorate %index BuiltIn LocalInvocationIndex\n"
                                     "OpDecorate %words ArrayStride 4\n"
                                     "OpDecorate %block BufferBlock\n"
                                     "OpMemberDecorate %block 0 Offset 0\n"
                                     "OpDecorate %out DescriptorSet 0\n"
                                     "OpDecorate %out Binding 0\n"
                                     "%void = OpTypeVoid\n"
                                     "%bool = OpTypeBool\n"
                                     "%uint = OpTypeInt 32 0\n"
                                     "%zero = OpConstant %uint 0\n"
                                     "%one = OpConstant %uint 1\n"
                                     "%words = OpTypeRuntimeArray %uint\n"
                                     "%block = OpTypeStruct %words\n"
                                     "%block_ptr = OpTypePointer Uniform %block\n"
                                     "%word_ptr = OpTypePointer Uniform %uint\n"
                                     "%in_ptr = OpTypePointer Input %uint\n"
                                     "%out = OpVariable %block_ptr Uniform\n"
                                     "%index = OpVariable %in_ptr Input\n"
                                     "%type = OpTypeFunction %void\n"
                                     "%main = OpFunction %void None %type\n"
                                     "%entry = OpLabel\n"
                                     "%x = OpLoad %uint %index\n";

static const char address_text[] = "OpSelectionMerge %after_# None\n"
                                   "OpSwitch %x %case_#\n"
                                   "%case_# = OpLabel\n"
                                   "%place_# = OpIMul %uint %x %one\n"
                                   "OpBranch %after_#\n"
                                   "%after_# = OpLabel\n"
                                   "OpSelectionMerge %next_# None\n"
                                   "OpSwitch %x %second_#\n"
                                   "%second_# = OpLabel\n"
                                   "%address_# = OpAccessChain %word_ptr %out %zero %place_#\n"
                                   "OpBranch %next_#\n"
                                   "%next_# = OpLabel\n"
                                   "OpSelectionMerge %end_# None\n"
                                   "OpSwitch %x %third_#\n"
                                   "%third_# = OpLabel\n"
                                   "%old_# = OpLoad %uint %address_#\n"
                                   "%new_# = OpIAdd %uint %old_# %one\n"
                                   "OpStore %address_# %new_#\n"
                                   "OpBranch %end_#\n"
                                   "%end_# = OpLabel\n";

/* For each # the step's number. */
static void
print_step(FILE *out, const char *text, unsigned step)
{
   for (; *text; text++)
      *text == '#' ? fprintf(out, "%u", step) : fputc(*text, out);
}

static void
addresses_after_switches(void **state)
{
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   uint32_t data[LANES] = {0};
   char *text;
   size_t size;
   FILE *out = open_memstream(&text, &size);
   fputs(addresses_head, out);
   for (unsigned i = 0; i < STEPS; i++)
      print_step(out, address_text, i);
   fputs("OpReturn\nOpFunctionEnd\n", out);
   fclose(out);
   struct spirv_test_module module = spirv_test_assemble(text);
   assert_true(spirv_test_is_valid(&module));
   spirv_test_run(&module, &options, true, LANES, data, sizeof(data));
   for (uint32_t x = 0; x < LANES; x++)
      assert_int_equal(data[x], STEPS);
   free(module.words);
   free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_glslang_writes_it),
      cmocka_unit_test(with_phis),
      cmocka_unit_test(optimized),
      cmocka_unit_test(addresses_after_switches),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

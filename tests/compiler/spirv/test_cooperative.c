/* Cooperative matrices: what is refused, and how many elements an invocation has. Their values: the Vulkan program
 * `matrices`, and random programs of the back ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spirv_test.h"
#include "util/macros.h"

/* What is translated, or the error. */
static void
expect(const struct spirv_test_module *module, const struct spirv_options *options, const char *part)
{
   struct arena arena = {0};
   const char *error = NULL;
   struct nir_shader *shader = spirv_to_nir(&arena, module->words, module->count, options, &error);
   if (!shader != (part != NULL) || (part && !strstr(error, part)))
      fail_msg("\"%s\" where \"%s\" is wanted", error ? error : "no error", part ? part : "none");
   if (shader) {
      assert_null(nir_validate(shader));
      assert_int_equal(shader->info.subgroup_size, options->matrix_subgroup_size);
   }
   arena_free(&arena);
}

static void
refused(void **state)
{
   struct spirv_test_module module = spirv_test_load("cooperative.spv");
   struct spirv_spec_constant side = {.id = 2, .size_B = 4, .value = 16};
   const struct spirv_options valid = {.stage = NIR_STAGE_COMPUTE,
                                       .features = SPIRV_FEATURE_ALL,
                                       .spec_constants = &side,
                                       .num_spec_constants = 1,
                                       .matrix_subgroup_size = 32};
   struct spirv_options options = valid;
   expect(&module, &options, NULL);
   options.matrix_subgroup_size = 64;
   expect(&module, &options, NULL);
   options.matrix_subgroup_size = 0;
   expect(&module, &options, "the subgroups hold no matrices");
   options = valid;
   options.features &= ~(uint64_t)SPIRV_FEATURE_COOPERATIVE_MATRIX;
   expect(&module, &options, "capability CooperativeMatrixKHR is not enabled");
   side.value = 8;
   expect(&module, &valid, "a matrix of 8 times 16, not 16");
   free(module.words);
}

/* spirv-as of Debian 12 knows no word of it. A composite has as many constituents as the array is long. */
static const char *const text = "OpCapability Shader\n"
                                "OpCapability !6022\n"
                                "OpMemoryModel Logical GLSL450\n"
                                "OpEntryPoint GLCompute %%main \"main\"\n"
                                "OpExecutionMode %%main LocalSize 64 1 1\n"
                                "%%void = OpTypeVoid\n"
                                "%%uint = OpTypeInt 32 0\n"
                                "%%float = OpTypeFloat 32\n"
                                "%%main_type = OpTypeFunction %%void\n"
                                "%%scope = OpConstant %%uint %u\n"
                                "%%use = OpConstant %%uint %u\n"
                                "%%side = OpConstant %%uint 16\n"
                                "!0x00071168 %%matrix %%float %%scope %%side %%side %%use\n"
                                "!0x00050034 %%uint %%length !4460 %%matrix\n"
                                "%%array = OpTypeArray %%float %%length\n"
                                "%%one = OpConstant %%float 1\n"
                                "%%ones = OpConstantComposite %%array%s\n"
                                "%%main = OpFunction %%void None %%main_type\n"
                                "%%first = OpLabel\n"
                                "OpReturn\n"
                                "OpFunctionEnd\n";

static void
expect_length(const unsigned matrix[2], unsigned subgroup_size, unsigned length, const char *part)
{
   struct arena arena = {0};
   char ones[200] = "";
   for (unsigned i = 0; i < length; i++)
      strcat(ones, " %one");
   char *own = arena_printf(&arena, text, matrix[0], matrix[1], ones);
   struct spirv_test_module module = spirv_test_assemble(own);
   const struct spirv_options options = {
      .stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL, .matrix_subgroup_size = subgroup_size};
   assert_non_null(module.words);
   expect(&module, &options, part);
   free(module.words);
   arena_free(&arena);
}

static void
lengths(void **state)
{
   const unsigned a[2] = {3, 0}, b[2] = {3, 1}, c[2] = {3, 2}, of_workgroup[2] = {2, 2}, of_nothing[2] = {3, 3};
   expect_length(a, 32, 16, NULL);
   expect_length(b, 64, 16, NULL);
   expect_length(c, 32, 8, NULL);
   expect_length(c, 64, 4, NULL);
   expect_length(c, 64, 8, "8 constituents for 4 places");
   expect_length(of_workgroup, 64, 4, "a matrix of another scope than the subgroup");
   expect_length(of_nothing, 64, 4, "no matrix has the use 3");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(refused),
      cmocka_unit_test(lengths),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which instructions may be changed by transforms: SPV_KHR_float_controls2 and execution modes of floats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spirv_test.h"
#include "util/macros.h"

#define FAST "65551" /* NotNaN, NotInf, NSZ, AllowRecip, AllowContract */

/* Three sums; the numbers stand for words that spirv-as does not know. */
static const struct {
   const char *name, *modes, *decorations;
   bool exact[3];
} rows[] = {
   {"no default", "", "OpDecorate %x1 FPFastMathMode !0\nOpDecorate %x2 FPFastMathMode !" FAST "\n", {0, 1, 0}},
   {"a fast default",
    "OpExecutionModeId %main !6028 %float %fast\n",
    "OpDecorate %x2 FPFastMathMode !1\n",
    {0, 0, 1}},
   {"a strict default",
    "OpExecutionModeId %main !6028 %float %strict\n",
    "OpDecorate %x2 FPFastMathMode !" FAST "\n",
    {1, 1, 0}},
   {"no contraction alone",
    "OpExecutionModeId %main !6028 %float %same\n",
    "OpDecorate %x0 FPFastMathMode !" FAST "\n",
    {0, 1, 1}},
   {"the older decoration", "", "OpDecorate %x1 NoContraction\n", {0, 1, 0}},
};

static struct spirv_test_module
assemble(unsigned row)
{
   char text[4096];
   snprintf(text, sizeof(text),
            "OpCapability Shader\nOpCapability !6029\nOpExtension \"SPV_KHR_float_controls2\"\n"
            "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n"
            "OpExecutionMode %%main LocalSize 1 1 1\n%s%s"
            "OpDecorate %%block BufferBlock\nOpMemberDecorate %%block 0 Offset 0\n"
            "OpDecorate %%data DescriptorSet 0\nOpDecorate %%data Binding 0\n"
            "%%void = OpTypeVoid\n%%function = OpTypeFunction %%void\n%%float = OpTypeFloat 32\n"
            "%%int = OpTypeInt 32 0\n%%zero = OpConstant %%int 0\n%%fast = OpConstant %%int " FAST "\n"
            "%%strict = OpConstant %%int 0\n%%same = OpConstant %%int 15\n%%block = OpTypeStruct %%float\n"
            "%%pointer = OpTypePointer Uniform %%block\n%%member = OpTypePointer Uniform %%float\n"
            "%%data = OpVariable %%pointer Uniform\n"
            "%%main = OpFunction %%void None %%function\n%%label = OpLabel\n"
            "%%place = OpAccessChain %%member %%data %%zero\n%%value = OpLoad %%float %%place\n"
            "%%x0 = OpFAdd %%float %%value %%value\n%%x1 = OpFAdd %%float %%x0 %%value\n"
            "%%x2 = OpFAdd %%float %%x1 %%value\nOpStore %%place %%x2\nOpReturn\nOpFunctionEnd\n",
            rows[row].modes, rows[row].decorations);
   return spirv_test_assemble(text);
}

static void
which_are_exact(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena arena = {0};
      struct spirv_test_module module = assemble(i);
      const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
      unsigned sums = 0;
      assert_non_null(module.words);
      struct nir_shader *shader = spirv_test_translate(&arena, &module, &options);
      nir_foreach_block(block, shader) {
         nir_foreach_instr(instr, block) {
            if (instr->type != NIR_INSTR_ALU || nir_as_alu(instr)->op != NIR_OP_fadd)
               continue;
            if (nir_as_alu(instr)->exact != rows[i].exact[sums])
               fail_msg("%s: sum %u is %sexact", rows[i].name, sums, rows[i].exact[sums] ? "not " : "");
            sums++;
         }
      }
      assert_int_equal(sums, 3);
      free(module.words);
      arena_free(&arena);
   }
}

/* As a device without the feature has it. */
static void
feature_counts(void **state)
{
   struct arena arena = {0};
   struct spirv_test_module module = assemble(0);
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE,
                                         .features = SPIRV_FEATURE_ALL & ~(uint64_t)SPIRV_FEATURE_FLOAT_CONTROLS_2};
   const char *error = NULL;
   assert_null(spirv_to_nir(&arena, module.words, module.count, &options, &error));
   assert_non_null(strstr(error, "capability FloatControls2 is not enabled"));
   free(module.words);
   arena_free(&arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(which_are_exact), cmocka_unit_test(feature_counts)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

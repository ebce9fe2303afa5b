/* What modules may not do with ordered sections, and what they may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spirv_test.h"
#include "util/macros.h"

#define PIXEL "OpCapability FragmentShaderPixelInterlockEXT\n"
#define SAMPLE "OpCapability FragmentShaderSampleInterlockEXT\n"
#define ORIGIN "OpExecutionMode %main OriginUpperLeft\n"
#define MODE(name) "OpExecutionMode %main " name "EXT\n"
#define ORDERED ORIGIN MODE("PixelInterlockOrdered")
#define SIZE "OpExecutionMode %main LocalSize 1 1 1\n"
#define BEGIN "OpBeginInvocationInterlockEXT\n"
#define END "OpEndInvocationInterlockEXT\n"
#define IF(n, body)                                                                                                  \
   "OpSelectionMerge %join" n " None\nOpBranchConditional %true %yes" n " %join" n "\n%yes" n " = OpLabel\n" body    \
   "OpBranch %join" n "\n%join" n " = OpLabel\n"

#define NO_MODE "an ordered section without an interlock mode"
#define NO_PATH "no path begins an ordered section and then ends it"

/* error: a part of it, NULL for good modules. DYNAMIC: only an execution can be wrong, says spirv-val. */
enum { DYNAMIC = 1 };

static const struct {
   const char *name, *capabilities, *model, *modes, *body, *error;
   unsigned flags;
} rows[] = {
   {"one pair", PIXEL, "Fragment", ORDERED, BEGIN END, NULL, 0},
   {"pixel unordered", PIXEL, "Fragment", ORIGIN MODE("PixelInterlockUnordered"), BEGIN END, NULL, 0},
   {"sample ordered", SAMPLE, "Fragment", ORIGIN MODE("SampleInterlockOrdered"), BEGIN END, NULL, 0},
   {"sample unordered", SAMPLE, "Fragment", ORIGIN MODE("SampleInterlockUnordered"), BEGIN END, NULL, 0},
   {"two pairs", PIXEL, "Fragment", ORDERED, BEGIN END BEGIN END, NULL, 0},
   {"mode without pair", PIXEL, "Fragment", ORDERED, "", NULL, 0},
   {"capability without mode or pair", PIXEL, "Fragment", ORIGIN, "", NULL, 0},
   {"a pair in a branch", PIXEL, "Fragment", ORDERED, IF("0", BEGIN END), NULL, 0},
   {"begin and end in branches", PIXEL, "Fragment", ORDERED, IF("0", BEGIN) IF("1", END), NULL, 0},
   {"end on one path", PIXEL, "Fragment", ORDERED, BEGIN IF("0", END), NULL, 0},
   {"end in front of a branch with a pair", PIXEL, "Fragment", ORDERED, IF("0", END) BEGIN END, NULL, 0},

   {"no capability, no mode", "", "Fragment", ORIGIN, BEGIN END, "capability", 0},
   {"no mode", PIXEL, "Fragment", ORIGIN, BEGIN END, NO_MODE, 0},
   {"end without mode", PIXEL, "Fragment", ORIGIN, END, NO_MODE, 0},
   {"mode without capability", "", "Fragment", ORDERED, BEGIN END, "capability", 0},
   {"sample mode with pixel capability", PIXEL, "Fragment", ORIGIN MODE("SampleInterlockOrdered"), BEGIN END,
    "capability", 0},
   {"pixel mode with sample capability", SAMPLE, "Fragment", ORDERED, BEGIN END, "capability", 0},
   {"ordered and unordered", PIXEL, "Fragment", ORDERED MODE("PixelInterlockUnordered"), BEGIN END, "second", 0},
   {"pixel and sample", PIXEL SAMPLE, "Fragment", ORDERED MODE("SampleInterlockOrdered"), BEGIN END, "second", 0},
   {"a vertex shader", PIXEL, "Vertex", "", BEGIN END, NO_MODE, 0},
   {"a compute shader", PIXEL, "GLCompute", SIZE, BEGIN END, NO_MODE, 0},
   {"mode of a vertex shader", PIXEL, "Vertex", MODE("PixelInterlockOrdered"), BEGIN END, "fragment", 0},
   {"mode of a compute shader", PIXEL, "GLCompute", SIZE MODE("PixelInterlockOrdered"), BEGIN END, "fragment", 0},
   {"begin without end", PIXEL, "Fragment", ORDERED, BEGIN, NO_PATH, DYNAMIC},
   {"end without begin", PIXEL, "Fragment", ORDERED, END, NO_PATH, DYNAMIC},
   {"end before begin", PIXEL, "Fragment", ORDERED, END BEGIN, NO_PATH, DYNAMIC},
   {"end before a pair", PIXEL, "Fragment", ORDERED, END BEGIN END, NO_PATH, DYNAMIC},
   {"begin twice", PIXEL, "Fragment", ORDERED, BEGIN BEGIN END, NO_PATH, DYNAMIC},
   {"end twice", PIXEL, "Fragment", ORDERED, BEGIN END END, NO_PATH, DYNAMIC},
   {"begin in a branch, no end", PIXEL, "Fragment", ORDERED, IF("0", BEGIN), NO_PATH, DYNAMIC},
   {"end in a branch, no begin", PIXEL, "Fragment", ORDERED, IF("0", END), NO_PATH, DYNAMIC},
   {"end in a branch, begin after it", PIXEL, "Fragment", ORDERED, IF("0", END) BEGIN, NO_PATH, DYNAMIC},
};

static struct spirv_test_module
assemble(unsigned row)
{
   char text[2000];
   snprintf(
      text, sizeof(text),
      "OpCapability Shader\n%sOpExtension \"SPV_EXT_fragment_shader_interlock\"\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint %s %%main \"main\"\n%s%%void = OpTypeVoid\n%%bool = OpTypeBool\n%%true = OpConstantTrue %%bool\n"
      "%%type = OpTypeFunction %%void\n%%main = OpFunction %%void None %%type\n%%first = OpLabel\n%sOpReturn\n"
      "OpFunctionEnd\n",
      rows[row].capabilities, rows[row].model, rows[row].modes, rows[row].body);
   struct spirv_test_module module = spirv_test_assemble(text);
   if (!module.words)
      fail_msg("%s: does not assemble", rows[row].name);
   return module;
}

static void
each_row(void **state)
{
   unsigned failures = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena arena = {0};
      struct spirv_test_module module = assemble(i);
      const struct spirv_options options = {.stage = spirv_find_stage(module.words, module.count),
                                            .features = SPIRV_FEATURE_ALL};
      const char *error = NULL;
      struct nir_shader *shader = spirv_to_nir(&arena, module.words, module.count, &options, &error);
      if (!!shader != !rows[i].error || (error && !strstr(error, rows[i].error)))
         print_message("%s: %s\n", rows[i].name, error ? error : "accepted"), failures++;
      if (shader && nir_validate(shader))
         fail_msg("%s: %s", rows[i].name, nir_validate(shader));
      bool valid = !rows[i].error || rows[i].flags & DYNAMIC;
      if (spirv_test_is_valid(&module) != valid)
         print_message("%s: spirv-val does not agree\n", rows[i].name), failures++;
      free(module.words);
      arena_free(&arena);
   }
   assert_int_equal(failures, 0);
}

/* As a device without the features has it. */
static void
features_count(void **state)
{
   static const uint32_t features[] = {SPIRV_FEATURE_PIXEL_INTERLOCK, SPIRV_FEATURE_SAMPLE_INTERLOCK};
   for (unsigned i = 0; i < 8; i++) {
      struct arena arena = {0};
      struct spirv_test_module module = assemble(i & 1 ? 2 : 0);
      uint32_t without = (i >> 1 & 1 ? features[0] : 0) | (i >> 2 & 1 ? features[1] : 0);
      const struct spirv_options options = {.stage = NIR_STAGE_FRAGMENT, .features = SPIRV_FEATURE_ALL & ~without};
      const char *error = NULL;
      struct nir_shader *shader = spirv_to_nir(&arena, module.words, module.count, &options, &error);
      bool good = !(without & features[i & 1]);
      if (!!shader != good || (!good && !strstr(error, "InterlockEXT is not enabled")))
         fail_msg("%u: %s", i, error ? error : "accepted");
      free(module.words);
      arena_free(&arena);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(each_row), cmocka_unit_test(features_count)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Modules that spirv-val rejects, each made from a valid one by replacing a piece of its text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spirv_test.h"
#include "util/macros.h"

static const char *const base = "OpCapability Shader\n"
                                "%glsl = OpExtInstImport \"GLSL.std.450\"\n"
                                "OpMemoryModel Logical GLSL450\n"
                                "OpEntryPoint Fragment %main \"main\" %in %out %number\n"
                                "OpExecutionMode %main OriginUpperLeft\n"
                                "OpName %main \"main\"\n"
                                "OpDecorate %in Location 0\n"
                                "OpDecorate %number Location 1\n"
                                "OpDecorate %number Flat\n"
                                "OpDecorate %out Location 0\n"
                                "OpDecorate %block Block\n"
                                "OpMemberDecorate %block 0 Offset 0\n"
                                "OpMemberDecorate %block 1 Offset 16\n"
                                "OpMemberDecorate %block 1 ColMajor\n"
                                "OpMemberDecorate %block 1 MatrixStride 16\n"
                                "OpMemberDecorate %block 2 Offset 80\n"
                                "OpDecorate %array ArrayStride 16\n"
                                "OpDecorate %buffer DescriptorSet 0\n"
                                "OpDecorate %buffer Binding 0\n"
                                "OpDecorate %texture DescriptorSet 0\n"
                                "OpDecorate %texture Binding 1\n"
                                "%void = OpTypeVoid\n"
                                "%bool = OpTypeBool\n"
                                "%int = OpTypeInt 32 1\n"
                                "%uint = OpTypeInt 32 0\n"
                                "%float = OpTypeFloat 32\n"
                                "%v2 = OpTypeVector %float 2\n"
                                "%v4 = OpTypeVector %float 4\n"
                                "%m4 = OpTypeMatrix %v4 4\n"
                                "%i0 = OpConstant %int 0\n"
                                "%i1 = OpConstant %int 1\n"
                                "%i2 = OpConstant %int 2\n"
                                "%u3 = OpConstant %uint 3\n"
                                "%f1 = OpConstant %float 1\n"
                                "%ones = OpConstantComposite %v4 %f1 %f1 %f1 %f1\n"
                                "%true = OpConstantTrue %bool\n"
                                "%array = OpTypeArray %v4 %u3\n"
                                "%block = OpTypeStruct %v4 %m4 %array\n"
                                "%p_block = OpTypePointer Uniform %block\n"
                                "%p_v4 = OpTypePointer Uniform %v4\n"
                                "%p_in = OpTypePointer Input %v4\n"
                                "%p_number = OpTypePointer Input %int\n"
                                "%p_out = OpTypePointer Output %v4\n"
                                "%p_local = OpTypePointer Function %float\n"
                                "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
                                "%sampled = OpTypeSampledImage %image\n"
                                "%p_sampled = OpTypePointer UniformConstant %sampled\n"
                                "%buffer = OpVariable %p_block Uniform\n"
                                "%texture = OpVariable %p_sampled UniformConstant\n"
                                "%in = OpVariable %p_in Input\n"
                                "%number = OpVariable %p_number Input\n"
                                "%out = OpVariable %p_out Output\n"
                                "%f_void = OpTypeFunction %void\n"
                                "%f_float = OpTypeFunction %float %float\n"
                                "%main = OpFunction %void None %f_void\n"
                                "%first = OpLabel\n"
                                "%local = OpVariable %p_local Function\n"
                                "%value = OpLoad %v4 %in\n"
                                "%n = OpLoad %int %number\n"
                                "%x = OpCompositeExtract %float %value 0\n"
                                "%less = OpFOrdLessThan %bool %x %f1\n"
                                "OpStore %local %x\n"
                                "%called = OpFunctionCall %float %helper %x\n"
                                "%at = OpAccessChain %p_v4 %buffer %i2 %n\n"
                                "%element = OpLoad %v4 %at\n"
                                "%uv = OpVectorShuffle %v2 %value %value 0 5\n"
                                "%s = OpLoad %sampled %texture\n"
                                "%texel = OpImageSampleImplicitLod %v4 %s %uv\n"
                                "OpSelectionMerge %join None\n"
                                "OpBranchConditional %less %yes %no\n"
                                "%yes = OpLabel\n"
                                "%sum = OpFAdd %v4 %value %element\n"
                                "OpBranch %join\n"
                                "%no = OpLabel\n"
                                "%root = OpExtInst %float %glsl Sqrt %x\n"
                                "OpBranch %join\n"
                                "%join = OpLabel\n"
                                "%phi = OpPhi %v4 %sum %yes %texel %no\n"
                                "OpBranch %header\n"
                                "%header = OpLabel\n"
                                "%i = OpPhi %int %i0 %join %next %continue\n"
                                "OpLoopMerge %end %continue None\n"
                                "OpBranch %test\n"
                                "%test = OpLabel\n"
                                "%more = OpSLessThan %bool %i %n\n"
                                "OpBranchConditional %more %body %end\n"
                                "%body = OpLabel\n"
                                "OpBranch %continue\n"
                                "%continue = OpLabel\n"
                                "%next = OpIAdd %int %i %i1\n"
                                "OpBranch %header\n"
                                "%end = OpLabel\n"
                                "OpSelectionMerge %after None\n"
                                "OpSwitch %n %after 1 %one 2 %two\n"
                                "%one = OpLabel\n"
                                "OpBranch %two\n"
                                "%two = OpLabel\n"
                                "OpBranch %after\n"
                                "%after = OpLabel\n"
                                "OpStore %out %phi\n"
                                "OpReturn\n"
                                "OpFunctionEnd\n"
                                "%helper = OpFunction %float None %f_float\n"
                                "%argument = OpFunctionParameter %float\n"
                                "%only = OpLabel\n"
                                "%product = OpFMul %float %argument %f1\n"
                                "OpReturnValue %product\n"
                                "OpFunctionEnd\n";

/* What spirv-val 2023 lets pass, though the specification forbids it. */
enum {
   OURS_ALONE = 1,
};

/* The start of the base, and with the capability, extension and modes of ordered sections. */
#define IMPORT "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
#define ENTRY "OpEntryPoint Fragment %main \"main\" %in %out %number\n"
#define HEAD "OpCapability Shader\n" IMPORT ENTRY
#define INTERLOCK_HEAD                                                                                               \
   "OpCapability Shader\nOpCapability FragmentShaderPixelInterlockEXT\n"                                            \
   "OpExtension \"SPV_EXT_fragment_shader_interlock\"\n" IMPORT
#define INTERLOCK(modes) INTERLOCK_HEAD ENTRY modes

/* The base with the capability of barycentric coordinates, and something more of them; as two members of a row. */
#define BARYCENTRIC_HEAD                                                                                             \
   "OpCapability Shader\nOpCapability FragmentBarycentricKHR\n"                                                      \
   "OpExtension \"SPV_KHR_fragment_shader_barycentric\"\n" IMPORT
#define MODE "OpExecutionMode %main OriginUpperLeft\nOpName %main \"main\"\n"
#define BARYCENTRIC(decorations) HEAD MODE, BARYCENTRIC_HEAD ENTRY MODE decorations

static const struct {
   const char *name, *from, *to;
   unsigned flags;
} rows[] = {
   {"no Shader", "OpCapability Shader\n", "", 0},
   {"unknown capability", "OpCapability Shader\n", "OpCapability Shader\nOpCapability Kernel\n", OURS_ALONE},
   {"no memory model", "OpMemoryModel Logical GLSL450\n", "", 0},
   {"two memory models", "OpMemoryModel Logical GLSL450\n",
    "OpMemoryModel Logical GLSL450\nOpMemoryModel Logical GLSL450\n", 0},
   {"sections out of order", "OpExecutionMode %main OriginUpperLeft\nOpName %main \"main\"\n",
    "OpName %main \"main\"\nOpExecutionMode %main OriginUpperLeft\n", 0},
   {"no origin", "OpExecutionMode %main OriginUpperLeft\n", "", 0},
   {"interlock mode without capability", "OriginUpperLeft\n",
    "OriginUpperLeft\nOpExecutionMode %main PixelInterlockOrderedEXT\n", 0},
   {"sample interlock mode with the capability of pixels", HEAD,
    INTERLOCK("OpExecutionMode %main SampleInterlockOrderedEXT\n"), 0},
   {"two interlock modes", HEAD,
    INTERLOCK("OpExecutionMode %main PixelInterlockOrderedEXT\nOpExecutionMode %main PixelInterlockUnorderedEXT\n"),
    0},
   {"interlock of coarse fragments", "OpCapability Shader\n",
    "OpCapability Shader\nOpCapability FragmentShaderShadingRateInterlockEXT\n"
    "OpExtension \"SPV_EXT_fragment_shader_interlock\"\n",
    OURS_ALONE},
   {"an interlock mode of a vertex shader", HEAD "OpExecutionMode %main OriginUpperLeft\n",
    INTERLOCK_HEAD "OpEntryPoint Vertex %main \"main\" %in %out %number\n"
                   "OpExecutionMode %main PixelInterlockOrderedEXT\n",
    0},
   {"per vertex without capability", "OpDecorate %in Location 0\n",
    "OpDecorate %in Location 0\nOpDecorate %in PerVertexKHR\n", 0},
   {"per vertex, and no array", BARYCENTRIC("OpDecorate %in PerVertexKHR\n"), 0},
   {"barycentric coordinates of four components", BARYCENTRIC("OpDecorate %in BuiltIn BaryCoordKHR\n"), 0},
   {"barycentric coordinates that are integers", BARYCENTRIC("OpDecorate %number BuiltIn BaryCoordNoPerspKHR\n"), 0},
   {"begin without interlock mode", "OpStore %local %x\n", "OpStore %local %x\nOpBeginInvocationInterlockEXT\n", 0},
   {"lower left origin", "OriginUpperLeft", "OriginLowerLeft", 0},
   {"local size of a fragment", "OriginUpperLeft", "LocalSize 1 1 1", 0},
   {"entry point is no function", "%main \"main\" %in", "%void \"main\" %in", 0},
   {"interface is no variable", "\"main\" %in", "\"main\" %int", 0},
   {"variable missing in the interface", "\"main\" %in %out", "\"main\" %out", 0},
   {"member out of bounds", "OpMemberDecorate %block 2 Offset 80", "OpMemberDecorate %block 3 Offset 80", 0},
   {"no offset", "OpMemberDecorate %block 1 Offset 16\n", "", 0},
   {"no matrix stride", "OpMemberDecorate %block 1 MatrixStride 16\n", "", 0},
   {"no array stride", "OpDecorate %array ArrayStride 16\n", "", 0},
   {"unaligned offset", "Offset 80", "Offset 82", 0},
   {"no block", "OpDecorate %block Block\n", "", 0},
   {"no binding", "OpDecorate %buffer Binding 0\n", "", 0},
   {"no location", "OpDecorate %in Location 0\n", "", 0},
   {"depth of four components", "OpDecorate %out Location 0", "OpDecorate %out BuiltIn FragDepth", 0},
   {"sample mask that is no array", "OpDecorate %out Location 0", "OpDecorate %out BuiltIn SampleMask", 0},
   {"location too large", "OpDecorate %out Location 0", "OpDecorate %out Location 9", OURS_ALONE},
   {"double without capability", "OpTypeFloat 32", "OpTypeFloat 64", 0},
   {"vector of 5", "OpTypeVector %float 4", "OpTypeVector %float 5", 0},
   {"vector of vectors", "OpTypeVector %float 4", "OpTypeVector %v2 4", 0},
   {"matrix of scalars", "OpTypeMatrix %v4 4", "OpTypeMatrix %float 4", 0},
   {"array of length 0", "%u3 = OpConstant %uint 3", "%u3 = OpConstant %uint 0", 0},
   {"array of float length", "OpTypeArray %v4 %u3", "OpTypeArray %v4 %f1", 0},
   {"pointer to no type", "OpTypePointer Uniform %v4", "OpTypePointer Uniform %f1", 0},
   {"composite too short", "%v4 %f1 %f1 %f1 %f1", "%v4 %f1 %f1 %f1", 0},
   {"composite of wrong types", "%v4 %f1 %f1 %f1 %f1", "%v4 %f1 %f1 %f1 %i1", 0},
   {"boolean constant of type int", "OpConstantTrue %bool", "OpConstantTrue %int", 0},
   {"image of booleans", "OpTypeImage %float", "OpTypeImage %bool", 0},
   {"image that is neither sampled nor storage", "2D 0 0 0 1", "2D 0 0 0 0", 0},
   {"wrong storage class", "OpVariable %p_block Uniform", "OpVariable %p_block Private", 0},
   {"function without type", "OpFunction %void None %f_void", "OpFunction %void None %void", 0},
   {"wrong result type of a function", "OpFunction %void None %f_void", "OpFunction %float None %f_void", 0},
   {"no label", "%first = OpLabel\n", "", 0},
   {"no terminator", "OpStore %out %phi\nOpReturn\n", "OpStore %out %phi\n", 0},
   {"variable in the middle", "%value = OpLoad %v4 %in\n%n",
    "%value = OpLoad %v4 %in\n%late = OpVariable %p_local Function\n%n", 0},
   {"load of another type", "OpLoad %v4 %in", "OpLoad %float %in", 0},
   {"load of a value", "OpLoad %v4 %in", "OpLoad %v4 %ones", 0},
   {"store of another type", "OpStore %local %x", "OpStore %local %n", 0},
   {"store to an input", "OpStore %out %phi", "OpStore %in %phi", 0},
   {"store to a uniform block", "OpStore %out %phi", "OpStore %at %phi", 0},
   {"extract out of bounds", "OpCompositeExtract %float %value 0", "OpCompositeExtract %float %value 4", 0},
   {"extract of another type", "OpCompositeExtract %float %value 0", "OpCompositeExtract %int %value 0", 0},
   {"extract of a scalar", "OpCompositeExtract %float %value 0", "OpCompositeExtract %float %value 0 0", 0},
   {"comparison of integers", "OpFOrdLessThan %bool %x %f1", "OpFOrdLessThan %bool %n %i1", 0},
   {"comparison to a float", "OpFOrdLessThan %bool", "OpFOrdLessThan %float", 0},
   {"too few arguments", "OpFunctionCall %float %helper %x", "OpFunctionCall %float %helper", 0},
   {"argument of another type", "OpFunctionCall %float %helper %x", "OpFunctionCall %float %helper %n", 0},
   {"call of a type", "OpFunctionCall %float %helper %x", "OpFunctionCall %float %float %x", 0},
   {"recursion", "OpFMul %float %argument %f1", "OpFunctionCall %float %helper %argument", 0},
   {"variable index of a structure", "%buffer %i2 %n", "%buffer %n %n", 0},
   {"member index out of bounds", "%buffer %i2 %n", "%buffer %u3 %n", 0},
   {"chain of another type", "OpAccessChain %p_v4 %buffer %i2 %n", "OpAccessChain %p_v4 %buffer %i2", 0},
   {"chain too long", "%buffer %i2 %n", "%buffer %i2 %n %n %n", 0},
   {"shuffle out of bounds", "%value %value 0 5", "%value %value 0 8", 0},
   {"shuffle of another size", "%value %value 0 5", "%value %value 0 5 1", 0},
   {"sample of a buffer", "OpImageSampleImplicitLod %v4 %s", "OpImageSampleImplicitLod %v4 %value", 0},
   {"sample with too few coordinates", "%v4 %s %uv", "%v4 %s %x", 0},
   {"sample of another type", "OpImageSampleImplicitLod %v4", "OpImageSampleImplicitLod %float", 0},
   {"explicit sample without level", "OpImageSampleImplicitLod %v4 %s %uv\n",
    "OpImageSampleExplicitLod %v4 %s %uv ConstOffset %i0\n", 0},
   {"implicit sample with a level", "%v4 %s %uv\n", "%v4 %s %uv Lod %f1\n", 0},
   {"selection without merge", "OpSelectionMerge %join None\n", "", 0},
   {"condition is no boolean", "OpBranchConditional %less", "OpBranchConditional %x", 0},
   {"merge is no label", "OpSelectionMerge %join", "OpSelectionMerge %sum", 0},
   {"branch to a value", "OpBranch %join\n%no", "OpBranch %x\n%no", 0},
   {"branch to the first block", "OpBranch %join\n%no", "OpBranch %first\n%no", 0},
   {"branch into another construct", "OpBranch %join\n%no", "OpBranch %body\n%no", 0},
   {"branch into another function", "OpBranch %join\n%no", "OpBranch %only\n%no", 0},
   {"use that is not dominated", "OpExtInst %float %glsl Sqrt %x\n", "OpCompositeExtract %float %sum 0\n", 0},
   {"use before the definition", "%value = OpLoad %v4 %in\n%n",
    "%early = OpFAdd %v4 %sum %sum\n%value = OpLoad %v4 %in\n%n", 0},
   {"undefined id", "OpStore %local %x", "OpStore %local %nothing", 0},
   {"an undefined value of no type", "OpStore %local %x", "%u = OpUndef %void", 0},
   {"an undefined value of no type, global", "%f_void = OpTypeFunction %void\n",
    "%f_void = OpTypeFunction %void\n%u = OpUndef %f_void\n", OURS_ALONE},
   {"use of an undefined image", "OpStore %local %x",
    "%u = OpUndef %sampled\n"
    "%a = OpImageSampleImplicitLod %v4 %u %ones",
    OURS_ALONE},
   {"use of an undefined pointer", "OpStore %local %x", "%u = OpUndef %p_local\nOpStore %u %x", OURS_ALONE},
   {"id defined twice", "%n = OpLoad %int %number\n", "%n = OpLoad %int %number\n%n = OpLoad %int %number\n", 0},
   {"sum of different types", "OpFAdd %v4 %value %element", "OpFAdd %v4 %value %x", 0},
   {"integer sum of floats", "OpFAdd %v4 %value %element", "OpIAdd %v4 %value %element", 0},
   {"square root of an integer", "%glsl Sqrt %x", "%glsl Sqrt %n", 0},
   {"phi with a value missing", "OpPhi %v4 %sum %yes %texel %no", "OpPhi %v4 %sum %yes", 0},
   {"phi with a foreign block", "OpPhi %v4 %sum %yes %texel %no", "OpPhi %v4 %sum %yes %texel %first", 0},
   {"phi of another type", "OpPhi %v4 %sum %yes", "OpPhi %v4 %x %yes", 0},
   {"phi of a value that is not there", "OpPhi %v4 %sum %yes %texel %no", "OpPhi %v4 %sum %yes %sum %no", 0},
   {"phi after code", "%phi = OpPhi", "%z = OpFNegate %float %x\n%phi = OpPhi", 0},
   {"loop without merge", "OpLoopMerge %end %continue None\n", "", 0},
   {"second back edge", "OpBranch %continue\n", "OpBranch %header\n", 0},
   {"merge is the continue target", "OpLoopMerge %end %continue", "OpLoopMerge %continue %continue", 0},
   {"loop leaves to another merge", "OpBranchConditional %more %body %end", "OpBranchConditional %more %body %after",
    0},
   {"switch without merge", "OpSelectionMerge %after None\nOpSwitch", "OpSwitch", 0},
   {"cases in a circle", "OpBranch %after\n", "OpBranch %one\n", 0},
   {"return with a value", "OpStore %out %phi\nOpReturn\n", "OpStore %out %phi\nOpReturnValue %x\n", 0},
   {"return without value", "OpReturnValue %product", "OpReturn", 0},
   {"returned value of another type", "OpReturnValue %product", "OpReturnValue %i1", 0},
   {"parameter of another type", "OpFunctionParameter %float", "OpFunctionParameter %int", 0},
   {"parameter missing",
    "%argument = OpFunctionParameter %float\n%only = OpLabel\n%product = OpFMul %float %argument",
    "%only = OpLabel\n%product = OpFMul %float %f1", OURS_ALONE},
   {"function does not end", "OpReturnValue %product\nOpFunctionEnd\n", "OpReturnValue %product\n", 0},
   {"atomic on an input", "OpStore %local %x", "%a = OpAtomicIAdd %int %number %u3 %i0 %i1", 0},
   {"barrier of a wrong scope", "OpStore %local %x", "OpControlBarrier %u3 %i0 %i0", OURS_ALONE},
   {"group operation without capability", "OpStore %local %x", "%a = OpGroupNonUniformElect %bool %u3", 0},
};

static bool
accepts(const struct spirv_test_module *module, const char *name)
{
   struct arena arena = {0};
   const struct spirv_options options = {.stage = NIR_STAGE_FRAGMENT, .features = SPIRV_FEATURE_ALL};
   const char *error = NULL;
   struct nir_shader *shader = spirv_to_nir(&arena, module->words, module->count, &options, &error);
   if (shader && nir_validate(shader))
      fail_msg("%s: %s", name, nir_validate(shader));
   assert_true(shader || error);
   bool accepted = shader != NULL;
   arena_free(&arena);
   return accepted;
}

static char *
replaced(const char *text, const char *from, const char *to, const char *name)
{
   const char *place = strstr(text, from);
   if (!place)
      fail_msg("%s: the base does not hold \"%s\"", name, from);
   char *result = malloc(strlen(text) + strlen(to) + 1);
   sprintf(result, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from));
   return result;
}

static void
the_base_is_valid(void **state)
{
   struct spirv_test_module module = spirv_test_assemble(base);
   assert_non_null(module.words);
   assert_true(spirv_test_is_valid(&module));
   assert_true(accepts(&module, "base"));
   free(module.words);
}

static void
each_row_is_an_error(void **state)
{
   unsigned failures = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      char *text = replaced(base, rows[i].from, rows[i].to, rows[i].name);
      struct spirv_test_module module = spirv_test_assemble(text);
      /* What spirv-as refuses never becomes a module. */
      if (!module.words)
         print_message("%s: does not assemble\n", rows[i].name), failures++;
      else if (accepts(&module, rows[i].name))
         print_message("%s: accepted\n", rows[i].name), failures++;
      else if (!(rows[i].flags & OURS_ALONE) && spirv_test_is_valid(&module))
         print_message("%s: spirv-val accepts it\n", rows[i].name), failures++;
      free(module.words);
      free(text);
   }
   assert_int_equal(failures, 0);
}

/* Of any type, in a function or outside: as long as nobody uses what has no value. */
static void
undefined_values_are_valid(void **state)
{
   static const char *const types[] = {"bool",    "int",   "v4",      "m4",      "array",   "block",  "p_block",
                                       "p_local", "image", "sampled", "sampler", "endless", "holder", "images"};
   static const char more[] = "%sampler = OpTypeSampler\n%endless = OpTypeRuntimeArray %v4\n"
                              "%holder = OpTypeStruct %int %endless\n%images = OpTypeArray %image %u3\n";
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(types); i++) {
      const char *name = types[i / 2];
      char declared[512], undefined[64];
      snprintf(undefined, sizeof(undefined), "%%u = OpUndef %%%s\n", name);
      snprintf(declared, sizeof(declared), "%s%s%%f_void =", more, i % 2 ? undefined : "");
      char *with_types = replaced(base, "%f_void =", declared, name);
      char *text = replaced(with_types, "OpStore %local %x\n", i % 2 ? "" : undefined, name);
      struct spirv_test_module module = spirv_test_assemble(text);
      assert_non_null(module.words);
      if (!spirv_test_is_valid(&module) || !accepts(&module, name))
         fail_msg("an undefined value of type %s, %s", name, i % 2 ? "global" : "in a function");
      free(module.words);
      free(text);
      free(with_types);
   }
}

/* What is not supported is named, not the place where it stands. */
static void
types_of_extensions_are_named(void **state)
{
   static const struct {
      const char *head, *type, *capability;
   } types[] = {
      {"OpCapability RayQueryKHR\nOpExtension \"SPV_KHR_ray_query\"\n", "OpTypeRayQueryKHR", "RayQueryKHR"},
      {"OpCapability RayQueryKHR\nOpExtension \"SPV_KHR_ray_query\"\n", "OpTypeAccelerationStructureKHR",
       "RayQueryKHR"},
      {"OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n", "OpTypeAccelerationStructureKHR",
       "RayTracingKHR"},
      {"OpCapability Kernel\n", "OpTypeEvent", "Kernel"},
      {"OpCapability Pipes\nOpCapability Kernel\n", "OpTypePipe ReadOnly", "Pipes"},
      {"OpCapability DeviceEnqueue\nOpCapability Kernel\n", "OpTypeQueue", "DeviceEnqueue"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(types); i++) {
      struct arena arena = {0};
      char *head = arena_printf(&arena, "OpCapability Shader\n%s%s", types[i].head, IMPORT);
      char *text = replaced(base, "OpCapability Shader\n" IMPORT, head, types[i].type);
      char *line = arena_printf(&arena, "%%void = OpTypeVoid\n%%other = %s\n", types[i].type);
      char *with = replaced(text, "%void = OpTypeVoid\n", line, types[i].type);
      struct spirv_test_module module = spirv_test_assemble(with);
      const char *error = NULL;
      struct spirv_options options = {.stage = NIR_STAGE_FRAGMENT, .features = SPIRV_FEATURE_ALL};
      assert_non_null(module.words);
      assert_null(spirv_to_nir(&arena, module.words, module.count, &options, &error));
      if (!error || !strstr(error, types[i].capability))
         fail_msg("%s: %s", types[i].type, error);
      free(module.words);
      free(with);
      free(text);
      arena_free(&arena);
   }
}

/* What compilers of HLSL write for tools that look at modules means nothing to a driver. The extensions allow it in
 * every version; 1.4 has a part of it. */
static void
reflection_is_allowed(void **state)
{
   static const char *const rows[] = {
      "OpDecorateString %in UserSemantic \"COLOR0\"\n",
      "OpDecorateStringGOOGLE %in HlslSemanticGOOGLE \"COLOR0\"\n",
      "OpMemberDecorateString %block 0 UserSemantic \"A:B\"\n",
      "OpMemberDecorateStringGOOGLE %block 2 HlslSemanticGOOGLE \"a semantic of more than one word\"\n",
      "OpDecorateId %buffer CounterBuffer %texture\n",
      "OpDecorateId %buffer HlslCounterBufferGOOGLE %texture\n",
      "OpDecorateString %buffer UserTypeGOOGLE \"structuredbuffer:<uint>\"\n",
      "OpMemberDecorateString %block 1 UserTypeGOOGLE \"float4x4\"\n",
   };
   static const char head[] = "OpCapability Shader\nOpExtension \"SPV_GOOGLE_decorate_string\"\n"
                              "OpExtension \"SPV_GOOGLE_hlsl_functionality1\"\n"
                              "OpExtension \"SPV_GOOGLE_user_type\"\n" IMPORT;
   char *extended = replaced(base, "OpCapability Shader\n" IMPORT, head, "head");
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      char line[200];
      snprintf(line, sizeof(line), "OpDecorate %%in Location 0\n%s", rows[i]);
      char *text = replaced(extended, "OpDecorate %in Location 0\n", line, rows[i]);
      struct spirv_test_module module = spirv_test_assemble(text);
      assert_non_null(module.words);
      assert_true(spirv_test_is_valid(&module));
      for (uint32_t minor = 0; minor <= 3; minor++) { /* later versions have other lists of variables */
         module.words[1] = 0x10000 | minor << 8;
         if (!accepts(&module, rows[i]))
            fail_msg("SPIR-V 1.%u: %s", minor, rows[i]);
      }
      free(module.words);
      free(text);
   }
   free(extended);
}

static const char *const distances = "OpCapability Shader\n"
                                     "OpCapability ClipDistance\n"
                                     "OpMemoryModel Logical GLSL450\n"
                                     "OpEntryPoint Vertex %main \"main\" %out\n"
                                     "OpDecorate %out BuiltIn ClipDistance\n"
                                     "%void = OpTypeVoid\n"
                                     "%float = OpTypeFloat 32\n"
                                     "%uint = OpTypeInt 32 0\n"
                                     "%length = OpConstant %uint 8\n"
                                     "%zero = OpConstant %float 0\n"
                                     "%array = OpTypeArray %float %length\n"
                                     "%p_array = OpTypePointer Output %array\n"
                                     "%p_float = OpTypePointer Output %float\n"
                                     "%out = OpVariable %p_array Output\n"
                                     "%f_void = OpTypeFunction %void\n"
                                     "%main = OpFunction %void None %f_void\n"
                                     "%first = OpLabel\n"
                                     "%at = OpAccessChain %p_float %out %length\n"
                                     "OpStore %at %zero\n"
                                     "OpReturn\n"
                                     "OpFunctionEnd\n";

/* spirv-val accepts any number of them; there is room for eight. */
static void
as_many_distances_as_fit(void **state)
{
   static const char *const lengths[] = {"uint 1", "uint 8", "uint 9", "uint 65539"};
   for (unsigned i = 0; i < ARRAY_SIZE(lengths); i++) {
      char *text = replaced(distances, "uint 8", lengths[i], lengths[i]);
      struct spirv_test_module module = spirv_test_assemble(text);
      struct arena arena = {0};
      const struct spirv_options options = {.stage = NIR_STAGE_VERTEX, .features = SPIRV_FEATURE_ALL};
      const char *error = NULL;
      assert_non_null(module.words);
      assert_true(spirv_test_is_valid(&module));
      struct nir_shader *shader = spirv_to_nir(&arena, module.words, module.count, &options, &error);
      assert_int_equal(shader != NULL, i < 2);
      assert_true(shader ? !nir_validate(shader) : strstr(error, "built-in ClipDistance of type") != NULL);
      arena_free(&arena);
      free(module.words);
      free(text);
   }
}

static void
expect_error(const struct spirv_test_module *module, const struct spirv_options *options, const char *part)
{
   struct arena arena = {0};
   const char *error = NULL;
   assert_null(spirv_to_nir(&arena, module->words, module->count, options, &error));
   assert_non_null(error);
   if (!strstr(error, part))
      fail_msg("\"%s\" does not say \"%s\"", error, part);
   arena_free(&arena);
}

static void
options_count(void **state)
{
   struct spirv_test_module module = spirv_test_load("subgroups.comp.spv");
   const struct spirv_options compute = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   struct spirv_options options = compute;
   options.features &= ~(uint64_t)SPIRV_FEATURE_SUBGROUPS;
   expect_error(&module, &options, "capability GroupNonUniform is not enabled");
   options = compute;
   options.stage = NIR_STAGE_VERTEX;
   expect_error(&module, &options, "no entry point \"main\" for the stage vertex");
   options = compute;
   options.entry_point = "other";
   expect_error(&module, &options, "no entry point \"other\" for the stage compute");
   free(module.words);

   module = spirv_test_load("assembly.spv");
   struct spirv_spec_constant constant = {.id = 7, .size_B = 2, .value = 4};
   options = compute;
   options.spec_constants = &constant;
   options.num_spec_constants = 1;
   expect_error(&module, &options, "specialization constant 7 has 2 bytes");
   constant = (struct spirv_spec_constant){.id = 7, .size_B = 4, .value = 0};
   expect_error(&module, &options, "without workgroup size");
   free(module.words);
}

/* The smallest module of every stage, valid for spirv-val, and what is said of it. */
static const struct {
   const char *capability, *model, *modes, *error;
} of_stage[NIR_STAGES] = {
   [NIR_STAGE_VERTEX] = {"Shader", "Vertex", "", NULL},
   [NIR_STAGE_TESS_CTRL] = {"Tessellation", "TessellationControl", "OpExecutionMode %main OutputVertices 3\n", NULL},
   [NIR_STAGE_TESS_EVAL] = {"Tessellation", "TessellationEvaluation", "OpExecutionMode %main Triangles\n", NULL},
   [NIR_STAGE_GEOMETRY] = {"Geometry", "Geometry",
                           "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputTriangleStrip\n"
                           "OpExecutionMode %main OutputVertices 3\n",
                           NULL},
   [NIR_STAGE_FRAGMENT] = {"Shader", "Fragment", "OpExecutionMode %main OriginUpperLeft\n", NULL},
   [NIR_STAGE_COMPUTE] = {"Shader", "GLCompute", "OpExecutionMode %main LocalSize 1 1 1\n", NULL},
   [NIR_STAGE_TASK] = {"MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"", "TaskEXT",
                       "OpExecutionMode %main LocalSize 1 1 1\n", NULL},
   [NIR_STAGE_MESH] = {"MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"", "MeshEXT",
                       "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputVertices 3\n"
                       "OpExecutionMode %main OutputPrimitivesEXT 1\nOpExecutionMode %main OutputTrianglesEXT\n",
                       NULL},
};

enum { SPIRV_1_4 = 0x10400 };

static struct spirv_test_module
smallest(unsigned stage, bool captures)
{
   struct arena arena = {0};
   char *text = arena_printf(
      &arena,
      "OpCapability Shader\n%sOpCapability %s\nOpMemoryModel Logical GLSL450\nOpEntryPoint %s %%main \"main\"\n%s%s"
      "%%void = OpTypeVoid\n%%f = OpTypeFunction %%void\n"
      "%%main = OpFunction %%void None %%f\n%%first = OpLabel\nOpReturn\nOpFunctionEnd\n",
      captures ? "OpCapability TransformFeedback\n" : "", of_stage[stage].capability, of_stage[stage].model,
      of_stage[stage].modes, captures ? "OpExecutionMode %main Xfb\n" : "");
   struct spirv_test_module module = spirv_test_assemble(text);
   assert_non_null(module.words);
   if (stage >= NIR_STAGE_TASK)
      module.words[1] = SPIRV_1_4; /* these stages came with it */
   assert_true(spirv_test_is_valid(&module));
   arena_free(&arena);
   return module;
}

static void
every_stage_has_an_answer(void **state)
{
   for (unsigned i = 0; i < NIR_STAGES; i++) {
      struct arena arena = {0};
      const struct spirv_options options = {.stage = (enum nir_stage)i, .features = SPIRV_FEATURE_ALL};
      struct spirv_test_module module = smallest(i, false);
      const char *error = NULL;
      assert_int_equal(spirv_find_stage(module.words, module.count), i);
      for (size_t cut = 0; cut < module.count; cut++) /* any words */
         assert_in_range(spirv_find_stage(module.words, cut), 0, NIR_STAGES);
      if (of_stage[i].error)
         expect_error(&module, &options, of_stage[i].error);
      else if (!spirv_to_nir(&arena, module.words, module.count, &options, &error))
         fail_msg("%s: %s", of_stage[i].model, error);
      free(module.words);
      arena_free(&arena);
   }
}

/* Valid everywhere, says spirv-val; only the stages before the rasterizer have something to capture. */
static void
every_stage_may_say_that_it_captures(void **state)
{
   for (unsigned i = 0; i < NIR_STAGES; i++) {
      struct arena arena = {0};
      const struct spirv_options options = {.stage = (enum nir_stage)i, .features = SPIRV_FEATURE_ALL};
      struct spirv_test_module module = smallest(i, true);
      const struct nir_shader *shader = spirv_test_translate(&arena, &module, &options);
      assert_int_equal(shader->info.xfb.captures, i < NIR_STAGE_FRAGMENT);
      free(module.words);
      arena_free(&arena);
   }
}

/* spirv-val wants the capability, which Zink 22.3 leaves out; a device without the feature cannot run it. */
static void
sample_ids_need_no_declaration(void **state)
{
   char *text =
      replaced(base, "OpDecorate %number Location 1\n", "OpDecorate %number BuiltIn SampleId\n", "SampleId");
   struct spirv_test_module module = spirv_test_assemble(text);
   const struct spirv_options without = {.stage = NIR_STAGE_FRAGMENT,
                                         .features = SPIRV_FEATURE_ALL & ~(uint64_t)SPIRV_FEATURE_SAMPLE_SHADING};
   assert_non_null(module.words);
   assert_false(spirv_test_is_valid(&module));
   assert_true(accepts(&module, "SampleId"));
   expect_error(&module, &without, "SampleId needs a capability");
   free(module.words);
   free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_base_is_valid),
      cmocka_unit_test(each_row_is_an_error),
      cmocka_unit_test(undefined_values_are_valid),
      cmocka_unit_test(types_of_extensions_are_named),
      cmocka_unit_test(reflection_is_allowed),
      cmocka_unit_test(every_stage_has_an_answer),
      cmocka_unit_test(as_many_distances_as_fit),
      cmocka_unit_test(options_count),
      cmocka_unit_test(every_stage_may_say_that_it_captures),
      cmocka_unit_test(sample_ids_need_no_declaration),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

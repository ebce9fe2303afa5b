/* Inputs by vertex and barycentric coordinates: what they are, and what modules may not do with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_passes.h"
#include "spirv_test.h"
#include "util/half.h"
#include "util/macros.h"

/* ---- values ---- */

enum { LANES = 4, VERTICES = 3 };

/* Of a vertex at a slot and component, a number that no other has. */
static float
number(unsigned vertex, unsigned slot, unsigned component)
{
   return (float)(100 * slot + 10 * vertex + component);
}

static void
values(void **state)
{
   static uint32_t inputs[LANES][NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4], sysvals[LANES][NIR_INTERP_SYSVALS][4];
   static float weights[LANES][2][3];
   struct spirv_test_module module = spirv_test_load("barycentric.frag.spv");
   const struct spirv_options options = {.stage = NIR_STAGE_FRAGMENT, .features = SPIRV_FEATURE_ALL};
   struct arena arena = {0};
   struct nir_shader *shader = spirv_test_translate(&arena, &module, &options);
   for (unsigned lane = 0; lane < LANES; lane++) {
      unsigned i = MIN2(lane, VERTICES - 1u);
      sysvals[lane][NIR_INTRINSIC_load_frag_coord - NIR_INTRINSIC_load_vertex_id][0] = float_bits((float)i + 0.5f);
      for (unsigned v = 0; v < VERTICES; v++) {
         weights[lane][0][v] = (float)(lane + v);
         weights[lane][1][v] = (float)(lane + v) / 4;
         for (unsigned slot = 0; slot < 8; slot++) {
            for (unsigned c = 0; c < 4; c++)
               inputs[lane][v][NIR_SLOT_VAR0 + slot][c] = float_bits(number(v, slot, c));
         }
         inputs[lane][v][NIR_SLOT_VAR0 + 4][0] = 7000 + v; /* an integer */
         inputs[lane][v][NIR_SLOT_VAR0 + 7][2] = half_from_float((float)v + 0.5f);
      }
   }
   const struct nir_interp_params params = {.num_lanes = LANES,
                                            .subgroup_size = 4,
                                            .vertex_inputs =
                                               (const uint32_t(*)[NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4])inputs,
                                            .barycentric_coords = (const float(*)[2][3])weights,
                                            .sysvals = (const uint32_t(*)[NIR_INTERP_SYSVALS][4])sysvals};
   nir_lower_variables(shader);
   nir_optimize(shader);
   struct nir_interp_result result = nir_interp_run(&arena, shader, &params);
   if (result.error)
      fail_msg("%s", result.error);
   for (unsigned lane = 0; lane < LANES; lane++) {
      unsigned i = MIN2(lane, VERTICES - 1u);
      const float expected[3][4] = {
         {number(i, 0, 2), number(1, 3, 0), number(i, 1, 1), number(2, 6, 0)},
         {(float)(7000 + i), (float)i + 0.5f, (float)(lane + i), (float)(lane + 1) / 4},
         {(float)lane, (float)lane + 1, (float)lane + 2, number(0, 0, 3)},
      };
      for (unsigned slot = 0; slot < 3; slot++) {
         for (unsigned c = 0; c < 4; c++) {
            float got = bits_float(result.outputs[lane][NIR_SLOT_FRAG_DATA0 + slot][c]);
            if (got < expected[slot][c] || got > expected[slot][c])
               fail_msg("lane %u: output %u.%u is %g, not %g", lane, slot, c, (double)got, (double)expected[slot][c]);
         }
      }
   }
   free(module.words);
   arena_free(&arena);
}

/* ---- modules ---- */

#define CAPABILITY "OpCapability FragmentBarycentricKHR\n"
#define PER_VERTEX "OpDecorate %in Location 0\nOpDecorate %in PerVertexKHR\n"
#define LOCATION "OpDecorate %in Location 0\n"
#define BUILT_IN(name) "OpDecorate %in BuiltIn " name "\n"

#define NO_ARRAY "no array of up to 3 vertices"
#define NO_INPUT "no input of a fragment shader"

/* error: a part of it, NULL for good modules. OURS_ALONE: spirv-val 2023 lets it pass. */
enum { OURS_ALONE = 1 };

static const struct {
   const char *name, *capabilities, *model, *storage, *decorations, *type, *error;
   unsigned flags;
} rows[] = {
   {"three vertices", CAPABILITY, "Fragment", "Input", PER_VERTEX, "%three", NULL, 0},
   {"weights", CAPABILITY, "Fragment", "Input", BUILT_IN("BaryCoordKHR"), "%v3", NULL, 0},
   {"linear weights at a centroid", CAPABILITY, "Fragment", "Input",
    BUILT_IN("BaryCoordNoPerspKHR") "OpDecorate %in Centroid\n", "%v3", NULL, 0},
   {"no array", CAPABILITY, "Fragment", "Input", PER_VERTEX, "%v3", NO_ARRAY, 0},
   {"four vertices", CAPABILITY, "Fragment", "Input", PER_VERTEX, "%four", NO_ARRAY, OURS_ALONE},
   {"no capability", "", "Fragment", "Input", PER_VERTEX, "%three", "capability", 0},
   {"weights without capability", "", "Fragment", "Input", BUILT_IN("BaryCoordKHR"), "%v3", "capability", 0},
   {"an output", CAPABILITY, "Fragment", "Output", PER_VERTEX, "%three", NO_INPUT, 0},
   {"a vertex shader's input", CAPABILITY, "Vertex", "Input", PER_VERTEX, "%three", NO_INPUT, 0},
   {"a vertex shader's weights", CAPABILITY, "Vertex", "Input", BUILT_IN("BaryCoordKHR"), "%v3", "BaryCoordKHR", 0},
   {"weights as an output", CAPABILITY, "Fragment", "Output", BUILT_IN("BaryCoordKHR"), "%v3", "no output", 0},
   {"two weights", CAPABILITY, "Fragment", "Input", BUILT_IN("BaryCoordKHR"), "%v2", "BaryCoordKHR of type", 0},
   {"whole weights", CAPABILITY, "Fragment", "Input", BUILT_IN("BaryCoordNoPerspKHR"), "%i3",
    "BaryCoordNoPerspKHR of type", 0},
   {"an array of weights", CAPABILITY, "Fragment", "Input", BUILT_IN("BaryCoordKHR"), "%three",
    "BaryCoordKHR of type", 0},
};

static struct spirv_test_module
assemble(unsigned row)
{
   char text[2000];
   bool fragment = !strcmp(rows[row].model, "Fragment"), output = !strcmp(rows[row].storage, "Output");
   snprintf(
      text, sizeof(text),
      "OpCapability Shader\n%sOpExtension \"SPV_KHR_fragment_shader_barycentric\"\nOpMemoryModel Logical "
      "GLSL450\nOpEntryPoint %s %%main \"main\" %%in\n%s%s%%void = OpTypeVoid\n%%float = OpTypeFloat 32\n"
      "%%int = OpTypeInt 32 1\n%%uint = OpTypeInt 32 0\n%%u3 = OpConstant %%uint 3\n%%u4 = OpConstant %%uint 4\n"
      "%%v2 = OpTypeVector %%float 2\n%%v3 = OpTypeVector %%float 3\n%%i3 = OpTypeVector %%int 3\n"
      "%%three = OpTypeArray %%v3 %%u3\n%%four = OpTypeArray %%v3 %%u4\n%%pointer = OpTypePointer %s %s\n"
      "%%null = OpConstantNull %s\n%%in = OpVariable %%pointer %s\n%%type = OpTypeFunction %%void\n"
      "%%main = OpFunction %%void None %%type\n%%first = OpLabel\n%s\nOpReturn\nOpFunctionEnd\n",
      rows[row].capabilities, rows[row].model, fragment ? "OpExecutionMode %main OriginUpperLeft\n" : "",
      rows[row].decorations, rows[row].storage, rows[row].type, rows[row].type, rows[row].storage,
      output ? "OpStore %in %null" : "");
   if (!output) {
      char load[100];
      snprintf(load, sizeof(load), "%%first = OpLabel\n%%value = OpLoad %s %%in", rows[row].type);
      char *at = strstr(text, "%first = OpLabel\n"), rest[200];
      strcpy(rest, at + strlen("%first = OpLabel\n"));
      snprintf(at, (size_t)(text + sizeof(text) - at), "%s%s", load, rest);
   }
   struct spirv_test_module module = spirv_test_assemble(text);
   if (!module.words)
      fail_msg("%s: does not assemble:\n%s", rows[row].name, text);
   return module;
}

static void
modules(void **state)
{
   unsigned failures = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena arena = {0};
      struct spirv_test_module module = assemble(i);
      struct spirv_options options = {.stage = spirv_find_stage(module.words, module.count),
                                      .features = SPIRV_FEATURE_ALL};
      const char *error = NULL;
      struct nir_shader *shader = spirv_to_nir(&arena, module.words, module.count, &options, &error);
      if (!!shader != !rows[i].error || (error && !strstr(error, rows[i].error)))
         print_message("%s: %s\n", rows[i].name, error ? error : "accepted"), failures++;
      if (spirv_test_is_valid(&module) != (!rows[i].error || rows[i].flags & OURS_ALONE))
         print_message("%s: spirv-val does not agree\n", rows[i].name), failures++;
      /* As a device without the feature has it */
      options.features &= ~(uint64_t)SPIRV_FEATURE_BARYCENTRIC;
      if (spirv_to_nir(&arena, module.words, module.count, &options, &error))
         print_message("%s: accepted without the feature\n", rows[i].name), failures++;
      free(module.words);
      arena_free(&arena);
   }
   assert_int_equal(failures, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(modules)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

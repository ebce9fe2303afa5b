/* Geometry shaders: what they emit, against values computed here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_passes.h"
#include "compiler/nir/nir_text.h"
#include "spirv_test.h"
#include "util/macros.h"

enum { INVOCATIONS = 3, VERTICES = 6, PRIMITIVE = 40 };

/* Small integers, each another one. */
static float
number(unsigned vertex, unsigned slot, unsigned component)
{
   return (float)(1000 * vertex + 10 * slot + component);
}

static void
fill(uint32_t inputs[VERTICES][NIR_SLOT_COUNT][4])
{
   for (unsigned v = 0; v < VERTICES; v++) {
      for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
         for (unsigned c = 0; c < 4; c++)
            inputs[v][slot][c] = float_bits(number(v, slot, c));
      }
      inputs[v][NIR_SLOT_VAR0 + 2][0] = 100 + v;
      inputs[v][NIR_SLOT_VAR0 + 3][0] = 200 + v;
   }
}

static void
check_first(const struct nir_interp_vertex *vertex, unsigned i)
{
   const uint32_t(*out)[4] = vertex->outputs;
   const unsigned distance = i % 5;
   for (unsigned c = 0; c < 4; c++) {
      const float sum =
         number(i, NIR_SLOT_VAR0, c) + number(i, NIR_SLOT_POS, c) + number(5 - i, NIR_SLOT_VAR0 + 6, 0);
      assert_int_equal(out[NIR_SLOT_VAR0][c], float_bits(sum));
   }
   const float size = number(i, NIR_SLOT_PSIZ, 0) + number(i, NIR_SLOT_CLIP_DIST0 + distance / 4, distance % 4);
   assert_int_equal(out[NIR_SLOT_PSIZ][0], float_bits(size));
   assert_int_equal(out[NIR_SLOT_LAYER][0], i);
   assert_int_equal(out[NIR_SLOT_PRIMITIVE_ID][0], PRIMITIVE + 7);
   assert_true(vertex->ends);
}

static void
check_invocation(const struct nir_interp_result *result, unsigned lane)
{
   unsigned count = 0;
   for (uint32_t n = 0; n < result->num_vertices; n++) {
      const struct nir_interp_vertex *vertex = &result->vertices[n];
      if (vertex->lane != lane)
         continue;
      const unsigned i = lane + count / 2 * 2;
      assert_int_equal(vertex->stream, count++ & 1);
      if (vertex->stream == 0) {
         check_first(vertex, i);
         continue;
      }
      assert_int_equal(vertex->outputs[NIR_SLOT_VAR0 + 1][0], (i & 1 ? 200 : 100) + i);
      assert_int_equal(vertex->outputs[NIR_SLOT_VAR0 + 1][1], i);
      assert_false(vertex->ends);
   }
   assert_int_equal(count, 2 * ((VERTICES - lane + 1) / 2));
}

static void
run(bool optimize)
{
   static uint32_t inputs[INVOCATIONS][NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4];
   static uint32_t sysvals[INVOCATIONS][NIR_INTERP_SYSVALS][4];
   struct spirv_test_module module = spirv_test_load("geometry.geom.spv");
   const struct spirv_options options = {.stage = NIR_STAGE_GEOMETRY, .features = SPIRV_FEATURE_ALL};
   struct arena arena = {0};
   struct nir_shader *shader = spirv_test_translate(&arena, &module, &options);
   assert_int_equal(shader->info.gs_input, NIR_PRIMITIVE_TRIANGLES_ADJACENCY);
   assert_int_equal(nir_primitive_vertices((enum nir_primitive)shader->info.gs_input), VERTICES);
   assert_int_equal(shader->info.gs_output, NIR_PRIMITIVE_POINTS);
   assert_int_equal(shader->info.gs_vertices, 8);
   assert_int_equal(shader->info.gs_invocations, INVOCATIONS);
   assert_int_equal(shader->info.gs_streams, 3);
   for (unsigned lane = 0; lane < INVOCATIONS; lane++) {
      fill(inputs[lane]);
      sysvals[lane][NIR_INTRINSIC_load_invocation_id - NIR_INTRINSIC_load_vertex_id][0] = lane;
      sysvals[lane][NIR_INTRINSIC_load_primitive_id - NIR_INTRINSIC_load_vertex_id][0] = PRIMITIVE;
   }
   const struct nir_interp_params params = {.num_lanes = INVOCATIONS,
                                            .subgroup_size = 4,
                                            .vertex_inputs =
                                               (const uint32_t(*)[NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4])inputs,
                                            .sysvals = (const uint32_t(*)[NIR_INTERP_SYSVALS][4])sysvals};
   nir_lower_variables(shader);
   if (optimize)
      nir_optimize(shader);
   assert_null(nir_validate(shader));
   struct nir_interp_result result = nir_interp_run(&arena, shader, &params);
   if (result.error)
      fail_msg("%s", result.error);
   for (unsigned lane = 0; lane < INVOCATIONS; lane++)
      check_invocation(&result, lane);
   arena_free(&arena);
   free(module.words);
}

static void
as_translated(void **state)
{
   run(false);
}

static void
optimized(void **state)
{
   run(true);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(as_translated), cmocka_unit_test(optimized)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

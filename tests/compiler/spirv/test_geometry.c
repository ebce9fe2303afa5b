/* Geometry shaders: what they emit, against values computed here; and a vertex and a geometry shader that are merged
 * against the two of them one after the other. */
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

/* ---- merged ---- */

enum { LANES = 8, PRIMITIVES = 2 }; /* vertices; invocations of the geometry shader are fewer */

struct merged {
   struct arena arena;
   struct nir_shader *vertex, *geometry;
   uint64_t slots; /* that the geometry shader reads */
   uint32_t sysvals[LANES][NIR_INTERP_SYSVALS][4];
   uint32_t primitives[LANES][NIR_INTERP_VERTICES];
};

static struct nir_shader *
lowered(struct merged *m, const char *name, enum nir_stage stage)
{
   struct spirv_test_module module = spirv_test_load(name);
   const struct spirv_options options = {.stage = stage, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *shader = spirv_test_translate(&m->arena, &module, &options);
   nir_gather_info(shader);
   const uint64_t reads = shader->info.inputs_read;
   nir_lower_variables(shader);
   nir_widen_io(shader);
   m->slots = reads;
   free(module.words);
   return shader;
}

static void
set_sysval(struct merged *m, unsigned lane, enum nir_intrinsic_op op, uint32_t value)
{
   m->sysvals[lane][op - NIR_INTRINSIC_load_vertex_id][0] = value;
}

/* The vertices of a primitive are any of the workgroup's. */
static void
prepare(struct merged *m)
{
   m->vertex = lowered(m, "geometry.vert.spv", NIR_STAGE_VERTEX);
   m->geometry = lowered(m, "geometry.geom.spv", NIR_STAGE_GEOMETRY);
   for (unsigned lane = 0; lane < LANES; lane++) {
      set_sysval(m, lane, NIR_INTRINSIC_load_vertex_id, lane);
      set_sysval(m, lane, NIR_INTRINSIC_load_runs_first, 1);
      set_sysval(m, lane, NIR_INTRINSIC_load_runs_second, lane < PRIMITIVES * INVOCATIONS);
      set_sysval(m, lane, NIR_INTRINSIC_load_invocation_id, lane % INVOCATIONS);
      set_sysval(m, lane, NIR_INTRINSIC_load_primitive_id, lane / INVOCATIONS);
      for (unsigned v = 0; v < NIR_INTERP_VERTICES; v++)
         m->primitives[lane][v] = (3 * v + 5 * (lane / INVOCATIONS)) % LANES;
   }
}

static struct nir_interp_result
run_lanes(struct merged *m, struct nir_shader *shader, unsigned lanes, const uint32_t (*outputs)[NIR_SLOT_COUNT][4])
{
   static uint32_t inputs[LANES][NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4];
   for (unsigned lane = 0; outputs && lane < LANES; lane++) {
      for (unsigned v = 0; v < NIR_INTERP_VERTICES; v++)
         memcpy(inputs[lane][v], outputs[m->primitives[lane][v]], sizeof(inputs[lane][v]));
   }
   const struct nir_interp_params params = {
      .num_lanes = lanes,
      .subgroup_size = 4,
      .vertex_inputs = (const uint32_t(*)[NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4])inputs,
      .primitive_vertices = (const uint32_t(*)[NIR_INTERP_VERTICES])m->primitives,
      .sysvals = (const uint32_t(*)[NIR_INTERP_SYSVALS][4])m->sysvals};
   struct nir_interp_result result = nir_interp_run(&m->arena, shader, &params);
   if (result.error)
      fail_msg("%s", result.error);
   return result;
}

static void
merge(struct merged *m)
{
   assert_true(nir_lower_merged_io(m->vertex, m->slots));
   assert_true(nir_lower_merged_io(m->geometry, m->slots));
   m->geometry->info.shared_B = LANES * nir_merged_vertex_B(m->slots);
   assert_true(nir_merge_shaders(m->vertex, m->geometry));
   assert_null(nir_validate(m->geometry));
   nir_optimize(m->geometry);
   assert_null(nir_validate(m->geometry));
}

static void
merged(void **state)
{
   struct merged m = {0};
   prepare(&m);
   struct nir_interp_result vertices = run_lanes(&m, m.vertex, LANES, NULL);
   struct nir_interp_result apart =
      run_lanes(&m, m.geometry, PRIMITIVES * INVOCATIONS, (const uint32_t(*)[NIR_SLOT_COUNT][4])vertices.outputs);
   merge(&m);
   struct nir_interp_result together = run_lanes(&m, m.geometry, LANES, NULL);
   assert_int_equal(apart.num_vertices, PRIMITIVES * 2 * (3 + 3 + 2));
   assert_int_equal(together.num_vertices, apart.num_vertices);
   for (uint32_t i = 0; i < apart.num_vertices; i++)
      assert_memory_equal(&together.vertices[i], &apart.vertices[i], sizeof(apart.vertices[i]));
   arena_free(&m.arena);
}

/* One stage has one mode of floats. */
static void
floats_differ(void **state)
{
   struct merged m = {0};
   prepare(&m);
   m.vertex->info.float_controls ^= NIR_FLOAT_CONTROL(NIR_FLOAT_FLUSH, 32);
   assert_false(nir_merge_shaders(m.vertex, m.geometry));
   assert_null(nir_validate(m.vertex));
   assert_null(nir_validate(m.geometry));
   arena_free(&m.arena);
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
   const struct CMUnitTest tests[] = {cmocka_unit_test(as_translated), cmocka_unit_test(optimized),
                                      cmocka_unit_test(merged), cmocka_unit_test(floats_differ)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

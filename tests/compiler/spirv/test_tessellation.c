/* Tessellation shaders: what a control and an evaluation shader make of three patches, against values computed
 * here; and a vertex shader merged with the control shader, everything in memory, against the three of them one after
 * the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_passes.h"
#include "spirv_test.h"
#include "util/macros.h"

enum { PATCHES = 3, INPUTS = 3, OUTPUTS = 4, POINTS = 12, LANES = PATCHES * POINTS };

struct test {
   struct arena arena;
   struct nir_interp_patch *inputs; /* of the control shader */
   uint32_t sysvals[LANES][NIR_INTERP_SYSVALS][4];
};

/* Small integers, each another one. */
static float
number(unsigned patch, unsigned vertex, unsigned slot, unsigned component)
{
   return (float)(5000 * patch + 500 * vertex + 10 * slot + component);
}

static uint32_t
order_in(unsigned patch, unsigned vertex)
{
   return 70 * patch + 7 * vertex;
}

static unsigned
primitive(unsigned patch)
{
   return patch + 1;
}

static void
set_sysval(struct test *t, unsigned lane, enum nir_intrinsic_op op, unsigned component, uint32_t value)
{
   t->sysvals[lane][op - NIR_INTRINSIC_load_vertex_id][component] = value;
}

static void
set_points(struct test *t)
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      set_sysval(t, lane, NIR_INTRINSIC_load_tess_coord, 0, float_bits((float)(lane % OUTPUTS)));
      set_sysval(t, lane, NIR_INTRINSIC_load_tess_coord, 1, float_bits((float)(lane % 5)));
      set_sysval(t, lane, NIR_INTRINSIC_load_primitive_id, 0, primitive(lane / POINTS));
      set_sysval(t, lane, NIR_INTRINSIC_load_patch_vertices_in, 0, OUTPUTS);
      set_sysval(t, lane, NIR_INTRINSIC_load_patch_in_workgroup, 0, lane / POINTS);
   }
}

static void
fill(struct test *t)
{
   t->inputs = arena_array(&t->arena, struct nir_interp_patch, PATCHES);
   for (unsigned patch = 0; patch < PATCHES; patch++) {
      for (unsigned v = 0; v < INPUTS; v++) {
         for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
            for (unsigned c = 0; c < 4; c++)
               t->inputs[patch].vertices[v][slot][c] = float_bits(number(patch, v, slot, c));
         }
         t->inputs[patch].vertices[v][NIR_SLOT_VAR0 + 1][1] = order_in(patch, v);
      }
   }
}

/* Text that is read back, and maybe optimised, says the same. */
static struct nir_shader *
prepare(struct test *t, const char *name, enum nir_stage stage, bool optimize)
{
   struct spirv_test_module module = spirv_test_load(name);
   const struct spirv_options options = {.stage = stage, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *shader = spirv_test_translate(&t->arena, &module, &options);
   char *text = NULL;
   const char *error = NULL;
   size_t size_B;
   assert_true(spirv_test_is_valid(&module));
   free(module.words);
   nir_gather_info(shader);
   nir_lower_variables(shader);
   if (optimize)
      nir_optimize(shader);
   FILE *file = open_memstream(&text, &size_B);
   nir_print(shader, file);
   fclose(file);
   shader = nir_parse(&t->arena, text, &error);
   if (!shader)
      fail_msg("%s", error);
   assert_null(nir_validate(shader));
   free(text);
   return shader;
}

static struct nir_interp_result
interpret(struct test *t, struct nir_shader *shader, unsigned lanes, const struct nir_interp_patch *patches)
{
   uint32_t patch_of_lane[LANES];
   for (unsigned lane = 0; lane < LANES; lane++)
      patch_of_lane[lane] = lane / POINTS;
   const struct nir_interp_params params = {.num_lanes = lanes,
                                            .subgroup_size = 4,
                                            .patches = patches,
                                            .patch_of_lane = patch_of_lane,
                                            .sysvals = (const uint32_t(*)[NIR_INTERP_SYSVALS][4])t->sysvals};
   struct nir_interp_result result = nir_interp_run(&t->arena, shader, &params);
   if (result.error)
      fail_msg("%s", result.error);
   return result;
}

/* ---- what is expected ---- */

static float
sum(unsigned patch, unsigned i, unsigned component)
{
   const unsigned from = i % INPUTS;
   return number(patch, from, NIR_SLOT_VAR0, component) +
          number(patch, (from + 1) % INPUTS, NIR_SLOT_VAR0, component) +
          number(patch, from, NIR_SLOT_VAR0 + 2 + (i & 1), 0);
}

/* What invocation i stored, and 0 elsewhere. */
static float
distance(unsigned patch, unsigned i, unsigned k)
{
   const unsigned from = 4 - i;
   return k == (i + primitive(patch)) % 5 ? number(patch, i % INPUTS, NIR_SLOT_CLIP_DIST0 + from / 4, from % 4) : 0;
}

static float
row(unsigned patch, unsigned i)
{
   return (float)(100 * primitive(patch) + i);
}

static uint32_t
order(unsigned patch, unsigned i)
{
   return order_in(patch, i % INPUTS) + primitive(patch);
}

static uint32_t
total(unsigned patch)
{
   return order(patch, 0) + order(patch, 1) + order(patch, 2) + order(patch, 3);
}

static float
list(unsigned patch, unsigned i)
{
   const unsigned next = i + 1;
   return sum(patch, next, 0) + row(patch, next) + distance(patch, next, (next + primitive(patch)) % 5);
}

static float
sum_at_end(unsigned patch, unsigned i, unsigned component)
{
   return component == 3 ? (float)total(patch) + list(patch, i % 3) : sum(patch, i, component);
}

static float
pair(unsigned i, unsigned element, unsigned component)
{
   return element == (i & 1) && component == i >> 1 ? (float)(i + 1) : 0;
}

/* ---- comparison ---- */

static void
check_vertex(const uint32_t slots[NIR_SLOT_COUNT][4], unsigned patch, unsigned i)
{
   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(slots[NIR_SLOT_VAR0][c], float_bits(sum_at_end(patch, i, c)));
      assert_int_equal(slots[NIR_SLOT_POS][c], float_bits(2 * number(patch, i % INPUTS, NIR_SLOT_POS, c)));
   }
   assert_int_equal(slots[NIR_SLOT_VAR0 + 1][0], order(patch, i));
   for (unsigned k = 0; k < 5; k++)
      assert_int_equal(slots[NIR_SLOT_CLIP_DIST0 + k / 4][k % 4], float_bits(distance(patch, i, k)));
   for (unsigned k = 0; k < 4; k++)
      assert_int_equal(slots[NIR_SLOT_VAR0 + 7 + k / 2][k % 2], float_bits(pair(i, k / 2, k % 2)));
}

static void
check_patch(const struct nir_interp_patch *result, unsigned patch)
{
   const uint32_t(*whole)[4] = result->whole;
   for (unsigned i = 0; i < OUTPUTS; i++) {
      check_vertex(result->vertices[i], patch, i);
      assert_int_equal(whole[NIR_SLOT_VAR0 + 2][i], float_bits(row(patch, i)));
      assert_int_equal(whole[NIR_SLOT_TESS_LEVEL_OUTER][i], float_bits((float)(i + 1)));
   }
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(whole[NIR_SLOT_TESS_LEVEL_INNER][i], float_bits((float)(i + 8)));
   assert_int_equal(whole[NIR_SLOT_VAR0 + 3][0], total(patch));
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(whole[NIR_SLOT_VAR0 + 4 + i][0], float_bits(list(patch, i)));
}

/* Coordinates of the test are integers: the vertex, and an element. */
static void
check_point(const uint32_t out[NIR_SLOT_COUNT][4], unsigned patch, unsigned v, unsigned k)
{
   const float more[4] = {list(patch, k % 3), (float)(k % 4 + 1), (float)((k & 1) + 8), 0};
   for (unsigned c = 0; c < 4; c++) {
      float value = sum_at_end(patch, v, c) + row(patch, c) * (float)v + more[c];
      if (c < 2)
         value += pair(OUTPUTS - 1, v & 1, c);
      assert_int_equal(out[NIR_SLOT_VAR0][c], float_bits(value));
      assert_int_equal(out[NIR_SLOT_POS][c],
                       float_bits(2 * number(patch, v % INPUTS, NIR_SLOT_POS, c) + distance(patch, v, k)));
   }
   assert_int_equal(out[NIR_SLOT_VAR0 + 1][0], order(patch, v) + total(patch));
   assert_int_equal(out[NIR_SLOT_VAR0 + 1][1], primitive(patch));
}

#define SLOT(name) (UINT64_C(1) << NIR_SLOT_##name)
#define VAR(first, count) (((UINT64_C(1) << (count)) - 1) << (NIR_SLOT_VAR0 + (first)))

static void
check_control_info(const struct nir_shader_info *info)
{
   const uint64_t built_in = SLOT(POS) | SLOT(CLIP_DIST0) | SLOT(CLIP_DIST1);
   assert_int_equal(info->tess_vertices, OUTPUTS);
   assert_int_equal(info->inputs_read, built_in | VAR(0, 4));
   assert_int_equal(info->outputs_written, built_in | VAR(0, 2) | VAR(7, 2));
   assert_int_equal(info->outputs_read, SLOT(CLIP_DIST0) | SLOT(CLIP_DIST1) | VAR(0, 2));
   assert_int_equal(info->patch_outputs_read, VAR(2, 5));
   assert_int_equal(info->patch_outputs_written, SLOT(TESS_LEVEL_OUTER) | SLOT(TESS_LEVEL_INNER) | VAR(2, 5));
}

static void
check_evaluation_info(const struct nir_shader_info *info)
{
   assert_int_equal(info->tess_domain, NIR_TESS_QUADS);
   assert_int_equal(info->tess_spacing, NIR_TESS_FRACTIONAL_ODD);
   assert_int_equal(info->tess_winding, NIR_TESS_CLOCKWISE);
   assert_true(info->tess_points);
   assert_int_equal(info->patch_inputs_read, SLOT(TESS_LEVEL_OUTER) | SLOT(TESS_LEVEL_INNER) | VAR(2, 5));
   assert_int_equal(info->outputs_written, SLOT(POS) | VAR(0, 2));
}

static void
run_both(bool optimize)
{
   struct test t = {0};
   struct nir_shader *control = prepare(&t, "tessellation.tesc.spv", NIR_STAGE_TESS_CTRL, optimize);
   struct nir_shader *evaluation = prepare(&t, "tessellation.tese.spv", NIR_STAGE_TESS_EVAL, optimize);
   check_control_info(&control->info);
   check_evaluation_info(&evaluation->info);
   fill(&t);
   for (unsigned lane = 0; lane < PATCHES * OUTPUTS; lane++) {
      set_sysval(&t, lane, NIR_INTRINSIC_load_invocation_id, 0, lane % OUTPUTS);
      set_sysval(&t, lane, NIR_INTRINSIC_load_primitive_id, 0, primitive(lane / OUTPUTS));
      set_sysval(&t, lane, NIR_INTRINSIC_load_patch_vertices_in, 0, INPUTS);
   }
   struct nir_interp_result patches = interpret(&t, control, PATCHES * OUTPUTS, t.inputs);
   for (unsigned patch = 0; patch < PATCHES; patch++)
      check_patch(&patches.patches[patch], patch);
   set_points(&t);
   struct nir_interp_result points = interpret(&t, evaluation, LANES, patches.patches);
   for (unsigned lane = 0; lane < LANES; lane++)
      check_point(points.outputs[lane], lane / POINTS, lane % OUTPUTS, lane % 5);
   arena_free(&t.arena);
}

/* ---- blocks of patches in an array, values of 64 bits ---- */

static double
double_at(const uint32_t (*slots)[4], unsigned slot, unsigned component)
{
   return bits_double(slots[slot][component] | (uint64_t)slots[slot][component + 1] << 32);
}

static double
wide_value(unsigned i, unsigned component)
{
   const unsigned next = (i + 1) % 3;
   const double own[3] = {i, i + 0.25, -(double)i}, others[3] = {next, next + 0.25, -(double)next};
   return own[component] + (component == i ? next + 0.5 + 10 + next + others[i] : 0);
}

static void
wide(void **state)
{
   struct test t = {0};
   struct nir_shader *shader = prepare(&t, "tessellation_wide.tesc.spv", NIR_STAGE_TESS_CTRL, true);
   for (unsigned lane = 0; lane < 3 * PATCHES; lane++)
      set_sysval(&t, lane, NIR_INTRINSIC_load_invocation_id, 0, lane % 3);
   struct nir_interp_result result = interpret(&t, shader, 3 * PATCHES, NULL);
   for (unsigned i = 0; i < 3 * PATCHES; i++) {
      const struct nir_interp_patch *patch = &result.patches[i / 3];
      const uint32_t(*whole)[4] = patch->whole, (*vertex)[4] = patch->vertices[i % 3];
      const unsigned slot = NIR_SLOT_VAR0 + 2 * (i % 3), last = NIR_SLOT_VAR0 + 6;
      assert_int_equal(whole[slot][0], float_bits((float)(i % 3)));
      assert_int_equal(whole[slot][1], float_bits((float)(i % 3 + 10)));
      assert_true(double_at(whole, slot + 1, 0) == i % 3 + 0.5);
      assert_true(double_at(whole, slot + 1, 2) == 2 * (i % 3));
      for (unsigned c = 0; c < 3; c++)
         assert_true(double_at(vertex, last + c / 2, c % 2 * 2) == wide_value(i % 3, c));
   }
   arena_free(&t.arena);
}

/* ---- merged ---- */

static struct nir_shader *
lowered(struct test *t, const char *name, enum nir_stage stage)
{
   struct spirv_test_module module = spirv_test_load(name);
   const struct spirv_options options = {.stage = stage, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *shader = spirv_test_translate(&t->arena, &module, &options);
   nir_gather_info(shader);
   nir_lower_variables(shader);
   nir_widen_io(shader);
   free(module.words);
   return shader;
}

static struct nir_interp_result
run_lanes(struct test *t, struct nir_shader *shader, unsigned lanes, const struct nir_interp_params *how)
{
   struct nir_interp_params params = *how;
   params.num_lanes = lanes;
   params.subgroup_size = 4;
   params.sysvals = (const uint32_t(*)[NIR_INTERP_SYSVALS][4])t->sysvals;
   struct nir_interp_result result = nir_interp_run(&t->arena, shader, &params);
   if (result.error)
      fail_msg("%s", result.error);
   return result;
}

/* Lanes of the merged stage: vertices of all patches, and invocations of all patches. */
static void
set_lanes(struct test *t, uint32_t vertices[LANES][NIR_INTERP_VERTICES])
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      const unsigned patch = lane / OUTPUTS;
      set_sysval(t, lane, NIR_INTRINSIC_load_vertex_id, 0, lane);
      set_sysval(t, lane, NIR_INTRINSIC_load_runs_first, 0, lane < PATCHES * INPUTS);
      set_sysval(t, lane, NIR_INTRINSIC_load_runs_second, 0, lane < PATCHES * OUTPUTS);
      set_sysval(t, lane, NIR_INTRINSIC_load_invocation_id, 0, lane % OUTPUTS);
      set_sysval(t, lane, NIR_INTRINSIC_load_primitive_id, 0, primitive(patch));
      set_sysval(t, lane, NIR_INTRINSIC_load_patch_vertices_in, 0, INPUTS);
      set_sysval(t, lane, NIR_INTRINSIC_load_patch_in_workgroup, 0, patch);
      set_sysval(t, lane, NIR_INTRINSIC_load_patches_in_workgroup, 0, PATCHES);
      for (unsigned v = 0; v < NIR_INTERP_VERTICES; v++)
         vertices[lane][v] = patch * INPUTS + v;
   }
}

static void
merge(struct nir_shader *vertex, struct nir_shader *control, const struct nir_tess_io *io)
{
   assert_true(nir_lower_merged_io(vertex, io->inputs));
   assert_true(nir_lower_merged_io(control, io->inputs));
   assert_true(nir_lower_tess_control_io(control, io));
   control->info.shared_B = nir_tess_shared_B(io, PATCHES, INPUTS);
   assert_true(nir_merge_shaders(vertex, control));
   assert_null(nir_validate(control));
   nir_optimize(control);
   assert_null(nir_validate(control));
}

static void
merged(void **state)
{
   struct test t = {0};
   uint32_t vertices[LANES][NIR_INTERP_VERTICES], patch_of_lane[LANES];
   struct nir_shader *vertex = lowered(&t, "tessellation.vert.spv", NIR_STAGE_VERTEX);
   struct nir_shader *control = lowered(&t, "tessellation.tesc.spv", NIR_STAGE_TESS_CTRL);
   struct nir_shader *evaluation = lowered(&t, "tessellation.tese.spv", NIR_STAGE_TESS_EVAL);
   const struct nir_tess_io io = nir_link_tessellation(&control->info, &evaluation->info);
   assert_int_equal(control->info.tess_domain, NIR_TESS_QUADS);
   assert_int_equal(control->info.tess_winding, NIR_TESS_CLOCKWISE);

   struct nir_interp_params how = {.patch_of_lane = patch_of_lane,
                                   .primitive_vertices = (const uint32_t(*)[NIR_INTERP_VERTICES])vertices};
   set_lanes(&t, vertices);
   struct nir_interp_result made = run_lanes(&t, vertex, PATCHES * INPUTS, &how);
   struct nir_interp_patch *inputs = arena_array(&t.arena, struct nir_interp_patch, PATCHES);
   for (unsigned v = 0; v < PATCHES * INPUTS; v++)
      memcpy(inputs[v / INPUTS].vertices[v % INPUTS], made.outputs[v], sizeof(made.outputs[v]));
   how.patches = inputs;
   struct nir_interp_result apart = run_lanes(&t, control, PATCHES * OUTPUTS, &how);
   how.patches = apart.patches;
   for (unsigned lane = 0; lane < LANES; lane++)
      patch_of_lane[lane] = lane / POINTS;
   set_points(&t);
   struct nir_interp_result points = run_lanes(&t, evaluation, LANES, &how);

   merge(vertex, control, &io);
   how.patches = NULL;
   how.patch_memory_B = nir_tess_memory_B(&io, PATCHES);
   how.patch_memory = arena_array(&t.arena, uint8_t, how.patch_memory_B);
   set_lanes(&t, vertices);
   struct nir_interp_result together = run_lanes(&t, control, PATCHES * OUTPUTS, &how);
   for (unsigned patch = 0; patch < PATCHES; patch++) {
      assert_memory_equal(together.patches[patch].whole[NIR_SLOT_TESS_LEVEL_OUTER],
                          apart.patches[patch].whole[NIR_SLOT_TESS_LEVEL_OUTER], 16);
      assert_memory_equal(together.patches[patch].whole[NIR_SLOT_TESS_LEVEL_INNER],
                          apart.patches[patch].whole[NIR_SLOT_TESS_LEVEL_INNER], 8);
   }
   assert_true(nir_lower_tess_eval_io(evaluation, &io));
   nir_optimize(evaluation);
   assert_null(nir_validate(evaluation));
   set_points(&t);
   struct nir_interp_result again = run_lanes(&t, evaluation, LANES, &how);
   assert_int_not_equal(points.outputs[1][NIR_SLOT_VAR0][0], points.outputs[LANES - 1][NIR_SLOT_VAR0][0]);
   assert_memory_equal(again.outputs, points.outputs, LANES * sizeof(points.outputs[0]));
   arena_free(&t.arena);
}

static void
as_translated(void **state)
{
   run_both(false);
}

static void
optimized(void **state)
{
   run_both(true);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(as_translated), cmocka_unit_test(optimized),
                                      cmocka_unit_test(wide), cmocka_unit_test(merged)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

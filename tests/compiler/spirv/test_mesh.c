/* Task and mesh shaders from SPIR-V: what a workgroup makes, and the payload between both, in the interpreter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/nir/nir_interp.h"
#include "compiler/nir/nir_passes.h"
#include "spirv_test.h"
#include "util/macros.h"

enum { TASKS = 16, VERTICES = 6, PRIMITIVES = 5, GROUP = 3, GROUPS = 9, DRAW = 5, VAR0 = NIR_SLOT_VAR0 };

/* As the shaders declare it, by the layout of nir: vectors of three have the alignment of four. */
struct payload {
   uint32_t count, draw, unused[2];
   struct {
      uint32_t number, before[3];
      float weight[3];
      uint32_t after;
   } items[TASKS];
};

static uint32_t sysvals[TASKS][NIR_INTERP_SYSVALS][4];

/* Text that is read back says the same. */
static struct nir_shader *
prepare(struct arena *arena, const char *name, enum nir_stage stage, bool optimize)
{
   struct spirv_test_module module = spirv_test_load(name);
   const struct spirv_options options = {.stage = stage, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *shader = spirv_test_translate(arena, &module, &options);
   char *text = NULL;
   const char *error = NULL;
   size_t size_B;
   free(module.words);
   nir_gather_info(shader);
   nir_lower_variables(shader);
   if (optimize)
      nir_optimize(shader);
   FILE *file = open_memstream(&text, &size_B);
   nir_print(shader, file);
   fclose(file);
   shader = nir_parse(arena, text, &error);
   if (!shader)
      fail_msg("%s", error);
   assert_null(nir_validate(shader));
   free(text);
   return shader;
}

static const struct nir_interp_mesh *
interpret(struct arena *arena, struct nir_shader *shader, const struct payload *payload, uint8_t **shared)
{
   const struct nir_interp_params params = {.subgroup_size = 4,
                                            .workgroup_id = {GROUP},
                                            .num_workgroups = {GROUPS, 1, 1},
                                            .payload = (const uint8_t *)payload,
                                            .payload_B = payload ? sizeof(*payload) : 0,
                                            .sysvals = (const uint32_t(*)[NIR_INTERP_SYSVALS][4])sysvals};
   struct nir_interp_result result = nir_interp_run(arena, shader, &params);
   if (result.error)
      fail_msg("%s", result.error);
   *shared = result.shared;
   return result.mesh;
}

static void
expect_payload(const struct payload *payload)
{
   assert_int_equal(payload->count, TASKS * (TASKS - 1) / 2);
   assert_int_equal(payload->draw, DRAW);
   for (uint32_t i = 0; i < TASKS; i++) {
      assert_int_equal(payload->items[i].number, (GROUP + GROUPS) * 100 + i);
      for (uint32_t c = 0; c < 3; c++)
         assert_true(payload->items[i].weight[c] == (c == i % 3 ? (float)i + 0.5f : 0));
   }
}

static void
tasks_fill_a_payload(void **state)
{
   for (unsigned optimize = 0; optimize < 2; optimize++) {
      struct arena arena = {0};
      struct nir_shader *task = prepare(&arena, "mesh.task.spv", NIR_STAGE_TASK, optimize);
      uint8_t *shared;
      const struct nir_interp_mesh *made = interpret(&arena, task, NULL, &shared);
      assert_true(made->launched);
      assert_int_equal(made->workgroups[0], 120);
      assert_int_equal(made->workgroups[1], (GROUP + GROUPS) * 100 + 3);
      assert_int_equal(made->workgroups[2], 1);
      assert_in_range(task->info.payload_B, sizeof(struct payload), sizeof(struct payload) + 15);
      assert_int_equal(task->info.payload_at_B, TASKS * 4);
      expect_payload((const struct payload *)(shared + task->info.payload_at_B));
      arena_free(&arena);
   }
}

static void
expect_vertex(const uint32_t v[NIR_SLOT_COUNT][4], uint32_t i, const struct payload *payload)
{
   for (uint32_t c = 0; c < 4; c++) {
      assert_int_equal(v[NIR_SLOT_POS][c], float_bits(c ? payload->items[i].weight[c - 1] : (float)i));
      assert_int_equal(v[VAR0][c], float_bits(c == i % 4 ? 7 : 0));
   }
   assert_int_equal(v[NIR_SLOT_PSIZ][0], float_bits((float)payload->items[i].number));
   assert_int_equal(v[NIR_SLOT_CLIP_DIST0][i % 2], float_bits((float)i));
   assert_int_equal(v[NIR_SLOT_CLIP_DIST0][1 - i % 2], 0);
   for (uint32_t c = 0; c < 2; c++) {
      assert_int_equal(v[VAR0 + 1 + i % 2][c], float_bits((float)((1 + c) * i)));
      assert_int_equal(v[VAR0 + 2 - i % 2][c], 0);
   }
   assert_int_equal(v[VAR0 + 3][0], 3 * i);
}

static void
expect_primitive(const uint32_t p[NIR_SLOT_COUNT][4], uint32_t i, const struct payload *payload)
{
   const uint32_t corners[3] = {i, i + 1, 5 - i}, whole[3] = {i, payload->count, payload->draw};
   for (uint32_t c = 0; c < 3; c++) {
      assert_int_equal(p[NIR_SLOT_PRIMITIVE_INDICES][c], corners[c]);
      assert_int_equal(p[VAR0 + 4][c], whole[c]);
   }
   assert_int_equal(p[NIR_SLOT_PRIMITIVE_ID][0], i + 10);
   assert_int_equal(p[NIR_SLOT_LAYER][0], i + 20);
   assert_int_equal(p[NIR_SLOT_VIEWPORT][0], i + 30);
   assert_int_equal(p[NIR_SLOT_CULL_PRIMITIVE][0], i % 2);
   assert_int_equal(p[VAR0 + 5][0], float_bits((float)i * 0.5f));
   for (uint32_t c = 0; c < 4; c++) {
      assert_int_equal(p[VAR0 + 7 - i % 2][c], float_bits((float)i));
      assert_int_equal(p[VAR0 + 6 + i % 2][c], 0);
   }
}

static void
meshes_make_outputs(void **state)
{
   struct payload payload = {.count = 17, .draw = 18};
   for (uint32_t i = 0; i < TASKS; i++) {
      payload.items[i].number = 1000 + i;
      for (uint32_t c = 0; c < 3; c++)
         payload.items[i].weight[c] = (float)(10 * i + c) + 0.25f;
   }
   for (unsigned optimize = 0; optimize < 2; optimize++) {
      struct arena arena = {0};
      uint8_t *shared;
      struct nir_shader *mesh = prepare(&arena, "mesh.mesh.spv", NIR_STAGE_MESH, optimize);
      nir_gather_info(mesh);
      const struct nir_interp_mesh *made = interpret(&arena, mesh, &payload, &shared);
      assert_int_equal(mesh->info.mesh_output, NIR_PRIMITIVE_TRIANGLES);
      assert_int_equal(mesh->info.mesh_vertices, VERTICES);
      assert_int_equal(mesh->info.mesh_primitives, PRIMITIVES);
      assert_int_equal(mesh->info.clip_distances, 2);
      assert_int_equal(made->num_vertices, VERTICES);
      assert_int_equal(made->num_primitives, PRIMITIVES);
      for (uint32_t i = 0; i < VERTICES; i++)
         expect_vertex(made->vertices[i], i, &payload);
      for (uint32_t i = 0; i < PRIMITIVES; i++)
         expect_primitive(made->primitives[i], i, &payload);
      arena_free(&arena);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(tasks_fill_a_payload), cmocka_unit_test(meshes_make_outputs)};
   for (uint32_t lane = 0; lane < TASKS; lane++)
      sysvals[lane][NIR_INTRINSIC_load_draw_id - NIR_INTRINSIC_load_vertex_id][0] = DRAW;
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The internal programs go through the real compiler, with its checks on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/nir/nir.h"
#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/shader/si_stage.h"

static void
test_internal_programs(void **state)
{
   struct pipe_screen *screen = fake_screen_create();
   const struct si_meta *meta;

   assert_non_null(screen);
   meta = si_screen(screen)->meta;
   for (unsigned i = 0; i < SI_META_COMPUTE_COUNT; i++) {
      const struct si_program *program = si_program(meta->compute[i]);

      assert_non_null(program);
      assert_int_equal(program->stages[ACO_HW_CS].stats.spilled_vgprs, 0);
      assert_int_equal(program->stages[ACO_HW_CS].stats.scratch_B, 0);
      assert_true(program->stages[ACO_HW_CS].stats.instructions > 10);
   }
   for (unsigned i = 0; i < SI_META_CLEAR_COUNT; i++) {
      assert_non_null(meta->clear[i]);
      assert_true((meta->clear_any[i] != NULL) == (i != SI_META_CLEAR_DEPTH));
   }
   screen->destroy(screen);
   assert_int_equal(fake_num_bos, 0);
}

static bool
is_tessellation(enum nir_stage stage)
{
   return stage == NIR_STAGE_TESS_CTRL || stage == NIR_STAGE_TESS_EVAL;
}

static bool
is_mesh(enum nir_stage stage)
{
   return stage == NIR_STAGE_TASK || stage == NIR_STAGE_MESH;
}

static struct nir_shader *
empty_shader(struct arena *arena, enum nir_stage stage)
{
   struct nir_shader *shader = nir_shader_create(arena, stage);

   if (stage == NIR_STAGE_GEOMETRY) {
      shader->info.gs_input = NIR_PRIMITIVE_TRIANGLES;
      shader->info.gs_output = NIR_PRIMITIVE_POINTS;
      shader->info.gs_vertices = shader->info.gs_invocations = 1;
   } else if (is_mesh(stage)) {
      shader->info.workgroup_size[0] = shader->info.workgroup_size[1] = shader->info.workgroup_size[2] = 1;
      if (stage == NIR_STAGE_MESH) {
         shader->info.mesh_output = NIR_PRIMITIVE_TRIANGLES;
         shader->info.mesh_vertices = 3;
         shader->info.mesh_primitives = 1;
      }
   } else if (is_tessellation(stage)) {
      shader->info.tess_vertices = 3;
      shader->info.tess_domain = NIR_TESS_TRIANGLES;
      shader->info.tess_spacing = NIR_TESS_EQUAL;
      shader->info.tess_winding = NIR_TESS_COUNTERCLOCKWISE;
   }
   return shader;
}

/* What the device says of its stages is what becomes of an empty shader in a program, and of one compiled by itself
 * unless its stage is merged with others. */
static void
test_stages(void **state)
{
   struct pipe_screen *screen = fake_screen_create();
   const struct pipe_pipeline_layout layout = {0};
   const struct pipe_graphics_state gfx = {.topology = PIPE_TRIANGLE_LIST, .samples = 1};
   const struct pipe_graphics_options graphics = {.layout = &layout, .state = &gfx};

   assert_non_null(screen);
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      struct arena arena = {0};
      struct nir_shader *shaders[NIR_STAGES] = {[NIR_STAGE_VERTEX] = nir_shader_create(&arena, NIR_STAGE_VERTEX)};
      struct nir_shader *empty = empty_shader(&arena, stage);
      const struct aco_stage hw = si_stage(si_screen(screen), empty);
      struct si_shader_options options = si_shader_options(si_screen(screen), empty, NULL);
      bool has = screen->caps.shader_stages >> stage & 1;
      struct pipe_program *program;
      struct aco_output out;
      const char *error;

      if (stage != NIR_STAGE_GEOMETRY && !is_tessellation(stage) && !is_mesh(stage)) {
         assert_int_equal(si_shader_try_compile(&arena, &hw, &options, &out, &error), has);
         assert_true(has || (strstr(error, nir_stage_names[stage]) && strstr(error, "not supported")));
      }
      for (unsigned s = 0; s < NIR_STAGES; s++) {
         if (s == stage || (is_tessellation(s) && is_tessellation(stage)) || (s == NIR_STAGE_MESH && is_mesh(stage)))
            shaders[s] = empty_shader(&arena, s);
      }
      if (is_mesh(stage))
         shaders[NIR_STAGE_VERTEX] = NULL;
      assert_int_equal(screen->graphics_program_create(screen, shaders, &graphics, &program),
                       has ? PIPE_OK : PIPE_INVALID_SHADER);
      if (has)
         screen->program_destroy(screen, program);
      arena_free(&arena);
   }
   screen->destroy(screen);
   assert_int_equal(fake_num_bos, 0);
}

/* Merged stages have a place in the list, and the compiler says that it does not merge these. */
static void
test_merged_stage(void **state)
{
   struct pipe_screen *screen = fake_screen_create();
   struct arena arena = {0};
   struct nir_shader *vertex = nir_shader_create(&arena, NIR_STAGE_VERTEX);
   struct aco_stage hw = si_stage(si_screen(screen), vertex);
   struct si_shader_options options = si_shader_options(si_screen(screen), vertex, NULL);
   struct aco_output out;
   const char *error;

   hw.hw = ACO_HW_GS;
   hw.num_shaders = 2;
   hw.shaders[1] = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   assert_false(si_shader_try_compile(&arena, &hw, &options, &out, &error));
   assert_string_equal(error, "vertex and compute shaders are not merged");
   arena_free(&arena);
   screen->destroy(screen);
   assert_int_equal(fake_num_bos, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_internal_programs), cmocka_unit_test(test_stages),
                                      cmocka_unit_test(test_merged_stage)};

   setenv("INDIUM_DEBUG", "validate", 1);
   return cmocka_run_group_tests(tests, NULL, NULL);
}

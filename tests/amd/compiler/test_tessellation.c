/* Tessellation on modelled waves: a vertex and a control shader merged in one hardware stage, then the evaluation
 * shader as VS and as GS, against the nir interpreter. The modules are those of compiler/spirv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aco_random.h"
#include "amd/compiler/aco_target.h"
#include "amd/hw/chips.h"
#include "amd/sim/wave/wave.h"
#include "compiler/nir/nir_interp.h"
#include "compiler/nir/nir_passes.h"
#include "sim/waves/pool.h"
#include "spirv_test.h"
#include "util/macros.h"

/* More vertices than invocations: the last wave has vertices alone. */
enum { PATCHES = 16, INPUTS = 6, OUTPUTS = 4, LANES = PATCHES * INPUTS, POINTS = 4, FACTORS = 6, USER_SGPRS = 4 };
enum { CODE_VA = 0x100000, TABLE_VA = 0x200000, MEMORY_VA = 0x300000, FACTORS_VA = 0x400000, PAGES_B = 0x10000 };
enum { MEMORY_BEGIN_B = 4096, FACTORS_BEGIN_B = 128, RING_BEGIN_B = 4096, MERGED_SGPRS = 8 };

struct scene {
   struct arena arena;
   struct nir_tess_io io;
   uint32_t sysvals[LANES][NIR_INTERP_SYSVALS][4];
   uint32_t vertices[LANES][NIR_INTERP_VERTICES];
   uint8_t *memory; /* of patches, by the interpreter */
   struct nir_interp_patch *patches;
   uint8_t *pages[4]; /* code, table, memory, factors */
   struct sim_vm *vm;
   unsigned wave_size;
   float exported[LANES][2][4]; /* position and the first parameter */
};

static struct nir_shader *
lowered(struct scene *s, const char *name, enum nir_stage stage)
{
   struct spirv_test_module module = spirv_test_load(name);
   const struct spirv_options options = {.stage = stage, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *shader = spirv_test_translate(&s->arena, &module, &options);
   nir_gather_info(shader);
   nir_lower_variables(shader);
   nir_widen_io(shader);
   free(module.words);
   return shader;
}

/* Both shaders of the control stage, ready to be merged, and the evaluation shader. */
static void
load(struct scene *s, struct nir_shader *control[2], struct nir_shader **evaluation)
{
   control[0] = lowered(s, "tessellation.vert.spv", NIR_STAGE_VERTEX);
   control[1] = lowered(s, "tessellation.tesc.spv", NIR_STAGE_TESS_CTRL);
   *evaluation = lowered(s, "tessellation.tese.spv", NIR_STAGE_TESS_EVAL);
   s->io = nir_link_tessellation(&control[1]->info, &(*evaluation)->info);
   nir_lower_merged_io(control[0], s->io.inputs);
   nir_lower_merged_io(control[1], s->io.inputs);
   nir_lower_tess_control_io(control[1], &s->io);
   control[1]->info.shared_B = nir_tess_shared_B(&s->io, PATCHES, INPUTS);
   nir_lower_tess_eval_io(*evaluation, &s->io);
}

/* ---- the interpreter ---- */

static void
set(struct scene *s, unsigned lane, enum nir_intrinsic_op op, uint32_t value)
{
   s->sysvals[lane][op - NIR_INTRINSIC_load_vertex_id][0] = value;
}

static struct nir_interp_result
interpret(struct scene *s, struct nir_shader *shader, unsigned lanes, uint8_t *memory)
{
   const struct nir_interp_params params = {
      .num_lanes = lanes,
      .subgroup_size = 32,
      .patch_memory = memory,
      .patch_memory_B = nir_tess_memory_B(&s->io, PATCHES),
      .primitive_vertices = (const uint32_t(*)[NIR_INTERP_VERTICES])s->vertices,
      .sysvals = (const uint32_t(*)[NIR_INTERP_SYSVALS][4])s->sysvals,
   };
   struct nir_interp_result result = nir_interp_run(&s->arena, shader, &params);
   if (result.error)
      fail_msg("%s", result.error);
   return result;
}

static uint32_t
primitive(unsigned patch)
{
   return patch + 3;
}

static void
interpret_control(struct scene *s)
{
   struct nir_shader *control[2], *evaluation;
   load(s, control, &evaluation);
   assert_true(nir_merge_shaders(control[0], control[1]));
   for (unsigned lane = 0; lane < LANES; lane++) {
      const unsigned patch = lane / OUTPUTS;
      set(s, lane, NIR_INTRINSIC_load_vertex_id, lane);
      set(s, lane, NIR_INTRINSIC_load_runs_first, 1);
      set(s, lane, NIR_INTRINSIC_load_runs_second, lane < PATCHES * OUTPUTS);
      set(s, lane, NIR_INTRINSIC_load_invocation_id, lane % OUTPUTS);
      set(s, lane, NIR_INTRINSIC_load_primitive_id, primitive(patch));
      set(s, lane, NIR_INTRINSIC_load_patch_vertices_in, INPUTS);
      set(s, lane, NIR_INTRINSIC_load_patch_in_workgroup, patch);
      set(s, lane, NIR_INTRINSIC_load_patches_in_workgroup, PATCHES);
      for (unsigned v = 0; v < NIR_INTERP_VERTICES; v++)
         s->vertices[lane][v] = patch * INPUTS + v;
   }
   s->memory = arena_array(&s->arena, uint8_t, nir_tess_memory_B(&s->io, PATCHES));
   s->patches = interpret(s, control[1], LANES, s->memory).patches;
}

/* Integers, as the shader wants them. */
static float
coordinate(unsigned lane, unsigned axis)
{
   return (float)(axis ? lane % 5 : lane % POINTS);
}

static struct nir_interp_result
interpret_evaluation(struct scene *s, uint8_t *memory)
{
   struct nir_shader *control[2], *evaluation;
   load(s, control, &evaluation);
   for (unsigned lane = 0; lane < PATCHES * POINTS; lane++) {
      uint32_t *coord = s->sysvals[lane][NIR_INTRINSIC_load_tess_coord - NIR_INTRINSIC_load_vertex_id];
      coord[0] = float_bits(coordinate(lane, 0));
      coord[1] = float_bits(coordinate(lane, 1));
      set(s, lane, NIR_INTRINSIC_load_primitive_id, primitive(lane / POINTS));
      set(s, lane, NIR_INTRINSIC_load_patch_in_workgroup, lane / POINTS);
   }
   return interpret(s, evaluation, PATCHES * POINTS, memory);
}

/* ---- waves ---- */

static void
describe(uint32_t *words, uint32_t va)
{
   words[0] = va;
   words[1] = 0;
   words[2] = PAGES_B;
   words[3] = 4 | 5 << 3 | 6 << 6 | 7 << 9; /* xyzw, 32_FLOAT, raw bounds */
   words[3] |= aco_test_chip()->gen == AMD_GFX9 ? 7u << 12 | 4u << 15 : 22u << 12 | 1u << 24 | 3u << 28;
}

static void
map(struct scene *s, const struct aco_output *program)
{
   static const uint32_t places[] = {CODE_VA, TABLE_VA, MEMORY_VA, FACTORS_VA};
   s->vm = sim_vm_create();
   for (unsigned i = 0; i < ARRAY_SIZE(places); i++) {
      if (!s->pages[i])
         s->pages[i] = memset(aligned_alloc(4096, PAGES_B), 0, PAGES_B);
      assert_true(sim_vm_map(s->vm, sim_va(places[i]), PAGES_B, s->pages[i], SIM_READ | SIM_WRITE | SIM_EXECUTE));
   }
   assert_true(program->code_dw * 4 <= PAGES_B);
   memcpy(s->pages[0], program->code, program->code_dw * 4);
   describe((uint32_t *)s->pages[1], MEMORY_VA);
   describe((uint32_t *)s->pages[1] + 4, FACTORS_VA);
}

static unsigned
in_wave(const struct scene *s, unsigned threads, unsigned wave)
{
   const unsigned before = wave * s->wave_size;
   return threads > before ? MIN2(threads - before, s->wave_size) : 0;
}

static void
start_control(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *start)
{
   const struct scene *s = user;
   const unsigned vertices = in_wave(s, PATCHES * INPUTS, wave), threads = in_wave(s, PATCHES * OUTPUTS, wave);
   const unsigned first = wave * s->wave_size, at = aco_test_chip()->low_ls_vgprs && !threads ? 0 : 2;
   start->exec = 1;
   start->sgpr_count = MERGED_SGPRS + USER_SGPRS;
   start->sgpr[2] = MEMORY_BEGIN_B;
   start->sgpr[3] = vertices | threads << 8;
   start->sgpr[4] = FACTORS_BEGIN_B;
   start->sgpr[5] = 0xabcd00 | wave; /* above three bits anything */
   start->sgpr[MERGED_SGPRS] = TABLE_VA;
   start->sgpr[MERGED_SGPRS + 1] = PATCHES | INPUTS << 8;
   start->vgpr_count = 6;
   for (unsigned i = 0; i < threads; i++) {
      start->vgpr[0][i] = primitive((first + i) / OUTPUTS);
      start->vgpr[1][i] = (first + i) / OUTPUTS | (first + i) % OUTPUTS << 8;
   }
   for (unsigned i = 0; i < vertices; i++) {
      start->vgpr[at][i] = first + i;
      start->vgpr[at + 1][i] = first + i;
   }
}

/* Points of the wave, in VGPRs from `at` on; returns how many. */
static unsigned
set_points(const struct scene *s, unsigned wave, unsigned at, struct amd_wave_start *start)
{
   const unsigned threads = in_wave(s, PATCHES * POINTS, wave), first = wave * s->wave_size;
   start->vgpr_count = at + 4;
   for (unsigned i = 0; i < threads; i++) {
      start->vgpr[at][i] = float_bits(coordinate(first + i, 0));
      start->vgpr[at + 1][i] = float_bits(coordinate(first + i, 1));
      start->vgpr[at + 2][i] = (first + i) / POINTS;
      start->vgpr[at + 3][i] = primitive((first + i) / POINTS);
   }
   return threads;
}

static void
start_vs(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *start)
{
   start->exec = bit_mask(set_points(user, group, 0, start));
   start->sgpr_count = USER_SGPRS + 2;
   start->sgpr[0] = TABLE_VA;
   start->sgpr[1] = PATCHES | OUTPUTS << 8;
   start->sgpr[USER_SGPRS] = 0xabcdef; /* of stream output */
   start->sgpr[USER_SGPRS + 1] = MEMORY_BEGIN_B;
}

/* One wave a subgroup, as many primitives as vertices. */
static void
start_gs(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *start)
{
   const unsigned threads = set_points(user, group, 5, start);
   start->exec = 1;
   start->sgpr_count = MERGED_SGPRS + USER_SGPRS;
   start->sgpr[2] = threads << 12 | threads << 22;
   start->sgpr[3] = threads | threads << 8 | 1u << 28;
   start->sgpr[4] = MEMORY_BEGIN_B;
   start->sgpr[5] = 0; /* in the ring of parameters */
   start->sgpr[MERGED_SGPRS] = TABLE_VA;
   start->sgpr[MERGED_SGPRS + 1] = PATCHES | OUTPUTS << 8;
   start->sgpr[MERGED_SGPRS + 2] = FACTORS_VA + RING_BEGIN_B; /* of parameters */
}

static void
retire_evaluation(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   enum { TARGET_POS = 12, TARGET_PARAM = 32 };
   struct scene *s = user;
   for (uint32_t e = 0; e < result->count; e++) {
      const struct amd_wave_export *export = &result->exports[e];
      const int which = export->target == TARGET_POS ? 0 : export->target == TARGET_PARAM ? 1 : -1;
      for (unsigned lane = 0; lane < s->wave_size && which >= 0; lane++) {
         for (unsigned c = 0; c < 4 && export->exec >> lane & 1; c++)
            memcpy(&s->exported[group * s->wave_size + lane][which][c], &export->value[c][lane], 4);
      }
   }
}

static void
compile(struct scene *s, struct aco_stage *stage, struct aco_output *program)
{
   struct aco_options options = aco_test_options(s->wave_size);
   const char *error = NULL;
   options.hs.low_vgprs = aco_test_chip()->low_ls_vgprs;
   stage->args = aco_no_args();
   stage->args.num_user_sgprs = USER_SGPRS;
   stage->args.tess_rings = 0;
   stage->args.tess_layout = 1;
   stage->args.attribute_ring = 2;
   for (unsigned i = 0; i < stage->num_shaders; i++)
      nir_optimize(stage->shaders[i]);
   if (!aco_compile(&s->arena, stage, &options, program, &error))
      fail_msg("%s", error);
   map(s, program);
}

static void
run_waves(struct scene *s, const struct aco_output *program, struct amd_wave_launch *launch)
{
   struct sim_pool *pool = sim_pool_create(1);
   struct amd_wave_engine *engine = amd_wave_engine_create(pool);
   struct sim_fault fault = {0};
   launch->name = "tessellation";
   launch->vm = s->vm;
   launch->chip = aco_test_chip();
   launch->program = sim_va(CODE_VA);
   launch->wave_size = (uint8_t)s->wave_size;
   launch->float_mode = program->float_mode;
   launch->dx10_clamp = true;
   launch->vgpr_count = (uint16_t)align_up(program->num_vgprs, 8);
   launch->lds_size_B = program->lds_B;
   launch->user = s;
   if (!amd_wave_run(engine, launch, &fault))
      fail_msg("%s", fault.message);
   amd_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   sim_vm_destroy(s->vm);
}

static void
run_control(struct scene *s)
{
   struct nir_shader *control[2], *evaluation;
   struct aco_output program;
   load(s, control, &evaluation);
   struct aco_stage stage = {.hw = ACO_HW_HS, .num_shaders = 2, .shaders = {control[0], control[1]}};
   compile(s, &stage, &program);
   const unsigned waves = (unsigned)div_round_up(LANES, s->wave_size);
   run_waves(s, &program,
             &(struct amd_wave_launch){
                .stage = AMD_STAGE_HS, .waves_per_group = waves, .group_count = 1, .start = start_control});
}

static void
run_evaluation(struct scene *s, enum aco_hw_stage hw)
{
   struct nir_shader *control[2], *evaluation;
   struct aco_output program;
   load(s, control, &evaluation);
   struct aco_stage stage = {.hw = hw, .num_shaders = 1, .shaders = {evaluation}};
   memset(s->exported, 0, sizeof(s->exported));
   compile(s, &stage, &program);
   assert_int_equal(program.vs.vgpr_comp_cnt, 3); /* the primitive's id */
   run_waves(s, &program,
             &(struct amd_wave_launch){.stage = hw == ACO_HW_VS ? AMD_STAGE_VS : AMD_STAGE_GS,
                                       .waves_per_group = 1,
                                       .group_count = (uint32_t)div_round_up(PATCHES * POINTS, s->wave_size),
                                       .start = hw == ACO_HW_VS ? start_vs : start_gs,
                                       .retire = retire_evaluation});
}

/* ---- comparison ---- */

static void
check_factors(const struct scene *s)
{
   const uint32_t *factors = (const uint32_t *)(s->pages[3] + FACTORS_BEGIN_B);
   for (unsigned i = 0; i < PATCHES * FACTORS; i++) {
      const uint32_t(*whole)[4] = s->patches[i / FACTORS].whole;
      const unsigned k = i % FACTORS;
      assert_int_equal(factors[i],
                       k < 4 ? whole[NIR_SLOT_TESS_LEVEL_OUTER][k] : whole[NIR_SLOT_TESS_LEVEL_INNER][k - 4]);
   }
}

/* On GFX11 parameters are not exported. */
static void
check_evaluation(struct scene *s, enum aco_hw_stage hw, const struct nir_interp_result *expected)
{
   run_evaluation(s, hw);
   for (unsigned lane = 0; lane < PATCHES * POINTS; lane++) {
      assert_memory_equal(s->exported[lane][0], expected->outputs[lane][NIR_SLOT_POS], 16);
      if (!aco_target(aco_test_chip()->gen)->ngg_only)
         assert_memory_equal(s->exported[lane][1], expected->outputs[lane][NIR_SLOT_VAR0], 16);
   }
}

static void
check_wave_size(unsigned wave_size)
{
   struct scene s = {.wave_size = wave_size};
   interpret_control(&s);
   run_control(&s);
   check_factors(&s);
   /* What nobody wrote is anything: the evaluation shader does not look at it. */
   struct nir_interp_result expected = interpret_evaluation(&s, s.memory);
   struct nir_interp_result result = interpret_evaluation(&s, s.pages[2] + MEMORY_BEGIN_B);
   assert_int_not_equal(expected.outputs[1][NIR_SLOT_VAR0][0], expected.outputs[PATCHES][NIR_SLOT_VAR0][0]);
   assert_memory_equal(result.outputs, expected.outputs, PATCHES * POINTS * sizeof(expected.outputs[0]));
   if (!aco_target(aco_test_chip()->gen)->ngg_only)
      check_evaluation(&s, ACO_HW_VS, &expected);
   if (aco_target(aco_test_chip()->gen)->has_ngg)
      check_evaluation(&s, ACO_HW_GS, &expected);
   for (unsigned i = 0; i < ARRAY_SIZE(s.pages); i++)
      free(s.pages[i]);
   arena_free(&s.arena);
}

static void
wave64(void **state)
{
   check_wave_size(64);
}

static void
wave32(void **state)
{
   if (!aco_target(aco_test_chip()->gen)->has_wave32)
      skip();
   check_wave_size(32);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(wave64), cmocka_unit_test(wave32)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

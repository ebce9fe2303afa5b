/* The pipeline of the compiler: a list of phases with checks between them. */
#include "amd/compiler/aco_ir.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_constant_data.h"
#include "compiler/nir/nir_passes.h"
#include "compiler/backend/pipeline.h"
#include "util/hash.h"

struct phase {
   struct backend_phase base;
   void (*run)(struct aco_program *program); /* NULL: selection */
   const char *(*check)(struct aco_program *program);
};

/* A text names one of these, and continues after it. */
static const struct phase phases[] = {
   {{"selection", false}, NULL, aco_validate},
   {{"dead_code", false}, aco_dead_code, aco_validate},
   {{"optimise", true}, aco_optimise, aco_validate},
   {{"schedule", true}, aco_schedule, aco_validate},
   {{"spill", false}, aco_spill, aco_validate},
   {{"register_allocation", false}, aco_register_allocation, aco_check_ra},
   {{"lower_copies", false}, aco_lower_copies, aco_check_lowered},
   {{"preserve_lanes", false}, aco_preserve_lanes, aco_check_lowered},
   {{"waits", false}, aco_insert_waits, aco_check_lowered},
   {{"clauses", true}, aco_insert_clauses, aco_check_lowered},
   {{"pairs", true}, aco_pair, aco_check_lowered},
   {{"hazards", false}, aco_avoid_hazards, aco_check_lowered},
   {{"delays", true}, aco_insert_delays, aco_check_lowered},
};

static const char *
run_phase(void *program, const void *row)
{
   ((const struct phase *)row)->run(program);
   return ((struct aco_program *)program)->error;
}

static const char *
check(void *program, const void *row)
{
   return ((const struct phase *)row)->check(program);
}

static void
print(void *program, const char *phase, FILE *file)
{
   aco_print(program, phase, file);
}

static const struct backend_pipeline pipeline = {phases, sizeof(phases[0]), ARRAY_SIZE(phases), run_phase, check,
                                                 print};

static unsigned
find_phase(const char *name)
{
   return backend_find_phase(&pipeline, name, strlen(name));
}

bool
aco_has_phases(const char *list)
{
   return backend_has_phases(&pipeline, list);
}

/* Blocks that a later one leads back to. */
static uint32_t
count_loops(const struct aco_program *program)
{
   uint32_t count = 0;
   for (unsigned b = 0; b < program->num_blocks; b++) {
      const struct aco_edges *preds = &program->blocks[b]->linear_preds;
      bool header = false;
      for (unsigned i = 0; i < preds->count; i++)
         header |= preds->at[i]->index >= program->blocks[b]->index;
      count += header;
   }
   return count;
}

static void
fill_output(struct aco_program *program)
{
   struct aco_output *out = program->out;
   out->num_vgprs = MAX2(program->used_vgprs, 1);
   if (program->target->simd_sgprs)
      out->num_sgprs = program->used_sgprs + program->target->special_sgprs;
   out->lds_B = program->lds_B;
   out->scratch_B = program->scratch_B;
   out->float_mode = program->options->float_mode;
   out->wave_size = program->wave_size;
   out->stats.code_B = out->exec_dw * 4;
   out->stats.loops = count_loops(program);
   out->stats.hash = hash_bytes(out->code, out->exec_dw * 4);
   out->stats.sgprs = program->used_sgprs;
   out->stats.vgprs = program->used_vgprs;
   out->stats.spilled_sgprs = program->spill_s_slots;
   out->stats.spilled_vgprs = program->spill_v_slots;
   out->stats.waves = aco_waves(program->target, program->wave_size, program->used_vgprs, program->used_sgprs);
}

/* The phases after one that left the program, and the checks of that one too. */
static const char *
run_phases(struct aco_program *program, unsigned done)
{
   const struct backend_options options = {.validate = program->options->validate,
                                           .no_optimise = program->options->no_optimise,
                                           .print_ir = program->options->print_ir,
                                           .ir = &program->out->ir};
   void *const programs[] = {program};
   const char *error = backend_run(&pipeline, &options, program->arena, programs, 1, done);
   if (error)
      return error;
   aco_emit(program);
   if (!program->error)
      fill_output(program);
   return program->error;
}

/* Pairs that the hardware runs in the same waves. */
static bool
is_merged(const struct aco_stage *stage)
{
   static const struct {
      enum aco_hw_stage hw;
      enum nir_stage first, second;
   } pairs[] = {{ACO_HW_HS, NIR_STAGE_VERTEX, NIR_STAGE_TESS_CTRL},
                {ACO_HW_GS, NIR_STAGE_VERTEX, NIR_STAGE_GEOMETRY},
                {ACO_HW_GS, NIR_STAGE_TESS_EVAL, NIR_STAGE_GEOMETRY}};
   for (unsigned i = 0; i < ARRAY_SIZE(pairs) && stage->num_shaders == 2; i++) {
      if (pairs[i].hw == stage->hw && pairs[i].first == stage->shaders[0]->stage &&
          pairs[i].second == stage->shaders[1]->stage)
         return true;
   }
   return false;
}

static bool
is_tessellation(const struct nir_shader *nir)
{
   return nir->stage == NIR_STAGE_TESS_CTRL || nir->stage == NIR_STAGE_TESS_EVAL;
}

/* A driver that passes none has no tessellation. */
static bool
has_rings(const struct aco_stage *stage)
{
   return !is_tessellation(stage->shaders[stage->num_shaders - 1]) ||
          (stage->args.tess_rings != ACO_NO_REG && stage->args.tess_layout != ACO_NO_REG);
}

static bool
has_domain(const struct aco_stage *stage)
{
   const struct nir_shader *nir = stage->shaders[stage->num_shaders - 1];
   return !is_tessellation(nir) || nir->info.tess_domain != NIR_TESS_DOMAIN_NONE;
}

static bool
exports_emitted(const struct aco_stage *stage)
{
   return stage->merged && stage->num_shaders == 1 && stage->hw == ACO_HW_GS &&
          stage->shaders[0]->stage == NIR_STAGE_GEOMETRY;
}

/* Refuses what the generation or the compiler does not have. */
static void
check_stage(struct aco_program *program, const struct aco_stage *stage)
{
   const struct aco_options *options = program->options;
   const struct aco_target *target = program->target;
   const struct nir_shader *nir = stage->shaders[0];
   if (!target->compiles)
      aco_fail(program, "the compiler does not have this generation");
   else if (stage->num_shaders != 1 && !is_merged(stage))
      aco_fail(program, "%s and %s shaders are not merged", nir_stage_names[nir->stage],
               nir_stage_names[stage->shaders[1]->stage]);
   else if (!aco_has_stage(stage->hw, nir->stage))
      aco_fail(program, "%s shaders are not supported", nir_stage_names[nir->stage]);
   else if (stage->merged != exports_emitted(stage))
      aco_fail(program, "only a geometry shader in NGG may be merged before");
   else if (stage->num_shaders == 1 && stage->hw == ACO_HW_GS && nir->stage == NIR_STAGE_GEOMETRY && !stage->merged)
      aco_fail(program, "a geometry shader runs merged with the shader in front of it");
   else if (stage->num_shaders == 1 && stage->hw == ACO_HW_HS)
      aco_fail(program, "a control shader runs merged with the vertex shader in front of it");
   else if (!has_rings(stage))
      aco_fail(program, "%s shaders are not supported", nir_stage_names[nir->stage]);
   else if (!has_domain(stage))
      aco_fail(program, "there is tessellation, but no shader says of which domain");
   else if (options->wave_size != 64 && (options->wave_size != 32 || !target->has_wave32))
      aco_fail(program, "there are no waves of %u lanes", options->wave_size);
   else if (stage->hw == ACO_HW_VS && target->ngg_only)
      aco_fail(program, "this generation has no vertex shaders but those of NGG");
   else if (stage->hw == ACO_HW_GS && stage->num_shaders == 2 && target->ngg_only)
      aco_fail(program, "this generation has no geometry shaders but those of NGG");
   else if (stage->hw == ACO_HW_GS && stage->num_shaders == 1 && !target->has_ngg)
      aco_fail(program, "this generation has no NGG");
   else if (options->ps.intrawave_loop && target->pops_by_exports)
      aco_fail(program, "this generation has no turns of layers");
   else if (options->ps.intrawave_loop && !aco_may_loop_over_layers(nir))
      aco_fail(program, "a loop over layers would show subgroup operations fewer lanes");
}

/* Two shaders become the second one. What threads of an evaluation shader start with is of another place than what
 * those of a geometry shader do. */
static void
merge(struct aco_program *program, const struct aco_stage *stage)
{
   struct nir_shader *nir = stage->shaders[stage->num_shaders - 1];
   if (stage->num_shaders == 2 && stage->shaders[0]->stage == NIR_STAGE_TESS_EVAL)
      aco_lower_tessellation(program, stage->shaders[0]);
   if (stage->num_shaders == 2)
      aco_merge_shaders(stage->shaders[0], nir);
   if (stage->hw == ACO_HW_GS && nir->stage == NIR_STAGE_GEOMETRY)
      aco_lower_geometry(nir);
   const bool evaluates = stage->merged && nir->info.tess_domain != NIR_TESS_DOMAIN_NONE;
   if (nir->stage == NIR_STAGE_TESS_CTRL || nir->stage == NIR_STAGE_TESS_EVAL || evaluates)
      aco_lower_tessellation(program, nir);
}

/* What the whole program needs of memory. */
static void
size_memory(struct aco_program *program, struct nir_shader *nir)
{
   program->scratch_B = nir->info.scratch_B;
   program->lds_B = nir->info.shared_B;
   program->out->ps.writes_memory = nir->info.writes_memory;
   program->data = nir_used_constant_data(program->arena, nir, &program->data_B);
}

static void
select_shader(struct aco_program *program, struct nir_shader *nir)
{
   const struct aco_options *options = program->options;
   const char *fault = nir->stage == NIR_STAGE_FRAGMENT ? aco_lower_interlock(nir, options) : NULL;
   if (fault) {
      aco_fail(program, "after placing the ordered section: %s", fault);
      return;
   }
   aco_lower_nir(program->target, nir, !options->no_contract);
   if (aco_select(program, nir) && program->lds_B > program->target->lds_B)
      aco_fail(program, "a workgroup has less than %u bytes of LDS", program->lds_B);
}

/* Rounding of 32 bits, of 16 and 64, denormals of 32, of 16 and 64. */
uint8_t
aco_float_mode(uint8_t mode, unsigned asked)
{
   const unsigned wide = NIR_FLOAT_CONTROL(0, 16) | NIR_FLOAT_CONTROL(0, 64), single = NIR_FLOAT_CONTROL(0, 32);
   if (asked & single << NIR_FLOAT_TO_ZERO)
      mode |= 3;
   if (asked & wide << NIR_FLOAT_TO_ZERO)
      mode |= 3 << 2;
   if (asked & single << NIR_FLOAT_FLUSH)
      mode &= (uint8_t)~(3u << 4);
   if (asked & wide << NIR_FLOAT_FLUSH)
      mode &= (uint8_t)~(3u << 6);
   return mode;
}

bool
aco_compile(struct arena *arena, const struct aco_stage *stage, const struct aco_options *options,
            struct aco_output *out, const char **error)
{
   struct nir_shader *nir = stage->shaders[stage->num_shaders - 1];
   *out = (struct aco_output){0};
   struct aco_program *program = aco_program_create(arena);
   struct aco_options *own = arena_alloc(arena, sizeof(*own));
   *own = *options;
   own->float_mode = aco_float_mode(options->float_mode, nir->info.float_controls);
   program->options = own;
   program->args = &stage->args;
   program->out = out;
   program->hw = stage->hw;
   program->exports_emitted = exports_emitted(stage);
   program->stage = nir->stage;
   program->gen = options->gen;
   program->target = options->target ? options->target : aco_target(options->gen);
   program->scratch_sgpr = (uint16_t)(program->target->sgprs - 2);
   program->wave_size = options->wave_size;
   program->lm = aco_rc_s(options->wave_size / 32);
   program->max_sgprs = options->max_sgprs ? MIN2(options->max_sgprs, program->scratch_sgpr) : program->scratch_sgpr;
   program->max_vgprs = options->max_vgprs ? MIN2(options->max_vgprs, 256) : 256;
   check_stage(program, stage);
   if (!program->error)
      merge(program, stage);
   if (!program->error) {
      size_memory(program, nir);
      select_shader(program, nir);
   }
   *error = program->error ? program->error : run_phases(program, 0);
   return !*error;
}

/* A program as it is after its phase. */
static void
check_text(struct aco_program *program, unsigned phase)
{
   const bool allocated = phase >= find_phase("register_allocation");
   const char *fault = aco_check_form(program);
   if (phase == pipeline.count)
      aco_fail(program, "there is no such phase");
   else if (program->allocated != allocated)
      aco_fail(program, "after %s, values %s registers", phases[phase].base.name, allocated ? "have" : "do not have");
   else if (program->has_pairs && phase < find_phase("pairs"))
      aco_fail(program, "after %s, there are no pairs of operations", phases[phase].base.name);
   else if (fault)
      aco_fail(program, "%s", fault);
   if (!program->error && !allocated)
      aco_liveness(program);
}

bool
aco_compile_text(struct arena *arena, const char *text, const struct aco_options *options, struct aco_output *out,
                 const char **error)
{
   const char *name;
   struct aco_options own = *options;
   *out = (struct aco_output){0};
   own.validate = true;
   struct aco_program *program = aco_parse(arena, text, &own, &name, error);
   if (!program)
      return false;
   const unsigned phase = find_phase(name);
   program->out = out;
   check_text(program, phase);
   *error = program->error ? program->error : run_phases(program, phase);
   return !*error;
}

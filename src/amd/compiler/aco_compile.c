/* The pipeline of the compiler: a list of phases with checks between them. */
#include "amd/compiler/aco_ir.h"

#include <stdlib.h>

#include "util/hash.h"

struct phase {
   const char *name;
   void (*run)(struct aco_program *program);
   const char *(*check)(struct aco_program *program); /* with options.validate */
   bool optional;                                      /* left out with no_optimise */
};

static const struct phase phases[] = {
   {"dead code", aco_dead_code, aco_validate, false},
   {"optimise", aco_optimise, aco_validate, true},
   {"schedule", aco_schedule, aco_validate, true},
   {"spill", aco_spill, aco_validate, false},
   {"register allocation", aco_register_allocation, aco_check_ra, false},
   {"lower copies", aco_lower_copies, NULL, false},
   {"preserve lanes", aco_preserve_lanes, NULL, false},
   {"waits", aco_insert_waits, NULL, false},
   {"clauses", aco_insert_clauses, NULL, true},
   {"hazards", aco_avoid_hazards, NULL, false},
   {"emit", aco_emit, NULL, false},
};

static void
append_ir(struct aco_program *program, const char *title)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   fprintf(file, "%s/* %s */\n", program->out->ir ? program->out->ir : "", title);
   aco_print(program, file);
   fclose(file);
   program->out->ir = arena_strdup(program->arena, text);
   free(text);
}

static void
fill_output(struct aco_program *program, const struct nir_shader *nir)
{
   struct aco_output *out = program->out;
   out->num_vgprs = MAX2(program->used_vgprs, 1);
   out->lds_B = nir->info.shared_B + program->extra_lds_B;
   out->scratch_B = program->scratch_B;
   out->float_mode = program->options->float_mode;
   out->wave_size = program->wave_size;
   out->ps.writes_memory = nir->info.writes_memory;
   out->stats.code_B = out->exec_dw * 4;
   out->stats.hash = hash_bytes(out->code, out->exec_dw * 4);
   out->stats.sgprs = program->used_sgprs;
   out->stats.vgprs = program->used_vgprs;
   out->stats.spilled_sgprs = program->spill_s_slots;
   out->stats.spilled_vgprs = program->spill_v_slots;
   out->stats.waves = aco_waves(program->target, program->wave_size, program->used_vgprs, program->used_sgprs);
}

static bool
run_phases(struct aco_program *program)
{
   for (unsigned i = 0; i < ARRAY_SIZE(phases); i++) {
      const struct phase *phase = &phases[i];
      if (phase->optional && program->options->no_optimise)
         continue;
      phase->run(program);
      if (program->error)
         return false;
      const char *fault = program->options->validate && phase->check ? phase->check(program) : NULL;
      if (fault) {
         aco_fail(program, "after %s: %s", phase->name, fault);
         return false;
      }
      if (program->options->print_ir && phase->run == aco_register_allocation)
         append_ir(program, "after register allocation");
   }
   return true;
}

bool
aco_compile(struct arena *arena, struct nir_shader *nir, const struct aco_args *args,
            const struct aco_options *options, struct aco_output *out, const char **error)
{
   *out = (struct aco_output){0};
   struct aco_program *program = aco_program_create(arena);
   program->options = options;
   program->args = args;
   program->out = out;
   program->stage = nir->stage;
   program->gen = options->gen;
   program->target = options->target ? options->target : aco_target(options->gen);
   program->scratch_sgpr = (uint16_t)(program->target->sgprs - 2);
   program->wave_size = options->wave_size;
   program->lm = aco_rc_s(options->wave_size / 32);
   program->max_sgprs = options->max_sgprs ? MIN2(options->max_sgprs, program->scratch_sgpr) : program->scratch_sgpr;
   program->max_vgprs = options->max_vgprs ? MIN2(options->max_vgprs, 256) : 256;
   program->scratch_B = nir->info.scratch_B;
   if (!program->target->compiles)
      aco_fail(program, "the compiler does not have this generation");
   else if (!aco_has_stage(nir->stage))
      aco_fail(program, "%s shaders are not supported", nir_stage_names[nir->stage]);
   else if (options->wave_size != 64 && (options->wave_size != 32 || !program->target->has_wave32))
      aco_fail(program, "there are no waves of %u lanes", options->wave_size);
   else if (options->ps.intrawave_loop && !aco_may_loop_over_layers(nir))
      aco_fail(program, "a loop over layers would show subgroup operations fewer lanes");
   bool orders = !program->error && nir->stage == NIR_STAGE_FRAGMENT;
   const char *fault = orders ? aco_lower_interlock(nir, options) : NULL;
   if (fault)
      aco_fail(program, "after placing the ordered section: %s", fault);
   if (!program->error)
      aco_lower_nir(nir, !options->no_contract);
   bool ok = !program->error && aco_select(program, nir);
   if (ok && nir->info.shared_B + program->extra_lds_B > program->target->lds_B)
      aco_fail(program, "a workgroup has less than %u bytes of LDS", nir->info.shared_B + program->extra_lds_B);
   if (ok && options->print_ir)
      append_ir(program, "after selection");
   fault = ok && options->validate ? aco_validate(program) : NULL;
   if (fault)
      aco_fail(program, "after selection: %s", fault);
   ok = ok && !program->error && run_phases(program);
   if (ok)
      fill_output(program, nir);
   *error = program->error;
   return ok;
}

/* The pipeline of the compiler: a list of phases with checks between them. */
#include "amd/compiler/aco_ir.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"

struct phase {
   const char *name;
   void (*run)(struct aco_program *program); /* NULL: selection */
   const char *(*check)(struct aco_program *program);
   bool optional; /* left out with no_optimise */
};

/* A text names one of these but the last, and goes on behind it. */
static const struct phase phases[] = {
   {"selection", NULL, aco_validate, false},
   {"dead_code", aco_dead_code, aco_validate, false},
   {"optimise", aco_optimise, aco_validate, true},
   {"schedule", aco_schedule, aco_validate, true},
   {"spill", aco_spill, aco_validate, false},
   {"register_allocation", aco_register_allocation, aco_check_ra, false},
   {"lower_copies", aco_lower_copies, aco_check_lowered, false},
   {"preserve_lanes", aco_preserve_lanes, aco_check_lowered, false},
   {"waits", aco_insert_waits, aco_check_lowered, false},
   {"clauses", aco_insert_clauses, aco_check_lowered, true},
   {"hazards", aco_avoid_hazards, aco_check_lowered, false},
   {"emit", aco_emit, NULL, false},
};

#define EMIT (ARRAY_SIZE(phases) - 1)

/* Of the first `length` characters; EMIT: there is none. */
static unsigned
find_phase(const char *name, size_t length)
{
   unsigned i = 0;
   while (i < EMIT && (strlen(phases[i].name) != length || strncmp(phases[i].name, name, length)))
      i++;
   return i;
}

/* As bits; that of EMIT: some name is wrong. */
static uint32_t
phases_of_list(const char *list)
{
   uint32_t set = 0;
   for (size_t length; list; list = list[length] ? list + length + 1 : NULL) {
      length = strcspn(list, ",");
      set |= 1u << find_phase(list, length);
   }
   return set;
}

bool
aco_has_phases(const char *list)
{
   return !(phases_of_list(list) >> EMIT);
}

static void
append_ir(struct aco_program *program, const struct phase *phase)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   fprintf(file, "%s", program->out->ir ? program->out->ir : "");
   aco_print(program, phase->name, file);
   fclose(file);
   program->out->ir = arena_strdup(program->arena, text);
   free(text);
}

static void
fill_output(struct aco_program *program)
{
   struct aco_output *out = program->out;
   out->num_vgprs = MAX2(program->used_vgprs, 1);
   out->lds_B = program->lds_B;
   out->scratch_B = program->scratch_B;
   out->float_mode = program->options->float_mode;
   out->wave_size = program->wave_size;
   out->stats.code_B = out->exec_dw * 4;
   out->stats.hash = hash_bytes(out->code, out->exec_dw * 4);
   out->stats.sgprs = program->used_sgprs;
   out->stats.vgprs = program->used_vgprs;
   out->stats.spilled_sgprs = program->spill_s_slots;
   out->stats.spilled_vgprs = program->spill_v_slots;
   out->stats.waves = aco_waves(program->target, program->wave_size, program->used_vgprs, program->used_sgprs);
}

/* The phases behind one that left the program, and the checks of that one too. */
static bool
run_phases(struct aco_program *program, unsigned done)
{
   const uint32_t printed = phases_of_list(program->options->print_ir);
   if (!aco_has_phases(program->options->print_ir))
      aco_fail(program, "no such phases: %s", program->options->print_ir);
   for (unsigned i = done; i < ARRAY_SIZE(phases) && !program->error; i++) {
      const struct phase *phase = &phases[i];
      if (i > done && !(phase->optional && program->options->no_optimise))
         phase->run(program);
      const char *fault =
         program->options->validate && phase->check && !program->error ? phase->check(program) : NULL;
      if (fault)
         aco_fail(program, "after %s: %s", phase->name, fault);
      /* What a text does not hold any more is told by the text. */
      bool wanted = i > done ? printed >> i & 1 : (printed & ((2u << i) - 1)) != 0;
      if (wanted && !program->error)
         append_ir(program, phase);
   }
   if (!program->error)
      fill_output(program);
   return !program->error;
}

bool
aco_compile(struct arena *arena, struct nir_shader *nir, const struct aco_args *args,
            const struct aco_options *options, struct aco_output *out, const char **error)
{
   *out = (struct aco_output){.ps.writes_memory = nir->info.writes_memory};
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
   program->lds_B = nir->info.shared_B;
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
   if (!program->error && aco_select(program, nir) && program->lds_B > program->target->lds_B)
      aco_fail(program, "a workgroup has less than %u bytes of LDS", program->lds_B);
   bool ok = !program->error && run_phases(program, 0);
   *error = program->error;
   return ok;
}

/* As its phase leaves a program. */
static void
check_text(struct aco_program *program, unsigned phase)
{
   const bool allocated = phase >= find_phase("register_allocation", strlen("register_allocation"));
   const char *fault = aco_check_form(program);
   if (phase == EMIT)
      aco_fail(program, "there is no such phase");
   else if (program->allocated != allocated)
      aco_fail(program, "after %s, values %s registers", phases[phase].name, allocated ? "have" : "do not have");
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
   const unsigned phase = find_phase(name, strlen(name));
   program->out = out;
   check_text(program, phase);
   bool ok = !program->error && run_phases(program, phase);
   *error = program->error;
   return ok;
}

/* The pipeline of the compiler: a list of phases with checks between them. The main program and its preamble go
 * through each together. */
#include "asahi/compiler/agx_ir.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"

struct phase {
   const char *name;
   void (*run)(struct agx_ir *ir); /* NULL: selection */
   const char *(*check)(struct agx_ir *ir);
   bool optional; /* left out with no_optimise */
};

/* A text names one of these, and goes on behind it. */
static const struct phase phases[] = {
   {"selection", NULL, agx_validate, false},
   {"optimise", agx_optimise, agx_validate, true},
   {"cse", agx_cse, agx_validate, true},
   {"dead_code", agx_dead_code, agx_validate, false},
   {"spill", agx_spill, agx_validate, false},
   {"register_allocation", agx_regalloc, agx_check_ra, false},
   {"lower_copies", agx_lower_copies, agx_check_form, false},
   {"lower_cf", agx_lower_cf, agx_check_lowered, false},
   {"waits", agx_waits, agx_check_lowered, false},
   {"last_use", agx_last_use, agx_check_lowered, true},
};

#define PHASES ARRAY_SIZE(phases)

/* The programs of one shader. */
struct pair {
   struct agx_ir *at[2]; /* main, preamble (NULL: none) */
};

/* Of the first `length` characters; PHASES: there is none. */
static unsigned
find_phase(const char *name, size_t length)
{
   unsigned i = 0;
   while (i < PHASES && (strlen(phases[i].name) != length || strncmp(phases[i].name, name, length)))
      i++;
   return i;
}

/* As bits; that of PHASES: some name is wrong. */
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
agx_has_phases(const char *list)
{
   return !(phases_of_list(list) >> PHASES);
}

static void
append_ir(struct agx_ir *ir, const struct phase *phase)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   fprintf(file, "%s", ir->out->ir ? ir->out->ir : "");
   agx_print(ir, phase->name, file);
   fclose(file);
   ir->out->ir = arena_strdup(ir->arena, text);
   free(text);
}

static const char *
listing_of(struct arena *arena, const uint8_t *code, uint32_t code_B)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   struct agx_inst inst;
   for (uint32_t at = 0; at < code_B; at += inst.size_B) {
      char line[256];
      if (!agx_isa_decode(code + at, code_B - at, &inst))
         break;
      agx_isa_print(&inst, line, sizeof(line));
      fprintf(file, "%s\n", line);
   }
   fclose(file);
   const char *copy = arena_strdup(arena, text);
   free(text);
   return copy;
}

static void
emit(struct agx_ir *ir)
{
   struct agx_output *out = ir->out;
   uint32_t code_B, exec_B;
   const uint8_t *code = agx_emit(ir, &code_B, &exec_B);
   if (ir->error)
      return;
   if (ir->is_preamble) {
      out->preamble = code;
      out->preamble_B = code_B;
   } else {
      out->code = code;
      out->code_B = code_B;
      out->stats.code_B = exec_B;
      out->stats.hash = hash_bytes(code, exec_B);
      out->listing = ir->options->listing ? listing_of(ir->arena, code, exec_B) : NULL;
   }
   agx_statistics(ir);
}

static const char *
run_phase(struct agx_ir *ir, const struct phase *phase, bool done)
{
   const struct agx_options *options = ir->options;
   if (!done && !(phase->optional && options->no_optimise))
      phase->run(ir);
   const char *fault = options->validate && phase->check && !ir->error ? phase->check(ir) : NULL;
   if (fault)
      agx_ir_fail(ir, "after %s: %s", phase->name, fault);
   return ir->error;
}

/* The phases behind one that left the programs, and the checks of that one too. */
static const char *
run_phases(const struct pair *pair, unsigned done)
{
   const struct agx_options *options = pair->at[0]->options;
   const uint32_t printed = phases_of_list(options->print_ir);
   if (!agx_has_phases(options->print_ir))
      return arena_printf(pair->at[0]->arena, "no such phases: %s", options->print_ir);
   for (unsigned i = done; i < PHASES; i++) {
      for (unsigned k = 0; k < 2 && pair->at[k]; k++) {
         const char *error = run_phase(pair->at[k], &phases[i], i == done);
         if (error)
            return error;
         /* What a text does not hold any more is told by the text. */
         if (i > done ? printed >> i & 1 : (printed & ((2u << i) - 1)) != 0)
            append_ir(pair->at[k], &phases[i]);
      }
   }
   struct agx_ir *main = pair->at[0];
   for (unsigned k = 0; k < 2 && pair->at[k]; k++) {
      emit(pair->at[k]);
      if (pair->at[k]->error)
         return pair->at[k]->error;
   }
   main->out->constants = main->constants;
   main->out->constant_count = main->num_constants;
   for (unsigned i = 0; i < main->num_constants; i++)
      main->out->uniforms_h = MAX2(main->out->uniforms_h, (uint16_t)(main->constants[i].uniform + 2));
   main->out->stats.uniforms = main->out->uniforms_h;
   return NULL;
}

bool
agx_compile(struct arena *arena, struct nir_shader *nir, const struct agx_options *options, struct agx_output *out,
            const char **error)
{
   *out = (struct agx_output){.local_B = nir->info.shared_B};
   struct pair pair = {{agx_ir_create(arena, options), agx_ir_create(arena, options)}};
   for (unsigned k = 0; k < 2; k++) {
      pair.at[k]->out = out;
      pair.at[k]->stage = nir->stage;
   }
   pair.at[1]->is_preamble = true;
   agx_lower_nir(nir, options);
   agx_select(pair.at[0], pair.at[1], nir);
   *error = pair.at[0]->error ? pair.at[0]->error : pair.at[1]->error;
   if (*error)
      return false;
   if (!pair.at[1]->num_blocks)
      pair.at[1] = NULL;
   *error = run_phases(&pair, 0);
   return !*error;
}

bool
agx_compile_text(struct arena *arena, const char *text, const struct agx_options *options, struct agx_output *out,
                 const char **error)
{
   struct agx_options own = *options;
   struct pair pair = {{NULL, NULL}};
   const char *name = NULL, *other = NULL;
   unsigned line = 0;
   own.validate = true;
   *out = (struct agx_output){0};
   pair.at[0] = agx_parse(arena, &text, &own, &line, &name, error);
   if (pair.at[0] && *text)
      pair.at[1] = agx_parse(arena, &text, &own, &line, &other, error);
   if (*error)
      return false;
   const unsigned phase = find_phase(name, strlen(name));
   if (phase == PHASES || (other && strcmp(name, other)) || pair.at[0]->is_preamble ||
       (pair.at[1] && !pair.at[1]->is_preamble) || *text) {
      *error = "a text has a program and its preamble, behind one phase";
      return false;
   }
   for (unsigned k = 0; k < 2 && pair.at[k]; k++) {
      pair.at[k]->out = out;
      if (options->registers_max_h)
         pair.at[k]->registers_max_h = MIN2(options->registers_max_h, AGX_REGISTERS);
   }
   *error = run_phases(&pair, phase);
   return !*error;
}

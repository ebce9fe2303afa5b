/* The pipeline of the compiler: a list of phases with checks between them. The main program and its preamble go
 * through each together. */
#include "compiler/nir/nir_constant_data.h"
#include "asahi/compiler/agx_ir.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/backend/pipeline.h"
#include "util/hash.h"

struct phase {
   struct backend_phase base;
   void (*run)(struct agx_ir *ir); /* NULL: selection */
   const char *(*check)(struct agx_ir *ir);
};

/* A text names one of these, and continues after it. */
static const struct phase phases[] = {
   {{"selection", false}, NULL, agx_validate},
   {{"optimise", true}, agx_optimise, agx_validate},
   {{"cse", true}, agx_cse, agx_validate},
   {{"dead_code", false}, agx_dead_code, agx_validate},
   {{"narrow", true}, agx_narrow, agx_validate},
   {{"schedule", true}, agx_schedule, agx_validate},
   {{"spill", false}, agx_spill, agx_validate},
   {{"register_allocation", false}, agx_regalloc, agx_check_ra},
   {{"lower_copies", false}, agx_lower_copies, agx_check_form},
   {{"lower_cf", false}, agx_lower_cf, agx_check_lowered},
   {{"waits", false}, agx_waits, agx_check_lowered},
   {{"last_use", true}, agx_last_use, agx_check_lowered},
};

static const char *
run_phase(void *ir, const void *row)
{
   ((const struct phase *)row)->run(ir);
   return ((struct agx_ir *)ir)->error;
}

static const char *
check(void *ir, const void *row)
{
   return ((const struct phase *)row)->check(ir);
}

static void
print(void *ir, const char *phase, FILE *file)
{
   agx_print(ir, phase, file);
}

static const struct backend_pipeline pipeline = {phases, sizeof(phases[0]), ARRAY_SIZE(phases), run_phase, check,
                                                 print};

/* The programs of one shader. */
struct pair {
   struct agx_ir *at[2]; /* main, preamble (NULL: none) */
};

bool
agx_has_phases(const char *list)
{
   return backend_has_phases(&pipeline, list);
}

const char *
agx_listing(struct arena *arena, const uint8_t *code, uint32_t code_B)
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
      out->continues = ir->options->continues;
      out->listing = ir->options->listing ? agx_listing(ir->arena, code, exec_B) : NULL;
   }
   agx_statistics(ir);
}

/* The phases after one that left the programs, and the checks of that one too. */
static const char *
run_phases(const struct pair *pair, unsigned done)
{
   struct agx_ir *main = pair->at[0];
   const struct backend_options options = {.validate = main->options->validate,
                                           .no_optimise = main->options->no_optimise,
                                           .print_ir = main->options->print_ir,
                                           .ir = &main->out->ir};
   void *const programs[] = {pair->at[0], pair->at[1]};
   const char *error = backend_run(&pipeline, &options, main->arena, programs, pair->at[1] ? 2 : 1, done);
   if (error)
      return error;
   for (unsigned k = 0; k < 2 && pair->at[k]; k++) {
      emit(pair->at[k]);
      if (pair->at[k]->error)
         return pair->at[k]->error;
   }
   main->out->data = main->data;
   main->out->data_B = main->data_B;
   main->out->data_h = (uint16_t)main->data_h;
   main->out->constants = main->constants;
   main->out->constant_count = main->num_constants;
   for (unsigned i = 0; i < main->num_constants; i++)
      main->out->uniforms_h = MAX2(main->out->uniforms_h, (uint16_t)(main->constants[i].uniform + 2));
   main->out->stats.uniforms = main->out->uniforms_h;
   return NULL;
}

/* From lowered nir, which stays as it is; NULL, or an error. */
static const char *
compile_lowered(struct arena *arena, struct nir_shader *nir, const struct agx_options *options,
                const struct agx_output *tables, struct agx_output *out)
{
   *out = (struct agx_output){.local_B = nir->info.shared_B};
   struct pair pair = {{agx_ir_create(arena, options), agx_ir_create(arena, options)}};
   for (unsigned k = 0; k < 2; k++) {
      pair.at[k]->out = out;
      pair.at[k]->stage = nir->stage;
   }
   pair.at[0]->data = tables->data;
   pair.at[0]->data_B = tables->data_B;
   pair.at[0]->data_h = tables->data_h;
   pair.at[1]->is_preamble = true;
   agx_select(pair.at[0], pair.at[1], nir);
   if (pair.at[0]->error || pair.at[1]->error)
      return pair.at[0]->error ? pair.at[0]->error : pair.at[1]->error;
   if (!pair.at[1]->num_blocks)
      pair.at[1] = NULL;
   return run_phases(&pair, 0);
}

/* NULL, or that the shader computes with floats of 64 bits, and where. */
static const char *
check_floats(struct arena *arena, const struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_ALU)
            continue;
         const struct nir_alu_instr *alu = nir_as_alu(instr);
         const struct nir_op_info *info = &nir_op_infos[alu->op];
         bool wide = info->dest_base == NIR_TYPE_FLOAT && alu->def.bit_size == 64;
         for (unsigned i = 0; i < info->num_srcs; i++)
            wide |= info->src_base[i] == NIR_TYPE_FLOAT && alu->src[i].src.def->bit_size == 64;
         if (wide)
            return arena_printf(arena, "%s of 64 bits: Apple's GPUs have no floats of that size", info->name);
      }
   }
   return NULL;
}

/* Tables of constants: their address stands in the last of the uniforms that the driver fills. NULL, or an error. */
static const char *
take_tables(struct arena *arena, const struct nir_shader *nir, struct agx_options *options, struct agx_output *tables)
{
   const unsigned max_h = options->uniforms_max_h ? options->uniforms_max_h : AGX_UNIFORMS;
   tables->data = nir_used_constant_data(arena, nir, &tables->data_B);
   if (!tables->data_B)
      return NULL;
   tables->data_h = (uint16_t)align_up(options->uniforms_h, AGX_ADDRESS_H);
   options->uniforms_h = tables->data_h + AGX_ADDRESS_H;
   return options->uniforms_h <= max_h ? NULL : "no uniforms are left for the address of a table of constants";
}

bool
agx_compile(struct arena *arena, struct nir_shader *nir, const struct agx_options *options, struct agx_output *out,
            const char **error)
{
   struct agx_options own = *options;
   struct agx_output tables = {0};
   if ((*error = check_floats(arena, nir)) || (*error = take_tables(arena, nir, &own, &tables)))
      return false;
   agx_lower_nir(nir, &own);
   *error = compile_lowered(arena, nir, &own, &tables, out);
   if (!*error && own.no_preamble_memory && out->preamble_scratch_B) {
      own.no_preamble = true;
      *error = compile_lowered(arena, nir, &own, &tables, out);
   }
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
   const unsigned phase = backend_find_phase(&pipeline, name, strlen(name));
   if (phase == pipeline.count || (other && strcmp(name, other)) || pair.at[0]->is_preamble ||
       (pair.at[1] && !pair.at[1]->is_preamble) || *text) {
      *error = "a text has a program and its preamble, after one phase";
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

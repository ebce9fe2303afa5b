/* Random programs, compiled and run on the modelled waves, give what the nir interpreter gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aco_random.h"
#include "amd/compiler/aco_target.h"
#include "amd/hw/chips.h"
#include "amd/hw/isa.h"
#include "amd/sim/wave/wave.h"
#include "choices.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "share.h"
#include "sim/waves/pool.h"

#define GROUP 64
#define CODE_VA 0x100000000
#define IN_VA 0x200000000
#define OUT_VA 0x300000000
#define SCRATCH_VA 0x400000000
#define SCRATCH_B (1 << 20)

struct run {
   bool fragment, helpers;
   unsigned wave_size;
   uint32_t out_B, scratch_wave_B, scratch_sgpr;
};

static void
describe(uint32_t *words, uint64_t va, uint32_t size_B)
{
   words[0] = (uint32_t)va;
   words[1] = (uint32_t)(va >> 32);
   words[2] = size_B;
   words[3] = 4 | 5 << 3 | 6 << 6 | 7 << 9; /* xyzw, 32_FLOAT, raw bounds */
   words[3] |= aco_test_chip()->gen == AMD_GFX9 ? 7u << 12 | 4u << 15 : 22u << 12 | 1u << 24 | 3u << 28;
}

static void
start_wave(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *start)
{
   const struct run *run = user;
   for (unsigned lane = 0; lane < run->wave_size; lane++) {
      if (!run->helpers || !nir_random_is_helper(wave * run->wave_size + lane))
         start->exec |= UINT64_C(1) << lane;
   }
   start->sgpr_count = run->scratch_sgpr + 1;
   describe(&start->sgpr[0], IN_VA, NIR_RANDOM_IN_B);
   describe(&start->sgpr[4], OUT_VA, run->out_B);
   start->sgpr[8] = (uint32_t)SCRATCH_VA;
   start->sgpr[9] = (uint32_t)((uint64_t)SCRATCH_VA >> 32);
   start->sgpr[run->scratch_sgpr] = wave * run->scratch_wave_B;
   start->flat_scratch = (uint64_t)SCRATCH_VA + wave * run->scratch_wave_B;
   start->vgpr_count = run->fragment ? 2 : 3;
   for (unsigned lane = 0; lane < run->wave_size; lane++)
      start->vgpr[0][lane] = wave * run->wave_size + lane;
}

static uint8_t *
pages(uint32_t size_B)
{
   return aligned_alloc(4096, align_up(size_B, 4096));
}

struct memory {
   struct sim_vm *vm;
   uint8_t *in, *out, *code, *scratch;
};

static void
map(struct memory *m, const struct nir_random_options *options, const struct aco_output *program)
{
   uint32_t out_B = nir_random_out_size_B(options), code_B = program->code_dw * 4;
   *m = (struct memory){sim_vm_create(), pages(NIR_RANDOM_IN_B), pages(out_B), pages(code_B), pages(SCRATCH_B)};
   nir_random_fill(options->seed, m->in, NIR_RANDOM_IN_B);
   memset(m->out, 0, align_up(out_B, 4096));
   memcpy(m->code, program->code, code_B);
   assert_true(sim_vm_map(m->vm, sim_va(IN_VA), align_up(NIR_RANDOM_IN_B, 4096), m->in, SIM_READ | SIM_WRITE));
   assert_true(sim_vm_map(m->vm, sim_va(OUT_VA), align_up(out_B, 4096), m->out, SIM_READ | SIM_WRITE));
   assert_true(sim_vm_map(m->vm, sim_va(CODE_VA), align_up(code_B, 4096), m->code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(m->vm, sim_va(SCRATCH_VA), SCRATCH_B, m->scratch, SIM_READ | SIM_WRITE));
}

static void
unmap(struct memory *m)
{
   sim_vm_destroy(m->vm);
   free(m->in);
   free(m->out);
   free(m->code);
   free(m->scratch);
}

static bool
run_waves(struct amd_wave_engine *engine, struct memory *m, const struct nir_random_options *options,
          const struct aco_output *program, struct sim_fault *fault)
{
   uint32_t wave_B = (uint32_t)align_up(program->scratch_B * program->wave_size, 1024);
   struct run run = {options->discards || options->quads, options->quads, program->wave_size,
                     nir_random_out_size_B(options),      wave_B,         10};
   for (unsigned i = 0; i < 3 && !run.fragment; i++)
      run.scratch_sgpr += program->cs.tgid[i];
   run.scratch_sgpr += run.fragment; /* after PRIM_MASK */
   struct amd_wave_launch launch = {
      .stage = run.fragment ? AMD_STAGE_PS : AMD_STAGE_CS,
      .name = "random",
      .vm = m->vm,
      .chip = aco_test_chip(),
      .program = sim_va(CODE_VA),
      .wave_size = (uint8_t)program->wave_size,
      .float_mode = program->float_mode,
      .dx10_clamp = true,
      .vgpr_count = (uint16_t)align_up(program->num_vgprs, 8),
      .lds_size_B = program->lds_B,
      .waves_per_group = GROUP / program->wave_size,
      .group_count = 1,
      .scratch_waves = wave_B ? 2 : 0,
      .user = &run,
      .start = start_wave,
   };
   return amd_wave_run(engine, &launch, fault);
}

/* The interpreter has one NaN, the hardware hands payloads on: after float operations NaNs take the one form. */
static void
one_nan(struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_ALU || nir_op_infos[nir_as_alu(instr)->op].dest_base != NIR_TYPE_FLOAT)
            continue;
         if (nir_as_alu(instr)->op == NIR_OP_fneg || nir_as_alu(instr)->op == NIR_OP_fabs)
            continue; /* only of the sign bit, everywhere */
         struct nir_def *def = &nir_as_alu(instr)->def;
         struct nir_builder b = nir_builder_at(nir, nir_after_instr(instr));
         uint64_t nan = def->bit_size == 16 ? 0x7e00 : def->bit_size == 32 ? 0x7fc00000 : 0x7ff8000000000000;
         struct nir_def *unordered = nir_fneu(&b, def, def);
         struct nir_def *form = nir_bcsel(&b, unordered, nir_imm_intN(&b, nan, def->bit_size), def);
         nir_foreach_use_safe(use, def) {
            if (use->parent_instr != unordered->parent && use->parent_instr != form->parent)
               nir_src_rewrite(use, form);
         }
      }
   }
}

/* Programs for which a limit of SGPRs leaves too few: what spills of them must fit into VGPRs. */
static unsigned refusals, drawn;

static void
check(struct amd_wave_engine *engine, const struct nir_random_options *options, const struct aco_options *aco)
{
   struct arena arena = {0};
   uint8_t *expected = malloc(nir_random_out_size_B(options));
   struct nir_random_options own = *options;
   own.descriptors_as_args = true;
   struct nir_shader *reference = nir_random_shader(&arena, &own);
   uint32_t shared_B = reference->info.shared_B; /* the passes count variables only */
   nir_lower_variables(reference);
   reference->info.shared_B = shared_B;
   const char *error = nir_random_execute(&arena, reference, &own, expected);
   if (error)
      fail_msg("seed %u: the interpreter stops: %s", options->seed, error);
   struct nir_shader *nir = aco_random_shader(&arena, options);
   nir_lower_variables(nir);
   nir_optimize(nir);
   nir->info.shared_B = shared_B;
   if (!options->no_float || options->quads) /* which has derivatives of any bits */
      one_nan(nir);
   const struct aco_stage stage = aco_random_stage(nir);
   struct aco_output program;
   if (getenv("ACO_TEST_PRINT"))
      nir_print(nir, stderr);
   if (!aco_compile(&arena, &stage, aco, &program, &error)) {
      if (aco->max_sgprs && strstr(error, "scalar values spill")) {
         refusals++;
         free(expected);
         arena_free(&arena);
         return;
      }
      if (program.ir)
         fprintf(stderr, "%s", program.ir);
      fail_msg("seed %u: %s", options->seed, error);
   }
   if (aco->target)
      assert_true(!strstr(program.listing, "s_clause") &&
                  (program.code_dw == program.exec_dw || nir->info.constant_B));
   struct memory memory;
   struct sim_fault fault = {0};
   map(&memory, options, &program);
   if (!run_waves(engine, &memory, options, &program, &fault)) {
      if (getenv("ACO_TEST_PRINT"))
         fprintf(stderr, "%s", program.listing);
      fail_msg("seed %u wave%u: %s", options->seed, options->subgroup_size, fault.message);
   }
   if (getenv("ACO_TEST_PRINT") && program.ir)
      fprintf(stderr, "%s", program.ir);
   error = nir_random_compare(&arena, options, expected, memory.out);
   if (error && getenv("ACO_TEST_PRINT"))
      fprintf(stderr, "%s", program.listing);
   if (error)
      fail_msg("%s", error);
   unmap(&memory);
   free(expected);
   arena_free(&arena);
}

/* A target that has less of everything than the generation: what the compiler takes from it shows. */
static struct aco_target
narrow_target(enum amd_gen gen)
{
   struct aco_target target = *aco_target(gen);
   target.sgprs = 90;
   target.constant_bus = 1;
   target.vop3_literals = target.has_clauses = false;
   target.max_image_addresses = 1;
   target.smem = target.global = (struct aco_offsets){-64, 71};
   target.smem_buffer = target.mubuf = (struct aco_offsets){0, 127};
   target.fetch_line_B = 0;
   return target;
}

struct variant {
   unsigned wave_size, max_sgprs, max_vgprs, statements;
   uint32_t first, count;
   bool no_optimise, no_float, narrow;
   bool no_shuffle_lds, discards, endless, deep, subgroups, atomics, mostly_16, exact_of_all_sizes, quads,
      float_modes, addresses, matrices;
};

/* Each mode by a draw of its own. Sizes of 16 and 64 bits have one. */
static uint16_t
random_controls(uint32_t seed)
{
   uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15);
   unsigned controls = 0;
   for (unsigned single = 0; single < 2; single++) {
      const unsigned sizes = single ? NIR_FLOAT_CONTROL(0, 32) : NIR_FLOAT_CONTROL(0, 16) | NIR_FLOAT_CONTROL(0, 64);
      const unsigned denormals = nir_random_next(&state) % 3;
      controls |= denormals == 0 ? sizes << NIR_FLOAT_FLUSH : denormals == 1 ? sizes << NIR_FLOAT_PRESERVE : 0;
      controls |= nir_random_next(&state) % 2 ? sizes << NIR_FLOAT_TO_ZERO : 0;
      controls |= nir_random_next(&state) % 2 ? sizes << NIR_FLOAT_SPECIAL : 0;
   }
   return (uint16_t)controls;
}

static void
check_seed(struct amd_wave_engine *engine, const struct variant *v, uint32_t seed)
{
   const unsigned wave_size = aco_test_wave_size(v->wave_size);
   const struct aco_target narrow = narrow_target(aco_test_chip()->gen);
   const struct nir_random_options options = {
      .seed = seed,
      .workgroup_size = GROUP,
      .subgroup_size = wave_size,
      .only_exact_float = true,
      .no_float = v->no_float,
      .statements = v->statements,
      .discards = v->discards,
      .quads = v->quads,
      .no_shared = v->discards || v->quads,
      .subgroups = v->subgroups,
      .atomics = v->atomics,
      .addresses = v->addresses,
      .matrices = v->matrices,
      .mostly_16 = v->mostly_16,
      .exact_of_all_sizes = v->exact_of_all_sizes,
      .float_controls = v->float_modes ? random_controls(seed) : 0,
      .endless = v->endless,
      .deep = v->deep,
   };
   struct aco_options aco = aco_test_options(wave_size);
   aco.target = v->narrow ? &narrow : NULL;
   aco.max_sgprs = v->max_sgprs;
   aco.max_vgprs = v->max_vgprs;
   aco.no_optimise = v->no_optimise;
   aco.no_shuffle_lds = v->no_shuffle_lds;
   aco.listing = true;
   aco.print_ir = getenv("ACO_TEST_PRINT") ? "selection,register_allocation" : NULL;
   if (!v->matrices || amd_isa_op_info(aco.gen, AMD_OP_v_wmma_f32_16x16x16_f16)->encs)
      check(engine, &options, &aco);
}

/* By hand: ACO_TEST_SEED=N runs one seed of the variants that have it, ACO_TEST_RANGE=FIRST:COUNT other seeds,
 * ACO_TEST_VARIANT=PATTERN only some variants; ACO_TEST_PRINT=1 prints the program. v: NULL draws one for each seed.
 */
static void
run_seeds(const struct variant *v, uint32_t first, uint32_t count, struct variant (*drawn)(uint32_t seed))
{
   struct sim_pool *pool = sim_pool_create(1);
   struct amd_wave_engine *engine = amd_wave_engine_create(pool);
   if (!nir_random_seeds("ACO", &first, &count))
      fail_msg("ACO_TEST_RANGE is not FIRST:COUNT");
   for (uint32_t seed = first; seed < first + count; seed++) {
      struct variant own = v ? *v : drawn(seed);
      check_seed(engine, &own, seed);
   }
   amd_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
}

static void
run_variant(const struct variant *v)
{
   /* What differs from Navi 21 is the encoding and what hazards put between. */
   uint32_t count = aco_test_chip()->gen == AMD_GFX10_3 ? v->count : (v->count + 5) / 6;
   run_seeds(v, v->first, test_share_of(count), NULL);
}

#define VARIANT(name, ...)                                                                                           \
   static void name(void **state)                                                                                    \
   {                                                                                                                 \
      (void)state;                                                                                                   \
      run_variant(&(struct variant){__VA_ARGS__});                                                                   \
   }
VARIANT(wave32, .wave_size = 32, .count = 900, .no_float = true)
VARIANT(wave64, .wave_size = 64, .first = 1000, .count = 500, .no_float = true)
VARIANT(wave64_no_lds, .wave_size = 64, .first = 1000, .count = 100, .no_float = true, .no_shuffle_lds = true)
VARIANT(plain, .wave_size = 32, .first = 2000, .count = 200, .no_float = true, .no_optimise = true)
VARIANT(floats, .wave_size = 32, .first = 5000, .count = 400)
VARIANT(float_signalling_nan, .wave_size = 32, .first = 31830, .count = 1)        /* fabs made it quiet */
VARIANT(imod_min, .wave_size = 32, .first = 108115, .count = 1, .no_float = true) /* modulo INT32_MIN */
VARIANT(floats64, .wave_size = 64, .first = 6000, .count = 300)
VARIANT(discards, .wave_size = 32, .statements = 60, .first = 7000, .count = 300, .no_float = true, .discards = true)
VARIANT(discards64, .wave_size = 64, .statements = 60, .first = 8000, .count = 200, .no_float = true,
        .discards = true)
VARIANT(endless, .wave_size = 32, .statements = 60, .first = 92000, .count = 60, .no_float = true, .endless = true)
VARIANT(endless64, .wave_size = 64, .statements = 60, .first = 92300, .count = 30, .no_float = true, .endless = true)
VARIANT(endless_ended, .wave_size = 32, .statements = 60, .first = 92500, .count = 50, .no_float = true,
        .endless = true, .discards = true)
VARIANT(deep, .wave_size = 32, .first = 93000, .count = 30, .no_float = true, .deep = true)
VARIANT(deep64, .wave_size = 64, .first = 93100, .count = 20, .no_float = true, .deep = true)
VARIANT(deep_ended, .wave_size = 64, .first = 93200, .count = 20, .no_float = true, .deep = true, .discards = true)
VARIANT(deep_spill, .wave_size = 32, .max_sgprs = 24, .max_vgprs = 20, .first = 93300, .count = 20, .no_float = true,
        .deep = true)
VARIANT(quads, .wave_size = 32, .statements = 60, .first = 85000, .count = 300, .quads = true)
VARIANT(quads64, .wave_size = 64, .statements = 60, .first = 85300, .count = 150, .quads = true)
VARIANT(subgroups, .wave_size = 32, .statements = 60, .first = 50000, .count = 300, .no_float = true,
        .subgroups = true)
VARIANT(subgroups64, .wave_size = 64, .statements = 60, .first = 50100, .count = 200, .no_float = true,
        .subgroups = true)
VARIANT(helpers, .wave_size = 32, .statements = 60, .first = 90000, .count = 150, .quads = true, .subgroups = true)
VARIANT(helpers64, .wave_size = 64, .statements = 60, .first = 90300, .count = 60, .quads = true, .subgroups = true)
VARIANT(ended, .wave_size = 32, .statements = 60, .first = 91000, .count = 100, .no_float = true, .discards = true,
        .subgroups = true)
VARIANT(ended64, .wave_size = 64, .statements = 60, .first = 91200, .count = 60, .no_float = true, .discards = true,
        .subgroups = true)
VARIANT(subgroups_spill, .wave_size = 64, .max_vgprs = 20, .statements = 60, .first = 50100, .count = 100,
        .no_float = true, .subgroups = true)
VARIANT(atomics, .wave_size = 32, .statements = 60, .first = 60000, .count = 200, .no_float = true, .atomics = true)
VARIANT(atomics64, .wave_size = 64, .statements = 60, .first = 60200, .count = 150, .no_float = true, .atomics = true)
VARIANT(addresses, .wave_size = 32, .statements = 60, .first = 61000, .count = 150, .atomics = true,
        .addresses = true)
VARIANT(addresses64, .wave_size = 64, .statements = 60, .first = 61200, .count = 60, .atomics = true,
        .addresses = true)
VARIANT(matrices, .wave_size = 32, .first = 62000, .count = 300, .no_float = true, .matrices = true)
VARIANT(matrices64, .wave_size = 64, .first = 62300, .count = 300, .no_float = true, .matrices = true)
VARIANT(matrices_spill, .wave_size = 32, .max_vgprs = 40, .statements = 60, .first = 62600, .count = 120,
        .no_float = true, .matrices = true)
VARIANT(float_sizes, .wave_size = 32, .first = 82400, .count = 400, .exact_of_all_sizes = true)
VARIANT(float_modes, .wave_size = 32, .first = 83000, .count = 300, .exact_of_all_sizes = true, .float_modes = true)
VARIANT(float_modes64, .wave_size = 64, .first = 83400, .count = 150, .mostly_16 = true, .exact_of_all_sizes = true,
        .float_modes = true)
VARIANT(pairs, .wave_size = 32, .statements = 60, .first = 70000, .count = 300, .no_float = true, .mostly_16 = true)
VARIANT(pairs64, .wave_size = 64, .statements = 60, .first = 70300, .count = 150, .no_float = true, .mostly_16 = true)
VARIANT(float_pairs, .wave_size = 32, .statements = 60, .first = 70500, .count = 300, .mostly_16 = true)
VARIANT(discards_spill, .wave_size = 32, .max_vgprs = 12, .statements = 60, .first = 300000, .count = 100,
        .no_float = true, .discards = true)
VARIANT(quads_spill, .wave_size = 64, .max_vgprs = 12, .statements = 60, .first = 300000, .count = 100, .quads = true)
VARIANT(few_vgprs, .wave_size = 32, .max_vgprs = 12, .statements = 60, .first = 3000, .count = 200, .no_float = true)
VARIANT(few_sgprs, .wave_size = 32, .max_sgprs = 24, .statements = 60, .first = 4000, .count = 200, .no_float = true)
VARIANT(narrow, .wave_size = 32, .statements = 60, .first = 400000, .count = 150, .narrow = true)
VARIANT(narrow64, .wave_size = 64, .statements = 60, .first = 400200, .count = 100, .narrow = true, .subgroups = true)
VARIANT(narrow_pairs, .wave_size = 32, .first = 400300, .count = 100, .narrow = true, .mostly_16 = true)
VARIANT(narrow_spill, .wave_size = 64, .max_vgprs = 12, .first = 400500, .count = 60, .narrow = true)
VARIANT(narrow_quads, .wave_size = 32, .statements = 60, .first = 400700, .count = 60, .narrow = true, .quads = true)

/* ---- all of it at once ---- */

enum { WAVE64, LONG, SGPRS, VGPRS, PLAIN, NARROW, NO_LDS, ENDS, FLOW, SUBGROUPS, ATOMICS, HALVES, FLOATS, ADDRESSES };
static struct choice table[] = {
   [WAVE64] = {.name = "wave64", .values = 2},
   [LONG] = {.name = "long", .values = 2},
   [SGPRS] = {.name = "few SGPRs", .values = 2, .one_in = 4},
   [VGPRS] = {.name = "few VGPRs", .values = 2, .one_in = 4},
   [PLAIN] = {.name = "no optimisation", .values = 2, .one_in = 4},
   [NARROW] = {.name = "narrow target", .values = 2, .one_in = 4},
   [NO_LDS] = {.name = "no LDS for shuffles", .values = 2, .one_in = 4},
   [ENDS] = {.name = "ends", .values = 3},              /* 1: discards, 2: quads */
   [FLOW] = {.name = "flow", .values = 3, .one_in = 2}, /* 1: endless, 2: deep */
   [SUBGROUPS] = {.name = "subgroups", .values = 2, .one_in = 3},
   [ATOMICS] = {.name = "atomics", .values = 2, .one_in = 3},
   [HALVES] = {.name = "halves", .values = 2, .one_in = 3},
   [FLOATS] = {.name = "floats", .values = 3}, /* 1: of 32 bits, 2: of all sizes */
   [ADDRESSES] = {.name = "addresses", .values = 2, .one_in = 3},
};
static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};

static struct variant
drawn_variant(uint32_t seed)
{
   const unsigned *now = choices.now;
   choices_draw(&choices, seed);
   choices_count(&choices);
   drawn++;
   return (struct variant){
      .wave_size = now[WAVE64] ? 64 : 32,
      .statements = now[LONG] ? 60 : 0,
      .max_sgprs = now[SGPRS] ? 32 : 0,
      .max_vgprs = now[VGPRS] ? 20 : 0,
      .no_optimise = now[PLAIN],
      .narrow = now[NARROW],
      .no_shuffle_lds = now[NO_LDS],
      .discards = now[ENDS] == 1,
      .quads = now[ENDS] == 2,
      .endless = now[FLOW] == 1,
      .deep = now[FLOW] == 2,
      .subgroups = now[SUBGROUPS],
      .atomics = now[ATOMICS],
      .addresses = now[ADDRESSES],
      .mostly_16 = now[HALVES],
      .no_float = !now[FLOATS],
      .exact_of_all_sizes = now[FLOATS] == 2,
   };
}

static void
mixed(void **state)
{
   (void)state;
   table[WAVE64].values = aco_test_wave_size(32) == 32 ? 2 : 1;
   refusals = 0;
   run_seeds(NULL, 500000, 200, drawn_variant);
   assert_true(refusals * 50 <= drawn);
   if (!getenv("ACO_TEST_SEED"))
      assert_int_equal(choices_missing(&choices, stderr), 0);
}

/* What a target cannot do is an error that says so. */
static void
refused(void **state)
{
   (void)state;
   struct aco_target target = *aco_target(aco_test_chip()->gen);
   struct {
      bool *flag;
      unsigned *limit;
      const char *error;
   } lacks[] = {
      {.flag = &target.has_wave32, .error = "no waves of 32 lanes"},
      {.limit = &target.lds_B, .error = "bytes of LDS"},
      {.flag = &target.compiles, .error = "does not have this generation"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(lacks); i++) {
      struct arena arena = {0};
      const unsigned wave_size = lacks[i].flag == &target.has_wave32 ? 32 : aco_test_wave_size(32);
      struct nir_random_options options = {.seed = i, .workgroup_size = GROUP, .subgroup_size = wave_size};
      struct nir_shader *nir = aco_random_shader(&arena, &options);
      nir_lower_variables(nir);
      nir->info.shared_B = 1024;
      const struct aco_stage stage = aco_random_stage(nir);
      struct aco_options aco = aco_test_options(wave_size);
      struct aco_output program;
      const char *error = NULL;
      target = *aco_target(aco.gen);
      if (lacks[i].flag)
         *lacks[i].flag = false;
      else
         *lacks[i].limit = 1020;
      aco.target = &target;
      assert_false(aco_compile(&arena, &stage, &aco, &program, &error));
      assert_non_null(strstr(error, lacks[i].error));
      arena_free(&arena);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(wave32),         cmocka_unit_test(wave64),
      cmocka_unit_test(wave64_no_lds),  cmocka_unit_test(plain),
      cmocka_unit_test(floats),         cmocka_unit_test(float_signalling_nan),
      cmocka_unit_test(imod_min),       cmocka_unit_test(floats64),
      cmocka_unit_test(discards),       cmocka_unit_test(discards64),
      cmocka_unit_test(endless),        cmocka_unit_test(endless64),
      cmocka_unit_test(endless_ended),  cmocka_unit_test(deep),
      cmocka_unit_test(deep64),         cmocka_unit_test(deep_ended),
      cmocka_unit_test(deep_spill),     cmocka_unit_test(quads),
      cmocka_unit_test(quads64),        cmocka_unit_test(subgroups),
      cmocka_unit_test(subgroups64),    cmocka_unit_test(helpers),
      cmocka_unit_test(helpers64),      cmocka_unit_test(ended),
      cmocka_unit_test(ended64),        cmocka_unit_test(subgroups_spill),
      cmocka_unit_test(atomics),        cmocka_unit_test(atomics64),
      cmocka_unit_test(addresses),      cmocka_unit_test(addresses64),
      cmocka_unit_test(matrices),       cmocka_unit_test(matrices64),
      cmocka_unit_test(matrices_spill), cmocka_unit_test(float_sizes),
      cmocka_unit_test(float_modes),    cmocka_unit_test(float_modes64),
      cmocka_unit_test(pairs),          cmocka_unit_test(pairs64),
      cmocka_unit_test(float_pairs),    cmocka_unit_test(discards_spill),
      cmocka_unit_test(quads_spill),    cmocka_unit_test(few_vgprs),
      cmocka_unit_test(few_sgprs),      cmocka_unit_test(narrow),
      cmocka_unit_test(narrow64),       cmocka_unit_test(narrow_pairs),
      cmocka_unit_test(narrow_spill),   cmocka_unit_test(narrow_quads),
      cmocka_unit_test(mixed),          cmocka_unit_test(refused),
   };
   cmocka_set_test_filter(getenv("ACO_TEST_VARIANT"));
   return cmocka_run_group_tests(tests, NULL, NULL);
}

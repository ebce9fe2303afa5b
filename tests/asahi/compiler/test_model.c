/* Random programs, compiled and run on the modelled simd-groups, give what the nir interpreter gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agx_run.h"
#include "choices.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "share.h"
#include "sim/waves/pool.h"

#define GROUP 64

/* ---- one form of what nir leaves open ---- */

static bool
is_float(const struct nir_instr *instr)
{
   return instr->type == NIR_INSTR_ALU && nir_op_infos[nir_as_alu(instr)->op].dest_base == NIR_TYPE_FLOAT;
}

/* Denormals of 32 bits become zero with the sign: the hardware's arithmetic does that, the interpreter's does not. */
static struct nir_def *
flushed(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *exponent = nir_iand_imm(b, x, 0x7f800000);
   return nir_bcsel(b, nir_ieq_imm(b, exponent, 0), nir_iand_imm(b, x, 0x80000000), x);
}

static void
flush_sources(struct nir_shader *nir, struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   for (unsigned i = 0; i < info->num_srcs; i++) {
      struct nir_def *def = alu->src[i].src.def;
      if (info->src_base[i] != NIR_TYPE_FLOAT || def->bit_size != 32)
         continue;
      struct nir_builder b = nir_builder_at(nir, nir_before_instr(&alu->instr));
      nir_src_rewrite(&alu->src[i].src, flushed(&b, def));
   }
}

/* After float operations denormals are zero, and NaNs take the one form that the interpreter has. */
static void
settle_result(struct nir_shader *nir, struct nir_alu_instr *alu)
{
   struct nir_def *def = &alu->def, *form = def;
   struct nir_builder b = nir_builder_at(nir, nir_after_instr(&alu->instr));
   if (def->bit_size == 32)
      form = flushed(&b, def);
   if (alu->op == NIR_OP_fmin || alu->op == NIR_OP_fmax) /* of zeros with different signs: either */
      form = nir_bcsel(&b, nir_feq_imm(&b, form, 0), nir_imm_zero(&b, def->num_components, def->bit_size), form);
   if (alu->op != NIR_OP_fneg && alu->op != NIR_OP_fabs) {
      const uint64_t nan = def->bit_size == 16 ? 0x7e00 : 0x7fc00000;
      struct nir_def *unordered = nir_fneu(&b, form, form);
      form = nir_bcsel(&b, unordered, nir_imm_intN(&b, nan, def->bit_size), form);
   }
   if (form == def)
      return;
   for (struct nir_instr *instr = &alu->instr; instr != form->parent;) { /* the new ones keep the old value */
      instr = list_entry(instr->link.next, struct nir_instr, link);
      instr->pass_flags = 1;
   }
   nir_foreach_use_safe(use, def) {
      if (!use->parent_instr || !use->parent_instr->pass_flags)
         nir_src_rewrite(use, form);
   }
}

static void
settle_floats(struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block)
         instr->pass_flags = 0;
   }
   nir_foreach_block(block, nir) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->pass_flags || instr->type != NIR_INSTR_ALU)
            continue;
         flush_sources(nir, nir_as_alu(instr));
         if (is_float(instr))
            settle_result(nir, nir_as_alu(instr));
      }
   }
}

static struct nir_shader *
program_of(struct arena *arena, const struct nir_random_options *options, bool for_interpreter)
{
   struct nir_random_options own = *options;
   own.descriptors_as_args = true;
   struct nir_shader *nir = for_interpreter ? nir_random_shader(arena, &own) : agx_random_shader(arena, options);
   const uint32_t shared_B = nir->info.shared_B; /* the passes count variables only */
   nir_lower_variables(nir);
   if (!options->no_float)
      settle_floats(nir);
   if (!for_interpreter)
      nir_optimize(nir);
   nir->info.shared_B = shared_B;
   return nir;
}

static void
check(struct agx_wave_engine *engine, const struct nir_random_options *options, const struct agx_options *agx)
{
   struct arena arena = {0};
   uint8_t *expected = malloc(nir_random_out_size_B(options));
   struct nir_random_options own = *options;
   own.descriptors_as_args = true;
   const char *error = nir_random_execute(&arena, program_of(&arena, options, true), &own, expected);
   if (error)
      fail_msg("seed %u: the interpreter stops: %s", options->seed, error);
   struct nir_shader *nir = program_of(&arena, options, false);
   struct agx_output out = {0};
   if (getenv("AGX_TEST_PRINT"))
      nir_print(nir, stderr);
   if (!agx_compile(&arena, nir, agx, &out, &error))
      fail_msg("seed %u: %s", options->seed, error);
   if (agx->no_preamble_memory && out.preamble_scratch_B)
      fail_msg("seed %u: a preamble with private memory", options->seed);
   if (getenv("AGX_TEST_PRINT"))
      fprintf(stderr, "%s", out.ir ? out.ir : "");
   struct agx_run memory = agx_run_open(NIR_RANDOM_IN_B, nir_random_out_size_B(options), &out);
   nir_random_fill(options->seed, memory.in, NIR_RANDOM_IN_B);
   struct sim_fault fault = {0};
   if (!agx_run(&memory, engine, &out, GROUP, &fault)) {
      if (getenv("AGX_TEST_PRINT"))
         fprintf(stderr, "%s", out.listing);
      fail_msg("seed %u: %s", options->seed, fault.message);
   }
   error = nir_random_compare(&arena, options, expected, memory.out);
   if (error && getenv("AGX_TEST_PRINT"))
      fprintf(stderr, "%s", out.listing);
   if (error)
      fail_msg("%s", error);
   agx_run_close(&memory);
   free(expected);
   arena_free(&arena);
}

struct variant {
   unsigned registers_h, statements;
   uint32_t first, count;
   bool no_optimise, no_preamble, no_preamble_memory, no_float, endless, deep, subgroups, mostly_16, addresses;
};

static void
check_seed(struct agx_wave_engine *engine, const struct variant *v, uint32_t seed)
{
   const struct nir_random_options options = {
      .seed = seed,
      .workgroup_size = GROUP,
      .subgroup_size = 32,
      .only_exact_float = true,
      .no_float = v->no_float,
      .statements = v->statements,
      .subgroups = v->subgroups,
      .mostly_16 = v->mostly_16,
      .endless = v->endless,
      .deep = v->deep,
      .addresses = v->addresses,
   };
   struct agx_options agx = agx_test_options();
   agx.registers_max_h = v->registers_h;
   agx.no_optimise = v->no_optimise;
   agx.no_preamble = v->no_preamble;
   agx.no_preamble_memory = v->no_preamble_memory;
   agx.listing = true;
   agx.print_ir = getenv("AGX_TEST_PRINT") ? "selection,register_allocation" : NULL;
   check(engine, &options, &agx);
}

/* By hand: AGX_TEST_SEED=N runs one seed of the variants that have it, AGX_TEST_RANGE=FIRST:COUNT other seeds,
 * AGX_TEST_VARIANT=PATTERN only some variants; AGX_TEST_PRINT=1 prints the program. --full runs five times as many.
 * v: NULL draws one for each seed. */
static bool full;

static void
run_seeds(const struct variant *v, uint32_t first, uint32_t count, struct variant (*drawn)(uint32_t seed))
{
   struct sim_pool *pool = sim_pool_create(1);
   struct agx_wave_engine *engine = agx_wave_engine_create(pool);
   count = full ? 5 * count : count;
   if (!nir_random_seeds("AGX", &first, &count))
      fail_msg("AGX_TEST_RANGE is not FIRST:COUNT");
   for (uint32_t seed = first; seed < first + count; seed++) {
      struct variant own = v ? *v : drawn(seed);
      check_seed(engine, &own, seed);
   }
   agx_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
}

static void
run_variant(const struct variant *v)
{
   run_seeds(v, v->first, test_share_of(v->count), NULL);
}

#define VARIANT(name, ...)                                                                                           \
   static void name(void **state)                                                                                    \
   {                                                                                                                 \
      (void)state;                                                                                                   \
      run_variant(&(struct variant){__VA_ARGS__});                                                                   \
   }
VARIANT(integers, .count = 800, .no_float = true)
VARIANT(plain, .first = 10000, .count = 100, .no_float = true, .no_optimise = true)
VARIANT(floats, .first = 20000, .count = 500)
VARIANT(subgroups, .first = 30000, .count = 200, .statements = 60, .no_float = true, .subgroups = true)
VARIANT(halves, .first = 50000, .count = 200, .statements = 60, .mostly_16 = true)
VARIANT(addresses, .first = 51000, .count = 100, .statements = 60, .addresses = true)
VARIANT(tight, .first = 40000, .count = 150, .registers_h = 32)
VARIANT(no_preamble, .first = 11000, .count = 80, .no_preamble = true)
VARIANT(no_preamble_memory, .first = 40000, .count = 40, .registers_h = 32, .no_preamble_memory = true)
VARIANT(endless, .first = 65000, .count = 50, .statements = 60, .no_float = true, .endless = true)
VARIANT(deep, .first = 60000, .count = 20, .no_float = true, .deep = true)

/* ---- all of it at once ---- */

enum { PLAIN, FLOATS, SUBGROUPS, HALVES, TIGHT, LONG, PREAMBLE, FLOW, ADDRESSES };
static const struct choice table[] = {
   [PLAIN] = {.name = "no optimisation", .values = 2, .one_in = 4},
   [FLOATS] = {.name = "floats", .values = 2},
   [SUBGROUPS] = {.name = "subgroups", .values = 2, .one_in = 3},
   [HALVES] = {.name = "halves", .values = 2, .one_in = 3},
   [TIGHT] = {.name = "few registers", .values = 2, .one_in = 3},
   [LONG] = {.name = "long", .values = 2},
   [PREAMBLE] = {.name = "preamble", .values = 3, .one_in = 2}, /* 1: without, 2: without memory */
   [FLOW] = {.name = "flow", .values = 3, .one_in = 2},         /* 1: endless, 2: deep */
   [ADDRESSES] = {.name = "addresses", .values = 2, .one_in = 3},
};
static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};

static struct variant
drawn_variant(uint32_t seed)
{
   const unsigned *now = choices.now;
   choices_draw(&choices, seed);
   choices_count(&choices);
   return (struct variant){
      .no_optimise = now[PLAIN],
      .no_float = !now[FLOATS],
      .subgroups = now[SUBGROUPS],
      .mostly_16 = now[HALVES],
      .registers_h = now[TIGHT] ? 32 : 0,
      .statements = now[LONG] ? 60 : 0,
      .no_preamble = now[PREAMBLE] == 1,
      .no_preamble_memory = now[PREAMBLE] == 2,
      .endless = now[FLOW] == 1,
      .deep = now[FLOW] == 2,
      .addresses = now[ADDRESSES],
   };
}

static void
mixed(void **state)
{
   (void)state;
   run_seeds(NULL, 70000, 150, drawn_variant);
   if (!getenv("AGX_TEST_SEED"))
      assert_int_equal(choices_missing(&choices, stderr), 0);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(tight),     cmocka_unit_test(integers),
      cmocka_unit_test(plain),     cmocka_unit_test(floats),
      cmocka_unit_test(subgroups), cmocka_unit_test(halves),
      cmocka_unit_test(deep),      cmocka_unit_test(no_preamble),
      cmocka_unit_test(endless),   cmocka_unit_test(no_preamble_memory),
      cmocka_unit_test(mixed),     cmocka_unit_test(addresses),
   };
   full = argc > 1 && !strcmp(argv[1], "--full");
   cmocka_set_test_filter(getenv("AGX_TEST_VARIANT"));
   return cmocka_run_group_tests(tests, NULL, NULL);
}

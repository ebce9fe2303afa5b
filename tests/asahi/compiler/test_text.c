/* The machine IR as text: what is printed after each phase reads back to the same text and compiles to the same
 * bytes; other text gets an error, or compiles; never a crash (the sanitizers watch). Seeded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "agx_random.h"
#include "choices.h"
#include "compiler/nir/nir_passes.h"
#include "machine_text.h"
#include "util/macros.h"

static const char phases[] =
   "selection,optimise,cse,dead_code,schedule,spill,register_allocation,lower_copies,lower_cf,waits,last_use";
#define NUM_PHASES 11
#define HEAD_OF_TEXT "agx compute after" /* not those of preambles */

enum { TIGHT, NO_OPTIMISE, SUBGROUPS, MOSTLY_16, PROGRAMS = 60, TEXTS = 8 };
static const struct choice table[] = {
   [TIGHT] = {.name = "few registers", .values = 2, .one_in = 3},
   [NO_OPTIMISE] = {.name = "no optimisation", .values = 2, .one_in = 3},
   [SUBGROUPS] = {.name = "subgroups", .values = 2, .one_in = 3},
   [MOSTLY_16] = {.name = "mostly_16", .values = 2, .one_in = 3},
};
static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};

/* Of the last random program; in its arena. */
static struct agx_output direct;

/* The texts after all phases, one after the other. */
static const char *
texts_of(struct arena *arena, uint32_t seed)
{
   choices_draw(&choices, seed);
   const unsigned *now = choices.now;
   const struct nir_random_options options = {.seed = seed,
                                              .workgroup_size = 64,
                                              .subgroup_size = 32,
                                              .only_exact_float = true,
                                              .statements = now[TIGHT] ? 60 : 0,
                                              .subgroups = now[SUBGROUPS],
                                              .mostly_16 = now[MOSTLY_16]};
   struct nir_shader *nir = agx_random_shader(arena, &options);
   nir_lower_variables(nir);
   nir_optimize(nir);
   struct agx_options agx = agx_test_options();
   agx.registers_max_h = now[TIGHT] ? 32 : 0;
   agx.no_optimise = now[NO_OPTIMISE];
   agx.print_ir = phases;
   const char *error;
   if (!agx_compile(arena, nir, &agx, &direct, &error))
      fail_msg("seed %u: %s", seed, error);
   return direct.ir;
}

static void
check_text(const char *text, uint32_t seed)
{
   struct arena arena = {0};
   struct agx_output out;
   const char *error;
   const struct agx_options options = {.print_ir = "selection", .no_optimise = choices.now[NO_OPTIMISE]};
   if (!agx_compile_text(&arena, text, &options, &out, &error))
      fail_msg("seed %u: %s\n%s", seed, error, text);
   assert_string_equal(out.ir, text);
   assert_int_equal(out.code_B, direct.code_B);
   assert_memory_equal(out.code, direct.code, direct.code_B);
   assert_int_equal(out.preamble_B, direct.preamble_B);
   if (direct.preamble)
      assert_memory_equal(out.preamble, direct.preamble, direct.preamble_B);
   assert_int_equal(out.registers_h, direct.registers_h);
   assert_int_equal(out.uniforms_h, direct.uniforms_h);
   assert_int_equal(out.scratch_B, direct.scratch_B);
   assert_int_equal(out.constant_count, direct.constant_count);
   assert_int_equal(out.data_B, direct.data_B);
   if (direct.data_B)
      assert_memory_equal(out.data, direct.data, direct.data_B);
   assert_int_equal(out.data_h, direct.data_h);
   assert_int_equal(out.stats.spills, direct.stats.spills);
   arena_free(&arena);
}

/* ---- other texts ---- */

static bool
compile(struct arena *arena, const char *text, bool listing, const char **ir, const char **error)
{
   const struct agx_options options = {.listing = listing, .print_ir = "selection"};
   struct agx_output out;
   const bool ok = agx_compile_text(arena, text, &options, &out, error);
   *ir = out.ir;
   return ok;
}

static const struct machine_text backend = {HEAD_OF_TEXT, PROGRAMS, NUM_PHASES, TEXTS, texts_of, check_text, compile};

static void
random_programs(void **state)
{
   (void)state;
   machine_text_round_trip(&backend, &choices);
}

static void
mutated_texts(void **state)
{
   (void)state;
   machine_text_mutate(&backend);
}

static void
errors_name_the_place(void **state)
{
   (void)state;
#define HEAD "agx compute after selection\n num_values=9 registers_max_h=256\n"
   static const struct {
      const char *text, *error;
   } rows[] = {
      {"", "line 0: there is no program"},
      {"aco", "line 1: a program begins with agx STAGE after PHASE"},
      {"agx kitchen after selection", "line 1: there is no such stage"},
      {"agx compute after lunch\nnum_values=1\nblock 0:\n", "a text has a program and its preamble, after one phase"},
      {HEAD "block 1:", "line 3: blocks are numbered one after another"},
      {HEAD "nonsense", "line 3: an instruction stands outside of blocks"},
      {HEAD "block 0: 7", "line 3: there is no such predecessor"},
      {HEAD "block 0:\n wrong %1:32", "line 4: there is no such operation"},
      {HEAD "block 0:\n %1 = ldimm32", "line 4: an operand has no size"},
      {HEAD "block 0:\n %9:32 = ldimm32", "line 4: there is no such value"},
      {HEAD "block 0:\n %1:32 = ldimm32 colour=3", "line 4: there is no such modifier"},
      {HEAD "block 0:\n %1:32 = ldimm32\n %2:32 = iadd %1:64, #1", "line 5: a value has two sizes"},
      {HEAD "block 0:\n %1:32 = iadd %2:32, #1",
       "after selection: block 0: %1:32 = iadd %2:32, #1: a value is read that is not defined"},
      {HEAD "block 0:\n %1:32 = iadd #1, #256",
       "after selection: block 0: %1:32 = iadd #1, #256: it has no encoding"},
      {HEAD "block 0:\n endif", "after selection: block 0: endif: nothing is open that it continues"},
      {HEAD "block 0:\n loop\nblock 1: 0\n", "after selection: block 1: something is open at the end"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
      machine_text_refused(&backend, rows[i].text, rows[i].error);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs),
      cmocka_unit_test(errors_name_the_place),
      cmocka_unit_test(mutated_texts),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

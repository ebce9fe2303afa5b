/* The machine IR as text: what is printed after each phase reads back to the same text and compiles to the same
 * words; other text gets an error with its place, or compiles; never a crash (the sanitizers watch). Seeded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "aco_random.h"
#include "choices.h"
#include "compiler/nir/nir_passes.h"
#include "machine_text.h"
#include "util/arena.h"
#include "util/macros.h"

#define PHASES "selection,dead_code,optimise,schedule,spill,register_allocation,lower_copies,preserve_lanes,waits," \
               "clauses,pairs,hazards,delays"
#define NUM_PHASES 13
#define HEAD_OF_TEXT "aco "

static const char header[] = "aco gfx1030 compute after selection\n wave_size=32 num_temps=9\n";

enum { WAVE64, FEW_SGPRS, FEW_VGPRS, NO_OPTIMISE, ENDS, SUBGROUPS, PROGRAMS = 90, TEXTS = 12 };
static struct choice table[] = {
   [WAVE64] = {.name = "wave64", .values = 2},
   [FEW_SGPRS] = {.name = "few SGPRs", .values = 2, .one_in = 4},
   [FEW_VGPRS] = {.name = "few VGPRs", .values = 2, .one_in = 4},
   [NO_OPTIMISE] = {.name = "no optimisation", .values = 2, .one_in = 4},
   [ENDS] = {.name = "discards", .values = 3, .one_in = 2}, /* 2: and quads */
   [SUBGROUPS] = {.name = "subgroups", .values = 2, .one_in = 3},
};
static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};

/* Of the last random program; in its arena. */
static struct aco_output direct;

/* The texts after all phases, one after the other. */
static const char *
texts_of(struct arena *arena, uint32_t seed)
{
   choices_draw(&choices, seed);
   const unsigned *now = choices.now, wave_size = aco_test_wave_size(now[WAVE64] ? 64 : 32);
   struct nir_random_options options = {.seed = seed,
                                        .workgroup_size = 64,
                                        .subgroup_size = wave_size,
                                        .statements = now[FEW_SGPRS] || now[FEW_VGPRS] ? 60 : 0,
                                        .discards = now[ENDS],
                                        .quads = now[ENDS] == 2,
                                        .subgroups = now[SUBGROUPS]};
   struct nir_shader *nir = aco_random_shader(arena, &options);
   nir_lower_variables(nir);
   nir_optimize(nir);
   const struct aco_stage stage = aco_random_stage(nir);
   struct aco_options aco = aco_test_options(wave_size);
   aco.max_sgprs = now[FEW_SGPRS] ? 32 : 0;
   aco.max_vgprs = now[FEW_VGPRS] ? 12 : 0;
   aco.no_optimise = now[NO_OPTIMISE];
   aco.print_ir = PHASES;
   const char *error;
   if (!aco_compile(arena, &stage, &aco, &direct, &error))
      fail_msg("seed %u: %s", seed, error);
   return direct.ir;
}

static void
check_text(const char *text, uint32_t seed)
{
   struct arena arena = {0};
   struct aco_output out;
   const char *error;
   const struct aco_options options = {.print_ir = "selection"};
   if (!aco_compile_text(&arena, text, &options, &out, &error))
      fail_msg("seed %u: %s\n%s", seed, error, text);
   assert_string_equal(out.ir, text);
   assert_int_equal(out.exec_dw, direct.exec_dw);
   assert_int_equal(out.code_dw, direct.code_dw);
   assert_memory_equal(out.code, direct.code, direct.code_dw * 4);
   assert_int_equal(out.num_vgprs, direct.num_vgprs);
   assert_int_equal(out.scratch_B, direct.scratch_B);
   assert_int_equal(out.lds_B, direct.lds_B);
   assert_int_equal(out.float_mode, direct.float_mode);
   assert_int_equal(out.stats.spilled_sgprs + out.stats.spilled_vgprs,
                    direct.stats.spilled_sgprs + direct.stats.spilled_vgprs);
   arena_free(&arena);
}

/* ---- other texts ---- */

static bool
compile(struct arena *arena, const char *text, bool listing, const char **ir, const char **error)
{
   const struct aco_options options = {.listing = listing, .print_ir = "selection"};
   struct aco_output out;
   const bool ok = aco_compile_text(arena, text, &options, &out, error);
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
   static const struct {
      const char *text, *error;
      bool headless; /* the text is all */
   } rows[] = {
      {"", "line 1, column 1: aco expected", true},
      {"aco gfx9000", "line 1, column 5: a target that the compiler has expected, such as gfx1030", true},
      {"aco gfx1030 compute after lunch\nwave_size=32 num_temps=1 block 0: logical, linear\nend",
       "there is no such phase", true},
      {"aco gfx1030 compute after selection\nwave_size=48 num_temps=1\nblock 0",
       "line 3, column 1: wave_size must be 64, or 32 where there are such waves", true},
      {"", "line 3, column 1: block expected", false},
      {"block 1:", "line 3, column 7: blocks count from 0 on", false},
      {"block 0: logical, linear\n  v_mov_b33 %1", "line 4, column 3: operation or end of the block expected", false},
      {"block 0: logical, linear\n  s_nop simm16=65536\nend", "line 4, column 16: the number is too large here",
       false},
      {"block 0: logical, linear\n  %1:v99 = p_startpgm\nend", "line 4, column 6: a class has 1 to 16 registers",
       false},
      {"block 0: logical, linear\n  %1:v2!v255 = p_startpgm\nend",
       "line 4, column 9: there are no registers after v255", false},
      {"block 0: logical, linear\n  p_startpgm\n  %9:s1 = s_mov_b32 0x0\nend",
       "line 5, column 3: values count from 1 to below num_temps", false},
      {"block 0: logical, linear\n  p_startpgm\n  %1:s1 = s_mov_b32 %2\nend",
       "line 5, column 21: nothing defines this value", false},
      {"block 0: logical, linear\n  p_startpgm\n  jump 7", "line 5, column 8: there is no such block", false},
      {"block 0: logical, linear\n  p_startpgm\n  %1:s1 = s_mov_b32\nend",
       "block 0: %1:s1 = s_mov_b32: has another number of operands", false},
      {"block 0: logical, linear\n  p_startpgm\n  %1:s2 = s_mov_b32 0x0\nend",
       "after selection: block 0: %1:s2 = s_mov_b32 0x0: the result has the wrong size", false},
      {"block 0: logical, linear\n  p_startpgm\n  jump 1\nblock 1: logical, linear\n end",
       "block 0 goes to a block that does not have it as a linear predecessor", false},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena arena = {0};
      machine_text_refused(&backend, arena_printf(&arena, "%s%s", rows[i].headless ? "" : header, rows[i].text),
                           rows[i].error);
      arena_free(&arena);
   }
}

int
main(void)
{
   table[WAVE64].values = aco_test_wave_size(32) == 32 ? 2 : 1;
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs),
      cmocka_unit_test(errors_name_the_place),
      cmocka_unit_test(mutated_texts),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

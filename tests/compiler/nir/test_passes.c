/* Each single pass, and the pipelines: random programs stay valid, read back from their text and compute the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "choices.h"
#include "compiler/nir/nir_passes.h"
#include "nir_random.h"
#include "share.h"
#include "util/macros.h"

static void
expect_valid(const struct nir_shader *shader, uint32_t seed, const char *when)
{
   const char *error = nir_validate(shader);
   if (error) {
      nir_print(shader, stderr);
      fail_msg("seed %u: invalid %s: %s", seed, when, error);
   }
}

static void
text_fixpoint(void **state)
{
   for (uint32_t seed = 0; seed < test_share_of(2000); seed++) {
      struct arena arena = {};
      const struct nir_random_options options = {.seed = seed};
      struct nir_shader *shader = nir_random_shader(&arena, &options);
      expect_valid(shader, seed, "as generated");
      char *first = nir_shader_text(shader);
      const char *error;
      struct nir_shader *read = nir_parse(&arena, first, &error);
      if (!read)
         fail_msg("seed %u: %s\n%s", seed, error, first);
      char *second = nir_shader_text(read);
      assert_string_equal(first, second);
      free(first);
      free(second);
      arena_free(&arena);
   }
}

typedef void (*transform)(struct nir_shader *shader);

enum { HALTS, ENDLESS, DEEP };
static const struct choice pass_table[] = {
   [HALTS] = {.name = "halts", .values = 2, .one_in = 3},
   [ENDLESS] = {.name = "endless", .values = 2, .one_in = 5},
   [DEEP] = {.name = "deep", .values = 2, .one_in = 12},
};

/* prepare brings the program into the form the pass takes; then the pass may change anything but the results. Many
 * programs have all pairs of choices. */
static void
check_pass(transform prepare, transform pass, uint32_t first_seed, uint32_t count, const char *name, bool mostly_16)
{
   struct choices choices = {.table = pass_table, .count = ARRAY_SIZE(pass_table)};
   count = test_share_of(count);
   for (uint32_t seed = first_seed; seed < first_seed + count; seed++) {
      struct arena arena = {};
      choices_draw(&choices, seed);
      choices_count(&choices);
      const struct nir_random_options options = {.seed = seed,
                                                 .halts = choices.now[HALTS],
                                                 .mostly_16 = mostly_16,
                                                 .endless = choices.now[ENDLESS],
                                                 .deep = choices.now[DEEP]};
      uint32_t size_B = nir_random_out_size_B(&options);
      uint8_t *before = malloc(size_B), *after = malloc(size_B);
      struct nir_shader *shader = nir_random_shader(&arena, &options);
      prepare(shader);
      char *text = nir_shader_text(shader);
      const char *error = nir_random_execute(&arena, shader, &options, before);
      if (error)
         fail_msg("seed %u before %s: %s\n%s", seed, name, error, text);
      pass(shader);
      expect_valid(shader, seed, name);
      error = nir_random_execute(&arena, shader, &options, after);
      if (error)
         fail_msg("seed %u after %s: %s", seed, name, error);
      if (memcmp(before, after, size_B)) {
         fprintf(stderr, "%s--------\n", text);
         nir_print(shader, stderr);
         for (uint32_t i = 0; i < size_B; i += 4) {
            if (memcmp(before + i, after + i, 4))
               fprintf(stderr, "lane %u byte %u: %08x became %08x\n", i / NIR_RANDOM_OUT_LANE_B,
                       i % NIR_RANDOM_OUT_LANE_B, *(uint32_t *)(before + i), *(uint32_t *)(after + i));
         }
         fail_msg("seed %u: %s changes the results", seed, name);
      }
      free(text);
      free(before);
      free(after);
      arena_free(&arena);
   }
   if (count >= 200)
      assert_int_equal(choices_missing(&choices, stderr), 0);
}

static void
scratch(struct nir_shader *shader)
{
   nir_lower_initializers(shader);
   nir_lower_vars_to_scratch(shader);
   nir_lower_explicit_io(shader);
}

static void
values(struct nir_shader *shader)
{
   nir_lower_constant_tables(shader, 16);
   nir_lower_initializers(shader);
   nir_lower_vars_to_ssa(shader);
   nir_lower_indirect_derefs(shader, 64);
   nir_lower_vars_to_ssa(shader);
   nir_lower_vars_to_scratch(shader);
   nir_lower_explicit_io(shader);
}

static void
scalar(struct nir_shader *shader)
{
   values(shader);
   nir_lower_alu_to_scalar(shader);
   nir_lower_phis_to_scalar(shader);
   nir_opt_copy_prop(shader);
}

#define PASS(name, call)                                                                                             \
   static void name(struct nir_shader *shader)                                                                       \
   {                                                                                                                 \
      call;                                                                                                          \
   }                                                                                                                 \
   static void test_##name(void **state)                                                                             \
   {                                                                                                                 \
      check_pass(values, name, 10000, 200, #name, false);                                                            \
      check_pass(scalar, name, 20000, 200, #name, false);                                                            \
   }

PASS(to_scalar, (nir_lower_alu_to_scalar(shader), nir_lower_phis_to_scalar(shader)))
PASS(constant_folding, nir_opt_constant_folding(shader))
PASS(copy_prop, nir_opt_copy_prop(shader))
PASS(algebraic, (nir_opt_algebraic(shader), nir_opt_algebraic_late(shader)))
PASS(loop_unroll, (nir_opt_constant_folding(shader), nir_opt_copy_prop(shader), nir_opt_loop_unroll(shader, 2000)))
PASS(vectorize, (nir_opt_constant_folding(shader), nir_opt_cse(shader), nir_opt_load_store_vectorize(shader)))

static void
pair_16bit(struct nir_shader *shader)
{
   nir_opt_pair_16bit(shader);
}

static void
test_pair_16bit(void **state)
{
   check_pass(scalar, pair_16bit, 20000, 300, "pair_16bit", true);
}

PASS(cse, nir_opt_cse(shader))
PASS(dce, nir_opt_dce(shader))
PASS(dead_cf, (nir_opt_constant_folding(shader), nir_opt_dead_cf(shader)))
PASS(undef, nir_opt_undef(shader))
PASS(remove_phis, nir_remove_phis(shader))
PASS(peephole_select, nir_opt_peephole_select(shader, 20))
PASS(lcssa, nir_lower_to_lcssa(shader))
PASS(optimize, nir_optimize(shader))

/* INDIUM_DEBUG=no:PASS (all that can be left out): the other passes do not count on it. */
static void
left_out(void **state)
{
   static const char *const passes[] = {"nir_opt_algebraic",
                                        "nir_opt_conditional_discard",
                                        "nir_opt_constant_folding",
                                        "nir_opt_copy_prop",
                                        "nir_opt_cse",
                                        "nir_opt_dead_cf",
                                        "nir_opt_load_store_vectorize",
                                        "nir_opt_loop_unroll",
                                        "nir_opt_peephole_select",
                                        "nir_opt_undef",
                                        "nir_remove_phis"};
   for (uint32_t i = 0; i < ARRAY_SIZE(passes); i++) {
      char words[64];
      snprintf(words, sizeof(words), "no:%s", passes[i]);
      setenv("INDIUM_DEBUG", words, 1);
      check_pass(values, nir_optimize, 40000 + 20 * i, 20, words, false);
   }
   unsetenv("INDIUM_DEBUG");
}

/* The same program with its variables in memory and as values. */
static void
vars_to_ssa(void **state)
{
   for (uint32_t seed = 0; seed < test_share_of(500); seed++) {
      struct arena arena = {};
      const struct nir_random_options options = {.seed = seed};
      uint32_t size_B = nir_random_out_size_B(&options);
      uint8_t *memory = malloc(size_B), *ssa = malloc(size_B);
      struct nir_shader *shader = nir_random_shader(&arena, &options);
      scratch(shader);
      expect_valid(shader, seed, "in scratch");
      assert_null(nir_random_execute(&arena, shader, &options, memory));
      shader = nir_random_shader(&arena, &options);
      values(shader);
      expect_valid(shader, seed, "in values");
      const char *error = nir_random_execute(&arena, shader, &options, ssa);
      if (error || memcmp(memory, ssa, size_B)) {
         nir_print(shader, stderr);
         fail_msg("seed %u: values differ from memory: %s", seed, error ? error : "");
      }
      free(memory);
      free(ssa);
      arena_free(&arena);
   }
}

/* What the divergence analysis calls uniform is equal in all lanes that compute it; and it does not call all
 * divergent. */
static void
divergence(void **state)
{
   enum { IN_SCRATCH = HALTS + 1, OPTIMIZED };
   static const struct choice table[] = {
      [HALTS] = {.name = "halts", .values = 2, .one_in = 3},
      [IN_SCRATCH] = {.name = "in scratch", .values = 2},
      [OPTIMIZED] = {.name = "optimized", .values = 2, .one_in = 3},
   };
   static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};
   uint32_t uniform = 0, values_seen = 0;
   for (uint32_t seed = 30000; seed < 30000 + test_share_of(1500); seed++) {
      struct arena arena = {};
      choices_draw(&choices, seed);
      choices_count(&choices);
      const struct nir_random_options options = {
         .seed = seed, .check_uniform = true, .workgroup_size = 64, .halts = choices.now[HALTS]};
      uint8_t *out = malloc(nir_random_out_size_B(&options));
      struct nir_shader *shader = nir_random_shader(&arena, &options);
      if (choices.now[IN_SCRATCH])
         scratch(shader);
      else
         values(shader);
      if (choices.now[OPTIMIZED])
         nir_optimize(shader);
      nir_lower_to_lcssa(shader);
      nir_divergence_analysis(shader);
      nir_foreach_block(block, shader) {
         nir_foreach_instr(instr, block) {
            const struct nir_def *def = nir_instr_def(instr);
            values_seen += def && instr->type != NIR_INSTR_LOAD_CONST;
            uniform += def && instr->type != NIR_INSTR_LOAD_CONST && !def->divergent;
         }
      }
      const char *error = nir_random_execute(&arena, shader, &options, out);
      if (error) {
         nir_print(shader, stderr);
         fail_msg("seed %u: %s", seed, error);
      }
      free(out);
      arena_free(&arena);
   }
   assert_true(uniform * 5 > values_seen);
   assert_int_equal(choices_missing(&choices, stderr), 0);
}

/* After a branch that lanes part at, a uniform value from one side and nothing from the other is not uniform: no
 * lane surely has it. */
static void
divergence_of_undefined(void **state)
{
   static const char text[] = "shader compute \"main\"\ninfo workgroup_size=64,1,1\n{\nblock b0:\n"
                              "   32x1 %0 = load_local_invocation_index()\n"
                              "   32x3 %1 = load_workgroup_id()\n"
                              "   32x1 %2 = const 0x1\n"
                              "   1x1 %3 = ult %0, %2\n"
                              "   32x1 %4 = undef\n"
                              "   32x1 %5 = mov %1.x\n"
                              "   if %3 {\n   block b1:\n   } else {\n   block b2:\n   }\n"
                              "block b3:\n"
                              "   32x1 %6 = phi b1: %5, b2: %4\n"
                              "   32x1 %7 = phi b1: %5, b2: %5\n}\n";
   struct arena arena = {};
   const char *error = NULL;
   struct nir_shader *shader = nir_parse(&arena, text, &error);
   if (!shader)
      fail_msg("%s", error);
   nir_divergence_analysis(shader);
   unsigned phis = 0;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_PHI)
            assert_int_equal(nir_instr_def(instr)->divergent, phis++ == 0);
      }
   }
   assert_int_equal(phis, 2);
   arena_free(&arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(divergence),
      cmocka_unit_test(divergence_of_undefined),
      cmocka_unit_test(text_fixpoint),
      cmocka_unit_test(left_out),
      cmocka_unit_test(vars_to_ssa),
      cmocka_unit_test(test_to_scalar),
      cmocka_unit_test(test_constant_folding),
      cmocka_unit_test(test_copy_prop),
      cmocka_unit_test(test_cse),
      cmocka_unit_test(test_vectorize),
      cmocka_unit_test(test_pair_16bit),
      cmocka_unit_test(test_algebraic),
      cmocka_unit_test(test_loop_unroll),
      cmocka_unit_test(test_dce),
      cmocka_unit_test(test_dead_cf),
      cmocka_unit_test(test_undef),
      cmocka_unit_test(test_remove_phis),
      cmocka_unit_test(test_peephole_select),
      cmocka_unit_test(test_lcssa),
      cmocka_unit_test(test_optimize),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What compilation makes of a construct on the way grows as the construct does: twice of it gives about twice as
 * much. Counts, not times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/compiler/aco_ir.h"
#include "amd/hw/chips.h"
#include "asahi/compiler/agx_ir.h"
#include "asahi/hw/chips.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "constructs.h"
#include "gallium/drivers/asahi/agx_shader_standalone.h"
#include "gallium/drivers/radeonsi/si_shader_standalone.h"
#include "util/within_memory.h"

struct row {
   const char *name;
   uint32_t size, most; /* most: of what is counted, for each of size */
   uint32_t (*count)(struct arena *arena, struct nir_shader *nir);
};

struct trial {
   const struct row *row;
   uint32_t counted;
};

static const struct construct *
construct_by_name(const char *name)
{
   const struct construct *const lists[] = {constructs_flow, constructs_types, constructs_calls};
   for (unsigned i = 0; i < 3; i++) {
      for (const struct construct *c = lists[i]; c->name; c++) {
         if (!strcmp(c->name, name))
            return c;
      }
   }
   fail_msg("no construct %s", name);
   return NULL;
}

/* As soon as variables are values, before any of them is removed. */
static uint32_t
count_phis(struct arena *arena, struct nir_shader *nir)
{
   (void)arena;
   uint32_t count = 0;
   nir_lower_initializers(nir);
   nir_lower_copies(nir);
   nir_opt_constant_folding(nir);
   nir_opt_copy_prop(nir);
   nir_lower_vars_to_ssa(nir);
   assert_null(nir_validate(nir));
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block)
         count += instr->type == NIR_INSTR_PHI;
   }
   return count;
}

/* Words of the sets of live values, of the program that instruction selection leaves. */
static uint32_t
count_live_amd(struct arena *arena, struct nir_shader *nir)
{
   struct aco_stage stage;
   struct si_shader_options *options = si_shader_standalone_options(amd_chip_by_name("navi21"), nir, &stage);
   struct aco_output out;
   const char *error = NULL, *phase;
   options->aco.print_ir = "selection";
   if (!si_shader_try_compile(arena, &stage, options, &out, &error))
      fail_msg("%s", error);
   struct aco_program *program = aco_parse(arena, out.ir, &options->aco, &phase, &error);
   if (!program)
      fail_msg("%s", error);
   aco_liveness(program);
   return (uint32_t)live_words(&program->live, program->num_blocks);
}

static uint32_t
count_live_agx(struct arena *arena, struct nir_shader *nir)
{
   struct agx_output out;
   const struct agx_options options = {0};
   const char *error = NULL, *phase;
   unsigned line = 0;
   if (!agx_shader_standalone_compile(arena, agx_chip_by_name("m1"), nir, "selection", &out, &error))
      fail_msg("%s", error);
   struct agx_ir *ir = agx_parse(arena, &out.ir, &options, &line, &phase, &error);
   if (!ir)
      fail_msg("%s", error);
   agx_liveness(ir);
   return (uint32_t)live_words(&ir->live, ir->num_blocks);
}

/* What translation copies counts as work, of which a module may have 4 million: it fails if each insert copies the
 * whole array. */
static uint32_t
count_nothing(struct arena *arena, struct nir_shader *nir)
{
   (void)arena;
   (void)nir;
   return 0;
}

static void
run_trial(void *data)
{
   struct trial *t = data;
   struct arena arena = {0};
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   const char *error = NULL;
   struct spv_words words = construct_module(construct_by_name(t->row->name), t->row->size, 1);
   struct nir_shader *nir = spirv_to_nir(&arena, words.at, words.count, &options, &error);
   if (!nir)
      fail_msg("%s: %s", t->row->name, error);
   t->counted = t->row->count(&arena, nir);
   arena_free(&arena);
   free(words.at);
}

static void
hold(const struct row *rows, unsigned count)
{
   bool failed = false;
   for (unsigned i = 0; i < count; i++) {
      struct trial t = {.row = &rows[i]};
      assert_true(within_memory_on_stack(SPIRV_DEEP_STACK_B, run_trial, &t));
      if (t.counted > rows[i].most * rows[i].size) {
         print_error("%s %u: %u, more than %u each\n", rows[i].name, rows[i].size, t.counted, rows[i].most);
         failed = true;
      }
   }
   assert_false(failed);
}

/* A value that a loop or selection does not write needs no phi there: of the counters of nested loops each has one.
 */
static void
test_phis(void **state)
{
   (void)state;
   static const struct row rows[] = {
      {"nested_loops", 20, 3, count_phis},   {"nested_loops", 200, 3, count_phis},
      {"loops", 200, 3, count_phis},         {"nested_ifs", 200, 2, count_phis},
      {"nested_breaks", 200, 2, count_phis}, {"ifs_in_sequence", 200, 1, count_phis},
   };
   hold(rows, sizeof(rows) / sizeof(rows[0]));
}

/* Few values live at the same place: the sets grow as the blocks do, not as the product of blocks and values. */
static void
test_live_sets(void **state)
{
   (void)state;
   static const struct row rows[] = {
      {"loops", 100, 60, count_live_amd},  {"loops", 1000, 60, count_live_amd}, {"loops", 100, 30, count_live_agx},
      {"loops", 1000, 30, count_live_agx}, {"ifs", 2000, 20, count_live_amd},   {"ifs", 2000, 20, count_live_agx},
   };
   hold(rows, sizeof(rows) / sizeof(rows[0]));
}

static void
test_work(void **state)
{
   (void)state;
   static const struct row rows[] = {{"inserts", 16383, 0, count_nothing}, {"spec_inserts", 16383, 0, count_nothing}};
   hold(rows, sizeof(rows) / sizeof(rows[0]));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_phis), cmocka_unit_test(test_live_sets),
                                      cmocka_unit_test(test_work)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

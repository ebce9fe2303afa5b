/* What compilation makes of a construct on the way grows as the construct does: twice of it gives about twice as
 * much. Counts, not times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_passes.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "constructs.h"
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
      {"nested_loops", 20, 3, count_phis}, {"nested_loops", 200, 3, count_phis},  {"loops", 200, 3, count_phis},
      {"nested_ifs", 200, 2, count_phis},  {"nested_breaks", 200, 2, count_phis}, {"ifs_beside", 200, 1, count_phis},
   };
   hold(rows, sizeof(rows) / sizeof(rows[0]));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_phis)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

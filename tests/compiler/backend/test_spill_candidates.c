/* The cheapest live value against a walk over all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiler/backend/spill_candidates.h"
#include "util/arena.h"

#define VALUES 10000 /* more than one word of words */
#define STEPS 20000

static uint32_t
draw(uint32_t *seed, uint32_t count)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (uint32_t)((uint64_t)*seed * count >> 32);
}

struct model {
   float cost[VALUES];
   bool live[VALUES];
};

/* The cheapest live value that is dearer than `than`, or costs the same and is higher; 0: none. */
static uint32_t
next_of_all(const struct model *m, uint32_t than)
{
   uint32_t best = 0;
   for (uint32_t v = 1; v < VALUES; v++) {
      const bool later = !than || m->cost[v] > m->cost[than] || (m->cost[v] == m->cost[than] && v > than);
      if (m->live[v] && later && m->cost[v] >= 0 && (!best || m->cost[v] < m->cost[best]))
         best = v;
   }
   return best;
}

static void
compare(const struct model *m, const struct spill_candidates *set)
{
   uint32_t expected = next_of_all(m, 0), seen = 0;
   spill_candidates_for_each(v, set) {
      assert_int_equal(v, expected);
      expected = next_of_all(m, v);
      if (++seen == 3)
         return;
   }
   assert_int_equal(expected, 0);
}

/* costs: of how many kinds they are; few make many ties. one in `sparse` is live. */
static void
walk(uint32_t seed, uint32_t costs, uint32_t sparse)
{
   struct arena arena = {0};
   struct model *m = calloc(1, sizeof(*m));
   struct spill_candidates set;
   for (uint32_t v = 0; v < VALUES; v++)
      m->cost[v] = draw(&seed, 8) ? (float)draw(&seed, costs) / 3 : -1;
   spill_candidates_begin(&set, &arena, m->cost, VALUES);
   compare(m, &set);
   for (uint32_t step = 0; step < STEPS; step++) {
      const uint32_t v = 1 + draw(&seed, VALUES - 1);
      m->live[v] = !draw(&seed, sparse);
      if (m->live[v])
         spill_candidates_add(&set, v);
      else
         spill_candidates_remove(&set, v);
      if (step % 97 == 0)
         compare(m, &set);
   }
   uint32_t before = 0;
   spill_candidates_for_each(v, &set) {
      assert_true(m->live[v]);
      assert_true(!before || m->cost[v] > m->cost[before] || (m->cost[v] == m->cost[before] && v > before));
      m->live[before = v] = false;
   }
   for (uint32_t v = 1; v < VALUES; v++)
      assert_false(m->live[v] && m->cost[v] >= 0);
   spill_candidates_clear(&set);
   compare(m, &set);
   spill_candidates_add(&set, before);
   m->live[before] = true;
   compare(m, &set);
   free(m);
   arena_free(&arena);
}

static void
test_order(void **state)
{
   (void)state;
   walk(1, 5, 2);
   walk(2, 1, 2000);
   walk(3, 1000000, 100);
   walk(4, 40, VALUES);
}

/* Nothing may go, and no value at all. */
static void
test_empty(void **state)
{
   (void)state;
   struct arena arena = {0};
   struct spill_candidates set;
   const float cost[3] = {0, -1, -1};
   for (uint32_t values = 1; values <= 3; values++) {
      spill_candidates_begin(&set, &arena, cost, values);
      for (uint32_t v = 0; v < values; v++)
         spill_candidates_add(&set, v);
      spill_candidates_for_each(v, &set)
         fail_msg("%u is a candidate", v);
      spill_candidates_clear(&set);
   }
   arena_free(&arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_empty)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sets of live values against tables of booleans, at random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/backend/live_sets.h"
#include "util/arena.h"

#define VALUES 9000 /* those with numbers are more than one word of words */
#define BLOCKS 40
#define STEPS 4000

static uint32_t
draw(uint32_t *seed, uint32_t count)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (uint32_t)((uint64_t)*seed * count >> 32);
}

struct model {
   struct arena arena;
   struct live_sets live;
   uint32_t seed, values;
   bool crosses[VALUES]; /* has a number */
   bool now[VALUES], in[BLOCKS][VALUES], out[BLOCKS][VALUES];
};

static void
compare(const struct model *m, const struct live_set *set, const bool *expected)
{
   uint32_t next = 1, count = 0;
   live_for_each(v, &m->live, set) {
      for (; next < v; next++)
         assert_false(expected[next]);
      assert_true(expected[next++]);
      count++;
   }
   for (; next < m->values; next++)
      assert_false(expected[next]);
   assert_int_equal(live_count(set), count);
}

/* Values near each other, or from anywhere. */
static uint32_t
draw_value(struct model *m, uint32_t block)
{
   const uint32_t near = block * (m->values / BLOCKS) + draw(&m->seed, 30);
   return draw(&m->seed, 20) && near && near < m->values ? near : 1 + draw(&m->seed, m->values - 1);
}

/* Those of one kind of a set, or of the other. */
static void
add_filtered(struct model *m, uint32_t from)
{
   const bool inverted = draw(&m->seed, 2), filtered = draw(&m->seed, 3);
   bitset_word *filter = arena_array(&m->arena, bitset_word, BITSET_WORDS(m->live.count));
   for (uint32_t n = 1; n < m->live.count; n += 3)
      bitset_set(filter, n);
   live_add(&m->live, live_in(&m->live, from), filtered ? filter : NULL, filtered && inverted);
   for (uint32_t v = 1; v < m->values; v++) {
      const bool wanted = !filtered || bitset_test(filter, m->live.number[v]) != inverted;
      m->now[v] |= m->in[from][v] && wanted;
   }
}

static void
step(struct model *m)
{
   const uint32_t b = draw(&m->seed, BLOCKS), v = draw_value(m, b);
   switch (draw(&m->seed, 7)) {
   case 0:
      add_filtered(m, b);
      break;
   case 1: {
      const bool same = !memcmp(m->in[b], m->now, sizeof(m->now)), moves = !draw(&m->seed, 4);
      assert_int_equal((moves ? live_move : live_store)(&m->live, &m->arena, live_in(&m->live, b)), !same);
      memcpy(m->in[b], m->now, sizeof(m->now));
      compare(m, live_in(&m->live, b), m->in[b]);
      if (moves)
         memset(m->now, 0, sizeof(m->now));
      break;
   }
   case 2:
      live_insert(&m->live, &m->arena, live_out(&m->live, b), v);
      m->out[b][v] = m->crosses[v];
      compare(m, live_out(&m->live, b), m->out[b]);
      break;
   case 3:
      assert_int_equal(live_test(&m->live, live_in(&m->live, b), v), m->in[b][v]);
      assert_int_equal(live_test(&m->live, live_out(&m->live, b), v), m->out[b][v]);
      break;
   case 4:
      live_clear(&m->live, v);
      m->now[v] = false;
      break;
   default:
      live_set(&m->live, v);
      m->now[v] = m->crosses[v];
   }
}

/* All is forgotten, and other values cross: one in `sparse`. */
static void
walk(struct model *m, uint32_t values, uint32_t sparse)
{
   if (m->values)
      live_move(&m->live, &m->arena, live_in(&m->live, 0));
   m->values = values;
   memset(m->now, 0, sizeof(m->now));
   memset(m->in, 0, sizeof(m->in));
   memset(m->out, 0, sizeof(m->out));
   live_sets_begin(&m->live, &m->arena, values);
   for (uint32_t v = 0; v < VALUES; v++) {
      m->crosses[v] = v && v < values && !draw(&m->seed, sparse);
      if (m->crosses[v])
         live_sets_pass(&m->live, v);
   }
   live_sets_number(&m->live, &m->arena, BLOCKS);
   for (uint32_t i = 0; i < STEPS; i++)
      step(m);
}

static void
test_random(void **state)
{
   (void)state;
   struct model *m = calloc(1, sizeof(*m));
   m->seed = 1;
   walk(m, 50, 1);
   walk(m, VALUES, 1);
   walk(m, VALUES, 7);
   walk(m, 500, 2);
   arena_free(&m->arena);
   free(m);
}

/* Values that live in a block and the next, of many: words are few, however many blocks there are. */
static void
test_words(void **state)
{
   (void)state;
   enum { COUNT = 20000 };
   struct arena arena = {0};
   struct live_sets live = {0};
   live_sets_begin(&live, &arena, COUNT + 1);
   for (uint32_t v = 1; v <= COUNT; v++)
      live_sets_pass(&live, v);
   live_sets_number(&live, &arena, COUNT);
   for (uint32_t b = 0; b < COUNT; b++) {
      live_set(&live, b + 1);
      live_set(&live, 1); /* one that lives from end to end */
      live_store(&live, &arena, live_out(&live, b));
      live_move(&live, &arena, live_in(&live, b));
   }
   assert_in_range(live_words(&live, COUNT), COUNT, 4 * COUNT);
   arena_free(&arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_words)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "compiler/backend/spill_candidates.h"

#include <stdlib.h>

#include "util/arena.h"

struct priced {
   float cost;
   uint32_t value;
};

static int
by_cost(const void *a, const void *b)
{
   const struct priced *x = a, *y = b;
   if (x->cost != y->cost)
      return x->cost < y->cost ? -1 : 1;
   return x->value < y->value ? -1 : 1;
}

void
spill_candidates_begin(struct spill_candidates *set, struct arena *arena, const float *cost, uint32_t num_values)
{
   struct priced *order = arena_array(arena, struct priced, num_values);
   uint32_t count = 0;
   for (uint32_t v = 1; v < num_values; v++) {
      if (cost[v] >= 0)
         order[count++] = (struct priced){cost[v], v};
   }
   qsort(order, count, sizeof(*order), by_cost);
   set->count = count + 1;
   set->place = arena_array(arena, uint32_t, num_values);
   set->value = arena_array(arena, uint32_t, set->count);
   for (uint32_t i = 0; i < count; i++) {
      set->place[order[i].value] = i + 1;
      set->value[i + 1] = order[i].value;
   }
   set->live = arena_array(arena, bitset_word, BITSET_WORDS(set->count));
   set->some = arena_array(arena, bitset_word, BITSET_WORDS(BITSET_WORDS(set->count)));
}

void
spill_candidates_clear(struct spill_candidates *set)
{
   bitset_for_each(word, set->some, BITSET_WORDS(set->count)) {
      set->live[word] = 0;
      bitset_clear(set->some, word);
   }
}

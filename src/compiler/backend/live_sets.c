#include "compiler/backend/live_sets.h"

#include <string.h>

#include "util/arena.h"

void
live_sets_begin(struct live_sets *live, struct arena *arena, uint32_t num_values)
{
   if (num_values > live->values_capacity) {
      live->values_capacity = live->values_capacity ? num_values + num_values / 4 : num_values;
      live->number = arena_array(arena, uint32_t, live->values_capacity);
      live->value = arena_array(arena, uint32_t, live->values_capacity);
      live->made = arena_array(arena, uint32_t, live->values_capacity);
   }
   live->num_values = num_values;
   memset(live->number, 0, num_values * sizeof(*live->number));
   memset(live->made, 0, num_values * sizeof(*live->made));
}

void
live_sets_number(struct live_sets *live, struct arena *arena, unsigned num_blocks)
{
   live->count = 1; /* 0 is no value */
   for (uint32_t v = 1; v < live->num_values; v++) {
      if (!live->number[v])
         continue;
      live->number[v] = live->count;
      live->value[live->count++] = v;
   }
   live->words = BITSET_WORDS(live->count);
   const size_t all = (size_t)live->words * 2 * num_blocks;
   if (all > live->words_capacity) {
      live->words_capacity = live->words_capacity ? all + all / 4 : all;
      live->in = arena_array(arena, bitset_word, live->words_capacity);
   }
   memset(live->in, 0, all * sizeof(*live->in));
   live->out = live->in + all / 2;
}

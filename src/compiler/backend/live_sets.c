#include "compiler/backend/live_sets.h"

#include <string.h>

#include "util/arena.h"
#include "util/macros.h"

void
live_sets_begin(struct live_sets *live, struct arena *arena, uint32_t num_values)
{
   if (num_values > live->values_capacity) {
      live->values_capacity = live->values_capacity ? num_values + num_values / 4 : num_values;
      live->number = arena_array(arena, uint32_t, live->values_capacity);
      live->value = arena_array(arena, uint32_t, live->values_capacity);
      live->made = arena_array(arena, uint32_t, live->values_capacity);
      live->now = arena_array(arena, bitset_word, BITSET_WORDS(live->values_capacity));
      live->some = arena_array(arena, bitset_word, BITSET_WORDS(BITSET_WORDS(live->values_capacity)));
   }
   live->num_values = num_values;
   memset(live->number, 0, num_values * sizeof(*live->number));
   memset(live->made, 0, num_values * sizeof(*live->made));
}

/* Sets keep the memory of their words from one time to the next. */
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
   if (num_blocks > live->blocks_capacity) {
      live->blocks_capacity = num_blocks;
      live->in = arena_array(arena, struct live_set, num_blocks);
      live->out = arena_array(arena, struct live_set, num_blocks);
   }
   for (unsigned b = 0; b < num_blocks; b++)
      live->in[b].count = live->out[b].count = 0;
}

/* ---- the dense set ---- */

void
live_add(struct live_sets *live, const struct live_set *set, const bitset_word *filter, bool inverted)
{
   for (uint32_t i = 0; i < set->count; i++) {
      const struct live_word *word = &set->words[i];
      const bitset_word wanted = filter ? filter[word->at] : ~UINT64_C(0);
      const bitset_word bits = word->bits & (inverted ? ~wanted : wanted);
      if (!bits)
         continue;
      live->now[word->at] |= bits;
      bitset_set(live->some, word->at);
   }
}

static void
reserve(struct arena *arena, struct live_set *set, uint32_t count)
{
   if (count <= set->capacity)
      return;
   const struct live_set old = *set;
   set->capacity = MAX2(count, old.capacity + old.capacity / 2);
   set->words = arena_array(arena, struct live_word, set->capacity);
   if (old.count)
      memcpy(set->words, old.words, old.count * sizeof(*set->words));
}

/* How many words the dense set has at most. */
static uint32_t
count_some(const struct live_sets *live)
{
   uint32_t count = 0;
   for (uint32_t w = 0; w < BITSET_WORDS(BITSET_WORDS(live->count)); w++)
      count += live->some[w] ? (uint32_t)__builtin_popcountll(live->some[w]) : 0;
   return count;
}

/* One pass: programs of many blocks spend much of their liveness here. */
static inline bool
store(struct live_sets *live, struct arena *arena, struct live_set *set, bool clears)
{
   uint32_t count = 0;
   bool same = true;
   reserve(arena, set, count_some(live));
   for (uint32_t w = 0; w < BITSET_WORDS(BITSET_WORDS(live->count)); w++) {
      for (bitset_word left = live->some[w]; left; left &= left - 1) {
         const uint32_t at = w * 64 + (uint32_t)__builtin_ctzll(left);
         const bitset_word bits = live->now[at];
         struct live_word *to = &set->words[count];
         if (!bits)
            continue;
         same &= count < set->count && to->at == at && to->bits == bits;
         *to = (struct live_word){.at = at, .bits = bits};
         count++;
         if (clears)
            live->now[at] = 0;
      }
      if (clears)
         live->some[w] = 0;
   }
   same &= count == set->count;
   set->count = count;
   return !same;
}

bool
live_store(struct live_sets *live, struct arena *arena, struct live_set *set)
{
   return store(live, arena, set, false);
}

bool
live_move(struct live_sets *live, struct arena *arena, struct live_set *set)
{
   return store(live, arena, set, true);
}

/* ---- sets of blocks ---- */

/* Where the word lies, or would lie. */
static uint32_t
find_word(const struct live_set *set, uint32_t at)
{
   uint32_t low = 0, high = set->count;
   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (set->words[middle].at < at)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

void
live_insert(struct live_sets *live, struct arena *arena, struct live_set *set, uint32_t value)
{
   const uint32_t number = live->number[value], at = number / 64, i = find_word(set, at);
   if (!number)
      return;
   if (i == set->count || set->words[i].at != at) {
      reserve(arena, set, set->count + 1);
      memmove(&set->words[i + 1], &set->words[i], (set->count - i) * sizeof(*set->words));
      set->words[i] = (struct live_word){.at = at};
      set->count++;
   }
   bitset_set(&set->words[i].bits, number % 64);
}

bool
live_test(const struct live_sets *live, const struct live_set *set, uint32_t value)
{
   const uint32_t number = value < live->num_values ? live->number[value] : 0, i = find_word(set, number / 64);
   return number && i < set->count && set->words[i].at == number / 64 &&
          bitset_test(&set->words[i].bits, number % 64);
}

uint32_t
live_count(const struct live_set *set)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < set->count; i++)
      count += (uint32_t)__builtin_popcountll(set->words[i].bits);
   return count;
}

size_t
live_words(const struct live_sets *live, unsigned num_blocks)
{
   size_t count = 0;
   for (unsigned b = 0; b < num_blocks; b++)
      count += live->in[b].count + live->out[b].count;
   return count;
}

/* What is live and may be spilled, cheapest first. Values are sorted by their cost once, and the live ones are bits
 * of a set in that order: the cheapest is the first bit. Of values that cost the same, the lowest comes first. */
#ifndef INDIUM_COMPILER_BACKEND_SPILL_CANDIDATES_H
#define INDIUM_COMPILER_BACKEND_SPILL_CANDIDATES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/bitset.h"

struct arena;

struct spill_candidates {
   uint32_t *place;          /* by value: its number in the order, from 1 on; 0: it is never spilled */
   uint32_t *value;          /* by place */
   uint32_t count;           /* of places, 0 among them */
   bitset_word *live, *some; /* by place; by word of live: it has bits */
};

/* Sorts by cost[value]. Values whose cost is negative are never spilled, nor is value 0. */
void spill_candidates_begin(struct spill_candidates *set, struct arena *arena, const float *cost,
                            uint32_t num_values);

void spill_candidates_clear(struct spill_candidates *set);

/* Values that are never spilled change nothing. */
static inline void
spill_candidates_add(struct spill_candidates *set, uint32_t value)
{
   const uint32_t place = set->place[value];
   if (!place)
      return;
   bitset_set(set->live, place);
   bitset_set(set->some, place / 64);
}

static inline void
spill_candidates_remove(struct spill_candidates *set, uint32_t value)
{
   const uint32_t place = set->place[value];
   if (!place)
      return;
   bitset_clear(set->live, place);
   if (!set->live[place / 64])
      bitset_clear(set->some, place / 64);
}

/* The cheapest value at *place or after it, which becomes its place; 0: there is none. */
static inline uint32_t
spill_candidates_next(const struct spill_candidates *set, uint32_t *place)
{
   const uint32_t word = *place / 64, words = BITSET_WORDS(set->count);
   if (*place >= set->count)
      return 0;
   bitset_word bits = set->live[word] & ~UINT64_C(0) << *place % 64;
   const uint32_t found = bits ? word : bitset_next(set->some, word + 1, words);
   if (found >= words)
      return 0;
   bits = bits ? bits : set->live[found];
   *place = found * 64 + (uint32_t)__builtin_ctzll(bits);
   return set->value[*place];
}

/* Visits the live candidates from the cheapest on. */
#define spill_candidates_for_each(it, set)                                                                           \
   for (uint32_t it##_place = 1, it = spill_candidates_next((set), &it##_place); it;                                 \
        it##_place++, it = spill_candidates_next((set), &it##_place))

#endif

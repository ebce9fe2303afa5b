/* What is live at both ends of each block, of the values that cross the border of a block: only those have a number,
 * in the order of values. A set is sparse: it holds only words (64 numbers) with bits, in ascending order. So sets
 * stay small when many values live in few blocks each. Passes change one dense set, `now`, and store it. */
#ifndef INDIUM_COMPILER_BACKEND_LIVE_SETS_H
#define INDIUM_COMPILER_BACKEND_LIVE_SETS_H

#include <stddef.h>

#include "util/bitset.h"

struct arena;

struct live_word {
   bitset_word bits; /* of the numbers 64 * at and on; never 0 */
   uint32_t at;
};

struct live_set {
   struct live_word *words;
   uint32_t count, capacity;
};

struct live_sets {
   uint32_t *number;    /* by value; 0: it lies in one block */
   uint32_t *value;     /* by number */
   uint32_t *made;      /* by value: the last block that made it + 1 */
   uint32_t count;      /* of numbers, 0 among them */
   struct live_set *in; /* of all blocks */
   struct live_set *out;
   bitset_word *now, *some; /* by number; by word of now: it may have bits */
   uint32_t num_values, values_capacity, blocks_capacity;
};

/* Forgets what there was. Blocks are then walked in any order, each from its start. */
void live_sets_begin(struct live_sets *live, struct arena *arena, uint32_t num_values);
/* All values have been seen: numbers them, and makes empty sets. */
void live_sets_number(struct live_sets *live, struct arena *arena, unsigned num_blocks);

/* The block reads it. */
static inline void
live_sets_read(struct live_sets *live, unsigned block, uint32_t value)
{
   if (live->made[value] != block + 1)
      live->number[value] = 1;
}

/* The block makes it. */
static inline void
live_sets_make(struct live_sets *live, unsigned block, uint32_t value)
{
   live->made[value] = block + 1;
}

/* A phi takes it over an edge. */
static inline void
live_sets_pass(struct live_sets *live, uint32_t value)
{
   live->number[value] = 1;
}

static inline struct live_set *
live_in(const struct live_sets *live, unsigned block)
{
   return &live->in[block];
}

static inline struct live_set *
live_out(const struct live_sets *live, unsigned block)
{
   return &live->out[block];
}

/* ---- the dense set, which is empty at first ---- */

static inline void
live_set(struct live_sets *live, uint32_t value)
{
   const uint32_t number = live->number[value];
   if (!number)
      return;
   bitset_set(live->now, number);
   bitset_set(live->some, number / 64);
}

static inline void
live_clear(struct live_sets *live, uint32_t value)
{
   if (live->number[value])
      bitset_clear(live->now, live->number[value]);
}

/* Adds those values of `set` that the filter (by number; NULL: all values) has, or lacks if inverted. */
void live_add(struct live_sets *live, const struct live_set *set, const bitset_word *filter, bool inverted);
/* Copies it into `set`; returns whether that changed. */
bool live_store(struct live_sets *live, struct arena *arena, struct live_set *set);
/* The same; the dense set is empty afterwards. */
bool live_move(struct live_sets *live, struct arena *arena, struct live_set *set);

/* ---- sets of blocks ---- */

void live_insert(struct live_sets *live, struct arena *arena, struct live_set *set, uint32_t value);
bool live_test(const struct live_sets *live, const struct live_set *set, uint32_t value);
uint32_t live_count(const struct live_set *set);
/* Words of all sets of the blocks. */
size_t live_words(const struct live_sets *live, unsigned num_blocks);

/* The first value of the set whose number is *number or more; *number becomes its number, *word (where the search
 * begins) the index of its word. 0: there is none. */
static inline uint32_t
live_next(const struct live_sets *live, const struct live_set *set, uint32_t *word, uint32_t *number)
{
   for (; *word < set->count; ++*word) {
      const uint32_t base = set->words[*word].at * 64, skipped = *number > base ? *number - base : 0;
      const bitset_word bits = skipped < 64 ? set->words[*word].bits & ~UINT64_C(0) << skipped : 0;
      if (bits) {
         *number = base + (uint32_t)__builtin_ctzll(bits);
         return live->value[*number];
      }
   }
   return 0;
}

/* Visits the values of the set in ascending order. */
#define live_for_each(it, live, set)                                                                                 \
   for (uint32_t it##_word = 0, it##_number = 1, it = live_next((live), (set), &it##_word, &it##_number); it;        \
        it##_number++, it = live_next((live), (set), &it##_word, &it##_number))

#endif

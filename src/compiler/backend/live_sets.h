/* What is live at both ends of each block, of the values that cross the border of a block: those alone have a bit in
 * the sets. They are numbered in the order of values. */
#ifndef INDIUM_COMPILER_BACKEND_LIVE_SETS_H
#define INDIUM_COMPILER_BACKEND_LIVE_SETS_H

#include <stddef.h>

#include "util/bitset.h"

struct arena;

struct live_sets {
   uint32_t *number; /* by value; 0: it lies in one block */
   uint32_t *value;  /* by number */
   uint32_t *made;   /* by value: the last block that made it + 1 */
   uint32_t count;   /* of numbers, 0 among them */
   unsigned words;   /* of one set */
   bitset_word *in;  /* of all blocks, `words` each */
   bitset_word *out;
   uint32_t num_values, values_capacity;
   size_t words_capacity;
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

static inline bitset_word *
live_in(const struct live_sets *live, unsigned block)
{
   return live->in + (size_t)live->words * block;
}

static inline bitset_word *
live_out(const struct live_sets *live, unsigned block)
{
   return live->out + (size_t)live->words * block;
}

static inline bool
live_test(const struct live_sets *live, const bitset_word *set, uint32_t value)
{
   return value < live->num_values && live->number[value] && bitset_test(set, live->number[value]);
}

static inline void
live_set(const struct live_sets *live, bitset_word *set, uint32_t value)
{
   if (live->number[value])
      bitset_set(set, live->number[value]);
}

static inline void
live_clear(const struct live_sets *live, bitset_word *set, uint32_t value)
{
   if (live->number[value])
      bitset_clear(set, live->number[value]);
}

static inline unsigned
live_count(const struct live_sets *live, const bitset_word *set)
{
   unsigned count = 0;
   for (unsigned w = 0; w < live->words; w++)
      count += (unsigned)__builtin_popcountll(set[w]);
   return count;
}

/* The first value of the set whose number is *number or more, which becomes its number; 0: there is none. */
static inline uint32_t
live_next(const struct live_sets *live, const bitset_word *set, uint32_t *number)
{
   *number = bitset_next(set, *number, live->count);
   return *number < live->count ? live->value[*number] : 0;
}

/* Visits the values of the set in ascending order. */
#define live_for_each(it, live, set)                                                                                 \
   for (uint32_t it##_number = 1, it = live_next((live), (set), &it##_number); it;                                   \
        it##_number++, it = live_next((live), (set), &it##_number))

#endif

/* Bit sets of any size over an array of 64-bit words. */
#ifndef INDIUM_UTIL_BITSET_H
#define INDIUM_UTIL_BITSET_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t bitset_word;

#define BITSET_WORDS(bits) (((bits) + 63) / 64)
#define BITSET_DECLARE(name, bits) bitset_word name[BITSET_WORDS(bits)]

static inline bool
bitset_test(const bitset_word *set, unsigned bit)
{
   return set[bit / 64] >> (bit % 64) & 1;
}

static inline void
bitset_set(bitset_word *set, unsigned bit)
{
   set[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static inline void
bitset_clear(bitset_word *set, unsigned bit)
{
   set[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

/* Visits the set bits of set[0 .. bits) in ascending order. */
#define bitset_for_each(it, set, bits)                                                                               \
   for (unsigned it = bitset_next((set), 0, (bits)); it < (unsigned)(bits); it = bitset_next((set), it + 1, (bits)))

/* First set bit >= from, or `bits`. */
static inline unsigned
bitset_next(const bitset_word *set, unsigned from, unsigned bits)
{
   for (unsigned word = from / 64; word < BITSET_WORDS(bits); word++) {
      bitset_word value = set[word];
      if (word == from / 64)
         value &= ~UINT64_C(0) << (from % 64);
      if (value) {
         unsigned bit = word * 64 + (unsigned)__builtin_ctzll(value);
         return bit < bits ? bit : bits;
      }
   }
   return bits;
}

#endif

/* What a generator chooses once for a whole program: a table of choices. Each is a draw of its own from the seed, so
 * that no two hang together; two that were bits of one number never met in all combinations. A run counts which pairs
 * of values of two choices occurred: a pair that can occur and did not is what the run has not tried. */
#ifndef INDIUM_TESTS_CHOICES_H
#define INDIUM_TESTS_CHOICES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CHOICES_MAX = 32, CHOICES_VALUES_MAX = 18 };

struct choice {
   const char *name;
   unsigned values; /* 0 to values - 1 */
   unsigned one_in; /* so many programs have one that is not 0; 0: all values are alike */
   bool found;      /* not drawn: 0 until the generator writes what the program turns out to have */
};

/* Two values that cannot meet. */
struct choices_never {
   unsigned a, a_value, b, b_value;
};

struct choices {
   const struct choice *table;
   unsigned count;
   const struct choices_never *never;
   unsigned never_count;
   const struct choices *possible; /* has counted all pairs that can occur; NULL: all others than `never` */
   unsigned now[CHOICES_MAX];      /* of the program */
   uint32_t pairs[CHOICES_MAX][CHOICES_VALUES_MAX][CHOICES_MAX][CHOICES_VALUES_MAX];
};

/* Random numbers: the next one, and one below n. Any state is good to start with. */
uint64_t choices_random(uint64_t *state);
unsigned choices_below(uint64_t *state, unsigned n);

/* Draws all of `now`; where two values cannot meet, the later choice in the table becomes 0. */
void choices_draw(struct choices *c, uint64_t seed);

/* Draws so many times and keeps the draw with the most pairs not counted so far. A run too short to have all pairs by
 * chance has them by this, if each draw is counted before the next. */
void choices_draw_new(struct choices *c, uint64_t seed, unsigned draws);

/* The number of pairs of `now` not counted so far. */
unsigned choices_new_pairs(const struct choices *c);

/* Counts the pairs of `now`. */
void choices_count(struct choices *c);

/* The number of pairs that never occurred, each with a line. */
unsigned choices_missing(const struct choices *c, FILE *to);

#endif

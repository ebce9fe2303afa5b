/* The machine IR of any back end as text, in tests: the texts of random programs are changed at random, and must
 * compile, or give an error. */
#ifndef INDIUM_TEST_MACHINE_TEXT_H
#define INDIUM_TEST_MACHINE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "choices.h"
#include "util/arena.h"

struct machine_text {
   const char *head;                  /* what each text of several begins with */
   uint32_t num_programs, num_phases; /* of machine_text_round_trip() */
   uint32_t num_seeds;                /* of random programs, in machine_text_mutate() */
   /* The texts after all phases of a random program, one after the other. */
   const char *(*texts)(struct arena *arena, uint32_t seed);
   /* Fails the test if a text of the last random program does not read back to itself or gives other code. */
   void (*check)(const char *text, uint32_t seed);
   /* Compiles a text; *ir: as it reads after selection. */
   bool (*compile)(struct arena *arena, const char *text, bool listing, const char **ir, const char **error);
};

/* The first of the texts, copied; *texts goes to the next, NULL after the last. */
char *machine_text_next(struct arena *arena, const char *head, const char **texts);

/* Checks all texts of the random programs. choices: what texts() draws; every pair of them must occur. */
void machine_text_round_trip(const struct machine_text *backend, struct choices *choices);

/* Mutated texts of all seeds; both ends are reached often. */
void machine_text_mutate(const struct machine_text *backend);

/* A text that is refused with that sentence. */
void machine_text_refused(const struct machine_text *backend, const char *text, const char *sentence);

#endif

/* Random programs: what fuzz.py writes. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUZZ_LANES = 128, FUZZ_WORDS = 16 };

/* One invocation; inputs and outputs are those of all invocations. */
struct invocation {
   const void *inputs;
   void *outputs;
   uint32_t *results; /* FUZZ_WORDS */
   uint32_t invocation, group, lane;
   int32_t constant;
};

struct fuzz_program {
   unsigned number;
   const uint32_t *words;
   size_t size_B, in_B, out_B;           /* in, out: of an invocation */
   unsigned group_size, constant, lanes; /* lanes: of a subgroup; 0: as the driver likes */
   bool has_doubles;
   bool addresses; /* inputs, results and outputs are found by address, by push constants */
   void (*fill)(void *inputs);
   void (*run)(const struct invocation *x);
};

extern const struct fuzz_program fuzz_programs[];
extern const unsigned fuzz_count;

#endif

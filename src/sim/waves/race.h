/* Races of draws: two accesses to bytes by pixel shader invocations on one pixel, at least one a write and not both
 * atomic, that no ordered section separates.
 *
 * An access is early if the wave was told of overlap (or is never told) and had not seen its overlapped waves leave
 * their sections, and late if it came after the end of its own section or was still outstanding then. Of two waves
 * the first one's late accesses race with all of the second's, and the second one's early accesses with all of the
 * first's. Invocations that share no sample where the interlock compares samples are never ordered. Two lanes of one
 * instruction race too.
 *
 * Accesses are compared with those of earlier draws too, until the queue has waited for these. */
#ifndef INDIUM_SIM_RACE_H
#define INDIUM_SIM_RACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/vm/fault.h"

struct sim_races;

enum sim_race_flag {
   SIM_RACE_WRITE = 1,
   SIM_RACE_ATOMIC = 2,
   SIM_RACE_EARLY = 4,
   SIM_RACE_LATE = 8,
   SIM_RACE_UNORDERED = 16, /* the wave knows no order: no ordered section, or the state of the draw loses it */
};

/* What one lane touched of a dword. */
struct sim_race_access {
   uint64_t word;        /* address / 4 */
   uint32_t wave;        /* of the launch, in order of rasterisation wherever two waves overlap */
   uint32_t instance;    /* number of the instruction within the wave */
   uint32_t pc_B;        /* of the instruction, from the program's start */
   uint16_t x, y;        /* pixel */
   uint8_t samples;      /* covered */
   uint8_t samples_log2; /* granularity of the interlock: sample indices count modulo 2^samples_log2 */
   uint8_t bytes;        /* of the dword, a mask */
   uint8_t flags;
   uint8_t lane;
};

/* Samples folded to the buckets that an interlock compares: index modulo 2^log2 (assumed). */
static inline uint32_t
sim_fold_samples(uint32_t samples, unsigned log2)
{
   uint32_t folded = 0;
   for (unsigned i = 0; samples >> i; i++)
      folded |= (samples >> i & 1) << (i & ((1u << log2) - 1));
   return folded;
}

struct sim_races *sim_races_create(FILE *out);
void sim_races_destroy(struct sim_races *races);

/* A draw starts. number: grows from draw to draw; done: what draws up to this number did has been waited for. */
void sim_races_begin_draw(struct sim_races *races, uint64_t number, uint64_t done);
/* After it: what the draw is called in reports, instead of how many were before it. */
void sim_races_name_draw(struct sim_races *races, uint32_t name);
/* A program starts waves of the draw, counted from 0. print gives the text of an instruction. */
void sim_races_begin_launch(struct sim_races *races, struct sim_va program_va,
                            void (*print)(const void *data, uint32_t pc_B, char *text, unsigned size),
                            const void *data);
/* The launch continues with waves of another draw, which a name was given for, and of its program. */
void sim_races_continue(struct sim_races *races, struct sim_va program_va,
                        void (*print)(const void *data, uint32_t pc_B, char *text, unsigned size), const void *data);
/* Compares with what came before and remembers it. */
void sim_races_add(struct sim_races *races, const struct sim_race_access *access);
/* Prints what was found in the draw, or in each of those that the launch had. Returns how many pairs of accesses
 * raced. */
uint64_t sim_races_end_draw(struct sim_races *races);

/* Races since creation. */
uint64_t sim_races_count(const struct sim_races *races);

#endif

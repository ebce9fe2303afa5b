/* Loops that do not end: how they are found.
 *
 * A wave that comes back to a state that it was in continues like that until memory changes. If it read no memory
 * meanwhile it never ends; else it waits, and counts as getting nowhere (rounds.h) while that lasts. What does not
 * repeat, such as a loop that counts, ends with the wave's budget: instructions, and SIM_ACCESS_COST for each access
 * of memory, which takes that much longer here and on hardware.
 */
#ifndef INDIUM_SIM_LOOP_H
#define INDIUM_SIM_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/vm/fault.h"

enum { SIM_ACCESS_COST = 16 };

struct sim_rounds;
struct sim_vm;
struct sim_vm_pieces;
struct sim_wave;

/* The hull of jumps back: from the first target to the last jump, in places as the model counts. count 0: none. */
struct sim_jumps {
   uint32_t first, last;
   uint64_t count;
};

struct sim_loop {
   struct sim_jumps jumps, jumps_before; /* since the last power of two of rounds, and since the one before */
   uint32_t rounds;
   bool read_clock; /* time is an input that never repeats */
   /* A state that it was in. */
   bool kept;
   uint32_t next, round;
   uint64_t hash, instructions, changes, reads;
   uint32_t period;              /* it came back after so many rounds, 0: has not yet */
   uint32_t turn;                /* and instructions, 0: more than fit in a round */
   uint64_t jumped, jumped_then; /* jumps back, and as many when the state was kept */
   bool uneven;                  /* not all jumps are equally far apart */
};

/* Of a jump taken. */
static inline void
sim_loop_jump(struct sim_loop *loop, uint32_t from, uint32_t to)
{
   struct sim_jumps *j = &loop->jumps;
   if (to > from)
      return;
   j->first = j->count && j->first < to ? j->first : to;
   j->last = j->count && j->last > from ? j->last : from;
   j->count++;
   loop->jumped++;
}

/* The jumps back of late. */
struct sim_jumps sim_loop_jumps(const struct sim_loop *loop);

/* Whether the wave has spent a good part of its budget. */
bool sim_loop_is_long(const struct sim_wave *wave);
/* Serial phase, of a wave that ran. Returns whether it only repeats itself. Its fault is set if it does so for ever,
 * or if its budget is spent. */
bool sim_loop_round(struct sim_wave *wave);
/* How many instructions of `most` the wave may run in the next round: fewer while its state is compared, and just
 * those that it repeats. */
uint32_t sim_loop_quantum(const struct sim_wave *wave, uint32_t most);
/* Before each write of a wave to memory. */
void sim_loop_note_write(struct sim_rounds *rounds, const struct sim_vm *vm, struct sim_va va, const void *data,
                         unsigned size_B);
/* The same of pieces, each of which is a write. */
void sim_loop_note_pieces(struct sim_rounds *rounds, const struct sim_vm *vm, const struct sim_vm_pieces *pieces);

#endif

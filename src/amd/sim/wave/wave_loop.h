/* Loops that do not end: how they are found and told. Internal to the engine.
 *
 * A wave that comes back to a state that it was in goes on like that until memory changes. If it read no memory
 * meanwhile it never ends; else it waits, and counts as getting nowhere (wave_schedule.c) while that lasts. What does
 * not repeat, such as a loop that counts, ends with the wave's budget: instructions, and WAVE_ACCESS_COST for each
 * access of memory, which takes that much longer here and on hardware.
 */
#ifndef INDIUM_AMD_SIM_WAVE_LOOP_H
#define INDIUM_AMD_SIM_WAVE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wave;

/* The hull of jumps back: from the first target to the last jump. count 0: none. */
struct wave_jumps {
   uint32_t first_dw, last_dw;
   uint64_t count;
};

struct wave_loop {
   struct wave_jumps jumps, jumps_before; /* since the last power of two of rounds, and since the one before */
   uint32_t rounds;
   bool read_clock;       /* time is an input that never repeats */
   /* A state that it was in. */
   bool kept;
   uint32_t ip, round;
   uint64_t hash, instructions, changes, reads;
   uint32_t period;       /* it came back after so many rounds, 0: has not yet */
   uint32_t turn;         /* and instructions, 0: more than fit in a round */
   uint64_t jumped, jumped_then; /* jumps back, and as many when the state was kept */
   bool uneven;           /* not all jumps are equally far apart */
};

/* Of a jump taken. */
static inline void
wave_loop_jump(struct wave_loop *loop, uint32_t from_dw, uint32_t to_dw)
{
   struct wave_jumps *j = &loop->jumps;
   if (to_dw > from_dw)
      return;
   j->first_dw = j->count && j->first_dw < to_dw ? j->first_dw : to_dw;
   j->last_dw = j->count && j->last_dw > from_dw ? j->last_dw : from_dw;
   j->count++;
   loop->jumped++;
}

/* Whether the wave has spent a good part of its budget. */
bool wave_loop_is_long(const struct wave *wave);
/* Serial phase, of a wave that ran. Returns whether it only repeats itself. Its fault is set if it does so for ever,
 * or if its budget is spent. */
bool wave_loop_round(struct wave *wave);
/* How many instructions of `most` the wave may run in the next round: fewer while its state is compared, and just
 * those that it repeats. */
uint32_t wave_loop_quantum(const struct wave *wave, uint32_t most);
/* Where the wave jumps back and forth, and how the loop would be left; "" if it never jumped back. */
void wave_loop_describe(const struct wave *wave, char *text, size_t size_B);

#endif

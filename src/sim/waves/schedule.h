/* Which waves run next and when their stores land: a choice that the hardware leaves open, made on purpose.
 *
 * The rounds of waves ask in their serial phase, so the answer depends on nothing but the schedule and the waves:
 * the same schedule gives the same bytes for any number of host threads.
 *
 *   in-order     every wave that can run, until it blocks; stores land at the end of the round
 *   round-robin  every wave that can run, a few instructions each; stores land at the end of the round
 *   seed=N       a random choice of waves, each for a random number of instructions; stores land late, and so do
 *                plain loads of buffers and addresses now and then: as late as their wait
 *   worst        one wave, the youngest; stores land when a wait, or a fence, needs them or when nothing else can
 *                continue; loads read memory at once. AMD: waves share two compute units, and after loads in
 *                ordered sections all others go first (docs/caches.md); only here erratum vopd-interlock shows
 */
#ifndef INDIUM_SIM_SCHEDULE_H
#define INDIUM_SIM_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum sim_schedule_kind {
   SIM_SCHEDULE_IN_ORDER,
   SIM_SCHEDULE_ROUND_ROBIN,
   SIM_SCHEDULE_SEED,
   SIM_SCHEDULE_WORST,
};

struct sim_schedule {
   enum sim_schedule_kind kind;
   uint64_t seed; /* kind SEED: as given */
};

#define SIM_SCHEDULE_NAMES "in-order, round-robin, seed=N or worst"

/* From the text of `indium run --schedule`. False if it is none of SIM_SCHEDULE_NAMES. */
bool sim_schedule_parse(const char *text, struct sim_schedule *schedule);

/* Which of `count` candidates, the oldest first, runs next; current: the one that has run, or -1. serial: of the
 * choice. In-order: the current one, or the oldest. */
unsigned sim_schedule_choose(const struct sim_schedule *schedule, uint64_t serial, unsigned count, int current);

/* Random numbers that depend on their arguments only. */
uint64_t sim_schedule_random(uint64_t seed, uint64_t a, uint64_t b);

#endif

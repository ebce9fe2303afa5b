/* The serial phase of a round. Internal to the rounds. */
#ifndef INDIUM_SIM_ROUNDS_PRIVATE_H
#define INDIUM_SIM_ROUNDS_PRIVATE_H

#include "sim/waves/rounds.h"

enum { ROUNDS_QUANTUM = 65536 }; /* instructions of a wave in a round */

/* Whether the group has waves that can be looked at. */
static inline bool
rounds_has_waves(const struct sim_rounds *rounds, const struct sim_group *group)
{
   return !(group->quiet || (rounds->brief && group->starting));
}

/* Lands stores (all, if nothing else can continue: last), wakes and ends waves. False after a fault. */
bool rounds_land(struct sim_rounds *rounds, bool last, struct sim_fault *fault);
/* Gives quanta to the waves of the next round and lists their groups in chosen. */
void rounds_choose(struct sim_rounds *rounds);
/* A fault that names what the resident waves wait for. */
bool rounds_hang(const struct sim_rounds *rounds, struct sim_fault *fault);

#endif

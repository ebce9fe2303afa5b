/* Ways: what the waves of a program need no check for, since one has gone the same way before, and all checks of it.
 *
 * Which wait states, hazards and waits an instruction meets follows only from the instructions ahead of it, if it is
 * asked for all lanes at once. So the first wave that goes from a program's start to its end, and whose checks say
 * that no lanes could meet anything, leaves its way. The waves after it go that way with nothing checked, noted or
 * waited for, in registers that are filled when the way first touches them, unless it then writes all their lanes.
 * Stores may be at its end, with nothing after them that waits for them or reads memory. One that turns off it, or
 * stops, gets all that the way would have left it with, and continues with checks. Internal to the engine. */
#ifndef INDIUM_AMD_SIM_WAVE_WAY_H
#define INDIUM_AMD_SIM_WAVE_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/waves/pending.h"
#include "util/dynarray.h"

enum { WAVE_WAY_OPERATIONS = 128 };

struct wave_way;

/* An operation that a wave has started on its way, as wave_outstanding_operation() got it. */
struct wave_way_operation {
   struct sim_operation operation;
   uint32_t number; /* of the instruction, from 1 */
   uint8_t counter;
   bool mixes_reads;
};

/* Of a wave. */
struct wave_way_log {
   /* On a way: what the way does not know of its operations. */
   uint32_t count;
   uint64_t lanes[WAVE_WAY_OPERATIONS];
   /* That is noted: */
   struct dynarray operations, codes; /* indices of instructions */
};

#endif

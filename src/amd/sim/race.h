/* Races of a draw: two accesses to one dword by overlapping pixel shader invocations, at least one a write and not both
 * atomic, that no ordered section separates.
 *
 * An access is early if the wave was told of overlap (or is never told) and had not seen its overlapped waves exit, and
 * late if it came after ORDERED_PS_DONE or was still outstanding then. Of two waves the first one's late accesses race
 * with all of the second's, and the second one's early accesses with all of the first's. Two lanes of one instruction
 * race too. */
#ifndef INDIUM_AMD_SIM_RACE_H
#define INDIUM_AMD_SIM_RACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct amd_races;

enum amd_race_flag {
   AMD_RACE_WRITE = 1,
   AMD_RACE_ATOMIC = 2,
   AMD_RACE_EARLY = 4,
   AMD_RACE_LATE = 8,
};

/* One dword touched by one lane. */
struct amd_race_access {
   uint64_t word;      /* address / 4 */
   uint32_t wave;      /* in order of rasterisation wherever two waves overlap */
   uint32_t instance;  /* number of the instruction within the wave */
   uint32_t pc_dw;
   uint16_t x, y;      /* pixel */
   uint8_t samples;    /* covered, folded to the granularity of the interlock */
   uint8_t flags;
   uint8_t lane;
};

struct amd_races *amd_races_create(FILE *out);
void amd_races_destroy(struct amd_races *races);

/* Compares with what came before and remembers it. */
void amd_races_add(struct amd_races *races, const struct amd_race_access *access);

/* At the end of a draw: prints what was found and forgets all. Returns how many pairs of
 * accesses raced. */
uint64_t amd_races_end_draw(struct amd_races *races);

/* Text of the instructions of the launch that adds accesses. */
void amd_races_set_text(struct amd_races *races, uint64_t program_va,
                        void (*print)(const void *data, uint32_t pc_dw, char *text, unsigned size), const void *data);

/* Races since creation. */
uint64_t amd_races_count(const struct amd_races *races);

#endif

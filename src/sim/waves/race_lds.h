/* Races in the memory of a group of waves: two accesses to the same bytes by different waves of it, at least one a
 * write and not both atomic, with no barrier between. Writes of the same value are none: whichever comes last,
 * nothing differs (shaders mark vertices that are seen so). What lies between two barriers is an epoch; within one,
 * accesses count as unordered, whatever else the waves do. */
#ifndef INDIUM_SIM_RACE_LDS_H
#define INDIUM_SIM_RACE_LDS_H

#include <stdint.h>
#include <stdio.h>

#include "sim/vm/fault.h"
#include "util/dynarray.h"

enum { SIM_LDS_WRITE = 1, SIM_LDS_ATOMIC = 2 };

/* What one lane does. */
struct sim_lds_access {
   uint32_t address_B, size_B;
   uint32_t wave; /* of the group */
   uint32_t pc_B; /* of the instruction, from its program's start */
   struct sim_va program_va;
   const void *program; /* for print() */
   unsigned flags;
   const void *value; /* size_B bytes that are written; NULL: of atomics and reads */
};

/* Of a group; zeroed at first. One thread at a time. */
struct sim_lds_watch {
   uint32_t epoch, dwords;
   uint32_t *heads; /* of each dword: index + 1 of its newest access */
   struct dynarray entries, found;
};

/* print gives the text of an instruction. */
typedef void (*sim_lds_print)(const void *program, uint32_t pc_B, char *text, unsigned size);

void sim_lds_watch_start(struct sim_lds_watch *watch, uint32_t size_B);
void sim_lds_watch_free(struct sim_lds_watch *watch);
/* epoch: barriers that the wave has met. Looks for races with what was added in the same one. */
void sim_lds_watch_add(struct sim_lds_watch *watch, uint32_t epoch, const struct sim_lds_access *access,
                       sim_lds_print print);

struct sim_lds_races;

struct sim_lds_races *sim_lds_races_create(FILE *out);
void sim_lds_races_destroy(struct sim_lds_races *races);
/* A group of the launch has ended: takes what was found in it. */
void sim_lds_races_take(struct sim_lds_races *races, struct sim_lds_watch *watch, uint32_t group);
/* Prints what was found in the launch, each pair of instructions once. */
void sim_lds_races_end_launch(struct sim_lds_races *races);
/* Since creation. */
uint64_t sim_lds_races_count(const struct sim_lds_races *races);

#endif

/* A unit test of the wave interpreter as text: where waves start, their program, and what they leave.
 * Grammar: docs/waves.md. */
#ifndef INDIUM_AMD_WAVE_FILE_H
#define INDIUM_AMD_WAVE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "amd/hw/chips.h"
#include "amd/hw/isa.h"
#include "sim/waves/schedule.h"
#include "util/arena.h"

enum wave_value_kind {
   WAVE_VALUES_NUMBERS,
   WAVE_VALUES_LANE,   /* what the wave is: the lane's number, */
   WAVE_VALUES_THREAD, /* in the group, */
   WAVE_VALUES_WAVE,   /* the wave's number in the group, */
   WAVE_VALUES_GROUP,  /* the group's */
};

struct wave_values {
   enum wave_value_kind kind;
   uint32_t *numbers;
   unsigned count;
};

enum wave_place_kind {
   WAVE_PLACE_REGISTER, /* `at`: number as enum amd_operand has it, SCC among them */
   WAVE_PLACE_MEMORY,   /* `at`: address */
   WAVE_PLACE_LDS,      /* `at`: bytes, in the group of the wave */
};

/* What a place holds at the start, or should hold at the end. */
struct wave_place {
   enum wave_place_kind kind;
   uint64_t at;
   struct wave_values values;
   uint32_t group, wave; /* of an expectation */
   unsigned line;
};

static inline bool
wave_place_is_vgpr(const struct wave_place *place)
{
   return place->kind == WAVE_PLACE_REGISTER && amd_is_vgpr((uint16_t)place->at);
}

struct wave_region {
   uint64_t address, size_B;
   unsigned access; /* enum sim_access */
   unsigned line;
};

struct wave_file {
   const char *name;
   const struct amd_chip *chip;
   struct sim_schedule schedule;
   uint32_t wave_size, groups, waves, vgprs, lds_B, float_mode;
   uint64_t budget, exec;
   bool wgp;

   struct wave_region *regions;
   struct wave_place *starts, *expected, *printed;
   unsigned num_regions, num_starts, num_expected, num_printed;
   unsigned regions_capacity, starts_capacity, expected_capacity, printed_capacity;
   const char *fault; /* words of the fault that is expected; NULL: none */
   unsigned fault_line;

   unsigned code_line;
   uint32_t *code;
   unsigned *code_lines; /* of each dword */
   unsigned code_dw, code_capacity, code_lines_capacity;
};

/* chip: in place of the file's; NULL: that. NULL with a message, "NAME:LINE: what", in the arena. */
struct wave_file *wave_file_parse(struct arena *arena, const char *name, const char *text,
                                  const struct amd_chip *chip, const char **error);

/* Runs the waves. Prints what the file wants, and what is not as expected. report: for what has run
 * (amd/sim/report.h), or NULL. */
bool wave_file_run(const struct wave_file *file, const struct sim_schedule *schedule, FILE *report);

/* v7, s12, exec, vcc, m0; -1: no such register. And back. */
int wave_register(const char *name);
void wave_register_name(unsigned reg, char name[16]);

#endif

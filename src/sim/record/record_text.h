/* Lines of a recording, for those who write them. */
#ifndef INDIUM_SIM_RECORD_TEXT_H
#define INDIUM_SIM_RECORD_TEXT_H

#include <stdio.h>

#include "sim/record/recording.h"

#define SIM_RECORD_FIRST_LINE "indium recording 1"

/* Letters of SIM_READ, SIM_WRITE, SIM_EXECUTE, SIM_PRT, in this order; an access is some of them, or "-". */
#define SIM_RECORD_ACCESS "rwxp"

/* schedule: NULL leaves it out. */
void sim_record_print_head(FILE *out, const char *driver, const char *chip, const char *schedule, const char *option);

/* The lines of a record. */
void sim_record_print(FILE *out, const struct sim_record *record);

/* Continues with a hash over what a submission has changed: runs of words of the memories, in order. */
uint64_t sim_record_hash(uint64_t hash, uint64_t memory, uint64_t offset_B, const uint32_t *words, uint64_t count);

#endif

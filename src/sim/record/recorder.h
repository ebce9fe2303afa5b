/* Writes a recording: what a program's submissions found in memory and what they left there, as text that
 * sim/record/recording.h reads back. A vendor's part adds what a submission is. All calls come under one lock; the
 * submission that is recorded runs without. */
#ifndef INDIUM_SIM_RECORDER_H
#define INDIUM_SIM_RECORDER_H

#include <stdio.h>

#include "sim/vm/vm.h"

struct sim_recorder;
struct sim_recorded; /* a memory */

/* out: stays the caller's, who looks at ferror(). schedule, option: NULL without. NULL: out of memory. */
struct sim_recorder *sim_recorder_create(FILE *out, const char *driver, const char *chip, const char *schedule,
                                         const char *option);

/* All memories were removed. */
void sim_recorder_destroy(struct sim_recorder *recorder);

/* As sim_snapshot_create(). What cannot be watched for lack of memory ends the process, as everywhere in a shim. */
struct sim_recorded *sim_recorder_add(struct sim_recorder *recorder, const void *host, uint64_t size_B, int fd);
void sim_recorder_remove(struct sim_recorder *recorder, struct sim_recorded *memory);

/* access: of sim/vm/vm.h; memory is NULL for holes. space: any number that names an address space. */
void sim_recorder_map(struct sim_recorder *recorder, uint64_t space, struct sim_va va, uint64_t size_B,
                      unsigned access, const struct sim_recorded *memory, uint64_t offset_B);
/* size: two ranges of memory */
void sim_recorder_unmap(struct sim_recorder *recorder, uint64_t space, struct sim_va va, uint64_t size_B);

/* Writes what has changed in all memories since they were last looked at. */
void sim_recorder_update(struct sim_recorder *recorder);

/* Within a submission: a wait for the word at host is over. waited: the word was another at first. Where it is not
 * the submission that has written the word, everything that others have written until now is noted. */
void sim_recorder_waited(struct sim_recorder *recorder, const void *host, bool waited);

/* Ahead of a submission in vm: writes what others have changed in all memories. Then the caller prints a line "submit
 * SPACE ..." and indented ones, runs it, and ends it: with its fault, or with a hash of what it has changed in
 * memory. What others write meanwhile is left for the next one, but for sim_recorder_waited(). */
void sim_recorder_begin(struct sim_recorder *recorder, struct sim_vm *vm);
void sim_recorder_end(struct sim_recorder *recorder, struct sim_vm *vm, const struct sim_fault *fault);

#endif

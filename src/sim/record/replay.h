/* Runs a recording: memory is mapped and written as it says, each submission is given to the vendor's model, and what
 * that has changed in memory is compared. */
#ifndef INDIUM_SIM_REPLAY_H
#define INDIUM_SIM_REPLAY_H

#include <stdio.h>

#include "sim/record/recording.h"
#include "sim/vm/vm.h"

struct sim_player; /* a replay under way */

struct sim_replay {
   const char *path; /* for messages */
   const struct sim_recording *recording;
   bool compares; /* hashes, words and faults; else they are only told */
   bool shows;    /* prints what each submission has changed, as "expect" blocks */
   void *data;
   bool only_walks; /* submit() runs nothing: nothing is compared or printed */
   /* Runs a submission. False with an error if its lines mean nothing; fault->kind tells a fault. */
   bool (*submit)(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
                  struct sim_fault *fault, struct sim_record_error *error);
};

enum sim_replay_end {
   SIM_REPLAY_SAME,  /* all that was compared is the same */
   SIM_REPLAY_OTHER, /* or a line on stderr says what is not, or which fault ended it */
   SIM_REPLAY_BAD,   /* *error says what is wrong with the recording */
};

/* Prints the hash or fault of each submission on stdout, as lines of a recording. */
enum sim_replay_end sim_replay_run(const struct sim_replay *replay, struct sim_record_error *error);

/* Within submit(): it waits for memory. Plays what was recorded until a wait ended, if there is anything left. False
 * with the replay's error. */
bool sim_player_wait(struct sim_player *player);

/* The memory that lies at a host address of an address space; false if it is freed. */
bool sim_player_locate(const struct sim_player *player, const void *host, uint64_t *memory, uint64_t *offset_B);

#endif

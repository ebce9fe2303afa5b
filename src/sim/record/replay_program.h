/* The program behind `indium replay`, a vendor's:
 *
 *    PROGRAM FILE [--gpu CHIP] [--schedule SCHEDULE] [--budget N] [--trace FILE] [--dump-state FILE] [--races]
 *                 [--changes]
 *    PROGRAM FILE --decode */
#ifndef INDIUM_SIM_REPLAY_PROGRAM_H
#define INDIUM_SIM_REPLAY_PROGRAM_H

#include "sim/record/replay.h"
#include "sim/waves/schedule.h"

struct sim_trace;

/* The model that is asked for. */
struct sim_replay_model {
   const char *chip;
   struct sim_schedule schedule;
   unsigned threads;
   uint64_t budget;         /* 0: the default */
   struct sim_trace *trace; /* NULL: none */
   FILE *dump;              /* NULL: none */
   FILE *races;             /* NULL: nobody looks */
   const char *option;      /* of the recording; NULL: none */
};

struct sim_replay_vendor {
   const char *driver; /* of the recordings that it runs */
   const struct sim_record_language *languages;
   /* NULL after a message on stderr that says which chip or option it does not have. */
   void *(*create)(const struct sim_replay_model *model);
   void (*destroy)(void *sim);
   /* As of struct sim_replay; data is the model. */
   bool (*submit)(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
                  struct sim_fault *fault, struct sim_record_error *error);
   /* NULL: no --decode. */
   bool (*decode)(const struct sim_recording *recording, FILE *out, struct sim_record_error *error);
};

/* The whole of main(); the exit status. */
int sim_replay_main(char **argv, const struct sim_replay_vendor *vendor);

#endif

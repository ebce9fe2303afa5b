/* The checks that must find mistakes: programs of the build folder. */
#ifndef INDIUM_TOOLS_MUTANTS_CHECK_H
#define INDIUM_TOOLS_MUTANTS_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "tools/mutants/mutants_chip.h"

/* Those on the model run under a schedule; the others once, by themselves. */
struct mutants_check {
   enum mutants_where where;
   const char *name, *program, *args[12];
   bool model;
   const char *environment; /* "NAME=VALUE" */
};

#define MUTANTS_MAX_CHECKS 64

extern const struct mutants_check mutants_checks[];
extern const unsigned mutants_num_checks;

/* One run of a check. */
struct mutants_run {
   const struct mutants_check *check;
   char schedule[24]; /* "": none */
   FILE *log;         /* what it printed; a file without a name */
   pid_t pid;
   int status;
};

/* Schedule number n: those that break ordering most easily come first. */
void mutants_choose_schedule(unsigned n, char schedule[24]);

/* False if the program cannot be started. */
bool mutants_start(struct mutants_run *run, const char *chip);

/* Waits for the runs in turn. Those after the first that failed are of no interest, and stopped. Its number, or
 * `count`. A run that takes too long or crashes says nothing, and ends the program. */
unsigned mutants_wait(struct mutants_run *runs, unsigned count);

/* What noticed: "hang", "report" (another fault of the model) or "pixels" (the check itself). `line`: the sentence.
 */
const char *mutants_reason(const struct mutants_run *run, char line[128]);

#endif

/* What the processes of an `indium run` count, in memory that all of them share, so that it outlives them. */
#ifndef INDIUM_UTIL_RUN_COUNTS_H
#define INDIUM_UTIL_RUN_COUNTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#define RUN_COUNTS_VARIABLE "INDIUM_COUNTS" /* of the environment: the path of the memory's file */

struct run_counts {
   _Atomic uint64_t submits; /* that a device accepted */
   atomic_flag reported;
   pid_t program, watcher;
   struct stat said_to; /* the run's stderr; all zeros: it was closed */
   /* Whole lines, at the end of the run. */
   char nothing[320]; /* there were no submits */
   char noop[320];    /* there were, and nothing ran; empty: they ran */
};

/* Writes the line that fits to stderr, if there is one, unless somebody else has. A process whose stderr is not the
 * run's any more says nothing: the line is not for the program's own files. */
void run_counts_report(struct run_counts *counts);

#endif

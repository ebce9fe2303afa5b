/* indium uav: what its parts ask for. */
#ifndef INDIUM_TOOLS_UAV_H
#define INDIUM_TOOLS_UAV_H

#include "tools/indium.h"

/* As given on the command line. */
struct uav_request {
   const char *timeline; /* FILE */
   const char *explain;  /* STATE */
   bool all;
};

/* Draws the hang of Broadwell over time, and two ways around it; the exit status. */
int uav_timeline(const char *path);

/* Prints which bits a draw with the state gets, and why; the exit status. */
int uav_explain(const char *state);
/* Finds what draws of a stream that `indium run --dump-state` wrote lose, flush without need, or can hang on; the
 * exit status. all: a line for each draw. */
int uav_check(const char *path, bool all);

#endif

/* indium order: what its parts ask for. */
#ifndef INDIUM_TOOLS_ORDER_H
#define INDIUM_TOOLS_ORDER_H

#include "tools/indium.h"

/* As given on the command line. */
struct order_request {
   const char *explain;                                  /* STATE */
   const char *gpu, *driver, *seeds, *schedule, *replay; /* of --check; NULL: not said */
   bool check;
};

/* Prints the driver's decision for a state, and why; the exit status. */
int order_explain(const char *state);

/* argv: the program and its arguments; none with a recording. Returns the exit status. */
int order_check(const struct order_request *request, unsigned count, char **argv);

#endif

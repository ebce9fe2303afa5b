/* indium order: what its parts ask for. */
#ifndef INDIUM_TOOLS_ORDER_H
#define INDIUM_TOOLS_ORDER_H

#include "tools/indium.h"

/* As given on the command line. */
struct order_request {
   const char *explain;
};

/* Prints the driver's decision for a state, and why; the exit status. */
int order_explain(const char *state);

#endif

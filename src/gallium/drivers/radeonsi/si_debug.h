/* Choices of the driver that the environment variable RADEONSI_DEBUG makes, separated by commas. */
#ifndef INDIUM_SI_DEBUG_H
#define INDIUM_SI_DEBUG_H

#include <stdbool.h>

enum si_debug {
   SI_DEBUG_LAYERS,      /* "layers": overlapping invocations share waves where that is legal */
   SI_DEBUG_WHOLEPIXELS, /* "wholepixels": sample interlock orders whole pixels */
   SI_DEBUG_COUNT,
};

bool si_debug(enum si_debug choice);

#endif

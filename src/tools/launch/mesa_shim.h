/* Mesa's own drm-shims, as bin/peers fetches them: they answer the kernel's interface and run nothing. */
#ifndef INDIUM_TOOLS_MESA_SHIM_H
#define INDIUM_TOOLS_MESA_SHIM_H

#include "tools/launch/driver_table.h"

#define MESA_SHIM_PEER "mesa-shim" /* its folder of bin/peers */

struct mesa_shim {
   const char *chip;      /* this tree's name */
   const char *library;   /* in the folder of libraries */
   struct setting choice; /* of the environment; no name: the library has this chip only */
};

/* Up to a row without a chip. */
extern const struct mesa_shim mesa_shims[];

/* The chip's row, or NULL. */
const struct mesa_shim *mesa_shim_of_chip(const char *chip);

#endif

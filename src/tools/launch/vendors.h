/* Whose chips can be shown to programs: a row a vendor, with its own table of chips and its own shim. */
#ifndef INDIUM_TOOLS_VENDORS_H
#define INDIUM_TOOLS_VENDORS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/launch/parts.h"

struct vendor {
   enum part shim;
   bool has_model;    /* this tree has a driver and a model of it; the others are for other people's drivers in noop
                       * mode, which is their default */
   bool records_noop; /* its shim records what is submitted in noop mode, too */
   /* Chip number i, or NULL after the last. */
   const char *(*chip_name)(unsigned i);
   /* Prints its line of `indium gpus`. */
   void (*print_chip)(unsigned i);
};

/* Up to a row without chips. */
extern const struct vendor vendors[];

/* The row that has the chip, or NULL. */
const struct vendor *vendor_of_chip(const struct vendor *rows, const char *chip);

#endif

/* Deliberate mistakes, which tests must notice. Only builds with -Dmutants=true can make them; the environment
 * variable INDIUM_MUTANT names the one to make.
 *
 * tests/mutants lists all. Most are rows: at a seam, where values pass from one part to the next (register writes,
 * packets, descriptors, records, instructions), a row changes fields of what passes (util/mutant_row.h). Mistakes of
 * control flow are in the code instead: if (mutant(NAME)) do something else. mutant() is false in other builds. */
#ifndef INDIUM_UTIL_MUTANT_H
#define INDIUM_UTIL_MUTANT_H

#include <stdbool.h>

#ifdef INDIUM_MUTANTS
/* Whether the mistake of this name is made. */
bool mutant(const char *name);
#else
#define mutant(name) false
#endif

#endif

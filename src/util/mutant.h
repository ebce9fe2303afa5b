/* Mistakes that can be switched on, so that tests can show they would be found: if (mutant("no-wait")) skip the wait.
 * Only builds with -Dmutants=true have them; elsewhere mutant() is the constant false. The list of them, and the
 * checks that must find them: src/tools/mutants.c. */
#ifndef INDIUM_UTIL_MUTANT_H
#define INDIUM_UTIL_MUTANT_H

#include <stdbool.h>

#ifdef INDIUM_MUTANTS
/* Whether the environment variable INDIUM_MUTANT has this name. */
bool mutant(const char *name);
#else
#define mutant(name) false
#endif

#endif

/* Recorded submissions with something wrong in them: what must hold for any damage. */
#ifndef INDIUM_TEST_DAMAGED_TRY_H
#define INDIUM_TEST_DAMAGED_TRY_H

#include "../../fuzz/random_source.h"

enum { DAMAGED_RECORDINGS = 4 };
extern const char *const damaged_names[DAMAGED_RECORDINGS]; /* small enough files of recordings/ */

/* Changes words of memory and of the commands, as the source says, and runs them, on simd groups that are limited in
 * number and length: to the end, or to a fault. Aborts if anything else happens. */
void damaged_try(const char *path, struct random_source *source);

#endif

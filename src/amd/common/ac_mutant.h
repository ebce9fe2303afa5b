/* The seam of deliberate mistakes (util/mutant.h) in descriptors; builds without mistakes have none. */
#ifndef INDIUM_AC_MUTANT_H
#define INDIUM_AC_MUTANT_H

#include <stdint.h>

#include "amd/hw/gen.h"

#ifdef INDIUM_MUTANTS
/* An image's descriptor of count dwords. */
void ac_mutate_image(enum amd_gen gen, uint32_t *words, unsigned count);
#else
static inline void
ac_mutate_image(enum amd_gen gen, uint32_t *words, unsigned count)
{
}
#endif

#endif

/* The seam of deliberate mistakes (util/mutant.h) in descriptors; builds without mistakes have none. */
#ifndef INDIUM_AC_MUTANT_H
#define INDIUM_AC_MUTANT_H

#include <stdint.h>

#include "amd/hw/gen.h"

/* Dword n of a descriptor has number kind + 4 * n. */
enum ac_mutant_descriptor {
   AC_MUTANT_SQ_BUF_RSRC = 0x100, /* of typed buffers */
   AC_MUTANT_SQ_IMG_RSRC = 0x200,
   AC_MUTANT_SQ_IMG_SAMP = 0x300,
};

#ifdef INDIUM_MUTANTS
void ac_mutate(enum amd_gen gen, enum ac_mutant_descriptor kind, uint32_t *words, unsigned count);
#else
static inline void
ac_mutate(enum amd_gen gen, enum ac_mutant_descriptor kind, uint32_t *words, unsigned count)
{
}
#endif

#endif

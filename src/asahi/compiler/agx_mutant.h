/* The seam of deliberate mistakes (util/mutant.h) in instructions; builds without mistakes have none. */
#ifndef INDIUM_AGX_MUTANT_H
#define INDIUM_AGX_MUTANT_H

#include <stdbool.h>

#include "asahi/compiler/agx_ir.h"

#ifdef INDIUM_MUTANTS
/* True: the instruction must be left out. */
bool agx_mutate(struct agx_instr *instr);
#else
static inline bool
agx_mutate(struct agx_instr *instr)
{
   return false;
}
#endif

#endif

#include "asahi/compiler/agx_mutant.h"

#include "util/mutant_row.h"

bool
agx_mutate(struct agx_instr *instr)
{
   const struct mutant_object object = {.number = instr->op, .data = instr};
   return mutate(agx_rows, num_agx_rows, &object);
}

/* The seam of deliberate mistakes (util/mutant.h) in instructions; builds without mistakes have none. */
#ifndef INDIUM_ACO_MUTANT_H
#define INDIUM_ACO_MUTANT_H

#include "amd/compiler/aco_ir.h"
#include "amd/hw/isa.h"

/* What an instruction is, for rows of tests/mutants. */
enum aco_mutant_context {
   ACO_MUTANT_LOAD = 1 << 0, /* of memory, and no atomic */
   ACO_MUTANT_STORE = 1 << 1,
   ACO_MUTANT_FRAGMENT = 1 << 2,    /* of a fragment shader */
   ACO_MUTANT_AWAIT_WAVES = 1 << 3, /* in aco_await_waves() */
   ACO_MUTANT_ORDERED = 1 << 4,     /* of a fragment shader with an ordered section */
   ACO_MUTANT_EXIT = 1 << 5,        /* a wait right before what ends an ordered section */
};

#ifdef INDIUM_MUTANTS
/* context: all but the first two. What is left out becomes s_nop. */
void aco_mutate(enum amd_gen gen, uint32_t context, struct amd_inst *inst);

/* Of the instruction of that number. */
uint32_t aco_mutant_context(const struct aco_program *program, const struct aco_block *block, unsigned number);
#else
static inline uint32_t
aco_mutant_context(const struct aco_program *program, const struct aco_block *block, unsigned number)
{
   return 0;
}

static inline void
aco_mutate(enum amd_gen gen, uint32_t context, struct amd_inst *inst)
{
}
#endif

#endif

/* The seams of deliberate mistakes (util/mutant.h) in this driver; builds without mistakes have none. */
#ifndef INDIUM_SI_MUTANT_H
#define INDIUM_SI_MUTANT_H

#include <stdint.h>

#include "amd/hw/gen.h"

struct si_cs;

/* Structs that pass between files. */
enum si_mutant_struct {
   MUTANT_si_order_tests,
   MUTANT_si_order_color,
   MUTANT_si_order_shader,
   MUTANT_si_out_of_order_key,
};

/* Why atoms become dirty. */
enum si_mutant_atoms {
   SI_MUTANT_STATE,   /* a state of draws changed */
   SI_MUTANT_PROGRAM, /* another program */
   SI_MUTANT_QUERY,   /* a query begins */
   SI_MUTANT_ROLL,    /* a context rolls, which loses them (pops_missed_overlap) */
};

#ifdef INDIUM_MUTANTS
/* Register writes and other packets of an ended stream, and of count dwords. */
void si_mutate_stream(const struct si_cs *cs, enum amd_gen gen);
void si_mutate_packets(uint32_t *dw, unsigned count, enum amd_gen gen);
void si_mutate_struct(enum si_mutant_struct number, void *data);
uint32_t si_mutate_atoms(enum si_mutant_atoms why, uint32_t atoms);
#else
static inline void
si_mutate_stream(const struct si_cs *cs, enum amd_gen gen)
{
}

static inline void
si_mutate_packets(uint32_t *dw, unsigned count, enum amd_gen gen)
{
}

static inline void
si_mutate_struct(enum si_mutant_struct number, void *data)
{
}

/* Bits (1 << enum si_atom). */
static inline uint32_t
si_mutate_atoms(enum si_mutant_atoms why, uint32_t atoms)
{
   return atoms;
}
#endif

#endif

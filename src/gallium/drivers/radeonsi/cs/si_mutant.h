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
   MUTANT_si_pops_key,
   MUTANT_si_pops,
   MUTANT_si_meta_table,
};

/* What the struct is about. */
enum si_mutant_context {
   /* si_order_shader: the only thing that drops samples */
   SI_MUTANT_DISCARD = 1 << 0,
   SI_MUTANT_EXPORTED_MASK = 1 << 1,
   SI_MUTANT_ALPHA_TO_COVERAGE = 1 << 2,
   /* si_pops */
   SI_MUTANT_INTERLOCK = 1 << 3,
   SI_MUTANT_PARTIAL = 1 << 4,         /* overlap is not asked for by sample, though there are several */
   SI_MUTANT_OVERLAP_SAMPLES = 1 << 5, /* POPS_OVERLAP_NUM_SAMPLES says how overlap counts */
   SI_MUTANT_INTRINSIC_RATE = 1 << 6,  /* OVERRIDE_INTRINSIC_RATE says it */
   SI_MUTANT_NULL_EXPORT = 1 << 7,     /* a target that nothing is exported to has space */
   /* si_meta_table */
   SI_MUTANT_EXPAND = 1 << 8,
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
/* context: bits of enum si_mutant_context */
void si_mutate_struct(enum si_mutant_struct number, uint32_t context, void *data);
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
si_mutate_struct(enum si_mutant_struct number, uint32_t context, void *data)
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

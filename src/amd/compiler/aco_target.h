/* What the compiler knows of a generation beside the instruction table. */
#ifndef INDIUM_ACO_TARGET_H
#define INDIUM_ACO_TARGET_H

#include <stdbool.h>

#include "amd/hw/gen.h"

struct aco_target {
   /* Registers of a SIMD for one lane of wave32; granule: given out in blocks of so many (wave64: half). */
   unsigned vgprs, vgpr_granule, max_waves;
   unsigned max_image_addresses; /* registers of an address that need not stand in a row (NSA) */
   bool nsa_in_clauses;          /* erratum nsa-clause if not */
   bool pos0_vm;                 /* erratum pos0-vm: the bit must be set */
   bool has_hazards;             /* aco_avoid_hazards.c applies */
};

/* NULL if the compiler does not have the generation. */
const struct aco_target *aco_target(enum amd_gen gen);

#endif

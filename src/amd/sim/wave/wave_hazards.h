/* Instruction hazards of GFX10.1: what a wave did since the last instruction that makes them harmless. Internal to
 * the engine. */
#ifndef INDIUM_AMD_SIM_WAVE_HAZARDS_H
#define INDIUM_AMD_SIM_WAVE_HAZARDS_H

#include <stdbool.h>
#include <stdint.h>

struct code;
struct wave;

/* Scalar registers by operand number. */
struct wave_scalars {
   uint64_t bits[2];
};

struct wave_hazards {
   struct wave_scalars by_loads, by_stores, by_lds, by_smem; /* read by */
   bool lds, vmem, lds_then_branch, vmem_then_branch;
};

/* Whether what comes runs into the same; then hashes are the same, too. */
bool wave_hazards_alike(const struct wave_hazards *a, const struct wave_hazards *b);
uint32_t wave_hazards_hash(const struct wave_hazards *hazards);

/* The name of the hazard (docs/errata.md) that the instruction runs into, or NULL; then it is noted. */
const char *wave_find_hazard(struct wave *wave, const struct code *code);

#endif

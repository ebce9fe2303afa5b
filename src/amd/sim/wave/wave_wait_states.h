/* GFX9: instructions that must be so many wait states apart; every instruction is one, s_nop as many as it says. What
 * a wave did in its last few. Internal to the engine. */
#ifndef INDIUM_AMD_SIM_WAVE_WAIT_STATES_H
#define INDIUM_AMD_SIM_WAVE_WAIT_STATES_H

#include <stdbool.h>
#include <stdint.h>

struct code;
struct wave;

/* now: wait states so far, through all waves that ran here. The others: `now` of the instruction that did it, + 1; 0:
 * never. */
struct wave_wait_states {
   uint32_t now;
   uint32_t scalar_by_vector[128]; /* a vector instruction wrote the scalar register */
   uint32_t m0_by_scalar;
   uint32_t vgpr[256];  /* a vector instruction wrote it */
   uint32_t setreg[64]; /* s_setreg wrote the hardware register */
   uint32_t store;      /* of more than 64 bits, from these VGPRs: */
   uint16_t store_first, store_end;
};

/* No instruction yet. */
void wave_wait_states_start(struct wave_wait_states *states);

/* Whether what comes runs into the same; then hashes are the same, too. */
bool wave_wait_states_alike(const struct wave_wait_states *a, const struct wave_wait_states *b);
uint32_t wave_wait_states_hash(const struct wave_wait_states *states);

/* The name of the hazard (docs/errata.md) that the instruction runs into, or NULL; then it is noted. */
const char *wave_find_missing_wait(struct wave *wave, const struct code *code);

#endif

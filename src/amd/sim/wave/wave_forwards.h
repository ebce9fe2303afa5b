/* GFX11: results that units hand each other too early or too late, unless something stands between. What a wave did
 * since. Internal to the engine. */
#ifndef INDIUM_AMD_SIM_WAVE_FORWARDS_H
#define INDIUM_AMD_SIM_WAVE_FORWARDS_H

#include <stdbool.h>
#include <stdint.h>

struct code;
struct wave;

/* Bit n: register n. */
struct wave_vgpr_set {
   uint64_t bits[4];
};

/* Numbers of vector instructions count from 1, through all waves that ran here; 0: never. */
struct wave_forwards {
   uint32_t vectors, transcendentals; /* so far */
   uint32_t done;                     /* vector instructions that have been waited for */
   uint32_t ordered;                  /* the same, but for transcendentals: by who reads their scalar results */
   uint32_t last_scalar;              /* the last one with such results */
   uint32_t execs;                    /* writes of EXEC by scalar instructions so far */
   uint32_t last_transcendental;      /* its number as a vector instruction */
   bool compared_into_exec;           /* v_cmpx, and no vector instruction since */
   uint32_t product; /* the last matrix product's number as a vector instruction; 0: there was none */
   struct wave_vgpr_list {
      uint8_t reg[24], count;
   } product_written;
   struct {
      uint32_t used, written, execs; /* the last vector instruction that read or wrote it; wrote it, and execs then */
      uint32_t by_trans, trans;      /* written by a transcendental: its numbers */
   } vgpr[256];
   struct wave_vgpr_set loads, stores, lds; /* VGPRs of memory instructions that may not have been read yet */
   uint64_t masks[2], masks_written[2];     /* SGPRs read as lane masks; of these, written by scalar instructions */
   uint64_t scalars[2];                     /* SGPRs that vector instructions have written, until one is read */
   uint64_t by_vector[2];                   /* the same since the last mask was read */
};

/* What an instruction reads and writes, as far as it matters here. */
struct wave_forward_operands {
   struct wave_vgpr_list read, written, factors, unlocked; /* VGPRs; factors: A and B of a matrix product;
                                       unlocked: whose interlock a VOPD may lose (erratum vopd-interlock) */
   uint64_t scalars[2], results[2]; /* SGPRs: bits of those that it reads, that a vector instruction writes */
   uint64_t scalars_and_exec[2];    /* that it reads, with EXEC, and what it does not name */
};

/* Of a decoded instruction, once. */
void wave_forwards_bind(struct code *code, unsigned lanes);

/* No instruction yet. */
void wave_forwards_start(struct wave_forwards *forwards);

/* Whether what comes runs into the same; then hashes are the same, too. */
bool wave_forwards_alike(const struct wave_forwards *a, const struct wave_forwards *b);
uint32_t wave_forwards_hash(const struct wave_forwards *forwards);

/* The name of the hazard (docs/errata.md) that the instruction runs into, or NULL; then it is noted. */
const char *wave_find_forward(struct wave *wave, const struct code *code);

#endif

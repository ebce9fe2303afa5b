/* What BC6H and BC7 share. Source: Khronos Data Format Specification 1.3, chapter 20 (BPTC). */
#ifndef INDIUM_SIM_BPTC_H
#define INDIUM_SIM_BPTC_H

#include <stdint.h>

/* A block of 16 bytes from its lowest bit up. */
struct sim_bptc_reader {
   uint64_t words[2];
   unsigned at; /* bit */
};

struct sim_bptc_reader sim_bptc_start(const void *block);
unsigned sim_bptc_take(struct sim_bptc_reader *r, unsigned bits);

/* The subset of a texel (y * 4 + x) in one of 64 partitions into 1, 2 or 3. */
unsigned sim_bptc_subset(unsigned subsets, unsigned partition, unsigned texel);

/* The weight, of 64, of the second endpoint at one texel out of a run of indices of all; leaves the reader after the
 * run. bits: of an index, 2 to 4. */
unsigned sim_bptc_take_weight(struct sim_bptc_reader *r, unsigned subsets, unsigned partition, unsigned bits,
                              unsigned texel);
/* The same of all texels. */
void sim_bptc_take_weights(struct sim_bptc_reader *r, unsigned subsets, unsigned partition, unsigned bits,
                           uint8_t weights[16]);

#endif

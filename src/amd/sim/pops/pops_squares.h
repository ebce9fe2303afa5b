/* Which wave was the newest on each pixel, by squares of 2 x 2: what quads that arrive meet. */
#ifndef INDIUM_AMD_SIM_POPS_SQUARES_H
#define INDIUM_AMD_SIM_POPS_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/sim/state/quad.h"
#include "sim/texel/vec4.h"

struct amd_pops_state;

enum { POPS_SQUARES = AMD_BIN_PX / 2 * (AMD_BIN_PX / 2) };

/* Waves by number in the packer, from the first launch on, + 1; 0: none. All quads of a square are one packer's. */
struct pops_square {
   v4u newest;  /* of each pixel */
   v4u earlier; /* the newest of earlier launches; where `newest` is of one, too, it counts */
   v4u quad;    /* the newest quad's index in its wave */
};

/* The pixels of a quad, or of a coarse pixel, that lie in one square. */
struct pops_part {
   struct pops_square *square;
   uint32_t *samples;  /* of the square's first pixel: see struct pops_covered */
   v4u pixels;         /* masks */
   uint8_t buckets[4]; /* of each pixel */
};

/* What a quad covers. */
struct pops_covered {
   struct pops_part part[4];
   unsigned count;
   unsigned samples_log2; /* not 0: samples has for each bucket the newest wave in the launch, seq + 1, in the bits
                             above POPS_QUAD_BITS, and its quad below */
};
enum { POPS_QUAD_BITS = 4 };

/* A packer's count of waves when the launch began, and of those that have ended. */
struct pops_past {
   uint32_t started, drained;
};

/* Lists what the quad covers; squares, samples: of its bin. */
void pops_cover(struct pops_covered *covered, const struct amd_pops_state *state, const struct amd_quad *quad,
                bool per_sample, struct pops_square *squares, uint32_t *samples);
/* size: where a quad is looked up */

/* What covered pixels (or samples) have met in the launch. */
struct pops_met {
   uint32_t newest; /* wave other than the open one: seq + 1, 0: none */
   bool in_layer;   /* a quad of the open wave from layer_start on */
};

/* open: the open wave's seq + 1. */
struct pops_met pops_meet(const struct pops_covered *covered, uint32_t started, uint32_t open, uint32_t layer_start);

/* Puts a quad of the wave number seq in the place of what it met. Returns how far ahead of the launch's first wave
 * the newest wave of earlier launches is that it met and that has not ended, 0: none. */
uint32_t pops_mark(const struct pops_covered *covered, const struct pops_past *past, uint32_t seq, uint32_t index);

#endif

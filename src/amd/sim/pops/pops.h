/* Primitive ordered pixel shading: which wave overlaps which (docs/drivers/amd/pops.md).
 *
 * Regions of the screen belong to packers. A packer puts quads into waves in primitive order and numbers the waves;
 * the numbers that programs see have 10 bits and wrap. This file forms the waves of a launch and finds for each the
 * newest earlier wave of its packer that shares a pixel (or sample) with it. What depends on time, which waves have
 * left their ordered section, lives in the wave engine (wave_pops.h).
 */
#ifndef INDIUM_AMD_SIM_POPS_H
#define INDIUM_AMD_SIM_POPS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/dynarray.h"

struct amd_chip;
struct amd_pops_state;
struct amd_quad;
struct pops_square;

enum {
   AMD_POPS_MAX_PACKERS = 64,
   AMD_POPS_ID_BITS = 10,
   AMD_POPS_ID_MASK = (1 << AMD_POPS_ID_BITS) - 1,
   AMD_POPS_REGION_PX = 16, /* side of the squares that go to packers in turn (assumed) */
   AMD_POPS_IN_FLIGHT = 64, /* so many waves of a packer may be in flight across the start of a launch (assumed) */
   AMD_POPS_MAX_BINS = 256, /* of 64 px, in each direction of the screen */
};

/* Packers of a chip. A wave sees its packer's number within the shader engine. */
struct amd_pops_packers {
   uint32_t count, per_se_log2;
};

struct amd_pops_packers amd_pops_packers(const struct amd_chip *chip);

/* The packer of a pixel, below count. */
uint32_t amd_pops_packer_of(const struct amd_pops_packers *packers, uint32_t x, uint32_t y);

#define AMD_POPS_NONE UINT32_MAX

struct amd_pops_wave {
   uint32_t first, count; /* quads: order[first .. first + count) */
   uint32_t packer;
   uint32_t seq;    /* number within the packer, from 0 in each launch */
   uint32_t newest; /* seq of the newest earlier wave that it overlaps, AMD_POPS_NONE: no earlier wave */
   uint32_t before; /* the newest wave of earlier launches on its pixels: so many before seq 0, 0: none */
   uint32_t next;   /* the packer's next wave, AMD_POPS_NONE: none */
   uint32_t layers; /* bit i: quad i starts a new layer (INTRAWAVE_COLLISION) */
};

/* The waves of a launch. Waves are in order of their first quad's arrival. */
struct amd_pops_launch {
   struct amd_pops_packers packers;
   uint32_t first[AMD_POPS_MAX_PACKERS]; /* first wave of each packer, AMD_POPS_NONE: none */
   const struct amd_pops_wave *waves;
   uint32_t wave_count;
   const uint32_t *order; /* quads by wave, counted from the launch's first quad */
   bool lost;             /* no wave is told of overlap */
};

/* What amd_pops_form keeps from launch to launch. */
struct amd_pops_memory {
   struct dynarray waves, order, samples, open; /* buffers */
   struct dynarray place;                  /* uint32_t: of each quad, wave * quads_per_wave + index in the wave */
   uint32_t started[AMD_POPS_MAX_PACKERS]; /* waves of earlier launches */
   uint32_t drained[AMD_POPS_MAX_PACKERS]; /* of these, known to have ended */
   struct pops_square *squares[AMD_POPS_MAX_BINS * AMD_POPS_MAX_BINS]; /* of each bin (pops_squares.h); NULL: none */
   uint64_t newest_draw; /* for the caller: of the order of draws (order.h) */
};

/* All waves of earlier launches have ended, and something has waited for that: no wave is told of them any more. */
void amd_pops_drain(struct amd_pops_memory *memory);

/* Forms waves of `quads` (primitive order wherever two of them share a pixel; quads of one 64x64 px bin follow one
 * another). quads_per_wave: a power of two, at most 16. per_sample: shading runs for single samples, so a quad covers
 * only those. */
void amd_pops_form(struct amd_pops_launch *launch, struct amd_pops_memory *memory, const struct amd_pops_state *state,
                   const struct amd_quad *quads, uint32_t count, uint32_t quads_per_wave, bool per_sample);
/* size: the launch and all that its order follows from */
/* Buckets of a quad's pixel. */
uint32_t amd_pops_samples(const struct amd_quad *quad, unsigned pixel, unsigned samples_log2, bool per_sample);

void amd_pops_memory_free(struct amd_pops_memory *memory);

/* SGPR COLLISION_WAVEID of GFX10 to 10.3: overlap 31, packer 29:28, newest overlapped wave 25:16, own wave 9:0. */
static inline uint32_t
amd_pops_collision(bool overlap, uint32_t packer_in_se, uint32_t newest_id, uint32_t own_id)
{
   return (uint32_t)overlap << 31 | (packer_in_se & 3) << 28 | (newest_id & AMD_POPS_ID_MASK) << 16 |
          (own_id & AMD_POPS_ID_MASK);
}

#endif

/* Waves, compiled: the hot parts of a program as code of the host (docs/decisions/compiled-waves.md).
 *
 * A region is a row of instructions that only compute: vector and scalar arithmetic, and branches among them. It
 * changes nothing that is under way and ends in no fault, so what the interpreter checks ahead of each instruction is
 * checked once for all of it, when a wave enters. Where that fails, or a round would end within, the interpreter goes
 * on. Internal to the engine. */
#ifndef INDIUM_AMD_SIM_JIT_H
#define INDIUM_AMD_SIM_JIT_H

#include "amd/sim/wave/wave_private.h"

/* Instructions without branches but for the last, which run to the end once they are entered. */
struct jit_block {
   const void *code;
   uint32_t count; /* instructions */
   const struct jit_region *region;
};

struct jit_region {
   struct sim_registers used;
   uint32_t vgpr_end;
};

/* Of a program. */
struct jit {
   uint64_t (*enter)(struct wave *wave, const void *code, uint64_t left);
   uint32_t mode; /* that it was compiled for */
   size_t memory_B;
   void *memory;
   struct jit_block *blocks;
   struct jit_region *regions;
   struct jit_situations *situations; /* jit_steady.h */
   uint16_t block_of[];               /* by instruction: number of the block that begins there + 1, or 0 */
};

/* Whether the host has the instructions that it takes. */
bool jit_fits_host(void);

/* Compiles what can be compiled of a program. mode: MODE of the wave. NULL: nothing can, or the host gives no memory
 * for code. */
struct jit *jit_compile(const struct program *program, uint32_t mode);
void jit_free(struct jit *jit); /* NULL: nothing to do */

/* Whether the vector instruction has code of its own: it writes all active lanes of its result. */
bool jit_has_vector(const struct code *code);

/* The wave has run so many more instructions in the interpreter: its program may be worth compiling. */
void jit_note_heat(struct wave *wave, uint64_t instructions);
/* What the wave's program is compiled to, for a way of waves that need no checks. NULL: nothing. */
const struct jit *jit_make(const struct wave *wave);
/* Whether such code runs faster than a way (wave_way.h) that turns back: it does where instructions need no look at
 * those ahead of them. */
bool jit_outruns_ways(const struct wave *wave);
/* What the wave's program is compiled to, if that may run in the place of the interpreter; else NULL. */
const struct jit *jit_of(const struct wave *wave);

/* The block that begins with the instruction, or NULL. */
static inline const struct jit_block *
jit_block_at(const struct jit *jit, uint32_t index)
{
   return jit->block_of[index] ? &jit->blocks[jit->block_of[index] - 1] : NULL;
}

/* Runs the wave from where it stands (base.next) for as long as it meets blocks, up to this number of instructions.
 * Returns whether it has run any. */
bool jit_run(struct wave *wave, const struct jit *jit, uint64_t end);

#endif

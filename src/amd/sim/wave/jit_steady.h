/* Blocks in loops that are checked against what is ahead of them, once for all waves.
 *
 * Whether an instruction runs into something depends on the instructions ahead of it alone, of which only the last
 * few matter, and some sets of registers: a situation. Programs have few of them at the starts of their loops'
 * blocks. So of each situation that a wave has met a program keeps what was noted then, and which situation each
 * block led to that ran into nothing there. A wave that has jumped back a few times goes from situation to situation,
 * and what is noted of it is only brought up to date where none is known, or when it leaves. Internal to jit*.c. */
#ifndef INDIUM_AMD_SIM_JIT_STEADY_H
#define INDIUM_AMD_SIM_JIT_STEADY_H

#include "amd/sim/wave/jit.h"

struct jit_situation;

/* Of a wave that goes from block to block. */
struct jit_steady {
   const struct jit_situation *at; /* NULL: what is noted of the wave is up to date */
   uint32_t last, jumps;           /* the first instruction of the block ahead; jumps back so far */
   bool gives_up;                  /* the program has too many situations */
};

/* The wave is about to run the block that starts with base.next: returns how many of its instructions are well. All
 * of them: they are noted. Fewer: so many are. */
uint32_t jit_steady_check(struct jit_steady *steady, struct wave *wave, const struct jit *jit,
                          const struct jit_block *block);
/* The wave is about to go on without: brings up to date what is noted of it. */
void jit_steady_leave(struct jit_steady *steady, struct wave *wave);

struct jit_situations *jit_situations_create(uint32_t block_count);
void jit_situations_free(struct jit_situations *situations); /* NULL: nothing to do */

#endif

/* What the instructions of a wave read and write: registers, the mask of active threads, and which of the registers
 * are poison.
 *
 * Whoever executes instructions (exec_*.c) knows the fields, for it must be fast. */
#ifndef INDIUM_ASAHI_SIM_WAVE_STATE_H
#define INDIUM_ASAHI_SIM_WAVE_STATE_H

#include "asahi/hw/hw_limits.h"
#include "asahi/sim/wave/wave.h"
#include "sim/waves/pending.h"
#include "util/macros.h"

enum {
   LANES = AGX_WAVE_LANES,
   REGISTERS = 128,        /* of 32 bits */
   HALVES = AGX_REGISTERS, /* register r has the halves 2r, its low one, and 2r + 1 */
};

#define ALL_LANES UINT32_MAX

struct agx_wave_registers {
   _Alignas(64) uint32_t r[REGISTERS][LANES];
   _Alignas(64) uint32_t mask[LANES]; /* of `exec`: all ones in active lanes */
   uint32_t exec;                     /* the active threads: nesting counter r0l is 0 */
   uint32_t lanes;                    /* threads that there are */
   /* Halves after their last use ("discard"): nobody may read them until they are written. */
   uint64_t any_dead[HALVES / 64];
   uint32_t dead[HALVES];      /* in which lanes */
   struct sim_pending pending; /* of wait groups a and b, by half */
   uint32_t stack_depth_B;
};

static inline uint32_t
state_half(const struct agx_wave_registers *s, unsigned half, unsigned lane)
{
   return s->r[half / 2][lane] >> half % 2 * 16 & 0xffff;
}

static inline void
state_put_half(struct agx_wave_registers *s, unsigned half, unsigned lane, uint32_t value)
{
   uint32_t *r = &s->r[half / 2][lane];
   *r = half % 2 ? (*r & 0xffff) | value << 16 : (*r & 0xffff0000) | (value & 0xffff);
}

/* A register of 16 or 32 bits by its first half. */
static inline uint32_t
state_get(const struct agx_wave_registers *s, unsigned half, unsigned bits, unsigned lane)
{
   return bits == 16 ? state_half(s, half, lane) : s->r[half / 2][lane];
}

static inline void
state_put(struct agx_wave_registers *s, unsigned half, unsigned bits, unsigned lane, uint32_t value)
{
   if (bits == 16)
      state_put_half(s, half, lane, value);
   else
      s->r[half / 2][lane] = value;
}

static inline void
state_set_exec(struct agx_wave_registers *s, uint32_t exec)
{
   s->exec = exec & s->lanes;
   for (unsigned l = 0; l < LANES; l++)
      s->mask[l] = -(s->exec >> l & 1);
}

/* Registers before the first instruction: garbage, but for those given. halves: how many the program may use. */
void state_start(struct agx_wave_registers *state, const struct agx_wave_start *start, unsigned halves);
uint64_t state_hash(const struct agx_wave_registers *state);
/* What memory holds that nobody has written. */
void state_fill_garbage(uint32_t *words, size_t count);

#endif

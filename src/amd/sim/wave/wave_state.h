/* What the instructions of a wave read and write: registers, lane masks, modes, and which of the registers are
 * poison.
 *
 * Whoever executes instructions (exec_*.c, the interpreter; code compiled for the host could take its place) knows
 * the fields, for it must be fast. Everyone else uses the functions, the number of lanes and `pending`. */
#ifndef INDIUM_AMD_SIM_WAVE_STATE_H
#define INDIUM_AMD_SIM_WAVE_STATE_H

#include "amd/hw/isa.h"
#include "sim/waves/pending.h"

struct amd_wave_launch;
struct amd_wave_start;

#define HALF 32 /* lanes that a vector handler works on at once */

/* Counters of operations under way. */
enum counter {
   COUNTER_VM,
   COUNTER_LGKM,
   COUNTER_VS,
   COUNTER_EXP,
   COUNTER_COUNT,
};

struct wave_state {
   uint32_t lanes, halves;
   uint32_t sgpr[160]; /* by operand number: 106 VCC, 124 M0, 125 null (0), 126 EXEC; the rest is slack */
   bool scc;
   uint32_t mode; /* MODE register: round 3:0, denorm 7:4, dx10_clamp 8, ieee 9 */
   uint64_t flat_scratch;
   uint32_t *vgpr;                    /* [register][lane] */
   uint32_t given_vgprs;              /* of these, from the start of the wave */
   uint32_t vgpr_count, first_shared; /* the count is with the shared ones, from first_shared on */
   struct {
      uint32_t *vgpr;
      uint32_t vgpr_capacity;
   } memory;              /* lasts from wave to wave */
   uint32_t exec_bits[2]; /* what exec_mask was made of; stays from wave to wave */
   _Alignas(64) uint32_t exec_mask[2][HALF];
   struct sim_pending pending; /* of enum counter, by operand number */
};

/* Registers before the first instruction, but for VGPRs that the start does not give. state: zero, or as a wave left
 * it. */
void state_start(struct wave_state *state, const struct amd_wave_launch *launch, const struct amd_wave_start *start);
void state_free(struct wave_state *state);
/* What registers and LDS hold that nobody has written. */
void state_fill_garbage(uint32_t *words, size_t count);
/* Of all but what is pending. */
uint64_t state_hash(const struct wave_state *state);

/* A register by operand number; of VGPRs, one lane. AMD_SCC is one. */
static inline uint32_t
state_read(const struct wave_state *s, unsigned operand, unsigned lane)
{
   if (operand == AMD_SCC)
      return s->scc;
   return operand < AMD_VGPR0 ? s->sgpr[operand] : s->vgpr[(size_t)(operand - AMD_VGPR0) * s->lanes + lane];
}

static inline uint64_t
state_exec(const struct wave_state *s)
{
   return s->lanes == 32 ? s->sgpr[AMD_EXEC_LO] : s->sgpr[AMD_EXEC_LO] | (uint64_t)s->sgpr[AMD_EXEC_HI] << 32;
}

static inline uint64_t
state_read64(const struct wave_state *s, unsigned reg)
{
   return s->sgpr[reg] | (uint64_t)s->sgpr[reg + 1] << 32;
}

static inline void
state_write(struct wave_state *s, unsigned reg, uint32_t value)
{
   if (reg != AMD_NULL)
      s->sgpr[reg] = value;
}

static inline void
state_write64(struct wave_state *s, unsigned reg, uint64_t value)
{
   state_write(s, reg, (uint32_t)value);
   if (reg != AMD_NULL)
      state_write(s, reg + 1, (uint32_t)(value >> 32));
}

/* A lane mask: one or two registers by wave size. */
static inline uint64_t
state_read_mask(const struct wave_state *s, unsigned reg)
{
   return s->lanes == 32 ? s->sgpr[reg] : state_read64(s, reg);
}

static inline void
state_write_mask(struct wave_state *s, unsigned reg, uint64_t value)
{
   if (s->lanes == 32)
      state_write(s, reg, (uint32_t)value);
   else
      state_write64(s, reg, value);
}

/* Whether they are all active. */
static inline bool
state_has_all_lanes(const struct wave_state *s)
{
   return s->sgpr[AMD_EXEC_LO] == UINT32_MAX && (s->lanes == 32 || s->sgpr[AMD_EXEC_HI] == UINT32_MAX);
}

/* The lanes of a VGPR by operand number. */
static inline uint32_t *
state_vgpr(struct wave_state *s, unsigned operand)
{
   return s->vgpr + (size_t)(operand - AMD_VGPR0) * s->lanes;
}

#endif

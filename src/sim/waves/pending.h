/* Operations under way and the registers that are poison until a wait covers them.
 *
 * Operations are counted, in whatever counters or slots the hardware has to wait for; a wait for `limit` leaves so
 * many of a counter under way. Until then nobody may use the registers that an operation writes, nor write those that
 * it reads. */
#ifndef INDIUM_SIM_PENDING_H
#define INDIUM_SIM_PENDING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sim/waves/queue.h"

enum {
   SIM_PENDING_COUNTERS = 4,
   SIM_PENDING_MAX = 63,        /* operations of a counter */
   SIM_PENDING_REGISTERS = 512, /* numbers that the model gives to its registers */
};

struct sim_operation {
   uint16_t reg;
   uint8_t count, other_count;
   uint32_t seq;       /* commit of the queue that it needs, 0: none */
   uint64_t lanes;     /* those under way; other lanes of the registers may be used */
   uint16_t others[3]; /* first registers of other_count each, 0: none */
   bool unordered;     /* may be done ahead of older ones: only a wait for 0 covers it */
   bool reads;         /* the registers, and writes none */
};

/* Registers, a bit each. */
struct sim_registers {
   uint64_t bits[SIM_PENDING_REGISTERS / 64];
};

struct sim_pending {
   uint32_t count[SIM_PENDING_COUNTERS];
   uint32_t issued[SIM_PENDING_COUNTERS];                               /* ever */
   uint32_t with_registers;                                             /* operations under way */
   struct sim_registers poison;                                         /* those whose number in written is not 0 */
   uint8_t written[SIM_PENDING_REGISTERS], read[SIM_PENDING_REGISTERS]; /* operations of each register */
   struct sim_operation operations[SIM_PENDING_COUNTERS][SIM_PENDING_MAX]; /* oldest first */
};

/* Nothing is under way, and nothing was ever issued. */
void sim_pending_reset(struct sim_pending *pending);

/* A full counter stalls the hardware until the oldest operation is done. */
void sim_pending_add(struct sim_pending *pending, unsigned counter, const struct sim_operation *operation);
/* False: what must be done has not landed yet; the queue knows what is needed. */
bool sim_pending_wait(struct sim_pending *pending, struct sim_queue *queue, unsigned counter, unsigned limit);

/* Whether an operation under way writes (reads: only reads) some of the lanes of a register. */
bool sim_pending_find(const struct sim_pending *pending, unsigned reg, uint64_t lanes, bool reads);

static inline void
sim_registers_add(struct sim_registers *set, unsigned reg)
{
   set->bits[reg / 64] |= UINT64_C(1) << reg % 64;
}

/* Whether an operation under way writes one of the registers, of whatever lanes. */
static inline bool
sim_pending_may_write(const struct sim_pending *pending, const struct sim_registers *set)
{
   typedef uint64_t pair __attribute__((vector_size(16)));
   pair any = {0};
   for (unsigned i = 0; i < SIM_PENDING_REGISTERS / 64; i += 2) {
      pair poison, used;
      memcpy(&poison, &pending->poison.bits[i], sizeof(poison));
      memcpy(&used, &set->bits[i], sizeof(used));
      any |= poison & used;
   }
   return any[0] | any[1];
}

static inline bool
sim_pending_writes(const struct sim_pending *pending, unsigned reg, uint64_t lanes)
{
   return pending->written[reg % SIM_PENDING_REGISTERS] && sim_pending_find(pending, reg, lanes, false);
}

static inline bool
sim_pending_reads(const struct sim_pending *pending, unsigned reg, uint64_t lanes)
{
   return pending->read[reg % SIM_PENDING_REGISTERS] && sim_pending_find(pending, reg, lanes, true);
}

#endif

/* What a wave has sent to memory and has not landed yet, in program order: stores, atomics, loads that land late. */
#ifndef INDIUM_SIM_QUEUE_H
#define INDIUM_SIM_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/vm/fault.h"

enum { SIM_QUEUE_LIMIT = 8192 }; /* operations after which a wave should wait for the serial phase */

enum sim_queued_kind {
   SIM_QUEUED_STORE,
   SIM_QUEUED_ATOMIC,
   SIM_QUEUED_LOAD,
   SIM_QUEUED_OTHER, /* the model's: accesses of what is not memory, or not by the wave */
};

/* An operation. The payload (bytes of a store, what the model needs to land a load) lies in the queue's bytes. */
struct sim_queued {
   struct sim_va va;
   uint32_t size_B;  /* store, load, other: payload; atomic: 4 or 8 */
   uint8_t kind;     /* enum sim_queued_kind */
   uint8_t lane;     /* atomic */
   uint8_t atomic;   /* the model's number of the operation */
   uint16_t dst;     /* atomic: the model's register for the old value, 0: none */
   uint32_t place;   /* of the instruction, as the model counts */
   uint64_t data[2]; /* atomic: operand, compare value */
   uint32_t piece_B; /* store: of pieces of so many bytes, */
   uint32_t step_B;  /* so far from one to the next, more than piece_B; 0: of bytes that lie side by side */
   uint32_t seq;     /* number of the commit that the instruction needs */
   uint32_t payload; /* store, load, other: offset in the payload bytes */
};

struct sim_queue {
   uint32_t count, loads;                      /* of the entries; those that are loads */
   uint32_t operations;                        /* each piece of a store is one */
   uint32_t issue_seq, commit_seq, needed_seq; /* needed: by what the wave waits for, 0: everything */
   struct sim_queued *entries;
   uint32_t capacity;
   uint32_t payload_B, payload_capacity_B;
   uint8_t *payload;
   uint64_t low, high; /* hull of the writes */
};

/* Whether a write in the queue may lie in size_B bytes at va. */
static inline bool
sim_queue_touches(const struct sim_queue *queue, struct sim_va va, unsigned size_B)
{
   return queue->count && va.va < queue->high && va.va + size_B > queue->low;
}

/* How many pieces a store has. */
static inline uint32_t
sim_queued_pieces(const struct sim_queued *store)
{
   return store->step_B ? store->size_B / store->piece_B : 1;
}

static inline const uint8_t *
sim_queue_payload(const struct sim_queue *queue, const struct sim_queued *queued)
{
   return queue->payload + queued->payload;
}

/* Each belongs to the instruction whose number is issue_seq + 1. */
void sim_queue_other(struct sim_queue *queue, uint32_t place, const void *access, unsigned size_B);
/* The same, ahead of the last `after` operations, of other instructions: it counts with what was there before them.
 */
void sim_queue_other_ahead(struct sim_queue *queue, uint32_t place, const void *access, unsigned size_B,
                           uint32_t after);
void sim_queue_load(struct sim_queue *queue, uint32_t place, const void *access, unsigned size_B);
void sim_queue_store(struct sim_queue *queue, uint32_t place, struct sim_va va, const void *data, unsigned size_B);
/* The same of two or more pieces: va, size_B, place, piece_B and step_B of *store. */
void sim_queue_store_pieces(struct sim_queue *queue, const struct sim_queued *store, const void *data);
/* Of *atomic: what an atomic has, but for the number. */
void sim_queue_atomic(struct sim_queue *queue, const struct sim_queued *atomic);

/* How many operations what the wave waits for takes: those before it land first. */
uint32_t sim_queue_needed(const struct sim_queue *queue);
/* The first `count` have landed: whole instructions. */
void sim_queue_drop(struct sim_queue *queue, uint32_t count);

/* Empty, with the memory it has. */
void sim_queue_reset(struct sim_queue *queue);
void sim_queue_free(struct sim_queue *queue);

#endif

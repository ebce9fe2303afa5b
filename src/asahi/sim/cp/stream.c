#include "asahi/sim/cp/stream.h"

#include "asahi/hw/hw_limits.h"
#include "asahi/sim/usc/read.h"
#include "util/hash.h"

#define MAX_BLOCKS (1u << 24) /* a stream of more has no end */
#define MAX_LAPS 1024         /* nor has one that goes round so often over the same words */

/* Where the walk is, and how often it has come back to a place over the same words. That place is another one as the
 * turns continue, and so lies on the circle some time. */
struct place {
   uint64_t va, calls[AGX_STREAM_CALLS];
   unsigned call_count;
   uint64_t mark, words, words_before; /* hashes: of the target and where calls go back to, of a lap's words */
   uint64_t turns, next_mark;
   unsigned laps;
};

static void
count_turn(struct place *at)
{
   const uint64_t here = at->va ^ hash_bytes(at->calls, at->call_count * sizeof(at->calls[0]));
   if (at->turns++ == at->next_mark) {
      at->mark = here;
      at->next_mark = 2 * at->turns + 2 * MAX_LAPS;
   } else if (here == at->mark) {
      at->laps = at->words == at->words_before ? at->laps + 1 : 0;
      at->words_before = at->words;
   } else {
      return;
   }
   at->words = 0;
}

/* *size_B: of the block with all its parts. */
static bool
read_block(const struct agx_stream_walk *walk, struct place *at, uint32_t *size_B, struct agx_stream_turn *turn)
{
   const struct agx_gpu *gpu = walk->gpu;
   const uint64_t va = at->va;
   char head[AGX_RECORD_MAX_B], bytes[AGX_RECORD_MAX_B];
   uint32_t word;
   if (!agx_read_memory(gpu, va, &word, sizeof(word), "a stream"))
      return false;
   const struct agx_sequence *sequence = agx_stream_find(walk->table, word);
   if (!sequence)
      return sim_fault_set(gpu->fault, SIM_FAULT_PACKET, sim_va(va),
                           "%s stream at 0x%llx: 0x%08x begins no block that is known", walk->table->name,
                           (unsigned long long)va, word);
   if (!agx_read_memory(gpu, va, head, sequence->head->size_B, sequence->head->name))
      return false;
   struct agx_cursor cursor = {0};
   while (agx_sequence_next(sequence, gpu->chip->gen, head, &cursor)) {
      uint64_t part_va = va + cursor.offset_B;
      if (!agx_read_record(gpu, cursor.record, part_va, bytes) ||
          !walk->part(walk->data, cursor.record->id, part_va, bytes))
         return false;
      at->words = at->words * 31 + hash_bytes(bytes, cursor.record->size_B);
   }
   *size_B = cursor.offset_B;
   return walk->block(walk->data, sequence->head->id, turn);
}

/* After a block of size_B. False after a fault. */
static bool
continue_stream(const struct agx_stream_walk *walk, struct place *at, uint32_t size_B,
                const struct agx_stream_turn *turn)
{
   struct sim_fault *fault = walk->gpu->fault;
   const char *name = walk->table->name;
   const uint64_t va = at->va;
   switch (turn->kind) {
   case AGX_TURN_NONE:
   case AGX_TURN_END:
      at->va += size_B;
      return true;
   case AGX_TURN_CALL:
      if (at->call_count == AGX_STREAM_CALLS)
         return sim_fault_set(fault, SIM_FAULT_PACKET, sim_va(va),
                              "%s stream at 0x%llx: more than %u streams have called each other", name,
                              (unsigned long long)va, AGX_STREAM_CALLS);
      at->calls[at->call_count++] = va + size_B;
      at->va = turn->target;
      break;
   case AGX_TURN_LINK:
      at->va = turn->target;
      break;
   case AGX_TURN_RETURN:
      if (!at->call_count)
         return sim_fault_set(fault, SIM_FAULT_PACKET, sim_va(va),
                              "%s stream at 0x%llx: a return where nothing was called", name, (unsigned long long)va);
      at->va = at->calls[--at->call_count];
      break;
   }
   count_turn(at);
   return at->laps < MAX_LAPS || sim_fault_set(fault, SIM_FAULT_HANG, sim_va(va),
                                               "%s stream at 0x%llx: it goes round for ever, and comes by here", name,
                                               (unsigned long long)va);
}

bool
agx_stream_walk(const struct agx_stream_walk *walk, uint64_t va)
{
   struct place at = {.va = va};
   for (unsigned i = 0; i < MAX_BLOCKS; i++) {
      struct agx_stream_turn turn = {AGX_TURN_NONE, 0};
      uint32_t size_B = 0;
      if (!read_block(walk, &at, &size_B, &turn) || !continue_stream(walk, &at, size_B, &turn))
         return false;
      if (turn.kind == AGX_TURN_END)
         return true;
   }
   return sim_fault_set(walk->gpu->fault, SIM_FAULT_HANG, sim_va(at.va),
                        "%s stream at 0x%llx: it has no end after %u blocks", walk->table->name,
                        (unsigned long long)at.va, MAX_BLOCKS);
}

#include "asahi/sim/cp/stream.h"

#include "asahi/sim/cp/read.h"

#define MAX_CALLS 16
#define MAX_BLOCKS (1u << 24) /* a stream of more has no end */

/* *size_B: of the block with all its parts. */
static bool
read_block(const struct agx_stream_walk *walk, uint64_t va, uint32_t *size_B, struct agx_stream_turn *turn)
{
   const struct agx_gpu *gpu = walk->gpu;
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
   }
   *size_B = cursor.offset_B;
   return walk->block(walk->data, sequence->head->id, turn);
}

bool
agx_stream_walk(const struct agx_stream_walk *walk, uint64_t va)
{
   const struct agx_gpu *gpu = walk->gpu;
   const char *name = walk->table->name;
   uint64_t calls[MAX_CALLS];
   unsigned call_count = 0;
   for (unsigned i = 0; i < MAX_BLOCKS; i++) {
      struct agx_stream_turn turn = {AGX_TURN_NONE, 0};
      uint32_t size_B = 0;
      if (!read_block(walk, va, &size_B, &turn))
         return false;
      switch (turn.kind) {
      case AGX_TURN_NONE:
         va += size_B;
         break;
      case AGX_TURN_CALL:
         if (call_count == MAX_CALLS)
            return sim_fault_set(gpu->fault, SIM_FAULT_PACKET, sim_va(va),
                                 "%s stream at 0x%llx: more than %u streams have called each other", name,
                                 (unsigned long long)va, MAX_CALLS);
         calls[call_count++] = va + size_B;
         va = turn.target;
         break;
      case AGX_TURN_LINK:
         va = turn.target;
         break;
      case AGX_TURN_RETURN:
         if (!call_count)
            return sim_fault_set(gpu->fault, SIM_FAULT_PACKET, sim_va(va),
                                 "%s stream at 0x%llx: a return where nothing was called", name,
                                 (unsigned long long)va);
         va = calls[--call_count];
         break;
      case AGX_TURN_END:
         return true;
      }
   }
   return sim_fault_set(gpu->fault, SIM_FAULT_HANG, sim_va(va), "%s stream at 0x%llx: it has no end after %u blocks",
                        name, (unsigned long long)va, MAX_BLOCKS);
}

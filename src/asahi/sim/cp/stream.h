/* Walks a control stream, of draws or of dispatches: blocks follow each other, each a record and the parts that it
 * announces; links lead elsewhere, with or without a return. */
#ifndef INDIUM_ASAHI_SIM_CP_STREAM_H
#define INDIUM_ASAHI_SIM_CP_STREAM_H

#include "asahi/hw/record_table.h"
#include "asahi/sim/base/gpu.h"

/* What a block does to the walk. */
struct agx_stream_turn {
   enum { AGX_TURN_NONE, AGX_TURN_LINK, AGX_TURN_CALL, AGX_TURN_RETURN, AGX_TURN_END } kind;
   uint64_t target; /* LINK, CALL */
};

struct agx_stream_walk {
   const struct agx_gpu *gpu;
   const struct agx_stream *table;
   void *data;
   /* Each record of a block, in order; the first is its head. va: of the record. False after a fault. */
   bool (*part)(void *data, enum agx_record_id id, uint64_t va, const void *bytes);
   /* The block is whole. head: its first record. *turn: NONE before. False after a fault. */
   bool (*block)(void *data, enum agx_record_id head, struct agx_stream_turn *turn);
};

/* From va to the stream's end. False after a fault. */
bool agx_stream_walk(const struct agx_stream_walk *walk, uint64_t va);

#endif

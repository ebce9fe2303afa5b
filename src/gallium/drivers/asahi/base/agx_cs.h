/* A control stream, of draws (VDM) or of dispatches (CDM): records written straight into chunks that link to each
 * other.
 *
 * The writer reserves bytes, packs records at cs->cur and moves it. When memory runs out the stream continues writing
 * into a spare chunk over and over, cs->out_of_memory tells, and the context's end() reports it: writers need no
 * checks. */
#ifndef INDIUM_AGX_CS_H
#define INDIUM_AGX_CS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gallium/auxiliary/aux_chunk.h"

enum agx_cs_kind {
   AGX_CS_CDM,
   AGX_CS_VDM,
};

/* Bytes at the end of a chunk for the link or the end of the stream: a VDM_STREAM_TERMINATE. */
#define AGX_CS_TAIL_B 32

/* Largest reservation. */
#define AGX_CS_MAX_RESERVE_B 4096

struct agx_cs {
   char *cur, *end;          /* end: start of the tail */
   struct aux_chunk *chunks; /* the newest first, of all streams since the last reset */
   struct aux_chunk_pool *pool;
   enum agx_cs_kind kind;
   uint64_t start_va;     /* of the stream that is open or was the last */
   uint64_t first_end_va; /* where the stream's first piece ends, after a link or after agx_cs_end() */
   bool in_first;
   bool out_of_memory;
   char spare[2 * AGX_CS_MAX_RESERVE_B]; /* written when there is no memory */
};

void agx_cs_init(struct agx_cs *cs, struct aux_chunk_pool *pool, enum agx_cs_kind kind);

/* Gives the chunks back: no stream is left. */
void agx_cs_reset(struct agx_cs *cs);

/* Starts a stream after the last one. */
void agx_cs_begin(struct agx_cs *cs);

/* Ends it with the record that terminates the stream. */
void agx_cs_end(struct agx_cs *cs);

/* Takes the next chunk; for agx_cs_reserve(). */
void agx_cs_grow(struct agx_cs *cs);

/* Room for size_B bytes at cs->cur; size_B <= AGX_CS_MAX_RESERVE_B. Packers want zeros there: agx_cs_zero(). */
static inline void
agx_cs_reserve(struct agx_cs *cs, size_t size_B)
{
   if (__builtin_expect((size_t)(cs->end - cs->cur) < size_B, 0))
      agx_cs_grow(cs);
}

#endif

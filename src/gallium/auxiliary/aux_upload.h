/* Linear memory for what the GPU reads, from chunks; given back all at once. */
#ifndef INDIUM_AUX_UPLOAD_H
#define INDIUM_AUX_UPLOAD_H

#include <assert.h>
#include <stdbool.h>

#include "gallium/auxiliary/aux_chunk.h"
#include "util/macros.h"

struct aux_upload {
   struct aux_chunk_pool *pool;
   struct aux_chunk *chunks; /* the first is the one being filled */
   uint32_t used_B;
};

/* Takes the first chunk. False when out of memory. */
bool aux_upload_start(struct aux_upload *upload);

/* Gives the chunks back. */
void aux_upload_reset(struct aux_upload *upload);

/* Begins a new chunk; for aux_upload_alloc(). */
void aux_upload_grow(struct aux_upload *upload, bool *failed);

/* Room for size_B bytes, at most AUX_CHUNK_B, at *va, align_B a power of two, after aux_upload_start(); contents are
 * undefined. Never NULL: when out of memory *failed becomes true, and the room is one that was given out before. */
static inline void *
aux_upload_alloc(struct aux_upload *upload, uint32_t size_B, uint32_t align_B, uint64_t *va, bool *failed)
{
   uint32_t at_B = (uint32_t)align_up(upload->used_B, align_B);

   assert(size_B <= AUX_CHUNK_B && "an upload fits into a chunk");
   if (__builtin_expect(at_B + size_B > AUX_CHUNK_B, 0)) {
      aux_upload_grow(upload, failed);
      at_B = 0;
   }
   upload->used_B = at_B + size_B;
   *va = upload->chunks->va + at_B;
   return upload->chunks->map + at_B;
}

#endif

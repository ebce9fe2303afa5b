/* Chunks: pieces of mapped GPU memory of one size. Streams and uploads are made of them; a chunk goes back to the
 * pool of the screen when its context is reset. They are cut from blocks that grow: a process has a limited number of
 * mappings and descriptors, and a long recording takes gigabytes. */
#ifndef INDIUM_AUX_CHUNK_H
#define INDIUM_AUX_CHUNK_H

#include <pthread.h>
#include <stdint.h>

#include "gallium/winsys/common/ws_buffer.h"

#define AUX_CHUNK_B (128u << 10)

struct aux_chunk {
   uint64_t va;
   char *map;
   uint32_t used_B;        /* for its user; 0 at first, and the next one, too: */
   uint32_t back_dw;       /* of streams: where a jump to the next chunk lies that they store elsewhere; 0: none */
   struct aux_chunk *next; /* in the pool, or in the list of its user */
};

struct aux_chunk_pool {
   struct ws_buffer_source source;
   pthread_mutex_t lock;
   struct aux_chunk *free;
   struct aux_chunk_block *blocks;
   unsigned num_chunks; /* in all blocks */
};

void aux_chunk_pool_init(struct aux_chunk_pool *pool, struct ws_buffer_source source);
void aux_chunk_pool_finish(struct aux_chunk_pool *pool);

/* Contents are undefined. NULL when out of memory. */
struct aux_chunk *aux_chunk_get(struct aux_chunk_pool *pool);

/* Puts back a list linked by `next`. */
void aux_chunk_put(struct aux_chunk_pool *pool, struct aux_chunk *list);

#endif

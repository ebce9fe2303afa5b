/* Chunks: pieces of mapped GPU memory of one size. Streams and uploads are made of them; a chunk goes back to the
 * pool of the screen when its context is reset. They are cut from blocks that grow. */
#ifndef INDIUM_AGX_CHUNK_H
#define INDIUM_AGX_CHUNK_H

#include <pthread.h>
#include <stdint.h>

struct asahi_ws;

#define AGX_CHUNK_B (128u << 10)

struct agx_chunk {
   uint64_t va;
   char *map;
   struct agx_chunk *next; /* in the pool, or in the list of its user */
};

struct agx_chunk_pool {
   struct asahi_ws *ws;
   unsigned bo_flags; /* enum asahi_ws_bo_flags of the blocks */
   pthread_mutex_t lock;
   struct agx_chunk *free;
   struct agx_chunk_block *blocks;
   unsigned num_chunks; /* in all blocks */
};

void agx_chunk_pool_init(struct agx_chunk_pool *pool, struct asahi_ws *ws, unsigned bo_flags);
void agx_chunk_pool_finish(struct agx_chunk_pool *pool);

/* Contents are undefined. NULL when out of memory. */
struct agx_chunk *agx_chunk_get(struct agx_chunk_pool *pool);

/* Puts back a list linked by `next`. */
void agx_chunk_put(struct agx_chunk_pool *pool, struct agx_chunk *list);

#endif

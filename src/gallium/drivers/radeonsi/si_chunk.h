/* Chunks: pieces of memory of one size, mapped, at 32-bit addresses. Command streams and uploads are made of them; a
 * chunk goes back to the pool of the screen when its context is reset. They are cut from blocks that grow: a process
 * has a limited number of mappings and descriptors, and a long recording takes gigabytes. */
#ifndef INDIUM_SI_CHUNK_H
#define INDIUM_SI_CHUNK_H

#include <pthread.h>
#include <stdint.h>

struct amdgpu_ws;

#define SI_CHUNK_B (128u << 10)
#define SI_CHUNK_DW (SI_CHUNK_B / 4)

struct si_chunk {
   uint64_t va;
   uint32_t *map;
   uint32_t used_dw;      /* of a command stream: packets without the padding and the jump */
   struct si_chunk *next; /* in the pool, or in the list of its user */
};

struct si_chunk_pool {
   struct amdgpu_ws *ws;
   pthread_mutex_t lock;
   struct si_chunk *free;
   struct si_chunk_block *blocks;
   unsigned num_chunks; /* in all blocks */
};

void si_chunk_pool_init(struct si_chunk_pool *pool, struct amdgpu_ws *ws);
void si_chunk_pool_finish(struct si_chunk_pool *pool);

/* Contents are undefined. NULL when out of memory. */
struct si_chunk *si_chunk_get(struct si_chunk_pool *pool);

/* Puts back a list linked by `next`. */
void si_chunk_put(struct si_chunk_pool *pool, struct si_chunk *list);

#endif

#include "gallium/auxiliary/aux_chunk.h"

#include <stdlib.h>

#include "util/macros.h"

/* Chunks of a block: as many as there are already, within these limits. */
#define MIN_BLOCK 4u
#define MAX_BLOCK 128u

struct aux_chunk_block {
   struct aux_chunk_block *next;
   struct ws_buffer buffer;
   struct aux_chunk chunks[];
};

void
aux_chunk_pool_init(struct aux_chunk_pool *pool, struct ws_buffer_source source)
{
   *pool = (struct aux_chunk_pool){.source = source};
   pthread_mutex_init(&pool->lock, NULL);
}

void
aux_chunk_pool_finish(struct aux_chunk_pool *pool)
{
   while (pool->blocks) {
      struct aux_chunk_block *block = pool->blocks;

      pool->blocks = block->next;
      pool->source.destroy(&block->buffer);
      free(block);
   }
   pthread_mutex_destroy(&pool->lock);
}

/* Puts the chunks of a new block into the empty list of free ones. */
static void
add_block(struct aux_chunk_pool *pool)
{
   unsigned count = MIN2(MAX2(pool->num_chunks, MIN_BLOCK), MAX_BLOCK);
   struct aux_chunk_block *block = calloc(1, sizeof(*block) + count * sizeof(block->chunks[0]));

   if (!block || !pool->source.create(&pool->source, count * AUX_CHUNK_B, &block->buffer)) {
      free(block);
      return;
   }
   block->next = pool->blocks;
   pool->blocks = block;
   pool->num_chunks += count;
   for (unsigned i = count; i-- > 0;) {
      block->chunks[i] = (struct aux_chunk){
         .va = block->buffer.va + i * AUX_CHUNK_B, .map = block->buffer.map + i * AUX_CHUNK_B, .next = pool->free};
      pool->free = &block->chunks[i];
   }
}

struct aux_chunk *
aux_chunk_get(struct aux_chunk_pool *pool)
{
   struct aux_chunk *chunk;

   pthread_mutex_lock(&pool->lock);
   if (!pool->free)
      add_block(pool);
   chunk = pool->free;
   if (chunk)
      pool->free = chunk->next;
   pthread_mutex_unlock(&pool->lock);
   if (chunk) {
      chunk->next = NULL;
      chunk->used_B = chunk->back_dw = 0;
   }
   return chunk;
}

void
aux_chunk_put(struct aux_chunk_pool *pool, struct aux_chunk *list)
{
   struct aux_chunk *last = list;

   if (!list)
      return;
   while (last->next)
      last = last->next;
   pthread_mutex_lock(&pool->lock);
   last->next = pool->free;
   pool->free = list;
   pthread_mutex_unlock(&pool->lock);
}

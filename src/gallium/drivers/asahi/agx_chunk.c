#include "gallium/drivers/asahi/agx_chunk.h"

#include <stdlib.h>

#include "gallium/winsys/asahi/asahi_winsys.h"
#include "util/macros.h"

/* Chunks of a block: as many as there are already, within these limits. */
#define MIN_BLOCK 4u
#define MAX_BLOCK 128u

struct agx_chunk_block {
   struct agx_chunk_block *next;
   struct asahi_ws_bo *bo;
   struct agx_chunk chunks[];
};

void
agx_chunk_pool_init(struct agx_chunk_pool *pool, struct asahi_ws *ws, unsigned bo_flags)
{
   *pool = (struct agx_chunk_pool){.ws = ws, .bo_flags = bo_flags};
   pthread_mutex_init(&pool->lock, NULL);
}

static void
destroy_block(struct agx_chunk_block *block)
{
   asahi_ws_bo_destroy(block->bo);
   free(block);
}

void
agx_chunk_pool_finish(struct agx_chunk_pool *pool)
{
   while (pool->blocks) {
      struct agx_chunk_block *block = pool->blocks;

      pool->blocks = block->next;
      destroy_block(block);
   }
   pthread_mutex_destroy(&pool->lock);
}

/* Puts the chunks of a new block into the empty list of free ones. */
static void
add_block(struct agx_chunk_pool *pool)
{
   unsigned count = MIN2(MAX2(pool->num_chunks, MIN_BLOCK), MAX_BLOCK);
   struct agx_chunk_block *block = calloc(1, sizeof(*block) + count * sizeof(block->chunks[0]));
   char *map;

   if (!block)
      return;
   block->bo = asahi_ws_bo_create(pool->ws, count * AGX_CHUNK_B, 0, pool->bo_flags);
   map = block->bo ? asahi_ws_bo_map(block->bo) : NULL;
   if (!map) {
      destroy_block(block);
      return;
   }
   block->next = pool->blocks;
   pool->blocks = block;
   pool->num_chunks += count;
   for (unsigned i = count; i-- > 0;) {
      block->chunks[i] =
         (struct agx_chunk){.va = block->bo->va + i * AGX_CHUNK_B, .map = map + i * AGX_CHUNK_B, .next = pool->free};
      pool->free = &block->chunks[i];
   }
}

struct agx_chunk *
agx_chunk_get(struct agx_chunk_pool *pool)
{
   struct agx_chunk *chunk;

   pthread_mutex_lock(&pool->lock);
   if (!pool->free)
      add_block(pool);
   chunk = pool->free;
   if (chunk)
      pool->free = chunk->next;
   pthread_mutex_unlock(&pool->lock);
   if (chunk)
      chunk->next = NULL;
   return chunk;
}

void
agx_chunk_put(struct agx_chunk_pool *pool, struct agx_chunk *list)
{
   struct agx_chunk *last = list;

   if (!list)
      return;
   while (last->next)
      last = last->next;
   pthread_mutex_lock(&pool->lock);
   last->next = pool->free;
   pool->free = list;
   pthread_mutex_unlock(&pool->lock);
}

#include "gallium/drivers/radeonsi/si_chunk.h"

#include <stdlib.h>

#include "gallium/winsys/amdgpu/amdgpu_winsys.h"
#include "util/macros.h"

/* Chunks of a block: as many as there are already, within these limits. */
#define MIN_BLOCK 4u
#define MAX_BLOCK 128u

struct si_chunk_block {
   struct si_chunk_block *next;
   struct amdgpu_ws_bo *bo;
   struct si_chunk chunks[];
};

void
si_chunk_pool_init(struct si_chunk_pool *pool, struct amdgpu_ws *ws)
{
   *pool = (struct si_chunk_pool){.ws = ws};
   pthread_mutex_init(&pool->lock, NULL);
}

static void
destroy_block(struct si_chunk_block *block)
{
   amdgpu_ws_bo_destroy(block->bo);
   free(block);
}

void
si_chunk_pool_finish(struct si_chunk_pool *pool)
{
   while (pool->blocks) {
      struct si_chunk_block *block = pool->blocks;

      pool->blocks = block->next;
      destroy_block(block);
   }
   pthread_mutex_destroy(&pool->lock);
}

/* Puts the chunks of a new block into the empty list of free ones. */
static void
add_block(struct si_chunk_pool *pool)
{
   unsigned count = MIN2(MAX2(pool->num_chunks, MIN_BLOCK), MAX_BLOCK);
   struct si_chunk_block *block = calloc(1, sizeof(*block) + count * sizeof(block->chunks[0]));
   uint32_t *map;

   if (!block)
      return;
   block->bo = amdgpu_ws_bo_create(pool->ws, count * SI_CHUNK_B, 4096, AMDGPU_WS_GTT,
                                   AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_WRITE_COMBINED | AMDGPU_WS_BO_VA_32BIT);
   map = block->bo ? amdgpu_ws_bo_map(block->bo) : NULL;
   if (!map) {
      destroy_block(block);
      return;
   }
   block->next = pool->blocks;
   pool->blocks = block;
   pool->num_chunks += count;
   for (unsigned i = count; i-- > 0;) {
      block->chunks[i] =
         (struct si_chunk){.va = block->bo->va + i * SI_CHUNK_B, .map = map + i * SI_CHUNK_DW, .next = pool->free};
      pool->free = &block->chunks[i];
   }
}

struct si_chunk *
si_chunk_get(struct si_chunk_pool *pool)
{
   struct si_chunk *chunk;

   pthread_mutex_lock(&pool->lock);
   if (!pool->free)
      add_block(pool);
   chunk = pool->free;
   if (chunk)
      pool->free = chunk->next;
   pthread_mutex_unlock(&pool->lock);
   if (chunk) {
      chunk->next = NULL;
      chunk->used_dw = 0;
   }
   return chunk;
}

void
si_chunk_put(struct si_chunk_pool *pool, struct si_chunk *list)
{
   struct si_chunk *last = list;

   if (!list)
      return;
   while (last->next)
      last = last->next;
   pthread_mutex_lock(&pool->lock);
   last->next = pool->free;
   pool->free = list;
   pthread_mutex_unlock(&pool->lock);
}

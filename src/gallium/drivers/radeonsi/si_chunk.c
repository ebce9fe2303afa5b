#include "gallium/drivers/radeonsi/si_chunk.h"

#include <stdlib.h>

#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

void
si_chunk_pool_init(struct si_chunk_pool *pool, struct amdgpu_ws *ws)
{
   pool->ws = ws;
   pool->free = NULL;
   pthread_mutex_init(&pool->lock, NULL);
}

void
si_chunk_pool_finish(struct si_chunk_pool *pool)
{
   while (pool->free) {
      struct si_chunk *chunk = pool->free;

      pool->free = chunk->next;
      amdgpu_ws_bo_destroy(chunk->bo);
      free(chunk);
   }
   pthread_mutex_destroy(&pool->lock);
}

static struct si_chunk *
create_chunk(struct amdgpu_ws *ws)
{
   struct si_chunk *chunk = calloc(1, sizeof(*chunk));

   if (!chunk)
      return NULL;
   chunk->bo = amdgpu_ws_bo_create(ws, SI_CHUNK_B, 4096, AMDGPU_WS_GTT,
                                   AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_WRITE_COMBINED | AMDGPU_WS_BO_VA_32BIT);
   chunk->map = chunk->bo ? amdgpu_ws_bo_map(chunk->bo) : NULL;
   if (!chunk->map) {
      amdgpu_ws_bo_destroy(chunk->bo);
      free(chunk);
      return NULL;
   }
   chunk->va = chunk->bo->va;
   return chunk;
}

struct si_chunk *
si_chunk_get(struct si_chunk_pool *pool)
{
   struct si_chunk *chunk;

   pthread_mutex_lock(&pool->lock);
   chunk = pool->free;
   if (chunk)
      pool->free = chunk->next;
   pthread_mutex_unlock(&pool->lock);
   if (!chunk)
      chunk = create_chunk(pool->ws);
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

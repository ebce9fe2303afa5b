#include "gallium/drivers/asahi/agx_code.h"

#include <stdlib.h>
#include <string.h>

#include "gallium/winsys/asahi/asahi_winsys.h"
#include "util/macros.h"

#define BLOCK_B (512u << 10)
#define ALIGNMENT_B 128u

void
agx_code_heap_init(struct agx_code_heap *heap, struct asahi_ws *ws)
{
   *heap = (struct agx_code_heap){.ws = ws};
   pthread_mutex_init(&heap->lock, NULL);
}

static void
destroy_block(struct agx_code_block *block)
{
   asahi_ws_bo_destroy(block->bo);
   free(block);
}

void
agx_code_heap_finish(struct agx_code_heap *heap)
{
   while (heap->blocks) {
      struct agx_code_block *block = heap->blocks;

      heap->blocks = block->next;
      destroy_block(block);
   }
   pthread_mutex_destroy(&heap->lock);
}

static struct agx_code_block *
add_block(struct agx_code_heap *heap, uint32_t size_B)
{
   struct agx_code_block *block = calloc(1, sizeof(*block));

   if (!block)
      return NULL;
   block->bo = asahi_ws_bo_create(heap->ws, MAX2(size_B, BLOCK_B), 0, ASAHI_WS_BO_USC | ASAHI_WS_BO_READ_ONLY);
   if (!block->bo || !asahi_ws_bo_map(block->bo)) {
      destroy_block(block);
      return NULL;
   }
   block->next = heap->blocks;
   heap->blocks = block;
   return block;
}

struct agx_code
agx_code_alloc(struct agx_code_heap *heap, uint32_t size_B)
{
   struct agx_code code = {0};
   struct agx_code_block *block;

   size_B = (uint32_t)align_up(size_B, ALIGNMENT_B);
   pthread_mutex_lock(&heap->lock);
   block = heap->blocks;
   if (!block || block->bo->size_B - block->used_B < size_B)
      block = add_block(heap, size_B);
   if (block) {
      code.block = block;
      code.va = block->bo->va + block->used_B;
      code.usc_offset_B = (uint32_t)(code.va - asahi_ws_info(heap->ws)->usc_base);
      code.map = (char *)block->bo->map + block->used_B;
      block->used_B += size_B;
      block->users++;
   }
   pthread_mutex_unlock(&heap->lock);
   return code;
}

struct agx_code
agx_code_upload(struct agx_code_heap *heap, const void *bytes, uint32_t size_B)
{
   struct agx_code code = agx_code_alloc(heap, size_B);

   if (code.block)
      memcpy(code.map, bytes, size_B);
   return code;
}

void
agx_code_free(struct agx_code_heap *heap, struct agx_code code)
{
   if (!code.block)
      return;
   pthread_mutex_lock(&heap->lock);
   if (--code.block->users == 0) {
      struct agx_code_block **link = &heap->blocks;

      while (*link != code.block)
         link = &(*link)->next;
      if (code.block == heap->blocks) {
         code.block->used_B = 0; /* still the one being filled */
      } else {
         *link = code.block->next;
         destroy_block(code.block);
      }
   }
   pthread_mutex_unlock(&heap->lock);
}

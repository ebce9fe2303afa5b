#include "gallium/drivers/radeonsi/si_code.h"

#include <stdlib.h>
#include <string.h>

#include "gallium/winsys/amdgpu/amdgpu_winsys.h"
#include "util/macros.h"

#define BLOCK_B (512u << 10)
/* The instruction prefetcher reads past the end of a program: up to three cache lines of 64 bytes. Source: LLVM's
 * AMDGPU backend, which pads as much, with S_CODE_END. */
#define PREFETCH_B 256
#define S_CODE_END 0xbf9f0000u

void
si_code_heap_init(struct si_code_heap *heap, struct amdgpu_ws *ws)
{
   heap->ws = ws;
   heap->blocks = NULL;
   pthread_mutex_init(&heap->lock, NULL);
}

static void
destroy_block(struct si_code_block *block)
{
   amdgpu_ws_bo_destroy(block->bo);
   free(block);
}

void
si_code_heap_finish(struct si_code_heap *heap)
{
   while (heap->blocks) {
      struct si_code_block *block = heap->blocks;

      heap->blocks = block->next;
      destroy_block(block);
   }
   pthread_mutex_destroy(&heap->lock);
}

static struct si_code_block *
add_block(struct si_code_heap *heap, uint32_t size_B)
{
   struct si_code_block *block = calloc(1, sizeof(*block));

   if (!block)
      return NULL;
   block->bo = amdgpu_ws_bo_create(heap->ws, MAX2(size_B, BLOCK_B), 65536, AMDGPU_WS_VRAM,
                                   AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_READ_ONLY);
   if (!block->bo || !amdgpu_ws_bo_map(block->bo)) {
      destroy_block(block);
      return NULL;
   }
   block->next = heap->blocks;
   heap->blocks = block;
   return block;
}

/* Debuggers find the end of a program by S_CODE_END; the next program overwrites what was only prefetched. */
static void
write_code(void *to, const uint32_t *words, uint32_t num_dw, uint32_t size_B)
{
   uint32_t *dw = to;

   memcpy(dw, words, (size_t)num_dw * 4);
   for (uint32_t i = num_dw; i < size_B / 4; i++)
      dw[i] = S_CODE_END;
}

struct si_code
si_code_upload(struct si_code_heap *heap, const uint32_t *words, uint32_t num_dw)
{
   uint32_t size_B = (uint32_t)align_up((uint64_t)num_dw * 4, 256) + PREFETCH_B;
   struct si_code code = {0};
   struct si_code_block *block;

   pthread_mutex_lock(&heap->lock);
   block = heap->blocks;
   if (!block || block->bo->size_B - block->used_B < size_B)
      block = add_block(heap, size_B);
   if (block) {
      code.block = block;
      code.va = block->bo->va + block->used_B;
      write_code((char *)block->bo->map + block->used_B, words, num_dw, size_B);
      block->used_B += size_B - PREFETCH_B;
      block->users++;
   }
   pthread_mutex_unlock(&heap->lock);
   return code;
}

void
si_code_free(struct si_code_heap *heap, struct si_code code)
{
   if (!code.block)
      return;
   pthread_mutex_lock(&heap->lock);
   if (--code.block->users == 0) {
      struct si_code_block **link = &heap->blocks;

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

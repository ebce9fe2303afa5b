#include "gallium/auxiliary/aux_code.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define BLOCK_B (512u << 10)

void
aux_code_heap_init(struct aux_code_heap *heap, struct ws_buffer_source source, const struct aux_code_rules *rules)
{
   *heap = (struct aux_code_heap){.source = source, .rules = *rules};
   pthread_mutex_init(&heap->lock, NULL);
}

static void
destroy_block(struct aux_code_heap *heap, struct aux_code_block *block)
{
   heap->source.destroy(&block->buffer);
   free(block);
}

void
aux_code_heap_finish(struct aux_code_heap *heap)
{
   while (heap->blocks) {
      struct aux_code_block *block = heap->blocks;

      heap->blocks = block->next;
      destroy_block(heap, block);
   }
   pthread_mutex_destroy(&heap->lock);
}

static struct aux_code_block *
add_block(struct aux_code_heap *heap, uint32_t size_B)
{
   struct aux_code_block *block = calloc(1, sizeof(*block));

   if (!block || !heap->source.create(&heap->source, MAX2(size_B, BLOCK_B), &block->buffer)) {
      free(block);
      return NULL;
   }
   block->next = heap->blocks;
   heap->blocks = block;
   return block;
}

/* Under the lock: the next program overwrites a tail. */
static void
pad(const struct aux_code_heap *heap, char *from, const char *to)
{
   for (; from < to; from += 4)
      memcpy(from, &heap->rules.padding, 4);
}

struct aux_code
aux_code_alloc(struct aux_code_heap *heap, uint32_t size_B)
{
   uint32_t own_B = (uint32_t)align_up(size_B, heap->rules.alignment_B), read_B = own_B + heap->rules.tail_B;
   struct aux_code code = {0};
   struct aux_code_block *block;

   pthread_mutex_lock(&heap->lock);
   block = heap->blocks;
   if (!block || block->buffer.size_B - block->used_B < read_B)
      block = add_block(heap, read_B);
   if (block) {
      code.block = block;
      code.va = block->buffer.va + block->used_B;
      code.base_offset_B = (uint32_t)(code.va - heap->rules.base_va);
      code.map = block->buffer.map + block->used_B;
      /* A program may end within a word: it is written later. */
      pad(heap, code.map + size_B / 4 * 4, code.map + read_B);
      block->used_B += own_B;
      block->users++;
   }
   pthread_mutex_unlock(&heap->lock);
   return code;
}

struct aux_code
aux_code_upload(struct aux_code_heap *heap, const void *bytes, uint32_t size_B)
{
   struct aux_code code = aux_code_alloc(heap, size_B);

   if (code.block)
      memcpy(code.map, bytes, size_B);
   return code;
}

void
aux_code_free(struct aux_code_heap *heap, struct aux_code code)
{
   if (!code.block)
      return;
   pthread_mutex_lock(&heap->lock);
   if (--code.block->users == 0) {
      struct aux_code_block **link = &heap->blocks;

      while (*link != code.block)
         link = &(*link)->next;
      if (code.block == heap->blocks) {
         code.block->used_B = 0; /* still the one being filled */
      } else {
         *link = code.block->next;
         destroy_block(heap, code.block);
      }
   }
   pthread_mutex_unlock(&heap->lock);
}

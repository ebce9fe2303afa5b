#include "util/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "util/within_memory.h"

struct arena_block {
   struct arena_block *next;
   size_t size_B;
   _Alignas(16) unsigned char data[];
};

#define ARENA_BLOCK_B ((size_t)64 * 1024)

static struct arena_block *
new_block(size_t size_B)
{
   struct arena_block *block = need_malloc("an arena", sizeof(*block) + size_B);
   block->size_B = size_B;
   return block;
}

void *
arena_alloc(struct arena *arena, size_t size_B)
{
   size_B = align_up(size_B ? size_B : 1, 16);
   if (!arena->blocks || arena->used_B + size_B > arena->blocks->size_B) {
      struct arena_block *block = new_block(size_B > ARENA_BLOCK_B ? size_B : ARENA_BLOCK_B);
      block->next = arena->blocks;
      arena->blocks = block;
      arena->used_B = 0;
   }
   void *memory = arena->blocks->data + arena->used_B;
   arena->used_B += size_B;
   return memset(memory, 0, size_B); /* here, not a block at once: who asks writes to it next */
}

void *
arena_room(struct arena *arena, void *array, size_t item_B, unsigned count, unsigned *capacity)
{
   if (count < *capacity)
      return array;
   *capacity = MAX2(*capacity * 2, 4);
   void *bigger = arena_alloc(arena, *capacity * item_B);
   if (count)
      memcpy(bigger, array, count * item_B);
   return bigger;
}

void *
arena_dup(struct arena *arena, const void *data, size_t size_B)
{
   void *copy = arena_alloc(arena, size_B);
   if (size_B)
      memcpy(copy, data, size_B);
   return copy;
}

char *
arena_strdup(struct arena *arena, const char *string)
{
   return arena_dup(arena, string, strlen(string) + 1);
}

char *
arena_printf(struct arena *arena, const char *format, ...)
{
   va_list args, again;
   va_start(args, format);
   va_copy(again, args);
   int length = vsnprintf(NULL, 0, format, args);
   char *text = arena_alloc(arena, (size_t)length + 1);
   vsnprintf(text, (size_t)length + 1, format, again);
   va_end(again);
   va_end(args);
   return text;
}

void
arena_free(struct arena *arena)
{
   for (struct arena_block *block = arena->blocks, *next; block; block = next) {
      next = block->next;
      free(block);
   }
   *arena = (struct arena){0};
}

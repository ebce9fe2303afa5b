/* Arena: allocations that live and die together. Not thread safe; one arena per compile or per batch. */
#ifndef INDIUM_UTIL_ARENA_H
#define INDIUM_UTIL_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
   struct arena_block *blocks;
   size_t used_B; /* in the newest block */
};

/* A zeroed struct arena is an empty arena. */

/* Zeroed memory, 16-byte aligned; ends in out_of_memory() (util/within_memory.h) when there is none. */
void *arena_alloc(struct arena *arena, size_t size_B);

/* An array with room for more than count items: array, or a copy of its items with twice the capacity. */
void *arena_room(struct arena *arena, void *array, size_t item_B, unsigned count, unsigned *capacity);

/* A copy of size_B bytes. */
void *arena_dup(struct arena *arena, const void *data, size_t size_B);
char *arena_strdup(struct arena *arena, const char *string);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees everything; the arena is empty and usable again. */
void arena_free(struct arena *arena);

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))

#endif

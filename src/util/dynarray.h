/* Growing array on the heap. A zeroed struct dynarray is empty; dynarray_free releases it. */
#ifndef INDIUM_UTIL_DYNARRAY_H
#define INDIUM_UTIL_DYNARRAY_H

#include <stddef.h>

struct dynarray {
   void *data;
   size_t size_B, capacity_B;
};

/* Appends size_B uninitialised bytes and returns their start, valid until the next growth.
 * Ends in out_of_memory() (util/within_memory.h) when there is none. */
void *dynarray_grow(struct dynarray *array, size_t size_B);
void dynarray_free(struct dynarray *array);
/* The same, for own(). */
void dynarray_release(void *array);

#define dynarray_count(array, type) ((array)->size_B / sizeof(type))
#define dynarray_begin(array, type) ((type *)(array)->data)
#define dynarray_at(array, type, index) (&dynarray_begin(array, type)[index])
#define dynarray_append(array, type, ...) (*(type *)dynarray_grow((array), sizeof(type)) = (__VA_ARGS__))
#define dynarray_pop(array, type)                                                                                    \
   (((array)->size_B -= sizeof(type)), *(type *)((char *)(array)->data + (array)->size_B))
#define dynarray_for_each(type, it, array)                                                                           \
   for (type *it = (array)->data, *it##_end = it ? it + dynarray_count(array, type) : it; it < it##_end; it++)

#endif

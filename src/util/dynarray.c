#include "util/dynarray.h"
#include "util/within_memory.h"

#include <stdio.h>
#include <stdlib.h>

void *
dynarray_grow(struct dynarray *array, size_t size_B)
{
   size_t need_B = array->size_B + size_B;
   if (need_B > array->capacity_B) {
      size_t capacity_B = array->capacity_B ? array->capacity_B * 2 : 64;
      if (capacity_B < need_B)
         capacity_B = need_B;
      array->data = need_realloc("an array", array->data, capacity_B);
      array->capacity_B = capacity_B;
   }
   void *start = (char *)array->data + array->size_B;
   array->size_B = need_B;
   return start;
}

void
dynarray_free(struct dynarray *array)
{
   free(array->data);
   *array = (struct dynarray){0};
}

void
dynarray_release(void *array)
{
   dynarray_free(array);
}

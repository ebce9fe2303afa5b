#include "asahi/wrap/ids.h"

#include <string.h>

/* Of the number, or where it would stand. */
static size_t
index_of(const struct agx_wrap_ids *ids, uint64_t number)
{
   size_t low = 0, high = dynarray_count(&ids->array, struct agx_wrap_id);
   while (low < high) {
      size_t middle = (low + high) / 2;
      if (dynarray_at(&ids->array, struct agx_wrap_id, middle)->number < number)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

static struct agx_wrap_id *
entry(const struct agx_wrap_ids *ids, uint64_t number)
{
   size_t index = index_of(ids, number);
   struct agx_wrap_id *id = dynarray_at(&ids->array, struct agx_wrap_id, index);
   return index < dynarray_count(&ids->array, struct agx_wrap_id) && id->number == number ? id : NULL;
}

void *
agx_wrap_ids_find(const struct agx_wrap_ids *ids, uint64_t number)
{
   const struct agx_wrap_id *id = entry(ids, number);
   return id ? id->object : NULL;
}

void *
agx_wrap_ids_set(struct agx_wrap_ids *ids, uint64_t number, void *object)
{
   struct agx_wrap_id *id = entry(ids, number);
   void *before = id ? id->object : NULL;
   if (!id) {
      size_t index = index_of(ids, number), count = dynarray_count(&ids->array, struct agx_wrap_id);
      dynarray_grow(&ids->array, sizeof(*id));
      id = dynarray_at(&ids->array, struct agx_wrap_id, index);
      memmove(id + 1, id, (count - index) * sizeof(*id));
   }
   *id = (struct agx_wrap_id){number, object};
   return before;
}

void *
agx_wrap_ids_remove(struct agx_wrap_ids *ids, uint64_t number)
{
   struct agx_wrap_id *id = entry(ids, number);
   if (!id)
      return NULL;
   void *object = id->object;
   size_t index = (size_t)(id - dynarray_begin(&ids->array, struct agx_wrap_id));
   memmove(id, id + 1, (dynarray_count(&ids->array, struct agx_wrap_id) - index - 1) * sizeof(*id));
   ids->array.size_B -= sizeof(*id);
   return object;
}

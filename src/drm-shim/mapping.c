#include "drm-shim/mapping.h"

#include <string.h>

#include "drm-shim/bo.h"
#include "util/macros.h"

unsigned
shim_mappings_above(const struct shim_mappings *mappings, uint64_t va)
{
   unsigned low = 0, high = dynarray_count(&mappings->array, struct shim_mapping);
   while (low < high) {
      unsigned middle = (low + high) / 2;
      if (shim_mapping_end(dynarray_at(&mappings->array, struct shim_mapping, middle)) > va)
         high = middle;
      else
         low = middle + 1;
   }
   return low;
}

struct shim_mapping *
shim_mappings_at(const struct shim_mappings *mappings, unsigned index)
{
   return index < dynarray_count(&mappings->array, struct shim_mapping)
             ? dynarray_at(&mappings->array, struct shim_mapping, index)
             : NULL;
}

void
shim_mappings_insert(struct shim_mappings *mappings, const struct shim_mapping *mapping)
{
   unsigned index = shim_mappings_above(mappings, mapping->va);
   unsigned count = dynarray_count(&mappings->array, struct shim_mapping);
   dynarray_grow(&mappings->array, sizeof(*mapping));
   struct shim_mapping *place = dynarray_at(&mappings->array, struct shim_mapping, index);
   memmove(place + 1, place, (count - index) * sizeof(*place));
   *place = *mapping;
   if (mapping->bo)
      shim_bo_ref(mapping->bo)->mapping_count++;
}

struct shim_mapping
shim_mappings_take(struct shim_mappings *mappings, unsigned index)
{
   struct shim_mapping *place = dynarray_at(&mappings->array, struct shim_mapping, index), taken = *place;
   unsigned count = dynarray_count(&mappings->array, struct shim_mapping);
   memmove(place, place + 1, (count - index - 1) * sizeof(*place));
   mappings->array.size_B -= sizeof(*place);
   if (taken.bo)
      taken.bo->mapping_count--;
   return taken;
}

void
shim_mappings_clear(struct shim_mappings *mappings, uint64_t va, uint64_t end, shim_mapping_gone gone, void *data)
{
   unsigned index = shim_mappings_above(mappings, va);
   for (struct shim_mapping *it; (it = shim_mappings_at(mappings, index)) && it->va < end;) {
      struct shim_mapping old = shim_mappings_take(mappings, index), left = old, right = old, middle = old;
      uint64_t old_end = shim_mapping_end(&old);
      if (old.va < va) {
         left.size_B = va - old.va;
         shim_mappings_insert(mappings, &left);
         index++;
      }
      if (old_end > end) {
         right.va = end;
         right.offset_B += old.repeat_B ? 0 : end - old.va;
         right.size_B = old_end - end;
         shim_mappings_insert(mappings, &right);
      }
      middle.va = MAX2(old.va, va);
      middle.offset_B += old.repeat_B ? 0 : middle.va - old.va;
      middle.size_B = MIN2(old_end, end) - middle.va;
      gone(data, &middle);
   }
}

void
shim_mappings_forget(struct shim_mappings *mappings, const struct shim_bo *bo, shim_mapping_gone gone, void *data)
{
   for (unsigned i = 0; bo->mapping_count && i < dynarray_count(&mappings->array, struct shim_mapping);) {
      if (shim_mappings_at(mappings, i)->bo != bo) {
         i++;
         continue;
      }
      struct shim_mapping old = shim_mappings_take(mappings, i);
      gone(data, &old);
   }
}

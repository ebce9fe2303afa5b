#include "drm-shim/handles.h"

#include "util/macros.h"

uint32_t
shim_handles_add(struct shim_handles *handles, void *pointer)
{
   uint32_t slot = handles->first_free, count = dynarray_count(&handles->slots, void *);
   while (slot < count && *dynarray_at(&handles->slots, void *, slot))
      slot++;
   if (slot == count)
      dynarray_append(&handles->slots, void *, pointer);
   else
      *dynarray_at(&handles->slots, void *, slot) = pointer;
   handles->first_free = slot + 1;
   return slot + 1;
}

void *
shim_handles_get(const struct shim_handles *handles, uint32_t handle)
{
   return handle && handle < shim_handles_end(handles) ? *dynarray_at(&handles->slots, void *, handle - 1) : NULL;
}

void
shim_handles_replace(struct shim_handles *handles, uint32_t handle, void *pointer)
{
   *dynarray_at(&handles->slots, void *, handle - 1) = pointer;
}

void *
shim_handles_remove(struct shim_handles *handles, uint32_t handle)
{
   void *pointer = shim_handles_get(handles, handle);
   if (pointer) {
      *dynarray_at(&handles->slots, void *, handle - 1) = NULL;
      handles->first_free = MIN2(handles->first_free, handle - 1);
   }
   return pointer;
}

uint32_t
shim_handles_end(const struct shim_handles *handles)
{
   return dynarray_count(&handles->slots, void *) + 1;
}

void
shim_handles_free(struct shim_handles *handles)
{
   dynarray_free(&handles->slots);
   *handles = (struct shim_handles){0};
}

#include "drm-shim/fence.h"

#include <stdlib.h>

#include "drm-shim/shim.h"

void (*shim_fence_observer)(void);

static struct shim_fence always = {.refs = 1, .signaled = true};

struct shim_fence *
shim_fence_create(void)
{
   struct shim_fence *fence = shim_alloc(sizeof(*fence));
   fence->refs = 1;
   return fence;
}

struct shim_fence *
shim_fence_signaled(void)
{
   return shim_fence_ref(&always);
}

struct shim_fence *
shim_fence_merge(struct shim_fence *const *fences, unsigned count)
{
   struct shim_fence *pending = NULL;
   unsigned pending_count = 0;
   for (unsigned i = 0; i < count; i++) {
      if (!shim_fence_is_signaled(fences[i])) {
         pending = fences[i];
         pending_count++;
      }
   }
   if (count == 1)
      return shim_fence_ref(fences[0]);
   if (pending_count <= 1)
      return pending_count ? shim_fence_ref(pending) : shim_fence_signaled();

   struct shim_fence *merged = shim_fence_create();
   merged->parts = shim_alloc(pending_count * sizeof(*merged->parts));
   for (unsigned i = 0; i < count; i++)
      if (!shim_fence_is_signaled(fences[i]))
         merged->parts[merged->part_count++] = shim_fence_ref(fences[i]);
   return merged;
}

struct shim_fence *
shim_fence_ref(struct shim_fence *fence)
{
   fence->refs++;
   return fence;
}

static void
drop_parts(struct shim_fence *fence)
{
   for (unsigned i = 0; i < fence->part_count; i++)
      shim_fence_unref(fence->parts[i]);
   free(fence->parts);
   fence->parts = NULL;
   fence->part_count = 0;
}

void
shim_fence_unref(struct shim_fence *fence)
{
   if (!fence || --fence->refs)
      return;
   drop_parts(fence);
   free(fence);
}

bool
shim_fence_is_signaled(struct shim_fence *fence)
{
   if (fence->signaled || !fence->part_count)
      return fence->signaled;
   for (unsigned i = 0; i < fence->part_count; i++)
      if (!shim_fence_is_signaled(fence->parts[i]))
         return false;
   for (unsigned i = 0; i < fence->part_count && !fence->error; i++)
      fence->error = fence->parts[i]->error;
   drop_parts(fence);
   return fence->signaled = true;
}

void
shim_fence_signal(struct shim_fence *fence, int error)
{
   fence->signaled = true;
   fence->error = error;
   if (shim_fence_observer)
      shim_fence_observer();
   shim_wake();
}

bool
shim_fence_wait(struct shim_fence *fence, int64_t until_ns)
{
   while (!shim_fence_is_signaled(fence))
      if (!shim_sleep(until_ns))
         return shim_fence_is_signaled(fence);
   return true;
}

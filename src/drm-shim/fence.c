#include "drm-shim/fence.h"

#include <stdlib.h>

#include "drm-shim/shim.h"
#include "drm-shim/turns.h"
#include "util/macros.h"

void (*shim_fence_observers[SHIM_FENCE_OBSERVERS])(void);

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

uint64_t
shim_fence_new_context(void)
{
   static uint64_t last;
   return ++last;
}

/* What is in place of both, or NULL if they have no common context. */
static struct shim_fence *
later_of_context(struct shim_fence *a, struct shim_fence *b)
{
   if (a != b && (!a->context || a->context != b->context))
      return NULL;
   return a->seq > b->seq ? a : b;
}

/* merged has room for all. */
static void
add_part(struct shim_fence *merged, struct shim_fence *part)
{
   if (shim_fence_is_signaled(part))
      return;
   for (unsigned i = 0; i < merged->part_count; i++) {
      struct shim_fence *later = later_of_context(merged->parts[i], part);
      if (later) {
         shim_fence_ref(later);
         shim_fence_unref(merged->parts[i]);
         merged->parts[i] = later;
         return;
      }
   }
   merged->parts[merged->part_count++] = shim_fence_ref(part);
}

struct shim_fence *
shim_fence_merge(struct shim_fence *const *fences, unsigned count)
{
   if (count == 1)
      return shim_fence_ref(fences[0]);
   unsigned most = 0;
   for (unsigned i = 0; i < count; i++)
      most += fences[i]->part_count ? fences[i]->part_count : 1;
   struct shim_fence *merged = shim_fence_create();
   merged->parts = shim_alloc(most * sizeof(*merged->parts));
   for (unsigned i = 0; i < count; i++) {
      add_part(merged, fences[i]->part_count ? fences[i]->parts[0] : fences[i]);
      for (unsigned j = 1; j < fences[i]->part_count; j++)
         add_part(merged, fences[i]->parts[j]);
   }
   if (merged->part_count > 1)
      return merged;
   struct shim_fence *only = merged->part_count ? shim_fence_ref(merged->parts[0]) : shim_fence_signaled();
   shim_fence_unref(merged);
   return only;
}

struct shim_fence *
shim_fence_ref(struct shim_fence *fence)
{
   fence->refs++;
   return fence;
}

void
shim_fence_unref(struct shim_fence *fence)
{
   if (!fence || --fence->refs)
      return;
   for (unsigned i = 0; i < fence->part_count; i++)
      shim_fence_unref(fence->parts[i]);
   free(fence->parts);
   if (fence->ops)
      fence->ops->release(fence);
   else
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
   for (unsigned i = 0; i < fence->part_count; i++) {
      fence->error = fence->error ? fence->error : fence->parts[i]->error;
      fence->signaled_ns = MAX2(fence->signaled_ns, fence->parts[i]->signaled_ns);
   }
   return fence->signaled = true;
}

void
shim_fence_signal(struct shim_fence *fence, int error)
{
   fence->signaled = true;
   fence->error = error;
   fence->signaled_ns = shim_now_ns();
   for (unsigned i = 0; i < SHIM_FENCE_OBSERVERS; i++)
      if (shim_fence_observers[i])
         shim_fence_observers[i]();
   shim_wake();
}

void
shim_fence_set_deadline(struct shim_fence *fence, uint64_t deadline_ns)
{
   for (unsigned i = 0; i < fence->part_count; i++)
      shim_fence_set_deadline(fence->parts[i], deadline_ns);
   if (fence->ops && !shim_fence_is_signaled(fence))
      fence->ops->set_deadline(fence, deadline_ns);
}

bool
shim_fence_wait(struct shim_fence *fence, int64_t until_ns)
{
   while (!shim_fence_is_signaled(fence)) {
      shim_turns_look();
      if (!shim_sleep(until_ns))
         return shim_fence_is_signaled(fence);
   }
   return true;
}

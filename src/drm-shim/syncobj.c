#include "drm-shim/syncobj.h"

#include <stdlib.h>
#include <string.h>

#include "drm-shim/shim.h"
#include "drm-shim/syncobj_eventfd.h"
#include "util/macros.h"

struct syncobj_point {
   uint64_t point;
   uint64_t before; /* up to it, points are those of earlier fences; 0 where a point did not rise */
   struct shim_fence *fence;
};

struct shim_syncobj *
shim_syncobj_create(void)
{
   struct shim_syncobj *syncobj = shim_alloc(sizeof(*syncobj));
   syncobj->refs = 1;
   return syncobj;
}

static void
clear(struct shim_syncobj *syncobj)
{
   dynarray_for_each(struct syncobj_point, it, &syncobj->pending)
      shim_fence_unref(it->fence);
   syncobj->pending.size_B = 0;
   syncobj->has_fence = syncobj->timeline = false;
   syncobj->signaled_point = 0;
}

void
shim_syncobj_unref(struct shim_syncobj *syncobj)
{
   if (--syncobj->refs)
      return;
   shim_syncobj_eventfd_forget(syncobj);
   clear(syncobj);
   dynarray_free(&syncobj->pending);
   free(syncobj);
}

/* Moves signaled points from the front of the pending ones to signaled_point. Without a timeline, the fence of work
 * that failed stays for those who ask what became of it. */
static void
retire(struct shim_syncobj *syncobj)
{
   struct syncobj_point *points = syncobj->pending.data;
   unsigned count = dynarray_count(&syncobj->pending, struct syncobj_point), done = 0;
   for (; done < count && shim_fence_is_signaled(points[done].fence); done++) {
      if (!syncobj->timeline && points[done].fence->error)
         break;
      syncobj->signaled_point = points[done].point;
      shim_fence_unref(points[done].fence);
   }
   if (!done)
      return;
   memmove(points, points + done, (count - done) * sizeof(*points));
   syncobj->pending.size_B -= done * sizeof(*points);
}

static void
append(struct shim_syncobj *syncobj, uint64_t point, uint64_t before, struct shim_fence *fence)
{
   struct syncobj_point *last = dynarray_grow(&syncobj->pending, sizeof(*last));
   *last = (struct syncobj_point){point, before, shim_fence_ref(fence)};
   syncobj->has_fence = true;
   retire(syncobj);
   shim_syncobj_eventfd_look();
   shim_wake();
}

void
shim_syncobj_replace(struct shim_syncobj *syncobj, struct shim_fence *fence)
{
   if (fence)
      shim_fence_ref(fence); /* it may be one of those dropped */
   clear(syncobj);
   if (fence) {
      append(syncobj, 0, 0, fence);
      shim_fence_unref(fence);
   }
}

static void
add_point(struct shim_syncobj *syncobj, uint64_t point, struct shim_fence *fence)
{
   uint64_t last = shim_syncobj_last_point(syncobj);
   syncobj->timeline = true;
   append(syncobj, MAX2(point, last), point > last ? last : 0, fence);
}

void
shim_syncobj_set(struct shim_syncobj *syncobj, uint64_t point, struct shim_fence *fence)
{
   if (point)
      add_point(syncobj, point, fence);
   else
      shim_syncobj_replace(syncobj, fence);
}

struct shim_fence *
shim_syncobj_find(struct shim_syncobj *syncobj, uint64_t point)
{
   if (!syncobj->has_fence || (point && (!syncobj->timeline || shim_syncobj_last_point(syncobj) < point)))
      return NULL;
   retire(syncobj);
   struct dynarray fences = {0};
   const struct syncobj_point *points = syncobj->pending.data;
   unsigned count = (unsigned)dynarray_count(&syncobj->pending, struct syncobj_point);
   /* The newest that stands for the point, as the kernel looks for it: what comes after is not waited for. */
   while (point && count && points[count - 1].before >= point)
      count--;
   for (unsigned i = 0; i < count; i++)
      dynarray_append(&fences, struct shim_fence *, points[i].fence);
   struct shim_fence *merged = shim_fence_merge(fences.data, dynarray_count(&fences, struct shim_fence *));
   dynarray_free(&fences);
   return merged;
}

uint64_t
shim_syncobj_signaled_point(struct shim_syncobj *syncobj)
{
   retire(syncobj);
   dynarray_for_each(const struct syncobj_point, it, &syncobj->pending)
      if (!it->before && syncobj->signaled_point)
         return 0; /* as the kernel tells it, where points began anew */
   return syncobj->timeline ? syncobj->signaled_point : 0;
}

uint64_t
shim_syncobj_last_point(struct shim_syncobj *syncobj)
{
   unsigned count = dynarray_count(&syncobj->pending, struct syncobj_point);
   if (!syncobj->timeline)
      return 0;
   return count ? dynarray_at(&syncobj->pending, struct syncobj_point, count - 1)->point : syncobj->signaled_point;
}

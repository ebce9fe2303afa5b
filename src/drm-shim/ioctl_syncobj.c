#include <drm.h>
#include <errno.h>
#include <stdlib.h>

#include "drm-shim/fds.h"
#include "drm-shim/file.h"
#include "drm-shim/ioctl.h"
#include "drm-shim/shim.h"
#include "drm-shim/sync_file.h"
#include "drm-shim/syncobj.h"
#include "drm-shim/syncobj_eventfd.h"
#include "drm-shim/syncobj_file.h"
#include "drm-shim/turns.h"
#include "drm-shim/user_memory.h"

#define MAX_COUNT 65536
#define SUBMIT_WAIT_NS INT64_C(5000000000)
/* Newer than Debian's header. */
#define WAIT_DEADLINE (1 << 3)
#define DRM_SYNCOBJ_EVENTFD_NR 0xcf /* DRM_IOCTL_SYNCOBJ_EVENTFD */
struct syncobj_eventfd { /* drm_syncobj_eventfd */
   uint32_t handle, flags;
   uint64_t point;
   int32_t fd;
   uint32_t pad;
};

struct shim_syncobj *
shim_syncobj_get(struct shim_file *file, uint32_t handle)
{
   return shim_handles_get(&file->syncobjs, handle);
}

int
shim_syncobj_find_fence(struct shim_file *file, uint32_t handle, uint64_t point, bool wait_for_submit,
                        struct shim_fence **fence)
{
   struct shim_syncobj *syncobj = shim_syncobj_get(file, handle);
   if (!syncobj)
      return -ENOENT;
   int64_t until_ns = 0;
   syncobj->refs++;
   while (!(*fence = shim_syncobj_find(syncobj, point)) && wait_for_submit) {
      until_ns = until_ns ? until_ns : shim_now_ns() + SUBMIT_WAIT_NS;
      if (!shim_sleep(until_ns)) {
         shim_syncobj_unref(syncobj);
         return -ETIME;
      }
   }
   shim_syncobj_unref(syncobj);
   return *fence ? 0 : -EINVAL;
}

static int
create(struct shim_file *file, void *arg)
{
   struct drm_syncobj_create *args = arg;
   if (args->flags & ~DRM_SYNCOBJ_CREATE_SIGNALED)
      return -EINVAL;
   shim_syncobj_files_look();
   struct shim_syncobj *syncobj = shim_syncobj_create();
   if (args->flags & DRM_SYNCOBJ_CREATE_SIGNALED) {
      struct shim_fence *fence = shim_fence_signaled();
      shim_syncobj_replace(syncobj, fence);
      shim_fence_unref(fence);
   }
   args->handle = shim_handles_add(&file->syncobjs, syncobj);
   return 0;
}

static int
destroy(struct shim_file *file, void *arg)
{
   struct drm_syncobj_destroy *args = arg;
   if (args->pad)
      return -EINVAL;
   struct shim_syncobj *syncobj = shim_handles_remove(&file->syncobjs, args->handle);
   if (!syncobj)
      return -EINVAL;
   shim_syncobj_unref(syncobj);
   return 0;
}

static int
handle_to_fd(struct shim_file *file, void *arg)
{
   struct drm_syncobj_handle *args = arg;
   struct shim_syncobj *syncobj = shim_syncobj_get(file, args->handle);
   if (args->pad || (args->flags & ~DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE))
      return -EINVAL;
   if (args->flags) {
      struct shim_fence *fence;
      int error = shim_syncobj_find_fence(file, args->handle, 0, false, &fence);
      if (error)
         return error;
      args->fd = shim_sync_file_create(fence);
      shim_fence_unref(fence);
      return args->fd < 0 ? args->fd : 0;
   }
   if (!syncobj)
      return -EINVAL;
   args->fd = shim_syncobj_export(syncobj);
   return args->fd < 0 ? args->fd : 0;
}

static int
fd_to_handle(struct shim_file *file, void *arg)
{
   struct drm_syncobj_handle *args = arg;
   if (args->pad || (args->flags & ~DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE))
      return -EINVAL;
   if (args->flags) {
      struct shim_fence *fence = shim_sync_file_fence(args->fd);
      struct shim_syncobj *syncobj = shim_syncobj_get(file, args->handle);
      if (!fence)
         return -EINVAL;
      if (!syncobj)
         return -ENOENT;
      shim_syncobj_replace(syncobj, fence);
      return 0;
   }
   struct shim_syncobj *syncobj = shim_syncobj_of_fd(args->fd);
   if (!syncobj)
      return -EINVAL;
   syncobj->refs++;
   args->handle = shim_handles_add(&file->syncobjs, syncobj);
   return 0;
}

/* Arrays of an ioctl: handles with one reference each, and points (zero where the ioctl has none). */
struct sync_array {
   uint32_t count;
   struct shim_syncobj **syncobjs;
   uint64_t *points;
   struct shim_fence **fences; /* of a wait: references, or NULL until there is a fence; else none */
};

static void
array_free(struct sync_array *array)
{
   for (uint32_t i = 0; array->syncobjs && i < array->count && array->syncobjs[i]; i++)
      shim_syncobj_unref(array->syncobjs[i]);
   for (uint32_t i = 0; array->fences && i < array->count; i++)
      shim_fence_unref(array->fences[i]);
   free(array->fences);
   free(array->syncobjs);
   free(array->points);
}

static int
array_read(struct shim_file *file, struct sync_array *array, uint32_t count, uint64_t handles, uint64_t points)
{
   *array = (struct sync_array){.count = count};
   if (!count)
      return -EINVAL;
   if (count > MAX_COUNT)
      return -ENOMEM;
   uint32_t *numbers = shim_alloc(count * sizeof(*numbers));
   array->syncobjs = shim_alloc(count * sizeof(*array->syncobjs));
   array->points = shim_alloc(count * sizeof(*array->points));
   int error = user_read(numbers, handles, count * sizeof(*numbers));
   if (!error && points)
      error = user_read(array->points, points, count * sizeof(*array->points));
   for (uint32_t i = 0; !error && i < count; i++) {
      struct shim_syncobj *syncobj = shim_syncobj_get(file, numbers[i]);
      if (!syncobj)
         error = -ENOENT;
      else
         (array->syncobjs[i] = syncobj)->refs++;
   }
   free(numbers);
   if (error)
      array_free(array);
   return error;
}

/* 1: the wait is over; 0: not yet; -EINVAL: it waits for something that nobody has submitted. A fence that was found
 * once is the one that is waited for, whatever becomes of its syncobj. */
static int
look(struct sync_array *array, uint32_t flags, uint32_t *first)
{
   const uint32_t patient = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
   uint32_t done = 0;
   for (uint32_t i = 0; i < array->count; i++) {
      struct shim_fence **fence = &array->fences[i];
      *fence = *fence ? *fence : shim_syncobj_find(array->syncobjs[i], array->points[i]);
      if (!*fence && !(flags & patient))
         return -EINVAL;
      if (*fence && ((flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) || shim_fence_is_signaled(*fence))) {
         if (!done++)
            *first = i;
      }
   }
   return flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL ? done == array->count : done > 0;
}

static int
wait_array(struct sync_array *array, uint32_t flags, int64_t timeout_ns, uint32_t *first)
{
   uint32_t index = UINT32_MAX;
   for (bool in_time = true;;) {
      int over = look(array, flags, &index);
      if (over < 0)
         return over;
      if (over) {
         *first = flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL ? UINT32_MAX : index;
         return 0;
      }
      if (!(flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
         shim_turns_look();
      if (!in_time)
         return -ETIME;
      in_time = shim_sleep(timeout_ns);
   }
}

static int
wait_handles(struct shim_file *file, uint32_t count, uint64_t handles, uint64_t points, uint32_t flags,
             int64_t timeout_ns, uint32_t *first_signaled)
{
   /* size: the fields of the ioctl */
   struct sync_array array;
   if (!count)
      return 0;
   int error = array_read(file, &array, count, handles, points);
   if (error)
      return error;
   array.fences = shim_alloc(count * sizeof(*array.fences));
   error = wait_array(&array, flags, timeout_ns, first_signaled);
   array_free(&array);
   return error;
}

static int
wait(struct shim_file *file, void *arg)
{
   struct drm_syncobj_wait *args = arg;
   if (args->flags & ~(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | WAIT_DEADLINE))
      return -EINVAL;
   return wait_handles(file, args->count_handles, args->handles, 0, args->flags, args->timeout_nsec,
                       &args->first_signaled);
}

static int
timeline_wait(struct shim_file *file, void *arg)
{
   struct drm_syncobj_timeline_wait *args = arg;
   if (args->flags & ~(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                       DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE | WAIT_DEADLINE))
      return -EINVAL;
   return wait_handles(file, args->count_handles, args->handles, args->points, args->flags, args->timeout_nsec,
                       &args->first_signaled);
}

static int
set_all(struct shim_file *file, uint32_t count, uint64_t handles, uint64_t points, bool signal)
{
   struct sync_array array;
   int error = array_read(file, &array, count, handles, points);
   if (error)
      return error;
   struct shim_fence *fence = signal ? shim_fence_signaled() : NULL;
   for (uint32_t i = 0; i < count; i++)
      shim_syncobj_set(array.syncobjs[i], array.points[i], fence);
   shim_fence_unref(fence);
   array_free(&array);
   return 0;
}

static int
reset(struct shim_file *file, void *arg)
{
   struct drm_syncobj_array *args = arg;
   return args->pad ? -EINVAL : set_all(file, args->count_handles, args->handles, 0, false);
}

static int
signal_binary(struct shim_file *file, void *arg)
{
   struct drm_syncobj_array *args = arg;
   return args->pad ? -EINVAL : set_all(file, args->count_handles, args->handles, 0, true);
}

static int
timeline_signal(struct shim_file *file, void *arg)
{
   struct drm_syncobj_timeline_array *args = arg;
   return args->flags ? -EINVAL : set_all(file, args->count_handles, args->handles, args->points, true);
}

static int
query(struct shim_file *file, void *arg)
{
   struct drm_syncobj_timeline_array *args = arg;
   struct sync_array array;
   if (args->flags & ~DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
      return -EINVAL;
   int error = array_read(file, &array, args->count_handles, args->handles, 0);
   if (error)
      return error;
   shim_turns_look();
   for (uint32_t i = 0; i < array.count; i++)
      array.points[i] =
         args->flags ? shim_syncobj_last_point(array.syncobjs[i]) : shim_syncobj_signaled_point(array.syncobjs[i]);
   error = user_write(args->points, array.points, array.count * sizeof(*array.points));
   array_free(&array);
   return error;
}

static int
transfer(struct shim_file *file, void *arg)
{
   struct drm_syncobj_transfer *args = arg;
   struct shim_syncobj *target = shim_syncobj_get(file, args->dst_handle);
   struct shim_fence *fence;
   if (args->pad || (args->flags & ~DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
      return -EINVAL;
   if (!target)
      return -ENOENT;
   target->refs++;
   int error = shim_syncobj_find_fence(file, args->src_handle, args->src_point, args->flags != 0, &fence);
   if (!error) {
      shim_syncobj_set(target, args->dst_point, fence);
      shim_fence_unref(fence);
   }
   shim_syncobj_unref(target);
   return error;
}

static int
notify_eventfd(struct shim_file *file, void *arg)
{
   const struct syncobj_eventfd *args = arg;
   if (args->pad || (args->flags & ~DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
      return -EINVAL;
   struct shim_syncobj *syncobj = shim_syncobj_get(file, args->handle);
   return syncobj ? shim_syncobj_eventfd_add(syncobj, args->point, args->flags != 0, args->fd) : -ENOENT;
}

struct shim_ioctl
shim_syncobj_ioctl(unsigned nr)
{
   switch (nr) {
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
      return (struct shim_ioctl){create, sizeof(struct drm_syncobj_create)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
      return (struct shim_ioctl){destroy, sizeof(struct drm_syncobj_destroy)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
      return (struct shim_ioctl){handle_to_fd, sizeof(struct drm_syncobj_handle)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
      return (struct shim_ioctl){fd_to_handle, sizeof(struct drm_syncobj_handle)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
      return (struct shim_ioctl){wait, sizeof(struct drm_syncobj_wait)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
      return (struct shim_ioctl){reset, sizeof(struct drm_syncobj_array)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
      return (struct shim_ioctl){signal_binary, sizeof(struct drm_syncobj_array)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
      return (struct shim_ioctl){timeline_wait, sizeof(struct drm_syncobj_timeline_wait)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY):
      return (struct shim_ioctl){query, sizeof(struct drm_syncobj_timeline_array)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER):
      return (struct shim_ioctl){transfer, sizeof(struct drm_syncobj_transfer)};
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
      return (struct shim_ioctl){timeline_signal, sizeof(struct drm_syncobj_timeline_array)};
   case DRM_SYNCOBJ_EVENTFD_NR:
      return (struct shim_ioctl){notify_eventfd, sizeof(struct syncobj_eventfd)};
   default:
      return (struct shim_ioctl){0};
   }
}

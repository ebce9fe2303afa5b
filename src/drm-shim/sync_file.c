#include "drm-shim/sync_file.h"

#include <errno.h>
#include <linux/sync_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "drm-shim/bo.h"
#include "drm-shim/fds.h"
#include "drm-shim/fence.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "util/list.h"

struct shim_sync_file {
   struct shim_fence *fence;
   char name[32]; /* of a merge */
   int event_fd;  /* own duplicate of the application's descriptor; -1 once written */
   struct list_head link;
};

/* Newer than the C library's header. */
struct set_deadline { /* sync_set_deadline */
   uint64_t deadline_ns, pad;
};
#define SET_DEADLINE_NR 5 /* SYNC_IOC_SET_DEADLINE */

static struct list_head pending = {&pending, &pending};

static void
announce(struct shim_sync_file *sync_file)
{
   uint64_t one = 1;
   if (real()->write(sync_file->event_fd, &one, sizeof(one)) < 0)
      abort(); /* an eventfd of count 0 takes a 1 */
   real()->close(sync_file->event_fd);
   sync_file->event_fd = -1;
}

static void
announce_signaled(void)
{
   list_for_each_safe(struct shim_sync_file, it, &pending, link) {
      if (shim_fence_is_signaled(it->fence)) {
         list_remove(&it->link);
         announce(it);
      }
   }
}

static void
release(void *object)
{
   struct shim_sync_file *sync_file = object;
   if (sync_file->event_fd >= 0) {
      list_remove(&sync_file->link);
      real()->close(sync_file->event_fd);
   }
   shim_fence_unref(sync_file->fence);
   free(sync_file);
}

static int
create(struct shim_fence *fence, const char *name)
{
   int fd = eventfd(0, EFD_CLOEXEC), own = fd < 0 ? -1 : real()->dup(fd);
   if (own < 0) {
      if (fd >= 0)
         real()->close(fd);
      return -EMFILE;
   }
   shim_fence_observers[SHIM_FENCE_SYNC_FILES] = announce_signaled;
   struct shim_sync_file *sync_file = shim_alloc(sizeof(*sync_file));
   *sync_file = (struct shim_sync_file){.fence = shim_fence_ref(fence), .event_fd = shim_move_fd_up(own)};
   snprintf(sync_file->name, sizeof(sync_file->name), "%s", name);
   if (shim_fence_is_signaled(fence))
      announce(sync_file);
   else
      list_add_tail(&sync_file->link, &pending);
   fds_add(fd, SHIM_FD_SYNC_FILE, sync_file, release);
   return fd;
}

int
shim_sync_file_create(struct shim_fence *fence)
{
   return create(fence, "");
}

struct shim_fence *
shim_sync_file_fence(int fd)
{
   struct shim_sync_file *sync_file = fds_object(fd, SHIM_FD_SYNC_FILE);
   return sync_file ? sync_file->fence : NULL;
}

static int
merge(struct shim_fence *fence, uint64_t address)
{
   struct sync_merge_data data;
   if (user_read(&data, address, sizeof(data)))
      return -EFAULT;
   if (data.flags || data.pad)
      return -EINVAL;
   struct shim_fence *other = shim_sync_file_fence(data.fd2);
   if (!other)
      return -ENOENT;
   struct shim_fence *both = shim_fence_merge((struct shim_fence *[]){fence, other}, 2);
   data.name[sizeof(data.name) - 1] = 0;
   data.fence = create(both, data.name);
   shim_fence_unref(both);
   if (data.fence < 0)
      return data.fence;
   return user_write(address, &data, sizeof(data));
}

static int
status_of(struct shim_fence *fence)
{
   return !shim_fence_is_signaled(fence) ? 0 : fence->error ? fence->error : 1;
}

/* One fence of a sync file to user memory. */
static int
write_fence(struct shim_fence *fence, int status, uint64_t address)
{
   struct sync_fence_info info = {.status = status, .timestamp_ns = status ? (uint64_t)fence->signaled_ns : 0};
   snprintf(info.obj_name, sizeof(info.obj_name), "%s", fence->ops ? fence->ops->timeline(fence) : "queue");
   snprintf(info.driver_name, sizeof(info.driver_name), "%s", fence->ops ? fence->ops->driver : "indium");
   return user_write(address, &info, sizeof(info));
}

/* A sync file that has no name of its own is called after its fence. */
static void
copy_name(const struct shim_sync_file *sync_file, char *name, size_t size_B)
{
   const struct shim_fence *fence = sync_file->fence;
   if (*sync_file->name)
      snprintf(name, size_B, "%s", sync_file->name);
   else if (fence->ops)
      snprintf(name, size_B, "%s-%s%llu-%u", fence->ops->driver, fence->ops->timeline(fence),
               (unsigned long long)fence->context, (uint32_t)fence->seq);
   else
      snprintf(name, size_B, "indium");
}

/* Who asks for no fences gets their number, and the status of all; an array that is too short is refused. Who asks
 * for them gets the status of the first that failed or is not signaled, as the kernel has it. */
static int
file_info(const struct shim_sync_file *sync_file, uint64_t address)
{
   struct sync_file_info info;
   struct shim_fence *fence = sync_file->fence, *const *parts = fence->part_count ? fence->parts : &sync_file->fence;
   unsigned count = fence->part_count ? fence->part_count : 1;
   if (user_read(&info, address, sizeof(info)))
      return -EFAULT;
   if (info.flags || info.pad || (info.num_fences && info.num_fences < count))
      return -EINVAL;
   info.status = info.num_fences ? 1 : status_of(fence);
   for (unsigned i = 0; info.num_fences && i < count; i++) {
      int status = status_of(parts[i]);
      info.status = info.status > 0 ? status : info.status;
      if (write_fence(parts[i], status, info.sync_fence_info + i * sizeof(struct sync_fence_info)))
         return -EFAULT;
   }
   copy_name(sync_file, info.name, sizeof(info.name));
   info.num_fences = count;
   return user_write(address, &info, sizeof(info));
}

static int
set_deadline(struct shim_fence *fence, uint64_t address)
{
   struct set_deadline args;
   if (user_read(&args, address, sizeof(args)))
      return -EFAULT;
   if (args.pad)
      return -EINVAL;
   shim_fence_set_deadline(fence, args.deadline_ns);
   return 0;
}

int
shim_sync_file_ioctl(int fd, unsigned long request, void *arg)
{
   int result = -ENOTTY;
   shim_lock();
   struct shim_fence *fence = shim_sync_file_fence(fd);
   if (fence && _IOC_NR(request) == _IOC_NR(SYNC_IOC_MERGE))
      result = merge(fence, (uintptr_t)arg);
   else if (fence && _IOC_NR(request) == _IOC_NR(SYNC_IOC_FILE_INFO))
      result = file_info(fds_object(fd, SHIM_FD_SYNC_FILE), (uintptr_t)arg);
   else if (fence && _IOC_NR(request) == SET_DEADLINE_NR)
      result = set_deadline(fence, (uintptr_t)arg);
   shim_unlock();
   return result;
}

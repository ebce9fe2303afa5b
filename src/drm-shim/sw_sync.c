#include "drm-shim/sw_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "drm-shim/fds.h"
#include "drm-shim/fence.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "drm-shim/sync_file.h"
#include "drm-shim/user_memory.h"
#include "util/list.h"

/* The kernel counts in 32 bits, which wrap. Here the upper half of 64 counts the wraps: what is later is greater. */
#define FIRST_VALUE (UINT64_C(1) << 32)

struct sw_timeline {
   struct list_head link;
   unsigned refs; /* of its descriptors one, and of its fences */
   dev_t device;
   ino_t inode;
   pid_t owner;
   char name[16]; /* the thread's that opened it */
   uint64_t context, value;
   struct list_head fences; /* those that are not signaled, rising seq; no references */
};

struct sw_fence {
   struct shim_fence base;
   struct sw_timeline *timeline;
   struct list_head link; /* next NULL: in no list */
   bool has_deadline;
   uint64_t deadline_ns;
};

static struct list_head timelines = {&timelines, &timelines}; /* those that are open */

static void
timeline_unref(struct sw_timeline *timeline)
{
   if (!--timeline->refs)
      free(timeline);
}

static const char *
timeline_name(const struct shim_fence *fence)
{
   return ((const struct sw_fence *)fence)->timeline->name;
}

static void
set_deadline(struct shim_fence *base, uint64_t deadline_ns)
{
   struct sw_fence *fence = (struct sw_fence *)base;
   if (!fence->has_deadline || deadline_ns < fence->deadline_ns)
      fence->deadline_ns = deadline_ns;
   fence->has_deadline = true;
}

static void
release_fence(struct shim_fence *base)
{
   struct sw_fence *fence = (struct sw_fence *)base;
   if (fence->link.next)
      list_remove(&fence->link);
   timeline_unref(fence->timeline);
   free(fence);
}

static const struct shim_fence_ops ops = {"sw_sync", timeline_name, set_deadline, release_fence};

/* Signals all up to the value. Observers of one may drop others. */
static void
signal_fences(struct sw_timeline *timeline, uint64_t value, int error)
{
   while (!list_is_empty(&timeline->fences)) {
      struct sw_fence *first = list_first(&timeline->fences, struct sw_fence, link);
      if (first->base.seq > value)
         return;
      list_remove(&first->link);
      shim_fence_ref(&first->base);
      shim_fence_signal(&first->base, error);
      shim_fence_unref(&first->base);
   }
}

/* A child after fork(2) shares the descriptor: what it closes stays open for its parent. */
static void
release_timeline(void *object)
{
   struct sw_timeline *timeline = object;
   list_remove(&timeline->link);
   if (timeline->owner == getpid())
      signal_fences(timeline, UINT64_MAX, -ENOENT);
   timeline_unref(timeline);
}

int
sw_sync_open(int flags)
{
   struct stat identity;
   int fd = memfd_create("sw_sync", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
   if (fd < 0)
      return -1;
   real()->fstat(fd, &identity);
   struct sw_timeline *timeline = shim_alloc(sizeof(*timeline));
   *timeline = (struct sw_timeline){
      .refs = 1, .device = identity.st_dev, .inode = identity.st_ino, .owner = getpid(), .value = FIRST_VALUE};
   prctl(PR_GET_NAME, timeline->name);
   list_init(&timeline->fences);
   shim_lock();
   timeline->context = shim_fence_new_context();
   list_add_tail(&timeline->link, &timelines);
   fds_add(fd, SHIM_FD_SW_SYNC, timeline, release_timeline);
   shim_unlock();
   return fd;
}

/* The lock is held. */
static struct sw_timeline *
find(int fd)
{
   struct sw_timeline *timeline = fds_object(fd, SHIM_FD_SW_SYNC);
   struct stat identity;
   if (timeline || list_is_empty(&timelines) || real()->fstat(fd, &identity))
      return timeline;
   list_for_each(struct sw_timeline, it, &timelines, link)
      if (it->inode == identity.st_ino && it->device == identity.st_dev)
         return it;
   return NULL;
}

bool
sw_sync_is(int fd)
{
   shim_lock();
   bool is = find(fd);
   shim_unlock();
   return is;
}

/* A reference to the timeline's fence for the point: the one that waits for it already, or a new one. */
static struct shim_fence *
fence_at(struct sw_timeline *timeline, uint32_t point)
{
   const uint64_t seq = timeline->value + (uint64_t)(int64_t)(int32_t)(point - (uint32_t)timeline->value);
   struct list_head *before = timeline->fences.prev;
   while (before != &timeline->fences && list_entry(before, struct sw_fence, link)->base.seq > seq)
      before = before->prev;
   if (before != &timeline->fences && list_entry(before, struct sw_fence, link)->base.seq == seq)
      return shim_fence_ref(&list_entry(before, struct sw_fence, link)->base);
   struct sw_fence *fence = shim_alloc(sizeof(*fence));
   *fence = (struct sw_fence){.base = {.refs = 1, .context = timeline->context, .seq = seq, .ops = &ops},
                              .timeline = timeline};
   timeline->refs++;
   if (seq > timeline->value)
      list_add_after(&fence->link, before);
   else
      shim_fence_signal(&fence->base, 0);
   return &fence->base;
}

static int
create_fence(struct sw_timeline *timeline, uint64_t address)
{
   struct sw_sync_create_fence_data data;
   if (user_read(&data, address, sizeof(data)) || user_write(address, &data, sizeof(data)))
      return -EFAULT;
   struct shim_fence *fence = fence_at(timeline, data.value);
   data.fence = shim_sync_file_create(fence);
   shim_fence_unref(fence);
   return data.fence < 0 ? data.fence : user_write(address, &data, sizeof(data));
}

static int
count_up(struct sw_timeline *timeline, uint64_t address)
{
   uint32_t count;
   if (user_read(&count, address, sizeof(count)))
      return -EFAULT;
   timeline->value += count;
   signal_fences(timeline, timeline->value, 0);
   return 0;
}

static int
get_deadline(uint64_t address)
{
   struct sw_sync_get_deadline data;
   if (user_read(&data, address, sizeof(data)))
      return -EFAULT;
   const struct shim_fence *base = data.deadline_ns || data.pad ? NULL : shim_sync_file_fence(data.fence_fd);
   if (!base || base->ops != &ops)
      return -EINVAL;
   const struct sw_fence *fence = (const struct sw_fence *)base;
   if (!fence->has_deadline)
      return -ENOENT;
   data.deadline_ns = fence->deadline_ns;
   return user_write(address, &data, sizeof(data));
}

int
sw_sync_ioctl(int fd, unsigned long request, void *arg)
{
   int result = -ENOTTY;
   shim_lock();
   struct sw_timeline *timeline = find(fd);
   if (!timeline)
      result = -EBADF;
   else if ((uint32_t)request == SW_SYNC_IOC_CREATE_FENCE)
      result = create_fence(timeline, (uintptr_t)arg);
   else if ((uint32_t)request == SW_SYNC_IOC_INC)
      result = count_up(timeline, (uintptr_t)arg);
   else if ((uint32_t)request == SW_SYNC_GET_DEADLINE)
      result = get_deadline((uintptr_t)arg);
   shim_unlock();
   return result;
}

#include "drm-shim/syncobj_eventfd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drm-shim/bo.h"
#include "drm-shim/fds.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "drm-shim/syncobj.h"
#include "util/list.h"

struct waiter {
   struct list_head link;
   struct shim_syncobj *syncobj; /* no reference */
   struct shim_fence *fence;     /* of the point, once there is one: from then on the syncobj does not matter */
   uint64_t point;
   bool available;
   int fd; /* own duplicate */
};

static struct list_head waiters = {&waiters, &waiters};

static void
destroy(struct waiter *waiter)
{
   list_remove(&waiter->link);
   real()->close(waiter->fd);
   shim_fence_unref(waiter->fence);
   free(waiter);
}

/* A count that is full stays so: the kernel does not wait. */
static void
count_up(int fd)
{
   uint64_t one = 1;
   struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
   if (poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLOUT) && real()->write(fd, &one, sizeof(one)) < 0)
      return;
}

static void
look(struct waiter *waiter)
{
   if (!waiter->fence)
      waiter->fence = shim_syncobj_find(waiter->syncobj, waiter->point);
   if (!waiter->fence)
      return;
   waiter->syncobj = NULL;
   if (!waiter->available && !shim_fence_is_signaled(waiter->fence))
      return;
   count_up(waiter->fd);
   destroy(waiter);
}

void
shim_syncobj_eventfd_look(void)
{
   list_for_each_safe(struct waiter, it, &waiters, link)
      look(it);
}

void
shim_syncobj_eventfd_forget(const struct shim_syncobj *syncobj)
{
   list_for_each_safe(struct waiter, it, &waiters, link)
      if (it->syncobj == syncobj)
         destroy(it);
}

/* The shim's sync files and syncobjs are eventfds, too, which the program must not find out. */
static bool
is_eventfd(int fd)
{
   char path[32], text[64] = {0};
   if (fds_object(fd, SHIM_FD_SYNC_FILE) || fds_object(fd, SHIM_FD_SYNCOBJ))
      return false;
   snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
   return real()->readlink(path, text, sizeof(text) - 1) > 0 && !strcmp(text, "anon_inode:[eventfd]");
}

int
shim_syncobj_eventfd_add(struct shim_syncobj *syncobj, uint64_t point, bool available, int fd)
{
   if (real()->fcntl(fd, F_GETFD) < 0)
      return -EBADF;
   if (!is_eventfd(fd))
      return -EINVAL;
   int own = real()->fcntl(fd, F_DUPFD_CLOEXEC, 0);
   if (own < 0)
      return -EMFILE;
   shim_fence_observers[SHIM_FENCE_EVENTFDS] = shim_syncobj_eventfd_look;
   struct waiter *waiter = shim_alloc(sizeof(*waiter));
   *waiter = (struct waiter){.syncobj = syncobj, .point = point, .available = available, .fd = shim_move_fd_up(own)};
   list_add_tail(&waiter->link, &waiters);
   look(waiter);
   return 0;
}

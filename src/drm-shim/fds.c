#include "drm-shim/fds.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "drm-shim/shim.h"

/* Descriptors above stay unknown to the shim; the kernel hands out the lowest free number. */
#define MAX_FD 65536

static _Atomic(struct shim_fd *) table[MAX_FD];
static atomic_int end; /* entries at and above are NULL */

/* Without the lock only whether there is one counts: it may be freed at any time. */
static struct shim_fd *
entry(int fd)
{
   return fd >= 0 && fd < atomic_load_explicit(&end, memory_order_acquire)
             ? atomic_load_explicit(&table[fd], memory_order_acquire)
             : NULL;
}

/* The lock is held. */
static void
set(int fd, struct shim_fd *description)
{
   if (fd < 0 || fd >= MAX_FD)
      return;
   description->fd_count++;
   atomic_store_explicit(&table[fd], description, memory_order_release);
   if (fd >= atomic_load(&end))
      atomic_store_explicit(&end, fd + 1, memory_order_release);
}

void
fds_add(int fd, enum shim_fd_kind kind, void *object, void (*release)(void *object))
{
   struct shim_fd *description = shim_alloc(sizeof(*description));
   *description = (struct shim_fd){.kind = kind, .object = object, .release = release};
   set(fd, description);
}

void *
fds_object(int fd, enum shim_fd_kind kind)
{
   struct shim_fd *description = entry(fd);
   return description && description->kind == kind ? description->object : NULL;
}

enum shim_fd_kind
fds_kind(int fd)
{
   if (!entry(fd))
      return SHIM_FD_NONE;
   shim_lock();
   const struct shim_fd *description = entry(fd);
   enum shim_fd_kind kind = description ? description->kind : SHIM_FD_NONE;
   shim_unlock();
   return kind;
}

bool
fds_is(int fd, enum shim_fd_kind kind)
{
   return fds_kind(fd) == kind;
}

void
fds_dup(int from, int fd)
{
   if ((!entry(from) && !entry(fd)) || !shim_is_own_process())
      return;
   fds_close(fd);
   shim_lock();
   struct shim_fd *description = entry(from);
   if (description)
      set(fd, description);
   shim_unlock();
}

void
fds_close(int fd)
{
   if (!entry(fd) || !shim_is_own_process())
      return;
   shim_lock();
   struct shim_fd *description = entry(fd);
   if (description) {
      atomic_store_explicit(&table[fd], NULL, memory_order_release);
      if (!--description->fd_count) {
         description->release(description->object);
         free(description);
      }
   }
   shim_unlock();
}

void
fds_close_range(unsigned first, unsigned last)
{
   for (unsigned fd = first; fd <= last && fd < (unsigned)atomic_load(&end); fd++)
      fds_close(fd);
}

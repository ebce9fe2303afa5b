#include "drm-shim/syncobj_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drm-shim/bo.h"
#include "drm-shim/fds.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "drm-shim/syncobj.h"
#include "util/list.h"

/* Each export is one end of a pipe. The other one tells when nobody has it any more: in this process or another, or
 * on the way through a socket. */
struct exported {
   struct list_head link;
   struct shim_syncobj *syncobj; /* a reference */
   int other_end;
   dev_t device;
   ino_t inode;
};

static struct list_head files = {&files, &files};

static void
release(void *object)
{
   shim_syncobj_unref(object);
}

/* The other end may be closed: by a program that closes all that it finds. */
static bool
is_its_own(const struct exported *exported)
{
   struct stat identity;
   return !real()->fstat(exported->other_end, &identity) && identity.st_ino == exported->inode &&
          identity.st_dev == exported->device;
}

static bool
is_open(const struct exported *exported)
{
   struct pollfd end = {.fd = exported->other_end};
   return poll(&end, 1, 0) >= 0 && !(end.revents & POLLHUP);
}

void
shim_syncobj_files_look(void)
{
   list_for_each_safe(struct exported, it, &files, link) {
      const bool own = is_its_own(it);
      if (own && is_open(it))
         continue;
      if (own)
         real()->close(it->other_end);
      list_remove(&it->link);
      shim_syncobj_unref(it->syncobj);
      free(it);
   }
}

int
shim_syncobj_export(struct shim_syncobj *syncobj)
{
   struct stat identity;
   int ends[2];
   shim_syncobj_files_look();
   if (pipe2(ends, O_CLOEXEC))
      return -EMFILE;
   real()->fstat(ends[1], &identity);
   struct exported *exported = shim_alloc(sizeof(*exported));
   *exported = (struct exported){
      .syncobj = syncobj, .other_end = shim_move_fd_up(ends[0]), .device = identity.st_dev, .inode = identity.st_ino};
   list_add_tail(&exported->link, &files);
   syncobj->refs += 2;
   fds_add(ends[1], SHIM_FD_SYNCOBJ, syncobj, release);
   return ends[1];
}

struct shim_syncobj *
shim_syncobj_of_fd(int fd)
{
   struct shim_syncobj *syncobj = fds_object(fd, SHIM_FD_SYNCOBJ);
   struct stat identity;
   if (syncobj || list_is_empty(&files) || real()->fstat(fd, &identity))
      return syncobj;
   list_for_each(struct exported, it, &files, link) {
      if (it->inode == identity.st_ino && it->device == identity.st_dev)
         return it->syncobj;
   }
   return NULL;
}

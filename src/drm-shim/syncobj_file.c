#include "drm-shim/syncobj_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "drm-shim/fds.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "drm-shim/syncobj.h"
#include "util/list.h"

/* Each export is a memory file of its own. */
struct exported {
   struct list_head link;
   struct shim_syncobj *syncobj; /* no reference */
   dev_t device;
   ino_t inode;
};

static struct list_head files = {&files, &files};

static void
release(void *object)
{
   shim_syncobj_unref(object);
}

int
shim_syncobj_export(struct shim_syncobj *syncobj)
{
   struct stat identity;
   int fd = memfd_create("syncobj", MFD_CLOEXEC);
   if (fd < 0)
      return -EMFILE;
   real()->fstat(fd, &identity);
   struct exported *exported = shim_alloc(sizeof(*exported));
   *exported = (struct exported){.syncobj = syncobj, .device = identity.st_dev, .inode = identity.st_ino};
   list_add_tail(&exported->link, &files);
   syncobj->refs++;
   syncobj->exported = true;
   fds_add(fd, SHIM_FD_SYNCOBJ, syncobj, release);
   return fd;
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

void
shim_syncobj_file_forget(const struct shim_syncobj *syncobj)
{
   if (!syncobj->exported)
      return;
   list_for_each_safe(struct exported, it, &files, link) {
      if (it->syncobj != syncobj)
         continue;
      list_remove(&it->link);
      free(it);
   }
}

#include "drm-shim/file.h"

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drm-shim/bo.h"
#include "drm-shim/counts.h"
#include "drm-shim/fds.h"
#include "drm-shim/ioctl.h"
#include "drm-shim/master.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "drm-shim/syncobj.h"
#include "drm-shim/user_memory.h"
#include "util/macros.h"
#include "util/within_memory.h"

#define MAX_ARG_B 1024

static struct list_head files = {&files, &files};

static void
destroy(struct shim_file *file)
{
   for (uint32_t handle = 1; handle < shim_handles_end(&file->bos); handle++)
      shim_bo_close_handle(file, handle);
   for (uint32_t handle = 1; handle < shim_handles_end(&file->syncobjs); handle++) {
      struct shim_syncobj *syncobj = shim_handles_remove(&file->syncobjs, handle);
      if (syncobj)
         shim_syncobj_unref(syncobj);
   }
   shim_vendor()->file_close(file);
   shim_master_close(file);
   shim_handles_free(&file->bos);
   shim_handles_free(&file->syncobjs);
   free(file);
}

static void
release(void *object)
{
   struct shim_file *file = object;
   list_remove(&file->link);
   file->closed = true;
   if (!file->pin_count)
      destroy(file);
}

int
shim_file_open(enum tree_node node, int flags)
{
   struct stat identity;
   shim_vendor();
   int fd = memfd_create(tree_node_path(node), flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
   if (fd < 0)
      return -1;
   real()->fstat(fd, &identity);
   struct shim_file *file = shim_alloc(sizeof(*file));
   file->device = identity.st_dev;
   file->inode = identity.st_ino;
   file->node = node;
   file->access_mode = flags & O_ACCMODE;
   file->opener = getpid();
   shim_lock();
   static uint64_t last_client;
   file->client_id = ++last_client;
   int error = shim_vendor()->file_open(file);
   if (!error) {
      shim_master_open(file);
      list_add_tail(&file->link, &files);
      fds_add(fd, SHIM_FD_DRM, file, release);
   }
   shim_unlock();
   if (error) {
      free(file);
      real()->close(fd);
      errno = -error;
      return -1;
   }
   return fd;
}

/* Passed through a socket, or duplicated by a bare system call. */
static struct shim_file *
find_by_identity(int fd)
{
   struct stat identity;
   if (real()->fstat(fd, &identity) || !S_ISREG(identity.st_mode))
      return NULL;
   list_for_each(struct shim_file, it, &files, link) {
      if (it->inode == identity.st_ino && it->device == identity.st_dev)
         return it;
   }
   return NULL;
}

struct shim_file *
shim_file_pin(int fd)
{
   shim_lock();
   struct shim_file *file = fds_object(fd, SHIM_FD_DRM);
   file = file ? file : find_by_identity(fd);
   if (file)
      file->pin_count++;
   shim_unlock();
   return file;
}

void
shim_file_unpin(struct shim_file *file)
{
   shim_lock();
   if (!--file->pin_count && file->closed)
      destroy(file);
   shim_unlock();
}

enum tree_node
shim_file_node(int fd)
{
   return fds_is(fd, SHIM_FD_DRM) ? shim_file_find_node(fd) : TREE_NO_NODE;
}

enum tree_node
shim_file_find_node(int fd)
{
   struct shim_file *file = shim_file_pin(fd);
   enum tree_node node = file ? file->node : TREE_NO_NODE;
   if (file)
      shim_file_unpin(file);
   return node;
}

enum tree_node
shim_file_sent_node(int fd)
{
   char link[32], name[PATH_MAX], wanted[PATH_MAX];
   snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
   const ssize_t length = real()->readlink(link, name, sizeof(name) - 1);
   name[MAX2(length, 0)] = 0;
   for (enum tree_node node = TREE_NO_NODE + 1; node < TREE_NODES; node++) {
      snprintf(wanted, sizeof(wanted), "/memfd:%s (deleted)", tree_node_path(node));
      if (tree_is_device(node) && !strcmp(name, wanted))
         return node;
   }
   return TREE_NO_NODE;
}

struct call {
   int (*handler)(struct shim_file *file, void *arg);
   struct shim_file *file;
   void *arg;
   int result;
};

static void
run_handler(void *data)
{
   struct call *call = data;
   call->result = call->handler(call->file, call->arg);
}

int
shim_file_ioctl(struct shim_file *file, unsigned long request, void *arg)
{
   const struct shim_vendor *vendor = shim_vendor();
   unsigned nr = _IOC_NR(request);
   size_t size_B = _IOC_SIZE(request);
   struct shim_ioctl ioctl = {0};
   unsigned needs = 0;
   if (nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END) {
      if (nr - DRM_COMMAND_BASE < vendor->ioctl_count)
         ioctl = vendor->ioctls[nr - DRM_COMMAND_BASE];
      needs = vendor->ioctls_need_auth ? SHIM_NEEDS_AUTH : 0;
   } else {
      ioctl = shim_primary_ioctl(nr, &needs);
      ioctl = ioctl.handler ? ioctl : shim_core_ioctl(nr);
   }
   if (!ioctl.handler || size_B > MAX_ARG_B)
      return -EINVAL;

   /* A shorter argument is from an older header: the missing fields are zero. */
   _Alignas(16) char copy[MAX_ARG_B];
   if (user_read(copy, (uintptr_t)arg, size_B))
      return -EFAULT;
   if (size_B < ioctl.arg_B)
      memset(copy + size_B, 0, ioctl.arg_B - size_B);
   shim_lock();
   struct call call = {ioctl.handler, file, copy, shim_master_permit(file, needs)};
   int result = call.result || within_memory(run_handler, &call) ? call.result : -ENOMEM;
   shim_unlock();
   if (nr == DRM_COMMAND_BASE + vendor->submit_ioctl && !result)
      shim_count_submit();
   if ((_IOC_DIR(request) & _IOC_READ) && user_write((uintptr_t)arg, copy, size_B))
      return -EFAULT;
   return result;
}

/* What mmap(2) of a device's file looks at before the driver does: all flags if asked, hugetlbfs, access, types. */
static int
mmap_error(const struct shim_file *file, int protection, int flags)
{
   enum { UNINITIALIZED = 0x4000000, ABOVE_4G = 0x80, HUGE_SIZES = (21 | 30) << 26 };
   const int type = flags & MAP_TYPE;
   const int old_flags = MAP_TYPE | MAP_FIXED | MAP_ANONYMOUS | MAP_DENYWRITE | MAP_EXECUTABLE | UNINITIALIZED |
                         MAP_GROWSDOWN | MAP_LOCKED | MAP_NORESERVE | MAP_POPULATE | MAP_NONBLOCK | MAP_STACK |
                         MAP_HUGETLB | MAP_32BIT | ABOVE_4G | HUGE_SIZES;
   if (flags & MAP_HUGETLB || (type != MAP_SHARED && type != MAP_SHARED_VALIDATE && type != MAP_PRIVATE))
      return EINVAL;
   if (type == MAP_SHARED_VALIDATE && flags & ~old_flags)
      return EOPNOTSUPP;
   if (file->access_mode == O_WRONLY ||
       (file->access_mode == O_RDONLY && protection & PROT_WRITE && type != MAP_PRIVATE))
      return EACCES;
   return flags & MAP_GROWSDOWN || type == MAP_PRIVATE ? EINVAL : 0;
}

void *
shim_file_mmap(struct shim_file *file, void *address, size_t size_B, int protection, int flags, off_t offset_B)
{
   uint64_t handle = (uint64_t)offset_B >> SHIM_BO_OFFSET_BITS;
   uint64_t start_B = offset_B & bit_mask(SHIM_BO_OFFSET_BITS);
   int refused = mmap_error(file, protection, flags);
   if (refused) {
      errno = refused;
      return MAP_FAILED;
   }
   shim_lock();
   struct shim_bo *bo = handle <= UINT32_MAX ? shim_bo_get(file, (uint32_t)handle) : NULL;
   if (!bo || bo->is_user_memory || start_B > bo->size_B || align_up(size_B, 4096) > bo->size_B - start_B ||
       size_B > bo->size_B) {
      shim_unlock();
      errno = EINVAL;
      return MAP_FAILED;
   }
   void *map = shim_bo_mmap(bo, address, size_B, protection, flags, start_B);
   int error = errno;
   shim_unlock();
   errno = error;
   return map;
}

#include "drm-shim/bo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "drm-shim/file.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "util/macros.h"

#define PAGE_B 4096
#define FIRST_PRIVATE_FD 1024
#define ENOUGH_FDS 65536

static struct list_head all = {&all, &all};

/* Buffers cost a file descriptor each. The soft limit is raised; the application's own numbers stay low. */
static void
raise_fd_limit(void)
{
   static bool done;
   struct rlimit limit;
   if (done || getrlimit(RLIMIT_NOFILE, &limit))
      return;
   done = true;
   if (limit.rlim_cur >= ENOUGH_FDS)
      return;
   limit.rlim_cur = MIN2(limit.rlim_max, ENOUGH_FDS);
   setrlimit(RLIMIT_NOFILE, &limit);
}

int
shim_move_fd_up(int fd)
{
   raise_fd_limit();
   int high = real()->fcntl(fd, F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD);
   if (high < 0)
      return fd;
   real()->close(fd);
   return high;
}

static struct shim_bo *
create_around(int fd, uint64_t size_B, void *map)
{
   struct stat identity = {0};
   if (fd >= 0)
      real()->fstat(fd, &identity);
   struct shim_bo *bo = shim_alloc(shim_vendor()->bo_B);
   *bo = (struct shim_bo){
      .refs = 1, .size_B = size_B, .map = map, .fd = fd, .device = identity.st_dev, .inode = identity.st_ino};
   list_add_tail(&bo->link, &all);
   return bo;
}

static struct shim_bo *
create_from_file(int fd, uint64_t size_B)
{
   void *map = real()->mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
   if (map == MAP_FAILED) {
      real()->close(fd);
      return NULL;
   }
   return create_around(fd, size_B, map);
}

struct shim_bo *
shim_bo_create(uint64_t size_B)
{
   size_B = align_up(size_B, PAGE_B);
   int fd = memfd_create("bo", MFD_CLOEXEC);
   if (fd < 0)
      return NULL;
   fd = shim_move_fd_up(fd);
   if (ftruncate(fd, (off_t)size_B)) {
      real()->close(fd);
      return NULL;
   }
   return create_from_file(fd, size_B);
}

struct shim_bo *
shim_bo_wrap(void *memory, uint64_t size_B)
{
   return create_around(-1, size_B, memory);
}

struct shim_bo *
shim_bo_import(int fd)
{
   struct stat identity;
   if (real()->fstat(fd, &identity))
      return NULL;
   list_for_each(struct shim_bo, bo, &all, link)
      if (bo->fd >= 0 && bo->inode == identity.st_ino && bo->device == identity.st_dev)
         return shim_bo_ref(bo);
   /* Only memory files can be sealed or asked for seals. */
   if (!S_ISREG(identity.st_mode) || real()->fcntl(fd, F_GET_SEALS) < 0 || !identity.st_size ||
       identity.st_size % PAGE_B)
      return NULL;
   int own = real()->fcntl(fd, F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD);
   return own < 0 ? NULL : create_from_file(own, (uint64_t)identity.st_size);
}

struct shim_bo *
shim_bo_ref(struct shim_bo *bo)
{
   bo->refs++;
   return bo;
}

void
shim_bo_unref(struct shim_bo *bo)
{
   if (--bo->refs)
      return;
   if (shim_vendor()->bo_free)
      shim_vendor()->bo_free(bo);
   list_remove(&bo->link);
   if (bo->fd >= 0) {
      munmap(bo->map, bo->size_B);
      real()->close(bo->fd);
   }
   free(bo);
}

uint32_t
shim_bo_add_handle(struct shim_file *file, struct shim_bo *bo)
{
   return shim_handles_add(&file->bos, shim_bo_ref(bo));
}

uint32_t
shim_bo_find_handle(struct shim_file *file, const struct shim_bo *bo)
{
   for (uint32_t handle = 1; handle < shim_handles_end(&file->bos); handle++)
      if (shim_handles_get(&file->bos, handle) == bo)
         return handle;
   return 0;
}

struct shim_bo *
shim_bo_get(struct shim_file *file, uint32_t handle)
{
   return shim_handles_get(&file->bos, handle);
}

int
shim_bo_close_handle(struct shim_file *file, uint32_t handle)
{
   struct shim_bo *bo = shim_handles_remove(&file->bos, handle);
   if (!bo)
      return -EINVAL;
   if (shim_vendor()->bo_close)
      shim_vendor()->bo_close(file, bo);
   shim_bo_unref(bo);
   return 0;
}

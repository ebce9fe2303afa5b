#include "drm-shim/bo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "drm-shim/file.h"
#include "drm-shim/flink.h"
#include "drm-shim/real.h"
#include "drm-shim/shim.h"
#include "drm-shim/user_pages.h"
#include "util/macros.h"

#define PAGE_B 4096
#define FIRST_PRIVATE_FD 1024
#define ENOUGH_FDS 65536
#define PROTECTION (PROT_READ | PROT_WRITE | PROT_EXEC) /* mmap(2) does not look at other bits, mprotect(2) does */

static struct list_head all = {&all, &all};

/* The soft limit of descriptors, which is raised once. */
static int
fd_limit(void)
{
   static bool done;
   struct rlimit limit;
   if (getrlimit(RLIMIT_NOFILE, &limit))
      return 0;
   if (!done && limit.rlim_cur < ENOUGH_FDS) {
      limit.rlim_cur = MIN2(limit.rlim_max, ENOUGH_FDS);
      setrlimit(RLIMIT_NOFILE, &limit);
   }
   done = true;
   return (int)MIN2(limit.rlim_cur, INT32_MAX);
}

/* The shim's own descriptors begin here: the application's numbers stay low. */
static int
first_private_fd(void)
{
   return MIN2(FIRST_PRIVATE_FD, fd_limit() / 2);
}

int
shim_move_fd_up(int fd)
{
   int high = real()->fcntl(fd, F_DUPFD_CLOEXEC, first_private_fd());
   if (high < 0)
      return fd;
   real()->close(fd);
   return high;
}

/* For good: whoever else gets the file cannot take pages from under its mappings. */
static bool
set_size(int fd, uint64_t size_B)
{
   return !ftruncate(fd, (off_t)size_B) && !real()->fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
}

/* A buffer's file, or -1 if the descriptors that buffers may have are taken: the last quarter is the application's,
 * too. */
static int
spare_file(uint64_t size_B)
{
   int fd = memfd_create("bo", MFD_CLOEXEC | MFD_ALLOW_SEALING), high = -1;
   if (fd < 0)
      return -1;
   high = real()->fcntl(fd, F_DUPFD_CLOEXEC, first_private_fd());
   real()->close(fd);
   if (high < 0 || (high < fd_limit() - fd_limit() / 4 && set_size(high, size_B)))
      return high;
   real()->close(high);
   return -1;
}

static void
set_file(struct shim_bo *bo, int fd)
{
   struct stat identity = {0};
   if (fd >= 0)
      real()->fstat(fd, &identity);
   bo->fd = fd;
   bo->device = identity.st_dev;
   bo->inode = identity.st_ino;
}

static struct shim_bo *
create_around(int fd, uint64_t size_B, void *map)
{
   struct shim_bo *bo = shim_alloc(shim_vendor()->bo_B);
   *bo = (struct shim_bo){.refs = 1, .size_B = size_B, .map = map};
   set_file(bo, fd);
   list_add_tail(&bo->link, &all);
   return bo;
}

static struct shim_bo *
create_mapped(int fd, uint64_t size_B)
{
   const int flags = MAP_SHARED | MAP_NORESERVE | (fd < 0 ? MAP_ANONYMOUS : 0);
   void *map = real()->mmap(NULL, size_B, PROT_READ | PROT_WRITE, flags, fd, 0);
   if (map != MAP_FAILED)
      return create_around(fd, size_B, map);
   if (fd >= 0)
      real()->close(fd);
   return NULL;
}

struct shim_bo *
shim_bo_create(uint64_t size_B)
{
   size_B = align_up(size_B, PAGE_B);
   return create_mapped(spare_file(size_B), size_B);
}

int
shim_bo_need_file(struct shim_bo *bo)
{
   if (!shim_bo_has_no_file(bo))
      return 0;
   int fd = memfd_create("bo", MFD_CLOEXEC | MFD_ALLOW_SEALING), error = 0;
   if (fd < 0)
      return -errno;
   fd = shim_move_fd_up(fd);
   error = !set_size(fd, bo->size_B) ? -errno : shim_move_to_file(bo->map, bo->size_B, fd);
   if (error)
      real()->close(fd);
   else
      set_file(bo, fd);
   return error;
}

/* The system chooses the place, or takes the caller's, and a second mapping of the same pages goes there. */
static void *
map_again(const struct shim_bo *bo, void *address, size_t size_B, int protection, int flags, uint64_t offset_B)
{
   const int placing = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT);
   void *place =
      real()->mmap(address, size_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | placing, -1, 0);
   if (place == MAP_FAILED)
      return MAP_FAILED;
   void *map = real()->mremap((char *)bo->map + offset_B, 0, size_B, MREMAP_MAYMOVE | MREMAP_FIXED, place);
   if (map == MAP_FAILED || real()->mprotect(map, size_B, protection & PROTECTION)) {
      int error = errno;
      real()->munmap(place, size_B);
      errno = error;
      return MAP_FAILED;
   }
   return map;
}

void *
shim_bo_mmap(const struct shim_bo *bo, void *address, size_t size_B, int protection, int flags, uint64_t offset_B)
{
   return shim_bo_has_no_file(bo) ? map_again(bo, address, size_B, protection, flags, offset_B)
                                  : real()->mmap(address, size_B, protection, flags, bo->fd, (off_t)offset_B);
}

struct shim_bo *
shim_bo_wrap(void *memory, uint64_t size_B)
{
   struct shim_bo *bo = create_around(-1, size_B, memory);
   bo->is_user_memory = true;
   shim_user_pages_add(memory, size_B);
   return bo;
}

bool
shim_bo_wraps(uintptr_t first, uintptr_t end)
{
   list_for_each(struct shim_bo, bo, &all, link)
      if (shim_bo_wraps_some(bo, first, end))
         return true;
   return false;
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
   int own = real()->fcntl(fd, F_DUPFD_CLOEXEC, first_private_fd());
   return own < 0 ? NULL : create_mapped(own, (uint64_t)identity.st_size);
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
   if (bo->is_user_memory)
      shim_user_pages_remove();
   else
      real()->munmap(bo->map, bo->size_B);
   if (bo->fd >= 0)
      real()->close(bo->fd);
   free(bo);
}

uint32_t
shim_bo_add_handle(struct shim_file *file, struct shim_bo *bo)
{
   bo->handle_count++;
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
   if (!--bo->handle_count)
      shim_flink_forget(bo);
   shim_bo_unref(bo);
   return 0;
}

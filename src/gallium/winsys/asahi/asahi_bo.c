#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include "gallium/winsys/asahi/asahi_private.h"
#include "util/log.h"
#include "util/macros.h"

/* -- handles -- */

static void
close_handle(struct asahi_ws *ws, uint32_t handle)
{
   drmCloseBufferHandle(ws->fd, handle);
}

/* The import of a dma-buf whose handle this file has gives that handle again, and one close ends it: users of those
 * that may be shared are counted. The lock is held. */
static bool
add_user(struct asahi_ws *ws, uint32_t handle)
{
   uint32_t slot = 0;
   while (slot < ws->shared_count && ws->shared[slot].handle != handle)
      slot++;
   if (slot == ws->shared_capacity) {
      uint32_t capacity = MAX2(16, 2 * ws->shared_capacity);
      void *shared = realloc(ws->shared, capacity * sizeof(*ws->shared));
      if (!shared)
         return false;
      ws->shared = shared;
      ws->shared_capacity = capacity;
   }
   if (slot == ws->shared_count)
      ws->shared[ws->shared_count++] = (struct asahi_shared){handle, 0};
   ws->shared[slot].users++;
   return true;
}

static void
drop_shared(struct asahi_ws *ws, uint32_t handle)
{
   uint32_t slot = 0;
   pthread_mutex_lock(&ws->shared_lock);
   while (ws->shared[slot].handle != handle)
      slot++;
   if (!--ws->shared[slot].users) {
      ws->shared[slot] = ws->shared[--ws->shared_count];
      close_handle(ws, handle);
   }
   pthread_mutex_unlock(&ws->shared_lock);
}

static void
drop_handle(struct asahi_ws *ws, uint32_t handle, unsigned flags)
{
   if (flags & ASAHI_WS_BO_SHAREABLE)
      drop_shared(ws, handle);
   else
      close_handle(ws, handle);
}

/* -- life -- */

int
asahi_vm_binds(struct asahi_ws *ws, const struct drm_asahi_gem_bind_op *ops, uint32_t count)
{
   struct drm_asahi_vm_bind args = {
      .vm_id = ws->vm_id, .num_binds = count, .stride = sizeof(*ops), .userptr = (uintptr_t)ops};
   return drmIoctl(ws->fd, DRM_IOCTL_ASAHI_VM_BIND, &args) ? -errno : 0;
}

/* Gives the buffer an address: `at`, if it is one. Takes over the handle, also on failure: then NULL. */
static struct asahi_ws_bo *
place(struct asahi_ws *ws, uint32_t handle, uint64_t size_B, uint64_t alignment_B, unsigned flags, uint64_t at)
{
   struct asahi_va_heap *heap = asahi_heap_of(ws, flags);
   struct asahi_ws_bo *bo = calloc(1, sizeof(*bo));
   uint64_t va = bo ? asahi_va_alloc_at(heap, size_B, alignment_B, at) : 0;
   struct drm_asahi_gem_bind_op op = {
      .flags = DRM_ASAHI_BIND_READ | (flags & ASAHI_WS_BO_READ_ONLY ? 0 : DRM_ASAHI_BIND_WRITE),
      .handle = handle,
      .range = size_B,
      .addr = va,
   };
   if (va && !asahi_vm_binds(ws, &op, 1)) {
      *bo = (struct asahi_ws_bo){.va = va, .size_B = size_B, .handle = handle, .flags = flags, .ws = ws};
      return bo;
   }
   if (va)
      asahi_va_free(heap, va, size_B);
   drop_handle(ws, handle, flags);
   free(bo);
   return NULL;
}

static int
create_handle(struct asahi_ws *ws, struct drm_asahi_gem_create *args, bool shared)
{
   if (drmIoctl(ws->fd, DRM_IOCTL_ASAHI_GEM_CREATE, args))
      return -errno;
   pthread_mutex_lock(&ws->shared_lock);
   bool counted = !shared || add_user(ws, args->handle);
   pthread_mutex_unlock(&ws->shared_lock);
   if (!counted)
      close_handle(ws, args->handle);
   return counted ? 0 : -ENOMEM;
}

struct asahi_ws_bo *
asahi_ws_bo_create(struct asahi_ws *ws, uint64_t size_B, uint64_t alignment_B, unsigned flags)
{
   return asahi_ws_bo_create_at(ws, size_B, alignment_B, flags, 0);
}

struct asahi_ws_bo *
asahi_ws_bo_create_at(struct asahi_ws *ws, uint64_t size_B, uint64_t alignment_B, unsigned flags, uint64_t va)
{
   bool shared = flags & ASAHI_WS_BO_SHAREABLE;
   struct drm_asahi_gem_create args = {
      .size = align_up(size_B, ASAHI_WS_PAGE_B),
      .flags = (flags & ASAHI_WS_BO_CACHED ? DRM_ASAHI_GEM_WRITEBACK : 0) | (shared ? 0 : DRM_ASAHI_GEM_VM_PRIVATE),
      .vm_id = shared ? 0 : ws->vm_id,
   };
   struct asahi_ws_bo *bo = NULL;
   if (size_B && args.size >= size_B && !create_handle(ws, &args, shared))
      bo = place(ws, args.handle, args.size, alignment_B, flags, va);
   if (!bo)
      log_error("winsys: no buffer of %llu bytes", (unsigned long long)size_B);
   return bo;
}

void
asahi_ws_bo_destroy(struct asahi_ws_bo *bo)
{
   if (!bo)
      return;
   struct drm_asahi_gem_bind_op op = {.flags = DRM_ASAHI_BIND_UNBIND, .range = bo->size_B, .addr = bo->va};
   if (bo->map)
      munmap(bo->map, bo->size_B);
   asahi_vm_binds(bo->ws, &op, 1);
   asahi_va_free(asahi_heap_of(bo->ws, bo->flags), bo->va, bo->size_B);
   drop_handle(bo->ws, bo->handle, bo->flags);
   free(bo);
}

void *
asahi_ws_bo_map(struct asahi_ws_bo *bo)
{
   void *map = __atomic_load_n(&bo->map, __ATOMIC_ACQUIRE);
   if (map)
      return map;
   struct drm_asahi_gem_mmap_offset args = {.handle = bo->handle};
   if (drmIoctl(bo->ws->fd, DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, &args))
      return NULL;
   map = mmap(NULL, bo->size_B, PROT_READ | PROT_WRITE, MAP_SHARED, bo->ws->fd, (off_t)args.offset);
   if (map == MAP_FAILED)
      return NULL;
   /* Another thread may have been faster: every caller gets the same. */
   void *first = NULL;
   if (__atomic_compare_exchange_n(&bo->map, &first, map, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return map;
   munmap(map, bo->size_B);
   return first;
}

bool
asahi_ws_bo_map_at(struct asahi_ws_bo *bo, void *address, uint64_t size_B)
{
   struct drm_asahi_gem_mmap_offset args = {.handle = bo->handle};
   if (size_B > bo->size_B || drmIoctl(bo->ws->fd, DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, &args))
      return false;
   return mmap(address, size_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, bo->ws->fd, (off_t)args.offset) ==
          address;
}

/* -- sharing -- */

int
asahi_ws_bo_export(struct asahi_ws_bo *bo, int *fd)
{
   *fd = -1;
   if (!(bo->flags & ASAHI_WS_BO_SHAREABLE))
      return -EPERM;
   return drmPrimeHandleToFD(bo->ws->fd, bo->handle, DRM_CLOEXEC | DRM_RDWR, fd) ? -errno : 0;
}

struct asahi_ws_bo *
asahi_ws_bo_import(struct asahi_ws *ws, int fd, unsigned flags)
{
   uint32_t handle = 0;
   off_t size_B = lseek(fd, 0, SEEK_END);
   pthread_mutex_lock(&ws->shared_lock);
   int error = size_B <= 0 || size_B % ASAHI_WS_PAGE_B ? -EINVAL : drmPrimeFDToHandle(ws->fd, fd, &handle);
   if (!error && !add_user(ws, handle)) {
      close_handle(ws, handle);
      error = -ENOMEM;
   }
   pthread_mutex_unlock(&ws->shared_lock);
   if (error) {
      log_error("winsys: file descriptor %d is no buffer to import", fd);
      return NULL;
   }
   return place(ws, handle, (uint64_t)size_B, 0, flags | ASAHI_WS_BO_SHAREABLE, 0);
}

/* -- timestamps -- */

int
asahi_ws_bind_timestamps(struct asahi_ws_bo *bo, uint32_t *object)
{
   struct drm_asahi_gem_bind_object args = {
      .op = DRM_ASAHI_BIND_OBJECT_OP_BIND,
      .flags = DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS,
      .handle = bo->handle,
      .range = bo->size_B,
   };
   if (drmIoctl(bo->ws->fd, DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, &args))
      return -errno;
   *object = args.object_handle;
   return 0;
}

void
asahi_ws_unbind_timestamps(struct asahi_ws *ws, uint32_t object)
{
   struct drm_asahi_gem_bind_object args = {.op = DRM_ASAHI_BIND_OBJECT_OP_UNBIND, .object_handle = object};
   drmIoctl(ws->fd, DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, &args);
}

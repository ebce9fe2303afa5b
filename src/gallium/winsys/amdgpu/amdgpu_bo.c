#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <xf86drm.h>

#include "gallium/winsys/amdgpu/amdgpu_private.h"
#include "util/log.h"
#include "util/macros.h"

#define PAGE_B 4096

/* -- the list of shared buffers -- */

bool
amdgpu_ws_add_shared(struct amdgpu_ws *ws, struct amdgpu_ws_bo *bo)
{
   pthread_rwlock_wrlock(&ws->shared_lock);
   uint32_t slot = 0;
   while (slot < ws->shared_count && ws->shared[slot].bo_handle != bo->handle)
      slot++;
   if (slot == ws->shared_capacity) {
      uint32_t capacity = MAX2(16, 2 * ws->shared_capacity);
      void *shared = realloc(ws->shared, capacity * sizeof(*ws->shared));
      ws->shared = shared ? shared : ws->shared;
      void *uses = realloc(ws->shared_uses, capacity * sizeof(*ws->shared_uses));
      ws->shared_uses = uses ? uses : ws->shared_uses;
      if (!shared || !uses) {
         pthread_rwlock_unlock(&ws->shared_lock);
         return false;
      }
      ws->shared_capacity = capacity;
   }
   if (slot == ws->shared_count) {
      ws->shared[slot] = (struct drm_amdgpu_bo_list_entry){.bo_handle = bo->handle};
      ws->shared_uses[slot] = 0;
      ws->shared_count++;
   }
   ws->shared_uses[slot]++;
   bo->is_listed = true;
   pthread_rwlock_unlock(&ws->shared_lock);
   return true;
}

void
amdgpu_ws_remove_shared(struct amdgpu_ws *ws, struct amdgpu_ws_bo *bo)
{
   pthread_rwlock_wrlock(&ws->shared_lock);
   uint32_t slot = 0;
   while (ws->shared[slot].bo_handle != bo->handle)
      slot++;
   if (!--ws->shared_uses[slot]) {
      ws->shared_count--;
      ws->shared[slot] = ws->shared[ws->shared_count];
      ws->shared_uses[slot] = ws->shared_uses[ws->shared_count];
   }
   pthread_rwlock_unlock(&ws->shared_lock);
}

/* -- life -- */

/* Those that are replayed come from the other end (libdrm). */
int
amdgpu_ws_reserve(struct amdgpu_ws *ws, const struct amdgpu_ws_reserve *reserve, uint64_t *va,
                  amdgpu_va_handle *range)
{
   const uint64_t wanted = *va == WS_VA_REPLAYED ? 0 : *va, flags = *va ? AMDGPU_VA_RANGE_REPLAYABLE : 0;
   int error = amdgpu_va_range_alloc(ws->dev, amdgpu_gpu_va_range_general, reserve->size_B, reserve->alignment_B,
                                     wanted, va, range, reserve->half | flags);
   if (!error && wanted && *va != wanted) {
      amdgpu_va_range_free(*range);
      error = -EADDRINUSE;
   }
   return error;
}

/* In the 32-bit range or anywhere. */
static int
alloc_va(struct amdgpu_ws_bo *bo, uint64_t alignment_B, amdgpu_va_handle *range)
{
   /* Whole fragments make short page tables. */
   const uint64_t fragment_B = bo->ws->info.dev.pte_fragment_size;
   const struct amdgpu_ws_reserve reserve = {
      .size_B = bo->size_B,
      .alignment_B = MAX2(alignment_B, bo->size_B >= fragment_B ? fragment_B : PAGE_B),
      .half = AMDGPU_VA_RANGE_HIGH | (bo->flags & AMDGPU_WS_BO_VA_32BIT ? AMDGPU_VA_RANGE_32_BIT : 0)};
   return amdgpu_ws_reserve(bo->ws, &reserve, &bo->va, range);
}

/* Gives the buffer an address: va, if it is one. Takes over libdrm's handle, also on failure: then NULL. */
static struct amdgpu_ws_bo *
place(struct amdgpu_ws *ws, amdgpu_bo_handle handle, uint64_t size_B, uint64_t alignment_B, unsigned flags,
      uint64_t va)
{
   uint64_t page_flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_EXECUTABLE |
                         (flags & AMDGPU_WS_BO_READ_ONLY ? 0 : AMDGPU_VM_PAGE_WRITEABLE);
   amdgpu_va_handle range;
   struct amdgpu_ws_bo *bo = calloc(1, sizeof(*bo));
   if (!bo)
      goto fail_bo;
   *bo = (struct amdgpu_ws_bo){.size_B = align_up(size_B, PAGE_B), .flags = flags, .ws = ws, .bo = handle, .va = va};
   if (amdgpu_bo_export(handle, amdgpu_bo_handle_type_kms, &bo->handle))
      goto fail_bo;
   if (alloc_va(bo, alignment_B, &range))
      goto fail_bo;
   bo->va_range = range;
   if (amdgpu_bo_va_op_raw(ws->dev, handle, 0, bo->size_B, bo->va, page_flags, AMDGPU_VA_OP_MAP))
      goto fail_va;
   if ((flags & AMDGPU_WS_BO_SHAREABLE) && !amdgpu_ws_add_shared(ws, bo)) {
      amdgpu_bo_va_op_raw(ws->dev, handle, 0, bo->size_B, bo->va, 0, AMDGPU_VA_OP_UNMAP);
      goto fail_va;
   }
   return bo;

fail_va:
   amdgpu_va_range_free(range);
fail_bo:
   amdgpu_bo_free(handle);
   free(bo);
   return NULL;
}

struct amdgpu_ws_bo *
amdgpu_ws_bo_create(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B, enum amdgpu_ws_domain domain,
                    unsigned flags)
{
   return amdgpu_ws_bo_create_at(ws, size_B, alignment_B, domain, flags, 0);
}

struct amdgpu_ws_bo *
amdgpu_ws_bo_create_at(struct amdgpu_ws *ws, uint64_t size_B, uint64_t alignment_B, enum amdgpu_ws_domain domain,
                       unsigned flags, uint64_t va)
{
   struct amdgpu_bo_alloc_request request = {
      .alloc_size = align_up(size_B, PAGE_B),
      .phys_alignment = MAX2(alignment_B, PAGE_B),
      .preferred_heap = domain,
      .flags = AMDGPU_GEM_CREATE_EXPLICIT_SYNC | AMDGPU_GEM_CREATE_VRAM_CLEARED,
   };
   if (flags & AMDGPU_WS_BO_CPU_ACCESS)
      request.flags |= AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;
   else if (domain == AMDGPU_WS_VRAM)
      request.flags |= AMDGPU_GEM_CREATE_NO_CPU_ACCESS;
   if (flags & AMDGPU_WS_BO_WRITE_COMBINED)
      request.flags |= AMDGPU_GEM_CREATE_CPU_GTT_USWC;
   if (!(flags & AMDGPU_WS_BO_SHAREABLE))
      request.flags |= AMDGPU_GEM_CREATE_VM_ALWAYS_VALID;
   amdgpu_bo_handle handle;
   if (!size_B || amdgpu_bo_alloc(ws->dev, &request, &handle)) {
      log_error("winsys: no buffer of %llu bytes", (unsigned long long)size_B);
      return NULL;
   }
   return place(ws, handle, size_B, alignment_B, flags, va);
}

void
amdgpu_ws_bo_destroy(struct amdgpu_ws_bo *bo)
{
   if (!bo)
      return;
   if (bo->is_listed)
      amdgpu_ws_remove_shared(bo->ws, bo);
   amdgpu_bo_va_op_raw(bo->ws->dev, bo->bo, 0, bo->size_B, bo->va, 0, AMDGPU_VA_OP_UNMAP);
   amdgpu_va_range_free(bo->va_range);
   amdgpu_bo_free(bo->bo);
   free(bo);
}

void *
amdgpu_ws_bo_map(struct amdgpu_ws_bo *bo)
{
   /* libdrm keeps one mapping; every caller gets it, and it goes with the buffer. */
   void *map = __atomic_load_n(&bo->map, __ATOMIC_ACQUIRE);
   if (!map && !amdgpu_bo_cpu_map(bo->bo, &map))
      __atomic_store_n(&bo->map, map, __ATOMIC_RELEASE);
   return map;
}

bool
amdgpu_ws_bo_map_at(struct amdgpu_ws_bo *bo, void *address, uint64_t size_B)
{
   union drm_amdgpu_gem_mmap args = {.in.handle = bo->handle};
   if (bo->is_host || size_B > bo->size_B || drmIoctl(bo->ws->fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &args))
      return false;
   void *map =
      mmap(address, size_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, bo->ws->fd, (off_t)args.out.addr_ptr);
   return map == address;
}

void
amdgpu_ws_bo_set_priority(struct amdgpu_ws_bo *bo, uint32_t priority)
{
   struct amdgpu_ws *ws = bo->ws;
   pthread_rwlock_wrlock(&ws->shared_lock);
   for (uint32_t slot = 0; slot < ws->shared_count && bo->is_listed; slot++) {
      if (ws->shared[slot].bo_handle == bo->handle)
         ws->shared[slot].bo_priority = priority;
   }
   pthread_rwlock_unlock(&ws->shared_lock);
}

struct amdgpu_ws_bo *
amdgpu_ws_bo_of_host(struct amdgpu_ws *ws, void *bytes, uint64_t size_B, uint64_t alignment_B)
{
   amdgpu_bo_handle handle;
   if ((uintptr_t)bytes % PAGE_B || size_B % PAGE_B ||
       amdgpu_create_bo_from_user_mem(ws->dev, bytes, size_B, &handle)) {
      log_error("winsys: %llu bytes at %p cannot become a buffer", (unsigned long long)size_B, bytes);
      return NULL;
   }
   struct amdgpu_ws_bo *bo = place(ws, handle, size_B, alignment_B, AMDGPU_WS_BO_SHAREABLE, 0);
   if (bo) {
      bo->map = bytes;
      bo->is_host = true;
   }
   return bo;
}

/* -- sharing -- */

int
amdgpu_ws_bo_export(struct amdgpu_ws_bo *bo, int *fd)
{
   uint32_t shared;
   if (!(bo->flags & AMDGPU_WS_BO_SHAREABLE) || bo->is_host)
      return -EPERM;
   int error = amdgpu_bo_export(bo->bo, amdgpu_bo_handle_type_dma_buf_fd, &shared);
   *fd = error ? -1 : (int)shared;
   return error;
}

struct amdgpu_ws_bo *
amdgpu_ws_bo_import(struct amdgpu_ws *ws, int fd, uint64_t alignment_B, unsigned flags)
{
   struct amdgpu_bo_import_result result;
   if (amdgpu_bo_import(ws->dev, amdgpu_bo_handle_type_dma_buf_fd, (uint32_t)fd, &result)) {
      log_error("winsys: file descriptor %d is no buffer to import", fd);
      return NULL;
   }
   return place(ws, result.buf_handle, result.alloc_size, alignment_B, flags | AMDGPU_WS_BO_SHAREABLE, 0);
}

/* Buffers and address spaces. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "asahi/wrap/drm_private.h"
#include "util/macros.h"
#include "util/peek.h"
#include "util/within_memory.h"

#define PAGE_B UINT64_C(0x4000)

void
agx_drm_bo_free(struct agx_drm_bo *bo)
{
   if (!bo)
      return;
   agx_wrap_memory_remove(bo->memory);
   if (bo->map)
      munmap(bo->map, bo->size_B);
   free(bo);
}

static void
add_bo(struct agx_drm_file *file, uint32_t handle, uint64_t size_B)
{
   struct agx_drm_bo *bo = need_calloc("the tracer", 1, sizeof(*bo));
   bo->size_B = size_B > UINT64_MAX - PAGE_B ? size_B : align_up(size_B, PAGE_B);
   agx_drm_bo_free(agx_wrap_ids_set(&file->bos, handle, bo));
}

void
agx_drm_gem_created(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_gem_create *args = arg;
   (void)fd;
   agx_wrap_say(file->wrap, "GEM_CREATE 0x%" PRIx64 " bytes, flags 0x%x, vm %u: handle %u", (uint64_t)args->size,
                args->flags, args->vm_id, args->handle);
   add_bo(file, args->handle, args->size);
}

void
agx_drm_gem_closed(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_gem_close *args = arg;
   (void)fd;
   struct agx_drm_bo *bo = agx_wrap_ids_remove(&file->bos, args->handle);
   agx_wrap_say(file->wrap, "GEM_CLOSE handle %u", args->handle);
   if (!bo)
      agx_wrap_report(file->wrap, "GEM_CLOSE: handle %u was not seen before", args->handle);
   agx_drm_bo_free(bo);
}

/* The same buffer has the same handle, however often it comes. */
void
agx_drm_prime_imported(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_prime_handle *args = arg;
   (void)fd;
   off_t size_B = lseek(args->fd, 0, SEEK_END);
   agx_wrap_say(file->wrap, "PRIME_FD_TO_HANDLE: handle %u", args->handle);
   if (agx_wrap_ids_find(&file->bos, args->handle))
      return;
   if (size_B <= 0)
      agx_wrap_report(file->wrap, "PRIME_FD_TO_HANDLE: handle %u has no size", args->handle);
   else
      add_bo(file, args->handle, (uint64_t)size_B);
}

/* A mapping of our own: the program's come and go. */
static void
map_bo(struct agx_drm_file *file, int fd, uint32_t handle, struct agx_drm_bo *bo)
{
   struct drm_asahi_gem_mmap_offset args = {.handle = handle};
   void *map = MAP_FAILED;
   if (bo->size_B <= SIZE_MAX / 2 && !file->kernel->ioctl(fd, DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, &args))
      map = file->kernel->mmap(NULL, bo->size_B, PROT_READ, MAP_SHARED, fd, (off_t)args.offset);
   bo->map = map == MAP_FAILED ? NULL : map;
   if (!bo->map)
      agx_wrap_report(file->wrap, "handle %u: its 0x%" PRIx64 " bytes cannot be mapped, and will not be seen", handle,
                      bo->size_B);
   bo->memory = agx_wrap_memory_add(file->wrap, bo->map, bo->size_B, true);
}

/* Queues stay, and have nothing to run in any more. */
static void
forget(struct agx_drm_file *file, struct agx_wrap_space *space)
{
   dynarray_for_each(struct agx_wrap_id, id, &file->queues.array) {
      struct agx_drm_queue *queue = id->object;
      queue->space = queue->space == space ? NULL : queue->space;
   }
   agx_wrap_space_remove(space);
}

void
agx_drm_vm_created(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_vm_create *args = arg;
   (void)fd;
   agx_wrap_say(file->wrap, "VM_CREATE kernel 0x%" PRIx64 "..0x%" PRIx64 ": vm %u", (uint64_t)args->kernel_start,
                (uint64_t)args->kernel_end, args->vm_id);
   struct agx_wrap_space *before = agx_wrap_ids_set(&file->vms, args->vm_id, agx_wrap_space_add(file->wrap));
   if (before) {
      agx_wrap_report(file->wrap, "VM_CREATE: vm %u was there already", args->vm_id);
      forget(file, before);
   }
}

void
agx_drm_vm_destroyed(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_vm_destroy *args = arg;
   (void)fd;
   struct agx_wrap_space *space = agx_wrap_ids_remove(&file->vms, args->vm_id);
   agx_wrap_say(file->wrap, "VM_DESTROY vm %u", args->vm_id);
   if (!space) {
      agx_wrap_report(file->wrap, "VM_DESTROY: vm %u was not seen before", args->vm_id);
      return;
   }
   forget(file, space);
}

static void
bind(struct agx_drm_file *file, int fd, struct agx_wrap_space *space, const struct drm_asahi_gem_bind_op *op)
{
   struct agx_drm_bo *bo = agx_wrap_ids_find(&file->bos, op->handle);
   if (!bo) {
      agx_wrap_unbind(space, op->addr, op->range);
      agx_wrap_report(file->wrap, "VM_BIND: handle %u was not seen before", op->handle);
      return;
   }
   if (!bo->memory)
      map_bo(file, fd, op->handle, bo);
   agx_wrap_bind(space, op->addr, op->range, bo->memory, op->offset,
                 op->flags & DRM_ASAHI_BIND_SINGLE_PAGE ? PAGE_B : 0,
                 (op->flags & DRM_ASAHI_BIND_READ ? AGX_WRAP_READ : 0u) |
                    (op->flags & DRM_ASAHI_BIND_WRITE ? AGX_WRAP_WRITE : 0u));
}

static void
bind_one(struct agx_drm_file *file, int fd, uint32_t vm, struct agx_wrap_space *space,
         const struct drm_asahi_gem_bind_op *op)
{
   uint32_t flags = op->flags;
   if (flags & DRM_ASAHI_BIND_UNBIND) {
      agx_wrap_say(file->wrap, "VM_BIND vm %u: 0x%" PRIx64 ", 0x%" PRIx64 " bytes: nothing", vm, (uint64_t)op->addr,
                   (uint64_t)op->range);
      agx_wrap_unbind(space, op->addr, op->range);
      return;
   }
   agx_wrap_say(file->wrap, "VM_BIND vm %u: 0x%" PRIx64 ", 0x%" PRIx64 " bytes: %s%s%s of handle %u at 0x%" PRIx64,
                vm, (uint64_t)op->addr, (uint64_t)op->range, flags & DRM_ASAHI_BIND_READ ? "r" : "",
                flags & DRM_ASAHI_BIND_WRITE ? "w" : "",
                flags & DRM_ASAHI_BIND_SINGLE_PAGE ? " one page again and again" : "", op->handle,
                (uint64_t)op->offset);
   bind(file, fd, space, op);
}

void
agx_drm_vm_bound(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_vm_bind *args = arg;
   struct agx_wrap_space *space = agx_wrap_ids_find(&file->vms, args->vm_id);
   if (!space) {
      agx_wrap_report(file->wrap, "VM_BIND: vm %u was not seen before", args->vm_id);
      return;
   }
   for (uint32_t i = 0; args->stride && i < args->num_binds; i++) {
      struct drm_asahi_gem_bind_op op = {0};
      const char *from = (const char *)(uintptr_t)args->userptr + (uint64_t)i * args->stride;
      if (!peek_memory(from, &op, MIN2(args->stride, sizeof(op)))) {
         agx_wrap_report(file->wrap, "VM_BIND: bind %u of %u cannot be read", i, args->num_binds);
         return;
      }
      bind_one(file, fd, args->vm_id, space, &op);
   }
}

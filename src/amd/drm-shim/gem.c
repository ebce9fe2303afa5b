/* Buffers: creation, mapping, metadata, placement. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amd/drm-shim/amd_shim.h"
#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "util/macros.h"

/* What DRM 3.64 lets a program ask for. */
#define KNOWN_FLAGS                                                                                                  \
   (AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED | AMDGPU_GEM_CREATE_NO_CPU_ACCESS | AMDGPU_GEM_CREATE_CPU_GTT_USWC |       \
    AMDGPU_GEM_CREATE_VRAM_CLEARED | AMDGPU_GEM_CREATE_VM_ALWAYS_VALID | AMDGPU_GEM_CREATE_EXPLICIT_SYNC |           \
    AMDGPU_GEM_CREATE_ENCRYPTED | AMD_GEM_CREATE_DISCARDABLE | AMD_GEM_CREATE_GFX12_DCC)
#define ON_CHIP (AMDGPU_GEM_DOMAIN_GDS | AMDGPU_GEM_DOMAIN_GWS | AMDGPU_GEM_DOMAIN_OA)

static struct amd_bo *
get_bo(struct shim_file *file, uint32_t handle)
{
   return (struct amd_bo *)shim_bo_get(file, handle);
}

static void
account(const struct amd_bo *bo, bool add)
{
   int64_t change_B = add ? (int64_t)bo->base.size_B : -(int64_t)bo->base.size_B;
   if (bo->heap == AMD_HEAP_VRAM || bo->heap == AMD_HEAP_VISIBLE_VRAM)
      amd_device.vram_used_B += change_B;
   if (bo->heap == AMD_HEAP_VISIBLE_VRAM)
      amd_device.visible_vram_used_B += change_B;
   if (bo->heap == AMD_HEAP_GTT)
      amd_device.gtt_used_B += change_B;
}

static bool
has_room(uint64_t heap_B, uint64_t used_B, uint64_t size_B)
{
   return used_B + AMD_HEAP_RESERVED_B <= heap_B && size_B <= heap_B - AMD_HEAP_RESERVED_B - used_B;
}

/* Where a buffer goes. As amdgpu_gem_create_ioctl does: what finds no room in the VRAM that the CPU reaches goes
 * without that wish, and what finds none in VRAM into GTT, the memory of the system. (The kernel would rather move
 * older buffers there; the sum is the same.) NONE if nothing has room. */
static enum amd_heap
choose_heap(uint64_t size_B, uint64_t domains, uint64_t flags)
{
   const struct amd_chip *chip = amd_device.chip;
   if ((domains & AMDGPU_GEM_DOMAIN_VRAM) && has_room(chip->vram_B, amd_device.vram_used_B, size_B)) {
      bool reached = (flags & AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED) &&
                     has_room(chip->visible_vram_B, amd_device.visible_vram_used_B, size_B);
      return reached ? AMD_HEAP_VISIBLE_VRAM : AMD_HEAP_VRAM;
   }
   return has_room(chip->gtt_B, amd_device.gtt_used_B, size_B) ? AMD_HEAP_GTT : AMD_HEAP_NONE;
}

int
amd_gem_create(struct shim_file *file, void *arg)
{
   union drm_amdgpu_gem_create *args = arg;
   const struct drm_amdgpu_gem_create_in in = args->in;
   if (!in.bo_size || !in.domains || (in.domains & ~(uint64_t)AMDGPU_GEM_DOMAIN_MASK) ||
       (in.domain_flags & ~(uint64_t)KNOWN_FLAGS) || (in.alignment & (in.alignment - 1)))
      return -EINVAL;
   if ((in.domains & ON_CHIP) &&
       ((in.domains & ~(uint64_t)ON_CHIP) || (in.domain_flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID)))
      return -EINVAL;
   if ((in.domain_flags & AMDGPU_GEM_CREATE_ENCRYPTED) && !(amd_device.chip->ids_flags & AMDGPU_IDS_FLAGS_TMZ))
      return -EINVAL;
   enum amd_heap heap = AMD_HEAP_NONE;
   if (!(in.domains & ON_CHIP)) {
      heap = in.bo_size < SIZE_MAX - AMD_PAGE_B
                ? choose_heap(align_up(in.bo_size, AMD_PAGE_B), in.domains, in.domain_flags)
                : AMD_HEAP_NONE;
      if (heap == AMD_HEAP_NONE)
         return -ENOMEM;
   }
   struct amd_bo *bo = (struct amd_bo *)shim_bo_create(in.bo_size);
   if (!bo)
      return -ENOMEM;
   bo->heap = heap;
   bo->create = in;
   bo->create.domain_flags |=
      AMDGPU_GEM_CREATE_VRAM_CLEARED; /* since DRM 3.59 all memory is, as all of ours always was */
   if (in.domains & ON_CHIP)
      bo->create.domain_flags |= AMDGPU_GEM_CREATE_NO_CPU_ACCESS;
   bo->create.bo_size = bo->base.size_B;
   bo->base.is_private = in.domain_flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID;
   account(bo, true);
   args->out.handle = shim_bo_add_handle(file, &bo->base);
   args->out._pad = 0;
   shim_bo_unref(&bo->base);
   return 0;
}

void
amd_bo_free(struct shim_bo *base)
{
   account((struct amd_bo *)base, false);
   amd_device.user_buffers -= base->is_user_memory;
   amd_record_forget((struct amd_bo *)base);
}

int
amd_gem_mmap(struct shim_file *file, void *arg)
{
   union drm_amdgpu_gem_mmap *args = arg;
   uint32_t handle = args->in.handle;
   struct amd_bo *bo = get_bo(file, handle);
   if (!bo)
      return -ENOENT;
   if (bo->base.is_user_memory || (bo->create.domain_flags & AMDGPU_GEM_CREATE_NO_CPU_ACCESS) ||
       (bo->create.domains & ON_CHIP))
      return -EPERM;
   args->out.addr_ptr = shim_bo_mmap_offset(handle);
   return 0;
}

int
amd_gem_metadata(struct shim_file *file, void *arg)
{
   struct drm_amdgpu_gem_metadata *args = arg;
   struct amd_bo *bo = get_bo(file, args->handle);
   if (!bo)
      return -ENOENT;
   switch (args->op) {
   case AMDGPU_GEM_METADATA_OP_GET_METADATA:
      args->data.flags = bo->metadata_flags;
      args->data.tiling_info = bo->tiling_info;
      args->data.data_size_bytes = bo->metadata_B;
      memcpy(args->data.data, bo->metadata, sizeof(bo->metadata));
      return 0;
   case AMDGPU_GEM_METADATA_OP_SET_METADATA:
      if (args->data.data_size_bytes > sizeof(args->data.data))
         return -EINVAL;
      bo->metadata_flags = args->data.flags;
      bo->tiling_info = args->data.tiling_info;
      bo->metadata_B = args->data.data_size_bytes;
      memset(bo->metadata, 0, sizeof(bo->metadata));
      memcpy(bo->metadata, args->data.data, bo->metadata_B);
      return 0;
   default:
      return -EINVAL;
   }
}

/* Waits for every job of the file: which buffers a job uses is not tracked. */
int
amd_gem_wait_idle(struct shim_file *shim_file, void *arg)
{
   union drm_amdgpu_gem_wait_idle *args = arg;
   struct amd_file *file = amd_file(shim_file);
   struct amd_bo *bo = get_bo(shim_file, args->in.handle);
   int64_t until_ns = amd_until_ns(args->in.timeout);
   if (!bo)
      return -ENOENT;
   struct dynarray fences = {0};
   list_for_each(struct amd_job, job, &file->jobs, file_link)
      dynarray_append(&fences, struct shim_fence *, job->fence);
   struct shim_fence *all = shim_fence_merge(fences.data, dynarray_count(&fences, struct shim_fence *));
   dynarray_free(&fences);
   args->out.status = !shim_fence_wait(all, until_ns);
   args->out.domain = 0;
   shim_fence_unref(all);
   return 0;
}

int
amd_gem_op(struct shim_file *file, void *arg)
{
   struct drm_amdgpu_gem_op *args = arg;
   struct amd_bo *bo = get_bo(file, args->handle);
   if (!bo)
      return -ENOENT;
   struct drm_amdgpu_gem_create_in info = bo->create;
   switch (args->op) {
   case AMDGPU_GEM_OP_GET_GEM_CREATE_INFO:
      if (!info.domains) /* of another process; only that one knows more */
         info = (struct drm_amdgpu_gem_create_in){.bo_size = bo->base.size_B, .domains = AMDGPU_GEM_DOMAIN_GTT};
      return user_write(args->value, &info, sizeof(info));
   case AMDGPU_GEM_OP_SET_PLACEMENT:
      if (bo->base.is_user_memory)
         return -EPERM;
      if (!(args->value & (AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_CPU)))
         return -EINVAL;
      account(bo, false);
      bo->create.domains = args->value & (AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_CPU);
      enum amd_heap heap = choose_heap(bo->base.size_B, bo->create.domains, bo->create.domain_flags);
      bo->heap = heap == AMD_HEAP_NONE ? bo->heap : heap; /* only a preference */
      account(bo, true);
      return 0;
   default:
      return -EINVAL;
   }
}

int
amd_gem_userptr(struct shim_file *file, void *arg)
{
   struct drm_amdgpu_gem_userptr *args = arg;
   const uint32_t known = AMDGPU_GEM_USERPTR_READONLY | AMDGPU_GEM_USERPTR_ANONONLY | AMDGPU_GEM_USERPTR_VALIDATE |
                          AMDGPU_GEM_USERPTR_REGISTER;
   char probe;
   if (!args->size || (args->addr | args->size) % AMD_PAGE_B || (args->flags & ~known) ||
       args->addr + args->size < args->addr)
      return -EINVAL;
   if (!(args->flags & (AMDGPU_GEM_USERPTR_READONLY | AMDGPU_GEM_USERPTR_REGISTER)))
      return -EACCES; /* written without being told when the pages move */
   if (user_read(&probe, args->addr, 1) || user_read(&probe, args->addr + args->size - 1, 1))
      return -EFAULT;
   struct amd_bo *bo = (struct amd_bo *)shim_bo_wrap((void *)(uintptr_t)args->addr, args->size);
   bo->create = (struct drm_amdgpu_gem_create_in){.bo_size = args->size, .domains = AMDGPU_GEM_DOMAIN_GTT};
   bo->heap = AMD_HEAP_GTT;
   bo->read_only = args->flags & AMDGPU_GEM_USERPTR_READONLY;
   account(bo, true);
   amd_device.user_buffers++;
   args->handle = shim_bo_add_handle(file, &bo->base);
   shim_bo_unref(&bo->base);
   return 0;
}

int
amd_bo_list_check(struct shim_file *file, const struct drm_amdgpu_bo_list_in *list, bool *has_user_memory)
{
   struct drm_amdgpu_bo_list_entry entries[256];
   if (list->bo_info_size != sizeof(entries[0]))
      return -EINVAL;
   for (uint32_t done = 0; done < list->bo_number;) {
      uint32_t count = MIN2(list->bo_number - done, ARRAY_SIZE(entries));
      if (user_read(entries, list->bo_info_ptr + done * sizeof(entries[0]), count * sizeof(entries[0])))
         return -EFAULT;
      for (uint32_t i = 0; i < count; i++) {
         const struct shim_bo *bo = shim_bo_get(file, entries[i].bo_handle);
         if (!bo)
            return -ENOENT;
         *has_user_memory |= bo->is_user_memory;
      }
      done += count;
   }
   return 0;
}

int
amd_bo_list(struct shim_file *shim_file, void *arg)
{
   union drm_amdgpu_bo_list *args = arg;
   struct amd_file *file = amd_file(shim_file);
   if (args->in.operation == AMDGPU_BO_LIST_OP_DESTROY) {
      free(shim_handles_remove(&file->bo_lists, args->in.list_handle));
      args->out.list_handle = 0;
      return 0;
   }
   if (args->in.operation != AMDGPU_BO_LIST_OP_CREATE && args->in.operation != AMDGPU_BO_LIST_OP_UPDATE)
      return -EINVAL;
   bool has_user_memory = false, updates = args->in.operation == AMDGPU_BO_LIST_OP_UPDATE;
   int error = amd_bo_list_check(shim_file, &args->in, &has_user_memory);
   if (error)
      return error;
   bool *list = updates ? shim_handles_get(&file->bo_lists, args->in.list_handle) : shim_alloc(sizeof(*list));
   if (!list)
      return -ENOENT;
   *list = has_user_memory;
   if (!updates)
      args->out.list_handle = shim_handles_add(&file->bo_lists, list);
   return 0;
}

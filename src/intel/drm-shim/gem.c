/* Buffers: making them, and what is kept of them for who asks. */
#include <errno.h>

#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "intel/drm-shim/intel_shim.h"
#include "util/macros.h"

static int
create(struct shim_file *file, __u64 *size_B, __u32 *handle)
{
   if (!*size_B)
      return -EINVAL;
   if (*size_B > intel_device.chip->system_B)
      return -E2BIG;
   struct shim_bo *bo = shim_bo_create(*size_B);
   if (!bo)
      return -ENOMEM;
   *size_B = bo->size_B;
   ((struct intel_bo *)bo)->caching = I915_CACHING_CACHED;
   *handle = shim_bo_add_handle(file, bo);
   shim_bo_unref(bo);
   return 0;
}

int
intel_gem_create(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_create *args = arg;
   return create(file, &args->size, &args->handle);
}

/* The only memory is the system's: whatever list has it means that. */
static int
read_regions(uint64_t at)
{
   struct drm_i915_gem_create_ext_memory_regions list;
   if (user_read(&list, at, sizeof(list)))
      return -EFAULT;
   if (list.pad || !list.num_regions)
      return -EINVAL;
   for (uint32_t i = 0; i < list.num_regions; i++) {
      struct drm_i915_gem_memory_class_instance region;
      if (user_read(&region, list.regions + i * sizeof(region), sizeof(region)))
         return -EFAULT;
      if (region.memory_class != I915_MEMORY_CLASS_SYSTEM || region.memory_instance)
         return -EINVAL;
   }
   return 0;
}

int
intel_gem_create_ext(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_create_ext *args = arg;
   if (args->flags) /* NEEDS_CPU_ACCESS is of chips with memory of their own */
      return -EINVAL;
   unsigned seen = 0;
   for (uint64_t at = args->extensions; at;) {
      struct i915_user_extension extension;
      if (user_read(&extension, at, sizeof(extension)))
         return -EFAULT;
      if (extension.name != I915_GEM_CREATE_EXT_MEMORY_REGIONS || seen++)
         return intel_unknown("an extension of GEM_CREATE of name", extension.name);
      int error = read_regions(at);
      if (error)
         return error;
      at = extension.next_extension;
   }
   return create(file, &args->size, &args->handle);
}

int
intel_gem_userptr(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_userptr *args = arg;
   const uint32_t known = I915_USERPTR_READ_ONLY | I915_USERPTR_PROBE | I915_USERPTR_UNSYNCHRONIZED;
   char probe;
   if ((args->flags & ~known) || !args->user_size || (args->user_ptr | args->user_size) % I915_PAGE_B ||
       args->user_ptr + args->user_size < args->user_ptr)
      return -EINVAL;
   if (args->flags & I915_USERPTR_UNSYNCHRONIZED) /* of the superuser */
      return -EPERM;
   if (user_read(&probe, args->user_ptr, 1) || user_read(&probe, args->user_ptr + args->user_size - 1, 1))
      return -EFAULT;
   struct shim_bo *bo = shim_bo_wrap((void *)(uintptr_t)args->user_ptr, args->user_size);
   ((struct intel_bo *)bo)->caching = I915_CACHING_CACHED;
   args->handle = shim_bo_add_handle(file, bo);
   shim_bo_unref(bo);
   return 0;
}

/* Detiling by the aperture is not done: who tiles a buffer maps it by the CPU and does that itself. */
int
intel_gem_set_tiling(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_set_tiling *args = arg;
   struct intel_bo *bo = (struct intel_bo *)shim_bo_get(file, args->handle);
   if (!bo)
      return -ENOENT;
   uint32_t tile_B = args->tiling_mode == I915_TILING_X ? 512 : 128;
   if (args->tiling_mode > I915_TILING_Y ||
       (args->tiling_mode && (!args->stride || args->stride % tile_B || args->stride > 256 * 1024)))
      return -EINVAL;
   bo->tiling = args->tiling_mode;
   bo->stride = bo->tiling ? args->stride : 0;
   args->stride = bo->stride;
   args->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
   return 0;
}

int
intel_gem_get_tiling(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_get_tiling *args = arg;
   const struct intel_bo *bo = (struct intel_bo *)shim_bo_get(file, args->handle);
   if (!bo)
      return -ENOENT;
   args->tiling_mode = bo->tiling;
   args->swizzle_mode = args->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
   return 0;
}

int
intel_gem_set_caching(struct shim_file *file, void *arg)
{
   const struct drm_i915_gem_caching *args = arg;
   struct intel_bo *bo = (struct intel_bo *)shim_bo_get(file, args->handle);
   if (args->caching > I915_CACHING_DISPLAY)
      return -EINVAL;
   if (!bo)
      return -ENOENT;
   bo->caching = args->caching;
   return 0;
}

int
intel_gem_get_caching(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_caching *args = arg;
   const struct intel_bo *bo = (struct intel_bo *)shim_bo_get(file, args->handle);
   if (!bo)
      return -ENOENT;
   args->caching = bo->caching;
   return 0;
}

int
intel_gem_madvise(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_madvise *args = arg;
   if (args->madv > I915_MADV_DONTNEED)
      return -EINVAL;
   if (!shim_bo_get(file, args->handle))
      return -ENOENT;
   args->retained = 1;
   return 0;
}

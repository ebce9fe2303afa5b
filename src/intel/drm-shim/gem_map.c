/* Buffers: the CPU's access, and waiting, which nothing needs. */
#include <errno.h>
#include <sys/mman.h>

#include "drm-shim/bo.h"
#include "drm-shim/user_memory.h"
#include "intel/drm-shim/intel_shim.h"
#include "util/macros.h"

int
intel_gem_mmap(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_mmap *args = arg;
   const struct shim_bo *bo = shim_bo_get(file, args->handle);
   if (args->flags & ~(uint64_t)I915_MMAP_WC)
      return -EINVAL;
   if (!bo)
      return -ENOENT;
   if (bo->is_user_memory)
      return -ENXIO;
   if (args->offset % I915_PAGE_B || args->offset > bo->size_B || args->size > bo->size_B - args->offset)
      return -EINVAL;
   void *map = shim_bo_mmap(bo, NULL, args->size, PROT_READ | PROT_WRITE, MAP_SHARED, args->offset);
   if (map == MAP_FAILED)
      return -errno;
   args->addr_ptr = (uintptr_t)map;
   return 0;
}

int
intel_gem_mmap_offset(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_mmap_offset *args = arg;
   const struct shim_bo *bo = shim_bo_get(file, args->handle);
   if (args->flags >= I915_MMAP_OFFSET_FIXED) /* FIXED is of chips with memory of their own */
      return args->flags == I915_MMAP_OFFSET_FIXED ? -ENODEV : -EINVAL;
   if (!bo)
      return -ENOENT;
   if (bo->is_user_memory)
      return -ENODEV;
   args->offset = shim_bo_mmap_offset(args->handle);
   return 0;
}

static int
check_range(const struct shim_bo *bo, uint64_t offset_B, uint64_t size_B)
{
   if (!bo)
      return -ENOENT;
   return offset_B > bo->size_B || size_B > bo->size_B - offset_B ? -EINVAL : 0;
}

int
intel_gem_pread(struct shim_file *file, void *arg)
{
   const struct drm_i915_gem_pread *args = arg;
   const struct shim_bo *bo = shim_bo_get(file, args->handle);
   int error = check_range(bo, args->offset, args->size);
   return error ? error : user_write(args->data_ptr, (const char *)bo->map + args->offset, args->size);
}

int
intel_gem_pwrite(struct shim_file *file, void *arg)
{
   const struct drm_i915_gem_pwrite *args = arg;
   const struct shim_bo *bo = shim_bo_get(file, args->handle);
   int error = check_range(bo, args->offset, args->size);
   return error ? error : user_read((char *)bo->map + args->offset, args->data_ptr, args->size);
}

int
intel_gem_busy(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_busy *args = arg;
   args->busy = 0;
   return shim_bo_get(file, args->handle) ? 0 : -ENOENT;
}

int
intel_gem_wait(struct shim_file *file, void *arg)
{
   const struct drm_i915_gem_wait *args = arg;
   if (args->flags)
      return -EINVAL;
   return shim_bo_get(file, args->bo_handle) ? 0 : -ENOENT;
}

/* SET_DOMAIN and SW_FINISH begin with the handle. */
int
intel_gem_nothing(struct shim_file *file, void *arg)
{
   const uint32_t *handle = arg;
   return shim_bo_get(file, *handle) ? 0 : -ENOENT;
}

int
intel_gem_throttle(struct shim_file *file, void *arg)
{
   return 0;
}

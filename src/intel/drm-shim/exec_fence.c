/* What a submit waits for and signals: sync files, syncobjs, points of timelines. */
#include <errno.h>

#include "drm-shim/fence.h"
#include "drm-shim/ioctl.h"
#include "drm-shim/sync_file.h"
#include "drm-shim/syncobj.h"
#include "drm-shim/user_memory.h"
#include "intel/drm-shim/intel_shim.h"

struct intel_signal {
   struct shim_syncobj *syncobj; /* a reference */
   uint64_t point;               /* 0: all that it holds */
};

/* A submit is done when its ioctl returns, so it can wait for nothing that is not: a fence of sw_sync is refused. */
static int
check_wait(struct shim_syncobj *syncobj, uint64_t point)
{
   struct shim_fence *fence = shim_syncobj_find(syncobj, point);
   if (!fence)
      return -EINVAL;
   bool signaled = shim_fence_is_signaled(fence);
   shim_fence_unref(fence);
   return signaled ? 0 : intel_unknown("EXECBUFFER2, a fence that no submit of this device has; point", point);
}

static int
add_fence(struct intel_exec *exec, uint32_t handle, uint32_t flags, uint64_t point)
{
   if (flags & __I915_EXEC_FENCE_UNKNOWN_FLAGS)
      return -EINVAL;
   struct shim_syncobj *syncobj = shim_syncobj_get(exec->file, handle);
   if (!syncobj)
      return -ENOENT;
   int error = flags & I915_EXEC_FENCE_WAIT ? check_wait(syncobj, point) : 0;
   if (error || !(flags & I915_EXEC_FENCE_SIGNAL))
      return error;
   syncobj->refs++;
   dynarray_append(&exec->signals, struct intel_signal, (struct intel_signal){syncobj, point});
   return 0;
}

/* The array takes the place of clip rectangles, which no longer exist. */
static int
read_array(struct intel_exec *exec)
{
   for (uint32_t i = 0; i < exec->args->num_cliprects; i++) {
      struct drm_i915_gem_exec_fence fence;
      if (user_read(&fence, exec->args->cliprects_ptr + i * sizeof(fence), sizeof(fence)))
         return -EFAULT;
      int error = add_fence(exec, fence.handle, fence.flags, 0);
      if (error)
         return error;
   }
   return 0;
}

static int
read_timelines(struct intel_exec *exec, uint64_t at)
{
   struct drm_i915_gem_execbuffer_ext_timeline_fences list;
   if (user_read(&list, at, sizeof(list)))
      return -EFAULT;
   for (uint64_t i = 0; i < list.fence_count; i++) {
      struct drm_i915_gem_exec_fence fence;
      uint64_t point;
      if (user_read(&fence, list.handles_ptr + i * sizeof(fence), sizeof(fence)) ||
          user_read(&point, list.values_ptr + i * sizeof(point), sizeof(point)))
         return -EFAULT;
      int error = add_fence(exec, fence.handle, fence.flags, point);
      if (error)
         return error;
   }
   return 0;
}

static int
read_extensions(struct intel_exec *exec)
{
   unsigned seen = 0;
   for (uint64_t at = exec->args->cliprects_ptr; at;) {
      struct i915_user_extension extension;
      if (user_read(&extension, at, sizeof(extension)))
         return -EFAULT;
      if (extension.name != DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES || seen++)
         return intel_unknown("an extension of EXECBUFFER2 of name", extension.name);
      int error = read_timelines(exec, at);
      if (error)
         return error;
      at = extension.next_extension;
   }
   return 0;
}

int
intel_exec_read_fences(struct intel_exec *exec)
{
   const struct drm_i915_gem_execbuffer2 *args = exec->args;
   bool array = args->flags & I915_EXEC_FENCE_ARRAY, extensions = args->flags & I915_EXEC_USE_EXTENSIONS;
   if (args->flags & (I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT)) {
      struct shim_fence *fence = shim_sync_file_fence((int)args->rsvd2);
      if (!fence)
         return -EINVAL;
      if (!shim_fence_is_signaled(fence))
         return intel_unknown("EXECBUFFER2, a sync file that no submit of this device has:", args->rsvd2);
   }
   if ((array && extensions) || (!array && args->num_cliprects))
      return -EINVAL;
   if (!array && !extensions && args->cliprects_ptr)
      return -EINVAL;
   return array ? read_array(exec) : extensions ? read_extensions(exec) : 0;
}

int
intel_exec_signal(struct intel_exec *exec)
{
   struct shim_fence *fence = shim_fence_signaled();
   int fd = exec->args->flags & I915_EXEC_FENCE_OUT ? shim_sync_file_create(fence) : 0;
   dynarray_for_each(struct intel_signal, it, &exec->signals) {
      if (it->point)
         shim_syncobj_set(it->syncobj, it->point, fence);
      else
         shim_syncobj_replace(it->syncobj, fence);
   }
   shim_fence_unref(fence);
   if (exec->args->flags & I915_EXEC_FENCE_OUT && fd >= 0)
      exec->args->rsvd2 = (exec->args->rsvd2 & UINT32_MAX) | (uint64_t)fd << 32;
   return fd < 0 ? fd : 0;
}

void
intel_exec_free_fences(struct intel_exec *exec)
{
   dynarray_for_each(struct intel_signal, it, &exec->signals)
      shim_syncobj_unref(it->syncobj);
   dynarray_free(&exec->signals);
}

/* Relocations: places in buffers that hold addresses of others. */
#include <errno.h>
#include <string.h>

#include "drm-shim/user_memory.h"
#include "intel/drm-shim/intel_shim.h"
#include "util/macros.h"

static const struct intel_exec_object *
find_target(const struct intel_exec *exec, uint32_t handle)
{
   uint32_t count = exec->args->buffer_count;
   if (exec->args->flags & I915_EXEC_HANDLE_LUT)
      return handle < count ? &exec->objects[handle] : NULL;
   for (uint32_t i = 0; i < count; i++)
      if (exec->objects[i].user.handle == handle)
         return &exec->objects[i];
   return NULL;
}

/* Where the program has guessed right the right word stands there already. */
static int
relocate_one(const struct intel_exec *exec, const struct intel_exec_object *object,
             const struct drm_i915_gem_relocation_entry *entry, uint64_t at)
{
   const struct intel_exec_object *target = find_target(exec, entry->target_handle);
   size_t word_B = intel_device.chip->va_bits < 48 ? 4 : 8;
   if (!target)
      return -ENOENT;
   if (entry->offset % 4 || entry->offset > object->bo->size_B || word_B > object->bo->size_B - entry->offset)
      return -EINVAL;
   if (entry->presumed_offset == target->va)
      return 0;
   uint64_t value = target->va + entry->delta;
   value = (uint64_t)((int64_t)(value << 16) >> 16);
   memcpy((char *)object->bo->map + entry->offset, &value, word_B);
   return user_write(at + offsetof(struct drm_i915_gem_relocation_entry, presumed_offset), &target->va,
                     sizeof(target->va));
}

/* The program has taken care of it if it says so and nothing has moved. */
static bool
is_done(const struct intel_exec *exec)
{
   for (uint32_t i = 0; i < exec->args->buffer_count; i++)
      if ((exec->objects[i].user.offset & bit_mask(48)) != exec->objects[i].va)
         return false;
   return exec->args->flags & I915_EXEC_NO_RELOC;
}

int
intel_relocate(struct intel_exec *exec)
{
   if (is_done(exec))
      return 0;
   for (uint32_t i = 0; i < exec->args->buffer_count; i++) {
      const struct intel_exec_object *object = &exec->objects[i];
      for (uint32_t j = 0; j < object->user.relocation_count; j++) {
         struct drm_i915_gem_relocation_entry entry;
         uint64_t at = object->user.relocs_ptr + j * sizeof(entry);
         if (user_read(&entry, at, sizeof(entry)))
            return -EFAULT;
         int error = relocate_one(exec, object, &entry, at);
         if (error)
            return error;
      }
   }
   return 0;
}

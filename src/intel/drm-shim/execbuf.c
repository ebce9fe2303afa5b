/* EXECBUFFER2: what is submitted gets its addresses, is written down if asked for, and is done. */
#include <errno.h>
#include <stdlib.h>

#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "intel/drm-shim/intel_shim.h"
#include "util/log.h"
#include "util/macros.h"

#define MAX_OBJECTS 65536
#define KNOWN_FLAGS                                                                                                  \
   (I915_EXEC_RING_MASK | I915_EXEC_CONSTANTS_MASK | I915_EXEC_GEN7_SOL_RESET | I915_EXEC_NO_RELOC |                 \
    I915_EXEC_HANDLE_LUT | I915_EXEC_BSD_MASK | I915_EXEC_FENCE_IN | I915_EXEC_FENCE_OUT | I915_EXEC_BATCH_FIRST |   \
    I915_EXEC_FENCE_ARRAY | I915_EXEC_FENCE_SUBMIT | I915_EXEC_USE_EXTENSIONS)
#define KNOWN_OBJECT_FLAGS                                                                                           \
   (EXEC_OBJECT_NEEDS_FENCE | EXEC_OBJECT_NEEDS_GTT | EXEC_OBJECT_WRITE | EXEC_OBJECT_SUPPORTS_48B_ADDRESS |         \
    EXEC_OBJECT_PINNED | EXEC_OBJECT_PAD_TO_SIZE | EXEC_OBJECT_ASYNC | EXEC_OBJECT_CAPTURE)

/* NULL with -EINVAL's reason: the engine is not there. */
static const char *
engine_name(const struct intel_exec *exec)
{
   static const char *const of_class[] = {
      [I915_ENGINE_CLASS_RENDER] = "render",
      [I915_ENGINE_CLASS_COPY] = "copy",
      [I915_ENGINE_CLASS_VIDEO] = "video",
      [I915_ENGINE_CLASS_VIDEO_ENHANCE] = "vebox",
   };
   static const char *const of_ring[] = {
      [I915_EXEC_DEFAULT] = "render", [I915_EXEC_RENDER] = "render", [I915_EXEC_BSD] = "video",
      [I915_EXEC_BLT] = "copy",       [I915_EXEC_VEBOX] = "vebox",
   };
   const struct intel_context *context = exec->context;
   unsigned ring = exec->args->flags & I915_EXEC_RING_MASK;
   if (context->has_engines)
      return ring < context->engine_count ? of_class[context->engines[ring]] : NULL;
   return ring < ARRAY_SIZE(of_ring) ? of_ring[ring] : NULL;
}

static int
read_objects(struct intel_exec *exec)
{
   const struct drm_i915_gem_execbuffer2 *args = exec->args;
   for (uint32_t i = 0; i < args->buffer_count; i++) {
      struct intel_exec_object *object = &exec->objects[i];
      if (user_read(&object->user, args->buffers_ptr + i * sizeof(object->user), sizeof(object->user)))
         return -EFAULT;
      if ((object->user.flags & ~(uint64_t)KNOWN_OBJECT_FLAGS) ||
          (object->user.alignment & (object->user.alignment - 1)))
         return -EINVAL;
      object->bo = shim_bo_get(exec->file, object->user.handle);
      if (!object->bo)
         return -ENOENT;
   }
   return 0;
}

/* Addresses of 48 bits come with the highest bit repeated. */
static uint64_t
plain_va(uint64_t va)
{
   return va & bit_mask(48);
}

static int
pin(struct intel_exec *exec, const struct intel_exec_object *object)
{
   uint64_t va = plain_va(object->user.offset);
   if (va % I915_PAGE_B || (object->user.alignment && va % object->user.alignment) ||
       va > (UINT64_C(1) << intel_device.chip->va_bits) - object->bo->size_B)
      return -EINVAL;
   const struct shim_mapping *mapping = intel_vm_find(exec->context->vm, object->bo);
   if (!mapping || mapping->va != va)
      intel_vm_pin(exec->context->vm, object->bo, va);
   return 0;
}

/* What is pinned comes first: what may lie anywhere gives way. */
static int
place_objects(struct intel_exec *exec)
{
   struct intel_vm *vm = exec->context->vm;
   uint32_t count = exec->args->buffer_count;
   for (uint32_t i = 0; i < count; i++) {
      int error = exec->objects[i].user.flags & EXEC_OBJECT_PINNED ? pin(exec, &exec->objects[i]) : 0;
      if (error)
         return error;
   }
   for (uint32_t i = 0; i < count; i++) {
      struct intel_exec_object *object = &exec->objects[i];
      struct shim_mapping *mapping = intel_vm_find(vm, object->bo);
      if (!mapping && (object->user.flags & EXEC_OBJECT_PINNED))
         return -ENOSPC; /* another pinned one lies over it */
      if (!mapping && !intel_vm_place(vm, object->bo, plain_va(object->user.offset), object->user.alignment,
                                      object->user.flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS))
         return -ENOSPC;
      object->va = mapping ? mapping->va : intel_vm_find(vm, object->bo)->va;
   }
   return 0;
}

/* The program learns where its buffers are. */
static int
write_offsets(const struct intel_exec *exec)
{
   for (uint32_t i = 0; i < exec->args->buffer_count; i++) {
      uint64_t va = (uint64_t)((int64_t)(exec->objects[i].va << 16) >> 16);
      uint64_t at = exec->args->buffers_ptr + i * sizeof(struct drm_i915_gem_exec_object2);
      if (va != exec->objects[i].user.offset &&
          user_write(at + offsetof(struct drm_i915_gem_exec_object2, offset), &va, sizeof(va)))
         return -EFAULT;
   }
   return 0;
}

static int
check_batch(const struct intel_exec *exec, const struct intel_exec_object *batch)
{
   const struct drm_i915_gem_execbuffer2 *args = exec->args;
   if ((args->batch_start_offset | args->batch_len) % 8)
      return -EINVAL;
   if (args->batch_start_offset >= batch->bo->size_B ||
       args->batch_len > batch->bo->size_B - args->batch_start_offset)
      return -EINVAL;
   return 0;
}

static int
submit(struct intel_exec *exec)
{
   const struct drm_i915_gem_execbuffer2 *args = exec->args;
   const struct intel_exec_object *batch =
      &exec->objects[args->flags & I915_EXEC_BATCH_FIRST ? 0 : args->buffer_count - 1];
   const char *engine = engine_name(exec);
   if (!engine)
      return -EINVAL;
   int error = read_objects(exec);
   error = error ? error : check_batch(exec, batch);
   error = error ? error : intel_exec_read_fences(exec);
   error = error ? error : place_objects(exec);
   error = error ? error : intel_relocate(exec);
   error = error ? error : write_offsets(exec);
   if (error)
      return error;
   intel_device.submits++;
   intel_dump_submit(exec, engine, batch);
   return intel_exec_signal(exec);
}

int
intel_execbuffer2(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_execbuffer2 *args = arg;
   struct intel_exec exec = {.file = file, .args = args};
   if (args->flags & ~(uint64_t)KNOWN_FLAGS)
      return intel_unknown("EXECBUFFER2, flags", args->flags & ~(uint64_t)KNOWN_FLAGS);
   if (!args->buffer_count || args->buffer_count > MAX_OBJECTS)
      return -EINVAL;
   exec.context = intel_context_get(file, (uint32_t)(args->rsvd1 & I915_EXEC_CONTEXT_ID_MASK));
   if (!exec.context)
      return -ENOENT;
   exec.objects = shim_alloc(args->buffer_count * sizeof(*exec.objects));
   int error = submit(&exec);
   intel_exec_free_fences(&exec);
   free(exec.objects);
   return error;
}

/* Buffers, and the ranges of them that take timestamps. */
#include <errno.h>
#include <stdlib.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "drm-shim/shim.h"
#include "util/macros.h"

int
asahi_gem_create(struct shim_file *file, void *arg)
{
   struct drm_asahi_gem_create *args = arg;
   bool is_private = args->flags & DRM_ASAHI_GEM_VM_PRIVATE;
   if ((args->flags & ~(uint32_t)(DRM_ASAHI_GEM_WRITEBACK | DRM_ASAHI_GEM_VM_PRIVATE)) ||
       (!is_private && args->vm_id))
      return -EINVAL;
   const struct asahi_vm *vm = is_private ? shim_handles_get(&asahi_file(file)->vms, args->vm_id) : NULL;
   if (is_private && !vm)
      return -ENOENT;
   if (!args->size)
      return -EINVAL;
   if (args->size > SIZE_MAX / 2)
      return -ENOMEM;
   struct asahi_bo *bo = (struct asahi_bo *)shim_bo_create(align_up(args->size, ASAHI_PAGE_B));
   if (!bo)
      return -ENOMEM;
   bo->base.is_private = is_private;
   bo->private_to = vm ? sim_vm_serial(vm->vm) : 0;
   args->handle = shim_bo_add_handle(file, &bo->base);
   shim_bo_unref(&bo->base);
   return 0;
}

int
asahi_gem_mmap_offset(struct shim_file *file, void *arg)
{
   struct drm_asahi_gem_mmap_offset *args = arg;
   if (args->flags)
      return -EINVAL;
   if (!shim_bo_get(file, args->handle))
      return -ENOENT;
   args->offset = shim_bo_mmap_offset(args->handle);
   return 0;
}

void
asahi_object_unref(struct asahi_object *object)
{
   if (--object->refs)
      return;
   shim_bo_unref(object->bo);
   free(object);
}

static int
bind_object(struct shim_file *file, struct drm_asahi_gem_bind_object *args)
{
   if ((args->range | args->offset) % ASAHI_PAGE_B || args->flags != DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS ||
       args->offset + args->range < args->offset)
      return -EINVAL;
   struct shim_bo *bo = shim_bo_get(file, args->handle);
   if (!bo)
      return -ENOENT;
   /* The firmware sees it in an address space of its own. */
   if (args->offset + args->range > bo->size_B || bo->is_private)
      return -EINVAL;
   if (!args->range)
      return -ENOSPC;
   struct asahi_object *object = shim_alloc(sizeof(*object));
   *object = (struct asahi_object){1, shim_bo_ref(bo), args->offset, args->range};
   args->object_handle = shim_handles_add(&asahi_file(file)->objects, object);
   return 0;
}

static int
unbind_object(struct shim_file *file, const struct drm_asahi_gem_bind_object *args)
{
   if (args->range || args->offset || args->flags || args->handle)
      return -EINVAL;
   struct asahi_object *object = shim_handles_remove(&asahi_file(file)->objects, args->object_handle);
   if (!object)
      return -ENOENT;
   asahi_object_unref(object);
   return 0;
}

int
asahi_gem_bind_object(struct shim_file *file, void *arg)
{
   struct drm_asahi_gem_bind_object *args = arg;
   if (args->pad || args->vm_id)
      return -EINVAL;
   switch (args->op) {
   case DRM_ASAHI_BIND_OBJECT_OP_BIND:
      return bind_object(file, args);
   case DRM_ASAHI_BIND_OBJECT_OP_UNBIND:
      return unbind_object(file, args);
   default:
      return -EINVAL;
   }
}

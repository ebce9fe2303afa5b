/* Address spaces: where buffers show. */
#include <errno.h>
#include <stdlib.h>

#include "drm-shim/shim.h"
#include "intel/drm-shim/intel_shim.h"
#include "util/macros.h"

#define FIRST_VA (UINT64_C(64) << 10) /* a pointer that is nearly NULL shows nothing */

int
intel_vm_create(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_vm_control *args = arg;
   if (args->flags || args->extensions)
      return -EINVAL;
   struct intel_vm *vm = shim_alloc(sizeof(*vm));
   vm->refs = 1;
   args->vm_id = shim_handles_add(&intel_file(file)->vms, vm);
   return 0;
}

int
intel_vm_destroy(struct shim_file *file, void *arg)
{
   const struct drm_i915_gem_vm_control *args = arg;
   if (args->flags || args->extensions)
      return -EINVAL;
   struct intel_vm *vm = shim_handles_remove(&intel_file(file)->vms, args->vm_id);
   if (!vm)
      return -ENOENT;
   intel_vm_unref(vm);
   return 0;
}

static void
drop(void *data, const struct shim_mapping *mapping)
{
   shim_bo_unref(mapping->bo);
}

void
intel_vm_unref(struct intel_vm *vm)
{
   if (--vm->refs)
      return;
   shim_mappings_clear(&vm->mappings, 0, UINT64_MAX, drop, NULL);
   dynarray_free(&vm->mappings.array);
   free(vm);
}

struct shim_mapping *
intel_vm_find(struct intel_vm *vm, const struct shim_bo *bo)
{
   dynarray_for_each(struct shim_mapping, mapping, &vm->mappings.array)
      if (mapping->bo == bo)
         return mapping;
   return NULL;
}

void
intel_vm_forget(struct intel_vm *vm, const struct shim_bo *bo)
{
   shim_mappings_forget(&vm->mappings, bo, drop, NULL);
}

/* Whole buffers give way, as in the kernel: a part of one shows nowhere. */
static void
make_room(struct intel_vm *vm, uint64_t va, uint64_t end)
{
   struct shim_mapping *mapping;
   unsigned index = shim_mappings_above(&vm->mappings, va);
   while ((mapping = shim_mappings_at(&vm->mappings, index)) && mapping->va < end)
      shim_bo_unref(shim_mappings_take(&vm->mappings, index).bo);
}

void
intel_vm_pin(struct intel_vm *vm, struct shim_bo *bo, uint64_t va)
{
   intel_vm_forget(vm, bo);
   make_room(vm, va, va + bo->size_B);
   shim_mappings_insert(&vm->mappings, &(struct shim_mapping){.va = va, .size_B = bo->size_B, .bo = bo});
}

static bool
is_free(struct intel_vm *vm, uint64_t va, uint64_t end)
{
   const struct shim_mapping *mapping = shim_mappings_at(&vm->mappings, shim_mappings_above(&vm->mappings, va));
   return !mapping || mapping->va >= end;
}

bool
intel_vm_place(struct intel_vm *vm, struct shim_bo *bo, uint64_t wish, uint64_t alignment_B, bool high)
{
   uint64_t limit = UINT64_C(1) << MIN2(intel_device.chip->va_bits, high ? 48u : 32u);
   alignment_B = MAX2(alignment_B, I915_PAGE_B);
   if (bo->size_B > limit)
      return false;
   uint64_t va = wish;
   if (wish < FIRST_VA || wish % alignment_B || wish > limit - bo->size_B || !is_free(vm, wish, wish + bo->size_B)) {
      const struct shim_mapping *mapping;
      va = align_up(FIRST_VA, alignment_B);
      for (unsigned i = 0; (mapping = shim_mappings_at(&vm->mappings, i)) && mapping->va < va + bo->size_B; i++)
         va = align_up(MAX2(va, shim_mapping_end(mapping)), alignment_B);
   }
   if (va > limit - bo->size_B)
      return false;
   shim_mappings_insert(&vm->mappings, &(struct shim_mapping){.va = va, .size_B = bo->size_B, .bo = bo});
   return true;
}

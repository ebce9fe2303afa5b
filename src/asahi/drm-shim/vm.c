/* VM_CREATE, VM_DESTROY, VM_BIND. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "util/log.h"
#include "util/macros.h"

#define BATCH_B 4096 /* of binds that are read at once; a stride is not longer */

static bool
is_aligned(uint64_t value)
{
   return value % ASAHI_PAGE_B == 0;
}

int
asahi_vm_create(struct shim_file *file, void *arg)
{
   struct drm_asahi_vm_create *args = arg;
   uint64_t start = args->kernel_start, end = args->kernel_end;
   if (start < ASAHI_VM_START || end > ASAHI_VM_END || start > end || end - start < ASAHI_VM_KERNEL_MIN_B ||
       !is_aligned(start) || !is_aligned(end))
      return -EINVAL;
   struct asahi_vm *vm = shim_alloc(sizeof(*vm));
   *vm = (struct asahi_vm){.refs = 1, .vm = sim_vm_create(), .kernel_start = start, .kernel_end = end};
   args->vm_id = shim_handles_add(&asahi_file(file)->vms, vm);
   return 0;
}

int
asahi_vm_destroy(struct shim_file *file, void *arg)
{
   const struct drm_asahi_vm_destroy *args = arg;
   struct asahi_vm *vm = shim_handles_remove(&asahi_file(file)->vms, args->vm_id);
   if (!vm)
      return -ENOENT;
   asahi_vm_close(vm);
   return 0;
}

/* The GPU's view follows what the list of mappings has lost. */
static void
drop(void *data, const struct shim_mapping *mapping)
{
   struct asahi_vm *vm = data;
   asahi_record_unbind(vm, mapping);
   if (!sim_vm_unmap(vm->vm, sim_va(mapping->va), mapping->size_B))
      log_error("asahi shim: out of memory for page tables: 0x%llx stays bound", (unsigned long long)mapping->va);
   if (vm->jobs)
      dynarray_append(&vm->lost, struct shim_bo *, mapping->bo);
   else
      shim_bo_unref(mapping->bo);
}

typedef struct shim_bo *bo_pointer;

void
asahi_vm_job_done(struct asahi_vm *vm)
{
   if (--vm->jobs)
      return;
   if (vm->closed)
      shim_mappings_clear(&vm->mappings, 0, UINT64_MAX, drop, vm);
   dynarray_for_each(bo_pointer, it, &vm->lost)
      shim_bo_unref(*it);
   vm->lost.size_B = 0;
}

void
asahi_vm_close(struct asahi_vm *vm)
{
   vm->closed = true;
   if (!vm->jobs)
      shim_mappings_clear(&vm->mappings, 0, UINT64_MAX, drop, vm);
   asahi_vm_unref(vm);
}

void
asahi_vm_unref(struct asahi_vm *vm)
{
   if (--vm->refs)
      return;
   sim_vm_destroy(vm->vm);
   dynarray_free(&vm->mappings.array);
   dynarray_free(&vm->lost);
   free(vm);
}

void
asahi_vm_forget_bo(struct asahi_vm *vm, const struct shim_bo *bo)
{
   shim_mappings_forget(&vm->mappings, bo, drop, vm);
}

/* False unless it is of the program: in the window, and nowhere in the kernel's range. An empty one is anywhere. */
static bool
is_user_range(const struct asahi_vm *vm, uint64_t first, uint64_t size_B)
{
   uint64_t end = first + size_B;
   return !size_B ||
          (first >= ASAHI_VM_START && end <= ASAHI_VM_END && (end <= vm->kernel_start || first >= vm->kernel_end));
}

static int
unbind(struct asahi_vm *vm, const struct drm_asahi_gem_bind_op *op)
{
   if (op->offset || op->flags != DRM_ASAHI_BIND_UNBIND || op->handle || !is_aligned(op->addr | op->range) ||
       op->addr + op->range < op->addr)
      return -EINVAL;
   if (!vm)
      return op->range && (op->addr < ASAHI_VM_START || op->addr + op->range > ASAHI_VM_END) ? -EINVAL : -ENOENT;
   if (!is_user_range(vm, op->addr, op->range))
      return -EINVAL;
   if (op->range)
      shim_mappings_clear(&vm->mappings, op->addr, op->addr + op->range, drop, vm);
   return 0;
}

static int
map(struct asahi_vm *vm, struct shim_bo *bo, const struct drm_asahi_gem_bind_op *op)
{
   bool single = op->flags & DRM_ASAHI_BIND_SINGLE_PAGE;
   struct shim_mapping mapping = {
      op->addr, op->range, bo, op->offset, single ? ASAHI_PAGE_B : 0, op->flags,
   };
   /* Programs need no right of their own to run code. */
   unsigned access = (op->flags & DRM_ASAHI_BIND_READ ? SIM_READ | SIM_EXECUTE : 0) |
                     (op->flags & DRM_ASAHI_BIND_WRITE ? SIM_WRITE : 0);
   void *host = (char *)bo->map + op->offset;
   if (!op->range)
      return 0;
   shim_mappings_clear(&vm->mappings, op->addr, op->addr + op->range, drop, vm);
   bool done = single ? sim_vm_map_repeated(vm->vm, sim_va(op->addr), op->range, host, ASAHI_PAGE_B, access)
                      : sim_vm_map(vm->vm, sim_va(op->addr), op->range, host, access);
   if (!done)
      return -ENOMEM;
   shim_mappings_insert(&vm->mappings, &mapping);
   asahi_record_bind(vm, &mapping, access);
   return 0;
}

static int
bind(struct shim_file *file, struct asahi_vm *vm, const struct drm_asahi_gem_bind_op *op)
{
   const uint32_t rights = DRM_ASAHI_BIND_READ | DRM_ASAHI_BIND_WRITE;
   if (!is_aligned(op->addr | op->range | op->offset) || (op->flags & ~(rights | DRM_ASAHI_BIND_SINGLE_PAGE)))
      return -EINVAL;
   struct shim_bo *bo = shim_bo_get(file, op->handle);
   if (!bo)
      return -ENOENT;
   uint64_t shown_B = op->flags & DRM_ASAHI_BIND_SINGLE_PAGE ? ASAHI_PAGE_B : op->range;
   if (op->addr + op->range < op->addr || op->offset > bo->size_B || shown_B > bo->size_B - op->offset ||
       !(op->flags & rights))
      return -EINVAL;
   if (op->range && (op->addr < ASAHI_VM_START || op->addr + op->range > ASAHI_VM_END))
      return -EINVAL;
   if (!vm)
      return -ENOENT;
   uint64_t private_to = ((struct asahi_bo *)bo)->private_to;
   if (!is_user_range(vm, op->addr, op->range) || (private_to && private_to != sim_vm_serial(vm->vm)))
      return -EINVAL;
   return map(vm, bo, op);
}

/* One bind as the program's header has it: what it lacks is zero, what this one lacks must be. */
static int
bind_one(struct shim_file *file, struct asahi_vm *vm, const char *data, uint32_t stride_B)
{
   struct drm_asahi_gem_bind_op op = {0};
   memcpy(&op, data, MIN2(stride_B, sizeof(op)));
   for (uint32_t i = sizeof(op); i < stride_B; i++)
      if (data[i])
         return -EINVAL;
   return op.flags & DRM_ASAHI_BIND_UNBIND ? unbind(vm, &op) : bind(file, vm, &op);
}

/* Binds before one that fails stay, as in the kernel. */
int
asahi_vm_bind(struct shim_file *file, void *arg)
{
   const struct drm_asahi_vm_bind *args = arg;
   struct asahi_vm *vm = shim_handles_get(&asahi_file(file)->vms, args->vm_id);
   uint32_t stride_B = args->stride;
   if (!stride_B || args->pad || stride_B > BATCH_B)
      return -EINVAL;
   char batch[BATCH_B];
   for (uint32_t done = 0; done < args->num_binds;) {
      uint32_t count = MIN2(args->num_binds - done, BATCH_B / stride_B);
      if (user_read(batch, args->userptr + (uint64_t)done * stride_B, (size_t)count * stride_B))
         return -EFAULT;
      for (uint32_t i = 0; i < count; i++) {
         int error = bind_one(file, vm, batch + (size_t)i * stride_B, stride_B);
         if (error)
            return error;
      }
      done += count;
   }
   return 0;
}

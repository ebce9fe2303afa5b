/* GEM_VA: the address space as the calls have asked for it, and its delayed copy that the GPU sees.
 *
 * As in the kernel, addresses lose their memory only after the jobs submitted before have ended, and what is mapped
 * at such addresses meanwhile appears after that too; jobs submitted later wait for it (amd_va_blocks). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amd/drm-shim/amd_shim.h"
#include "drm-shim/shim.h"
#include "util/log.h"
#include "util/macros.h"

/* A change of the GPU's view that waits. */
struct va_update {
   struct list_head link;
   uint64_t after_job; /* jobs up to this number see the old state */
   bool map;
   struct shim_mapping mapping; /* for unmap: bo is the buffer that was there */
};

unsigned
amd_page_access(uint32_t flags)
{
   return (flags & AMDGPU_VM_PAGE_READABLE ? SIM_READ : 0) | (flags & AMDGPU_VM_PAGE_WRITEABLE ? SIM_WRITE : 0) |
          (flags & AMDGPU_VM_PAGE_EXECUTABLE ? SIM_EXECUTE : 0) | (flags & AMDGPU_VM_PAGE_PRT ? SIM_PRT : 0);
}

static void
apply(struct amd_file *file, bool map, const struct shim_mapping *mapping)
{
   amd_record_va(file, mapping, map);
   if (!map) {
      if (!sim_vm_unmap(file->vm, sim_va(mapping->va), mapping->size_B))
         log_error("amdgpu shim: out of memory for page tables: 0x%llx stays mapped",
                   (unsigned long long)mapping->va);
      return;
   }
   void *host = mapping->bo ? (char *)mapping->bo->map + mapping->offset_B : NULL;
   /* Ranges and overlaps were checked. What is not mapped faults when the GPU touches it. */
   if (!sim_vm_map(file->vm, sim_va(mapping->va), mapping->size_B, host, amd_page_access(mapping->flags)))
      log_error("amdgpu shim: out of memory for page tables: 0x%llx is not mapped", (unsigned long long)mapping->va);
}

static bool
overlaps_update(const struct amd_file *file, const struct shim_mapping *mapping)
{
   list_for_each(struct va_update, it, &file->updates, link)
      if (it->mapping.va < shim_mapping_end(mapping) && shim_mapping_end(&it->mapping) > mapping->va)
         return true;
   return false;
}

/* Takes over the reference to mapping->bo. */
static void
update(struct amd_file *file, bool map, const struct shim_mapping *mapping)
{
   bool now = list_is_empty(&file->jobs) || (map && !overlaps_update(file, mapping));
   if (now) {
      apply(file, map, mapping);
      if (mapping->bo)
         shim_bo_unref(mapping->bo);
      return;
   }
   struct va_update *later = shim_alloc(sizeof(*later));
   *later = (struct va_update){.after_job = file->job_count, .map = map, .mapping = *mapping};
   list_add_tail(&later->link, &file->updates);
}

void
amd_va_flush(struct amd_file *file)
{
   uint64_t oldest =
      list_is_empty(&file->jobs) ? UINT64_MAX : list_first(&file->jobs, struct amd_job, file_link)->number;
   list_for_each_safe(struct va_update, it, &file->updates, link) {
      if (it->after_job >= oldest)
         break;
      list_remove(&it->link);
      apply(file, it->map, &it->mapping);
      if (it->mapping.bo)
         shim_bo_unref(it->mapping.bo);
      free(it);
   }
}

bool
amd_va_blocks(const struct amd_file *file)
{
   list_for_each(struct va_update, it, &file->updates, link)
      if (it->map)
         return true;
   return false;
}

static int
map(struct amd_file *file, const struct shim_mapping *mapping)
{
   struct shim_mapping *next = shim_mappings_at(&file->mappings, shim_mappings_above(&file->mappings, mapping->va));
   if (next && next->va < shim_mapping_end(mapping))
      return -EINVAL;
   shim_mappings_insert(&file->mappings, mapping);
   if (mapping->bo)
      shim_bo_ref(mapping->bo);
   update(file, true, mapping);
   return 0;
}

/* Only a whole mapping of this buffer, named by its start. */
static int
unmap(struct amd_file *file, const struct shim_bo *bo, uint64_t va)
{
   unsigned index = shim_mappings_above(&file->mappings, va);
   struct shim_mapping *mapping = shim_mappings_at(&file->mappings, index);
   if (!mapping || mapping->va != va || mapping->bo != bo)
      return -ENOENT;
   struct shim_mapping old = shim_mappings_take(&file->mappings, index);
   update(file, false, &old);
   return 0;
}

/* The buffer's reference goes along. */
static void
drop(void *file, const struct shim_mapping *mapping)
{
   update(file, false, mapping);
}

/* An unmap is told the address alone: the kernel does not look at its size and offset. */
static bool
range_is_valid(const struct drm_amdgpu_gem_va *args)
{
   const struct amd_chip *chip = amd_device.chip;
   bool unmaps = args->operation == AMDGPU_VA_OP_UNMAP;
   uint64_t first = args->va_address, end = first + (unmaps ? AMD_PAGE_B : args->map_size);
   if (!unmaps && (!args->map_size || (first | args->offset_in_bo | args->map_size) % AMD_PAGE_B))
      return false;
   if (end < first)
      return false;
   return (first >= chip->va_first && end <= chip->va_end) ||
          (first >= chip->high_va_first && end <= chip->high_va_end);
}

int
amd_gem_va(struct shim_file *shim_file, void *arg)
{
   const struct drm_amdgpu_gem_va *args = arg;
   const uint32_t page_flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE |
                               AMDGPU_VM_MTYPE_MASK | (1 << 9 /* NOALLOC */);
   struct amd_file *file = amd_file(shim_file);
   struct shim_bo *bo = NULL;
   bool hole = args->flags & AMDGPU_VM_PAGE_PRT;
   uint32_t known = AMDGPU_VM_DELAY_UPDATE | AMDGPU_VM_PAGE_PRT | (hole ? 0 : page_flags);
   if (!range_is_valid(args) || (args->flags & ~known))
      return -EINVAL;
   if (args->operation != AMDGPU_VA_OP_CLEAR && !hole) {
      bo = shim_bo_get(shim_file, args->handle);
      if (!bo)
         return -ENOENT;
   }
   struct shim_mapping mapping = {args->va_address, args->map_size, bo, args->offset_in_bo, 0, args->flags};
   bool maps = args->operation == AMDGPU_VA_OP_MAP || args->operation == AMDGPU_VA_OP_REPLACE;
   if (maps && bo && (args->offset_in_bo > bo->size_B || args->map_size > bo->size_B - args->offset_in_bo))
      return -EINVAL;
   switch (args->operation) {
   case AMDGPU_VA_OP_MAP:
      return map(file, &mapping);
   case AMDGPU_VA_OP_UNMAP:
      return unmap(file, bo, args->va_address & ~(uint64_t)(AMD_PAGE_B - 1));
   case AMDGPU_VA_OP_REPLACE:
      shim_mappings_clear(&file->mappings, args->va_address, args->va_address + args->map_size, drop, file);
      return map(file, &mapping);
   case AMDGPU_VA_OP_CLEAR:
      shim_mappings_clear(&file->mappings, args->va_address, args->va_address + args->map_size, drop, file);
      return 0;
   default:
      return -EINVAL;
   }
}

/* The buffer's last handle in the file is closed: the kernel drops its mappings. */
void
amd_va_forget_bo(struct amd_file *file, struct amd_bo *bo)
{
   shim_mappings_forget(&file->mappings, &bo->base, drop, file);
}

void
amd_va_destroy(struct amd_file *file)
{
   amd_va_flush(file);
   for (unsigned i = dynarray_count(&file->mappings.array, struct shim_mapping); i-- > 0;) {
      struct shim_mapping old = shim_mappings_take(&file->mappings, i);
      amd_record_va(file, &old, false);
      if (old.bo)
         shim_bo_unref(old.bo);
   }
   dynarray_free(&file->mappings.array);
}

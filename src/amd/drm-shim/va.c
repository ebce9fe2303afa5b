/* GEM_VA: the address space as the calls have asked for it, and its delayed copy that the GPU sees.
 *
 * As in the kernel, addresses lose their memory only after the jobs submitted before have ended, and what is mapped
 * at such addresses meanwhile appears after that too; jobs submitted later wait for it (amd_va_blocks). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "amd/drm-shim/amd_shim.h"
#include "drm-shim/ioctl.h"
#include "drm-shim/shim.h"
#include "drm-shim/syncobj.h"
#include "drm-shim/user_memory.h"
#include "util/log.h"
#include "util/macros.h"

#define MAX_INPUTS (1u << 20) /* what the kernel's allocator gives in one piece */

/* A change of the GPU's view that waits. */
struct va_update {
   struct list_head link;
   uint64_t after_job; /* jobs up to this number see the old state */
   bool map;
   struct shim_mapping mapping; /* for unmap: bo is the buffer that was there */
   struct shim_fence *done;     /* a reference for who asked to be told; NULL: nobody */
};

unsigned
amd_page_access(uint32_t flags)
{
   return (flags & AMDGPU_VM_PAGE_READABLE ? SIM_READ : 0) | (flags & AMDGPU_VM_PAGE_WRITEABLE ? SIM_WRITE : 0) |
          (flags & AMDGPU_VM_PAGE_EXECUTABLE ? SIM_EXECUTE : 0) | (flags & AMDGPU_VM_PAGE_PRT ? SIM_PRT : 0);
}

/* In the flags of a mapping: what it shows is gone, and the GPU sees nothing. */
#define USER_MEMORY_GONE (1u << 31)

static void
apply(struct amd_file *file, bool map, const struct shim_mapping *mapping)
{
   if (!map && mapping->flags & USER_MEMORY_GONE)
      return;
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

/* Gets the pages as the kernel does for a job; kernels before 5.14 do not know this advice. */
static bool
get_user_pages(char *pages, uint64_t size_B, bool read_only)
{
   static _Alignas(AMD_PAGE_B) char own[AMD_PAGE_B];
   return !madvise(pages, size_B, read_only ? MADV_POPULATE_READ : MADV_POPULATE_WRITE) ||
          madvise(own, AMD_PAGE_B, MADV_POPULATE_WRITE);
}

/* Something is mapped at all of it, and `look`: may be accessed. */
static bool
has_user_pages(const struct shim_mapping *it, bool look)
{
   char *pages = (char *)it->bo->map + it->offset_B;
   return !msync(pages, it->size_B, MS_ASYNC) &&
          (!look || get_user_pages(pages, it->size_B, ((const struct amd_bo *)it->bo)->read_only));
}

static void
follow(struct amd_file *file, struct shim_mapping *it, bool look)
{
   bool gone = !has_user_pages(it, look || it->flags & USER_MEMORY_GONE);
   if (gone == ((it->flags & USER_MEMORY_GONE) != 0))
      return;
   it->flags &= ~USER_MEMORY_GONE;
   apply(file, !gone, it);
   it->flags |= gone ? USER_MEMORY_GONE : 0;
}

/* What goes by other ways than shim_user_pages_enter() is noticed here, if no job runs that uses it. */
void
amd_va_follow_user_memory(struct amd_file *file)
{
   bool look = file->user_map_changes != amd_device.user_map_changes, all = true;
   if (!amd_device.user_buffers)
      return;
   dynarray_for_each(struct shim_mapping, it, &file->mappings.array) {
      if (!it->bo || !it->bo->is_user_memory)
         continue;
      if (overlaps_update(file, it)) /* the GPU does not see it yet */
         all = false;
      else
         follow(file, it, look);
   }
   list_for_each(struct va_update, it, &file->updates, link)
      if (!it->map && it->mapping.bo && it->mapping.bo->is_user_memory)
         follow(file, &it->mapping, look);
   if (all)
      file->user_map_changes = amd_device.user_map_changes;
}

static bool
shows_user_memory(const struct amd_file *file, uintptr_t first, uintptr_t end)
{
   dynarray_for_each(const struct shim_mapping, it, &file->mappings.array)
      if (it->bo && shim_bo_wraps_some(it->bo, first, end))
         return true;
   list_for_each(struct va_update, it, &file->updates, link)
      if (it->mapping.bo && shim_bo_wraps_some(it->mapping.bo, first, end))
         return true;
   return false;
}

/* The kernel's notifier waits for jobs with such memory in their lists; here for all that run, too, as they must not
 * find nothing there. */
static bool
is_used(uintptr_t first, uintptr_t end)
{
   list_for_each(struct amd_file, file, &amd_files, link)
      list_for_each(struct amd_job, job, &file->jobs, file_link)
         if ((job->start_ns || job->lists_user_memory) && shows_user_memory(file, first, end))
            return true;
   return false;
}

void
amd_va_user_pages_change(uintptr_t first, uintptr_t end)
{
   amd_device.changing++;
   while (is_used(first, end))
      shim_sleep(INT64_MAX);
   amd_device.changing--;
   amd_device.user_map_changes++;
   shim_wake();
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
      if (it->done)
         shim_fence_signal(it->done, 0);
      shim_fence_unref(it->done);
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
      amd_device.user_map_changes += shim_bo_ref(mapping->bo)->is_user_memory;
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

/* An unmap uses only the address: the kernel does not look at size and offset. */
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

static bool
flags_are_valid(const struct drm_amdgpu_gem_va *args)
{
   const uint32_t page_flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE |
                               AMDGPU_VM_MTYPE_MASK | AMD_VM_PAGE_NOALLOC;
   uint32_t known = AMDGPU_VM_DELAY_UPDATE | (args->flags & AMDGPU_VM_PAGE_PRT ? AMDGPU_VM_PAGE_PRT : page_flags);
   return !(args->flags & ~known) && args->operation >= AMDGPU_VA_OP_MAP && args->operation <= AMDGPU_VA_OP_REPLACE;
}

/* As the kernel does: in the ioctl. Gives up the lock. */
static int
wait_for_inputs(struct shim_file *file, const struct amd_gem_va_args *args)
{
   if (args->input_count > MAX_INPUTS)
      return -ENOMEM;
   uint32_t *handles = shim_alloc(args->input_count * sizeof(*handles));
   int error = user_read(handles, args->inputs, args->input_count * sizeof(*handles));
   for (uint32_t i = 0; !error && i < args->input_count; i++) {
      struct shim_fence *fence;
      error = handles[i] ? shim_syncobj_find_fence(file, handles[i], 0, false, &fence) : -EINVAL;
      if (error)
         break;
      shim_fence_wait(fence, INT64_MAX);
      shim_fence_unref(fence);
   }
   free(handles);
   return error;
}

static int
change(struct amd_file *file, struct shim_bo *bo, const struct drm_amdgpu_gem_va *args)
{
   const uint32_t dropped = bo && ((struct amd_bo *)bo)->read_only ? AMDGPU_VM_PAGE_WRITEABLE : 0;
   struct shim_mapping mapping = {args->va_address,      args->map_size, bo, args->offset_in_bo, 0,
                                  args->flags & ~dropped};
   uint64_t end = args->va_address + args->map_size;
   bool maps = args->operation == AMDGPU_VA_OP_MAP || args->operation == AMDGPU_VA_OP_REPLACE;
   if (maps && bo && (args->offset_in_bo > bo->size_B || args->map_size > bo->size_B - args->offset_in_bo))
      return -EINVAL;
   if (args->operation == AMDGPU_VA_OP_UNMAP)
      return unmap(file, bo, args->va_address & ~(uint64_t)(AMD_PAGE_B - 1));
   if (args->operation != AMDGPU_VA_OP_MAP)
      shim_mappings_clear(&file->mappings, args->va_address, end, drop, file);
   return maps ? map(file, &mapping) : 0;
}

/* Puts into the syncobj a fence for what was queued after `before`. */
static void
tell_when_done(struct amd_file *file, const struct list_head *before, struct shim_syncobj *syncobj, uint64_t point)
{
   bool waits = file->updates.prev != before;
   struct shim_fence *fence = waits ? shim_fence_create() : shim_fence_signaled();
   if (waits)
      container_of(file->updates.prev, struct va_update, link)->done = shim_fence_ref(fence);
   shim_syncobj_set(syncobj, point, fence);
   shim_fence_unref(fence);
}

static int
change_and_tell(struct shim_file *shim_file, struct shim_bo *bo, const struct amd_gem_va_args *args)
{
   struct amd_file *file = amd_file(shim_file);
   struct shim_syncobj *syncobj = args->timeline_syncobj ? shim_syncobj_get(shim_file, args->timeline_syncobj) : NULL;
   const struct list_head *last = file->updates.prev;
   if (args->input_count && bo && !shim_bo_find_handle(shim_file, bo)) /* closed while it waited */
      return -ENOENT;
   if (args->timeline_syncobj && !syncobj)
      return -ENOENT;
   int error = change(file, bo, &args->base);
   /* Who delays the update to the next submit is told nothing, by the kernel neither. */
   if (!error && syncobj && !(args->base.flags & AMDGPU_VM_DELAY_UPDATE))
      tell_when_done(file, last, syncobj, args->timeline_point);
   return error;
}

int
amd_gem_va(struct shim_file *file, void *arg)
{
   const struct amd_gem_va_args *args = arg;
   struct shim_bo *bo = NULL;
   if (!range_is_valid(&args->base) || !flags_are_valid(&args->base))
      return -EINVAL;
   if (args->base.operation != AMDGPU_VA_OP_CLEAR && !(args->base.flags & AMDGPU_VM_PAGE_PRT)) {
      bo = shim_bo_get(file, args->base.handle);
      if (!bo)
         return -ENOENT;
      shim_bo_ref(bo);
   }
   int error = args->input_count ? wait_for_inputs(file, args) : 0;
   error = error ? error : change_and_tell(file, bo, args);
   if (bo)
      shim_bo_unref(bo);
   return error;
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

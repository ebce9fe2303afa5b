/* The keys of /proc/PID/fdinfo that amdgpu has (amdgpu_fdinfo.c, drm_print_memory_stats()). */
#include <stdio.h>

#include "amd/drm-shim/amd_shim.h"
#include "drm-shim/shim.h"
#include "util/macros.h"

/* By the bits AMDGPU_GEM_DOMAIN_*. */
enum region {
   REGION_CPU,
   REGION_GTT,
   REGION_VRAM,
   REGION_GDS,
   REGION_GWS,
   REGION_OA,
   REGION_DOORBELL,
   REGIONS,
};
static const char *const region_names[REGIONS] = {"cpu", "gtt", "vram", "gds", "gws", "oa", "doorbell"};
static const char *const engine_names[AMD_IPS] = {"gfx", "compute", "dma"};

struct use {
   uint64_t total_B, shared_B, evicted_B; /* of the buffers that want to be there */
   uint64_t resident_B;
};

/* Where the buffer wants to be: of several places the best. What comes from another process is memory of the system.
 */
static enum region
wanted(const struct amd_bo *bo)
{
   enum region region = REGIONS;
   while (--region > REGION_CPU && !(bo->create.domains >> region & 1))
      ;
   return bo->create.domains ? region : REGION_GTT;
}

static enum region
place(const struct amd_bo *bo)
{
   switch (bo->heap) {
   case AMD_HEAP_VRAM:
   case AMD_HEAP_VISIBLE_VRAM:
      return REGION_VRAM;
   case AMD_HEAP_GTT:
      return REGION_GTT;
   case AMD_HEAP_NONE:
      break;
   }
   return wanted(bo);
}

/* Each buffer counts once, however many handles it has. */
static void
count(struct shim_file *file, struct use uses[REGIONS])
{
   for (uint32_t handle = 1; handle < shim_handles_end(&file->bos); handle++) {
      const struct shim_bo *base = shim_bo_get(file, handle);
      if (!base || shim_bo_find_handle(file, base) != handle)
         continue;
      const struct amd_bo *bo = (const struct amd_bo *)base;
      struct use *use = &uses[wanted(bo)];
      use->total_B += base->size_B;
      use->shared_B += base->handle_count > 1 || base->is_exported ? base->size_B : 0;
      use->evicted_B += place(bo) == wanted(bo) ? 0 : base->size_B;
      uses[place(bo)].resident_B += base->size_B;
   }
}

/* In the largest unit that divides it. */
static void
print_size(FILE *out, const char *what, enum region region, uint64_t size_B)
{
   static const char *const units[] = {"", " KiB", " MiB"};
   unsigned unit = 0;
   for (; unit + 1 < ARRAY_SIZE(units) && size_B && size_B % 1024 == 0; unit++)
      size_B /= 1024;
   fprintf(out, "drm-%s-%s:\t%llu%s\n", what, region_names[region], (unsigned long long)size_B, units[unit]);
}

static void
print_KiB(FILE *out, const char *key, uint64_t size_B)
{
   fprintf(out, "%s\t%llu KiB\n", key, (unsigned long long)(size_B / 1024));
}

/* Jobs that run now count up to now. */
static void
print_engines(FILE *out, const struct amd_file *file)
{
   for (unsigned ip = 0; ip < AMD_IPS; ip++) {
      uint64_t busy_ns = file->busy_ns[ip];
      list_for_each(const struct amd_job, job, &file->jobs, file_link)
         busy_ns += job->ip == ip && job->start_ns ? (uint64_t)(shim_now_ns() - job->start_ns) : 0;
      if (busy_ns)
         fprintf(out, "drm-engine-%s:\t%llu ns\n", engine_names[ip], (unsigned long long)busy_ns);
   }
}

void
amd_print_fdinfo(FILE *out, struct shim_file *file)
{
   struct use uses[REGIONS] = {0};
   count(file, uses);
   fprintf(out, "pasid:\t%u\n", 0x8000 | (unsigned)(file->client_id & 0x7fff));
   for (enum region region = REGION_CPU; region < REGIONS; region++) {
      print_size(out, "total", region, uses[region].total_B);
      print_size(out, "shared", region, uses[region].shared_B);
      print_size(out, "active", region, 0); /* as the kernel has it */
      print_size(out, "resident", region, uses[region].resident_B);
      print_size(out, "purgeable", region, 0);
   }
   print_KiB(out, "drm-memory-vram:", uses[REGION_VRAM].resident_B);
   print_KiB(out, "drm-memory-gtt: ", uses[REGION_GTT].resident_B);
   print_KiB(out, "drm-memory-cpu: ", uses[REGION_CPU].resident_B);
   print_KiB(out, "amd-evicted-vram:", uses[REGION_VRAM].evicted_B);
   print_KiB(out, "amd-requested-vram:", uses[REGION_VRAM].total_B);
   print_KiB(out, "amd-requested-gtt:", uses[REGION_GTT].total_B);
   print_engines(out, amd_file(file));
}

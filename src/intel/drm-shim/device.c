/* The device: which chip, the table of its ioctls, the environment. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drm-shim/mode.h"
#include "drm-shim/settings.h"
#include "drm-shim/shim.h"
#include "intel/drm-shim/intel_shim.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/open_output.h"

struct intel_device intel_device;

int
intel_unknown(const char *what, uint64_t value)
{
   log_error("i915 shim: %s %llu is not known", what, (unsigned long long)value);
   return -EINVAL;
}

static int
file_open(struct shim_file *file)
{
   struct intel_file *own = shim_alloc(sizeof(*own));
   own->first = intel_context_new();
   file->vendor_data = own;
   return 0;
}

static void
file_close(struct shim_file *shim_file)
{
   struct intel_file *file = intel_file(shim_file);
   void *it;
   for (uint32_t id = 1; id < shim_handles_end(&file->contexts); id++)
      if ((it = shim_handles_remove(&file->contexts, id)))
         intel_context_free(it);
   for (uint32_t id = 1; id < shim_handles_end(&file->vms); id++)
      if ((it = shim_handles_remove(&file->vms, id)))
         intel_vm_unref(it);
   shim_handles_free(&file->contexts);
   shim_handles_free(&file->vms);
   intel_context_free(file->first);
   free(file);
}

static void
bo_close(struct shim_file *shim_file, struct shim_bo *bo)
{
   struct intel_file *file = intel_file(shim_file);
   for (uint32_t id = 1; id < shim_handles_end(&file->vms); id++) {
      struct intel_vm *vm = shim_handles_get(&file->vms, id);
      if (vm)
         intel_vm_forget(vm, bo);
   }
   for (uint32_t id = 1; id < shim_handles_end(&file->contexts); id++) {
      struct intel_context *context = shim_handles_get(&file->contexts, id);
      if (context)
         intel_vm_forget(context->vm, bo);
   }
   intel_vm_forget(file->first->vm, bo);
}

static int
unknown_ioctl(struct shim_file *file, void *arg)
{
   log_error("i915 shim: an ioctl that is not there (performance counters, overlays, or older than contexts)");
   return -EINVAL;
}

static const struct shim_ioctl ioctls[] = {
   [DRM_I915_GETPARAM] = {intel_getparam, sizeof(struct drm_i915_getparam)},
   [DRM_I915_QUERY] = {intel_query, sizeof(struct drm_i915_query)},
   [DRM_I915_REG_READ] = {intel_reg_read, sizeof(struct drm_i915_reg_read)},
   [DRM_I915_GEM_GET_APERTURE] = {intel_get_aperture, sizeof(struct drm_i915_gem_get_aperture)},
   [DRM_I915_GET_RESET_STATS] = {intel_reset_stats, sizeof(struct drm_i915_reset_stats)},
   [DRM_I915_GEM_CONTEXT_CREATE] = {intel_context_create, sizeof(struct drm_i915_gem_context_create_ext)},
   [DRM_I915_GEM_CONTEXT_DESTROY] = {intel_context_destroy, sizeof(struct drm_i915_gem_context_destroy)},
   [DRM_I915_GEM_CONTEXT_GETPARAM] = {intel_context_getparam, sizeof(struct drm_i915_gem_context_param)},
   [DRM_I915_GEM_CONTEXT_SETPARAM] = {intel_context_setparam, sizeof(struct drm_i915_gem_context_param)},
   [DRM_I915_GEM_VM_CREATE] = {intel_vm_create, sizeof(struct drm_i915_gem_vm_control)},
   [DRM_I915_GEM_VM_DESTROY] = {intel_vm_destroy, sizeof(struct drm_i915_gem_vm_control)},
   [DRM_I915_GEM_CREATE] = {intel_gem_create, sizeof(struct drm_i915_gem_create)},
   [DRM_I915_GEM_CREATE_EXT] = {intel_gem_create_ext, sizeof(struct drm_i915_gem_create_ext)},
   [DRM_I915_GEM_USERPTR] = {intel_gem_userptr, sizeof(struct drm_i915_gem_userptr)},
   [DRM_I915_GEM_MMAP] = {intel_gem_mmap, sizeof(struct drm_i915_gem_mmap)},
   /* The same number as MMAP_GTT, whose argument is shorter: the flags are zero, which is the GTT. */
   [DRM_I915_GEM_MMAP_GTT] = {intel_gem_mmap_offset, sizeof(struct drm_i915_gem_mmap_offset)},
   [DRM_I915_GEM_PREAD] = {intel_gem_pread, sizeof(struct drm_i915_gem_pread)},
   [DRM_I915_GEM_PWRITE] = {intel_gem_pwrite, sizeof(struct drm_i915_gem_pwrite)},
   [DRM_I915_GEM_SET_TILING] = {intel_gem_set_tiling, sizeof(struct drm_i915_gem_set_tiling)},
   [DRM_I915_GEM_GET_TILING] = {intel_gem_get_tiling, sizeof(struct drm_i915_gem_get_tiling)},
   [DRM_I915_GEM_SET_CACHING] = {intel_gem_set_caching, sizeof(struct drm_i915_gem_caching)},
   [DRM_I915_GEM_GET_CACHING] = {intel_gem_get_caching, sizeof(struct drm_i915_gem_caching)},
   [DRM_I915_GEM_BUSY] = {intel_gem_busy, sizeof(struct drm_i915_gem_busy)},
   [DRM_I915_GEM_WAIT] = {intel_gem_wait, sizeof(struct drm_i915_gem_wait)},
   [DRM_I915_GEM_MADVISE] = {intel_gem_madvise, sizeof(struct drm_i915_gem_madvise)},
   [DRM_I915_GEM_SET_DOMAIN] = {intel_gem_nothing, sizeof(struct drm_i915_gem_set_domain)},
   [DRM_I915_GEM_SW_FINISH] = {intel_gem_nothing, sizeof(struct drm_i915_gem_sw_finish)},
   [DRM_I915_GEM_THROTTLE] = {intel_gem_throttle, 0},
   [DRM_I915_GEM_EXECBUFFER2] = {intel_execbuffer2, sizeof(struct drm_i915_gem_execbuffer2)},
   [DRM_I915_GEM_EXECBUFFER] = {unknown_ioctl, 0},
   [DRM_I915_PERF_OPEN] = {unknown_ioctl, 0},
   [DRM_I915_PERF_ADD_CONFIG] = {unknown_ioctl, 0},
   [DRM_I915_PERF_REMOVE_CONFIG] = {unknown_ioctl, 0},
};

static struct shim_vendor vendor = {
   .driver = "i915",
   .description = "Intel Graphics",
   .version_major = 1,
   .version_minor = 6,
   .pci = {.vendor = INTEL_PCI_VENDOR},
   .ioctls = ioctls,
   .ioctl_count = ARRAY_SIZE(ioctls),
   .submit_ioctl = DRM_I915_GEM_EXECBUFFER2,
   .bo_B = sizeof(struct intel_bo),
   .bo_close = bo_close,
   .has_fdinfo = true,
   .file_open = file_open,
   .file_close = file_close,
};

static bool
outputs_failed(void)
{
   return intel_device.dump && ferror(intel_device.dump);
}

/* There is no model of these chips that runs packets. */
static void
check_mode(void)
{
   if (getenv("INDIUM_MODE") && shim_read_mode() == SHIM_MODE_MODEL) {
      log_error(
         "INDIUM_MODE=model: nothing here runs Intel's packets: INDIUM_MODE=noop (the default with these chips) "
         "takes them and says that they are done");
      exit(2);
   }
   static const char *const others[] = {"INDIUM_RECORD", "INDIUM_TRACE", "INDIUM_REPORT"};
   for (unsigned i = 0; i < ARRAY_SIZE(others); i++) {
      if (getenv(others[i])) {
         log_error("%s: nothing here runs Intel's packets: INDIUM_DUMP_STATE writes what is submitted", others[i]);
         exit(2);
      }
   }
   shim_read_races(SHIM_MODE_NOOP);
}

static void
read_environment(void)
{
   const char *gpu = getenv("INDIUM_GPU");
   intel_device.chip = intel_chip_by_name(gpu ? gpu : "skl");
   if (!intel_device.chip) {
      log_error("INDIUM_GPU=%s: no such chip (see: indium gpus)", gpu);
      exit(2);
   }
   check_mode();
   intel_device.dump = open_output("INDIUM_DUMP_STATE");
   intel_dump_start();
   shim_need_outputs(outputs_failed);
}

const struct shim_vendor *
shim_vendor_init(void)
{
   static char tree_name[64];
   read_environment();
   snprintf(tree_name, sizeof(tree_name), "i915-%s", intel_device.chip->name);
   vendor.tree_name = tree_name;
   vendor.pci.device = (uint16_t)intel_device.chip->device_id;
   vendor.pci.subsystem_vendor = INTEL_PCI_VENDOR;
   vendor.pci.subsystem_device = (uint16_t)intel_device.chip->device_id;
   vendor.pci.revision = (uint8_t)intel_device.chip->revision;
   return &vendor;
}

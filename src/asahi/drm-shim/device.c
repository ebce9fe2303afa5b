/* The device: which chip, what it tells of itself, the table of its ioctls. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "drm-shim/mode.h"
#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "util/log.h"
#include "util/macros.h"

struct asahi_device asahi_device;

static int
file_open(struct shim_file *file)
{
   file->vendor_data = shim_alloc(sizeof(struct asahi_file));
   return 0;
}

static void
file_close(struct shim_file *shim_file)
{
   struct asahi_file *file = asahi_file(shim_file);
   void *it;
   for (uint32_t id = 1; id < shim_handles_end(&file->queues); id++)
      if ((it = shim_handles_remove(&file->queues, id)))
         asahi_queue_free(it);
   for (uint32_t id = 1; id < shim_handles_end(&file->vms); id++)
      if ((it = shim_handles_remove(&file->vms, id)))
         asahi_vm_close(it);
   for (uint32_t id = 1; id < shim_handles_end(&file->objects); id++)
      if ((it = shim_handles_remove(&file->objects, id)))
         asahi_object_unref(it);
   shim_handles_free(&file->queues);
   shim_handles_free(&file->vms);
   shim_handles_free(&file->objects);
   free(file);
}

static void
bo_close(struct shim_file *shim_file, struct shim_bo *bo)
{
   struct asahi_file *file = asahi_file(shim_file);
   for (uint32_t id = 1; id < shim_handles_end(&file->vms); id++) {
      struct asahi_vm *vm = shim_handles_get(&file->vms, id);
      if (vm)
         asahi_vm_forget_bo(vm, bo);
   }
}

/* The recording is the parent's. */
static void
forked(void)
{
   asahi_device.recorder = NULL;
}

static int
get_params(struct shim_file *file, void *arg)
{
   const struct drm_asahi_get_params *args = arg;
   const struct agx_chip *chip = asahi_device.chip;
   struct drm_asahi_params_global params = {
      .features = DRM_ASAHI_FEATURE_SOFT_FAULTS,
      .gpu_generation = chip->generation,
      .gpu_variant = (unsigned char)chip->variant,
      .gpu_revision = chip->revision,
      .chip_id = chip->chip_id,
      .num_dies = chip->num_dies,
      .num_clusters_total = chip->num_clusters,
      .num_cores_per_cluster = chip->num_cores_per_cluster,
      .max_frequency_khz = chip->max_frequency_kHz,
      .vm_start = ASAHI_VM_START,
      .vm_end = ASAHI_VM_END,
      .vm_kernel_min_size = ASAHI_VM_KERNEL_MIN_B,
      .max_commands_per_submission = ASAHI_MAX_COMMANDS,
      .max_attachments = ASAHI_MAX_ATTACHMENTS,
      .command_timestamp_frequency_hz = ASAHI_TIMESTAMP_HZ,
   };
   for (uint32_t i = 0; i < chip->num_clusters; i++)
      params.core_masks[i] = bit_mask(chip->num_cores_per_cluster);
   if (args->param_group || args->pad)
      return -EINVAL;
   return user_write(args->pointer, &params, MIN2(args->size, sizeof(params)));
}

static int
get_time(struct shim_file *file, void *arg)
{
   struct drm_asahi_get_time *args = arg;
   if (args->flags)
      return -EINVAL;
   args->gpu_timestamp = (uint64_t)shim_now_ns();
   return 0;
}

static const struct shim_ioctl ioctls[] = {
   [DRM_ASAHI_GET_PARAMS] = {get_params, sizeof(struct drm_asahi_get_params)},
   [DRM_ASAHI_GET_TIME] = {get_time, sizeof(struct drm_asahi_get_time)},
   [DRM_ASAHI_VM_CREATE] = {asahi_vm_create, sizeof(struct drm_asahi_vm_create)},
   [DRM_ASAHI_VM_DESTROY] = {asahi_vm_destroy, sizeof(struct drm_asahi_vm_destroy)},
   [DRM_ASAHI_VM_BIND] = {asahi_vm_bind, sizeof(struct drm_asahi_vm_bind)},
   [DRM_ASAHI_GEM_CREATE] = {asahi_gem_create, sizeof(struct drm_asahi_gem_create)},
   [DRM_ASAHI_GEM_MMAP_OFFSET] = {asahi_gem_mmap_offset, sizeof(struct drm_asahi_gem_mmap_offset)},
   [DRM_ASAHI_GEM_BIND_OBJECT] = {asahi_gem_bind_object, sizeof(struct drm_asahi_gem_bind_object)},
   [DRM_ASAHI_QUEUE_CREATE] = {asahi_queue_create, sizeof(struct drm_asahi_queue_create)},
   [DRM_ASAHI_QUEUE_DESTROY] = {asahi_queue_destroy, sizeof(struct drm_asahi_queue_destroy)},
   [DRM_ASAHI_SUBMIT] = {asahi_submit, sizeof(struct drm_asahi_submit)},
};

static struct shim_vendor vendor = {
   .driver = "asahi",
   .description = "Apple AGX",
   .ioctls = ioctls,
   .ioctl_count = ARRAY_SIZE(ioctls),
   .bo_B = sizeof(struct asahi_bo),
   .bo_free = asahi_record_forget,
   .bo_close = bo_close,
   .file_open = file_open,
   .file_close = file_close,
   .forked = forked,
};

static void
refuse_model(void)
{
   static const char *const outputs[] = {"INDIUM_DUMP_STATE", "INDIUM_TRACE"};
   if (shim_read_mode() == SHIM_MODE_MODEL) {
      log_error("INDIUM_GPU=%s has no model yet: INDIUM_MODE=noop starts programs on it and runs nothing",
                asahi_device.chip->name);
      exit(2);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(outputs); i++) {
      if (getenv(outputs[i])) {
         log_error("%s: nothing is written of %s, which has no model yet", outputs[i], asahi_device.chip->name);
         exit(2);
      }
   }
}

const struct shim_vendor *
shim_vendor_init(void)
{
   static char tree_name[64];
   const char *gpu = getenv("INDIUM_GPU");
   asahi_device.chip = agx_chip_by_name(gpu ? gpu : "m1");
   if (!asahi_device.chip) {
      log_error("INDIUM_GPU=%s: no such chip (see: indium gpus)", gpu);
      exit(2);
   }
   refuse_model();
   asahi_record_start(vendor.driver);
   snprintf(tree_name, sizeof(tree_name), "asahi-%s", asahi_device.chip->name);
   vendor.tree_name = tree_name;
   vendor.platform.name = "gpu";
   memcpy(vendor.platform.compatible, asahi_device.chip->compatible, sizeof(asahi_device.chip->compatible));
   return &vendor;
}

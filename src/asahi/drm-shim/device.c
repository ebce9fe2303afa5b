/* The device: which chip, what it tells of itself, the table of its ioctls. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "drm-shim/settings.h"
#include "drm-shim/shim.h"
#include "drm-shim/turns.h"
#include "drm-shim/user_memory.h"
#include "sim/waves/trace.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/open_output.h"

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
         asahi_queue_close(it);
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

/* Recording and jobs are the parent's, and so are the threads of the model: a new one is made when needed. */
static void
forked(void)
{
   asahi_device.recorder = NULL;
   asahi_device.sim = NULL;
   asahi_queues_forked();
   shim_turns_forked();
}

static int
get_params(struct shim_file *file, void *arg)
{
   const struct drm_asahi_get_params *args = arg;
   const struct agx_chip *chip = asahi_device.chip;
   struct drm_asahi_params_global params = {
      .features = asahi_device.no_soft_faults ? 0 : DRM_ASAHI_FEATURE_SOFT_FAULTS,
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
   memcpy(params.core_masks, chip->core_masks, sizeof(chip->core_masks));
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
   .submit_ioctl = DRM_ASAHI_SUBMIT,
   .bo_B = sizeof(struct asahi_bo),
   .bo_free = asahi_record_forget,
   .bo_close = bo_close,
   .has_fdinfo = false, /* drivers in Rust have no such file operation (rust/kernel/drm/gem/mod.rs, create_fops) */
   .file_open = file_open,
   .file_close = file_close,
   .forked = forked,
};

static bool
outputs_failed(void)
{
   return (asahi_device.dump && ferror(asahi_device.dump)) || (asahi_device.record && ferror(asahi_device.record)) ||
          (asahi_device.trace && sim_trace_failed(asahi_device.trace));
}

/* What noop mode has none of. */
static void
refuse_outputs(void)
{
   if (asahi_device.mode == SHIM_MODE_NOOP && getenv("INDIUM_DUMP_STATE")) {
      log_error("INDIUM_DUMP_STATE: INDIUM_MODE=noop runs nothing whose state could be written: record it, and see "
                "indium decode");
      exit(2);
   }
}

static void
read_environment(void)
{
   const char *gpu = getenv("INDIUM_GPU"), *schedule = getenv("INDIUM_SCHEDULE");
   const char *trace = getenv("INDIUM_TRACE");
   asahi_device.chip = agx_chip_by_name(gpu ? gpu : "m1");
   if (!asahi_device.chip) {
      log_error("INDIUM_GPU=%s: no such chip (see: indium gpus)", gpu);
      exit(2);
   }
   asahi_device.mode = shim_read_mode();
   refuse_outputs();
   if (schedule && !sim_schedule_parse(schedule, &asahi_device.schedule)) {
      log_error("INDIUM_SCHEDULE=%s: none of " SIM_SCHEDULE_NAMES, schedule);
      exit(2);
   }
   if (trace && !(asahi_device.trace = sim_trace_open(trace))) {
      log_error("INDIUM_TRACE=%s: cannot be written: %s", trace, strerror(errno));
      exit(2);
   }
   asahi_device.races = shim_read_races(asahi_device.mode);
   asahi_device.budget = shim_read_budget();
   asahi_device.threads = shim_read_threads();
   asahi_device.reference = shim_read_switch("INDIUM_REFERENCE");
   asahi_device.no_soft_faults = shim_read_switch("INDIUM_NO_SOFT_FAULTS");
   asahi_device.dump = open_output("INDIUM_DUMP_STATE");
   if (asahi_device.dump)
      setvbuf(asahi_device.dump, NULL, _IOLBF, 0); /* drivers add lines of their own */
   asahi_record_start(vendor.driver, schedule ? schedule : "in-order");
   asahi_jobs_init();
   shim_need_outputs(outputs_failed);
}

const struct shim_vendor *
shim_vendor_init(void)
{
   static char tree_name[64];
   read_environment();
   snprintf(tree_name, sizeof(tree_name), "asahi-%s", asahi_device.chip->name);
   vendor.tree_name = tree_name;
   vendor.platform.name = "gpu";
   memcpy(vendor.platform.compatible, asahi_device.chip->compatible, sizeof(asahi_device.chip->compatible));
   return &vendor;
}

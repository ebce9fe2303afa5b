/* The device: which chip, which mode, the table of its ioctls. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amd/drm-shim/amd_shim.h"
#include "drm-shim/settings.h"
#include "drm-shim/shim.h"
#include "drm-shim/turns.h"
#include "sim/waves/trace.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/open_output.h"
#include "util/within_memory.h"

struct amd_device amd_device;

struct list_head amd_files = {&amd_files, &amd_files};

static int
file_open(struct shim_file *shim_file)
{
   struct amd_file *file = shim_alloc(sizeof(*file));
   file->refs = 1;
   file->vm = sim_vm_create();
   list_init(&file->updates);
   list_init(&file->jobs);
   list_add_tail(&file->link, &amd_files);
   shim_file->vendor_data = file;
   return 0;
}

static void
file_close(struct shim_file *shim_file)
{
   struct amd_file *file = amd_file(shim_file);
   for (uint32_t id = 1; id < shim_handles_end(&file->contexts); id++) {
      struct amd_ctx *ctx = shim_handles_remove(&file->contexts, id);
      if (ctx) {
         ctx->closed = true;
         amd_ctx_unref(ctx);
      }
   }
   for (uint32_t id = 1; id < shim_handles_end(&file->bo_lists); id++)
      free(shim_handles_remove(&file->bo_lists, id));
   shim_handles_free(&file->contexts);
   shim_handles_free(&file->bo_lists);
   shim_wake(); /* idle queues end their threads */
   amd_file_unref(file);
}

void
amd_file_unref(struct amd_file *file)
{
   if (--file->refs)
      return;
   amd_va_destroy(file);
   sim_vm_destroy(file->vm);
   list_remove(&file->link);
   free(file);
}

static void
bo_close(struct shim_file *file, struct shim_bo *bo)
{
   amd_va_forget_bo(amd_file(file), (struct amd_bo *)bo);
}

static int
vm_ioctl(struct shim_file *file, void *arg)
{
   union drm_amdgpu_vm *args = arg;
   bool known = args->in.op == AMDGPU_VM_OP_RESERVE_VMID || args->in.op == AMDGPU_VM_OP_UNRESERVE_VMID;
   return known && !args->in.flags ? 0 : -EINVAL;
}

/* Only for the master of a primary node. */
static int
sched_ioctl(struct shim_file *file, void *arg)
{
   return -EACCES;
}

#define KERNEL_ENOTSUPP 524 /* which no header of user space names */

/* The kernel's answer where no engine has user queues, whatever the argument: so are all chips unless the module
 * parameter amdgpu.user_queue asks for them. */
static int
no_user_queues(struct shim_file *file, void *arg)
{
   return -KERNEL_ENOTSUPP;
}

/* Drops what the child of a fork(2) cannot finish. */
static void
forked(void)
{
   amd_device.recorder = NULL; /* the parent's */
   amd_device.changing = 0;
   shim_turns_forked();
   amd_device.sim = NULL; /* its threads are the parent's; a new one is made when needed */
   list_for_each(struct amd_file, file, &amd_files, link) {
      list_for_each(struct amd_job, job, &file->jobs, file_link)
         job->fence->signaled = true;
      /* The jobs are the parent's: nothing here refers to them any more, and no address waits for them. */
      list_init(&file->jobs);
      amd_va_flush(file);
      for (uint32_t id = 1; id < shim_handles_end(&file->contexts); id++) {
         struct amd_ctx *ctx = shim_handles_get(&file->contexts, id);
         for (unsigned i = 0; ctx && i < AMD_IPS * AMD_MAX_RINGS; i++) {
            struct amd_queue *queue = &ctx->queues[i / AMD_MAX_RINGS][i % AMD_MAX_RINGS];
            shim_worker_forked(&queue->worker);
         }
      }
   }
}

static const struct shim_ioctl ioctls[] = {
   [DRM_AMDGPU_GEM_CREATE] = {amd_gem_create, sizeof(union drm_amdgpu_gem_create)},
   [DRM_AMDGPU_GEM_MMAP] = {amd_gem_mmap, sizeof(union drm_amdgpu_gem_mmap)},
   [DRM_AMDGPU_CTX] = {amd_ctx_ioctl, sizeof(union drm_amdgpu_ctx)},
   [DRM_AMDGPU_BO_LIST] = {amd_bo_list, sizeof(union drm_amdgpu_bo_list)},
   [DRM_AMDGPU_CS] = {amd_cs, sizeof(union drm_amdgpu_cs)},
   [DRM_AMDGPU_INFO] = {amd_info, sizeof(struct drm_amdgpu_info)},
   [DRM_AMDGPU_GEM_METADATA] = {amd_gem_metadata, sizeof(struct drm_amdgpu_gem_metadata)},
   [DRM_AMDGPU_GEM_WAIT_IDLE] = {amd_gem_wait_idle, sizeof(union drm_amdgpu_gem_wait_idle)},
   [DRM_AMDGPU_GEM_VA] = {amd_gem_va, sizeof(struct amd_gem_va_args)},
   [DRM_AMDGPU_WAIT_CS] = {amd_wait_cs, sizeof(union drm_amdgpu_wait_cs)},
   [DRM_AMDGPU_GEM_OP] = {amd_gem_op, sizeof(struct drm_amdgpu_gem_op)},
   [DRM_AMDGPU_GEM_USERPTR] = {amd_gem_userptr, sizeof(struct drm_amdgpu_gem_userptr)},
   [DRM_AMDGPU_WAIT_FENCES] = {amd_wait_fences, sizeof(union drm_amdgpu_wait_fences)},
   [DRM_AMDGPU_VM] = {vm_ioctl, sizeof(union drm_amdgpu_vm)},
   [DRM_AMDGPU_FENCE_TO_HANDLE] = {amd_fence_to_handle, sizeof(union drm_amdgpu_fence_to_handle)},
   [DRM_AMDGPU_SCHED] = {sched_ioctl, sizeof(union drm_amdgpu_sched)},
   [AMD_USERQ] = {no_user_queues, 0},
   [AMD_USERQ_SIGNAL] = {no_user_queues, 0},
   [AMD_USERQ_WAIT] = {no_user_queues, 0},
};

static struct shim_vendor vendor = {
   .driver = "amdgpu",
   .description = "AMD GPU",
   .version_major = 3,
   .version_minor = 64,
   .ioctls = ioctls,
   .ioctl_count = ARRAY_SIZE(ioctls),
   .submit_ioctl = DRM_AMDGPU_CS,
   .ioctls_need_auth = true,
   .bo_B = sizeof(struct amd_bo),
   .bo_free = amd_bo_free,
   .bo_close = bo_close,
   .user_pages_change = amd_va_user_pages_change,
   .has_fdinfo = true,
   .print_fdinfo = amd_print_fdinfo,
   .file_open = file_open,
   .file_close = file_close,
   .forked = forked,
};

static bool
outputs_failed(void)
{
   return (amd_device.dump && ferror(amd_device.dump)) || (amd_device.record && ferror(amd_device.record)) ||
          (amd_device.trace && sim_trace_failed(amd_device.trace)) ||
          (amd_device.report && ferror(amd_device.report));
}

static pid_t reporter; /* children have copies of the counts */

static void
write_report(void)
{
   if (!amd_device.sim || reporter != getpid())
      return;
   amd_sim_write_report(amd_device.sim, amd_device.report);
   fflush(amd_device.report);
}

static void
start_report(void)
{
   if (amd_device.mode == SHIM_MODE_NOOP)
      return;
   amd_device.report = open_output("INDIUM_REPORT");
   if (!amd_device.report)
      return;
   reporter = getpid();
   atexit(write_report);
}

/* Processes that a program starts add theirs. */
static void
write_order(void)
{
   FILE *out = amd_device.sim && reporter == getpid() ? fopen(amd_device.order_check, "ae") : NULL;
   if (out)
      amd_sim_write_order(amd_device.sim, out);
   if (out ? fclose(out) : amd_device.sim && reporter == getpid())
      log_error("INDIUM_ORDER_CHECK=%s: cannot be written: %s", amd_device.order_check, strerror(errno));
}

static void
start_order_check(void)
{
   amd_device.out_of_order = shim_read_switch("INDIUM_OUT_OF_ORDER");
   amd_device.order_check = amd_device.mode == SHIM_MODE_NOOP ? NULL : getenv("INDIUM_ORDER_CHECK");
   amd_device.order_seeds = shim_read_count("INDIUM_ORDER_SEEDS", 8, 1000);
   if (!amd_device.order_check)
      return;
   if (amd_device.record) {
      log_error("INDIUM_ORDER_CHECK: not while a recording is made");
      exit(2);
   }
   reporter = getpid();
   atexit(write_order);
}

static void
start_recording(const char *schedule)
{
   const char *path = getenv("INDIUM_RECORD");
   if (!path)
      return;
   if (amd_device.mode == SHIM_MODE_NOOP) {
      log_error("INDIUM_RECORD=%s: INDIUM_MODE=noop runs nothing that could be recorded", path);
      exit(2);
   }
   amd_device.record = open_output("INDIUM_RECORD");
   amd_device.recorder = sim_recorder_create(amd_device.record, vendor.driver, amd_device.chip->name, schedule, NULL);
   if (!amd_device.recorder)
      out_of_memory("the recording", 0);
}

static void
read_environment(void)
{
   const char *gpu = getenv("INDIUM_GPU"), *schedule = getenv("INDIUM_SCHEDULE");
   amd_device.chip = amd_chip_by_name(gpu ? gpu : "navi21");
   if (!amd_device.chip) {
      log_error("INDIUM_GPU=%s: no such chip (see: indium gpus)", gpu);
      exit(2);
   }
   amd_device.mode = shim_read_mode();
   const char *trace = getenv("INDIUM_TRACE");
   amd_device.races = shim_read_races(amd_device.mode);
   amd_device.dump = open_output("INDIUM_DUMP_STATE");
   if (trace && !(amd_device.trace = sim_trace_open(trace))) {
      log_error("INDIUM_TRACE=%s: cannot be written: %s", trace, strerror(errno));
      exit(2);
   }
   if (schedule && !sim_schedule_parse(schedule, &amd_device.schedule)) {
      log_error("INDIUM_SCHEDULE=%s: none of " SIM_SCHEDULE_NAMES, schedule);
      exit(2);
   }
   amd_device.budget = shim_read_budget();
   amd_device.threads = shim_read_threads();
   amd_device.reference = shim_read_switch("INDIUM_REFERENCE");
   start_recording(schedule ? schedule : "in-order");
   shim_need_outputs(outputs_failed);
   start_report();
   start_order_check();
   amd_jobs_init();
}

const struct shim_vendor *
shim_vendor_init(void)
{
   static char tree_name[64];
   read_environment();
   const struct amd_chip *chip = amd_device.chip;
   snprintf(tree_name, sizeof(tree_name), "amdgpu-%s", chip->name);
   vendor.tree_name = tree_name;
   vendor.pci.vendor = AMD_PCI_VENDOR;
   vendor.pci.device = chip->device_id;
   vendor.pci.subsystem_vendor = chip->subsystem_vendor;
   vendor.pci.subsystem_device = chip->subsystem_id;
   vendor.pci.revision = chip->pci_rev;
   return &vendor;
}

/* GETPARAM and other things that are asked of the whole device. */
#include <errno.h>

#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "intel/drm-shim/intel_shim.h"
#include "util/macros.h"

/* Newer than the header. */
#define I915_PARAM_OA_TIMESTAMP_FREQUENCY 57
#define I915_PARAM_PXP_STATUS 58

#define TIMESTAMP_REGISTER 0x2358 /* of the render engine */
#define COMMAND_PARSER 10         /* version: what Haswell's lets through (MI_LOAD_REGISTER_MEM, MI_MATH, ...) */
#define FULL_PPGTT 2
#define APERTURE_B (UINT64_C(2) << 30)

/* Of the whole chip; no part is fused off. */
static int
read_chip(int param, int *value)
{
   const struct intel_chip *chip = intel_device.chip;
   switch (param) {
   case I915_PARAM_CHIPSET_ID:
      return *value = (int)chip->device_id, 0;
   case I915_PARAM_REVISION:
      return *value = (int)chip->revision, 0;
   case I915_PARAM_SUBSLICE_TOTAL:
      return *value = (int)(chip->slices * chip->subslices), 0;
   case I915_PARAM_EU_TOTAL:
      return *value = (int)(chip->slices * chip->subslices * chip->eus), 0;
   case I915_PARAM_SLICE_MASK:
      return *value = (int)bit_mask(chip->slices), 0;
   case I915_PARAM_SUBSLICE_MASK:
      return *value = (int)bit_mask(chip->subslices), 0;
   case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
      return *value = (int)chip->timestamp_Hz, 0;
   case I915_PARAM_HAS_EXEC_SOFTPIN:
      return *value = 1, 0;
   case I915_PARAM_CMD_PARSER_VERSION:
      return *value = chip->va_bits < 48 ? COMMAND_PARSER : 0, 0;
   default:
      return -ENOENT;
   }
}

/* What the kernel has for these chips. */
static int
read_switch(int param, int *value)
{
   switch (param) {
   case I915_PARAM_HAS_GEM:
   case I915_PARAM_HAS_EXECBUF2:
   case I915_PARAM_HAS_BLT:
   case I915_PARAM_HAS_BSD:
   case I915_PARAM_HAS_VEBOX:
   case I915_PARAM_HAS_RELAXED_FENCING:
   case I915_PARAM_HAS_RELAXED_DELTA:
   case I915_PARAM_HAS_COHERENT_RINGS:
   case I915_PARAM_HAS_GEN7_SOL_RESET:
   case I915_PARAM_HAS_LLC:
   case I915_PARAM_HAS_WAIT_TIMEOUT:
   case I915_PARAM_HAS_PRIME_VMAP_FLUSH:
   case I915_PARAM_HAS_EXEC_NO_RELOC:
   case I915_PARAM_HAS_EXEC_HANDLE_LUT:
   case I915_PARAM_HAS_COHERENT_PHYS_GTT:
   case I915_PARAM_HAS_EXEC_ASYNC:
   case I915_PARAM_HAS_EXEC_FENCE:
   case I915_PARAM_HAS_EXEC_CAPTURE:
   case I915_PARAM_HAS_EXEC_BATCH_FIRST:
   case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
   case I915_PARAM_HAS_EXEC_SUBMIT_FENCE:
   case I915_PARAM_HAS_EXEC_TIMELINE_FENCES:
   case I915_PARAM_HAS_USERPTR_PROBE:
   case I915_PARAM_HAS_CONTEXT_ISOLATION:
   case I915_PARAM_MMAP_GTT_COHERENT:
   case I915_PARAM_MMAP_VERSION:
      return *value = 1, 0;
   case I915_PARAM_HAS_ALIASING_PPGTT:
      return *value = FULL_PPGTT, 0;
   case I915_PARAM_MMAP_GTT_VERSION: /* MMAP_OFFSET is there */
      return *value = 4, 0;
   case I915_PARAM_NUM_FENCES_AVAIL:
      return *value = 32, 0;
   default:
      return -ENOENT;
   }
}

/* What these chips or this shim do not have. */
static int
read_absent(int param, int *value)
{
   switch (param) {
   case I915_PARAM_HAS_SCHEDULER:
   case I915_PARAM_HAS_GPU_RESET:
   case I915_PARAM_HAS_SEMAPHORES:
   case I915_PARAM_HAS_SECURE_BATCHES:
   case I915_PARAM_HAS_PINNED_BATCHES:
   case I915_PARAM_HAS_EXEC_CONSTANTS:
   case I915_PARAM_HAS_RESOURCE_STREAMER:
   case I915_PARAM_HAS_POOLED_EU:
   case I915_PARAM_MIN_EU_IN_POOL:
   case I915_PARAM_HAS_OVERLAY:
   case I915_PARAM_HAS_PAGEFLIPPING:
   case I915_PARAM_HAS_WT:
   case I915_PARAM_HAS_BSD2:
   case I915_PARAM_HUC_STATUS:
   case I915_PARAM_PERF_REVISION:
      return *value = 0, 0;
   case I915_PARAM_IRQ_ACTIVE: /* of drivers before buffers */
   case I915_PARAM_ALLOW_BATCHBUFFER:
   case I915_PARAM_LAST_DISPATCH:
   case I915_PARAM_OA_TIMESTAMP_FREQUENCY: /* no performance counters */
   case I915_PARAM_PXP_STATUS:             /* no protected content */
      return -ENODEV;
   default: /* others: of later kernels */
      return intel_unknown("GETPARAM", (uint64_t)param);
   }
}

int
intel_getparam(struct shim_file *file, void *arg)
{
   const struct drm_i915_getparam *args = arg;
   int value, error = read_chip(args->param, &value);
   if (error == -ENOENT)
      error = read_switch(args->param, &value);
   if (error == -ENOENT)
      error = read_absent(args->param, &value);
   return error ? error : user_write((uintptr_t)args->value, &value, sizeof(value));
}

/* The low bit asks for a read of both halves at once. */
int
intel_reg_read(struct shim_file *file, void *arg)
{
   struct drm_i915_reg_read *args = arg;
   uint64_t offset = args->offset & ~(uint64_t)I915_REG_READ_8B_WA;
   if (offset != TIMESTAMP_REGISTER)
      return intel_unknown("REG_READ", args->offset);
   uint64_t now_ns = (uint64_t)shim_now_ns(), rate_Hz = intel_device.chip->timestamp_Hz;
   args->val = now_ns / 1000000000 * rate_Hz + now_ns % 1000000000 * rate_Hz / 1000000000;
   return 0;
}

int
intel_get_aperture(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_get_aperture *args = arg;
   args->aper_size = args->aper_available_size = APERTURE_B;
   return 0;
}

/* Nothing hangs where nothing runs. */
int
intel_reset_stats(struct shim_file *file, void *arg)
{
   struct drm_i915_reset_stats *args = arg;
   if (args->flags || args->pad)
      return -EINVAL;
   if (!intel_context_get(file, args->ctx_id))
      return -ENOENT;
   args->reset_count = args->batch_active = args->batch_pending = 0;
   return 0;
}

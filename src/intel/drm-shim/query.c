/* DRM_I915_QUERY: lists of things whose length the program asks for first. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "intel/drm-shim/intel_shim.h"
#include "util/macros.h"

#define MAX_ITEMS 64
#define DRM_I915_QUERY_GUC_SUBMISSION_VERSION 7 /* newer than the header */

/* An answer; the caller's to free. */
struct answer {
   void *data;
   size_t size_B;
};

static struct answer
make_answer(size_t size_B)
{
   return (struct answer){shim_alloc(size_B), size_B};
}

/* Masks a byte each, as no count exceeds 8 or 16: slices, the subslices of each slice, the EUs of each subslice. */
static struct answer
topology(void)
{
   const struct intel_chip *chip = intel_device.chip;
   unsigned eu_stride = (unsigned)div_round_up(chip->eus, 8), all = chip->slices * chip->subslices;
   unsigned eu_offset = 1 + chip->slices;
   struct answer answer = make_answer(sizeof(struct drm_i915_query_topology_info) + eu_offset + all * eu_stride);
   struct drm_i915_query_topology_info *info = answer.data;
   *info = (struct drm_i915_query_topology_info){
      .max_slices = (uint16_t)chip->slices,
      .max_subslices = (uint16_t)chip->subslices,
      .max_eus_per_subslice = (uint16_t)chip->eus,
      .subslice_offset = 1,
      .subslice_stride = 1,
      .eu_offset = (uint16_t)eu_offset,
      .eu_stride = (uint16_t)eu_stride,
   };
   uint64_t eus = bit_mask(chip->eus);
   info->data[0] = (uint8_t)bit_mask(chip->slices);
   memset(info->data + 1, (int)bit_mask(chip->subslices), chip->slices);
   for (unsigned i = 0; i < all * eu_stride; i++)
      info->data[eu_offset + i] = (uint8_t)(eus >> i % eu_stride * 8);
   return answer;
}

static struct answer
engines(void)
{
   static const uint16_t classes[] = {I915_ENGINE_CLASS_RENDER, I915_ENGINE_CLASS_COPY, I915_ENGINE_CLASS_VIDEO,
                                      I915_ENGINE_CLASS_VIDEO_ENHANCE};
   struct answer answer = make_answer(sizeof(struct drm_i915_query_engine_info) +
                                      ARRAY_SIZE(classes) * sizeof(struct drm_i915_engine_info));
   struct drm_i915_query_engine_info *info = answer.data;
   info->num_engines = ARRAY_SIZE(classes);
   for (unsigned i = 0; i < ARRAY_SIZE(classes); i++)
      info->engines[i].engine.engine_class = classes[i];
   return answer;
}

static struct answer
regions(void)
{
   struct answer answer =
      make_answer(sizeof(struct drm_i915_query_memory_regions) + sizeof(struct drm_i915_memory_region_info));
   struct drm_i915_query_memory_regions *info = answer.data;
   info->num_regions = 1;
   info->regions[0].region.memory_class = I915_MEMORY_CLASS_SYSTEM;
   info->regions[0].probed_size = info->regions[0].unallocated_size = intel_device.chip->system_B;
   return answer;
}

/* As the kernel: a length of 0 asks for the length, and errors of one item stand in its length. */
static void
answer_item(struct drm_i915_query_item *item)
{
   struct answer answer = {0};
   switch (item->query_id) {
   case DRM_I915_QUERY_TOPOLOGY_INFO:
      answer = topology();
      break;
   case DRM_I915_QUERY_ENGINE_INFO:
      answer = engines();
      break;
   case DRM_I915_QUERY_MEMORY_REGIONS:
      answer = regions();
      break;
   case DRM_I915_QUERY_GEOMETRY_SUBSLICES: /* of chips from 12.5 on */
   case DRM_I915_QUERY_HWCONFIG_BLOB:      /* of chips with GuC's table */
   case DRM_I915_QUERY_PERF_CONFIG:        /* no performance counters */
   case DRM_I915_QUERY_GUC_SUBMISSION_VERSION:
      item->length = -ENODEV;
      return;
   default:
      item->length = intel_unknown("QUERY", item->query_id);
      return;
   }
   if (item->flags)
      item->length = -EINVAL;
   else if (!item->length)
      item->length = (int32_t)answer.size_B;
   else if (item->length < (int32_t)answer.size_B)
      item->length = -EINVAL;
   else
      item->length = user_write(item->data_ptr, answer.data, answer.size_B) ? -EFAULT : (int32_t)answer.size_B;
   free(answer.data);
}

int
intel_query(struct shim_file *file, void *arg)
{
   const struct drm_i915_query *args = arg;
   if (args->flags || args->num_items > MAX_ITEMS)
      return -EINVAL;
   for (uint32_t i = 0; i < args->num_items; i++) {
      struct drm_i915_query_item item;
      uint64_t at = args->items_ptr + i * sizeof(item);
      if (user_read(&item, at, sizeof(item)))
         return -EFAULT;
      answer_item(&item);
      if (user_write(at, &item, sizeof(item)))
         return -EFAULT;
   }
   return 0;
}

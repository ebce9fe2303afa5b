#ifndef INDIUM_VK_PIPELINE_H
#define INDIUM_VK_PIPELINE_H

#include "gallium/frontends/vulkan/vk_private.h"

#define VK_CAPTURE_FLAGS                                                                                             \
   (VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR | VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR)

static inline bool
vk_pipeline_captures_text(const struct vk_pipeline *pipeline)
{
   return pipeline->capture & VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
}

void vk_pipeline_destroy(struct vk_device *device, struct vk_pipeline *pipeline,
                         const VkAllocationCallbacks *allocator);

#endif

#ifndef INDIUM_VK_PIPELINE_H
#define INDIUM_VK_PIPELINE_H

#include "gallium/frontends/vulkan/vk_private.h"

void vk_pipeline_destroy(struct vk_device *device, struct vk_pipeline *pipeline,
                         const VkAllocationCallbacks *allocator);

#endif

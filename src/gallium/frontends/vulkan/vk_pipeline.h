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

/* Those of VkPipelineCreateFlags2CreateInfo, if the chain has it. */
VkPipelineCreateFlags2 vk_pipeline_flags(VkPipelineCreateFlags flags, const void *chain);

/* What VkPipelineCreationFeedbackCreateInfo is filled with; without one nothing is. */
struct vk_feedback {
   const VkPipelineCreationFeedbackCreateInfo *info;
   uint64_t start_ns;
};
struct vk_feedback vk_feedback_begin(const void *chain);
/* hit: in the application's pipeline cache. */
void vk_feedback_end(const struct vk_feedback *feedback, bool hit);

/* The result of one pipeline becomes a part of the result of all. False: the others are not created. */
bool vk_pipelines_continue(VkResult one, VkPipelineCreateFlags2 flags, VkResult *all);

void vk_pipeline_destroy(struct vk_device *device, struct vk_pipeline *pipeline,
                         const VkAllocationCallbacks *allocator);

#endif

/* Shader stages that outlive what they were described with. */
#ifndef INDIUM_VK_STAGE_COPY_H
#define INDIUM_VK_STAGE_COPY_H

#include "gallium/frontends/vulkan/vk_private.h"

/* With one reference; NULL when out of memory. */
struct vk_stage_copy *vk_stage_copy(struct vk_device *device, const VkPipelineShaderStageCreateInfo *stage);

struct vk_stage_copy *vk_stage_copy_ref(struct vk_stage_copy *copy);

/* NULL is fine. */
void vk_stage_copy_unref(struct vk_device *device, struct vk_stage_copy *copy);

#endif

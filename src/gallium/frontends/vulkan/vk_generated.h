/* VK_EXT_device_generated_commands. */
#ifndef INDIUM_VK_GENERATED_H
#define INDIUM_VK_GENERATED_H

#include "gallium/frontends/vulkan/vk_private.h"

/* VkIndirectCommandsLayoutEXT. */
struct vk_token_layout {
   struct pipe_token_layout layout;
};

/* VkIndirectExecutionSetEXT. */
struct vk_execution_set {
   struct pipe_execution_set *set;
};

void vk_generated_properties(const struct pipe_caps *caps,
                             VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT *properties);

#endif

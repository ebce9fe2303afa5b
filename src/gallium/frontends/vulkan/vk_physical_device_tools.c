/* Tools of the driver's own that watch applications. */
#include "gallium/frontends/vulkan/vk_private.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceToolProperties(VkPhysicalDevice physicalDevice, uint32_t *pToolCount,
                                       VkPhysicalDeviceToolProperties *pToolProperties)
{
   *pToolCount = 0;
   return VK_SUCCESS;
}

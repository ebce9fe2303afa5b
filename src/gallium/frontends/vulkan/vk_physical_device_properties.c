/* Properties and limits of a physical device: vk_device_table.txt lists them. */
#include "gallium/frontends/vulkan/vk_private.h"

void
vk_layered_apis(const struct pipe_caps *caps, VkPhysicalDeviceLayeredApiPropertiesListKHR *apis)
{
   apis->layeredApiCount = 0;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2 *pProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   for (VkBaseOutStructure *it = (VkBaseOutStructure *)pProperties; it; it = it->pNext)
      vk_fill_properties(device, it);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties *pProperties)
{
   VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
   indium_GetPhysicalDeviceProperties2(physicalDevice, &all);
   *pProperties = all.properties;
}

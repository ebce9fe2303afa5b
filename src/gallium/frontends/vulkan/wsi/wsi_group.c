/* Presenting with device groups, which have one device here. */
#include "gallium/frontends/vulkan/wsi/wsi.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetDeviceGroupPresentCapabilitiesKHR(VkDevice device,
                                            VkDeviceGroupPresentCapabilitiesKHR *pDeviceGroupPresentCapabilities)
{
   memset(pDeviceGroupPresentCapabilities->presentMask, 0, sizeof(pDeviceGroupPresentCapabilities->presentMask));
   pDeviceGroupPresentCapabilities->presentMask[0] = 1;
   pDeviceGroupPresentCapabilities->modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetDeviceGroupSurfacePresentModesKHR(VkDevice device, VkSurfaceKHR surface,
                                            VkDeviceGroupPresentModeFlagsKHR *pModes)
{
   *pModes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
   return VK_SUCCESS;
}

/* The whole surface. */
VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                             uint32_t *pRectCount, VkRect2D *pRects)
{
   VK_FROM(vk_physical_device, physical, physicalDevice);
   struct wsi_description description;
   VkResult result = wsi_describe(physical, (VkIcdSurfaceBase *)(uintptr_t)surface, &description);
   const VkRect2D whole = {{0, 0}, description.extent};
   if (result == VK_SUCCESS)
      VK_ENUMERATE(pRects, pRectCount, 1u, &whole, result);
   return result;
}

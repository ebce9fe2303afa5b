/* Displays without a window system (VK_KHR_display, direct mode). The driver opens render nodes, which have none and
 * cannot show anything, so it lists no display and no plane. Applications find that out as the API wants it: from
 * empty lists. A display that is named all the same cannot be acquired, has no mode and takes no surface. */
#include "gallium/frontends/vulkan/vk_private.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceDisplayPropertiesKHR(VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
                                             VkDisplayPropertiesKHR *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceDisplayProperties2KHR(VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
                                              VkDisplayProperties2KHR *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceDisplayPlanePropertiesKHR(VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
                                                  VkDisplayPlanePropertiesKHR *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceDisplayPlaneProperties2KHR(VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
                                                   VkDisplayPlaneProperties2KHR *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetDisplayPlaneSupportedDisplaysKHR(VkPhysicalDevice physicalDevice, uint32_t planeIndex,
                                           uint32_t *pDisplayCount, VkDisplayKHR *pDisplays)
{
   *pDisplayCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetDisplayModePropertiesKHR(VkPhysicalDevice physicalDevice, VkDisplayKHR display, uint32_t *pPropertyCount,
                                   VkDisplayModePropertiesKHR *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetDisplayModeProperties2KHR(VkPhysicalDevice physicalDevice, VkDisplayKHR display, uint32_t *pPropertyCount,
                                    VkDisplayModeProperties2KHR *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateDisplayModeKHR(VkPhysicalDevice physicalDevice, VkDisplayKHR display,
                            const VkDisplayModeCreateInfoKHR *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                            VkDisplayModeKHR *pMode)
{
   *pMode = VK_NULL_HANDLE;
   return VK_ERROR_INITIALIZATION_FAILED;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetDisplayPlaneCapabilitiesKHR(VkPhysicalDevice physicalDevice, VkDisplayModeKHR mode, uint32_t planeIndex,
                                      VkDisplayPlaneCapabilitiesKHR *pCapabilities)
{
   *pCapabilities = (VkDisplayPlaneCapabilitiesKHR){0};
   return VK_ERROR_UNKNOWN;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetDisplayPlaneCapabilities2KHR(VkPhysicalDevice physicalDevice,
                                       const VkDisplayPlaneInfo2KHR *pDisplayPlaneInfo,
                                       VkDisplayPlaneCapabilities2KHR *pCapabilities)
{
   return indium_GetDisplayPlaneCapabilitiesKHR(physicalDevice, pDisplayPlaneInfo->mode,
                                                pDisplayPlaneInfo->planeIndex, &pCapabilities->capabilities);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateDisplayPlaneSurfaceKHR(VkInstance instance, const VkDisplaySurfaceCreateInfoKHR *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator, VkSurfaceKHR *pSurface)
{
   *pSurface = VK_NULL_HANDLE;
   return VK_ERROR_UNKNOWN;
}

/* ---- displays that a window system or another process gives away ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_ReleaseDisplayEXT(VkPhysicalDevice physicalDevice, VkDisplayKHR display)
{
   return VK_SUCCESS; /* it has no other result */
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_AcquireDrmDisplayEXT(VkPhysicalDevice physicalDevice, int32_t drmFd, VkDisplayKHR display)
{
   return VK_ERROR_INITIALIZATION_FAILED;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetDrmDisplayEXT(VkPhysicalDevice physicalDevice, int32_t drmFd, uint32_t connectorId, VkDisplayKHR *display)
{
   *display = VK_NULL_HANDLE;
   return VK_ERROR_INITIALIZATION_FAILED;
}

/* Displays that an X server gives away (VK_EXT_acquire_xlib_display): as wsi_display.c says, there are none. */
#define VK_USE_PLATFORM_XLIB_XRANDR_EXT
#include <X11/extensions/Xrandr.h>

#include "gallium/frontends/vulkan/vk_private.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_AcquireXlibDisplayEXT(VkPhysicalDevice physicalDevice, Display *dpy, VkDisplayKHR display)
{
   return VK_ERROR_INITIALIZATION_FAILED;
}

/* That an output is no display of this device is no error. */
VKAPI_ATTR VkResult VKAPI_CALL
indium_GetRandROutputDisplayEXT(VkPhysicalDevice physicalDevice, Display *dpy, RROutput rrOutput,
                                VkDisplayKHR *pDisplay)
{
   *pDisplay = VK_NULL_HANDLE;
   return VK_SUCCESS;
}

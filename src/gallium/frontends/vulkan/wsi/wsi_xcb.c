/* Windows that applications open with libxcb. */
#define VK_USE_PLATFORM_XCB_KHR
#include "gallium/frontends/vulkan/wsi/wsi_x11.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateXcbSurfaceKHR(VkInstance _instance, const VkXcbSurfaceCreateInfoKHR *pCreateInfo,
                           const VkAllocationCallbacks *pAllocator, VkSurfaceKHR *pSurface)
{
   VK_FROM(vk_instance, instance, _instance);
   VkIcdSurfaceXcb *surface = vk_alloc(&instance->alloc, pAllocator, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->base.platform = VK_ICD_WSI_PLATFORM_XCB;
   surface->connection = pCreateInfo->connection;
   surface->window = pCreateInfo->window;
   *pSurface = VK_TO(VkSurfaceKHR, surface);
   return VK_SUCCESS;
}

VKAPI_ATTR VkBool32 VKAPI_CALL
indium_GetPhysicalDeviceXcbPresentationSupportKHR(VkPhysicalDevice physicalDevice, uint32_t queueFamilyIndex,
                                                  xcb_connection_t *connection, xcb_visualid_t visual_id)
{
   return wsi_x11_supports(connection, visual_id);
}

static struct wsi_x11_window
window(const VkIcdSurfaceBase *base)
{
   const VkIcdSurfaceXcb *surface = (const VkIcdSurfaceXcb *)base;
   return (struct wsi_x11_window){surface->connection, surface->window};
}

static VkResult
describe(const VkIcdSurfaceBase *surface, struct wsi_description *out)
{
   return wsi_x11_describe(window(surface), out);
}

static VkResult
open(struct wsi_swapchain *swapchain)
{
   return wsi_x11_open(swapchain, window(swapchain->surface));
}

const struct wsi_platform wsi_xcb = {
   .kind = VK_ICD_WSI_PLATFORM_XCB,
   .describe = describe,
   .open = open,
   .close = wsi_x11_close,
   .check = wsi_x11_check,
   .show = wsi_x11_show,
   .add = wsi_x11_dri3_add,
   .hear = wsi_x11_dri3_hear,
};

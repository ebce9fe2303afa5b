/* Windows that applications open with libX11: its connections are libxcb's, if libX11-xcb is there to say which. */
#define VK_USE_PLATFORM_XLIB_KHR
#include <X11/Xlib-xcb.h>
#include <dlfcn.h>

#include "gallium/frontends/vulkan/wsi/wsi_x11.h"

static void *get_connection; /* XGetXCBConnection */

static void
load(void)
{
   void *library = dlopen("libX11-xcb.so.1", RTLD_NOW | RTLD_LOCAL);
   get_connection = library ? dlsym(library, "XGetXCBConnection") : NULL;
}

/* NULL: the library is missing. */
static xcb_connection_t *
connection(Display *display)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   pthread_once(&once, load);
   return get_connection ? ((__typeof__(XGetXCBConnection) *)get_connection)(display) : NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateXlibSurfaceKHR(VkInstance _instance, const VkXlibSurfaceCreateInfoKHR *pCreateInfo,
                            const VkAllocationCallbacks *pAllocator, VkSurfaceKHR *pSurface)
{
   VK_FROM(vk_instance, instance, _instance);
   VkIcdSurfaceXlib *surface = vk_alloc(&instance->alloc, pAllocator, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->base.platform = VK_ICD_WSI_PLATFORM_XLIB;
   surface->dpy = pCreateInfo->dpy;
   surface->window = pCreateInfo->window;
   *pSurface = VK_TO(VkSurfaceKHR, surface);
   return VK_SUCCESS;
}

VKAPI_ATTR VkBool32 VKAPI_CALL
indium_GetPhysicalDeviceXlibPresentationSupportKHR(VkPhysicalDevice physicalDevice, uint32_t queueFamilyIndex,
                                                   Display *dpy, VisualID visualID)
{
   xcb_connection_t *of = connection(dpy);
   return of && wsi_x11_supports(of, (xcb_visualid_t)visualID);
}

static struct wsi_x11_window
window(const VkIcdSurfaceBase *base)
{
   const VkIcdSurfaceXlib *surface = (const VkIcdSurfaceXlib *)base;
   return (struct wsi_x11_window){connection(surface->dpy), (xcb_window_t)surface->window};
}

static VkResult
describe(const VkIcdSurfaceBase *surface, struct wsi_description *out)
{
   const struct wsi_x11_window on = window(surface);
   return on.connection ? wsi_x11_describe(on, out) : VK_ERROR_SURFACE_LOST_KHR;
}

static VkResult
open(struct wsi_swapchain *swapchain)
{
   const struct wsi_x11_window on = window(swapchain->surface);
   return on.connection ? wsi_x11_open(swapchain, on) : VK_ERROR_SURFACE_LOST_KHR;
}

const struct wsi_platform wsi_xlib = {
   .kind = VK_ICD_WSI_PLATFORM_XLIB,
   .describe = describe,
   .open = open,
   .close = wsi_x11_close,
   .check = wsi_x11_check,
   .show = wsi_x11_show,
   .add = wsi_x11_dri3_add,
   .hear = wsi_x11_dri3_hear,
};

/* VK_KHR_display and direct mode where there is no display: lists are empty, nothing can be acquired. */
#define VK_USE_PLATFORM_XLIB_XRANDR_EXT
#include <stdio.h>
#include <stdlib.h>

#include "vkt.h"

#define PROC(name) ((PFN_##name)vkGetInstanceProcAddr(instance, #name))

static VkInstance instance;
static VkPhysicalDevice physical;

static void
init(void)
{
   static const char *const extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME,
                                            VK_KHR_DISPLAY_EXTENSION_NAME,
                                            VK_KHR_GET_DISPLAY_PROPERTIES_2_EXTENSION_NAME,
                                            VK_EXT_DIRECT_MODE_DISPLAY_EXTENSION_NAME,
                                            VK_EXT_ACQUIRE_DRM_DISPLAY_EXTENSION_NAME,
                                            VK_EXT_ACQUIRE_XLIB_DISPLAY_EXTENSION_NAME};
   const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
   const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pApplicationInfo = &app,
                                      .enabledExtensionCount = sizeof(extensions) / sizeof(extensions[0]),
                                      .ppEnabledExtensionNames = extensions};
   vkx_check(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
   uint32_t count = 1;
   const VkResult result = vkEnumeratePhysicalDevices(instance, &count, &physical);
   vkx_check(result == VK_INCOMPLETE ? VK_SUCCESS : result, "vkEnumeratePhysicalDevices");
}

/* Also with room for some: none is written, and the count says so. */
static void
check_lists(void)
{
   VkDisplayPropertiesKHR displays[2];
   VkDisplayPlanePropertiesKHR planes[2];
   uint32_t count = 7;
   vkt_expect(PROC(vkGetPhysicalDeviceDisplayPropertiesKHR)(physical, &count, NULL) == VK_SUCCESS && !count,
              "%u displays", count);
   count = 2;
   vkt_expect(PROC(vkGetPhysicalDeviceDisplayPropertiesKHR)(physical, &count, displays) == VK_SUCCESS && !count,
              "%u displays in a list", count);
   count = 7;
   vkt_expect(PROC(vkGetPhysicalDeviceDisplayProperties2KHR)(physical, &count, NULL) == VK_SUCCESS && !count,
              "%u displays of the second kind", count);
   count = 2;
   vkt_expect(PROC(vkGetPhysicalDeviceDisplayPlanePropertiesKHR)(physical, &count, planes) == VK_SUCCESS && !count,
              "%u planes", count);
   count = 7;
   vkt_expect(PROC(vkGetPhysicalDeviceDisplayPlaneProperties2KHR)(physical, &count, NULL) == VK_SUCCESS && !count,
              "%u planes of the second kind", count);
}

/* A node that has no connectors, and a file that is none. */
static void
check_direct(void)
{
   static const int32_t files[] = {-1, 0};
   for (unsigned i = 0; i < 2; i++) {
      VkDisplayKHR display = (VkDisplayKHR)(uintptr_t)&display;
      const VkResult result = PROC(vkGetDrmDisplayEXT)(physical, files[i], 1, &display);
      vkt_expect(result < 0 && display == VK_NULL_HANDLE, "a connector of file %d: %d", files[i], result);
   }
   vkt_expect(PROC(vkReleaseDisplayEXT) && PROC(vkAcquireDrmDisplayEXT) && PROC(vkCreateDisplayPlaneSurfaceKHR) &&
                 PROC(vkCreateDisplayModeKHR) && PROC(vkGetDisplayModePropertiesKHR) &&
                 PROC(vkGetDisplayModeProperties2KHR) && PROC(vkGetDisplayPlaneCapabilitiesKHR) &&
                 PROC(vkGetDisplayPlaneCapabilities2KHR) && PROC(vkGetDisplayPlaneSupportedDisplaysKHR),
              "all functions are there");
}

/* Nobody asks the server, so there need not be one. */
static void
check_xlib(void)
{
   VkDisplayKHR display = (VkDisplayKHR)(uintptr_t)&display;
   const VkResult result = PROC(vkGetRandROutputDisplayEXT)(physical, NULL, 1, &display);
   vkt_expect(result == VK_SUCCESS && display == VK_NULL_HANDLE, "an output of an X server: %d", result);
   vkt_expect(PROC(vkAcquireXlibDisplayEXT)(physical, NULL, VK_NULL_HANDLE) < 0, "no display of an X server");
}

int
main(int argc, char **argv)
{
   init();
   check_lists();
   check_direct();
   if (argc < 2) /* --foreign: a driver that asks it */
      check_xlib();
   vkDestroyInstance(instance, NULL);
   return vkt_finish(NULL);
}

/* The kinds of surfaces. */
#include "gallium/frontends/vulkan/wsi/wsi.h"
#include "util/macros.h"

static const struct wsi_platform *const platforms[] = {
   &wsi_headless,
   &wsi_wayland,
   &wsi_xcb,
   &wsi_xlib,
};

const struct wsi_platform *
wsi_platform(const VkIcdSurfaceBase *surface)
{
   for (unsigned i = 0; i < ARRAY_SIZE(platforms); i++) {
      if (platforms[i]->kind == surface->platform)
         return platforms[i];
   }
   return NULL;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroySurfaceKHR(VkInstance _instance, VkSurfaceKHR surface, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_instance, instance, _instance);
   vk_free(&instance->alloc, pAllocator, (void *)(uintptr_t)surface);
}

/* Surfaces that applications make with libwayland-client. */
#include "gallium/frontends/vulkan/wsi/wsi_wayland.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateWaylandSurfaceKHR(VkInstance _instance, const VkWaylandSurfaceCreateInfoKHR *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkSurfaceKHR *pSurface)
{
   VK_FROM(vk_instance, instance, _instance);
   struct wsi_wayland_surface *surface = vk_alloc(&instance->alloc, pAllocator, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->base.base.platform = VK_ICD_WSI_PLATFORM_WAYLAND;
   surface->base.display = pCreateInfo->display;
   surface->base.surface = pCreateInfo->surface;
   pthread_mutex_init(&surface->lock, NULL);
   *pSurface = VK_TO(VkSurfaceKHR, surface);
   return VK_SUCCESS;
}

/* Every compositor has wl_shm. */
VKAPI_ATTR VkBool32 VKAPI_CALL
indium_GetPhysicalDeviceWaylandPresentationSupportKHR(VkPhysicalDevice physicalDevice, uint32_t queueFamilyIndex,
                                                      struct wl_display *display)
{
   return wsi_wayland_functions()->is_there;
}

/* They have no events. The queue that they are made with goes with its swapchain; they may stay. */
static void *
keep(void *proxy)
{
   if (proxy)
      WSI_WAYLAND(wl_proxy_set_queue)(proxy, NULL);
   return proxy;
}

VkResult
wsi_wayland_surface_use(struct wsi_wayland_swapchain *wayland, bool direct)
{
   struct wsi_wayland_surface *of = wayland->of;
   pthread_mutex_lock(&of->lock);
   of->users++;
   wayland->uses_surface = true;
   if (wayland->fifos && !of->fifo)
      of->fifo = keep(wp_fifo_manager_v1_get_fifo(wayland->fifos, of->base.surface));
   if (wayland->tearing && !of->tearing)
      of->tearing = keep(wp_tearing_control_manager_v1_get_tearing_control(wayland->tearing, of->base.surface));
   if (wayland->syncs && direct && !of->sync)
      of->sync = keep(wp_linux_drm_syncobj_manager_v1_get_surface(wayland->syncs, of->base.surface));
   const bool complete =
      (!wayland->fifos || of->fifo) && (!wayland->tearing || of->tearing) && (!wayland->syncs || !direct || of->sync);
   pthread_mutex_unlock(&of->lock);
   return complete ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void
wsi_wayland_surface_leave(struct wsi_wayland_swapchain *wayland)
{
   struct wsi_wayland_surface *of = wayland->of;
   if (!wayland->uses_surface)
      return;
   pthread_mutex_lock(&of->lock);
   if (!--of->users) {
      if (of->fifo)
         wp_fifo_v1_destroy(of->fifo);
      if (of->tearing)
         wp_tearing_control_v1_destroy(of->tearing);
      if (of->sync)
         wp_linux_drm_syncobj_surface_v1_destroy(of->sync);
      of->fifo = NULL;
      of->tearing = NULL;
      of->sync = NULL;
   }
   pthread_mutex_unlock(&of->lock);
}

void
wsi_wayland_surface_mode(const struct wsi_wayland_swapchain *wayland, VkPresentModeKHR mode, bool fifo)
{
   const struct wsi_wayland_surface *of = wayland->of;
   if (of->tearing)
      wp_tearing_control_v1_set_presentation_hint(of->tearing, mode == VK_PRESENT_MODE_IMMEDIATE_KHR
                                                                  ? WP_TEARING_CONTROL_V1_PRESENTATION_HINT_ASYNC
                                                                  : WP_TEARING_CONTROL_V1_PRESENTATION_HINT_VSYNC);
   if (!of->fifo || !fifo)
      return;
   wp_fifo_v1_wait_barrier(of->fifo);
   wp_fifo_v1_set_barrier(of->fifo);
}

/* Surfaces that applications make with libwayland-client. */
#define VK_USE_PLATFORM_WAYLAND_KHR
#include "gallium/frontends/vulkan/wsi/wsi_wayland.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateWaylandSurfaceKHR(VkInstance _instance, const VkWaylandSurfaceCreateInfoKHR *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkSurfaceKHR *pSurface)
{
   VK_FROM(vk_instance, instance, _instance);
   VkIcdSurfaceWayland *surface = vk_alloc(&instance->alloc, pAllocator, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->base.platform = VK_ICD_WSI_PLATFORM_WAYLAND;
   surface->display = pCreateInfo->display;
   surface->surface = pCreateInfo->surface;
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

static bool
is_lost(struct wl_display *display)
{
   const struct wsi_wayland_functions *w = wsi_wayland_functions();
   return !w->is_there || w->wl_display_get_error(display);
}

/* The two formats that wl_shm always has differ in what alpha means. */
static VkResult
describe(const VkIcdSurfaceBase *base, struct wsi_description *out)
{
   *out = (struct wsi_description){
      .extent = {UINT32_MAX, UINT32_MAX},
      .alphas = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
      .num_formats = 2,
      .formats = {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM},
   };
   return is_lost(((const VkIcdSurfaceWayland *)base)->display) ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

static void
see_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version)
{
   const struct wsi_wayland_functions *w = wsi_wayland_functions();
   struct wsi_wayland_swapchain *wayland = data;
   if (!wayland->shm && !strcmp(interface, w->wl_shm_interface->name))
      wayland->shm = w->wl_proxy_marshal_flags((struct wl_proxy *)registry, WL_REGISTRY_BIND, w->wl_shm_interface, 1,
                                               0, name, interface, 1, NULL);
}

static void
see_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
}

static struct wl_proxy *
wrap(struct wsi_wayland_swapchain *wayland, void *proxy)
{
   const struct wsi_wayland_functions *w = wsi_wayland_functions();
   struct wl_proxy *wrapper = w->wl_proxy_create_wrapper(proxy);
   if (wrapper)
      w->wl_proxy_set_queue(wrapper, wayland->queue);
   return wrapper;
}

static VkResult
bind_globals(struct wsi_wayland_swapchain *wayland)
{
   static const struct wl_registry_listener listener = {see_global, see_global_remove};
   const struct wsi_wayland_functions *w = wsi_wayland_functions();
   wayland->registry =
      w->wl_proxy_marshal_flags(wayland->wrapper, WL_DISPLAY_GET_REGISTRY, w->wl_registry_interface, 1, 0, NULL);
   if (!wayland->registry)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   w->wl_proxy_add_listener(wayland->registry, (void (**)(void))&listener, wayland);
   if (w->wl_display_roundtrip_queue(wayland->display, wayland->queue) < 0)
      return VK_ERROR_SURFACE_LOST_KHR;
   return wayland->shm ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED;
}

static VkResult
open(struct wsi_swapchain *swapchain)
{
   const struct wsi_wayland_functions *w = wsi_wayland_functions();
   const VkIcdSurfaceWayland *surface = (const VkIcdSurfaceWayland *)swapchain->surface;
   const VkExtent3D size = swapchain->image_info.extent;
   if (is_lost(surface->display))
      return VK_ERROR_SURFACE_LOST_KHR;
   if ((uint64_t)size.width * size.height * 4 > INT32_MAX)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct wsi_wayland_swapchain *wayland = vk_alloc(&swapchain->device->alloc, NULL, sizeof(*wayland));
   if (!wayland)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   *wayland = (struct wsi_wayland_swapchain){
      .display = surface->display,
      .queue = w->wl_display_create_queue(surface->display),
      .extent = {size.width, size.height},
      .format =
         swapchain->alpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR ? WL_SHM_FORMAT_XRGB8888 : WL_SHM_FORMAT_ARGB8888,
      .size_B = (size_t)size.width * size.height * 4,
   };
   swapchain->own = wayland;
   wayland->wrapper = wayland->queue ? wrap(wayland, surface->display) : NULL;
   wayland->surface = wayland->queue ? wrap(wayland, surface->surface) : NULL;
   return wayland->wrapper && wayland->surface ? bind_globals(wayland) : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void
close(struct wsi_swapchain *swapchain)
{
   const struct wsi_wayland_functions *w = wsi_wayland_functions();
   struct wsi_wayland_swapchain *wayland = swapchain->own;
   if (!wayland)
      return;
   wsi_wayland_free_buffers(wayland);
   if (wayland->shm)
      w->wl_proxy_destroy(wayland->shm);
   if (wayland->registry)
      w->wl_proxy_destroy(wayland->registry);
   if (wayland->surface)
      w->wl_proxy_wrapper_destroy(wayland->surface);
   if (wayland->wrapper)
      w->wl_proxy_wrapper_destroy(wayland->wrapper);
   w->wl_display_flush(wayland->display);
   if (wayland->queue)
      w->wl_event_queue_destroy(wayland->queue);
   vk_free(&swapchain->device->alloc, NULL, wayland);
}

static VkResult
check(struct wsi_swapchain *swapchain)
{
   const struct wsi_wayland_swapchain *wayland = swapchain->own;
   return is_lost(wayland->display) ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

static void
commit(const struct wsi_wayland_swapchain *wayland, struct wsi_wayland_buffer *buffer)
{
   const struct wsi_wayland_functions *w = wsi_wayland_functions();
   const uint32_t version = w->wl_proxy_get_version(wayland->surface);
   const uint32_t damage =
      version >= WL_SURFACE_DAMAGE_BUFFER_SINCE_VERSION ? WL_SURFACE_DAMAGE_BUFFER : WL_SURFACE_DAMAGE;
   w->wl_proxy_marshal_flags(wayland->surface, WL_SURFACE_ATTACH, NULL, version, 0, buffer->buffer, 0, 0);
   w->wl_proxy_marshal_flags(wayland->surface, damage, NULL, version, 0, 0, 0, INT32_MAX, INT32_MAX);
   w->wl_proxy_marshal_flags(wayland->surface, WL_SURFACE_COMMIT, NULL, version, 0);
   w->wl_display_flush(wayland->display);
}

/* The compositor may keep a buffer as long as it likes, so it gets a copy. One that keeps them all misses frames. */
static VkResult
show(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   struct wsi_wayland_swapchain *wayland = swapchain->own;
   VkResult result = VK_SUCCESS;
   struct wsi_wayland_buffer *buffer = wsi_wayland_find_buffer(wayland, &result);
   if (!buffer)
      return result == VK_NOT_READY ? VK_SUCCESS : result;
   memcpy(buffer->map, image->map, wayland->size_B);
   buffer->is_busy = true;
   commit(wayland, buffer);
   return VK_SUCCESS;
}

const struct wsi_platform wsi_wayland = {
   .kind = VK_ICD_WSI_PLATFORM_WAYLAND,
   .describe = describe,
   .open = open,
   .close = close,
   .check = check,
   .show = show,
};

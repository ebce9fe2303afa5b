/* Swapchains of Wayland's surfaces. */
#include "gallium/frontends/vulkan/wsi/wsi_wayland.h"
#include "util/log.h"

static bool
is_lost(struct wl_display *display)
{
   return !wsi_wayland_functions()->is_there || WSI_WAYLAND(wl_display_get_error)(display);
}

static VkResult
describe(const VkIcdSurfaceBase *base, struct wsi_description *out)
{
   *out = (struct wsi_description){
      .extent = {UINT32_MAX, UINT32_MAX},
      .alphas = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
   };
   struct wl_display *display = ((const VkIcdSurfaceWayland *)base)->display;
   return is_lost(display) || !wsi_wayland_formats(display, out) ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

static void *
wrap(const struct wsi_wayland_swapchain *wayland, void *proxy)
{
   void *wrapper = WSI_WAYLAND(wl_proxy_create_wrapper)(proxy);
   if (wrapper)
      WSI_WAYLAND(wl_proxy_set_queue)(wrapper, wayland->queue);
   return wrapper;
}

/* NULL: memory ran out. */
static struct wsi_wayland_swapchain *
create(const struct wsi_swapchain *swapchain)
{
   const VkExtent3D size = swapchain->image_info.extent;
   struct wsi_wayland_surface *of = (struct wsi_wayland_surface *)swapchain->surface;
   struct wsi_wayland_swapchain *wayland = vk_alloc(&swapchain->device->alloc, NULL, sizeof(*wayland));
   if (!wayland)
      return NULL;
   *wayland = (struct wsi_wayland_swapchain){
      .of = of,
      .display = of->base.display,
      .queue = WSI_WAYLAND(wl_display_create_queue)(of->base.display),
      .extent = {size.width, size.height},
      .code = wsi_wayland_code(swapchain->image_info.format, swapchain->alpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR),
      .pitch_B = size.width * swapchain->pixel_B,
      .size_B = (size_t)size.width * swapchain->pixel_B * size.height,
   };
   wayland->wrapper = wayland->queue ? wrap(wayland, of->base.display) : NULL;
   wayland->surface = wayland->queue ? wrap(wayland, of->base.surface) : NULL;
   return wayland;
}

static VkResult
choose_way(struct wsi_swapchain *swapchain)
{
   struct wsi_wayland_swapchain *wayland = swapchain->own;
   enum wsi_way way;
   if (!wsi_way(&way))
      return VK_ERROR_INITIALIZATION_FAILED;
   const bool direct = way <= WSI_WAY_DIRECT && wsi_wayland_direct_open(swapchain);
   if (direct && !wayland->images)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (way == WSI_WAY_DIRECT && !direct) {
      log_error("INDIUM_WSI=direct: the compositor does not take this device's images");
      return VK_ERROR_INITIALIZATION_FAILED;
   }
   return wsi_wayland_surface_use(wayland, direct);
}

static VkResult
open(struct wsi_swapchain *swapchain)
{
   const struct wsi_wayland_surface *of = (const struct wsi_wayland_surface *)swapchain->surface;
   const VkExtent3D size = swapchain->image_info.extent;
   if (is_lost(of->base.display))
      return VK_ERROR_SURFACE_LOST_KHR;
   if ((uint64_t)size.width * size.height * swapchain->pixel_B > INT32_MAX)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct wsi_wayland_swapchain *wayland = create(swapchain);
   swapchain->own = wayland;
   if (!wayland || !wayland->wrapper || !wayland->surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!wayland->code) {
      log_error("swapchain: compositors do not know format %d", swapchain->image_info.format);
      return VK_ERROR_INITIALIZATION_FAILED;
   }
   const VkResult result = wsi_wayland_bind(wayland);
   return result == VK_SUCCESS ? choose_way(swapchain) : result;
}

static void
close(struct wsi_swapchain *swapchain)
{
   struct wsi_wayland_swapchain *wayland = swapchain->own;
   if (!wayland)
      return;
   if (swapchain->direct)
      wsi_wayland_direct_close(swapchain);
   wsi_wayland_free_buffers(wayland);
   wsi_wayland_surface_leave(wayland);
   wsi_wayland_unbind(wayland);
   if (wayland->surface)
      WSI_WAYLAND(wl_proxy_wrapper_destroy)(wayland->surface);
   if (wayland->wrapper)
      WSI_WAYLAND(wl_proxy_wrapper_destroy)(wayland->wrapper);
   WSI_WAYLAND(wl_display_flush)(wayland->display);
   if (wayland->queue)
      WSI_WAYLAND(wl_event_queue_destroy)(wayland->queue);
   vk_free(&swapchain->device->alloc, NULL, wayland);
}

static VkResult
check(struct wsi_swapchain *swapchain)
{
   const struct wsi_wayland_swapchain *wayland = swapchain->own;
   return is_lost(wayland->display) ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

void
wsi_wayland_commit(const struct wsi_wayland_swapchain *wayland, struct wl_buffer *buffer)
{
   wl_surface_attach(wayland->surface, buffer, 0, 0);
   if (wl_surface_get_version(wayland->surface) >= WL_SURFACE_DAMAGE_BUFFER_SINCE_VERSION)
      wl_surface_damage_buffer(wayland->surface, 0, 0, INT32_MAX, INT32_MAX);
   else
      wl_surface_damage(wayland->surface, 0, 0, INT32_MAX, INT32_MAX);
   wl_surface_commit(wayland->surface);
   WSI_WAYLAND(wl_display_flush)(wayland->display);
}

/* The compositor may keep a buffer as long as it likes, so it gets a copy. One that keeps them all misses frames. */
static VkResult
show(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   struct wsi_wayland_swapchain *wayland = swapchain->own;
   VkResult result = VK_SUCCESS;
   if (swapchain->direct)
      return wsi_wayland_direct_show(swapchain, image);
   struct wsi_wayland_buffer *buffer = wsi_wayland_find_buffer(wayland, &result);
   if (!buffer)
      return result == VK_NOT_READY ? VK_SUCCESS : result;
   memcpy(buffer->map, image->map, wayland->size_B);
   buffer->is_busy = true;
   wsi_wayland_surface_mode(wayland, image->mode, false);
   wsi_wayland_commit(wayland, buffer->buffer);
   return VK_SUCCESS;
}

const struct wsi_platform wsi_wayland = {
   .kind = VK_ICD_WSI_PLATFORM_WAYLAND,
   .describe = describe,
   .open = open,
   .close = close,
   .check = check,
   .show = show,
   .add = wsi_wayland_direct_add,
   .hear = wsi_wayland_direct_hear,
};

/* Windows of X: their size, their formats, swapchains of them. */
#include <stdlib.h>

#include "gallium/frontends/vulkan/wsi/wsi_x11.h"
#include "util/log.h"
#include "util/macros.h"

/* NULL: the window is gone. */
static xcb_get_geometry_reply_t *
geometry(struct wsi_x11_window on)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   return x->has_core ? x->xcb_get_geometry_reply(on.connection, x->xcb_get_geometry(on.connection, on.window), NULL)
                      : NULL;
}

VkResult
wsi_x11_describe(struct wsi_x11_window on, struct wsi_description *out)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   xcb_get_geometry_reply_t *size = geometry(on);
   xcb_get_window_attributes_reply_t *attributes =
      size ? x->xcb_get_window_attributes_reply(on.connection, x->xcb_get_window_attributes(on.connection, on.window),
                                                NULL)
           : NULL;
   if (attributes) {
      *out = (struct wsi_description){.extent = {size->width, size->height}};
      wsi_x11_formats(on.connection, attributes->visual, out);
   }
   const bool found = attributes;
   free(attributes);
   free(size);
   return found ? VK_SUCCESS : VK_ERROR_SURFACE_LOST_KHR;
}

/* Of the window's screen, as the server says; 0: it does not. */
static int64_t
refresh_ns(const struct wsi_x11_window *on)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   const xcb_query_extension_reply_t *randr =
      x->has_randr ? x->xcb_get_extension_data(on->connection, x->xcb_randr_id) : NULL;
   if (!randr || !randr->present)
      return 0;
   xcb_randr_get_screen_info_reply_t *info = x->xcb_randr_get_screen_info_reply(
      on->connection, x->xcb_randr_get_screen_info(on->connection, on->window), NULL);
   const int64_t rate = info ? info->rate : 0;
   free(info);
   return rate ? 1000000000 / rate : 0;
}

/* Errors of requests that nobody checks would be the application's to handle. */
static VkResult
create_gc(struct wsi_x11_swapchain *x11)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   const xcb_gcontext_t gc = x->xcb_generate_id(x11->on.connection);
   xcb_generic_error_t *error = x->xcb_request_check(
      x11->on.connection, x->xcb_create_gc_checked(x11->on.connection, gc, x11->on.window, 0, NULL));
   free(error);
   if (error)
      return VK_ERROR_SURFACE_LOST_KHR;
   x11->gc = gc;
   return VK_SUCCESS;
}

/* NULL: memory ran out. */
static struct wsi_x11_swapchain *
create(struct wsi_swapchain *swapchain, struct wsi_x11_window on, uint8_t depth)
{
   struct wsi_x11_swapchain *x11 = vk_alloc(&swapchain->device->alloc, NULL, sizeof(*x11));
   uint32_t bits, pad_bits;
   if (!x11)
      return NULL;
   wsi_x11_pixel(on.connection, depth, &bits, &pad_bits);
   x11->on = on;
   x11->extent = (VkExtent2D){swapchain->image_info.extent.width, swapchain->image_info.extent.height};
   x11->depth = depth;
   x11->pitch_B = (uint32_t)align_up((uint64_t)x11->extent.width * swapchain->pixel_B, MAX2(pad_bits / 8, 1));
   return x11;
}

/* How pixels get to the window. */
static VkResult
choose_way(struct wsi_swapchain *swapchain, struct wsi_x11_swapchain *x11)
{
   enum wsi_way way;
   if (!wsi_way(&way))
      return VK_ERROR_INITIALIZATION_FAILED;
   if (way <= WSI_WAY_DIRECT && wsi_x11_dri3_open(swapchain, x11))
      return wsi_x11_dri3_select(x11);
   if (way == WSI_WAY_DIRECT) {
      log_error("INDIUM_WSI=direct: the X server does not take this device's images");
      return VK_ERROR_INITIALIZATION_FAILED;
   }
   const VkResult result = create_gc(x11);
   return result == VK_SUCCESS ? wsi_x11_pixels_init(x11) : result;
}

VkResult
wsi_x11_open(struct wsi_swapchain *swapchain, struct wsi_x11_window on)
{
   xcb_get_geometry_reply_t *size = geometry(on);
   const int64_t known_ns = size ? refresh_ns(&on) : 0;
   const uint8_t depth = size ? size->depth : 0;
   free(size);
   if (!depth)
      return VK_ERROR_SURFACE_LOST_KHR;
   if (known_ns)
      swapchain->refresh_ns = known_ns;
   struct wsi_x11_swapchain *x11 = create(swapchain, on, depth);
   swapchain->own = x11;
   return x11 ? choose_way(swapchain, x11) : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void
wsi_x11_close(struct wsi_swapchain *swapchain)
{
   struct wsi_x11_swapchain *x11 = swapchain->own;
   if (!x11)
      return;
   if (swapchain->direct)
      wsi_x11_dri3_close(swapchain);
   if (x11->gc)
      wsi_x11_functions()->xcb_free_gc(x11->on.connection, x11->gc);
   wsi_x11_pixels_finish(x11);
   vk_free(&swapchain->device->alloc, NULL, x11);
}

/* Pixels of another size than the window's are shown as they are, from the upper left on. */
VkResult
wsi_x11_check(struct wsi_swapchain *swapchain)
{
   const struct wsi_x11_swapchain *x11 = swapchain->own;
   xcb_get_geometry_reply_t *size = geometry(x11->on);
   if (!size)
      return VK_ERROR_SURFACE_LOST_KHR;
   const bool fits = size->width == x11->extent.width && size->height == x11->extent.height;
   free(size);
   return fits ? VK_SUCCESS : VK_SUBOPTIMAL_KHR;
}

VkResult
wsi_x11_show(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   const struct wsi_x11_swapchain *x11 = swapchain->own;
   if (swapchain->direct)
      return wsi_x11_dri3_show(swapchain, image);
   return wsi_x11_pixels_show(x11, image->map, x11->extent.width * swapchain->pixel_B);
}

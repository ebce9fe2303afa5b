/* Direct images on Wayland: linux-dmabuf takes them, linux-drm-syncobj says when they may be read and were, fifo has
 * the compositor wait for the display, presentation-time tells when it has. */
#include <fcntl.h>
#include <sys/poll.h>
#include <unistd.h>

#include "gallium/frontends/vulkan/wsi/wsi_wayland.h"
#include "util/macros.h"

bool
wsi_wayland_direct_open(struct wsi_swapchain *swapchain)
{
   struct wsi_wayland_swapchain *wayland = swapchain->own;
   uint64_t modifiers[WSI_WAYLAND_FORMATS];
   const size_t size_B = swapchain->num_images * sizeof(*wayland->images);
   if (wsi_mode_shared(swapchain->mode) ||
       !wsi_direct_init(swapchain, modifiers, wsi_wayland_modifiers(swapchain, wayland->code, modifiers)))
      return false;
   swapchain->explicit_sync = wayland->syncs;
   if (wayland->fifos)
      swapchain->refresh_ns = 0; /* the compositor waits for the display */
   wayland->images = vk_alloc(&swapchain->device->alloc, NULL, size_B);
   return true;
}

static struct wsi_wayland_image *
own(const struct wsi_image *image)
{
   return (struct wsi_wayland_image *)image->own;
}

/* wl_buffer's event. With explicit synchronisation a point says so. */
static void
hear_release(void *data, struct wl_buffer *buffer)
{
   const struct wsi_wayland_image *at = data;
   if (!at->timeline && at->image->state == WSI_SHOWN)
      wsi_release(at->swapchain, at->image);
}

static VkResult
add_timeline(const struct wsi_swapchain *swapchain, struct wsi_wayland_image *at)
{
   const struct wsi_wayland_swapchain *wayland = swapchain->own;
   struct pipe_screen *screen = swapchain->device->screen;
   int fd;
   const enum pipe_result result = screen->sync_export(screen, at->image->sync, false, &fd);
   if (result != PIPE_OK)
      return vk_result(result);
   at->timeline = wp_linux_drm_syncobj_manager_v1_import_timeline(wayland->syncs, fd);
   close(fd);
   return at->timeline ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static struct wl_buffer *
add_buffer(const struct wsi_swapchain *swapchain, const struct wsi_image *image)
{
   const struct wsi_wayland_swapchain *wayland = swapchain->own;
   const struct wsi_plane plane = wsi_direct_plane(swapchain, image);
   struct zwp_linux_buffer_params_v1 *params = zwp_linux_dmabuf_v1_create_params(wayland->dmabuf);
   if (!params)
      return NULL;
   zwp_linux_buffer_params_v1_add(params, plane.fd, 0, plane.offset_B, plane.pitch_B,
                                  (uint32_t)(plane.modifier >> 32), (uint32_t)plane.modifier);
   struct wl_buffer *buffer = zwp_linux_buffer_params_v1_create_immed(
      params, (int32_t)wayland->extent.width, (int32_t)wayland->extent.height, wayland->code, 0);
   zwp_linux_buffer_params_v1_destroy(params);
   return buffer;
}

VkResult
wsi_wayland_direct_add(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   static const struct wl_buffer_listener listener = {hear_release};
   const struct wsi_wayland_swapchain *wayland = swapchain->own;
   struct wsi_wayland_image *at = &wayland->images[image - swapchain->images];
   *at = (struct wsi_wayland_image){.swapchain = swapchain, .image = image, .buffer = add_buffer(swapchain, image)};
   if (!at->buffer)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   image->own = (uintptr_t)at;
   wl_buffer_add_listener(at->buffer, &listener, at);
   return swapchain->explicit_sync ? add_timeline(swapchain, at) : VK_SUCCESS;
}

void
wsi_wayland_direct_close(struct wsi_swapchain *swapchain)
{
   struct wsi_wayland_swapchain *wayland = swapchain->own;
   for (uint32_t i = 0; i < swapchain->num_images && wayland->images; i++) {
      const struct wsi_wayland_image *at = &wayland->images[i];
      if (at->feedback)
         wp_presentation_feedback_destroy(at->feedback);
      if (at->timeline)
         wp_linux_drm_syncobj_timeline_v1_destroy(at->timeline);
      if (at->buffer)
         wl_buffer_destroy(at->buffer);
   }
   vk_free(&swapchain->device->alloc, NULL, wayland->images);
}

/* ---- presents ---- */

static void
hear_output(void *data, struct wp_presentation_feedback *feedback, struct wl_output *output)
{
}

static void
confirm(struct wsi_wayland_image *at)
{
   wp_presentation_feedback_destroy(at->feedback);
   at->feedback = NULL;
   wsi_confirm(at->swapchain, at->image);
}

/* The time until the next refresh is that between two, for a display of one rate. */
static void
hear_presented(void *data, struct wp_presentation_feedback *feedback, uint32_t seconds_hi, uint32_t seconds_lo,
               uint32_t ns, uint32_t refresh_ns, uint32_t count_hi, uint32_t count_lo, uint32_t flags)
{
   /* size: the event's */
   struct wsi_wayland_image *at = data;
   if (at->swapchain->refresh_ns && refresh_ns)
      at->swapchain->refresh_ns = refresh_ns;
   const int64_t seconds = (int64_t)((uint64_t)seconds_hi << 32 | seconds_lo);
   const struct wsi_wayland_swapchain *wayland = at->swapchain->own;
   wsi_timing_note(at->swapchain, at->image, VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_OUT_BIT_EXT,
                   wayland->other_clock ? wsi_now_ns() : seconds * 1000000000 + ns);
   confirm(at);
}

static void
hear_discarded(void *data, struct wp_presentation_feedback *feedback)
{
   confirm(data);
}

/* Of the next commit. */
static void
ask_feedback(const struct wsi_wayland_swapchain *wayland, struct wsi_wayland_image *at)
{
   static const struct wp_presentation_feedback_listener listener = {hear_output, hear_presented, hear_discarded};
   if (at->feedback) /* the compositor has forgotten it */
      wp_presentation_feedback_destroy(at->feedback);
   at->feedback = wayland->presentation ? wp_presentation_feedback(wayland->presentation, wayland->surface) : NULL;
   if (at->feedback)
      wp_presentation_feedback_add_listener(at->feedback, &listener, at);
}

static VkResult
set_points(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   const struct wsi_wayland_swapchain *wayland = swapchain->own;
   struct wp_linux_drm_syncobj_surface_v1 *sync = wayland->of->sync;
   struct wp_linux_drm_syncobj_timeline_v1 *timeline = own(image)->timeline;
   uint64_t release;
   const VkResult result = wsi_direct_signal(swapchain, image, &release);
   const uint64_t acquire = release - 1;
   if (result != VK_SUCCESS)
      return result;
   wp_linux_drm_syncobj_surface_v1_set_acquire_point(sync, timeline, (uint32_t)(acquire >> 32), (uint32_t)acquire);
   wp_linux_drm_syncobj_surface_v1_set_release_point(sync, timeline, (uint32_t)(release >> 32), (uint32_t)release);
   return VK_SUCCESS;
}

VkResult
wsi_wayland_direct_show(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   struct wsi_wayland_swapchain *wayland = swapchain->own;
   const bool fifo = image->mode == VK_PRESENT_MODE_FIFO_KHR || image->mode == VK_PRESENT_MODE_FIFO_RELAXED_KHR;
   /* Events are heard under the lock, and change what this sets. */
   pthread_mutex_lock(&swapchain->lock);
   const VkResult result = swapchain->explicit_sync ? set_points(swapchain, image) : VK_SUCCESS;
   if (result == VK_SUCCESS) {
      ask_feedback(wayland, own(image));
      wsi_wayland_surface_mode(wayland, image->mode, fifo);
      wsi_wayland_commit(wayland, own(image)->buffer);
   }
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}

/* Reads what has come, unless another thread does. */
static void
read_events(const struct wsi_wayland_swapchain *wayland)
{
   struct pollfd ready = {.fd = WSI_WAYLAND(wl_display_get_fd)(wayland->display), .events = POLLIN};
   while (WSI_WAYLAND(wl_display_prepare_read_queue)(wayland->display, wayland->queue)) {
      if (WSI_WAYLAND(wl_display_dispatch_queue_pending)(wayland->display, wayland->queue) < 0)
         return;
   }
   WSI_WAYLAND(wl_display_flush)(wayland->display);
   if (poll(&ready, 1, 0) > 0)
      WSI_WAYLAND(wl_display_read_events)(wayland->display);
   else
      WSI_WAYLAND(wl_display_cancel_read)(wayland->display);
   WSI_WAYLAND(wl_display_dispatch_queue_pending)(wayland->display, wayland->queue);
}

/* A compositor without presentation-time does not say what it shows: a commit is all that is known. */
void
wsi_wayland_direct_hear(struct wsi_swapchain *swapchain)
{
   const struct wsi_wayland_swapchain *wayland = swapchain->own;
   read_events(wayland);
   if (swapchain->explicit_sync)
      wsi_direct_hear(swapchain);
   for (uint32_t i = 0; i < swapchain->num_images; i++) {
      if (!own(&swapchain->images[i])->feedback)
         wsi_confirm(swapchain, &swapchain->images[i]);
   }
   if (swapchain->status >= 0 && WSI_WAYLAND(wl_display_get_error)(wayland->display))
      swapchain->status = VK_ERROR_SURFACE_LOST_KHR;
}

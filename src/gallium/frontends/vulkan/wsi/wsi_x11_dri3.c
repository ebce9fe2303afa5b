/* Direct images in windows of X: DRI3 takes them as pixmaps, Present shows these and says when the server does not
 * need them any more. Both are used from the versions on in which modifiers are known (1.2), and with explicit
 * synchronisation where the server has it (1.4). */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gallium/frontends/vulkan/wsi/wsi_x11.h"
#include "util/macros.h"

#define MAX_MODIFIERS 64                /* of a server that are looked at */
#define LOOK_NS INT64_C(100000000) /* whether the window is still there */

/* What headers of libxcb 1.15 do not have: dri3.xml and present.xml of xcb-proto 1.17. */
#define DRI3_IMPORT_SYNCOBJ 10
#define DRI3_FREE_SYNCOBJ 11
#define PRESENT_PIXMAP_SYNCED 5
#define PRESENT_OPTION_ASYNC_MAY_TEAR 16
#define PRESENT_CAPABILITY_ASYNC_MAY_TEAR 8
#define PRESENT_CAPABILITY_SYNCOBJ 16

struct import_syncobj {
   uint8_t major, minor;
   uint16_t length;
   uint32_t syncobj, drawable;
};

struct free_syncobj {
   uint8_t major, minor;
   uint16_t length;
   uint32_t syncobj;
};

struct pixmap_synced {
   uint8_t major, minor;
   uint16_t length;
   uint32_t window, pixmap, serial, valid, update;
   int16_t x_off, y_off;
   uint32_t target_crtc, acquire_syncobj, release_syncobj;
   uint64_t acquire_point, release_point;
   uint32_t options, pad;
   uint64_t target_msc, divisor, remainder;
};

static xcb_void_cookie_t
send_request(const struct wsi_x11_swapchain *x11, xcb_extension_t *extension, uint8_t opcode, void *bytes,
             size_t size_B)
{
   const xcb_protocol_request_t request = {.count = 2, .ext = extension, .opcode = opcode, .isvoid = 1};
   struct iovec parts[4] = {[2] = {bytes, size_B}, [3] = {NULL, 0}}; /* libxcb uses the two before */
   return (xcb_void_cookie_t){
      wsi_x11_functions()->xcb_send_request(x11->on.connection, XCB_REQUEST_CHECKED, parts + 2, &request)};
}

static xcb_void_cookie_t
import_syncobj(const struct wsi_x11_swapchain *x11, uint32_t id, int fd)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   const xcb_protocol_request_t request = {
      .count = 2, .ext = x->xcb_dri3_id, .opcode = DRI3_IMPORT_SYNCOBJ, .isvoid = 1};
   struct import_syncobj import = {.syncobj = id, .drawable = x11->on.window};
   struct iovec parts[4] = {[2] = {&import, sizeof(import)}, [3] = {NULL, 0}};
   return (xcb_void_cookie_t){
      x->xcb_send_request_with_fds(x11->on.connection, XCB_REQUEST_CHECKED, parts + 2, &request, 1, &fd)};
}

/* ---- what the server has ---- */

static bool
has_extensions(struct wsi_x11_swapchain *x11, bool *synced)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   xcb_connection_t *connection = x11->on.connection;
   const xcb_query_extension_reply_t *dri3 = x->xcb_get_extension_data(connection, x->xcb_dri3_id);
   const xcb_query_extension_reply_t *present = x->xcb_get_extension_data(connection, x->xcb_present_id);
   if (!dri3 || !dri3->present || !present || !present->present)
      return false;
   const xcb_dri3_query_version_cookie_t asked_dri3 = x->xcb_dri3_query_version(connection, 1, 4);
   const xcb_present_query_version_cookie_t asked_present = x->xcb_present_query_version(connection, 1, 4);
   xcb_dri3_query_version_reply_t *dri3_is = x->xcb_dri3_query_version_reply(connection, asked_dri3, NULL);
   xcb_present_query_version_reply_t *present_is =
      x->xcb_present_query_version_reply(connection, asked_present, NULL);
   const unsigned dri3_minor = dri3_is && dri3_is->major_version == 1 ? dri3_is->minor_version : 0;
   const unsigned present_minor = present_is && present_is->major_version == 1 ? present_is->minor_version : 0;
   free(dri3_is);
   free(present_is);
   *synced = dri3_minor >= 4 && present_minor >= 4;
   return dri3_minor >= 2 && present_minor >= 2;
}

/* The server gives away its own descriptor of the device. */
static bool
same_device(const struct wsi_swapchain *swapchain, const struct wsi_x11_swapchain *x11)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   xcb_dri3_open_reply_t *reply = x->xcb_dri3_open_reply(
      x11->on.connection, x->xcb_dri3_open(x11->on.connection, x11->on.window, XCB_NONE), NULL);
   struct stat device;
   bool same = false;
   if (reply && reply->nfd == 1) {
      const int fd = x->xcb_dri3_open_reply_fds(x11->on.connection, reply)[0];
      same = !fstat(fd, &device) && S_ISCHR(device.st_mode) && wsi_direct_same_device(swapchain, device.st_rdev);
      close(fd);
   }
   free(reply);
   return same;
}

/* Modifiers of the window, with which it may be shown as it is, before those of the screen. */
static uint32_t
list_modifiers(const struct wsi_x11_swapchain *x11, uint32_t pixel_bits, uint64_t list[MAX_MODIFIERS])
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   xcb_dri3_get_supported_modifiers_reply_t *reply = x->xcb_dri3_get_supported_modifiers_reply(
      x11->on.connection,
      x->xcb_dri3_get_supported_modifiers(x11->on.connection, x11->on.window, x11->depth, (uint8_t)pixel_bits), NULL);
   if (!reply)
      return 0;
   const uint32_t of_window = MIN2(reply->num_window_modifiers, MAX_MODIFIERS);
   const uint32_t of_screen = MIN2(reply->num_screen_modifiers, MAX_MODIFIERS - of_window);
   if (of_window)
      memcpy(list, x->xcb_dri3_get_supported_modifiers_window_modifiers(reply), of_window * sizeof(*list));
   if (of_screen)
      memcpy(list + of_window, x->xcb_dri3_get_supported_modifiers_screen_modifiers(reply),
             of_screen * sizeof(*list));
   free(reply);
   return of_window + of_screen;
}

static uint32_t
capabilities(const struct wsi_x11_swapchain *x11)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   xcb_present_query_capabilities_reply_t *reply = x->xcb_present_query_capabilities_reply(
      x11->on.connection, x->xcb_present_query_capabilities(x11->on.connection, x11->on.window), NULL);
   const uint32_t found = reply ? reply->capabilities : 0;
   free(reply);
   return found;
}

/* ---- swapchains ---- */

/* The window's events of Present go to a queue of their own, which the application does not see. */
VkResult
wsi_x11_dri3_select(struct wsi_x11_swapchain *x11)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   xcb_connection_t *connection = x11->on.connection;
   const uint32_t mask = XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY | XCB_PRESENT_EVENT_MASK_IDLE_NOTIFY;
   x11->events_id = x->xcb_generate_id(connection);
   x11->events = x->xcb_register_for_special_xge(connection, x->xcb_present_id, x11->events_id, NULL);
   if (!x11->events)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const xcb_void_cookie_t sent =
      x->xcb_present_select_input_checked(connection, x11->events_id, x11->on.window, mask);
   return wsi_x11_failed(connection, sent) ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

bool
wsi_x11_dri3_open(struct wsi_swapchain *swapchain, struct wsi_x11_swapchain *x11)
{
   const uint32_t pixel_bits = 8 * swapchain->pixel_B;
   uint64_t modifiers[MAX_MODIFIERS];
   bool synced;
   if (!wsi_x11_functions()->has_dri3 || wsi_mode_shared(swapchain->mode) || !has_extensions(x11, &synced) ||
       !same_device(swapchain, x11) ||
       !wsi_direct_init(swapchain, modifiers, list_modifiers(x11, pixel_bits, modifiers)))
      return false;
   const uint32_t can = capabilities(x11);
   swapchain->explicit_sync = synced && can & PRESENT_CAPABILITY_SYNCOBJ;
   swapchain->one_at_a_time = true;
   swapchain->refresh_ns = 0; /* the server waits for the display */
   x11->pixel_bits = (uint8_t)pixel_bits;
   x11->may_tear = can & PRESENT_CAPABILITY_ASYNC_MAY_TEAR;
   return true;
}

/* A pixmap and, for explicit synchronisation, what the server calls the image's sync. */
static uintptr_t
own(xcb_pixmap_t pixmap, uint32_t sync)
{
   return (uint64_t)sync << 32 | pixmap;
}

static xcb_pixmap_t
pixmap_of(const struct wsi_image *image)
{
   return (xcb_pixmap_t)image->own;
}

static uint32_t
sync_of(const struct wsi_image *image)
{
   return (uint32_t)((uint64_t)image->own >> 32);
}

static VkResult
add_sync(const struct wsi_swapchain *swapchain, const struct wsi_image *image, uint32_t id)
{
   struct pipe_screen *screen = swapchain->device->screen;
   const struct wsi_x11_swapchain *x11 = swapchain->own;
   int fd;
   const enum pipe_result result = screen->sync_export(screen, image->sync, false, &fd);
   if (result != PIPE_OK)
      return vk_result(result);
   return wsi_x11_failed(x11->on.connection, import_syncobj(x11, id, fd)) ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

/* libxcb closes what it sends. */
VkResult
wsi_x11_dri3_add(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   const struct wsi_x11_swapchain *x11 = swapchain->own;
   xcb_connection_t *connection = x11->on.connection;
   const struct wsi_plane plane = wsi_direct_plane(swapchain, image);
   const xcb_pixmap_t pixmap = x->xcb_generate_id(connection);
   const uint32_t sync = swapchain->explicit_sync ? x->xcb_generate_id(connection) : 0;
   const int32_t fd = fcntl(plane.fd, F_DUPFD_CLOEXEC, 0);
   if (fd < 0)
      return VK_ERROR_TOO_MANY_OBJECTS;
   const xcb_void_cookie_t sent = x->xcb_dri3_pixmap_from_buffers_checked(
      connection, pixmap, x11->on.window, 1, (uint16_t)x11->extent.width, (uint16_t)x11->extent.height, plane.pitch_B,
      plane.offset_B, 0, 0, 0, 0, 0, 0, x11->depth, x11->pixel_bits, plane.modifier, &fd);
   if (wsi_x11_failed(connection, sent))
      return VK_ERROR_SURFACE_LOST_KHR;
   const VkResult result = sync ? add_sync(swapchain, image, sync) : VK_SUCCESS;
   image->own = own(pixmap, result == VK_SUCCESS ? sync : 0);
   return result;
}

static void
remove(const struct wsi_x11_swapchain *x11, const struct wsi_image *image)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   struct free_syncobj sync = {.syncobj = sync_of(image)};
   if (pixmap_of(image))
      x->xcb_free_pixmap(x11->on.connection, pixmap_of(image));
   if (sync.syncobj)
      x->xcb_discard_reply(x11->on.connection,
                           send_request(x11, x->xcb_dri3_id, DRI3_FREE_SYNCOBJ, &sync, sizeof(sync)).sequence);
}

void
wsi_x11_dri3_close(struct wsi_swapchain *swapchain)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   const struct wsi_x11_swapchain *x11 = swapchain->own;
   xcb_connection_t *connection = x11->on.connection;
   for (uint32_t i = 0; i < swapchain->num_images; i++)
      remove(x11, &swapchain->images[i]);
   if (x11->events) { /* the window may be gone: nobody hears of the error */
      const xcb_void_cookie_t sent =
         x->xcb_present_select_input_checked(connection, x11->events_id, x11->on.window, 0);
      x->xcb_discard_reply(connection, sent.sequence);
      x->xcb_unregister_for_special_event(connection, x11->events);
   }
   x->xcb_flush(connection);
}

/* ---- presents ---- */

static uint32_t
options(const struct wsi_x11_swapchain *x11, VkPresentModeKHR mode)
{
   if (mode == VK_PRESENT_MODE_IMMEDIATE_KHR)
      return XCB_PRESENT_OPTION_ASYNC | (x11->may_tear ? PRESENT_OPTION_ASYNC_MAY_TEAR : 0);
   return mode == VK_PRESENT_MODE_FIFO_RELAXED_KHR && x11->may_tear ? PRESENT_OPTION_ASYNC_MAY_TEAR : 0;
}

static xcb_void_cookie_t
show_synced(const struct wsi_x11_swapchain *x11, const struct wsi_image *image, uint64_t release)
{
   struct pixmap_synced request = {
      .window = x11->on.window,
      .pixmap = pixmap_of(image),
      .serial = image->serial,
      .acquire_syncobj = sync_of(image),
      .release_syncobj = sync_of(image),
      .acquire_point = release - 1,
      .release_point = release,
      .options = options(x11, image->mode),
   };
   return send_request(x11, wsi_x11_functions()->xcb_present_id, PRESENT_PIXMAP_SYNCED, &request, sizeof(request));
}

/* Without a target the server takes the next refresh, or none if it need not wait. */
VkResult
wsi_x11_dri3_show(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   const struct wsi_x11_swapchain *x11 = swapchain->own;
   xcb_void_cookie_t sent;
   uint64_t release;
   if (swapchain->explicit_sync) {
      const VkResult result = wsi_direct_signal(swapchain, image, &release);
      if (result != VK_SUCCESS)
         return result;
      sent = show_synced(x11, image, release);
   } else {
      sent = x->xcb_present_pixmap_checked(x11->on.connection, x11->on.window, pixmap_of(image), image->serial, 0, 0,
                                           0, 0, 0, 0, 0, options(x11, image->mode), 0, 0, 0, 0, NULL);
   }
   return wsi_x11_failed(x11->on.connection, sent) ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

static void
hear_complete(struct wsi_swapchain *swapchain, const xcb_present_complete_notify_event_t *event)
{
   for (uint32_t i = 0; i < swapchain->num_images; i++) {
      struct wsi_image *image = &swapchain->images[i];
      if (event->kind != XCB_PRESENT_COMPLETE_KIND_PIXMAP || image->serial != event->serial)
         continue;
      if (event->mode != XCB_PRESENT_COMPLETE_MODE_SKIP) /* ust: microseconds of CLOCK_MONOTONIC */
         wsi_timing_note(swapchain, image, VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_OUT_BIT_EXT,
                         (int64_t)event->ust * 1000);
      wsi_confirm(swapchain, image);
   }
}

/* With explicit synchronisation a point says so. */
static void
hear_idle(struct wsi_swapchain *swapchain, const xcb_present_idle_notify_event_t *event)
{
   for (uint32_t i = 0; i < swapchain->num_images && !swapchain->explicit_sync; i++) {
      struct wsi_image *image = &swapchain->images[i];
      if (pixmap_of(image) == event->pixmap && image->serial == event->serial && image->state == WSI_SHOWN)
         wsi_release(swapchain, image);
   }
}

static void
hear_event(struct wsi_swapchain *swapchain, const xcb_generic_event_t *event)
{
   switch (((const xcb_present_generic_event_t *)event)->evtype) {
   case XCB_PRESENT_EVENT_COMPLETE_NOTIFY:
      hear_complete(swapchain, (const xcb_present_complete_notify_event_t *)event);
      break;
   case XCB_PRESENT_EVENT_IDLE_NOTIFY:
      hear_idle(swapchain, (const xcb_present_idle_notify_event_t *)event);
      break;
   default: /* others: not selected */
      break;
   }
}

/* A server says nothing of presents to a window that has gone, so the window is looked for, too. */
void
wsi_x11_dri3_hear(struct wsi_swapchain *swapchain)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   struct wsi_x11_swapchain *x11 = swapchain->own;
   xcb_generic_event_t *event;
   while ((event = x->xcb_poll_for_special_event(x11->on.connection, x11->events))) {
      hear_event(swapchain, event);
      free(event);
   }
   if (swapchain->explicit_sync)
      wsi_direct_hear(swapchain);
   if (wsi_now_ns() < x11->look_ns || swapchain->status < 0)
      return;
   x11->look_ns = wsi_now_ns() + LOOK_NS;
   if (wsi_x11_check(swapchain) < 0)
      swapchain->status = VK_ERROR_SURFACE_LOST_KHR;
}

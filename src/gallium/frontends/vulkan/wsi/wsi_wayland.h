/* Surfaces of Wayland: pixels go to the compositor in memory that both share (wl_shm). */
#ifndef INDIUM_WSI_WAYLAND_H
#define INDIUM_WSI_WAYLAND_H

#include <wayland-client-core.h>
#include <wayland-client-protocol.h>

#include "gallium/frontends/vulkan/wsi/wsi.h"

/* Of libwayland-client, which is loaded where it is. */
#define WSI_WAYLAND_FUNCTIONS(X)                                                                                     \
   X(wl_display_create_queue)                                                                                        \
   X(wl_display_flush)                                                                                               \
   X(wl_display_get_error)                                                                                           \
   X(wl_display_roundtrip_queue)                                                                                     \
   X(wl_event_queue_destroy)                                                                                         \
   X(wl_proxy_add_listener)                                                                                          \
   X(wl_proxy_create_wrapper)                                                                                        \
   X(wl_proxy_destroy)                                                                                               \
   X(wl_proxy_get_version)                                                                                           \
   X(wl_proxy_marshal_flags)                                                                                         \
   X(wl_proxy_set_queue)                                                                                             \
   X(wl_proxy_wrapper_destroy)
#define WSI_WAYLAND_INTERFACES(X)                                                                                    \
   X(wl_registry_interface)                                                                                          \
   X(wl_shm_interface)                                                                                               \
   X(wl_shm_pool_interface)                                                                                          \
   X(wl_buffer_interface)

#define WSI_WAYLAND_MEMBER(name) __typeof__(name) *name;
struct wsi_wayland_functions {
   bool is_there; /* all of these: */
   WSI_WAYLAND_FUNCTIONS(WSI_WAYLAND_MEMBER)
   WSI_WAYLAND_INTERFACES(WSI_WAYLAND_MEMBER)
};

/* Loads the library once. */
const struct wsi_wayland_functions *wsi_wayland_functions(void);

#define WSI_WAYLAND_BUFFERS 4 /* at most, with the compositor; two are usual */

struct wsi_wayland_buffer {
   struct wl_proxy *buffer; /* NULL: not made yet */
   void *map;
   bool is_busy; /* the compositor reads it */
};

/* All objects are of an event queue of their own: the application's thread need not dispatch. */
struct wsi_wayland_swapchain {
   struct wl_display *display;
   struct wl_event_queue *queue;
   struct wl_proxy *wrapper, *surface; /* of the display and of the surface, with that queue */
   struct wl_proxy *registry, *shm;
   VkExtent2D extent;
   enum wl_shm_format format;
   size_t size_B; /* of a buffer */
   struct wsi_wayland_buffer buffers[WSI_WAYLAND_BUFFERS];
};

/* A buffer that the compositor does not read, made if need be. NULL: there is none, and *result says why;
 * VK_NOT_READY: the compositor keeps them all. */
struct wsi_wayland_buffer *wsi_wayland_find_buffer(struct wsi_wayland_swapchain *wayland, VkResult *result);
void wsi_wayland_free_buffers(struct wsi_wayland_swapchain *wayland);

#endif

/* Surfaces of Wayland: the compositor gets the images themselves (linux-dmabuf), or copies in memory that both share
 * (wl_shm). */
#ifndef INDIUM_WSI_WAYLAND_H
#define INDIUM_WSI_WAYLAND_H

#ifndef VK_USE_PLATFORM_WAYLAND_KHR
#define VK_USE_PLATFORM_WAYLAND_KHR /* for vk_icd.h */
#endif
#include <wayland-client-core.h>

#include "gallium/frontends/vulkan/wsi/wsi.h"

/* Of libwayland-client, which is loaded where it is. */
#define WSI_WAYLAND_FUNCTIONS(X)                                                                                     \
   X(wl_display_cancel_read)                                                                                         \
   X(wl_display_create_queue)                                                                                        \
   X(wl_display_dispatch_queue_pending)                                                                              \
   X(wl_display_flush)                                                                                               \
   X(wl_display_get_error)                                                                                           \
   X(wl_display_get_fd)                                                                                              \
   X(wl_display_prepare_read_queue)                                                                                  \
   X(wl_display_read_events)                                                                                         \
   X(wl_display_roundtrip_queue)                                                                                     \
   X(wl_event_queue_destroy)                                                                                         \
   X(wl_proxy_add_listener)                                                                                          \
   X(wl_proxy_create_wrapper)                                                                                        \
   X(wl_proxy_destroy)                                                                                               \
   X(wl_proxy_get_user_data)                                                                                         \
   X(wl_proxy_get_version)                                                                                           \
   X(wl_proxy_marshal_flags)                                                                                         \
   X(wl_proxy_set_queue)                                                                                             \
   X(wl_proxy_set_user_data)                                                                                         \
   X(wl_proxy_wrapper_destroy)

#define WSI_WAYLAND_MEMBER(name) __typeof__(name) *name##_;
struct wsi_wayland_functions {
   bool is_there; /* all of these: */
   WSI_WAYLAND_FUNCTIONS(WSI_WAYLAND_MEMBER)
};

/* Loads the library once. */
const struct wsi_wayland_functions *wsi_wayland_functions(void);

/* The headers that wayland-scanner makes of protocols call the library: here, what was loaded of it. */
#define WSI_WAYLAND(name) (wsi_wayland_functions()->name##_)
#define wl_proxy_add_listener WSI_WAYLAND(wl_proxy_add_listener)
#define wl_proxy_destroy WSI_WAYLAND(wl_proxy_destroy)
#define wl_proxy_get_user_data WSI_WAYLAND(wl_proxy_get_user_data)
#define wl_proxy_get_version WSI_WAYLAND(wl_proxy_get_version)
#define wl_proxy_marshal_flags WSI_WAYLAND(wl_proxy_marshal_flags)
#define wl_proxy_set_user_data WSI_WAYLAND(wl_proxy_set_user_data)

#include <wayland-client-protocol.h>

#include <fifo-v1-client-protocol.h>
#include <linux-dmabuf-v1-client-protocol.h>
#include <linux-drm-syncobj-v1-client-protocol.h>
#include <presentation-time-client-protocol.h>
#include <tearing-control-v1-client-protocol.h>

/* What a surface has one of at most, whichever swapchain uses it. Under the lock. */
struct wsi_wayland_surface {
   VkIcdSurfaceWayland base;
   pthread_mutex_t lock;
   unsigned users; /* swapchains; without one, there are none of these: */
   struct wp_fifo_v1 *fifo;
   struct wp_linux_drm_syncobj_surface_v1 *sync;
   struct wp_tearing_control_v1 *tearing;
};

#define WSI_WAYLAND_BUFFERS 4   /* at most, with the compositor; two are usual */
#define WSI_WAYLAND_FORMATS 128 /* modifiers of a format that are looked at */

struct wsi_wayland_buffer {
   struct wl_buffer *buffer; /* NULL: not made yet */
   void *map;
   bool is_busy; /* the compositor reads it */
};

/* A direct image at the compositor. */
struct wsi_wayland_image {
   struct wsi_swapchain *swapchain;
   struct wsi_image *image;
   struct wl_buffer *buffer;
   struct wp_linux_drm_syncobj_timeline_v1 *timeline; /* NULL: no explicit synchronisation */
   struct wp_presentation_feedback *feedback;         /* of the present that is on the way */
};

/* All objects are of an event queue of their own: the application's thread need not dispatch. */
struct wsi_wayland_swapchain {
   struct wsi_wayland_surface *of;
   struct wl_display *display;
   struct wl_event_queue *queue;
   struct wl_display *wrapper; /* of the display and of the surface, with that queue */
   struct wl_surface *surface;
   struct wl_registry *registry;
   /* The compositor's; NULL: it has none. */
   struct wl_shm *shm;
   struct zwp_linux_dmabuf_v1 *dmabuf; /* of version 4 or newer */
   struct wp_linux_drm_syncobj_manager_v1 *syncs;
   struct wp_fifo_manager_v1 *fifos;
   struct wp_tearing_control_manager_v1 *tearing;
   struct wp_presentation *presentation;
   bool other_clock; /* its times are not of CLOCK_MONOTONIC */
   VkExtent2D extent;
   uint32_t code; /* DRM's of the format, with alpha if it counts */
   bool uses_surface;
   uint32_t pitch_B; /* of a copy */
   size_t size_B;
   struct wsi_wayland_buffer buffers[WSI_WAYLAND_BUFFERS];
   struct wsi_wayland_image *images; /* direct ones */
};

/* The formats that a compositor shows, best first. False: the connection is lost, or memory ran out. */
bool wsi_wayland_formats(struct wl_display *display, struct wsi_description *out);
/* DRM's code of one of them, with or without alpha; 0: it is none. */
uint32_t wsi_wayland_code(VkFormat format, bool opaque);
/* wl_shm's number of the code. */
uint32_t wsi_wayland_shm_code(uint32_t code);

/* The compositor's globals; and their end. */
VkResult wsi_wayland_bind(struct wsi_wayland_swapchain *wayland);
void wsi_wayland_unbind(struct wsi_wayland_swapchain *wayland);

/* Gives the surface what the swapchain needs of it. direct: with explicit synchronisation, if there is. */
VkResult wsi_wayland_surface_use(struct wsi_wayland_swapchain *wayland, bool direct);
void wsi_wayland_surface_leave(struct wsi_wayland_swapchain *wayland);
/* What the present mode asks the next commit for. fifo: the compositor waits for the display. */
void wsi_wayland_surface_mode(const struct wsi_wayland_swapchain *wayland, VkPresentModeKHR mode, bool fifo);

/* A buffer that the compositor does not read, made if need be. NULL: there is none, and *result says why;
 * VK_NOT_READY: the compositor keeps them all. */
struct wsi_wayland_buffer *wsi_wayland_find_buffer(struct wsi_wayland_swapchain *wayland, VkResult *result);
void wsi_wayland_free_buffers(struct wsi_wayland_swapchain *wayland);

/* The modifiers of a format (DRM's code) that the compositor takes, best first; 0: none, or it is on another device
 * than the swapchain. */
uint32_t wsi_wayland_modifiers(const struct wsi_swapchain *swapchain, uint32_t format,
                               uint64_t modifiers[WSI_WAYLAND_FORMATS]);

/* Makes the swapchain direct, if the compositor takes its images. The others are struct wsi_platform's. */
bool wsi_wayland_direct_open(struct wsi_swapchain *swapchain);
VkResult wsi_wayland_direct_add(struct wsi_swapchain *swapchain, struct wsi_image *image);
VkResult wsi_wayland_direct_show(struct wsi_swapchain *swapchain, struct wsi_image *image);
void wsi_wayland_direct_hear(struct wsi_swapchain *swapchain);
void wsi_wayland_direct_close(struct wsi_swapchain *swapchain);

/* Shows a buffer: attach, damage and commit. */
void wsi_wayland_commit(const struct wsi_wayland_swapchain *wayland, struct wl_buffer *buffer);

#endif

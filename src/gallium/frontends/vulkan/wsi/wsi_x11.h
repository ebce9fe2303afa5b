/* What windows of X have in common, whichever library the application opens them with. */
#ifndef INDIUM_WSI_X11_H
#define INDIUM_WSI_X11_H

#include <xcb/dri3.h>
#include <xcb/present.h>
#include <xcb/randr.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

#include "gallium/frontends/vulkan/wsi/wsi.h"

/* Functions of libraries that are loaded where they are. */
#define WSI_X11_CORE(X)                                                                                              \
   X(xcb_connection_has_error)                                                                                       \
   X(xcb_get_setup)                                                                                                  \
   X(xcb_setup_roots_iterator)                                                                                       \
   X(xcb_screen_next)                                                                                                \
   X(xcb_screen_allowed_depths_iterator)                                                                             \
   X(xcb_depth_next)                                                                                                 \
   X(xcb_depth_visuals_iterator)                                                                                     \
   X(xcb_visualtype_next)                                                                                            \
   X(xcb_setup_pixmap_formats_iterator)                                                                              \
   X(xcb_format_next)                                                                                                \
   X(xcb_get_geometry)                                                                                               \
   X(xcb_get_geometry_reply)                                                                                         \
   X(xcb_get_window_attributes)                                                                                      \
   X(xcb_get_window_attributes_reply)                                                                                \
   X(xcb_get_extension_data)                                                                                         \
   X(xcb_get_maximum_request_length)                                                                                 \
   X(xcb_generate_id)                                                                                                \
   X(xcb_create_gc_checked)                                                                                          \
   X(xcb_free_gc)                                                                                                    \
   X(xcb_put_image_checked)                                                                                          \
   X(xcb_discard_reply)                                                                                              \
   X(xcb_free_pixmap)                                                                                                \
   X(xcb_poll_for_special_event)                                                                                     \
   X(xcb_register_for_special_xge)                                                                                   \
   X(xcb_send_request)                                                                                               \
   X(xcb_send_request_with_fds)                                                                                      \
   X(xcb_unregister_for_special_event)                                                                               \
   X(xcb_request_check)                                                                                              \
   X(xcb_flush)
#define WSI_X11_SHM(X)                                                                                               \
   X(xcb_shm_id)                                                                                                     \
   X(xcb_shm_attach_checked)                                                                                         \
   X(xcb_shm_put_image_checked)                                                                                      \
   X(xcb_shm_detach)
#define WSI_X11_RANDR(X)                                                                                             \
   X(xcb_randr_id)                                                                                                   \
   X(xcb_randr_get_screen_info)                                                                                      \
   X(xcb_randr_get_screen_info_reply)
#define WSI_X11_DRI3(X)                                                                                              \
   X(xcb_dri3_id)                                                                                                    \
   X(xcb_dri3_query_version)                                                                                         \
   X(xcb_dri3_query_version_reply)                                                                                   \
   X(xcb_dri3_open)                                                                                                  \
   X(xcb_dri3_open_reply)                                                                                            \
   X(xcb_dri3_open_reply_fds)                                                                                        \
   X(xcb_dri3_get_supported_modifiers)                                                                               \
   X(xcb_dri3_get_supported_modifiers_reply)                                                                         \
   X(xcb_dri3_get_supported_modifiers_window_modifiers)                                                              \
   X(xcb_dri3_get_supported_modifiers_screen_modifiers)                                                              \
   X(xcb_dri3_pixmap_from_buffers_checked)
#define WSI_X11_PRESENT(X)                                                                                           \
   X(xcb_present_id)                                                                                                 \
   X(xcb_present_query_version)                                                                                      \
   X(xcb_present_query_version_reply)                                                                                \
   X(xcb_present_query_capabilities)                                                                                 \
   X(xcb_present_query_capabilities_reply)                                                                           \
   X(xcb_present_select_input_checked)                                                                               \
   X(xcb_present_pixmap_checked)

#define WSI_X11_MEMBER(name) __typeof__(name) *name;
struct wsi_x11_functions {
   bool has_core, has_shm, has_randr, has_dri3; /* all functions of these (has_dri3: of the last two): */
   WSI_X11_CORE(WSI_X11_MEMBER)
   WSI_X11_SHM(WSI_X11_MEMBER)
   WSI_X11_RANDR(WSI_X11_MEMBER)
   WSI_X11_DRI3(WSI_X11_MEMBER)
   WSI_X11_PRESENT(WSI_X11_MEMBER)
};

/* Loads the libraries once. Without has_core there is nothing to call. */
const struct wsi_x11_functions *wsi_x11_functions(void);

struct wsi_x11_window {
   xcb_connection_t *connection;
   xcb_window_t window;
};

/* The window of a swapchain, and how pixels get there. */
struct wsi_x11_swapchain {
   struct wsi_x11_window on;
   VkExtent2D extent; /* of the swapchain's images */
   uint8_t depth;
   xcb_gcontext_t gc;
   uint32_t pitch_B;      /* of rows as the server wants them */
   uint32_t piece_rows;   /* of the requests that carry pixels */
   void *pixels;          /* of a piece, or, in memory that the server shares, of all */
   xcb_shm_seg_t segment; /* 0: not shared */
   /* Of direct images: */
   uint8_t pixel_bits;
   bool may_tear;
   uint32_t events_id;
   xcb_special_event_t *events; /* of Present */
   int64_t look_ns;             /* when to look for the window again */
};

/* The formats of a visual of the connection's screens; none: there is no such visual. */
void wsi_x11_formats(xcb_connection_t *connection, xcb_visualid_t visual, struct wsi_description *out);
/* Bits of a pixel, and of the unit that rows are padded to, in images of the depth. */
void wsi_x11_pixel(xcb_connection_t *connection, uint8_t depth, uint32_t *bits, uint32_t *pad_bits);

/* Memory for pixels, shared with the server if it can be; and its end. */
VkResult wsi_x11_pixels_init(struct wsi_x11_swapchain *x11);
void wsi_x11_pixels_finish(struct wsi_x11_swapchain *x11);
/* Puts tight rows of pixels into the window. VK_ERROR_SURFACE_LOST_KHR: it is gone. */
VkResult wsi_x11_pixels_show(const struct wsi_x11_swapchain *x11, const void *pixels, uint32_t row_B);

/* Whether a request failed; its window is gone then, or the connection. */
bool wsi_x11_failed(xcb_connection_t *connection, xcb_void_cookie_t cookie);

/* Makes the swapchain direct, if the server takes buffers of its device. After that struct wsi_platform's functions
 * are the others. */
bool wsi_x11_dri3_open(struct wsi_swapchain *swapchain, struct wsi_x11_swapchain *x11);
VkResult wsi_x11_dri3_select(struct wsi_x11_swapchain *x11);
VkResult wsi_x11_dri3_add(struct wsi_swapchain *swapchain, struct wsi_image *image);
VkResult wsi_x11_dri3_show(struct wsi_swapchain *swapchain, struct wsi_image *image);
void wsi_x11_dri3_hear(struct wsi_swapchain *swapchain);
void wsi_x11_dri3_close(struct wsi_swapchain *swapchain);

/* struct wsi_platform's. */
VkResult wsi_x11_describe(struct wsi_x11_window on, struct wsi_description *out);
VkResult wsi_x11_open(struct wsi_swapchain *swapchain, struct wsi_x11_window on);
void wsi_x11_close(struct wsi_swapchain *swapchain);
VkResult wsi_x11_check(struct wsi_swapchain *swapchain);
VkResult wsi_x11_show(struct wsi_swapchain *swapchain, struct wsi_image *image);
/* Whether a visual can show anything. */
bool wsi_x11_supports(xcb_connection_t *connection, xcb_visualid_t visual);

#endif

/* Pixels on their way to a window: through memory that the server shares (MIT-SHM), else in requests, as many rows in
 * each as the server takes. */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "gallium/frontends/vulkan/wsi/wsi_x11.h"
#include "util/macros.h"

#define REQUEST_HEADER_B 64 /* at most, with that of big requests */

bool
wsi_x11_failed(xcb_connection_t *connection, xcb_void_cookie_t cookie)
{
   xcb_generic_error_t *error = wsi_x11_functions()->xcb_request_check(connection, cookie);
   free(error);
   return error || wsi_x11_functions()->xcb_connection_has_error(connection);
}

static bool
server_shares(const struct wsi_x11_functions *x, xcb_connection_t *connection)
{
   if (!x->has_shm)
      return false;
   const xcb_query_extension_reply_t *shm = x->xcb_get_extension_data(connection, x->xcb_shm_id);
   return shm && shm->present;
}

/* The segment is marked as removed before anybody else sees it: it goes with those who use it, however they end. A
 * server on another machine, or of another user, cannot attach it. */
static bool
share(struct wsi_x11_swapchain *x11, size_t size_B)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   const int id = server_shares(x, x11->on.connection) ? shmget(IPC_PRIVATE, size_B, IPC_CREAT | 0600) : -1;
   if (id < 0)
      return false;
   void *pixels = shmat(id, NULL, 0);
   shmctl(id, IPC_RMID, NULL);
   if (pixels == (void *)-1)
      return false;
   const xcb_shm_seg_t segment = x->xcb_generate_id(x11->on.connection);
   if (wsi_x11_failed(x11->on.connection,
                      x->xcb_shm_attach_checked(x11->on.connection, segment, (uint32_t)id, true))) {
      shmdt(pixels);
      return false;
   }
   x11->pixels = pixels;
   x11->segment = segment;
   x11->piece_rows = x11->extent.height;
   return true;
}

static uint32_t
rows_of_request(const struct wsi_x11_swapchain *x11)
{
   const uint64_t most_B = UINT64_C(4) * wsi_x11_functions()->xcb_get_maximum_request_length(x11->on.connection);
   return (uint32_t)MIN2((most_B - REQUEST_HEADER_B) / x11->pitch_B, x11->extent.height);
}

VkResult
wsi_x11_pixels_init(struct wsi_x11_swapchain *x11)
{
   enum wsi_way way;
   if (wsi_way(&way) && way != WSI_WAY_PUT && share(x11, (size_t)x11->pitch_B * x11->extent.height))
      return VK_SUCCESS;
   x11->piece_rows = rows_of_request(x11);
   if (!x11->piece_rows)
      return VK_ERROR_INITIALIZATION_FAILED; /* not one row of the widest window fits */
   x11->pixels = malloc((size_t)x11->pitch_B * x11->piece_rows);
   return x11->pixels ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void
wsi_x11_pixels_finish(struct wsi_x11_swapchain *x11)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   if (!x11->segment) {
      free(x11->pixels);
      return;
   }
   x->xcb_shm_detach(x11->on.connection, x11->segment);
   x->xcb_flush(x11->on.connection);
   shmdt(x11->pixels);
}

static xcb_void_cookie_t
put(const struct wsi_x11_swapchain *x11, uint32_t first_row, uint32_t rows)
{
   const struct wsi_x11_functions *x = wsi_x11_functions();
   const uint16_t width = (uint16_t)x11->extent.width, height = (uint16_t)rows;
   const int16_t y = (int16_t)first_row;
   if (x11->segment)
      return x->xcb_shm_put_image_checked(x11->on.connection, x11->on.window, x11->gc, width, height, 0, 0, width,
                                          height, 0, y, x11->depth, XCB_IMAGE_FORMAT_Z_PIXMAP, false, x11->segment,
                                          0);
   return x->xcb_put_image_checked(x11->on.connection, XCB_IMAGE_FORMAT_Z_PIXMAP, x11->on.window, x11->gc, width,
                                   height, 0, y, 0, x11->depth, rows * x11->pitch_B, x11->pixels);
}

VkResult
wsi_x11_pixels_show(const struct wsi_x11_swapchain *x11, const void *pixels, uint32_t row_B)
{
   for (uint32_t y = 0; y < x11->extent.height; y += x11->piece_rows) {
      const uint32_t rows = MIN2(x11->piece_rows, x11->extent.height - y);
      for (uint32_t i = 0; i < rows; i++)
         memcpy((char *)x11->pixels + (size_t)i * x11->pitch_B, (const char *)pixels + (size_t)(y + i) * row_B,
                row_B);
      if (wsi_x11_failed(x11->on.connection, put(x11, y, rows)))
         return VK_ERROR_SURFACE_LOST_KHR;
   }
   return VK_SUCCESS;
}

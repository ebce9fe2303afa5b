/* Swapchains of windows of X: what a window shows is read back from the server. Runs with any driver that presents
 * with VK_KHR_xcb_surface, on the X server of DISPLAY.
 *
 * xcb_windows [--xlib|--forever|--foreign]
 * --xlib: windows of libX11. --forever: without end, to be killed. --foreign: with another driver, which may be late
 * to tell of a window's new size (lavapipe), or of what it has shown, and show the images that it shares (RADV
 * without DRI3). */
#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_XLIB_KHR
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <X11/Xlib-xcb.h>
#include <xcb/xcb.h>

#include "swap.h"

#define TEN_SECONDS UINT64_C(10000000000)
#define LOOKS 20000 /* at a window, a millisecond apart, until it shows what it must */

static bool by_xlib; /* surfaces of libX11 */

struct window {
   Display *display; /* by_xlib */
   xcb_connection_t *connection;
   xcb_window_t window;
   struct swap swap;
};

static void
connect(struct window *w)
{
   w->display = by_xlib ? XOpenDisplay(NULL) : NULL;
   w->connection = w->display ? XGetXCBConnection(w->display) : xcb_connect(NULL, NULL);
   if (xcb_connection_has_error(w->connection)) {
      printf("there is no X server\n");
      exit(77);
   }
}

static void
create_surface(struct window *w)
{
   const struct swap *swap = &w->swap;
   const VkXcbSurfaceCreateInfoKHR xcb = {
      .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR, .connection = w->connection, .window = w->window};
   const VkXlibSurfaceCreateInfoKHR xlib = {
      .sType = VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR, .dpy = w->display, .window = w->window};
   if (by_xlib)
      vkx_check(SWAP_PROC(swap, vkCreateXlibSurfaceKHR)(swap->instance, &xlib, NULL, &w->swap.surface), "surface");
   else
      vkx_check(SWAP_PROC(swap, vkCreateXcbSurfaceKHR)(swap->instance, &xcb, NULL, &w->swap.surface), "surface");
}

/* Of the screen's depth and a class of visuals; that of the root window: there is none. */
static xcb_visualid_t
find_visual(const xcb_screen_t *screen, uint8_t class)
{
   xcb_visualid_t found = screen->root_visual;
   for (xcb_depth_iterator_t depths = xcb_screen_allowed_depths_iterator(screen); depths.rem;
        xcb_depth_next(&depths)) {
      if (depths.data->depth != screen->root_depth)
         continue;
      for (xcb_visualtype_iterator_t it = xcb_depth_visuals_iterator(depths.data); it.rem; xcb_visualtype_next(&it)) {
         if (it.data->_class == class)
            found = it.data->visual_id;
      }
   }
   return found;
}

static void
open_window_of(struct window *w, VkQueueFlags flags, uint8_t class)
{
   connect(w);
   swap_init(&w->swap, by_xlib ? VK_KHR_XLIB_SURFACE_EXTENSION_NAME : VK_KHR_XCB_SURFACE_EXTENSION_NAME);
   const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(w->connection)).data;
   const xcb_visualid_t visual = find_visual(screen, class);
   const uint32_t values[2] = {XCB_BACK_PIXMAP_NONE, xcb_generate_id(w->connection)};
   xcb_create_colormap(w->connection, XCB_COLORMAP_ALLOC_NONE, values[1], screen->root, visual);
   w->window = xcb_generate_id(w->connection);
   xcb_create_window(w->connection, XCB_COPY_FROM_PARENT, w->window, screen->root, 0, 0,
                     (uint16_t)w->swap.extent.width, (uint16_t)w->swap.extent.height, 0,
                     XCB_WINDOW_CLASS_INPUT_OUTPUT, visual, XCB_CW_BACK_PIXMAP | XCB_CW_COLORMAP, values);
   xcb_map_window(w->connection, w->window);
   free(xcb_get_geometry_reply(w->connection, xcb_get_geometry(w->connection, w->window), NULL));
   create_surface(w);
   swap_init_device(&w->swap, flags);
}

static void
open_window(struct window *w, VkQueueFlags flags)
{
   open_window_of(w, flags, XCB_VISUAL_CLASS_TRUE_COLOR);
}

static void
close_window(struct window *w)
{
   swap_finish(&w->swap);
   if (w->display)
      XCloseDisplay(w->display);
   else
      xcb_disconnect(w->connection);
}

/* Pixels of the window that are not of the colour; UINT32_MAX: it cannot be read. */
static uint32_t
wrong_pixels(const struct window *w, uint32_t color)
{
   const VkExtent2D size = w->swap.extent;
   uint32_t wrong = 0;
   xcb_get_image_reply_t *reply =
      xcb_get_image_reply(w->connection,
                          xcb_get_image(w->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, w->window, 0, 0,
                                        (uint16_t)size.width, (uint16_t)size.height, ~0u),
                          NULL);
   if (!reply)
      return UINT32_MAX;
   const uint32_t *pixels = (const uint32_t *)xcb_get_image_data(reply);
   for (uint32_t i = 0; i < size.width * size.height; i++)
      wrong += (pixels[i] & 0xffffff) != color;
   free(reply);
   return wrong;
}

/* Drivers that cannot say when a frame is shown are given time. */
static void
expect_shown(const struct window *w, uint32_t color, const char *what)
{
   const struct timespec millisecond = {.tv_nsec = 1000000};
   uint32_t wrong = wrong_pixels(w, color);
   for (unsigned i = 0; i < LOOKS && wrong; i++) {
      nanosleep(&millisecond, NULL);
      wrong = wrong_pixels(w, color);
   }
   vkt_expect(!wrong, "%s: %u pixels are not %06x", what, wrong, color);
}

static bool
shown(VkResult result)
{
   return result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR;
}

/* Each frame by itself, and then many of which the last one stays. */
static void
check_mode(struct window *w, VkPresentModeKHR mode)
{
   uint32_t color = 0;
   if (!swap_has_mode(&w->swap, mode))
      return vkt_skip("a present mode");
   vkt_expect(swap_create(&w->swap, mode, 3) == VK_SUCCESS, "a swapchain of mode %d", mode);
   for (uint32_t i = 0; i < 5; i++) {
      color = vkt_random() & 0xffffff;
      vkt_expect(shown(swap_frame(&w->swap, color, 0)), "frame %u of mode %d", i, mode);
      expect_shown(w, color, "a frame alone");
   }
   for (uint32_t i = 0; i < 20; i++) {
      color = vkt_random() & 0xffffff;
      vkt_expect(shown(swap_frame(&w->swap, color, 0)), "frame %u of mode %d", i, mode);
   }
   expect_shown(w, color, "the last frame");
}

/* What is done is in the window, at once. */
static void
check_waits(struct window *w)
{
   if (!w->swap.has_waits)
      return vkt_skip("VK_KHR_present_wait");
   PFN_vkWaitForPresentKHR wait = SWAP_PROC(&w->swap, vkWaitForPresentKHR);
   vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   for (uint64_t id = 1; id <= 10; id++) {
      const uint32_t color = vkt_random() & 0xffffff;
      vkt_expect(swap_frame(&w->swap, color, id) == VK_SUCCESS, "frame %u", (unsigned)id);
      vkt_expect(wait(w->swap.device, w->swap.swapchain, id, TEN_SECONDS) == VK_SUCCESS, "wait for %u", (unsigned)id);
      vkt_expect(wrong_pixels(w, color) == 0, "frame %u is shown", (unsigned)id);
   }
}

/* One image, which is shown as it is when it is presented. */
static void
check_shared(struct window *w)
{
   const VkPresentModeKHR mode = VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR;
   uint32_t index;
   if (!w->swap.has_shared || !swap_has_mode(&w->swap, mode))
      return vkt_skip("a shared image");
   vkt_expect(swap_create(&w->swap, mode, 1) == VK_SUCCESS, "a shared image");
   vkt_expect(vkAcquireNextImageKHR(w->swap.device, w->swap.swapchain, UINT64_MAX, w->swap.acquired, VK_NULL_HANDLE,
                                    &index) == VK_SUCCESS,
              "acquired");
   for (uint32_t i = 0; i < 5; i++) {
      const uint32_t color = vkt_random() & 0xffffff;
      vkt_expect(swap_draw(&w->swap, index, color, 0, i == 0) == VK_SUCCESS, "present %u of a shared image", i);
      expect_shown(w, color, "a shared image");
   }
}

/* The swapchain says that it no longer fits, and the next one does. */
static void
check_resizes(struct window *w, unsigned least)
{
   unsigned told = 0;
   vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_IMMEDIATE_KHR, 3) == VK_SUCCESS, "a swapchain");
   for (uint32_t i = 0; i < 50; i++) {
      const uint32_t color = vkt_random() & 0xffffff;
      const uint32_t size[2] = {20 + vkt_random_below(300), 20 + vkt_random_below(300)};
      xcb_configure_window(w->connection, w->window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
      free(xcb_get_geometry_reply(w->connection, xcb_get_geometry(w->connection, w->window), NULL));
      const VkResult result = swap_frame(&w->swap, 0, 0);
      told += result == VK_SUBOPTIMAL_KHR || result == VK_ERROR_OUT_OF_DATE_KHR;
      VkSurfaceCapabilitiesKHR caps;
      vkGetPhysicalDeviceSurfaceCapabilitiesKHR(w->swap.physical, w->swap.surface, &caps);
      vkt_expect(caps.currentExtent.width == size[0] && caps.currentExtent.height == size[1], "size %u", i);
      w->swap.extent = caps.currentExtent;
      vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_IMMEDIATE_KHR, 3) == VK_SUCCESS, "swapchain %u", i);
      vkt_expect(swap_frame(&w->swap, color, 0) == VK_SUCCESS, "frame of size %u", i);
      expect_shown(w, color, "after a resize");
   }
   vkt_expect(told >= least, "%u of 50 resizes were told", told);
}

/* A window of the widest sort: pixels come in several requests where memory is not shared. */
static void
check_big(struct window *w)
{
   const uint32_t size[2] = {1500, 3100}, color = 0x3498db;
   xcb_configure_window(w->connection, w->window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
   w->swap.extent = (VkExtent2D){size[0], size[1]};
   vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_FIFO_KHR, 2) == VK_SUCCESS, "a big swapchain");
   vkt_expect(shown(swap_frame(&w->swap, color, 0)), "a big frame");
   w->swap.extent = (VkExtent2D){640, 480}; /* of the screen */
   expect_shown(w, color, "a big frame");
}

/* The window goes first: then there is an error, and all can be destroyed. */
static void
check_lost(struct window *w)
{
   VkResult result = VK_SUCCESS;
   w->swap.extent = (VkExtent2D){64, 48};
   xcb_destroy_window(w->connection, w->window);
   free(xcb_get_input_focus_reply(w->connection, xcb_get_input_focus(w->connection), NULL));
   for (unsigned i = 0; i < 100 && shown(result); i++)
      result = swap_frame(&w->swap, 0, 0);
   vkt_expect(result == VK_ERROR_SURFACE_LOST_KHR || result == VK_ERROR_OUT_OF_DATE_KHR, "lost: %d", result);
   VkSurfaceCapabilitiesKHR caps;
   result = vkGetPhysicalDeviceSurfaceCapabilitiesKHR(w->swap.physical, w->swap.surface, &caps);
   vkt_expect(result == VK_ERROR_SURFACE_LOST_KHR, "capabilities of a lost surface: %d", result);
}

/* ---- several at once ---- */

static void *
draw_in_thread(void *data)
{
   struct window *w = data;
   for (uint32_t i = 0; i < 30; i++) {
      if (!shown(swap_frame(&w->swap, (uint32_t)(w->window * 77 + i) & 0xffffff, 0)))
         break;
   }
   return NULL;
}

static void
check_threads(void)
{
   struct window w[3];
   pthread_t threads[3];
   for (unsigned i = 0; i < 3; i++) {
      open_window(&w[i], VK_QUEUE_GRAPHICS_BIT);
      vkt_expect(swap_create(&w[i].swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "window %u", i);
   }
   for (unsigned i = 0; i < 3; i++)
      pthread_create(&threads[i], NULL, draw_in_thread, &w[i]);
   for (unsigned i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
   /* They lie over each other: only the last one can be read. */
   expect_shown(&w[2], (w[2].window * 77 + 29) & 0xffffff, "the window of a thread");
   for (unsigned i = 0; i < 3; i++)
      close_window(&w[i]);
}

/* A queue that only computes. */
static void
check_compute(void)
{
   struct window w;
   open_window(&w, VK_QUEUE_COMPUTE_BIT);
   check_mode(&w, VK_PRESENT_MODE_FIFO_KHR);
   close_window(&w);
}

/* Windows of SDL 2: the colours of pixels lie where TrueColor has them, and go through tables that can be changed. */
static void
check_direct_color(void)
{
   struct window w;
   open_window_of(&w, VK_QUEUE_GRAPHICS_BIT, XCB_VISUAL_CLASS_DIRECT_COLOR);
   check_mode(&w, VK_PRESENT_MODE_FIFO_KHR);
   close_window(&w);
}

static int
draw_forever(struct window *w)
{
   vkx_check(swap_create(&w->swap, VK_PRESENT_MODE_FIFO_KHR, 3), "swapchain");
   for (uint32_t i = 0; shown(swap_frame(&w->swap, i, 0)); i++) {
      if (i == 3) {
         printf("drawing\n");
         fflush(stdout);
      }
   }
   return 1;
}

int
main(int argc, char **argv)
{
   struct window w;
   const bool foreign = argc > 1 && !strcmp(argv[1], "--foreign");
   by_xlib = argc > 1 && !strcmp(argv[1], "--xlib");
   if (by_xlib)
      XInitThreads();
   open_window(&w, VK_QUEUE_GRAPHICS_BIT);
   if (argc > 1 && !strcmp(argv[1], "--forever"))
      return draw_forever(&w);
   for (VkPresentModeKHR mode = 0; mode <= VK_PRESENT_MODE_FIFO_RELAXED_KHR; mode++)
      check_mode(&w, mode);
   if (!foreign) {
      check_waits(&w);
      check_shared(&w);
   }
   check_resizes(&w, foreign ? 0 : 49); /* one may be the size that was */
   check_big(&w);
   check_lost(&w);
   close_window(&w);
   check_threads();
   check_compute();
   check_direct_color();
   return vkt_finish(NULL);
}

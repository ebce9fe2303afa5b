/* Swapchains whose images an X server takes as they are (DRI3 and Present), on a server of the test's own. Runs with
 * any driver that presents with VK_KHR_xcb_surface.
 *
 * dri3_windows [--implicit|--foreign|--client FD]
 * --implicit: the server has no explicit synchronisation. --foreign: with another driver, which may leave things at
 * the server, wait for a window or a server that has gone (RADV 26), and be started by a loader, so that no second
 * one can be started to be killed. --client: draws without end on that connection, to be killed. */
#define VK_USE_PLATFORM_XCB_KHR
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <xcb/xcb.h>

#include "swap.h"
#include "xserver.h"

#define LOOKS 20000 /* a millisecond apart, until the server has what it must */
#define MAX_MODIFIERS 16

struct window {
   xcb_connection_t *connection;
   xcb_window_t window;
   struct swap swap;
};

static bool is_synced = true, is_foreign;
static uint64_t modifiers[MAX_MODIFIERS]; /* the device's */
static uint32_t num_modifiers;

static void
open_window(struct window *w, int socket)
{
   *w = (struct window){.connection = xcb_connect_to_fd(socket, NULL)};
   const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(w->connection)).data;
   w->window = xcb_generate_id(w->connection);
   xcb_create_window(w->connection, XCB_COPY_FROM_PARENT, w->window, screen->root, 0, 0, 64, 48, 0,
                     XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
   xcb_map_window(w->connection, w->window);
   swap_init(&w->swap, VK_KHR_XCB_SURFACE_EXTENSION_NAME);
   const VkXcbSurfaceCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR, .connection = w->connection, .window = w->window};
   vkx_check(SWAP_PROC(&w->swap, vkCreateXcbSurfaceKHR)(w->swap.instance, &info, NULL, &w->swap.surface), "surface");
   swap_init_device(&w->swap, VK_QUEUE_GRAPHICS_BIT);
}

static void
close_window(struct window *w)
{
   swap_finish(&w->swap);
   xcb_disconnect(w->connection);
}

static void
resize(struct window *w, VkExtent2D size)
{
   const uint32_t values[] = {size.width, size.height};
   xcb_configure_window(w->connection, w->window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, values);
   xcb_flush(w->connection);
   w->swap.extent = size;
}

static void
nap(void)
{
   const struct timespec millisecond = {.tv_nsec = 1000000};
   nanosleep(&millisecond, NULL);
}

/* The present of that number, when it has come. */
static struct xserver_present
wait_for(struct xserver *server, uint32_t index)
{
   for (unsigned i = 0; i < LOOKS && xserver_presents(server) <= index; i++)
      nap();
   vkt_expect(xserver_presents(server) > index, "present %u has come", index);
   return xserver_present(server, index);
}

static void
expect_present(struct xserver *server, uint32_t index, VkExtent2D size, uint32_t color)
{
   const struct xserver_present present = wait_for(server, index);
   vkt_expect(present.width == size.width && present.height == size.height, "present %u: %ux%u", index, present.width,
              present.height);
   vkt_expect(present.color == color && !present.wrong, "present %u: %06x, not %06x; %u others", index, present.color,
              color, present.wrong);
   vkt_expect(present.synced == is_synced && !present.unready, "present %u: by %s, %s", index,
              present.synced ? "points" : "events", present.unready ? "not ready" : "ready");
}

/* Every frame of FIFO arrives, once and in order, whatever the server keeps. */
static void
check_order(struct window *w, struct xserver *server, uint32_t held)
{
   uint32_t colors[12];
   xserver_hold(server, held);
   vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_FIFO_KHR, 4) == VK_SUCCESS, "a swapchain");
   const uint32_t first = xserver_presents(server);
   for (uint32_t i = 0; i < 12; i++) {
      colors[i] = vkt_random() & 0xffffff;
      vkt_expect(swap_frame(&w->swap, colors[i], 0) == VK_SUCCESS, "frame %u", i);
   }
   for (uint32_t i = 0; i < 12; i++)
      expect_present(server, first + i, w->swap.extent, colors[i]);
   vkt_expect(xserver_presents(server) == first + 12, "no other presents");
   xserver_hold(server, 1);
}

/* The swapchain's images have the best modifier that both know, and are what the server shows: no copies. */
static void
check_modifier(struct window *w, struct xserver *server, bool linear)
{
   vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   const uint32_t first = xserver_presents(server);
   vkt_expect(swap_frame(&w->swap, 0x12ab9f, 0) == VK_SUCCESS, "a frame");
   expect_present(server, first, w->swap.extent, 0x12ab9f);
   const uint64_t modifier = xserver_present(server, first).modifier;
   vkt_expect(!modifier == linear, "modifier 0x%lx", (unsigned long)modifier);
}

/* FIFO gives the display one image at most that it has not shown; MAILBOX gives it all, of which it shows the last.
 */
static void
check_refreshes(struct window *w, struct xserver *server, VkPresentModeKHR mode)
{
   const bool fifo = mode == VK_PRESENT_MODE_FIFO_KHR;
   vkt_expect(swap_create(&w->swap, mode, 4) == VK_SUCCESS, "a swapchain");
   xserver_by_hand(server, true);
   xserver_most_waiting(server);
   const uint32_t first = xserver_presents(server);
   for (uint32_t i = 0; i < 3; i++) {
      vkt_expect(swap_frame(&w->swap, 0x101010 * (i + 1), 0) == VK_SUCCESS, "frame %u", i);
      if (!fifo) /* else the driver may drop it */
         wait_for(server, first + i);
   }
   for (uint32_t i = 0; i < 3; i++) {
      expect_present(server, first + i, w->swap.extent, 0x101010 * (i + 1));
      if (fifo)
         xserver_refresh(server);
   }
   const uint32_t most = xserver_most_waiting(server);
   vkt_expect(most == (fifo ? 1 : 3), "mode %d: %u at the same time", mode, most);
   xserver_by_hand(server, false);
}

/* Presents are done when the display has them. */
static void
check_waits(struct window *w, struct xserver *server)
{
   const struct swap *swap = &w->swap;
   if (!swap->has_waits || is_foreign)
      return;
   vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   xserver_by_hand(server, true);
   const uint32_t first = xserver_presents(server);
   vkt_expect(swap_frame(&w->swap, 0x445566, 7) == VK_SUCCESS, "a frame");
   wait_for(server, first);
   VkResult result = SWAP_PROC(swap, vkWaitForPresentKHR)(swap->device, swap->swapchain, 7, 1000000);
   vkt_expect(result == VK_TIMEOUT, "it waits for a refresh: %d", result);
   xserver_refresh(server);
   result = SWAP_PROC(swap, vkWaitForPresentKHR)(swap->device, swap->swapchain, 7, UINT64_MAX);
   vkt_expect(result == VK_SUCCESS, "and is done: %d", result);
   xserver_by_hand(server, false);
}

/* The server keeps all images: none can be acquired until it gives one back. */
static void
check_held(struct window *w, struct xserver *server)
{
   const struct swap *swap = &w->swap;
   uint32_t index;
   xserver_hold(server, 8);
   vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_IMMEDIATE_KHR, 3) == VK_SUCCESS, "a swapchain");
   const uint32_t first = xserver_presents(server), count = swap->num_images;
   for (uint32_t i = 0; i < count; i++)
      vkt_expect(swap_frame(&w->swap, i, 0) == VK_SUCCESS, "frame %u", i);
   wait_for(server, first + count - 1);
   VkResult result = vkAcquireNextImageKHR(swap->device, swap->swapchain, 0, swap->acquired, VK_NULL_HANDLE, &index);
   vkt_expect(result == VK_NOT_READY, "the server has all: %d", result);
   result = vkAcquireNextImageKHR(swap->device, swap->swapchain, 2000000, swap->acquired, VK_NULL_HANDLE, &index);
   vkt_expect(result == VK_TIMEOUT, "it goes on: %d", result);
   xserver_hold(server, 1);
   vkt_expect(swap_frame(&w->swap, 0x777777, 0) == VK_SUCCESS, "it gave some back");
   expect_present(server, first + count, swap->extent, 0x777777);
}

static void
check_resizes(struct window *w, struct xserver *server)
{
   VkSurfaceCapabilitiesKHR caps;
   for (uint32_t i = 0; i < 30; i++) {
      resize(w, (VkExtent2D){1 + vkt_random() % 90, 1 + vkt_random() % 90});
      vkGetPhysicalDeviceSurfaceCapabilitiesKHR(w->swap.physical, w->swap.surface, &caps);
      vkt_expect(caps.currentExtent.width == w->swap.extent.width, "the window's width");
      const uint32_t color = vkt_random() & 0xffffff, first = xserver_presents(server);
      vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "size %u", i);
      vkt_expect(swap_frame(&w->swap, color, 0) == VK_SUCCESS, "frame of size %u", i);
      expect_present(server, first, w->swap.extent, color);
   }
}

static unsigned
open_files(void)
{
   unsigned count = 0;
   DIR *folder = opendir("/proc/self/fd");
   while (readdir(folder))
      count++;
   closedir(folder);
   return count;
}

/* One after the other, each with a frame or two, and nothing of them stays, here or there. */
static void
check_many(struct window *w, struct xserver *server)
{
   unsigned files = 0;
   for (uint32_t i = 0; i < 200; i++) {
      VkResult result = swap_create(&w->swap, VK_PRESENT_MODE_IMMEDIATE_KHR, 2);
      for (uint32_t frame = 0; frame < i % 3 && result == VK_SUCCESS; frame++)
         result = swap_frame(&w->swap, i, 0);
      vkt_expect(result == VK_SUCCESS, "swapchain %u: %d", i, result);
      swap_destroy(&w->swap);
      if (i == 10)
         files = open_files();
   }
   free(xcb_get_input_focus_reply(w->connection, xcb_get_input_focus(w->connection), NULL));
   vkt_expect(is_foreign || !xserver_resources(server), "%u things of the swapchains stay",
              xserver_resources(server));
   /* The driver's pools may have grown; a file of each swapchain would be far more. */
   vkt_expect(open_files() <= files + 10, "%u files are open, %u were after ten swapchains", open_files(), files);
}

/* The window goes while the display has an image, or the connection: neither blocks. */
static void
check_lost(struct window *w, struct xserver *server, bool whole)
{
   VkResult result = VK_SUCCESS;
   vkt_expect(swap_create(&w->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   xserver_by_hand(server, true);
   vkt_expect(swap_frame(&w->swap, 0, 0) == VK_SUCCESS && swap_frame(&w->swap, 0, 0) == VK_SUCCESS, "two frames");
   if (whole)
      xserver_stop(server);
   else
      xserver_destroy_window(server, w->window);
   for (unsigned i = 0; i < LOOKS && result >= 0; i++)
      result = swap_frame(&w->swap, 0, 0);
   vkt_expect(result == VK_ERROR_SURFACE_LOST_KHR || result == VK_ERROR_OUT_OF_DATE_KHR, "lost: %d", result);
   if (!whole)
      xserver_by_hand(server, false);
}

static int
draw_forever(int socket)
{
   struct window w;
   open_window(&w, socket);
   vkx_check(swap_create(&w.swap, VK_PRESENT_MODE_FIFO_KHR, 3), "swapchain");
   while (swap_frame(&w.swap, 0x3498db, 0) == VK_SUCCESS)
      ;
   return 1;
}

/* Of a client that is killed while it draws the server keeps nothing. */
static void
check_killed(struct xserver *server)
{
   char number[16];
   const unsigned files = open_files();
   const uint32_t first = xserver_presents(server);
   const int socket = xserver_connect(server);
   fcntl(socket, F_SETFD, 0);
   snprintf(number, sizeof(number), "%d", socket);
   const pid_t client = fork();
   if (!client) {
      execl("/proc/self/exe", "dri3_windows", "--client", number, NULL);
      _exit(1);
   }
   close(socket);
   expect_present(server, first + 5, (VkExtent2D){64, 48}, 0x3498db);
   vkt_expect(xserver_resources(server) >= 3, "the server has its images");
   kill(client, SIGKILL);
   vkt_expect(waitpid(client, NULL, 0) == client, "the client has ended");
   for (unsigned i = 0; i < LOOKS && (open_files() > files || xserver_resources(server)); i++)
      nap();
   vkt_expect(open_files() <= files, "%u files are open, %u were", open_files(), files);
}

static void
check_server(uint32_t count, const uint64_t *list, bool linear)
{
   const struct xserver_options options = {is_synced, count, list};
   struct xserver *server = xserver_start(&options);
   struct window w, other;
   if (linear && !is_synced && !is_foreign)
      check_killed(server);
   open_window(&w, xserver_connect(server));
   num_modifiers = swap_modifiers(&w.swap, modifiers, MAX_MODIFIERS);
   open_window(&other, xserver_connect(server));
   check_modifier(&w, server, linear);
   for (uint32_t held = 0; held < 3; held++)
      check_order(held % 2 ? &other : &w, server, held);
   check_refreshes(&w, server, VK_PRESENT_MODE_FIFO_KHR);
   check_refreshes(&w, server, VK_PRESENT_MODE_MAILBOX_KHR);
   check_waits(&w, server);
   check_held(&w, server);
   swap_destroy(&other.swap);
   if (linear)
      check_resizes(&w, server);
   check_many(&w, server);
   if (!is_foreign) {
      check_lost(&w, server, false);
      check_lost(&other, server, true);
   }
   close_window(&w);
   close_window(&other);
   if (is_foreign)
      xserver_stop(server);
}

int
main(int argc, char **argv)
{
   static const uint64_t linear = 0;
   if (argc > 2 && !strcmp(argv[1], "--client"))
      return draw_forever(atoi(argv[2]));
   is_synced = argc < 2 || strcmp(argv[1], "--implicit");
   is_foreign = argc > 1 && !strcmp(argv[1], "--foreign");
   setenv("INDIUM_WSI", "direct", 1);
   check_server(1, &linear, true);
   check_server(num_modifiers, modifiers, false);
   return vkt_finish(NULL);
}

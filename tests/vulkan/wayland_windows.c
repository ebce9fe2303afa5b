/* Swapchains of Wayland's surfaces: a compositor of the test's own notes size, colour and order of what is committed.
 * Runs with any driver that presents with VK_KHR_wayland_surface.
 *
 * wayland_windows [--forever|--foreign] [--direct|--implicit]
 * --forever: draws without end with the compositor of WAYLAND_SOCKET, to be killed. --foreign: with another driver,
 * which may crash when a swapchain is destroyed while its surface stays (lavapipe 26), or be started by a loader, so
 * that no second one can be started to be killed. --direct: the compositor takes images as they are, with explicit
 * synchronisation, and has all else that Wayland offers to swapchains. --implicit: it only takes images. */
#define VK_USE_PLATFORM_WAYLAND_KHR
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <wayland-client.h>

#include "compositor.h"
#include "swap.h"

#define MAX_MODIFIERS 16
#define LOOKS 20000 /* a millisecond apart, until the compositor has what it must */

static bool is_foreign, is_direct, is_synced; /* how the compositor gets images, and what else it has */

struct window {
   struct wl_display *display;
   struct wl_compositor *compositor;
   struct wl_surface *surface;
   struct swap swap;
};

static void
see_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version)
{
   struct window *window = data;
   if (!strcmp(interface, "wl_compositor"))
      window->compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 4);
}

static void
see_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
}

/* compositor: NULL: that of the environment. */
static void
open_window(struct window *window, struct compositor *compositor)
{
   static const struct wl_registry_listener listener = {see_global, see_global_remove};
   *window = (struct window){.display = compositor ? wl_display_connect_to_fd(compositor_connect(compositor))
                                                   : wl_display_connect(NULL)};
   struct wl_registry *registry = wl_display_get_registry(window->display);
   wl_registry_add_listener(registry, &listener, window);
   wl_display_roundtrip(window->display);
   wl_registry_destroy(registry);
   window->surface = wl_compositor_create_surface(window->compositor);
   swap_init(&window->swap, VK_KHR_WAYLAND_SURFACE_EXTENSION_NAME);
   const VkWaylandSurfaceCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR,
                                               .display = window->display,
                                               .surface = window->surface};
   vkx_check(
      SWAP_PROC(&window->swap, vkCreateWaylandSurfaceKHR)(window->swap.instance, &info, NULL, &window->swap.surface),
      "surface");
   swap_init_device(&window->swap, VK_QUEUE_GRAPHICS_BIT);
}

static void
close_window(struct window *window)
{
   swap_finish(&window->swap);
   wl_surface_destroy(window->surface);
   wl_compositor_destroy(window->compositor);
   wl_display_disconnect(window->display);
}

/* The commit of that number, when it has come. */
static struct compositor_commit
wait_for(struct compositor *compositor, uint32_t index)
{
   const struct timespec millisecond = {.tv_nsec = 1000000};
   for (unsigned i = 0; i < LOOKS && compositor_commits(compositor) <= index; i++)
      nanosleep(&millisecond, NULL);
   vkt_expect(compositor_commits(compositor) > index, "commit %u has come", index);
   return compositor_commit(compositor, index);
}

static void
expect_commit(struct compositor *compositor, uint32_t index, VkExtent2D size, uint32_t color)
{
   const struct compositor_commit commit = wait_for(compositor, index);
   vkt_expect(commit.width == size.width && commit.height == size.height, "commit %u: %ux%u", index, commit.width,
              commit.height);
   vkt_expect((commit.color & 0xffffff) == color && !commit.wrong, "commit %u: %06x, not %06x; %u others", index,
              commit.color & 0xffffff, color, commit.wrong);
   vkt_expect(commit.format == WL_SHM_FORMAT_XRGB8888, "commit %u: format %x", index, commit.format);
   vkt_expect(commit.direct == is_direct && commit.synced == is_synced && !commit.unready, "commit %u: %s, %s, %s",
              index, commit.direct ? "direct" : "a copy", commit.synced ? "with points" : "without points",
              commit.unready ? "not ready" : "ready");
}

static void
check_capabilities(const struct swap *swap)
{
   VkSurfaceCapabilitiesKHR caps;
   vkt_expect(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(swap->physical, swap->surface, &caps) == VK_SUCCESS,
              "capabilities");
   vkt_expect(caps.currentExtent.width == UINT32_MAX && caps.currentExtent.height == UINT32_MAX,
              "swapchains decide the size");
   vkt_expect(caps.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR, "alpha");
}

/* Whether the compositor's format is that of the swapchain, without alpha, and the colour arrives. */
static void
check_format(struct window *window, struct compositor *compositor, uint32_t code)
{
   const VkFormat format = window->swap.format;
   vkt_expect(swap_create(&window->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain of format %d",
              format);
   const uint32_t first = compositor_commits(compositor);
   vkt_expect(swap_frame(&window->swap, 0xff00ff, 0) == VK_SUCCESS &&
                 swap_frame(&window->swap, 0x00ffff, 0) == VK_SUCCESS,
              "frames of format %d", format);
   for (uint32_t i = 0; i < 2; i++) {
      const struct compositor_commit commit = wait_for(compositor, first + i);
      vkt_expect(commit.format == code, "format %d: 0x%x, not 0x%x", format, commit.format, code);
      vkt_expect((commit.color & 0xffffff) == (i ? 0x00ffff : 0xff00ff) && !commit.wrong,
                 "format %d: %06x, %u others", format, commit.color, commit.wrong);
   }
}

/* All that the compositor shows are offered. */
static void
check_formats(struct window *window, struct compositor *compositor)
{
   static const struct {
      VkFormat format;
      uint32_t code;
   } rows[] = {
      {VK_FORMAT_R8G8B8A8_UNORM, WL_SHM_FORMAT_XBGR8888},
      {VK_FORMAT_A2R10G10B10_UNORM_PACK32, WL_SHM_FORMAT_XRGB2101010},
      {VK_FORMAT_A2B10G10R10_UNORM_PACK32, WL_SHM_FORMAT_XBGR2101010},
      {VK_FORMAT_R16G16B16A16_SFLOAT, WL_SHM_FORMAT_XBGR16161616F},
      {VK_FORMAT_R16G16B16A16_UNORM, WL_SHM_FORMAT_XBGR16161616},
      {VK_FORMAT_R5G6B5_UNORM_PACK16, WL_SHM_FORMAT_RGB565},
      {VK_FORMAT_B8G8R8A8_UNORM, WL_SHM_FORMAT_XRGB8888},
   };
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const bool offered = swap_has_format(&window->swap, rows[i].format);
      window->swap.format = rows[i].format;
      if (vkt_expect(offered || is_foreign, "format %d is offered", rows[i].format) && offered)
         check_format(window, compositor, rows[i].code);
   }
   window->swap.format = VK_FORMAT_B8G8R8A8_UNORM;
}

/* Every frame of FIFO arrives, once and in order, whatever the compositor keeps. */
static void
check_order(struct window *window, struct compositor *compositor, uint32_t held)
{
   uint32_t colors[20];
   compositor_hold(compositor, held);
   vkt_expect(swap_create(&window->swap, VK_PRESENT_MODE_FIFO_KHR, 4) == VK_SUCCESS, "a swapchain");
   const uint32_t first = compositor_commits(compositor);
   for (uint32_t i = 0; i < 20; i++) {
      colors[i] = vkt_random() & 0xffffff;
      vkt_expect(swap_frame(&window->swap, colors[i], 0) == VK_SUCCESS, "frame %u", i);
   }
   for (uint32_t i = 0; i < 20; i++)
      expect_commit(compositor, first + i, window->swap.extent, colors[i]);
   vkt_expect(compositor_commits(compositor) == first + 20, "no other commits");
   compositor_hold(compositor, 1);
}

/* The best modifier that both know. */
static void
check_modifier(struct window *window, struct compositor *compositor, bool linear)
{
   vkt_expect(swap_create(&window->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   const uint32_t first = compositor_commits(compositor);
   vkt_expect(swap_frame(&window->swap, 0x12ab9f, 0) == VK_SUCCESS, "a frame");
   expect_commit(compositor, first, window->swap.extent, 0x12ab9f);
   const uint64_t modifier = compositor_commit(compositor, first).modifier;
   vkt_expect(!modifier == linear, "modifier 0x%lx", (unsigned long)modifier);
}

/* What commits of a present mode ask the compositor for. */
static void
check_mode(struct window *window, struct compositor *compositor, VkPresentModeKHR mode)
{
   const bool fifo = mode == VK_PRESENT_MODE_FIFO_KHR;
   vkt_expect(swap_create(&window->swap, mode, 4) == VK_SUCCESS, "a swapchain");
   const uint32_t first = compositor_commits(compositor);
   for (uint32_t i = 0; i < 2; i++) {
      vkt_expect(swap_frame(&window->swap, 0x334455, 0) == VK_SUCCESS, "a frame");
      expect_commit(compositor, first + i, window->swap.extent, 0x334455);
   }
   const struct compositor_commit commit = compositor_commit(compositor, first + 1);
   vkt_expect(commit.waits_barrier == fifo && (commit.sets_barrier == fifo || is_foreign), "mode %d: %s", mode,
              commit.waits_barrier ? "waits for the display" : "does not wait");
   const bool tears = mode == VK_PRESENT_MODE_IMMEDIATE_KHR;
   vkt_expect(commit.tears == tears || (is_foreign && !tears), "mode %d: %s", mode,
              commit.tears ? "tears" : "does not tear");
}

/* Presents are done when the compositor has shown them. */
static void
check_waits(struct window *window, struct compositor *compositor)
{
   const struct swap *swap = &window->swap;
   vkt_expect(swap_create(&window->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   if (!swap->has_waits)
      return;
   compositor_by_hand(compositor, true);
   const uint32_t first = compositor_commits(compositor);
   vkt_expect(swap_frame(&window->swap, 0x445566, 7) == VK_SUCCESS, "a frame");
   wait_for(compositor, first);
   VkResult result = SWAP_PROC(swap, vkWaitForPresentKHR)(swap->device, swap->swapchain, 7, 1000000);
   vkt_expect(result == VK_TIMEOUT, "it waits for a refresh: %d", result);
   compositor_refresh(compositor);
   result = SWAP_PROC(swap, vkWaitForPresentKHR)(swap->device, swap->swapchain, 7, UINT64_MAX);
   vkt_expect(result == VK_SUCCESS, "and is done: %d", result);
   compositor_by_hand(compositor, false);
}

/* The compositor keeps all images: none can be acquired until it gives one back. */
static void
check_held(struct window *window, struct compositor *compositor)
{
   const struct swap *swap = &window->swap;
   uint32_t index;
   vkt_expect(swap_create(&window->swap, VK_PRESENT_MODE_IMMEDIATE_KHR, 3) == VK_SUCCESS, "a swapchain");
   compositor_hold(compositor, 7);
   const uint32_t first = compositor_commits(compositor), count = swap->num_images;
   for (uint32_t i = 0; i < count; i++)
      vkt_expect(swap_frame(&window->swap, i, 0) == VK_SUCCESS, "frame %u", i);
   wait_for(compositor, first + count - 1);
   VkResult result = vkAcquireNextImageKHR(swap->device, swap->swapchain, 0, swap->acquired, VK_NULL_HANDLE, &index);
   vkt_expect(result == VK_NOT_READY, "the compositor has all: %d", result);
   result = vkAcquireNextImageKHR(swap->device, swap->swapchain, 2000000, swap->acquired, VK_NULL_HANDLE, &index);
   vkt_expect(result == VK_TIMEOUT, "it goes on: %d", result);
   compositor_hold(compositor, 1);
   compositor_refresh(compositor);
   vkt_expect(swap_frame(&window->swap, 0x777777, 0) == VK_SUCCESS, "it gave some back");
   expect_commit(compositor, first + count, swap->extent, 0x777777);
}

static void
check_resizes(struct window *window, struct compositor *compositor)
{
   for (uint32_t i = 0; i < 50; i++) {
      window->swap.extent = (VkExtent2D){1 + vkt_random() % 90, 1 + vkt_random() % 90};
      const uint32_t color = vkt_random() & 0xffffff, first = compositor_commits(compositor);
      vkt_expect(swap_create(&window->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "size %u", i);
      vkt_expect(swap_frame(&window->swap, color, 0) == VK_SUCCESS, "frame of size %u", i);
      expect_commit(compositor, first, window->swap.extent, color);
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

/* One after the other, each with a frame or two, and nothing of them stays. */
static void
check_many(struct window *window, struct compositor *compositor, unsigned count)
{
   unsigned after_ten = 0;
   for (uint32_t i = 0; i < count; i++) {
      window->swap.extent = (VkExtent2D){1 + i % 50, 1 + i % 7};
      VkResult result = swap_create(&window->swap, VK_PRESENT_MODE_IMMEDIATE_KHR, 2);
      for (uint32_t frame = 0; frame < i % 3 && result == VK_SUCCESS; frame++)
         result = swap_frame(&window->swap, i, 0);
      vkt_expect(result == VK_SUCCESS, "swapchain %u: %d", i, result);
      swap_destroy(&window->swap);
      if (i == 10 || i == count - 1)
         wl_display_roundtrip(window->display); /* the compositor has done all */
      if (i == 10)
         after_ten = open_files();
   }
   /* The driver's pools may have grown; a file of each swapchain would be far more. */
   vkt_expect(open_files() <= after_ten + 10, "%u files are open, %u were after ten swapchains", open_files(),
              after_ten);
   const uint32_t first = compositor_commits(compositor);
   window->swap.extent = (VkExtent2D){64, 48};
   vkt_expect(swap_create(&window->swap, VK_PRESENT_MODE_FIFO_KHR, 2) == VK_SUCCESS &&
                 swap_frame(&window->swap, 0x3498db, 0) == VK_SUCCESS,
              "the last one");
   expect_commit(compositor, first, window->swap.extent, 0x3498db);
}

/* The connection ends under the swapchain. */
static void
check_lost(struct window *window, struct compositor *compositor)
{
   VkResult result = VK_SUCCESS;
   vkt_expect(swap_create(&window->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   compositor_stop(compositor);
   for (unsigned i = 0; i < LOOKS && result == VK_SUCCESS; i++)
      result = swap_frame(&window->swap, 0, 0);
   vkt_expect(result == VK_ERROR_SURFACE_LOST_KHR || result == VK_ERROR_OUT_OF_DATE_KHR, "lost: %d", result);
}

/* Memory without a file that this process, of which the compositor is part, shares with others. */
static unsigned
shared_maps(void)
{
   char line[512];
   unsigned count = 0;
   FILE *maps = fopen("/proc/self/maps", "r");
   while (fgets(line, sizeof(line), maps))
      count += strstr(line, "memfd:") || strstr(line, "(deleted)");
   fclose(maps);
   return count;
}

static int
draw_forever(void)
{
   struct window window;
   open_window(&window, NULL);
   vkx_check(swap_create(&window.swap, VK_PRESENT_MODE_FIFO_KHR, 3), "swapchain");
   while (swap_frame(&window.swap, 0x3498db, 0) == VK_SUCCESS)
      ;
   return 1;
}

static pid_t
start_client(struct compositor *compositor)
{
   char socket[16];
   const int fd = compositor_connect(compositor);
   fcntl(fd, F_SETFD, 0);
   snprintf(socket, sizeof(socket), "%d", fd);
   const pid_t client = fork();
   if (!client) {
      setenv("WAYLAND_SOCKET", socket, 1);
      execl("/proc/self/exe", "wayland_windows", "--forever", NULL);
      _exit(1);
   }
   close(fd);
   return client;
}

/* Of a client that is killed while it draws the compositor keeps neither memory nor files. */
static void
check_killed(struct compositor *compositor)
{
   const struct timespec millisecond = {.tv_nsec = 1000000};
   const unsigned files = open_files(), maps = shared_maps();
   const uint32_t first = compositor_commits(compositor);
   const pid_t client = start_client(compositor);
   wait_for(compositor, first + 5);
   vkt_expect(is_direct ? open_files() > files + 2 : shared_maps() > maps, "the client shares memory");
   kill(client, SIGKILL);
   vkt_expect(waitpid(client, NULL, 0) == client, "the client has ended");
   for (unsigned i = 0; i < LOOKS && (open_files() > files || shared_maps() > maps); i++)
      nanosleep(&millisecond, NULL);
   vkt_expect(open_files() <= files, "%u files are open, %u were", open_files(), files);
   vkt_expect(shared_maps() <= maps, "%u maps, %u were", shared_maps(), maps);
}

static void
check_all(const struct compositor_options *options, bool linear)
{
   struct compositor *compositor = compositor_start(options);
   struct window windows[2];
   if (!is_foreign && !is_synced && linear)
      check_killed(compositor);
   open_window(&windows[0], compositor);
   open_window(&windows[1], compositor);
   check_capabilities(&windows[0].swap);
   if (!is_direct)
      check_formats(&windows[0], compositor);
   if (is_direct)
      check_modifier(&windows[0], compositor, linear);
   for (uint32_t held = 0; held < 3; held++)
      check_order(&windows[held % 2], compositor, held);
   for (unsigned i = 0; i < 3 && options->fifo && options->tearing; i++)
      check_mode(&windows[i % 2], compositor, (VkPresentModeKHR)i); /* IMMEDIATE, MAILBOX, FIFO */
   if (options->presentation)
      check_waits(&windows[0], compositor);
   if (is_direct && !is_foreign)
      check_held(&windows[0], compositor);
   if (linear)
      check_resizes(&windows[0], compositor);
   if (!is_foreign && linear)
      check_many(&windows[0], compositor, is_direct ? 200 : 1000);
   close_window(&windows[1]);
   check_lost(&windows[0], compositor);
   close_window(&windows[0]);
}

static bool
has_argument(int argc, char **argv, const char *name)
{
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], name))
         return true;
   }
   return false;
}

/* Of the device. */
static uint32_t
find_modifiers(const struct compositor_options *options, uint64_t modifiers[MAX_MODIFIERS])
{
   struct compositor *compositor = compositor_start(options);
   struct window window;
   open_window(&window, compositor);
   const uint32_t count = swap_modifiers(&window.swap, modifiers, MAX_MODIFIERS);
   close_window(&window);
   compositor_stop(compositor);
   return count;
}

int
main(int argc, char **argv)
{
   static const uint64_t linear = 0;
   uint64_t modifiers[MAX_MODIFIERS];
   struct compositor_options options = {0};
   if (has_argument(argc, argv, "--forever"))
      return draw_forever();
   is_foreign = has_argument(argc, argv, "--foreign");
   is_synced = has_argument(argc, argv, "--direct");
   is_direct = is_synced || has_argument(argc, argv, "--implicit");
   if (is_direct)
      options = (struct compositor_options){1, &linear, is_synced, is_synced, is_synced, is_synced};
   const uint32_t count = is_direct ? find_modifiers(&options, modifiers) : 0;
   if (is_direct)
      setenv("INDIUM_WSI", "direct", 1);
   check_all(&options, true);
   options.num_modifiers = count;
   options.modifiers = modifiers;
   if (is_direct)
      check_all(&options, false);
   return vkt_finish(NULL);
}

/* Swapchains of Wayland's surfaces: a compositor of the test's own notes size, colour and order of what is committed.
 * Runs with any driver that presents with VK_KHR_wayland_surface. */
#define VK_USE_PLATFORM_WAYLAND_KHR
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <wayland-client.h>

#include "compositor.h"
#include "swap.h"

#define LOOKS 20000 /* a millisecond apart, until the compositor has what it must */

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

static void
open_window(struct window *window, struct compositor *compositor)
{
   static const struct wl_registry_listener listener = {see_global, see_global_remove};
   *window = (struct window){.display = wl_display_connect_to_fd(compositor_connect(compositor))};
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

/* Every frame of FIFO arrives, once and in order, whatever the compositor keeps. */
static void
check_order(struct window *window, struct compositor *compositor, uint32_t held)
{
   uint32_t colors[20];
   compositor_hold(compositor, held);
   vkt_expect(swap_create(&window->swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   const uint32_t first = compositor_commits(compositor);
   for (uint32_t i = 0; i < 20; i++) {
      colors[i] = vkt_random() & 0xffffff;
      vkt_expect(swap_frame(&window->swap, colors[i], 0) == VK_SUCCESS, "frame %u", i);
   }
   for (uint32_t i = 0; i < 20; i++)
      expect_commit(compositor, first + i, window->swap.extent, colors[i]);
   vkt_expect(compositor_commits(compositor) == first + 20, "no other commits");
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

int
main(void)
{
   struct compositor *compositor = compositor_start();
   struct window windows[2];
   open_window(&windows[0], compositor);
   open_window(&windows[1], compositor);
   check_capabilities(&windows[0].swap);
   for (uint32_t held = 0; held < 3; held++)
      check_order(&windows[held % 2], compositor, held);
   check_resizes(&windows[0], compositor);
   close_window(&windows[1]);
   check_lost(&windows[0], compositor);
   close_window(&windows[0]);
   return vkt_finish(NULL);
}

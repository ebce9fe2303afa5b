/* What a compositor offers to swapchains. */
#include <time.h>

#include "gallium/frontends/vulkan/wsi/wsi_wayland.h"
#include "util/macros.h"

/* Where the object of a global goes, and the newest version that is used here. */
struct wanted {
   const struct wl_interface *interface;
   void **object;
   uint32_t oldest, newest;
};

static void
hear_clock(void *data, struct wp_presentation *presentation, uint32_t clock)
{
   ((struct wsi_wayland_swapchain *)data)->other_clock = clock != CLOCK_MONOTONIC;
}

static void
see_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version)
{
   static const struct wp_presentation_listener listener = {hear_clock};
   struct wsi_wayland_swapchain *wayland = data;
   const bool had_presentation = wayland->presentation;
   const struct wanted wanted[] = {
      {&wl_shm_interface, (void **)&wayland->shm, 1, 1},
      {&zwp_linux_dmabuf_v1_interface, (void **)&wayland->dmabuf, 4, 4},
      {&wp_linux_drm_syncobj_manager_v1_interface, (void **)&wayland->syncs, 1, 1},
      {&wp_fifo_manager_v1_interface, (void **)&wayland->fifos, 1, 1},
      {&wp_tearing_control_manager_v1_interface, (void **)&wayland->tearing, 1, 1},
      {&wp_presentation_interface, (void **)&wayland->presentation, 1, 1},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(wanted); i++) {
      if (!*wanted[i].object && version >= wanted[i].oldest && !strcmp(interface, wanted[i].interface->name))
         *wanted[i].object = wl_registry_bind(registry, name, wanted[i].interface, MIN2(version, wanted[i].newest));
   }
   if (wayland->presentation && !had_presentation)
      wp_presentation_add_listener(wayland->presentation, &listener, wayland);
}

static void
see_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
}

VkResult
wsi_wayland_bind(struct wsi_wayland_swapchain *wayland)
{
   static const struct wl_registry_listener listener = {see_global, see_global_remove};
   wayland->registry = wl_display_get_registry(wayland->wrapper);
   if (!wayland->registry)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   wl_registry_add_listener(wayland->registry, &listener, wayland);
   if (WSI_WAYLAND(wl_display_roundtrip_queue)(wayland->display, wayland->queue) < 0)
      return VK_ERROR_SURFACE_LOST_KHR;
   return wayland->shm ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED;
}

void
wsi_wayland_unbind(struct wsi_wayland_swapchain *wayland)
{
   if (wayland->shm)
      wl_shm_destroy(wayland->shm);
   if (wayland->dmabuf)
      zwp_linux_dmabuf_v1_destroy(wayland->dmabuf);
   if (wayland->syncs)
      wp_linux_drm_syncobj_manager_v1_destroy(wayland->syncs);
   if (wayland->fifos)
      wp_fifo_manager_v1_destroy(wayland->fifos);
   if (wayland->tearing)
      wp_tearing_control_manager_v1_destroy(wayland->tearing);
   if (wayland->presentation)
      wp_presentation_destroy(wayland->presentation);
   if (wayland->registry)
      wl_registry_destroy(wayland->registry);
}

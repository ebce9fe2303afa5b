/* Formats that compositors show. Those of wl_shm are offered: a compositor that cannot take the images themselves
 * can still show copies. */
#include <libdrm/drm_fourcc.h>

#include "gallium/frontends/vulkan/wsi/wsi_wayland.h"
#include "util/macros.h"

/* DRM's codes without and with alpha. */
static const struct row {
   VkFormat format;
   uint32_t opaque, alpha;
} rows[] = {
   {VK_FORMAT_B8G8R8A8_SRGB, DRM_FORMAT_XRGB8888, DRM_FORMAT_ARGB8888},
   {VK_FORMAT_B8G8R8A8_UNORM, DRM_FORMAT_XRGB8888, DRM_FORMAT_ARGB8888},
   {VK_FORMAT_R8G8B8A8_SRGB, DRM_FORMAT_XBGR8888, DRM_FORMAT_ABGR8888},
   {VK_FORMAT_R8G8B8A8_UNORM, DRM_FORMAT_XBGR8888, DRM_FORMAT_ABGR8888},
   {VK_FORMAT_A2R10G10B10_UNORM_PACK32, DRM_FORMAT_XRGB2101010, DRM_FORMAT_ARGB2101010},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, DRM_FORMAT_XBGR2101010, DRM_FORMAT_ABGR2101010},
   {VK_FORMAT_R16G16B16A16_SFLOAT, DRM_FORMAT_XBGR16161616F, DRM_FORMAT_ABGR16161616F},
   {VK_FORMAT_R16G16B16A16_UNORM, DRM_FORMAT_XBGR16161616, DRM_FORMAT_ABGR16161616},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, DRM_FORMAT_RGB565, DRM_FORMAT_RGB565},
};
_Static_assert(ARRAY_SIZE(rows) <= WSI_MAX_FORMATS, "all can be offered");

uint32_t
wsi_wayland_code(VkFormat format, bool opaque)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].format == format)
         return opaque ? rows[i].opaque : rows[i].alpha;
   }
   return 0;
}

/* wl_shm has numbers of its own for the two that every compositor takes. */
uint32_t
wsi_wayland_shm_code(uint32_t code)
{
   return code == DRM_FORMAT_XRGB8888   ? WL_SHM_FORMAT_XRGB8888
          : code == DRM_FORMAT_ARGB8888 ? WL_SHM_FORMAT_ARGB8888
                                        : code;
}

/* ---- what a compositor has ---- */

struct shm {
   struct wl_shm *shm;
   uint32_t opaque, alpha; /* bits of rows */
};

static void
hear_format(void *data, struct wl_shm *wl_shm, uint32_t code)
{
   struct shm *shm = data;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      shm->opaque |= (uint32_t)(wsi_wayland_shm_code(rows[i].opaque) == code) << i;
      shm->alpha |= (uint32_t)(wsi_wayland_shm_code(rows[i].alpha) == code) << i;
   }
}

static void
see_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version)
{
   static const struct wl_shm_listener listener = {hear_format};
   struct shm *shm = data;
   if (shm->shm || strcmp(interface, wl_shm_interface.name))
      return;
   shm->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
   if (shm->shm)
      wl_shm_add_listener(shm->shm, &listener, shm);
}

static void
see_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
}

/* Globals come with the first answer, formats with the second. */
static bool
ask(struct wl_display *display, struct wl_display *wrapper, struct wl_event_queue *queue, struct shm *shm)
{
   static const struct wl_registry_listener listener = {see_global, see_global_remove};
   struct wl_registry *registry = wl_display_get_registry(wrapper);
   if (!registry)
      return false;
   wl_registry_add_listener(registry, &listener, shm);
   const bool answered = WSI_WAYLAND(wl_display_roundtrip_queue)(display, queue) >= 0 &&
                         WSI_WAYLAND(wl_display_roundtrip_queue)(display, queue) >= 0;
   if (shm->shm)
      wl_shm_destroy(shm->shm);
   wl_registry_destroy(registry);
   return answered;
}

bool
wsi_wayland_formats(struct wl_display *display, struct wsi_description *out)
{
   struct wl_event_queue *queue = WSI_WAYLAND(wl_display_create_queue)(display);
   struct wl_display *wrapper = queue ? WSI_WAYLAND(wl_proxy_create_wrapper)(display) : NULL;
   struct shm shm = {0};
   bool answered = false;
   if (wrapper) {
      WSI_WAYLAND(wl_proxy_set_queue)((struct wl_proxy *)wrapper, queue);
      answered = ask(display, wrapper, queue, &shm);
      WSI_WAYLAND(wl_proxy_wrapper_destroy)(wrapper);
   }
   if (queue)
      WSI_WAYLAND(wl_event_queue_destroy)(queue);
   out->num_formats = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (shm.opaque & shm.alpha & 1u << i)
         out->formats[out->num_formats++] = rows[i].format;
   }
   return answered;
}

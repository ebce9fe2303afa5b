/* Memory that the compositor shares: a file without a name for each buffer, so that nothing is left behind. */
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "gallium/frontends/vulkan/wsi/wsi_wayland.h"

#define WAIT_NS INT64_C(1000000000) /* for a compositor that keeps all buffers */

/* wl_buffer's event. */
static void
release(void *data, struct wl_buffer *buffer)
{
   struct wsi_wayland_buffer *released = data;
   released->is_busy = false;
}

static struct wl_buffer *
create_pooled(const struct wsi_wayland_swapchain *wayland, int fd)
{
   const VkExtent2D size = wayland->extent;
   struct wl_shm_pool *pool = wl_shm_create_pool(wayland->shm, fd, (int32_t)wayland->size_B);
   struct wl_buffer *buffer = NULL;
   if (pool) {
      buffer = wl_shm_pool_create_buffer(pool, 0, (int32_t)size.width, (int32_t)size.height,
                                         (int32_t)wayland->pitch_B, wsi_wayland_shm_code(wayland->code));
      wl_shm_pool_destroy(pool);
   }
   return buffer;
}

static bool
create(const struct wsi_wayland_swapchain *wayland, struct wsi_wayland_buffer *buffer)
{
   static const struct wl_buffer_listener listener = {release};
   const int fd = memfd_create("indium-wayland", MFD_CLOEXEC);
   void *map = MAP_FAILED;
   if (fd >= 0 && !ftruncate(fd, (off_t)wayland->size_B))
      map = mmap(NULL, wayland->size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   buffer->buffer = map == MAP_FAILED ? NULL : create_pooled(wayland, fd);
   if (fd >= 0)
      close(fd);
   if (!buffer->buffer) {
      if (map != MAP_FAILED)
         munmap(map, wayland->size_B);
      return false;
   }
   buffer->map = map;
   wl_buffer_add_listener(buffer->buffer, &listener, buffer);
   return true;
}

struct wsi_wayland_buffer *
wsi_wayland_find_buffer(struct wsi_wayland_swapchain *wayland, VkResult *result)
{
   const struct timespec pause = {.tv_nsec = 1000000};
   const int64_t end_ns = wsi_now_ns() + WAIT_NS;
   for (;;) {
      if (WSI_WAYLAND(wl_display_roundtrip_queue)(wayland->display, wayland->queue) < 0)
         return *result = VK_ERROR_SURFACE_LOST_KHR, NULL;
      for (unsigned i = 0; i < WSI_WAYLAND_BUFFERS; i++) {
         struct wsi_wayland_buffer *buffer = &wayland->buffers[i];
         if (buffer->buffer ? !buffer->is_busy : create(wayland, buffer))
            return buffer;
         if (!buffer->buffer)
            return *result = VK_ERROR_OUT_OF_HOST_MEMORY, NULL;
      }
      if (wsi_now_ns() > end_ns)
         return *result = VK_NOT_READY, NULL;
      nanosleep(&pause, NULL);
   }
}

void
wsi_wayland_free_buffers(struct wsi_wayland_swapchain *wayland)
{
   for (unsigned i = 0; i < WSI_WAYLAND_BUFFERS && wayland->buffers[i].buffer; i++) {
      wl_buffer_destroy(wayland->buffers[i].buffer);
      munmap(wayland->buffers[i].map, wayland->size_B);
   }
}

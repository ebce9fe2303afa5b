/* What fences and semaphores share. */
#include "gallium/frontends/vulkan/vk_sync.h"

#include "util/dynarray.h"

VkResult
vk_sync_wait(struct vk_device *device, struct dynarray *syncs, const uint64_t *points, bool all, int64_t timeout_ns)
{
   enum pipe_result result = device->screen->sync_wait(device->screen, syncs->data, points,
                                                       (uint32_t)dynarray_count(syncs, struct pipe_sync *), all,
                                                       timeout_ns);
   dynarray_free(syncs);
   if (result == PIPE_OK && device->has_queue && device->screen->queue_lost(device->queue.queue))
      result = PIPE_DEVICE_LOST;
   return vk_device_check(device, result);
}

VkResult
vk_sync_export(struct vk_device *device, struct pipe_sync *sync, struct pipe_sync **temporary, bool sync_file,
               int *fd)
{
   struct pipe_screen *screen = device->screen;
   enum pipe_result result = screen->sync_export(screen, *temporary ? *temporary : sync, sync_file, fd);
   if (result != PIPE_OK || !sync_file)
      return vk_result(result);
   if (!*temporary)
      return vk_result(screen->sync_reset(screen, sync));
   screen->sync_destroy(screen, *temporary);
   *temporary = NULL;
   return VK_SUCCESS;
}

VkResult
vk_sync_import(struct vk_device *device, struct pipe_sync *sync, struct pipe_sync **temporary, bool is_temporary,
               bool sync_file, int fd)
{
   struct pipe_screen *screen = device->screen;
   if (!is_temporary)
      return vk_result(screen->sync_import(screen, sync, sync_file, fd));
   struct pipe_sync *imported;
   enum pipe_result result = screen->sync_create(screen, false, &imported);
   if (result != PIPE_OK)
      return vk_result(result);
   result = screen->sync_import(screen, imported, sync_file, fd);
   if (result != PIPE_OK) {
      screen->sync_destroy(screen, imported);
      return vk_result(result);
   }
   if (*temporary)
      screen->sync_destroy(screen, *temporary);
   *temporary = imported;
   return VK_SUCCESS;
}

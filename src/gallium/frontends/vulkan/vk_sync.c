/* What fences and semaphores share. */
#include "gallium/frontends/vulkan/vk_sync.h"

#include "util/macros.h"

bool
vk_sync_list_init(struct vk_device *device, struct vk_sync_list *list, size_t room)
{
   *list = (struct vk_sync_list){
      .points = vk_alloc(&device->alloc, NULL, MAX2(room, 1) * sizeof(*list->points)),
   };
   return list->points != NULL;
}

void
vk_sync_list_finish(struct vk_device *device, struct vk_sync_list *list)
{
   vk_free(&device->alloc, NULL, list->points);
}

VkResult
vk_sync_wait(struct vk_device *device, struct vk_sync_list *list, bool all, uint64_t timeout_ns)
{
   enum pipe_result result =
      device->screen->sync_wait(device->screen, list->points, list->count, all, vk_absolute_timeout(timeout_ns));
   vk_sync_list_finish(device, list);
   for (uint32_t i = 0; i < device->num_queues && result == PIPE_OK; i++) {
      if (device->screen->queue_lost(device->queues[i].queue))
         result = PIPE_DEVICE_LOST;
   }
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

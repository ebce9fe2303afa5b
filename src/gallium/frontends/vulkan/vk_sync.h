/* What fences and semaphores share: a payload, and perhaps a temporary one that was imported. */
#ifndef INDIUM_VK_SYNC_H
#define INDIUM_VK_SYNC_H

#include "gallium/frontends/vulkan/vk_private.h"

/* What is waited for. */
struct vk_sync_list {
   struct pipe_sync_point *points;
   uint32_t count;
};

/* An empty list with room for `room`. False: out of memory. */
bool vk_sync_list_init(struct vk_device *device, struct vk_sync_list *list, size_t room);
void vk_sync_list_finish(struct vk_device *device, struct vk_sync_list *list);

/* Waits for all or any of the list, which it finishes, from now on as Vulkan counts a timeout. */
VkResult vk_sync_wait(struct vk_device *device, struct vk_sync_list *list, bool all, uint64_t timeout_ns);

/* An opaque descriptor shares the payload. A sync file takes it, as a wait and a reset would. */
VkResult vk_sync_export(struct vk_device *device, struct pipe_sync *sync, struct pipe_sync **temporary,
                        bool sync_file, int *fd);

/* Takes over fd: as the payload, or as the temporary one. */
VkResult vk_sync_import(struct vk_device *device, struct pipe_sync *sync, struct pipe_sync **temporary,
                        bool is_temporary, bool sync_file, int fd);

#endif

/* What fences and semaphores share: a payload, and perhaps a temporary one that was imported. */
#ifndef INDIUM_VK_SYNC_H
#define INDIUM_VK_SYNC_H

#include "gallium/frontends/vulkan/vk_private.h"

struct dynarray;

/* Waits for all or any of syncs (of struct pipe_sync *), which it frees. points: NULL, or one for each. timeout_ns:
 * absolute, CLOCK_MONOTONIC. */
VkResult vk_sync_wait(struct vk_device *device, struct dynarray *syncs, const uint64_t *points, bool all,
                      int64_t timeout_ns);

/* An opaque descriptor shares the payload. A sync file takes it, as a wait and a reset would. */
VkResult vk_sync_export(struct vk_device *device, struct pipe_sync *sync, struct pipe_sync **temporary,
                        bool sync_file, int *fd);

/* Takes over fd: as the payload, or as the temporary one. */
VkResult vk_sync_import(struct vk_device *device, struct pipe_sync *sync, struct pipe_sync **temporary,
                        bool is_temporary, bool sync_file, int fd);

#endif

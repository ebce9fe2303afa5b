#ifndef INDIUM_VK_EVENT_H
#define INDIUM_VK_EVENT_H

#include "gallium/frontends/vulkan/vk_private.h"

#define VK_EVENT_B 64

/* The memory of an event: zeros. vk_event_finish gives back what there is if it fails. */
enum pipe_result vk_event_init(struct pipe_screen *screen, struct vk_event *event);
void vk_event_finish(struct vk_device *device, struct vk_event *event);

#endif

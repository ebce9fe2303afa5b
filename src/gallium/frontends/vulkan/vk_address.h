/* Buffers by device address (VK_KHR_device_address_commands): all that are bound and have one. */
#ifndef INDIUM_VK_ADDRESS_H
#define INDIUM_VK_ADDRESS_H

#include "gallium/frontends/vulkan/vk_private.h"

/* For devices with the feature: device->addresses. */
VkResult vk_addresses_create(struct vk_device *device);
void vk_addresses_destroy(struct vk_device *device);

/* Notes a buffer that got its memory. VK_ERROR_OUT_OF_HOST_MEMORY if there is no room. */
VkResult vk_address_note(struct vk_device *device, struct vk_buffer *buffer);
/* A buffer that goes away. One that was not noted is fine. */
void vk_address_forget(struct vk_device *device, const struct vk_buffer *buffer);

/* A place that a command names by address. */
struct vk_place {
   VkBuffer buffer; /* VK_NULL_HANDLE: the address is 0, or nothing is there */
   VkDeviceSize offset_B;
};

/* The buffer that has these bytes, or at least the first: copies of images go by their extents, and dEQP gives such
 * ranges. The log tells of both, and of addresses other than 0 that no buffer has; command: for it. */
struct vk_place vk_address_find(struct vk_device *device, VkDeviceAddressRangeKHR range, const char *command);

#endif

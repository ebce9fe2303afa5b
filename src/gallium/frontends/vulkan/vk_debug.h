/* Messages to the application (VK_EXT_debug_utils), and reports of addresses by them. */
#ifndef INDIUM_VK_DEBUG_H
#define INDIUM_VK_DEBUG_H

#include "gallium/frontends/vulkan/vk_private.h"

/* Calls the application's messengers that want such messages. */
void vk_debug_message(struct vk_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                      VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data);

/* What the application calls an object; NULL: nothing. */
const char *vk_debug_name(VkObjectType type, uint64_t handle);

/* VK_EXT_device_address_binding_report (vk_address_report.c): an object has got a range of addresses, or loses it.
 * Without the feature, and for the address 0, nothing happens. */
struct vk_address_range {
   uint64_t va, size_B;
};
void vk_address_report(const struct vk_device *device, VkDeviceAddressBindingTypeEXT event, VkObjectType type,
                       const void *object, struct vk_address_range range);

/* The same of all that a resource of an object has. */
void vk_address_report_resource(const struct vk_device *device, VkDeviceAddressBindingTypeEXT event,
                                VkObjectType type, const void *object, const struct pipe_resource *resource);

/* vk_memory_report.c: what the application wants to be called for. */
VkResult vk_memory_reports_init(struct vk_device *device, const void *chain);
/* Calls it. */
void vk_memory_report(struct vk_device *device, VkDeviceMemoryReportEventTypeEXT event,
                      const struct vk_memory *memory);

#endif

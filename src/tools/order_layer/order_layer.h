/* VK_LAYER_INDIUM_order: a Vulkan layer that `indium order --check` puts between a program and its driver. Where the
 * program asks for relaxed order (VK_AMD_rasterization_order), draws are marked so that the model can tell them from
 * those that the driver let through by itself (amd/hw/order_mark.h): a mark stands ahead of the first relaxed draw,
 * and another ahead of the next strict one, or of whatever is no draw of the program. */
#ifndef INDIUM_TOOLS_ORDER_LAYER_H
#define INDIUM_TOOLS_ORDER_LAYER_H

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

struct order_layer_device {
   const void *key; /* of dispatchable handles */
   VkDevice handle;
   PFN_vkGetDeviceProcAddr next;
   VkBuffer marks; /* the strict one, then the relaxed one; NULL: there is no memory for them */
   VkDeviceMemory memory;
};

struct order_layer_hook {
   const char *name;
   PFN_vkVoidFunction function;
};

/* What the loader tells its dispatchable objects by: those of a device have that of the device. */
const void *order_layer_key(const void *handle);

/* order_layer_device.c. The device that a handle belongs to; NULL: none. */
const struct order_layer_device *order_layer_device(const void *handle);
/* Of the hooks of instances and devices; NULL: it is none. */
PFN_vkVoidFunction order_layer_device_hook(const char *name);

/* order_layer.c: of commands and pipelines. */
PFN_vkVoidFunction order_layer_command_hook(const char *name);

#endif

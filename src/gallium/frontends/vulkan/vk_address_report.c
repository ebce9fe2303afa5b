/* VK_EXT_device_address_binding_report: applications are told which addresses their memory, buffers and images have.
 * What the driver allocates for itself is not reported, as in vk_memory_report.c. */
#include "gallium/frontends/vulkan/vk_debug.h"

void
vk_address_report(const struct vk_device *device, VkDeviceAddressBindingTypeEXT event, VkObjectType type,
                  const void *object, struct vk_address_range range)
{
   const VkDeviceAddressBindingCallbackDataEXT binding = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT,
      .baseAddress = range.va,
      .size = range.size_B,
      .bindingType = event,
   };
   if (!device->features.reportAddressBinding || !range.va)
      return;
   const VkDebugUtilsObjectNameInfoEXT name = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = type,
      .objectHandle = (uint64_t)(uintptr_t)object,
      .pObjectName = vk_debug_name(type, (uint64_t)(uintptr_t)object),
   };
   const VkDebugUtilsMessengerCallbackDataEXT data = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pNext = &binding,
      .pMessageIdName = "device-address-binding",
      .pMessage = event == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT ? "addresses are bound" : "addresses are unbound",
      .objectCount = 1,
      .pObjects = &name,
   };
   vk_debug_message(device->physical->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                    VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, &data);
}

void
vk_address_report_resource(const struct vk_device *device, VkDeviceAddressBindingTypeEXT event, VkObjectType type,
                           const void *object, const struct pipe_resource *resource)
{
   const struct pipe_screen *screen = device->screen;
   if (device->features.reportAddressBinding)
      vk_address_report(device, event, type, object,
                        (struct vk_address_range){screen->resource_address(resource),
                                                  screen->resource_requirements(resource).size_B});
}

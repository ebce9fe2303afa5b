/* VK_EXT_device_memory_report: applications are called for memory that they get and give back. What the driver has
 * for itself, descriptor pools and code, it takes in larger pieces, which belong to no object. */
#include "gallium/frontends/vulkan/vk_debug.h"

VkResult
vk_memory_reports_init(struct vk_device *device, const void *chain)
{
   const VkStructureType type = VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT;
   uint32_t count = 0;
   for (const void *it = vk_find_struct(chain, type); it;
        it = vk_find_struct(((const VkBaseInStructure *)it)->pNext, type))
      count++;
   device->reports = count ? vk_alloc(&device->alloc, NULL, count * sizeof(device->reports[0])) : NULL;
   if (count && !device->reports)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (const VkBaseInStructure *it = vk_find_struct(chain, type); it; it = vk_find_struct(it->pNext, type))
      device->reports[device->num_reports++] = *(const VkDeviceDeviceMemoryReportCreateInfoEXT *)it;
   return VK_SUCCESS;
}

void
vk_memory_report(struct vk_device *device, VkDeviceMemoryReportEventTypeEXT event, const struct vk_memory *memory)
{
   const bool failed = event == VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT;
   const VkDeviceMemoryReportCallbackDataEXT data = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_REPORT_CALLBACK_DATA_EXT,
      .type = event,
      .memoryObjectId = failed ? 0 : memory->report_id,
      .size = memory->size_B,
      .objectType = VK_OBJECT_TYPE_DEVICE_MEMORY,
      .objectHandle = failed ? 0 : (uint64_t)(uintptr_t)memory,
      .heapIndex = device->screen->caps.memory_types[memory->type].heap,
   };
   for (uint32_t i = 0; i < device->num_reports; i++)
      device->reports[i].pfnUserCallback(&data, device->reports[i].pUserData);
}

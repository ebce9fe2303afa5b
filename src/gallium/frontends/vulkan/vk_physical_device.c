/* Queues, memory types and external handles of a physical device. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

static VkQueueFamilyProperties
queue_family(const struct pipe_queue_family *family)
{
   return (VkQueueFamilyProperties){
      .queueFlags = (family->abilities & PIPE_CAN_GRAPHICS ? VK_QUEUE_GRAPHICS_BIT : 0) |
                    (family->abilities & PIPE_CAN_COMPUTE ? VK_QUEUE_COMPUTE_BIT : 0) |
                    (family->abilities & PIPE_CAN_TRANSFER ? VK_QUEUE_TRANSFER_BIT : 0) |
                    (family->abilities & PIPE_CAN_BIND ? VK_QUEUE_SPARSE_BINDING_BIT : 0),
      .queueCount = family->count,
      .timestampValidBits = 64,
      .minImageTransferGranularity = {1, 1, 1},
   };
}

/* How many are to be told; *count becomes it. */
static uint32_t
clamp_families(const struct pipe_caps *caps, bool told, uint32_t *count)
{
   *count = told ? MIN2(*count, caps->num_queue_families) : caps->num_queue_families;
   return told ? *count : 0;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physicalDevice, uint32_t *pQueueFamilyPropertyCount,
                                              VkQueueFamilyProperties *pQueueFamilyProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   uint32_t count = clamp_families(caps, pQueueFamilyProperties, pQueueFamilyPropertyCount);
   for (uint32_t i = 0; i < count; i++)
      pQueueFamilyProperties[i] = queue_family(&caps->queue_families[i]);
}

/* Those that may be asked for; the kernel has the last word. */
static void
fill_priorities(void *chain)
{
   static const VkQueueGlobalPriority all[] = {VK_QUEUE_GLOBAL_PRIORITY_LOW, VK_QUEUE_GLOBAL_PRIORITY_MEDIUM,
                                               VK_QUEUE_GLOBAL_PRIORITY_HIGH, VK_QUEUE_GLOBAL_PRIORITY_REALTIME};
   VkQueueFamilyGlobalPriorityProperties *to = (VkQueueFamilyGlobalPriorityProperties *)vk_find_struct(
      chain, VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES);
   if (!to)
      return;
   to->priorityCount = ARRAY_SIZE(all);
   memcpy(to->priorities, all, sizeof(all));
}

/* Families that take over images of this one as they are: those that render and compute know all metadata, those that
 * only copy need a release. */
static void
fill_transfers(const struct pipe_caps *caps, uint32_t family, void *chain)
{
   const uint32_t knowing = PIPE_CAN_GRAPHICS | PIPE_CAN_COMPUTE;
   VkQueueFamilyOwnershipTransferPropertiesKHR *to = (VkQueueFamilyOwnershipTransferPropertiesKHR *)vk_find_struct(
      chain, VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR);
   if (!to)
      return;
   to->optimalImageTransferToQueueFamilies = 1u << family;
   for (uint32_t i = 0; i < caps->num_queue_families; i++) {
      if (caps->queue_families[family].abilities & knowing && caps->queue_families[i].abilities & knowing)
         to->optimalImageTransferToQueueFamilies |= 1u << i;
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physicalDevice, uint32_t *pQueueFamilyPropertyCount,
                                               VkQueueFamilyProperties2 *pQueueFamilyProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   uint32_t count = clamp_families(caps, pQueueFamilyProperties, pQueueFamilyPropertyCount);
   for (uint32_t i = 0; i < count; i++) {
      pQueueFamilyProperties[i].queueFamilyProperties = queue_family(&caps->queue_families[i]);
      fill_priorities(pQueueFamilyProperties[i].pNext);
      fill_transfers(caps, i, pQueueFamilyProperties[i].pNext);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice,
                                         VkPhysicalDeviceMemoryProperties *pMemoryProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   memset(pMemoryProperties, 0, sizeof(*pMemoryProperties));
   pMemoryProperties->memoryHeapCount = caps->num_heaps;
   for (uint32_t i = 0; i < caps->num_heaps; i++) {
      pMemoryProperties->memoryHeaps[i] = (VkMemoryHeap){
         .size = caps->heaps[i].size_B,
         .flags = caps->heaps[i].device_local ? VK_MEMORY_HEAP_DEVICE_LOCAL_BIT : 0,
      };
   }
   pMemoryProperties->memoryTypeCount = caps->num_memory_types;
   for (uint32_t i = 0; i < caps->num_memory_types; i++) {
      const struct pipe_memory_type *type = &caps->memory_types[i];
      pMemoryProperties->memoryTypes[i] = (VkMemoryType){
         .heapIndex = type->heap,
         .propertyFlags = (type->device_local ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : 0) |
                          (type->host_visible ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT : 0) |
                          (type->host_coherent ? VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : 0) |
                          (type->host_cached ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : 0),
      };
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physicalDevice,
                                          VkPhysicalDeviceMemoryProperties2 *pMemoryProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = (VkPhysicalDeviceMemoryBudgetPropertiesEXT *)vk_find_struct(
      pMemoryProperties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
   indium_GetPhysicalDeviceMemoryProperties(physicalDevice, &pMemoryProperties->memoryProperties);
   for (uint32_t i = 0; budget && i < VK_MAX_MEMORY_HEAPS; i++) {
      const bool there = i < device->screen->caps.num_heaps;
      budget->heapBudget[i] = there ? device->screen->caps.heaps[i].size_B : 0;
      budget->heapUsage[i] = there ? device->screen->heap_used(device->screen, i) : 0;
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice physicalDevice,
                                                const VkPhysicalDeviceExternalFenceInfo *pExternalFenceInfo,
                                                VkExternalFenceProperties *pExternalFenceProperties)
{
   const VkExternalFenceHandleTypeFlags types =
      VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
   bool known = pExternalFenceInfo->handleType & types;
   pExternalFenceProperties->exportFromImportedHandleTypes = known ? types : 0;
   pExternalFenceProperties->compatibleHandleTypes = known ? types : 0;
   pExternalFenceProperties->externalFenceFeatures =
      known ? VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT : 0;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceExternalSemaphoreProperties(
   VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo *pExternalSemaphoreInfo,
   VkExternalSemaphoreProperties *pExternalSemaphoreProperties)
{
   const VkSemaphoreTypeCreateInfo *type =
      vk_find_struct(pExternalSemaphoreInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
   bool timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
   VkExternalSemaphoreHandleTypeFlags types = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT |
                                              (timeline ? 0 : VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
   bool known = pExternalSemaphoreInfo->handleType & types;
   pExternalSemaphoreProperties->exportFromImportedHandleTypes = known ? types : 0;
   pExternalSemaphoreProperties->compatibleHandleTypes = known ? types : 0;
   pExternalSemaphoreProperties->externalSemaphoreFeatures =
      known ? VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT : 0;
}

/* Logical devices and their queues. */
#include <time.h>

#include "gallium/frontends/vulkan/vk_address.h"
#include "gallium/frontends/vulkan/vk_cache.h"
#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_debug.h"
#include "gallium/frontends/vulkan/vk_event.h"

int64_t
vk_absolute_timeout(uint64_t timeout_ns)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   uint64_t now_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
   return timeout_ns > (uint64_t)INT64_MAX - now_ns ? INT64_MAX : (int64_t)(now_ns + timeout_ns);
}

VkResult
vk_device_check(struct vk_device *device, enum pipe_result result)
{
   if (result == PIPE_DEVICE_LOST)
      __atomic_store_n(&device->lost, true, __ATOMIC_RELAXED);
   return vk_result(result);
}

/* Enables the features of one struct. One that is not offered enables nothing. */
static VkResult
enable_struct(const struct vk_features *supported, const VkBaseInStructure *wanted, struct vk_features *enabled)
{
   const VkBool32 *bits = (const VkBool32 *)(wanted + 1);
   for (uint32_t i = 0; i < vk_num_feature_structs; i++) {
      const struct vk_feature_struct *known = &vk_feature_structs[i];
      for (uint32_t j = 0; known->s_type == wanted->sType && j < known->count; j++) {
         if (!bits[j])
            continue;
         if (!*(const bool *)((const char *)supported + known->features[j]))
            return VK_ERROR_FEATURE_NOT_PRESENT;
         *(bool *)((char *)enabled + known->features[j]) = true;
      }
   }
   return VK_SUCCESS;
}

static VkResult
enable_features(const struct vk_features *supported, const VkDeviceCreateInfo *info, struct vk_features *enabled)
{
   VkPhysicalDeviceFeatures2 first = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
   if (info->pEnabledFeatures)
      first.features = *info->pEnabledFeatures;
   VkResult result = enable_struct(supported, (const VkBaseInStructure *)&first, enabled);
   for (const VkBaseInStructure *it = info->pNext; it && result == VK_SUCCESS; it = it->pNext)
      result = enable_struct(supported, it, enabled);
   return result;
}

static VkResult
enable_extensions(struct vk_device *device, const struct vk_physical_device *physical, const VkDeviceCreateInfo *info)
{
   for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
      bool found = false;
      const char *name = info->ppEnabledExtensionNames[i];
      for (int j = 0; j < INDIUM_DEVICE_EXTENSIONS && !found; j++) {
         found = physical->extensions[j] && !strcmp(vk_device_extensions[j].extensionName, name);
         if (found)
            device->extensions[j] = true;
      }
      if (!found)
         return VK_ERROR_EXTENSION_NOT_PRESENT;
   }
   return VK_SUCCESS;
}

static enum pipe_priority
queue_priority(const VkDeviceQueueCreateInfo *info)
{
   const VkDeviceQueueGlobalPriorityCreateInfo *global =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO);
   switch (global ? (uint32_t)global->globalPriority : VK_QUEUE_GLOBAL_PRIORITY_MEDIUM) {
   case VK_QUEUE_GLOBAL_PRIORITY_LOW:
      return PIPE_PRIORITY_LOW;
   case VK_QUEUE_GLOBAL_PRIORITY_HIGH:
      return PIPE_PRIORITY_HIGH;
   case VK_QUEUE_GLOBAL_PRIORITY_REALTIME:
      return PIPE_PRIORITY_REALTIME;
   default: /* others: medium, and what is not known */
      return PIPE_PRIORITY_MEDIUM;
   }
}

static VkResult
create_queue(struct vk_device *device, const VkDeviceQueueCreateInfo *info, uint32_t index)
{
   struct vk_queue *queue = &device->queues[device->num_queues];
   const struct pipe_queue_desc desc = {info->queueFamilyIndex, index, queue_priority(info)};
   enum pipe_result result = device->screen->queue_create(device->screen, &desc, &queue->queue);
   if (result != PIPE_OK)
      return vk_result(result);
   set_loader_magic_value(queue);
   queue->device = device;
   queue->family = desc.family;
   queue->index = index;
   queue->flags = info->flags;
   pthread_mutex_init(&queue->lock, NULL);
   device->num_queues++;
   return VK_SUCCESS;
}

static VkResult
create_queues(struct vk_device *device, const VkDeviceCreateInfo *info)
{
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
      const VkDeviceQueueCreateInfo *family = &info->pQueueCreateInfos[i];
      for (uint32_t j = 0; j < family->queueCount && result == VK_SUCCESS; j++)
         result = create_queue(device, family, j);
   }
   return result;
}

static void
destroy(struct vk_device *device)
{
   VkAllocationCallbacks alloc = device->alloc;
   for (uint32_t i = 0; i < device->num_queues; i++) {
      device->screen->queue_destroy(device->screen, device->queues[i].queue);
      pthread_mutex_destroy(&device->queues[i].lock);
      vk_private_values_free(&device->queues[i].private_values);
   }
   vk_cache_finish(device);
   vk_free(&alloc, NULL, device->reports);
   vk_compiled_unref(device, device->no_fragment);
   vk_event_finish(device, &device->no_indices);
   vk_addresses_destroy(device);
   pthread_mutex_destroy(&device->shader_sets_lock);
   vk_free(&alloc, NULL, device);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo *pCreateInfo,
                    const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
   VK_FROM(vk_physical_device, physical, physicalDevice);
   uint32_t num_queues = 0;
   for (uint32_t i = 0; i < pCreateInfo->queueCreateInfoCount; i++)
      num_queues += pCreateInfo->pQueueCreateInfos[i].queueCount;
   struct vk_device *device =
      vk_alloc(&physical->instance->alloc, pAllocator, sizeof(*device) + num_queues * sizeof(device->queues[0]));
   if (!device)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   set_loader_magic_value(device);
   device->alloc = pAllocator ? *pAllocator : physical->instance->alloc;
   device->physical = physical;
   device->screen = physical->screen;
   device->program_states = vk_states_of_programs(&device->screen->caps);
   pthread_mutex_init(&device->shader_sets_lock, NULL);
   VkResult result = enable_features(&physical->features, pCreateInfo, &device->features);
   if (result == VK_SUCCESS)
      result = enable_extensions(device, physical, pCreateInfo);
   if (result == VK_SUCCESS && device->features.maintenance6)
      result = vk_result(vk_event_init(device->screen, &device->no_indices));
   if (result == VK_SUCCESS)
      result = vk_addresses_create(device);
   if (result == VK_SUCCESS)
      result = vk_cache_init(device, pCreateInfo->pNext);
   if (result == VK_SUCCESS)
      result = vk_memory_reports_init(device, pCreateInfo->pNext);
   if (result == VK_SUCCESS)
      result = create_queues(device, pCreateInfo);
   if (result != VK_SUCCESS) {
      destroy(device);
      return result;
   }
   *pDevice = VK_TO(VkDevice, device);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyDevice(VkDevice _device, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   if (device)
      destroy(device);
}

/* Queues that are created with VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR are as all others: submits lock
 * each queue (vk_queue.c), for the threads that submit later. */
VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceQueue2(VkDevice _device, const VkDeviceQueueInfo2 *pQueueInfo, VkQueue *pQueue)
{
   VK_FROM(vk_device, device, _device);
   *pQueue = VK_NULL_HANDLE;
   for (uint32_t i = 0; i < device->num_queues; i++) {
      struct vk_queue *queue = &device->queues[i];
      if (queue->family == pQueueInfo->queueFamilyIndex && queue->index == pQueueInfo->queueIndex &&
          queue->flags == pQueueInfo->flags)
         *pQueue = VK_TO(VkQueue, queue);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceQueue(VkDevice device, uint32_t queueFamilyIndex, uint32_t queueIndex, VkQueue *pQueue)
{
   const VkDeviceQueueInfo2 info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2, .queueFamilyIndex = queueFamilyIndex, .queueIndex = queueIndex};
   indium_GetDeviceQueue2(device, &info, pQueue);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceGroupPeerMemoryFeatures(VkDevice device, uint32_t heapIndex, uint32_t localDeviceIndex,
                                        uint32_t remoteDeviceIndex, VkPeerMemoryFeatureFlags *pPeerMemoryFeatures)
{
   *pPeerMemoryFeatures = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT | VK_PEER_MEMORY_FEATURE_COPY_DST_BIT |
                          VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT | VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_DeviceWaitIdle(VkDevice _device)
{
   VK_FROM(vk_device, device, _device);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < device->num_queues && result == VK_SUCCESS; i++)
      result = indium_QueueWaitIdle(VK_TO(VkQueue, &device->queues[i]));
   return result;
}

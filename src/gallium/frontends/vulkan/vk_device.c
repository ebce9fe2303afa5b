/* Logical devices and their queues. */
#include <time.h>

#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_private.h"

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

/* True if every bit set in `wanted` is set in `offered`, both arrays of VkBool32. */
static bool
features_subset(const void *wanted, const void *offered, size_t size_B)
{
   const VkBool32 *want = wanted, *have = offered;
   for (size_t i = 0; i < size_B / sizeof(VkBool32); i++) {
      if (want[i] && !have[i])
         return false;
   }
   return true;
}

/* Interlocks that the application asks for; shaders may use no others. */
static void
enable_interlock(struct vk_device *device, const VkDeviceCreateInfo *info)
{
   const VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT *wanted =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT);
   if (!wanted)
      return;
   device->pixel_interlock = wanted->fragmentShaderPixelInterlock;
   device->sample_interlock = wanted->fragmentShaderSampleInterlock;
}

static void
enable_barycentric(struct vk_device *device, const VkDeviceCreateInfo *info)
{
   const VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR *wanted =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR);
   device->barycentric = wanted && wanted->fragmentShaderBarycentric;
}

/* Any kind of rate lets fragment shaders ask for theirs. */
static void
enable_shading_rate(struct vk_device *device, const VkDeviceCreateInfo *info)
{
   const VkPhysicalDeviceFragmentShadingRateFeaturesKHR *wanted =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR);
   device->shading_rate = wanted && (wanted->pipelineFragmentShadingRate || wanted->primitiveFragmentShadingRate ||
                                     wanted->attachmentFragmentShadingRate);
}

/* The features of one struct of the chain. Those of structs that the device does not know pass. */
static bool
struct_offered(VkPhysicalDevice physical, const VkBaseInStructure *wanted)
{
   union {
      VkBaseOutStructure base;
      VkBool32 words[128];
   } offered;
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &offered};
   for (uint32_t i = 0; i < vk_num_feature_structs; i++) {
      if (vk_feature_structs[i].s_type != wanted->sType || vk_feature_structs[i].count > 64)
         continue;
      for (unsigned j = 0; j < sizeof(offered.words) / sizeof(offered.words[0]); j++)
         offered.words[j] = VK_TRUE;
      offered.base = (VkBaseOutStructure){.sType = wanted->sType};
      indium_GetPhysicalDeviceFeatures2(physical, &features);
      return features_subset(wanted + 1, &offered.base + 1, vk_feature_structs[i].count * sizeof(VkBool32));
   }
   return true;
}

/* Of Vulkan 1.0; NULL: none. */
static const VkPhysicalDeviceFeatures *
wanted_features(const VkDeviceCreateInfo *info)
{
   const VkPhysicalDeviceFeatures2 *features2 =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
   return features2 ? &features2->features : info->pEnabledFeatures;
}

static VkResult
check_features(VkPhysicalDevice physical, const VkDeviceCreateInfo *info)
{
   for (const VkBaseInStructure *it = info->pNext; it; it = it->pNext) {
      if (!struct_offered(physical, it))
         return VK_ERROR_FEATURE_NOT_PRESENT;
   }
   VkPhysicalDeviceFeatures offered;
   indium_GetPhysicalDeviceFeatures(physical, &offered);
   const VkPhysicalDeviceFeatures *wanted = wanted_features(info);
   return !wanted || features_subset(wanted, &offered, sizeof(offered)) ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT;
}

static VkResult
enable_extensions(struct vk_device *device, const struct vk_physical_device *physical, const VkDeviceCreateInfo *info)
{
   for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
      bool found = false;
      const char *name = info->ppEnabledExtensionNames[i];
      for (int j = 0; j < INDIUM_DEVICE_EXTENSIONS && !found; j++) {
         found = !strcmp(vk_device_extensions[j].extensionName, name) && vk_extension_offered(physical, name);
         if (found)
            device->extensions[j] = true;
      }
      if (!found)
         return VK_ERROR_EXTENSION_NOT_PRESENT;
   }
   return VK_SUCCESS;
}

static VkResult
create_queue(struct vk_device *device, uint32_t family, uint32_t index)
{
   struct vk_queue *queue = &device->queues[device->num_queues];
   enum pipe_result result = device->screen->queue_create(device->screen, family, &queue->queue);
   if (result != PIPE_OK)
      return vk_result(result);
   set_loader_magic_value(queue);
   queue->device = device;
   queue->family = family;
   queue->index = index;
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
         result = create_queue(device, family->queueFamilyIndex, j);
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
   }
   vk_compiled_unref(device, device->no_fragment);
   pthread_mutex_destroy(&device->pairs_lock);
   vk_free(&alloc, NULL, device);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo *pCreateInfo,
                    const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
   VK_FROM(vk_physical_device, physical, physicalDevice);
   VkResult result = check_features(physicalDevice, pCreateInfo);
   if (result != VK_SUCCESS)
      return result;
   uint32_t num_queues = 0;
   for (uint32_t i = 0; i < pCreateInfo->queueCreateInfoCount; i++)
      num_queues += pCreateInfo->pQueueCreateInfos[i].queueCount;
   struct vk_device *device =
      vk_alloc(&physical->instance->alloc, pAllocator, sizeof(*device) + num_queues * sizeof(device->queues[0]));
   if (!device)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   set_loader_magic_value(device);
   device->alloc = pAllocator ? *pAllocator : physical->instance->alloc;
   device->screen = physical->screen;
   device->program_states = vk_states_of_programs(&device->screen->caps);
   pthread_mutex_init(&device->pairs_lock, NULL);
   result = enable_extensions(device, physical, pCreateInfo);
   enable_interlock(device, pCreateInfo);
   enable_barycentric(device, pCreateInfo);
   enable_shading_rate(device, pCreateInfo);
   const VkPhysicalDeviceFeatures *wanted = wanted_features(pCreateInfo);
   device->robust_buffers = wanted && wanted->robustBufferAccess;
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

VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceQueue(VkDevice _device, uint32_t queueFamilyIndex, uint32_t queueIndex, VkQueue *pQueue)
{
   VK_FROM(vk_device, device, _device);
   *pQueue = VK_NULL_HANDLE;
   for (uint32_t i = 0; i < device->num_queues; i++) {
      struct vk_queue *queue = &device->queues[i];
      if (queue->family == queueFamilyIndex && queue->index == queueIndex)
         *pQueue = VK_TO(VkQueue, queue);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceQueue2(VkDevice _device, const VkDeviceQueueInfo2 *pQueueInfo, VkQueue *pQueue)
{
   if (pQueueInfo->flags)
      *pQueue = VK_NULL_HANDLE;
   else
      indium_GetDeviceQueue(_device, pQueueInfo->queueFamilyIndex, pQueueInfo->queueIndex, pQueue);
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

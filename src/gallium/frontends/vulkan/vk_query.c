/* Query pools. */
#include "gallium/frontends/vulkan/vk_private.h"

/* Values of a result, a bit each. */
static uint32_t
values_of(const VkQueryPoolCreateInfo *info)
{
   if (info->queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS)
      return info->pipelineStatistics;
   return info->queryType == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ? 3 : 1;
}

static enum pipe_query_type
pipe_query_kind(VkQueryType type)
{
   switch ((uint32_t)type) {
   case VK_QUERY_TYPE_TIMESTAMP:
      return PIPE_QUERY_TIMESTAMP;
   case VK_QUERY_TYPE_PIPELINE_STATISTICS:
      return PIPE_QUERY_PIPELINE_STATISTICS;
   case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
      return PIPE_QUERY_XFB;
   case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
      return PIPE_QUERY_GENERATED;
   case VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT:
      return PIPE_QUERY_MESH;
   default: /* others: occlusion; those of extensions are not offered */
      return PIPE_QUERY_OCCLUSION;
   }
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateQueryPool(VkDevice _device, const VkQueryPoolCreateInfo *pCreateInfo,
                       const VkAllocationCallbacks *pAllocator, VkQueryPool *pQueryPool)
{
   VK_FROM(vk_device, device, _device);
   struct vk_query_pool *pool = vk_alloc(&device->alloc, pAllocator, sizeof(*pool));
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pool->count = pCreateInfo->queryCount;
   pool->values = values_of(pCreateInfo);
   enum pipe_result result = device->screen->query_pool_create(
      device->screen, pipe_query_kind(pCreateInfo->queryType), pool->count, pool->values, &pool->pool);
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, pool);
      return vk_result(result);
   }
   if (pCreateInfo->flags & VK_QUERY_POOL_CREATE_RESET_BIT_KHR)
      device->screen->query_reset(device->screen, pool->pool, 0, pool->count);
   *pQueryPool = VK_TO(VkQueryPool, pool);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyQueryPool(VkDevice _device, VkQueryPool queryPool, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_query_pool, pool, queryPool);
   if (!pool)
      return;
   device->screen->query_pool_destroy(device->screen, pool->pool);
   vk_free(&device->alloc, pAllocator, pool);
}

VKAPI_ATTR void VKAPI_CALL
indium_ResetQueryPool(VkDevice _device, VkQueryPool queryPool, uint32_t firstQuery, uint32_t queryCount)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_query_pool, pool, queryPool);
   device->screen->query_reset(device->screen, pool->pool, firstQuery, queryCount);
}

static void
store(char *out, uint64_t value, bool result_64)
{
   if (result_64)
      memcpy(out, &value, 8);
   else
      memcpy(out, &(uint32_t){(uint32_t)value}, 4);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetQueryPoolResults(VkDevice _device, VkQueryPool queryPool, uint32_t firstQuery, uint32_t queryCount,
                           size_t dataSize, void *pData, VkDeviceSize stride, VkQueryResultFlags flags)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_query_pool, pool, queryPool);
   const bool result_64 = flags & VK_QUERY_RESULT_64_BIT;
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < queryCount; i++) {
      uint64_t values[PIPE_STATISTICS] = {0};
      bool available;
      while (!(available = device->screen->query_result(device->screen, pool->pool, firstQuery + i, values)) &&
             (flags & VK_QUERY_RESULT_WAIT_BIT)) {
         VkResult idle = indium_DeviceWaitIdle(_device);
         if (idle != VK_SUCCESS)
            return idle;
      }
      char *out = (char *)pData + i * stride;
      if (!available)
         result = VK_NOT_READY;
      for (unsigned j = 0; j < PIPE_STATISTICS; j++) {
         if (!(pool->values >> j & 1))
            continue;
         if (available || (flags & VK_QUERY_RESULT_PARTIAL_BIT))
            store(out, values[j], result_64);
         out += result_64 ? 8 : 4;
      }
      if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
         store(out, available, result_64);
   }
   return result;
}

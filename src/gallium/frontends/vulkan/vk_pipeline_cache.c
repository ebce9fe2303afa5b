/* Pipeline caches: valid and empty. Compiling is faster than most caches. */
#include "gallium/frontends/vulkan/vk_private.h"

struct vk_pipeline_cache {
   VkPipelineCacheHeaderVersionOne header;
};

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreatePipelineCache(VkDevice _device, const VkPipelineCacheCreateInfo *pCreateInfo,
                           const VkAllocationCallbacks *pAllocator, VkPipelineCache *pPipelineCache)
{
   VK_FROM(vk_device, device, _device);
   struct vk_pipeline_cache *cache = vk_alloc(&device->alloc, pAllocator, sizeof(*cache));
   if (!cache)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   cache->header = (VkPipelineCacheHeaderVersionOne){
      .headerSize = sizeof(cache->header),
      .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
      .vendorID = device->screen->caps.vendor_id,
      .deviceID = device->screen->caps.device_id,
   };
   memcpy(cache->header.pipelineCacheUUID, device->screen->caps.driver_uuid, VK_UUID_SIZE);
   *pPipelineCache = VK_TO(VkPipelineCache, cache);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyPipelineCache(VkDevice _device, VkPipelineCache pipelineCache, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_free(&device->alloc, pAllocator, (void *)pipelineCache);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPipelineCacheData(VkDevice device, VkPipelineCache pipelineCache, size_t *pDataSize, void *pData)
{
   VK_FROM(vk_pipeline_cache, cache, pipelineCache);
   if (!pData) {
      *pDataSize = sizeof(cache->header);
      return VK_SUCCESS;
   }
   if (*pDataSize < sizeof(cache->header)) {
      *pDataSize = 0;
      return VK_INCOMPLETE;
   }
   *pDataSize = sizeof(cache->header);
   memcpy(pData, &cache->header, sizeof(cache->header));
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_MergePipelineCaches(VkDevice device, VkPipelineCache dstCache, uint32_t srcCacheCount,
                           const VkPipelineCache *pSrcCaches)
{
   return VK_SUCCESS;
}

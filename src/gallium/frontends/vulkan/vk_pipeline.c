/* Compute pipelines, pipeline caches, and what all pipelines share. */
#include "gallium/frontends/vulkan/vk_pipeline.h"

#include "gallium/frontends/vulkan/vk_shader.h"

void
vk_pipeline_destroy(struct vk_device *device, struct vk_pipeline *pipeline, const VkAllocationCallbacks *allocator)
{
   struct pipe_screen *screen = device->screen;
   if (pipeline->program)
      screen->program_destroy(screen, pipeline->program);
   if (pipeline->blend)
      screen->blend_destroy(screen, pipeline->blend);
   if (pipeline->depth_stencil)
      screen->depth_stencil_destroy(screen, pipeline->depth_stencil);
   if (pipeline->rasterizer)
      screen->rasterizer_destroy(screen, pipeline->rasterizer);
   vk_free(&device->alloc, allocator, pipeline);
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyPipeline(VkDevice _device, VkPipeline _pipeline, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_pipeline, pipeline, _pipeline);
   if (pipeline)
      vk_pipeline_destroy(device, pipeline, pAllocator);
}

static VkResult
create_compute(struct vk_device *device, const VkComputePipelineCreateInfo *info,
               const VkAllocationCallbacks *allocator, struct vk_pipeline **out)
{
   VK_FROM(vk_pipeline_layout, layout, info->layout);
   struct arena arena = {0};
   struct vk_pipeline *pipeline = vk_alloc(&device->alloc, allocator, sizeof(*pipeline));
   if (!pipeline)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pipeline->point = PIPE_BIND_COMPUTE;
   struct nir_shader *shader = vk_shader_to_nir(device, &arena, &info->stage);
   enum pipe_result result = shader ? device->screen->compute_program_create(device->screen, shader, &layout->layout,
                                                                             &pipeline->program)
                                    : PIPE_INVALID_SHADER;
   arena_free(&arena);
   if (result != PIPE_OK) {
      vk_pipeline_destroy(device, pipeline, allocator);
      return vk_result(result);
   }
   *out = pipeline;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateComputePipelines(VkDevice _device, VkPipelineCache pipelineCache, uint32_t createInfoCount,
                              const VkComputePipelineCreateInfo *pCreateInfos,
                              const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
   VK_FROM(vk_device, device, _device);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < createInfoCount; i++) {
      struct vk_pipeline *pipeline = NULL;
      VkResult one = create_compute(device, &pCreateInfos[i], pAllocator, &pipeline);
      pPipelines[i] = VK_TO(VkPipeline, pipeline);
      if (one != VK_SUCCESS)
         result = one;
   }
   return result;
}

/* ---- pipeline caches: valid and empty. Compiling is faster than most caches. ---- */

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

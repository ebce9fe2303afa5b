/* Compute pipelines. */
#include "gallium/frontends/vulkan/vk_pipeline.h"
#include "gallium/frontends/vulkan/vk_shader.h"

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
   pipeline->capture = info->flags & VK_CAPTURE_FLAGS;
   pipeline->stages = VK_SHADER_STAGE_COMPUTE_BIT;
   struct nir_shader *shader = vk_shader_to_nir(device, &arena, &info->stage);
   enum pipe_result result = PIPE_INVALID_SHADER;
   if (shader)
      result = device->screen->compute_program_create(device->screen, shader, &layout->layout,
                                                      vk_pipeline_captures_text(pipeline), &pipeline->program);
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

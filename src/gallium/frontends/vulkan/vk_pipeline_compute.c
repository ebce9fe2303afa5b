/* Compute pipelines. */
#include "gallium/frontends/vulkan/vk_pipeline.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "util/within_memory.h"

struct compute {
   struct vk_device *device;
   const VkComputePipelineCreateInfo *info;
   VkPipelineCreateFlags2 flags;
   struct vk_pipeline *pipeline;
   struct arena arena;
   enum pipe_result result;
};

static void
create_program(void *data)
{
   struct compute *c = data;
   struct pipe_screen *screen = c->device->screen;
   VK_FROM(vk_pipeline_layout, layout, c->info->layout);
   struct vk_robust_stage room;
   struct nir_shader *shader =
      vk_shader_to_nir(c->device, &c->arena, vk_robust_stage(&c->info->stage, c->info->pNext, &room));
   struct pipe_compute_options options = {
      .layout = &layout->layout,
      .dispatch_base = c->flags & VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT,
      .custom_borders = c->device->features.customBorderColors,
      .capture_text = vk_pipeline_captures_text(c->pipeline),
   };
   if (shader)
      c->result = screen->compute_program_create(screen, shader, &options, &c->pipeline->program);
}

static VkResult
create_compute(struct vk_device *device, const VkComputePipelineCreateInfo *info,
               const VkAllocationCallbacks *allocator, struct vk_pipeline **out)
{
   struct compute c = {.device = device, .info = info, .result = PIPE_INVALID_SHADER};
   c.flags = vk_pipeline_flags(info->flags, info->pNext);
   if (c.flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT)
      return VK_PIPELINE_COMPILE_REQUIRED;
   struct vk_pipeline *pipeline = vk_alloc(&device->alloc, allocator, sizeof(*pipeline));
   if (!pipeline)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pipeline->point = PIPE_BIND_COMPUTE;
   pipeline->capture = c.flags & VK_CAPTURE_FLAGS;
   pipeline->stages = VK_SHADER_STAGE_COMPUTE_BIT;
   c.pipeline = pipeline;
   const struct vk_spirv code = vk_stage_code(&info->stage);
   if (!vk_within_memory(&code, 1, create_program, &c))
      c.result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&c.arena);
   if (c.result != PIPE_OK) {
      vk_pipeline_destroy(device, pipeline, allocator);
      return vk_result(c.result);
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
   VkResult one = VK_SUCCESS, result = VK_SUCCESS;
   memset(pPipelines, 0, createInfoCount * sizeof(*pPipelines));
   for (uint32_t i = 0; i < createInfoCount; i++) {
      const VkPipelineCreateFlags2 flags = vk_pipeline_flags(pCreateInfos[i].flags, pCreateInfos[i].pNext);
      const struct vk_feedback feedback = vk_feedback_begin(pCreateInfos[i].pNext);
      struct vk_pipeline *pipeline = NULL;
      one = create_compute(device, &pCreateInfos[i], pAllocator, &pipeline);
      vk_feedback_end(&feedback);
      pPipelines[i] = VK_TO(VkPipeline, pipeline);
      if (!vk_pipelines_go_on(one, flags, &result))
         break;
   }
   return result;
}

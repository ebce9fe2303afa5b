/* Compute pipelines. */
#include <stdlib.h>

#include "gallium/frontends/vulkan/vk_pipeline_binary.h"
#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/within_memory.h"

struct compute {
   struct vk_device *device;
   const VkComputePipelineCreateInfo *info;
   VkPipelineCreateFlags2 flags;
   struct vk_pipeline *pipeline;
   struct vk_cache_use *cache;
   struct vk_robust_stage room;
   const VkPipelineShaderStageCreateInfo *stage;
   struct pipe_compute_options options;
   struct arena arena;
   enum pipe_result result;
};

static void
compile(void *data)
{
   struct compute *c = data;
   struct pipe_screen *screen = c->device->screen;
   struct nir_shader *shader = vk_shader_to_nir(c->device, &c->arena, c->stage);
   if (shader && vk_lower_ycbcr(shader, c->options.layout))
      c->result = screen->compute_program_create(screen, shader, &c->options, &c->pipeline->program);
}

/* Compiled, unless it is in a cache. */
static enum pipe_result
create_program(struct compute *c)
{
   struct pipe_saved_program saved = {0};
   struct vk_cache_key key;
   const bool keeps = vk_cache_compute_key(c->device, c->stage, &c->options, &key);
   if (keeps && vk_cache_load(c->device, c->cache, &key, &c->pipeline->program))
      return PIPE_OK;
   if (c->cache->only)
      return PIPE_COMPILE_REQUIRED;
   const struct vk_spirv code = vk_stage_code(c->stage);
   c->options.save = keeps || c->cache->keep ? &saved : NULL;
   if (!vk_within_memory(&code, 1, compile, c))
      c->result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&c->arena);
   if (c->result == PIPE_OK && c->options.save)
      return vk_cache_store(c->device, c->cache, &key, &saved, keeps, &c->pipeline->program);
   free(saved.bytes);
   return c->result;
}

static VkResult
create_compute(struct vk_device *device, const VkComputePipelineCreateInfo *info, struct vk_cache_use *cache,
               const VkAllocationCallbacks *allocator, struct vk_pipeline **out)
{
   struct compute c = {.device = device, .info = info, .cache = cache, .result = PIPE_INVALID_SHADER};
   VK_FROM(vk_pipeline_layout, layout, info->layout);
   c.flags = vk_pipeline_flags(info->flags, info->pNext);
   cache->only = c.flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
   struct vk_pipeline *pipeline = vk_alloc(&device->alloc, allocator, sizeof(*pipeline));
   if (!pipeline)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pipeline->point = PIPE_BIND_COMPUTE;
   pipeline->capture = c.flags & VK_CAPTURE_FLAGS;
   pipeline->stages = VK_SHADER_STAGE_COMPUTE_BIT;
   c.pipeline = pipeline;
   cache->keep = c.flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
   c.stage = vk_robust_stage(&info->stage, info->pNext, &c.room);
   c.options = (struct pipe_compute_options){
      .layout = &layout->layout,
      .dispatch_base = c.flags & VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT,
      .custom_borders = device->features.customBorderColors,
      .capture_text = vk_pipeline_captures_text(pipeline),
   };
   const struct vk_saved *binary = vk_pipeline_binary_of(info->pNext);
   enum pipe_result result = binary ? vk_pipeline_binary_load(device, binary, pipeline) : create_program(&c);
   if (result == PIPE_OK && cache->keep)
      result = vk_pipeline_binary_capture(device, pipeline, binary, cache->saved, NULL);
   if (result != PIPE_OK) {
      vk_pipeline_destroy(device, pipeline, allocator);
      return vk_result(result);
   }
   *out = pipeline;
   return VK_SUCCESS;
}

bool
vk_compute_pipeline_key(struct vk_device *device, const VkComputePipelineCreateInfo *info, struct vk_cache_key *key)
{
   VK_FROM(vk_pipeline_layout, layout, info->layout);
   struct vk_robust_stage room;
   const struct pipe_compute_options options = {
      .layout = &layout->layout,
      .dispatch_base = vk_pipeline_flags(info->flags, info->pNext) & VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT,
      .custom_borders = device->features.customBorderColors,
   };
   return vk_cache_compute_key(device, vk_robust_stage(&info->stage, info->pNext, &room), &options, key);
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
      struct vk_cache_use cache = {.cache = (struct vk_pipeline_cache *)pipelineCache};
      struct vk_pipeline *pipeline = NULL;
      one = create_compute(device, &pCreateInfos[i], &cache, pAllocator, &pipeline);
      vk_feedback_end(&feedback, cache.hit);
      vk_saved_unref(cache.saved);
      pPipelines[i] = VK_TO(VkPipeline, pipeline);
      if (!vk_pipelines_continue(one, flags, &result))
         break;
   }
   return result;
}

#include <string.h>

#include "vkt_draw.h"

enum { PARTS = 4 };

/* With the stages of one part. */
static VkPipeline
create_library(struct vkx *vkx, const VkGraphicsPipelineCreateInfo *whole, VkGraphicsPipelineLibraryFlagsEXT part)
{
   const VkGraphicsPipelineLibraryCreateInfoEXT library = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
      .pNext = (void *)whole->pNext,
      .flags = part,
   };
   VkPipelineShaderStageCreateInfo stages[7];
   VkGraphicsPipelineCreateInfo info = *whole;
   info.pNext = &library;
   info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
   info.pStages = stages;
   info.stageCount = 0;
   for (uint32_t i = 0; i < whole->stageCount; i++) {
      const bool is_fragment = whole->pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT;
      if (part == (is_fragment ? VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
                               : VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT))
         stages[info.stageCount++] = whole->pStages[i];
   }
   VkPipeline pipeline;
   vkx_check(vkCreateGraphicsPipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "a library");
   return pipeline;
}

VkPipeline
vkt_parts_create(struct vkx *vkx, const VkGraphicsPipelineCreateInfo *whole)
{
   static const VkGraphicsPipelineLibraryFlagsEXT parts[PARTS] = {
      VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
      VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
   VkPipeline libraries[PARTS], pipeline;
   for (unsigned i = 0; i < PARTS; i++)
      libraries[i] = create_library(vkx, whole, parts[i]);
   const VkPipelineLibraryCreateInfoKHR list = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = PARTS, .pLibraries = libraries};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .pNext = &list,
                                              .flags = whole->flags,
                                              .layout = whole->layout};
   vkx_check(vkCreateGraphicsPipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "a link");
   for (unsigned i = 0; i < PARTS; i++)
      vkDestroyPipeline(vkx->device, libraries[i], NULL);
   return pipeline;
}

VkPipelineCache vkt_cache;

VkPipeline
vkt_graphics_pipeline_create(struct vkx *vkx, const VkGraphicsPipelineCreateInfo *info)
{
   if (vkt_parts)
      return vkt_parts_create(vkx, info);
   VkPipeline pipeline;
   vkx_check(vkCreateGraphicsPipelines(vkx->device, vkt_cache, 1, info, NULL, &pipeline),
             "vkCreateGraphicsPipelines");
   return pipeline;
}

#include <string.h>

#include "random_pipeline.h"

static bool
is_dynamic(const struct random_draw *draw, VkDynamicState state)
{
   for (uint32_t i = 0; i < draw->num_dynamic; i++) {
      if (draw->dynamic[i] == state)
         return true;
   }
   return false;
}

/* What is dynamic has other values in the pipeline. */
static void
hide_dynamic(struct random_draw *draw)
{
   VkStencilOpState *faces[2] = {&draw->depth.front, &draw->depth.back};
   if (is_dynamic(draw, VK_DYNAMIC_STATE_LINE_WIDTH))
      draw->raster.lineWidth = 1;
   if (is_dynamic(draw, VK_DYNAMIC_STATE_DEPTH_BIAS))
      draw->raster.depthBiasConstantFactor = draw->raster.depthBiasSlopeFactor = 1000;
   if (is_dynamic(draw, VK_DYNAMIC_STATE_BLEND_CONSTANTS))
      memset(draw->blend.blendConstants, 0, sizeof(draw->blend.blendConstants));
   if (is_dynamic(draw, VK_DYNAMIC_STATE_DEPTH_BOUNDS))
      draw->depth.minDepthBounds = draw->depth.maxDepthBounds = 0.5f;
   for (unsigned i = 0; i < 2; i++) {
      if (is_dynamic(draw, VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK))
         faces[i]->compareMask = 0x55;
      if (is_dynamic(draw, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK))
         faces[i]->writeMask = 0xaa;
      if (is_dynamic(draw, VK_DYNAMIC_STATE_STENCIL_REFERENCE))
         faces[i]->reference = 0x33;
   }
}

static VkPipelineShaderStageCreateInfo
stage_create(struct vkx *vkx, VkShaderStageFlagBits stage, unsigned shader, const VkSpecializationInfo *special)
{
   return (VkPipelineShaderStageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .stage = stage,
      .module = vkx_shader_create(vkx, random_shaders[shader].words, random_shaders[shader].size_B),
      .pName = "main",
      .pSpecializationInfo = special,
   };
}

/* Room for what pNext chains of a draw need. */
struct chains {
   VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking;
   VkPipelineRasterizationDepthClipStateCreateInfoEXT clip;
   VkPipelineColorWriteCreateInfoEXT writes;
   VkPipelineRasterizationLineStateCreateInfoEXT lines;
};

static void
chain_extensions(struct random_draw *draw, struct chains *chains)
{
   chains->provoking = (VkPipelineRasterizationProvokingVertexStateCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
      .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT};
   if (draw->provokes_last)
      draw->raster.pNext = &chains->provoking;
   chains->clip = (VkPipelineRasterizationDepthClipStateCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
      .pNext = draw->raster.pNext,
      .depthClipEnable = draw->depth_clip == 2};
   if (draw->depth_clip)
      draw->raster.pNext = &chains->clip;
   chains->lines = (VkPipelineRasterizationLineStateCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
      .pNext = draw->raster.pNext,
      .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
      .lineStippleFactor = 1};
   if (draw->bresenham)
      draw->raster.pNext = &chains->lines;
   chains->writes =
      (VkPipelineColorWriteCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
                                          .attachmentCount = draw->blend.attachmentCount,
                                          .pColorWriteEnables = draw->colors_written};
   for (uint32_t i = 0; i < draw->blend.attachmentCount; i++) {
      if (!draw->colors_written[i])
         draw->blend.pNext = &chains->writes;
   }
}

VkPipeline
random_pipeline_create(struct vkx *vkx, const struct random_draw *chosen, VkPipelineLayout layout, VkRenderPass pass,
                       uint32_t subpass)
{
   struct random_draw draw = *chosen;
   struct chains chains;
   hide_dynamic(&draw);
   chain_extensions(&draw, &chains);
   draw.blend.pAttachments = draw.blends;
   draw.multisample.pSampleMask = &draw.sample_mask;
   const VkSpecializationMapEntry entry = {0, 0, sizeof(draw.mode)};
   const VkSpecializationInfo special = {1, &entry, sizeof(draw.mode), &draw.mode};
   const VkPipelineShaderStageCreateInfo stages[2] = {
      stage_create(vkx, VK_SHADER_STAGE_VERTEX_BIT, draw.vertex_shader, NULL),
      stage_create(vkx, VK_SHADER_STAGE_FRAGMENT_BIT, draw.fragment_shader, &special)};
   const VkPipelineVertexInputDivisorStateCreateInfoEXT divisors = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
      .vertexBindingDivisorCount = 1,
      .pVertexBindingDivisors = &draw.divisor};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .pNext = draw.divisor.divisor != 1 ? &divisors : NULL,
                                                       .vertexBindingDescriptionCount = draw.num_bindings,
                                                       .pVertexBindingDescriptions = draw.bindings,
                                                       .vertexAttributeDescriptionCount = 4,
                                                       .pVertexAttributeDescriptions = draw.attributes};
   const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                       .viewportCount = 1,
                                                       .pViewports = &draw.viewport,
                                                       .scissorCount = 1,
                                                       .pScissors = &draw.scissor};
   const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                     .dynamicStateCount = draw.num_dynamic,
                                                     .pDynamicStates = draw.dynamic};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .flags = draw.pipeline_flags,
                                              .stageCount = 2,
                                              .pStages = stages,
                                              .pVertexInputState = &input,
                                              .pInputAssemblyState = &draw.assembly,
                                              .pViewportState = &viewport,
                                              .pRasterizationState = &draw.raster,
                                              .pMultisampleState = &draw.multisample,
                                              .pDepthStencilState = &draw.depth,
                                              .pColorBlendState = &draw.blend,
                                              .pDynamicState = draw.num_dynamic ? &dynamic : NULL,
                                              .layout = layout,
                                              .renderPass = pass,
                                              .subpass = subpass};
   VkPipeline pipeline = vkt_graphics_pipeline_create(vkx, &info);
   vkDestroyShaderModule(vkx->device, stages[0].module, NULL);
   vkDestroyShaderModule(vkx->device, stages[1].module, NULL);
   return pipeline;
}

static void
set_dynamic(VkCommandBuffer cmd, const struct random_draw *draw)
{
   const VkPipelineDepthStencilStateCreateInfo *depth = &draw->depth;
   const VkPipelineRasterizationStateCreateInfo *raster = &draw->raster;
   if (is_dynamic(draw, VK_DYNAMIC_STATE_VIEWPORT))
      vkCmdSetViewport(cmd, 0, 1, &draw->viewport);
   if (is_dynamic(draw, VK_DYNAMIC_STATE_SCISSOR))
      vkCmdSetScissor(cmd, 0, 1, &draw->scissor);
   if (is_dynamic(draw, VK_DYNAMIC_STATE_LINE_WIDTH))
      vkCmdSetLineWidth(cmd, raster->lineWidth);
   if (is_dynamic(draw, VK_DYNAMIC_STATE_DEPTH_BIAS))
      vkCmdSetDepthBias(cmd, raster->depthBiasConstantFactor, raster->depthBiasClamp, raster->depthBiasSlopeFactor);
   if (is_dynamic(draw, VK_DYNAMIC_STATE_BLEND_CONSTANTS))
      vkCmdSetBlendConstants(cmd, draw->blend.blendConstants);
   if (is_dynamic(draw, VK_DYNAMIC_STATE_DEPTH_BOUNDS))
      vkCmdSetDepthBounds(cmd, depth->minDepthBounds, depth->maxDepthBounds);
   for (unsigned i = 0; i < 2; i++) {
      const VkStencilFaceFlags face = i ? VK_STENCIL_FACE_BACK_BIT : VK_STENCIL_FACE_FRONT_BIT;
      const VkStencilOpState *ops = i ? &depth->back : &depth->front;
      if (is_dynamic(draw, VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK))
         vkCmdSetStencilCompareMask(cmd, face, ops->compareMask);
      if (is_dynamic(draw, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK))
         vkCmdSetStencilWriteMask(cmd, face, ops->writeMask);
      if (is_dynamic(draw, VK_DYNAMIC_STATE_STENCIL_REFERENCE))
         vkCmdSetStencilReference(cmd, face, ops->reference);
   }
}

void
random_draw_bind(VkCommandBuffer cmd, const struct random_draw *draw, VkPipelineLayout layout, VkPipeline pipeline,
                 const struct vkx_buffer buffers[3])
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   set_dynamic(cmd, draw);
   vkCmdPushConstants(cmd, layout, VKT_QUAD_STAGES, 0, sizeof(draw->push), &draw->push);
   for (uint32_t i = 0; i < draw->num_bindings; i++)
      vkCmdBindVertexBuffers(cmd, draw->bindings[i].binding, 1, &buffers[0].buffer, &draw->offsets_B[i]);
   if (draw->indexed)
      vkCmdBindIndexBuffer(cmd, buffers[1].buffer, draw->index_offset_B, draw->index_type);
}

void
random_draw_record(VkCommandBuffer cmd, const struct random_draw *draw, const struct vkx_buffer buffers[3])
{
   const VkDeviceSize command_B = draw->command_offset_B;
   if (draw->indexed && draw->indirect)
      vkCmdDrawIndexedIndirect(cmd, buffers[2].buffer, command_B, draw->commands, draw->command_stride_B);
   else if (draw->indirect)
      vkCmdDrawIndirect(cmd, buffers[2].buffer, command_B, draw->commands, draw->command_stride_B);
   else if (draw->indexed)
      vkCmdDrawIndexed(cmd, draw->count, draw->instances, draw->first, draw->vertex_offset, draw->first_instance);
   else
      vkCmdDraw(cmd, draw->count, draw->instances, draw->first, draw->first_instance);
}

/* Commands that bind and set state. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

static void
bind_tests(struct pipe_context *pipe, const struct vk_graphics_state *state)
{
   const struct vk_fragment_tests *tests = &state->tests;
   if (!vk_is_dynamic(state, VK_DYNAMIC_DEPTH_BOUNDS))
      pipe->set_depth_bounds(pipe, tests->depth_bounds[0], tests->depth_bounds[1]);
   for (unsigned face = 0; face < 2; face++) {
      if (!vk_is_dynamic(state, VK_DYNAMIC_STENCIL_COMPARE_MASK))
         pipe->set_stencil_compare_mask(pipe, 1u << face, tests->stencil_compare_mask[face]);
      if (!vk_is_dynamic(state, VK_DYNAMIC_STENCIL_WRITE_MASK))
         pipe->set_stencil_write_mask(pipe, 1u << face, tests->stencil_write_mask[face]);
      if (!vk_is_dynamic(state, VK_DYNAMIC_STENCIL_REFERENCE))
         pipe->set_stencil_reference(pipe, 1u << face, tests->stencil_reference[face]);
   }
}

static void
bind_static_state(struct pipe_context *pipe, const struct vk_graphics_state *state)
{
   const struct vk_pre_raster *raster = &state->pre_raster;
   if (!vk_is_dynamic(state, VK_DYNAMIC_VIEWPORT) && raster->num_viewports)
      pipe->set_viewports(pipe, 0, raster->num_viewports, raster->viewports);
   if (!vk_is_dynamic(state, VK_DYNAMIC_SCISSOR) && raster->num_scissors)
      pipe->set_scissors(pipe, 0, raster->num_scissors, raster->scissors);
   if (!vk_is_dynamic(state, VK_DYNAMIC_LINE_WIDTH))
      pipe->set_line_width(pipe, raster->line_width);
   if (!vk_is_dynamic(state, VK_DYNAMIC_DEPTH_BIAS))
      pipe->set_depth_bias(pipe, raster->depth_bias[0], raster->depth_bias[1], raster->depth_bias[2]);
   if (!vk_is_dynamic(state, VK_DYNAMIC_BLEND_CONSTANTS))
      pipe->set_blend_constants(pipe, state->output.blend_constants);
   if (!vk_is_dynamic(state, VK_DYNAMIC_SHADING_RATE) && pipe->screen->caps.shading_rate)
      pipe->set_shading_rate(pipe, &state->shading_rate);
   bind_tests(pipe, state);
}

static void
bind_objects(struct pipe_context *pipe, const struct vk_pipeline *pipeline)
{
   const struct vk_vertex_input *input = &pipeline->state.vertex_input;
   if (pipeline->blend)
      pipe->bind_blend(pipe, pipeline->blend);
   if (pipeline->depth_stencil)
      pipe->bind_depth_stencil(pipe, pipeline->depth_stencil);
   if (pipeline->rasterizer)
      pipe->bind_rasterizer(pipe, pipeline->rasterizer);
   if (!(pipeline->state.dynamic & (VK_DYNAMIC_BIT(TOPOLOGY) | VK_DYNAMIC_BIT(RESTART))))
      pipe->set_topology(pipe, input->topology, input->primitive_restart);
   if (!(pipeline->state.dynamic & (VK_DYNAMIC_BIT(STRIDES) | VK_DYNAMIC_BIT(VERTEX_INPUT))))
      pipe->set_vertex_strides(pipe, input->num_strides, input->strides_B);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint, VkPipeline _pipeline)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_pipeline, pipeline, _pipeline);
   struct pipe_context *pipe = cmd->pipe;
   pipe->bind_program(pipe, pipeline->point, pipeline->program);
   if (pipeline->point == PIPE_BIND_COMPUTE)
      return;
   cmd->graphics = &pipeline->state;
   cmd->variants = pipeline->variants;
   cmd->vertex = cmd->fragment = NULL;
   cmd->stale = pipeline->state.dynamic & VK_DYNAMIC_FLUSHED;
   bind_objects(pipe, pipeline);
   bind_static_state(pipe, &pipeline->state);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindDescriptorSets(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                             VkPipelineLayout _layout, uint32_t firstSet, uint32_t descriptorSetCount,
                             const VkDescriptorSet *pDescriptorSets, uint32_t dynamicOffsetCount,
                             const uint32_t *pDynamicOffsets)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_pipeline_layout, layout, _layout);
   enum pipe_bind_point point =
      pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE ? PIPE_BIND_COMPUTE : PIPE_BIND_GRAPHICS;
   for (uint32_t i = 0; i < descriptorSetCount; i++) {
      VK_FROM(vk_descriptor_set, set, pDescriptorSets[i]);
      if (!set)
         continue;
      struct pipe_dynamic_buffer dynamic[PIPE_MAX_DYNAMIC_BUFFERS];
      uint32_t count = MIN2(set->layout->layout.num_dynamic, PIPE_MAX_DYNAMIC_BUFFERS);
      for (uint32_t j = 0; j < count; j++) {
         dynamic[j] = set->dynamic[j];
         dynamic[j].offset_B += *pDynamicOffsets++;
      }
      cmd->pipe->bind_descriptor_set(cmd->pipe, point, firstSet + i, &set->set,
                                     layout->layout.dynamic_base[firstSet + i], count, dynamic);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout, VkShaderStageFlags stageFlags,
                        uint32_t offset, uint32_t size, const void *pValues)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->push_constants(cmd->pipe, offset, size, pValues);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindVertexBuffers(VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,
                            const VkBuffer *pBuffers, const VkDeviceSize *pOffsets)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_vertex_buffer buffers[PIPE_MAX_VERTEX_BUFFERS];
   for (uint32_t i = 0; i < bindingCount; i++) {
      VK_FROM(vk_buffer, buffer, pBuffers[i]);
      buffers[i] = (struct pipe_vertex_buffer){0};
      if (buffer)
         buffers[i] = (struct pipe_vertex_buffer){buffer->resource, pOffsets[i], buffer->size_B - pOffsets[i]};
   }
   cmd->pipe->set_vertex_buffers(cmd->pipe, firstBinding, bindingCount, buffers);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindIndexBuffer(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset, VkIndexType indexType)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, buffer, _buffer);
   unsigned index_B = indexType == VK_INDEX_TYPE_UINT8_EXT ? 1 : indexType == VK_INDEX_TYPE_UINT16 ? 2 : 4;
   cmd->pipe->set_index_buffer(cmd->pipe, buffer->resource, offset, buffer->size_B - offset, index_B);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetViewport(VkCommandBuffer commandBuffer, uint32_t firstViewport, uint32_t viewportCount,
                      const VkViewport *pViewports)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   _Static_assert(sizeof(VkViewport) == sizeof(struct pipe_viewport), "same six floats in the same order");
   cmd->pipe->set_viewports(cmd->pipe, firstViewport, viewportCount, (const struct pipe_viewport *)pViewports);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetScissor(VkCommandBuffer commandBuffer, uint32_t firstScissor, uint32_t scissorCount,
                     const VkRect2D *pScissors)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   _Static_assert(sizeof(VkRect2D) == sizeof(struct pipe_scissor), "same four words in the same order");
   cmd->pipe->set_scissors(cmd->pipe, firstScissor, scissorCount, (const struct pipe_scissor *)pScissors);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetLineWidth(VkCommandBuffer commandBuffer, float lineWidth)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->set_line_width(cmd->pipe, lineWidth);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthBias(VkCommandBuffer commandBuffer, float depthBiasConstantFactor, float depthBiasClamp,
                       float depthBiasSlopeFactor)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->set_depth_bias(cmd->pipe, depthBiasConstantFactor, depthBiasClamp, depthBiasSlopeFactor);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetBlendConstants(VkCommandBuffer commandBuffer, const float blendConstants[4])
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->set_blend_constants(cmd->pipe, blendConstants);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthBounds(VkCommandBuffer commandBuffer, float minDepthBounds, float maxDepthBounds)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->set_depth_bounds(cmd->pipe, minDepthBounds, maxDepthBounds);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetStencilCompareMask(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask, uint32_t compareMask)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->set_stencil_compare_mask(cmd->pipe, faceMask, (uint8_t)compareMask);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetStencilWriteMask(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask, uint32_t writeMask)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->set_stencil_write_mask(cmd->pipe, faceMask, (uint8_t)writeMask);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetStencilReference(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask, uint32_t reference)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->set_stencil_reference(cmd->pipe, faceMask, (uint8_t)reference);
}

/* Commands that bind pipelines and buffers of draws, and those that set a state and are not made from
 * graphics_state.txt. */
#include "gallium/frontends/vulkan/vk_event.h"
#include "util/log.h"
#include "util/macros.h"

/* States that the pipeline does not describe stay as they were set. */
VKAPI_ATTR void VKAPI_CALL
indium_CmdBindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint, VkPipeline _pipeline)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_pipeline, pipeline, _pipeline);
   cmd->pipe->bind_program(cmd->pipe, pipeline->point, pipeline->program);
   if (pipeline->point == PIPE_BIND_COMPUTE)
      return;
   const struct vk_graphics_state *graphics = &pipeline->graphics;
   cmd->graphics = graphics;
   cmd->pipeline = pipeline;
   cmd->variants = pipeline->variants;
   cmd->variant = NULL;
   memset(cmd->shaders, 0, sizeof(cmd->shaders));
   /* The key of a variant has the defaults of what is not described. */
   const uint64_t of_variants = pipeline->variants || pipeline->for_others ? cmd->pool->device->program_states : 0;
   const uint64_t described = (graphics->described & ~PIPE_BIT(ATTRIBUTES)) | of_variants;
   cmd->changed |= vk_copy_states(&cmd->state, &graphics->state, described & ~graphics->dynamic) | of_variants;
   vk_cmd_use_strides(cmd);
   vk_cmd_match_targets(cmd);
}

/* Inlined: most calls have no sizes. */
static inline __attribute__((always_inline)) void
bind_vertex_buffers(struct vk_command_buffer *cmd, uint32_t first, uint32_t count, const VkBuffer *handles,
                    const VkDeviceSize *offsets_B, const VkDeviceSize *sizes_B)
{
   struct pipe_vertex_buffer buffers[PIPE_MAX_VERTEX_BUFFERS]; /* only those that are bound are set */
   uint32_t i = 0;
   if (!count)
      return;
   do {
      VK_FROM(vk_buffer, buffer, handles[i]);
      const bool whole = !sizes_B || sizes_B[i] == VK_WHOLE_SIZE;
      buffers[i] = (struct pipe_vertex_buffer){0};
      if (buffer)
         buffers[i] = (struct pipe_vertex_buffer){buffer->resource, offsets_B[i],
                                                  whole ? buffer->size_B - offsets_B[i] : sizes_B[i]};
   } while (++i < count);
   cmd->pipe->set_vertex_buffers(cmd->pipe, first, count, buffers);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindVertexBuffers2(VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,
                             const VkBuffer *pBuffers, const VkDeviceSize *pOffsets, const VkDeviceSize *pSizes,
                             const VkDeviceSize *pStrides)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   bind_vertex_buffers(cmd, firstBinding, bindingCount, pBuffers, pOffsets, pSizes);
   for (uint32_t i = 0; pStrides && i < bindingCount; i++)
      cmd->loose.state.vertex_strides_B[firstBinding + i] = (uint32_t)pStrides[i];
   if (pStrides)
      vk_cmd_use_strides(cmd);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindVertexBuffers(VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,
                            const VkBuffer *pBuffers, const VkDeviceSize *pOffsets)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   bind_vertex_buffers(cmd, firstBinding, bindingCount, pBuffers, pOffsets, NULL);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindIndexBuffer2(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset, VkDeviceSize size,
                           VkIndexType indexType)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, buffer, _buffer);
   unsigned index_B = indexType == VK_INDEX_TYPE_UINT8_EXT ? 1 : indexType == VK_INDEX_TYPE_UINT16 ? 2 : 4;
   cmd->pipe->robust_indices = !buffer || cmd->pool->device->features.robustBufferAccess2;
   if (!buffer) {
      cmd->pipe->set_index_buffer(cmd->pipe, cmd->pool->device->no_indices.buffer, 0, VK_EVENT_B, index_B);
      return;
   }
   const uint64_t size_B = size == VK_WHOLE_SIZE ? buffer->size_B - offset : size;
   cmd->pipe->set_index_buffer(cmd->pipe, buffer->resource, offset, size_B, index_B);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindIndexBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset, VkIndexType indexType)
{
   indium_CmdBindIndexBuffer2(commandBuffer, buffer, offset, VK_WHOLE_SIZE, indexType);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetPrimitiveRestartIndexEXT(VkCommandBuffer commandBuffer, uint32_t primitiveRestartIndex)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->set_restart_index(cmd->pipe, primitiveRestartIndex);
}

/* ---- states ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetPrimitiveTopology(VkCommandBuffer commandBuffer, VkPrimitiveTopology primitiveTopology)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (!vk_has_topology(cmd->pool->device->screen->caps.shader_stages, primitiveTopology)) {
      log_error("vkCmdSetPrimitiveTopology for adjacency or patches: the device has no stage that takes them");
      cmd->result = VK_ERROR_FEATURE_NOT_PRESENT;
      return;
   }
   cmd->state.topology = (enum pipe_topology)primitiveTopology;
   cmd->changed |= PIPE_BIT(TOPOLOGY);
}

/* Of a binding that has a description; those without are not used. */
static const VkVertexInputBindingDescription2EXT *
binding_of(uint32_t binding, uint32_t count, const VkVertexInputBindingDescription2EXT *bindings)
{
   for (uint32_t i = 0; i < count; i++) {
      if (bindings[i].binding == binding)
         return &bindings[i];
   }
   return NULL;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetVertexInputEXT(VkCommandBuffer commandBuffer, uint32_t vertexBindingDescriptionCount,
                            const VkVertexInputBindingDescription2EXT *pVertexBindingDescriptions,
                            uint32_t vertexAttributeDescriptionCount,
                            const VkVertexInputAttributeDescription2EXT *pVertexAttributeDescriptions)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_vertex_attributes *attributes = &cmd->state.attributes;
   for (uint32_t i = 0; i < vertexBindingDescriptionCount; i++)
      cmd->loose.state.vertex_strides_B[pVertexBindingDescriptions[i].binding] = pVertexBindingDescriptions[i].stride;
   vk_cmd_use_strides(cmd);
   attributes->count = 0;
   for (uint32_t i = 0; i < vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription2EXT *from = &pVertexAttributeDescriptions[i];
      const VkVertexInputBindingDescription2EXT *binding =
         binding_of(from->binding, vertexBindingDescriptionCount, pVertexBindingDescriptions);
      if (!binding)
         continue;
      attributes->of[attributes->count++] = (struct pipe_vertex_attribute){
         .format = vk_stored_format(from->format),
         .offset_B = from->offset,
         .location = (uint8_t)from->location,
         .binding = (uint8_t)from->binding,
         .per_instance = binding->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE,
         .divisor = binding->divisor,
         .dynamic_stride = true,
      };
   }
   cmd->changed |= PIPE_BIT(ATTRIBUTES);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetViewport(VkCommandBuffer commandBuffer, uint32_t firstViewport, uint32_t viewportCount,
                      const VkViewport *pViewports)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_viewports *viewports = &cmd->state.viewports;
   memcpy(viewports->of + firstViewport, pViewports, viewportCount * sizeof(*pViewports));
   viewports->count = MAX2(viewports->count, firstViewport + viewportCount);
   cmd->changed |= PIPE_BIT(VIEWPORTS);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetScissor(VkCommandBuffer commandBuffer, uint32_t firstScissor, uint32_t scissorCount,
                     const VkRect2D *pScissors)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_scissors *scissors = &cmd->state.scissors;
   memcpy(scissors->of + firstScissor, pScissors, scissorCount * sizeof(*pScissors));
   scissors->count = MAX2(scissors->count, firstScissor + scissorCount);
   cmd->changed |= PIPE_BIT(SCISSORS);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDiscardRectangleEXT(VkCommandBuffer commandBuffer, uint32_t firstDiscardRectangle,
                                 uint32_t discardRectangleCount, const VkRect2D *pDiscardRectangles)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_discard_rectangles *rectangles = &cmd->state.discard_rectangles;
   memcpy(rectangles->of + firstDiscardRectangle, pDiscardRectangles,
          discardRectangleCount * sizeof(*pDiscardRectangles));
   rectangles->count = MAX2(rectangles->count, firstDiscardRectangle + discardRectangleCount);
   cmd->changed |= PIPE_BIT(DISCARD_RECTANGLES);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetViewportWithCount(VkCommandBuffer commandBuffer, uint32_t viewportCount, const VkViewport *pViewports)
{
   indium_CmdSetViewport(commandBuffer, 0, viewportCount, pViewports);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetScissorWithCount(VkCommandBuffer commandBuffer, uint32_t scissorCount, const VkRect2D *pScissors)
{
   indium_CmdSetScissor(commandBuffer, 0, scissorCount, pScissors);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetColorBlendEnableEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
                                 const VkBool32 *pColorBlendEnables)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < attachmentCount; i++) {
      const uint32_t bit = 1u << (firstAttachment + i);
      cmd->state.blend_enable =
         (uint8_t)(pColorBlendEnables[i] ? cmd->state.blend_enable | bit : cmd->state.blend_enable & ~bit);
   }
   cmd->changed |= PIPE_BIT(BLEND_ENABLE);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetColorBlendEquationEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
                                   const VkColorBlendEquationEXT *pColorBlendEquations)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < attachmentCount; i++)
      cmd->state.blend[firstAttachment + i] = vk_blend_equation(&pColorBlendEquations[i]);
   cmd->changed |= PIPE_BIT(BLEND);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetColorBlendAdvancedEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
                                   const VkColorBlendAdvancedEXT *pColorBlendAdvanced)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < attachmentCount; i++)
      cmd->state.blend[firstAttachment + i] = vk_advanced_equation(&pColorBlendAdvanced[i]);
   cmd->changed |= PIPE_BIT(BLEND);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetColorWriteMaskEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
                               const VkColorComponentFlags *pColorWriteMasks)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < attachmentCount; i++) {
      const unsigned shift = 4 * (firstAttachment + i);
      cmd->state.color_write_mask = (cmd->state.color_write_mask & ~(0xfu << shift)) | (pColorWriteMasks[i] & 0xf)
                                                                                          << shift;
   }
   cmd->changed |= PIPE_BIT(COLOR_WRITE_MASK);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetColorWriteEnableEXT(VkCommandBuffer commandBuffer, uint32_t attachmentCount,
                                 const VkBool32 *pColorWriteEnables)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < MIN2(attachmentCount, PIPE_MAX_COLOR_TARGETS); i++) {
      const uint32_t bit = 1u << i;
      cmd->state.color_write_off =
         (uint8_t)(pColorWriteEnables[i] ? cmd->state.color_write_off & ~bit : cmd->state.color_write_off | bit);
   }
   cmd->changed |= PIPE_BIT(COLOR_WRITE_OFF);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthBias2EXT(VkCommandBuffer commandBuffer, const VkDepthBiasInfoEXT *pDepthBiasInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const VkDepthBiasInfoEXT *info = pDepthBiasInfo;
   cmd->state.depth_bias = (struct pipe_depth_bias){info->depthBiasConstantFactor, info->depthBiasClamp,
                                                    info->depthBiasSlopeFactor, vk_bias_unit(info->pNext)};
   cmd->changed |= PIPE_BIT(DEPTH_BIAS);
}

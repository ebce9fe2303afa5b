/* Commands that set parts of state objects (VK_EXT_extended_dynamic_state and its followers); the next draw takes
 * them (vk_dynamic.c). */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/log.h"

#define SET(which, member, value)                                                                                    \
   do {                                                                                                              \
      VK_FROM(vk_command_buffer, cmd, commandBuffer);                                                                \
      cmd->values.member = (value);                                                                                  \
      cmd->stale |= VK_DYNAMIC_BIT(which);                                                                           \
   } while (0)

/* ---- input ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetPrimitiveTopology(VkCommandBuffer commandBuffer, VkPrimitiveTopology primitiveTopology)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (primitiveTopology > VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN) {
      log_error("vkCmdSetPrimitiveTopology for adjacency or patches: the device has no stage that takes them");
      cmd->result = VK_ERROR_FEATURE_NOT_PRESENT;
      return;
   }
   cmd->values.topology = (enum pipe_topology)primitiveTopology;
   cmd->stale |= VK_DYNAMIC_BIT(TOPOLOGY);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetPrimitiveRestartEnable(VkCommandBuffer commandBuffer, VkBool32 primitiveRestartEnable)
{
   SET(RESTART, restart, primitiveRestartEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindVertexBuffers2(VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,
                             const VkBuffer *pBuffers, const VkDeviceSize *pOffsets, const VkDeviceSize *pSizes,
                             const VkDeviceSize *pStrides)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_vertex_buffer buffers[PIPE_MAX_VERTEX_BUFFERS] = {0};
   for (uint32_t i = 0; i < bindingCount; i++) {
      VK_FROM(vk_buffer, buffer, pBuffers[i]);
      if (!buffer)
         continue;
      bool whole = !pSizes || pSizes[i] == VK_WHOLE_SIZE;
      buffers[i] =
         (struct pipe_vertex_buffer){buffer->resource, pOffsets[i], whole ? buffer->size_B - pOffsets[i] : pSizes[i]};
   }
   cmd->pipe->set_vertex_buffers(cmd->pipe, firstBinding, bindingCount, buffers);
   for (uint32_t i = 0; pStrides && i < bindingCount; i++)
      cmd->values.strides_B[firstBinding + i] = (uint32_t)pStrides[i];
   if (pStrides)
      cmd->stale |= VK_DYNAMIC_BIT(STRIDES);
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
   struct vk_dynamic_values *values = &cmd->values;
   for (uint32_t i = 0; i < vertexBindingDescriptionCount; i++)
      values->strides_B[pVertexBindingDescriptions[i].binding] = pVertexBindingDescriptions[i].stride;
   values->num_attributes = 0;
   for (uint32_t i = 0; i < vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription2EXT *from = &pVertexAttributeDescriptions[i];
      const VkVertexInputBindingDescription2EXT *binding =
         binding_of(from->binding, vertexBindingDescriptionCount, pVertexBindingDescriptions);
      if (!binding)
         continue;
      values->attributes[values->num_attributes++] = (struct pipe_vertex_attribute){
         .format = from->format,
         .offset_B = from->offset,
         .location = (uint8_t)from->location,
         .binding = (uint8_t)from->binding,
         .per_instance = binding->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE,
         .divisor = binding->divisor,
         .dynamic_stride = true,
      };
   }
   cmd->stale |= VK_DYNAMIC_BIT(VERTEX_INPUT) | VK_DYNAMIC_BIT(STRIDES);
}

/* ---- rasterizer ---- */

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
indium_CmdSetCullMode(VkCommandBuffer commandBuffer, VkCullModeFlags cullMode)
{
   SET(CULL_MODE, rasterizer.cull, (uint8_t)(cullMode & VK_CULL_MODE_FRONT_AND_BACK));
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetFrontFace(VkCommandBuffer commandBuffer, VkFrontFace frontFace)
{
   SET(FRONT_FACE, rasterizer.front_ccw, frontFace == VK_FRONT_FACE_COUNTER_CLOCKWISE);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetRasterizerDiscardEnable(VkCommandBuffer commandBuffer, VkBool32 rasterizerDiscardEnable)
{
   SET(DISCARD, rasterizer.discard, rasterizerDiscardEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthBiasEnable(VkCommandBuffer commandBuffer, VkBool32 depthBiasEnable)
{
   SET(DEPTH_BIAS_ENABLE, rasterizer.depth_bias, depthBiasEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthClampEnableEXT(VkCommandBuffer commandBuffer, VkBool32 depthClampEnable)
{
   SET(DEPTH_CLAMP, rasterizer.depth_clamp, depthClampEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetPolygonModeEXT(VkCommandBuffer commandBuffer, VkPolygonMode polygonMode)
{
   SET(POLYGON_MODE, rasterizer.polygon_mode, (enum pipe_polygon_mode)polygonMode);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetRasterizationSamplesEXT(VkCommandBuffer commandBuffer, VkSampleCountFlagBits rasterizationSamples)
{
   SET(SAMPLES, rasterizer.samples, (uint8_t)rasterizationSamples);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetSampleMaskEXT(VkCommandBuffer commandBuffer, VkSampleCountFlagBits samples,
                           const VkSampleMask *pSampleMask)
{
   SET(SAMPLE_MASK, rasterizer.sample_mask, pSampleMask ? *pSampleMask : UINT32_MAX);
}

/* ---- tests ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthTestEnable(VkCommandBuffer commandBuffer, VkBool32 depthTestEnable)
{
   SET(DEPTH_TEST, tests.depth_test, depthTestEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthWriteEnable(VkCommandBuffer commandBuffer, VkBool32 depthWriteEnable)
{
   SET(DEPTH_WRITE, tests.depth_write, depthWriteEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthCompareOp(VkCommandBuffer commandBuffer, VkCompareOp depthCompareOp)
{
   SET(DEPTH_COMPARE, tests.depth_compare, (enum pipe_compare)depthCompareOp);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthBoundsTestEnable(VkCommandBuffer commandBuffer, VkBool32 depthBoundsTestEnable)
{
   SET(DEPTH_BOUNDS_TEST, tests.depth_bounds_test, depthBoundsTestEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetStencilTestEnable(VkCommandBuffer commandBuffer, VkBool32 stencilTestEnable)
{
   SET(STENCIL_TEST, tests.stencil_test, stencilTestEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetStencilOp(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask, VkStencilOp failOp,
                       VkStencilOp passOp, VkStencilOp depthFailOp, VkCompareOp compareOp)
{
   const struct pipe_stencil_face face = {
      .fail = (enum pipe_stencil_op)failOp,
      .depth_fail = (enum pipe_stencil_op)depthFailOp,
      .pass = (enum pipe_stencil_op)passOp,
      .compare = (enum pipe_compare)compareOp,
   };
   if (faceMask & VK_STENCIL_FACE_FRONT_BIT)
      SET(STENCIL_OP, tests.front, face);
   if (faceMask & VK_STENCIL_FACE_BACK_BIT)
      SET(STENCIL_OP, tests.back, face);
}

/* ---- output ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetLogicOpEXT(VkCommandBuffer commandBuffer, VkLogicOp logicOp)
{
   SET(LOGIC_OP, blend.logic_op, (enum pipe_logic_op)logicOp);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetLogicOpEnableEXT(VkCommandBuffer commandBuffer, VkBool32 logicOpEnable)
{
   SET(LOGIC_OP_ENABLE, blend.logic_op_enable, logicOpEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetAlphaToCoverageEnableEXT(VkCommandBuffer commandBuffer, VkBool32 alphaToCoverageEnable)
{
   SET(ALPHA_TO_COVERAGE, blend.alpha_to_coverage, alphaToCoverageEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetAlphaToOneEnableEXT(VkCommandBuffer commandBuffer, VkBool32 alphaToOneEnable)
{
   SET(ALPHA_TO_ONE, blend.alpha_to_one, alphaToOneEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetColorBlendEnableEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
                                 const VkBool32 *pColorBlendEnables)
{
   for (uint32_t i = 0; i < attachmentCount; i++)
      SET(BLEND_ENABLE, blend.targets[firstAttachment + i].enable, pColorBlendEnables[i]);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetColorBlendEquationEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
                                   const VkColorBlendEquationEXT *pColorBlendEquations)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < attachmentCount; i++) {
      const VkColorBlendEquationEXT *from = &pColorBlendEquations[i];
      struct pipe_blend_target *to = &cmd->values.blend.targets[firstAttachment + i];
      *to = vk_blend_target(&(VkPipelineColorBlendAttachmentState){
         to->enable, from->srcColorBlendFactor, from->dstColorBlendFactor, from->colorBlendOp,
         from->srcAlphaBlendFactor, from->dstAlphaBlendFactor, from->alphaBlendOp, to->write_mask});
   }
   cmd->stale |= VK_DYNAMIC_BIT(BLEND_EQUATION);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetColorWriteMaskEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
                               const VkColorComponentFlags *pColorWriteMasks)
{
   for (uint32_t i = 0; i < attachmentCount; i++)
      SET(WRITE_MASK, blend.targets[firstAttachment + i].write_mask, (uint8_t)pColorWriteMasks[i]);
}

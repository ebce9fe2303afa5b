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
indium_CmdSetPatchControlPointsEXT(VkCommandBuffer commandBuffer, uint32_t patchControlPoints)
{
   /* No device has a stage that takes patches. */
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
   SET(CULL_MODE, cull, (uint8_t)(cullMode & VK_CULL_MODE_FRONT_AND_BACK));
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetFrontFace(VkCommandBuffer commandBuffer, VkFrontFace frontFace)
{
   SET(FRONT_FACE, front_ccw, frontFace == VK_FRONT_FACE_COUNTER_CLOCKWISE);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetRasterizerDiscardEnable(VkCommandBuffer commandBuffer, VkBool32 rasterizerDiscardEnable)
{
   SET(DISCARD, discard, rasterizerDiscardEnable);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthBiasEnable(VkCommandBuffer commandBuffer, VkBool32 depthBiasEnable)
{
   SET(DEPTH_BIAS_ENABLE, depth_bias, depthBiasEnable);
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
   SET(LOGIC_OP, logic_op, (enum pipe_logic_op)logicOp);
}

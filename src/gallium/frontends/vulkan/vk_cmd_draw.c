/* Draws and dispatches. With multiview a draw runs once per view, with the view index as a push constant. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "gallium/frontends/vulkan/vk_shader.h"

#define LAST_RUN UINT32_MAX

/* With state to be bound first, or with multiview: the next view whose turn it is becomes a push constant. */
static bool
next_run_slowly(struct vk_command_buffer *cmd, uint32_t *run)
{
   if (cmd->changed && !vk_cmd_flush(cmd))
      return false;
   if (!cmd->view_mask) {
      *run = LAST_RUN;
      return true;
   }
   while (*run < 32 && !(cmd->view_mask >> *run & 1))
      (*run)++;
   if (*run == 32)
      return false;
   cmd->pipe->push_constants(cmd->pipe, VK_VIEW_INDEX_OFFSET_B, 4, run);
   (*run)++;
   return true;
}

/* Whether the draw runs again: once in all, or with multiview once a view; never where there is nothing to draw with.
 * run counts the views, from 0. */
static inline bool
next_run(struct vk_command_buffer *cmd, uint32_t *run)
{
   if (*run == LAST_RUN)
      return false;
   if (__builtin_expect((cmd->changed | cmd->view_mask) != 0, 0))
      return next_run_slowly(cmd, run);
   *run = LAST_RUN;
   return true;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDraw(VkCommandBuffer commandBuffer, uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex,
               uint32_t firstInstance)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t run = 0; next_run(cmd, &run);)
      cmd->pipe->draw(cmd->pipe, vertexCount, instanceCount, firstVertex, firstInstance);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndexed(VkCommandBuffer commandBuffer, uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex,
                      int32_t vertexOffset, uint32_t firstInstance)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t run = 0; next_run(cmd, &run);)
      cmd->pipe->draw_indexed(cmd->pipe, indexCount, instanceCount, firstIndex, vertexOffset, firstInstance);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawMultiEXT(VkCommandBuffer commandBuffer, uint32_t drawCount, const VkMultiDrawInfoEXT *pVertexInfo,
                       uint32_t instanceCount, uint32_t firstInstance, uint32_t stride)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < drawCount; i++) {
      const VkMultiDrawInfoEXT *info = (const void *)((const char *)pVertexInfo + (size_t)i * stride);
      cmd->pipe->set_draw_id(cmd->pipe, i);
      for (uint32_t run = 0; next_run(cmd, &run);)
         cmd->pipe->draw(cmd->pipe, info->vertexCount, instanceCount, info->firstVertex, firstInstance);
   }
   cmd->pipe->set_draw_id(cmd->pipe, 0);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawMultiIndexedEXT(VkCommandBuffer commandBuffer, uint32_t drawCount,
                              const VkMultiDrawIndexedInfoEXT *pIndexInfo, uint32_t instanceCount,
                              uint32_t firstInstance, uint32_t stride, const int32_t *pVertexOffset)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < drawCount; i++) {
      const VkMultiDrawIndexedInfoEXT *info = (const void *)((const char *)pIndexInfo + (size_t)i * stride);
      const int32_t offset = pVertexOffset ? *pVertexOffset : info->vertexOffset;
      cmd->pipe->set_draw_id(cmd->pipe, i);
      for (uint32_t run = 0; next_run(cmd, &run);)
         cmd->pipe->draw_indexed(cmd->pipe, info->indexCount, instanceCount, info->firstIndex, offset, firstInstance);
   }
   cmd->pipe->set_draw_id(cmd->pipe, 0);
}

static void
draw_indirect(VkCommandBuffer commandBuffer, const struct pipe_indirect_draws *draws)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t run = 0; next_run(cmd, &run);)
      cmd->pipe->draw_indirect(cmd->pipe, draws);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndirect(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset, uint32_t drawCount,
                       uint32_t stride)
{
   VK_FROM(vk_buffer, buffer, _buffer);
   draw_indirect(commandBuffer,
                 &(struct pipe_indirect_draws){
                    .max_draws = drawCount, .stride_B = stride, .buffer = buffer->resource, .offset_B = offset});
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndexedIndirect(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset,
                              uint32_t drawCount, uint32_t stride)
{
   VK_FROM(vk_buffer, buffer, _buffer);
   draw_indirect(commandBuffer, &(struct pipe_indirect_draws){.indexed = true,
                                                              .max_draws = drawCount,
                                                              .stride_B = stride,
                                                              .buffer = buffer->resource,
                                                              .offset_B = offset});
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndirectCount(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset,
                            VkBuffer countBuffer, VkDeviceSize countBufferOffset, uint32_t maxDrawCount,
                            uint32_t stride)
{
   VK_FROM(vk_buffer, buffer, _buffer);
   VK_FROM(vk_buffer, count_buffer, countBuffer);
   draw_indirect(commandBuffer, &(struct pipe_indirect_draws){.max_draws = maxDrawCount,
                                                              .stride_B = stride,
                                                              .buffer = buffer->resource,
                                                              .offset_B = offset,
                                                              .count_buffer = count_buffer->resource,
                                                              .count_offset_B = countBufferOffset});
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndexedIndirectCount(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset,
                                   VkBuffer countBuffer, VkDeviceSize countBufferOffset, uint32_t maxDrawCount,
                                   uint32_t stride)
{
   VK_FROM(vk_buffer, buffer, _buffer);
   VK_FROM(vk_buffer, count_buffer, countBuffer);
   draw_indirect(commandBuffer, &(struct pipe_indirect_draws){.indexed = true,
                                                              .max_draws = maxDrawCount,
                                                              .stride_B = stride,
                                                              .buffer = buffer->resource,
                                                              .offset_B = offset,
                                                              .count_buffer = count_buffer->resource,
                                                              .count_offset_B = countBufferOffset});
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDispatchBase(VkCommandBuffer commandBuffer, uint32_t baseGroupX, uint32_t baseGroupY, uint32_t baseGroupZ,
                       uint32_t groupCountX, uint32_t groupCountY, uint32_t groupCountZ)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const uint32_t base[3] = {baseGroupX, baseGroupY, baseGroupZ};
   const uint32_t groups[3] = {groupCountX, groupCountY, groupCountZ};
   if (groupCountX && groupCountY && groupCountZ)
      cmd->pipe->dispatch(cmd->pipe, base, groups);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDispatch(VkCommandBuffer commandBuffer, uint32_t groupCountX, uint32_t groupCountY, uint32_t groupCountZ)
{
   indium_CmdDispatchBase(commandBuffer, 0, 0, 0, groupCountX, groupCountY, groupCountZ);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDispatchIndirect(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, buffer, _buffer);
   cmd->pipe->dispatch_indirect(cmd->pipe, buffer->resource, offset);
}

/* Draws and dispatches. With multiview a draw runs once per view, with the view index as a push constant. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "gallium/frontends/vulkan/vk_shader.h"

/* False if there is nothing to draw with. */
static inline bool
prepare(struct vk_command_buffer *cmd)
{
   return !cmd->changed || vk_cmd_flush(cmd);
}

/* Before a draw for the first of the views; returns the others. 0: there are no views. */
static inline uint32_t
begin_view(struct vk_command_buffer *cmd, uint32_t views)
{
   if (views) {
      const uint32_t view = (uint32_t)__builtin_ctz(views);
      cmd->pipe->push_constants(cmd->pipe, VK_VIEW_INDEX_OFFSET_B, 4, &view);
   }
   return views & (views - 1);
}

/* Draws without a change and without views, which are most, do no more than call the driver; others stay out of line.
 */
static inline bool
is_plain(const struct vk_command_buffer *cmd)
{
   return __builtin_expect((cmd->changed | cmd->view_mask) == 0, 1);
}

static __attribute__((noinline)) void
draw(struct vk_command_buffer *cmd, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
     uint32_t first_instance)
{
   if (!prepare(cmd))
      return;
   uint32_t views = cmd->view_mask;
   do {
      views = begin_view(cmd, views);
      cmd->pipe->draw(cmd->pipe, vertices, instances, first_vertex, first_instance);
   } while (views);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDraw(VkCommandBuffer commandBuffer, uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex,
               uint32_t firstInstance)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (is_plain(cmd))
      cmd->pipe->draw(cmd->pipe, vertexCount, instanceCount, firstVertex, firstInstance);
   else
      draw(cmd, vertexCount, instanceCount, firstVertex, firstInstance);
}

static __attribute__((noinline)) void
draw_indexed(struct vk_command_buffer *cmd, uint32_t indices, uint32_t instances, uint32_t first_index,
             int32_t vertex_offset, uint32_t first_instance)
{
   if (!prepare(cmd))
      return;
   uint32_t views = cmd->view_mask;
   do {
      views = begin_view(cmd, views);
      cmd->pipe->draw_indexed(cmd->pipe, indices, instances, first_index, vertex_offset, first_instance);
   } while (views);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndexed(VkCommandBuffer commandBuffer, uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex,
                      int32_t vertexOffset, uint32_t firstInstance)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (is_plain(cmd))
      cmd->pipe->draw_indexed(cmd->pipe, indexCount, instanceCount, firstIndex, vertexOffset, firstInstance);
   else
      draw_indexed(cmd, indexCount, instanceCount, firstIndex, vertexOffset, firstInstance);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawMultiEXT(VkCommandBuffer commandBuffer, uint32_t drawCount, const VkMultiDrawInfoEXT *pVertexInfo,
                       uint32_t instanceCount, uint32_t firstInstance, uint32_t stride)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < drawCount; i++) {
      const VkMultiDrawInfoEXT *info = (const void *)((const char *)pVertexInfo + (size_t)i * stride);
      cmd->pipe->set_draw_id(cmd->pipe, i);
      indium_CmdDraw(commandBuffer, info->vertexCount, instanceCount, info->firstVertex, firstInstance);
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
      indium_CmdDrawIndexed(commandBuffer, info->indexCount, instanceCount, info->firstIndex, offset, firstInstance);
   }
   cmd->pipe->set_draw_id(cmd->pipe, 0);
}

static void
draw_indirect(VkCommandBuffer commandBuffer, const struct pipe_indirect_draws *draws)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (!prepare(cmd))
      return;
   uint32_t views = cmd->view_mask;
   do {
      views = begin_view(cmd, views);
      cmd->pipe->draw_indirect(cmd->pipe, draws);
   } while (views);
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
indium_CmdDrawIndirectByteCountEXT(VkCommandBuffer commandBuffer, uint32_t instanceCount, uint32_t firstInstance,
                                   VkBuffer counterBuffer, VkDeviceSize counterBufferOffset, uint32_t counterOffset,
                                   uint32_t vertexStride)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, buffer, counterBuffer);
   const struct pipe_byte_count count = {.instances = instanceCount,
                                         .first_instance = firstInstance,
                                         .buffer = buffer->resource,
                                         .offset_B = counterBufferOffset,
                                         .counter_offset_B = counterOffset,
                                         .stride_B = vertexStride};
   if (!prepare(cmd))
      return;
   uint32_t views = cmd->view_mask;
   do {
      views = begin_view(cmd, views);
      cmd->pipe->draw_byte_count(cmd->pipe, &count);
   } while (views);
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
indium_CmdDrawMeshTasksEXT(VkCommandBuffer commandBuffer, uint32_t groupCountX, uint32_t groupCountY,
                           uint32_t groupCountZ)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const uint32_t groups[3] = {groupCountX, groupCountY, groupCountZ};
   if (!prepare(cmd))
      return;
   uint32_t views = cmd->view_mask;
   do {
      views = begin_view(cmd, views);
      cmd->pipe->draw_meshes(cmd->pipe, groups);
   } while (views);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawMeshTasksIndirectEXT(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset,
                                   uint32_t drawCount, uint32_t stride)
{
   VK_FROM(vk_buffer, buffer, _buffer);
   draw_indirect(
      commandBuffer,
      &(struct pipe_indirect_draws){
         .meshes = true, .max_draws = drawCount, .stride_B = stride, .buffer = buffer->resource, .offset_B = offset});
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawMeshTasksIndirectCountEXT(VkCommandBuffer commandBuffer, VkBuffer _buffer, VkDeviceSize offset,
                                        VkBuffer countBuffer, VkDeviceSize countBufferOffset, uint32_t maxDrawCount,
                                        uint32_t stride)
{
   VK_FROM(vk_buffer, buffer, _buffer);
   VK_FROM(vk_buffer, count_buffer, countBuffer);
   draw_indirect(commandBuffer, &(struct pipe_indirect_draws){.meshes = true,
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

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginConditionalRenderingEXT(VkCommandBuffer commandBuffer,
                                       const VkConditionalRenderingBeginInfoEXT *pConditionalRenderingBegin)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, buffer, pConditionalRenderingBegin->buffer);
   cmd->pipe->begin_conditional(cmd->pipe, buffer->resource, pConditionalRenderingBegin->offset,
                                pConditionalRenderingBegin->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndConditionalRenderingEXT(VkCommandBuffer commandBuffer)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->end_conditional(cmd->pipe);
}

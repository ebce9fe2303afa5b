/* Queries and timestamps in command buffers. */
#include "gallium/frontends/vulkan/vk_barrier.h"

/* With multiview a query takes as many consecutive indices as there are views. */
static uint32_t
num_query_indices(const struct vk_command_buffer *cmd)
{
   return cmd->view_mask ? (uint32_t)__builtin_popcount(cmd->view_mask) : 1;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginQuery(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query, VkQueryControlFlags flags)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_query_pool, pool, queryPool);
   cmd->pipe->query_begin(cmd->pipe, pool->pool, query, flags & VK_QUERY_CONTROL_PRECISE_BIT);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndQuery(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_query_pool, pool, queryPool);
   cmd->pipe->query_end(cmd->pipe, pool->pool, query);
   /* The first one has counted all views: the others are 0. */
   for (uint32_t i = 1; i < num_query_indices(cmd); i++) {
      cmd->pipe->query_begin(cmd->pipe, pool->pool, query + i, false);
      cmd->pipe->query_end(cmd->pipe, pool->pool, query + i);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginQueryIndexedEXT(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query,
                               VkQueryControlFlags flags, uint32_t index)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (index)
      cmd->pipe->set_query_stream(cmd->pipe, index);
   indium_CmdBeginQuery(commandBuffer, queryPool, query, flags);
   if (index)
      cmd->pipe->set_query_stream(cmd->pipe, 0);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndQueryIndexedEXT(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query, uint32_t index)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (index)
      cmd->pipe->set_query_stream(cmd->pipe, index);
   indium_CmdEndQuery(commandBuffer, queryPool, query);
   if (index)
      cmd->pipe->set_query_stream(cmd->pipe, 0);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdResetQueryPool(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t firstQuery,
                         uint32_t queryCount)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_query_pool, pool, queryPool);
   cmd->pipe->query_reset(cmd->pipe, pool->pool, firstQuery, queryCount);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdWriteTimestamp2(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage, VkQueryPool queryPool,
                          uint32_t query)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_query_pool, pool, queryPool);
   uint32_t stages = stage & VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT ? PIPE_STAGE_ALL : vk_stages(stage);
   for (uint32_t i = 0; i < num_query_indices(cmd); i++)
      cmd->pipe->write_timestamp(cmd->pipe, pool->pool, query + i, stages);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdWriteTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits pipelineStage, VkQueryPool queryPool,
                         uint32_t query)
{
   indium_CmdWriteTimestamp2(commandBuffer, pipelineStage, queryPool, query);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyQueryPoolResults(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t firstQuery,
                               uint32_t queryCount, VkBuffer dstBuffer, VkDeviceSize dstOffset, VkDeviceSize stride,
                               VkQueryResultFlags flags)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_query_pool, pool, queryPool);
   VK_FROM(vk_buffer, dst, dstBuffer);
   const struct pipe_query_copy copy = {
      .first = firstQuery,
      .count = queryCount,
      .values = pool->values,
      .dst = dst->resource,
      .offset_B = dstOffset,
      .stride_B = stride,
      .wait = flags & VK_QUERY_RESULT_WAIT_BIT,
      .result_64 = flags & VK_QUERY_RESULT_64_BIT,
      .with_availability = flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT,
      .partial = flags & VK_QUERY_RESULT_PARTIAL_BIT,
   };
   cmd->pipe->query_copy(cmd->pipe, pool->pool, &copy);
}

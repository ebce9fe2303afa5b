/* Events in command buffers. */
#include "gallium/frontends/vulkan/vk_barrier.h"

static uint64_t
source_stages(const VkDependencyInfo *info)
{
   uint64_t stages = 0;
   for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
      stages |= info->pMemoryBarriers[i].srcStageMask;
   for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++)
      stages |= info->pBufferMemoryBarriers[i].srcStageMask;
   for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
      stages |= info->pImageMemoryBarriers[i].srcStageMask;
   return stages;
}

static void
write_event(VkCommandBuffer commandBuffer, VkEvent _event, uint32_t value, uint64_t stages)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_event, event, _event);
   cmd->pipe->event_write(cmd->pipe, event->buffer, 0, value, vk_stages(stages));
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetEvent(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags stageMask)
{
   write_event(commandBuffer, event, 1, stageMask);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event, const VkDependencyInfo *pDependencyInfo)
{
   write_event(commandBuffer, event, 1, source_stages(pDependencyInfo));
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdResetEvent(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags stageMask)
{
   write_event(commandBuffer, event, 0, stageMask);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdResetEvent2(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags2 stageMask)
{
   write_event(commandBuffer, event, 0, stageMask);
}

static void
wait_events(struct vk_command_buffer *cmd, uint32_t count, const VkEvent *events)
{
   for (uint32_t i = 0; i < count; i++)
      cmd->pipe->event_wait(cmd->pipe, ((struct vk_event *)events[i])->buffer, 0);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdWaitEvents(VkCommandBuffer commandBuffer, uint32_t eventCount, const VkEvent *pEvents,
                     VkPipelineStageFlags srcStageMask, VkPipelineStageFlags dstStageMask,
                     uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
                     uint32_t bufferMemoryBarrierCount, const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                     uint32_t imageMemoryBarrierCount, const VkImageMemoryBarrier *pImageMemoryBarriers)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_barrier barrier =
      vk_merge_barriers(srcStageMask, dstStageMask, memoryBarrierCount, pMemoryBarriers, bufferMemoryBarrierCount,
                        pBufferMemoryBarriers, imageMemoryBarrierCount, pImageMemoryBarriers);
   wait_events(cmd, eventCount, pEvents);
   cmd->pipe->barrier(cmd->pipe, &barrier);
   vk_discard_images(cmd, imageMemoryBarrierCount, pImageMemoryBarriers);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t eventCount, const VkEvent *pEvents,
                      const VkDependencyInfo *pDependencyInfos)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   wait_events(cmd, eventCount, pEvents);
   for (uint32_t i = 0; i < eventCount; i++)
      indium_CmdPipelineBarrier2(commandBuffer, &pDependencyInfos[i]);
}

/* Events in command buffers. */
#include "gallium/frontends/vulkan/vk_barrier.h"

static uint64_t
source_stages(const VkDependencyInfo *info)
{
   const VkMemoryRangeBarriersInfoKHR *ranges =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
   uint64_t stages = 0;
   for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
      stages |= info->pMemoryBarriers[i].srcStageMask;
   for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++)
      stages |= info->pBufferMemoryBarriers[i].srcStageMask;
   for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
      stages |= info->pImageMemoryBarriers[i].srcStageMask;
   for (uint32_t i = 0; ranges && i < ranges->memoryRangeBarrierCount; i++)
      stages |= ranges->pMemoryRangeBarriers[i].srcStageMask;
   return stages;
}

static void
write_event(VkCommandBuffer commandBuffer, VkEvent _event, uint32_t value, uint64_t stages)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_event, event, _event);
   cmd->pipe->event_write(cmd->pipe, event->buffer, 0, value, vk_barrier(stages, 0, 0, 0).src_stages);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event, const VkDependencyInfo *pDependencyInfo)
{
   write_event(commandBuffer, event, 1, source_stages(pDependencyInfo));
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdResetEvent2(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags2 stageMask)
{
   write_event(commandBuffer, event, 0, stageMask);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t eventCount, const VkEvent *pEvents,
                      const VkDependencyInfo *pDependencyInfos)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < eventCount; i++)
      cmd->pipe->event_wait(cmd->pipe, ((struct vk_event *)pEvents[i])->buffer, 0);
   vk_cmd_dependencies(cmd, eventCount, pDependencyInfos);
}

/* ---- markers: as events, in a buffer of the application's ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdWriteBufferMarker2AMD(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage, VkBuffer dstBuffer,
                                VkDeviceSize dstOffset, uint32_t marker)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, buffer, dstBuffer);
   cmd->pipe->event_write(cmd->pipe, buffer->resource, dstOffset, marker, vk_barrier(stage, 0, 0, 0).src_stages);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdWriteBufferMarkerAMD(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits pipelineStage,
                               VkBuffer dstBuffer, VkDeviceSize dstOffset, uint32_t marker)
{
   indium_CmdWriteBufferMarker2AMD(commandBuffer, pipelineStage, dstBuffer, dstOffset, marker);
}

/* ---- the first versions ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetEvent(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags stageMask)
{
   const VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = stageMask};
   indium_CmdSetEvent2(commandBuffer, event,
                       &(VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                           .memoryBarrierCount = 1,
                                           .pMemoryBarriers = &memory});
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdResetEvent(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags stageMask)
{
   indium_CmdResetEvent2(commandBuffer, event, stageMask);
}

/* The barriers of all events are those of the first one. */
VKAPI_ATTR void VKAPI_CALL
indium_CmdWaitEvents(VkCommandBuffer commandBuffer, uint32_t eventCount, const VkEvent *pEvents,
                     VkPipelineStageFlags srcStageMask, VkPipelineStageFlags dstStageMask,
                     uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
                     uint32_t bufferMemoryBarrierCount, const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                     uint32_t imageMemoryBarrierCount, const VkImageMemoryBarrier *pImageMemoryBarriers)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_barriers barriers = {
      .src_stages = srcStageMask,
      .dst_stages = dstStageMask,
      .num_memory = memoryBarrierCount,
      .num_buffers = bufferMemoryBarrierCount,
      .num_images = imageMemoryBarrierCount,
      .memory = pMemoryBarriers,
      .buffers = pBufferMemoryBarriers,
      .images = pImageMemoryBarriers,
   };
   struct vk_room room;
   const VkDependencyInfo *infos = vk_upgrade_barriers(cmd, &barriers, eventCount, &room);
   if (infos)
      indium_CmdWaitEvents2(commandBuffer, eventCount, pEvents, infos);
   vk_room_leave(cmd, &room);
}

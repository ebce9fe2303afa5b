/* Transform feedback in command buffers. */
#include "gallium/frontends/vulkan/vk_private.h"

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindTransformFeedbackBuffersEXT(VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,
                                          const VkBuffer *pBuffers, const VkDeviceSize *pOffsets,
                                          const VkDeviceSize *pSizes)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_xfb_buffer buffers[PIPE_MAX_XFB_BUFFERS];
   for (uint32_t i = 0; i < bindingCount; i++) {
      VK_FROM(vk_buffer, buffer, pBuffers[i]);
      const bool rest = !pSizes || pSizes[i] == VK_WHOLE_SIZE;
      buffers[i] =
         (struct pipe_xfb_buffer){buffer->resource, pOffsets[i], rest ? buffer->size_B - pOffsets[i] : pSizes[i]};
   }
   cmd->pipe->set_xfb_buffers(cmd->pipe, firstBinding, bindingCount, buffers);
}

static struct pipe_xfb_counters
counters_of(uint32_t first, uint32_t count, const VkBuffer *buffers, const VkDeviceSize *offsets)
{
   struct pipe_xfb_counters counters = {0};
   for (uint32_t i = 0; buffers && i < count; i++) {
      VK_FROM(vk_buffer, buffer, buffers[i]);
      if (!buffer)
         continue;
      counters.of[first + i].buffer = buffer->resource;
      counters.of[first + i].offset_B = offsets ? offsets[i] : 0;
   }
   return counters;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginTransformFeedbackEXT(VkCommandBuffer commandBuffer, uint32_t firstCounterBuffer,
                                    uint32_t counterBufferCount, const VkBuffer *pCounterBuffers,
                                    const VkDeviceSize *pCounterBufferOffsets)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct pipe_xfb_counters counters =
      counters_of(firstCounterBuffer, counterBufferCount, pCounterBuffers, pCounterBufferOffsets);
   cmd->pipe->begin_xfb(cmd->pipe, &counters);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndTransformFeedbackEXT(VkCommandBuffer commandBuffer, uint32_t firstCounterBuffer,
                                  uint32_t counterBufferCount, const VkBuffer *pCounterBuffers,
                                  const VkDeviceSize *pCounterBufferOffsets)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct pipe_xfb_counters counters =
      counters_of(firstCounterBuffer, counterBufferCount, pCounterBuffers, pCounterBufferOffsets);
   cmd->pipe->end_xfb(cmd->pipe, &counters);
}

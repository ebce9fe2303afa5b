/* Fills, updates and clears. */
#include "gallium/frontends/vulkan/vk_private.h"

VKAPI_ATTR void VKAPI_CALL
indium_CmdFillBuffer(VkCommandBuffer commandBuffer, VkBuffer dstBuffer, VkDeviceSize dstOffset, VkDeviceSize size,
                     uint32_t data)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, dst, dstBuffer);
   if (size == VK_WHOLE_SIZE)
      size = (dst->size_B - dstOffset) & ~UINT64_C(3);
   if (size)
      cmd->pipe->fill_buffer(cmd->pipe, dst->resource, dstOffset, size, data);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdUpdateBuffer(VkCommandBuffer commandBuffer, VkBuffer dstBuffer, VkDeviceSize dstOffset,
                       VkDeviceSize dataSize, const void *pData)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, dst, dstBuffer);
   cmd->pipe->update_buffer(cmd->pipe, dst->resource, dstOffset, dataSize, pData);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdClearColorImage(VkCommandBuffer commandBuffer, VkImage _image, VkImageLayout imageLayout,
                          const VkClearColorValue *pColor, uint32_t rangeCount,
                          const VkImageSubresourceRange *pRanges)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_image, image, _image);
   struct pipe_clear_value value = {0};
   memcpy(&value.color, pColor, sizeof(value.color));
   for (uint32_t i = 0; i < rangeCount; i++) {
      struct pipe_subresource_range range = vk_subresource_range(image, &pRanges[i]);
      cmd->pipe->clear_image(cmd->pipe, image->planes[0], &value, &range);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdClearDepthStencilImage(VkCommandBuffer commandBuffer, VkImage _image, VkImageLayout imageLayout,
                                 const VkClearDepthStencilValue *pDepthStencil, uint32_t rangeCount,
                                 const VkImageSubresourceRange *pRanges)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_image, image, _image);
   const struct pipe_clear_value value = {.depth = pDepthStencil->depth, .stencil = (uint8_t)pDepthStencil->stencil};
   for (uint32_t i = 0; i < rangeCount; i++) {
      struct pipe_subresource_range range = vk_subresource_range(image, &pRanges[i]);
      cmd->pipe->clear_image(cmd->pipe, image->planes[0], &value, &range);
   }
}

/* In a multiview subpass the rectangle stands for one of each view. */
static void
clear_rect(struct vk_command_buffer *cmd, const VkClearAttachment *attachment, const VkClearRect *from)
{
   const uint32_t aspects = vk_aspects(attachment->aspectMask);
   uint32_t views = cmd->view_mask;
   struct pipe_clear_value value = {.depth = attachment->clearValue.depthStencil.depth,
                                    .stencil = (uint8_t)attachment->clearValue.depthStencil.stencil};
   memcpy(&value.color, &attachment->clearValue.color, sizeof(value.color));
   struct pipe_clear_rect rect = {(uint32_t)from->rect.offset.x, (uint32_t)from->rect.offset.y,
                                  from->rect.extent.width,       from->rect.extent.height,
                                  from->baseArrayLayer,          from->layerCount};
   do {
      if (views)
         rect.base_layer = (uint32_t)__builtin_ctz(views);
      cmd->pipe->clear_attachment(cmd->pipe, aspects & PIPE_ASPECT_COLOR ? attachment->colorAttachment : UINT32_MAX,
                                  aspects, &value, &rect);
      views &= views - 1;
   } while (views);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdClearAttachments(VkCommandBuffer commandBuffer, uint32_t attachmentCount,
                           const VkClearAttachment *pAttachments, uint32_t rectCount, const VkClearRect *pRects)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < attachmentCount; i++) {
      for (uint32_t j = 0; j < rectCount; j++)
         clear_rect(cmd, &pAttachments[i], &pRects[j]);
   }
}

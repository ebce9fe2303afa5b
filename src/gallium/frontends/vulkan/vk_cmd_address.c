/* VK_KHR_device_address_commands: commands that name memory by address. Each becomes that of the buffer there; one
 * whose address no buffer has is left out, with a line in the log. */
#include "gallium/frontends/vulkan/vk_address.h"

#define FIND(cmd, range, command) vk_address_find((cmd)->pool->device, range, "vk" #command)

static VkDeviceAddressRangeKHR
unstrided(VkStridedDeviceAddressRangeKHR range)
{
   return (VkDeviceAddressRangeKHR){range.address, range.size};
}

/* ---- what draws read ---- */

/* Address 0: as no buffer. */
VKAPI_ATTR void VKAPI_CALL
indium_CmdBindIndexBuffer3KHR(VkCommandBuffer commandBuffer, const VkBindIndexBuffer3InfoKHR *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, pInfo->addressRange, CmdBindIndexBuffer3KHR);
   if (place.buffer || cmd->pool->device->no_indices.buffer)
      indium_CmdBindIndexBuffer2(commandBuffer, place.buffer, place.offset_B, pInfo->addressRange.size,
                                 pInfo->indexType);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindVertexBuffers3KHR(VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,
                                const VkBindVertexBuffer3InfoKHR *pBindingInfos)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < bindingCount; i++) {
      const VkBindVertexBuffer3InfoKHR *info = &pBindingInfos[i];
      const struct vk_place place = FIND(cmd, unstrided(info->addressRange), CmdBindVertexBuffers3KHR);
      indium_CmdBindVertexBuffers2(commandBuffer, firstBinding + i, 1, &place.buffer, &place.offset_B,
                                   &info->addressRange.size, info->setStride ? &info->addressRange.stride : NULL);
   }
}

/* ---- draws and dispatches ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndirect2KHR(VkCommandBuffer commandBuffer, const VkDrawIndirect2InfoKHR *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, unstrided(pInfo->addressRange), CmdDrawIndirect2KHR);
   if (place.buffer)
      indium_CmdDrawIndirect(commandBuffer, place.buffer, place.offset_B, pInfo->drawCount,
                             (uint32_t)pInfo->addressRange.stride);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndexedIndirect2KHR(VkCommandBuffer commandBuffer, const VkDrawIndirect2InfoKHR *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, unstrided(pInfo->addressRange), CmdDrawIndexedIndirect2KHR);
   if (place.buffer)
      indium_CmdDrawIndexedIndirect(commandBuffer, place.buffer, place.offset_B, pInfo->drawCount,
                                    (uint32_t)pInfo->addressRange.stride);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawMeshTasksIndirect2EXT(VkCommandBuffer commandBuffer, const VkDrawIndirect2InfoKHR *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, unstrided(pInfo->addressRange), CmdDrawMeshTasksIndirect2EXT);
   if (place.buffer)
      indium_CmdDrawMeshTasksIndirectEXT(commandBuffer, place.buffer, place.offset_B, pInfo->drawCount,
                                         (uint32_t)pInfo->addressRange.stride);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawMeshTasksIndirectCount2EXT(VkCommandBuffer commandBuffer, const VkDrawIndirectCount2InfoKHR *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, unstrided(pInfo->addressRange), CmdDrawMeshTasksIndirectCount2EXT);
   const struct vk_place count = FIND(cmd, pInfo->countAddressRange, CmdDrawMeshTasksIndirectCount2EXT);
   if (place.buffer && count.buffer)
      indium_CmdDrawMeshTasksIndirectCountEXT(commandBuffer, place.buffer, place.offset_B, count.buffer,
                                              count.offset_B, pInfo->maxDrawCount,
                                              (uint32_t)pInfo->addressRange.stride);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndirectCount2KHR(VkCommandBuffer commandBuffer, const VkDrawIndirectCount2InfoKHR *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, unstrided(pInfo->addressRange), CmdDrawIndirectCount2KHR);
   const struct vk_place count = FIND(cmd, pInfo->countAddressRange, CmdDrawIndirectCount2KHR);
   if (place.buffer && count.buffer)
      indium_CmdDrawIndirectCount(commandBuffer, place.buffer, place.offset_B, count.buffer, count.offset_B,
                                  pInfo->maxDrawCount, (uint32_t)pInfo->addressRange.stride);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndexedIndirectCount2KHR(VkCommandBuffer commandBuffer, const VkDrawIndirectCount2InfoKHR *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, unstrided(pInfo->addressRange), CmdDrawIndexedIndirectCount2KHR);
   const struct vk_place count = FIND(cmd, pInfo->countAddressRange, CmdDrawIndexedIndirectCount2KHR);
   if (place.buffer && count.buffer)
      indium_CmdDrawIndexedIndirectCount(commandBuffer, place.buffer, place.offset_B, count.buffer, count.offset_B,
                                         pInfo->maxDrawCount, (uint32_t)pInfo->addressRange.stride);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDispatchIndirect2KHR(VkCommandBuffer commandBuffer, const VkDispatchIndirect2InfoKHR *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, pInfo->addressRange, CmdDispatchIndirect2KHR);
   if (place.buffer)
      indium_CmdDispatchIndirect(commandBuffer, place.buffer, place.offset_B);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginConditionalRendering2EXT(VkCommandBuffer commandBuffer,
                                        const VkConditionalRenderingBeginInfo2EXT *pConditionalRenderingBegin)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place =
      FIND(cmd, pConditionalRenderingBegin->addressRange, CmdBeginConditionalRendering2EXT);
   const VkConditionalRenderingBeginInfoEXT info = {.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                    .buffer = place.buffer,
                                                    .offset = place.offset_B,
                                                    .flags = pConditionalRenderingBegin->flags};
   if (place.buffer)
      indium_CmdBeginConditionalRenderingEXT(commandBuffer, &info);
}

/* ---- copies ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyMemoryKHR(VkCommandBuffer commandBuffer, const VkCopyDeviceMemoryInfoKHR *pCopyMemoryInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < pCopyMemoryInfo->regionCount; i++) {
      const VkDeviceMemoryCopyKHR *region = &pCopyMemoryInfo->pRegions[i];
      const struct vk_place src = FIND(cmd, region->srcRange, CmdCopyMemoryKHR);
      const struct vk_place dst = FIND(cmd, region->dstRange, CmdCopyMemoryKHR);
      const VkBufferCopy copy = {src.offset_B, dst.offset_B, region->srcRange.size};
      if (src.buffer && dst.buffer)
         indium_CmdCopyBuffer(commandBuffer, src.buffer, dst.buffer, 1, &copy);
   }
}

static VkBufferImageCopy
image_copy(const VkDeviceMemoryImageCopyKHR *region, VkDeviceSize offset_B)
{
   return (VkBufferImageCopy){offset_B,
                              region->addressRowLength,
                              region->addressImageHeight,
                              region->imageSubresource,
                              region->imageOffset,
                              region->imageExtent};
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyMemoryToImageKHR(VkCommandBuffer commandBuffer, const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < pCopyMemoryInfo->regionCount; i++) {
      const VkDeviceMemoryImageCopyKHR *region = &pCopyMemoryInfo->pRegions[i];
      const struct vk_place place = FIND(cmd, region->addressRange, CmdCopyMemoryToImageKHR);
      const VkBufferImageCopy copy = image_copy(region, place.offset_B);
      if (place.buffer)
         indium_CmdCopyBufferToImage(commandBuffer, place.buffer, pCopyMemoryInfo->image, region->imageLayout, 1,
                                     &copy);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyImageToMemoryKHR(VkCommandBuffer commandBuffer, const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < pCopyMemoryInfo->regionCount; i++) {
      const VkDeviceMemoryImageCopyKHR *region = &pCopyMemoryInfo->pRegions[i];
      const struct vk_place place = FIND(cmd, region->addressRange, CmdCopyImageToMemoryKHR);
      const VkBufferImageCopy copy = image_copy(region, place.offset_B);
      if (place.buffer)
         indium_CmdCopyImageToBuffer(commandBuffer, pCopyMemoryInfo->image, region->imageLayout, place.buffer, 1,
                                     &copy);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdUpdateMemoryKHR(VkCommandBuffer commandBuffer, const VkDeviceAddressRangeKHR *pDstRange,
                          VkAddressCommandFlagsKHR dstFlags, VkDeviceSize dataSize, const void *pData)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, *pDstRange, CmdUpdateMemoryKHR);
   if (place.buffer)
      indium_CmdUpdateBuffer(commandBuffer, place.buffer, place.offset_B, dataSize, pData);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdFillMemoryKHR(VkCommandBuffer commandBuffer, const VkDeviceAddressRangeKHR *pDstRange,
                        VkAddressCommandFlagsKHR dstFlags, uint32_t data)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, *pDstRange, CmdFillMemoryKHR);
   if (place.buffer)
      indium_CmdFillBuffer(commandBuffer, place.buffer, place.offset_B, pDstRange->size, data);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyQueryPoolResultsToMemoryKHR(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t firstQuery,
                                          uint32_t queryCount, const VkStridedDeviceAddressRangeKHR *pDstRange,
                                          VkAddressCommandFlagsKHR dstFlags, VkQueryResultFlags queryResultFlags)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, unstrided(*pDstRange), CmdCopyQueryPoolResultsToMemoryKHR);
   if (place.buffer)
      indium_CmdCopyQueryPoolResults(commandBuffer, queryPool, firstQuery, queryCount, place.buffer, place.offset_B,
                                     pDstRange->stride, queryResultFlags);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdWriteMarkerToMemoryAMD(VkCommandBuffer commandBuffer, const VkMemoryMarkerInfoAMD *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, pInfo->dstRange, CmdWriteMarkerToMemoryAMD);
   if (place.buffer)
      indium_CmdWriteBufferMarker2AMD(commandBuffer, pInfo->stage, place.buffer, place.offset_B, pInfo->marker);
}

/* ---- transform feedback ---- */

/* Of several buffers or counters; those at address 0 are absent. */
struct places {
   VkBuffer buffers[PIPE_MAX_XFB_BUFFERS];
   VkDeviceSize offsets_B[PIPE_MAX_XFB_BUFFERS], sizes_B[PIPE_MAX_XFB_BUFFERS];
};

static struct places
find_all(struct vk_command_buffer *cmd, uint32_t count, const VkBindTransformFeedbackBuffer2InfoEXT *infos,
         const char *command)
{
   struct places places = {0};
   for (uint32_t i = 0; infos && i < count; i++) {
      const struct vk_place place = vk_address_find(cmd->pool->device, infos[i].addressRange, command);
      places.buffers[i] = place.buffer;
      places.offsets_B[i] = place.offset_B;
      places.sizes_B[i] = infos[i].addressRange.size;
   }
   return places;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindTransformFeedbackBuffers2EXT(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                           uint32_t bindingCount,
                                           const VkBindTransformFeedbackBuffer2InfoEXT *pBindingInfos)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct places all = find_all(cmd, bindingCount, pBindingInfos, "vkCmdBindTransformFeedbackBuffers2EXT");
   for (uint32_t i = 0; i < bindingCount; i++) {
      if (all.buffers[i])
         indium_CmdBindTransformFeedbackBuffersEXT(commandBuffer, firstBinding + i, 1, &all.buffers[i],
                                                   &all.offsets_B[i], &all.sizes_B[i]);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginTransformFeedback2EXT(VkCommandBuffer commandBuffer, uint32_t firstCounterRange,
                                     uint32_t counterRangeCount,
                                     const VkBindTransformFeedbackBuffer2InfoEXT *pCounterInfos)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct places all = find_all(cmd, counterRangeCount, pCounterInfos, "vkCmdBeginTransformFeedback2EXT");
   indium_CmdBeginTransformFeedbackEXT(commandBuffer, firstCounterRange, counterRangeCount, all.buffers,
                                       all.offsets_B);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndTransformFeedback2EXT(VkCommandBuffer commandBuffer, uint32_t firstCounterRange,
                                   uint32_t counterRangeCount,
                                   const VkBindTransformFeedbackBuffer2InfoEXT *pCounterInfos)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct places all = find_all(cmd, counterRangeCount, pCounterInfos, "vkCmdEndTransformFeedback2EXT");
   indium_CmdEndTransformFeedbackEXT(commandBuffer, firstCounterRange, counterRangeCount, all.buffers, all.offsets_B);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdDrawIndirectByteCount2EXT(VkCommandBuffer commandBuffer, uint32_t instanceCount, uint32_t firstInstance,
                                    const VkBindTransformFeedbackBuffer2InfoEXT *pCounterInfo, uint32_t counterOffset,
                                    uint32_t vertexStride)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_place place = FIND(cmd, pCounterInfo->addressRange, CmdDrawIndirectByteCount2EXT);
   if (place.buffer)
      indium_CmdDrawIndirectByteCountEXT(commandBuffer, instanceCount, firstInstance, place.buffer, place.offset_B,
                                         counterOffset, vertexStride);
}

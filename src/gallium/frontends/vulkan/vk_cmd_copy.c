/* Copies, blits and resolves. The first versions of the commands forward to the second. */
#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/log.h"

static struct pipe_subresource
subresource(const struct vk_image *image, const VkImageSubresourceLayers *from)
{
   return (struct pipe_subresource){
      .aspects = vk_aspects(from->aspectMask),
      .level = from->mipLevel,
      .base_layer = from->baseArrayLayer,
      .layers =
         from->layerCount == VK_REMAINING_ARRAY_LAYERS ? image->desc.layers - from->baseArrayLayer : from->layerCount,
   };
}

static struct pipe_resource *
plane(const struct vk_image *image, const VkImageSubresourceLayers *of)
{
   return image->planes[vk_plane(of->aspectMask)];
}

static struct pipe_offset
offset(VkOffset3D from)
{
   return (struct pipe_offset){from.x, from.y, from.z};
}

static struct pipe_extent
extent(VkExtent3D from)
{
   return (struct pipe_extent){from.width, from.height, from.depth};
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyBuffer2(VkCommandBuffer commandBuffer, const VkCopyBufferInfo2 *pCopyBufferInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, src, pCopyBufferInfo->srcBuffer);
   VK_FROM(vk_buffer, dst, pCopyBufferInfo->dstBuffer);
   for (uint32_t i = 0; i < pCopyBufferInfo->regionCount; i++) {
      const VkBufferCopy2 *from = &pCopyBufferInfo->pRegions[i];
      struct pipe_buffer_copy region = {from->srcOffset, from->dstOffset, from->size};
      cmd->pipe->copy_buffer(cmd->pipe, src->resource, dst->resource, &region);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyMemoryIndirectKHR(VkCommandBuffer commandBuffer,
                                const VkCopyMemoryIndirectInfoKHR *pCopyMemoryIndirectInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const VkStridedDeviceAddressRangeKHR *range = &pCopyMemoryIndirectInfo->copyAddressRange;
   const struct pipe_indirect_copies copies = {range->address, (uint32_t)range->stride,
                                               pCopyMemoryIndirectInfo->copyCount};
   cmd->pipe->copy_indirect(cmd->pipe, &copies);
}

/* Of the feature indirectMemoryToImageCopy, which is not offered. */
VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyMemoryToImageIndirectKHR(VkCommandBuffer commandBuffer,
                                       const VkCopyMemoryToImageIndirectInfoKHR *pCopyMemoryToImageIndirectInfo)
{
   log_error("vkCmdCopyMemoryToImageIndirectKHR: the device has no indirectMemoryToImageCopy");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyImage2(VkCommandBuffer commandBuffer, const VkCopyImageInfo2 *pCopyImageInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_image, src, pCopyImageInfo->srcImage);
   VK_FROM(vk_image, dst, pCopyImageInfo->dstImage);
   for (uint32_t i = 0; i < pCopyImageInfo->regionCount; i++) {
      const VkImageCopy2 *from = &pCopyImageInfo->pRegions[i];
      struct pipe_image_copy region = {
         .src = subresource(src, &from->srcSubresource),
         .dst = subresource(dst, &from->dstSubresource),
         .src_offset = offset(from->srcOffset),
         .dst_offset = offset(from->dstOffset),
         .extent = extent(from->extent),
      };
      cmd->pipe->copy_image(cmd->pipe, plane(src, &from->srcSubresource), plane(dst, &from->dstSubresource), &region);
   }
}

static struct pipe_buffer_image_copy
buffer_image_copy(const struct vk_image *image, const VkBufferImageCopy2 *from)
{
   return (struct pipe_buffer_image_copy){
      .offset_B = from->bufferOffset,
      .row_length_px = from->bufferRowLength,
      .image_height_px = from->bufferImageHeight,
      .image = subresource(image, &from->imageSubresource),
      .offset = offset(from->imageOffset),
      .extent = extent(from->imageExtent),
   };
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyBufferToImage2(VkCommandBuffer commandBuffer, const VkCopyBufferToImageInfo2 *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_buffer, src, pInfo->srcBuffer);
   VK_FROM(vk_image, dst, pInfo->dstImage);
   for (uint32_t i = 0; i < pInfo->regionCount; i++) {
      struct pipe_buffer_image_copy region = buffer_image_copy(dst, &pInfo->pRegions[i]);
      cmd->pipe->copy_buffer_to_image(cmd->pipe, src->resource, plane(dst, &pInfo->pRegions[i].imageSubresource),
                                      &region);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyImageToBuffer2(VkCommandBuffer commandBuffer, const VkCopyImageToBufferInfo2 *pInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_image, src, pInfo->srcImage);
   VK_FROM(vk_buffer, dst, pInfo->dstBuffer);
   for (uint32_t i = 0; i < pInfo->regionCount; i++) {
      struct pipe_buffer_image_copy region = buffer_image_copy(src, &pInfo->pRegions[i]);
      cmd->pipe->copy_image_to_buffer(cmd->pipe, plane(src, &pInfo->pRegions[i].imageSubresource), dst->resource,
                                      &region);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBlitImage2(VkCommandBuffer commandBuffer, const VkBlitImageInfo2 *pBlitImageInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_image, src, pBlitImageInfo->srcImage);
   VK_FROM(vk_image, dst, pBlitImageInfo->dstImage);
   for (uint32_t i = 0; i < pBlitImageInfo->regionCount; i++) {
      const VkImageBlit2 *from = &pBlitImageInfo->pRegions[i];
      struct pipe_image_blit region = {
         .src = subresource(src, &from->srcSubresource),
         .dst = subresource(dst, &from->dstSubresource),
         .src_offset = {offset(from->srcOffsets[0]), offset(from->srcOffsets[1])},
         .dst_offset = {offset(from->dstOffsets[0]), offset(from->dstOffsets[1])},
      };
      cmd->pipe->blit_image(cmd->pipe, src->planes[0], dst->planes[0], &region,
                            (enum pipe_filter)pBlitImageInfo->filter);
   }
}

/* Of colours an average if the application does not say. */
static enum pipe_resolve
mode_of_aspect(const VkResolveImageInfo2 *info, uint32_t aspect)
{
   const VkResolveImageModeInfoKHR *modes =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR);
   if (!modes)
      return PIPE_RESOLVE_AVERAGE;
   return vk_resolve_mode(aspect == PIPE_ASPECT_STENCIL ? modes->stencilResolveMode : modes->resolveMode);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdResolveImage2(VkCommandBuffer commandBuffer, const VkResolveImageInfo2 *pResolveImageInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_image, src, pResolveImageInfo->srcImage);
   VK_FROM(vk_image, dst, pResolveImageInfo->dstImage);
   for (uint32_t i = 0; i < pResolveImageInfo->regionCount; i++) {
      const VkImageResolve2 *from = &pResolveImageInfo->pRegions[i];
      struct pipe_image_copy region = {
         .src = subresource(src, &from->srcSubresource),
         .dst = subresource(dst, &from->dstSubresource),
         .src_offset = offset(from->srcOffset),
         .dst_offset = offset(from->dstOffset),
         .extent = extent(from->extent),
      };
      for (uint32_t aspects = region.src.aspects; aspects; aspects &= aspects - 1) {
         const uint32_t aspect = aspects & -aspects;
         const enum pipe_resolve mode = mode_of_aspect(pResolveImageInfo, aspect);
         region.src.aspects = region.dst.aspects = aspect;
         if (mode != PIPE_RESOLVE_NONE)
            cmd->pipe->resolve_image(cmd->pipe, src->planes[0], dst->planes[0], &region, mode);
      }
   }
}

/* ---- the first versions ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyBuffer(VkCommandBuffer commandBuffer, VkBuffer srcBuffer, VkBuffer dstBuffer, uint32_t regionCount,
                     const VkBufferCopy *pRegions)
{
   for (uint32_t i = 0; i < regionCount; i++) {
      VkBufferCopy2 region = {
         .srcOffset = pRegions[i].srcOffset, .dstOffset = pRegions[i].dstOffset, .size = pRegions[i].size};
      indium_CmdCopyBuffer2(
         commandBuffer,
         &(VkCopyBufferInfo2){.srcBuffer = srcBuffer, .dstBuffer = dstBuffer, .regionCount = 1, .pRegions = &region});
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyImage(VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout srcImageLayout, VkImage dstImage,
                    VkImageLayout dstImageLayout, uint32_t regionCount, const VkImageCopy *pRegions)
{
   for (uint32_t i = 0; i < regionCount; i++) {
      VkImageCopy2 region = {
         .srcSubresource = pRegions[i].srcSubresource,
         .srcOffset = pRegions[i].srcOffset,
         .dstSubresource = pRegions[i].dstSubresource,
         .dstOffset = pRegions[i].dstOffset,
         .extent = pRegions[i].extent,
      };
      indium_CmdCopyImage2(
         commandBuffer,
         &(VkCopyImageInfo2){.srcImage = srcImage, .dstImage = dstImage, .regionCount = 1, .pRegions = &region});
   }
}

static VkBufferImageCopy2
upgrade_buffer_image_copy(const VkBufferImageCopy *from)
{
   return (VkBufferImageCopy2){
      .bufferOffset = from->bufferOffset,
      .bufferRowLength = from->bufferRowLength,
      .bufferImageHeight = from->bufferImageHeight,
      .imageSubresource = from->imageSubresource,
      .imageOffset = from->imageOffset,
      .imageExtent = from->imageExtent,
   };
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyBufferToImage(VkCommandBuffer commandBuffer, VkBuffer srcBuffer, VkImage dstImage,
                            VkImageLayout dstImageLayout, uint32_t regionCount, const VkBufferImageCopy *pRegions)
{
   for (uint32_t i = 0; i < regionCount; i++) {
      VkBufferImageCopy2 region = upgrade_buffer_image_copy(&pRegions[i]);
      indium_CmdCopyBufferToImage2(
         commandBuffer, &(VkCopyBufferToImageInfo2){
                           .srcBuffer = srcBuffer, .dstImage = dstImage, .regionCount = 1, .pRegions = &region});
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdCopyImageToBuffer(VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout srcImageLayout,
                            VkBuffer dstBuffer, uint32_t regionCount, const VkBufferImageCopy *pRegions)
{
   for (uint32_t i = 0; i < regionCount; i++) {
      VkBufferImageCopy2 region = upgrade_buffer_image_copy(&pRegions[i]);
      indium_CmdCopyImageToBuffer2(
         commandBuffer, &(VkCopyImageToBufferInfo2){
                           .srcImage = srcImage, .dstBuffer = dstBuffer, .regionCount = 1, .pRegions = &region});
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBlitImage(VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout srcImageLayout, VkImage dstImage,
                    VkImageLayout dstImageLayout, uint32_t regionCount, const VkImageBlit *pRegions, VkFilter filter)
{
   for (uint32_t i = 0; i < regionCount; i++) {
      VkImageBlit2 region = {.srcSubresource = pRegions[i].srcSubresource,
                             .dstSubresource = pRegions[i].dstSubresource};
      memcpy(region.srcOffsets, pRegions[i].srcOffsets, sizeof(region.srcOffsets));
      memcpy(region.dstOffsets, pRegions[i].dstOffsets, sizeof(region.dstOffsets));
      indium_CmdBlitImage2(
         commandBuffer,
         &(VkBlitImageInfo2){
            .srcImage = srcImage, .dstImage = dstImage, .regionCount = 1, .pRegions = &region, .filter = filter});
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdResolveImage(VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout srcImageLayout,
                       VkImage dstImage, VkImageLayout dstImageLayout, uint32_t regionCount,
                       const VkImageResolve *pRegions)
{
   for (uint32_t i = 0; i < regionCount; i++) {
      VkImageResolve2 region = {
         .srcSubresource = pRegions[i].srcSubresource,
         .srcOffset = pRegions[i].srcOffset,
         .dstSubresource = pRegions[i].dstSubresource,
         .dstOffset = pRegions[i].dstOffset,
         .extent = pRegions[i].extent,
      };
      indium_CmdResolveImage2(
         commandBuffer,
         &(VkResolveImageInfo2){.srcImage = srcImage, .dstImage = dstImage, .regionCount = 1, .pRegions = &region});
   }
}

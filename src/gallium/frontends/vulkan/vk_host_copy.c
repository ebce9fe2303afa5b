#include "gallium/frontends/vulkan/vk_host_copy.h"

#include <stdlib.h>

#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/format.h"
#include "util/macros.h"

static void
tell_layouts(VkImageLayout *told, uint32_t *count)
{
   static const VkImageLayout layouts[] = {
      VK_IMAGE_LAYOUT_GENERAL,
      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
      VK_IMAGE_LAYOUT_PREINITIALIZED,
      VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
      VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
      VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL,
      VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL,
      VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL,
      VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL,
   };
   const uint32_t all = ARRAY_SIZE(layouts);
   *count = told ? MIN2(*count, all) : all;
   if (told)
      memcpy(told, layouts, *count * sizeof(*told));
}

void
vk_host_copy_properties(const struct pipe_caps *caps, VkPhysicalDeviceHostImageCopyPropertiesEXT *properties)
{
   tell_layouts(properties->pCopySrcLayouts, &properties->copySrcLayoutCount);
   tell_layouts(properties->pCopyDstLayouts, &properties->copyDstLayoutCount);
   memcpy(properties->optimalTilingLayoutUUID, caps->driver_uuid, VK_UUID_SIZE);
   properties->identicalMemoryTypeRequirements = caps->host_copy_any_memory;
}

void
vk_host_copy_performance(const struct pipe_caps *caps, VkImageUsageFlags usage,
                         VkHostImageCopyDevicePerformanceQueryEXT *query)
{
   const VkImageUsageFlags target = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
   const bool loses = usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT && usage & target && caps->host_copy_slows_targets;
   query->optimalDeviceAccess = query->identicalMemoryLayout = !loses;
}

/* ---- copies ---- */

static struct pipe_host_copy
describe(const VkImageSubresourceLayers *layers, VkOffset3D offset, VkExtent3D extent)
{
   return (struct pipe_host_copy){
      .image = {vk_aspects(layers->aspectMask), layers->mipLevel, layers->baseArrayLayer, layers->layerCount},
      .offset = {offset.x, offset.y, offset.z},
      .extent = {extent.width, extent.height, extent.depth}};
}

/* aspect: of one plane, or whatever the region says. */
static VkResult
copy(struct vk_device *device, const struct vk_image *image, VkImageAspectFlags aspect, struct pipe_host_copy region,
     bool to_image)
{
   struct pipe_resource *plane = image->planes[vk_plane(aspect)];
   if (region.image.layers == VK_REMAINING_ARRAY_LAYERS)
      region.image.layers = image->desc.layers - region.image.base_layer;
   return vk_result(device->screen->image_host_copy(device->screen, plane, &region, to_image));
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CopyMemoryToImage(VkDevice _device, const VkCopyMemoryToImageInfoEXT *pCopyMemoryToImageInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, pCopyMemoryToImageInfo->dstImage);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < pCopyMemoryToImageInfo->regionCount && result == VK_SUCCESS; i++) {
      const VkMemoryToImageCopyEXT *from = &pCopyMemoryToImageInfo->pRegions[i];
      struct pipe_host_copy region = describe(&from->imageSubresource, from->imageOffset, from->imageExtent);
      region.memory = (void *)from->pHostPointer;
      region.row_length_px = from->memoryRowLength;
      region.image_height_px = from->memoryImageHeight;
      region.as_it_lies = pCopyMemoryToImageInfo->flags & VK_HOST_IMAGE_COPY_MEMCPY_EXT;
      result = copy(device, image, from->imageSubresource.aspectMask, region, true);
   }
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CopyImageToMemory(VkDevice _device, const VkCopyImageToMemoryInfoEXT *pCopyImageToMemoryInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, pCopyImageToMemoryInfo->srcImage);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < pCopyImageToMemoryInfo->regionCount && result == VK_SUCCESS; i++) {
      const VkImageToMemoryCopyEXT *to = &pCopyImageToMemoryInfo->pRegions[i];
      struct pipe_host_copy region = describe(&to->imageSubresource, to->imageOffset, to->imageExtent);
      region.memory = to->pHostPointer;
      region.row_length_px = to->memoryRowLength;
      region.image_height_px = to->memoryImageHeight;
      region.as_it_lies = pCopyImageToMemoryInfo->flags & VK_HOST_IMAGE_COPY_MEMCPY_EXT;
      result = copy(device, image, to->imageSubresource.aspectMask, region, false);
   }
   return result;
}

static const struct format_info *
info_of(const struct vk_image *image, VkImageAspectFlags aspect)
{
   return format_info(vk_plane_format(image->desc.format, vk_plane(aspect)));
}

/* Bytes of a region without gaps, of one aspect. */
static size_t
region_B(const struct vk_image *image, const VkImageCopy2 *region)
{
   const struct format_info *info = info_of(image, region->srcSubresource.aspectMask);
   return (size_t)div_round_up(region->extent.width, info->block_width_el) *
          div_round_up(region->extent.height, info->block_height_el) *
          MAX2(region->extent.depth, region->srcSubresource.layerCount) * info->block_size_B;
}

/* By way of memory, an aspect at a time. */
static VkResult
copy_region(struct vk_device *device, const struct vk_image *src, const struct vk_image *dst,
            const VkImageCopy2 *region)
{
   VkResult result = VK_SUCCESS;
   VkImageCopy2 one = *region;
   if (one.srcSubresource.layerCount == VK_REMAINING_ARRAY_LAYERS)
      one.srcSubresource.layerCount = src->desc.layers - one.srcSubresource.baseArrayLayer;
   void *memory = malloc(MAX2(region_B(src, &one), 1u));
   if (!memory)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkImageAspectFlags to = one.dstSubresource.aspectMask;
   for (VkImageAspectFlags left = one.srcSubresource.aspectMask; left && result == VK_SUCCESS; left &= left - 1) {
      one.srcSubresource.aspectMask = left & -left;
      one.dstSubresource.aspectMask = to == region->srcSubresource.aspectMask ? one.srcSubresource.aspectMask : to;
      struct pipe_host_copy from = describe(&one.srcSubresource, one.srcOffset, one.extent);
      struct pipe_host_copy into = describe(&one.dstSubresource, one.dstOffset, one.extent);
      /* Of blocks and what their texels are copied to: elements are what both have. */
      const struct format_info *a = info_of(src, one.srcSubresource.aspectMask);
      const struct format_info *b = info_of(dst, one.dstSubresource.aspectMask);
      into.extent.width = (uint32_t)div_round_up(one.extent.width, a->block_width_el) * b->block_width_el;
      into.extent.height = (uint32_t)div_round_up(one.extent.height, a->block_height_el) * b->block_height_el;
      if (dst->desc.type == PIPE_IMAGE_3D)
         into.extent.depth = MAX2(one.extent.depth, one.srcSubresource.layerCount);
      else
         into.image.layers = MAX2(one.extent.depth, one.srcSubresource.layerCount);
      from.memory = into.memory = memory;
      result = copy(device, src, one.srcSubresource.aspectMask, from, false);
      if (result == VK_SUCCESS)
         result = copy(device, dst, one.dstSubresource.aspectMask, into, true);
   }
   free(memory);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CopyImageToImage(VkDevice _device, const VkCopyImageToImageInfoEXT *pCopyImageToImageInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, src, pCopyImageToImageInfo->srcImage);
   VK_FROM(vk_image, dst, pCopyImageToImageInfo->dstImage);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < pCopyImageToImageInfo->regionCount && result == VK_SUCCESS; i++)
      result = copy_region(device, src, dst, &pCopyImageToImageInfo->pRegions[i]);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_TransitionImageLayout(VkDevice device, uint32_t transitionCount,
                             const VkHostImageLayoutTransitionInfoEXT *pTransitions)
{
   return VK_SUCCESS; /* texels lie alike in all layouts */
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageSubresourceLayout2(VkDevice device, VkImage image, const VkImageSubresource2EXT *pSubresource,
                                  VkSubresourceLayout2EXT *pLayout)
{
   VkSubresourceHostMemcpySizeEXT *size = (VkSubresourceHostMemcpySizeEXT *)vk_find_struct(
      pLayout->pNext, VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE_EXT);
   VkImageCompressionPropertiesEXT *compression = (VkImageCompressionPropertiesEXT *)vk_find_struct(
      pLayout->pNext, VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT);
   VK_FROM(vk_image, of, image);
   if (compression)
      vk_fill_compression(compression, of->desc.plain);
   indium_GetImageSubresourceLayout(device, image, &pSubresource->imageSubresource, &pLayout->subresourceLayout);
   if (size)
      size->size = pLayout->subresourceLayout.size;
}

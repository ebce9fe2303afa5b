/* Images. */
#include "gallium/frontends/vulkan/vk_modifier.h"
#include "gallium/frontends/vulkan/vk_sparse.h"

uint32_t
vk_image_usage(VkImageUsageFlags usage)
{
   return (usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT ? PIPE_USAGE_TRANSFER_SRC : 0) |
          (usage & VK_IMAGE_USAGE_TRANSFER_DST_BIT ? PIPE_USAGE_TRANSFER_DST : 0) |
          (usage & VK_IMAGE_USAGE_SAMPLED_BIT ? PIPE_USAGE_SAMPLED : 0) |
          (usage & VK_IMAGE_USAGE_STORAGE_BIT ? PIPE_USAGE_STORAGE : 0) |
          (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT ? PIPE_USAGE_COLOR : 0) |
          (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT ? PIPE_USAGE_DEPTH_STENCIL : 0) |
          (usage & VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR ? PIPE_USAGE_SHADING_RATE : 0) |
          (usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT ? PIPE_USAGE_INPUT_ATTACHMENT : 0) |
          (usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT ? PIPE_USAGE_HOST_TRANSFER : 0);
}

/* What extensions say of the image's layout. */
static void
set_layout(struct pipe_image_desc *desc, const void *next)
{
   const VkImageCompressionControlEXT *compression =
      vk_find_struct(next, VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT);
   const VkImageAlignmentControlCreateInfoMESA *alignment =
      vk_find_struct(next, VK_STRUCTURE_TYPE_IMAGE_ALIGNMENT_CONTROL_CREATE_INFO_MESA);
   desc->plain = compression && compression->flags & VK_IMAGE_COMPRESSION_DISABLED_EXT;
   desc->max_alignment_B = alignment ? alignment->maximumRequestedAlignment : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateImage(VkDevice _device, const VkImageCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                   VkImage *pImage)
{
   VK_FROM(vk_device, device, _device);
   struct vk_image *image = vk_alloc(&device->alloc, pAllocator, sizeof(*image));
   if (!image)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkImageFormatListCreateInfo *views =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
   const VkExternalMemoryImageCreateInfo *external =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
   image->desc = (struct pipe_image_desc){
      .type = (enum pipe_image_type)pCreateInfo->imageType,
      .format = pCreateInfo->format,
      .width_px = pCreateInfo->extent.width,
      .height_px = pCreateInfo->extent.height,
      .depth_px = pCreateInfo->extent.depth,
      .levels = pCreateInfo->mipLevels,
      .layers = pCreateInfo->arrayLayers,
      .samples = (uint8_t)pCreateInfo->samples,
      .usage = vk_image_usage(pCreateInfo->usage),
      .linear = pCreateInfo->tiling == VK_IMAGE_TILING_LINEAR,
      .block_views = pCreateInfo->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
      .slice_views = pCreateInfo->flags & VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT,
      .sparse = vk_sparse(pCreateInfo->flags),
      .shared = external && external->handleTypes,
      .float_atomics = device->features.shaderImageFloat32Atomics,
      .concurrent = pCreateInfo->sharingMode == VK_SHARING_MODE_CONCURRENT,
      .other_views = pCreateInfo->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
      .num_view_formats = views ? views->viewFormatCount : 0,
      .view_formats = views ? (const uint32_t *)views->pViewFormats : NULL,
   };
   set_layout(&image->desc, pCreateInfo->pNext);
   image->aspects = vk_format_aspects(pCreateInfo->format);
   VkResult result = pCreateInfo->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
                        ? vk_modifier_image_create(device->screen, pCreateInfo, image)
                        : vk_result(device->screen->image_create(device->screen, &image->desc, &image->resource));
   image->desc.view_formats = NULL;
   if (result == VK_SUCCESS && device->screen->resource_requirements(image->resource).size_B > VK_MAX_IMAGE_B) {
      device->screen->resource_destroy(device->screen, image->resource);
      result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   if (result != VK_SUCCESS) {
      vk_free(&device->alloc, pAllocator, image);
      return result;
   }
   *pImage = VK_TO(VkImage, image);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyImage(VkDevice _device, VkImage _image, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   if (!image)
      return;
   device->screen->resource_destroy(device->screen, image->resource);
   vk_free(&device->alloc, pAllocator, image);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageSubresourceLayout(VkDevice _device, VkImage _image, const VkImageSubresource *pSubresource,
                                 VkSubresourceLayout *pLayout)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   struct pipe_subresource_layout layout = device->screen->image_layout(
      image->resource, vk_aspects(pSubresource->aspectMask), pSubresource->mipLevel, pSubresource->arrayLayer);
   *pLayout = (VkSubresourceLayout){
      .offset = layout.offset_B,
      .size = layout.size_B,
      .rowPitch = layout.row_pitch_B,
      .arrayPitch = layout.layer_pitch_B,
      .depthPitch = layout.depth_pitch_B,
   };
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageMemoryRequirements(VkDevice _device, VkImage _image, VkMemoryRequirements *pMemoryRequirements)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   *pMemoryRequirements = vk_memory_requirements(device, image->resource);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageMemoryRequirements2(VkDevice device, const VkImageMemoryRequirementsInfo2 *pInfo,
                                   VkMemoryRequirements2 *pMemoryRequirements)
{
   indium_GetImageMemoryRequirements(device, pInfo->image, &pMemoryRequirements->memoryRequirements);
   vk_fill_dedicated(pMemoryRequirements->pNext);
}

/* Of an image that is made to be asked, as is the next. */
VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceImageSubresourceLayout(VkDevice device, const VkDeviceImageSubresourceInfo *pInfo,
                                       VkSubresourceLayout2 *pLayout)
{
   VkImage image;
   if (indium_CreateImage(device, pInfo->pCreateInfo, NULL, &image) != VK_SUCCESS) {
      pLayout->subresourceLayout = (VkSubresourceLayout){0};
      return;
   }
   indium_GetImageSubresourceLayout2(device, image, pInfo->pSubresource, pLayout);
   indium_DestroyImage(device, image, NULL);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceImageMemoryRequirements(VkDevice device, const VkDeviceImageMemoryRequirements *pInfo,
                                        VkMemoryRequirements2 *pMemoryRequirements)
{
   VkImageMemoryRequirementsInfo2 info = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2};
   if (indium_CreateImage(device, pInfo->pCreateInfo, NULL, &info.image) != VK_SUCCESS) {
      pMemoryRequirements->memoryRequirements = (VkMemoryRequirements){0};
      return;
   }
   indium_GetImageMemoryRequirements2(device, &info, pMemoryRequirements);
   indium_DestroyImage(device, info.image, NULL);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindImageMemory(VkDevice _device, VkImage _image, VkDeviceMemory _memory, VkDeviceSize memoryOffset)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   VK_FROM(vk_memory, memory, _memory);
   device->screen->resource_bind(image->resource, memory->memory, memoryOffset);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindImageMemory2(VkDevice device, uint32_t bindInfoCount, const VkBindImageMemoryInfo *pBindInfos)
{
   for (uint32_t i = 0; i < bindInfoCount; i++)
      vk_fill_bind_status(
         pBindInfos[i].pNext,
         indium_BindImageMemory(device, pBindInfos[i].image, pBindInfos[i].memory, pBindInfos[i].memoryOffset));
   return VK_SUCCESS;
}

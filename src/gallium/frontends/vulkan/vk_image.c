/* Images, image views and samplers. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/log.h"
#include "util/macros.h"

static uint32_t
pipe_usage(VkImageUsageFlags usage)
{
   return (usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT ? PIPE_USAGE_TRANSFER_SRC : 0) |
          (usage & VK_IMAGE_USAGE_TRANSFER_DST_BIT ? PIPE_USAGE_TRANSFER_DST : 0) |
          (usage & VK_IMAGE_USAGE_SAMPLED_BIT ? PIPE_USAGE_SAMPLED : 0) |
          (usage & VK_IMAGE_USAGE_STORAGE_BIT ? PIPE_USAGE_STORAGE : 0) |
          (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT ? PIPE_USAGE_COLOR : 0) |
          (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT ? PIPE_USAGE_DEPTH_STENCIL : 0) |
          (usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT ? PIPE_USAGE_INPUT_ATTACHMENT : 0);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateImage(VkDevice _device, const VkImageCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                   VkImage *pImage)
{
   VK_FROM(vk_device, device, _device);
   struct vk_image *image = vk_alloc(&device->alloc, pAllocator, sizeof(*image));
   if (!image)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   image->desc = (struct pipe_image_desc){
      .type = (enum pipe_image_type)pCreateInfo->imageType,
      .format = pCreateInfo->format,
      .width_px = pCreateInfo->extent.width,
      .height_px = pCreateInfo->extent.height,
      .depth_px = pCreateInfo->extent.depth,
      .levels = pCreateInfo->mipLevels,
      .layers = pCreateInfo->arrayLayers,
      .samples = (uint8_t)pCreateInfo->samples,
      .usage = pipe_usage(pCreateInfo->usage),
      .linear = pCreateInfo->tiling == VK_IMAGE_TILING_LINEAR,
   };
   image->aspects = vk_format_aspects(pCreateInfo->format);
   enum pipe_result result = device->screen->image_create(device->screen, &image->desc, &image->resource);
   if (result == PIPE_OK && device->screen->resource_requirements(image->resource).size_B > VK_MAX_IMAGE_B) {
      device->screen->resource_destroy(device->screen, image->resource);
      result = PIPE_OUT_OF_DEVICE_MEMORY;
   }
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, image);
      return vk_result(result);
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
indium_GetImageSparseMemoryRequirements(VkDevice device, VkImage image, uint32_t *pSparseMemoryRequirementCount,
                                        VkSparseImageMemoryRequirements *pSparseMemoryRequirements)
{
   *pSparseMemoryRequirementCount = 0;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageSparseMemoryRequirements2(VkDevice device, const VkImageSparseMemoryRequirementsInfo2 *pInfo,
                                         uint32_t *pSparseMemoryRequirementCount,
                                         VkSparseImageMemoryRequirements2 *pSparseMemoryRequirements)
{
   *pSparseMemoryRequirementCount = 0;
}

struct pipe_subresource_range
vk_subresource_range(const struct vk_image *image, const VkImageSubresourceRange *range)
{
   return (struct pipe_subresource_range){
      .aspects = vk_aspects(range->aspectMask),
      .base_level = range->baseMipLevel,
      .levels = range->levelCount == VK_REMAINING_MIP_LEVELS ? image->desc.levels - range->baseMipLevel
                                                              : range->levelCount,
      .base_layer = range->baseArrayLayer,
      .layers = range->layerCount == VK_REMAINING_ARRAY_LAYERS ? image->desc.layers - range->baseArrayLayer
                                                                : range->layerCount,
   };
}

/* VK_COMPONENT_SWIZZLE_IDENTITY means the component's own place. */
static uint8_t
swizzle(VkComponentSwizzle component, enum pipe_swizzle own)
{
   switch (component) {
   case VK_COMPONENT_SWIZZLE_ZERO:
      return PIPE_SWIZZLE_0;
   case VK_COMPONENT_SWIZZLE_ONE:
      return PIPE_SWIZZLE_1;
   case VK_COMPONENT_SWIZZLE_R:
      return PIPE_SWIZZLE_R;
   case VK_COMPONENT_SWIZZLE_G:
      return PIPE_SWIZZLE_G;
   case VK_COMPONENT_SWIZZLE_B:
      return PIPE_SWIZZLE_B;
   case VK_COMPONENT_SWIZZLE_A:
      return PIPE_SWIZZLE_A;
   case VK_COMPONENT_SWIZZLE_IDENTITY:
   case VK_COMPONENT_SWIZZLE_MAX_ENUM:
      break;
   }
   return own;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateImageView(VkDevice _device, const VkImageViewCreateInfo *pCreateInfo,
                       const VkAllocationCallbacks *pAllocator, VkImageView *pView)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, pCreateInfo->image);
   const VkImageViewUsageCreateInfo *usage =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
   struct vk_image_view *view = vk_alloc(&device->alloc, pAllocator, sizeof(*view));
   if (!view)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   view->image = image;
   view->format = pCreateInfo->format;
   view->range = vk_subresource_range(image, &pCreateInfo->subresourceRange);
   if (image->desc.type == PIPE_IMAGE_3D && pCreateInfo->viewType != VK_IMAGE_VIEW_TYPE_3D &&
       pCreateInfo->subresourceRange.layerCount == VK_REMAINING_ARRAY_LAYERS) {
      uint32_t slices = MAX2(image->desc.depth_px >> view->range.base_level, 1u); /* seen as layers */
      view->range.layers = slices - view->range.base_layer;
   }
   struct pipe_image_view_desc desc = {
      .image = image->resource,
      .type = (enum pipe_view_type)pCreateInfo->viewType,
      .format = pCreateInfo->format,
      .swizzle = {swizzle(pCreateInfo->components.r, PIPE_SWIZZLE_R),
                  swizzle(pCreateInfo->components.g, PIPE_SWIZZLE_G),
                  swizzle(pCreateInfo->components.b, PIPE_SWIZZLE_B),
                  swizzle(pCreateInfo->components.a, PIPE_SWIZZLE_A)},
      .range = view->range,
      .usage = usage ? pipe_usage(usage->usage) : image->desc.usage,
   };
   enum pipe_result result = device->screen->image_view_create(device->screen, &desc, &view->view);
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, view);
      return vk_result(result);
   }
   *pView = VK_TO(VkImageView, view);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyImageView(VkDevice _device, VkImageView imageView, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image_view, view, imageView);
   if (!view)
      return;
   device->screen->image_view_destroy(device->screen, view->view);
   vk_free(&device->alloc, pAllocator, view);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateSampler(VkDevice _device, const VkSamplerCreateInfo *pCreateInfo,
                     const VkAllocationCallbacks *pAllocator, VkSampler *pSampler)
{
   VK_FROM(vk_device, device, _device);
   struct vk_sampler *sampler = vk_alloc(&device->alloc, pAllocator, sizeof(*sampler));
   if (!sampler)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct pipe_sampler_desc desc = {
      .mag = (enum pipe_filter)pCreateInfo->magFilter,
      .min = (enum pipe_filter)pCreateInfo->minFilter,
      .mip = pCreateInfo->mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR ? PIPE_FILTER_LINEAR : PIPE_FILTER_NEAREST,
      .wrap_u = (enum pipe_wrap)pCreateInfo->addressModeU,
      .wrap_v = (enum pipe_wrap)pCreateInfo->addressModeV,
      .wrap_w = (enum pipe_wrap)pCreateInfo->addressModeW,
      .lod_bias = pCreateInfo->mipLodBias,
      .min_lod = pCreateInfo->minLod,
      .max_lod = pCreateInfo->maxLod,
      .max_anisotropy = pCreateInfo->anisotropyEnable ? pCreateInfo->maxAnisotropy : 1,
      .compare_enable = pCreateInfo->compareEnable,
      .unnormalized = pCreateInfo->unnormalizedCoordinates,
      .compare = (enum pipe_compare)pCreateInfo->compareOp,
      .border = (enum pipe_border_color)pCreateInfo->borderColor,
   };
   enum pipe_result result = device->screen->sampler_create(device->screen, &desc, &sampler->sampler);
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, sampler);
      return vk_result(result);
   }
   *pSampler = VK_TO(VkSampler, sampler);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroySampler(VkDevice _device, VkSampler _sampler, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_sampler, sampler, _sampler);
   if (!sampler)
      return;
   device->screen->sampler_destroy(device->screen, sampler->sampler);
   vk_free(&device->alloc, pAllocator, sampler);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateSamplerYcbcrConversion(VkDevice device, const VkSamplerYcbcrConversionCreateInfo *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator, VkSamplerYcbcrConversion *pConversion)
{
   log_error("vkCreateSamplerYcbcrConversion: the feature samplerYcbcrConversion is not offered");
   return VK_ERROR_FEATURE_NOT_PRESENT;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroySamplerYcbcrConversion(VkDevice device, VkSamplerYcbcrConversion conversion,
                                     const VkAllocationCallbacks *pAllocator)
{
}

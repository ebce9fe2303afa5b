/* Samplers. */
#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/hash.h"

static bool
is_custom(VkBorderColor border)
{
   return border == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || border == VK_BORDER_COLOR_INT_CUSTOM_EXT;
}

/* What a view with this swizzle makes of a component of the border. */
static uint32_t
swizzled(const VkSamplerCreateInfo *info, const VkClearColorValue *color, VkComponentSwizzle swizzle, unsigned own)
{
   switch (swizzle) {
   case VK_COMPONENT_SWIZZLE_ZERO:
      return 0;
   case VK_COMPONENT_SWIZZLE_ONE:
      return info->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT ? 1 : 0x3f800000 /* 1.0f */;
   case VK_COMPONENT_SWIZZLE_R:
   case VK_COMPONENT_SWIZZLE_G:
   case VK_COMPONENT_SWIZZLE_B:
   case VK_COMPONENT_SWIZZLE_A:
      return color->uint32[swizzle - VK_COMPONENT_SWIZZLE_R];
   case VK_COMPONENT_SWIZZLE_IDENTITY:
   case VK_COMPONENT_SWIZZLE_MAX_ENUM:
      break;
   }
   return color->uint32[own];
}

static union pipe_clear_color
custom_border(const struct pipe_caps *caps, const VkSamplerCreateInfo *info)
{
   const VkSamplerCustomBorderColorCreateInfoEXT *custom =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
   const VkSamplerBorderColorComponentMappingCreateInfoEXT *mapping =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT);
   const VkComponentMapping map =
      mapping && !caps->border_swizzle_from_view ? mapping->components : (VkComponentMapping){0};
   const VkComponentSwizzle from[4] = {map.r, map.g, map.b, map.a};
   union pipe_clear_color color = {0};
   for (unsigned i = 0; custom && i < 4; i++)
      color.u[i] = swizzled(info, &custom->customBorderColor, from[i], i);
   return color;
}

/* Of descriptors that are to be the same when the application runs again, as pipe_sampler_desc.custom_place. */
static uint32_t
wanted_place(const VkSamplerCreateInfo *info)
{
   const uint32_t *place = vk_captured_data(info->pNext);
   if (place)
      return *place;
   return info->flags & VK_SAMPLER_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT ? PIPE_PLACE_REPLAYED : 0;
}

/* Its values lie one after the other. What its chain has changes only descriptors, except for a conversion. */
static uint64_t
hash_sampler(const VkSamplerCreateInfo *info)
{
   const size_t from = offsetof(VkSamplerCreateInfo, flags),
                to = offsetof(VkSamplerCreateInfo, unnormalizedCoordinates);
   const VkSamplerYcbcrConversionInfo *of =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
   const uint64_t hashes[2] = {
      hash_bytes((const char *)info + from, to + sizeof(info->unnormalizedCoordinates) - from),
      of ? ((const struct vk_ycbcr_conversion *)of->conversion)->hash : 0,
   };
   return hash_bytes(hashes, sizeof(hashes)) | 1;
}

static void
destroy(struct vk_device *device, const struct vk_sampler *sampler)
{
   if (sampler->sampler)
      device->screen->sampler_destroy(device->screen, sampler->sampler);
   if (sampler->chroma)
      device->screen->sampler_destroy(device->screen, sampler->chroma);
}

/* A sampler, and one more where planes of chroma are filtered in another way. */
static enum pipe_result
create(struct vk_device *device, struct pipe_sampler_desc *desc, const void *chain, struct vk_sampler *sampler)
{
   const VkSamplerYcbcrConversionInfo *info = vk_find_struct(chain, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
   enum pipe_result result = device->screen->sampler_create(device->screen, desc, &sampler->sampler);
   if (!info || result != PIPE_OK)
      return result;
   VK_FROM(vk_ycbcr_conversion, conversion, info->conversion);
   const enum pipe_filter chroma = (enum pipe_filter)conversion->chroma_filter;
   sampler->conversion = conversion->conversion;
   if (conversion->conversion.planes == 1 || (desc->mag == chroma && desc->min == chroma))
      return PIPE_OK;
   desc->mag = desc->min = chroma;
   return device->screen->sampler_create(device->screen, desc, &sampler->chroma);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateSampler(VkDevice _device, const VkSamplerCreateInfo *pCreateInfo,
                     const VkAllocationCallbacks *pAllocator, VkSampler *pSampler)
{
   VK_FROM(vk_device, device, _device);
   const VkSamplerReductionModeCreateInfo *reduction =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
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
      .border =
         is_custom(pCreateInfo->borderColor) ? PIPE_BORDER_CUSTOM : (enum pipe_border_color)pCreateInfo->borderColor,
      .custom_border = custom_border(&device->screen->caps, pCreateInfo),
      .reduction = reduction ? (enum pipe_reduction)reduction->reductionMode : PIPE_REDUCE_AVERAGE,
      .face_edges = pCreateInfo->flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT,
   };
   desc.custom_place = wanted_place(pCreateInfo);
   /* The border of samplers that never read it may be anything. */
   if (desc.wrap_u != PIPE_WRAP_CLAMP_TO_BORDER && desc.wrap_v != PIPE_WRAP_CLAMP_TO_BORDER &&
       desc.wrap_w != PIPE_WRAP_CLAMP_TO_BORDER)
      desc.border = PIPE_BORDER_FLOAT_TRANSPARENT_BLACK;
   const enum pipe_result result = create(device, &desc, pCreateInfo->pNext, sampler);
   if (result != PIPE_OK) {
      destroy(device, sampler);
      vk_free(&device->alloc, pAllocator, sampler);
      return vk_result(result);
   }
   sampler->hash = hash_sampler(pCreateInfo);
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
   destroy(device, sampler);
   vk_free(&device->alloc, pAllocator, sampler);
}

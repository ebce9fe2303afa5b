/* Samplers. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/log.h"

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

/* VK_KHR_fragment_shading_rate: the rates of draws, and those that are offered. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

struct pipe_shading_rate
vk_shading_rate(const VkExtent2D *size, const VkFragmentShadingRateCombinerOpKHR ops[2])
{
   return (struct pipe_shading_rate){
      .width_log2 = (uint8_t)log2_floor(MIN2(MAX2(size->width, 1u), VK_MAX_RATE_PX)),
      .height_log2 = (uint8_t)log2_floor(MIN2(MAX2(size->height, 1u), VK_MAX_RATE_PX)),
      .with_primitive = (enum pipe_rate_op)ops[0],
      .with_attachment = (enum pipe_rate_op)ops[1],
   };
}

/* Vulkan's order: the widest first, of those the highest. Single pixels go with every number of samples. */
VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceFragmentShadingRatesKHR(VkPhysicalDevice physicalDevice, uint32_t *pFragmentShadingRateCount,
                                                VkPhysicalDeviceFragmentShadingRateKHR *pFragmentShadingRates)
{
   static const VkExtent2D sizes[] = {{2, 2}, {2, 1}, {1, 2}, {1, 1}};
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   uint32_t count = caps->shading_rate ? ARRAY_SIZE(sizes) : 0;
   if (!pFragmentShadingRates) {
      *pFragmentShadingRateCount = count;
      return VK_SUCCESS;
   }
   uint32_t room = *pFragmentShadingRateCount;
   *pFragmentShadingRateCount = MIN2(room, count);
   for (uint32_t i = 0; i < *pFragmentShadingRateCount; i++) {
      bool single = sizes[i].width * sizes[i].height == 1;
      pFragmentShadingRates[i].sampleCounts = single ? ~(VkSampleCountFlags)0 : caps->shading_rate_sample_counts;
      pFragmentShadingRates[i].fragmentSize = sizes[i];
   }
   return room < count ? VK_INCOMPLETE : VK_SUCCESS;
}

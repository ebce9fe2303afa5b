/* The GPU's clock and the processor's, read at nearly the same time. */
#include <time.h>

#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

static const VkTimeDomainKHR domains[] = {VK_TIME_DOMAIN_DEVICE_KHR, VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR,
                                          VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR};

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceCalibrateableTimeDomainsKHR(VkPhysicalDevice physicalDevice, uint32_t *pTimeDomainCount,
                                                    VkTimeDomainKHR *pTimeDomains)
{
   VkResult result = VK_SUCCESS;
   VK_ENUMERATE(pTimeDomains, pTimeDomainCount, ARRAY_SIZE(domains), domains, result);
   return result;
}

static uint64_t
clock_ns(clockid_t clock)
{
   struct timespec now;
   clock_gettime(clock, &now);
   return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t
read_domain(struct pipe_screen *screen, VkTimeDomainKHR domain)
{
   if (domain == VK_TIME_DOMAIN_DEVICE_KHR)
      return screen->timestamp(screen);
   /* Those of swapchains are CLOCK_MONOTONIC, too (wsi_timing.c). */
   return clock_ns(domain == VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR ? CLOCK_MONOTONIC_RAW : CLOCK_MONOTONIC);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetCalibratedTimestampsKHR(VkDevice _device, uint32_t timestampCount,
                                  const VkCalibratedTimestampInfoKHR *pTimestampInfos, uint64_t *pTimestamps,
                                  uint64_t *pMaxDeviation)
{
   VK_FROM(vk_device, device, _device);
   const uint64_t start_ns = clock_ns(CLOCK_MONOTONIC_RAW);
   for (uint32_t i = 0; i < timestampCount; i++)
      pTimestamps[i] = read_domain(device->screen, pTimestampInfos[i].timeDomain);
   /* All were read in this time, each at some time within one of its ticks. */
   *pMaxDeviation = clock_ns(CLOCK_MONOTONIC_RAW) - start_ns + 1 + (uint64_t)device->screen->caps.timestamp_period_ns;
   return VK_SUCCESS;
}

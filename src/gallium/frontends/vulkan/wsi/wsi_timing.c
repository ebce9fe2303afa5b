/* VK_EXT_present_timing: when presents reached their stages, and when they are to be shown. Both time domains of a
 * swapchain are CLOCK_MONOTONIC: that of stages (each stage could have its own), and the clock itself. */
#include <stdlib.h>

#include "gallium/frontends/vulkan/wsi/wsi.h"
#include "util/macros.h"

static const VkTimeDomainKHR domains[] = {VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR};

/* What copies reach: the window system does not say when it shows them. */
#define COPIES (VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT | VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT)

/* Bit n of present stages. */
#define WSI_STAGES 4

struct wsi_timing {
   uint64_t number, present_id, target_ns;
   uint32_t domain; /* index */
   VkPresentStageFlagsEXT wanted, known;
   uint64_t times_ns[WSI_STAGES];
};

void
wsi_timing_capabilities(const VkIcdSurfaceBase *surface, VkPresentTimingSurfaceCapabilitiesEXT *out)
{
   out->presentTimingSupported = VK_TRUE;
   out->presentAtAbsoluteTimeSupported = VK_TRUE;
   out->presentAtRelativeTimeSupported = VK_TRUE;
   out->presentStageQueries =
      COPIES |
      (surface->platform == VK_ICD_WSI_PLATFORM_HEADLESS ? 0 : VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_OUT_BIT_EXT);
}

/* ---- under the lock: what happens to presents ---- */

static struct wsi_timing *
find(struct wsi_swapchain *swapchain, uint64_t number)
{
   for (uint32_t i = 0; i < swapchain->num_timings && number; i++) {
      if (swapchain->timings[i].number == number)
         return &swapchain->timings[i];
   }
   return NULL;
}

bool
wsi_timing_has_room(const struct wsi_swapchain *swapchain, const VkPresentTimingInfoEXT *info)
{
   return !info || !info->presentStageQueries || swapchain->num_timings < swapchain->max_timings;
}

void
wsi_timing_begin(struct wsi_swapchain *swapchain, struct wsi_image *image, const VkPresentTimingInfoEXT *info)
{
   image->timing = 0;
   image->target = (struct wsi_target){0};
   if (!info)
      return;
   image->target = (struct wsi_target){
      .ns = (int64_t)MIN2(info->targetTime, (uint64_t)INT64_MAX),
      .relative = info->flags & VK_PRESENT_TIMING_INFO_PRESENT_AT_RELATIVE_TIME_BIT_EXT,
      .nearest = info->flags & VK_PRESENT_TIMING_INFO_PRESENT_AT_NEAREST_REFRESH_CYCLE_BIT_EXT,
   };
   if (!info->presentStageQueries || !wsi_timing_has_room(swapchain, info))
      return;
   image->timing = ++swapchain->timing_numbers;
   swapchain->timings[swapchain->num_timings++] =
      (struct wsi_timing){.number = image->timing,
                          .present_id = image->present_id,
                          .target_ns = info->targetTime,
                          .domain = (uint32_t)MIN2(info->timeDomainId, ARRAY_SIZE(domains) - 1),
                          .wanted = info->presentStageQueries};
}

static void
note(struct wsi_timing *timing, VkPresentStageFlagsEXT stages, int64_t time_ns)
{
   stages &= timing->wanted & ~timing->known;
   for (uint32_t i = 0; i < WSI_STAGES; i++) {
      if (stages >> i & 1)
         timing->times_ns[i] = (uint64_t)time_ns;
   }
   timing->known |= stages;
}

void
wsi_timing_note(struct wsi_swapchain *swapchain, const struct wsi_image *image, VkPresentStageFlagsEXT stage,
                int64_t time_ns)
{
   struct wsi_timing *timing = find(swapchain, image->timing);
   if (timing)
      note(timing, stage, time_ns);
}

void
wsi_timing_end(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   wsi_timing_note(swapchain, image, ~0u, 0);
   image->timing = 0;
}

int64_t
wsi_timing_due(const struct wsi_swapchain *swapchain, const struct wsi_image *image)
{
   const struct wsi_target *target = &image->target;
   if (!target->ns)
      return 0;
   const int64_t from_ns = target->relative ? swapchain->shown_ns : 0;
   const int64_t at_ns = target->ns > INT64_MAX - from_ns ? INT64_MAX : from_ns + target->ns;
   return target->nearest ? MAX2(at_ns - swapchain->refresh_ns / 2, 0) : at_ns;
}

/* ---- what applications ask ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_SetSwapchainPresentTimingQueueSizeEXT(VkDevice _device, VkSwapchainKHR _swapchain, uint32_t size)
{
   VK_FROM(wsi_swapchain, swapchain, _swapchain);
   VkResult result = VK_NOT_READY;
   pthread_mutex_lock(&swapchain->lock);
   if (size >= swapchain->num_timings) {
      struct wsi_timing *timings = realloc(swapchain->timings, MAX2(size, 1u) * sizeof(*timings));
      result = timings ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
      swapchain->timings = timings ? timings : swapchain->timings;
      swapchain->max_timings = timings ? size : swapchain->max_timings;
   }
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}

/* The number of the rate that is told: it changes when the display says something else. Under the lock. */
static uint64_t
rate_number(struct wsi_swapchain *swapchain)
{
   if (swapchain->told_refresh_ns != swapchain->refresh_ns || !swapchain->rate_number)
      swapchain->rate_number++;
   swapchain->told_refresh_ns = swapchain->refresh_ns;
   return swapchain->rate_number;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetSwapchainTimingPropertiesEXT(VkDevice device, VkSwapchainKHR _swapchain,
                                       VkSwapchainTimingPropertiesEXT *pSwapchainTimingProperties,
                                       uint64_t *pSwapchainTimingPropertiesCounter)
{
   VK_FROM(wsi_swapchain, swapchain, _swapchain);
   pthread_mutex_lock(&swapchain->lock);
   const uint64_t number = rate_number(swapchain);
   pSwapchainTimingProperties->refreshDuration = (uint64_t)swapchain->refresh_ns;
   pSwapchainTimingProperties->refreshInterval = (uint64_t)swapchain->refresh_ns;
   pthread_mutex_unlock(&swapchain->lock);
   if (pSwapchainTimingPropertiesCounter)
      *pSwapchainTimingPropertiesCounter = number;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetSwapchainTimeDomainPropertiesEXT(VkDevice device, VkSwapchainKHR swapchain,
                                           VkSwapchainTimeDomainPropertiesEXT *pSwapchainTimeDomainProperties,
                                           uint64_t *pTimeDomainsCounter)
{
   VkSwapchainTimeDomainPropertiesEXT *out = pSwapchainTimeDomainProperties;
   const bool asks = !out->pTimeDomains && !out->pTimeDomainIds;
   const uint32_t total = ARRAY_SIZE(domains), count = asks ? total : MIN2(out->timeDomainCount, total);
   for (uint32_t i = 0; i < count && !asks; i++) {
      if (out->pTimeDomains)
         out->pTimeDomains[i] = domains[i];
      if (out->pTimeDomainIds)
         out->pTimeDomainIds[i] = i;
   }
   out->timeDomainCount = count;
   if (pTimeDomainsCounter)
      *pTimeDomainsCounter = 1;
   return count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

static void
report(const struct wsi_timing *timing, VkPastPresentationTimingEXT *out)
{
   out->presentId = timing->present_id;
   out->targetTime = timing->target_ns;
   out->timeDomain = domains[timing->domain];
   out->timeDomainId = timing->domain;
   out->reportComplete = timing->known == timing->wanted;
   out->presentStageCount = 0;
   for (uint32_t i = 0; i < WSI_STAGES; i++) {
      if (timing->known >> i & 1)
         out->pPresentStages[out->presentStageCount++] = (VkPresentStageTimeEXT){1u << i, timing->times_ns[i]};
   }
}

/* Those that are complete go. Under the lock. */
static VkResult
report_all(struct wsi_swapchain *swapchain, VkPastPresentationTimingFlagsEXT flags, uint32_t *count,
           VkPastPresentationTimingEXT *out)
{
   const bool partial = flags & VK_PAST_PRESENTATION_TIMING_ALLOW_PARTIAL_RESULTS_BIT_EXT,
              any_order = flags & VK_PAST_PRESENTATION_TIMING_ALLOW_OUT_OF_ORDER_RESULTS_BIT_EXT;
   uint32_t reported = 0, kept = 0;
   bool in_order = true, incomplete = false;
   for (uint32_t i = 0; i < swapchain->num_timings; i++) {
      const struct wsi_timing timing = swapchain->timings[i];
      const bool complete = timing.known == timing.wanted;
      const bool ready = (complete || (partial && timing.known)) && (in_order || any_order);
      const bool fits = ready && (!out || reported < *count);
      if (fits && out)
         report(&timing, &out[reported]);
      reported += fits;
      incomplete |= ready && !fits;
      in_order &= complete;
      if (!fits || !out || !complete)
         swapchain->timings[kept++] = timing;
   }
   swapchain->num_timings = kept;
   *count = reported;
   return incomplete ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPastPresentationTimingEXT(VkDevice device, const VkPastPresentationTimingInfoEXT *pInfo,
                                    VkPastPresentationTimingPropertiesEXT *pProperties)
{
   VK_FROM(wsi_swapchain, swapchain, pInfo->swapchain);
   pthread_mutex_lock(&swapchain->lock);
   wsi_hear(swapchain);
   const VkResult result =
      report_all(swapchain, pInfo->flags, &pProperties->presentationTimingCount, pProperties->pPresentationTimings);
   const VkResult status = swapchain->status;
   pProperties->timingPropertiesCounter = rate_number(swapchain);
   pProperties->timeDomainsCounter = 1;
   pthread_mutex_unlock(&swapchain->lock);
   return status < 0 ? status : result;
}

/* VK_EXT_present_timing on a surface without a window: the queue of results, their order and stages, and presents
 * that come no earlier than they ask for. */
#include <string.h>
#include <time.h>

#include "swap.h"

#define STAGES (VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT | VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT)
#define MILLISECOND UINT64_C(1000000)

static struct swap swap;

static uint64_t
now_ns(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool
surface_has_timing(void)
{
   const VkPhysicalDeviceSurfaceInfo2KHR info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR,
                                                 .surface = swap.surface};
   VkPresentTimingSurfaceCapabilitiesEXT timing = {.sType =
                                                      VK_STRUCTURE_TYPE_PRESENT_TIMING_SURFACE_CAPABILITIES_EXT};
   VkSurfaceCapabilities2KHR caps = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, .pNext = &timing};
   vkx_check(SWAP_PROC(&swap, vkGetPhysicalDeviceSurfaceCapabilities2KHR)(swap.physical, &info, &caps),
             "capabilities");
   return timing.presentTimingSupported && timing.presentAtAbsoluteTimeSupported &&
          timing.presentAtRelativeTimeSupported && (timing.presentStageQueries & STAGES) == STAGES;
}

/* The id of the processor's clock. Stages have a domain of their own, always. */
static uint64_t
clock_domain(void)
{
   VkTimeDomainKHR domains[8];
   uint64_t ids[8], clock = UINT64_MAX, counter = 0;
   uint32_t local = 0;
   VkSwapchainTimeDomainPropertiesEXT all = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_TIME_DOMAIN_PROPERTIES_EXT};
   const PFN_vkGetSwapchainTimeDomainPropertiesEXT get = SWAP_PROC(&swap, vkGetSwapchainTimeDomainPropertiesEXT);
   vkt_expect(get(swap.device, swap.swapchain, &all, NULL) == VK_SUCCESS && all.timeDomainCount <= 8, "%u domains",
              all.timeDomainCount);
   all.pTimeDomains = domains;
   all.pTimeDomainIds = ids;
   vkt_expect(get(swap.device, swap.swapchain, &all, &counter) == VK_SUCCESS, "time domains");
   for (uint32_t i = 0; i < all.timeDomainCount; i++) {
      local += domains[i] == VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT;
      clock = domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR ? ids[i] : clock;
   }
   vkt_expect(local == 1 && clock != UINT64_MAX, "domains of stages: %u", local);
   all.timeDomainCount = 1;
   vkt_expect(get(swap.device, swap.swapchain, &all, NULL) == VK_INCOMPLETE && all.timeDomainCount == 1,
              "room for one domain");
   return clock;
}

static VkResult
set_room(uint32_t results)
{
   return SWAP_PROC(&swap, vkSetSwapchainPresentTimingQueueSizeEXT)(swap.device, swap.swapchain, results);
}

static VkResult
frame(uint64_t id, const VkPresentTimingInfoEXT *timing)
{
   const VkPresentTimingsInfoEXT timings = {
      .sType = VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT, .swapchainCount = 1, .pTimingInfos = timing};
   swap.present_chain = &timings;
   const VkResult result = swap_frame(&swap, 0x102030, id);
   swap.present_chain = NULL;
   return result;
}

struct results {
   uint32_t count;
   VkPastPresentationTimingEXT of[4];
   VkPresentStageTimeEXT stages[4][4];
};

static VkResult
get_results(struct results *results, uint32_t room)
{
   const VkPastPresentationTimingInfoEXT info = {.sType = VK_STRUCTURE_TYPE_PAST_PRESENTATION_TIMING_INFO_EXT,
                                                 .swapchain = swap.swapchain};
   VkPastPresentationTimingPropertiesEXT out = {.sType = VK_STRUCTURE_TYPE_PAST_PRESENTATION_TIMING_PROPERTIES_EXT,
                                                .presentationTimingCount = room,
                                                .pPresentationTimings = results ? results->of : NULL};
   for (uint32_t i = 0; i < 4 && results; i++)
      results->of[i] = (VkPastPresentationTimingEXT){.sType = VK_STRUCTURE_TYPE_PAST_PRESENTATION_TIMING_EXT,
                                                     .presentStageCount = 4,
                                                     .pPresentStages = results->stages[i]};
   const VkResult result = SWAP_PROC(&swap, vkGetPastPresentationTimingEXT)(swap.device, &info, &out);
   if (results)
      results->count = out.presentationTimingCount;
   return results || result != VK_SUCCESS ? result : (VkResult)out.presentationTimingCount;
}

/* Until so many are there. */
static void
wait_results(uint32_t count)
{
   while (get_results(NULL, 0) >= 0 && (uint32_t)get_results(NULL, 0) < count)
      nanosleep(&(struct timespec){0, 100000}, NULL);
}

static uint64_t
time_of(const VkPastPresentationTimingEXT *timing, VkPresentStageFlagsEXT stage)
{
   for (uint32_t i = 0; i < timing->presentStageCount; i++) {
      if (timing->pPresentStages[i].stage == stage)
         return timing->pPresentStages[i].time;
   }
   return 0;
}

static void
check_result(const VkPastPresentationTimingEXT *timing, uint64_t id, uint64_t domain, uint64_t start_ns)
{
   const uint64_t end_ns = time_of(timing, VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT),
                  dequeued_ns = time_of(timing, VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT);
   vkt_expect(timing->presentId == id && timing->reportComplete && timing->presentStageCount == 2,
              "present %u: id %u, %u stages", (unsigned)id, (unsigned)timing->presentId, timing->presentStageCount);
   vkt_expect(timing->timeDomainId == domain && timing->timeDomain == VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR,
              "present %u: domain %u", (unsigned)id, (unsigned)timing->timeDomainId);
   vkt_expect(start_ns <= end_ns && end_ns <= dequeued_ns && dequeued_ns <= now_ns(), "present %u: %llu, %llu",
              (unsigned)id, (unsigned long long)end_ns, (unsigned long long)dequeued_ns);
}

/* Results come in order and stay until they are fetched; there is no room for a third one. */
static void
check_queue(uint64_t domain)
{
   const VkPresentTimingInfoEXT ask = {
      .sType = VK_STRUCTURE_TYPE_PRESENT_TIMING_INFO_EXT, .timeDomainId = domain, .presentStageQueries = STAGES};
   const VkPresentTimingInfoEXT none = {.sType = VK_STRUCTURE_TYPE_PRESENT_TIMING_INFO_EXT, .timeDomainId = domain};
   const uint64_t start_ns = now_ns();
   struct results results;
   vkt_expect(set_room(2) == VK_SUCCESS, "a queue for two results");
   vkt_expect(frame(1, &ask) == VK_SUCCESS && frame(2, &none) == VK_SUCCESS && frame(3, &ask) == VK_SUCCESS,
              "three presents, of which two ask");
   wait_results(2);
   vkt_expect(set_room(1) == VK_NOT_READY, "a queue that is too small");
   vkt_expect(get_results(&results, 1) == VK_INCOMPLETE && results.count == 1, "one of two results");
   check_result(&results.of[0], 1, domain, start_ns);
   vkt_expect(get_results(&results, 4) == VK_SUCCESS && results.count == 1, "the other: %u", results.count);
   check_result(&results.of[0], 3, domain, start_ns);
   vkt_expect(get_results(&results, 4) == VK_SUCCESS && results.count == 0, "then none: %u", results.count);
   vkt_expect(set_room(1) == VK_SUCCESS, "a smaller queue");
}

/* No image is shown too early, by the clock and by the present before. */
static void
check_targets(uint64_t domain)
{
   const uint64_t target_ns = now_ns() + 40 * MILLISECOND;
   VkPresentTimingInfoEXT ask = {.sType = VK_STRUCTURE_TYPE_PRESENT_TIMING_INFO_EXT,
                                 .targetTime = target_ns,
                                 .timeDomainId = domain,
                                 .presentStageQueries = STAGES};
   struct results results;
   vkt_expect(set_room(2) == VK_SUCCESS, "a queue for two results");
   vkt_expect(frame(4, &ask) == VK_SUCCESS, "a present at a time");
   ask.flags = VK_PRESENT_TIMING_INFO_PRESENT_AT_RELATIVE_TIME_BIT_EXT;
   ask.targetTime = 30 * MILLISECOND;
   vkt_expect(frame(5, &ask) == VK_SUCCESS, "a present after a time");
   wait_results(2);
   vkt_expect(get_results(&results, 4) == VK_SUCCESS && results.count == 2, "%u results", results.count);
   const uint64_t first_ns = time_of(&results.of[0], VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT),
                  second_ns = time_of(&results.of[1], VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT);
   vkt_expect(results.of[0].targetTime == target_ns && first_ns >= target_ns, "shown %lld ns early",
              (long long)(target_ns - first_ns));
   /* From the time that the one before was due, which is earlier than when it was taken. */
   vkt_expect(second_ns >= target_ns + ask.targetTime, "shown %lld ns early",
              (long long)(target_ns + ask.targetTime - second_ns));
}

/* A present without room fails and may be made again; last: its image is lost to the test. */
static void
check_full(uint64_t domain)
{
   const VkPresentTimingInfoEXT ask = {
      .sType = VK_STRUCTURE_TYPE_PRESENT_TIMING_INFO_EXT, .timeDomainId = domain, .presentStageQueries = STAGES};
   uint32_t index;
   vkt_expect(set_room(0) == VK_SUCCESS, "no queue");
   vkt_expect(vkAcquireNextImageKHR(swap.device, swap.swapchain, UINT64_MAX, swap.acquired, VK_NULL_HANDLE, &index) ==
                 VK_SUCCESS,
              "an image");
   const VkPresentTimingsInfoEXT timings = {
      .sType = VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT, .swapchainCount = 1, .pTimingInfos = &ask};
   swap.present_chain = &timings;
   vkt_expect(swap_draw(&swap, index, 0, 6, true) == VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT, "no room");
   swap.present_chain = NULL;
   const VkPresentInfoKHR again = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &swap.rendered[index],
                                   .swapchainCount = 1,
                                   .pSwapchains = &swap.swapchain,
                                   .pImageIndices = &index};
   vkt_expect(vkQueuePresentKHR(swap.queue, &again) == VK_SUCCESS, "the same present without a result");
}

static void
check_rate(void)
{
   VkSwapchainTimingPropertiesEXT rate = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_TIMING_PROPERTIES_EXT};
   uint64_t first = 0, second = 0;
   const PFN_vkGetSwapchainTimingPropertiesEXT get = SWAP_PROC(&swap, vkGetSwapchainTimingPropertiesEXT);
   vkt_expect(get(swap.device, swap.swapchain, &rate, &first) == VK_SUCCESS &&
                 get(swap.device, swap.swapchain, &rate, &second) == VK_SUCCESS && first == second,
              "the rate stays as it is");
   vkt_expect(rate.refreshInterval <= rate.refreshDuration, "an interval of %u", (unsigned)rate.refreshInterval);
}

int
main(void)
{
   swap_init(&swap, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);
   const VkHeadlessSurfaceCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
   vkx_check(SWAP_PROC(&swap, vkCreateHeadlessSurfaceEXT)(swap.instance, &info, NULL, &swap.surface), "surface");
   swap_init_device(&swap, VK_QUEUE_GRAPHICS_BIT);
   if (!swap.has_timing || !swap.has_ids2 || !surface_has_timing()) {
      vkt_skip("VK_EXT_present_timing on such a surface");
      swap_finish(&swap);
      return vkt_finish(NULL);
   }
   swap.create_flags = VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT | VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR;
   swap.by_ids2 = true;
   vkt_expect(swap_create(&swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   const uint64_t domain = clock_domain();
   check_rate();
   check_queue(domain);
   check_targets(domain);
   check_full(domain);
   swap_finish(&swap);
   return vkt_finish(NULL);
}

/* Swapchains without a window (VK_EXT_headless_surface): their images, orders of presents, modes, ids, fences. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "swap.h"

#define SECOND UINT64_C(1000000000)

static void
check_capabilities(const struct swap *swap)
{
   VkSurfaceCapabilitiesKHR caps;
   VkPresentModeKHR modes[16];
   uint32_t count = 16, fifo = 0;
   vkt_expect(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(swap->physical, swap->surface, &caps) == VK_SUCCESS,
              "capabilities");
   vkt_expect(caps.minImageCount >= 1 && caps.maxImageArrayLayers >= 1, "counts");
   vkt_expect(caps.currentExtent.width == UINT32_MAX && caps.minImageExtent.width >= 1, "the extent is free");
   vkt_expect(caps.supportedUsageFlags & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, "colour attachments");
   vkt_expect(vkGetPhysicalDeviceSurfacePresentModesKHR(swap->physical, swap->surface, &count, modes) == VK_SUCCESS,
              "modes");
   for (uint32_t i = 0; i < count; i++)
      fifo += modes[i] == VK_PRESENT_MODE_FIFO_KHR;
   vkt_expect(fifo == 1, "FIFO is always there, once");
}

static void
check_mode(struct swap *swap, VkPresentModeKHR mode)
{
   if (!swap_has_mode(swap, mode))
      return vkt_skip("a present mode");
   vkt_expect(swap_create(swap, mode, 3) == VK_SUCCESS && swap->num_images >= 3, "a swapchain of mode %d", mode);
   for (uint32_t i = 0; i < 10; i++)
      vkt_expect(swap_frame(swap, 0x102030 * i, 0) == VK_SUCCESS, "frame %u of mode %d", i, mode);
}

/* All images can be acquired once they are free, each once; then none is. */
static void
check_acquire(struct swap *swap)
{
   uint32_t seen = 0, index;
   const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   vkCreateFence(swap->device, &info, NULL, &fence);
   vkt_expect(swap_create(swap, VK_PRESENT_MODE_FIFO_KHR, 3) == VK_SUCCESS, "a swapchain");
   for (uint32_t i = 0; i < swap->num_images; i++) {
      const VkResult result =
         vkAcquireNextImageKHR(swap->device, swap->swapchain, SECOND, VK_NULL_HANDLE, fence, &index);
      vkt_expect(result == VK_SUCCESS, "image %u", i);
      vkt_expect(vkWaitForFences(swap->device, 1, &fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS, "its fence");
      vkResetFences(swap->device, 1, &fence);
      seen |= 1u << index;
   }
   vkt_expect(seen == (1u << swap->num_images) - 1, "images %x of %u", seen, swap->num_images);
   VkResult result = vkAcquireNextImageKHR(swap->device, swap->swapchain, 0, VK_NULL_HANDLE, fence, &index);
   vkt_expect(result == VK_NOT_READY, "none is left: %d", result);
   result = vkAcquireNextImageKHR(swap->device, swap->swapchain, 1000, VK_NULL_HANDLE, fence, &index);
   vkt_expect(result == VK_TIMEOUT || result == VK_NOT_READY, "none comes: %d", result); /* lavapipe: the latter */
   vkDestroyFence(swap->device, fence, NULL);
}

static void
check_ids(struct swap *swap)
{
   if (!swap->has_waits)
      return vkt_skip("VK_KHR_present_wait");
   PFN_vkWaitForPresentKHR wait = SWAP_PROC(swap, vkWaitForPresentKHR);
   vkt_expect(swap_create(swap, VK_PRESENT_MODE_FIFO_KHR, 2) == VK_SUCCESS, "a swapchain");
   for (uint64_t id = 5; id < 50; id += 5)
      vkt_expect(swap_frame(swap, 0, id) == VK_SUCCESS, "id %u", (unsigned)id);
   vkt_expect(wait(swap->device, swap->swapchain, 45, UINT64_MAX) == VK_SUCCESS, "the last one is shown");
   vkt_expect(wait(swap->device, swap->swapchain, 7, 0) == VK_SUCCESS, "and so is one of before");
   vkt_expect(wait(swap->device, swap->swapchain, 46, 1000) == VK_TIMEOUT, "one that never came");
}

static bool
surface_has_ids2(struct swap *swap)
{
   const VkPhysicalDeviceSurfaceInfo2KHR info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR,
                                                 .surface = swap->surface};
   VkSurfaceCapabilitiesPresentWait2KHR waits = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_WAIT_2_KHR};
   VkSurfaceCapabilitiesPresentId2KHR ids = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_ID_2_KHR,
                                             .pNext = &waits};
   VkSurfaceCapabilities2KHR caps = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, .pNext = &ids};
   PFN_vkGetPhysicalDeviceSurfaceCapabilities2KHR get = SWAP_PROC(swap, vkGetPhysicalDeviceSurfaceCapabilities2KHR);
   return get(swap->physical, &info, &caps) == VK_SUCCESS && ids.presentId2Supported && waits.presentWait2Supported;
}

/* VK_KHR_present_id2, VK_KHR_present_wait2. */
static void
check_ids2(struct swap *swap)
{
   if (!swap->has_ids2 || !swap->has_waits2 || !surface_has_ids2(swap))
      return vkt_skip("VK_KHR_present_wait2");
   PFN_vkWaitForPresent2KHR wait = SWAP_PROC(swap, vkWaitForPresent2KHR);
   VkPresentWait2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_WAIT_2_INFO_KHR, .timeout = UINT64_MAX};
   swap->create_flags = VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR | VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR;
   swap->by_ids2 = true;
   vkt_expect(swap_create(swap, VK_PRESENT_MODE_FIFO_KHR, 2) == VK_SUCCESS, "a swapchain");
   for (info.presentId = 3; info.presentId < 10; info.presentId += 3) {
      vkt_expect(swap_frame(swap, 0, info.presentId) == VK_SUCCESS, "id2 %u", (unsigned)info.presentId);
      vkt_expect(wait(swap->device, swap->swapchain, &info) == VK_SUCCESS, "it is shown");
   }
   info.timeout = 1000; /* the id is 12 now, which never came */
   vkt_expect(wait(swap->device, swap->swapchain, &info) == VK_TIMEOUT, "id2 %u", (unsigned)info.presentId);
   swap->create_flags = 0;
   swap->by_ids2 = false;
}

/* The old one of two can be destroyed first. */
static void
check_retired(struct swap *swap)
{
   vkt_expect(swap_create(swap, VK_PRESENT_MODE_FIFO_KHR, 2) == VK_SUCCESS, "a swapchain");
   struct swap next = *swap;
   const VkSwapchainKHR old = swap->swapchain;
   const VkSwapchainCreateInfoKHR again = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
      .surface = swap->surface,
      .minImageCount = 2,
      .imageFormat = swap->format,
      .imageExtent = {100, 20},
      .imageArrayLayers = 1,
      .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
      .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = VK_PRESENT_MODE_FIFO_KHR,
      .oldSwapchain = old,
   };
   vkt_expect(vkCreateSwapchainKHR(swap->device, &again, NULL, &next.swapchain) == VK_SUCCESS, "the next one");
   vkDestroySwapchainKHR(swap->device, old, NULL);
   swap->swapchain = next.swapchain;
}

static void
check_many(struct swap *swap, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      swap->extent = (VkExtent2D){1 + i % 50, 1 + i % 7};
      VkResult result = swap_create(swap, VK_PRESENT_MODE_FIFO_KHR, 2);
      if (result == VK_SUCCESS && i % 4 == 0)
         result = swap_frame(swap, i, 0);
      vkt_expect(result == VK_SUCCESS, "swapchain %u", i);
      if (i % 3 == 0)
         swap_destroy(swap);
   }
   swap->extent = (VkExtent2D){64, 48};
}

/* Whether a thread's signals are blocked: those of the application are not for the driver's threads. */
static bool
blocks_signals(const char *thread)
{
   char path[300], line[256];
   snprintf(path, sizeof(path), "/proc/self/task/%s/status", thread);
   FILE *file = fopen(path, "r");
   bool blocked = false;
   while (file && fgets(line, sizeof(line), file)) {
      if (!strncmp(line, "SigBlk:", 7))
         blocked = strtoull(line + 7, NULL, 16) >> 9 & 1; /* SIGUSR1 */
   }
   return !file || (!fclose(file) && blocked);
}

static void
check_threads(struct swap *swap)
{
   vkt_expect(swap_create(swap, VK_PRESENT_MODE_FIFO_KHR, 2) == VK_SUCCESS, "a swapchain");
   unsigned others = 0, open = 0;
   VkPhysicalDeviceProperties properties;
   vkGetPhysicalDeviceProperties(swap->physical, &properties);
   if (!strstr(properties.deviceName, "(Indium)"))
      return vkt_skip("threads of another driver"); /* lavapipe 26 has one that takes signals */
   DIR *folder = opendir("/proc/self/task");
   for (const struct dirent *entry; (entry = readdir(folder));) {
      if (entry->d_name[0] == '.' || atoi(entry->d_name) == getpid())
         continue;
      others++;
      open += !blocks_signals(entry->d_name);
   }
   closedir(folder);
   vkt_expect(others && !open, "%u of %u threads of the driver take signals", open, others);
}

int
main(void)
{
   struct swap swap;
   swap_init(&swap, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);
   const VkHeadlessSurfaceCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
   vkx_check(SWAP_PROC(&swap, vkCreateHeadlessSurfaceEXT)(swap.instance, &info, NULL, &swap.surface), "surface");
   swap_init_device(&swap, VK_QUEUE_GRAPHICS_BIT);
   check_capabilities(&swap);
   for (VkPresentModeKHR mode = 0; mode <= VK_PRESENT_MODE_FIFO_RELAXED_KHR; mode++)
      check_mode(&swap, mode);
   check_acquire(&swap);
   check_ids(&swap);
   check_ids2(&swap);
   check_retired(&swap);
   check_threads(&swap);
   check_many(&swap, 1000);
   swap_finish(&swap);
   return vkt_finish(NULL);
}

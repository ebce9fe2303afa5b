/* What extensions do with images of swapchains, without a window: views of other formats, images of the application's
 * own, fences and modes of presents, images that are given back, shared ones, device groups. */
#include <stdio.h>
#include <string.h>

#include "swap.h"

#define IMMEDIATE VK_PRESENT_MODE_IMMEDIATE_KHR
#define FIFO VK_PRESENT_MODE_FIFO_KHR
#define SHARED VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR

static VkFence
create_fence(const struct swap *swap)
{
   const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   vkx_check(vkCreateFence(swap->device, &info, NULL, &fence), "vkCreateFence");
   return fence;
}

static void
check_mutable(struct swap *swap)
{
   const VkFormat formats[] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB};
   const VkImageFormatListCreateInfo list = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, .viewFormatCount = 2, .pViewFormats = formats};
   if (!swap->has_mutable)
      return vkt_skip("VK_KHR_swapchain_mutable_format");
   swap->create_flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR;
   swap->create_chain = &list;
   vkt_expect(swap_create(swap, FIFO, 2) == VK_SUCCESS, "a mutable swapchain");
   swap->create_flags = 0;
   swap->create_chain = NULL;
   for (uint32_t i = 0; i < 2; i++) {
      const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                          .image = swap->images[i],
                                          .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                          .format = formats[i],
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
      VkImageView view = VK_NULL_HANDLE;
      vkt_expect(vkCreateImageView(swap->device, &info, NULL, &view) == VK_SUCCESS, "a view of format %d",
                 formats[i]);
      vkDestroyImageView(swap->device, view, NULL);
   }
   vkt_expect(swap_frame(swap, 1, 0) == VK_SUCCESS, "a frame of a mutable swapchain");
}

/* It is drawn to in place of the swapchain's, which is what is presented: both have the same memory. */
static void
check_own_image(struct swap *swap)
{
   vkt_expect(swap_create(swap, FIFO, 2) == VK_SUCCESS, "a swapchain");
   const VkImageSwapchainCreateInfoKHR of = {.sType = VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR,
                                             .swapchain = swap->swapchain};
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .pNext = &of,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = swap->format,
      .extent = {swap->extent.width, swap->extent.height, 1},
      .mipLevels = 1,
      .arrayLayers = 1,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage =
         VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
   };
   for (uint32_t i = 0; i < swap->num_images; i++) {
      const VkBindImageMemorySwapchainInfoKHR place = {.sType =
                                                          VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR,
                                                       .swapchain = swap->swapchain,
                                                       .imageIndex = i};
      VkBindImageMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, .pNext = &place};
      vkt_expect(vkCreateImage(swap->device, &info, NULL, &bind.image) == VK_SUCCESS, "an image of the swapchain's");
      vkt_expect(vkBindImageMemory2(swap->device, 1, &bind) == VK_SUCCESS, "its memory");
      swap->images[i] = bind.image;
   }
   for (uint32_t i = 0; i < 4; i++)
      vkt_expect(swap_frame(swap, 0x336699 * i, 0) == VK_SUCCESS, "frame %u of own images", i);
   vkDeviceWaitIdle(swap->device);
   for (uint32_t i = 0; i < swap->num_images; i++)
      vkDestroyImage(swap->device, swap->images[i], NULL);
}

/* A fence for each present, and another mode with each. */
static void
check_fences_and_modes(struct swap *swap)
{
   const VkPresentModeKHR modes[] = {FIFO, IMMEDIATE};
   const VkSwapchainPresentModesCreateInfoEXT all = {.sType =
                                                        VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODES_CREATE_INFO_EXT,
                                                     .presentModeCount = 2,
                                                     .pPresentModes = modes};
   VkFence fence = create_fence(swap);
   swap->create_chain = &all;
   vkt_expect(swap_create(swap, FIFO, 3) == VK_SUCCESS, "a swapchain of two modes");
   swap->create_chain = NULL;
   for (uint32_t i = 0; i < 6; i++) {
      const VkSwapchainPresentModeInfoEXT mode = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_EXT,
                                                  .swapchainCount = 1,
                                                  .pPresentModes = &modes[i % 2]};
      const VkSwapchainPresentFenceInfoEXT fences = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT,
                                                     .pNext = &mode,
                                                     .swapchainCount = 1,
                                                     .pFences = &fence};
      swap->present_chain = &fences;
      vkt_expect(swap_frame(swap, i, 0) == VK_SUCCESS, "frame %u with a fence", i);
      vkt_expect(vkWaitForFences(swap->device, 1, &fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS, "its fence");
      vkResetFences(swap->device, 1, &fence);
   }
   swap->present_chain = NULL;
   vkDestroyFence(swap->device, fence, NULL);
}

/* All images can be acquired again and again when they are given back. */
static void
check_release(struct swap *swap)
{
   VkFence fence = create_fence(swap);
   vkt_expect(swap_create(swap, FIFO, 2) == VK_SUCCESS, "a swapchain");
   for (uint32_t i = 0; i < 10; i++) {
      uint32_t index = 99;
      const VkResult result =
         vkAcquireNextImageKHR(swap->device, swap->swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index);
      vkt_expect(result == VK_SUCCESS && index < swap->num_images, "image %u: %d", i, result);
      vkWaitForFences(swap->device, 1, &fence, VK_TRUE, UINT64_MAX);
      vkResetFences(swap->device, 1, &fence);
      const VkReleaseSwapchainImagesInfoEXT info = {.sType = VK_STRUCTURE_TYPE_RELEASE_SWAPCHAIN_IMAGES_INFO_EXT,
                                                    .swapchain = swap->swapchain,
                                                    .imageIndexCount = 1,
                                                    .pImageIndices = &index};
      vkt_expect(SWAP_PROC(swap, vkReleaseSwapchainImagesEXT)(swap->device, &info) == VK_SUCCESS, "given back");
   }
   vkDestroyFence(swap->device, fence, NULL);
}

/* One image, acquired once. */
static void
check_shared(struct swap *swap)
{
   uint32_t index = 99;
   VkFence fence = create_fence(swap);
   vkt_expect(swap_create(swap, SHARED, 1) == VK_SUCCESS && swap->num_images == 1, "a shared image");
   vkt_expect(vkAcquireNextImageKHR(swap->device, swap->swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index) ==
                    VK_SUCCESS &&
                 index == 0,
              "acquired");
   vkWaitForFences(swap->device, 1, &fence, VK_TRUE, UINT64_MAX);
   for (uint32_t i = 0; i < 5; i++)
      vkt_expect(swap_draw(swap, index, i, 0, false) == VK_SUCCESS, "present %u of a shared image", i);
   vkt_expect(SWAP_PROC(swap, vkGetSwapchainStatusKHR)(swap->device, swap->swapchain) == VK_SUCCESS, "status");
   vkDestroyFence(swap->device, fence, NULL);
}

static void
check_groups(struct swap *swap)
{
   VkDeviceGroupPresentCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_PRESENT_CAPABILITIES_KHR};
   VkDeviceGroupPresentModeFlagsKHR modes = 0;
   VkRect2D rects[4];
   uint32_t count = 4, index;
   vkt_expect(vkGetDeviceGroupPresentCapabilitiesKHR(swap->device, &caps) == VK_SUCCESS && caps.presentMask[0] & 1,
              "a group of one device presents");
   vkt_expect(vkGetDeviceGroupSurfacePresentModesKHR(swap->device, swap->surface, &modes) == VK_SUCCESS &&
                 modes & VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR,
              "its own images");
   vkt_expect(vkGetPhysicalDevicePresentRectanglesKHR(swap->physical, swap->surface, &count, rects) == VK_SUCCESS &&
                 count == 1,
              "one rectangle");
   vkt_expect(swap_create(swap, FIFO, 2) == VK_SUCCESS, "a swapchain");
   const VkAcquireNextImageInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                           .swapchain = swap->swapchain,
                                           .timeout = UINT64_MAX,
                                           .semaphore = swap->acquired,
                                           .deviceMask = 1};
   vkt_expect(vkAcquireNextImage2KHR(swap->device, &info, &index) == VK_SUCCESS, "acquired for the group");
   vkt_expect(swap_draw(swap, index, 7, 0, true) == VK_SUCCESS, "and presented");
}

int
main(void)
{
   struct swap swap;
   swap_init(&swap, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);
   const VkHeadlessSurfaceCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
   vkx_check(SWAP_PROC(&swap, vkCreateHeadlessSurfaceEXT)(swap.instance, &info, NULL, &swap.surface), "surface");
   swap_init_device(&swap, VK_QUEUE_GRAPHICS_BIT);
   swap.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   check_mutable(&swap);
   check_own_image(&swap);
   check_groups(&swap);
   if (swap.has_maintenance) {
      check_fences_and_modes(&swap);
      check_release(&swap);
   } else {
      vkt_skip("VK_EXT_swapchain_maintenance1");
   }
   if (swap.has_shared)
      check_shared(&swap);
   else
      vkt_skip("VK_KHR_shared_presentable_image");
   swap_finish(&swap);
   return vkt_finish(NULL);
}

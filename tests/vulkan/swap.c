/* What the tests of windows share. */
#include "swap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EXTENSIONS 512

static void
must(bool ok, const char *what)
{
   if (!ok) {
      printf("swap: %s\n", what);
      exit(1);
   }
}

PFN_vkVoidFunction
swap_proc(const struct swap *swap, const char *name)
{
   PFN_vkVoidFunction function = vkGetInstanceProcAddr(swap->instance, name);
   must(function, name);
   return function;
}

void
swap_init(struct swap *swap, const char *extension)
{
   const char *extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,
                               VK_EXT_SURFACE_MAINTENANCE_1_EXTENSION_NAME, extension};
   const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
   const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pApplicationInfo = &app,
                                      .enabledExtensionCount = 4,
                                      .ppEnabledExtensionNames = extensions};
   *swap = (struct swap){.extent = {64, 48}, .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   must(vkCreateInstance(&info, NULL, &swap->instance) == VK_SUCCESS, "vkCreateInstance");
   uint32_t count = 1;
   must(vkEnumeratePhysicalDevices(swap->instance, &count, &swap->physical) >= 0 && count, "no device");
}

static bool
has(const VkExtensionProperties *all, uint32_t count, const char *name)
{
   for (uint32_t i = 0; i < count; i++) {
      if (!strcmp(all[i].extensionName, name))
         return true;
   }
   return false;
}

static uint32_t
find_family(const struct swap *swap, VkQueueFlags flags)
{
   VkQueueFamilyProperties families[16];
   uint32_t count = 16, found = UINT32_MAX;
   vkGetPhysicalDeviceQueueFamilyProperties(swap->physical, &count, families);
   for (uint32_t i = 0; i < count; i++) {
      VkBool32 presents = VK_FALSE;
      vkGetPhysicalDeviceSurfaceSupportKHR(swap->physical, i, swap->surface, &presents);
      if (presents && (families[i].queueFlags & flags) == flags)
         found = i;
   }
   must(found != UINT32_MAX, "no queue presents");
   return found;
}

/* One of the extensions that a device gets if it has them, and its feature. */
struct wanted {
   const char *name;
   VkStructureType s_type; /* 0: no feature */
   bool *found;
};

struct feature {
   VkStructureType s_type;
   void *next;
   VkBool32 on, more[2]; /* of a struct of three */
};

#define MAX_WANTED 12

/* Writes names and a chain of features; returns how many names there are. */
static uint32_t
choose_extensions(struct swap *swap, const char **names, struct feature *features)
{
   static VkExtensionProperties all[MAX_EXTENSIONS];
   const struct wanted wanted[] = {
      {VK_KHR_SWAPCHAIN_EXTENSION_NAME, 0, NULL},
      {VK_KHR_PRESENT_ID_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR, &swap->has_ids},
      {VK_KHR_PRESENT_WAIT_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR,
       &swap->has_waits},
      {VK_KHR_PRESENT_ID_2_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_2_FEATURES_KHR,
       &swap->has_ids2},
      {VK_KHR_PRESENT_WAIT_2_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_2_FEATURES_KHR,
       &swap->has_waits2},
      {VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT, &swap->has_maintenance},
      {VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME, 0, NULL},
      {VK_EXT_PRESENT_TIMING_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_TIMING_FEATURES_EXT,
       &swap->has_timing},
      {VK_KHR_SHARED_PRESENTABLE_IMAGE_EXTENSION_NAME, 0, &swap->has_shared},
      {VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME, 0, NULL},
      {VK_KHR_SWAPCHAIN_MUTABLE_FORMAT_EXTENSION_NAME, 0, &swap->has_mutable},
   };
   uint32_t count = MAX_EXTENSIONS, num_names = 0;
   vkEnumerateDeviceExtensionProperties(swap->physical, NULL, &count, all);
   for (uint32_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
      if (!has(all, count, wanted[i].name))
         continue;
      if (wanted[i].found)
         *wanted[i].found = true;
      if (wanted[i].s_type)
         features[i + 1] = (struct feature){wanted[i].s_type, features[0].next, VK_TRUE, {VK_TRUE, VK_TRUE}};
      if (wanted[i].s_type)
         features[0].next = &features[i + 1];
      names[num_names++] = wanted[i].name;
   }
   return num_names;
}

static void
create_device(struct swap *swap)
{
   struct feature features[MAX_WANTED + 1] = {0};
   const char *names[MAX_WANTED];
   const float priority = 1;
   const uint32_t num_names = choose_extensions(swap, names, features);
   const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = swap->family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .pNext = features[0].next,
                                    .queueCreateInfoCount = 1,
                                    .pQueueCreateInfos = &queue,
                                    .enabledExtensionCount = num_names,
                                    .ppEnabledExtensionNames = names};
   must(vkCreateDevice(swap->physical, &info, NULL, &swap->device) == VK_SUCCESS, "vkCreateDevice");
   vkGetDeviceQueue(swap->device, swap->family, 0, &swap->queue);
}

static void
create_commands(struct swap *swap)
{
   const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                         .queueFamilyIndex = swap->family};
   const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                    .flags = VK_FENCE_CREATE_SIGNALED_BIT};
   const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   must(vkCreateCommandPool(swap->device, &pool, NULL, &swap->pool) == VK_SUCCESS, "vkCreateCommandPool");
   const VkCommandBufferAllocateInfo buffers = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = swap->pool,
                                                .commandBufferCount = SWAP_MAX_IMAGES};
   must(vkAllocateCommandBuffers(swap->device, &buffers, swap->cmds) == VK_SUCCESS, "vkAllocateCommandBuffers");
   vkCreateSemaphore(swap->device, &semaphore, NULL, &swap->acquired);
   for (uint32_t i = 0; i < SWAP_MAX_IMAGES; i++) {
      vkCreateFence(swap->device, &fence, NULL, &swap->fences[i]);
      vkCreateSemaphore(swap->device, &semaphore, NULL, &swap->rendered[i]);
   }
}

void
swap_init_device(struct swap *swap, VkQueueFlags flags)
{
   swap->family = find_family(swap, flags);
   create_device(swap);
   create_commands(swap);
   swap->format = VK_FORMAT_B8G8R8A8_UNORM;
   must(swap_has_format(swap, swap->format), "no B8G8R8A8_UNORM");
}

uint32_t
swap_modifiers(const struct swap *swap, uint64_t *modifiers, uint32_t max)
{
   VkDrmFormatModifierPropertiesEXT found[64];
   VkDrmFormatModifierPropertiesListEXT list = {.sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT,
                                                .drmFormatModifierCount = 64,
                                                .pDrmFormatModifierProperties = found};
   VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &list};
   uint32_t count = 0;
   vkGetPhysicalDeviceFormatProperties2(swap->physical, swap->format, &properties);
   for (uint32_t i = 0; i < list.drmFormatModifierCount && count < max; i++) {
      if (found[i].drmFormatModifierPlaneCount == 1)
         modifiers[count++] = found[i].drmFormatModifier;
   }
   return count;
}

bool
swap_has_format(const struct swap *swap, VkFormat format)
{
   VkSurfaceFormatKHR formats[64];
   uint32_t count = 64;
   vkGetPhysicalDeviceSurfaceFormatsKHR(swap->physical, swap->surface, &count, formats);
   for (uint32_t i = 0; i < count; i++) {
      if (formats[i].format == format && formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR)
         return true;
   }
   return false;
}

bool
swap_has_mode(const struct swap *swap, VkPresentModeKHR mode)
{
   VkPresentModeKHR modes[16];
   uint32_t count = 16;
   vkGetPhysicalDeviceSurfacePresentModesKHR(swap->physical, swap->surface, &count, modes);
   for (uint32_t i = 0; i < count; i++) {
      if (modes[i] == mode)
         return true;
   }
   return false;
}

VkResult
swap_create(struct swap *swap, VkPresentModeKHR mode, uint32_t images)
{
   const VkSwapchainKHR old = swap->swapchain;
   const VkSwapchainCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
      .pNext = swap->create_chain,
      .flags = swap->create_flags,
      .surface = swap->surface,
      .minImageCount = images,
      .imageFormat = swap->format,
      .imageExtent = swap->extent,
      .imageArrayLayers = 1,
      .imageUsage = swap->usage,
      .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
      .presentMode = mode,
      .oldSwapchain = old,
   };
   VkResult result = vkCreateSwapchainKHR(swap->device, &info, NULL, &swap->swapchain);
   if (old) {
      vkDeviceWaitIdle(swap->device);
      vkDestroySwapchainKHR(swap->device, old, NULL);
   }
   swap->mode = mode;
   swap->drawn = false;
   if (result != VK_SUCCESS)
      swap->swapchain = VK_NULL_HANDLE;
   swap->num_images = SWAP_MAX_IMAGES;
   return result == VK_SUCCESS
             ? vkGetSwapchainImagesKHR(swap->device, swap->swapchain, &swap->num_images, swap->images)
             : result;
}

static void
barrier(VkCommandBuffer cmd, VkImage image, VkImageLayout from, VkImageLayout to)
{
   const VkImageMemoryBarrier info = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                      .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                      .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                      .oldLayout = from,
                                      .newLayout = to,
                                      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .image = image,
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
   const bool same = from == to;
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, same, &memory, 0,
                        NULL, !same, &info);
}

/* The whole image in one colour. */
static void
record(const struct swap *swap, uint32_t index, uint32_t color)
{
   const VkCommandBuffer cmd = swap->cmds[index];
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   const VkClearColorValue value = {
      .float32 = {(float)(color >> 16 & 255) / 255, (float)(color >> 8 & 255) / 255, (float)(color & 255) / 255, 1}};
   const bool shared = swap->mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR;
   const VkImageLayout shown = shared ? VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR : VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
   const VkImageLayout cleared = shared ? shown : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
   vkBeginCommandBuffer(cmd, &begin);
   if (shared && swap->drawn)
      barrier(cmd, swap->images[index], shown, shown); /* it stays as it was first presented */
   else
      barrier(cmd, swap->images[index], VK_IMAGE_LAYOUT_UNDEFINED, cleared);
   vkCmdClearColorImage(cmd, swap->images[index], cleared, &value, 1, &range);
   barrier(cmd, swap->images[index], cleared, shown);
   vkEndCommandBuffer(cmd);
}

static VkResult
draw(const struct swap *swap, uint32_t index, uint32_t color, bool wait)
{
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
   vkWaitForFences(swap->device, 1, &swap->fences[index], VK_TRUE, UINT64_MAX);
   vkResetFences(swap->device, 1, &swap->fences[index]);
   record(swap, index, color);
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .waitSemaphoreCount = wait,
                                .pWaitSemaphores = &swap->acquired,
                                .pWaitDstStageMask = &stage,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &swap->cmds[index],
                                .signalSemaphoreCount = 1,
                                .pSignalSemaphores = &swap->rendered[index]};
   return vkQueueSubmit(swap->queue, 1, &submit, swap->fences[index]);
}

VkResult
swap_frame(struct swap *swap, uint32_t color, uint64_t id)
{
   uint32_t index;
   const VkResult acquired =
      vkAcquireNextImageKHR(swap->device, swap->swapchain, UINT64_MAX, swap->acquired, VK_NULL_HANDLE, &index);
   if (acquired < 0)
      return acquired;
   const VkResult result = swap_draw(swap, index, color, id, true);
   return result == VK_SUCCESS ? acquired : result;
}

static const void *
present_chain(const struct swap *swap, const VkPresentIdKHR *ids, const VkPresentId2KHR *ids2)
{
   if (!*ids->pPresentIds)
      return swap->present_chain;
   return swap->by_ids2 ? (const void *)ids2 : swap->has_ids ? ids : swap->present_chain;
}

/* The semaphore of acquiring is one for all: wait until the queue has waited for it. */
VkResult
swap_draw(struct swap *swap, uint32_t index, uint32_t color, uint64_t id, bool wait)
{
   const VkResult drawn = draw(swap, index, color, wait);
   if (drawn != VK_SUCCESS)
      return drawn;
   vkWaitForFences(swap->device, 1, &swap->fences[index], VK_TRUE, UINT64_MAX);
   swap->drawn = true;
   const VkPresentIdKHR ids = {.sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR,
                               .pNext = swap->present_chain,
                               .swapchainCount = 1,
                               .pPresentIds = &id};
   const VkPresentId2KHR ids2 = {.sType = VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR,
                                 .pNext = swap->present_chain,
                                 .swapchainCount = 1,
                                 .pPresentIds = &id};
   const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                     .pNext = present_chain(swap, &ids, &ids2),
                                     .waitSemaphoreCount = 1,
                                     .pWaitSemaphores = &swap->rendered[index],
                                     .swapchainCount = 1,
                                     .pSwapchains = &swap->swapchain,
                                     .pImageIndices = &index};
   return vkQueuePresentKHR(swap->queue, &present);
}

void
swap_destroy(struct swap *swap)
{
   vkDeviceWaitIdle(swap->device);
   vkDestroySwapchainKHR(swap->device, swap->swapchain, NULL);
   swap->swapchain = VK_NULL_HANDLE;
}

void
swap_finish(struct swap *swap)
{
   swap_destroy(swap);
   vkDestroySemaphore(swap->device, swap->acquired, NULL);
   for (uint32_t i = 0; i < SWAP_MAX_IMAGES; i++) {
      vkDestroyFence(swap->device, swap->fences[i], NULL);
      vkDestroySemaphore(swap->device, swap->rendered[i], NULL);
   }
   vkDestroyCommandPool(swap->device, swap->pool, NULL);
   vkDestroyDevice(swap->device, NULL);
   vkDestroySurfaceKHR(swap->instance, swap->surface, NULL);
   vkDestroyInstance(swap->instance, NULL);
}

/* Swapchains. */
#include <stdlib.h>
#include <time.h>

#include "gallium/frontends/vulkan/wsi/wsi.h"
#include "util/format.h"
#include "util/log.h"
#include "util/macros.h"

int64_t
wsi_now_ns(void)
{
   return vk_absolute_timeout(0);
}

void
wsi_hear(struct wsi_swapchain *swapchain)
{
   if (swapchain->direct)
      swapchain->platform->hear(swapchain);
}

/* Libraries of window systems wake no thread of ours that waits for something else, too: what the display says is
 * asked for now and then. */
bool
wsi_wait_changed(struct wsi_swapchain *swapchain, int64_t until_ns)
{
   const int64_t pause_ns = 500000, end_ns = swapchain->direct ? MIN2(until_ns, wsi_now_ns() + pause_ns) : until_ns;
   const struct timespec end = {end_ns / 1000000000, end_ns % 1000000000};
   const bool in_time = pthread_cond_timedwait(&swapchain->changed, &swapchain->lock, &end) == 0;
   wsi_hear(swapchain);
   return in_time || end_ns < until_ns;
}

VkResult
wsi_check(struct wsi_swapchain *swapchain)
{
   if (vk_device_lost(swapchain->device))
      return VK_ERROR_DEVICE_LOST;
   pthread_mutex_lock(&swapchain->lock);
   const VkResult status = swapchain->status;
   pthread_mutex_unlock(&swapchain->lock);
   if (status != VK_SUCCESS || !swapchain->platform->check)
      return status;
   return swapchain->platform->check(swapchain);
}

bool
wsi_way(enum wsi_way *way)
{
   static const char *const names[] = {"", "direct", "shm", "put"};
   const char *name = getenv("INDIUM_WSI");
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (!strcmp(name ? name : "", names[i]))
         return *way = (enum wsi_way)i, true;
   }
   log_error("INDIUM_WSI=%s: not direct, shm or put", name);
   return false;
}

/* ---- creation ---- */

static VkImageCreateFlags
image_flags(VkSwapchainCreateFlagsKHR flags)
{
   return flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR
             ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT
             : 0;
}

/* With a copy of the list of formats, if there is one. */
static bool
init_image_info(struct wsi_swapchain *swapchain, const VkSwapchainCreateInfoKHR *info)
{
   const VkImageFormatListCreateInfo *list =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
   swapchain->image_info = (VkImageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = image_flags(info->flags),
      .imageType = VK_IMAGE_TYPE_2D,
      .format = info->imageFormat,
      .extent = {info->imageExtent.width, info->imageExtent.height, 1},
      .mipLevels = 1,
      .arrayLayers = info->imageArrayLayers,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .tiling = VK_IMAGE_TILING_OPTIMAL,
      .usage = info->imageUsage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
      .sharingMode = info->imageSharingMode,
      .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
   };
   if (!list || !list->viewFormatCount)
      return true;
   const size_t size_B = list->viewFormatCount * sizeof(*list->pViewFormats);
   swapchain->formats = vk_alloc(&swapchain->device->alloc, NULL, size_B);
   if (!swapchain->formats)
      return false;
   memcpy(swapchain->formats, list->pViewFormats, size_B);
   swapchain->view_formats = (VkImageFormatListCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                                           .viewFormatCount = list->viewFormatCount,
                                                           .pViewFormats = swapchain->formats};
   swapchain->image_info.pNext = &swapchain->view_formats;
   return true;
}

static void
init_lock(struct wsi_swapchain *swapchain)
{
   pthread_condattr_t clock;
   pthread_condattr_init(&clock);
   pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
   pthread_mutex_init(&swapchain->lock, NULL);
   pthread_cond_init(&swapchain->changed, &clock);
   pthread_condattr_destroy(&clock);
}

/* After it failed, destroy is fine. */
static VkResult
init_swapchain(struct wsi_swapchain *swapchain, const VkSwapchainCreateInfoKHR *info)
{
   const struct wsi_platform *platform = swapchain->platform;
   struct wsi_description description;
   VkResult result = init_image_info(swapchain, info) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
   if (result == VK_SUCCESS)
      result = platform->describe(swapchain->surface, &description); /* it may be lost */
   if (result == VK_SUCCESS && platform->open)
      result = platform->open(swapchain);
   for (uint32_t i = 0; i < swapchain->num_images && result == VK_SUCCESS; i++)
      result = wsi_image_init(swapchain, &swapchain->images[i]);
   return result == VK_SUCCESS ? wsi_presenter_start(swapchain) : result;
}

static void
destroy(struct wsi_swapchain *swapchain, const VkAllocationCallbacks *allocator)
{
   struct vk_device *device = swapchain->device;
   wsi_presenter_stop(swapchain);
   if (swapchain->platform->close)
      swapchain->platform->close(swapchain);
   for (uint32_t i = 0; i < PIPE_MAX_QUEUE_FAMILIES; i++)
      indium_DestroyCommandPool(VK_TO(VkDevice, device), swapchain->pools[i], NULL);
   for (uint32_t i = 0; i < swapchain->num_images; i++)
      wsi_image_finish(swapchain, &swapchain->images[i]);
   pthread_cond_destroy(&swapchain->changed);
   pthread_mutex_destroy(&swapchain->lock);
   vk_free(&device->alloc, NULL, swapchain->formats);
   free(swapchain->timings);
   vk_free(&device->alloc, allocator, swapchain);
}

/* No image can be acquired any more; those that are may still be presented. */
static void
retire(struct wsi_swapchain *old)
{
   if (!old)
      return;
   pthread_mutex_lock(&old->lock);
   old->retired = true;
   pthread_cond_broadcast(&old->changed);
   pthread_mutex_unlock(&old->lock);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateSwapchainKHR(VkDevice _device, const VkSwapchainCreateInfoKHR *pCreateInfo,
                          const VkAllocationCallbacks *pAllocator, VkSwapchainKHR *pSwapchain)
{
   VK_FROM(vk_device, device, _device);
   const uint32_t num_images = wsi_mode_shared(pCreateInfo->presentMode) ? 1 : MAX2(pCreateInfo->minImageCount, 2);
   const VkIcdSurfaceBase *surface = (const VkIcdSurfaceBase *)(uintptr_t)pCreateInfo->surface;
   struct wsi_swapchain *swapchain =
      vk_alloc(&device->alloc, pAllocator, sizeof(*swapchain) + num_images * sizeof(swapchain->images[0]));
   retire((struct wsi_swapchain *)pCreateInfo->oldSwapchain);
   if (!swapchain)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   swapchain->device = device;
   swapchain->surface = surface;
   swapchain->platform = wsi_platform(surface);
   swapchain->num_images = num_images;
   swapchain->mode = pCreateInfo->presentMode;
   swapchain->alpha = pCreateInfo->compositeAlpha;
   swapchain->pixel_B = format_info(pCreateInfo->imageFormat)->block_size_B;
   swapchain->refresh_ns = WSI_REFRESH_NS;
   init_lock(swapchain);
   const VkResult result = init_swapchain(swapchain, pCreateInfo);
   if (result != VK_SUCCESS) {
      destroy(swapchain, pAllocator);
      return result;
   }
   *pSwapchain = VK_TO(VkSwapchainKHR, swapchain);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroySwapchainKHR(VkDevice _device, VkSwapchainKHR _swapchain, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(wsi_swapchain, swapchain, _swapchain);
   if (swapchain)
      destroy(swapchain, pAllocator);
}

/* ---- images ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetSwapchainImagesKHR(VkDevice _device, VkSwapchainKHR _swapchain, uint32_t *pSwapchainImageCount,
                             VkImage *pSwapchainImages)
{
   VK_FROM(wsi_swapchain, swapchain, _swapchain);
   const uint32_t count =
      pSwapchainImages ? MIN2(*pSwapchainImageCount, swapchain->num_images) : swapchain->num_images;
   for (uint32_t i = 0; i < count && pSwapchainImages; i++)
      pSwapchainImages[i] = swapchain->images[i].image;
   *pSwapchainImageCount = count;
   return count < swapchain->num_images ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ReleaseSwapchainImagesKHR(VkDevice _device, const VkReleaseSwapchainImagesInfoKHR *pReleaseInfo)
{
   VK_FROM(wsi_swapchain, swapchain, pReleaseInfo->swapchain);
   pthread_mutex_lock(&swapchain->lock);
   for (uint32_t i = 0; i < pReleaseInfo->imageIndexCount; i++)
      swapchain->images[pReleaseInfo->pImageIndices[i]].state = WSI_FREE;
   pthread_cond_broadcast(&swapchain->changed);
   pthread_mutex_unlock(&swapchain->lock);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetSwapchainStatusKHR(VkDevice _device, VkSwapchainKHR _swapchain)
{
   return wsi_check((struct wsi_swapchain *)_swapchain);
}

/* Nobody here knows what a display makes of light. */
VKAPI_ATTR void VKAPI_CALL
indium_SetHdrMetadataEXT(VkDevice device, uint32_t swapchainCount, const VkSwapchainKHR *pSwapchains,
                         const VkHdrMetadataEXT *pMetadata)
{
}

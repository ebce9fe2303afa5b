/* Acquiring images. One that is free is so for the GPU, too: its semaphore and fence are signaled at once. Only if a
 * display says so before the GPU has read a direct image (implicit synchronisation) the kernel signals them. */
#include <fcntl.h>
#include <unistd.h>

#include "gallium/frontends/vulkan/wsi/wsi.h"

/* reads_fd: a sync file; -1: nothing is waited for. */
static VkResult
signal_sync(struct vk_device *device, struct pipe_sync *sync, int reads_fd)
{
   struct pipe_screen *screen = device->screen;
   const int fd = reads_fd >= 0 ? fcntl(reads_fd, F_DUPFD_CLOEXEC, 0) : -1;
   if (fd < 0)
      return vk_device_check(device, screen->sync_signal(screen, sync, 0));
   const enum pipe_result result = screen->sync_import(screen, sync, true, fd);
   if (result != PIPE_OK)
      close(fd);
   return vk_device_check(device, result);
}

static VkResult
signal_all(struct vk_device *device, const VkAcquireNextImageInfoKHR *info, int reads_fd)
{
   VkResult result = VK_SUCCESS;
   if (info->semaphore)
      result = signal_sync(device, vk_semaphore_payload((struct vk_semaphore *)info->semaphore), reads_fd);
   if (result == VK_SUCCESS && info->fence)
      result = signal_sync(device, vk_fence_payload((struct vk_fence *)info->fence), reads_fd);
   return result;
}

static VkResult
signal_acquired(struct wsi_swapchain *swapchain, const VkAcquireNextImageInfoKHR *info, uint32_t index)
{
   const bool implicit = swapchain->direct && !swapchain->explicit_sync;
   const int reads_fd = implicit ? wsi_direct_readers(&swapchain->images[index]) : -1;
   const VkResult result = signal_all(swapchain->device, info, reads_fd);
   if (reads_fd >= 0)
      close(reads_fd);
   return result;
}

/* In turn, so that all are used. NULL: none is free. */
static struct wsi_image *
find_free(struct wsi_swapchain *swapchain)
{
   for (uint32_t i = 0; i < swapchain->num_images; i++) {
      const uint32_t at = (swapchain->next_image + i) % swapchain->num_images;
      if (swapchain->images[at].state == WSI_FREE)
         return &swapchain->images[at];
   }
   return NULL;
}

/* Under the lock. */
static VkResult
wait_free(struct wsi_swapchain *swapchain, uint64_t timeout_ns, uint32_t *index)
{
   const int64_t until_ns = vk_absolute_timeout(timeout_ns);
   struct wsi_image *image = NULL;
   bool in_time = true;
   wsi_hear(swapchain);
   for (;;) {
      if (swapchain->retired)
         return VK_ERROR_OUT_OF_DATE_KHR;
      if (swapchain->status < 0)
         return swapchain->status;
      image = find_free(swapchain);
      if (image || !in_time)
         break;
      in_time = timeout_ns && wsi_wait_changed(swapchain, until_ns);
   }
   if (!image)
      return timeout_ns ? VK_TIMEOUT : VK_NOT_READY;
   image->state = WSI_ACQUIRED;
   *index = (uint32_t)(image - swapchain->images);
   swapchain->next_image = (*index + 1) % swapchain->num_images;
   return VK_SUCCESS;
}

static void
give_back(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   pthread_mutex_lock(&swapchain->lock);
   image->state = WSI_FREE;
   pthread_cond_broadcast(&swapchain->changed);
   pthread_mutex_unlock(&swapchain->lock);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_AcquireNextImage2KHR(VkDevice _device, const VkAcquireNextImageInfoKHR *pAcquireInfo, uint32_t *pImageIndex)
{
   VK_FROM(wsi_swapchain, swapchain, pAcquireInfo->swapchain);
   const VkResult check = wsi_check(swapchain);
   if (check < 0)
      return check;
   pthread_mutex_lock(&swapchain->lock);
   VkResult result = wait_free(swapchain, pAcquireInfo->timeout, pImageIndex);
   pthread_mutex_unlock(&swapchain->lock);
   if (result != VK_SUCCESS)
      return result;
   result = signal_acquired(swapchain, pAcquireInfo, *pImageIndex);
   if (result != VK_SUCCESS)
      give_back(swapchain, &swapchain->images[*pImageIndex]);
   return result == VK_SUCCESS ? check : result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_AcquireNextImageKHR(VkDevice device, VkSwapchainKHR swapchain, uint64_t timeout, VkSemaphore semaphore,
                           VkFence fence, uint32_t *pImageIndex)
{
   const VkAcquireNextImageInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
      .swapchain = swapchain,
      .timeout = timeout,
      .semaphore = semaphore,
      .fence = fence,
      .deviceMask = 1,
   };
   return indium_AcquireNextImage2KHR(device, &info, pImageIndex);
}

/* vkQueuePresentKHR: the queue waits for the semaphores and copies images that are not direct; threads of the
 * swapchains do the rest. */
#include "gallium/frontends/vulkan/wsi/wsi.h"

/* Structs of the chain; NULL: absent. */
struct chain {
   const VkPresentIdKHR *ids;
   const VkPresentId2KHR *ids2;
   const VkSwapchainPresentFenceInfoEXT *fences;
   const VkSwapchainPresentModeInfoEXT *modes;
   const VkPresentTimingsInfoEXT *timings;
};

static struct chain
read_chain(const void *next)
{
   return (struct chain){
      .ids = vk_find_struct(next, VK_STRUCTURE_TYPE_PRESENT_ID_KHR),
      .ids2 = vk_find_struct(next, VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR),
      .fences = vk_find_struct(next, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT),
      .modes = vk_find_struct(next, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_EXT),
      .timings = vk_find_struct(next, VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT),
   };
}

/* The id of a present; 0: none. */
static uint64_t
present_id(const struct chain *chain, uint32_t index)
{
   if (chain->ids2 && chain->ids2->pPresentIds)
      return chain->ids2->pPresentIds[index];
   return chain->ids && chain->ids->pPresentIds ? chain->ids->pPresentIds[index] : 0;
}

/* NULL: none. */
static const VkPresentTimingInfoEXT *
present_timing(const struct chain *chain, uint32_t index)
{
   return chain->timings && chain->timings->pTimingInfos ? &chain->timings->pTimingInfos[index] : NULL;
}

static bool
has_room(struct wsi_swapchain *swapchain, const VkPresentTimingInfoEXT *timing)
{
   pthread_mutex_lock(&swapchain->lock);
   wsi_hear(swapchain);
   const bool room = wsi_timing_has_room(swapchain, timing);
   pthread_mutex_unlock(&swapchain->lock);
   return room;
}

/* A shared image may be queued still: its pixels are being shown. */
static void
wait_shown(struct wsi_swapchain *swapchain, const struct wsi_image *image)
{
   pthread_mutex_lock(&swapchain->lock);
   while (image->state == WSI_QUEUED)
      pthread_cond_wait(&swapchain->changed, &swapchain->lock);
   pthread_mutex_unlock(&swapchain->lock);
}

/* wait: the semaphores of all images; the queue works in order, so that the first submit waits for all. */
static VkResult
submit(struct vk_queue *queue, struct wsi_swapchain *swapchain, struct wsi_image *image, VkSubmitInfo2 *wait)
{
   const VkDevice device = VK_TO(VkDevice, queue->device);
   VkResult result = swapchain->direct ? VK_SUCCESS : wsi_image_copy(swapchain, image, queue->family);
   const VkCommandBufferSubmitInfo copy = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = image->copies[queue->family]};
   VkSubmitInfo2 info = *wait;
   info.commandBufferInfoCount = !swapchain->direct;
   info.pCommandBufferInfos = &copy;
   if (result == VK_SUCCESS)
      result = indium_ResetFences(device, 1, &image->done);
   if (result == VK_SUCCESS)
      result = indium_QueueSubmit2(VK_TO(VkQueue, queue), 1, &info, image->done);
   if (result == VK_SUCCESS)
      wait->waitSemaphoreInfoCount = 0;
   return result;
}

/* Hands over what has been submitted. */
static void
queue_image(struct wsi_swapchain *swapchain, struct wsi_image *image, const struct chain *chain, uint32_t index)
{
   pthread_mutex_lock(&swapchain->lock);
   if (chain->modes)
      swapchain->mode = chain->modes->pPresentModes[index];
   image->mode = swapchain->mode;
   image->present_id = present_id(chain, index);
   wsi_timing_begin(swapchain, image, present_timing(chain, index));
   wsi_presenter_queue(swapchain, image);
   pthread_mutex_unlock(&swapchain->lock);
}

static VkResult
present(struct vk_queue *queue, const VkPresentInfoKHR *info, uint32_t index, VkSubmitInfo2 *wait)
{
   VK_FROM(wsi_swapchain, swapchain, info->pSwapchains[index]);
   struct wsi_image *image = &swapchain->images[info->pImageIndices[index]];
   const struct chain chain = read_chain(info->pNext);
   if (!has_room(swapchain, present_timing(&chain, index)))
      return VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT;
   wait_shown(swapchain, image);
   VkResult result = submit(queue, swapchain, image, wait);
   if (result != VK_SUCCESS)
      return result;
   queue_image(swapchain, image, &chain, index);
   if (chain.fences && chain.fences->pFences[index])
      result = indium_QueueSubmit2(VK_TO(VkQueue, queue), 0, NULL, chain.fences->pFences[index]);
   return result == VK_SUCCESS ? wsi_check(swapchain) : result;
}

/* The greater is told if swapchains differ (vkQueuePresentKHR). */
static int
severity(VkResult result)
{
   switch ((int)result) {
   case VK_ERROR_DEVICE_LOST:
      return 5;
   case VK_ERROR_SURFACE_LOST_KHR:
      return 4;
   case VK_ERROR_OUT_OF_DATE_KHR:
      return 3;
   default: /* others: errors, then what is not optimal */
      return result < 0 ? 2 : result != VK_SUCCESS;
   }
}

static VkResult
present_all(struct vk_queue *queue, const VkPresentInfoKHR *info, VkSubmitInfo2 *wait)
{
   VkResult all = VK_SUCCESS;
   for (uint32_t i = 0; i < info->swapchainCount; i++) {
      const VkResult result = present(queue, info, i, wait);
      if (info->pResults)
         info->pResults[i] = result;
      all = severity(result) > severity(all) ? result : all;
   }
   return all;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_QueuePresentKHR(VkQueue _queue, const VkPresentInfoKHR *pPresentInfo)
{
   VK_FROM(vk_queue, queue, _queue);
   const uint32_t count = pPresentInfo->waitSemaphoreCount;
   VkSemaphoreSubmitInfo *waits = vk_alloc(&queue->device->alloc, NULL, count * sizeof(*waits));
   if (!waits)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < count; i++)
      waits[i] = (VkSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                         .semaphore = pPresentInfo->pWaitSemaphores[i],
                                         .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
   VkSubmitInfo2 wait = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .waitSemaphoreInfoCount = count, .pWaitSemaphoreInfos = waits};
   const VkResult result = present_all(queue, pPresentInfo, &wait);
   vk_free(&queue->device->alloc, NULL, waits);
   return result;
}

/* ---- waiting for a present ---- */

/* Until a present with this id or a greater one is done. */
static VkResult
wait_for(struct wsi_swapchain *swapchain, uint64_t id, int64_t until_ns)
{
   bool in_time = true;
   pthread_mutex_lock(&swapchain->lock);
   wsi_hear(swapchain);
   while (swapchain->shown_id < id && swapchain->status >= 0 && in_time)
      in_time = wsi_wait_changed(swapchain, until_ns);
   const bool shown = swapchain->shown_id >= id;
   const VkResult status = swapchain->status;
   pthread_mutex_unlock(&swapchain->lock);
   return shown ? VK_SUCCESS : status < 0 ? status : VK_TIMEOUT;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_WaitForPresentKHR(VkDevice _device, VkSwapchainKHR _swapchain, uint64_t presentId, uint64_t timeout)
{
   return wait_for((struct wsi_swapchain *)_swapchain, presentId, vk_absolute_timeout(timeout));
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_WaitForPresent2KHR(VkDevice _device, VkSwapchainKHR _swapchain, const VkPresentWait2InfoKHR *pPresentWait2Info)
{
   return wait_for((struct wsi_swapchain *)_swapchain, pPresentWait2Info->presentId,
                   vk_absolute_timeout(pPresentWait2Info->timeout));
}

/* Submission. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/dynarray.h"

/* One batch, with the lists in the form the driver takes. */
struct submit {
   struct dynarray contexts;                    /* struct pipe_context * */
   struct dynarray waits, signals;              /* struct pipe_sync * */
   struct dynarray wait_points, signal_points;  /* uint64_t */
};

static void
submit_free(struct submit *submit)
{
   dynarray_free(&submit->contexts);
   dynarray_free(&submit->waits);
   dynarray_free(&submit->signals);
   dynarray_free(&submit->wait_points);
   dynarray_free(&submit->signal_points);
}

static void
add_sync(struct dynarray *syncs, struct dynarray *points, struct pipe_sync *sync, uint64_t point)
{
   dynarray_append(syncs, struct pipe_sync *, sync);
   dynarray_append(points, uint64_t, point);
}

static void
add_semaphore(struct dynarray *syncs, struct dynarray *points, VkSemaphore handle, uint64_t value)
{
   VK_FROM(vk_semaphore, semaphore, handle);
   if (semaphore->timeline && !value)
      return; /* a wait for what was reached from the start; point 0 would be a binary one */
   add_sync(syncs, points, semaphore->sync, semaphore->timeline ? value : 0);
}

static VkResult
flush(struct vk_queue *queue, struct submit *submit)
{
   struct vk_device *device = queue->device;
   pthread_mutex_lock(&queue->lock);
   enum pipe_result result = device->lost ? PIPE_DEVICE_LOST : device->screen->queue_submit(
      queue->queue, submit->contexts.data, (uint32_t)dynarray_count(&submit->contexts, struct pipe_context *),
      submit->waits.data, submit->wait_points.data, (uint32_t)dynarray_count(&submit->waits, struct pipe_sync *),
      submit->signals.data, submit->signal_points.data,
      (uint32_t)dynarray_count(&submit->signals, struct pipe_sync *));
   pthread_mutex_unlock(&queue->lock);
   /* A binary wait consumes the signal: the next signal operation starts from an unsignalled object. */
   if (result == PIPE_OK) {
      for (uint32_t i = 0; i < dynarray_count(&submit->waits, struct pipe_sync *); i++) {
         struct pipe_sync **sync = dynarray_at(&submit->waits, struct pipe_sync *, i);
         if (*dynarray_at(&submit->wait_points, uint64_t, i) == 0)
            device->screen->sync_reset(device->screen, sync, 1);
      }
   }
   submit_free(submit);
   return vk_device_check(device, result);
}

static VkResult
signal_fence(struct vk_queue *queue, VkFence handle)
{
   VK_FROM(vk_fence, fence, handle);
   struct submit submit = {0};
   if (!fence)
      return VK_SUCCESS;
   add_sync(&submit.signals, &submit.signal_points, fence->sync, 0);
   return flush(queue, &submit);
}

static VkResult
submit_one(struct vk_queue *queue, const VkSubmitInfo *info, VkFence fence)
{
   struct submit submit = {0};
   const VkTimelineSemaphoreSubmitInfo *timeline =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
   for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
      add_semaphore(&submit.waits, &submit.wait_points, info->pWaitSemaphores[i],
                    timeline && i < timeline->waitSemaphoreValueCount ? timeline->pWaitSemaphoreValues[i] : 0);
   for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
      add_semaphore(&submit.signals, &submit.signal_points, info->pSignalSemaphores[i],
                    timeline && i < timeline->signalSemaphoreValueCount ? timeline->pSignalSemaphoreValues[i] : 0);
   for (uint32_t i = 0; i < info->commandBufferCount; i++) {
      VK_FROM(vk_command_buffer, cmd, info->pCommandBuffers[i]);
      dynarray_append(&submit.contexts, struct pipe_context *, cmd->pipe);
   }
   if (fence)
      add_sync(&submit.signals, &submit.signal_points, ((struct vk_fence *)fence)->sync, 0);
   return flush(queue, &submit);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_QueueSubmit(VkQueue _queue, uint32_t submitCount, const VkSubmitInfo *pSubmits, VkFence fence)
{
   VK_FROM(vk_queue, queue, _queue);
   for (uint32_t i = 0; i < submitCount; i++) {
      VkResult result = submit_one(queue, &pSubmits[i], i + 1 == submitCount ? fence : VK_NULL_HANDLE);
      if (result != VK_SUCCESS)
         return result;
   }
   return submitCount ? VK_SUCCESS : signal_fence(queue, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_QueueSubmit2(VkQueue _queue, uint32_t submitCount, const VkSubmitInfo2 *pSubmits, VkFence fence)
{
   VK_FROM(vk_queue, queue, _queue);
   for (uint32_t i = 0; i < submitCount; i++) {
      const VkSubmitInfo2 *info = &pSubmits[i];
      struct submit submit = {0};
      for (uint32_t j = 0; j < info->waitSemaphoreInfoCount; j++)
         add_semaphore(&submit.waits, &submit.wait_points, info->pWaitSemaphoreInfos[j].semaphore,
                       info->pWaitSemaphoreInfos[j].value);
      for (uint32_t j = 0; j < info->signalSemaphoreInfoCount; j++)
         add_semaphore(&submit.signals, &submit.signal_points, info->pSignalSemaphoreInfos[j].semaphore,
                       info->pSignalSemaphoreInfos[j].value);
      for (uint32_t j = 0; j < info->commandBufferInfoCount; j++) {
         VK_FROM(vk_command_buffer, cmd, info->pCommandBufferInfos[j].commandBuffer);
         dynarray_append(&submit.contexts, struct pipe_context *, cmd->pipe);
      }
      if (fence && i + 1 == submitCount)
         add_sync(&submit.signals, &submit.signal_points, ((struct vk_fence *)fence)->sync, 0);
      VkResult result = flush(queue, &submit);
      if (result != VK_SUCCESS)
         return result;
   }
   return submitCount ? VK_SUCCESS : signal_fence(queue, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_QueueWaitIdle(VkQueue _queue)
{
   VK_FROM(vk_queue, queue, _queue);
   if (queue->device->lost)
      return VK_ERROR_DEVICE_LOST;
   return vk_device_check(queue->device, queue->device->screen->queue_wait_idle(queue->queue));
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_QueueBindSparse(VkQueue queue, uint32_t bindInfoCount, const VkBindSparseInfo *pBindInfo, VkFence fence)
{
   return VK_ERROR_FEATURE_NOT_PRESENT; /* no queue has VK_QUEUE_SPARSE_BINDING_BIT */
}

/* Submission. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/dynarray.h"

/* One batch, with the lists in the form the driver takes. */
struct submit {
   struct dynarray contexts;                    /* struct pipe_context * */
   struct dynarray waits, signals;              /* struct pipe_sync * */
   struct dynarray wait_points, signal_points;  /* uint64_t */
   struct dynarray temporary;                   /* struct pipe_sync *: waits of temporary payloads */
};

static void
submit_free(struct submit *submit)
{
   dynarray_free(&submit->contexts);
   dynarray_free(&submit->waits);
   dynarray_free(&submit->signals);
   dynarray_free(&submit->wait_points);
   dynarray_free(&submit->signal_points);
   dynarray_free(&submit->temporary);
}

static void
add_sync(struct dynarray *syncs, struct dynarray *points, struct pipe_sync *sync, uint64_t point)
{
   dynarray_append(syncs, struct pipe_sync *, sync);
   dynarray_append(points, uint64_t, point);
}

static void
add_wait(struct submit *submit, VkSemaphore handle, uint64_t value)
{
   VK_FROM(vk_semaphore, semaphore, handle);
   if (semaphore->timeline && !value)
      return; /* was reached from the start; point 0 would be a binary wait */
   add_sync(&submit->waits, &submit->wait_points, vk_semaphore_payload(semaphore), semaphore->timeline ? value : 0);
   /* The wait gives the semaphore its own payload back. */
   if (semaphore->temporary)
      dynarray_append(&submit->temporary, struct pipe_sync *, semaphore->temporary);
   semaphore->temporary = NULL;
}

static void
add_signal(struct submit *submit, VkSemaphore handle, uint64_t value)
{
   VK_FROM(vk_semaphore, semaphore, handle);
   add_sync(&submit->signals, &submit->signal_points, vk_semaphore_payload(semaphore),
            semaphore->timeline ? value : 0);
}

static void
add_fence(struct submit *submit, VkFence handle)
{
   if (handle)
      add_sync(&submit->signals, &submit->signal_points, vk_fence_payload((struct vk_fence *)handle), 0);
}

static VkResult
flush(struct vk_queue *queue, struct submit *submit)
{
   struct vk_device *device = queue->device;
   for (uint32_t i = 0; i < dynarray_count(&submit->temporary, struct pipe_sync *); i++) {
      struct pipe_sync *sync = *dynarray_at(&submit->temporary, struct pipe_sync *, i);
      if (vk_device_lost(device))
         device->screen->sync_destroy(device->screen, sync);
      else
         device->screen->sync_consume(device->screen, sync);
   }
   pthread_mutex_lock(&queue->lock);
   enum pipe_result result = vk_device_lost(device) ? PIPE_DEVICE_LOST : device->screen->queue_submit(
      queue->queue, submit->contexts.data, (uint32_t)dynarray_count(&submit->contexts, struct pipe_context *),
      submit->waits.data, submit->wait_points.data, (uint32_t)dynarray_count(&submit->waits, struct pipe_sync *),
      submit->signals.data, submit->signal_points.data,
      (uint32_t)dynarray_count(&submit->signals, struct pipe_sync *));
   pthread_mutex_unlock(&queue->lock);
   submit_free(submit);
   return vk_device_check(device, result);
}

static VkResult
signal_fence(struct vk_queue *queue, VkFence handle)
{
   struct submit submit = {0};
   if (!handle)
      return VK_SUCCESS;
   add_fence(&submit, handle);
   return flush(queue, &submit);
}

static VkResult
submit_one(struct vk_queue *queue, const VkSubmitInfo *info, VkFence fence)
{
   struct submit submit = {0};
   const VkTimelineSemaphoreSubmitInfo *timeline =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
   for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
      add_wait(&submit, info->pWaitSemaphores[i],
               timeline && i < timeline->waitSemaphoreValueCount ? timeline->pWaitSemaphoreValues[i] : 0);
   for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
      add_signal(&submit, info->pSignalSemaphores[i],
                 timeline && i < timeline->signalSemaphoreValueCount ? timeline->pSignalSemaphoreValues[i] : 0);
   for (uint32_t i = 0; i < info->commandBufferCount; i++) {
      VK_FROM(vk_command_buffer, cmd, info->pCommandBuffers[i]);
      dynarray_append(&submit.contexts, struct pipe_context *, cmd->pipe);
   }
   add_fence(&submit, fence);
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
         add_wait(&submit, info->pWaitSemaphoreInfos[j].semaphore, info->pWaitSemaphoreInfos[j].value);
      for (uint32_t j = 0; j < info->signalSemaphoreInfoCount; j++)
         add_signal(&submit, info->pSignalSemaphoreInfos[j].semaphore, info->pSignalSemaphoreInfos[j].value);
      for (uint32_t j = 0; j < info->commandBufferInfoCount; j++) {
         VK_FROM(vk_command_buffer, cmd, info->pCommandBufferInfos[j].commandBuffer);
         dynarray_append(&submit.contexts, struct pipe_context *, cmd->pipe);
      }
      if (i + 1 == submitCount)
         add_fence(&submit, fence);
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
   if (vk_device_lost(queue->device))
      return VK_ERROR_DEVICE_LOST;
   return vk_device_check(queue->device, queue->device->screen->queue_wait_idle(queue->queue));
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_QueueBindSparse(VkQueue queue, uint32_t bindInfoCount, const VkBindSparseInfo *pBindInfo, VkFence fence)
{
   return VK_ERROR_FEATURE_NOT_PRESENT; /* no queue has VK_QUEUE_SPARSE_BINDING_BIT */
}

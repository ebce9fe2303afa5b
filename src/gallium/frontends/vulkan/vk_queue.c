/* Submission. */
#include "gallium/frontends/vulkan/vk_sparse.h"

/* One batch, with the lists in the form the driver takes; all in one piece of memory. */
struct submit {
   struct pipe_context **contexts;
   struct pipe_sync **waits, **signals;
   struct pipe_sync **temporary; /* waits of temporary payloads */
   uint64_t *wait_points, *signal_points;
   struct pipe_bind *binds; /* or of sparse resources, instead of contexts; freed with the rest */
   uint32_t num_contexts, num_waits, num_signals, num_temporary, num_binds;
};

/* Room for as many contexts, waits and signals, and a fence's. False: out of memory. */
static bool
submit_init(struct submit *submit, const struct vk_queue *queue, size_t contexts, size_t waits, size_t signals)
{
   *submit = (struct submit){0};
   submit->wait_points =
      vk_alloc(&queue->device->alloc, NULL, (contexts + 3 * waits + 2 * (signals + 1)) * sizeof(uint64_t));
   if (!submit->wait_points)
      return false;
   submit->signal_points = submit->wait_points + waits;
   submit->contexts = (struct pipe_context **)(submit->signal_points + signals + 1);
   submit->waits = (struct pipe_sync **)(submit->contexts + contexts);
   submit->temporary = submit->waits + waits;
   submit->signals = submit->temporary + waits;
   return true;
}

static void
add_wait(struct submit *submit, VkSemaphore handle, uint64_t value)
{
   VK_FROM(vk_semaphore, semaphore, handle);
   if (semaphore->timeline && !value)
      return; /* was reached from the start; point 0 would be a binary wait */
   submit->wait_points[submit->num_waits] = semaphore->timeline ? value : 0;
   submit->waits[submit->num_waits++] = vk_semaphore_payload(semaphore);
   /* The wait gives the semaphore its own payload back. */
   if (semaphore->temporary)
      submit->temporary[submit->num_temporary++] = semaphore->temporary;
   semaphore->temporary = NULL;
}

static void
add_signal(struct submit *submit, VkSemaphore handle, uint64_t value)
{
   VK_FROM(vk_semaphore, semaphore, handle);
   submit->signal_points[submit->num_signals] = semaphore->timeline ? value : 0;
   submit->signals[submit->num_signals++] = vk_semaphore_payload(semaphore);
}

static void
add_fence(struct submit *submit, VkFence handle)
{
   if (handle)
      submit->signals[submit->num_signals++] = vk_fence_payload((struct vk_fence *)handle);
}

static enum pipe_result
run(struct vk_queue *queue, const struct submit *submit)
{
   const struct pipe_screen *screen = queue->device->screen;
   if (submit->binds)
      return screen->queue_bind(queue->queue, submit->binds, submit->num_binds, submit->waits, submit->wait_points,
                                submit->num_waits, submit->signals, submit->signal_points, submit->num_signals);
   return screen->queue_submit(queue->queue, submit->contexts, submit->num_contexts, submit->waits,
                               submit->wait_points, submit->num_waits, submit->signals, submit->signal_points,
                               submit->num_signals);
}

static VkResult
flush(struct vk_queue *queue, struct submit *submit)
{
   struct vk_device *device = queue->device;
   for (uint32_t i = 0; i < submit->num_temporary; i++) {
      if (vk_device_lost(device))
         device->screen->sync_destroy(device->screen, submit->temporary[i]);
      else
         device->screen->sync_consume(device->screen, submit->temporary[i]);
   }
   pthread_mutex_lock(&queue->lock);
   enum pipe_result result = vk_device_lost(device) ? PIPE_DEVICE_LOST : run(queue, submit);
   pthread_mutex_unlock(&queue->lock);
   vk_free(&device->alloc, NULL, submit->wait_points);
   vk_free(&device->alloc, NULL, submit->binds);
   return vk_device_check(device, result);
}

static VkResult
signal_fence(struct vk_queue *queue, VkFence handle)
{
   struct submit submit;
   if (!handle)
      return VK_SUCCESS;
   if (!submit_init(&submit, queue, 0, 0, 0))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   add_fence(&submit, handle);
   return flush(queue, &submit);
}

/* The semaphores of a batch, with the points of timelines that its chain has. */
static void
add_semaphores(struct submit *submit, const void *chain, const VkSemaphore *waits, uint32_t num_waits,
               const VkSemaphore *signals, uint32_t num_signals)
{
   const VkTimelineSemaphoreSubmitInfo *timeline =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
   for (uint32_t i = 0; i < num_waits; i++)
      add_wait(submit, waits[i],
               timeline && i < timeline->waitSemaphoreValueCount ? timeline->pWaitSemaphoreValues[i] : 0);
   for (uint32_t i = 0; i < num_signals; i++)
      add_signal(submit, signals[i],
                 timeline && i < timeline->signalSemaphoreValueCount ? timeline->pSignalSemaphoreValues[i] : 0);
}

static VkResult
submit_one(struct vk_queue *queue, const VkSubmitInfo *info, VkFence fence)
{
   struct submit submit;
   if (!submit_init(&submit, queue, info->commandBufferCount, info->waitSemaphoreCount, info->signalSemaphoreCount))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   add_semaphores(&submit, info->pNext, info->pWaitSemaphores, info->waitSemaphoreCount, info->pSignalSemaphores,
                  info->signalSemaphoreCount);
   for (uint32_t i = 0; i < info->commandBufferCount; i++) {
      VK_FROM(vk_command_buffer, cmd, info->pCommandBuffers[i]);
      submit.contexts[submit.num_contexts++] = cmd->pipe;
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
      struct submit submit;
      if (!submit_init(&submit, queue, info->commandBufferInfoCount, info->waitSemaphoreInfoCount,
                       info->signalSemaphoreInfoCount))
         return VK_ERROR_OUT_OF_HOST_MEMORY;
      for (uint32_t j = 0; j < info->waitSemaphoreInfoCount; j++)
         add_wait(&submit, info->pWaitSemaphoreInfos[j].semaphore, info->pWaitSemaphoreInfos[j].value);
      for (uint32_t j = 0; j < info->signalSemaphoreInfoCount; j++)
         add_signal(&submit, info->pSignalSemaphoreInfos[j].semaphore, info->pSignalSemaphoreInfos[j].value);
      for (uint32_t j = 0; j < info->commandBufferInfoCount; j++) {
         VK_FROM(vk_command_buffer, cmd, info->pCommandBufferInfos[j].commandBuffer);
         submit.contexts[submit.num_contexts++] = cmd->pipe;
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

/* No binds at all: waits and signals alone. */
static VkResult
bind_one(struct vk_queue *queue, const VkBindSparseInfo *info, VkFence fence)
{
   struct submit submit;
   uint32_t count = vk_sparse_binds(info, NULL);
   if (!submit_init(&submit, queue, 0, info->waitSemaphoreCount, info->signalSemaphoreCount))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (count) {
      submit.binds = vk_alloc(&queue->device->alloc, NULL, count * sizeof(*submit.binds));
      if (!submit.binds) {
         vk_free(&queue->device->alloc, NULL, submit.wait_points);
         return VK_ERROR_OUT_OF_HOST_MEMORY;
      }
      submit.num_binds = vk_sparse_binds(info, submit.binds);
   }
   add_semaphores(&submit, info->pNext, info->pWaitSemaphores, info->waitSemaphoreCount, info->pSignalSemaphores,
                  info->signalSemaphoreCount);
   add_fence(&submit, fence);
   return flush(queue, &submit);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_QueueBindSparse(VkQueue _queue, uint32_t bindInfoCount, const VkBindSparseInfo *pBindInfo, VkFence fence)
{
   VK_FROM(vk_queue, queue, _queue);
   if (!queue->device->screen->caps.sparse_binding)
      return VK_ERROR_FEATURE_NOT_PRESENT; /* no queue has VK_QUEUE_SPARSE_BINDING_BIT */
   for (uint32_t i = 0; i < bindInfoCount; i++) {
      VkResult result = bind_one(queue, &pBindInfo[i], i + 1 == bindInfoCount ? fence : VK_NULL_HANDLE);
      if (result != VK_SUCCESS)
         return result;
   }
   return bindInfoCount ? VK_SUCCESS : signal_fence(queue, fence);
}

/* Submission. Batches of the first version become batches of the second. */
#include "gallium/frontends/vulkan/vk_sparse.h"

/* Numbers of what a batch has. */
struct counts {
   size_t contexts, binds, waits, signals;
};

/* An empty submit, with room for all of `counts` and a fence. Its lists are one allocation, that of the waits. */
static bool
submit_init(struct pipe_submit *submit, const struct vk_queue *queue, struct counts counts)
{
   size_t points = counts.waits + counts.signals + 1;
   *submit = (struct pipe_submit){
      .waits = vk_alloc(&queue->device->alloc, NULL,
                        points * sizeof(*submit->waits) + counts.binds * sizeof(*submit->binds) +
                           counts.contexts * sizeof(*submit->contexts)),
   };
   if (!submit->waits)
      return false;
   submit->signals = submit->waits + counts.waits;
   submit->binds = (struct pipe_bind *)(submit->waits + points);
   submit->contexts = (struct pipe_context **)(submit->binds + counts.binds);
   return true;
}

/* The wait gives the semaphore its own payload back. */
static void
add_wait(struct pipe_submit *submit, const VkSemaphoreSubmitInfo *from)
{
   VK_FROM(vk_semaphore, semaphore, from->semaphore);
   if (semaphore->timeline && !from->value)
      return; /* was reached from the start; point 0 would be a binary wait */
   submit->waits[submit->num_waits++] = (struct pipe_sync_point){
      .sync = vk_semaphore_payload(semaphore),
      .point = semaphore->timeline ? from->value : 0,
      .is_dropped = semaphore->temporary != NULL,
   };
   semaphore->temporary = NULL;
}

static void
add_signal(struct pipe_submit *submit, const VkSemaphoreSubmitInfo *from)
{
   VK_FROM(vk_semaphore, semaphore, from->semaphore);
   submit->signals[submit->num_signals++] = (struct pipe_sync_point){
      .sync = vk_semaphore_payload(semaphore),
      .point = semaphore->timeline ? from->value : 0,
   };
}

static void
drop_waits(const struct pipe_screen *screen, const struct pipe_submit *submit)
{
   for (uint32_t i = 0; i < submit->num_waits; i++) {
      if (submit->waits[i].is_dropped)
         screen->sync_destroy((struct pipe_screen *)screen, submit->waits[i].sync);
   }
}

/* Submits and frees it. fence: also signaled, or VK_NULL_HANDLE. */
static VkResult
submit_finish(struct vk_queue *queue, struct pipe_submit *submit, VkFence fence)
{
   struct vk_device *device = queue->device;
   enum pipe_result result = PIPE_DEVICE_LOST;
   if (fence)
      submit->signals[submit->num_signals++].sync = vk_fence_payload((struct vk_fence *)fence);
   pthread_mutex_lock(&queue->lock);
   if (vk_device_lost(device))
      drop_waits(device->screen, submit);
   else
      result = device->screen->queue_submit(queue->queue, submit);
   pthread_mutex_unlock(&queue->lock);
   vk_free(&device->alloc, NULL, submit->waits);
   return vk_device_check(device, result);
}

static VkResult
signal_fence(struct vk_queue *queue, VkFence fence)
{
   struct pipe_submit submit;
   if (!fence)
      return VK_SUCCESS;
   if (!submit_init(&submit, queue, (struct counts){0}))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   return submit_finish(queue, &submit, fence);
}

static VkResult
submit_one(struct vk_queue *queue, const VkSubmitInfo2 *info, VkFence fence)
{
   const struct counts counts = {
      .contexts = info->commandBufferInfoCount,
      .waits = info->waitSemaphoreInfoCount,
      .signals = info->signalSemaphoreInfoCount,
   };
   struct pipe_submit submit;
   if (!submit_init(&submit, queue, counts))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++)
      add_wait(&submit, &info->pWaitSemaphoreInfos[i]);
   for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++)
      add_signal(&submit, &info->pSignalSemaphoreInfos[i]);
   for (uint32_t i = 0; i < info->commandBufferInfoCount; i++) {
      VK_FROM(vk_command_buffer, cmd, info->pCommandBufferInfos[i].commandBuffer);
      submit.contexts[submit.num_contexts++] = cmd->pipe;
   }
   return submit_finish(queue, &submit, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_QueueSubmit2(VkQueue _queue, uint32_t submitCount, const VkSubmitInfo2 *pSubmits, VkFence fence)
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
indium_QueueWaitIdle(VkQueue _queue)
{
   VK_FROM(vk_queue, queue, _queue);
   if (vk_device_lost(queue->device))
      return VK_ERROR_DEVICE_LOST;
   return vk_device_check(queue->device, queue->device->screen->queue_wait_idle(queue->queue));
}

/* ---- the first versions ---- */

/* Of a list with the points of timelines, which may be shorter or absent. */
static VkSemaphoreSubmitInfo
upgrade_semaphore(VkSemaphore semaphore, uint32_t index, const uint64_t *points, uint32_t num_points)
{
   return (VkSemaphoreSubmitInfo){
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
      .semaphore = semaphore,
      .value = points && index < num_points ? points[index] : 0,
      .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
   };
}

static const VkTimelineSemaphoreSubmitInfo *
timeline_points(const void *chain)
{
   static const VkTimelineSemaphoreSubmitInfo none;
   const VkTimelineSemaphoreSubmitInfo *found =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
   return found ? found : &none;
}

static size_t
upgraded_B(const VkSubmitInfo *from)
{
   return sizeof(VkSubmitInfo2) + from->commandBufferCount * sizeof(VkCommandBufferSubmitInfo) +
          ((size_t)from->waitSemaphoreCount + from->signalSemaphoreCount) * sizeof(VkSemaphoreSubmitInfo);
}

/* memory: for the lists. Returns where they end. */
static char *
upgrade_submit(const VkSubmitInfo *from, VkSubmitInfo2 *to, char *memory)
{
   const VkTimelineSemaphoreSubmitInfo *points = timeline_points(from->pNext);
   VkSemaphoreSubmitInfo *waits = (VkSemaphoreSubmitInfo *)memory;
   VkSemaphoreSubmitInfo *signals = waits + from->waitSemaphoreCount;
   VkCommandBufferSubmitInfo *buffers = (VkCommandBufferSubmitInfo *)(signals + from->signalSemaphoreCount);
   for (uint32_t i = 0; i < from->waitSemaphoreCount; i++) {
      waits[i] = upgrade_semaphore(from->pWaitSemaphores[i], i, points->pWaitSemaphoreValues,
                                   points->waitSemaphoreValueCount);
      waits[i].stageMask = from->pWaitDstStageMask[i];
   }
   for (uint32_t i = 0; i < from->signalSemaphoreCount; i++)
      signals[i] = upgrade_semaphore(from->pSignalSemaphores[i], i, points->pSignalSemaphoreValues,
                                     points->signalSemaphoreValueCount);
   for (uint32_t i = 0; i < from->commandBufferCount; i++)
      buffers[i] = (VkCommandBufferSubmitInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                               .commandBuffer = from->pCommandBuffers[i]};
   *to = (VkSubmitInfo2){
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
      .waitSemaphoreInfoCount = from->waitSemaphoreCount,
      .pWaitSemaphoreInfos = waits,
      .commandBufferInfoCount = from->commandBufferCount,
      .pCommandBufferInfos = buffers,
      .signalSemaphoreInfoCount = from->signalSemaphoreCount,
      .pSignalSemaphoreInfos = signals,
   };
   return (char *)(buffers + from->commandBufferCount);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_QueueSubmit(VkQueue _queue, uint32_t submitCount, const VkSubmitInfo *pSubmits, VkFence fence)
{
   VK_FROM(vk_queue, queue, _queue);
   VkSubmitInfo2 *infos = NULL;
   size_t size_B = 0;
   for (uint32_t i = 0; i < submitCount; i++)
      size_B += upgraded_B(&pSubmits[i]);
   if (submitCount && !(infos = vk_alloc(&queue->device->alloc, NULL, size_B)))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   char *memory = (char *)(infos + submitCount);
   for (uint32_t i = 0; i < submitCount; i++)
      memory = upgrade_submit(&pSubmits[i], &infos[i], memory);
   VkResult result = indium_QueueSubmit2(_queue, submitCount, infos, fence);
   vk_free(&queue->device->alloc, NULL, infos);
   return result;
}

/* ---- sparse resources: there is one version ---- */

/* No binds at all: only waits and signals. */
static VkResult
bind_one(struct vk_queue *queue, const VkBindSparseInfo *info, VkFence fence)
{
   const VkTimelineSemaphoreSubmitInfo *points = timeline_points(info->pNext);
   const struct counts counts = {
      .binds = vk_sparse_binds(queue->device->screen, info, NULL),
      .waits = info->waitSemaphoreCount,
      .signals = info->signalSemaphoreCount,
   };
   struct pipe_submit submit;
   if (!submit_init(&submit, queue, counts))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   submit.num_binds = vk_sparse_binds(queue->device->screen, info, submit.binds);
   for (uint32_t i = 0; i < info->waitSemaphoreCount; i++) {
      const VkSemaphoreSubmitInfo wait = upgrade_semaphore(info->pWaitSemaphores[i], i, points->pWaitSemaphoreValues,
                                                           points->waitSemaphoreValueCount);
      add_wait(&submit, &wait);
   }
   for (uint32_t i = 0; i < info->signalSemaphoreCount; i++) {
      const VkSemaphoreSubmitInfo signal = upgrade_semaphore(
         info->pSignalSemaphores[i], i, points->pSignalSemaphoreValues, points->signalSemaphoreValueCount);
      add_signal(&submit, &signal);
   }
   return submit_finish(queue, &submit, fence);
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

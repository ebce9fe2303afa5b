/* Fences, semaphores and events. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/dynarray.h"

/* ---- fences ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateFence(VkDevice _device, const VkFenceCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                   VkFence *pFence)
{
   VK_FROM(vk_device, device, _device);
   struct vk_fence *fence = vk_alloc(&device->alloc, pAllocator, sizeof(*fence));
   if (!fence)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   enum pipe_result result = device->screen->sync_create(
      device->screen, pCreateInfo->flags & VK_FENCE_CREATE_SIGNALED_BIT, &fence->sync);
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, fence);
      return vk_result(result);
   }
   *pFence = VK_TO(VkFence, fence);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyFence(VkDevice _device, VkFence _fence, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_fence, fence, _fence);
   if (!fence)
      return;
   device->screen->sync_destroy(device->screen, fence->sync);
   if (fence->temporary)
      device->screen->sync_destroy(device->screen, fence->temporary);
   vk_free(&device->alloc, pAllocator, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ResetFences(VkDevice _device, uint32_t fenceCount, const VkFence *pFences)
{
   VK_FROM(vk_device, device, _device);
   for (uint32_t i = 0; i < fenceCount; i++) {
      VK_FROM(vk_fence, fence, pFences[i]);
      if (fence->temporary)
         device->screen->sync_destroy(device->screen, fence->temporary);
      fence->temporary = NULL;
      enum pipe_result result = device->screen->sync_reset(device->screen, &fence->sync, 1);
      if (result != PIPE_OK)
         return vk_result(result);
   }
   return VK_SUCCESS;
}

static VkResult
wait_syncs(struct vk_device *device, struct dynarray *syncs, const uint64_t *points, bool all, int64_t timeout_ns)
{
   enum pipe_result result = device->screen->sync_wait(device->screen, syncs->data, points,
                                                       (uint32_t)dynarray_count(syncs, struct pipe_sync *), all,
                                                       timeout_ns);
   dynarray_free(syncs);
   if (result == PIPE_OK && device->has_queue && device->screen->queue_lost(device->queue.queue))
      result = PIPE_DEVICE_LOST;
   return vk_device_check(device, result);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_WaitForFences(VkDevice _device, uint32_t fenceCount, const VkFence *pFences, VkBool32 waitAll,
                     uint64_t timeout)
{
   VK_FROM(vk_device, device, _device);
   struct dynarray syncs = {0};
   if (vk_device_lost(device))
      return VK_ERROR_DEVICE_LOST;
   for (uint32_t i = 0; i < fenceCount; i++)
      dynarray_append(&syncs, struct pipe_sync *, vk_fence_payload((struct vk_fence *)pFences[i]));
   return wait_syncs(device, &syncs, NULL, waitAll, vk_absolute_timeout(timeout));
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetFenceStatus(VkDevice _device, VkFence fence)
{
   VkResult result = indium_WaitForFences(_device, 1, &fence, VK_TRUE, 0);
   return result == VK_TIMEOUT ? VK_NOT_READY : result;
}

/* An opaque descriptor shares the payload. A sync file takes it, as a wait and a reset would. */
static VkResult
export_fd(struct vk_device *device, struct pipe_sync *sync, struct pipe_sync **temporary, bool sync_file, int *fd)
{
   struct pipe_screen *screen = device->screen;
   enum pipe_result result = screen->sync_export(screen, *temporary ? *temporary : sync, sync_file, fd);
   if (result != PIPE_OK || !sync_file)
      return vk_result(result);
   if (!*temporary)
      return vk_result(screen->sync_reset(screen, &sync, 1));
   screen->sync_destroy(screen, *temporary);
   *temporary = NULL;
   return VK_SUCCESS;
}

static VkResult
import_fd(struct vk_device *device, struct pipe_sync *sync, struct pipe_sync **temporary, bool is_temporary,
          bool sync_file, int fd)
{
   struct pipe_screen *screen = device->screen;
   if (!is_temporary)
      return vk_result(screen->sync_import(screen, sync, sync_file, fd));
   struct pipe_sync *imported;
   enum pipe_result result = screen->sync_create(screen, false, &imported);
   if (result != PIPE_OK)
      return vk_result(result);
   result = screen->sync_import(screen, imported, sync_file, fd);
   if (result != PIPE_OK) {
      screen->sync_destroy(screen, imported);
      return vk_result(result);
   }
   if (*temporary)
      screen->sync_destroy(screen, *temporary);
   *temporary = imported;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetFenceFdKHR(VkDevice _device, const VkFenceGetFdInfoKHR *pGetFdInfo, int *pFd)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_fence, fence, pGetFdInfo->fence);
   return export_fd(device, fence->sync, &fence->temporary,
                    pGetFdInfo->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT, pFd);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ImportFenceFdKHR(VkDevice _device, const VkImportFenceFdInfoKHR *pImportFenceFdInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_fence, fence, pImportFenceFdInfo->fence);
   return import_fd(device, fence->sync, &fence->temporary,
                    pImportFenceFdInfo->flags & VK_FENCE_IMPORT_TEMPORARY_BIT,
                    pImportFenceFdInfo->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT,
                    pImportFenceFdInfo->fd);
}

/* ---- semaphores ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateSemaphore(VkDevice _device, const VkSemaphoreCreateInfo *pCreateInfo,
                       const VkAllocationCallbacks *pAllocator, VkSemaphore *pSemaphore)
{
   VK_FROM(vk_device, device, _device);
   const VkSemaphoreTypeCreateInfo *type =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
   struct vk_semaphore *semaphore = vk_alloc(&device->alloc, pAllocator, sizeof(*semaphore));
   if (!semaphore)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   semaphore->timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
   enum pipe_result result = device->screen->sync_create(device->screen, false, &semaphore->sync);
   if (result == PIPE_OK && semaphore->timeline && type->initialValue)
      result = device->screen->sync_signal(device->screen, semaphore->sync, type->initialValue);
   if (result != PIPE_OK) {
      if (semaphore->sync)
         device->screen->sync_destroy(device->screen, semaphore->sync);
      vk_free(&device->alloc, pAllocator, semaphore);
      return vk_result(result);
   }
   *pSemaphore = VK_TO(VkSemaphore, semaphore);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroySemaphore(VkDevice _device, VkSemaphore _semaphore, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_semaphore, semaphore, _semaphore);
   if (!semaphore)
      return;
   device->screen->sync_destroy(device->screen, semaphore->sync);
   if (semaphore->temporary)
      device->screen->sync_destroy(device->screen, semaphore->temporary);
   vk_free(&device->alloc, pAllocator, semaphore);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetSemaphoreCounterValue(VkDevice _device, VkSemaphore _semaphore, uint64_t *pValue)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_semaphore, semaphore, _semaphore);
   if (vk_device_lost(device))
      return VK_ERROR_DEVICE_LOST;
   return vk_device_check(device, device->screen->sync_query(device->screen, semaphore->sync, pValue));
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_WaitSemaphores(VkDevice _device, const VkSemaphoreWaitInfo *pWaitInfo, uint64_t timeout)
{
   VK_FROM(vk_device, device, _device);
   struct dynarray syncs = {0}, points = {0};
   if (vk_device_lost(device))
      return VK_ERROR_DEVICE_LOST;
   bool any = pWaitInfo->flags & VK_SEMAPHORE_WAIT_ANY_BIT;
   for (uint32_t i = 0; i < pWaitInfo->semaphoreCount; i++) {
      /* 0 was reached from the start; point 0 would be a binary wait. */
      if (!pWaitInfo->pValues[i] && any) {
         dynarray_free(&syncs);
         dynarray_free(&points);
         return VK_SUCCESS;
      }
      if (!pWaitInfo->pValues[i])
         continue;
      dynarray_append(&syncs, struct pipe_sync *, ((struct vk_semaphore *)pWaitInfo->pSemaphores[i])->sync);
      dynarray_append(&points, uint64_t, pWaitInfo->pValues[i]);
   }
   VkResult result = wait_syncs(device, &syncs, points.data, !any, vk_absolute_timeout(timeout));
   dynarray_free(&points);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_SignalSemaphore(VkDevice _device, const VkSemaphoreSignalInfo *pSignalInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_semaphore, semaphore, pSignalInfo->semaphore);
   return vk_device_check(device, device->screen->sync_signal(device->screen, semaphore->sync, pSignalInfo->value));
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetSemaphoreFdKHR(VkDevice _device, const VkSemaphoreGetFdInfoKHR *pGetFdInfo, int *pFd)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_semaphore, semaphore, pGetFdInfo->semaphore);
   return export_fd(device, semaphore->sync, &semaphore->temporary,
                    pGetFdInfo->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT, pFd);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ImportSemaphoreFdKHR(VkDevice _device, const VkImportSemaphoreFdInfoKHR *pImportSemaphoreFdInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_semaphore, semaphore, pImportSemaphoreFdInfo->semaphore);
   return import_fd(device, semaphore->sync, &semaphore->temporary,
                    pImportSemaphoreFdInfo->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                    pImportSemaphoreFdInfo->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
                    pImportSemaphoreFdInfo->fd);
}

/* ---- events: a word of host-visible memory ---- */

static void
destroy_event(struct vk_device *device, struct vk_event *event)
{
   if (event->buffer)
      device->screen->resource_destroy(device->screen, event->buffer);
   if (event->memory)
      device->screen->memory_destroy(device->screen, event->memory);
}

static enum pipe_result
create_event_memory(struct pipe_screen *screen, struct vk_event *event)
{
   enum pipe_result result = screen->buffer_create(screen, 64, &event->buffer);
   if (result == PIPE_OK)
      result = screen->memory_create(screen, PIPE_MEMORY_TYPE_DESCRIPTORS,
                                     screen->resource_requirements(event->buffer).size_B, -1, &event->memory);
   if (result != PIPE_OK)
      return result;
   screen->resource_bind(event->buffer, event->memory, 0);
   event->value = screen->memory_map(screen, event->memory);
   return event->value ? PIPE_OK : PIPE_OUT_OF_DEVICE_MEMORY;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateEvent(VkDevice _device, const VkEventCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                   VkEvent *pEvent)
{
   VK_FROM(vk_device, device, _device);
   struct vk_event *event = vk_alloc(&device->alloc, pAllocator, sizeof(*event));
   if (!event)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   enum pipe_result result = create_event_memory(device->screen, event);
   if (result != PIPE_OK) {
      destroy_event(device, event);
      vk_free(&device->alloc, pAllocator, event);
      return vk_result(result);
   }
   *event->value = 0;
   *pEvent = VK_TO(VkEvent, event);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyEvent(VkDevice _device, VkEvent _event, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_event, event, _event);
   if (!event)
      return;
   destroy_event(device, event);
   vk_free(&device->alloc, pAllocator, event);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetEventStatus(VkDevice _device, VkEvent _event)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_event, event, _event);
   if (vk_device_lost(device))
      return VK_ERROR_DEVICE_LOST;
   return __atomic_load_n(event->value, __ATOMIC_ACQUIRE) ? VK_EVENT_SET : VK_EVENT_RESET;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_SetEvent(VkDevice device, VkEvent _event)
{
   VK_FROM(vk_event, event, _event);
   __atomic_store_n(event->value, 1, __ATOMIC_RELEASE);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ResetEvent(VkDevice device, VkEvent _event)
{
   VK_FROM(vk_event, event, _event);
   __atomic_store_n(event->value, 0, __ATOMIC_RELEASE);
   return VK_SUCCESS;
}

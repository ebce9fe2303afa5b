/* Semaphores, binary and timeline. */
#include "gallium/frontends/vulkan/vk_sync.h"

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
   struct vk_sync_list list;
   if (vk_device_lost(device))
      return VK_ERROR_DEVICE_LOST;
   if (!vk_sync_list_init(device, &list, pWaitInfo->semaphoreCount))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   bool any = pWaitInfo->flags & VK_SEMAPHORE_WAIT_ANY_BIT;
   for (uint32_t i = 0; i < pWaitInfo->semaphoreCount; i++) {
      /* 0 was reached from the start; point 0 would be a binary wait. */
      if (!pWaitInfo->pValues[i] && any) {
         vk_sync_list_finish(device, &list);
         return VK_SUCCESS;
      }
      if (!pWaitInfo->pValues[i])
         continue;
      list.points[list.count++] = (struct pipe_sync_point){
         .sync = ((struct vk_semaphore *)pWaitInfo->pSemaphores[i])->sync, .point = pWaitInfo->pValues[i]};
   }
   return vk_sync_wait(device, &list, !any, timeout);
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
   return vk_sync_export(device, semaphore->sync, &semaphore->temporary,
                         pGetFdInfo->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT, pFd);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ImportSemaphoreFdKHR(VkDevice _device, const VkImportSemaphoreFdInfoKHR *pImportSemaphoreFdInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_semaphore, semaphore, pImportSemaphoreFdInfo->semaphore);
   return vk_sync_import(device, semaphore->sync, &semaphore->temporary,
                         pImportSemaphoreFdInfo->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                         pImportSemaphoreFdInfo->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
                         pImportSemaphoreFdInfo->fd);
}

/* Fences. */
#include "gallium/frontends/vulkan/vk_sync.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateFence(VkDevice _device, const VkFenceCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                   VkFence *pFence)
{
   VK_FROM(vk_device, device, _device);
   struct vk_fence *fence = vk_alloc(&device->alloc, pAllocator, sizeof(*fence));
   if (!fence)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   enum pipe_result result =
      device->screen->sync_create(device->screen, pCreateInfo->flags & VK_FENCE_CREATE_SIGNALED_BIT, &fence->sync);
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
      enum pipe_result result = device->screen->sync_reset(device->screen, fence->sync);
      if (result != PIPE_OK)
         return vk_result(result);
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_WaitForFences(VkDevice _device, uint32_t fenceCount, const VkFence *pFences, VkBool32 waitAll,
                     uint64_t timeout)
{
   VK_FROM(vk_device, device, _device);
   struct vk_sync_list list;
   if (vk_device_lost(device))
      return VK_ERROR_DEVICE_LOST;
   if (!vk_sync_list_init(device, &list, fenceCount))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (uint32_t i = 0; i < fenceCount; i++)
      list.points[list.count++].sync = vk_fence_payload((struct vk_fence *)pFences[i]);
   return vk_sync_wait(device, &list, waitAll, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetFenceStatus(VkDevice _device, VkFence fence)
{
   VkResult result = indium_WaitForFences(_device, 1, &fence, VK_TRUE, 0);
   return result == VK_TIMEOUT ? VK_NOT_READY : result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetFenceFdKHR(VkDevice _device, const VkFenceGetFdInfoKHR *pGetFdInfo, int *pFd)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_fence, fence, pGetFdInfo->fence);
   return vk_sync_export(device, fence->sync, &fence->temporary,
                         pGetFdInfo->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT, pFd);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ImportFenceFdKHR(VkDevice _device, const VkImportFenceFdInfoKHR *pImportFenceFdInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_fence, fence, pImportFenceFdInfo->fence);
   return vk_sync_import(
      device, fence->sync, &fence->temporary, pImportFenceFdInfo->flags & VK_FENCE_IMPORT_TEMPORARY_BIT,
      pImportFenceFdInfo->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT, pImportFenceFdInfo->fd);
}

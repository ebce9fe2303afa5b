/* Device memory. */
#include <unistd.h>

#include "gallium/frontends/vulkan/vk_private.h"

uint32_t
vk_memory_types(const struct pipe_caps *caps, bool descriptors)
{
   uint32_t types = 0;
   for (uint32_t i = 0; i < caps->num_memory_types; i++)
      types |= (uint32_t)(caps->memory_types[i].descriptors == descriptors) << i;
   return types;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_AllocateMemory(VkDevice _device, const VkMemoryAllocateInfo *pAllocateInfo,
                      const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory)
{
   VK_FROM(vk_device, device, _device);
   const VkImportMemoryFdInfoKHR *import =
      vk_find_struct(pAllocateInfo->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
   struct vk_memory *memory = vk_alloc(&device->alloc, pAllocator, sizeof(*memory));
   if (!memory)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   memory->size_B = pAllocateInfo->allocationSize;
   enum pipe_result result =
      device->screen->memory_create(device->screen, pAllocateInfo->memoryTypeIndex, memory->size_B,
                                    import && import->handleType ? import->fd : -1, &memory->memory);
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, memory);
      return vk_result(result);
   }
   *pMemory = VK_TO(VkDeviceMemory, memory);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_FreeMemory(VkDevice _device, VkDeviceMemory _memory, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_memory, memory, _memory);
   if (!memory)
      return;
   device->screen->memory_destroy(device->screen, memory->memory);
   vk_free(&device->alloc, pAllocator, memory);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_MapMemory(VkDevice _device, VkDeviceMemory _memory, VkDeviceSize offset, VkDeviceSize size,
                 VkMemoryMapFlags flags, void **ppData)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_memory, memory, _memory);
   if (!memory->map)
      memory->map = device->screen->memory_map(device->screen, memory->memory);
   if (!memory->map)
      return VK_ERROR_MEMORY_MAP_FAILED;
   *ppData = (char *)memory->map + offset;
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_UnmapMemory(VkDevice device, VkDeviceMemory memory)
{
   /* The mapping lives as long as the memory. */
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_MapMemory2(VkDevice device, const VkMemoryMapInfo *pMemoryMapInfo, void **ppData)
{
   return indium_MapMemory(device, pMemoryMapInfo->memory, pMemoryMapInfo->offset, pMemoryMapInfo->size,
                           pMemoryMapInfo->flags, ppData);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_UnmapMemory2(VkDevice device, const VkMemoryUnmapInfo *pMemoryUnmapInfo)
{
   indium_UnmapMemory(device, pMemoryUnmapInfo->memory);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_FlushMappedMemoryRanges(VkDevice device, uint32_t memoryRangeCount, const VkMappedMemoryRange *pMemoryRanges)
{
   return VK_SUCCESS; /* every host-visible type is coherent */
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_InvalidateMappedMemoryRanges(VkDevice device, uint32_t memoryRangeCount,
                                    const VkMappedMemoryRange *pMemoryRanges)
{
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceMemoryCommitment(VkDevice device, VkDeviceMemory _memory, VkDeviceSize *pCommittedMemoryInBytes)
{
   VK_FROM(vk_memory, memory, _memory);
   *pCommittedMemoryInBytes = memory->size_B;
}

VKAPI_ATTR uint64_t VKAPI_CALL
indium_GetDeviceMemoryOpaqueCaptureAddress(VkDevice device, const VkDeviceMemoryOpaqueCaptureAddressInfo *pInfo)
{
   return 0; /* as indium_GetBufferOpaqueCaptureAddress */
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetMemoryFdKHR(VkDevice _device, const VkMemoryGetFdInfoKHR *pGetFdInfo, int *pFd)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_memory, memory, pGetFdInfo->memory);
   return vk_result(device->screen->memory_export(device->screen, memory->memory, pFd));
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetMemoryFdPropertiesKHR(VkDevice _device, VkExternalMemoryHandleTypeFlagBits handleType, int fd,
                                VkMemoryFdPropertiesKHR *pMemoryFdProperties)
{
   VK_FROM(vk_device, device, _device);
   /* Opaque file descriptors have no properties to ask for. */
   if (handleType != VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT || lseek(fd, 0, SEEK_END) <= 0)
      return VK_ERROR_INVALID_EXTERNAL_HANDLE;
   pMemoryFdProperties->memoryTypeBits = vk_memory_types(&device->screen->caps, false);
   return VK_SUCCESS;
}

VkMemoryRequirements
vk_memory_requirements(struct vk_device *device, const struct pipe_resource *resource)
{
   struct pipe_memory_requirements needs = device->screen->resource_requirements(resource);
   return (VkMemoryRequirements){needs.size_B, needs.alignment_B, needs.memory_types};
}

void
vk_fill_bind_status(const void *chain, VkResult result)
{
   const VkBindMemoryStatus *status = vk_find_struct(chain, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
   if (status)
      *status->pResult = result;
}

void
vk_fill_dedicated(void *chain)
{
   VkMemoryDedicatedRequirements *dedicated =
      (VkMemoryDedicatedRequirements *)vk_find_struct(chain, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
   if (dedicated)
      dedicated->prefersDedicatedAllocation = dedicated->requiresDedicatedAllocation = VK_FALSE;
}

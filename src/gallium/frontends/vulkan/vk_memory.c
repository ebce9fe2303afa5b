/* Device memory, and buffers and images bound to it. */
#include <unistd.h>

#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

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
   enum pipe_result result = device->screen->memory_create(device->screen, pAllocateInfo->memoryTypeIndex,
                                                           memory->size_B,
                                                           import && import->handleType ? import->fd : -1,
                                                           &memory->memory);
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
   pMemoryFdProperties->memoryTypeBits = (1u << device->screen->caps.num_memory_types) - 1;
   return VK_SUCCESS;
}

/* ---- buffers ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateBuffer(VkDevice _device, const VkBufferCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                    VkBuffer *pBuffer)
{
   VK_FROM(vk_device, device, _device);
   uint64_t largest_B = 0;
   for (uint32_t i = 0; i < device->screen->caps.num_heaps; i++)
      largest_B = MAX2(largest_B, device->screen->caps.heaps[i].size_B);
   if (pCreateInfo->size > largest_B)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   if (pCreateInfo->flags) /* sparse and protected buffers need features that are not offered */
      return VK_ERROR_FEATURE_NOT_PRESENT;
   struct vk_buffer *buffer = vk_alloc(&device->alloc, pAllocator, sizeof(*buffer));
   if (!buffer)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   buffer->size_B = pCreateInfo->size;
   enum pipe_result result = device->screen->buffer_create(device->screen, buffer->size_B, &buffer->resource);
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, buffer);
      return vk_result(result);
   }
   *pBuffer = VK_TO(VkBuffer, buffer);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyBuffer(VkDevice _device, VkBuffer _buffer, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_buffer, buffer, _buffer);
   if (!buffer)
      return;
   device->screen->resource_destroy(device->screen, buffer->resource);
   vk_free(&device->alloc, pAllocator, buffer);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateBufferView(VkDevice _device, const VkBufferViewCreateInfo *pCreateInfo,
                        const VkAllocationCallbacks *pAllocator, VkBufferView *pView)
{
   VK_FROM(vk_device, device, _device);
   struct vk_buffer_view *view = vk_alloc(&device->alloc, pAllocator, sizeof(*view));
   if (!view)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   view->buffer = (struct vk_buffer *)pCreateInfo->buffer;
   view->format = pCreateInfo->format;
   view->offset_B = pCreateInfo->offset;
   view->size_B = pCreateInfo->range == VK_WHOLE_SIZE ? view->buffer->size_B - view->offset_B : pCreateInfo->range;
   *pView = VK_TO(VkBufferView, view);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyBufferView(VkDevice _device, VkBufferView bufferView, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_free(&device->alloc, pAllocator, (void *)bufferView);
}

/* ---- requirements and binding ---- */

static VkMemoryRequirements
requirements(struct vk_device *device, const struct pipe_resource *resource)
{
   struct pipe_memory_requirements needs = device->screen->resource_requirements(resource);
   return (VkMemoryRequirements){needs.size_B, needs.alignment_B, needs.memory_types};
}

static void
fill_dedicated(void *chain)
{
   VkMemoryDedicatedRequirements *dedicated =
      (VkMemoryDedicatedRequirements *)vk_find_struct(chain, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
   if (dedicated)
      dedicated->prefersDedicatedAllocation = dedicated->requiresDedicatedAllocation = VK_FALSE;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetBufferMemoryRequirements(VkDevice _device, VkBuffer _buffer, VkMemoryRequirements *pMemoryRequirements)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_buffer, buffer, _buffer);
   *pMemoryRequirements = requirements(device, buffer->resource);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetBufferMemoryRequirements2(VkDevice device, const VkBufferMemoryRequirementsInfo2 *pInfo,
                                    VkMemoryRequirements2 *pMemoryRequirements)
{
   indium_GetBufferMemoryRequirements(device, pInfo->buffer, &pMemoryRequirements->memoryRequirements);
   fill_dedicated(pMemoryRequirements->pNext);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageMemoryRequirements(VkDevice _device, VkImage _image, VkMemoryRequirements *pMemoryRequirements)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   *pMemoryRequirements = requirements(device, image->resource);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageMemoryRequirements2(VkDevice device, const VkImageMemoryRequirementsInfo2 *pInfo,
                                   VkMemoryRequirements2 *pMemoryRequirements)
{
   indium_GetImageMemoryRequirements(device, pInfo->image, &pMemoryRequirements->memoryRequirements);
   fill_dedicated(pMemoryRequirements->pNext);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindBufferMemory(VkDevice _device, VkBuffer _buffer, VkDeviceMemory _memory, VkDeviceSize memoryOffset)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_buffer, buffer, _buffer);
   VK_FROM(vk_memory, memory, _memory);
   device->screen->resource_bind(buffer->resource, memory->memory, memoryOffset);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindBufferMemory2(VkDevice device, uint32_t bindInfoCount, const VkBindBufferMemoryInfo *pBindInfos)
{
   for (uint32_t i = 0; i < bindInfoCount; i++)
      indium_BindBufferMemory(device, pBindInfos[i].buffer, pBindInfos[i].memory, pBindInfos[i].memoryOffset);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindImageMemory(VkDevice _device, VkImage _image, VkDeviceMemory _memory, VkDeviceSize memoryOffset)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   VK_FROM(vk_memory, memory, _memory);
   device->screen->resource_bind(image->resource, memory->memory, memoryOffset);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindImageMemory2(VkDevice device, uint32_t bindInfoCount, const VkBindImageMemoryInfo *pBindInfos)
{
   for (uint32_t i = 0; i < bindInfoCount; i++)
      indium_BindImageMemory(device, pBindInfos[i].image, pBindInfos[i].memory, pBindInfos[i].memoryOffset);
   return VK_SUCCESS;
}

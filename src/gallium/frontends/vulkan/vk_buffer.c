/* Buffers and buffer views. */
#include "gallium/frontends/vulkan/vk_address.h"
#include "gallium/frontends/vulkan/vk_debug.h"
#include "gallium/frontends/vulkan/vk_sparse.h"
#include "util/macros.h"

uint64_t
vk_max_buffer_B(const struct pipe_caps *caps)
{
   uint64_t largest_B = 0;
   for (uint32_t i = 0; i < caps->num_heaps; i++)
      largest_B = MAX2(largest_B, caps->heaps[i].size_B);
   return largest_B;
}

/* Descriptors of the application, or tables that generated commands point to. */
static bool
has_descriptors(const VkBufferCreateInfo *info)
{
   const VkBufferUsageFlags2CreateInfo *usage =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
   return (usage ? usage->usage : info->usage) & (VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                                                  VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                                  VK_BUFFER_USAGE_2_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT |
                                                  VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT);
}

/* Of a sparse buffer, as of sparse_buffer_create. */
static uint64_t
wanted_address(const VkBufferCreateInfo *info)
{
   const VkBufferOpaqueCaptureAddressCreateInfo *address =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO);
   if (address && address->opaqueCaptureAddress)
      return address->opaqueCaptureAddress;
   return info->flags & VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT ? PIPE_VA_REPLAYED : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateBuffer(VkDevice _device, const VkBufferCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                    VkBuffer *pBuffer)
{
   VK_FROM(vk_device, device, _device);
   const VkBufferCreateFlags kind =
      pCreateInfo->flags & ~(VkBufferCreateFlags)(VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT |
                                                  VK_BUFFER_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT);
   enum pipe_sparse sparse = vk_sparse(kind);
   if (pCreateInfo->size > (sparse ? device->screen->caps.sparse_space_B : vk_max_buffer_B(&device->screen->caps)))
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   /* Protected buffers need a feature that is not offered. */
   if (kind && !vk_sparse_offered(&device->screen->caps, kind))
      return VK_ERROR_FEATURE_NOT_PRESENT;
   struct vk_buffer *buffer = vk_alloc(&device->alloc, pAllocator, sizeof(*buffer));
   if (!buffer)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   buffer->size_B = pCreateInfo->size;
   buffer->descriptors = has_descriptors(pCreateInfo);
   enum pipe_result result =
      sparse ? device->screen->sparse_buffer_create(device->screen, buffer->size_B, sparse, buffer->descriptors,
                                                    wanted_address(pCreateInfo), &buffer->resource)
             : device->screen->buffer_create(device->screen, buffer->size_B, &buffer->resource);
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, buffer);
      return vk_result(result);
   }
   if (sparse && vk_address_note(device, buffer) != VK_SUCCESS) {
      indium_DestroyBuffer(_device, VK_TO(VkBuffer, buffer), pAllocator);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   if (sparse)
      vk_address_report_resource(device, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, VK_OBJECT_TYPE_BUFFER, buffer,
                                 buffer->resource);
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
   vk_address_forget(device, buffer);
   vk_address_report_resource(device, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, VK_OBJECT_TYPE_BUFFER, buffer,
                              buffer->resource);
   device->screen->resource_destroy(device->screen, buffer->resource);
   vk_free(&device->alloc, pAllocator, buffer);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateBufferView(VkDevice _device, const VkBufferViewCreateInfo *pCreateInfo,
                        const VkAllocationCallbacks *pAllocator, VkBufferView *pView)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_buffer, buffer, pCreateInfo->buffer);
   struct vk_buffer_view *view = vk_alloc(&device->alloc, pAllocator, sizeof(*view));
   if (!view)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   uint64_t size_B = pCreateInfo->range == VK_WHOLE_SIZE ? buffer->size_B - pCreateInfo->offset : pCreateInfo->range;
   enum pipe_result result =
      device->screen->buffer_view_create(device->screen, buffer->resource, vk_stored_format(pCreateInfo->format),
                                         pCreateInfo->offset, size_B, &view->view);
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, view);
      return vk_result(result);
   }
   *pView = VK_TO(VkBufferView, view);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyBufferView(VkDevice _device, VkBufferView bufferView, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_buffer_view, view, bufferView);
   if (!view)
      return;
   device->screen->buffer_view_destroy(device->screen, view->view);
   vk_free(&device->alloc, pAllocator, view);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetBufferMemoryRequirements(VkDevice _device, VkBuffer _buffer, VkMemoryRequirements *pMemoryRequirements)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_buffer, buffer, _buffer);
   *pMemoryRequirements = vk_memory_requirements(device, buffer->resource);
   if (buffer->descriptors)
      pMemoryRequirements->memoryTypeBits = vk_memory_types(&device->screen->caps, true);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetBufferMemoryRequirements2(VkDevice device, const VkBufferMemoryRequirementsInfo2 *pInfo,
                                    VkMemoryRequirements2 *pMemoryRequirements)
{
   indium_GetBufferMemoryRequirements(device, pInfo->buffer, &pMemoryRequirements->memoryRequirements);
   vk_fill_dedicated(pMemoryRequirements->pNext);
}

/* Of a buffer that is made to be asked. */
VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceBufferMemoryRequirements(VkDevice device, const VkDeviceBufferMemoryRequirements *pInfo,
                                         VkMemoryRequirements2 *pMemoryRequirements)
{
   VkBufferMemoryRequirementsInfo2 info = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2};
   if (indium_CreateBuffer(device, pInfo->pCreateInfo, NULL, &info.buffer) != VK_SUCCESS) {
      pMemoryRequirements->memoryRequirements = (VkMemoryRequirements){0};
      return;
   }
   indium_GetBufferMemoryRequirements2(device, &info, pMemoryRequirements);
   indium_DestroyBuffer(device, info.buffer, NULL);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindBufferMemory(VkDevice _device, VkBuffer _buffer, VkDeviceMemory _memory, VkDeviceSize memoryOffset)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_buffer, buffer, _buffer);
   VK_FROM(vk_memory, memory, _memory);
   device->screen->resource_bind(buffer->resource, memory->memory, memoryOffset);
   vk_address_report_resource(device, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, VK_OBJECT_TYPE_BUFFER, buffer,
                              buffer->resource);
   return vk_address_note(device, buffer);
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
indium_GetBufferDeviceAddress(VkDevice _device, const VkBufferDeviceAddressInfo *pInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_buffer, buffer, pInfo->buffer);
   return device->screen->resource_address(buffer->resource);
}

/* Memory says where a buffer is, but where it is sparse. */
VKAPI_ATTR uint64_t VKAPI_CALL
indium_GetBufferOpaqueCaptureAddress(VkDevice device, const VkBufferDeviceAddressInfo *pInfo)
{
   return indium_GetBufferDeviceAddress(device, pInfo);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindBufferMemory2(VkDevice device, uint32_t bindInfoCount, const VkBindBufferMemoryInfo *pBindInfos)
{
   for (uint32_t i = 0; i < bindInfoCount; i++)
      vk_fill_bind_status(
         pBindInfos[i].pNext,
         indium_BindBufferMemory(device, pBindInfos[i].buffer, pBindInfos[i].memory, pBindInfos[i].memoryOffset));
   return VK_SUCCESS;
}

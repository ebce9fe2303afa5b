/* Device memory. */
#include <sys/mman.h>
#include <unistd.h>

#include "gallium/frontends/vulkan/vk_debug.h"
#include "util/log.h"
#include "util/macros.h"

/* For memory_create_at; 0: the application does not care. */
static uint64_t
wanted_address(const VkMemoryAllocateInfo *info)
{
   const VkMemoryAllocateFlagsInfo *flags = vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
   const VkMemoryOpaqueCaptureAddressAllocateInfo *address =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);
   if (address && address->opaqueCaptureAddress)
      return address->opaqueCaptureAddress;
   return flags && flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT ? PIPE_VA_REPLAYED : 0;
}

static enum pipe_result
create(struct vk_device *device, const VkMemoryAllocateInfo *info, struct vk_memory *memory)
{
   struct pipe_screen *screen = device->screen;
   const VkImportMemoryFdInfoKHR *fd = vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
   const VkImportMemoryHostPointerInfoEXT *host =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
   const VkMemoryPriorityAllocateInfoEXT *priority =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT);
   const uint64_t va = wanted_address(info);
   enum pipe_result result;
   memory->size_B = info->allocationSize;
   memory->type = info->memoryTypeIndex;
   memory->imported = (fd && fd->handleType) || (host && host->handleType);
   if (host && host->handleType)
      result = screen->memory_import_host
                  ? screen->memory_import_host(screen, host->pHostPointer, memory->size_B, &memory->memory)
                  : PIPE_UNSUPPORTED;
   else if (va && !memory->imported)
      result = screen->memory_create_at(screen, memory->type, memory->size_B, va, &memory->memory);
   else
      result = screen->memory_create(screen, memory->type, memory->size_B, fd && fd->handleType ? fd->fd : -1,
                                     &memory->memory);
   if (result == PIPE_OK && priority && screen->memory_prioritize)
      screen->memory_prioritize(screen, memory->memory, priority->priority);
   return result;
}

uint32_t
vk_memory_types(const struct pipe_caps *caps, bool descriptors)
{
   uint32_t types = 0;
   for (uint32_t i = 0; i < caps->num_memory_types; i++)
      types |= (uint32_t)(caps->memory_types[i].descriptors == descriptors) << i;
   return types;
}

static struct vk_address_range
range_of(const struct vk_device *device, const struct vk_memory *memory)
{
   return (struct vk_address_range){device->screen->memory_address(memory->memory), memory->size_B};
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_AllocateMemory(VkDevice _device, const VkMemoryAllocateInfo *pAllocateInfo,
                      const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory)
{
   VK_FROM(vk_device, device, _device);
   struct vk_memory *memory = vk_alloc(&device->alloc, pAllocator, sizeof(*memory));
   if (!memory)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   enum pipe_result result = create(device, pAllocateInfo, memory);
   if (result != PIPE_OK) {
      vk_memory_report(device, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT, memory);
      vk_free(&device->alloc, pAllocator, memory);
      return vk_result(result);
   }
   memory->report_id = __atomic_add_fetch(&device->report_ids, 1, __ATOMIC_RELAXED);
   vk_memory_report(device,
                    memory->imported ? VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_IMPORT_EXT
                                     : VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT,
                    memory);
   vk_address_report(device, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, VK_OBJECT_TYPE_DEVICE_MEMORY, memory,
                     range_of(device, memory));
   *pMemory = VK_TO(VkDeviceMemory, memory);
   return VK_SUCCESS;
}

/* The pages of a mapping that the application has placed. */
static size_t
placed_B(const struct vk_memory *memory)
{
   return align_up(memory->size_B, (uint64_t)sysconf(_SC_PAGESIZE));
}

VKAPI_ATTR void VKAPI_CALL
indium_FreeMemory(VkDevice _device, VkDeviceMemory _memory, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_memory, memory, _memory);
   if (!memory)
      return;
   vk_memory_report(device,
                    memory->imported ? VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_UNIMPORT_EXT
                                     : VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT,
                    memory);
   vk_address_report(device, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, VK_OBJECT_TYPE_DEVICE_MEMORY, memory,
                     range_of(device, memory));
   if (memory->placed)
      munmap(memory->placed, placed_B(memory));
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
indium_UnmapMemory(VkDevice device, VkDeviceMemory _memory)
{
   VK_FROM(vk_memory, memory, _memory);
   if (memory->placed)
      munmap(memory->placed, placed_B(memory));
   memory->placed = NULL; /* another mapping lives as long as the memory */
}

static VkResult
map_placed(struct vk_device *device, struct vk_memory *memory, const VkMemoryMapInfo *info, void **data)
{
   const VkMemoryMapPlacedInfoEXT *place = vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);
   const bool visible = device->screen->caps.memory_types[memory->type].host_visible;
   if (!place || (uintptr_t)place->pPlacedAddress % (uintptr_t)sysconf(_SC_PAGESIZE)) {
      log_error("vkMapMemory2: there is no place at whole pages to map memory at");
      return VK_ERROR_MEMORY_MAP_FAILED;
   }
   if (info->offset || !visible ||
       !device->screen->memory_map_at(device->screen, memory->memory, place->pPlacedAddress, placed_B(memory)))
      return VK_ERROR_MEMORY_MAP_FAILED;
   *data = memory->placed = place->pPlacedAddress;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_MapMemory2(VkDevice _device, const VkMemoryMapInfo *pMemoryMapInfo, void **ppData)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_memory, memory, pMemoryMapInfo->memory);
   if (pMemoryMapInfo->flags & VK_MEMORY_MAP_PLACED_BIT_EXT)
      return map_placed(device, memory, pMemoryMapInfo, ppData);
   return indium_MapMemory(_device, pMemoryMapInfo->memory, pMemoryMapInfo->offset, pMemoryMapInfo->size,
                           pMemoryMapInfo->flags, ppData);
}

/* The pages of a placed mapping may stay the application's: nobody else gets them. */
VKAPI_ATTR VkResult VKAPI_CALL
indium_UnmapMemory2(VkDevice device, const VkMemoryUnmapInfo *pMemoryUnmapInfo)
{
   VK_FROM(vk_memory, memory, pMemoryUnmapInfo->memory);
   if (pMemoryUnmapInfo->flags & VK_MEMORY_UNMAP_RESERVE_BIT_EXT) {
      if (!memory->placed) {
         log_error("vkUnmapMemory2: only the pages of placed mappings can stay reserved");
         return VK_ERROR_MEMORY_MAP_FAILED;
      }
      if (mmap(memory->placed, placed_B(memory), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
          MAP_FAILED)
         return VK_ERROR_MEMORY_MAP_FAILED;
      memory->placed = NULL;
   }
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
indium_GetDeviceMemoryOpaqueCaptureAddress(VkDevice _device, const VkDeviceMemoryOpaqueCaptureAddressInfo *pInfo)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_memory, memory, pInfo->memory);
   return device->screen->memory_address(memory->memory);
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

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetMemoryHostPointerPropertiesEXT(VkDevice _device, VkExternalMemoryHandleTypeFlagBits handleType,
                                         const void *pHostPointer,
                                         VkMemoryHostPointerPropertiesEXT *pMemoryHostPointerProperties)
{
   VK_FROM(vk_device, device, _device);
   const struct pipe_caps *caps = &device->screen->caps;
   pMemoryHostPointerProperties->memoryTypeBits = 0;
   if (handleType != VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT)
      return VK_ERROR_INVALID_EXTERNAL_HANDLE;
   for (uint32_t i = 0; i < caps->num_memory_types; i++) {
      if (caps->memory_types[i].host_cached && !caps->memory_types[i].device_local)
         pMemoryHostPointerProperties->memoryTypeBits |= 1u << i;
   }
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

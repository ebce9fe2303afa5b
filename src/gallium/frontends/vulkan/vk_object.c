#include "gallium/frontends/vulkan/vk_object.h"

#include <stdlib.h>

static void *VKAPI_PTR
default_alloc(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
   return malloc(size);
}

static void *VKAPI_PTR
default_realloc(void *user, void *original, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
   return realloc(original, size);
}

static void VKAPI_PTR
default_free(void *user, void *memory)
{
   free(memory);
}

const VkAllocationCallbacks vk_default_allocator = {
   .pfnAllocation = default_alloc,
   .pfnReallocation = default_realloc,
   .pfnFree = default_free,
};

/* In front of each object. */
union header {
   struct {
      struct vk_private_value *private_values;
      char *name;
   };
   char room[16]; /* objects keep their alignment */
};

void *
vk_alloc(const VkAllocationCallbacks *fallback, const VkAllocationCallbacks *allocator, size_t size_B)
{
   const VkAllocationCallbacks *from = allocator ? allocator : fallback;
   union header *header =
      from->pfnAllocation(from->pUserData, sizeof(*header) + size_B, 16, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
   if (!header)
      return NULL;
   memset(header, 0, sizeof(*header) + size_B);
   return header + 1;
}

void
vk_free(const VkAllocationCallbacks *fallback, const VkAllocationCallbacks *allocator, void *memory)
{
   const VkAllocationCallbacks *from = allocator ? allocator : fallback;
   if (!memory)
      return;
   union header *header = (union header *)memory - 1;
   vk_private_values_free(&header->private_values);
   free(header->name);
   from->pfnFree(from->pUserData, header);
}

struct vk_private_value **
vk_private_values(void *memory)
{
   return &((union header *)memory - 1)->private_values;
}

char **
vk_object_name(void *memory)
{
   return &((union header *)memory - 1)->name;
}

VkResult
vk_result(enum pipe_result result)
{
   switch (result) {
   case PIPE_OK:
      return VK_SUCCESS;
   case PIPE_TIMEOUT:
      return VK_TIMEOUT;
   case PIPE_OUT_OF_HOST_MEMORY:
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   case PIPE_OUT_OF_DEVICE_MEMORY:
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
   case PIPE_DEVICE_LOST:
      return VK_ERROR_DEVICE_LOST;
   case PIPE_INVALID_SHADER:
      return VK_ERROR_INVALID_SHADER_NV;
   case PIPE_UNSUPPORTED:
      return VK_ERROR_FEATURE_NOT_PRESENT;
   case PIPE_COMPILE_REQUIRED:
      return VK_PIPELINE_COMPILE_REQUIRED;
   case PIPE_NOT_PERMITTED:
      return VK_ERROR_NOT_PERMITTED;
   case PIPE_INVALID_HANDLE:
      return VK_ERROR_INVALID_EXTERNAL_HANDLE;
   case PIPE_ADDRESS_TAKEN:
      return VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS;
   }
   return VK_ERROR_UNKNOWN;
}

const void *
vk_find_struct(const void *chain, VkStructureType s_type)
{
   for (const VkBaseInStructure *it = chain; it; it = it->pNext) {
      if (it->sType == s_type)
         return it;
   }
   return NULL;
}

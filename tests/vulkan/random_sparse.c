#include "random_sparse.h"

#include <stdlib.h>

bool
random_can_be_sparse(struct vkx *vkx, const VkImageCreateInfo *info)
{
   VkImageFormatProperties properties;
   return vkt_features.sparseBinding && info->tiling == VK_IMAGE_TILING_OPTIMAL &&
          vkGetPhysicalDeviceImageFormatProperties(vkx->physical, info->format, info->imageType, info->tiling,
                                                   info->usage, info->flags | VK_IMAGE_CREATE_SPARSE_BINDING_BIT,
                                                   &properties) == VK_SUCCESS;
}

static VkQueue
binding_queue(struct vkx *vkx)
{
   for (uint32_t i = 0; i < vkt_num_queues; i++) {
      if (vkt_queues[i].flags & VK_QUEUE_SPARSE_BINDING_BIT)
         return vkt_queues[i].queue;
   }
   return vkx->queue;
}

static void
bind_pages(struct vkx *vkx, const struct vkt_image *image, const VkMemoryRequirements *needs)
{
   const uint32_t count = (uint32_t)(needs->size / needs->alignment);
   VkSparseMemoryBind *pages = calloc(count, sizeof(*pages));
   const VkSparseImageOpaqueMemoryBindInfo binds = {image->image, count, pages};
   const VkBindSparseInfo info = {
      .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .imageOpaqueBindCount = 1, .pImageOpaqueBinds = &binds};
   for (uint32_t i = 0; i < count; i++)
      pages[i] = (VkSparseMemoryBind){.resourceOffset = i * needs->alignment,
                                      .size = needs->alignment,
                                      .memory = image->memory,
                                      .memoryOffset = (count - 1 - i) * needs->alignment};
   const VkQueue queue = binding_queue(vkx);
   vkx_check(vkQueueBindSparse(queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
   vkx_check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
   free(pages);
}

struct vkt_image
random_sparse_create(struct vkx *vkx, VkImageCreateInfo info)
{
   struct vkt_image image;
   VkMemoryRequirements needs;
   info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
   info.samples = VK_SAMPLE_COUNT_1_BIT;
   info.flags |= VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
   image.info = info;
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &image.image), "vkCreateImage");
   vkGetImageMemoryRequirements(vkx->device, image.image, &needs);
   const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .allocationSize = needs.size,
                                        .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   vkx_check(vkAllocateMemory(vkx->device, &memory, NULL, &image.memory), "vkAllocateMemory");
   bind_pages(vkx, &image, &needs);
   return image;
}

#include "sparse_binds.h"

bool
sparse_start(struct sparse *sparse, struct vkx *vkx)
{
   *sparse = (struct sparse){.vkx = vkx, .strict = vkx->properties.sparseProperties.residencyNonResidentStrict};
   for (uint32_t i = 0; i < vkt_num_queues && !sparse->queue; i++)
      if (vkt_queues[i].flags & VK_QUEUE_SPARSE_BINDING_BIT)
         sparse->queue = vkt_queues[i].queue;
   if (!sparse->queue)
      vkt_skip("sparse resources");
   return sparse->queue != NULL;
}

void
sparse_finish(struct sparse *sparse)
{
   for (uint32_t i = 0; i < sparse->num_memories; i++)
      vkFreeMemory(sparse->vkx->device, sparse->memories[i], NULL);
}

VkDeviceMemory
sparse_memory(struct sparse *sparse, const VkMemoryRequirements *needs, VkDeviceSize size_B)
{
   VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = size_B};
   VkDeviceMemory memory;
   while (!(needs->memoryTypeBits >> info.memoryTypeIndex & 1))
      info.memoryTypeIndex++;
   vkx_check(vkAllocateMemory(sparse->vkx->device, &info, NULL, &memory), "vkAllocateMemory");
   if (sparse->num_memories < SPARSE_MAX_MEMORIES)
      sparse->memories[sparse->num_memories++] = memory;
   return memory;
}

void
sparse_bind(struct sparse *sparse, const VkBindSparseInfo *info)
{
   vkx_check(vkQueueBindSparse(sparse->queue, 1, info, VK_NULL_HANDLE), "vkQueueBindSparse");
   vkx_check(vkQueueWaitIdle(sparse->queue), "vkQueueWaitIdle");
}

void
sparse_bind_buffer(struct sparse *sparse, VkBuffer buffer, VkDeviceSize offset_B, VkDeviceSize size_B,
                   VkDeviceMemory memory, VkDeviceSize memory_offset_B)
{
   const VkSparseMemoryBind bind = {offset_B, size_B, memory, memory_offset_B, 0};
   const VkSparseBufferMemoryBindInfo of_buffer = {buffer, 1, &bind};
   sparse_bind(sparse, &(VkBindSparseInfo){.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                           .bufferBindCount = 1,
                                           .pBufferBinds = &of_buffer});
}

void
sparse_bind_opaque(struct sparse *sparse, VkImage image, VkDeviceSize offset_B, VkDeviceSize size_B,
                   VkDeviceMemory memory)
{
   const VkSparseMemoryBind bind = {offset_B, size_B, memory, 0, 0};
   const VkSparseImageOpaqueMemoryBindInfo of_image = {image, 1, &bind};
   sparse_bind(sparse, &(VkBindSparseInfo){.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                           .imageOpaqueBindCount = 1,
                                           .pImageOpaqueBinds = &of_image});
}

void
sparse_bind_box(struct sparse *sparse, VkImage image, const VkSparseImageMemoryBind *bind)
{
   const VkSparseImageMemoryBindInfo of_image = {image, 1, bind};
   sparse_bind(sparse, &(VkBindSparseInfo){.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                           .imageBindCount = 1,
                                           .pImageBinds = &of_image});
}

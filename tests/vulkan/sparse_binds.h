/* What programs of sparse resources share: a queue that binds, memory, one bind at a time. */
#ifndef SPARSE_BINDS_H
#define SPARSE_BINDS_H

#include "vkt.h"

#define SPARSE_MAX_MEMORIES 64

struct sparse {
   struct vkx *vkx;
   VkQueue queue;
   bool strict;                                  /* what has no memory reads as 0 */
   VkDeviceMemory memories[SPARSE_MAX_MEMORIES]; /* freed at the end */
   uint32_t num_memories;
};

/* False, and a line: the device has no queue for it. vkt_all_queues was set before vkt_create(). */
bool sparse_start(struct sparse *sparse, struct vkx *vkx);
void sparse_finish(struct sparse *sparse);

/* Device-local, of a type that `needs` allows. */
VkDeviceMemory sparse_memory(struct sparse *sparse, const VkMemoryRequirements *needs, VkDeviceSize size_B);

/* Binds, and waits for it. memory 0: takes away. */
void sparse_bind_buffer(struct sparse *sparse, VkBuffer buffer, VkDeviceSize offset_B, VkDeviceSize size_B,
                        VkDeviceMemory memory, VkDeviceSize memory_offset_B);
void sparse_bind_opaque(struct sparse *sparse, VkImage image, VkDeviceSize offset_B, VkDeviceSize size_B,
                        VkDeviceMemory memory);
void sparse_bind_box(struct sparse *sparse, VkImage image, const VkSparseImageMemoryBind *bind);

/* The same of a whole batch. */
void sparse_bind(struct sparse *sparse, const VkBindSparseInfo *info);

#endif

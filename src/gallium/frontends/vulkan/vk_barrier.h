/* Dependencies in the contract's words (vk_cmd_barrier.c). */
#ifndef INDIUM_VK_BARRIER_H
#define INDIUM_VK_BARRIER_H

#include "gallium/frontends/vulkan/vk_private.h"

/* enum pipe_stage bits of VkPipelineStageFlags2. */
uint32_t vk_stages(uint64_t stages);

struct pipe_barrier vk_barrier(uint64_t src_stages, uint64_t dst_stages, uint64_t src_access, uint64_t dst_access);

/* Both at once. */
void vk_barrier_merge(struct pipe_barrier *to, struct pipe_barrier from);

/* The barriers of one command of the first version. */
struct pipe_barrier vk_merge_barriers(uint64_t src_stages, uint64_t dst_stages, uint32_t num_memory,
                                      const VkMemoryBarrier *memory, uint32_t num_buffers,
                                      const VkBufferMemoryBarrier *buffers, uint32_t num_images,
                                      const VkImageMemoryBarrier *images);

/* After the barrier: of those that leave an undefined layout, drivers learn that nothing is there. */
void vk_discard_images(struct vk_command_buffer *cmd, uint32_t count, const VkImageMemoryBarrier *images);

#endif

/* Dependencies in the contract's words (vk_cmd_barrier.c, vk_layout.c). */
#ifndef INDIUM_VK_BARRIER_H
#define INDIUM_VK_BARRIER_H

#include "gallium/frontends/vulkan/vk_private.h"

/* enum pipe_stage bits of VkPipelineStageFlags2. */
uint32_t vk_stages(uint64_t stages);

/* Without images and buffers. */
struct pipe_barrier vk_barrier(uint64_t src_stages, uint64_t dst_stages, uint64_t src_access, uint64_t dst_access);

/* Both at once; images and buffers are those of *to. */
void vk_barrier_merge(struct pipe_barrier *to, struct pipe_barrier from);

/* A change of an image's layouts or owner. */
struct vk_transition {
   const struct vk_image *image;
   uint32_t planes; /* bits */
   struct pipe_subresource_range range;
   struct vk_layouts from, to;
   uint32_t src_family, dst_family; /* as of struct pipe_image_barrier */
};

/* enum pipe_use bits that the layout allows; aspect: one. */
uint32_t vk_layout_uses(VkImageLayout layout, uint32_t aspect);

#define VK_MAX_IMAGE_BARRIERS VK_MAX_PLANES

/* In the contract's words; returns how many: none if nothing changes, two if depth and stencil differ, one for each
 * of several planes. */
unsigned vk_image_barriers(const struct vk_transition *transition,
                           struct pipe_image_barrier out[VK_MAX_IMAGE_BARRIERS]);

/* The barriers of all infos as one, for vkCmdPipelineBarrier2 and vkCmdWaitEvents2. */
void vk_cmd_dependencies(struct vk_command_buffer *cmd, uint32_t count, const VkDependencyInfo *infos);

/* The barriers of one command of the first version, which share their stages. */
struct vk_barriers {
   VkPipelineStageFlags src_stages, dst_stages;
   VkDependencyFlags flags;
   uint32_t num_memory, num_buffers, num_images;
   const VkMemoryBarrier *memory;
   const VkBufferMemoryBarrier *buffers;
   const VkImageMemoryBarrier *images;
};

/* Memory of a command while it is recorded: `few`, or the heap if that is too small. */
struct vk_room {
   void *heap;
   _Alignas(8) char few[2048];
};

/* Zeroed; NULL, and the command buffer fails: out of memory. */
void *vk_room_take(struct vk_command_buffer *cmd, struct vk_room *room, size_t size_B);
void vk_room_leave(struct vk_command_buffer *cmd, struct vk_room *room);

/* The same for the second version, then count - 1 infos without barriers; all in `room`. NULL as above. */
VkDependencyInfo *vk_upgrade_barriers(struct vk_command_buffer *cmd, const struct vk_barriers *from, uint32_t count,
                                      struct vk_room *room);

#endif

/* Barriers in command buffers. Stage and access bits of the first synchronization commands have
 * the same values in the second ones. */
#include "gallium/frontends/vulkan/vk_barrier.h"
#include "util/macros.h"

static const struct {
   uint64_t vk;
   uint32_t pipe;
} stage_map[] = {
   {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, PIPE_STAGE_INDIRECT},
   {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
       VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
    PIPE_STAGE_VERTEX},
   {VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT, 1 << NIR_STAGE_TESS_CTRL},
   {VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT, 1 << NIR_STAGE_TESS_EVAL},
   {VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT, 1 << NIR_STAGE_GEOMETRY},
   {VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, PIPE_STAGE_PRE_RASTER},
   {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
       VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
    PIPE_STAGE_FRAGMENT},
   {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, PIPE_STAGE_COLOR},
   {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, PIPE_STAGE_COMPUTE},
   {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
       VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT,
    PIPE_STAGE_TRANSFER},
   {VK_PIPELINE_STAGE_2_HOST_BIT, PIPE_STAGE_HOST},
   {VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
    PIPE_STAGE_INDIRECT | PIPE_STAGE_PRE_RASTER | PIPE_STAGE_FRAGMENT | PIPE_STAGE_COLOR},
   {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, PIPE_STAGE_ALL},
};

static const struct {
   uint64_t vk;
   uint32_t pipe;
} access_map[] = {
   {VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, PIPE_ACCESS_INDIRECT_READ},
   {VK_ACCESS_2_INDEX_READ_BIT, PIPE_ACCESS_INDEX_READ},
   {VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, PIPE_ACCESS_VERTEX_READ},
   {VK_ACCESS_2_UNIFORM_READ_BIT, PIPE_ACCESS_UNIFORM_READ},
   {VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
    PIPE_ACCESS_SHADER_READ | PIPE_ACCESS_UNIFORM_READ},
   {VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR,
    PIPE_ACCESS_SHADER_READ},
   {VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, PIPE_ACCESS_SHADER_WRITE},
   {VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT, PIPE_ACCESS_COLOR_READ},
   {VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, PIPE_ACCESS_COLOR_WRITE},
   {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT, PIPE_ACCESS_DEPTH_READ},
   {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, PIPE_ACCESS_DEPTH_WRITE},
   {VK_ACCESS_2_TRANSFER_READ_BIT, PIPE_ACCESS_TRANSFER_READ},
   {VK_ACCESS_2_TRANSFER_WRITE_BIT, PIPE_ACCESS_TRANSFER_WRITE},
   {VK_ACCESS_2_HOST_READ_BIT, PIPE_ACCESS_HOST_READ},
   {VK_ACCESS_2_HOST_WRITE_BIT, PIPE_ACCESS_HOST_WRITE},
   {VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT, PIPE_ACCESS_ALL},
};

uint32_t
vk_stages(uint64_t stages)
{
   uint32_t bits = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(stage_map); i++)
      bits |= stages & stage_map[i].vk ? stage_map[i].pipe : 0;
   return bits;
}

static uint32_t
map_accesses(uint64_t access)
{
   uint32_t bits = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(access_map); i++)
      bits |= access & access_map[i].vk ? access_map[i].pipe : 0;
   return bits;
}

struct pipe_barrier
vk_barrier(uint64_t src_stages, uint64_t dst_stages, uint64_t src_access, uint64_t dst_access)
{
   /* As a source, bottom of pipe is everything before; as a destination, top of pipe is everything behind. */
   if (src_stages & VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT)
      src_stages |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
   if (dst_stages & VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT)
      dst_stages |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
   return (struct pipe_barrier){vk_stages(src_stages), vk_stages(dst_stages), map_accesses(src_access),
                                map_accesses(dst_access)};
}

void
vk_barrier_merge(struct pipe_barrier *to, struct pipe_barrier from)
{
   to->src_stages |= from.src_stages;
   to->dst_stages |= from.dst_stages;
   to->src_access |= from.src_access;
   to->dst_access |= from.dst_access;
}

static void
discard(struct vk_command_buffer *cmd, VkImageLayout old_layout, VkImage _image, const VkImageSubresourceRange *range)
{
   VK_FROM(vk_image, image, _image);
   if (old_layout != VK_IMAGE_LAYOUT_UNDEFINED || !cmd->pipe->discard_image)
      return;
   struct pipe_subresource_range all = vk_subresource_range(image, range);
   cmd->pipe->discard_image(cmd->pipe, image->resource, &all);
}

void
vk_discard_images(struct vk_command_buffer *cmd, uint32_t count, const VkImageMemoryBarrier *images)
{
   for (uint32_t i = 0; i < count; i++)
      discard(cmd, images[i].oldLayout, images[i].image, &images[i].subresourceRange);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPipelineBarrier2(VkCommandBuffer commandBuffer, const VkDependencyInfo *pDependencyInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_barrier barrier = {0};
   for (uint32_t i = 0; i < pDependencyInfo->memoryBarrierCount; i++) {
      const VkMemoryBarrier2 *from = &pDependencyInfo->pMemoryBarriers[i];
      vk_barrier_merge(&barrier,
                       vk_barrier(from->srcStageMask, from->dstStageMask, from->srcAccessMask, from->dstAccessMask));
   }
   for (uint32_t i = 0; i < pDependencyInfo->bufferMemoryBarrierCount; i++) {
      const VkBufferMemoryBarrier2 *from = &pDependencyInfo->pBufferMemoryBarriers[i];
      vk_barrier_merge(&barrier,
                       vk_barrier(from->srcStageMask, from->dstStageMask, from->srcAccessMask, from->dstAccessMask));
   }
   for (uint32_t i = 0; i < pDependencyInfo->imageMemoryBarrierCount; i++) {
      const VkImageMemoryBarrier2 *from = &pDependencyInfo->pImageMemoryBarriers[i];
      vk_barrier_merge(&barrier,
                       vk_barrier(from->srcStageMask, from->dstStageMask, from->srcAccessMask, from->dstAccessMask));
   }
   cmd->pipe->barrier(cmd->pipe, &barrier);
   for (uint32_t i = 0; i < pDependencyInfo->imageMemoryBarrierCount; i++) {
      const VkImageMemoryBarrier2 *from = &pDependencyInfo->pImageMemoryBarriers[i];
      discard(cmd, from->oldLayout, from->image, &from->subresourceRange);
   }
}

struct pipe_barrier
vk_merge_barriers(uint64_t src_stages, uint64_t dst_stages, uint32_t num_memory, const VkMemoryBarrier *memory,
                  uint32_t num_buffers, const VkBufferMemoryBarrier *buffers, uint32_t num_images,
                  const VkImageMemoryBarrier *images)
{
   uint64_t src_access = 0, dst_access = 0;
   for (uint32_t i = 0; i < num_memory; i++) {
      src_access |= memory[i].srcAccessMask;
      dst_access |= memory[i].dstAccessMask;
   }
   for (uint32_t i = 0; i < num_buffers; i++) {
      src_access |= buffers[i].srcAccessMask;
      dst_access |= buffers[i].dstAccessMask;
   }
   for (uint32_t i = 0; i < num_images; i++) {
      src_access |= images[i].srcAccessMask;
      dst_access |= images[i].dstAccessMask;
   }
   return vk_barrier(src_stages, dst_stages, src_access, dst_access);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags srcStageMask,
                          VkPipelineStageFlags dstStageMask, VkDependencyFlags dependencyFlags,
                          uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
                          uint32_t bufferMemoryBarrierCount, const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                          uint32_t imageMemoryBarrierCount, const VkImageMemoryBarrier *pImageMemoryBarriers)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_barrier barrier =
      vk_merge_barriers(srcStageMask, dstStageMask, memoryBarrierCount, pMemoryBarriers, bufferMemoryBarrierCount,
                        pBufferMemoryBarriers, imageMemoryBarrierCount, pImageMemoryBarriers);
   cmd->pipe->barrier(cmd->pipe, &barrier);
   vk_discard_images(cmd, imageMemoryBarrierCount, pImageMemoryBarriers);
}

/* Barriers in command buffers. Commands of the first version become one of the second. Its stage and access bits have
 * the same values. */
#include "gallium/frontends/vulkan/vk_barrier.h"
#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/macros.h"

static const struct {
   uint64_t vk;
   uint32_t pipe;
} stage_map[] = {
   {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT, PIPE_STAGE_INDIRECT},
   {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
       VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
    PIPE_STAGE_VERTEX},
   {VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT, 1 << NIR_STAGE_TESS_CTRL},
   {VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT, 1 << NIR_STAGE_TESS_EVAL},
   {VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT, 1 << NIR_STAGE_GEOMETRY},
   {VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT, 1 << NIR_STAGE_TASK},
   {VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT, 1 << NIR_STAGE_MESH},
   {VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, PIPE_STAGE_PRE_RASTER},
   {VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, PIPE_STAGE_PRE_RASTER | PIPE_STAGE_INDIRECT},
   {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
       VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
    PIPE_STAGE_FRAGMENT},
   {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, PIPE_STAGE_COLOR},
   {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_EXT, PIPE_STAGE_COMPUTE},
   {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
       VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_COPY_INDIRECT_BIT_KHR,
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
   {VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT,
    PIPE_ACCESS_INDIRECT_READ},
   {VK_ACCESS_2_INDEX_READ_BIT, PIPE_ACCESS_INDEX_READ},
   {VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, PIPE_ACCESS_VERTEX_READ},
   {VK_ACCESS_2_UNIFORM_READ_BIT, PIPE_ACCESS_UNIFORM_READ},
   {VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
    PIPE_ACCESS_SHADER_READ | PIPE_ACCESS_UNIFORM_READ},
   {VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_EXT, PIPE_ACCESS_SHADER_READ},
   {VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR,
    PIPE_ACCESS_SHADER_READ},
   {VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT |
       VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_EXT,
    PIPE_ACCESS_SHADER_WRITE},
   {VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
    PIPE_ACCESS_SHADER_WRITE},
   {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, PIPE_ACCESS_INDIRECT_READ},
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
   /* As a source, bottom of pipe is everything before; as a destination, top of pipe is everything after. */
   if (src_stages & VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT)
      src_stages |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
   if (dst_stages & VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT)
      dst_stages |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
   return (struct pipe_barrier){
      .src_stages = vk_stages(src_stages),
      .dst_stages = vk_stages(dst_stages),
      .src_access = map_accesses(src_access),
      .dst_access = map_accesses(dst_access),
   };
}

void
vk_barrier_merge(struct pipe_barrier *to, struct pipe_barrier from)
{
   to->src_stages |= from.src_stages;
   to->dst_stages |= from.dst_stages;
   to->src_access |= from.src_access;
   to->dst_access |= from.dst_access;
}

_Static_assert(PIPE_FAMILY_EXTERNAL == VK_QUEUE_FAMILY_EXTERNAL && PIPE_FAMILY_FOREIGN == VK_QUEUE_FAMILY_FOREIGN_EXT,
               "families have Vulkan's numbers");

/* Layers of 3D images that views of 2D arrays show are slices (VK_KHR_maintenance9). */
static struct pipe_subresource_range
barrier_range(const struct vk_image *image, const VkImageSubresourceRange *range)
{
   struct pipe_subresource_range out = vk_subresource_range(image, range);
   if (image->desc.type == PIPE_IMAGE_3D && range->layerCount == VK_REMAINING_ARRAY_LAYERS)
      out.layers = MAX2(image->desc.depth_px >> range->baseMipLevel, 1u) - range->baseArrayLayer;
   return out;
}

static struct vk_transition
image_transition(const VkImageMemoryBarrier2 *from)
{
   VK_FROM(vk_image, image, from->image);
   return (struct vk_transition){
      .image = image,
      .planes = vk_planes(from->subresourceRange.aspectMask),
      .range = barrier_range(image, &from->subresourceRange),
      .from = {from->oldLayout, from->oldLayout},
      .to = {from->newLayout, from->newLayout},
      .src_family = from->srcQueueFamilyIndex,
      .dst_family = from->dstQueueFamilyIndex,
   };
}

static struct pipe_buffer_barrier
buffer_barrier(const VkBufferMemoryBarrier2 *from)
{
   VK_FROM(vk_buffer, buffer, from->buffer);
   return (struct pipe_buffer_barrier){
      .buffer = buffer->resource,
      .offset_B = from->offset,
      .size_B = from->size == VK_WHOLE_SIZE ? buffer->size_B - from->offset : from->size,
      .src_family = from->srcQueueFamilyIndex,
      .dst_family = from->dstQueueFamilyIndex,
   };
}

/* Ranges of addresses count as all memory: no driver orders less. */
static void
add_ranges(struct pipe_barrier *to, const void *chain)
{
   const VkMemoryRangeBarriersInfoKHR *ranges =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
   for (uint32_t i = 0; ranges && i < ranges->memoryRangeBarrierCount; i++) {
      const VkMemoryRangeBarrierKHR *from = &ranges->pMemoryRangeBarriers[i];
      vk_barrier_merge(to,
                       vk_barrier(from->srcStageMask, from->dstStageMask, from->srcAccessMask, from->dstAccessMask));
   }
}

/* Adds an info; images, buffers: room for its own. */
static void
add_dependency(struct pipe_barrier *to, const VkDependencyInfo *info, struct pipe_image_barrier *images,
               struct pipe_buffer_barrier *buffers)
{
   for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
      const VkMemoryBarrier2 *from = &info->pMemoryBarriers[i];
      vk_barrier_merge(to,
                       vk_barrier(from->srcStageMask, from->dstStageMask, from->srcAccessMask, from->dstAccessMask));
   }
   add_ranges(to, info->pNext);
   for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
      const VkBufferMemoryBarrier2 *from = &info->pBufferMemoryBarriers[i];
      vk_barrier_merge(to,
                       vk_barrier(from->srcStageMask, from->dstStageMask, from->srcAccessMask, from->dstAccessMask));
      buffers[to->num_buffers++] = buffer_barrier(from);
   }
   for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
      const VkImageMemoryBarrier2 *from = &info->pImageMemoryBarriers[i];
      const struct vk_transition transition = image_transition(from);
      vk_barrier_merge(to,
                       vk_barrier(from->srcStageMask, from->dstStageMask, from->srcAccessMask, from->dstAccessMask));
      to->num_images += vk_image_barriers(&transition, images + to->num_images);
   }
}

void *
vk_room_take(struct vk_command_buffer *cmd, struct vk_room *room, size_t size_B)
{
   room->heap = NULL;
   if (size_B <= sizeof(room->few))
      return memset(room->few, 0, size_B);
   room->heap = vk_alloc(&cmd->pool->device->alloc, NULL, size_B);
   if (!room->heap)
      cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
   return room->heap;
}

void
vk_room_leave(struct vk_command_buffer *cmd, struct vk_room *room)
{
   vk_free(&cmd->pool->device->alloc, NULL, room->heap);
}

void
vk_cmd_dependencies(struct vk_command_buffer *cmd, uint32_t count, const VkDependencyInfo *infos)
{
   struct vk_room room;
   size_t num_images = 0, num_buffers = 0;
   for (uint32_t i = 0; i < count; i++) {
      num_images += VK_MAX_IMAGE_BARRIERS * infos[i].imageMemoryBarrierCount;
      num_buffers += infos[i].bufferMemoryBarrierCount;
   }
   const size_t buffers_B = num_buffers * sizeof(struct pipe_buffer_barrier);
   struct pipe_buffer_barrier *buffers =
      vk_room_take(cmd, &room, buffers_B + num_images * sizeof(struct pipe_image_barrier));
   struct pipe_image_barrier *images = buffers ? (struct pipe_image_barrier *)(buffers + num_buffers) : NULL;
   struct pipe_barrier barrier = {.images = images, .buffers = buffers};
   for (uint32_t i = 0; images && i < count; i++)
      add_dependency(&barrier, &infos[i], images, buffers);
   if (images)
      cmd->pipe->barrier(cmd->pipe, &barrier);
   vk_room_leave(cmd, &room);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPipelineBarrier2(VkCommandBuffer commandBuffer, const VkDependencyInfo *pDependencyInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   vk_cmd_dependencies(cmd, 1, pDependencyInfo);
}

/* ---- the first versions ---- */

static VkBufferMemoryBarrier2
upgrade_buffer_barrier(const struct vk_barriers *all, const VkBufferMemoryBarrier *from)
{
   return (VkBufferMemoryBarrier2){
      .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
      .pNext = from->pNext,
      .srcStageMask = all->src_stages,
      .srcAccessMask = from->srcAccessMask,
      .dstStageMask = all->dst_stages,
      .dstAccessMask = from->dstAccessMask,
      .srcQueueFamilyIndex = from->srcQueueFamilyIndex,
      .dstQueueFamilyIndex = from->dstQueueFamilyIndex,
      .buffer = from->buffer,
      .offset = from->offset,
      .size = from->size,
   };
}

static VkImageMemoryBarrier2
upgrade_image_barrier(const struct vk_barriers *all, const VkImageMemoryBarrier *from)
{
   return (VkImageMemoryBarrier2){
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
      .pNext = from->pNext,
      .srcStageMask = all->src_stages,
      .srcAccessMask = from->srcAccessMask,
      .dstStageMask = all->dst_stages,
      .dstAccessMask = from->dstAccessMask,
      .oldLayout = from->oldLayout,
      .newLayout = from->newLayout,
      .srcQueueFamilyIndex = from->srcQueueFamilyIndex,
      .dstQueueFamilyIndex = from->dstQueueFamilyIndex,
      .image = from->image,
      .subresourceRange = from->subresourceRange,
   };
}

static VkMemoryBarrier2
upgrade_memory_barrier(const struct vk_barriers *all, const VkMemoryBarrier *from)
{
   return (VkMemoryBarrier2){
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
      .pNext = from->pNext,
      .srcStageMask = all->src_stages,
      .srcAccessMask = from->srcAccessMask,
      .dstStageMask = all->dst_stages,
      .dstAccessMask = from->dstAccessMask,
   };
}

/* One memory barrier more than there are: the stages count without any barrier, too. */
VkDependencyInfo *
vk_upgrade_barriers(struct vk_command_buffer *cmd, const struct vk_barriers *from, uint32_t count,
                    struct vk_room *room)
{
   VkDependencyInfo *infos = vk_room_take(
      cmd, room,
      count * sizeof(*infos) + (from->num_memory + 1u) * sizeof(VkMemoryBarrier2) +
         from->num_buffers * sizeof(VkBufferMemoryBarrier2) + from->num_images * sizeof(VkImageMemoryBarrier2));
   if (!infos)
      return NULL;
   VkMemoryBarrier2 *memory = (VkMemoryBarrier2 *)(infos + count);
   VkBufferMemoryBarrier2 *buffers = (VkBufferMemoryBarrier2 *)(memory + from->num_memory + 1);
   VkImageMemoryBarrier2 *images = (VkImageMemoryBarrier2 *)(buffers + from->num_buffers);
   memory[from->num_memory] = upgrade_memory_barrier(from, &(VkMemoryBarrier){0});
   for (uint32_t i = 0; i < from->num_memory; i++)
      memory[i] = upgrade_memory_barrier(from, &from->memory[i]);
   for (uint32_t i = 0; i < from->num_buffers; i++)
      buffers[i] = upgrade_buffer_barrier(from, &from->buffers[i]);
   for (uint32_t i = 0; i < from->num_images; i++)
      images[i] = upgrade_image_barrier(from, &from->images[i]);
   for (uint32_t i = 0; i < count; i++)
      infos[i].sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
   infos[0] = (VkDependencyInfo){
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
      .dependencyFlags = from->flags,
      .memoryBarrierCount = from->num_memory + 1,
      .pMemoryBarriers = memory,
      .bufferMemoryBarrierCount = from->num_buffers,
      .pBufferMemoryBarriers = buffers,
      .imageMemoryBarrierCount = from->num_images,
      .pImageMemoryBarriers = images,
   };
   return infos;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags srcStageMask,
                          VkPipelineStageFlags dstStageMask, VkDependencyFlags dependencyFlags,
                          uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
                          uint32_t bufferMemoryBarrierCount, const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                          uint32_t imageMemoryBarrierCount, const VkImageMemoryBarrier *pImageMemoryBarriers)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_barriers barriers = {
      .src_stages = srcStageMask,
      .dst_stages = dstStageMask,
      .flags = dependencyFlags,
      .num_memory = memoryBarrierCount,
      .num_buffers = bufferMemoryBarrierCount,
      .num_images = imageMemoryBarrierCount,
      .memory = pMemoryBarriers,
      .buffers = pBufferMemoryBarriers,
      .images = pImageMemoryBarriers,
   };
   struct vk_room room;
   const VkDependencyInfo *info = vk_upgrade_barriers(cmd, &barriers, 1, &room);
   if (info)
      indium_CmdPipelineBarrier2(commandBuffer, info);
   vk_room_leave(cmd, &room);
}

/* What the tests of fixed functions share: a target, vertices that tests place, pipelines of one shader. */
#ifndef FIXED_H
#define FIXED_H

#include "pass_helpers.h"

static const uint32_t vertex_code[] = {
#include "fixed.vert.inc"
};
static const uint32_t points_code[] = {
#include "fixed_points.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "fixed.frag.inc"
};

#define MAX_VERTICES 32u

struct vertex {
   float x, y, z, w;
};

static struct vkt_target target;
static struct vkx_buffer vertices, indices; /* quad_layout is of nothing */

static const VkPipelineRasterizationStateCreateInfo plain_raster = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};

static inline struct vertex
at_px(float x, float y, float z)
{
   return (struct vertex){2 * x / SIZE - 1, 2 * y / SIZE - 1, z, 1};
}

static inline VkPipeline
create_pipeline(const struct vkt_pipeline_info *from)
{
   static const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX};
   static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
   static const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = 1,
      .pVertexAttributeDescriptions = &attribute};
   struct vkt_pipeline_info info = *from;
   info.pass = info.pass ? info.pass : target.pass;
   info.layout = quad_layout;
   info.vertex_input = &input;
   info.vertex = info.points ? VKT_CODE(points_code) : VKT_CODE(vertex_code);
   if (!info.fragment.words)
      info.fragment = VKT_CODE(fragment_code);
   return vkt_pipeline_create(vkx, &info);
}

static inline VkCommandBuffer
begin_with(VkPipeline pipeline)
{
   const VkDeviceSize zero = 0;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &zero);
   vkCmdBindIndexBuffer(cmd, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
   return cmd;
}

static inline void
end_and_read(VkCommandBuffer cmd)
{
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&target.color);
}

static inline void
fixed_start(struct vkx *device)
{
   vkx = device;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   vertices = vkt_buffer_create(vkx, MAX_VERTICES * sizeof(struct vertex), 0);
   indices = vkt_buffer_create(vkx, MAX_VERTICES * sizeof(uint16_t), 0);
   quad_layout = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, 0, 0);
   target = vkt_target_create(vkx, RGBA8, VK_FORMAT_D32_SFLOAT, extent, 1, VK_SAMPLE_COUNT_1_BIT);
}

static inline int
fixed_finish(void)
{
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &indices);
   vkx_buffer_destroy(vkx, &vertices);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}

#endif

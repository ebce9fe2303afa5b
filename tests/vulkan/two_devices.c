/* Two devices of one GPU draw at once, each with tessellation, whose memory on the GPU a driver may keep for both.
 * Each submits several draws without a wait; 16 patches fill a cell of 16 x 16 texels each, with numbers that are
 * known. */
#include <string.h>

#include "vkt_draw.h"

#define MODULE(name) static const uint32_t name[] = {
MODULE(vertex_code)
#include "tessellated.vert.inc"
}
;
MODULE(control_code)
#include "tessellated_3.tesc.inc"
}
;
MODULE(evaluation_code)
#include "tessellated_quads_equal_3.tese.inc"
}
;
MODULE(fragment_code)
#include "tessellated.frag.inc"
}
;

enum { EDGE = 64, CELL = 16, PATCHES = 16, VERTICES = 4, MADE = 3, SUBMITS = 4 };

struct side {
   struct vkx *vkx;
   struct vkt_target target;
   struct vkx_buffer result, factors;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkFence fence;
};

static void
create_layout(struct side *s)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                 VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, NULL};
   const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
   const struct vkt_descriptor descriptor = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = s->factors.buffer};
   vkx_check(vkCreateDescriptorSetLayout(s->vkx->device, &info, NULL, &s->set_layout), "vkCreateDescriptorSetLayout");
   s->layout = vkx_pipeline_layout_create(s->vkx, s->set_layout, 0, 0);
   s->set = vkt_bindings_create(s->vkx, &s->pool, s->set_layout, 1, &descriptor);
}

/* number: of the device; the sides of one have other factors. */
static void
create(struct side *s, uint32_t number)
{
   static const VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = VERTICES};
   const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   s->target = vkt_target_create(s->vkx, VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_UNDEFINED, (VkExtent2D){EDGE, EDGE},
                                 1, VK_SAMPLE_COUNT_1_BIT);
   s->result = vkt_buffer_create(s->vkx, EDGE * EDGE * 16, 0);
   s->factors = vkt_buffer_create(s->vkx, 6 * PATCHES * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   for (uint32_t i = 0; i < 6 * PATCHES; i++)
      ((float *)s->factors.map)[i] = (float)(number ? 21 - i / 6 : 3 + i / 6);
   create_layout(s);
   s->pipeline = vkt_pipeline_create(s->vkx, &(struct vkt_pipeline_info){.pass = s->target.pass,
                                                                         .layout = s->layout,
                                                                         .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                                                                         .tessellation = &tessellation,
                                                                         .vertex = VKT_CODE(vertex_code),
                                                                         .control = VKT_CODE(control_code),
                                                                         .evaluation = VKT_CODE(evaluation_code),
                                                                         .fragment = VKT_CODE(fragment_code)});
   vkx_check(vkCreateFence(s->vkx->device, &fence, NULL, &s->fence), "vkCreateFence");
}

static void
submit(struct side *s, bool is_last)
{
   VkCommandBuffer cmd = vkx_begin(s->vkx);
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   vkt_transition(cmd, &s->target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, &s->target, s->target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0, NULL);
   vkCmdDraw(cmd, VERTICES * PATCHES, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   vkx_check(vkQueueSubmit(s->vkx->queue, 1, &info, is_last ? s->fence : VK_NULL_HANDLE), "vkQueueSubmit");
}

/* As tessellation.c has them. */
static void
compare(struct side *s, uint32_t number)
{
   const uint32_t(*texels)[4] = s->result.map;
   uint32_t wrong = 0;
   vkt_read(s->vkx, &s->target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &s->result);
   for (uint32_t i = 0; i < EDGE * EDGE; i++) {
      const uint32_t patch = i / EDGE / CELL * 4 + i % EDGE / CELL, n = VERTICES, m = MADE;
      const uint32_t sum = n * n * patch + n * (n - 1) / 2;
      const uint32_t value[4] = {patch, n, m * sum + m * (m - 1) / 2,
                                 sum + 1000 * (m - 1) + 10 * m * (m - 1) / 2 * 10000};
      wrong += memcmp(texels[i], value, 16) != 0;
   }
   vkt_expect(!wrong, "device %u: %u texels are wrong", number, wrong);
}

static void
destroy(struct side *s)
{
   vkDestroyFence(s->vkx->device, s->fence, NULL);
   vkDestroyPipeline(s->vkx->device, s->pipeline, NULL);
   vkDestroyDescriptorPool(s->vkx->device, s->pool, NULL);
   vkx_buffer_destroy(s->vkx, &s->factors);
   vkx_buffer_destroy(s->vkx, &s->result);
   vkt_target_destroy(s->vkx, &s->target);
   vkDestroyPipelineLayout(s->vkx->device, s->layout, NULL);
   vkDestroyDescriptorSetLayout(s->vkx->device, s->set_layout, NULL);
}

static void
draw_at_once(struct side sides[2])
{
   for (uint32_t i = 0; i < 2; i++)
      create(&sides[i], i);
   for (uint32_t i = 0; i < SUBMITS; i++) {
      submit(&sides[0], i + 1 == SUBMITS);
      submit(&sides[1], i + 1 == SUBMITS);
   }
   for (uint32_t i = 0; i < 2; i++)
      vkx_check(vkWaitForFences(sides[i].vkx->device, 1, &sides[i].fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
   for (uint32_t i = 0; i < 2; i++)
      compare(&sides[i], i);
   for (uint32_t i = 2; i--;)
      destroy(&sides[i]);
}

int
main(int argc, char **argv)
{
   struct vkx first = vkt_create("two_devices"), second;
   if (vkt_features.tessellationShader) {
      second = vkt_create_second(&first);
      draw_at_once((struct side[2]){{.vkx = &first}, {.vkx = &second}});
      vkDestroyCommandPool(second.device, second.pool, NULL);
      vkDestroyDevice(second.device, NULL);
   } else {
      vkt_skip("tessellationShader");
   }
   return vkt_finish(&first);
}

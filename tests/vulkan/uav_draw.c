/* One draw whose pixel shader writes memory or discards, with and without a colour attachment, for what the driver
 * submits: uav_draw CASE. Nothing is compared. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

enum { SIZE = 64 };

static const uint32_t vertex_code[] = {
#include "quad.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "uav_draw.frag.inc"
};

static const struct draw_case {
   const char *name;
   VkBool32 constants[2]; /* stores, kills */
   bool target, masked, counted;
} cases[] = {
   {"store", {1, 0}, false, false, false},       {"store colour", {1, 0}, true, false, false},
   {"store masked", {1, 0}, true, true, false},  {"kill counted", {0, 1}, false, false, true},
   {"kill colour", {0, 1}, true, false, false},  {"colour", {0, 0}, true, false, false},
   {"colour masked", {0, 0}, true, true, false},
};

static VkRenderPass
empty_pass(struct vkx *vkx)
{
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
   const VkRenderPassCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1, .pSubpasses = &subpass};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static VkFramebuffer
empty_framebuffer(struct vkx *vkx, VkRenderPass pass)
{
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = pass,
                                         .width = SIZE,
                                         .height = SIZE,
                                         .layers = 1};
   VkFramebuffer framebuffer;
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
   return framebuffer;
}

static VkPipeline
make_pipeline(struct vkx *vkx, const struct draw_case *what, VkRenderPass pass, VkPipelineLayout layout)
{
   const VkSpecializationMapEntry entries[] = {{0, 0, sizeof(VkBool32)}, {1, sizeof(VkBool32), sizeof(VkBool32)}};
   const VkSpecializationInfo constants = {2, entries, sizeof(what->constants), what->constants};
   const VkPipelineColorBlendAttachmentState blend = {.colorWriteMask = what->masked ? 0 : 0xf};
   const struct vkt_pipeline_info info = {.pass = pass,
                                          .layout = layout,
                                          .vertex = VKT_CODE(vertex_code),
                                          .fragment = VKT_CODE(fragment_code),
                                          .specialization = &constants,
                                          .no_color = !what->target,
                                          .blend = &blend};
   return vkt_pipeline_create(vkx, &info);
}

static VkQueryPool
make_query(struct vkx *vkx)
{
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
   VkQueryPool pool;
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

static void
draw(struct vkx *vkx, const struct draw_case *what)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkExtent2D extent = {SIZE, SIZE};
   const float color[4] = {0};
   struct vkx_buffer words = vkt_buffer_create(vkx, 4096, 0);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VKT_QUAD_STAGES);
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &words);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   VkRenderPass pass = what->target ? target.load_pass : empty_pass(vkx);
   VkFramebuffer framebuffer = what->target ? target.framebuffer : empty_framebuffer(vkx, pass);
   VkPipeline pipeline = make_pipeline(vkx, what, pass, layout);
   VkQueryPool query = make_query(vkx);

   VkCommandBuffer cmd = vkx_begin(vkx);
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = pass,
                                        .framebuffer = framebuffer,
                                        .renderArea = {{0, 0}, extent}};
   if (what->target)
      vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdResetQueryPool(cmd, query, 0, 1);
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vkt_set_viewport(cmd, extent);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   if (what->counted)
      vkCmdBeginQuery(cmd, query, 0, VK_QUERY_CONTROL_PRECISE_BIT);
   vkt_draw_quad(cmd, layout, extent, 0, 0, SIZE, SIZE, 0.5f, color);
   if (what->counted)
      vkCmdEndQuery(cmd, query, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

int
main(int argc, char **argv)
{
   for (unsigned i = 0; argc == 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
      if (!strcmp(cases[i].name, argv[1])) {
         struct vkx vkx = vkt_create("uav_draw");
         draw(&vkx, &cases[i]);
         return 0; /* the process's end frees what is there */
      }
   }
   fprintf(stderr, "usage: uav_draw CASE\n");
   return 2;
}

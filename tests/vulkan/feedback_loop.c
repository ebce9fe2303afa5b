/* VK_EXT_attachment_feedback_loop_layout and _dynamic_state: draws sample the attachment that they write, pixel by
 * pixel. With VK_KHR_unified_image_layouts the layout may be GENERAL. */
#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t loop_frag[] = {
#include "feedback_loop.frag.inc"
};

static VkImageLayout loop_layout = VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT;

static VkDescriptorSet
sampled_set(VkDescriptorSetLayout layout, VkImageView view, VkSampler sampler, VkDescriptorPool *pool)
{
   const struct vkt_descriptor image = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .view = view,
                                        .layout = loop_layout, .sampler = sampler};
   *pool = VK_NULL_HANDLE;
   return vkt_bindings_create(vkx, pool, layout, 1, &image);
}

static void
loop_barrier(VkCommandBuffer cmd)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                        VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT, 1, &barrier, 0, NULL, 0,
                        NULL);
}

static VkPipeline
create(VkRenderPass pass, VkPipelineLayout layout, bool loop, bool dynamic)
{
   static const VkDynamicState state = VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT;
   const bool flag = loop && !dynamic;
   return vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){.flags = flag ? VK_PIPELINE_CREATE_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT : 0,
                                       .pass = pass,
                                       .layout = layout,
                                       .num_dynamic = dynamic,
                                       .dynamic = &state,
                                       .vertex = VKT_CODE(quad_vert),
                                       .fragment = loop ? VKT_CODE(loop_frag) : VKT_CODE(quad_frag)});
}

static void
check(const struct vkt_image *image)
{
   read_back(image);
   expect("written, and read twice", 0, 4, 4, BYTES(43, 43, 43, 43));
   expect("written, and read once", 0, 4, 12, BYTES(21, 21, 21, 21));
   expect("written", 0, 4, 24, BYTES(10, 10, 10, 10));
   expect("cleared, and read twice", 0, 24, 4, BYTES(7, 11, 15, 19));
   expect("cleared, and read once", 0, 24, 12, BYTES(3, 5, 7, 9));
   expect("cleared", 0, 24, 24, BYTES(1, 2, 3, 4));
}

/* 10 is written; then twice 2 x + 1 of parts of it. */
static void
test(bool dynamic)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   const VkSamplerCreateInfo nearest = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   struct vkt_image image = image_create(RGBA8, 1, 1,
                                         VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                            VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT);
   VkImageView view = view_create(&image);
   VkAttachmentDescription description = attachment(RGBA8, 1, VK_ATTACHMENT_LOAD_OP_CLEAR);
   description.initialLayout = loop_layout;
   const VkAttachmentReference reference = {0, loop_layout};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
   const VkSubpassDependency self = {.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                     .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                     .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_SHADER_READ_BIT,
                                     .dependencyFlags =
                                        VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &description,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = 1,
                                        .pDependencies = &self};
   VkRenderPass pass;
   VkSampler sampler;
   VkDescriptorPool pool;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   vkx_check(vkCreateSampler(vkx->device, &nearest, NULL, &sampler), "vkCreateSampler");
   VkFramebuffer framebuffer = framebuffer_create(pass, 1, &view, 1);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   VkDescriptorSet set = sampled_set(set_layout, view, sampler, &pool);
   const VkPipeline pipelines[2] = {create(pass, layout, false, dynamic), create(pass, layout, true, dynamic)};
   const VkClearValue clear = clear_color(BYTES(1, 2, 3, 4));
   const float ten[4] = {10 / 255.0f, 10 / 255.0f, 10 / 255.0f, 10 / 255.0f};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, loop_layout);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 1, &clear);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
   if (dynamic)
      VKT_PROC(vkx, vkCmdSetAttachmentFeedbackLoopEnableEXT)(cmd, 0);
   vkt_draw_quad(cmd, layout, extent, 0, 0, 16, SIZE, 0.5f, ten);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[1]);
   if (dynamic)
      VKT_PROC(vkx, vkCmdSetAttachmentFeedbackLoopEnableEXT)(cmd, VK_IMAGE_ASPECT_COLOR_BIT);
   for (unsigned i = 0; i < 2; i++) {
      loop_barrier(cmd);
      vkt_draw_quad(cmd, layout, extent, 0, 0, SIZE, i ? 8 : 16, 0.5f, ten);
   }
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(&image);
   destroy_pass(pass, framebuffer, 2, pipelines);
   destroy_sets(layout, set_layout, pool);
   vkDestroySampler(vkx->device, sampler, NULL);
   destroy_images(1, &image, 1, &view);
}

/* --quirks validation: Debian 12's layer does not know the dynamic state. */
int
main(int argc, char **argv)
{
   const bool layer = !strcmp(vkx_option(argc, argv, "--quirks", ""), "validation");
   struct vkx device = vkt_create("feedback_loop");
   vkx = &device;
   if (vkt_has("VK_EXT_attachment_feedback_loop_layout")) {
      buffer = vkt_buffer_create(vkx, 64 << 10, 0);
      test(false);
      if (vkt_has("VK_EXT_attachment_feedback_loop_dynamic_state") && !layer)
         test(true);
      else
         vkt_skip("VK_EXT_attachment_feedback_loop_dynamic_state");
      loop_layout = VK_IMAGE_LAYOUT_GENERAL;
      if (vkt_has("VK_KHR_unified_image_layouts"))
         test(false);
      else
         vkt_skip("VK_KHR_unified_image_layouts");
      vkx_buffer_destroy(vkx, &buffer);
   } else {
      vkt_skip("VK_EXT_attachment_feedback_loop_layout");
   }
   return vkt_finish(vkx);
}

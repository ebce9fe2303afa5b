/* The smallest picture: one triangle without buffers, offscreen, written as PNG. */

#include "render.h"

static const uint32_t vertex_code[] = {
#include "triangle.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "triangle.frag.inc"
};

int
main(int argc, char **argv)
{
   const VkExtent2D extent = {512, 512};
   vkx_expect_options(argc, argv, (const char *const[]){"-o", NULL}, "triangle [-o FILE.png]");
   struct vkx vkx = vkx_create("triangle");
   struct vkx_image target = vkx_image_create(&vkx, COLOR_FORMAT, extent, 1, VK_SAMPLE_COUNT_1_BIT,
                                              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                              VK_IMAGE_ASPECT_COLOR_BIT);
   struct vkx_buffer pixels =
      vkx_buffer_create(&vkx, 4ull * extent.width * extent.height, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
   VkRenderPass pass = render_pass_create(&vkx, VK_SAMPLE_COUNT_1_BIT);
   VkFramebuffer framebuffer = render_framebuffer_create(&vkx, pass, 1, &target.view, extent);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, 0, 0);
   VkPipeline pipeline =
      render_pipeline_create(&vkx, &(struct pipeline_info){
                                      .pass = pass,
                                      .layout = layout,
                                      .vertex = vkx_shader_create(&vkx, vertex_code, sizeof(vertex_code)),
                                      .fragment = vkx_shader_create(&vkx, fragment_code, sizeof(fragment_code)),
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .extent = extent,
                                      .vertex_input =
                                         &(VkPipelineVertexInputStateCreateInfo){
                                            .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO},
                                      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                   });

   const VkClearValue clear = {.color = {.float32 = {0.05f, 0.05f, 0.08f, 1}}};
   const VkRenderPassBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = pass,
      .framebuffer = framebuffer,
      .renderArea = {{0, 0}, extent},
      .clearValueCount = 1,
      .pClearValues = &clear,
   };
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   render_read_back(cmd, &target, &pixels);
   vkx_submit_and_wait(&vkx, cmd);
   vkx_expect_device(&vkx);
   vkx_write_png(vkx_option(argc, argv, "-o", "triangle.png"), extent.width, extent.height, pixels.map);

   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyFramebuffer(vkx.device, framebuffer, NULL);
   vkDestroyRenderPass(vkx.device, pass, NULL);
   vkx_buffer_destroy(&vkx, &pixels);
   vkx_image_destroy(&vkx, &target);
   vkx_destroy(&vkx);
   return 0;
}

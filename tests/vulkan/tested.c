/* Depth tests in front of shaders: coverage that they leave (VK_EXT_post_depth_coverage), early tests of shaders that
 * may discard or that promise what depth they write (VK_AMD_shader_early_and_late_fragment_tests); and colours that
 * have fewer samples than depth (VK_AMD_mixed_attachment_samples). */
#include <math.h>

#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t coverage_code[] = {
#include "tested_coverage.frag.inc"
};
static const uint32_t plain_code[] = {
#include "tested_plain.frag.inc"
};
static const uint32_t unchanged_code[] = {
#include "tested_unchanged.frag.inc"
};
static const uint32_t greater_code[] = {
#include "tested_greater.frag.inc"
};
static const uint32_t any_code[] = {
#include "tested_any.frag.inc"
};

#define D32 VK_FORMAT_D32_SFLOAT

static const VkPipelineDepthStencilStateCreateInfo less = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
   .depthTestEnable = VK_TRUE,
   .depthWriteEnable = VK_TRUE,
   .depthCompareOp = VK_COMPARE_OP_LESS};
static struct vkx_buffer data;
static VkDescriptorSetLayout set_layout;
static VkDescriptorSet set;
static VkPipelineLayout layout; /* of the set and a quad */

static VkPipeline
create(VkRenderPass pass, VkSampleCountFlagBits samples, struct vkt_code fragment)
{
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                               .layout = layout,
                                                               .samples = samples,
                                                               .depth_stencil = &less,
                                                               .vertex = VKT_CODE(quad_vert),
                                                               .fragment = fragment});
}

/* Columns from x0 to x1, which may lie within pixels. */
static void
draw(VkCommandBuffer cmd, VkPipeline pipeline, float x0, float x1, float depth, float red)
{
   const struct vkt_quad q = {2 * x0 / SIZE - 1, -1, 2 * x1 / SIZE - 1, 1, {red, 1, 1, 1}, depth};
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, layout, VKT_QUAD_STAGES, 0, sizeof(q), &q);
   vkCmdDraw(cmd, 4, 1, 0, 0);
}

static VkCommandBuffer
begin_target(const struct vkt_target *target)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, target, target->pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   return cmd;
}

/* Of the standard four samples 0 and 2 lie in the left half of a pixel. */
static void
test_coverage(void)
{
   if (!vkt_has("VK_EXT_post_depth_coverage")) {
      vkt_skip("VK_EXT_post_depth_coverage");
      return;
   }
   struct vkt_target target = vkt_target_create(vkx, RGBA8, D32, extent, 1, 4);
   const VkPipeline pipelines[2] = {create(target.pass, 4, VKT_CODE(quad_frag)),
                                    create(target.pass, 4, VKT_CODE(coverage_code))};
   static const struct {
      uint32_t column, mask;
   } wanted[] = {{5, 0}, {10, 10}, {15, 15}, {20, 5}, {25, 0}};
   memset(data.map, 0, data.size);
   VkCommandBuffer cmd = begin_target(&target);
   draw(cmd, pipelines[0], 0, 10.5f, 0.25f, 0);
   draw(cmd, pipelines[0], 20.5f, SIZE, 0.25f, 0);
   draw(cmd, pipelines[1], 0, SIZE, 0.5f, 1);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
      const uint32_t got = ((const uint32_t *)data.map)[9 * SIZE + wanted[i].column];
      vkt_expect(got == wanted[i].mask, "coverage after the test in column %u is %x, not %x", wanted[i].column, got,
                 wanted[i].mask);
   }
   vkDestroyPipeline(vkx->device, pipelines[0], NULL);
   vkDestroyPipeline(vkx->device, pipelines[1], NULL);
   vkt_target_destroy(vkx, &target);
}

static float
depth_at(const struct vkt_target *target, uint32_t x)
{
   vkt_read(vkx, &target->depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &buffer);
   return ((const float *)buffer.map)[9 * SIZE + x];
}

/* What a shader says of its depth, which is that of the fragment or more. */
struct promise {
   const char *name;
   struct vkt_code code;
   float depth, discarded;
   uint32_t least, most; /* fragments that run */
};

/* Fragments of the right half fail. Those of the first four columns are discarded. */
static void
test_promise(const struct promise *promise)
{
   struct vkt_target target = vkt_target_create(vkx, RGBA8, D32, extent, 1, 1);
   const VkPipeline pipelines[2] = {create(target.pass, 1, VKT_CODE(quad_frag)),
                                    create(target.pass, 1, promise->code)};
   memset(data.map, 0, data.size);
   VkCommandBuffer cmd = begin_target(&target);
   draw(cmd, pipelines[0], 16, SIZE, 0.25f, 0);
   draw(cmd, pipelines[1], 0, SIZE, 0.5f, 0.125f);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const uint32_t ran = *(const uint32_t *)data.map;
   vkt_expect(ran >= promise->least && ran <= promise->most, "%s: %u fragments ran", promise->name, ran);
   const float first = depth_at(&target, 1), left = depth_at(&target, 8), right = depth_at(&target, 24);
   vkt_expect(first == promise->discarded, "%s: the depth of what was discarded is %f", promise->name, (double)first);
   vkt_expect(left == promise->depth, "%s: depth on the left is %f", promise->name, (double)left);
   vkt_expect(right == 0.25f, "%s: depth on the right is %f", promise->name, (double)right);
   vkDestroyPipeline(vkx->device, pipelines[0], NULL);
   vkDestroyPipeline(vkx->device, pipelines[1], NULL);
   vkt_target_destroy(vkx, &target);
}

static void
test_early_and_late(void)
{
   enum { HALF = SIZE * SIZE / 2, ALL = SIZE * SIZE };
   const struct promise promises[] = {
      {"no depth written", VKT_CODE(plain_code), 0.5f, 0.5f, HALF, HALF}, /* early tests alone */
      {"depth_unchanged", VKT_CODE(unchanged_code), 0.5f, 1, HALF, HALF},
      {"depth_greater", VKT_CODE(greater_code), 0.625f, 1, HALF, ALL},
      {"depth_any", VKT_CODE(any_code), 0.625f, 1, ALL, ALL}, /* late tests alone */
   };
   for (unsigned i = 0; i < sizeof(promises) / sizeof(promises[0]); i++)
      test_promise(&promises[i]);
}

/* A colour of one sample with depth of four: what passes the test is drawn. */
static void
test_mixed(void)
{
   if (!vkt_has("VK_AMD_mixed_attachment_samples") || !vkt_has("VK_KHR_dynamic_rendering")) {
      vkt_skip("VK_AMD_mixed_attachment_samples");
      return;
   }
   static const VkFormat rgba8 = RGBA8;
   static const VkSampleCountFlagBits one = 1;
   struct vkt_image images[2] = {image_create(RGBA8, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
                                 image_create(D32, 1, 4, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)};
   const VkImageView views[2] = {view_create(&images[0]), view_create(&images[1])};
   const VkAttachmentSampleCountInfoAMD counts = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD,
                                                  .colorAttachmentCount = 1,
                                                  .pColorAttachmentSamples = &one,
                                                  .depthStencilAttachmentSamples = 4};
   const VkPipelineRenderingCreateInfo formats = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                  .pNext = &counts,
                                                  .colorAttachmentCount = 1,
                                                  .pColorAttachmentFormats = &rgba8,
                                                  .depthAttachmentFormat = D32};
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.next = &formats,
                                                                              .layout = layout,
                                                                              .samples = 4,
                                                                              .depth_stencil = &less,
                                                                              .vertex = VKT_CODE(quad_vert),
                                                                              .fragment = VKT_CODE(quad_frag)});
   VkRenderingAttachmentInfo attachments[2];
   for (unsigned i = 0; i < 2; i++)
      attachments[i] = (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                   .imageView = views[i],
                                                   .imageLayout = GENERAL,
                                                   .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                   .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   attachments[1].clearValue.depthStencil.depth = 1;
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, extent},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &attachments[0],
                                 .pDepthAttachment = &attachments[1]};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &images[0], VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkt_transition(cmd, &images[1], VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &info);
   vkt_set_viewport(cmd, extent);
   draw(cmd, pipeline, 0, 16, 0.25f, 0);
   draw(cmd, pipeline, 8, 24, 0.5f, 1);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&images[0]);
   expect("mixed, the first", 0, 3, 9, BYTES(0, 255, 255, 255));
   expect("mixed, both", 0, 12, 9, BYTES(0, 255, 255, 255));
   expect("mixed, the second", 0, 20, 9, BYTES(255, 255, 255, 255));
   expect("mixed, none", 0, 28, 9, 0);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   destroy_images(2, images, 2, views);
}

int
main(void)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct vkx device = vkt_create("tested");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   data = vkt_buffer_create(vkx, 4 * SIZE * SIZE, 0);
   set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   set = vkt_set_create(vkx, set_layout, type, &data);
   test_coverage();
   if (vkt_has("VK_AMD_shader_early_and_late_fragment_tests"))
      test_early_and_late();
   else
      vkt_skip("VK_AMD_shader_early_and_late_fragment_tests");
   test_mixed();
   vkt_sets_destroy(vkx);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &data);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}

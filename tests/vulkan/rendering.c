/* Dynamic rendering: loads, layers, one aspect of an image, suspended and resumed rendering, secondary command
 * buffers, views; resolves of depth and stencil, also those of render passes. The expected texels are known. */
#include <math.h>

#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t two_targets_frag[] = {
#include "two_targets.frag.inc"
};
static const uint32_t view_vert[] = {
#include "view.vert.inc"
};
static const uint32_t view_frag[] = {
#include "view.frag.inc"
};

#define LOAD VK_ATTACHMENT_LOAD_OP_LOAD
#define CLEAR VK_ATTACHMENT_LOAD_OP_CLEAR
#define D32 VK_FORMAT_D32_SFLOAT
#define UINT8 VK_FORMAT_R8G8B8A8_UINT
#define BEFORE BYTES(0x11, 0x11, 0x11, 0x11)
#define CLEARED BYTES(60, 70, 80, 90)
#define COLOR_USAGE VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
#define DEPTH_USAGE VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT

static PFN_vkCmdBeginRenderingKHR begin_rendering;
static PFN_vkCmdEndRenderingKHR end_rendering;

static VkRenderingAttachmentInfo
attach(VkImageView view, VkAttachmentLoadOp load, VkClearValue clear)
{
   return (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                      .imageView = view,
                                      .imageLayout = GENERAL,
                                      .loadOp = load,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                      .clearValue = clear};
}

static VkRenderingInfo
rendering_of(uint32_t num_colors, const VkRenderingAttachmentInfo *colors)
{
   return (VkRenderingInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .renderArea = {{0, 0}, extent},
                            .layerCount = 1,
                            .colorAttachmentCount = num_colors,
                            .pColorAttachments = colors};
}

static VkPipelineRenderingCreateInfo
formats_of(uint32_t num_colors, const VkFormat *colors, VkFormat depth, VkFormat stencil)
{
   return (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                          .colorAttachmentCount = num_colors,
                                          .pColorAttachmentFormats = colors,
                                          .depthAttachmentFormat = depth,
                                          .stencilAttachmentFormat = stencil};
}

static const VkFormat rgba8[1] = {RGBA8};

static VkPipeline
color_pipeline(VkSampleCountFlagBits samples)
{
   const VkPipelineRenderingCreateInfo formats = formats_of(1, rgba8, 0, 0);
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.next = &formats,
                                                               .layout = quad_layout,
                                                               .samples = samples,
                                                               .vertex = VKT_CODE(quad_vert),
                                                               .fragment = VKT_CODE(quad_frag)});
}

/* All layers of a colour image hold BEFORE; those of others are undefined. */
static void
prepare(VkCommandBuffer cmd, const struct vkt_image *image)
{
   VkClearValue value = clear_color(BEFORE);
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
   if (image->info.format == UINT8)
      value = (VkClearValue){.color = {.uint32 = {0x11, 0x11, 0x11, 0x11}}};
   vkt_transition(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   if (image->info.format == RGBA8 || image->info.format == UINT8)
      vkCmdClearColorImage(cmd, image->image, GENERAL, &value.color, 1, &all);
   vkt_barrier(cmd);
}

/* ---- three colours: the second is absent, the third may be; depth; two layers; a part of the image ---- */

static void
test_attachments(bool third)
{
   struct vkt_image images[3] = {image_create(RGBA8, 2, 1, COLOR_USAGE), image_create(UINT8, 2, 1, COLOR_USAGE),
                                 image_create(D32, 2, 1, DEPTH_USAGE)};
   const VkImageView views[3] = {view_create(&images[0]), view_create(&images[1]), view_create(&images[2])};
   const VkFormat colors_of[3] = {RGBA8, VK_FORMAT_UNDEFINED, third ? UINT8 : VK_FORMAT_UNDEFINED};
   const VkPipelineRenderingCreateInfo formats = formats_of(3, colors_of, D32, 0);
   VkPipelineDepthStencilStateCreateInfo less = write_all;
   less.depthCompareOp = VK_COMPARE_OP_LESS;
   less.stencilTestEnable = VK_FALSE;
   VkPipeline pipeline =
      vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.next = &formats,
                                                           .colors = 3,
                                                           .layout = quad_layout,
                                                           .depth_stencil = &less,
                                                           .vertex = VKT_CODE(quad_vert),
                                                           .fragment = VKT_CODE(two_targets_frag)});
   const VkRenderingAttachmentInfo colors[3] = {attach(views[0], CLEAR, clear_color(CLEARED)),
                                                attach(VK_NULL_HANDLE, CLEAR, clear_color(0)),
                                                attach(third ? views[1] : VK_NULL_HANDLE, LOAD, clear_color(0))};
   const VkRenderingAttachmentInfo depth = attach(views[2], CLEAR, (VkClearValue){.depthStencil = {0.5f, 0}});
   VkRenderingInfo info = rendering_of(3, colors);
   info.renderArea = (VkRect2D){{2, 3}, {20, 21}};
   info.layerCount = 2;
   info.pDepthAttachment = &depth;
   const VkClearAttachment attached = {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(BYTES(1, 2, 3, 4))};
   const VkClearRect rect = {{{2, 20}, {4, 4}}, 1, 1};
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < 3; i++)
      prepare(cmd, &images[i]);
   begin_rendering(cmd, &info);
   vkt_set_viewport(cmd, extent);
   quad(cmd, pipeline, 0, 0, 16, 16, 0.4f, BYTES(10, 20, 30, 40));
   quad(cmd, pipeline, 8, 8, 24, 24, 0.45f, BYTES(50, 60, 70, 80)); /* behind the first */
   quad(cmd, pipeline, 0, 0, SIZE, SIZE, 0.6f, BYTES(9, 9, 9, 9));  /* behind the cleared depth */
   vkCmdClearAttachments(cmd, 1, &attached, 1, &rect);
   end_rendering(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&images[0]);
   expect("dynamic rendering", 0, 1, 3, BEFORE);
   expect("dynamic rendering", 0, 2, 2, BEFORE);
   expect("dynamic rendering", 0, 10, 10, BYTES(10, 20, 30, 40));
   expect("dynamic rendering", 0, 20, 20, BYTES(50, 60, 70, 80));
   expect("dynamic rendering", 0, 21, 5, CLEARED);
   expect("dynamic rendering", 0, 22, 5, BEFORE);
   expect("dynamic rendering", 0, 5, 23, CLEARED);
   expect("the other layer", 1, 10, 10, CLEARED);
   expect("the other layer", 1, 3, 21, BYTES(1, 2, 3, 4));
   expect("the other layer", 1, 22, 23, BEFORE);
   read_back(&images[1]);
   expect("the third attachment", 0, 10, 10, third ? BYTES(11, 22, 33, 44) : BEFORE);
   expect("the third attachment", 0, 21, 5, BEFORE);
   expect("the third attachment", 1, 10, 10, BEFORE);
   destroy_images(3, images, 3, views);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* ---- an aspect of the image that is not attached: its test passes, and it keeps its contents ---- */

static VkPipeline
never_pipeline(const VkPipelineRenderingCreateInfo *formats, bool depth)
{
   const VkStencilOpState face = {.failOp = depth ? VK_STENCIL_OP_INVERT : VK_STENCIL_OP_REPLACE,
                                  .passOp = VK_STENCIL_OP_REPLACE,
                                  .depthFailOp = VK_STENCIL_OP_INVERT,
                                  .compareOp = depth ? VK_COMPARE_OP_NEVER : VK_COMPARE_OP_ALWAYS,
                                  .compareMask = 0xff,
                                  .writeMask = 0xff,
                                  .reference = 77};
   const VkPipelineDepthStencilStateCreateInfo tests = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = VK_TRUE,
      .depthWriteEnable = VK_TRUE,
      .depthCompareOp = depth ? VK_COMPARE_OP_ALWAYS : VK_COMPARE_OP_NEVER,
      .stencilTestEnable = VK_TRUE,
      .front = face,
      .back = face};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.next = formats,
                                                               .layout = quad_layout,
                                                               .depth_stencil = &tests,
                                                               .vertex = VKT_CODE(quad_vert),
                                                               .fragment = VKT_CODE(quad_frag)});
}

/* At (at, at). */
static void
expect_aspects(const char *name, const struct vkt_image *image, uint32_t at, float depth, uint8_t stencil)
{
   vkt_read(vkx, image, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &buffer);
   const float got = ((float *)buffer.map)[at * SIZE + at];
   vkt_expect(fabsf(got - depth) < 1e-6f, "%s: depth at %u is %f, not %f", name, at, got, depth);
   vkt_read(vkx, image, VK_IMAGE_ASPECT_STENCIL_BIT, 0, &buffer);
   const uint8_t byte = ((uint8_t *)buffer.map)[at * SIZE + at];
   vkt_expect(byte == stencil, "%s: stencil at %u is %u, not %u", name, at, byte, stencil);
}

static void
test_one_aspect(bool depth, bool clears_both)
{
   struct vkt_image images[2] = {image_create(RGBA8, 1, 1, COLOR_USAGE), image_create(DS, 1, 1, DEPTH_USAGE)};
   const VkImageView views[2] = {view_create(&images[0]), view_create(&images[1])};
   const VkPipelineRenderingCreateInfo formats = formats_of(1, rgba8, depth ? DS : 0, depth ? 0 : DS);
   VkPipeline pipeline = never_pipeline(&formats, depth);
   const VkRenderingAttachmentInfo color = attach(views[0], CLEAR, clear_color(CLEARED));
   const VkRenderingAttachmentInfo attached = attach(views[1], LOAD, (VkClearValue){0});
   const VkRenderingAttachmentInfo unattached = attach(VK_NULL_HANDLE, CLEAR, (VkClearValue){0});
   const VkClearDepthStencilValue before = {0.125f, 99};
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1};
   const VkImageAspectFlags aspect = depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT;
   const VkClearAttachment clear = {clears_both ? all.aspectMask : aspect, 0, {.depthStencil = {0.75f, 33}}};
   const VkClearRect rect = {{{16, 16}, {8, 8}}, 0, 1};
   const char *name = depth ? "depth without stencil" : "stencil without depth";
   VkRenderingInfo info = rendering_of(1, &color);
   info.pDepthAttachment = depth ? &attached : &unattached;
   info.pStencilAttachment = depth ? NULL : &attached;
   VkCommandBuffer cmd = vkx_begin(vkx);
   prepare(cmd, &images[0]);
   prepare(cmd, &images[1]);
   vkCmdClearDepthStencilImage(cmd, images[1].image, GENERAL, &before, 1, &all);
   vkt_barrier(cmd);
   begin_rendering(cmd, &info);
   vkt_set_viewport(cmd, extent);
   quad(cmd, pipeline, 0, 0, 16, 16, 0.5f, BYTES(10, 20, 30, 40));
   vkCmdClearAttachments(cmd, 1, &clear, 1, &rect);
   end_rendering(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&images[0]);
   expect(name, 0, 5, 5, BYTES(10, 20, 30, 40));
   expect(name, 0, 20, 5, CLEARED);
   expect_aspects(name, &images[1], 5, depth ? 0.5f : 0.125f, depth ? 99 : 77);
   expect_aspects(name, &images[1], 20, depth ? 0.75f : 0.125f, depth ? 99 : 33);
   destroy_images(2, images, 2, views);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* ---- a pipeline that says nothing of viewports leaves them as they were set ---- */

static VkPipeline
discard_pipeline(void)
{
   const VkPipelineRenderingCreateInfo formats = formats_of(1, rgba8, 0, 0);
   const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                  .module = vkx_shader_create(vkx, quad_vert, sizeof(quad_vert)),
                                                  .pName = "main"};
   const VkPipelineVertexInputStateCreateInfo vertices = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = VK_TRUE,
      .lineWidth = 1};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .pNext = &formats,
                                              .stageCount = 1,
                                              .pStages = &stage,
                                              .pVertexInputState = &vertices,
                                              .pInputAssemblyState = &input,
                                              .pRasterizationState = &raster,
                                              .layout = quad_layout};
   VkPipeline pipeline;
   vkx_check(vkCreateGraphicsPipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
             "vkCreateGraphicsPipelines");
   vkDestroyShaderModule(vkx->device, stage.module, NULL);
   return pipeline;
}

static void
test_discard_between(void)
{
   struct vkt_image image = image_create(RGBA8, 1, 1, COLOR_USAGE);
   const VkImageView view = view_create(&image);
   const VkPipeline pipelines[2] = {color_pipeline(1), discard_pipeline()};
   const VkRenderingAttachmentInfo color = attach(view, CLEAR, clear_color(CLEARED));
   const VkRenderingInfo info = rendering_of(1, &color);
   VkCommandBuffer cmd = vkx_begin(vkx);
   prepare(cmd, &image);
   begin_rendering(cmd, &info);
   vkt_set_viewport(cmd, extent);
   quad(cmd, pipelines[0], 0, 0, 8, 8, 0, BYTES(1, 1, 1, 1));
   quad(cmd, pipelines[1], 8, 0, 16, 8, 0, BYTES(2, 2, 2, 2));
   vkCmdSetScissor(cmd, 0, 1, &(VkRect2D){{0, 0}, {20, SIZE}});
   quad(cmd, pipelines[0], 16, 0, 24, 8, 0, BYTES(3, 3, 3, 3));
   end_rendering(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&image);
   expect("before discard", 0, 4, 4, BYTES(1, 1, 1, 1));
   expect("discarded", 0, 12, 4, CLEARED);
   expect("after discard", 0, 18, 4, BYTES(3, 3, 3, 3));
   expect("outside of the scissor", 0, 22, 4, CLEARED);
   destroy_images(1, &image, 1, &view);
   for (unsigned i = 0; i < 2; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
}

/* ---- suspended and resumed in other command buffers, with secondaries; resolved at the very end ---- */

static VkCommandBuffer
begin_secondary(VkRenderingFlags flags, uint32_t view_mask, VkSampleCountFlagBits samples)
{
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = vkx->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                             .commandBufferCount = 1};
   const VkCommandBufferInheritanceRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
      .flags = flags,
      .viewMask = view_mask,
      .colorAttachmentCount = 1,
      .pColorAttachmentFormats = rgba8,
      .rasterizationSamples = samples};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                       .pNext = &rendering};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                           .pInheritanceInfo = &inheritance};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &info, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   vkt_set_viewport(cmd, extent);
   return cmd;
}

static void
submit_all(uint32_t count, const VkCommandBuffer *commands)
{
   for (uint32_t i = 0; i < count; i++)
      vkx_check(vkEndCommandBuffer(commands[i]), "vkEndCommandBuffer");
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = count, .pCommandBuffers = commands};
   vkx_check(vkQueueSubmit(vkx->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   vkx_check(vkQueueWaitIdle(vkx->queue), "vkQueueWaitIdle");
   vkFreeCommandBuffers(vkx->device, vkx->pool, count, commands);
}

static void
test_suspend(void)
{
   struct vkt_image images[2] = {image_create(RGBA8, 1, 4, COLOR_USAGE), image_create(RGBA8, 1, 1, COLOR_USAGE)};
   const VkImageView views[2] = {view_create(&images[0]), view_create(&images[1])};
   VkPipeline pipeline = color_pipeline(4);
   VkRenderingAttachmentInfo color = attach(views[0], CLEAR, clear_color(CLEARED));
   color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
   color.resolveImageView = views[1];
   color.resolveImageLayout = GENERAL;
   static const VkRenderingFlags flags[3] = {VK_RENDERING_SUSPENDING_BIT,
                                             VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT |
                                                VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
                                             VK_RENDERING_RESUMING_BIT};
   const VkRenderingFlags both = VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT;
   VkCommandBuffer commands[3], secondaries[2] = {begin_secondary(both, 0, 4), begin_secondary(both, 0, 4)};
   quad(secondaries[0], pipeline, 8, 0, 16, SIZE, 0, BYTES(3, 3, 3, 3));
   quad(secondaries[1], pipeline, 16, 0, 24, SIZE, 0, BYTES(4, 4, 4, 4));
   vkx_check(vkEndCommandBuffer(secondaries[0]), "vkEndCommandBuffer");
   vkx_check(vkEndCommandBuffer(secondaries[1]), "vkEndCommandBuffer");
   for (unsigned i = 0; i < 3; i++) {
      VkRenderingInfo info = rendering_of(1, &color);
      info.flags = flags[i];
      commands[i] = vkx_begin(vkx);
      if (i == 0) {
         prepare(commands[0], &images[1]);
         vkt_transition(commands[0], &images[0], VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
      }
      begin_rendering(commands[i], &info);
      if (i == 1)
         vkCmdExecuteCommands(commands[i], 2, secondaries);
      else
         vkt_set_viewport(commands[i], extent);
      if (i == 0)
         quad(commands[0], pipeline, 0, 0, 16, SIZE, 0, BYTES(2, 2, 2, 2));
      if (i == 2)
         quad(commands[2], pipeline, 20, 0, 24, 16, 0, BYTES(5, 5, 5, 5));
      end_rendering(commands[i]);
   }
   submit_all(3, commands);
   read_back(&images[1]);
   expect("suspended", 0, 4, 20, BYTES(2, 2, 2, 2));
   expect("in a secondary", 0, 8, 20, BYTES(3, 3, 3, 3));
   expect("in a secondary", 0, 23, 20, BYTES(4, 4, 4, 4));
   expect("resumed", 0, 23, 5, BYTES(5, 5, 5, 5));
   expect("cleared once", 0, 28, 5, CLEARED);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 2, secondaries);
   destroy_images(2, images, 2, views);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* ---- a secondary that begins rendering itself, in a query of its primary ---- */

static void
test_secondary_renders(void)
{
   const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .commandPool = vkx->pool,
                                                 .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                                 .commandBufferCount = 1};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                       .occlusionQueryEnable = VK_TRUE,
                                                       .queryFlags = VK_QUERY_CONTROL_PRECISE_BIT};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                           .pInheritanceInfo = &inheritance};
   const VkQueryPoolCreateInfo queries = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 2};
   struct vkt_image image = image_create(RGBA8, 1, 1, COLOR_USAGE);
   const VkImageView view = view_create(&image);
   const VkRenderingAttachmentInfo color = attach(view, LOAD, clear_color(CLEARED));
   const VkRenderingInfo info = rendering_of(1, &color);
   VkPipeline pipeline = color_pipeline(1);
   VkQueryPool pool;
   VkCommandBuffer secondary, cmd = vkx_begin(vkx);
   uint32_t counts[2] = {0};
   vkx_check(vkCreateQueryPool(vkx->device, &queries, NULL, &pool), "vkCreateQueryPool");
   vkx_check(vkAllocateCommandBuffers(vkx->device, &allocate, &secondary), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(secondary, &begin), "vkBeginCommandBuffer");
   begin_rendering(secondary, &info);
   vkt_set_viewport(secondary, extent);
   quad(secondary, pipeline, 4, 4, 12, 9, 0, BYTES(1, 2, 3, 4));
   end_rendering(secondary);
   vkt_barrier(secondary);
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   prepare(cmd, &image);
   vkCmdResetQueryPool(cmd, pool, 0, 2);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   for (uint32_t i = 0; i < 2; i++) {
      vkCmdBeginQuery(cmd, pool, i, VK_QUERY_CONTROL_PRECISE_BIT);
      for (uint32_t times = 0; times <= i; times++)
         vkCmdExecuteCommands(cmd, 1, &secondary);
      vkCmdEndQuery(cmd, pool, i);
   }
   vkx_submit_and_wait(vkx, cmd);
   vkGetQueryPoolResults(vkx->device, pool, 0, 2, sizeof(counts), counts, 4, 0);
   vkt_expect(counts[0] == 40 && counts[1] == 80, "secondaries that render count %u and %u", counts[0], counts[1]);
   read_back(&image);
   expect("a secondary that renders", 0, 5, 5, BYTES(1, 2, 3, 4));
   expect("a secondary that renders", 0, 12, 5, BEFORE);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
   vkDestroyQueryPool(vkx->device, pool, NULL);
   destroy_images(1, &image, 1, &view);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* ---- views ---- */

static void
test_views(void)
{
   static const uint32_t mask = 0xa;
   struct vkt_image image = image_create(RGBA8, 4, 1, COLOR_USAGE);
   const VkImageView view = view_create(&image);
   VkPipelineRenderingCreateInfo formats = formats_of(1, rgba8, 0, 0);
   formats.viewMask = mask;
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.next = &formats,
                                                                              .layout = quad_layout,
                                                                              .vertex = VKT_CODE(view_vert),
                                                                              .fragment = VKT_CODE(view_frag)});
   const VkRenderingAttachmentInfo color = attach(view, CLEAR, clear_color(CLEARED));
   const VkClearAttachment attached = {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(BYTES(1, 2, 3, 4))};
   const VkClearRect rect = {{{28, 0}, {4, 4}}, 0, 1};
   VkCommandBuffer secondary = begin_secondary(0, mask, 1), cmd = vkx_begin(vkx);
   quad(secondary, pipeline, 4, 4, 12, 12, 0, BYTES(0, 10, 20, 30));
   vkCmdClearAttachments(secondary, 1, &attached, 1, &rect);
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   VkRenderingInfo info = rendering_of(1, &color);
   info.layerCount = 0; /* views count */
   info.viewMask = mask;
   info.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
   prepare(cmd, &image);
   begin_rendering(cmd, &info);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   end_rendering(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&image);
   for (uint32_t layer = 0; layer < 4; layer++) {
      bool in = mask >> layer & 1;
      expect("dynamic views", layer, 20, 20, in ? CLEARED : BEFORE);
      expect("dynamic views", layer, 5, 5, in ? BYTES(layer * 17 + 1, 10, 20, 30) : BEFORE);
      expect("a clear of dynamic views", layer, 30, 2, in ? BYTES(1, 2, 3, 4) : BEFORE);
   }
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
   destroy_images(1, &image, 1, &view);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* ---- resolves of depth and stencil ---- */

/* Of the four standard samples, 0 and 2 lie in the left half of a pixel. Depth 0.25 and stencil 51 go left of the
 * middle of column 10, and right of the middle of column 20; 0.75 and 7 are there before. */
static void
draw_edges(VkCommandBuffer cmd, VkPipeline pipeline)
{
   const struct vkt_quad left = {-1, -1, 2 * 10.5f / SIZE - 1, 1, {0}, 0.25f};
   const struct vkt_quad right = {2 * 20.5f / SIZE - 1, -1, 1, 1, {0}, 0.25f};
   vkt_set_viewport(cmd, extent);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(left), &left);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(right), &right);
   vkCmdDraw(cmd, 4, 1, 0, 0);
}

enum { EDGES = 5 };

/* What a mode makes of samples 0 and 2, 1 and 3. */
static float
resolve_of(VkResolveModeFlagBits mode, float even, float odd)
{
   const float least = even < odd ? even : odd, greatest = even < odd ? odd : even;
   if (mode == VK_RESOLVE_MODE_AVERAGE_BIT)
      return (even + odd) / 2;
   return mode == VK_RESOLVE_MODE_MIN_BIT ? least : mode == VK_RESOLVE_MODE_MAX_BIT ? greatest : even;
}

static void
check_edges(const struct vkt_image *resolved, VkResolveModeFlagBits depth, VkResolveModeFlagBits stencil)
{
   static const uint32_t columns[EDGES] = {5, 10, 15, 20, 25};
   static const bool even[EDGES] = {true, true, false, false, true}, odd[EDGES] = {true, false, false, true, true};
   vkt_read(vkx, resolved, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &buffer);
   for (unsigned i = 0; i < EDGES; i++) {
      const float got = ((float *)buffer.map)[7 * SIZE + columns[i]];
      float expected = resolve_of(depth, even[i] ? 0.25f : 0.75f, odd[i] ? 0.25f : 0.75f);
      if (depth == VK_RESOLVE_MODE_NONE)
         expected = 0.125f;
      vkt_expect(fabsf(got - expected) < 1e-6f, "mode %d: depth in column %u is %f, not %f", depth, columns[i], got,
                 expected);
   }
   vkt_read(vkx, resolved, VK_IMAGE_ASPECT_STENCIL_BIT, 0, &buffer);
   for (unsigned i = 0; i < EDGES; i++) {
      const uint8_t got = ((uint8_t *)buffer.map)[7 * SIZE + columns[i]];
      uint8_t expected = (uint8_t)resolve_of(stencil, even[i] ? 51 : 7, odd[i] ? 51 : 7);
      if (stencil == VK_RESOLVE_MODE_NONE)
         expected = 99;
      vkt_expect(got == expected, "mode %d: stencil in column %u is %u, not %u", stencil, columns[i], got, expected);
   }
}

static VkPipeline
depth_pipeline(const void *next, VkRenderPass pass)
{
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.next = next,
                                                               .pass = pass,
                                                               .no_color = true,
                                                               .layout = quad_layout,
                                                               .samples = 4,
                                                               .depth_stencil = &write_all,
                                                               .vertex = VKT_CODE(quad_vert)});
}

static void
prepare_depth(VkCommandBuffer cmd, const struct vkt_image images[2])
{
   const VkClearDepthStencilValue before = {0.125f, 99};
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1};
   vkt_transition(cmd, &images[0], VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkt_transition(cmd, &images[1], VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdClearDepthStencilImage(cmd, images[1].image, GENERAL, &before, 1, &all);
   vkt_barrier(cmd);
}

static void
render_depth(const VkImageView views[2], const struct vkt_image images[2], VkResolveModeFlagBits depth_mode,
             VkResolveModeFlagBits stencil_mode)
{
   const VkPipelineRenderingCreateInfo formats = formats_of(0, NULL, DS, DS);
   VkPipeline pipeline = depth_pipeline(&formats, VK_NULL_HANDLE);
   VkRenderingAttachmentInfo depth = attach(views[0], CLEAR, (VkClearValue){.depthStencil = {0.75f, 7}});
   depth.resolveImageView = views[1];
   depth.resolveImageLayout = GENERAL;
   VkRenderingAttachmentInfo stencil = depth;
   depth.resolveMode = depth_mode;
   stencil.resolveMode = stencil_mode;
   VkRenderingInfo info = rendering_of(0, NULL);
   info.pDepthAttachment = &depth;
   info.pStencilAttachment = &stencil;
   VkCommandBuffer cmd = vkx_begin(vkx);
   prepare_depth(cmd, images);
   begin_rendering(cmd, &info);
   draw_edges(cmd, pipeline);
   end_rendering(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static VkRenderPass
resolve_pass(VkResolveModeFlagBits depth_mode, VkResolveModeFlagBits stencil_mode, VkAttachmentLoadOp load)
{
   VkAttachmentDescription2 attachments[2];
   VkAttachmentReference2 refs[2];
   for (uint32_t i = 0; i < 2; i++) {
      attachments[i] =
         (VkAttachmentDescription2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                    .format = DS,
                                    .samples = i ? 1 : 4,
                                    .loadOp = i ? load : CLEAR,
                                    .stencilLoadOp = i ? load : CLEAR,
                                    .initialLayout = i && load == LOAD ? GENERAL : VK_IMAGE_LAYOUT_UNDEFINED,
                                    .finalLayout = GENERAL};
      refs[i] = (VkAttachmentReference2){
         .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, .attachment = i, .layout = GENERAL};
   }
   const VkSubpassDescriptionDepthStencilResolve resolve = {
      .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE,
      .depthResolveMode = depth_mode,
      .stencilResolveMode = stencil_mode,
      .pDepthStencilResolveAttachment = &refs[1]};
   const VkSubpassDescription2 subpass = {
      .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .pNext = &resolve, .pDepthStencilAttachment = &refs[0]};
   const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                         .attachmentCount = 2,
                                         .pAttachments = attachments,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
   VkRenderPass pass;
   vkx_check(VKT_PROC(vkx, vkCreateRenderPass2KHR)(vkx->device, &info, NULL, &pass), "vkCreateRenderPass2KHR");
   return pass;
}

/* load: of the attachment that is resolved to; a clear gives it what it has before. */
static void
render_depth_pass(const VkImageView views[2], const struct vkt_image images[2], VkResolveModeFlagBits depth_mode,
                  VkResolveModeFlagBits stencil_mode, VkAttachmentLoadOp load)
{
   VkRenderPass pass = resolve_pass(depth_mode, stencil_mode, load);
   VkFramebuffer framebuffer = framebuffer_create(pass, 2, views, 1);
   VkPipeline pipeline = depth_pipeline(NULL, pass);
   const VkClearValue clears[2] = {{.depthStencil = {0.75f, 7}}, {.depthStencil = {0.125f, 99}}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   if (load == LOAD)
      prepare_depth(cmd, images);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 2, clears);
   draw_edges(cmd, pipeline);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   destroy_pass(pass, framebuffer, 1, &pipeline);
}

static void
test_depth_resolves(void)
{
   VkPhysicalDeviceDepthStencilResolveProperties offered = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES};
   VkPhysicalDeviceProperties2 two = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &offered};
   vkGetPhysicalDeviceProperties2(vkx->physical, &two);
   vkt_expect(offered.supportedDepthResolveModes & offered.supportedStencilResolveModes &
                 VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
              "modes of resolves: %x %x", offered.supportedDepthResolveModes, offered.supportedStencilResolveModes);
   static const VkResolveModeFlagBits modes[][2] = {
      {VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT},
      {VK_RESOLVE_MODE_AVERAGE_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT},
      {VK_RESOLVE_MODE_NONE, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT},
      {VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_NONE},
      {VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MIN_BIT},
      {VK_RESOLVE_MODE_MAX_BIT, VK_RESOLVE_MODE_MAX_BIT},
      {VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MAX_BIT},
      {VK_RESOLVE_MODE_AVERAGE_BIT, VK_RESOLVE_MODE_MIN_BIT}};
   struct vkt_image images[2] = {image_create(DS, 1, 4, DEPTH_USAGE), image_create(DS, 1, 1, DEPTH_USAGE)};
   const VkImageView views[2] = {view_create(&images[0]), view_create(&images[1])};
   for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
      const bool same = modes[i][0] == modes[i][1], none = !modes[i][0] || !modes[i][1];
      if (modes[i][0] & ~offered.supportedDepthResolveModes || modes[i][1] & ~offered.supportedStencilResolveModes ||
          (!same && !(none ? offered.independentResolveNone : offered.independentResolve)))
         continue;
      for (unsigned clear = 0; clear < 2; clear++) {
         render_depth_pass(views, images, modes[i][0], modes[i][1], clear ? CLEAR : LOAD);
         check_edges(&images[1], modes[i][0], modes[i][1]);
      }
      if (!begin_rendering)
         continue;
      render_depth(views, images, modes[i][0], modes[i][1]);
      check_edges(&images[1], modes[i][0], modes[i][1]);
   }
   destroy_images(2, images, 2, views);
}

/* --quirks radv: RADV before 26 tests and clears aspects that are not attached. --quirks validation: the layer of
 * Debian 12 takes a clear of an absent aspect for an error. */
int
main(int argc, char **argv)
{
   const char *quirks = vkx_option(argc, argv, "--quirks", "");
   struct vkx device = vkt_create("rendering");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   if (vkt_has("VK_KHR_dynamic_rendering")) {
      begin_rendering = VKT_PROC(vkx, vkCmdBeginRenderingKHR);
      end_rendering = VKT_PROC(vkx, vkCmdEndRenderingKHR);
      test_attachments(true);
      test_attachments(false);
      for (unsigned depth = 0; strcmp(quirks, "radv") && depth < 2; depth++)
         test_one_aspect(depth, strcmp(quirks, "validation"));
      test_discard_between();
      test_suspend();
      if (vkt_features.inheritedQueries && vkt_features.occlusionQueryPrecise)
         test_secondary_renders();
      test_views();
   } else {
      vkt_skip("dynamic rendering");
   }
   if (vkt_has("VK_KHR_depth_stencil_resolve"))
      test_depth_resolves();
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}

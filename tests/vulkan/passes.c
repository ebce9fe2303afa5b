/* Render passes: subpasses with input attachments, load operations in part of a framebuffer, resolves, clears of
 * attachments, unused attachments and none, framebuffers without images. The expected texels are known. */
#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t input_frag[] = {
#include "input.frag.inc"
};
static const uint32_t self_input_frag[] = {
#include "self_input.frag.inc"
};
static const uint32_t self_input_samples_frag[] = {
#include "self_input_samples.frag.inc"
};
static const uint32_t two_targets_frag[] = {
#include "two_targets.frag.inc"
};
static const uint32_t coverage_frag[] = {
#include "coverage.frag.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define LOAD VK_ATTACHMENT_LOAD_OP_LOAD
#define CLEAR VK_ATTACHMENT_LOAD_OP_CLEAR

/* ---- three subpasses: colour and depth; read as input attachments; drawn over ---- */

static VkRenderPass
create_three_subpasses(void)
{
   const VkAttachmentDescription attachments[3] = {attachment(RGBA8, 1, VK_ATTACHMENT_LOAD_OP_CLEAR),
                                                   attachment(DS, 1, VK_ATTACHMENT_LOAD_OP_CLEAR),
                                                   attachment(RGBA8, 1, VK_ATTACHMENT_LOAD_OP_CLEAR)};
   const VkAttachmentReference refs[3] = {{0, GENERAL}, {1, GENERAL}, {2, GENERAL}};
   const uint32_t kept[2] = {0, 1};
   const VkSubpassDescription subpasses[3] = {
      {.colorAttachmentCount = 1, .pColorAttachments = &refs[0], .pDepthStencilAttachment = &refs[1]},
      {.colorAttachmentCount = 1,
       .pColorAttachments = &refs[2],
       .inputAttachmentCount = 2,
       .pInputAttachments = refs},
      {.colorAttachmentCount = 1,
       .pColorAttachments = &refs[2],
       .preserveAttachmentCount = 2,
       .pPreserveAttachments = kept},
   };
   return pass_create(3, attachments, 3, subpasses, NULL);
}

static void
check_subpasses(const struct vkt_image *images)
{
   read_back(&images[2]);
   expect("input attachments", 0, 0, 0, BYTES(1, 2, 3, 4));
   expect("input attachments", 0, 5, 5, BYTES(10, 20, 51, 9));
   expect("input attachments", 0, 8, 8, BYTES(100, 150, 153, 51));
   expect("input attachments", 0, 23, 20, BYTES(100, 150, 153, 51));
   expect("input attachments", 0, 24, 20, BYTES(10, 20, 51, 9));
   expect("input attachments", 0, 31, 31, BYTES(5, 6, 7, 8));
   read_back(&images[0]);
   expect("a preserved attachment", 0, 9, 9, BYTES(100, 150, 200, 250));
}

static void
test_subpasses(void)
{
   const VkImageUsageFlags input = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
   struct vkt_image images[3] = {
      image_create(RGBA8, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | input),
      image_create(DS, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | input),
      image_create(RGBA8, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
   };
   VkImageView views[5] = {
      view_create(&images[0]),
      view_create(&images[1]),
      view_create(&images[2]),
      vkt_view_create(vkx, &images[1], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1),
      vkt_view_create(vkx, &images[1], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1),
   };
   VkRenderPass pass = create_three_subpasses();
   VkFramebuffer framebuffer = framebuffer_create(pass, 3, views, 1);
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                      VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 3, types, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   VkDescriptorPool pool;
   VkDescriptorSet set = input_set(set_layout, 3, (VkImageView[]){views[0], views[3], views[4]}, &pool);
   const struct vkt_pipeline_info infos[3] = {
      {.pass = pass,
       .layout = quad_layout,
       .vertex = VKT_CODE(quad_vert),
       .fragment = VKT_CODE(quad_frag),
       .depth_stencil = &write_all},
      {.pass = pass, .subpass = 1, .layout = layout, .vertex = VKT_CODE(quad_vert), .fragment = VKT_CODE(input_frag)},
      {.pass = pass,
       .subpass = 2,
       .layout = quad_layout,
       .vertex = VKT_CODE(quad_vert),
       .fragment = VKT_CODE(quad_frag)},
   };
   VkPipeline pipelines[3];
   for (unsigned i = 0; i < 3; i++)
      pipelines[i] = vkt_pipeline_create(vkx, &infos[i]);
   const VkClearValue clears[3] = {
      clear_color(BYTES(10, 20, 30, 40)), {.depthStencil = {0.2f, 9}}, clear_color(BYTES(1, 2, 3, 4))};
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 3, clears);
   quad(cmd, pipelines[0], 8, 8, 24, 24, 0.6f, BYTES(100, 150, 200, 250));
   vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   quad(cmd, pipelines[1], 4, 4, SIZE, SIZE, 0, 0);
   vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
   quad(cmd, pipelines[2], 30, 30, SIZE, SIZE, 0, BYTES(5, 6, 7, 8));
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check_subpasses(images);
   destroy_images(3, images, 5, views);
   destroy_sets(layout, set_layout, pool);
   destroy_pass(pass, framebuffer, 3, pipelines);
}

/* ---- load operations in a part of the framebuffer, of colour, depth and stencil each ---- */

static const struct {
   VkAttachmentLoadOp color, depth, stencil;
} load_rows[] = {
   {LOAD, LOAD, LOAD}, {CLEAR, CLEAR, CLEAR}, {CLEAR, LOAD, LOAD}, {LOAD, CLEAR, LOAD}, {LOAD, LOAD, CLEAR}};

static void
test_loads(void)
{
   struct vkt_target target = vkt_target_create(vkx, RGBA8, DS, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   for (unsigned r = 0; r < ARRAY_SIZE(load_rows); r++) {
      VkAttachmentDescription attachments[2] = {attachment(RGBA8, 1, load_rows[r].color),
                                                attachment(DS, 1, load_rows[r].depth)};
      attachments[1].stencilLoadOp = load_rows[r].stencil;
      attachments[0].initialLayout = attachments[1].initialLayout = GENERAL;
      const VkAttachmentReference refs[2] = {{0, GENERAL}, {1, GENERAL}};
      const VkSubpassDescription subpass = {
         .colorAttachmentCount = 1, .pColorAttachments = &refs[0], .pDepthStencilAttachment = &refs[1]};
      VkRenderPass pass = pass_create(2, attachments, 1, &subpass, NULL);
      const VkClearValue clears[2] = {clear_color(BYTES(9, 8, 7, 6)), {.depthStencil = {0.5f, 77}}};
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdEndRenderPass(cmd);
      begin(cmd, pass, target.framebuffer, (VkRect2D){{5, 7}, {10, 11}}, 2, clears);
      vkCmdEndRenderPass(cmd);
      vkx_submit_and_wait(vkx, cmd);
      static const uint32_t inside_xy[3][3] = {{5, 7, 1}, {14, 17, 1}, {15, 17, 0}};
      read_back(&target.color);
      for (unsigned i = 0; i < 3; i++)
         expect("load of colour", 0, inside_xy[i][0], inside_xy[i][1],
                inside_xy[i][2] && load_rows[r].color == CLEAR ? BYTES(9, 8, 7, 6) : 0);
      vkt_read(vkx, &target.depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &buffer);
      for (unsigned i = 0; i < 3; i++)
         expect("load of depth", 0, inside_xy[i][0], inside_xy[i][1],
                inside_xy[i][2] && load_rows[r].depth == CLEAR ? 0x3f000000 : 0x3f800000);
      vkt_read(vkx, &target.depth, VK_IMAGE_ASPECT_STENCIL_BIT, 0, &buffer);
      const uint8_t *stencil = buffer.map;
      for (unsigned i = 0; i < 3; i++)
         vkt_expect(stencil[inside_xy[i][1] * SIZE + inside_xy[i][0]] ==
                       (inside_xy[i][2] && load_rows[r].stencil == CLEAR ? 77 : 0),
                    "load of stencil, row %u", r);
      vkDestroyRenderPass(vkx->device, pass, NULL);
   }
   vkt_target_destroy(vkx, &target);
}

/* ---- resolves: of attachments at the end of a subpass, and vkCmdResolveImage, of layers ---- */

static void
check_resolves(const struct vkt_image *attached, const struct vkt_image *resolved)
{
   read_back(attached);
   expect("resolve attachment", 0, 1, 3, 0);
   expect("resolve attachment", 0, 2, 3, BYTES(60, 70, 80, 90));
   expect("resolve attachment", 0, 4, 4, BYTES(60, 70, 80, 90));
   expect("resolve attachment", 1, 4, 4, BYTES(200, 100, 50, 25));
   expect("resolve attachment", 1, 9, 8, BYTES(200, 100, 50, 25));
   expect("resolve attachment", 1, 10, 8, BYTES(60, 70, 80, 90));
   expect("resolve attachment", 1, 22, 23, 0);
   read_back(resolved);
   expect("copy and resolve", 0, 10, 10, 0);
   expect("copy and resolve", 1, 6, 6, 0);
   expect("copy and resolve", 1, 7, 6, BYTES(60, 70, 80, 90));
   expect("copy and resolve", 2, 9, 7, BYTES(200, 100, 50, 25));
   expect("copy and resolve", 2, 14, 11, BYTES(200, 100, 50, 25));
   expect("copy and resolve", 2, 24, 22, BYTES(60, 70, 80, 90));
   expect("copy and resolve", 2, 25, 22, 0);
}

static void
test_resolves(VkSampleCountFlagBits samples)
{
   struct vkt_image images[3] = {
      image_create(RGBA8, 2, samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
      image_create(RGBA8, 2, samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
      image_create(RGBA8, 2, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
   };
   struct vkt_image copy = image_create(RGBA8, 2, samples, 0), resolved = image_create(RGBA8, 3, 1, 0);
   VkImageView views[3] = {view_create(&images[0]), view_create(&images[1]), view_create(&images[2])};
   VkAttachmentDescription attachments[3] = {attachment(RGBA8, samples, CLEAR), attachment(RGBA8, samples, CLEAR),
                                             attachment(RGBA8, 1, LOAD)};
   const VkAttachmentReference refs[2] = {{0, GENERAL}, {1, GENERAL}},
                               resolves[2] = {{VK_ATTACHMENT_UNUSED, GENERAL}, {2, GENERAL}};
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 2, .pColorAttachments = refs, .pResolveAttachments = resolves};
   VkRenderPass pass = pass_create(3, attachments, 1, &subpass, NULL);
   VkFramebuffer framebuffer = framebuffer_create(pass, 3, views, 2);
   const VkClearValue clears[2] = {clear_color(BYTES(1, 1, 1, 1)), clear_color(BYTES(60, 70, 80, 90))};
   VkClearAttachment attached = {VK_IMAGE_ASPECT_COLOR_BIT, 1, clear_color(BYTES(200, 100, 50, 25))};
   const VkClearRect rect = {{{4, 4}, {6, 5}}, 1, 1};
   const VkClearColorValue black = {{0, 0, 0, 0}};
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < 5; i++)
      vkt_transition(cmd, i < 3 ? &images[i] : i < 4 ? &copy : &resolved, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdClearColorImage(cmd, images[2].image, GENERAL, &black, 1, &all);
   vkCmdClearColorImage(cmd, resolved.image, GENERAL, &black, 1, &all);
   vkCmdClearColorImage(cmd, copy.image, GENERAL, &black, 1, &all);
   vkt_barrier(cmd);
   begin(cmd, pass, framebuffer, (VkRect2D){{2, 3}, {20, 21}}, 2, clears);
   vkCmdClearAttachments(cmd, 1, &attached, 1, &rect);
   vkCmdEndRenderPass(cmd);
   const VkImageCopy region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2},
                               .srcOffset = {2, 3, 0},
                               .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2},
                               .dstOffset = {1, 1, 0},
                               .extent = {20, 21, 1}};
   vkt_barrier(cmd);
   vkCmdCopyImage(cmd, images[1].image, GENERAL, copy.image, GENERAL, 1, &region);
   const VkImageResolve resolve = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2},
                                   .srcOffset = {1, 1, 0},
                                   .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 2},
                                   .dstOffset = {7, 6, 0},
                                   .extent = {18, 17, 1}};
   vkt_barrier(cmd);
   vkCmdResolveImage(cmd, copy.image, GENERAL, resolved.image, GENERAL, 1, &resolve);
   vkx_submit_and_wait(vkx, cmd);
   check_resolves(&images[2], &resolved);
   destroy_images(3, images, 3, views);
   vkt_image_destroy(vkx, &copy);
   vkt_image_destroy(vkx, &resolved);
   destroy_pass(pass, framebuffer, 0, NULL);
}

/* ---- clears of attachments in layers, several rectangles and aspects ---- */

static void
test_clear_attachments(void)
{
   struct vkt_target target = vkt_target_create(vkx, RGBA8, DS, extent, 4, VK_SAMPLE_COUNT_1_BIT);
   const VkClearAttachment clears[2] = {
      {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(BYTES(3, 5, 7, 11))},
      {VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, {.depthStencil = {0.5f, 3}}}};
   const VkClearAttachment stencil = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, {.depthStencil = {0.1f, 200}}};
   const VkClearRect rects[3] = {{{{0, 0}, {4, 4}}, 0, 1}, {{{10, 2}, {3, 9}}, 1, 3}, {{{31, 31}, {1, 1}}, 2, 1}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdClearAttachments(cmd, 2, clears, 3, rects);
   vkCmdClearAttachments(cmd, 1, &stencil, 1, &rects[1]);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned plane = 0; plane < 3; plane++) {
      static const VkImageAspectFlags aspects[3] = {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT,
                                                    VK_IMAGE_ASPECT_STENCIL_BIT};
      static const uint32_t outside[3] = {0, 0x3f800000, 0}, inside[3] = {BYTES(3, 5, 7, 11), 0x3f000000, 3};
      unsigned bad = 0;
      vkt_read(vkx, plane ? &target.depth : &target.color, aspects[plane], 0, &buffer);
      for (uint32_t i = 0; i < 4 * SIZE * SIZE; i++) {
         uint32_t layer = i / SIZE / SIZE, y = i / SIZE % SIZE, x = i % SIZE, expected = outside[plane];
         for (unsigned r = 0; r < 3; r++) {
            const VkRect2D *rect = &rects[r].rect;
            if (layer - rects[r].baseArrayLayer < rects[r].layerCount && layer >= rects[r].baseArrayLayer &&
                x - (uint32_t)rect->offset.x < rect->extent.width &&
                y - (uint32_t)rect->offset.y < rect->extent.height)
               expected = plane == 2 && r == 1 ? 200 : inside[plane];
         }
         bad += expected != (plane == 2 ? ((uint8_t *)buffer.map)[i] : ((uint32_t *)buffer.map)[i]);
      }
      vkt_expect(!bad, "vkCmdClearAttachments, plane %u: %u texels", plane, bad);
   }
   vkt_target_destroy(vkx, &target);
}

/* ---- an unused reference between two targets, of which one holds integers; then none at all ---- */

static void
test_unused(void)
{
   const VkFormat uint8 = VK_FORMAT_R8G8B8A8_UINT;
   struct vkt_image images[2] = {image_create(RGBA8, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
                                 image_create(uint8, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)};
   const VkImageView views[2] = {view_create(&images[0]), view_create(&images[1])};
   const VkAttachmentDescription attachments[2] = {attachment(RGBA8, 1, CLEAR), attachment(uint8, 1, CLEAR)};
   const VkAttachmentReference refs[3] = {{0, GENERAL}, {VK_ATTACHMENT_UNUSED, GENERAL}, {1, GENERAL}};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 3, .pColorAttachments = refs};
   VkRenderPass pass = pass_create(2, attachments, 1, &subpass, NULL);
   VkFramebuffer framebuffer = framebuffer_create(pass, 2, views, 1);
   VkPipeline pipeline =
      vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                           .layout = quad_layout,
                                                           .colors = 3,
                                                           .vertex = VKT_CODE(quad_vert),
                                                           .fragment = VKT_CODE(two_targets_frag)});
   const VkClearValue clears[2] = {clear_color(BYTES(1, 2, 3, 4)), {.color = {.uint32 = {5, 6, 7, 300}}}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 2, clears);
   quad(cmd, pipeline, 10, 10, 20, 20, 0, BYTES(10, 20, 30, 40));
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&images[0]);
   expect("first of two targets", 0, 0, 0, BYTES(1, 2, 3, 4));
   expect("first of two targets", 0, 12, 12, BYTES(10, 20, 30, 40));
   read_back(&images[1]);
   expect("second of two targets", 0, 0, 0, BYTES(5, 6, 7, 255));
   expect("second of two targets", 0, 12, 12, BYTES(11, 22, 33, 44));
   destroy_images(2, images, 2, views);
   destroy_pass(pass, framebuffer, 1, &pipeline);
}

/* pColorBlendState may be invalid where all references are unused. */
static void
test_all_unused(void)
{
   const VkAttachmentReference ref = {VK_ATTACHMENT_UNUSED, GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &ref};
   VkRenderPass pass = pass_create(0, NULL, 1, &subpass, NULL);
   VkShaderModule module = vkx_shader_create(vkx, quad_vert, sizeof(quad_vert));
   const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                  .module = module,
                                                  .pName = "main"};
   const VkPipelineVertexInputStateCreateInfo vertices = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRect2D scissor = {{0, 0}, extent};
   const VkPipelineViewportStateCreateInfo viewports = {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                        .viewportCount = 1, .pViewports = &viewport,
                                                        .scissorCount = 1, .pScissors = &scissor};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = 1};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .stageCount = 1,
                                              .pStages = &stage,
                                              .pVertexInputState = &vertices,
                                              .pInputAssemblyState = &assembly,
                                              .pViewportState = &viewports,
                                              .pRasterizationState = &raster,
                                              .pMultisampleState = &samples,
                                              .pColorBlendState = (const void *)8,
                                              .layout = quad_layout,
                                              .renderPass = pass};
   VkPipeline pipeline;
   vkx_check(vkCreateGraphicsPipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "all unused");
   vkDestroyShaderModule(vkx->device, module, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyRenderPass(vkx->device, pass, NULL);
}

/* Shader invocations and samples of 4 x 8 pixels without any attachment. Draws that make no fragments stand ahead and
 * after: their pipeline says nothing of samples. */
static void
test_no_attachments(VkSampleCountFlagBits samples, bool in_secondary)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkSubpassDescription subpass = {0};
   const VkPipelineRasterizationStateCreateInfo discard = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = VK_TRUE,
      .lineWidth = 1};
   struct vkt_target target = {.pass = pass_create(0, NULL, 1, &subpass, NULL), .extent = extent};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &buffer);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   struct vkt_pipeline_info info = {.pass = target.pass,
                                    .layout = layout,
                                    .no_color = true,
                                    .samples = samples,
                                    .vertex = VKT_CODE(quad_vert),
                                    .fragment = VKT_CODE(coverage_frag)};
   VkPipeline pipeline = vkt_pipeline_create(vkx, &info);
   info.raster = &discard;
   VkPipeline nothing = vkt_pipeline_create(vkx, &info);
   uint32_t *counts = buffer.map;
   counts[0] = counts[1] = 0;
   target.framebuffer = framebuffer_create(target.pass, 0, NULL, 1);
   VkCommandBuffer cmd = vkx_begin(vkx), draws = cmd;
   if (in_secondary)
      draws = vkt_secondary_begin(vkx, &target, 0, false);
   vkt_target_begin(cmd, &target, target.pass,
                    in_secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(draws, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   quad(draws, nothing, 10, 10, 14, 18, 0, 0);
   quad(draws, pipeline, 10, 10, 14, 18, 0, 0);
   quad(draws, nothing, 10, 10, 14, 18, 0, 0);
   if (in_secondary) {
      vkx_check(vkEndCommandBuffer(draws), "vkEndCommandBuffer");
      vkCmdExecuteCommands(cmd, 1, &draws);
   }
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_expect(counts[0] >= 32 && counts[0] <= 40 && counts[1] == 32 * samples,
              "no attachments, %u samples%s: %u invocations, %u samples", samples,
              in_secondary ? ", in a secondary" : "", counts[0], counts[1]);
   if (in_secondary)
      vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &draws);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_sets_destroy(vkx);
   destroy_pass(target.pass, target.framebuffer, 2, (VkPipeline[]){pipeline, nothing});
}

/* ---- the second versions of the commands, an imageless framebuffer, layouts of depth and stencil, separate ---- */

static VkRenderPass
create_pass2(void)
{
   const VkAttachmentDescriptionStencilLayout stencil_end = {
      .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT,
      .stencilFinalLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL};
   const VkAttachmentReferenceStencilLayout stencil_use = {
      .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT,
      .stencilLayout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL};
   const VkAttachmentDescription2 attachments[2] = {{.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                     .format = RGBA8,
                                                     .samples = 1,
                                                     .loadOp = CLEAR,
                                                     .finalLayout = GENERAL},
                                                    {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                     .pNext = &stencil_end,
                                                     .format = DS,
                                                     .samples = 1,
                                                     .loadOp = CLEAR,
                                                     .stencilLoadOp = CLEAR,
                                                     .finalLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL}};
   const VkAttachmentReference2 color = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                         .attachment = 0,
                                         .layout = GENERAL,
                                         .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
   const VkAttachmentReference2 depth = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                         .pNext = &stencil_use,
                                         .attachment = 1,
                                         .layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                                         .aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT};
   const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &color,
                                          .pDepthStencilAttachment = &depth};
   const VkSubpassDescription2 subpasses[2] = {subpass, subpass};
   const VkSubpassDependency2 between = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                         .srcSubpass = 0,
                                         .dstSubpass = 1,
                                         .srcStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                                         .dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                                         .srcAccessMask = ALL_ACCESS,
                                         .dstAccessMask = ALL_ACCESS};
   const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                         .attachmentCount = 2,
                                         .pAttachments = attachments,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses,
                                         .dependencyCount = 1,
                                         .pDependencies = &between};
   VkRenderPass pass;
   PFN_vkCreateRenderPass2KHR create = VKT_PROC(vkx, vkCreateRenderPass2KHR);
   vkx_check(create(vkx->device, &info, NULL, &pass), "vkCreateRenderPass2KHR");
   return pass;
}

static void
record_pass2(VkRenderPass pass, VkFramebuffer framebuffer, const VkImageView *views, VkPipeline *pipelines)
{
   PFN_vkCmdBeginRenderPass2KHR begin2 = VKT_PROC(vkx, vkCmdBeginRenderPass2KHR);
   PFN_vkCmdNextSubpass2KHR next2 = VKT_PROC(vkx, vkCmdNextSubpass2KHR);
   PFN_vkCmdEndRenderPass2KHR end2 = VKT_PROC(vkx, vkCmdEndRenderPass2KHR);
   const VkRenderPassAttachmentBeginInfo images = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO, .attachmentCount = 2, .pAttachments = views};
   const VkClearValue clears[2] = {clear_color(BYTES(4, 3, 2, 1)), {.depthStencil = {0.5f, 1}}};
   const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .pNext = &images,
                                       .renderPass = pass,
                                       .framebuffer = framebuffer,
                                       .renderArea = {{0, 0}, extent},
                                       .clearValueCount = 2,
                                       .pClearValues = clears};
   const VkSubpassBeginInfo contents = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
   const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin2(cmd, &info, &contents);
   vkt_set_viewport(cmd, extent);
   quad(cmd, pipelines[0], 0, 0, 16, SIZE, 0.3f, BYTES(9, 9, 9, 9));
   next2(cmd, &contents, &end);
   quad(cmd, pipelines[1], 8, 0, SIZE, 16, 0.4f, BYTES(8, 8, 8, 8));
   end2(cmd, &end);
   vkx_submit_and_wait(vkx, cmd);
}

static void
test_imageless(void)
{
   if (!vkt_has("VK_KHR_imageless_framebuffer") || !vkt_has("VK_KHR_separate_depth_stencil_layouts") ||
       !vkt_has("VK_KHR_create_renderpass2")) {
      vkt_skip("imageless framebuffers");
      return;
   }
   struct vkt_image images[2] = {image_create(RGBA8, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
                                 image_create(DS, 1, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)};
   const VkImageView views[2] = {view_create(&images[0]), view_create(&images[1])};
   VkRenderPass pass = create_pass2();
   VkFramebufferAttachmentImageInfo shown[2];
   for (unsigned i = 0; i < 2; i++)
      shown[i] = (VkFramebufferAttachmentImageInfo){.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
                                                    .usage = images[i].info.usage,
                                                    .width = SIZE,
                                                    .height = SIZE,
                                                    .layerCount = 1,
                                                    .viewFormatCount = 1,
                                                    .pViewFormats = &images[i].info.format};
   const VkFramebufferAttachmentsCreateInfo infos = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
                                                     .attachmentImageInfoCount = 2,
                                                     .pAttachmentImageInfos = shown};
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .pNext = &infos,
                                         .flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT,
                                         .renderPass = pass,
                                         .attachmentCount = 2,
                                         .width = SIZE,
                                         .height = SIZE,
                                         .layers = 1};
   VkFramebuffer framebuffer;
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
   VkPipelineDepthStencilStateCreateInfo less = write_all;
   less.depthCompareOp = VK_COMPARE_OP_LESS;
   VkPipeline pipelines[2];
   for (unsigned i = 0; i < 2; i++)
      pipelines[i] = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                                          .subpass = i,
                                                                          .layout = quad_layout,
                                                                          .depth_stencil = &less,
                                                                          .vertex = VKT_CODE(quad_vert),
                                                                          .fragment = VKT_CODE(quad_frag)});
   record_pass2(pass, framebuffer, views, pipelines);
   read_back(&images[0]);
   expect("an imageless framebuffer", 0, 0, 0, BYTES(9, 9, 9, 9));
   expect("an imageless framebuffer", 0, 10, 10, BYTES(9, 9, 9, 9));
   expect("an imageless framebuffer", 0, 20, 10, BYTES(8, 8, 8, 8));
   expect("an imageless framebuffer", 0, 20, 20, BYTES(4, 3, 2, 1));
   destroy_images(2, images, 2, views);
   destroy_pass(pass, framebuffer, 2, pipelines);
}

/* Slices of a level of a 3D image as layers: the view has all that are left. */
static void
test_slices(uint32_t layers)
{
   struct vkt_image image = vkt_image_create(vkx,
                                             (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_3D,
                                                                 .flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT,
                                                                 .format = RGBA8,
                                                                 .extent = {2 * SIZE, 2 * SIZE, 9},
                                                                 .mipLevels = 2,
                                                                 .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                                          VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                                          VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                                             false);
   VkImageView view =
      vkt_view_create(vkx, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, layers);
   VkAttachmentDescription load = attachment(RGBA8, 1, VK_ATTACHMENT_LOAD_OP_CLEAR);
   const VkAttachmentReference ref = {0, GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &ref};
   VkRenderPass pass = pass_create(1, &load, 1, &subpass, NULL);
   VkFramebuffer framebuffer = framebuffer_create(pass, 1, &view, 3);
   const VkClearValue before = clear_color(BYTES(1, 1, 1, 1)), clear = clear_color(BYTES(5, 6, 7, 8));
   const VkClearAttachment attached = {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(BYTES(9, 9, 9, 9))};
   const VkClearRect rect = {{{0, 0}, {4, 4}}, 2, 1};
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 0, 1};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdClearColorImage(cmd, image.image, GENERAL, &before.color, 1, &all);
   vkt_barrier(cmd);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 1, &clear);
   vkCmdClearAttachments(cmd, 1, &attached, 1, &rect);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &image, VK_IMAGE_ASPECT_COLOR_BIT, 1, &buffer);
   for (uint32_t slice = 0; slice < 4; slice++) {
      expect("slices", slice, 2, 2,
             slice == 0   ? BYTES(1, 1, 1, 1)
             : slice == 3 ? BYTES(9, 9, 9, 9)
                          : BYTES(5, 6, 7, 8));
      expect("slices", slice, 20, 20, slice ? BYTES(5, 6, 7, 8) : BYTES(1, 1, 1, 1));
   }
   destroy_images(1, &image, 1, &view);
   destroy_pass(pass, framebuffer, 0, NULL);
}

/* ---- attachments of a subpass as its inputs: what is there before the draw that changes it ---- */

#define TARGET_STAGES \
   (VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT | \
    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT)
#define TARGET_WRITES (VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT)

static bool radv;

static VkRenderPass
self_pass_create(VkSampleCountFlagBits samples)
{
   const VkAttachmentDescription attachments[3] = {attachment(DS, samples, VK_ATTACHMENT_LOAD_OP_CLEAR),
                                                   attachment(RGBA8, samples, VK_ATTACHMENT_LOAD_OP_CLEAR),
                                                   attachment(RGBA8, 1, VK_ATTACHMENT_LOAD_OP_DONT_CARE)};
   const VkAttachmentReference refs[3] = {{0, GENERAL}, {1, GENERAL}, {2, GENERAL}};
   const VkSubpassDescription subpass = {.inputAttachmentCount = 2,
                                         .pInputAttachments = &refs[0],
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &refs[1],
                                         .pResolveAttachments = samples > 1 ? &refs[2] : NULL,
                                         .pDepthStencilAttachment = &refs[0]};
   const VkSubpassDependency dependencies[3] = {{0, 0, TARGET_STAGES, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                                 TARGET_WRITES, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                                 VK_DEPENDENCY_BY_REGION_BIT},
                                                {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                                 VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, ALL_ACCESS, ALL_ACCESS, 0},
                                                {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                                                 VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, ALL_ACCESS, ALL_ACCESS, 0}};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = samples > 1 ? 3 : 2,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = 3,
                                        .pDependencies = dependencies};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

/* Each draw lies within the one before, has a depth of its own and counts the stencil up. */
static void
record_self_draws(VkCommandBuffer cmd, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = TARGET_WRITES,
                                    .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
   for (uint32_t i = 0; i < 5; i++) {
      /* RADV 22.3.6 does not wait for the clear of the pass: its load operation happens before all commands. */
      if (i || radv)
         vkCmdPipelineBarrier(cmd, TARGET_STAGES, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_DEPENDENCY_BY_REGION_BIT,
                              1, &barrier, 0, NULL, 0, NULL);
      vkt_draw_quad(cmd, layout, extent, 3 * i, 3 * i, SIZE - 3 * i, SIZE - 3 * i, (float)(20 * i + 20) / 255,
                    (float[4]){0});
   }
}

/* writes: 1 depth, 2 stencil. */
static void
test_self_input(VkSampleCountFlagBits samples, unsigned writes)
{
   const VkImageUsageFlags input = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, color = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   struct vkt_image images[3] = {image_create(DS, 1, samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | input),
                                 image_create(RGBA8, 1, samples, color | input), image_create(RGBA8, 1, 1, color)};
   const VkImageView views[6] = {
      view_create(&images[0]),
      view_create(&images[1]),
      view_create(&images[2]),
      vkt_view_create(vkx, &images[0], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1),
      vkt_view_create(vkx, &images[0], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1),
      view_create(&images[1])};
   VkRenderPass pass = self_pass_create(samples);
   VkFramebuffer framebuffer = framebuffer_create(pass, samples > 1 ? 3 : 2, views, 1);
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                      VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 3, types, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   VkDescriptorPool pool;
   VkDescriptorSet set = input_set(set_layout, 3, &views[3], &pool);
   const VkStencilOpState count = {.compareOp = VK_COMPARE_OP_ALWAYS,
                                   .passOp = VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                                   .compareMask = 255,
                                   .writeMask = 255};
   const VkPipelineDepthStencilStateCreateInfo tests = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = VK_TRUE,
                                                        .depthWriteEnable = writes & 1,
                                                        .depthCompareOp = VK_COMPARE_OP_ALWAYS,
                                                        .stencilTestEnable = writes >> 1,
                                                        .front = count,
                                                        .back = count};
   const struct vkt_pipeline_info info = {
      .pass = pass,
      .layout = layout,
      .samples = samples,
      .depth_stencil = &tests,
      .vertex = VKT_CODE(quad_vert),
      .fragment = {samples > 1 ? self_input_samples_frag : self_input_frag,
                   samples > 1 ? sizeof(self_input_samples_frag) : sizeof(self_input_frag)}};
   VkPipeline pipeline = vkt_pipeline_create(vkx, &info);
   const VkClearValue clears[2] = {{.depthStencil = {200 / 255.0f, 5}}, clear_color(BYTES(0, 0, 40, 0))};
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 2, clears);
   record_self_draws(cmd, pipeline, layout, set);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&images[samples > 1 ? 2 : 1]);
   for (uint32_t i = 0; i < 5; i++)
      expect("a subpass's targets as its input", 0, 3 * i + 1, 14,
             BYTES(i && writes & 1 ? 20 * i : 200, writes & 2 ? 5 + i : 5, 41 + i, 255));
   destroy_images(3, images, 6, views);
   destroy_sets(layout, set_layout, pool);
   destroy_pass(pass, framebuffer, 1, &pipeline);
}

int
main(int argc, char **argv)
{
   radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   struct vkx device = vkt_create("passes");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   test_subpasses();
   test_loads();
   test_resolves(VK_SAMPLE_COUNT_2_BIT);
   test_resolves(VK_SAMPLE_COUNT_4_BIT);
   if (vkx->properties.limits.framebufferColorSampleCounts & VK_SAMPLE_COUNT_8_BIT)
      test_resolves(VK_SAMPLE_COUNT_8_BIT);
   else
      vkt_skip("resolves of 8 samples");
   test_clear_attachments();
   test_unused();
   test_all_unused();
   for (unsigned i = 0; i < 4; i++)
      test_no_attachments(i & 1 ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT, i & 2);
   test_imageless();
   for (unsigned writes = 1; writes < 4; writes++) {
      test_self_input(VK_SAMPLE_COUNT_1_BIT, writes);
      if (vkt_features.sampleRateShading)
         test_self_input(VK_SAMPLE_COUNT_4_BIT, writes);
   }
   test_slices(3);
   if (!radv) /* RADV 22.3.6 takes the one layer of a 3D image for all. */
      test_slices(VK_REMAINING_ARRAY_LAYERS);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}

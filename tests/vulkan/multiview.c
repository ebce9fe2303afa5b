/* Multiview: draws, clears, input attachments, resolves, secondary command buffers and indirect draws of several
 * views; the same shaders without views. The expected texels are known. */
#include "pass_helpers.h"

static const uint32_t view_vert[] = {
#include "view.vert.inc"
};
static const uint32_t view_frag[] = {
#include "view.frag.inc"
};
static const uint32_t view_tesc[] = {
#include "view.tesc.inc"
};
static const uint32_t view_tese[] = {
#include "view.tese.inc"
};
static const uint32_t view_geom[] = {
#include "view.geom.inc"
};
static const uint32_t view_input_frag[] = {
#include "view_input.frag.inc"
};
static const uint32_t layer_vert[] = {
#include "layer.vert.inc"
};

#define LOAD VK_ATTACHMENT_LOAD_OP_LOAD
#define CLEAR VK_ATTACHMENT_LOAD_OP_CLEAR
#define LAYERS 4u
#define BEFORE BYTES(0x11, 0x11, 0x11, 0x11)
#define CLEARED BYTES(60, 70, 80, 90)
/* What view.frag makes of a colour with these other components. */
#define SEEN(view, g, b, a) BYTES((view)*17 + 1, g, b, a)

/* RADV 22.3.6 resolves all layers, and has views where the device's index is asked for. */
static bool radv;
/* Of linked pipelines the layer of Debian 12 does not know how many viewports they have. */
static bool validation;

static VkRect2D whole = {{0, 0}, {SIZE, SIZE}};

static VkPipeline
view_pipeline(VkRenderPass pass, uint32_t subpass, VkSampleCountFlagBits samples,
              const VkPipelineDepthStencilStateCreateInfo *depth)
{
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                               .subpass = subpass,
                                                               .layout = quad_layout,
                                                               .samples = samples,
                                                               .vertex = VKT_CODE(view_vert),
                                                               .fragment = VKT_CODE(view_frag),
                                                               .depth_stencil = depth});
}

/* Stages ahead of the rasterizer. */
enum stages { VERTEX_ONLY, TESSELLATED = 1, GEOMETRY = 2 };

/* The same with more stages, which all have to be in the view. */
static VkPipeline
staged_pipeline(VkRenderPass pass, uint32_t subpass, enum stages stages)
{
   static const VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 4};
   struct vkt_pipeline_info info = {.pass = pass,
                                    .subpass = subpass,
                                    .layout = quad_layout,
                                    .samples = 1,
                                    .vertex = VKT_CODE(view_vert),
                                    .fragment = VKT_CODE(view_frag)};
   if (stages & TESSELLATED) {
      info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
      info.tessellation = &tessellation;
      info.control = VKT_CODE(view_tesc);
      info.evaluation = VKT_CODE(view_tese);
   }
   if (stages & GEOMETRY)
      info.geometry = VKT_CODE(view_geom);
   return vkt_pipeline_create(vkx, &info);
}

/* All layers hold BEFORE. */
static void
prepare(VkCommandBuffer cmd, const struct vkt_image *image)
{
   const VkClearValue value = clear_color(BEFORE);
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS};
   vkt_transition(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdClearColorImage(cmd, image->image, GENERAL, &value.color, 1, &all);
   vkt_barrier(cmd);
}

static VkRenderPass
simple_pass(const VkAttachmentDescription *attachments, bool depth, uint32_t num_subpasses, const uint32_t *masks)
{
   const VkAttachmentReference refs[2] = {{0, GENERAL}, {1, GENERAL}};
   const VkSubpassDescription one = {
      .colorAttachmentCount = 1, .pColorAttachments = &refs[0], .pDepthStencilAttachment = depth ? &refs[1] : NULL};
   const VkSubpassDescription subpasses[2] = {one, one};
   return pass_create(depth ? 2 : 1, attachments, num_subpasses, subpasses, masks);
}

/* Two subpasses with different views of one attachment: each view is cleared where it is used first. */
static void
test_masks(enum stages stages)
{
   static const uint32_t masks[2] = {0x5, 0x8};
   struct vkt_image image = image_create(RGBA8, LAYERS, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   VkImageView view = view_create(&image);
   VkAttachmentDescription cleared = attachment(RGBA8, 1, CLEAR);
   cleared.initialLayout = GENERAL;
   VkRenderPass pass = simple_pass(&cleared, false, 2, masks);
   VkFramebuffer framebuffer = framebuffer_create(pass, 1, &view, 1);
   VkPipeline pipelines[2] = {staged_pipeline(pass, 0, stages), staged_pipeline(pass, 1, stages)};
   const VkClearValue clear = clear_color(CLEARED);
   const VkClearAttachment attached = {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(BYTES(1, 2, 3, 4))};
   const VkClearRect rect = {{{28, 0}, {4, 4}}, 0, 1};
   VkCommandBuffer cmd = vkx_begin(vkx);
   prepare(cmd, &image);
   begin(cmd, pass, framebuffer, whole, 1, &clear);
   quad(cmd, pipelines[0], 4, 4, 12, 12, 0, BYTES(0, 10, 20, 30));
   vkCmdClearAttachments(cmd, 1, &attached, 1, &rect);
   vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
   quad(cmd, pipelines[1], 8, 8, 16, 16, 0, BYTES(0, 40, 50, 60));
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&image);
   for (uint32_t layer = 0; layer < LAYERS; layer++) {
      bool first = masks[0] >> layer & 1, second = masks[1] >> layer & 1;
      uint32_t background = first || second ? CLEARED : BEFORE;
      expect("views of two subpasses", layer, 0, 0, background);
      expect("views of two subpasses", layer, 5, 5, first ? SEEN(layer, 10, 20, 30) : background);
      expect("views of two subpasses", layer, 15, 15, second ? SEEN(layer, 40, 50, 60) : background);
      expect("a clear of views", layer, 30, 2, first ? BYTES(1, 2, 3, 4) : background);
   }
   vkDestroyPipeline(vkx->device, pipelines[0], NULL);
   vkDestroyPipeline(vkx->device, pipelines[1], NULL);
   vkDestroyFramebuffer(vkx->device, framebuffer, NULL);
   vkDestroyRenderPass(vkx->device, pass, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

static void
test_stages(void)
{
   VkPhysicalDeviceMultiviewFeatures views = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &views};
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   test_masks(VERTEX_ONLY);
   if (views.multiviewTessellationShader)
      test_masks(TESSELLATED);
   if (views.multiviewGeometryShader)
      test_masks(GEOMETRY);
   if (views.multiviewTessellationShader && views.multiviewGeometryShader)
      test_masks(TESSELLATED | GEOMETRY);
}

/* Depth of each view, an indirect draw, a secondary command buffer. */
static void
test_depth(void)
{
   static const uint32_t mask = 0xb;
   const VkPipelineDepthStencilStateCreateInfo less = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                       .depthTestEnable = VK_TRUE,
                                                       .depthWriteEnable = VK_TRUE,
                                                       .depthCompareOp = VK_COMPARE_OP_LESS};
   struct vkt_image images[2] = {
      image_create(RGBA8, LAYERS, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
      image_create(VK_FORMAT_D32_SFLOAT, LAYERS, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)};
   const VkImageView views[2] = {view_create(&images[0]), view_create(&images[1])};
   VkAttachmentDescription attachments[2] = {attachment(RGBA8, 1, LOAD), attachment(VK_FORMAT_D32_SFLOAT, 1, CLEAR)};
   static const uint32_t masks[2] = {0xb, 0xb};
   VkRenderPass pass = simple_pass(attachments, true, 2, masks);
   VkFramebuffer framebuffer = framebuffer_create(pass, 2, views, 1);
   VkPipeline pipelines[2] = {view_pipeline(pass, 0, 1, &less), view_pipeline(pass, 1, 1, &less)};
   struct vkt_target inherited = {.pass = pass, .framebuffer = framebuffer, .extent = extent};
   const VkClearValue clears[2] = {{{{0}}}, {.depthStencil = {0.6f, 0}}};
   struct vkx_buffer indirect = vkt_buffer_create(vkx, 64, 0);
   *(VkDrawIndirectCommand *)indirect.map = (VkDrawIndirectCommand){4, 1, 0, 0};
   VkCommandBuffer secondary = vkt_secondary_begin_subpass(vkx, &inherited, 1), cmd = vkx_begin(vkx);
   quad(secondary, pipelines[1], 16, 0, SIZE, SIZE, 0.4f, BYTES(0, 7, 7, 7));
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   prepare(cmd, &images[0]);
   begin(cmd, pass, framebuffer, whole, 2, clears);
   quad(cmd, pipelines[0], 0, 0, 16, 16, 0.7f, BYTES(0, 1, 1, 1)); /* hidden */
   quad(cmd, pipelines[0], 0, 16, 16, SIZE, 0.5f, BYTES(0, 2, 2, 2));
   const struct vkt_quad seen = {-0.5f, -0.5f, 0.5f, 0.5f, {0, 3 / 255.0f, 3 / 255.0f, 3 / 255.0f}, 0.45f};
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(seen), &seen);
   vkCmdDrawIndirect(cmd, indirect.buffer, 0, 1, 16);
   vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&images[0]);
   for (uint32_t layer = 0; layer < LAYERS; layer++) {
      bool in = mask >> layer & 1;
      expect("depth of views", layer, 1, 1, BEFORE);
      expect("depth of views", layer, 1, 30, in ? SEEN(layer, 2, 2, 2) : BEFORE);
      expect("an indirect draw of views", layer, 10, 10, in ? SEEN(layer, 3, 3, 3) : BEFORE);
      expect("secondary draws of views", layer, 20, 10, in ? SEEN(layer, 7, 7, 7) : BEFORE);
   }
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
   vkx_buffer_destroy(vkx, &indirect);
   destroy_images(2, images, 2, views);
   destroy_pass(pass, framebuffer, 2, pipelines);
}

/* Drawn with four samples, resolved; the resolved image is read as an input attachment in the second subpass: the
 * layer of the view, whatever the view index is. */
static void
test_inputs(VkPipelineCreateFlags flags)
{
   static const uint32_t masks[2] = {0x6, 0x6};
   struct vkt_image images[3] = {
      image_create(RGBA8, LAYERS, 4, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
      image_create(RGBA8, LAYERS, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT),
      image_create(RGBA8, LAYERS, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)};
   const VkImageView views[3] = {view_create(&images[0]), view_create(&images[1]), view_create(&images[2])};
   const VkAttachmentDescription attachments[3] = {attachment(RGBA8, 4, CLEAR), attachment(RGBA8, 1, LOAD),
                                                   attachment(RGBA8, 1, LOAD)};
   const VkAttachmentReference refs[3] = {{0, GENERAL}, {1, GENERAL}, {2, GENERAL}};
   const VkSubpassDescription subpasses[2] = {
      {.colorAttachmentCount = 1, .pColorAttachments = &refs[0], .pResolveAttachments = &refs[1]},
      {.colorAttachmentCount = 1,
       .pColorAttachments = &refs[2],
       .inputAttachmentCount = 1,
       .pInputAttachments = &refs[1]}};
   VkRenderPass pass = pass_create(3, attachments, 2, subpasses, masks);
   VkFramebuffer framebuffer = framebuffer_create(pass, 3, views, 1);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   VkDescriptorPool pool;
   VkDescriptorSet set = input_set(set_layout, 1, &views[1], &pool);
   VkPipeline pipelines[2] = {
      view_pipeline(pass, 0, 4, NULL),
      vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.flags = flags,
                                                           .pass = pass,
                                                           .subpass = 1,
                                                           .layout = layout,
                                                           .vertex = VKT_CODE(view_vert),
                                                           .fragment = VKT_CODE(view_input_frag)})};
   const VkClearValue clear = clear_color(CLEARED);
   VkCommandBuffer cmd = vkx_begin(vkx);
   prepare(cmd, &images[1]);
   prepare(cmd, &images[2]);
   begin(cmd, pass, framebuffer, whole, 1, &clear);
   quad(cmd, pipelines[0], 0, 0, 16, SIZE, 0, BYTES(0, 0, 0, 0));
   vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   quad(cmd, pipelines[1], 0, 0, SIZE, 16, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&images[2]);
   for (uint32_t layer = 0; layer < LAYERS; layer++) {
      bool in = masks[0] >> layer & 1;
      const uint32_t seen = flags ? 0 : layer;
      expect("input attachments of views", layer, 3, 3, in ? BYTES(layer * 17 + 1, seen, 0, 255) : BEFORE);
      expect("input attachments of views", layer, 20, 3, in ? BYTES(60, seen, 0, 255) : BEFORE);
      expect("input attachments of views", layer, 3, 20, BEFORE);
   }
   read_back(&images[1]);
   for (uint32_t layer = 0; layer < LAYERS; layer++) {
      bool in = masks[0] >> layer & 1;
      if (in || !radv)
         expect("resolves of views", layer, 20, 20, in ? CLEARED : BEFORE);
   }
   destroy_images(3, images, 3, views);
   destroy_sets(layout, set_layout, pool);
   destroy_pass(pass, framebuffer, 2, pipelines);
}

/* Without a mask there is one view, of index 0, and an input attachment has the layer that is drawn. */
static void
test_no_views(bool layered)
{
   struct vkt_image images[2] = {
      image_create(RGBA8, LAYERS, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT),
      image_create(RGBA8, LAYERS, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)};
   const VkImageView views[2] = {view_create(&images[0]), view_create(&images[1])};
   const VkAttachmentDescription attachments[2] = {attachment(RGBA8, 1, LOAD), attachment(RGBA8, 1, LOAD)};
   const VkAttachmentReference refs[2] = {{0, GENERAL}, {1, GENERAL}};
   const VkSubpassDescription subpasses[2] = {{.colorAttachmentCount = 1, .pColorAttachments = &refs[0]},
                                              {.colorAttachmentCount = 1,
                                               .pColorAttachments = &refs[1],
                                               .inputAttachmentCount = 1,
                                               .pInputAttachments = &refs[0]}};
   VkRenderPass pass = pass_create(2, attachments, 2, subpasses, NULL);
   VkFramebuffer framebuffer = framebuffer_create(pass, 2, views, LAYERS);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   VkDescriptorPool pool;
   VkDescriptorSet set = input_set(set_layout, 1, &views[0], &pool);
   struct vkt_pipeline_info info = {
      .pass = pass, .layout = layout, .vertex = VKT_CODE(view_vert), .fragment = VKT_CODE(view_frag)};
   if (layered)
      info.vertex = VKT_CODE(layer_vert);
   VkPipeline pipelines[2] = {vkt_pipeline_create(vkx, &info)};
   info.subpass = 1;
   info.fragment = VKT_CODE(view_input_frag);
   pipelines[1] = vkt_pipeline_create(vkx, &info);
   const struct vkt_quad quads[2] = {{-1, -1, 0, 1, {0, 1, 1, 1}, 0}, {-1, -1, 1, 0, {0}, 0}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   prepare(cmd, &images[0]);
   prepare(cmd, &images[1]);
   for (uint32_t i = 0; i < LAYERS; i++) {
      const VkClearValue value = clear_color(BYTES(i * 9 + 100, 0, 0, 0));
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, i, 1};
      vkCmdClearColorImage(cmd, images[0].image, GENERAL, &value.color, 1, &range);
   }
   vkt_barrier(cmd);
   begin(cmd, pass, framebuffer, whole, 0, NULL);
   for (unsigned i = 0; i < 2; i++) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
      vkCmdPushConstants(cmd, layout, VKT_QUAD_STAGES, 0, sizeof(quads[i]), &quads[i]);
      vkCmdDraw(cmd, 4, layered ? LAYERS : 1, 0, 0);
      if (i == 0)
         vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
   }
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&images[1]);
   for (uint32_t layer = 0; layer < LAYERS; layer++) {
      bool in = layered || layer == 0;
      expect("no views, drawn before", layer, 3, 3, in ? BYTES(1, 0, 0, 255) : BEFORE);
      expect("no views, layer of the input", layer, 20, 3, in ? BYTES(layer * 9 + 100, 0, 0, 255) : BEFORE);
      expect("no views", layer, 20, 20, BEFORE);
   }
   destroy_images(2, images, 2, views);
   destroy_sets(layout, set_layout, pool);
   destroy_pass(pass, framebuffer, 2, pipelines);
}

/* ---- the device's index, which is 0, in place of the view index ---- */

enum how { WHOLE, LINKED, LINKED_OPTIMIZED, HOWS };
#define DEVICE_INDEX VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT

/* With what the flags say of each stage; whole pipelines have one flag. */
static VkPipeline
device_index_pipeline(VkRenderPass pass, enum how how, bool dynamic, const VkPipelineCreateFlags flags[2])
{
   static const VkGraphicsPipelineLibraryFlagsEXT parts[2] = {
      VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
         VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
      VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
   const VkDynamicState topology = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY_EXT;
   const struct vkt_pipeline_info whole = {.flags = flags[0],
                                           .pass = pass,
                                           .layout = quad_layout,
                                           .vertex = VKT_CODE(view_vert),
                                           .fragment = VKT_CODE(view_frag),
                                           .num_dynamic = dynamic,
                                           .dynamic = &topology};
   if (how == WHOLE)
      return vkt_pipeline_create(vkx, &whole);
   VkPipeline libraries[2], pipeline;
   for (unsigned i = 0; i < 2; i++) {
      const VkGraphicsPipelineLibraryCreateInfoEXT part = {
         .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = parts[i]};
      struct vkt_pipeline_info info = whole;
      info.next = &part;
      info.flags = flags[i] | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                   (how == LINKED_OPTIMIZED ? VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT : 0);
      *(i ? &info.vertex : &info.fragment) = (struct vkt_code){0};
      libraries[i] = vkt_pipeline_create(vkx, &info);
   }
   const VkPipelineLibraryCreateInfoKHR list = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
   const VkGraphicsPipelineCreateInfo link = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = &list,
      .flags = how == LINKED_OPTIMIZED ? VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0,
      .layout = quad_layout};
   vkx_check(vkCreateGraphicsPipelines(vkx->device, VK_NULL_HANDLE, 1, &link, NULL, &pipeline), "a link");
   vkDestroyPipeline(vkx->device, libraries[0], NULL);
   vkDestroyPipeline(vkx->device, libraries[1], NULL);
   return pipeline;
}

static void
test_device_index(enum how how, bool dynamic, bool of_vertices, bool of_fragments)
{
   static const uint32_t mask = 0xd;
   const VkPipelineCreateFlags flags[2] = {of_vertices ? DEVICE_INDEX : 0, of_fragments ? DEVICE_INDEX : 0};
   struct vkt_image image = image_create(RGBA8, LAYERS, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   VkImageView view = view_create(&image);
   const VkAttachmentDescription kept = attachment(RGBA8, 1, LOAD);
   VkRenderPass pass = simple_pass(&kept, false, 1, &mask);
   VkFramebuffer framebuffer = framebuffer_create(pass, 1, &view, 1);
   VkPipeline pipeline = device_index_pipeline(pass, how, dynamic, flags);
   VkCommandBuffer cmd = vkx_begin(vkx);
   char what[64];
   snprintf(what, sizeof(what), "device index, kind %d, %d, stages %d%d", how, dynamic, of_vertices, of_fragments);
   prepare(cmd, &image);
   begin(cmd, pass, framebuffer, whole, 0, NULL);
   if (dynamic)
      VKT_PROC(vkx, vkCmdSetPrimitiveTopologyEXT)(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
   quad(cmd, pipeline, 4, 4, 12, 12, 0, BYTES(0, 10, 20, 30));
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&image);
   for (uint32_t layer = 0; layer < LAYERS; layer++) {
      const uint32_t red = 1 + (of_vertices ? 0 : layer) + (of_fragments ? 0 : 16 * layer);
      expect(what, layer, 5, 5, mask >> layer & 1 ? BYTES(red, 10, 20, 30) : BEFORE);
      expect(what, layer, 15, 15, BEFORE);
   }
   destroy_images(1, &image, 1, &view);
   destroy_pass(pass, framebuffer, 1, &pipeline);
}

static void
test_device_indices(void)
{
   const bool libraries = vkt_has("VK_EXT_graphics_pipeline_library") && !validation;
   const bool states = vkt_has("VK_EXT_extended_dynamic_state");
   for (unsigned i = 0; i < HOWS * 8; i++) {
      const enum how how = i % HOWS;
      const bool dynamic = i / HOWS & 1, of_vertices = i / HOWS & 2, of_fragments = i / HOWS & 4;
      if ((how == WHOLE ? of_vertices == of_fragments : libraries) && (!dynamic || states))
         test_device_index(how, dynamic, of_vertices, of_fragments);
   }
}

/* ---- queries: a query takes one index for each view, and they add up ---- */

#define QUERIES 8u

static void
record_queries(VkCommandBuffer cmd, VkPipeline pipeline, const VkQueryPool pools[3])
{
   vkCmdBeginQuery(cmd, pools[0], 1, vkt_features.occlusionQueryPrecise ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
   if (pools[1])
      vkCmdBeginQuery(cmd, pools[1], 1, 0);
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pools[2], 1);
   quad(cmd, pipeline, 0, 0, 16, 8, 0, BYTES(0, 1, 2, 3));
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pools[2], 4);
   if (pools[1])
      vkCmdEndQuery(cmd, pools[1], 1);
   vkCmdEndQuery(cmd, pools[0], 1);
}

/* {value, available} of all queries; the sum of 1 to 3, which must be there, and no others. */
static uint64_t
sum_of_views(VkQueryPool pool, uint32_t last, uint64_t results[QUERIES][2])
{
   uint64_t sum = 0;
   memset(results, 0xcc, QUERIES * sizeof(results[0]));
   VkResult result = vkGetQueryPoolResults(vkx->device, pool, 0, QUERIES, QUERIES * sizeof(results[0]), results, 16,
                                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   vkt_expect(result == VK_NOT_READY, "queries that were not begun: %d", result);
   for (uint32_t i = 0; i < QUERIES; i++) {
      bool used = i >= 1 && i <= last;
      vkt_expect(!results[i][1] == !used, "availability of query %u of views: %lu", i, (unsigned long)results[i][1]);
      sum += i >= 1 && i <= 3 ? results[i][0] : 0;
   }
   return sum;
}

static void
check_queries(const VkQueryPool pools[3])
{
   uint64_t results[QUERIES][2];
   uint64_t samples = sum_of_views(pools[0], 3, results);
   vkt_expect(vkt_features.occlusionQueryPrecise ? samples == 3 * 16 * 8 : samples > 0, "%lu samples in three views",
              (unsigned long)samples);
   if (pools[1]) {
      uint64_t fragments = sum_of_views(pools[1], 3, results);
      vkt_expect(fragments >= 3 * 16 * 8, "%lu fragments in three views", (unsigned long)fragments);
   }
   sum_of_views(pools[2], 6, results);
   vkt_expect(results[4][0] >= results[1][0] && results[1][0], "time stamps of views");
}

static void
test_queries(void)
{
   static const uint32_t mask = 0xb;
   static const VkQueryType types[3] = {VK_QUERY_TYPE_OCCLUSION, VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                        VK_QUERY_TYPE_TIMESTAMP};
   struct vkt_image image = image_create(RGBA8, LAYERS, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   VkImageView view = view_create(&image);
   const VkAttachmentDescription cleared = attachment(RGBA8, 1, CLEAR);
   VkRenderPass pass = simple_pass(&cleared, false, 1, &mask);
   VkFramebuffer framebuffer = framebuffer_create(pass, 1, &view, 1);
   VkPipeline pipeline = view_pipeline(pass, 0, 1, NULL);
   const VkClearValue clear = clear_color(CLEARED);
   VkQueryPool pools[3] = {VK_NULL_HANDLE};
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < 3; i++) {
      const VkQueryPoolCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
         .queryType = types[i],
         .queryCount = QUERIES,
         .pipelineStatistics = i == 1 ? VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT : 0};
      if (i == 1 && !vkt_features.pipelineStatisticsQuery)
         continue;
      vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &pools[i]), "vkCreateQueryPool");
      vkCmdResetQueryPool(cmd, pools[i], 0, QUERIES);
   }
   begin(cmd, pass, framebuffer, whole, 1, &clear);
   record_queries(cmd, pipeline, pools);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check_queries(pools);
   for (unsigned i = 0; i < 3; i++)
      vkDestroyQueryPool(vkx->device, pools[i], NULL);
   destroy_images(1, &image, 1, &view);
   destroy_pass(pass, framebuffer, 1, &pipeline);
}

int
main(int argc, char **argv)
{
   radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   validation = !strcmp(vkx_option(argc, argv, "--quirks", ""), "validation");
   vkt_libraries = true;
   struct vkx device = vkt_create("multiview");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   test_stages();
   test_depth();
   test_inputs(0);
   if (!radv)
      test_inputs(DEVICE_INDEX);
   test_no_views(false);
   if (vkt_has("VK_EXT_shader_viewport_index_layer"))
      test_no_views(true);
   if (!radv)
      test_device_indices();
   test_queries();
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}

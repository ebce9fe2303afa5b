/* Ordered sections next to everything else: in images and texel buffers, where fragments are discarded, where depth
 * tests fail after the shader and ahead of it, with views, over several draws and passes, at several sample counts.
 * The colours that fragments leave after their sections are in order, too. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

enum { SIZE = 16, PIXELS = SIZE * SIZE, INSTANCES = 10, DRAWS = 8 /* half of them in each pass */, VIEWS = 2 };
enum way { IMAGE, TEXELS, DISCARD, DEPTH, EARLY, VIEW, WRITE /* never read */, ADDRESS, WAYS };

static const uint32_t vertex_code[] = {
#include "interlock_ways.vert.inc"
};
static const uint32_t fragment_0[] = {
#include "interlock_ways_0.frag.inc"
};
static const uint32_t fragment_1[] = {
#include "interlock_ways_1.frag.inc"
};
static const uint32_t fragment_2[] = {
#include "interlock_ways_2.frag.inc"
};
static const uint32_t fragment_3[] = {
#include "interlock_ways_3.frag.inc"
};
static const uint32_t fragment_4[] = {
#include "interlock_ways_4.frag.inc"
};
static const uint32_t fragment_5[] = {
#include "interlock_ways_5.frag.inc"
};
static const uint32_t fragment_6[] = {
#include "interlock_ways_6.frag.inc"
};
static const uint32_t fragment_7[] = {
#include "interlock_ways_7.frag.inc"
};
static const struct vkt_code codes[WAYS] = {{fragment_0, sizeof(fragment_0)}, {fragment_1, sizeof(fragment_1)},
                                            {fragment_2, sizeof(fragment_2)}, {fragment_3, sizeof(fragment_3)},
                                            {fragment_4, sizeof(fragment_4)}, {fragment_5, sizeof(fragment_5)},
                                            {fragment_6, sizeof(fragment_6)}, {fragment_7, sizeof(fragment_7)}};

struct push {
   uint32_t first, x, y;
   uint64_t address;
};

static struct vkx *vkx;
static VkPipelineLayout layout;
static VkDescriptorSet set;
static struct vkx_buffer words;     /* what all that is no image changes, a word for each pixel of each view */
static struct vkx_buffer addressed; /* the same of ADDRESS; no buffer: the device has no addresses */
static uint64_t address;
static struct vkx_buffer readback;
static struct vkt_image image;

static struct push
push_of(unsigned draw)
{
   return (struct push){draw * INSTANCES + 1, draw % 7, draw * 5 % 11, address};
}

/* ---- what should be there ---- */

struct pixel {
   uint32_t word, color;
   float depth;
};
static struct pixel expected[VIEWS][PIXELS];

static void
shade(enum way way, struct pixel *p, unsigned x, uint32_t id)
{
   float depth = (float)(id * 7 % 16) / 16.0f + 1.0f / 32.0f;
   bool tests = way == DEPTH || way == EARLY, passes = !tests || depth < p->depth;
   if ((way == DISCARD && (id + x) % 3 == 0) || (way == EARLY && !passes))
      return;
   p->word = (way == WRITE ? 0 : p->word * 3) + id;
   if (!passes)
      return;
   p->color = id & 255;
   p->depth = depth;
}

static void
run_in_order(enum way way)
{
   for (unsigned view = 0; view < VIEWS; view++)
      for (unsigned i = 0; i < PIXELS; i++)
         expected[view][i] = (struct pixel){.depth = 1};
   for (unsigned view = 0; view < (way == VIEW ? VIEWS : 1); view++)
      for (unsigned draw = 0; draw < DRAWS; draw++) {
         const struct push push = push_of(draw);
         for (unsigned i = 0; i < INSTANCES; i++)
            for (unsigned y = push.y + i % 3; y < SIZE; y++)
               for (unsigned x = push.x + (i + view) % 5; x < SIZE; x++)
                  shade(way, &expected[view][y * SIZE + x], x, push.first + i);
      }
}

/* ---- what is there ---- */

/* The same pass for all views at once. */
static VkRenderPass
create_view_pass(VkSampleCountFlagBits samples, bool clears)
{
   const VkAttachmentDescription attachments[2] = {
      {.format = VK_FORMAT_R8G8B8A8_UNORM,
       .samples = samples,
       .loadOp = clears ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .initialLayout = clears ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL,
       .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
      {.format = VK_FORMAT_D32_SFLOAT,
       .samples = samples,
       .loadOp = clears ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .initialLayout = clears ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL,
       .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
   };
   const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL}, depth = {1, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 1, .pColorAttachments = &color, .pDepthStencilAttachment = &depth};
   const uint32_t mask = (1u << VIEWS) - 1;
   const VkRenderPassMultiviewCreateInfo views = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO, .subpassCount = 1, .pViewMasks = &mask};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .pNext = &views,
                                        .attachmentCount = 2,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

/* The views are layers of the target's images: the framebuffer has one. */
static void
see_all_views(struct vkt_target *target, VkSampleCountFlagBits samples)
{
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = create_view_pass(samples, true),
                                         .attachmentCount = 2,
                                         .pAttachments = target->views,
                                         .width = SIZE,
                                         .height = SIZE,
                                         .layers = 1};
   vkDestroyRenderPass(vkx->device, target->pass, NULL);
   vkDestroyRenderPass(vkx->device, target->load_pass, NULL);
   vkDestroyFramebuffer(vkx->device, target->framebuffer, NULL);
   target->pass = info.renderPass;
   target->load_pass = create_view_pass(samples, false);
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &target->framebuffer), "vkCreateFramebuffer");
}

static VkPipeline
create_pipeline(enum way way, const struct vkt_target *target, VkSampleCountFlagBits samples)
{
   bool tests = way == DEPTH || way == EARLY;
   const VkPipelineDepthStencilStateCreateInfo depth = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = tests,
                                                        .depthWriteEnable = tests,
                                                        .depthCompareOp = VK_COMPARE_OP_LESS};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target->pass,
                                                               .layout = layout,
                                                               .vertex = VKT_CODE(vertex_code),
                                                               .fragment = codes[way],
                                                               .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                               .samples = samples,
                                                               .depth_stencil = &depth});
}

static void
record_pass(VkCommandBuffer cmd, const struct vkt_target *target, VkPipeline pipeline, unsigned first_draw)
{
   vkt_target_begin(cmd, target, first_draw ? target->load_pass : target->pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   for (unsigned draw = first_draw; draw < first_draw + DRAWS / 2; draw++) {
      const struct push push = push_of(draw);
      vkCmdPushConstants(cmd, layout, VKT_QUAD_STAGES, 0, sizeof(push), &push);
      vkCmdDraw(cmd, 3, INSTANCES, 0, 0);
   }
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
}

static void
check_words(enum way way, unsigned samples, const uint32_t *have, unsigned views)
{
   unsigned wrong = 0;
   for (unsigned i = 0; i < views * PIXELS; i++)
      wrong += have[i] != expected[i / PIXELS][i % PIXELS].word;
   vkt_expect(!wrong, "%u samples, way %u: %u wrong pixels", samples, way, wrong);
}

static void
check_colors(enum way way, const struct vkt_target *target)
{
   const uint8_t(*have)[4] = readback.map;
   unsigned wrong = 0;
   vkt_read(vkx, &target->color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &readback);
   for (unsigned i = 0; i < target->layers * PIXELS; i++)
      wrong += have[i][1] != expected[i / PIXELS][i % PIXELS].color;
   vkt_expect(!wrong, "way %u: %u wrong colours", way, wrong);
}

static void
test_way(enum way way, VkSampleCountFlagBits samples)
{
   const unsigned views = way == VIEW ? VIEWS : 1;
   const bool in_image = way == IMAGE || way == WRITE;
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT,
                                                (VkExtent2D){SIZE, SIZE}, views, samples);
   if (way == VIEW)
      see_all_views(&target, samples);
   VkPipeline pipeline = create_pipeline(way, &target, samples);
   memset(words.map, 0, VIEWS * PIXELS * 4);
   if (way == ADDRESS)
      memset(addressed.map, 0, VIEWS * PIXELS * 4);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){.uint32 = {0}}, 1,
                        &(VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
   vkt_barrier(cmd);
   record_pass(cmd, &target, pipeline, 0);
   record_pass(cmd, &target, pipeline, DRAWS / 2);
   vkx_submit_and_wait(vkx, cmd);
   run_in_order(way);
   if (in_image)
      vkt_read(vkx, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, &readback);
   check_words(way, samples, in_image ? readback.map : way == ADDRESS ? addressed.map : words.map, views);
   if (samples == VK_SAMPLE_COUNT_1_BIT)
      check_colors(way, &target);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkt_target_destroy(vkx, &target);
}

/* ---- descriptors ---- */

static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                         VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER};

static VkDescriptorPool
create_set(VkDescriptorSetLayout set_layout)
{
   const VkDescriptorPoolSize sizes[3] = {{types[0], 1}, {types[1], 1}, {types[2], 1}};
   const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 3, .pPoolSizes = sizes};
   VkDescriptorSetAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorSetCount = 1, .pSetLayouts = &set_layout};
   vkx_check(vkCreateDescriptorPool(vkx->device, &info, NULL, &allocate.descriptorPool), "vkCreateDescriptorPool");
   vkx_check(vkAllocateDescriptorSets(vkx->device, &allocate, &set), "vkAllocateDescriptorSets");
   return allocate.descriptorPool;
}

static void
fill_set(VkImageView view, VkBufferView texels)
{
   const struct vkt_descriptor descriptors[3] = {
      {types[0], .buffer = words.buffer}, {types[1], .view = view}, {types[2], .texels = texels}};
   vkt_bindings_write(vkx, set, 3, descriptors);
}

static void
draw_sections(VkImageView view, VkBufferView texels)
{
   VkPhysicalDeviceProperties properties;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 3, types, VKT_QUAD_STAGES);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct push));
   VkDescriptorPool pool = create_set(set_layout);
   fill_set(view, texels);
   vkGetPhysicalDeviceProperties(vkx->physical, &properties);
   for (unsigned samples = 1; samples <= 8 && properties.limits.framebufferColorSampleCounts & samples; samples *= 2)
      for (enum way way = 0; way < (address ? WAYS : ADDRESS); way++)
         test_way(way, (VkSampleCountFlagBits)samples);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

int
main(void)
{
   struct vkx device = vkt_create("interlock_ways");
   vkx = &device;
   vkt_expect(vkt_has("VK_EXT_fragment_shader_interlock"), "the device has fragment shader interlock");
   words = vkt_buffer_create(vkx, VIEWS * PIXELS * 4, 0);
   readback = vkt_buffer_create(vkx, VIEWS * PIXELS * 4, 0);
   if (vkt_has("VK_KHR_buffer_device_address")) {
      addressed = vkt_addressed_create(vkx, VIEWS * PIXELS * 4, 0);
      address = vkt_address(vkx, &addressed);
   }
   image =
      vkt_image_create(vkx,
                       (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                           .format = VK_FORMAT_R32_UINT,
                                           .extent = {SIZE, SIZE, 1},
                                           .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                       false);
   VkImageView view = vkt_view_create(vkx, &image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                        .buffer = words.buffer,
                                        .format = VK_FORMAT_R32_UINT,
                                        .range = VK_WHOLE_SIZE};
   VkBufferView texels;
   vkx_check(vkCreateBufferView(vkx->device, &info, NULL, &texels), "vkCreateBufferView");
   draw_sections(view, texels);
   vkDestroyBufferView(vkx->device, texels, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
   vkx_buffer_destroy(vkx, &readback);
   vkx_buffer_destroy(vkx, &addressed);
   vkx_buffer_destroy(vkx, &words);
   return vkt_finish(vkx);
}

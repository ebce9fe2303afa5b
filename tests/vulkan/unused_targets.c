/* VK_EXT_dynamic_rendering_unused_attachments: renderings lack targets that a pipeline has, and have others; what the
 * pipeline does not know stays. */
#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t two_targets_frag[] = {
#include "two_targets.frag.inc"
};

enum { COLORS = 3, IMAGES = COLORS + 1 };
#define UINT8 VK_FORMAT_R8G8B8A8_UINT
#define DRAWN BYTES(16, 32, 48, 64)
#define BEFORE BYTES(1, 2, 3, 4)

/* Bits 0 to 2: colours (the shader writes 0 and 2), 3: depth, 4: stencil. */
enum { DEPTH_BIT = 8, STENCIL_BIT = 16, ALL_BITS = 31 };

static const VkFormat formats[IMAGES] = {RGBA8, RGBA8, UINT8, DS};
static struct vkt_image images[IMAGES];
static VkImageView views[IMAGES];

static VkPipeline
create(uint32_t known, bool dynamic)
{
   static const VkDynamicState states[] = {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
   VkFormat colors[COLORS];
   for (unsigned i = 0; i < COLORS; i++)
      colors[i] = known >> i & 1 ? formats[i] : VK_FORMAT_UNDEFINED;
   const VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .colorAttachmentCount = COLORS,
      .pColorAttachmentFormats = colors,
      .depthAttachmentFormat = known & DEPTH_BIT ? DS : VK_FORMAT_UNDEFINED,
      .stencilAttachmentFormat = known & STENCIL_BIT ? DS : VK_FORMAT_UNDEFINED};
   VkPipelineDepthStencilStateCreateInfo tests = write_all;
   tests.depthCompareOp = VK_COMPARE_OP_LESS;
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.next = &rendering,
                                                               .colors = COLORS,
                                                               .layout = quad_layout,
                                                               .depth_stencil = &tests,
                                                               .num_dynamic = dynamic ? 1 : 0,
                                                               .dynamic = states,
                                                               .vertex = VKT_CODE(quad_vert),
                                                               .fragment = VKT_CODE(two_targets_frag)});
}

static VkRenderingAttachmentInfo
attach(unsigned image, VkClearValue clear)
{
   return (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                      .imageView = views[image],
                                      .imageLayout = GENERAL,
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                      .clearValue = clear};
}

/* All images get their first values; the rendering has those of the bits. */
static void
begin_rendering(VkCommandBuffer cmd, uint32_t there, VkRenderingFlags flags)
{
   VkRenderingAttachmentInfo of[IMAGES];
   for (unsigned i = 0; i < COLORS; i++)
      of[i] = attach(i, clear_color(BEFORE));
   of[2].clearValue = (VkClearValue){.color = {.uint32 = {1, 2, 3, 4}}};
   of[3] = attach(3, (VkClearValue){.depthStencil = {0.5f, 9}});
   VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                           .renderArea = {{0, 0}, extent},
                           .layerCount = 1,
                           .colorAttachmentCount = COLORS,
                           .pColorAttachments = of,
                           .pDepthAttachment = &of[3],
                           .pStencilAttachment = &of[3]};
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &info);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   vkt_barrier(cmd);
   for (unsigned i = 0; i < IMAGES; i++) {
      of[i].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
      if (i < COLORS && !(there >> i & 1))
         of[i].imageView = VK_NULL_HANDLE;
   }
   info.pDepthAttachment = there & DEPTH_BIT ? &of[3] : NULL;
   info.pStencilAttachment = there & STENCIL_BIT ? &of[3] : NULL;
   info.flags = flags;
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &info);
}

static void
draw(VkCommandBuffer cmd, VkPipeline pipeline, bool dynamic)
{
   static const VkColorComponentFlags all[COLORS] = {15, 15, 15};
   vkt_set_viewport(cmd, extent);
   if (dynamic)
      VKT_PROC(vkx, vkCmdSetColorWriteMaskEXT)(cmd, 0, COLORS, all);
   quad(cmd, pipeline, 0, 0, 16, SIZE, 0.25f, DRAWN);
   quad(cmd, pipeline, 16, 0, SIZE, SIZE, 0.75f, DRAWN);
}

/* Of the texel in the left half, which the depth test lets through, or in the right one. */
static void
check(uint32_t known, uint32_t there, const char *way)
{
   const uint32_t both = known & there;
   char what[96];
   snprintf(what, sizeof(what), "a pipeline of %u, a rendering of %u, %s", known, there, way);
   for (unsigned right = 0; right < 2; right++) {
      const bool passes = !(right && both & DEPTH_BIT);
      const uint32_t x = right ? 24 : 8;
      for (unsigned i = 0; i < COLORS; i++) {
         const uint32_t value = i == 2 ? DRAWN + BYTES(1, 2, 3, 4) : DRAWN;
         read_back(&images[i]);
         expect(what, 0, x, 5, both >> i & 1 && i != 1 && passes ? value : BEFORE);
      }
      vkt_read(vkx, &images[3], VK_IMAGE_ASPECT_DEPTH_BIT, 0, &buffer);
      const float wanted = both & DEPTH_BIT && passes ? 0.25f : 0.5f;
      const float got = ((const float *)buffer.map)[5 * SIZE + x];
      vkt_expect(got == wanted, "%s: depth is %g, not %g", what, (double)got, (double)wanted);
      vkt_read(vkx, &images[3], VK_IMAGE_ASPECT_STENCIL_BIT, 0, &buffer);
      const uint8_t stencil = both & STENCIL_BIT && passes ? 51 : 9, is = ((const uint8_t *)buffer.map)[5 * SIZE + x];
      vkt_expect(is == stencil, "%s: stencil is %u, not %u", what, is, stencil);
   }
}

static void
test(uint32_t known, uint32_t there, bool dynamic, bool ahead, bool mesa)
{
   VkPipeline pipelines[2] = {create(known, dynamic), create(0, false)};
   VkCommandBuffer cmd = vkx_begin(vkx);
   if (ahead)
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
   begin_rendering(cmd, there, 0);
   if (!mesa)
      draw(cmd, pipelines[1], false); /* knows nothing: nothing changes */
   draw(cmd, pipelines[0], dynamic);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(known, there, dynamic ? "dynamic" : "static");
   vkDestroyPipeline(vkx->device, pipelines[0], NULL);
   vkDestroyPipeline(vkx->device, pipelines[1], NULL);
}

/* A secondary is told which targets the rendering has. */
static void
test_secondary(uint32_t known, uint32_t there)
{
   VkFormat colors[COLORS];
   for (unsigned i = 0; i < COLORS; i++)
      colors[i] = there >> i & 1 ? formats[i] : VK_FORMAT_UNDEFINED;
   const VkCommandBufferInheritanceRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
      .colorAttachmentCount = COLORS,
      .pColorAttachmentFormats = colors,
      .depthAttachmentFormat = there & DEPTH_BIT ? DS : VK_FORMAT_UNDEFINED,
      .stencilAttachmentFormat = there & STENCIL_BIT ? DS : VK_FORMAT_UNDEFINED,
      .rasterizationSamples = 1};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                       .pNext = &rendering};
   const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                          .pInheritanceInfo = &inheritance};
   const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .commandPool = vkx->pool,
                                                 .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                                 .commandBufferCount = 1};
   VkPipeline pipeline = create(known, false);
   VkCommandBuffer secondary;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &allocate, &secondary), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(secondary, &info), "vkBeginCommandBuffer");
   draw(secondary, pipeline, false);
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin_rendering(cmd, there, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(known, there, "secondary");
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* mesa: RADV and Honeykrisp write and test what the pipeline does not know. */
static void
test_all(bool mesa)
{
   static const uint32_t pairs[][2] = {{31, 31}, {31, 0},  {0, 31},  {29, 30}, {30, 29}, {5, 31}, {31, 5},
                                       {25, 28}, {13, 31}, {21, 31}, {31, 13}, {31, 21}, {4, 5},  {5, 4}};
   const bool dynamic = vkt_has("VK_EXT_extended_dynamic_state3");
   for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
      if (mesa && pairs[i][1] & ~pairs[i][0])
         continue;
      test(pairs[i][0], pairs[i][1], false, i & 1, mesa);
      if (dynamic)
         test(pairs[i][0], pairs[i][1], true, i & 2, mesa);
      /* RADV's secondaries test the depth of an image of which only the stencil is attached. */
      if (!mesa || (pairs[i][1] & (DEPTH_BIT | STENCIL_BIT)) != STENCIL_BIT)
         test_secondary(pairs[i][0], pairs[i][1]);
   }
}

int
main(int argc, char **argv)
{
   const bool mesa = strcmp(vkx_option(argc, argv, "--quirks", ""), "") != 0;
   struct vkx device = vkt_create("unused_targets");
   vkx = &device;
   if (!vkt_has("VK_EXT_dynamic_rendering_unused_attachments")) {
      vkt_skip("VK_EXT_dynamic_rendering_unused_attachments");
      return vkt_finish(vkx);
   }
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < IMAGES; i++) {
      images[i] =
         image_create(formats[i], 1, 1,
                      i < COLORS ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
      views[i] = view_create(&images[i]);
      vkt_transition(cmd, &images[i], VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   }
   vkx_submit_and_wait(vkx, cmd);
   test_all(mesa);
   destroy_images(IMAGES, images, IMAGES, views);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}

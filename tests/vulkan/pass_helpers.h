/* What the tests of render passes share: small images of one size, passes, and checks of texels. Each program has one
 * device, one buffer that images are read into and the layout of the quad shaders. */
#ifndef PASS_HELPERS_H
#define PASS_HELPERS_H

#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

#define SIZE 32u
#define RGBA8 VK_FORMAT_R8G8B8A8_UNORM
#define DS VK_FORMAT_D32_SFLOAT_S8_UINT
#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define BYTES(r, g, b, a) ((uint32_t)(r) | (uint32_t)(g) << 8 | (uint32_t)(b) << 16 | (uint32_t)(a) << 24)

static const VkExtent2D extent = {SIZE, SIZE};
static struct vkx *vkx;
static struct vkx_buffer buffer;
static VkPipelineLayout quad_layout;

static inline void
unorm(uint32_t bytes, float color[4])
{
   for (unsigned i = 0; i < 4; i++)
      color[i] = (float)(bytes >> (8 * i) & 0xff) / 255;
}

static inline struct vkt_image
image_create(VkFormat format, uint32_t layers, VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
   return vkt_image_create(
      vkx,
      (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                          .format = format,
                          .extent = {SIZE, SIZE, 1},
                          .arrayLayers = layers,
                          .samples = samples,
                          .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
}

static inline VkImageView
view_create(const struct vkt_image *image)
{
   uint32_t layers = image->info.arrayLayers;
   return vkt_view_create(vkx, image, layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                          vkt_aspects(image->info.format), 0, 0, layers);
}

static inline VkAttachmentDescription
attachment(VkFormat format, VkSampleCountFlagBits samples, VkAttachmentLoadOp load)
{
   return (VkAttachmentDescription){
      .format = format,
      .samples = samples,
      .loadOp = load,
      .stencilLoadOp = load,
      .initialLayout = load == VK_ATTACHMENT_LOAD_OP_LOAD ? GENERAL : VK_IMAGE_LAYOUT_UNDEFINED,
      .finalLayout = GENERAL,
   };
}

#define ALL_ACCESS (VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT)

/* With dependencies from everything to everything. */
static inline VkRenderPass
pass_create(uint32_t num_attachments, const VkAttachmentDescription *attachments, uint32_t num_subpasses,
            const VkSubpassDescription *subpasses, const uint32_t *view_masks)
{
   VkSubpassDependency dependencies[8];
   for (uint32_t i = 0; i <= num_subpasses; i++)
      dependencies[i] = (VkSubpassDependency){
         .srcSubpass = i ? i - 1 : VK_SUBPASS_EXTERNAL,
         .dstSubpass = i < num_subpasses ? i : VK_SUBPASS_EXTERNAL,
         .srcStageMask = i ? VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT : VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
         .dstStageMask = i < num_subpasses ? VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT : VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
         .srcAccessMask = ALL_ACCESS,
         .dstAccessMask = ALL_ACCESS,
         .dependencyFlags = i && i < num_subpasses && !view_masks ? VK_DEPENDENCY_BY_REGION_BIT : 0,
      };
   const VkRenderPassMultiviewCreateInfo multiview = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
                                                      .subpassCount = num_subpasses,
                                                      .pViewMasks = view_masks};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .pNext = view_masks ? &multiview : NULL,
                                        .attachmentCount = num_attachments,
                                        .pAttachments = attachments,
                                        .subpassCount = num_subpasses,
                                        .pSubpasses = subpasses,
                                        .dependencyCount = num_subpasses + 1,
                                        .pDependencies = dependencies};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static inline VkFramebuffer
framebuffer_create(VkRenderPass pass, uint32_t count, const VkImageView *views, uint32_t layers)
{
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = pass,
                                         .attachmentCount = count,
                                         .pAttachments = views,
                                         .width = SIZE,
                                         .height = SIZE,
                                         .layers = layers};
   VkFramebuffer framebuffer;
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
   return framebuffer;
}

static inline void
begin(VkCommandBuffer cmd, VkRenderPass pass, VkFramebuffer framebuffer, VkRect2D area, uint32_t clears,
      const VkClearValue *values)
{
   const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = pass,
                                       .framebuffer = framebuffer,
                                       .renderArea = area,
                                       .clearValueCount = clears,
                                       .pClearValues = values};
   vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
   vkt_set_viewport(cmd, extent);
}

static inline VkClearValue
clear_color(uint32_t bytes)
{
   VkClearValue value;
   unorm(bytes, value.color.float32);
   return value;
}

static inline void
quad(VkCommandBuffer cmd, VkPipeline pipeline, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1, float depth,
     uint32_t bytes)
{
   /* size: coordinates and colour of a quad */
   float color[4];
   unorm(bytes, color);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkt_draw_quad(cmd, quad_layout, extent, x0, y0, x1, y1, depth, color);
}

static inline void
destroy_images(uint32_t count, struct vkt_image *images, uint32_t num_views, const VkImageView *views)
{
   for (uint32_t i = 0; i < num_views; i++)
      vkDestroyImageView(vkx->device, views[i], NULL);
   for (uint32_t i = 0; i < count; i++)
      vkt_image_destroy(vkx, &images[i]);
}

static inline void
destroy_pass(VkRenderPass pass, VkFramebuffer framebuffer, uint32_t num_pipelines, const VkPipeline *pipelines)
{
   for (uint32_t i = 0; i < num_pipelines; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
   vkDestroyFramebuffer(vkx->device, framebuffer, NULL);
   vkDestroyRenderPass(vkx->device, pass, NULL);
}

static inline void
destroy_sets(VkPipelineLayout layout, VkDescriptorSetLayout set_layout, VkDescriptorPool pool)
{
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
}

/* What one texel of the image must be; the last read put it into the buffer. */
static inline void
expect(const char *what, uint32_t layer, uint32_t x, uint32_t y, uint32_t expected)
{
   uint32_t got = ((uint32_t *)buffer.map)[(layer * SIZE + y) * SIZE + x];
   vkt_expect(got == expected, "%s: layer %u, (%u, %u) is %08x, not %08x", what, layer, x, y, got, expected);
}

static inline void
read_back(const struct vkt_image *image)
{
   vkt_read(vkx, image, VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffer);
}

static inline VkDescriptorSet
input_set(VkDescriptorSetLayout layout, uint32_t count, const VkImageView *views, VkDescriptorPool *pool)
{
   struct vkt_descriptor inputs[3];
   for (uint32_t i = 0; i < count; i++)
      inputs[i] = (struct vkt_descriptor){VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, .view = views[i]};
   *pool = VK_NULL_HANDLE;
   return vkt_bindings_create(vkx, pool, layout, count, inputs);
}

/* Depth always passes and is written; stencil becomes 51. */
__attribute__((unused)) static const VkPipelineDepthStencilStateCreateInfo write_all = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
   .depthTestEnable = VK_TRUE,
   .depthWriteEnable = VK_TRUE,
   .depthCompareOp = VK_COMPARE_OP_ALWAYS,
   .stencilTestEnable = VK_TRUE,
   .front = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 51},
   .back = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 51}};

#endif

/* VK_EXT_custom_resolve: a shader resolves colour and depth of a dynamic rendering, from the command buffer itself
 * and from a secondary one. */
#include "pass_helpers.h"

static const uint32_t vertex_code[] = {
#include "quad.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "quad.frag.inc"
};
static const uint32_t resolve_code[] = {
#include "custom_resolve.frag.inc"
};

#define SAMPLES VK_SAMPLE_COUNT_4_BIT
#define D32 VK_FORMAT_D32_SFLOAT
#define INPUT VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT
#define COLOR VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
#define DEPTH VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT

/* Of the samples, in order. */
static const float depths[4] = {0.25f, 0.125f, 0.75f, 0.625f};
static const uint32_t colors[4] = {BYTES(10, 40, 0, 255), BYTES(30, 20, 0, 255), BYTES(20, 10, 0, 255),
                                   BYTES(40, 30, 0, 255)};

/* Four samples, and what they become. */
static struct vkt_image images[4];
static VkImageView views[4];
enum { COLORS, DEPTHS, COLOR_TO, DEPTH_TO };

static VkPipelineLayout resolve_layout;
static VkDescriptorSet set;
static VkPipeline resolve_pipeline;

static void
create_images(void)
{
   images[COLORS] = image_create(RGBA8, 1, SAMPLES, COLOR | INPUT);
   images[DEPTHS] = image_create(D32, 1, SAMPLES, DEPTH | INPUT);
   images[COLOR_TO] = image_create(RGBA8, 1, 1, COLOR);
   images[DEPTH_TO] = image_create(D32, 1, 1, DEPTH);
   for (unsigned i = 0; i < 4; i++)
      views[i] = view_create(&images[i]);
}

/* ---- pipelines ---- */

static const VkFormat color_format = RGBA8;
static const uint32_t color_index = 0, depth_index = 1;
static const VkRenderingInputAttachmentIndexInfo inputs = {.sType =
                                                              VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO,
                                                           .colorAttachmentCount = 1,
                                                           .pColorAttachmentInputIndices = &color_index,
                                                           .pDepthInputAttachmentIndex = &depth_index};

static VkCustomResolveCreateInfoEXT
custom_info(bool resolves, const void *next)
{
   return (VkCustomResolveCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT,
                                         .pNext = next,
                                         .customResolve = resolves,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachmentFormats = &color_format,
                                         .depthAttachmentFormat = D32};
}

static VkPipeline
pipeline_create(const VkSampleMask *mask)
{
   const bool resolves = !mask;
   const VkPipelineRenderingCreateInfo formats = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                  .pNext = &inputs,
                                                  .colorAttachmentCount = 1,
                                                  .pColorAttachmentFormats = &color_format,
                                                  .depthAttachmentFormat = D32};
   const VkCustomResolveCreateInfoEXT custom = custom_info(resolves, &formats);
   VkPipelineDepthStencilStateCreateInfo tests = write_all;
   tests.stencilTestEnable = VK_FALSE;
   return vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){.next = &custom,
                                       .layout = resolves ? resolve_layout : quad_layout,
                                       .vertex = VKT_CODE(vertex_code),
                                       .fragment = resolves ? VKT_CODE(resolve_code) : VKT_CODE(fragment_code),
                                       .samples = resolves ? 1 : SAMPLES,
                                       .sample_mask = mask,
                                       .depth_stencil = &tests});
}

/* ---- rendering ---- */

static VkRenderingAttachmentInfo
resolved(unsigned from, unsigned to)
{
   return (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                      .imageView = views[from],
                                      .imageLayout = GENERAL,
                                      .resolveMode = VK_RESOLVE_MODE_CUSTOM_BIT_EXT,
                                      .resolveImageView = views[to],
                                      .resolveImageLayout = GENERAL,
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE};
}

static void
begin_rendering(VkCommandBuffer cmd, VkRenderingFlags flags)
{
   const VkRenderingAttachmentInfo color = resolved(COLORS, COLOR_TO), depth = resolved(DEPTHS, DEPTH_TO);
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .flags = flags | VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT,
                                 .renderArea = {{0, 0}, extent},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color,
                                 .pDepthAttachment = &depth};
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &info);
}

/* From the writes of attachments to what input attachments read. */
static void
region_barrier(VkCommandBuffer cmd)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                                     VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
   vkCmdPipelineBarrier(cmd,
                        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                           VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
                        VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, NULL, 0,
                        NULL);
}

static void
draw_resolve(VkCommandBuffer cmd)
{
   const float white[4] = {1, 1, 1, 1};
   vkt_set_viewport(cmd, extent);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, resolve_pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, resolve_layout, 0, 1, &set, 0, NULL);
   VKT_PROC(vkx, vkCmdSetRenderingInputAttachmentIndicesKHR)(cmd, &inputs);
   vkt_draw_quad(cmd, resolve_layout, extent, 0, 0, SIZE, SIZE, 0.5f, white);
}

static VkCommandBuffer
record_secondary(void)
{
   const VkCustomResolveCreateInfoEXT custom = custom_info(true, NULL);
   const VkCommandBufferInheritanceRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
      .pNext = &custom,
      .flags = VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT,
      .colorAttachmentCount = 1,
      .pColorAttachmentFormats = &color_format,
      .depthAttachmentFormat = D32,
      .rasterizationSamples = 1};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                       .pNext = &rendering};
   const VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                                .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                                .pInheritanceInfo = &inheritance};
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = vkx->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                             .commandBufferCount = 1};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &info, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &begin_info), "vkBeginCommandBuffer");
   draw_resolve(cmd);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   return cmd;
}

static void
check(const char *what)
{
   unsigned wrong = 0;
   read_back(&images[COLOR_TO]);
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      wrong += ((const uint32_t *)buffer.map)[i] != BYTES(40, 40, 255, 255);
   vkt_expect(!wrong, "%s: %u colours are wrong, one is %08x", what, wrong, *(const uint32_t *)buffer.map);
   vkt_read(vkx, &images[DEPTH_TO], VK_IMAGE_ASPECT_DEPTH_BIT, 0, &buffer);
   wrong = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      wrong += ((const float *)buffer.map)[i] != 0.125f;
   vkt_expect(!wrong, "%s: %u depths are wrong, one is %g", what, wrong, (double)*(const float *)buffer.map);
}

static void
test(bool secondary)
{
   VkPipeline pipelines[4];
   VkCommandBuffer second = secondary ? record_secondary() : VK_NULL_HANDLE, cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < 4; i++)
      vkt_transition(cmd, &images[i], VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   begin_rendering(cmd, secondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT |
                                       VK_RENDERING_CONTENTS_INLINE_BIT_KHR
                                  : 0);
   vkt_set_viewport(cmd, extent);
   for (uint32_t i = 0; i < 4; i++) {
      const VkSampleMask mask = 1u << i;
      pipelines[i] = pipeline_create(&mask);
      quad(cmd, pipelines[i], 0, 0, SIZE, SIZE, depths[i], colors[i]);
   }
   region_barrier(cmd);
   VKT_PROC(vkx, vkCmdBeginCustomResolveEXT)(cmd, NULL);
   if (secondary)
      vkCmdExecuteCommands(cmd, 1, &second);
   else
      draw_resolve(cmd);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(secondary ? "a secondary" : "inline");
   for (uint32_t i = 0; i < 4; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
   if (secondary)
      vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &second);
}

int
main(void)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT};
   struct vkx device = vkt_create("custom_resolve");
   vkx = &device;
   if (!vkt_has("VK_EXT_custom_resolve") || !vkt_has("VK_KHR_dynamic_rendering_local_read")) {
      vkt_skip("VK_EXT_custom_resolve");
      return vkt_finish(vkx);
   }
   VkDescriptorPool pool;
   buffer = vkt_buffer_create(vkx, 4 * SIZE * SIZE, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   create_images();
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_FRAGMENT_BIT);
   resolve_layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   set = input_set(set_layout, 2, views, &pool);
   resolve_pipeline = pipeline_create(NULL);
   test(false);
   test(true);
   vkDestroyPipeline(vkx->device, resolve_pipeline, NULL);
   destroy_sets(resolve_layout, set_layout, pool);
   destroy_images(4, images, 4, views);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}

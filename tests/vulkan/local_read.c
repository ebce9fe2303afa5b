/* VK_KHR_dynamic_rendering_local_read: locations of a shader go to other attachments, and the next draw reads
 * attachments of the same rendering; secondaries inherit the locations. */
#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t write_frag[] = {
#include "local_read.frag.inc"
};
static const uint32_t read_frag[] = {
#include "local_read_reads.frag.inc"
};

enum { COLORS = 4 };
#define LOCAL_READ VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR
#define CLEARED BYTES(1, 2, 3, 4)

static const VkFormat formats[COLORS] = {RGBA8, RGBA8, RGBA8, RGBA8};
static struct vkt_image images[COLORS];
static VkImageView views[COLORS];

static VkRenderingAttachmentLocationInfoKHR
locations_of(const uint32_t locations[COLORS])
{
   return (VkRenderingAttachmentLocationInfoKHR){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
                                                 .colorAttachmentCount = COLORS,
                                                 .pColorAttachmentLocations = locations};
}

static VkPipeline
create(VkPipelineLayout layout, struct vkt_code fragment, const uint32_t locations[COLORS])
{
   const VkRenderingAttachmentLocationInfoKHR where = locations_of(locations);
   const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                    .pNext = &where,
                                                    .colorAttachmentCount = COLORS,
                                                    .pColorAttachmentFormats = formats};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.next = &rendering,
                                                               .colors = COLORS,
                                                               .layout = layout,
                                                               .vertex = VKT_CODE(quad_vert),
                                                               .fragment = fragment});
}

static void
begin_all(VkCommandBuffer cmd, VkRenderingFlags flags)
{
   VkRenderingAttachmentInfo colors[COLORS];
   for (unsigned i = 0; i < COLORS; i++)
      colors[i] = (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                              .imageView = views[i],
                                              .imageLayout = LOCAL_READ,
                                              .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                              .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                              .clearValue = clear_color(CLEARED)};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .flags = flags,
                                 .renderArea = {{0, 0}, extent},
                                 .layerCount = 1,
                                 .colorAttachmentCount = COLORS,
                                 .pColorAttachments = colors};
   for (unsigned i = 0; i < COLORS; i++)
      vkt_transition(cmd, &images[i], VK_IMAGE_LAYOUT_UNDEFINED, LOCAL_READ);
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &info);
   if (!flags)
      vkt_set_viewport(cmd, extent);
}

static void
set_locations(VkCommandBuffer cmd, const uint32_t locations[COLORS])
{
   const VkRenderingAttachmentLocationInfoKHR where = locations_of(locations);
   VKT_PROC(vkx, vkCmdSetRenderingAttachmentLocationsKHR)(cmd, &where);
}

/* Attachments a and b are the inputs. */
static VkDescriptorSet
inputs(VkDescriptorSetLayout layout, unsigned a, unsigned b, VkDescriptorPool *pool)
{
   const VkImageView of[2] = {views[a], views[b]};
   VkDescriptorSet set = input_set(layout, 2, of, pool);
   for (uint32_t i = 0; i < 2; i++) {
      const VkDescriptorImageInfo image = {VK_NULL_HANDLE, of[i], LOCAL_READ};
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = set,
                                          .dstBinding = i,
                                          .descriptorCount = 1,
                                          .pImageInfo = &image,
                                          .descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT};
      vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
   }
   return set;
}

static void
set_inputs(VkCommandBuffer cmd, unsigned a, unsigned b)
{
   uint32_t of[COLORS], none = VK_ATTACHMENT_UNUSED;
   for (unsigned i = 0; i < COLORS; i++)
      of[i] = i == a ? 0 : i == b ? 1 : VK_ATTACHMENT_UNUSED;
   const VkRenderingInputAttachmentIndexInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR,
      .colorAttachmentCount = COLORS,
      .pColorAttachmentInputIndices = of,
      .pDepthInputAttachmentIndex = &none,
      .pStencilInputAttachmentIndex = &none};
   VKT_PROC(vkx, vkCmdSetRenderingInputAttachmentIndicesKHR)(cmd, &info);
}

static void
local_barrier(VkCommandBuffer cmd)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                        VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, NULL, 0, NULL);
}

/* Of attachment i of the writing draw at a location. */
static uint32_t
written(uint32_t location)
{
   static const uint32_t colors[3] = {BYTES(16, 0, 0, 255), BYTES(0, 32, 0, 255), BYTES(0, 0, 64, 255)};
   return location < 3 ? colors[location] : CLEARED;
}

static uint32_t
sum(uint32_t a, uint32_t b)
{
   uint32_t out = 0;
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t value = (a >> (8 * i) & 0xff) + 2 * (b >> (8 * i) & 0xff);
      out |= (value > 255 ? 255 : value) << (8 * i);
   }
   return out;
}

/* The left half is written with `locations`; then attachment `to` becomes the sum of a and b in the upper half. */
static void
test(const uint32_t locations[COLORS], unsigned a, unsigned b, unsigned to)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   VkDescriptorPool pool;
   VkDescriptorSet set = inputs(set_layout, a, b, &pool);
   uint32_t only[COLORS];
   for (unsigned i = 0; i < COLORS; i++)
      only[i] = i == to ? 0 : VK_ATTACHMENT_UNUSED;
   VkPipeline pipelines[2] = {create(layout, VKT_CODE(write_frag), locations),
                              create(layout, VKT_CODE(read_frag), only)};
   const float color[4] = {0};
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin_all(cmd, 0);
   set_locations(cmd, locations);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
   vkt_draw_quad(cmd, layout, extent, 0, 0, SIZE / 2, SIZE, 0.5f, color);
   local_barrier(cmd);
   set_locations(cmd, only);
   set_inputs(cmd, a, b);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[1]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkt_draw_quad(cmd, layout, extent, 0, 0, SIZE, SIZE / 2, 0.5f, color);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   for (unsigned i = 0; i < COLORS; i++)
      vkt_transition(cmd, &images[i], LOCAL_READ, GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < COLORS; i++) {
      char what[32];
      const uint32_t left = written(locations[i]);
      const uint32_t upper_left = sum(written(locations[a]), written(locations[b])),
                     upper_right = sum(CLEARED, CLEARED);
      snprintf(what, sizeof(what), "attachment %u", i);
      read_back(&images[i]);
      expect(what, 0, 4, 28, left);
      expect(what, 0, 28, 28, CLEARED);
      expect(what, 0, 4, 4, i == to ? upper_left : left);
      expect(what, 0, 28, 4, i == to ? upper_right : CLEARED);
   }
   vkDestroyPipeline(vkx->device, pipelines[0], NULL);
   vkDestroyPipeline(vkx->device, pipelines[1], NULL);
   destroy_sets(layout, set_layout, pool);
}

/* ---- shader objects in a secondary, which inherits the locations ---- */

static void
create_shaders(VkShaderEXT shaders[2])
{
   const VkPushConstantRange range = {VKT_QUAD_STAGES, 0, sizeof(struct vkt_quad)};
   VkShaderCreateInfoEXT infos[2] = {
      {.stage = VK_SHADER_STAGE_VERTEX_BIT, .nextStage = VK_SHADER_STAGE_FRAGMENT_BIT, .pCode = quad_vert},
      {.stage = VK_SHADER_STAGE_FRAGMENT_BIT, .pCode = write_frag}};
   infos[0].codeSize = sizeof(quad_vert);
   infos[1].codeSize = sizeof(write_frag);
   for (unsigned i = 0; i < 2; i++) {
      infos[i].sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT;
      infos[i].codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
      infos[i].pName = "main";
      infos[i].pushConstantRangeCount = 1;
      infos[i].pPushConstantRanges = &range;
   }
   vkx_check(VKT_PROC(vkx, vkCreateShadersEXT)(vkx->device, 2, infos, NULL, shaders), "vkCreateShadersEXT");
}

/* All that draws with shader objects need. */
static void
set_states(VkCommandBuffer cmd)
{
   static const VkBool32 blend[COLORS];
   static const VkColorComponentFlags masks[COLORS] = {15, 15, 15, 15};
   static const VkSampleMask all = UINT32_MAX;
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRect2D scissor = {{0, 0}, extent};
   VKT_PROC(vkx, vkCmdSetViewportWithCountEXT)(cmd, 1, &viewport);
   VKT_PROC(vkx, vkCmdSetScissorWithCountEXT)(cmd, 1, &scissor);
   VKT_PROC(vkx, vkCmdSetVertexInputEXT)(cmd, 0, NULL, 0, NULL);
   VKT_PROC(vkx, vkCmdSetPrimitiveTopologyEXT)(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
   VKT_PROC(vkx, vkCmdSetPrimitiveRestartEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkx, vkCmdSetRasterizerDiscardEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkx, vkCmdSetCullModeEXT)(cmd, VK_CULL_MODE_NONE);
   VKT_PROC(vkx, vkCmdSetFrontFaceEXT)(cmd, VK_FRONT_FACE_CLOCKWISE);
   VKT_PROC(vkx, vkCmdSetPolygonModeEXT)(cmd, VK_POLYGON_MODE_FILL);
   VKT_PROC(vkx, vkCmdSetDepthBiasEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkx, vkCmdSetDepthTestEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkx, vkCmdSetDepthWriteEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkx, vkCmdSetDepthBoundsTestEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkx, vkCmdSetStencilTestEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkx, vkCmdSetRasterizationSamplesEXT)(cmd, VK_SAMPLE_COUNT_1_BIT);
   VKT_PROC(vkx, vkCmdSetSampleMaskEXT)(cmd, VK_SAMPLE_COUNT_1_BIT, &all);
   VKT_PROC(vkx, vkCmdSetAlphaToCoverageEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkx, vkCmdSetLogicOpEnableEXT)(cmd, VK_FALSE);
   VKT_PROC(vkx, vkCmdSetColorBlendEnableEXT)(cmd, 0, COLORS, blend);
   VKT_PROC(vkx, vkCmdSetColorWriteMaskEXT)(cmd, 0, COLORS, masks);
}

static VkCommandBuffer
begin_secondary(const uint32_t locations[COLORS])
{
   const VkRenderingAttachmentLocationInfoKHR where = locations_of(locations);
   const VkCommandBufferInheritanceRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
      .pNext = &where,
      .colorAttachmentCount = COLORS,
      .pColorAttachmentFormats = formats,
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
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &allocate, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
   return cmd;
}

static void
test_secondary(const uint32_t locations[COLORS])
{
   static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
   const float color[4] = {0};
   VkPipelineLayout layout = vkt_quad_layout_create(vkx);
   VkShaderEXT shaders[2];
   create_shaders(shaders);
   VkCommandBuffer secondary = begin_secondary(locations);
   VKT_PROC(vkx, vkCmdBindShadersEXT)(secondary, 2, stages, shaders);
   set_states(secondary);
   vkt_draw_quad(secondary, layout, extent, 0, 0, SIZE / 2, SIZE, 0.5f, color);
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin_all(cmd, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
   set_locations(cmd, locations);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   for (unsigned i = 0; i < COLORS; i++)
      vkt_transition(cmd, &images[i], LOCAL_READ, GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < COLORS; i++) {
      char what[48];
      snprintf(what, sizeof(what), "attachment %u, drawn in a secondary", i);
      read_back(&images[i]);
      expect(what, 0, 4, 28, written(locations[i]));
      expect(what, 0, 28, 28, CLEARED);
   }
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
   for (unsigned i = 0; i < 2; i++)
      VKT_PROC(vkx, vkDestroyShaderEXT)(vkx->device, shaders[i], NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
}

int
main(void)
{
   vkt_shader_objects = true;
   static const uint32_t orders[][COLORS] = {{0, 1, 2, VK_ATTACHMENT_UNUSED},
                                             {2, VK_ATTACHMENT_UNUSED, 0, 1},
                                             {1, 0, VK_ATTACHMENT_UNUSED, VK_ATTACHMENT_UNUSED},
                                             {VK_ATTACHMENT_UNUSED, 2, 1, 0}};
   struct vkx device = vkt_create("local_read");
   vkx = &device;
   if (!vkt_has("VK_KHR_dynamic_rendering_local_read")) {
      vkt_skip("VK_KHR_dynamic_rendering_local_read");
      return vkt_finish(vkx);
   }
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   for (unsigned i = 0; i < COLORS; i++) {
      images[i] =
         image_create(RGBA8, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
      views[i] = view_create(&images[i]);
   }
   for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
      test(orders[i], 0, 2, 3);
      test(orders[i], 3, 1, 2);
      if (vkt_has("VK_EXT_shader_object"))
         test_secondary(orders[i]);
   }
   destroy_images(COLORS, images, COLORS, views);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}

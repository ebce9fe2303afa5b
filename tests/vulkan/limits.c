/* Limits that are promised, used up: push constants, sets, dynamic buffers, shared memory, invocations of a group,
 * vertex attributes and buffers, varyings, colour targets, layers of a framebuffer. What a device does not promise is
 * left out. */
#include "vkt_dispatch.h"
#include "vkt_sets.h"
#include "pass_helpers.h"

static const uint32_t limits_vert[] = {
#include "limits.vert.inc"
};
static const uint32_t limits_frag[] = {
#include "limits.frag.inc"
};
static const uint32_t limits_comp[] = {
#include "limits.comp.inc"
};

static const uint32_t layer_vert[] = {
#include "layer.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};

#define STEP_B 256u
#define UINT4 VK_FORMAT_R32G32B32A32_UINT

static struct vkx_buffer values; /* word 0 of place i holds 1000 + i * i */

static VkDescriptorSetLayout
layout_create(VkDescriptorType type, uint32_t count)
{
   const VkDescriptorSetLayoutBinding binding = {0, type, count, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
   return vkt_set_layout_create(vkx, NULL, 0, 1, &binding);
}

static const VkDescriptorType set_types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
                                              VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                                              VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};

/* Set 0: places 0 to 11; set 1: 12 to 23; sets 2 to 6: 24 to 28; set 7: the output. */
static VkDescriptorPool
create_sets(const VkDescriptorSetLayout *layouts, VkDescriptorSet *sets)
{
   const VkDescriptorPoolSize sizes[3] = {{set_types[0], 12}, {set_types[1], 12}, {set_types[2], 6}};
   VkDescriptorPool pool = vkt_pool_create(vkx, NULL, 0, 8, 3, sizes);
   vkt_sets_allocate(vkx, NULL, pool, 8, layouts, sets);
   for (uint32_t i = 0; i < 8; i++) {
      uint32_t count = i < 2 ? 12 : 1, first = i < 2 ? 12 * i : 22 + i;
      for (uint32_t j = 0; j < count; j++) {
         const VkDescriptorType type = set_types[i < 2 ? i : 2];
         const struct vkt_descriptor place = {
            .type = type, .buffer = values.buffer, .offset_B = i < 2 ? 0 : (first + j) * STEP_B, .range_B = 64};
         const struct vkt_descriptor out = {.type = type, .buffer = buffer.buffer};
         vkt_descriptor_write(vkx, sets[i], 0, j, i == 7 ? &out : &place);
      }
   }
   return pool;
}

static void
check_compute(const uint32_t *push)
{
   uint32_t bad = 0, extra = push[0];
   for (uint32_t i = 0; i < 29; i++)
      extra += 1000 + i * i;
   for (uint32_t id = 0; id < 1024; id++) {
      uint32_t sum = id ? 0 : extra;
      for (uint32_t i = 0; i < 8; i++)
         sum += (id + 1024 * i + 517) % 8192 + push[63];
      bad += ((uint32_t *)buffer.map)[id] != sum;
   }
   vkt_expect(!bad, "a compute shader at its limits: %u values", bad);
}

static void
test_compute(void)
{
   const VkPhysicalDeviceLimits *l = &vkx->properties.limits;
   if (l->maxBoundDescriptorSets < 8 || l->maxDescriptorSetStorageBuffersDynamic < 12 ||
       l->maxPushConstantsSize < 256 || l->maxDescriptorSetUniformBuffersDynamic < 12 ||
       l->maxComputeSharedMemorySize < 32768 || l->maxComputeWorkGroupInvocations < 1024) {
      vkt_skip("a compute shader at our limits");
      return;
   }
   VkDescriptorSetLayout layouts[8];
   VkDescriptorSet sets[8];
   for (uint32_t i = 0; i < 8; i++)
      layouts[i] = layout_create(set_types[i < 2 ? i : 2], i < 2 ? 12 : 1);
   VkPipelineLayout layout = vkt_pipeline_layout_create(vkx, 0, 8, layouts, 256);
   VkPipeline pipeline =
      vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, limits_comp, sizeof(limits_comp)));
   VkDescriptorPool pool = create_sets(layouts, sets);
   uint32_t push[64] = {[0] = 77, [63] = 5}, offsets[24];
   for (uint32_t i = 0; i < 24; i++)
      offsets[i] = i * STEP_B;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 8, sets, 24, offsets);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 256, push);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check_compute(push);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   for (uint32_t i = 0; i < 8; i++)
      vkDestroyDescriptorSetLayout(vkx->device, layouts[i], NULL);
}

/* ---- large workgroups, and many ---- */

static void
test_groups(void)
{
   static const uint32_t code[] = {
#include "group_limits.comp.inc"
   };
   const VkPhysicalDeviceLimits *l = &vkx->properties.limits;
   const uint32_t most = l->maxComputeWorkGroupInvocations, words = l->maxComputeSharedMemorySize / 4;
   const uint32_t many = l->maxComputeWorkGroupCount[0] > 70000 ? 70000 : l->maxComputeWorkGroupCount[0];
   const struct {
      uint32_t constants[4], groups;
   } cases[] = {{{l->maxComputeWorkGroupSize[0], 1, 1, words}, 2},
                {{1, l->maxComputeWorkGroupSize[1], 1, words}, 2},
                {{most / l->maxComputeWorkGroupSize[2], 1, l->maxComputeWorkGroupSize[2], words}, 2},
                {{1, 1, 1, 1}, many}};
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct vkx_buffer counts = vkt_buffer_create(vkx, 64, 0);
      vkt_dispatch(
         vkx, &(struct vkt_dispatch){VKT_CODE(code), 1, &counts, 4, cases[i].constants, .groups = cases[i].groups});
      const uint32_t *got = counts.map;
      vkt_expect(got[0] == cases[i].groups && got[1] == cases[i].groups - 1 && !got[2],
                 "groups of %u x %u x %u with %u words: %u of %u ran, the last is %u, %u are wrong",
                 cases[i].constants[0], cases[i].constants[1], cases[i].constants[2], cases[i].constants[3], got[0],
                 cases[i].groups, got[1], got[2]);
      vkx_buffer_destroy(vkx, &counts);
   }
}

/* ---- 32 attributes of 32 buffers, 30 varyings of four components, eight targets ---- */

static VkPipeline
draw_pipeline(VkRenderPass pass, VkPipelineLayout layout)
{
   VkVertexInputBindingDescription bindings[32];
   VkVertexInputAttributeDescription attributes[32];
   for (uint32_t i = 0; i < 32; i++) {
      bindings[i] = (VkVertexInputBindingDescription){i, 0, VK_VERTEX_INPUT_RATE_VERTEX};
      attributes[i] = (VkVertexInputAttributeDescription){i, 31 - i, VK_FORMAT_R32_UINT, i == 5 ? 2044 : 0};
   }
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 32,
                                                       .pVertexBindingDescriptions = bindings,
                                                       .vertexAttributeDescriptionCount = 32,
                                                       .pVertexAttributeDescriptions = attributes};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                               .colors = 8,
                                                               .layout = layout,
                                                               .vertex = VKT_CODE(limits_vert),
                                                               .fragment = VKT_CODE(limits_frag),
                                                               .vertex_input = &input});
}

/* Component c of target j at any texel. Attribute i reads place 31 - i, attribute 5 with an offset on top. */
static uint32_t
expected_component(uint32_t j, uint32_t c)
{
   uint32_t sum = 0;
   for (uint32_t i = 4 * j; i < 4 * j + 4 && i < 30; i++) {
      uint32_t place = 31 - i, own = i == 5 ? 4321 : 1000 + place * place;
      sum += c == 0 ? own : c == 1 ? 1000 : c == 2 ? i : 7;
   }
   return sum;
}

static void
test_graphics(void)
{
   const VkPhysicalDeviceLimits *l = &vkx->properties.limits;
   if (l->maxVertexInputAttributes < 32 || l->maxVertexInputBindings < 32 || l->maxColorAttachments < 8 ||
       l->maxVertexOutputComponents < 128 || l->maxFragmentInputComponents < 124) {
      vkt_skip("a draw at our limits");
      return;
   }
   struct vkt_image images[8];
   VkImageView views[8];
   VkAttachmentDescription attachments[8];
   VkAttachmentReference refs[8];
   VkClearValue clears[8] = {{{{0}}}};
   VkBuffer buffers[32];
   VkDeviceSize offsets[32];
   for (uint32_t i = 0; i < 8; i++) {
      images[i] = image_create(UINT4, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
      views[i] = view_create(&images[i]);
      attachments[i] = attachment(UINT4, 1, VK_ATTACHMENT_LOAD_OP_CLEAR);
      refs[i] = (VkAttachmentReference){i, GENERAL};
   }
   for (uint32_t i = 0; i < 32; i++) {
      buffers[i] = values.buffer;
      offsets[i] = i * STEP_B;
   }
   ((uint32_t *)values.map)[(26 * STEP_B + 2044) / 4] = 4321;
   const VkSubpassDescription subpass = {.colorAttachmentCount = 8, .pColorAttachments = refs};
   VkRenderPass pass = pass_create(8, attachments, 1, &subpass, NULL);
   VkFramebuffer framebuffer = framebuffer_create(pass, 8, views, 1);
   VkPipeline pipeline = draw_pipeline(pass, quad_layout);
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 8, clears);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 32, buffers, offsets);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t j = 0; j < 8; j++) {
      read_back(&images[j]);
      const uint32_t *texel = (uint32_t *)buffer.map + 4 * (5 * SIZE + 17);
      for (uint32_t c = 0; c < 4; c++)
         vkt_expect(texel[c] == expected_component(j, c), "target %u, component %u: %u, not %u", j, c, texel[c],
                    expected_component(j, c));
   }
   destroy_images(8, images, 8, views);
   destroy_pass(pass, framebuffer, 1, &pipeline);
}

/* Draws into the first and the last layer, each of which an instance is. */
static void
test_layers(void)
{
   const VkPhysicalDeviceLimits *l = &vkx->properties.limits;
   const uint32_t layers =
      l->maxFramebufferLayers < l->maxImageArrayLayers ? l->maxFramebufferLayers : l->maxImageArrayLayers;
   const VkExtent2D small = {2, 2};
   const struct vkt_quad quad = {-1, -1, 1, 1, {1, 1, 1, 1}, 0};
   struct vkt_target target = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, small, layers, 1);
   struct vkx_buffer texels = vkt_buffer_create(vkx, 16 * (VkDeviceSize)layers, 0x55);
   const struct vkt_pipeline_info info = {
      .pass = target.pass, .layout = quad_layout, .vertex = VKT_CODE(layer_vert), .fragment = VKT_CODE(quad_frag)};
   VkPipeline pipeline = vkt_pipeline_create(vkx, &info);
   uint32_t wrong = 0;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(quad), &quad);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   vkCmdDraw(cmd, 4, 1, 0, layers - 1);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &texels);
   for (uint32_t i = 0; i < 4 * layers; i++)
      wrong += ((uint32_t *)texels.map)[i] != (i / 4 == 0 || i / 4 == layers - 1 ? UINT32_MAX : 0);
   vkt_expect(!wrong, "%u layers: %u texels are wrong", layers, wrong);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkx_buffer_destroy(vkx, &texels);
   vkt_target_destroy(vkx, &target);
}

int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("limits");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   values = vkt_buffer_create(vkx, 64 * STEP_B, 0);
   for (uint32_t i = 0; i < 64; i++)
      ((uint32_t *)values.map)[i * STEP_B / 4] = 1000 + i * i;
   quad_layout = vkt_quad_layout_create(vkx);
   test_compute();
   test_groups();
   if (vkt_has("VK_EXT_shader_viewport_index_layer"))
      test_layers();
   else
      vkt_skip("layers");
   /* RADV loads into s[104:107], VCC as the end of a tuple: the model does not decode that. */
   if (strcmp(vkx_option(argc, argv, "--quirks", ""), "radv"))
      test_graphics();
   else
      vkt_expect(true, "nothing");
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   vkx_buffer_destroy(vkx, &values);
   return vkt_finish(vkx);
}

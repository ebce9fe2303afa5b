/* States that are set while commands are recorded: pictures of random states, from pipelines that have them all, from
 * pipelines that have those beyond VK_EXT_extended_dynamic_state2, and from pipelines that have none, which are to be
 * the same to the bit. -o FILE writes those of the first, --against FILE finds them again, nearly. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "linked_a.vert.inc"
};
static const uint32_t smooth_code[] = {
#include "linked_a.frag.inc"
};
static const uint32_t flat_code[] = {
#include "linked_c.frag.inc"
};

enum { SIZE = 48, SIZE_B = 4 * SIZE * SIZE, VERTICES = 9, STRIDES = 3, CASES = 160 }; /* px */

static const struct vkt_code frags[2] = {VKT_CODE(smooth_code), VKT_CODE(flat_code)};
/* In bytes; what lies between is garbage. */
static const uint32_t strides_B[STRIDES] = {12, 16, 28};
static const float places[VERTICES][2] = {{-0.1f, 0.05f},  {-0.95f, -0.2f}, {-0.6f, -0.9f},
                                          {0.15f, -0.75f}, {0.9f, -0.6f},   {0.7f, 0.35f},
                                          {0.1f, 0.95f},   {-0.75f, 0.7f},  {-0.9f, -0.1f}};
static const uint16_t indices[] = {0, 1, 2, 3, 0xffff, 0, 4, 5, 6, 0xffff, 7, 8, 1, 0, 3};
static const VkPrimitiveTopology topologies[] = {
   VK_PRIMITIVE_TOPOLOGY_POINT_LIST,     VK_PRIMITIVE_TOPOLOGY_LINE_LIST,    VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
   VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};

static struct vkx vkx;
static struct vkt_target target;
static struct vkx_buffer vertices[STRIDES], index_buffer, pixels;
static VkPipelineLayout layout;
static bool has_all;

static struct {
   PFN_vkCmdSetCullModeEXT cull_mode;
   PFN_vkCmdSetFrontFaceEXT front_face;
   PFN_vkCmdSetPrimitiveTopologyEXT topology;
   PFN_vkCmdSetViewportWithCountEXT viewports;
   PFN_vkCmdSetScissorWithCountEXT scissors;
   PFN_vkCmdBindVertexBuffers2EXT vertex_buffers;
   PFN_vkCmdSetDepthTestEnableEXT depth_test;
   PFN_vkCmdSetDepthWriteEnableEXT depth_write;
   PFN_vkCmdSetDepthCompareOpEXT depth_compare;
   PFN_vkCmdSetDepthBoundsTestEnableEXT depth_bounds;
   PFN_vkCmdSetStencilTestEnableEXT stencil_test;
   PFN_vkCmdSetStencilOpEXT stencil_op;
   PFN_vkCmdSetRasterizerDiscardEnableEXT discard;
   PFN_vkCmdSetDepthBiasEnableEXT depth_bias;
   PFN_vkCmdSetPrimitiveRestartEnableEXT restart;
   PFN_vkCmdSetLogicOpEXT logic_op;
   PFN_vkCmdSetVertexInputEXT vertex_input;
   PFN_vkCmdSetDepthClampEnableEXT depth_clamp;
   PFN_vkCmdSetPolygonModeEXT polygon_mode;
   PFN_vkCmdSetRasterizationSamplesEXT samples;
   PFN_vkCmdSetSampleMaskEXT sample_mask;
   PFN_vkCmdSetAlphaToCoverageEnableEXT alpha_to_coverage;
   PFN_vkCmdSetLogicOpEnableEXT logic_op_enable;
   PFN_vkCmdSetColorBlendEnableEXT blend_enable;
   PFN_vkCmdSetColorBlendEquationEXT blend_equation;
   PFN_vkCmdSetColorWriteMaskEXT write_mask;
} set;

static void
find_commands(void)
{
   set.cull_mode = VKT_PROC(&vkx, vkCmdSetCullModeEXT);
   set.front_face = VKT_PROC(&vkx, vkCmdSetFrontFaceEXT);
   set.topology = VKT_PROC(&vkx, vkCmdSetPrimitiveTopologyEXT);
   set.viewports = VKT_PROC(&vkx, vkCmdSetViewportWithCountEXT);
   set.scissors = VKT_PROC(&vkx, vkCmdSetScissorWithCountEXT);
   set.vertex_buffers = VKT_PROC(&vkx, vkCmdBindVertexBuffers2EXT);
   set.depth_test = VKT_PROC(&vkx, vkCmdSetDepthTestEnableEXT);
   set.depth_write = VKT_PROC(&vkx, vkCmdSetDepthWriteEnableEXT);
   set.depth_compare = VKT_PROC(&vkx, vkCmdSetDepthCompareOpEXT);
   set.depth_bounds = VKT_PROC(&vkx, vkCmdSetDepthBoundsTestEnableEXT);
   set.stencil_test = VKT_PROC(&vkx, vkCmdSetStencilTestEnableEXT);
   set.stencil_op = VKT_PROC(&vkx, vkCmdSetStencilOpEXT);
   set.discard = VKT_PROC(&vkx, vkCmdSetRasterizerDiscardEnableEXT);
   set.depth_bias = VKT_PROC(&vkx, vkCmdSetDepthBiasEnableEXT);
   set.restart = VKT_PROC(&vkx, vkCmdSetPrimitiveRestartEnableEXT);
   set.logic_op = VKT_PROC(&vkx, vkCmdSetLogicOpEXT);
   set.vertex_input = VKT_PROC(&vkx, vkCmdSetVertexInputEXT);
   set.depth_clamp = VKT_PROC(&vkx, vkCmdSetDepthClampEnableEXT);
   set.polygon_mode = VKT_PROC(&vkx, vkCmdSetPolygonModeEXT);
   set.samples = VKT_PROC(&vkx, vkCmdSetRasterizationSamplesEXT);
   set.sample_mask = VKT_PROC(&vkx, vkCmdSetSampleMaskEXT);
   set.alpha_to_coverage = VKT_PROC(&vkx, vkCmdSetAlphaToCoverageEnableEXT);
   set.logic_op_enable = VKT_PROC(&vkx, vkCmdSetLogicOpEnableEXT);
   set.blend_enable = VKT_PROC(&vkx, vkCmdSetColorBlendEnableEXT);
   set.blend_equation = VKT_PROC(&vkx, vkCmdSetColorBlendEquationEXT);
   set.write_mask = VKT_PROC(&vkx, vkCmdSetColorWriteMaskEXT);
}

/* ---- states ---- */

struct state {
   VkPrimitiveTopology topology;
   bool restart, indexed, ahead; /* ahead: set before the pipeline is bound */
   unsigned stride, fragment;
   VkPipelineRasterizationStateCreateInfo raster;
   VkPipelineDepthStencilStateCreateInfo tests;
   VkLogicOp logic_op;
   VkBool32 logic_op_enable;
   VkPipelineColorBlendAttachmentState blend;
   VkSampleMask sample_mask;
   VkFormat format; /* of places */
};

static VkBool32
one_in(uint32_t count)
{
   return vkt_random_below(count) == 0;
}

static VkStencilOpState
random_face(void)
{
   return (VkStencilOpState){.failOp = (VkStencilOp)vkt_random_below(8),
                             .passOp = (VkStencilOp)vkt_random_below(8),
                             .depthFailOp = (VkStencilOp)vkt_random_below(8),
                             .compareOp = (VkCompareOp)(1 + vkt_random_below(7)),
                             .compareMask = 0xff,
                             .writeMask = 0x7f,
                             .reference = vkt_random_below(3)};
}

/* Lists do not restart: that is a feature of its own. */
static VkPipelineColorBlendAttachmentState
random_blend(void)
{
   return (VkPipelineColorBlendAttachmentState){
      .blendEnable = one_in(2),
      .srcColorBlendFactor = (VkBlendFactor)vkt_random_below(10),
      .dstColorBlendFactor = (VkBlendFactor)vkt_random_below(10),
      .colorBlendOp = (VkBlendOp)vkt_random_below(5),
      .srcAlphaBlendFactor = (VkBlendFactor)vkt_random_below(10),
      .dstAlphaBlendFactor = (VkBlendFactor)vkt_random_below(10),
      .alphaBlendOp = (VkBlendOp)vkt_random_below(5),
      .colorWriteMask = one_in(3) ? vkt_random_below(16) : 0xf,
   };
}

static struct state
random_state(void)
{
   struct state s = {.topology = topologies[vkt_random_below(sizeof(topologies) / sizeof(topologies[0]))],
                     .indexed = one_in(2),
                     .ahead = one_in(2),
                     .stride = vkt_random_below(STRIDES),
                     .fragment = vkt_random_below(2),
                     .logic_op_enable = one_in(3),
                     .logic_op = (VkLogicOp)vkt_random_below(16),
                     .blend = random_blend(),
                     .sample_mask = one_in(8) ? 0xe : 0x7,
                     .format = one_in(3) ? VK_FORMAT_R16G16_SNORM : VK_FORMAT_R32G32_SFLOAT};
   s.restart = s.indexed && s.topology != VK_PRIMITIVE_TOPOLOGY_POINT_LIST &&
               s.topology != VK_PRIMITIVE_TOPOLOGY_LINE_LIST && s.topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
   s.raster = (VkPipelineRasterizationStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = one_in(12),
      .depthClampEnable = one_in(2),
      .polygonMode = one_in(6) ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL,
      .cullMode = one_in(2) ? 0 : 1u << vkt_random_below(2),
      .frontFace = (VkFrontFace)vkt_random_below(2),
      .depthBiasEnable = one_in(3),
      .depthBiasConstantFactor = -4e5f,
      .lineWidth = 1,
   };
   s.tests = (VkPipelineDepthStencilStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = one_in(2),
      .depthWriteEnable = one_in(2),
      .depthCompareOp = (VkCompareOp)(1 + vkt_random_below(7)),
      .depthBoundsTestEnable = one_in(6),
      .stencilTestEnable = one_in(2),
      .front = random_face(),
      .back = random_face(),
      .minDepthBounds = 0.3f,
      .maxDepthBounds = 0.6f,
   };
   return s;
}

/* Both formats lie side by side. */
static uint32_t
offset_B(const struct state *s)
{
   return s->format == VK_FORMAT_R32G32_SFLOAT ? 0 : 8;
}

/* ---- pipelines ---- */

static const VkDynamicState all_states[] = {
   VK_DYNAMIC_STATE_CULL_MODE,
   VK_DYNAMIC_STATE_FRONT_FACE,
   VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
   VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
   VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
   VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
   VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
   VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
   VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
   VK_DYNAMIC_STATE_STENCIL_OP,
   VK_DYNAMIC_STATE_STENCIL_REFERENCE,
   VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
   VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
   VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
   VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,
   VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
   VK_DYNAMIC_STATE_POLYGON_MODE_EXT,
   VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
   VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
   VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
   VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
   VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
   VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
   VK_DYNAMIC_STATE_LOGIC_OP_EXT,
   VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT,
};
enum { FIRST_STATES = 14, ALL_STATES = sizeof(all_states) / sizeof(all_states[0]) };

/* num_dynamic: the first of all_states. What is dynamic is as wrong as the state that is given. */
static VkPipeline
create(const struct state *s, uint32_t num_dynamic)
{
   const VkVertexInputBindingDescription binding = {0, strides_B[s->stride], VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attribute = {0, 0, s->format, offset_B(s)};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 1,
                                                       .pVertexAttributeDescriptions = &attribute};
   const struct vkt_pipeline_info info = {
      .pass = target.pass,
      .layout = layout,
      .vertex = VKT_CODE(vertex_code),
      .fragment = frags[s->fragment],
      .topology = s->topology,
      .points = s->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
      .restart = s->restart,
      .vertex_input = &input,
      .depth_stencil = &s->tests,
      .raster = &s->raster,
      .logic_op_enable = s->logic_op_enable,
      .blend = &s->blend,
      .sample_mask = &s->sample_mask,
      .logic_op = s->logic_op,
      .num_dynamic = num_dynamic,
      .dynamic = all_states,
   };
   return vkt_pipeline_create(&vkx, &info);
}

/* ---- pictures ---- */

static void
set_states(VkCommandBuffer cmd, const struct state *s)
{
   set.stencil_op(cmd, VK_STENCIL_FACE_FRONT_BIT, s->tests.front.failOp, s->tests.front.passOp,
                  s->tests.front.depthFailOp, s->tests.front.compareOp);
   set.stencil_op(cmd, VK_STENCIL_FACE_BACK_BIT, s->tests.back.failOp, s->tests.back.passOp,
                  s->tests.back.depthFailOp, s->tests.back.compareOp);
   vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_BIT, s->tests.front.reference);
   vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_BACK_BIT, s->tests.back.reference);
   set.cull_mode(cmd, s->raster.cullMode);
   set.front_face(cmd, s->raster.frontFace);
   set.topology(cmd, s->topology);
   set.depth_test(cmd, s->tests.depthTestEnable);
   set.depth_write(cmd, s->tests.depthWriteEnable);
   set.depth_compare(cmd, s->tests.depthCompareOp);
   set.depth_bounds(cmd, s->tests.depthBoundsTestEnable);
   set.stencil_test(cmd, s->tests.stencilTestEnable);
   set.discard(cmd, s->raster.rasterizerDiscardEnable);
   set.depth_bias(cmd, s->raster.depthBiasEnable);
   set.restart(cmd, s->restart);
}

static void
set_further_states(VkCommandBuffer cmd, const struct state *s)
{
   const VkVertexInputBindingDescription2EXT binding = {.sType =
                                                           VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
                                                        .stride = strides_B[s->stride],
                                                        .inputRate = VK_VERTEX_INPUT_RATE_VERTEX,
                                                        .divisor = 1};
   const VkVertexInputAttributeDescription2EXT attribute = {
      .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
      .format = s->format,
      .offset = offset_B(s)};
   const VkColorBlendEquationEXT equation = {s->blend.srcColorBlendFactor, s->blend.dstColorBlendFactor,
                                             s->blend.colorBlendOp,        s->blend.srcAlphaBlendFactor,
                                             s->blend.dstAlphaBlendFactor, s->blend.alphaBlendOp};
   set.vertex_input(cmd, 1, &binding, 1, &attribute);
   set.depth_clamp(cmd, s->raster.depthClampEnable);
   set.polygon_mode(cmd, s->raster.polygonMode);
   set.samples(cmd, VK_SAMPLE_COUNT_1_BIT);
   set.sample_mask(cmd, VK_SAMPLE_COUNT_1_BIT, &s->sample_mask);
   set.alpha_to_coverage(cmd, VK_FALSE);
   set.blend_enable(cmd, 0, 1, &s->blend.blendEnable);
   set.blend_equation(cmd, 0, 1, &equation);
   set.write_mask(cmd, 0, 1, &s->blend.colorWriteMask);
   set.logic_op(cmd, s->logic_op);
   set.logic_op_enable(cmd, s->logic_op_enable);
}

static void
draw(VkCommandBuffer cmd, const struct state *s)
{
   if (s->indexed)
      vkCmdDrawIndexed(cmd, sizeof(indices) / sizeof(indices[0]) - (s->restart ? 0 : 11), 1, 0, 0, 0);
   else
      vkCmdDraw(cmd, VERTICES, 1, 0, 0);
}

static void
bind_static(VkCommandBuffer cmd, VkPipeline pipeline, const struct state *s)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices[s->stride].buffer, &(VkDeviceSize){0});
   draw(cmd, s);
}

static void
bind_dynamic(VkCommandBuffer cmd, VkPipeline pipeline, const struct state *s, uint32_t num_dynamic)
{
   const VkDeviceSize zero = 0, stride_B = strides_B[s->stride];
   if (!s->ahead)
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   set_states(cmd, s);
   if (num_dynamic == ALL_STATES)
      set_further_states(cmd, s);
   if (s->ahead)
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   set.vertex_buffers(cmd, 0, 1, &vertices[s->stride].buffer, &zero, NULL, &stride_B);
   draw(cmd, s);
}

/* What is under test over what a static pipeline has drawn. */
static void
picture(VkPipeline under, const struct state *background, VkPipeline pipeline, const struct state *s,
        uint32_t num_dynamic)
{
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindIndexBuffer(cmd, index_buffer.buffer, 0, VK_INDEX_TYPE_UINT16);
   bind_static(cmd, under, background);
   if (num_dynamic)
      bind_dynamic(cmd, pipeline, s, num_dynamic);
   else
      bind_static(cmd, pipeline, s);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
}

static unsigned
different(const uint8_t *a, const uint8_t *b, int tolerance)
{
   unsigned count = 0;
   for (unsigned i = 0; i < SIZE_B; i++)
      count += abs(a[i] - b[i]) > tolerance;
   return count;
}

/* Of states that all devices have; llvmpipe passes over the sample mask where there is one sample. */
static void
check_static(unsigned number, const struct state *s, FILE *out, FILE *against)
{
   static uint8_t wanted[SIZE_B];
   if (s->logic_op_enable || s->tests.depthBoundsTestEnable || s->raster.polygonMode != VK_POLYGON_MODE_FILL ||
       !(s->sample_mask & 1))
      return;
   if (out)
      vkt_expect(fwrite(pixels.map, SIZE_B, 1, out) == 1, "cannot write");
   if (!against || !vkt_expect(fread(wanted, SIZE_B, 1, against) == 1, "the file is too short"))
      return;
   unsigned wrong = different(pixels.map, wanted, 2);
   vkt_expect(wrong < SIZE_B / 30, "case %u, topology %u: %u bytes of the picture", number, s->topology, wrong);
}

/* The same, but for what the first states set. */
static struct state
wrong_first_states(const struct state *s)
{
   struct state wrong = *s;
   wrong.topology = s->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST      ? s->topology
                    : s->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST     ? VK_PRIMITIVE_TOPOLOGY_LINE_STRIP
                    : s->topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP    ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST
                    : s->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN
                                                                         : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
   wrong.restart = false;
   wrong.stride = (s->stride + 1) % STRIDES;
   wrong.raster.cullMode ^= VK_CULL_MODE_FRONT_AND_BACK;
   wrong.raster.frontFace ^= 1;
   wrong.raster.rasterizerDiscardEnable ^= 1;
   wrong.raster.depthBiasEnable ^= 1;
   wrong.tests.depthTestEnable ^= 1;
   wrong.tests.depthWriteEnable ^= 1;
   wrong.tests.depthCompareOp ^= 7;
   wrong.tests.stencilTestEnable ^= 1;
   wrong.tests.depthBoundsTestEnable = VK_FALSE;
   wrong.tests.front = s->tests.back;
   wrong.tests.back = s->tests.front;
   return wrong;
}

/* A pipeline for one case, and one for all of its fragment shader. */
static void
compare(unsigned number, VkPipeline under, const struct state *background, const struct state *s, VkPipeline all[2],
        const uint8_t wanted[SIZE_B])
{
   const uint32_t nums[2] = {FIRST_STATES, ALL_STATES};
   if (has_all && !all[s->fragment])
      all[s->fragment] = create(s, ALL_STATES);
   const struct state wrong_first = wrong_first_states(s);
   VkPipeline pipelines[2] = {create(&wrong_first, FIRST_STATES), all[s->fragment]};
   for (unsigned i = 0; i < (has_all ? 2 : 1); i++) {
      picture(under, background, pipelines[i], s, nums[i]);
      unsigned wrong = different(pixels.map, wanted, 0);
      vkt_expect(!wrong, "case %u, %u states: %u bytes", number, nums[i], wrong);
   }
   vkDestroyPipeline(vkx.device, pipelines[0], NULL);
}

static void
test(FILE *out, FILE *against)
{
   static uint8_t wanted[SIZE_B];
   VkPipeline all[2] = {VK_NULL_HANDLE};
   const struct state background = {
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
      .raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
      .tests = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                .depthTestEnable = VK_TRUE,
                .depthWriteEnable = VK_TRUE,
                .depthCompareOp = VK_COMPARE_OP_LESS,
                .stencilTestEnable = VK_TRUE,
                .front = {.passOp = VK_STENCIL_OP_INCREMENT_AND_WRAP,
                          .compareOp = VK_COMPARE_OP_ALWAYS,
                          .compareMask = 0xff,
                          .writeMask = 0xff},
                .back = {.passOp = VK_STENCIL_OP_INCREMENT_AND_WRAP,
                         .depthFailOp = VK_STENCIL_OP_INVERT,
                         .compareOp = VK_COMPARE_OP_ALWAYS,
                         .compareMask = 0xff,
                         .writeMask = 0xff}},
      .format = VK_FORMAT_R32G32_SFLOAT,
      .blend = {.colorWriteMask = 0xf},
      .sample_mask = 1};
   VkPipeline under = create(&background, 0);
   unsigned changed = 0;
   for (unsigned i = 0; i < CASES; i++) {
      struct state s = random_state();
      if ((!vkt_features.depthBounds && s.tests.depthBoundsTestEnable) ||
          (!vkt_features.logicOp && s.logic_op_enable))
         continue;
      VkPipeline pipeline = create(&s, 0);
      picture(under, &background, pipeline, &s, 0);
      vkDestroyPipeline(vkx.device, pipeline, NULL);
      changed += different(wanted, pixels.map, 0) != 0;
      memcpy(wanted, pixels.map, SIZE_B);
      check_static(i, &s, out, against);
      if (!out)
         compare(i, under, &background, &s, all, wanted);
   }
   vkt_expect(changed > CASES / 2, "%u pictures", changed);
   vkDestroyPipeline(vkx.device, all[0], NULL);
   vkDestroyPipeline(vkx.device, all[1], NULL);
   vkDestroyPipeline(vkx.device, under, NULL);
}

static void
create_buffers(void)
{
   for (unsigned i = 0; i < STRIDES; i++) {
      vertices[i] = vkt_buffer_create(&vkx, VERTICES * strides_B[i], 0x3f);
      for (unsigned j = 0; j < VERTICES; j++) {
         const int16_t half[2] = {(int16_t)(places[j][1] * 32767), (int16_t)(places[j][0] * 32767)};
         char *vertex = (char *)vertices[i].map + j * strides_B[i];
         memcpy(vertex, places[j], sizeof(places[j]));
         memcpy(vertex + 8, half, sizeof(half));
      }
   }
   index_buffer = vkt_buffer_create(&vkx, sizeof(indices), 0);
   memcpy(index_buffer.map, indices, sizeof(indices));
   pixels = vkt_buffer_create(&vkx, SIZE_B, 1);
}

int
main(int argc, char **argv)
{
   const char *out = vkx_option(argc, argv, "-o", NULL), *against = vkx_option(argc, argv, "--against", NULL);
   FILE *files[2] = {out ? fopen(out, "wb") : NULL, against ? fopen(against, "rb") : NULL};
   if ((out && !files[0]) || (against && !files[1])) {
      fprintf(stderr, "dynamic: cannot open the file\n");
      return 1;
   }
   vkx = vkt_create("dynamic");
   target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT_S8_UINT, (VkExtent2D){SIZE, SIZE},
                              1, VK_SAMPLE_COUNT_1_BIT);
   create_buffers();
   layout = vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, 0, 0);
   has_all = vkt_has("VK_EXT_extended_dynamic_state3") && vkt_has("VK_EXT_vertex_input_dynamic_state");
   find_commands();
   if (vkt_has("VK_EXT_extended_dynamic_state") && vkt_has("VK_EXT_extended_dynamic_state2"))
      test(files[0], files[1]);
   else
      vkt_skip("VK_EXT_extended_dynamic_state2");
   for (unsigned i = 0; i < 2; i++)
      if (files[i])
         fclose(files[i]);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   for (unsigned i = 0; i < STRIDES; i++)
      vkx_buffer_destroy(&vkx, &vertices[i]);
   vkx_buffer_destroy(&vkx, &index_buffer);
   vkx_buffer_destroy(&vkx, &pixels);
   vkt_target_destroy(&vkx, &target);
   return vkt_finish(&vkx);
}

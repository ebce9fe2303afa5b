#include "dynamic_states.h"

#include <string.h>

#include "choices.h"

/* In bytes; what lies between is garbage. */
static const uint32_t strides_B[DYNAMIC_STRIDES] = {12, 16, 28};
static const float places[DYNAMIC_VERTICES][2] = {{-0.1f, 0.05f},  {-0.95f, -0.2f}, {-0.6f, -0.9f},
                                                  {0.15f, -0.75f}, {0.9f, -0.6f},   {0.7f, 0.35f},
                                                  {0.1f, 0.95f},   {-0.75f, 0.7f},  {-0.9f, -0.1f}};
static const uint16_t indices[] = {0, 1, 2, 3, 0xffff, 0, 4, 5, 6, 0xffff, 7, 8, 1, 0, 3};
static const VkPrimitiveTopology topologies[] = {
   VK_PRIMITIVE_TOPOLOGY_POINT_LIST,     VK_PRIMITIVE_TOPOLOGY_LINE_LIST,    VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
   VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};

enum {
   TOPOLOGY,
   INDEXED,
   AHEAD,
   STRIDE,
   FORMAT,
   FRAGMENT,
   DISCARD,
   CLAMP,
   POLYGON,
   CULL,
   FRONT,
   BIAS,
   DEPTH_TEST,
   DEPTH_WRITE,
   DEPTH_COMPARE,
   DEPTH_BOUNDS,
   STENCIL,
   BLEND,
   LOGIC_OP,
   WRITE_MASK,
   SAMPLE_MASK,
   PROVOKING,
   CLIP,
   WRITE_ENABLE,
   BRESENHAM,
   ALPHA_ONE,
   CHOICES
};

static const struct choice table[CHOICES] = {
   [TOPOLOGY] = {"topology", sizeof(topologies) / sizeof(topologies[0])},
   [INDEXED] = {"indices", 2},
   [AHEAD] = {"set before the pipeline", 2},
   [STRIDE] = {"stride", DYNAMIC_STRIDES},
   [FORMAT] = {"format of places", 2, .one_in = 3},
   [FRAGMENT] = {"fragment shader", 2},
   [DISCARD] = {"discard", 2, .one_in = 12},
   [CLAMP] = {"depth clamp", 2},
   [POLYGON] = {"lines of polygons", 2, .one_in = 6},
   [CULL] = {"cull mode", 3, .one_in = 2},
   [FRONT] = {"front face", 2},
   [BIAS] = {"depth bias", 2, .one_in = 3},
   [DEPTH_TEST] = {"depth test", 2},
   [DEPTH_WRITE] = {"depth write", 2},
   [DEPTH_COMPARE] = {"depth compare operation", 7},
   [DEPTH_BOUNDS] = {"depth bounds", 2, .one_in = 6},
   [STENCIL] = {"stencil", 2},
   [BLEND] = {"blending", 2},
   [LOGIC_OP] = {"logic operation", 2, .one_in = 3},
   [WRITE_MASK] = {"write mask", 2, .one_in = 3},
   [SAMPLE_MASK] = {"sample mask", 2, .one_in = 8},
   [PROVOKING] = {"provoking vertex", 2},
   [CLIP] = {"depth clip", 3},
   [WRITE_ENABLE] = {"colours off", 2, .one_in = 8},
   [BRESENHAM] = {"lines of Bresenham", 2, .one_in = 3},
   [ALPHA_ONE] = {"alpha to one", 2, .one_in = 3},
};
/* Vulkan excludes such lines from alpha to one. */
static const struct choices_never never[] = {{BRESENHAM, 1, ALPHA_ONE, 1}};
static struct choices choices = {
   .table = table, .count = CHOICES, .never = never, .never_count = sizeof(never) / sizeof(never[0])};

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
   PFN_vkCmdSetProvokingVertexModeEXT provoking;
   PFN_vkCmdSetDepthClipEnableEXT depth_clip;
   PFN_vkCmdSetColorWriteEnableEXT write_enable;
   PFN_vkCmdSetLineRasterizationModeEXT line_mode;
   PFN_vkCmdSetLineStippleEnableEXT stipple;
   PFN_vkCmdSetAlphaToOneEnableEXT alpha_to_one;
} set;

void
dynamic_states_init(struct vkx *vkx)
{
   set.cull_mode = VKT_PROC(vkx, vkCmdSetCullModeEXT);
   set.front_face = VKT_PROC(vkx, vkCmdSetFrontFaceEXT);
   set.topology = VKT_PROC(vkx, vkCmdSetPrimitiveTopologyEXT);
   set.viewports = VKT_PROC(vkx, vkCmdSetViewportWithCountEXT);
   set.scissors = VKT_PROC(vkx, vkCmdSetScissorWithCountEXT);
   set.vertex_buffers = VKT_PROC(vkx, vkCmdBindVertexBuffers2EXT);
   set.depth_test = VKT_PROC(vkx, vkCmdSetDepthTestEnableEXT);
   set.depth_write = VKT_PROC(vkx, vkCmdSetDepthWriteEnableEXT);
   set.depth_compare = VKT_PROC(vkx, vkCmdSetDepthCompareOpEXT);
   set.depth_bounds = VKT_PROC(vkx, vkCmdSetDepthBoundsTestEnableEXT);
   set.stencil_test = VKT_PROC(vkx, vkCmdSetStencilTestEnableEXT);
   set.stencil_op = VKT_PROC(vkx, vkCmdSetStencilOpEXT);
   set.discard = VKT_PROC(vkx, vkCmdSetRasterizerDiscardEnableEXT);
   set.depth_bias = VKT_PROC(vkx, vkCmdSetDepthBiasEnableEXT);
   set.restart = VKT_PROC(vkx, vkCmdSetPrimitiveRestartEnableEXT);
   set.logic_op = VKT_PROC(vkx, vkCmdSetLogicOpEXT);
   set.vertex_input = VKT_PROC(vkx, vkCmdSetVertexInputEXT);
   set.depth_clamp = VKT_PROC(vkx, vkCmdSetDepthClampEnableEXT);
   set.polygon_mode = VKT_PROC(vkx, vkCmdSetPolygonModeEXT);
   set.samples = VKT_PROC(vkx, vkCmdSetRasterizationSamplesEXT);
   set.sample_mask = VKT_PROC(vkx, vkCmdSetSampleMaskEXT);
   set.alpha_to_coverage = VKT_PROC(vkx, vkCmdSetAlphaToCoverageEnableEXT);
   set.logic_op_enable = VKT_PROC(vkx, vkCmdSetLogicOpEnableEXT);
   set.blend_enable = VKT_PROC(vkx, vkCmdSetColorBlendEnableEXT);
   set.blend_equation = VKT_PROC(vkx, vkCmdSetColorBlendEquationEXT);
   set.write_mask = VKT_PROC(vkx, vkCmdSetColorWriteMaskEXT);
   set.provoking = VKT_PROC(vkx, vkCmdSetProvokingVertexModeEXT);
   set.depth_clip = VKT_PROC(vkx, vkCmdSetDepthClipEnableEXT);
   set.write_enable = VKT_PROC(vkx, vkCmdSetColorWriteEnableEXT);
   set.line_mode = VKT_PROC(vkx, vkCmdSetLineRasterizationModeEXT);
   set.stipple = VKT_PROC(vkx, vkCmdSetLineStippleEnableEXT);
   set.alpha_to_one = VKT_PROC(vkx, vkCmdSetAlphaToOneEnableEXT);
}

bool
dynamic_states_has_all(void)
{
   static const char *const extensions[] = {"VK_EXT_extended_dynamic_state3", "VK_EXT_vertex_input_dynamic_state",
                                            "VK_EXT_provoking_vertex",        "VK_EXT_depth_clip_enable",
                                            "VK_EXT_color_write_enable",      "VK_EXT_line_rasterization"};
   bool has = true;
   for (unsigned i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++)
      has &= vkt_has(extensions[i]);
   has &= vkt_features.alphaToOne;
   return has;
}

/* ---- states ---- */

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

static VkPipelineColorBlendAttachmentState
random_blend(bool enable, bool mask)
{
   return (VkPipelineColorBlendAttachmentState){
      .blendEnable = enable,
      .srcColorBlendFactor = (VkBlendFactor)vkt_random_below(10),
      .dstColorBlendFactor = (VkBlendFactor)vkt_random_below(10),
      .colorBlendOp = (VkBlendOp)vkt_random_below(5),
      .srcAlphaBlendFactor = (VkBlendFactor)vkt_random_below(10),
      .dstAlphaBlendFactor = (VkBlendFactor)vkt_random_below(10),
      .alphaBlendOp = (VkBlendOp)vkt_random_below(5),
      .colorWriteMask = mask ? vkt_random_below(15) : 0xf,
   };
}

static VkPipelineRasterizationStateCreateInfo
raster_of(const unsigned now[CHOICES])
{
   return (VkPipelineRasterizationStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = now[DISCARD],
      .depthClampEnable = now[CLAMP],
      .polygonMode = now[POLYGON] ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL,
      .cullMode = now[CULL], /* none, front, back */
      .frontFace = (VkFrontFace)now[FRONT],
      .depthBiasEnable = now[BIAS],
      .depthBiasConstantFactor = -4e5f,
      .lineWidth = 1,
   };
}

/* Counts what the state has: a draw that the state does not follow shows. */
static void
count_state(const struct dynamic_state *s)
{
   unsigned *now = choices.now;
   for (unsigned i = 0; i < table[TOPOLOGY].values; i++)
      now[TOPOLOGY] = topologies[i] == s->topology ? i : now[TOPOLOGY];
   now[INDEXED] = s->indexed;
   now[AHEAD] = s->ahead;
   now[STRIDE] = s->stride;
   now[FORMAT] = s->format != VK_FORMAT_R32G32_SFLOAT;
   now[FRAGMENT] = s->fragment;
   now[DISCARD] = s->raster.rasterizerDiscardEnable;
   now[CLAMP] = s->raster.depthClampEnable;
   now[POLYGON] = s->raster.polygonMode != VK_POLYGON_MODE_FILL;
   now[CULL] = s->raster.cullMode;
   now[FRONT] = s->raster.frontFace;
   now[BIAS] = s->raster.depthBiasEnable;
   now[DEPTH_TEST] = s->tests.depthTestEnable;
   now[DEPTH_WRITE] = s->tests.depthWriteEnable;
   now[DEPTH_COMPARE] = s->tests.depthCompareOp - 1;
   now[DEPTH_BOUNDS] = s->tests.depthBoundsTestEnable;
   now[STENCIL] = s->tests.stencilTestEnable;
   now[BLEND] = s->blend.blendEnable;
   now[LOGIC_OP] = s->logic_op_enable;
   now[WRITE_MASK] = s->blend.colorWriteMask != 0xf;
   now[SAMPLE_MASK] = !(s->sample_mask & 1);
   now[PROVOKING] = s->provokes_last;
   now[CLIP] = s->depth_clip;
   now[WRITE_ENABLE] = !s->color_written;
   now[BRESENHAM] = s->bresenham;
   now[ALPHA_ONE] = s->alpha_to_one;
   choices_count(&choices);
}

struct dynamic_state
dynamic_state_random(void)
{
   const unsigned *now = choices.now;
   choices_draw_new(&choices, vkt_random(), 8);
   struct dynamic_state s = {.topology = topologies[now[TOPOLOGY]],
                             .indexed = now[INDEXED],
                             .ahead = now[AHEAD],
                             .stride = now[STRIDE],
                             .fragment = now[FRAGMENT],
                             .raster = raster_of(now),
                             .logic_op_enable = now[LOGIC_OP],
                             .logic_op = (VkLogicOp)vkt_random_below(16),
                             .blend = random_blend(now[BLEND], now[WRITE_MASK]),
                             .sample_mask = now[SAMPLE_MASK] ? 0xe : 0x7,
                             .format = now[FORMAT] ? VK_FORMAT_R16G16_SNORM : VK_FORMAT_R32G32_SFLOAT,
                             .provokes_last = now[PROVOKING] && vkt_has("VK_EXT_provoking_vertex"),
                             .depth_clip = vkt_has("VK_EXT_depth_clip_enable") ? now[CLIP] : 0,
                             .bresenham = now[BRESENHAM] && !now[ALPHA_ONE] && vkt_has("VK_EXT_line_rasterization"),
                             .alpha_to_one = now[ALPHA_ONE] && vkt_features.alphaToOne,
                             .color_written = !now[WRITE_ENABLE] || !vkt_has("VK_EXT_color_write_enable")};
   const bool list = s.topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ||
                     s.topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
                     s.topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
   s.restart = s.indexed && (!list || vkt_has("VK_EXT_primitive_topology_list_restart"));
   s.tests = (VkPipelineDepthStencilStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = now[DEPTH_TEST],
      .depthWriteEnable = now[DEPTH_WRITE],
      .depthCompareOp = (VkCompareOp)(1 + now[DEPTH_COMPARE]),
      .depthBoundsTestEnable = now[DEPTH_BOUNDS],
      .stencilTestEnable = now[STENCIL],
      .front = random_face(),
      .back = random_face(),
      .minDepthBounds = 0.3f,
      .maxDepthBounds = 0.6f,
   };
   count_state(&s);
   return s;
}

void
dynamic_states_expect_pairs(void)
{
   const unsigned missing = choices_missing(&choices, stdout);
   vkt_expect(!missing, "%u pairs of choices that no state had", missing);
}

/* Both formats lie side by side. */
static uint32_t
offset_B(const struct dynamic_state *s)
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
   VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
   VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT,
   VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT,
   VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT,
   VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT,
   VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT,
};
_Static_assert(sizeof(all_states) / sizeof(all_states[0]) == DYNAMIC_ALL, "the list is as long as it says");

VkPipeline
dynamic_state_pipeline(struct vkx *vkx, VkRenderPass pass, const void *formats, VkPipelineLayout layout,
                       struct vkt_code vertex, struct vkt_code fragment, const struct dynamic_state *s,
                       uint32_t num_dynamic)
{
   const VkVertexInputBindingDescription binding = {0, strides_B[s->stride], VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attribute = {0, 0, s->format, offset_B(s)};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 1,
                                                       .pVertexAttributeDescriptions = &attribute};
   const VkPipelineRasterizationDepthClipStateCreateInfoEXT clip = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
      .depthClipEnable = s->depth_clip == 2};
   const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
      .pNext = s->depth_clip ? &clip : NULL,
      .provokingVertexMode =
         s->provokes_last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT};
   const VkPipelineColorWriteCreateInfoEXT writes = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
                                                     .attachmentCount = 1,
                                                     .pColorWriteEnables = &s->color_written};
   VkPipelineRasterizationStateCreateInfo raster = s->raster;
   raster.pNext = s->provokes_last ? (const void *)&provoking : provoking.pNext;
   const VkPipelineRasterizationLineStateCreateInfoEXT lines = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
      .pNext = raster.pNext,
      .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
      .lineStippleFactor = 1};
   if (s->bresenham)
      raster.pNext = &lines;
   const struct vkt_pipeline_info info = {
      .next = formats,
      .pass = pass,
      .layout = layout,
      .vertex = vertex,
      .fragment = fragment,
      .topology = s->topology,
      .points = s->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
      .restart = s->restart,
      .vertex_input = &input,
      .depth_stencil = &s->tests,
      .raster = &raster,
      .logic_op_enable = s->logic_op_enable,
      .blend = &s->blend,
      .blend_next = s->color_written ? NULL : &writes,
      .sample_mask = &s->sample_mask,
      .alpha_to_one = s->alpha_to_one,
      .logic_op = s->logic_op,
      .viewports = 2,
      .num_dynamic = num_dynamic,
      .dynamic = all_states,
   };
   return vkt_pipeline_create(vkx, &info);
}

/* ---- commands ---- */

static void
set_states(VkCommandBuffer cmd, const struct dynamic_state *s)
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
set_further_states(VkCommandBuffer cmd, const struct dynamic_state *s)
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
   set.provoking(cmd, s->provokes_last ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                       : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
   set.depth_clip(cmd, s->depth_clip ? s->depth_clip == 2 : !s->raster.depthClampEnable);
   set.write_enable(cmd, 1, &s->color_written);
   set.line_mode(cmd,
                 s->bresenham ? VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT : VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT);
   set.stipple(cmd, VK_FALSE);
   set.alpha_to_one(cmd, s->alpha_to_one);
}

void
dynamic_state_set(VkCommandBuffer cmd, const struct dynamic_state *s, bool all)
{
   set_states(cmd, s);
   if (all)
      set_further_states(cmd, s);
}

static void
draw(VkCommandBuffer cmd, const struct dynamic_shapes *shapes, const struct dynamic_state *s)
{
   vkCmdBindIndexBuffer(cmd, shapes->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
   if (s->indexed)
      vkCmdDrawIndexed(cmd, sizeof(indices) / sizeof(indices[0]) - (s->restart ? 0 : 11), 1, 0, 0, 0);
   else
      vkCmdDraw(cmd, DYNAMIC_VERTICES, 1, 0, 0);
}

void
dynamic_state_draw(VkCommandBuffer cmd, const struct dynamic_shapes *shapes, const struct dynamic_state *s,
                   bool dynamic)
{
   const VkDeviceSize zero = 0, stride_B = strides_B[s->stride];
   if (dynamic) {
      set.vertex_buffers(cmd, 0, 1, &shapes->vertices[s->stride].buffer, &zero, NULL, &stride_B);
      set.vertex_buffers(cmd, 0, 0, NULL, NULL, NULL, NULL); /* none: allowed where the last two are NULL */
   } else {
      vkCmdBindVertexBuffers(cmd, 0, 1, &shapes->vertices[s->stride].buffer, &zero);
   }
   draw(cmd, shapes, s);
}

void
dynamic_state_draw_other_stride(VkCommandBuffer cmd, const struct dynamic_shapes *shapes,
                                const struct dynamic_state *s)
{
   const VkDeviceSize zero = 0, stride_B = strides_B[(s->stride + 1) % DYNAMIC_STRIDES];
   set.vertex_buffers(cmd, 0, 1, &shapes->vertices[s->stride].buffer, &zero, NULL, &stride_B);
   draw(cmd, shapes, s);
}

/* ---- shapes ---- */

struct dynamic_shapes
dynamic_shapes_create(struct vkx *vkx)
{
   struct dynamic_shapes shapes;
   for (unsigned i = 0; i < DYNAMIC_STRIDES; i++) {
      shapes.vertices[i] = vkt_buffer_create(vkx, DYNAMIC_VERTICES * strides_B[i], 0x3f);
      for (unsigned j = 0; j < DYNAMIC_VERTICES; j++) {
         const int16_t half[2] = {(int16_t)(places[j][1] * 32767), (int16_t)(places[j][0] * 32767)};
         char *vertex = (char *)shapes.vertices[i].map + j * strides_B[i];
         memcpy(vertex, places[j], sizeof(places[j]));
         memcpy(vertex + 8, half, sizeof(half));
      }
   }
   shapes.indices = vkt_buffer_create(vkx, sizeof(indices), 0);
   memcpy(shapes.indices.map, indices, sizeof(indices));
   return shapes;
}

void
dynamic_shapes_destroy(struct vkx *vkx, struct dynamic_shapes *shapes)
{
   for (unsigned i = 0; i < DYNAMIC_STRIDES; i++)
      vkx_buffer_destroy(vkx, &shapes->vertices[i]);
   vkx_buffer_destroy(vkx, &shapes->indices);
}

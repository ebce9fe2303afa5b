#include "gallium/frontends/vulkan/vk_graphics_state.h"

#include "gallium/frontends/vulkan/vk_private.h"
#include "util/log.h"
#include "util/macros.h"

/* ---- targets: of the subpass or of dynamic rendering ---- */

static uint32_t
attachment_format(const struct vk_render_pass *pass, struct vk_attachment_ref ref)
{
   return ref.attachment == VK_ATTACHMENT_UNUSED ? 0 : pass->attachments[ref.attachment].format;
}

static void
targets_of_subpass(struct vk_fragment_output *output, const struct vk_render_pass *pass,
                   const struct vk_subpass *subpass)
{
   uint32_t depth_stencil = attachment_format(pass, subpass->depth_stencil);
   uint32_t aspects = depth_stencil ? vk_format_aspects(depth_stencil) : 0;
   output->num_colors = subpass->num_colors;
   output->reads_color = subpass->reads_color;
   output->reads_depth_stencil = subpass->reads_depth_stencil;
   output->depth_format = aspects & PIPE_ASPECT_DEPTH ? depth_stencil : 0;
   output->stencil_format = aspects & PIPE_ASPECT_STENCIL ? depth_stencil : 0;
   for (uint32_t i = 0; i < subpass->num_colors; i++)
      output->color_formats[i] = attachment_format(pass, subpass->colors[i]);
}

static void
targets_of_rendering(struct vk_fragment_output *output, const VkPipelineRenderingCreateInfo *info)
{
   if (!info)
      return; /* without attachments */
   output->num_colors = info->colorAttachmentCount;
   output->depth_format = info->depthAttachmentFormat;
   output->stencil_format = info->stencilAttachmentFormat;
   for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
      output->color_formats[i] = info->pColorAttachmentFormats[i];
}

/* ---- vertex input ---- */

static void
fill_attributes(struct vk_vertex_input *to, const VkPipelineVertexInputStateCreateInfo *input, bool dynamic_strides)
{
   const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors =
      vk_find_struct(input->pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
   bool per_instance[PIPE_MAX_VERTEX_BUFFERS] = {0};
   uint32_t divisor[PIPE_MAX_VERTEX_BUFFERS];
   for (uint32_t i = 0; i < PIPE_MAX_VERTEX_BUFFERS; i++)
      divisor[i] = 1;
   for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; i++)
      divisor[divisors->pVertexBindingDivisors[i].binding] = divisors->pVertexBindingDivisors[i].divisor;
   for (uint32_t i = 0; i < input->vertexBindingDescriptionCount; i++) {
      const VkVertexInputBindingDescription *binding = &input->pVertexBindingDescriptions[i];
      per_instance[binding->binding] = binding->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
      to->strides_B[binding->binding] = binding->stride;
      to->num_strides = MAX2(to->num_strides, binding->binding + 1);
   }
   for (uint32_t i = 0; i < input->vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription *from = &input->pVertexAttributeDescriptions[i];
      to->attributes[i] = (struct pipe_vertex_attribute){
         .format = from->format,
         .offset_B = from->offset,
         .location = (uint8_t)from->location,
         .binding = (uint8_t)from->binding,
         .per_instance = per_instance[from->binding],
         .divisor = divisor[from->binding],
         .stride_B = to->strides_B[from->binding],
         .dynamic_stride = dynamic_strides,
      };
   }
   to->num_attributes = input->vertexAttributeDescriptionCount;
}

static bool
fill_vertex_input(struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   struct vk_vertex_input *to = &state->vertex_input;
   to->topology = PIPE_TRIANGLE_LIST;
   if (info->pInputAssemblyState) {
      to->topology = (enum pipe_topology)info->pInputAssemblyState->topology;
      to->primitive_restart = info->pInputAssemblyState->primitiveRestartEnable;
   }
   if (!vk_is_dynamic(state, VK_DYNAMIC_VERTEX_INPUT))
      fill_attributes(to, info->pVertexInputState, vk_is_dynamic(state, VK_DYNAMIC_STRIDES));
   if (to->topology <= PIPE_TRIANGLE_FAN)
      return true;
   log_error("a graphics pipeline for adjacency or patches: the device has no stage that takes them");
   return false;
}

/* ---- pre-rasterization ---- */

static void
fill_viewports(struct vk_graphics_state *state, const VkPipelineViewportStateCreateInfo *viewport)
{
   struct vk_pre_raster *to = &state->pre_raster;
   bool viewports = !vk_is_dynamic(state, VK_DYNAMIC_VIEWPORT), scissors = !vk_is_dynamic(state, VK_DYNAMIC_SCISSOR);
   to->num_viewports = viewports ? MIN2(viewport->viewportCount, PIPE_MAX_VIEWPORTS) : 0;
   to->num_scissors = scissors ? MIN2(viewport->scissorCount, PIPE_MAX_VIEWPORTS) : 0;
   for (uint32_t i = 0; i < to->num_viewports; i++) {
      const VkViewport *from = &viewport->pViewports[i];
      to->viewports[i] =
         (struct pipe_viewport){from->x, from->y, from->width, from->height, from->minDepth, from->maxDepth};
   }
   for (uint32_t i = 0; i < to->num_scissors; i++) {
      const VkRect2D *from = &viewport->pScissors[i];
      to->scissors[i] =
         (struct pipe_scissor){from->offset.x, from->offset.y, from->extent.width, from->extent.height};
   }
}

/* What is dynamic may be anything. */
static void
fill_rasterizer(struct vk_graphics_state *state, const VkPipelineRasterizationStateCreateInfo *from)
{
   struct vk_pre_raster *to = &state->pre_raster;
   const VkPipelineRasterizationStateRasterizationOrderAMD *order =
      vk_find_struct(from->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD);
   to->rasterizer = (struct pipe_rasterizer_desc){
      .depth_clamp = from->depthClampEnable,
      .depth_clip = !from->depthClampEnable,
      .discard = from->rasterizerDiscardEnable && !vk_is_dynamic(state, VK_DYNAMIC_DISCARD),
      .depth_bias = from->depthBiasEnable,
      .front_ccw = from->frontFace == VK_FRONT_FACE_COUNTER_CLOCKWISE,
      .cull = (uint8_t)(from->cullMode & VK_CULL_MODE_FRONT_AND_BACK),
      .polygon_mode = vk_is_dynamic(state, VK_DYNAMIC_POLYGON_MODE) ? PIPE_POLYGON_FILL
                                                                    : (enum pipe_polygon_mode)from->polygonMode,
      .relaxed_order = order && order->rasterizationOrder == VK_RASTERIZATION_ORDER_RELAXED_AMD,
   };
   to->depth_bias[0] = from->depthBiasConstantFactor;
   to->depth_bias[1] = from->depthBiasClamp;
   to->depth_bias[2] = from->depthBiasSlopeFactor;
   to->line_width = from->lineWidth;
}

static void
fill_pre_raster(struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   struct vk_pre_raster *to = &state->pre_raster;
   if (info->pRasterizationState)
      fill_rasterizer(state, info->pRasterizationState);
   if (!to->rasterizer.discard && info->pViewportState)
      fill_viewports(state, info->pViewportState);
}

/* ---- fragment tests ---- */

static struct pipe_stencil_face
stencil_face(const VkStencilOpState *from)
{
   return (struct pipe_stencil_face){
      .fail = (enum pipe_stencil_op)from->failOp,
      .depth_fail = (enum pipe_stencil_op)from->depthFailOp,
      .pass = (enum pipe_stencil_op)from->passOp,
      .compare = (enum pipe_compare)from->compareOp,
   };
}

static void
fill_tests(struct vk_fragment_tests *to, const VkPipelineDepthStencilStateCreateInfo *from)
{
   to->desc = (struct pipe_depth_stencil_desc){
      .depth_test = from->depthTestEnable,
      .depth_write = from->depthWriteEnable,
      .depth_compare = (enum pipe_compare)from->depthCompareOp,
      .depth_bounds_test = from->depthBoundsTestEnable,
      .stencil_test = from->stencilTestEnable,
      .front = stencil_face(&from->front),
      .back = stencil_face(&from->back),
   };
   const VkStencilOpState *faces[2] = {&from->front, &from->back};
   for (unsigned i = 0; i < 2; i++) {
      to->stencil_compare_mask[i] = (uint8_t)faces[i]->compareMask;
      to->stencil_write_mask[i] = (uint8_t)faces[i]->writeMask;
      to->stencil_reference[i] = (uint8_t)faces[i]->reference;
   }
   to->depth_bounds[0] = from->minDepthBounds;
   to->depth_bounds[1] = from->maxDepthBounds;
}

/* ---- fragment output ---- */

struct pipe_blend_target
vk_blend_target(const VkPipelineColorBlendAttachmentState *from)
{
   return (struct pipe_blend_target){
      .enable = from->blendEnable,
      .src_rgb = (enum pipe_blend_factor)from->srcColorBlendFactor,
      .dst_rgb = (enum pipe_blend_factor)from->dstColorBlendFactor,
      .src_alpha = (enum pipe_blend_factor)from->srcAlphaBlendFactor,
      .dst_alpha = (enum pipe_blend_factor)from->dstAlphaBlendFactor,
      .op_rgb = (enum pipe_blend_op)from->colorBlendOp,
      .op_alpha = (enum pipe_blend_op)from->alphaBlendOp,
      .write_mask = (uint8_t)from->colorWriteMask,
   };
}

/* Targets may be left out where all that is said of them is dynamic; what is, is no blending here. */
static void
fill_blend(struct vk_graphics_state *state, const VkPipelineColorBlendStateCreateInfo *from)
{
   struct vk_fragment_output *output = &state->output;
   struct pipe_blend_desc *to = &output->blend;
   const bool left_out = (state->dynamic & VK_DYNAMIC_BLEND_TARGETS) == VK_DYNAMIC_BLEND_TARGETS;
   to->logic_op_enable = from->logicOpEnable && !vk_is_dynamic(state, VK_DYNAMIC_LOGIC_OP_ENABLE);
   to->logic_op = vk_is_dynamic(state, VK_DYNAMIC_LOGIC_OP) ? PIPE_LOGIC_COPY : (enum pipe_logic_op)from->logicOp;
   for (uint32_t i = 0; !left_out && i < MIN2(from->attachmentCount, PIPE_MAX_COLOR_TARGETS); i++) {
      const VkPipelineColorBlendAttachmentState *target = &from->pAttachments[i];
      if (!vk_is_dynamic(state, VK_DYNAMIC_BLEND_EQUATION))
         to->targets[i] = vk_blend_target(target);
      to->targets[i].enable = target->blendEnable && !vk_is_dynamic(state, VK_DYNAMIC_BLEND_ENABLE);
      to->targets[i].write_mask = vk_is_dynamic(state, VK_DYNAMIC_WRITE_MASK) ? 0xf : (uint8_t)target->colorWriteMask;
   }
   memcpy(output->blend_constants, from->blendConstants, sizeof(output->blend_constants));
}

static void
fill_multisample(struct vk_graphics_state *state, const VkPipelineMultisampleStateCreateInfo *from)
{
   struct vk_fragment_output *output = &state->output;
   if (!vk_is_dynamic(state, VK_DYNAMIC_SAMPLES))
      output->samples = (uint8_t)from->rasterizationSamples;
   if (from->pSampleMask && !vk_is_dynamic(state, VK_DYNAMIC_SAMPLE_MASK))
      output->sample_mask = *from->pSampleMask;
   output->pixel_rate = from->sampleShadingEnable;
   output->min_sample_shading = from->minSampleShading;
   output->blend.alpha_to_coverage =
      from->alphaToCoverageEnable && !vk_is_dynamic(state, VK_DYNAMIC_ALPHA_TO_COVERAGE);
   output->blend.alpha_to_one = from->alphaToOneEnable && !vk_is_dynamic(state, VK_DYNAMIC_ALPHA_TO_ONE);
}

/* Of a fragment part without output. */
static bool
shades_samples(const VkPipelineMultisampleStateCreateInfo *from)
{
   return from->sampleShadingEnable && from->minSampleShading * (float)from->rasterizationSamples > 1;
}

static void
fill_output(struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   struct vk_fragment_output *output = &state->output;
   const struct vk_render_pass *pass = (const struct vk_render_pass *)info->renderPass;
   output->samples = 1;
   output->sample_mask = UINT32_MAX;
   if (pass)
      targets_of_subpass(output, pass, &pass->subpasses[info->subpass]);
   else
      targets_of_rendering(output, vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO));
   memcpy(output->blend.formats, output->color_formats, sizeof(output->blend.formats));
   if (state->pre_raster.rasterizer.discard)
      return;
   if (info->pMultisampleState)
      fill_multisample(state, info->pMultisampleState);
   if (output->num_colors && info->pColorBlendState)
      fill_blend(state, info->pColorBlendState);
}

/* ---- all of them ---- */

/* Where dynamic states belong; others are passed over, as Vulkan says. */
static const struct {
   VkDynamicState state;
   enum vk_dynamic dynamic;
   VkGraphicsPipelineLibraryFlagsEXT parts;
} dynamic_states[] = {
   {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_VIEWPORT, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_VIEWPORT, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_SCISSOR, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, VK_DYNAMIC_SCISSOR, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_LINE_WIDTH, VK_DYNAMIC_LINE_WIDTH, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_DEPTH_BIAS, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_CULL_MODE, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_FRONT_FACE, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_DISCARD, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_DEPTH_BIAS_ENABLE, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_TOPOLOGY, VK_PART_VERTEX_INPUT},
   {VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, VK_DYNAMIC_RESTART, VK_PART_VERTEX_INPUT},
   {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, VK_DYNAMIC_STRIDES, VK_PART_VERTEX_INPUT},
   {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, VK_DYNAMIC_VERTEX_INPUT, VK_PART_VERTEX_INPUT},
   {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, VK_DYNAMIC_DEPTH_CLAMP, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_POLYGON_MODE, VK_PART_PRE_RASTER},
   {VK_DYNAMIC_STATE_BLEND_CONSTANTS, VK_DYNAMIC_BLEND_CONSTANTS, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_LOGIC_OP_EXT, VK_DYNAMIC_LOGIC_OP, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_LOGIC_OP_ENABLE, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_BLEND_ENABLE, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_BLEND_EQUATION, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_WRITE_MASK, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_SAMPLES, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, VK_DYNAMIC_SAMPLE_MASK, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, VK_DYNAMIC_ALPHA_TO_COVERAGE, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, VK_DYNAMIC_ALPHA_TO_ONE, VK_PART_OUTPUT},
   {VK_DYNAMIC_STATE_DEPTH_BOUNDS, VK_DYNAMIC_DEPTH_BOUNDS, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, VK_DYNAMIC_STENCIL_COMPARE_MASK, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, VK_DYNAMIC_STENCIL_WRITE_MASK, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_STENCIL_REFERENCE, VK_DYNAMIC_STENCIL_REFERENCE, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_DEPTH_TEST, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_DEPTH_WRITE, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_DEPTH_COMPARE, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, VK_DYNAMIC_DEPTH_BOUNDS_TEST, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STENCIL_TEST, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STENCIL_OP, VK_PART_FRAGMENT},
   {VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR, VK_DYNAMIC_SHADING_RATE, VK_PART_PRE_RASTER | VK_PART_FRAGMENT},
};

static void
fill_dynamic(struct vk_graphics_state *state, const VkPipelineDynamicStateCreateInfo *dynamic)
{
   for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++) {
      for (unsigned j = 0; j < ARRAY_SIZE(dynamic_states); j++) {
         if (dynamic_states[j].state == dynamic->pDynamicStates[i] && dynamic_states[j].parts & state->parts)
            state->dynamic |= UINT64_C(1) << dynamic_states[j].dynamic;
      }
   }
}

/* What more than one part may say. */
static void
fill_shared(struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   const VkPipelineFragmentShadingRateStateCreateInfoKHR *rate =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR);
   const VkPipelineRenderingCreateInfo *rendering =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
   const struct vk_render_pass *pass = (const struct vk_render_pass *)info->renderPass;
   state->shading_rate_attachment =
      info->flags & VK_PIPELINE_CREATE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
   if (info->flags & VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT)
      state->device_index_views = state->parts & (VK_PART_PRE_RASTER | VK_PART_FRAGMENT);
   if (pass) {
      const struct vk_subpass *subpass = &pass->subpasses[info->subpass];
      state->view_mask = subpass->view_mask;
      state->shading_rate_attachment |= subpass->shading_rate.attachment != VK_ATTACHMENT_UNUSED;
   } else if (rendering) {
      state->view_mask = rendering->viewMask;
   }
   if (rate)
      state->shading_rate = vk_shading_rate(&rate->fragmentSize, rate->combinerOps);
}

/* Targets may be unknown here, and are if another part has them: then they count later. */
static bool
may_test(const struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   struct vk_fragment_output targets = {0};
   const struct vk_render_pass *pass = (const struct vk_render_pass *)info->renderPass;
   if (state->pre_raster.rasterizer.discard || !info->pDepthStencilState)
      return false;
   if (!pass && !(state->parts & VK_PART_OUTPUT))
      return true;
   if (pass)
      targets_of_subpass(&targets, pass, &pass->subpasses[info->subpass]);
   else
      targets = state->output;
   return targets.depth_format || targets.stencil_format;
}

bool
vk_graphics_state_fill(struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info,
                       VkGraphicsPipelineLibraryFlagsEXT parts)
{
   state->parts = parts;
   fill_dynamic(state, info->pDynamicState);
   if (parts & VK_PART_VERTEX_INPUT && !fill_vertex_input(state, info))
      return false;
   if (parts & VK_PART_PRE_RASTER)
      fill_pre_raster(state, info);
   if (parts & VK_PART_OUTPUT)
      fill_output(state, info);
   else if (parts & VK_PART_FRAGMENT && info->pMultisampleState)
      state->fragment_per_sample = shades_samples(info->pMultisampleState);
   if (parts & VK_PART_FRAGMENT && may_test(state, info))
      fill_tests(&state->tests, info->pDepthStencilState);
   if (parts & ~VK_PART_VERTEX_INPUT)
      fill_shared(state, info);
   return true;
}

void
vk_graphics_state_add(struct vk_graphics_state *state, const struct vk_graphics_state *library)
{
   state->parts |= library->parts;
   state->dynamic |= library->dynamic;
   state->shading_rate_attachment |= library->shading_rate_attachment;
   state->view_mask |= library->view_mask;
   state->device_index_views |= library->device_index_views;
   if (library->parts & VK_PART_VERTEX_INPUT)
      state->vertex_input = library->vertex_input;
   if (library->parts & VK_PART_PRE_RASTER)
      state->pre_raster = library->pre_raster;
   if (library->parts & (VK_PART_PRE_RASTER | VK_PART_FRAGMENT))
      state->shading_rate = library->shading_rate;
   if (library->parts & VK_PART_FRAGMENT) {
      state->tests = library->tests;
      state->fragment_per_sample = library->fragment_per_sample;
   }
   if (library->parts & VK_PART_OUTPUT)
      state->output = library->output;
}

/* Without fragments only the targets are there. */
static void
drop_fragments(struct vk_graphics_state *state)
{
   struct vk_fragment_output *output = &state->output;
   state->tests = (struct vk_fragment_tests){0};
   output->samples = 1;
   output->sample_mask = UINT32_MAX;
   output->pixel_rate = output->sample_shading = false;
   output->blend = (struct pipe_blend_desc){0};
   memcpy(output->blend.formats, output->color_formats, sizeof(output->blend.formats));
}

void
vk_graphics_state_complete_tests(struct pipe_depth_stencil_desc *tests, const struct vk_fragment_output *output)
{
   tests->depth_test &= output->depth_format != 0;
   tests->depth_write &= tests->depth_test;
   tests->depth_bounds_test &= output->depth_format != 0;
   tests->stencil_test &= output->stencil_format != 0;
}

void
vk_graphics_state_complete(struct vk_graphics_state *state)
{
   struct vk_fragment_output *output = &state->output;
   struct pipe_rasterizer_desc *rasterizer = &state->pre_raster.rasterizer;
   if (rasterizer->discard || !(state->parts & VK_PART_OUTPUT))
      drop_fragments(state);
   if (!(state->dynamic & VK_DYNAMIC_DEPTH_STENCIL))
      vk_graphics_state_complete_tests(&state->tests.desc, output);
   output->sample_shading = vk_shades_samples(output, output->samples);
   rasterizer->samples = output->samples;
   rasterizer->sample_shading = output->sample_shading;
   rasterizer->sample_mask = output->sample_mask;
}

/* ---- programs ---- */

static bool
is_source_alpha(enum pipe_blend_factor factor)
{
   return factor == PIPE_FACTOR_SRC_ALPHA || factor == PIPE_FACTOR_ONE_MINUS_SRC_ALPHA ||
          factor == PIPE_FACTOR_SRC_ALPHA_SATURATE || factor == PIPE_FACTOR_SRC1_ALPHA ||
          factor == PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

void
vk_graphics_state_options(const struct vk_graphics_state *state, struct pipe_graphics_options *options)
{
   const struct vk_fragment_output *output = &state->output;
   const struct pipe_depth_stencil_desc *tests = &state->tests.desc;
   options->attributes = state->vertex_input.attributes;
   options->num_attributes = state->vertex_input.num_attributes;
   options->topology = state->vertex_input.topology;
   options->num_colors = output->num_colors;
   for (uint32_t i = 0; i < output->num_colors; i++) {
      const struct pipe_blend_target *target = &output->blend.targets[i];
      options->color_formats[i] = output->color_formats[i];
      if (!options->color_formats[i])
         continue;
      options->color_write_mask[i] = target->write_mask;
      options->reads_color_target |= output->reads_color && target->write_mask;
      if (target->enable && (is_source_alpha(target->src_rgb) || is_source_alpha(target->dst_rgb)))
         options->blend_reads_alpha |= (uint8_t)(1u << i);
   }
   options->depth_format = output->depth_format;
   options->stencil_format = output->stencil_format;
   options->samples = output->samples;
   options->sample_mask = output->sample_mask;
   options->pixel_rate = output->pixel_rate;
   options->sample_shading = state->parts & VK_PART_OUTPUT ? output->sample_shading : state->fragment_per_sample;
   options->alpha_to_coverage = output->blend.alpha_to_coverage;
   options->alpha_to_one = output->blend.alpha_to_one;
   options->blend = &output->blend;
   options->shading_rate_attachment = state->shading_rate_attachment;
   options->reads_depth_target = output->reads_depth_stencil && (state->dynamic & VK_DYNAMIC_DEPTH_STENCIL ||
                                                                 tests->depth_write || tests->stencil_test);
}

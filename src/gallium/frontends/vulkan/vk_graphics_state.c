#include "gallium/frontends/vulkan/vk_graphics_states.h"

#include <float.h>

#include "gallium/frontends/vulkan/vk_pipeline.h"
#include "util/log.h"
#include "util/macros.h"

/* ---- targets: of the subpass or of dynamic rendering ---- */

static uint32_t
attachment_format(const struct vk_render_pass *pass, struct vk_attachment_ref ref)
{
   return ref.attachment == VK_ATTACHMENT_UNUSED ? 0 : pass->attachments[ref.attachment].format;
}

static struct pipe_targets
targets_of_subpass(const struct vk_render_pass *pass, const struct vk_subpass *subpass)
{
   uint32_t depth_stencil = attachment_format(pass, subpass->depth_stencil);
   uint32_t aspects = depth_stencil ? vk_format_aspects(depth_stencil) : 0;
   struct pipe_targets targets = {
      .num_colors = subpass->num_colors,
      .depth_format = aspects & PIPE_ASPECT_DEPTH ? depth_stencil : 0,
      .stencil_format = aspects & PIPE_ASPECT_STENCIL ? depth_stencil : 0,
   };
   for (uint32_t i = 0; i < subpass->num_colors; i++)
      targets.color_formats[i] = attachment_format(pass, subpass->colors[i]);
   return targets;
}

/* NULL: without attachments. */
static struct pipe_targets
targets_of_rendering(const VkPipelineRenderingCreateInfo *info)
{
   struct pipe_targets targets = {0};
   if (!info)
      return targets;
   targets.num_colors = info->colorAttachmentCount;
   targets.depth_format = info->depthAttachmentFormat;
   targets.stencil_format = info->stencilAttachmentFormat;
   for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
      targets.color_formats[i] = vk_stored_format(info->pColorAttachmentFormats[i]);
   return targets;
}

/* Of a pipeline behind vkCmdBeginCustomResolveEXT. */
static struct pipe_targets
targets_of_resolve(const VkCustomResolveCreateInfoEXT *info)
{
   return targets_of_rendering(
      &(VkPipelineRenderingCreateInfo){.colorAttachmentCount = info->colorAttachmentCount,
                                       .pColorAttachmentFormats = info->pColorAttachmentFormats,
                                       .depthAttachmentFormat = info->depthAttachmentFormat,
                                       .stencilAttachmentFormat = info->stencilAttachmentFormat});
}

static struct pipe_targets
targets_of(const VkGraphicsPipelineCreateInfo *info)
{
   const VkCustomResolveCreateInfoEXT *resolve =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT);
   if (!info->renderPass && resolve && resolve->customResolve)
      return targets_of_resolve(resolve);
   const struct vk_render_pass *pass = (const struct vk_render_pass *)info->renderPass;
   return pass ? targets_of_subpass(pass, &pass->subpasses[info->subpass])
               : targets_of_rendering(vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO));
}

/* ---- values ---- */

void
vk_fill_strides(struct pipe_graphics_state *state, const VkPipelineVertexInputStateCreateInfo *vertices)
{
   for (uint32_t i = 0; i < vertices->vertexBindingDescriptionCount; i++)
      state->vertex_strides_B[vertices->pVertexBindingDescriptions[i].binding] =
         vertices->pVertexBindingDescriptions[i].stride;
}

void
vk_fill_attributes(struct pipe_graphics_state *state, const VkPipelineVertexInputStateCreateInfo *vertices)
{
   const VkPipelineVertexInputDivisorStateCreateInfoEXT *divisors =
      vk_find_struct(vertices->pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
   bool per_instance[PIPE_MAX_VERTEX_BUFFERS] = {0};
   uint32_t strides_B[PIPE_MAX_VERTEX_BUFFERS] = {0}, divisor[PIPE_MAX_VERTEX_BUFFERS];
   for (uint32_t i = 0; i < PIPE_MAX_VERTEX_BUFFERS; i++)
      divisor[i] = 1;
   for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; i++)
      divisor[divisors->pVertexBindingDivisors[i].binding] = divisors->pVertexBindingDivisors[i].divisor;
   for (uint32_t i = 0; i < vertices->vertexBindingDescriptionCount; i++) {
      const VkVertexInputBindingDescription *binding = &vertices->pVertexBindingDescriptions[i];
      per_instance[binding->binding] = binding->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
      strides_B[binding->binding] = binding->stride;
   }
   state->attributes.count = vertices->vertexAttributeDescriptionCount;
   for (uint32_t i = 0; i < vertices->vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription *from = &vertices->pVertexAttributeDescriptions[i];
      state->attributes.of[i] = (struct pipe_vertex_attribute){
         .format = vk_stored_format(from->format),
         .offset_B = from->offset,
         .location = (uint8_t)from->location,
         .binding = (uint8_t)from->binding,
         .per_instance = per_instance[from->binding],
         .divisor = divisor[from->binding],
         .stride_B = strides_B[from->binding],
      };
   }
}

void
vk_fill_viewports(struct pipe_graphics_state *state, const VkPipelineViewportStateCreateInfo *viewport)
{
   _Static_assert(sizeof(VkViewport) == sizeof(struct pipe_viewport), "same six floats in the same order");
   state->viewports.count = MIN2(viewport->viewportCount, PIPE_MAX_VIEWPORTS);
   memcpy(state->viewports.of, viewport->pViewports, state->viewports.count * sizeof(state->viewports.of[0]));
}

void
vk_fill_scissors(struct pipe_graphics_state *state, const VkPipelineViewportStateCreateInfo *viewport)
{
   _Static_assert(sizeof(VkRect2D) == sizeof(struct pipe_scissor), "same four words in the same order");
   state->scissors.count = MIN2(viewport->scissorCount, PIPE_MAX_VIEWPORTS);
   memcpy(state->scissors.of, viewport->pScissors, state->scissors.count * sizeof(state->scissors.of[0]));
}

void
vk_fill_discard_rectangles(struct pipe_graphics_state *state,
                           const VkPipelineDiscardRectangleStateCreateInfoEXT *discard)
{
   state->discard_rectangles.count = MIN2(discard->discardRectangleCount, PIPE_MAX_DISCARD_RECTANGLES);
   memcpy(state->discard_rectangles.of, discard->pDiscardRectangles,
          state->discard_rectangles.count * sizeof(state->discard_rectangles.of[0]));
}

struct pipe_blend_equation
vk_advanced_equation(const VkColorBlendAdvancedEXT *from)
{
   struct pipe_blend_equation equation;
   memset(&equation, 0, sizeof(equation));
   equation.advanced = (uint32_t)(from->advancedBlendOp - VK_BLEND_OP_ZERO_EXT) + PIPE_ADVANCED_ZERO;
   equation.op_rgb = (from->srcPremultiplied ? 0 : PIPE_STRAIGHT_SRC) |
                     (from->dstPremultiplied ? 0 : PIPE_STRAIGHT_DST) |
                     (from->clampResults ? PIPE_CLAMPED_RESULTS : 0);
   equation.op_alpha = (uint32_t)from->blendOverlap;
   return equation;
}

/* chain: of the state of blending. */
static struct pipe_blend_equation
advanced_equation(VkBlendOp op, const void *chain)
{
   const VkPipelineColorBlendAdvancedStateCreateInfoEXT *info =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_ADVANCED_STATE_CREATE_INFO_EXT);
   return vk_advanced_equation(&(VkColorBlendAdvancedEXT){
      .advancedBlendOp = op,
      .srcPremultiplied = !info || info->srcPremultiplied,
      .dstPremultiplied = !info || info->dstPremultiplied,
      .blendOverlap = info ? info->blendOverlap : VK_BLEND_OVERLAP_UNCORRELATED_EXT,
   });
}

_Static_assert((int)VK_BLEND_OVERLAP_CONJOINT_EXT == PIPE_OVERLAP_CONJOINT &&
                  VK_BLEND_OP_BLUE_EXT - VK_BLEND_OP_ZERO_EXT == PIPE_ADVANCED_BLUE - PIPE_ADVANCED_ZERO,
               "the order is Vulkan's");

void
vk_fill_equations(struct pipe_graphics_state *state, const VkPipelineColorBlendStateCreateInfo *blend)
{
   for (uint32_t i = 0; i < MIN2(blend->attachmentCount, PIPE_MAX_COLOR_TARGETS); i++) {
      const VkPipelineColorBlendAttachmentState *from = &blend->pAttachments[i];
      if (from->colorBlendOp >= VK_BLEND_OP_ZERO_EXT) {
         state->blend[i] = advanced_equation(from->colorBlendOp, blend->pNext);
         continue;
      }
      state->blend[i] = vk_blend_equation(
         &(VkColorBlendEquationEXT){from->srcColorBlendFactor, from->dstColorBlendFactor, from->colorBlendOp,
                                    from->srcAlphaBlendFactor, from->dstAlphaBlendFactor, from->alphaBlendOp});
   }
}

uint8_t
vk_blend_enables(const VkPipelineColorBlendStateCreateInfo *blend)
{
   uint32_t enables = 0;
   for (uint32_t i = 0; i < MIN2(blend->attachmentCount, PIPE_MAX_COLOR_TARGETS); i++)
      enables |= (blend->pAttachments[i].blendEnable ? 1u : 0) << i;
   return (uint8_t)enables;
}

uint32_t
vk_color_write_masks(const VkPipelineColorBlendStateCreateInfo *blend)
{
   uint32_t masks = 0;
   for (uint32_t i = 0; i < MIN2(blend->attachmentCount, PIPE_MAX_COLOR_TARGETS); i++)
      masks |= (blend->pAttachments[i].colorWriteMask & 0xf) << (4 * i);
   return masks;
}

uint8_t
vk_color_write_off(const VkPipelineColorBlendStateCreateInfo *blend)
{
   const VkPipelineColorWriteCreateInfoEXT *writes =
      vk_find_struct(blend->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
   uint32_t off = 0;
   for (uint32_t i = 0; writes && i < MIN2(writes->attachmentCount, PIPE_MAX_COLOR_TARGETS); i++)
      off |= (writes->pColorWriteEnables[i] ? 0u : 1u) << i;
   return (uint8_t)off;
}

struct pipe_stencil_face
vk_stencil_face(const VkStencilOpState *from)
{
   return (struct pipe_stencil_face){
      .fail = (enum pipe_stencil_op)from->failOp,
      .depth_fail = (enum pipe_stencil_op)from->depthFailOp,
      .pass = (enum pipe_stencil_op)from->passOp,
      .compare = (enum pipe_compare)from->compareOp,
   };
}

/* Shading by samples that is asked for at no rate still makes fragments pixels at most. */
float
vk_sample_shading(const VkPipelineMultisampleStateCreateInfo *multisample)
{
   return multisample->sampleShadingEnable ? MAX2(multisample->minSampleShading, FLT_MIN) : 0;
}

bool
vk_depth_from_minus_one(const VkPipelineViewportStateCreateInfo *viewport)
{
   const VkPipelineViewportDepthClipControlCreateInfoEXT *control =
      vk_find_struct(viewport->pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
   return control && control->negativeOneToOne;
}

struct pipe_depth_clamp_range
vk_depth_clamp_range(VkDepthClampModeEXT mode, const VkDepthClampRangeEXT *range)
{
   if (mode != VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT)
      return (struct pipe_depth_clamp_range){0};
   return (struct pipe_depth_clamp_range){true, range->minDepthClamp, range->maxDepthClamp};
}

struct pipe_depth_clamp_range
vk_depth_clamp_range_of(const VkPipelineViewportStateCreateInfo *viewport)
{
   const VkPipelineViewportDepthClampControlCreateInfoEXT *control =
      vk_find_struct(viewport->pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT);
   if (!control)
      return (struct pipe_depth_clamp_range){0};
   return vk_depth_clamp_range(control->depthClampMode, control->pDepthClampRange);
}

enum pipe_bias_unit
vk_bias_unit(const void *chain)
{
   const VkDepthBiasRepresentationInfoEXT *info =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT);
   return info ? (enum pipe_bias_unit)info->depthBiasRepresentation : PIPE_BIAS_UNIT_FORMAT;
}

struct pipe_depth_bias
vk_depth_bias_of(const VkPipelineRasterizationStateCreateInfo *raster)
{
   return (struct pipe_depth_bias){raster->depthBiasConstantFactor, raster->depthBiasClamp,
                                   raster->depthBiasSlopeFactor, vk_bias_unit(raster->pNext)};
}

static const VkPipelineRasterizationLineStateCreateInfo *
line_state(const VkPipelineRasterizationStateCreateInfo *raster)
{
   return vk_find_struct(raster->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO);
}

enum pipe_line_mode
vk_line_mode(const VkPipelineRasterizationStateCreateInfo *raster)
{
   const VkPipelineRasterizationLineStateCreateInfo *line = line_state(raster);
   return line ? (enum pipe_line_mode)line->lineRasterizationMode : PIPE_LINE_DEFAULT;
}

bool
vk_line_is_stippled(const VkPipelineRasterizationStateCreateInfo *raster)
{
   const VkPipelineRasterizationLineStateCreateInfo *line = line_state(raster);
   return line && line->stippledLineEnable;
}

struct pipe_line_stipple
vk_line_stipple(const VkPipelineRasterizationStateCreateInfo *raster)
{
   const VkPipelineRasterizationLineStateCreateInfo *line = line_state(raster);
   if (!line)
      return (struct pipe_line_stipple){0};
   return (struct pipe_line_stipple){line->lineStippleFactor, line->lineStipplePattern};
}

bool
vk_provoking_last(const VkPipelineRasterizationStateCreateInfo *raster)
{
   const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking =
      vk_find_struct(raster->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
   return provoking && provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
}

enum pipe_depth_clip
vk_depth_clip(const VkPipelineRasterizationStateCreateInfo *raster)
{
   const VkPipelineRasterizationDepthClipStateCreateInfoEXT *clip =
      vk_find_struct(raster->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
   if (!clip)
      return PIPE_DEPTH_CLIP_UNLESS_CLAMPED;
   return clip->depthClipEnable ? PIPE_DEPTH_CLIP_ON : PIPE_DEPTH_CLIP_OFF;
}

bool
vk_has_relaxed_order(const VkPipelineRasterizationStateCreateInfo *raster)
{
   const VkPipelineRasterizationStateRasterizationOrderAMD *order =
      vk_find_struct(raster->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD);
   return order && order->rasterizationOrder == VK_RASTERIZATION_ORDER_RELAXED_AMD;
}

enum pipe_conservative
vk_conservative(const VkPipelineRasterizationStateCreateInfo *raster)
{
   const VkPipelineRasterizationConservativeStateCreateInfoEXT *conservative =
      vk_find_struct(raster->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT);
   return conservative ? (enum pipe_conservative)conservative->conservativeRasterizationMode : PIPE_CONSERVATIVE_OFF;
}

/* ---- all of them ---- */

static const uint64_t of_sample_shading = PIPE_BIT(SAMPLES) | PIPE_BIT(SAMPLE_SHADING);

/* A fragment part without output describes how often its shader runs. */
static uint64_t
states_of(VkGraphicsPipelineLibraryFlagsEXT parts)
{
   return vk_states_of_parts(parts) | (parts & VK_PART_FRAGMENT ? of_sample_shading : 0);
}

/* Those of other parts are passed over, as Vulkan says. */
static void
fill_dynamic(struct vk_graphics_state *state, const VkPipelineDynamicStateCreateInfo *dynamic)
{
   for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++)
      state->dynamic |= vk_states_of_dynamic(dynamic->pDynamicStates[i]);
   state->dynamic &= vk_states_of_parts(state->parts);
}

uint32_t
vk_color_targets(const VkRenderingAttachmentLocationInfo *info)
{
   uint32_t targets = UINT32_MAX, own = UINT32_MAX;
   if (!info || !info->pColorAttachmentLocations)
      return 0;
   for (uint32_t i = 0; i < MIN2(info->colorAttachmentCount, PIPE_MAX_COLOR_TARGETS); i++) {
      const uint32_t location = info->pColorAttachmentLocations[i];
      own &= ~(15u << (4 * i)) | i << (4 * i);
      if (location < PIPE_MAX_COLOR_TARGETS)
         targets &= ~(15u << (4 * location)) | i << (4 * location);
   }
   return targets == own ? 0 : targets;
}

/* What more than one part may say. */
static void
fill_shared(struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   const VkPipelineRenderingCreateInfo *rendering =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
   const struct vk_render_pass *pass = (const struct vk_render_pass *)info->renderPass;
   const VkPipelineCreateFlags2 flags = vk_pipeline_flags(info->flags, info->pNext);
   state->shading_rate_attachment = flags & VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
   if (flags & VK_PIPELINE_CREATE_2_VIEW_INDEX_FROM_DEVICE_INDEX_BIT)
      state->device_index_views = state->parts & (VK_PART_PRE_RASTER | VK_PART_FRAGMENT);
   if (pass) {
      const struct vk_subpass *subpass = &pass->subpasses[info->subpass];
      state->view_mask = subpass->view_mask;
      state->reads_color = state->parts & VK_PART_OUTPUT && subpass->reads_color;
      state->reads_depth_stencil = state->parts & VK_PART_OUTPUT && subpass->reads_depth_stencil;
      state->shading_rate_attachment |= subpass->shading_rate.attachment != VK_ATTACHMENT_UNUSED;
   } else {
      state->view_mask = rendering ? rendering->viewMask : 0;
      state->without_pass = state->parts & VK_PART_OUTPUT;
   }
   if (!(state->dynamic & PIPE_BIT(FEEDBACK))) {
      state->reads_color |= (flags & VK_PIPELINE_CREATE_2_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT) != 0;
      state->reads_depth_stencil |=
         (flags & VK_PIPELINE_CREATE_2_DEPTH_STENCIL_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT) != 0;
   }
   if (state->parts & VK_PART_OUTPUT)
      state->color_targets =
         vk_color_targets(vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO));
}

/* Targets may be unknown here, and are if another part has them: then they count later. */
static bool
may_test(const struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   if (!info->renderPass && !(state->parts & VK_PART_OUTPUT))
      return true;
   const struct pipe_targets targets = targets_of(info);
   return targets.depth_format || targets.stencil_format;
}

/* False also where all colour references of a subpass are unused. */
static bool
has_colors(const struct pipe_targets *targets)
{
   for (uint32_t i = 0; i < targets->num_colors; i++) {
      if (targets->color_formats[i])
         return true;
   }
   return false;
}

/* With some stages other structures count. */
static bool
has_stages(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlags stages)
{
   for (uint32_t i = 0; i < info->stageCount; i++) {
      if (info->pStages[i].stage & stages)
         return true;
   }
   return false;
}

/* Those that rasterizer discard and absent targets let the application leave out are NULL. */
static struct vk_graphics_infos
infos_of(const struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   const bool meshes = has_stages(info, VK_SHADER_STAGE_MESH_BIT_EXT);
   struct vk_graphics_infos infos = {
      .vertices = meshes ? NULL : info->pVertexInputState,
      .input = meshes ? NULL : info->pInputAssemblyState,
      .raster = state->parts & VK_PART_PRE_RASTER ? info->pRasterizationState : NULL,
      .rate = vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR),
   };
   if (infos.raster)
      infos.stream =
         vk_find_struct(infos.raster->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
   if (state->parts & VK_PART_PRE_RASTER && has_stages(info, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT))
      infos.tessellation = info->pTessellationState;
   if (infos.raster && infos.raster->rasterizerDiscardEnable && !(state->dynamic & PIPE_BIT(DISCARD)))
      return infos;
   if (state->parts & VK_PART_PRE_RASTER)
      infos.discard = vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT);
   infos.viewport = info->pViewportState;
   infos.multisample = info->pMultisampleState;
   if (may_test(state, info))
      infos.tests = info->pDepthStencilState;
   const struct pipe_targets targets = state->parts & VK_PART_OUTPUT ? targets_of(info) : (struct pipe_targets){0};
   if (has_colors(&targets))
      infos.blend = info->pColorBlendState;
   return infos;
}

/* What pipelines describe also without the structure. */
static const uint64_t by_default = PIPE_BIT(TARGETS) | PIPE_BIT(SHADING_RATE) | PIPE_BIT(DISCARD_RECTANGLES_USED);

/* Strides of attributes that count. */
static void
mark_dynamic_strides(struct vk_graphics_state *state)
{
   for (uint32_t i = 0; i < state->state.attributes.count; i++)
      state->state.attributes.of[i].dynamic_stride = state->dynamic & PIPE_BIT(VERTEX_STRIDES_B);
}

bool
vk_has_topology(uint32_t stages, VkPrimitiveTopology topology)
{
   return topology <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN ||
          (topology <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY && stages >> NIR_STAGE_GEOMETRY & 1) ||
          (topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST && stages >> NIR_STAGE_TESS_CTRL & 1);
}

bool
vk_graphics_state_fill(struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info,
                       VkGraphicsPipelineLibraryFlagsEXT parts, uint32_t stages)
{
   state->parts = parts;
   state->state = vk_default_states;
   fill_dynamic(state, info->pDynamicState);
   const struct vk_graphics_infos infos = infos_of(state, info);
   state->described = vk_fill_states(&state->state, states_of(parts) & ~(state->dynamic & ~vk_class_states), &infos) |
                      (states_of(parts) & by_default);
   mark_dynamic_strides(state);
   if (parts & VK_PART_OUTPUT)
      state->state.targets = targets_of(info);
   if (parts & ~VK_PART_VERTEX_INPUT)
      fill_shared(state, info);
   if (vk_has_topology(stages, (VkPrimitiveTopology)state->state.topology))
      return true;
   log_error("a graphics pipeline for adjacency or patches: the device has no stage that takes them");
   return false;
}

bool
vk_has_lower_left_domain(const VkPipelineTessellationStateCreateInfo *info)
{
   const VkPipelineTessellationDomainOriginStateCreateInfo *domain =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
   return domain && domain->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
}

void
vk_graphics_state_add(struct vk_graphics_state *state, const struct vk_graphics_state *library)
{
   const uint64_t has = state->parts & VK_PART_OUTPUT ? of_sample_shading : 0;
   state->parts |= library->parts;
   state->dynamic |= library->dynamic;
   state->described |= library->described;
   state->reads_color |= library->reads_color;
   state->reads_depth_stencil |= library->reads_depth_stencil;
   state->shading_rate_attachment |= library->shading_rate_attachment;
   state->without_pass |= library->without_pass;
   state->any_targets |= library->any_targets;
   state->color_targets |= library->color_targets; /* of one part */
   state->view_mask |= library->view_mask;
   state->device_index_views |= library->device_index_views;
   vk_copy_states(&state->state, &library->state, states_of(library->parts) & ~has);
}

void
vk_graphics_state_complete(struct vk_graphics_state *state)
{
   const bool discard = state->state.discard && !(state->dynamic & PIPE_BIT(DISCARD));
   if (!discard && state->parts & VK_PART_OUTPUT)
      return;
   /* Without fragments only the targets are there. */
   const uint64_t kept = PIPE_BIT(TARGETS) | vk_states_of_parts(VK_PART_VERTEX_INPUT | VK_PART_PRE_RASTER) |
                         (discard ? 0 : of_sample_shading);
   vk_copy_states(&state->state, &vk_default_states, PIPE_ALL_STATES & ~kept);
   state->state.color_write_mask = 0;
}

/* ---- programs ---- */

void
vk_graphics_state_options(const struct vk_graphics_state *state, struct pipe_graphics_options *options)
{
   const struct pipe_graphics_state *s = &state->state;
   options->state = s;
   options->shading_rate_attachment = state->shading_rate_attachment;
   for (uint32_t i = 0; i < s->targets.num_colors; i++)
      options->reads_color_target |= (state->reads_color || s->feedback & PIPE_ASPECT_COLOR) && pipe_color_mask(s, i);
   const bool tests_change =
      state->dynamic & (PIPE_BIT(DEPTH_TEST) | PIPE_BIT(DEPTH_WRITE) | PIPE_BIT(STENCIL_TEST)) ||
      (s->targets.depth_format && s->depth_test && s->depth_write) || (s->targets.stencil_format && s->stencil_test);
   options->reads_depth_target =
      (state->reads_depth_stencil || s->feedback & (PIPE_ASPECT_DEPTH | PIPE_ASPECT_STENCIL)) && tests_change;
}

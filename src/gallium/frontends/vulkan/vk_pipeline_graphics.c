/* Graphics pipelines: the parts of the description become the driver's state objects. */
#include "compiler/nir/nir_passes.h"
#include "gallium/frontends/vulkan/vk_pipeline.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* The description with everything that rasterizer discard or an absent attachment lets the application leave out. */
struct graphics_info {
   const VkGraphicsPipelineCreateInfo *api;
   const VkPipelineMultisampleStateCreateInfo *multisample;
   const VkPipelineColorBlendStateCreateInfo *blend;
   const VkPipelineDepthStencilStateCreateInfo *depth_stencil;
   const VkPipelineViewportStateCreateInfo *viewport;
   struct targets {
      uint32_t num_colors, view_mask;
      uint32_t color_formats[PIPE_MAX_COLOR_TARGETS], depth_format, stencil_format;
      bool reads_color, reads_depth_stencil, shading_rate;
   } targets; /* of the subpass or of dynamic rendering */
   enum pipe_topology topology;
   struct pipe_vertex_attribute attributes[PIPE_MAX_VERTEX_ATTRIBUTES];
   struct pipe_graphics_options options;
   struct pipe_blend_desc blend_desc;
};

static uint32_t
attachment_format(const struct vk_render_pass *pass, struct vk_attachment_ref ref)
{
   return ref.attachment == VK_ATTACHMENT_UNUSED ? 0 : pass->attachments[ref.attachment].format;
}

static struct targets
targets_of_subpass(const struct vk_render_pass *pass, const struct vk_subpass *subpass)
{
   uint32_t depth_stencil = attachment_format(pass, subpass->depth_stencil);
   uint32_t aspects = depth_stencil ? vk_format_aspects(depth_stencil) : 0;
   struct targets targets = {
      .num_colors = subpass->num_colors,
      .view_mask = subpass->view_mask,
      .reads_color = subpass->reads_color,
      .reads_depth_stencil = subpass->reads_depth_stencil,
      .shading_rate = subpass->shading_rate.attachment != VK_ATTACHMENT_UNUSED,
      .depth_format = aspects & PIPE_ASPECT_DEPTH ? depth_stencil : 0,
      .stencil_format = aspects & PIPE_ASPECT_STENCIL ? depth_stencil : 0,
   };
   for (uint32_t i = 0; i < subpass->num_colors; i++)
      targets.color_formats[i] = attachment_format(pass, subpass->colors[i]);
   return targets;
}

static struct targets
targets_of_rendering(const VkPipelineRenderingCreateInfo *info)
{
   struct targets targets = {0};
   if (!info)
      return targets; /* without attachments */
   targets.num_colors = info->colorAttachmentCount;
   targets.view_mask = info->viewMask;
   targets.depth_format = info->depthAttachmentFormat;
   targets.stencil_format = info->stencilAttachmentFormat;
   for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
      targets.color_formats[i] = info->pColorAttachmentFormats[i];
   return targets;
}

static void
fill_vertex_input(struct graphics_info *info, struct vk_pipeline *pipeline)
{
   const VkPipelineVertexInputStateCreateInfo *input = info->api->pVertexInputState;
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
      pipeline->strides_B[binding->binding] = binding->stride;
      pipeline->num_strides = MAX2(pipeline->num_strides, binding->binding + 1);
   }
   for (uint32_t i = 0; i < input->vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription *from = &input->pVertexAttributeDescriptions[i];
      info->attributes[i] = (struct pipe_vertex_attribute){
         .format = from->format,
         .offset_B = from->offset,
         .location = (uint8_t)from->location,
         .binding = (uint8_t)from->binding,
         .per_instance = per_instance[from->binding],
         .divisor = divisor[from->binding],
         .stride_B = pipeline->strides_B[from->binding],
      };
   }
   info->options.attributes = info->attributes;
   info->options.num_attributes = input->vertexAttributeDescriptionCount;
}

static bool
is_source_alpha(VkBlendFactor factor)
{
   return factor == VK_BLEND_FACTOR_SRC_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA ||
          factor == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE || factor == VK_BLEND_FACTOR_SRC1_ALPHA ||
          factor == VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

static bool
reads_source_alpha(const VkPipelineColorBlendAttachmentState *blend)
{
   return blend->blendEnable &&
          (is_source_alpha(blend->srcColorBlendFactor) || is_source_alpha(blend->dstColorBlendFactor));
}

static void
fill_options(struct graphics_info *info)
{
   struct pipe_graphics_options *options = &info->options;
   const struct targets *targets = &info->targets;
   options->layout = &((struct vk_pipeline_layout *)info->api->layout)->layout;
   options->num_colors = targets->num_colors;
   for (uint32_t i = 0; i < targets->num_colors; i++) {
      options->color_formats[i] = targets->color_formats[i];
      if (!options->color_formats[i] || !info->blend || i >= info->blend->attachmentCount)
         continue;
      options->color_write_mask[i] = (uint8_t)info->blend->pAttachments[i].colorWriteMask;
      options->reads_color_target |= targets->reads_color && options->color_write_mask[i];
      options->blend_reads_alpha |= (uint8_t)(reads_source_alpha(&info->blend->pAttachments[i]) << i);
   }
   options->depth_format = targets->depth_format;
   options->stencil_format = targets->stencil_format;
   options->sample_mask =
      info->multisample && info->multisample->pSampleMask ? *info->multisample->pSampleMask : UINT32_MAX;
   options->samples = info->multisample ? (uint8_t)info->multisample->rasterizationSamples : 1;
   if (info->multisample) {
      options->pixel_rate = info->multisample->sampleShadingEnable;
      options->sample_shading =
         info->multisample->sampleShadingEnable && info->multisample->minSampleShading * (float)options->samples > 1;
      options->alpha_to_coverage = info->multisample->alphaToCoverageEnable;
      options->alpha_to_one = info->multisample->alphaToOneEnable;
   }
   options->topology = info->topology;
   options->shading_rate_attachment =
      targets->shading_rate ||
      info->api->flags & VK_PIPELINE_CREATE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
   const VkPipelineDepthStencilStateCreateInfo *tests = info->depth_stencil;
   options->reads_depth_target =
      targets->reads_depth_stencil && tests && (tests->depthWriteEnable || tests->stencilTestEnable);
}

static void
fill_blend(struct graphics_info *info)
{
   struct pipe_blend_desc *desc = &info->blend_desc;
   desc->alpha_to_coverage = info->options.alpha_to_coverage;
   desc->alpha_to_one = info->options.alpha_to_one;
   memcpy(desc->formats, info->options.color_formats, sizeof(desc->formats));
   info->options.blend = desc;
   if (!info->blend)
      return;
   desc->logic_op_enable = info->blend->logicOpEnable;
   desc->logic_op = (enum pipe_logic_op)info->blend->logicOp;
   for (uint32_t i = 0; i < MIN2(info->blend->attachmentCount, PIPE_MAX_COLOR_TARGETS); i++) {
      const VkPipelineColorBlendAttachmentState *from = &info->blend->pAttachments[i];
      desc->targets[i] = (struct pipe_blend_target){
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
}

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

static struct pipe_depth_stencil *
create_depth_stencil(struct vk_device *device, const struct graphics_info *info, struct vk_pipeline *pipeline)
{
   struct pipe_depth_stencil_desc desc = {0};
   const VkPipelineDepthStencilStateCreateInfo *from = info->depth_stencil;
   if (from) {
      desc.depth_test = from->depthTestEnable && info->options.depth_format;
      desc.depth_write = desc.depth_test && from->depthWriteEnable;
      desc.depth_compare = (enum pipe_compare)from->depthCompareOp;
      desc.depth_bounds_test = from->depthBoundsTestEnable && info->options.depth_format;
      desc.stencil_test = from->stencilTestEnable && info->options.stencil_format;
      desc.front = stencil_face(&from->front);
      desc.back = stencil_face(&from->back);
      const VkStencilOpState *faces[2] = {&from->front, &from->back};
      for (unsigned i = 0; i < 2; i++) {
         pipeline->stencil_compare_mask[i] = (uint8_t)faces[i]->compareMask;
         pipeline->stencil_write_mask[i] = (uint8_t)faces[i]->writeMask;
         pipeline->stencil_reference[i] = (uint8_t)faces[i]->reference;
      }
      pipeline->depth_bounds[0] = from->minDepthBounds;
      pipeline->depth_bounds[1] = from->maxDepthBounds;
   }
   return device->screen->depth_stencil_create(device->screen, &desc);
}

static struct pipe_rasterizer *
create_rasterizer(struct vk_device *device, const struct graphics_info *info, struct vk_pipeline *pipeline)
{
   const VkPipelineRasterizationStateCreateInfo *from = info->api->pRasterizationState;
   const VkPipelineRasterizationStateRasterizationOrderAMD *order =
      vk_find_struct(from->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD);
   const VkSampleMask *mask = info->multisample ? info->multisample->pSampleMask : NULL;
   struct pipe_rasterizer_desc desc = {
      .depth_clamp = from->depthClampEnable,
      .depth_clip = !from->depthClampEnable,
      .discard = from->rasterizerDiscardEnable,
      .depth_bias = from->depthBiasEnable,
      .front_ccw = from->frontFace == VK_FRONT_FACE_COUNTER_CLOCKWISE,
      .cull = (uint8_t)(from->cullMode & VK_CULL_MODE_FRONT_AND_BACK),
      .polygon_mode = (enum pipe_polygon_mode)from->polygonMode,
      .samples = info->options.samples,
      .sample_shading = info->options.sample_shading,
      .relaxed_order = order && order->rasterizationOrder == VK_RASTERIZATION_ORDER_RELAXED_AMD,
      .sample_mask = mask ? *mask : UINT32_MAX,
      .topology = info->topology,
   };
   pipeline->depth_bias[0] = from->depthBiasConstantFactor;
   pipeline->depth_bias[1] = from->depthBiasClamp;
   pipeline->depth_bias[2] = from->depthBiasSlopeFactor;
   pipeline->line_width = from->lineWidth;
   return device->screen->rasterizer_create(device->screen, &desc);
}

static void
fill_shading_rate(const struct graphics_info *info, struct vk_pipeline *pipeline)
{
   const VkPipelineFragmentShadingRateStateCreateInfoKHR *from =
      vk_find_struct(info->api->pNext, VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR);
   if (from)
      pipeline->shading_rate = vk_shading_rate(&from->fragmentSize, from->combinerOps);
}

static void
fill_dynamic_state(const struct graphics_info *info, struct vk_pipeline *pipeline)
{
   const VkPipelineDynamicStateCreateInfo *dynamic = info->api->pDynamicState;
   for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++) {
      if (dynamic->pDynamicStates[i] < 32)
         pipeline->dynamic |= 1u << dynamic->pDynamicStates[i];
      pipeline->dynamic_shading_rate |= dynamic->pDynamicStates[i] == VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR;
   }
   fill_shading_rate(info, pipeline);
   if (info->blend)
      memcpy(pipeline->blend_constants, info->blend->blendConstants, sizeof(pipeline->blend_constants));
   const VkPipelineViewportStateCreateInfo *viewport = info->viewport;
   if (!viewport)
      return;
   pipeline->num_viewports = viewport->pViewports ? MIN2(viewport->viewportCount, PIPE_MAX_VIEWPORTS) : 0;
   pipeline->num_scissors = viewport->pScissors ? MIN2(viewport->scissorCount, PIPE_MAX_VIEWPORTS) : 0;
   for (uint32_t i = 0; i < pipeline->num_viewports; i++) {
      const VkViewport *from = &viewport->pViewports[i];
      pipeline->viewports[i] =
         (struct pipe_viewport){from->x, from->y, from->width, from->height, from->minDepth, from->maxDepth};
   }
   for (uint32_t i = 0; i < pipeline->num_scissors; i++) {
      const VkRect2D *from = &viewport->pScissors[i];
      pipeline->scissors[i] =
         (struct pipe_scissor){from->offset.x, from->offset.y, from->extent.width, from->extent.height};
   }
}

struct creation {
   struct vk_device *device;
   struct graphics_info *info;
   struct vk_pipeline *pipeline;
   struct arena arena;
   enum pipe_result result;
};

static enum pipe_result
translate_and_create(struct vk_device *device, struct graphics_info *info, struct vk_pipeline *pipeline,
                     struct arena *arena)
{
   struct nir_shader *shaders[NIR_STAGES] = {NULL};
   struct pipe_pipeline_layout layout = *info->options.layout;
   enum pipe_result result = PIPE_OK;
   bool discard = info->api->pRasterizationState->rasterizerDiscardEnable;
   for (uint32_t i = 0; i < info->api->stageCount; i++)
      pipeline->stages |= info->api->pStages[i].stage;
   if (discard)
      pipeline->stages &= ~(VkShaderStageFlags)VK_SHADER_STAGE_FRAGMENT_BIT;
   for (uint32_t i = 0; i < info->api->stageCount && result == PIPE_OK; i++) {
      const VkPipelineShaderStageCreateInfo *stage = &info->api->pStages[i];
      if (!(pipeline->stages & stage->stage))
         continue;
      struct nir_shader *shader = vk_shader_to_nir(device, arena, stage);
      if (!shader) {
         result = PIPE_INVALID_SHADER;
         break;
      }
      bool sets_layer = (pipeline->stages & NIR_STAGES_PRE_RASTER) >> shader->stage == 1; /* last before it */
      nir_lower_input_attachments(shader, info->targets.view_mask);
      nir_lower_view_index(shader, info->targets.view_mask, sets_layer, VK_VIEW_INDEX_OFFSET_B);
      shaders[shader->stage] = shader;
   }
   if (info->targets.view_mask) {
      layout.push_constant_B = VK_VIEW_INDEX_OFFSET_B + 4;
      info->options.layout = &layout;
   }
   if (result == PIPE_OK)
      result = shaders[NIR_STAGE_VERTEX] ? device->screen->graphics_program_create(device->screen, shaders,
                                                                                   &info->options, &pipeline->program)
                                         : PIPE_INVALID_SHADER;
   return result;
}

static void
run_creation(void *data)
{
   struct creation *c = data;
   c->result = translate_and_create(c->device, c->info, c->pipeline, &c->arena);
}

static enum pipe_result
create_program(struct vk_device *device, struct graphics_info *info, struct vk_pipeline *pipeline)
{
   struct creation c = {.device = device, .info = info, .pipeline = pipeline};
   if (!within_memory(run_creation, &c))
      c.result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&c.arena);
   return c.result;
}

static VkResult
create_graphics(struct vk_device *device, const VkGraphicsPipelineCreateInfo *api,
                const VkAllocationCallbacks *allocator, struct vk_pipeline **out)
{
   bool discard = api->pRasterizationState->rasterizerDiscardEnable;
   struct graphics_info info = {
      .api = api,
      .multisample = discard ? NULL : api->pMultisampleState,
      .viewport = discard ? NULL : api->pViewportState,
      .topology = (enum pipe_topology)api->pInputAssemblyState->topology,
   };
   const struct vk_render_pass *pass = (const struct vk_render_pass *)api->renderPass;
   info.targets =
      pass ? targets_of_subpass(pass, &pass->subpasses[api->subpass])
           : targets_of_rendering(vk_find_struct(api->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO));
   info.blend = discard || !info.targets.num_colors ? NULL : api->pColorBlendState;
   bool has_depth_stencil = info.targets.depth_format || info.targets.stencil_format;
   info.depth_stencil = discard || !has_depth_stencil ? NULL : api->pDepthStencilState;
   if (info.topology > PIPE_TRIANGLE_FAN) {
      log_error("a graphics pipeline for adjacency or patches: the device has no stage that takes them");
      return VK_ERROR_FEATURE_NOT_PRESENT;
   }

   struct vk_pipeline *pipeline = vk_alloc(&device->alloc, allocator, sizeof(*pipeline));
   if (!pipeline)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pipeline->point = PIPE_BIND_GRAPHICS;
   pipeline->capture = api->flags & VK_CAPTURE_FLAGS;
   pipeline->topology = info.topology;
   pipeline->primitive_restart = api->pInputAssemblyState->primitiveRestartEnable;
   fill_vertex_input(&info, pipeline);
   fill_options(&info);
   fill_blend(&info);
   info.options.robust = device->robust_buffers;
   info.options.shading_rate = device->shading_rate;
   info.options.capture_text = vk_pipeline_captures_text(pipeline);
   fill_dynamic_state(&info, pipeline);
   enum pipe_result result = create_program(device, &info, pipeline);
   if (result == PIPE_OK) {
      pipeline->blend = device->screen->blend_create(device->screen, &info.blend_desc);
      pipeline->depth_stencil = create_depth_stencil(device, &info, pipeline);
      pipeline->rasterizer = create_rasterizer(device, &info, pipeline);
      if (!pipeline->blend || !pipeline->depth_stencil || !pipeline->rasterizer)
         result = PIPE_OUT_OF_HOST_MEMORY;
   }
   if (result != PIPE_OK) {
      vk_pipeline_destroy(device, pipeline, allocator);
      return vk_result(result);
   }
   *out = pipeline;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateGraphicsPipelines(VkDevice _device, VkPipelineCache pipelineCache, uint32_t createInfoCount,
                               const VkGraphicsPipelineCreateInfo *pCreateInfos,
                               const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
   VK_FROM(vk_device, device, _device);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < createInfoCount; i++) {
      struct vk_pipeline *pipeline = NULL;
      VkResult one = create_graphics(device, &pCreateInfos[i], pAllocator, &pipeline);
      pPipelines[i] = VK_TO(VkPipeline, pipeline);
      if (one != VK_SUCCESS)
         result = one;
   }
   return result;
}

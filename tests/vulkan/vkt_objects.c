/* Graphics pipelines as shader objects whose states are set when they are bound. */
#include "vkt_objects.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 7, COLORS = 8, INPUTS = 16, SETS = 8, RANGES = 4 };

bool vkt_objects;
struct vkx vkt_objects_device;

/* In the order in which they run. */
static const VkShaderStageFlagBits all_stages[STAGES] = {VK_SHADER_STAGE_VERTEX_BIT,
                                                         VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                         VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                         VK_SHADER_STAGE_GEOMETRY_BIT,
                                                         VK_SHADER_STAGE_TASK_BIT_EXT,
                                                         VK_SHADER_STAGE_MESH_BIT_EXT,
                                                         VK_SHADER_STAGE_FRAGMENT_BIT};

/* ---- what was made ---- */

struct kept {
   struct kept *next;
   enum vkt_kind kind;
   uint64_t handle;
   char data[];
};
static struct kept *all_kept;

void *
vkt_loader_command(const char *name)
{
   return dlsym(RTLD_NEXT, name);
}

void *
vkt_recall(enum vkt_kind kind, uint64_t handle)
{
   for (struct kept *kept = all_kept; kept; kept = kept->next) {
      if (kept->kind == kind && kept->handle == handle)
         return kept->data;
   }
   return NULL;
}

void *
vkt_remember(enum vkt_kind kind, uint64_t handle, const void *what, size_t size_B)
{
   struct kept *kept = malloc(sizeof(*kept) + size_B);
   *kept = (struct kept){.next = all_kept, .kind = kind, .handle = handle};
   memcpy(kept->data, what, size_B);
   all_kept = kept;
   return kept->data;
}

struct layout {
   VkDescriptorSetLayout sets[SETS];
   VkPushConstantRange ranges[RANGES];
   uint32_t num_sets, num_ranges;
};

VKAPI_ATTR VkResult VKAPI_CALL
vkCreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
                       const VkAllocationCallbacks *allocator, VkPipelineLayout *layout)
{
   const VkResult result = VKT_LOADER(vkCreatePipelineLayout)(device, info, allocator, layout);
   struct layout kept = {.num_sets = info->setLayoutCount, .num_ranges = info->pushConstantRangeCount};
   if (!vkt_shader_objects || result != VK_SUCCESS || kept.num_sets > SETS || kept.num_ranges > RANGES)
      return result;
   for (uint32_t i = 0; i < kept.num_sets; i++)
      kept.sets[i] = info->pSetLayouts[i];
   for (uint32_t i = 0; i < kept.num_ranges; i++)
      kept.ranges[i] = info->pPushConstantRanges[i];
   vkt_remember(VKT_LAYOUT, VKT_HANDLE(*layout), &kept, sizeof(kept));
   return result;
}

struct module {
   size_t size_B;
   uint32_t *words;
};

VKAPI_ATTR VkResult VKAPI_CALL
vkCreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *allocator,
                     VkShaderModule *module)
{
   const VkResult result = VKT_LOADER(vkCreateShaderModule)(device, info, allocator, module);
   if (!vkt_shader_objects || result != VK_SUCCESS)
      return result;
   const struct module kept = {info->codeSize, malloc(info->codeSize)};
   memcpy(kept.words, info->pCode, info->codeSize);
   vkt_remember(VKT_MODULE, VKT_HANDLE(*module), &kept, sizeof(kept));
   return result;
}

/* ---- pipelines ---- */

struct objects {
   VkShaderEXT shaders[STAGES]; /* by all_stages */
   VkVertexInputBindingDescription2EXT bindings[INPUTS];
   VkVertexInputAttributeDescription2EXT attributes[INPUTS];
   uint32_t num_bindings, num_attributes, num_colors, patch_vertices, stream;
   VkTessellationDomainOrigin origin;
   VkPrimitiveTopology topology;
   VkBool32 restart, depth_clip, alpha_to_coverage, alpha_to_one, logic_op_enable;
   VkProvokingVertexModeEXT provoking;
   VkPipelineRasterizationStateCreateInfo raster;
   VkPipelineDepthStencilStateCreateInfo tests;
   VkSampleCountFlagBits samples;
   VkSampleMask sample_mask;
   VkLogicOp logic_op;
   VkPipelineColorBlendAttachmentState blend[COLORS];
   float blend_constants[4];
   bool dynamic_patches, dynamic_origin;
};

static VkShaderStageFlags
next_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlagBits stage)
{
   VkShaderStageFlags there = 0;
   for (uint32_t i = 0; i < info->stageCount; i++)
      there |= info->pStages[i].stage;
   unsigned at = 0;
   while (all_stages[at] != stage)
      at++;
   while (++at < STAGES) {
      if (there & all_stages[at])
         return all_stages[at];
   }
   return 0;
}

static bool
has_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlagBits stage)
{
   for (uint32_t i = 0; i < info->stageCount; i++) {
      if (info->pStages[i].stage == stage)
         return true;
   }
   return false;
}

static void
create_shader(const VkGraphicsPipelineCreateInfo *info, uint32_t number, struct objects *objects)
{
   const VkPipelineShaderStageCreateInfo *stage = &info->pStages[number];
   const struct layout *layout = vkt_recall(VKT_LAYOUT, VKT_HANDLE(info->layout));
   const struct module *module = vkt_recall(VKT_MODULE, VKT_HANDLE(stage->module));
   const bool alone = stage->stage == VK_SHADER_STAGE_MESH_BIT_EXT && !has_stage(info, VK_SHADER_STAGE_TASK_BIT_EXT);
   const VkShaderCreateInfoEXT create = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                         .pNext = stage->pNext,
                                         .flags = alone ? VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT : 0,
                                         .stage = stage->stage,
                                         .nextStage = next_stage(info, stage->stage),
                                         .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                         .codeSize = module->size_B,
                                         .pCode = module->words,
                                         .pName = stage->pName,
                                         .setLayoutCount = layout->num_sets,
                                         .pSetLayouts = layout->sets,
                                         .pushConstantRangeCount = layout->num_ranges,
                                         .pPushConstantRanges = layout->ranges,
                                         .pSpecializationInfo = stage->pSpecializationInfo};
   for (unsigned i = 0; i < STAGES; i++) {
      if (all_stages[i] == stage->stage)
         vkx_check(VKT_DEVICE(vkCreateShadersEXT)(vkt_objects_device.device, 1, &create, NULL, &objects->shaders[i]),
                   "vkCreateShadersEXT");
   }
}

static const void *
find(const void *chain, VkStructureType type)
{
   for (const VkBaseInStructure *next = chain; next; next = next->pNext) {
      if (next->sType == type)
         return next;
   }
   return NULL;
}

static void
keep_inputs(struct objects *objects, const VkPipelineVertexInputStateCreateInfo *info)
{
   for (uint32_t i = 0; info && i < info->vertexBindingDescriptionCount && i < INPUTS; i++) {
      const VkVertexInputBindingDescription *from = &info->pVertexBindingDescriptions[i];
      objects->bindings[objects->num_bindings++] =
         (VkVertexInputBindingDescription2EXT){VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
                                               NULL,
                                               from->binding,
                                               from->stride,
                                               from->inputRate,
                                               1};
   }
   for (uint32_t i = 0; info && i < info->vertexAttributeDescriptionCount && i < INPUTS; i++) {
      const VkVertexInputAttributeDescription *from = &info->pVertexAttributeDescriptions[i];
      objects->attributes[objects->num_attributes++] =
         (VkVertexInputAttributeDescription2EXT){VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
                                                 NULL,
                                                 from->location,
                                                 from->binding,
                                                 from->format,
                                                 from->offset};
   }
}

static void
keep_raster(struct objects *objects, const VkPipelineRasterizationStateCreateInfo *info)
{
   const VkPipelineRasterizationDepthClipStateCreateInfoEXT *clip =
      find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
   const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking =
      find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
   const VkPipelineRasterizationStateStreamCreateInfoEXT *stream =
      find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
   objects->raster = *info;
   objects->depth_clip = clip ? clip->depthClipEnable : !info->depthClampEnable;
   if (provoking)
      objects->provoking = provoking->provokingVertexMode;
   if (stream)
      objects->stream = stream->rasterizationStream;
}

static void
keep_tessellation(struct objects *objects, const VkGraphicsPipelineCreateInfo *info)
{
   const VkPipelineTessellationStateCreateInfo *state = info->pTessellationState;
   const VkPipelineTessellationDomainOriginStateCreateInfo *origin =
      find(state ? state->pNext : NULL, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
   objects->patch_vertices = state ? state->patchControlPoints : 0;
   if (origin)
      objects->origin = origin->domainOrigin;
   for (uint32_t i = 0; i < info->pDynamicState->dynamicStateCount; i++) {
      const VkDynamicState dynamic = info->pDynamicState->pDynamicStates[i];
      objects->dynamic_patches |= dynamic == VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT;
      objects->dynamic_origin |= dynamic == VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT;
   }
}

static void
keep_pixels(struct objects *objects, const VkGraphicsPipelineCreateInfo *info)
{
   const VkPipelineMultisampleStateCreateInfo *samples = info->pMultisampleState;
   const VkPipelineColorBlendStateCreateInfo *blend = info->pColorBlendState;
   if (info->pDepthStencilState)
      objects->tests = *info->pDepthStencilState;
   objects->samples = samples->rasterizationSamples;
   objects->sample_mask = samples->pSampleMask ? *samples->pSampleMask : UINT32_MAX;
   objects->alpha_to_coverage = samples->alphaToCoverageEnable;
   objects->alpha_to_one = samples->alphaToOneEnable;
   objects->num_colors = blend->attachmentCount;
   objects->logic_op_enable = blend->logicOpEnable;
   objects->logic_op = blend->logicOp;
   memcpy(objects->blend, blend->pAttachments, blend->attachmentCount * sizeof(objects->blend[0]));
   memcpy(objects->blend_constants, blend->blendConstants, sizeof(objects->blend_constants));
}

VKAPI_ATTR VkResult VKAPI_CALL
vkCreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                          const VkGraphicsPipelineCreateInfo *info, const VkAllocationCallbacks *allocator,
                          VkPipeline *pipelines)
{
   if (!vkt_objects)
      return VKT_LOADER(vkCreateGraphicsPipelines)(device, cache, count, info, allocator, pipelines);
   for (uint32_t i = 0; i < count; i++, info++) {
      struct objects objects = {.provoking = VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT};
      for (uint32_t j = 0; j < info->stageCount; j++)
         create_shader(info, j, &objects);
      keep_inputs(&objects, info->pVertexInputState);
      if (info->pInputAssemblyState) {
         objects.topology = info->pInputAssemblyState->topology;
         objects.restart = info->pInputAssemblyState->primitiveRestartEnable;
      }
      keep_tessellation(&objects, info);
      keep_raster(&objects, info->pRasterizationState);
      keep_pixels(&objects, info);
      struct objects *kept = vkt_remember(VKT_OBJECTS, 0, &objects, sizeof(objects));
      pipelines[i] = (VkPipeline)(uintptr_t)kept;
      all_kept->handle = VKT_HANDLE(pipelines[i]); /* no pipeline has its address */
   }
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
vkDestroyPipeline(VkDevice device, VkPipeline pipeline, const VkAllocationCallbacks *allocator)
{
   struct objects *objects = vkt_shader_objects ? vkt_recall(VKT_OBJECTS, VKT_HANDLE(pipeline)) : NULL;
   if (!objects) {
      VKT_LOADER(vkDestroyPipeline)(device, pipeline, allocator);
      return;
   }
   for (unsigned i = 0; i < STAGES; i++)
      VKT_DEVICE(vkDestroyShaderEXT)(device, objects->shaders[i], allocator);
}

/* ---- states ---- */

/* A command of the device. */
#define SET(name, ...) VKT_DEVICE(name)(cmd, __VA_ARGS__)

static void
set_primitives(VkCommandBuffer cmd, const struct objects *objects)
{
   SET(vkCmdSetVertexInputEXT, objects->num_bindings, objects->bindings, objects->num_attributes,
       objects->attributes);
   SET(vkCmdSetPrimitiveTopologyEXT, objects->topology);
   SET(vkCmdSetPrimitiveRestartEnableEXT, objects->restart);
   if (objects->patch_vertices && !objects->dynamic_patches)
      SET(vkCmdSetPatchControlPointsEXT, objects->patch_vertices);
   if (objects->patch_vertices && !objects->dynamic_origin)
      SET(vkCmdSetTessellationDomainOriginEXT, objects->origin);
}

static void
set_raster(VkCommandBuffer cmd, const struct objects *objects)
{
   const VkPipelineRasterizationStateCreateInfo *raster = &objects->raster;
   SET(vkCmdSetRasterizerDiscardEnableEXT, raster->rasterizerDiscardEnable);
   SET(vkCmdSetDepthClampEnableEXT, raster->depthClampEnable);
   SET(vkCmdSetPolygonModeEXT, raster->polygonMode);
   SET(vkCmdSetCullModeEXT, raster->cullMode);
   SET(vkCmdSetFrontFaceEXT, raster->frontFace);
   SET(vkCmdSetDepthBiasEnableEXT, raster->depthBiasEnable);
   vkCmdSetDepthBias(cmd, raster->depthBiasConstantFactor, raster->depthBiasClamp, raster->depthBiasSlopeFactor);
   vkCmdSetLineWidth(cmd, raster->lineWidth);
   if (vkt_has("VK_EXT_depth_clip_enable"))
      SET(vkCmdSetDepthClipEnableEXT, objects->depth_clip);
   if (vkt_has("VK_EXT_provoking_vertex"))
      SET(vkCmdSetProvokingVertexModeEXT, objects->provoking);
   if (vkt_has("VK_EXT_line_rasterization")) {
      SET(vkCmdSetLineRasterizationModeEXT, VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT);
      SET(vkCmdSetLineStippleEnableEXT, VK_FALSE);
   }
   if (vkt_has("VK_EXT_transform_feedback"))
      SET(vkCmdSetRasterizationStreamEXT, objects->stream);
}

static void
set_tests(VkCommandBuffer cmd, const VkPipelineDepthStencilStateCreateInfo *tests)
{
   static const VkStencilFaceFlagBits faces[2] = {VK_STENCIL_FACE_FRONT_BIT, VK_STENCIL_FACE_BACK_BIT};
   const VkStencilOpState *states[2] = {&tests->front, &tests->back};
   SET(vkCmdSetDepthTestEnableEXT, tests->depthTestEnable);
   SET(vkCmdSetDepthWriteEnableEXT, tests->depthWriteEnable);
   SET(vkCmdSetDepthCompareOpEXT, tests->depthCompareOp);
   SET(vkCmdSetDepthBoundsTestEnableEXT, tests->depthBoundsTestEnable);
   SET(vkCmdSetStencilTestEnableEXT, tests->stencilTestEnable);
   vkCmdSetDepthBounds(cmd, tests->minDepthBounds, tests->maxDepthBounds);
   for (unsigned i = 0; i < 2; i++) {
      SET(vkCmdSetStencilOpEXT, faces[i], states[i]->failOp, states[i]->passOp, states[i]->depthFailOp,
          states[i]->compareOp);
      vkCmdSetStencilCompareMask(cmd, faces[i], states[i]->compareMask);
      vkCmdSetStencilWriteMask(cmd, faces[i], states[i]->writeMask);
      vkCmdSetStencilReference(cmd, faces[i], states[i]->reference);
   }
}

static void
set_color(VkCommandBuffer cmd, uint32_t number, const VkPipelineColorBlendAttachmentState *blend)
{
   const VkColorBlendEquationEXT equation = {blend->srcColorBlendFactor, blend->dstColorBlendFactor,
                                             blend->colorBlendOp,        blend->srcAlphaBlendFactor,
                                             blend->dstAlphaBlendFactor, blend->alphaBlendOp};
   SET(vkCmdSetColorBlendEnableEXT, number, 1, &blend->blendEnable);
   SET(vkCmdSetColorBlendEquationEXT, number, 1, &equation);
   SET(vkCmdSetColorWriteMaskEXT, number, 1, &blend->colorWriteMask);
}

static void
set_pixels(VkCommandBuffer cmd, const struct objects *objects)
{
   static const VkBool32 written[COLORS] = {1, 1, 1, 1, 1, 1, 1, 1};
   SET(vkCmdSetRasterizationSamplesEXT, objects->samples);
   SET(vkCmdSetSampleMaskEXT, objects->samples, &objects->sample_mask);
   SET(vkCmdSetAlphaToCoverageEnableEXT, objects->alpha_to_coverage);
   if (vkt_features.alphaToOne)
      SET(vkCmdSetAlphaToOneEnableEXT, objects->alpha_to_one);
   if (vkt_features.logicOp) {
      SET(vkCmdSetLogicOpEnableEXT, objects->logic_op_enable);
      SET(vkCmdSetLogicOpEXT, objects->logic_op);
   }
   vkCmdSetBlendConstants(cmd, objects->blend_constants);
   for (uint32_t i = 0; i < objects->num_colors; i++)
      set_color(cmd, i, &objects->blend[i]);
   if (vkt_has("VK_EXT_color_write_enable"))
      SET(vkCmdSetColorWriteEnableEXT, COLORS, written);
}

VKAPI_ATTR void VKAPI_CALL
vkCmdBindPipeline(VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipeline pipeline)
{
   const struct objects *objects = vkt_shader_objects ? vkt_recall(VKT_OBJECTS, VKT_HANDLE(pipeline)) : NULL;
   if (!objects) {
      VKT_LOADER(vkCmdBindPipeline)(cmd, point, pipeline);
      return;
   }
   for (unsigned i = 0; i < STAGES; i++) {
      const bool of_meshes = all_stages[i] & (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT);
      if (!of_meshes || vkt_has("VK_EXT_mesh_shader"))
         SET(vkCmdBindShadersEXT, 1, &all_stages[i], &objects->shaders[i]);
   }
   if (objects->shaders[0])
      set_primitives(cmd, objects);
   set_raster(cmd, objects);
   set_tests(cmd, &objects->tests);
   set_pixels(cmd, objects);
}

/* Shader objects need to be told how many there are; programs set all of them at once. */
VKAPI_ATTR void VKAPI_CALL
vkCmdSetViewport(VkCommandBuffer cmd, uint32_t first, uint32_t count, const VkViewport *viewports)
{
   if (vkt_objects)
      SET(vkCmdSetViewportWithCountEXT, count, viewports);
   else
      VKT_LOADER(vkCmdSetViewport)(cmd, first, count, viewports);
}

VKAPI_ATTR void VKAPI_CALL
vkCmdSetScissor(VkCommandBuffer cmd, uint32_t first, uint32_t count, const VkRect2D *scissors)
{
   if (vkt_objects)
      SET(vkCmdSetScissorWithCountEXT, count, scissors);
   else
      VKT_LOADER(vkCmdSetScissor)(cmd, first, count, scissors);
}

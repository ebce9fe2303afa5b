/* Objects of VK_EXT_device_generated_commands: layouts of tokens, execution sets, memory. Programs are chosen by the
 * stream on compute only. */
#include "gallium/frontends/vulkan/vk_generated.h"

#include "gallium/frontends/vulkan/vk_shader_object.h"
#include "util/log.h"
#include "util/macros.h"

/* ---- what there is ---- */

/* Those whose draws and dispatches may be generated. */
static VkShaderStageFlags
generated_stages(const struct pipe_caps *caps)
{
   static const struct {
      enum nir_stage stage;
      VkShaderStageFlags flags;
   } stages[] = {
      {NIR_STAGE_TESS_CTRL, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
      {NIR_STAGE_GEOMETRY, VK_SHADER_STAGE_GEOMETRY_BIT},
      {NIR_STAGE_TASK, VK_SHADER_STAGE_TASK_BIT_EXT},
      {NIR_STAGE_MESH, VK_SHADER_STAGE_MESH_BIT_EXT},
   };
   VkShaderStageFlags flags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
   for (unsigned i = 0; i < ARRAY_SIZE(stages); i++)
      flags |= caps->shader_stages >> stages[i].stage & 1 ? stages[i].flags : 0;
   return flags;
}

void
vk_generated_properties(const struct pipe_caps *caps,
                        VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT *properties)
{
   properties->maxIndirectPipelineCount = PIPE_MAX_EXECUTION_SET;
   properties->maxIndirectShaderObjectCount = PIPE_MAX_EXECUTION_SET;
   properties->maxIndirectSequenceCount = PIPE_MAX_SEQUENCES;
   properties->maxIndirectCommandsTokenCount = PIPE_MAX_TOKENS;
   properties->maxIndirectCommandsTokenOffset = 2047;
   properties->maxIndirectCommandsIndirectStride = 2048;
   properties->supportedIndirectCommandsInputModes =
      VK_INDIRECT_COMMANDS_INPUT_MODE_VULKAN_INDEX_BUFFER_EXT | VK_INDIRECT_COMMANDS_INPUT_MODE_DXGI_INDEX_BUFFER_EXT;
   properties->supportedIndirectCommandsShaderStages = generated_stages(caps);
   properties->supportedIndirectCommandsShaderStagesPipelineBinding = VK_SHADER_STAGE_COMPUTE_BIT;
   properties->supportedIndirectCommandsShaderStagesShaderBinding = VK_SHADER_STAGE_COMPUTE_BIT;
   properties->deviceGeneratedCommandsTransformFeedback = caps->xfb;
   properties->deviceGeneratedCommandsMultiDrawIndirectCount = VK_TRUE;
}

/* ---- layouts ---- */

static const struct {
   VkIndirectCommandsTokenTypeEXT type;
   enum pipe_token_kind kind;
} kinds[] = {
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT, PIPE_TOKEN_PROGRAM},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT, PIPE_TOKEN_PUSH_CONSTANTS},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT, PIPE_TOKEN_SEQUENCE},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_EXT, PIPE_TOKEN_INDEX_BUFFER},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT, PIPE_TOKEN_VERTEX_BUFFER},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT, PIPE_TOKEN_DRAW_INDEXED},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT, PIPE_TOKEN_DRAW},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT, PIPE_TOKEN_DRAW_INDEXED_COUNT},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT, PIPE_TOKEN_DRAW_COUNT},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT, PIPE_TOKEN_DISPATCH},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT, PIPE_TOKEN_MESHES},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT, PIPE_TOKEN_MESHES_COUNT},
};

static bool
find_kind(VkIndirectCommandsTokenTypeEXT type, enum pipe_token_kind *kind)
{
   for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
      *kind = kinds[i].kind;
      if (kinds[i].type == type)
         return true;
   }
   log_error("vkCreateIndirectCommandsLayoutEXT: tokens of type %d are not offered", (int)type);
   return false;
}

/* Index types as the stream has them: Vulkan's, or DXGI_FORMAT_R8_UINT, R16_UINT and R32_UINT. */
static void
set_index_types(VkIndirectCommandsInputModeFlagBitsEXT mode, uint32_t types[3])
{
   static const uint32_t vulkan[] = {VK_INDEX_TYPE_UINT8, VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32};
   static const uint32_t dxgi[] = {62, 57, 42};
   memcpy(types, mode == VK_INDIRECT_COMMANDS_INPUT_MODE_DXGI_INDEX_BUFFER_EXT ? dxgi : vulkan, sizeof(vulkan));
}

static bool
set_token(const VkIndirectCommandsLayoutTokenEXT *from, struct pipe_token *to)
{
   to->at_B = from->offset;
   if (!find_kind(from->type, &to->kind))
      return false;
   if (to->kind == PIPE_TOKEN_PUSH_CONSTANTS || to->kind == PIPE_TOKEN_SEQUENCE) {
      to->offset_B = from->data.pPushConstant->updateRange.offset;
      to->size_B = from->data.pPushConstant->updateRange.size;
   } else if (to->kind == PIPE_TOKEN_VERTEX_BUFFER) {
      to->binding = from->data.pVertexBuffer->vertexBindingUnit;
   } else if (to->kind == PIPE_TOKEN_INDEX_BUFFER) {
      set_index_types(from->data.pIndexBuffer->mode, to->index_types);
   } else if (to->kind == PIPE_TOKEN_PROGRAM &&
              from->data.pExecutionSet->shaderStages != VK_SHADER_STAGE_COMPUTE_BIT) {
      log_error("vkCreateIndirectCommandsLayoutEXT: execution sets are offered of compute shaders only");
      return false;
   }
   return true;
}

static bool
set_layout(const struct pipe_caps *caps, const VkIndirectCommandsLayoutCreateInfoEXT *info,
           struct pipe_token_layout *layout)
{
   const VkShaderStageFlags absent = info->shaderStages & ~generated_stages(caps);
   layout->point = info->shaderStages & VK_SHADER_STAGE_COMPUTE_BIT ? PIPE_BIND_COMPUTE : PIPE_BIND_GRAPHICS;
   layout->stride_B = info->indirectStride;
   layout->num_tokens = info->tokenCount;
   if (absent || info->tokenCount > PIPE_MAX_TOKENS) {
      log_error(absent ? "vkCreateIndirectCommandsLayoutEXT: commands of shader stages 0x%x are not offered"
                       : "vkCreateIndirectCommandsLayoutEXT: 0x%x tokens are too many",
                absent ? absent : info->tokenCount);
      return false;
   }
   for (uint32_t i = 0; i < info->tokenCount; i++) {
      if (!set_token(&info->pTokens[i], &layout->tokens[i]))
         return false;
   }
   return true;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateIndirectCommandsLayoutEXT(VkDevice _device, const VkIndirectCommandsLayoutCreateInfoEXT *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator, VkIndirectCommandsLayoutEXT *pLayout)
{
   VK_FROM(vk_device, device, _device);
   struct vk_token_layout *layout = vk_alloc(&device->alloc, pAllocator, sizeof(*layout));
   if (!layout)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   VkResult result = VK_ERROR_FEATURE_NOT_PRESENT;
   if (set_layout(&device->screen->caps, pCreateInfo, &layout->layout))
      result = vk_result(device->screen->generate_prepare(device->screen));
   if (result == VK_SUCCESS)
      *pLayout = VK_TO(VkIndirectCommandsLayoutEXT, layout);
   else
      vk_free(&device->alloc, pAllocator, layout);
   return result;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyIndirectCommandsLayoutEXT(VkDevice _device, VkIndirectCommandsLayoutEXT _layout,
                                        const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_free(&device->alloc, pAllocator, (struct vk_token_layout *)_layout);
}

/* ---- execution sets ---- */

static struct pipe_program *
program_of_pipeline(VkPipeline _pipeline)
{
   VK_FROM(vk_pipeline, pipeline, _pipeline);
   return pipeline->point == PIPE_BIND_COMPUTE ? pipeline->program : NULL;
}

static struct pipe_program *
program_of_shader(VkShaderEXT _shader)
{
   VK_FROM(vk_shader_object, shader, _shader);
   return shader->program;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateIndirectExecutionSetEXT(VkDevice _device, const VkIndirectExecutionSetCreateInfoEXT *pCreateInfo,
                                     const VkAllocationCallbacks *pAllocator, VkIndirectExecutionSetEXT *pSet)
{
   VK_FROM(vk_device, device, _device);
   const bool shaders = pCreateInfo->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT;
   struct pipe_program *first = shaders ? program_of_shader(pCreateInfo->info.pShaderInfo->pInitialShaders[0])
                                        : program_of_pipeline(pCreateInfo->info.pPipelineInfo->initialPipeline);
   const uint32_t count =
      shaders ? pCreateInfo->info.pShaderInfo->maxShaderCount : pCreateInfo->info.pPipelineInfo->maxPipelineCount;
   if (!first) {
      log_error("vkCreateIndirectExecutionSetEXT: sets are offered of compute shaders only");
      return VK_ERROR_FEATURE_NOT_PRESENT;
   }
   struct vk_execution_set *set = vk_alloc(&device->alloc, pAllocator, sizeof(*set));
   if (!set)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   enum pipe_result result = device->screen->execution_set_create(device->screen, count, first, &set->set);
   if (result == PIPE_OK)
      *pSet = VK_TO(VkIndirectExecutionSetEXT, set);
   else
      vk_free(&device->alloc, pAllocator, set);
   return vk_result(result);
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyIndirectExecutionSetEXT(VkDevice _device, VkIndirectExecutionSetEXT _set,
                                      const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_execution_set, set, _set);
   if (!set)
      return;
   device->screen->execution_set_destroy(device->screen, set->set);
   vk_free(&device->alloc, pAllocator, set);
}

static void
update(struct vk_device *device, VkIndirectExecutionSetEXT _set, uint32_t index, struct pipe_program *program)
{
   VK_FROM(vk_execution_set, set, _set);
   if (program)
      device->screen->execution_set_update(device->screen, set->set, index, program);
   else
      log_error("an update of an execution set: only compute shaders are offered there");
}

VKAPI_ATTR void VKAPI_CALL
indium_UpdateIndirectExecutionSetPipelineEXT(VkDevice _device, VkIndirectExecutionSetEXT _set, uint32_t count,
                                             const VkWriteIndirectExecutionSetPipelineEXT *pWrites)
{
   VK_FROM(vk_device, device, _device);
   for (uint32_t i = 0; i < count; i++)
      update(device, _set, pWrites[i].index, program_of_pipeline(pWrites[i].pipeline));
}

VKAPI_ATTR void VKAPI_CALL
indium_UpdateIndirectExecutionSetShaderEXT(VkDevice _device, VkIndirectExecutionSetEXT _set, uint32_t count,
                                           const VkWriteIndirectExecutionSetShaderEXT *pWrites)
{
   VK_FROM(vk_device, device, _device);
   for (uint32_t i = 0; i < count; i++)
      update(device, _set, pWrites[i].index, program_of_shader(pWrites[i].shader));
}

/* ---- memory ---- */

/* NULL: one of several, or none is known. */
static struct pipe_program *
known_program(const void *chain)
{
   const VkGeneratedCommandsPipelineInfoEXT *info =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT);
   VK_FROM(vk_pipeline, pipeline, info ? info->pipeline : VK_NULL_HANDLE);
   return pipeline && !pipeline->variants && !pipeline->for_others ? pipeline->program : NULL;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetGeneratedCommandsMemoryRequirementsEXT(VkDevice _device,
                                                 const VkGeneratedCommandsMemoryRequirementsInfoEXT *pInfo,
                                                 VkMemoryRequirements2 *pMemoryRequirements)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_token_layout, layout, pInfo->indirectCommandsLayout);
   pMemoryRequirements->memoryRequirements = (VkMemoryRequirements){
      .size = device->screen->generated_size(&layout->layout, known_program(pInfo->pNext),
                                             MAX2(pInfo->maxSequenceCount, 1u)),
      .alignment = PIPE_GENERATED_ALIGNMENT_B,
      .memoryTypeBits = vk_memory_types(&device->screen->caps, true),
   };
   vk_fill_dedicated(pMemoryRequirements->pNext);
}

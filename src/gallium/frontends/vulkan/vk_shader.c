/* Shader modules, and the way from a pipeline stage to nir. */
#include "gallium/frontends/vulkan/vk_shader.h"

#include "compiler/nir/nir.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

struct check {
   const VkShaderModuleCreateInfo *info;
   struct arena arena;
   const char *error;
   bool valid;
};

static void
check_module(void *data)
{
   struct check *c = data;
   c->valid = c->info->codeSize % 4 == 0 && spirv_check(&c->arena, c->info->pCode, c->info->codeSize / 4, &c->error);
}

bool
vk_within_memory(const struct vk_spirv *code, uint32_t count, void (*run)(void *data), void *data)
{
   size_t stack_B = 0;
   for (uint32_t i = 0; i < count; i++)
      stack_B = MAX2(stack_B, spirv_stack_B(code[i].code, code[i].words));
   return stack_B ? within_memory_on_stack(stack_B, run, data) : within_memory(run, data);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateShaderModule(VkDevice _device, const VkShaderModuleCreateInfo *pCreateInfo,
                          const VkAllocationCallbacks *pAllocator, VkShaderModule *pShaderModule)
{
   VK_FROM(vk_device, device, _device);
   struct check check = {.info = pCreateInfo, .error = "codeSize is not a multiple of 4"};
   const struct vk_spirv code = {pCreateInfo->pCode, pCreateInfo->codeSize / 4};
   bool in_memory = vk_within_memory(&code, 1, check_module, &check);
   if (in_memory && !check.valid)
      log_error("vkCreateShaderModule: %s", check.error);
   arena_free(&check.arena);
   if (!in_memory)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!check.valid)
      return VK_ERROR_INVALID_SHADER_NV;
   struct vk_shader_module *module = vk_alloc(&device->alloc, pAllocator, sizeof(*module) + pCreateInfo->codeSize);
   if (!module)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   module->words = pCreateInfo->codeSize / 4;
   memcpy(module->code, pCreateInfo->pCode, pCreateInfo->codeSize);
   *pShaderModule = VK_TO(VkShaderModule, module);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyShaderModule(VkDevice _device, VkShaderModule shaderModule, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_free(&device->alloc, pAllocator, (void *)shaderModule);
}

/* What SPIR-V may use with a feature; the same row twice: with either. */
#define FEATURE(allowed, name) {SPIRV_FEATURE_##allowed, offsetof(struct vk_features, name)}
static const struct {
   uint64_t allowed;
   size_t feature_B;
} with_feature[] = {
   FEATURE(INT64, shaderInt64),
   FEATURE(FLOAT64, shaderFloat64),
   FEATURE(INT16, shaderInt16),
   FEATURE(INT8, shaderInt8),
   FEATURE(FLOAT16, shaderFloat16),
   FEATURE(STORAGE_8, storageBuffer8BitAccess),
   FEATURE(STORAGE_16, storageBuffer16BitAccess),
   FEATURE(INPUT_OUTPUT_16, storageInputOutput16),
   FEATURE(SAMPLE_SHADING, sampleRateShading),
   FEATURE(IMAGE_MULTISAMPLE, shaderStorageImageMultisample),
   FEATURE(RESIDENCY, shaderResourceResidency),
   FEATURE(LAYER_VIEWPORT, multiViewport),
   FEATURE(OUTPUT_LAYER, shaderOutputLayer),
   FEATURE(OUTPUT_LAYER, shaderOutputViewportIndex),
   FEATURE(DESCRIPTOR_INDEXING, runtimeDescriptorArray),
   FEATURE(SHADING_RATE, pipelineFragmentShadingRate),
   FEATURE(SHADING_RATE, primitiveFragmentShadingRate),
   FEATURE(SHADING_RATE, attachmentFragmentShadingRate),
   FEATURE(PRIMITIVE_ID, geometryShader),
   FEATURE(TESSELLATION, tessellationShader),
   FEATURE(MESH, meshShader),
   FEATURE(MESH, taskShader),
   FEATURE(GEOMETRY_POINT_SIZE, shaderTessellationAndGeometryPointSize),
   FEATURE(GEOMETRY_STREAMS, geometryStreams),
   FEATURE(XFB, transformFeedback),
   FEATURE(BARYCENTRIC, fragmentShaderBarycentric),
   FEATURE(INT64_ATOMICS, shaderBufferInt64Atomics),
   FEATURE(FLOAT_ATOMIC_ADD, shaderSharedFloat32AtomicAdd),
   FEATURE(FLOAT_ATOMIC_MIN_MAX, shaderSharedFloat32AtomicMinMax),
   FEATURE(DOUBLE_ATOMIC_MIN_MAX, shaderSharedFloat64AtomicMinMax),
   FEATURE(FLOAT_CONTROLS_2, shaderFloatControls2),
   FEATURE(SHADER_CLOCK, shaderSubgroupClock),
   FEATURE(DOT_PRODUCT, shaderIntegerDotProduct),
   FEATURE(EXPECT_ASSUME, shaderExpectAssume),
   FEATURE(SUBGROUP_ROTATE, shaderSubgroupRotate),
   FEATURE(QUAD_CONTROL, shaderQuadControl),
   FEATURE(COMPUTE_DERIVATIVES, computeDerivativeGroupQuads),
   FEATURE(COMPUTE_DERIVATIVES, computeDerivativeGroupLinear),
   FEATURE(INT64_ATOMICS, shaderImageInt64Atomics),
   FEATURE(IMAGE_INT64, shaderImageInt64Atomics),
   FEATURE(PIXEL_INTERLOCK, fragmentShaderPixelInterlock),
   FEATURE(SAMPLE_INTERLOCK, fragmentShaderSampleInterlock),
   FEATURE(ADDRESSES, bufferDeviceAddress),
   FEATURE(MEMORY_MODEL, vulkanMemoryModel),
   FEATURE(VARIABLE_POINTERS, variablePointers),
   FEATURE(VARIABLE_POINTERS_BUFFER, variablePointersStorageBuffer),
   FEATURE(SHARED_LAYOUT, workgroupMemoryExplicitLayout),
   FEATURE(SHARED_LAYOUT_8, workgroupMemoryExplicitLayout8BitAccess),
   FEATURE(SHARED_LAYOUT_16, workgroupMemoryExplicitLayout16BitAccess),
   FEATURE(REPLICATED, shaderReplicatedComposites),
   FEATURE(COOPERATIVE_MATRIX, cooperativeMatrix),
   FEATURE(EARLY_AND_LATE, shaderEarlyAndLateFragmentTests),
};
#undef FEATURE

enum {
   ALWAYS = SPIRV_FEATURE_CLIP_CULL | SPIRV_FEATURE_IMAGE_CUBE_ARRAY | SPIRV_FEATURE_IMAGE_WITHOUT_FORMAT |
            SPIRV_FEATURE_DRAW_PARAMETERS | SPIRV_FEATURE_MULTIVIEW | SPIRV_FEATURE_SUBGROUPS |
            SPIRV_FEATURE_SUBGROUPS_KHR | SPIRV_FEATURE_DEMOTE | SPIRV_FEATURE_STENCIL_EXPORT,
   /* Only if the application enabled the feature. */
   ENABLED = SPIRV_FEATURE_SHADING_RATE | SPIRV_FEATURE_BARYCENTRIC | SPIRV_FEATURE_PIXEL_INTERLOCK |
             SPIRV_FEATURE_SAMPLE_INTERLOCK,
};

static uint64_t
allowed_by(const struct vk_features *features)
{
   uint64_t allowed = ALWAYS;
   for (size_t i = 0; i < ARRAY_SIZE(with_feature); i++)
      allowed |= *(const bool *)((const char *)features + with_feature[i].feature_B) ? with_feature[i].allowed : 0;
   return allowed;
}

static struct spirv_spec_constant *
spec_constants(struct arena *arena, const VkSpecializationInfo *info)
{
   struct spirv_spec_constant *constants = arena_array(arena, struct spirv_spec_constant, info->mapEntryCount);
   for (uint32_t i = 0; i < info->mapEntryCount; i++) {
      const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
      constants[i].id = entry->constantID;
      constants[i].size_B = (uint32_t)entry->size;
      if (entry->size <= sizeof(constants[i].value))
         memcpy(&constants[i].value, (const char *)info->pData + entry->offset, entry->size);
   }
   return constants;
}

struct vk_spirv
vk_stage_code(const VkPipelineShaderStageCreateInfo *stage)
{
   VK_FROM(vk_shader_module, module, stage->module);
   const VkShaderModuleCreateInfo *described =
      vk_find_struct(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
   if (module)
      return (struct vk_spirv){module->code, module->words};
   return described ? (struct vk_spirv){described->pCode, described->codeSize / 4} : (struct vk_spirv){0};
}

bool
vk_device_has_stage(const struct vk_device *device, const VkPipelineShaderStageCreateInfo *stage)
{
   const enum nir_stage nir_stage = vk_shader_stage(stage->stage);
   if (device->screen->caps.shader_stages & stage->stage)
      return true;
   log_error("%s: the device has no %s shaders", stage->pName,
             nir_stage < NIR_STAGES ? nir_stage_names[nir_stage] : "such");
   return false;
}

const VkPipelineShaderStageCreateInfo *
vk_robust_stage(const VkPipelineShaderStageCreateInfo *stage, const void *of_pipeline, struct vk_robust_stage *room)
{
   const VkStructureType type = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO;
   const VkPipelineRobustnessCreateInfo *robustness = vk_find_struct(of_pipeline, type);
   if (!robustness || vk_find_struct(stage->pNext, type))
      return stage;
   room->robustness = *robustness;
   room->robustness.pNext = (void *)stage->pNext;
   room->stage = *stage;
   room->stage.pNext = &room->robustness;
   return &room->stage;
}

static enum nir_robust
robust_access(const struct vk_device *device, VkPipelineRobustnessBufferBehavior wanted)
{
   switch (wanted) {
   case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED:
      return NIR_ROBUST_NONE;
   case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS:
      return NIR_ROBUST_INSIDE;
   case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2:
      return NIR_ROBUST_ZERO;
   case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT:
   case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_MAX_ENUM:
      break;
   }
   return device->features.robustBufferAccess2  ? NIR_ROBUST_ZERO
          : device->features.robustBufferAccess ? NIR_ROBUST_INSIDE
                                                : NIR_ROBUST_NONE;
}

static void
set_robustness(const struct vk_device *device, const VkPipelineShaderStageCreateInfo *stage,
               struct nir_shader *shader)
{
   const VkPipelineRobustnessCreateInfo *asked =
      vk_find_struct(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO);
   const VkPipelineRobustnessBufferBehavior otherwise = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT;
   shader->info.robust_uniform = (uint8_t)robust_access(device, asked ? asked->uniformBuffers : otherwise);
   shader->info.robust_storage = (uint8_t)robust_access(device, asked ? asked->storageBuffers : otherwise);
}

/* What extensions of AMD without features add to SPIR-V. */
static uint64_t
of_amd(const struct pipe_caps *caps)
{
   const uint64_t all = SPIRV_FEATURE_AMD_TRINARY | SPIRV_FEATURE_AMD_GCN | SPIRV_FEATURE_AMD_BALLOT |
                        SPIRV_FEATURE_AMD_EXPLICIT | SPIRV_FEATURE_AMD_IMAGE_LOD;
   return (caps->amd_instruction_sets ? all : 0) | (caps->fragment_masks ? SPIRV_FEATURE_AMD_FRAGMENT_MASK : 0) |
          (caps->gather_levels ? SPIRV_FEATURE_AMD_GATHER_LOD : 0);
}

struct nir_shader *
vk_shader_to_nir(struct vk_device *device, struct arena *arena, const VkPipelineShaderStageCreateInfo *stage)
{
   const struct vk_spirv spirv = vk_stage_code(stage);
   enum nir_stage nir_stage = vk_shader_stage(stage->stage);
   if (!vk_device_has_stage(device, stage))
      return NULL;
   const VkSpecializationInfo *info = stage->pSpecializationInfo;
   const struct pipe_caps *caps = &device->screen->caps;
   const uint64_t modes = (caps->float_modes ? SPIRV_FEATURE_ROUND_TO_ZERO : 0) |
                          (caps->post_depth_coverage ? SPIRV_FEATURE_POST_DEPTH_COVERAGE : 0);
   const uint64_t offered = allowed_by(&device->physical->features) | modes | of_amd(caps);
   /* glslang declares what any built-in of its block of primitives asks for. */
   const uint64_t unasked = nir_stage == NIR_STAGE_MESH ? SPIRV_FEATURE_SHADING_RATE : 0;
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *required =
      vk_find_struct(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
   struct spirv_options options = {
      .entry_point = stage->pName,
      .stage = nir_stage,
      .features = offered & (allowed_by(&device->features) | unasked | ~(uint64_t)ENABLED),
      .offered = offered,
      .device = device->screen->caps.device_name,
      .spec_constants = info ? spec_constants(arena, info) : NULL,
      .num_spec_constants = info ? info->mapEntryCount : 0,
      .matrix_subgroup_size = required ? required->requiredSubgroupSize : caps->subgroup_size,
   };
   const char *error = NULL;
   struct nir_shader *shader = spirv_to_nir(arena, spirv.code, spirv.words, &options, &error);
   if (!shader) {
      log_error("%s: %s", stage->pName, error);
      return NULL;
   }
   if (required)
      shader->info.subgroup_size = (uint8_t)required->requiredSubgroupSize;
   set_robustness(device, stage, shader);
   shader->info.buffer_holes = device->features.sparseResidencyBuffer;
   const bool implied = spirv.code[1] >= 0x10600; /* the module's version: from 1.6 on nobody has to ask */
   shader->info.subgroup_varies =
      implied || stage->flags & VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
   return shader;
}

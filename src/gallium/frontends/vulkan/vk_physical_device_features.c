/* Features of a physical device. */
#include "gallium/frontends/vulkan/vk_private.h"

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice, VkPhysicalDeviceFeatures *pFeatures)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   *pFeatures = (VkPhysicalDeviceFeatures){
      .robustBufferAccess = VK_TRUE,
      .fullDrawIndexUint32 = VK_TRUE,
      .imageCubeArray = VK_TRUE,
      .independentBlend = VK_TRUE,
      .sampleRateShading = caps->sample_rate_shading,
      .dualSrcBlend = caps->dual_source_blend,
      .logicOp = caps->logic_op,
      .multiDrawIndirect = VK_TRUE,
      .drawIndirectFirstInstance = VK_TRUE,
      .depthClamp = caps->depth_clamp,
      .depthBiasClamp = VK_TRUE,
      .fillModeNonSolid = caps->fill_mode_non_solid,
      .depthBounds = caps->depth_bounds,
      .wideLines = caps->wide_lines,
      .largePoints = caps->large_points,
      .multiViewport = caps->multi_viewport,
      .samplerAnisotropy = caps->anisotropy,
      .textureCompressionBC = caps->texture_bc,
      .occlusionQueryPrecise = VK_TRUE,
      .pipelineStatisticsQuery = VK_TRUE,
      .vertexPipelineStoresAndAtomics = VK_TRUE,
      .fragmentStoresAndAtomics = VK_TRUE,
      .shaderImageGatherExtended = VK_TRUE,
      .shaderStorageImageExtendedFormats = VK_TRUE,
      .shaderStorageImageReadWithoutFormat = VK_TRUE,
      .shaderStorageImageWriteWithoutFormat = VK_TRUE,
      .shaderUniformBufferArrayDynamicIndexing = VK_TRUE,
      .shaderSampledImageArrayDynamicIndexing = VK_TRUE,
      .shaderStorageBufferArrayDynamicIndexing = VK_TRUE,
      .shaderStorageImageArrayDynamicIndexing = VK_TRUE,
      .shaderClipDistance = VK_TRUE,
      .shaderCullDistance = VK_TRUE,
      .shaderFloat64 = caps->shader_float64,
      .shaderInt64 = caps->shader_int64,
      .shaderInt16 = caps->shader_int16,
      .inheritedQueries = VK_TRUE,
   };
}

#define FEATURES(type, s_type, ...)                                                                                  \
   case s_type: {                                                                                                    \
      type *features = (type *)it;                                                                                   \
      __VA_ARGS__                                                                                                    \
      break;                                                                                                         \
   }

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice, VkPhysicalDeviceFeatures2 *pFeatures)
{
   /* size: a flat switch */
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   indium_GetPhysicalDeviceFeatures(physicalDevice, &pFeatures->features);
   for (VkBaseOutStructure *it = pFeatures->pNext; it; it = it->pNext) {
      switch ((uint32_t)it->sType) { /* structs of extensions we do not know stay as they are */
      FEATURES(VkPhysicalDeviceMultiviewFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
         features->multiview = VK_TRUE;
         features->multiviewGeometryShader = VK_FALSE;
         features->multiviewTessellationShader = VK_FALSE;)
      FEATURES(VkPhysicalDevice16BitStorageFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
         features->storageBuffer16BitAccess = caps->shader_storage_small;
         features->uniformAndStorageBuffer16BitAccess = caps->shader_storage_small;
         features->storagePushConstant16 = caps->shader_storage_small;
         features->storageInputOutput16 = VK_FALSE;)
      FEATURES(VkPhysicalDevice8BitStorageFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
         features->storageBuffer8BitAccess = caps->shader_storage_small;
         features->uniformAndStorageBuffer8BitAccess = caps->shader_storage_small;
         features->storagePushConstant8 = caps->shader_storage_small;)
      FEATURES(VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
         features->shaderSubgroupExtendedTypes = VK_TRUE;)
      FEATURES(VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES,
         features->shaderDemoteToHelperInvocation = VK_TRUE;)
      FEATURES(VkPhysicalDeviceShaderTerminateInvocationFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES,
         features->shaderTerminateInvocation = VK_TRUE;)
      FEATURES(VkPhysicalDeviceShaderFloat16Int8Features,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
         features->shaderFloat16 = caps->shader_float16;
         features->shaderInt8 = caps->shader_int8;)
      FEATURES(VkPhysicalDeviceVariablePointersFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES,
         features->variablePointersStorageBuffer = VK_FALSE;
         features->variablePointers = VK_FALSE;)
      FEATURES(VkPhysicalDeviceProtectedMemoryFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
         features->protectedMemory = VK_FALSE;)
      FEATURES(VkPhysicalDeviceSamplerYcbcrConversionFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
         features->samplerYcbcrConversion = VK_FALSE;)
      FEATURES(VkPhysicalDeviceShaderDrawParametersFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES,
         features->shaderDrawParameters = VK_TRUE;)
      FEATURES(VkPhysicalDeviceTimelineSemaphoreFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
         features->timelineSemaphore = VK_TRUE;)
      FEATURES(VkPhysicalDeviceSynchronization2Features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
         features->synchronization2 = VK_TRUE;)
      FEATURES(VkPhysicalDeviceDynamicRenderingFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
         features->dynamicRendering = VK_TRUE;)
      FEATURES(VkPhysicalDeviceImagelessFramebufferFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES,
         features->imagelessFramebuffer = VK_TRUE;)
      FEATURES(VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES,
         features->separateDepthStencilLayouts = VK_TRUE;)
      FEATURES(VkPhysicalDeviceUniformBufferStandardLayoutFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
         features->uniformBufferStandardLayout = VK_TRUE;)
      FEATURES(VkPhysicalDeviceScalarBlockLayoutFeatures,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
         features->scalarBlockLayout = VK_TRUE;)
      FEATURES(VkPhysicalDeviceIndexTypeUint8FeaturesEXT,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT,
         features->indexTypeUint8 = VK_TRUE;)
      FEATURES(VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
         features->vertexAttributeInstanceRateDivisor = VK_TRUE;
         features->vertexAttributeInstanceRateZeroDivisor = VK_TRUE;)
      FEATURES(VkPhysicalDeviceHostQueryResetFeatures, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
         features->hostQueryReset = VK_TRUE;)
      FEATURES(VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
         features->fragmentShaderSampleInterlock = caps->fragment_interlock;
         features->fragmentShaderPixelInterlock = caps->fragment_interlock;
         features->fragmentShaderShadingRateInterlock = VK_FALSE;)
      default:
         break;
      }
   }
}

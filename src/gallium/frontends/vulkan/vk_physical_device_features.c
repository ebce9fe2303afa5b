/* Features of a physical device. */
#include <stddef.h>

#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

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
      .geometryShader = caps->shader_stages >> NIR_STAGE_GEOMETRY & 1,
      .tessellationShader = caps->shader_stages >> NIR_STAGE_TESS_CTRL & 1,
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
      .textureCompressionETC2 = caps->texture_etc2,
      .textureCompressionASTC_LDR = caps->texture_astc,
      .textureCompressionBC = caps->texture_bc,
      .occlusionQueryPrecise = VK_TRUE,
      .pipelineStatisticsQuery = caps->pipeline_statistics,
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
      .shaderResourceResidency = caps->shader_residency,
      .shaderResourceMinLod = caps->shader_residency,
      .sparseBinding = caps->sparse_binding,
      .sparseResidencyBuffer = caps->sparse_buffers,
      .sparseResidencyImage2D = caps->sparse_images_2d,
      .sparseResidencyImage3D = caps->sparse_images_3d,
      .sparseResidency2Samples = caps->sparse_sample_counts >> 1 & 1,
      .sparseResidency4Samples = caps->sparse_sample_counts >> 2 & 1,
      .sparseResidency8Samples = caps->sparse_sample_counts >> 3 & 1,
      .sparseResidencyAliased = caps->sparse_aliased,
      .inheritedQueries = VK_TRUE,
   };
}

/* Features in structs of a chain, and the bools of struct pipe_caps that say whether the device has them. */
enum { ALWAYS = UINT32_MAX, NEVER = UINT32_MAX - 1 };
#define CAP(name) offsetof(struct pipe_caps, name)
#define FEATURE(type, s_type, name, cap)                                                                             \
   {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##s_type, offsetof(VkPhysicalDevice##type, name), cap}
#define DYNAMIC_3(name, cap)                                                                                         \
   FEATURE(ExtendedDynamicState3FeaturesEXT, EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, extendedDynamicState3##name, cap)

static const struct {
   VkStructureType s_type;
   uint32_t feature_B, cap_B; /* cap_B: ALWAYS, NEVER, or where the bool is */
} chained_features[] = {
   FEATURE(MultiviewFeatures, MULTIVIEW_FEATURES, multiview, ALWAYS),
   FEATURE(MultiviewFeatures, MULTIVIEW_FEATURES, multiviewGeometryShader, NEVER),
   FEATURE(MultiviewFeatures, MULTIVIEW_FEATURES, multiviewTessellationShader, NEVER),
   FEATURE(16BitStorageFeatures, 16BIT_STORAGE_FEATURES, storageBuffer16BitAccess, CAP(shader_storage_small)),
   FEATURE(16BitStorageFeatures, 16BIT_STORAGE_FEATURES, uniformAndStorageBuffer16BitAccess,
           CAP(shader_storage_small)),
   FEATURE(16BitStorageFeatures, 16BIT_STORAGE_FEATURES, storagePushConstant16, CAP(shader_storage_small)),
   FEATURE(16BitStorageFeatures, 16BIT_STORAGE_FEATURES, storageInputOutput16, CAP(shader_io_16)),
   FEATURE(8BitStorageFeatures, 8BIT_STORAGE_FEATURES, storageBuffer8BitAccess, CAP(shader_storage_small)),
   FEATURE(8BitStorageFeatures, 8BIT_STORAGE_FEATURES, uniformAndStorageBuffer8BitAccess, CAP(shader_storage_small)),
   FEATURE(8BitStorageFeatures, 8BIT_STORAGE_FEATURES, storagePushConstant8, CAP(shader_storage_small)),
   FEATURE(ShaderSubgroupExtendedTypesFeatures, SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES, shaderSubgroupExtendedTypes,
           ALWAYS),
   FEATURE(SubgroupSizeControlFeatures, SUBGROUP_SIZE_CONTROL_FEATURES, subgroupSizeControl, ALWAYS),
   FEATURE(SubgroupSizeControlFeatures, SUBGROUP_SIZE_CONTROL_FEATURES, computeFullSubgroups, ALWAYS),
   FEATURE(ShaderDemoteToHelperInvocationFeatures, SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES,
           shaderDemoteToHelperInvocation, ALWAYS),
   FEATURE(ShaderTerminateInvocationFeatures, SHADER_TERMINATE_INVOCATION_FEATURES, shaderTerminateInvocation,
           ALWAYS),
   FEATURE(ShaderFloat16Int8Features, SHADER_FLOAT16_INT8_FEATURES, shaderFloat16, CAP(shader_float16)),
   FEATURE(ShaderFloat16Int8Features, SHADER_FLOAT16_INT8_FEATURES, shaderInt8, CAP(shader_int8)),
   FEATURE(VariablePointersFeatures, VARIABLE_POINTERS_FEATURES, variablePointersStorageBuffer, NEVER),
   FEATURE(VariablePointersFeatures, VARIABLE_POINTERS_FEATURES, variablePointers, NEVER),
   FEATURE(ProtectedMemoryFeatures, PROTECTED_MEMORY_FEATURES, protectedMemory, NEVER),
   FEATURE(SamplerYcbcrConversionFeatures, SAMPLER_YCBCR_CONVERSION_FEATURES, samplerYcbcrConversion, NEVER),
   FEATURE(ShaderDrawParametersFeatures, SHADER_DRAW_PARAMETERS_FEATURES, shaderDrawParameters, ALWAYS),
   FEATURE(TimelineSemaphoreFeatures, TIMELINE_SEMAPHORE_FEATURES, timelineSemaphore, ALWAYS),
   FEATURE(Synchronization2Features, SYNCHRONIZATION_2_FEATURES, synchronization2, ALWAYS),
   FEATURE(DynamicRenderingFeatures, DYNAMIC_RENDERING_FEATURES, dynamicRendering, ALWAYS),
   FEATURE(ImagelessFramebufferFeatures, IMAGELESS_FRAMEBUFFER_FEATURES, imagelessFramebuffer, ALWAYS),
   FEATURE(SeparateDepthStencilLayoutsFeatures, SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES, separateDepthStencilLayouts,
           ALWAYS),
   FEATURE(UniformBufferStandardLayoutFeatures, UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES, uniformBufferStandardLayout,
           ALWAYS),
   FEATURE(ScalarBlockLayoutFeatures, SCALAR_BLOCK_LAYOUT_FEATURES, scalarBlockLayout, ALWAYS),
   FEATURE(IndexTypeUint8FeaturesEXT, INDEX_TYPE_UINT8_FEATURES_EXT, indexTypeUint8, ALWAYS),
   FEATURE(VertexAttributeDivisorFeaturesEXT, VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
           vertexAttributeInstanceRateDivisor, ALWAYS),
   FEATURE(VertexAttributeDivisorFeaturesEXT, VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
           vertexAttributeInstanceRateZeroDivisor, ALWAYS),
   FEATURE(PipelineExecutablePropertiesFeaturesKHR, PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
           pipelineExecutableInfo, ALWAYS),
   FEATURE(GraphicsPipelineLibraryFeaturesEXT, GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, graphicsPipelineLibrary,
           ALWAYS),
   FEATURE(ExtendedDynamicStateFeaturesEXT, EXTENDED_DYNAMIC_STATE_FEATURES_EXT, extendedDynamicState, ALWAYS),
   FEATURE(ExtendedDynamicState2FeaturesEXT, EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, extendedDynamicState2, ALWAYS),
   FEATURE(ExtendedDynamicState2FeaturesEXT, EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, extendedDynamicState2LogicOp,
           CAP(logic_op)),
   FEATURE(ExtendedDynamicState2FeaturesEXT, EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
           extendedDynamicState2PatchControlPoints, NEVER),
   FEATURE(VertexInputDynamicStateFeaturesEXT, VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT, vertexInputDynamicState,
           ALWAYS),
   DYNAMIC_3(TessellationDomainOrigin, NEVER),
   DYNAMIC_3(DepthClampEnable, CAP(depth_clamp)),
   DYNAMIC_3(PolygonMode, CAP(fill_mode_non_solid)),
   DYNAMIC_3(RasterizationSamples, ALWAYS),
   DYNAMIC_3(SampleMask, ALWAYS),
   DYNAMIC_3(AlphaToCoverageEnable, ALWAYS),
   DYNAMIC_3(AlphaToOneEnable, NEVER),
   DYNAMIC_3(LogicOpEnable, CAP(logic_op)),
   DYNAMIC_3(ColorBlendEnable, ALWAYS),
   DYNAMIC_3(ColorBlendEquation, ALWAYS),
   DYNAMIC_3(ColorWriteMask, ALWAYS),
   DYNAMIC_3(RasterizationStream, NEVER),
   DYNAMIC_3(ConservativeRasterizationMode, NEVER),
   DYNAMIC_3(ExtraPrimitiveOverestimationSize, NEVER),
   DYNAMIC_3(DepthClipEnable, NEVER),
   DYNAMIC_3(SampleLocationsEnable, NEVER),
   DYNAMIC_3(ColorBlendAdvanced, NEVER),
   DYNAMIC_3(ProvokingVertexMode, NEVER),
   DYNAMIC_3(LineRasterizationMode, NEVER),
   DYNAMIC_3(LineStippleEnable, NEVER),
   DYNAMIC_3(DepthClipNegativeOneToOne, NEVER),
   DYNAMIC_3(ViewportWScalingEnable, NEVER),
   DYNAMIC_3(ViewportSwizzle, NEVER),
   DYNAMIC_3(CoverageToColorEnable, NEVER),
   DYNAMIC_3(CoverageToColorLocation, NEVER),
   DYNAMIC_3(CoverageModulationMode, NEVER),
   DYNAMIC_3(CoverageModulationTableEnable, NEVER),
   DYNAMIC_3(CoverageModulationTable, NEVER),
   DYNAMIC_3(CoverageReductionMode, NEVER),
   DYNAMIC_3(RepresentativeFragmentTestEnable, NEVER),
   DYNAMIC_3(ShadingRateImageEnable, NEVER),
   FEATURE(ShaderObjectFeaturesEXT, SHADER_OBJECT_FEATURES_EXT, shaderObject, ALWAYS),
   FEATURE(HostQueryResetFeatures, HOST_QUERY_RESET_FEATURES, hostQueryReset, ALWAYS),
   FEATURE(HostImageCopyFeaturesEXT, HOST_IMAGE_COPY_FEATURES_EXT, hostImageCopy, CAP(host_image_copy)),
   FEATURE(FragmentShaderInterlockFeaturesEXT, FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, fragmentShaderSampleInterlock,
           CAP(fragment_interlock)),
   FEATURE(FragmentShaderInterlockFeaturesEXT, FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, fragmentShaderPixelInterlock,
           CAP(fragment_interlock)),
   FEATURE(FragmentShaderInterlockFeaturesEXT, FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
           fragmentShaderShadingRateInterlock, NEVER),
   FEATURE(FragmentShaderBarycentricFeaturesKHR, FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR, fragmentShaderBarycentric,
           CAP(fragment_barycentric)),
   FEATURE(FragmentShadingRateFeaturesKHR, FRAGMENT_SHADING_RATE_FEATURES_KHR, pipelineFragmentShadingRate,
           CAP(shading_rate)),
   FEATURE(FragmentShadingRateFeaturesKHR, FRAGMENT_SHADING_RATE_FEATURES_KHR, primitiveFragmentShadingRate,
           CAP(shading_rate)),
   FEATURE(FragmentShadingRateFeaturesKHR, FRAGMENT_SHADING_RATE_FEATURES_KHR, attachmentFragmentShadingRate,
           CAP(attachment_shading_rate)),
};

/* Structs of extensions that we do not know stay as they are. */
VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice, VkPhysicalDeviceFeatures2 *pFeatures)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const char *caps = (const char *)&device->screen->caps;
   indium_GetPhysicalDeviceFeatures(physicalDevice, &pFeatures->features);
   for (VkBaseOutStructure *it = pFeatures->pNext; it; it = it->pNext) {
      for (size_t i = 0; i < ARRAY_SIZE(chained_features); i++) {
         uint32_t cap_B = chained_features[i].cap_B;
         if (chained_features[i].s_type != it->sType)
            continue;
         VkBool32 *feature = (VkBool32 *)((char *)it + chained_features[i].feature_B);
         *feature = cap_B == ALWAYS || (cap_B != NEVER && *(const bool *)(caps + cap_B));
      }
   }
}

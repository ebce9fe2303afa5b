/* Features, properties and limits of a physical device. */
#include <stdio.h>

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

static VkPhysicalDeviceLimits
device_limits(const struct pipe_caps *caps)
{
   /* size: a flat table */
   const uint32_t many = 1u << 20, samples = caps->sample_counts;
   return (VkPhysicalDeviceLimits){
      .maxImageDimension1D = caps->max_image_1d_px,
      .maxImageDimension2D = caps->max_image_2d_px,
      .maxImageDimension3D = caps->max_image_3d_px,
      .maxImageDimensionCube = caps->max_image_2d_px,
      .maxImageArrayLayers = caps->max_layers,
      .maxTexelBufferElements = 1u << 27,
      .maxUniformBufferRange = 1u << 27,
      .maxStorageBufferRange = 1u << 31,
      .maxPushConstantsSize = 256,
      .maxMemoryAllocationCount = 1u << 16,
      .maxSamplerAllocationCount = 1u << 16,
      .bufferImageGranularity = 1,
      .maxBoundDescriptorSets = PIPE_MAX_SETS,
      .maxPerStageDescriptorSamplers = many,
      .maxPerStageDescriptorUniformBuffers = many,
      .maxPerStageDescriptorStorageBuffers = many,
      .maxPerStageDescriptorSampledImages = many,
      .maxPerStageDescriptorStorageImages = many,
      .maxPerStageDescriptorInputAttachments = many,
      .maxPerStageResources = many,
      .maxDescriptorSetSamplers = many,
      .maxDescriptorSetUniformBuffers = many,
      .maxDescriptorSetUniformBuffersDynamic = PIPE_MAX_DYNAMIC_BUFFERS / 2,
      .maxDescriptorSetStorageBuffers = many,
      .maxDescriptorSetStorageBuffersDynamic = PIPE_MAX_DYNAMIC_BUFFERS / 2,
      .maxDescriptorSetSampledImages = many,
      .maxDescriptorSetStorageImages = many,
      .maxDescriptorSetInputAttachments = many,
      .maxVertexInputAttributes = PIPE_MAX_VERTEX_ATTRIBUTES,
      .maxVertexInputBindings = PIPE_MAX_VERTEX_BUFFERS,
      .maxVertexInputAttributeOffset = 2047,
      .maxVertexInputBindingStride = 2048,
      .maxVertexOutputComponents = 128,
      .maxFragmentInputComponents = 128,
      .maxFragmentOutputAttachments = PIPE_MAX_COLOR_TARGETS,
      .maxFragmentDualSrcAttachments = caps->dual_source_blend ? 1 : 0,
      .maxFragmentCombinedOutputResources = many,
      .maxComputeSharedMemorySize = caps->max_compute_shared_B,
      .maxComputeWorkGroupCount = {65535, 65535, 65535},
      .maxComputeWorkGroupInvocations = caps->max_workgroup_invocations,
      .maxComputeWorkGroupSize = {caps->max_workgroup_invocations, caps->max_workgroup_invocations,
                                  MIN2(caps->max_workgroup_invocations, 64)},
      .subPixelPrecisionBits = 8,
      .subTexelPrecisionBits = 8,
      .mipmapPrecisionBits = 8,
      .maxDrawIndexedIndexValue = UINT32_MAX,
      .maxDrawIndirectCount = UINT32_MAX,
      .maxSamplerLodBias = 16,
      .maxSamplerAnisotropy = caps->anisotropy ? 16 : 1,
      .maxViewports = caps->multi_viewport ? PIPE_MAX_VIEWPORTS : 1,
      .maxViewportDimensions = {caps->max_image_2d_px, caps->max_image_2d_px},
      .viewportBoundsRange = {-2.0f * (float)caps->max_image_2d_px, 2.0f * (float)caps->max_image_2d_px - 1},
      .viewportSubPixelBits = 8,
      .minMemoryMapAlignment = 4096,
      .minTexelBufferOffsetAlignment = caps->min_texel_offset_B,
      .minUniformBufferOffsetAlignment = caps->min_uniform_offset_B,
      .minStorageBufferOffsetAlignment = caps->min_storage_offset_B,
      .minTexelOffset = -32,
      .maxTexelOffset = 31,
      .minTexelGatherOffset = -32,
      .maxTexelGatherOffset = 31,
      .minInterpolationOffset = -2,
      .maxInterpolationOffset = 2,
      .subPixelInterpolationOffsetBits = 8,
      .maxFramebufferWidth = caps->max_image_2d_px,
      .maxFramebufferHeight = caps->max_image_2d_px,
      .maxFramebufferLayers = 1024,
      .framebufferColorSampleCounts = samples,
      .framebufferDepthSampleCounts = samples,
      .framebufferStencilSampleCounts = samples,
      .framebufferNoAttachmentsSampleCounts = samples,
      .maxColorAttachments = PIPE_MAX_COLOR_TARGETS,
      .sampledImageColorSampleCounts = samples,
      .sampledImageIntegerSampleCounts = samples,
      .sampledImageDepthSampleCounts = samples,
      .sampledImageStencilSampleCounts = samples,
      .storageImageSampleCounts = VK_SAMPLE_COUNT_1_BIT,
      .maxSampleMaskWords = 1,
      .timestampComputeAndGraphics = VK_TRUE,
      .timestampPeriod = (float)caps->timestamp_period_ns,
      .maxClipDistances = 8,
      .maxCullDistances = 8,
      .maxCombinedClipAndCullDistances = 8,
      .discreteQueuePriorities = 2,
      .pointSizeRange = {1, caps->large_points ? 8191.875f : 1},
      .lineWidthRange = {1, caps->wide_lines ? 8191.875f : 1},
      .pointSizeGranularity = caps->large_points ? 0.125f : 0,
      .lineWidthGranularity = caps->wide_lines ? 0.125f : 0,
      .strictLines = VK_FALSE,
      .standardSampleLocations = VK_TRUE,
      .optimalBufferCopyOffsetAlignment = 1,
      .optimalBufferCopyRowPitchAlignment = 1,
      .nonCoherentAtomSize = 64,
   };
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties *pProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   *pProperties = (VkPhysicalDeviceProperties){
      .apiVersion = INDIUM_API_VERSION,
      .driverVersion = VK_MAKE_VERSION(0, 1, 0),
      .vendorID = caps->vendor_id,
      .deviceID = caps->device_id,
      .deviceType = caps->integrated ? VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU : VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
      .limits = device_limits(caps),
   };
   snprintf(pProperties->deviceName, sizeof(pProperties->deviceName), "%s (Indium)", caps->device_name);
   memcpy(pProperties->pipelineCacheUUID, caps->driver_uuid, VK_UUID_SIZE);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2 *pProperties)
{
   /* size: a flat switch */
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   indium_GetPhysicalDeviceProperties(physicalDevice, &pProperties->properties);
   for (VkBaseOutStructure *it = pProperties->pNext; it; it = it->pNext) {
      switch ((uint32_t)it->sType) {
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES: {
         VkPhysicalDeviceIDProperties *id = (VkPhysicalDeviceIDProperties *)it;
         memcpy(id->deviceUUID, caps->device_uuid, VK_UUID_SIZE);
         memcpy(id->driverUUID, caps->driver_uuid, VK_UUID_SIZE);
         memset(id->deviceLUID, 0, VK_LUID_SIZE);
         id->deviceNodeMask = 0;
         id->deviceLUIDValid = VK_FALSE;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES: {
         VkPhysicalDeviceMaintenance3Properties *maintenance = (VkPhysicalDeviceMaintenance3Properties *)it;
         maintenance->maxPerSetDescriptors = 1u << 20;
         maintenance->maxMemoryAllocationSize = UINT64_C(1) << 32;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES: {
         VkPhysicalDeviceMultiviewProperties *multiview = (VkPhysicalDeviceMultiviewProperties *)it;
         multiview->maxMultiviewViewCount = 8;
         multiview->maxMultiviewInstanceIndex = INT32_MAX;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES:
         ((VkPhysicalDevicePointClippingProperties *)it)->pointClippingBehavior =
            VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES;
         break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES:
         ((VkPhysicalDeviceProtectedMemoryProperties *)it)->protectedNoFault = VK_FALSE;
         break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES: {
         VkPhysicalDeviceSubgroupProperties *subgroup = (VkPhysicalDeviceSubgroupProperties *)it;
         subgroup->subgroupSize = caps->subgroup_size;
         subgroup->supportedStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT |
                                     VK_SHADER_STAGE_COMPUTE_BIT;
         subgroup->supportedOperations =
            VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
            VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
            VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT | VK_SUBGROUP_FEATURE_CLUSTERED_BIT |
            VK_SUBGROUP_FEATURE_QUAD_BIT;
         subgroup->quadOperationsInAllStages = VK_TRUE;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES: {
         VkPhysicalDeviceDriverProperties *driver = (VkPhysicalDeviceDriverProperties *)it;
         driver->driverID = 0; /* no registered id */
         snprintf(driver->driverName, sizeof(driver->driverName), "Indium");
         snprintf(driver->driverInfo, sizeof(driver->driverInfo), "Indium 0.1.0");
         driver->conformanceVersion = (VkConformanceVersion){0, 0, 0, 0};
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES: {
         VkPhysicalDeviceDepthStencilResolveProperties *resolve = (VkPhysicalDeviceDepthStencilResolveProperties *)it;
         resolve->supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_AVERAGE_BIT;
         resolve->supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
         resolve->independentResolveNone = resolve->independentResolve = VK_TRUE;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT:
         ((VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT *)it)->maxVertexAttribDivisor = UINT32_MAX;
         break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES:
         ((VkPhysicalDeviceTimelineSemaphoreProperties *)it)->maxTimelineSemaphoreValueDifference = INT64_MAX;
         break;
      default:
         break;
      }
   }
}

static const VkQueueFamilyProperties queue_family = {
   .queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
   .queueCount = 1,
   .timestampValidBits = 64,
   .minImageTransferGranularity = {1, 1, 1},
};

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physicalDevice, uint32_t *pQueueFamilyPropertyCount,
                                              VkQueueFamilyProperties *pQueueFamilyProperties)
{
   if (!pQueueFamilyProperties) {
      *pQueueFamilyPropertyCount = 1;
   } else if (*pQueueFamilyPropertyCount) {
      *pQueueFamilyPropertyCount = 1;
      pQueueFamilyProperties[0] = queue_family;
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physicalDevice, uint32_t *pQueueFamilyPropertyCount,
                                               VkQueueFamilyProperties2 *pQueueFamilyProperties)
{
   if (!pQueueFamilyProperties) {
      *pQueueFamilyPropertyCount = 1;
   } else if (*pQueueFamilyPropertyCount) {
      *pQueueFamilyPropertyCount = 1;
      pQueueFamilyProperties[0].queueFamilyProperties = queue_family;
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice,
                                         VkPhysicalDeviceMemoryProperties *pMemoryProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const struct pipe_caps *caps = &device->screen->caps;
   memset(pMemoryProperties, 0, sizeof(*pMemoryProperties));
   pMemoryProperties->memoryHeapCount = caps->num_heaps;
   for (uint32_t i = 0; i < caps->num_heaps; i++) {
      pMemoryProperties->memoryHeaps[i] = (VkMemoryHeap){
         .size = caps->heaps[i].size_B,
         .flags = caps->heaps[i].device_local ? VK_MEMORY_HEAP_DEVICE_LOCAL_BIT : 0,
      };
   }
   pMemoryProperties->memoryTypeCount = caps->num_memory_types;
   for (uint32_t i = 0; i < caps->num_memory_types; i++) {
      const struct pipe_memory_type *type = &caps->memory_types[i];
      pMemoryProperties->memoryTypes[i] = (VkMemoryType){
         .heapIndex = type->heap,
         .propertyFlags = (type->device_local ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : 0) |
                          (type->host_visible ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT : 0) |
                          (type->host_coherent ? VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : 0) |
                          (type->host_cached ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : 0),
      };
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physicalDevice,
                                          VkPhysicalDeviceMemoryProperties2 *pMemoryProperties)
{
   indium_GetPhysicalDeviceMemoryProperties(physicalDevice, &pMemoryProperties->memoryProperties);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice physicalDevice,
                                                const VkPhysicalDeviceExternalFenceInfo *pExternalFenceInfo,
                                                VkExternalFenceProperties *pExternalFenceProperties)
{
   const VkExternalFenceHandleTypeFlags types =
      VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
   bool known = pExternalFenceInfo->handleType & types;
   pExternalFenceProperties->exportFromImportedHandleTypes = known ? types : 0;
   pExternalFenceProperties->compatibleHandleTypes = known ? types : 0;
   pExternalFenceProperties->externalFenceFeatures =
      known ? VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT : 0;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceExternalSemaphoreProperties(
   VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo *pExternalSemaphoreInfo,
   VkExternalSemaphoreProperties *pExternalSemaphoreProperties)
{
   const VkSemaphoreTypeCreateInfo *type =
      vk_find_struct(pExternalSemaphoreInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
   bool timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
   VkExternalSemaphoreHandleTypeFlags types = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT |
                                              (timeline ? 0 : VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
   bool known = pExternalSemaphoreInfo->handleType & types;
   pExternalSemaphoreProperties->exportFromImportedHandleTypes = known ? types : 0;
   pExternalSemaphoreProperties->compatibleHandleTypes = known ? types : 0;
   pExternalSemaphoreProperties->externalSemaphoreFeatures =
      known ? VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT : 0;
}

/* Properties and limits of a physical device. */
#include <stdio.h>

#include "gallium/frontends/vulkan/vk_host_copy.h"
#include "gallium/frontends/vulkan/vk_private.h"
#include "gallium/frontends/vulkan/vk_shader_object.h"
#include "util/macros.h"

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
      .sparseAddressSpaceSize = caps->sparse_space_B,
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
      .minTexelOffset = caps->min_offset_tl,
      .maxTexelOffset = (uint32_t)caps->max_offset_tl,
      .minTexelGatherOffset = caps->min_offset_tl,
      .maxTexelGatherOffset = (uint32_t)caps->max_offset_tl,
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
      .pointSizeRange = {1, caps->large_points ? caps->max_point_px : 1},
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
      .sparseProperties =
         {
            .residencyStandard2DBlockShape = caps->sparse_standard_2d,
            .residencyStandard2DMultisampleBlockShape = caps->sparse_standard_2d_samples,
            .residencyStandard3DBlockShape = caps->sparse_standard_3d,
            .residencyNonResidentStrict = caps->sparse_zero,
         },
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
         subgroup->supportedStages = caps->shader_stages; /* the same bits: vk_shader.h */
         subgroup->supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
                                         VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
                                         VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
                                         VK_SUBGROUP_FEATURE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT;
         subgroup->quadOperationsInAllStages = VK_TRUE;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES: {
         VkPhysicalDeviceSubgroupSizeControlProperties *control = (VkPhysicalDeviceSubgroupSizeControlProperties *)it;
         control->minSubgroupSize = caps->min_subgroup_size;
         control->maxSubgroupSize = caps->max_subgroup_size;
         control->maxComputeWorkgroupSubgroups = caps->max_workgroup_invocations / caps->min_subgroup_size;
         control->requiredSubgroupSizeStages = caps->shader_stages;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES: {
         VkPhysicalDeviceDriverProperties *driver = (VkPhysicalDeviceDriverProperties *)it;
         driver->driverID = 0; /* no registered id */
         snprintf(driver->driverName, sizeof(driver->driverName), "Indium");
         snprintf(driver->driverInfo, sizeof(driver->driverInfo), "Indium 0.1.0");
         driver->conformanceVersion = device->instance->conformance;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES: {
         VkPhysicalDeviceDepthStencilResolveProperties *resolve = (VkPhysicalDeviceDepthStencilResolveProperties *)it;
         resolve->supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_AVERAGE_BIT;
         resolve->supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
         resolve->independentResolveNone = resolve->independentResolve = VK_TRUE;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_PROPERTIES_KHR:
         ((VkPhysicalDeviceFragmentShaderBarycentricPropertiesKHR *)it)
            ->triStripVertexOrderIndependentOfProvokingVertex = VK_FALSE;
         break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT:
         ((VkPhysicalDeviceExtendedDynamicState3PropertiesEXT *)it)->dynamicPrimitiveTopologyUnrestricted = VK_TRUE;
         break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR:
         vk_shading_rate_properties(caps, (VkPhysicalDeviceFragmentShadingRatePropertiesKHR *)it);
         break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT: {
         VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT *library =
            (VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT *)it;
         library->graphicsPipelineLibraryFastLinking = device->screen->shader_complete != NULL;
         library->graphicsPipelineLibraryIndependentInterpolationDecoration = VK_TRUE;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES_EXT:
         vk_host_copy_properties(caps, (VkPhysicalDeviceHostImageCopyPropertiesEXT *)it);
         break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT: {
         VkPhysicalDeviceShaderObjectPropertiesEXT *binary = (VkPhysicalDeviceShaderObjectPropertiesEXT *)it;
         vk_shader_binary_uuid(caps, binary->shaderBinaryUUID);
         binary->shaderBinaryVersion = VK_SHADER_BINARY_VERSION;
         break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT:
         ((VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT *)it)->maxVertexAttribDivisor = UINT32_MAX;
         break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES:
         ((VkPhysicalDeviceTimelineSemaphoreProperties *)it)->maxTimelineSemaphoreValueDifference = INT64_MAX;
         break;
      default: /* others: unknown structures are passed over, as Vulkan says */
         break;
      }
   }
}

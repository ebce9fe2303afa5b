/* What every Vulkan 1.1 device must have. Facts of the Vulkan specification (1.3.239): section "Required Format
 * Support" and the table "Required Limits" of section "Limit Requirements". */
#ifndef REQUIRED_H
#define REQUIRED_H

#include <vulkan/vulkan.h>

/* Letters of images with optimal tiling: s sampled (also source and destination of transfers), b source of blits,
 * f linear filter, i storage, I storage if shaderStorageImageExtendedFormats, a atomics, c colour attachment,
 * d destination of blits, n blending, z depth/stencil attachment. Letters of buffers: v vertices, u uniform texels,
 * t storage texels, x atomics on those. */
struct required_format {
   VkFormat format;
   const char *features;
};

static const struct required_format required_formats[] = {
   {VK_FORMAT_B4G4R4A4_UNORM_PACK16, "sbf"},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, "sbfcdn"},
   {VK_FORMAT_A1R5G5B5_UNORM_PACK16, "sbfcdn"},
   {VK_FORMAT_R8_UNORM, "sbfIcdnvu"},
   {VK_FORMAT_R8_SNORM, "sbfIvu"},
   {VK_FORMAT_R8_UINT, "sbIcdvu"},
   {VK_FORMAT_R8_SINT, "sbIcdvu"},
   {VK_FORMAT_R8G8_UNORM, "sbfIcdnvu"},
   {VK_FORMAT_R8G8_SNORM, "sbfIvu"},
   {VK_FORMAT_R8G8_UINT, "sbIcdvu"},
   {VK_FORMAT_R8G8_SINT, "sbIcdvu"},
   {VK_FORMAT_R8G8B8A8_UNORM, "sbficdnvut"},
   {VK_FORMAT_R8G8B8A8_SNORM, "sbfivut"},
   {VK_FORMAT_R8G8B8A8_UINT, "sbicdvut"},
   {VK_FORMAT_R8G8B8A8_SINT, "sbicdvut"},
   {VK_FORMAT_R8G8B8A8_SRGB, "sbfcdn"},
   {VK_FORMAT_B8G8R8A8_UNORM, "sbfcdnvu"},
   {VK_FORMAT_B8G8R8A8_SRGB, "sbfcdn"},
   {VK_FORMAT_A8B8G8R8_UNORM_PACK32, "sbfcdnvut"},
   {VK_FORMAT_A8B8G8R8_SNORM_PACK32, "sbfvut"},
   {VK_FORMAT_A8B8G8R8_UINT_PACK32, "sbcdvut"},
   {VK_FORMAT_A8B8G8R8_SINT_PACK32, "sbcdvut"},
   {VK_FORMAT_A8B8G8R8_SRGB_PACK32, "sbfcdn"},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, "sbfIcdnvu"},
   {VK_FORMAT_A2B10G10R10_UINT_PACK32, "sbIcdu"},
   {VK_FORMAT_R16_UNORM, "Iv"},
   {VK_FORMAT_R16_SNORM, "Iv"},
   {VK_FORMAT_R16_UINT, "sbIcdvu"},
   {VK_FORMAT_R16_SINT, "sbIcdvu"},
   {VK_FORMAT_R16_SFLOAT, "sbfIcdnvu"},
   {VK_FORMAT_R16G16_UNORM, "Iv"},
   {VK_FORMAT_R16G16_SNORM, "Iv"},
   {VK_FORMAT_R16G16_UINT, "sbIcdvu"},
   {VK_FORMAT_R16G16_SINT, "sbIcdvu"},
   {VK_FORMAT_R16G16_SFLOAT, "sbfIcdnvu"},
   {VK_FORMAT_R16G16B16A16_UNORM, "Iv"},
   {VK_FORMAT_R16G16B16A16_SNORM, "Iv"},
   {VK_FORMAT_R16G16B16A16_UINT, "sbicdvut"},
   {VK_FORMAT_R16G16B16A16_SINT, "sbicdvut"},
   {VK_FORMAT_R16G16B16A16_SFLOAT, "sbficdnvut"},
   {VK_FORMAT_R32_UINT, "sbiacdvutx"},
   {VK_FORMAT_R32_SINT, "sbiacdvutx"},
   {VK_FORMAT_R32_SFLOAT, "sbicdvut"},
   {VK_FORMAT_R32G32_UINT, "sbicdvut"},
   {VK_FORMAT_R32G32_SINT, "sbicdvut"},
   {VK_FORMAT_R32G32_SFLOAT, "sbicdvut"},
   {VK_FORMAT_R32G32B32_UINT, "v"},
   {VK_FORMAT_R32G32B32_SINT, "v"},
   {VK_FORMAT_R32G32B32_SFLOAT, "v"},
   {VK_FORMAT_R32G32B32A32_UINT, "sbicdvut"},
   {VK_FORMAT_R32G32B32A32_SINT, "sbicdvut"},
   {VK_FORMAT_R32G32B32A32_SFLOAT, "sbicdvut"},
   {VK_FORMAT_B10G11R11_UFLOAT_PACK32, "sbfIu"},
   {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, "sbf"},
   {VK_FORMAT_D16_UNORM, "sbz"},
   {VK_FORMAT_D32_SFLOAT, "sb"},
};

#define COUNTS_1_4 (VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT)

/* Kind, limit, value; or kind, feature, limit, value with and without the feature. */
#define REQUIRED_LIMITS(AT_LEAST, AT_MOST, HAS_BITS, AT_LEAST_IF, AT_MOST_IF) \
   AT_LEAST(maxImageDimension1D, 4096) \
   AT_LEAST(maxImageDimension2D, 4096) \
   AT_LEAST(maxImageDimension3D, 256) \
   AT_LEAST(maxImageDimensionCube, 4096) \
   AT_LEAST(maxImageArrayLayers, 256) \
   AT_LEAST(maxTexelBufferElements, 65536) \
   AT_LEAST(maxUniformBufferRange, 16384) \
   AT_LEAST(maxStorageBufferRange, 1u << 27) \
   AT_LEAST(maxPushConstantsSize, 128) \
   AT_LEAST(maxMemoryAllocationCount, 4096) \
   AT_LEAST(maxSamplerAllocationCount, 4000) \
   AT_MOST(bufferImageGranularity, 131072) \
   AT_LEAST_IF(sparseBinding, sparseAddressSpaceSize, UINT64_C(1) << 31, 0) \
   AT_LEAST(maxBoundDescriptorSets, 4) \
   AT_LEAST(maxPerStageDescriptorSamplers, 16) \
   AT_LEAST(maxPerStageDescriptorUniformBuffers, 12) \
   AT_LEAST(maxPerStageDescriptorStorageBuffers, 4) \
   AT_LEAST(maxPerStageDescriptorSampledImages, 16) \
   AT_LEAST(maxPerStageDescriptorStorageImages, 4) \
   AT_LEAST(maxPerStageDescriptorInputAttachments, 4) \
   AT_LEAST(maxPerStageResources, 128) \
   AT_LEAST(maxDescriptorSetSamplers, 96) \
   AT_LEAST(maxDescriptorSetUniformBuffers, 72) \
   AT_LEAST(maxDescriptorSetUniformBuffersDynamic, 8) \
   AT_LEAST(maxDescriptorSetStorageBuffers, 24) \
   AT_LEAST(maxDescriptorSetStorageBuffersDynamic, 4) \
   AT_LEAST(maxDescriptorSetSampledImages, 96) \
   AT_LEAST(maxDescriptorSetStorageImages, 24) \
   AT_LEAST(maxDescriptorSetInputAttachments, 4) \
   AT_LEAST(maxVertexInputAttributes, 16) \
   AT_LEAST(maxVertexInputBindings, 16) \
   AT_LEAST(maxVertexInputAttributeOffset, 2047) \
   AT_LEAST(maxVertexInputBindingStride, 2048) \
   AT_LEAST(maxVertexOutputComponents, 64) \
   AT_LEAST_IF(tessellationShader, maxTessellationGenerationLevel, 64, 0) \
   AT_LEAST_IF(tessellationShader, maxTessellationPatchSize, 32, 0) \
   AT_LEAST_IF(geometryShader, maxGeometryShaderInvocations, 32, 0) \
   AT_LEAST_IF(geometryShader, maxGeometryOutputVertices, 256, 0) \
   AT_LEAST(maxFragmentInputComponents, 64) \
   AT_LEAST(maxFragmentOutputAttachments, 4) \
   AT_LEAST_IF(dualSrcBlend, maxFragmentDualSrcAttachments, 1, 0) \
   AT_LEAST(maxFragmentCombinedOutputResources, 4) \
   AT_LEAST(maxComputeSharedMemorySize, 16384) \
   AT_LEAST(maxComputeWorkGroupCount[0], 65535) \
   AT_LEAST(maxComputeWorkGroupCount[1], 65535) \
   AT_LEAST(maxComputeWorkGroupCount[2], 65535) \
   AT_LEAST(maxComputeWorkGroupInvocations, 128) \
   AT_LEAST(maxComputeWorkGroupSize[0], 128) \
   AT_LEAST(maxComputeWorkGroupSize[1], 128) \
   AT_LEAST(maxComputeWorkGroupSize[2], 64) \
   AT_LEAST(subPixelPrecisionBits, 4) \
   AT_LEAST(subTexelPrecisionBits, 4) \
   AT_LEAST(mipmapPrecisionBits, 4) \
   AT_LEAST_IF(fullDrawIndexUint32, maxDrawIndexedIndexValue, UINT32_MAX, (1u << 24) - 1) \
   AT_LEAST_IF(multiDrawIndirect, maxDrawIndirectCount, 65535, 1) \
   AT_LEAST(maxSamplerLodBias, 2) \
   AT_LEAST_IF(samplerAnisotropy, maxSamplerAnisotropy, 16, 1) \
   AT_LEAST_IF(multiViewport, maxViewports, 16, 1) \
   AT_LEAST(maxViewportDimensions[0], 4096) \
   AT_LEAST(maxViewportDimensions[1], 4096) \
   AT_MOST(viewportBoundsRange[0], -8192) \
   AT_LEAST(viewportBoundsRange[1], 8191) \
   AT_LEAST(minMemoryMapAlignment, 64) \
   AT_MOST(minTexelBufferOffsetAlignment, 256) \
   AT_MOST(minUniformBufferOffsetAlignment, 256) \
   AT_MOST(minStorageBufferOffsetAlignment, 256) \
   AT_MOST(minTexelOffset, -8) \
   AT_LEAST(maxTexelOffset, 7) \
   AT_MOST_IF(shaderImageGatherExtended, minTexelGatherOffset, -8, 0) \
   AT_LEAST_IF(shaderImageGatherExtended, maxTexelGatherOffset, 7, 0) \
   AT_MOST_IF(sampleRateShading, minInterpolationOffset, -0.5f, 0) \
   AT_LEAST_IF(sampleRateShading, maxInterpolationOffset, 0.4375f, 0) \
   AT_LEAST_IF(sampleRateShading, subPixelInterpolationOffsetBits, 4, 0) \
   AT_LEAST(maxFramebufferWidth, 4096) \
   AT_LEAST(maxFramebufferHeight, 4096) \
   AT_LEAST(maxFramebufferLayers, 256) \
   HAS_BITS(framebufferColorSampleCounts, COUNTS_1_4) \
   HAS_BITS(framebufferDepthSampleCounts, COUNTS_1_4) \
   HAS_BITS(framebufferStencilSampleCounts, COUNTS_1_4) \
   HAS_BITS(framebufferNoAttachmentsSampleCounts, COUNTS_1_4) \
   AT_LEAST(maxColorAttachments, 4) \
   HAS_BITS(sampledImageColorSampleCounts, COUNTS_1_4) \
   HAS_BITS(sampledImageIntegerSampleCounts, VK_SAMPLE_COUNT_1_BIT) \
   HAS_BITS(sampledImageDepthSampleCounts, COUNTS_1_4) \
   HAS_BITS(sampledImageStencilSampleCounts, COUNTS_1_4) \
   HAS_BITS(storageImageSampleCounts, f->shaderStorageImageMultisample ? COUNTS_1_4 : VK_SAMPLE_COUNT_1_BIT) \
   AT_LEAST(maxSampleMaskWords, 1) \
   AT_LEAST_IF(shaderClipDistance, maxClipDistances, 8, 0) \
   AT_LEAST_IF(shaderCullDistance, maxCullDistances, 8, 0) \
   AT_LEAST_IF(shaderCullDistance, maxCombinedClipAndCullDistances, 8, 0) \
   AT_LEAST(discreteQueuePriorities, 2) \
   AT_MOST(pointSizeRange[0], 1) \
   AT_LEAST_IF(largePoints, pointSizeRange[1], 63.875f, 1) \
   AT_MOST(lineWidthRange[0], 1) \
   AT_LEAST_IF(wideLines, lineWidthRange[1], 7.875f, 1) \
   AT_MOST_IF(largePoints, pointSizeGranularity, 1, 0) \
   AT_MOST_IF(wideLines, lineWidthGranularity, 1, 0) \
   AT_MOST(nonCoherentAtomSize, 256)

#endif

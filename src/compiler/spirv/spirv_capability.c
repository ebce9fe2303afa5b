/* Capabilities: which a module may declare, and what declaring one implies. */
#include "compiler/spirv/spirv_module.h"
#include "util/macros.h"

/* Everything else is an error. Feature 0: core of Vulkan 1.0 or implied by nothing optional. */
static const struct {
   uint32_t capability; /* SpvCapability */
   uint64_t feature;    /* enum spirv_feature */
} supported[] = {
   {SpvCapabilityMatrix, 0},
   {SpvCapabilityShader, 0},
   {SpvCapabilitySampled1D, 0},
   {SpvCapabilityImage1D, 0},
   {SpvCapabilitySampledBuffer, 0},
   {SpvCapabilityImageBuffer, 0},
   {SpvCapabilityImageQuery, 0},
   {SpvCapabilityDerivativeControl, 0},
   {SpvCapabilityInputAttachment, 0},
   {SpvCapabilityStorageImageExtendedFormats, 0},
   {SpvCapabilityImageGatherExtended, 0},
   {SpvCapabilityUniformBufferArrayDynamicIndexing, 0},
   {SpvCapabilitySampledImageArrayDynamicIndexing, 0},
   {SpvCapabilityStorageBufferArrayDynamicIndexing, 0},
   {SpvCapabilityStorageImageArrayDynamicIndexing, 0},
   {SpvCapabilityDeviceGroup, 0},
   {SpvCapabilityIntegerFunctions2INTEL, 0},
   {SpvCapabilityInt8, SPIRV_FEATURE_INT8},
   {SpvCapabilityInt16, SPIRV_FEATURE_INT16},
   {SpvCapabilityInt64, SPIRV_FEATURE_INT64},
   {SpvCapabilityFloat16, SPIRV_FEATURE_FLOAT16},
   {SpvCapabilityFloat64, SPIRV_FEATURE_FLOAT64},
   {SpvCapabilityStorageBuffer8BitAccess, SPIRV_FEATURE_STORAGE_8},
   {SpvCapabilityUniformAndStorageBuffer8BitAccess, SPIRV_FEATURE_STORAGE_8},
   {SpvCapabilityStoragePushConstant8, SPIRV_FEATURE_STORAGE_8},
   {SpvCapabilityStorageBuffer16BitAccess, SPIRV_FEATURE_STORAGE_16},
   {SpvCapabilityUniformAndStorageBuffer16BitAccess, SPIRV_FEATURE_STORAGE_16},
   {SpvCapabilityStoragePushConstant16, SPIRV_FEATURE_STORAGE_16},
   {SpvCapabilityStorageInputOutput16, SPIRV_FEATURE_INPUT_OUTPUT_16},
   {SpvCapabilitySampleRateShading, SPIRV_FEATURE_SAMPLE_SHADING},
   {SpvCapabilityInterpolationFunction, SPIRV_FEATURE_SAMPLE_SHADING},
   {SpvCapabilityClipDistance, SPIRV_FEATURE_CLIP_CULL},
   {SpvCapabilityCullDistance, SPIRV_FEATURE_CLIP_CULL},
   {SpvCapabilityImageCubeArray, SPIRV_FEATURE_IMAGE_CUBE_ARRAY},
   {SpvCapabilitySampledCubeArray, SPIRV_FEATURE_IMAGE_CUBE_ARRAY},
   {SpvCapabilityStorageImageReadWithoutFormat, SPIRV_FEATURE_IMAGE_WITHOUT_FORMAT},
   {SpvCapabilityStorageImageWriteWithoutFormat, SPIRV_FEATURE_IMAGE_WITHOUT_FORMAT},
   {SpvCapabilityStorageImageMultisample, SPIRV_FEATURE_IMAGE_MULTISAMPLE},
   {SpvCapabilityImageMSArray, SPIRV_FEATURE_IMAGE_MULTISAMPLE},
   {SpvCapabilityMinLod, SPIRV_FEATURE_RESIDENCY},
   {SpvCapabilitySparseResidency, SPIRV_FEATURE_RESIDENCY},
   {SpvCapabilityDrawParameters, SPIRV_FEATURE_DRAW_PARAMETERS},
   {SpvCapabilityMultiView, SPIRV_FEATURE_MULTIVIEW},
   {SpvCapabilityShaderNonUniform, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityRuntimeDescriptorArray, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityInputAttachmentArrayDynamicIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityUniformTexelBufferArrayDynamicIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityStorageTexelBufferArrayDynamicIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityUniformBufferArrayNonUniformIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilitySampledImageArrayNonUniformIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityStorageBufferArrayNonUniformIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityStorageImageArrayNonUniformIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityInputAttachmentArrayNonUniformIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityUniformTexelBufferArrayNonUniformIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityStorageTexelBufferArrayNonUniformIndexing, SPIRV_FEATURE_DESCRIPTOR_INDEXING},
   {SpvCapabilityPhysicalStorageBufferAddresses, SPIRV_FEATURE_ADDRESSES},
   {SpvCapabilityVariablePointersStorageBuffer, SPIRV_FEATURE_VARIABLE_POINTERS_BUFFER},
   {SpvCapabilityVariablePointers, SPIRV_FEATURE_VARIABLE_POINTERS},
   {SpvCapabilityWorkgroupMemoryExplicitLayoutKHR, SPIRV_FEATURE_SHARED_LAYOUT},
   {SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR, SPIRV_FEATURE_SHARED_LAYOUT_8},
   {SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR, SPIRV_FEATURE_SHARED_LAYOUT_16},
   {SpvCapabilityReplicatedCompositesEXT, SPIRV_FEATURE_REPLICATED},
   {SpvCapabilityUntypedPointersKHR, 0},
   {SpvCapabilityDotProductFloat16AccFloat32VALVE, SPIRV_FEATURE_FLOAT16},
   {SpvCapabilityDotProductFloat16AccFloat16VALVE, SPIRV_FEATURE_FLOAT16},
   {SpvCapabilityVulkanMemoryModel, SPIRV_FEATURE_MEMORY_MODEL},
   {SpvCapabilityVulkanMemoryModelDeviceScope, SPIRV_FEATURE_MEMORY_MODEL},
   {SpvCapabilityDemoteToHelperInvocation, SPIRV_FEATURE_DEMOTE},
   {SpvCapabilityStencilExportEXT, SPIRV_FEATURE_STENCIL_EXPORT},
   {SpvCapabilitySampleMaskPostDepthCoverage, SPIRV_FEATURE_POST_DEPTH_COVERAGE},
   {SpvCapabilityShaderLayer, SPIRV_FEATURE_OUTPUT_LAYER},
   {SpvCapabilityShaderViewportIndex, SPIRV_FEATURE_OUTPUT_LAYER},
   {SpvCapabilityShaderViewportIndexLayerEXT, SPIRV_FEATURE_LAYER_VIEWPORT},
   {SpvCapabilityMultiViewport, SPIRV_FEATURE_LAYER_VIEWPORT},
   {SpvCapabilityGroupNonUniform, SPIRV_FEATURE_SUBGROUPS},
   {SpvCapabilityGroupNonUniformVote, SPIRV_FEATURE_SUBGROUPS},
   {SpvCapabilityGroupNonUniformArithmetic, SPIRV_FEATURE_SUBGROUPS},
   {SpvCapabilityGroupNonUniformBallot, SPIRV_FEATURE_SUBGROUPS},
   {SpvCapabilityGroupNonUniformShuffle, SPIRV_FEATURE_SUBGROUPS},
   {SpvCapabilityGroupNonUniformShuffleRelative, SPIRV_FEATURE_SUBGROUPS},
   {SpvCapabilityGroupNonUniformClustered, SPIRV_FEATURE_SUBGROUPS},
   {SpvCapabilityGroupNonUniformQuad, SPIRV_FEATURE_SUBGROUPS},
   {SpvCapabilitySubgroupBallotKHR, SPIRV_FEATURE_SUBGROUPS_KHR},
   {SpvCapabilitySubgroupVoteKHR, SPIRV_FEATURE_SUBGROUPS_KHR},
   {SpvCapabilityDenormPreserve, 0},
   {SpvCapabilityDenormFlushToZero, 0},
   {SpvCapabilityRoundingModeRTZ, SPIRV_FEATURE_ROUND_TO_ZERO},
   {SpvCapabilitySignedZeroInfNanPreserve, 0},
   {SpvCapabilityRoundingModeRTE, 0},
   {SpvCapabilityFloatControls2, SPIRV_FEATURE_FLOAT_CONTROLS_2},
   {SpvCapabilityGroupNonUniformRotateKHR, SPIRV_FEATURE_SUBGROUP_ROTATE},
   {SpvCapabilityQuadControlKHR, SPIRV_FEATURE_QUAD_CONTROL},
   {SpvCapabilityExpectAssumeKHR, SPIRV_FEATURE_EXPECT_ASSUME},
   {SpvCapabilityDotProduct, SPIRV_FEATURE_DOT_PRODUCT},
   {SpvCapabilityDotProductInput4x8Bit, SPIRV_FEATURE_DOT_PRODUCT},
   {SpvCapabilityDotProductInput4x8BitPacked, SPIRV_FEATURE_DOT_PRODUCT},
   {SpvCapabilityDotProductInputAll, SPIRV_FEATURE_DOT_PRODUCT},
   {SpvCapabilityInt64Atomics, SPIRV_FEATURE_INT64_ATOMICS},
   {SpvCapabilityAtomicFloat32AddEXT, SPIRV_FEATURE_FLOAT_ATOMIC_ADD},
   {SpvCapabilityAtomicFloat32MinMaxEXT, SPIRV_FEATURE_FLOAT_ATOMIC_MIN_MAX},
   {SpvCapabilityAtomicFloat64MinMaxEXT, SPIRV_FEATURE_DOUBLE_ATOMIC_MIN_MAX},
   {SpvCapabilityShaderClockKHR, SPIRV_FEATURE_SHADER_CLOCK},
   {SpvCapabilityFragmentShaderPixelInterlockEXT, SPIRV_FEATURE_PIXEL_INTERLOCK},
   {SpvCapabilityFragmentShaderSampleInterlockEXT, SPIRV_FEATURE_SAMPLE_INTERLOCK},
   {SpvCapabilityFragmentShadingRateKHR, SPIRV_FEATURE_SHADING_RATE},
   {SpvCapabilityGeometry, SPIRV_FEATURE_PRIMITIVE_ID},
   {SpvCapabilityMeshShadingEXT, SPIRV_FEATURE_MESH},
   {SpvCapabilityTessellation, SPIRV_FEATURE_TESSELLATION},
   {SpvCapabilityGeometryPointSize, SPIRV_FEATURE_GEOMETRY_POINT_SIZE},
   {SpvCapabilityTessellationPointSize, SPIRV_FEATURE_GEOMETRY_POINT_SIZE},
   {SpvCapabilityGeometryStreams, SPIRV_FEATURE_GEOMETRY_STREAMS},
   {SpvCapabilityTransformFeedback, SPIRV_FEATURE_XFB},
   {SpvCapabilityFragmentBarycentricKHR, SPIRV_FEATURE_BARYCENTRIC},
   {SpvCapabilityComputeDerivativeGroupQuadsKHR, SPIRV_FEATURE_COMPUTE_DERIVATIVES},
   {SpvCapabilityComputeDerivativeGroupLinearKHR, SPIRV_FEATURE_COMPUTE_DERIVATIVES},
   {SpvCapabilityInt64ImageEXT, SPIRV_FEATURE_IMAGE_INT64},
   {SpvCapabilityGroups, SPIRV_FEATURE_AMD_BALLOT},
   {SpvCapabilityImageReadWriteLodAMD, SPIRV_FEATURE_AMD_IMAGE_LOD},
   {SpvCapabilityImageGatherBiasLodAMD, SPIRV_FEATURE_AMD_GATHER_LOD},
   {SpvCapabilityCooperativeMatrixKHR, SPIRV_FEATURE_COOPERATIVE_MATRIX},
   {SpvCapabilityFragmentMaskAMD, SPIRV_FEATURE_AMD_FRAGMENT_MASK},
};

/* Marks the capability and what it implies. */
void
spirv_declare_capability(struct spirv_module *m, uint32_t capability)
{
   const struct spirv_enumerant_info *info = spirv_enumerant_info(SPIRV_KIND_CAPABILITY, capability);
   if (!info || capability >= SPIRV_MAX_CAPABILITY || bitset_test(m->capabilities, capability))
      return;
   bitset_set(m->capabilities, capability);
   for (uint32_t i = 0; i < info->num_capabilities; i++)
      spirv_declare_capability(m, spirv_table_capabilities[info->first_capability + i]);
}

static bool
is_supported(uint32_t capability)
{
   uint32_t i = 0;
   while (i < ARRAY_SIZE(supported) && supported[i].capability != capability)
      i++;
   return i < ARRAY_SIZE(supported);
}

/* That one of the capabilities which the instruction needs is supported, or that it needs none. */
void
spirv_check_instruction(struct spirv_module *m, const struct spirv_op_info *info)
{
   const uint32_t *capabilities = spirv_table_capabilities + info->first_capability;
   uint32_t declared = UINT32_MAX;
   for (uint32_t i = 0; i < info->num_capabilities; i++) {
      if (is_supported(capabilities[i]))
         return;
      if (declared == UINT32_MAX && spirv_has(m, (SpvCapability)capabilities[i]))
         declared = capabilities[i];
   }
   spirv_require(m, declared == UINT32_MAX, "it needs the capability %s, which is not supported",
                 spirv_enumerant_info(SPIRV_KIND_CAPABILITY, declared)->name);
}

static _Noreturn void
not_supported(struct spirv_module *m, const char *capability)
{
   if (m->options && m->options->device)
      spirv_fail(m, "capability %s is not supported on %s", capability, m->options->device);
   spirv_fail(m, "capability %s is not supported", capability);
}

/* Every OpCapability of the module against the table and the features of the options. */
void
spirv_check_features(struct spirv_module *m)
{
   for (m->at = 5; m->at < m->count && spirv_opcode(spirv_words(m, m->at)) == SpvOpCapability; m->at += 2) {
      uint32_t capability = spirv_words(m, m->at)[1], i = 0;
      while (i < ARRAY_SIZE(supported) && supported[i].capability != capability)
         i++;
      const char *name = spirv_enumerant_info(SPIRV_KIND_CAPABILITY, capability)->name;
      uint64_t lacks = m->options && i < ARRAY_SIZE(supported) ? supported[i].feature & ~m->options->features : 0;
      if (i == ARRAY_SIZE(supported) || (m->options && m->options->device && lacks & ~m->options->offered))
         not_supported(m, name);
      spirv_require(m, !lacks, "capability %s is not enabled", name);
   }
   m->at = 0;
   spirv_require(m, spirv_has(m, SpvCapabilityShader), "the module does not declare Shader");
}

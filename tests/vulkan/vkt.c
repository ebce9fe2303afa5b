#include "vkt_objects.h"
#include "vkt_sets.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool vkt_mesh_shaders, vkt_libraries, vkt_shading_rates, vkt_shader_objects, vkt_samplers, vkt_unrestricted_depth;
bool vkt_level_stores;

/* The extensions that the tests know, and the structs that enable their features. */
static const struct extension {
   const char *name; /* NULL: Vulkan 1.1 */
   VkStructureType features;
   size_t features_B;
} known[] = {
   {"VK_EXT_mesh_shader", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    sizeof(VkPhysicalDeviceMeshShaderFeaturesEXT)},
   {"VK_KHR_spirv_1_4", 0, 0},
   {"VK_EXT_graphics_pipeline_library", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    sizeof(VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT)},
   {"VK_KHR_pipeline_library", 0, 0},
   {"VK_KHR_fragment_shading_rate", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    sizeof(VkPhysicalDeviceFragmentShadingRateFeaturesKHR)},
   {"VK_EXT_shader_object", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    sizeof(VkPhysicalDeviceShaderObjectFeaturesEXT)},
   {"VK_EXT_custom_border_color", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
    sizeof(VkPhysicalDeviceCustomBorderColorFeaturesEXT)},
   {"VK_EXT_border_color_swizzle", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT,
    sizeof(VkPhysicalDeviceBorderColorSwizzleFeaturesEXT)},
   {"VK_EXT_non_seamless_cube_map", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT,
    sizeof(VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT)},
   {"VK_EXT_sampler_filter_minmax", 0, 0},
   {"VK_EXT_image_compression_control", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_COMPRESSION_CONTROL_FEATURES_EXT,
    sizeof(VkPhysicalDeviceImageCompressionControlFeaturesEXT)},
   {"VK_MESA_image_alignment_control", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ALIGNMENT_CONTROL_FEATURES_MESA,
    sizeof(VkPhysicalDeviceImageAlignmentControlFeaturesMESA)},
   {"VK_EXT_image_view_min_lod", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_MIN_LOD_FEATURES_EXT,
    sizeof(VkPhysicalDeviceImageViewMinLodFeaturesEXT)},
   {"VK_EXT_image_2d_view_of_3d", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT,
    sizeof(VkPhysicalDeviceImage2DViewOf3DFeaturesEXT)},
   {"VK_EXT_image_sliced_view_of_3d", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_SLICED_VIEW_OF_3D_FEATURES_EXT,
    sizeof(VkPhysicalDeviceImageSlicedViewOf3DFeaturesEXT)},
   {NULL, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, sizeof(VkPhysicalDeviceMultiviewFeatures)},
   {NULL, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES,
    sizeof(VkPhysicalDeviceShaderDrawParametersFeatures)},
   {NULL, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, sizeof(VkPhysicalDevice16BitStorageFeatures)},
   {"VK_KHR_8bit_storage", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
    sizeof(VkPhysicalDevice8BitStorageFeatures)},
   {"VK_KHR_shader_float16_int8", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
    sizeof(VkPhysicalDeviceShaderFloat16Int8Features)},
   {"VK_KHR_shader_subgroup_extended_types",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
    sizeof(VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures)},
   {"VK_KHR_shader_atomic_int64", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
    sizeof(VkPhysicalDeviceShaderAtomicInt64Features)},
   {"VK_EXT_shader_atomic_float", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
    sizeof(VkPhysicalDeviceShaderAtomicFloatFeaturesEXT)},
   {"VK_EXT_shader_atomic_float2", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT,
    sizeof(VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT)},
   {"VK_KHR_shader_clock", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,
    sizeof(VkPhysicalDeviceShaderClockFeaturesKHR)},
   {"VK_KHR_shader_expect_assume", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_EXPECT_ASSUME_FEATURES,
    sizeof(VkPhysicalDeviceShaderExpectAssumeFeatures)},
   {"VK_AMD_gcn_shader", 0, 0},
   {"VK_AMD_gpu_shader_half_float", 0, 0},
   {"VK_AMD_gpu_shader_int16", 0, 0},
   {"VK_AMD_shader_ballot", 0, 0},
   {"VK_AMD_shader_explicit_vertex_parameter", 0, 0},
   {"VK_AMD_shader_fragment_mask", 0, 0},
   {"VK_AMD_shader_image_load_store_lod", 0, 0},
   {"VK_AMD_shader_trinary_minmax", 0, 0},
   {"VK_AMD_texture_gather_bias_lod", 0, 0},
   {"VK_EXT_descriptor_buffer", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    sizeof(VkPhysicalDeviceDescriptorBufferFeaturesEXT)},
   {"VK_EXT_device_generated_commands", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    sizeof(VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT)},
   {"VK_KHR_compute_shader_derivatives", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR,
    sizeof(VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR)},
   {"VK_EXT_shader_image_atomic_int64", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT,
    sizeof(VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT)},
   {"VK_KHR_shader_float_controls", 0, 0},
   {"VK_KHR_shader_integer_dot_product", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
    sizeof(VkPhysicalDeviceShaderIntegerDotProductFeatures)},
   {"VK_KHR_shader_maximal_reconvergence",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR,
    sizeof(VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR)},
   {"VK_KHR_shader_quad_control", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_QUAD_CONTROL_FEATURES_KHR,
    sizeof(VkPhysicalDeviceShaderQuadControlFeaturesKHR)},
   {"VK_KHR_shader_subgroup_rotate", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_ROTATE_FEATURES,
    sizeof(VkPhysicalDeviceShaderSubgroupRotateFeatures)},
   {"VK_EXT_shader_subgroup_ballot", 0, 0},
   {"VK_EXT_shader_subgroup_vote", 0, 0},
   {"VK_EXT_subgroup_size_control", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
    sizeof(VkPhysicalDeviceSubgroupSizeControlFeatures)},
   {"VK_EXT_shader_demote_to_helper_invocation",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES,
    sizeof(VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures)},
   {"VK_KHR_shader_terminate_invocation", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES,
    sizeof(VkPhysicalDeviceShaderTerminateInvocationFeatures)},
   {"VK_EXT_fragment_shader_interlock", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
    sizeof(VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT)},
   {"VK_KHR_fragment_shader_barycentric", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR,
    sizeof(VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR)},
   {"VK_AMD_rasterization_order", 0, 0},
   {"VK_EXT_shader_stencil_export", 0, 0},
   {"VK_GOOGLE_decorate_string", 0, 0},
   {"VK_GOOGLE_hlsl_functionality1", 0, 0},
   {"VK_GOOGLE_user_type", 0, 0},
   {"VK_EXT_shader_module_identifier", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT,
    sizeof(VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT)},
   {"VK_EXT_shader_viewport_index_layer", 0, 0},
   {"VK_EXT_external_memory_host", 0, 0},
   {"VK_EXT_device_address_binding_report", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT,
    sizeof(VkPhysicalDeviceAddressBindingReportFeaturesEXT)},
   {"VK_EXT_device_fault", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
    sizeof(VkPhysicalDeviceFaultFeaturesEXT)},
   {"VK_KHR_pipeline_binary", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR,
    sizeof(VkPhysicalDevicePipelineBinaryFeaturesKHR)},
   {"VK_EXT_map_memory_placed", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT,
    sizeof(VkPhysicalDeviceMapMemoryPlacedFeaturesEXT)},
   {"VK_EXT_memory_priority", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PRIORITY_FEATURES_EXT,
    sizeof(VkPhysicalDeviceMemoryPriorityFeaturesEXT)},
   {"VK_EXT_post_depth_coverage", 0, 0},
   {"VK_EXT_discard_rectangles", 0, 0},
   {"VK_EXT_conservative_rasterization", 0, 0},
   {"VK_EXT_sample_locations", 0, 0},
   {"VK_AMD_mixed_attachment_samples", 0, 0},
   {"VK_AMD_shader_early_and_late_fragment_tests",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_EARLY_AND_LATE_FRAGMENT_TESTS_FEATURES_AMD,
    sizeof(VkPhysicalDeviceShaderEarlyAndLateFragmentTestsFeaturesAMD)},
   {"VK_EXT_conditional_rendering", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
    sizeof(VkPhysicalDeviceConditionalRenderingFeaturesEXT)},
   {"VK_EXT_transform_feedback", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    sizeof(VkPhysicalDeviceTransformFeedbackFeaturesEXT)},
   {"VK_EXT_primitives_generated_query", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
    sizeof(VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT)},
   {"VK_EXT_nested_command_buffer", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT,
    sizeof(VkPhysicalDeviceNestedCommandBufferFeaturesEXT)},
   {"VK_KHR_copy_commands2", 0, 0},
   {"VK_KHR_create_renderpass2", 0, 0},
   {"VK_KHR_depth_stencil_resolve", 0, 0},
   {"VK_KHR_draw_indirect_count", 0, 0},
   {"VK_KHR_maintenance4", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
    sizeof(VkPhysicalDeviceMaintenance4Features)},
   {"VK_KHR_maintenance5", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR,
    sizeof(VkPhysicalDeviceMaintenance5FeaturesKHR)},
   {"VK_KHR_maintenance6", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES_KHR,
    sizeof(VkPhysicalDeviceMaintenance6FeaturesKHR)},
   {"VK_KHR_maintenance7", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_7_FEATURES_KHR,
    sizeof(VkPhysicalDeviceMaintenance7FeaturesKHR)},
   {"VK_KHR_maintenance10", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR,
    sizeof(VkPhysicalDeviceMaintenance10FeaturesKHR)},
   {"VK_KHR_device_address_commands", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    sizeof(VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR)},
   {"VK_EXT_custom_resolve", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_RESOLVE_FEATURES_EXT,
    sizeof(VkPhysicalDeviceCustomResolveFeaturesEXT)},
   {"VK_KHR_maintenance9", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR,
    sizeof(VkPhysicalDeviceMaintenance9FeaturesKHR)},
   {"VK_KHR_maintenance8", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_8_FEATURES_KHR,
    sizeof(VkPhysicalDeviceMaintenance8FeaturesKHR)},
   {"VK_KHR_map_memory2", 0, 0},
   {"VK_KHR_vertex_attribute_divisor", 0, 0},
   {"VK_KHR_buffer_device_address", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    sizeof(VkPhysicalDeviceBufferDeviceAddressFeatures)},
   {"VK_KHR_dynamic_rendering", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
    sizeof(VkPhysicalDeviceDynamicRenderingFeatures)},
   {"VK_KHR_external_fence_fd", 0, 0},
   {"VK_KHR_external_memory_fd", 0, 0},
   {"VK_KHR_external_semaphore_fd", 0, 0},
   {"VK_KHR_image_format_list", 0, 0},
   {"VK_KHR_imageless_framebuffer", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES,
    sizeof(VkPhysicalDeviceImagelessFramebufferFeatures)},
   {"VK_KHR_pipeline_executable_properties",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
    sizeof(VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR)},
   {"VK_KHR_push_descriptor", 0, 0},
   {"VK_KHR_sampler_mirror_clamp_to_edge", 0, 0},
   {"VK_KHR_separate_depth_stencil_layouts",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES,
    sizeof(VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures)},
   {"VK_KHR_shader_relaxed_extended_instruction",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_RELAXED_EXTENDED_INSTRUCTION_FEATURES_KHR,
    sizeof(VkPhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR)},
   {"VK_EXT_blend_operation_advanced", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_FEATURES_EXT,
    sizeof(VkPhysicalDeviceBlendOperationAdvancedFeaturesEXT)},
   {"VK_VALVE_shader_mixed_float_dot_product",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MIXED_FLOAT_DOT_PRODUCT_FEATURES_VALVE,
    sizeof(VkPhysicalDeviceShaderMixedFloatDotProductFeaturesVALVE)},
   {"VK_KHR_copy_memory_indirect", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_KHR,
    sizeof(VkPhysicalDeviceCopyMemoryIndirectFeaturesKHR)},
   {"VK_KHR_shader_untyped_pointers", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNTYPED_POINTERS_FEATURES_KHR,
    sizeof(VkPhysicalDeviceShaderUntypedPointersFeaturesKHR)},
   {"VK_KHR_synchronization2", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
    sizeof(VkPhysicalDeviceSynchronization2Features)},
   {"VK_KHR_timeline_semaphore", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
    sizeof(VkPhysicalDeviceTimelineSemaphoreFeatures)},
   {"VK_KHR_uniform_buffer_standard_layout",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
    sizeof(VkPhysicalDeviceUniformBufferStandardLayoutFeatures)},
   {"VK_KHR_variable_pointers", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES,
    sizeof(VkPhysicalDeviceVariablePointersFeatures)},
   {"VK_KHR_vulkan_memory_model", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
    sizeof(VkPhysicalDeviceVulkanMemoryModelFeatures)},
   {"VK_KHR_workgroup_memory_explicit_layout",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR,
    sizeof(VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR)},
   {"VK_KHR_zero_initialize_workgroup_memory",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES,
    sizeof(VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures)},
   {"VK_EXT_descriptor_indexing", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
    sizeof(VkPhysicalDeviceDescriptorIndexingFeatures)},
   {"VK_EXT_extended_dynamic_state", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT,
    sizeof(VkPhysicalDeviceExtendedDynamicStateFeaturesEXT)},
   {"VK_EXT_extended_dynamic_state2", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
    sizeof(VkPhysicalDeviceExtendedDynamicState2FeaturesEXT)},
   {"VK_EXT_extended_dynamic_state3", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    sizeof(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT)},
   {"VK_EXT_external_memory_dma_buf", 0, 0},
   {"VK_KHR_format_feature_flags2", 0, 0},
   {"VK_EXT_host_image_copy", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES_EXT,
    sizeof(VkPhysicalDeviceHostImageCopyFeaturesEXT)},
   {"VK_EXT_host_query_reset", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
    sizeof(VkPhysicalDeviceHostQueryResetFeatures)},
   {"VK_EXT_image_drm_format_modifier", 0, 0},
   {"VK_EXT_index_type_uint8", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT,
    sizeof(VkPhysicalDeviceIndexTypeUint8FeaturesEXT)},
   {"VK_EXT_inline_uniform_block", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES,
    sizeof(VkPhysicalDeviceInlineUniformBlockFeatures)},
   {"VK_EXT_image_robustness", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES,
    sizeof(VkPhysicalDeviceImageRobustnessFeatures)},
   {"VK_KHR_sampler_ycbcr_conversion", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
    sizeof(VkPhysicalDeviceSamplerYcbcrConversionFeatures)},
   {"VK_EXT_ycbcr_2plane_444_formats", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_YCBCR_2_PLANE_444_FORMATS_FEATURES_EXT,
    sizeof(VkPhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT)},
   {"VK_EXT_ycbcr_image_arrays", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_YCBCR_IMAGE_ARRAYS_FEATURES_EXT,
    sizeof(VkPhysicalDeviceYcbcrImageArraysFeaturesEXT)},
   {"VK_EXT_load_store_op_none", 0, 0},
   {"VK_AMD_buffer_marker", 0, 0},
   {"VK_EXT_calibrated_timestamps", 0, 0},
   {"VK_EXT_global_priority_query", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GLOBAL_PRIORITY_QUERY_FEATURES_EXT,
    sizeof(VkPhysicalDeviceGlobalPriorityQueryFeaturesEXT)},
   {"VK_EXT_global_priority", 0, 0},
   {"VK_EXT_memory_budget", 0, 0},
   {"VK_EXT_pci_bus_info", 0, 0},
   {"VK_EXT_physical_device_drm", 0, 0},
   {"VK_EXT_pipeline_creation_cache_control",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
    sizeof(VkPhysicalDevicePipelineCreationCacheControlFeatures)},
   {"VK_EXT_pipeline_creation_feedback", 0, 0},
   {"VK_EXT_private_data", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES,
    sizeof(VkPhysicalDevicePrivateDataFeatures)},
   {"VK_EXT_mutable_descriptor_type", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
    sizeof(VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT)},
   {"VK_EXT_pipeline_protected_access", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_PROTECTED_ACCESS_FEATURES,
    sizeof(VkPhysicalDevicePipelineProtectedAccessFeatures)},
   {"VK_EXT_pipeline_robustness", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES,
    sizeof(VkPhysicalDevicePipelineRobustnessFeatures)},
   {"VK_EXT_robustness2", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    sizeof(VkPhysicalDeviceRobustness2FeaturesEXT)},
   {"VK_EXT_scalar_block_layout", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
    sizeof(VkPhysicalDeviceScalarBlockLayoutFeatures)},
   {"VK_EXT_separate_stencil_usage", 0, 0},
   {"VK_EXT_texel_buffer_alignment", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_FEATURES_EXT,
    sizeof(VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT)},
   {"VK_EXT_tooling_info", 0, 0},
   {"VK_KHR_cooperative_matrix", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
    sizeof(VkPhysicalDeviceCooperativeMatrixFeaturesKHR)},
   {"VK_EXT_shader_replicated_composites",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_REPLICATED_COMPOSITES_FEATURES_EXT,
    sizeof(VkPhysicalDeviceShaderReplicatedCompositesFeaturesEXT)},
   {"VK_EXT_vertex_attribute_divisor", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
    sizeof(VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT)},
   {"VK_EXT_legacy_vertex_attributes", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LEGACY_VERTEX_ATTRIBUTES_FEATURES_EXT,
    sizeof(VkPhysicalDeviceLegacyVertexAttributesFeaturesEXT)},
   {"VK_EXT_vertex_input_dynamic_state", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
    sizeof(VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT)},
   {"VK_EXT_color_write_enable", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
    sizeof(VkPhysicalDeviceColorWriteEnableFeaturesEXT)},
   {"VK_EXT_depth_clip_enable", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
    sizeof(VkPhysicalDeviceDepthClipEnableFeaturesEXT)},
   {"VK_EXT_multi_draw", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT,
    sizeof(VkPhysicalDeviceMultiDrawFeaturesEXT)},
   {"VK_EXT_provoking_vertex", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
    sizeof(VkPhysicalDeviceProvokingVertexFeaturesEXT)},
   {"VK_EXT_depth_bias_control", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_BIAS_CONTROL_FEATURES_EXT,
    sizeof(VkPhysicalDeviceDepthBiasControlFeaturesEXT)},
   {"VK_EXT_depth_clamp_control", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLAMP_CONTROL_FEATURES_EXT,
    sizeof(VkPhysicalDeviceDepthClampControlFeaturesEXT)},
   {"VK_EXT_depth_clip_control", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT,
    sizeof(VkPhysicalDeviceDepthClipControlFeaturesEXT)},
   {"VK_EXT_line_rasterization", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
    sizeof(VkPhysicalDeviceLineRasterizationFeaturesEXT)},
   {"VK_EXT_depth_range_unrestricted", 0, 0},
   {"VK_EXT_attachment_feedback_loop_layout",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
    sizeof(VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT)},
   {"VK_EXT_attachment_feedback_loop_dynamic_state",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_FEATURES_EXT,
    sizeof(VkPhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT)},
   {"VK_EXT_dynamic_rendering_unused_attachments",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_FEATURES_EXT,
    sizeof(VkPhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT)},
   {"VK_KHR_dynamic_rendering_local_read", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES,
    sizeof(VkPhysicalDeviceDynamicRenderingLocalReadFeatures)},
   {"VK_EXT_primitive_restart_index", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_RESTART_INDEX_FEATURES_EXT,
    sizeof(VkPhysicalDevicePrimitiveRestartIndexFeaturesEXT)},
   {"VK_KHR_unified_image_layouts", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFIED_IMAGE_LAYOUTS_FEATURES_KHR,
    sizeof(VkPhysicalDeviceUnifiedImageLayoutsFeaturesKHR)},
   {"VK_EXT_primitive_topology_list_restart",
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,
    sizeof(VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT)},
};
#define KNOWN (sizeof(known) / sizeof(known[0]))

/* Those that only some programs want. */
static const struct {
   const char *name;
   const bool *wanted;
} special[] = {
   {"VK_EXT_mesh_shader", &vkt_mesh_shaders},
   {"VK_EXT_graphics_pipeline_library", &vkt_libraries},
   {"VK_KHR_pipeline_library", &vkt_libraries},
   {"VK_KHR_fragment_shading_rate", &vkt_shading_rates},
   {"VK_EXT_shader_object", &vkt_shader_objects},
   {"VK_EXT_custom_border_color", &vkt_samplers},
   {"VK_EXT_border_color_swizzle", &vkt_samplers},
   {"VK_EXT_image_2d_view_of_3d", &vkt_samplers},
   {"VK_EXT_image_sliced_view_of_3d", &vkt_samplers},
   {"VK_EXT_image_view_min_lod", &vkt_samplers},
   {"VK_EXT_non_seamless_cube_map", &vkt_samplers},
   {"VK_EXT_sampler_filter_minmax", &vkt_samplers},
   {"VK_KHR_sampler_ycbcr_conversion", &vkt_samplers},
   {"VK_EXT_ycbcr_2plane_444_formats", &vkt_samplers},
   {"VK_EXT_ycbcr_image_arrays", &vkt_samplers},
   {"VK_EXT_depth_range_unrestricted", &vkt_unrestricted_depth},
   {"VK_EXT_primitives_generated_query", &vkt_generated_query},
   {"VK_AMD_shader_image_load_store_lod", &vkt_level_stores},
   {"VK_AMD_shader_fragment_mask", &vkt_fragment_masks},
   {"VK_EXT_descriptor_buffer", &vkt_descriptor_buffers},
   {"VK_EXT_device_generated_commands", &vkt_generated_commands},
   {"VK_EXT_legacy_vertex_attributes", &vkt_legacy_attributes},
   {"VK_EXT_device_address_binding_report", &vkt_address_reports},
};

VkPhysicalDeviceFeatures vkt_features;
bool vkt_robust, vkt_robust2, vkt_float16, vkt_int8, vkt_parts;
bool vkt_all_queues;
bool vkt_generated_query = true;
bool vkt_sparse_buffers, vkt_fragment_masks, vkt_descriptor_buffers, vkt_generated_commands;
bool vkt_legacy_attributes, vkt_address_reports;
struct vkt_queue vkt_queues[VKT_MAX_QUEUES];
uint32_t vkt_num_queues;
#define MAX_FAMILIES 8
static bool enabled[KNOWN];
static unsigned passed, failed;
static uint32_t seed = 0x2545f491;

static void
fail(const char *message)
{
   fprintf(stderr, "%s\n", message);
   exit(1);
}

static void
create_instance(struct vkx *vkx, const char *program)
{
   const VkApplicationInfo app = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = program, .apiVersion = VK_API_VERSION_1_1};
   static const char *const debug_utils = "VK_EXT_debug_utils";
   const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                      .pApplicationInfo = &app,
                                      .enabledExtensionCount = vkt_address_reports,
                                      .ppEnabledExtensionNames = &debug_utils};
   vkx_check(vkCreateInstance(&info, NULL, &vkx->instance), "vkCreateInstance");
   VkPhysicalDevice devices[8];
   uint32_t count = 8;
   vkx_check(vkEnumeratePhysicalDevices(vkx->instance, &count, devices), "vkEnumeratePhysicalDevices");
   if (!count)
      fail("no Vulkan device");
   vkx->physical = devices[0];
   vkGetPhysicalDeviceProperties(vkx->physical, &vkx->properties);
   vkGetPhysicalDeviceMemoryProperties(vkx->physical, &vkx->memory);
   if (vkx->properties.apiVersion < VK_API_VERSION_1_1)
      fail("the device has no Vulkan 1.1");
   printf("device: %s\n", vkx->properties.deviceName);
}

static bool
is_wanted(const char *name)
{
   for (unsigned i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
      if (!strcmp(special[i].name, name))
         return *special[i].wanted;
   }
   return true;
}

static void
find_extensions(VkPhysicalDevice physical)
{
   uint32_t count = 0;
   vkx_check(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL), "extensions");
   VkExtensionProperties *list = calloc(count + 1, sizeof(*list));
   vkx_check(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list), "extensions");
   for (unsigned i = 0; i < KNOWN; i++) {
      enabled[i] = !known[i].name;
      for (uint32_t j = 0; j < count && known[i].name && is_wanted(known[i].name); j++)
         enabled[i] |= !strcmp(list[j].extensionName, known[i].name);
   }
   free(list);
}

/* What the device is created with; the list of queues is complete but for the handles. */
static uint32_t
choose_queues(struct vkx *vkx, VkDeviceQueueCreateInfo infos[MAX_FAMILIES])
{
   static const float priorities[VKT_MAX_QUEUES];
   VkQueueFamilyProperties families[MAX_FAMILIES];
   uint32_t count = MAX_FAMILIES;
   vkGetPhysicalDeviceQueueFamilyProperties(vkx->physical, &count, families);
   const char *family = getenv("VKT_FAMILY");
   vkx->family = family ? (uint32_t)atoi(family) : 0;
   if (vkx->family >= count) {
      printf("there is no family %u\n", vkx->family);
      exit(1);
   }
   count = vkt_all_queues || family ? count : 1;
   vkt_num_queues = 0;
   for (uint32_t i = 0; i < count; i++) {
      infos[i] = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = i,
                                           .queueCount = vkt_all_queues ? families[i].queueCount : 1,
                                           .pQueuePriorities = priorities};
      for (uint32_t j = 0; j < infos[i].queueCount && vkt_num_queues < VKT_MAX_QUEUES; j++)
         vkt_queues[vkt_num_queues++] = (struct vkt_queue){NULL, i, families[i].queueFlags};
   }
   return count;
}

static void
create_device(struct vkx *vkx)
{
   const char *names[KNOWN];
   uint32_t num_names = 0;
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
   for (unsigned i = 0; i < KNOWN; i++) {
      if (enabled[i] && known[i].name)
         names[num_names++] = known[i].name;
      if (!enabled[i] || !known[i].features_B)
         continue;
      VkBaseOutStructure *link = calloc(1, known[i].features_B);
      link->sType = known[i].features;
      link->pNext = features.pNext;
      features.pNext = link;
   }
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   features.features.robustBufferAccess = vkt_robust;
   features.features.sparseResidencyBuffer &= vkt_sparse_buffers;
   for (VkBaseOutStructure *link = features.pNext; link; link = link->pNext) {
      if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT && !vkt_shading_rates)
         ((VkPhysicalDeviceMeshShaderFeaturesEXT *)link)->primitiveFragmentShadingRateMeshShader = VK_FALSE;
      if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT)
         ((VkPhysicalDeviceRobustness2FeaturesEXT *)link)->robustBufferAccess2 = vkt_robust2;
   }
   vkt_features = features.features;
   VkDeviceQueueCreateInfo queues[MAX_FAMILIES];
   uint32_t num_families = choose_queues(vkx, queues);
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .pNext = &features,
                                    .queueCreateInfoCount = num_families,
                                    .pQueueCreateInfos = queues,
                                    .enabledExtensionCount = num_names,
                                    .ppEnabledExtensionNames = names};
   vkx_check(vkCreateDevice(vkx->physical, &info, NULL, &vkx->device), "vkCreateDevice");
   for (VkBaseOutStructure *link = features.pNext, *next; link; link = next) {
      next = link->pNext;
      if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES) {
         vkt_float16 = ((VkPhysicalDeviceShaderFloat16Int8Features *)link)->shaderFloat16;
         vkt_int8 = ((VkPhysicalDeviceShaderFloat16Int8Features *)link)->shaderInt8;
      }
      free(link);
   }
   vkGetDeviceQueue(vkx->device, vkx->family, 0, &vkx->queue);
   for (uint32_t i = 0, first = 0; i < vkt_num_queues; i++) {
      first = vkt_queues[i].family == vkt_queues[first].family ? first : i;
      vkGetDeviceQueue(vkx->device, vkt_queues[i].family, i - first, &vkt_queues[i].queue);
   }
   const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                              .queueFamilyIndex = vkx->family};
   vkx_check(vkCreateCommandPool(vkx->device, &pool_info, NULL, &vkx->pool), "vkCreateCommandPool");
}

struct vkx
vkt_create(const char *program)
{
   struct vkx vkx = {0};
   vkt_parts |= getenv("VKT_PARTS") != NULL;
   vkt_libraries |= vkt_parts;
   vkt_objects = getenv("VKT_OBJECTS") != NULL;
   vkt_shader_objects |= vkt_objects;
   create_instance(&vkx, program);
   find_extensions(vkx.physical);
   if (vkt_parts && !vkt_has("VK_EXT_graphics_pipeline_library"))
      fail("the device has no VK_EXT_graphics_pipeline_library");
   if (vkt_objects && !vkt_has("VK_EXT_shader_object"))
      fail("the device has no VK_EXT_shader_object");
   create_device(&vkx);
   vkt_objects_device = vkx;
   return vkx;
}

struct vkx
vkt_create_second(const struct vkx *first)
{
   struct vkx vkx = *first;
   create_device(&vkx);
   return vkx;
}

bool
vkt_has(const char *extension)
{
   for (unsigned i = 0; i < KNOWN; i++) {
      if (known[i].name && !strcmp(known[i].name, extension))
         return enabled[i];
   }
   fail(extension);
   return false;
}

bool
vkt_expect(bool ok, const char *format, ...)
{
   *(ok ? &passed : &failed) += 1;
   if (!ok) {
      va_list args;
      va_start(args, format);
      printf("FAILED: ");
      vprintf(format, args);
      printf("\n");
      va_end(args);
   }
   return ok;
}

void
vkt_skip(const char *what)
{
   printf("skipped: %s\n", what);
}

int
vkt_finish(struct vkx *vkx)
{
   if (vkx)
      vkx_destroy(vkx);
   printf("%u passed, %u failed\n", passed, failed);
   return failed || !passed;
}

uint32_t
vkt_random(void)
{
   seed ^= seed << 13;
   seed ^= seed >> 17;
   return seed ^= seed << 5;
}

void
vkt_seed(uint32_t sequence)
{
   seed = (sequence + 1) * UINT32_C(0x9e3779b1) | 1;
}

uint32_t
vkt_random_below(uint32_t limit)
{
   return vkt_random() % limit;
}

static VkDeviceMemory
allocate(struct vkx *vkx, VkMemoryRequirements needs, bool host_visible)
{
   VkMemoryPropertyFlags wanted = host_visible
                                     ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                                     : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
   uint32_t type = 0;
   while (type < vkx->memory.memoryTypeCount &&
          !(needs.memoryTypeBits >> type & 1 && (vkx->memory.memoryTypes[type].propertyFlags & wanted) == wanted))
      type++;
   if (type == vkx->memory.memoryTypeCount)
      fail("no fitting memory type");
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
   VkDeviceMemory memory;
   vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory), "vkAllocateMemory");
   return memory;
}

struct vkt_image
vkt_image_create(struct vkx *vkx, VkImageCreateInfo info, bool host_visible)
{
   struct vkt_image image;
   info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
   info.mipLevels += !info.mipLevels;
   info.arrayLayers += !info.arrayLayers;
   info.samples = info.samples ? info.samples : VK_SAMPLE_COUNT_1_BIT;
   info.extent.depth += !info.extent.depth;
   info.extent.height += !info.extent.height;
   image.info = info;
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &image.image), "vkCreateImage");
   VkMemoryRequirements needs;
   vkGetImageMemoryRequirements(vkx->device, image.image, &needs);
   image.memory = allocate(vkx, needs, host_visible);
   vkx_check(vkBindImageMemory(vkx->device, image.image, image.memory, 0), "vkBindImageMemory");
   return image;
}

void
vkt_image_destroy(struct vkx *vkx, struct vkt_image *image)
{
   vkDestroyImage(vkx->device, image->image, NULL);
   vkFreeMemory(vkx->device, image->memory, NULL);
}

VkImageView
vkt_view_create(struct vkx *vkx, const struct vkt_image *image, VkImageViewType type, VkImageAspectFlags aspects,
                uint32_t level, uint32_t first_layer, uint32_t layers)
{
   const VkImageViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = image->image,
      .viewType = type,
      .format = image->info.format,
      .subresourceRange = {aspects, level, 1, first_layer, layers},
   };
   VkImageView view;
   vkx_check(vkCreateImageView(vkx->device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

VkImageAspectFlags
vkt_aspects(VkFormat format)
{
   switch ((int)format) {
   case VK_FORMAT_D16_UNORM:
   case VK_FORMAT_X8_D24_UNORM_PACK32:
   case VK_FORMAT_D32_SFLOAT:
      return VK_IMAGE_ASPECT_DEPTH_BIT;
   case VK_FORMAT_S8_UINT:
      return VK_IMAGE_ASPECT_STENCIL_BIT;
   case VK_FORMAT_D16_UNORM_S8_UINT:
   case VK_FORMAT_D24_UNORM_S8_UINT:
   case VK_FORMAT_D32_SFLOAT_S8_UINT:
      return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
   default: /* others: colour */
      return VK_IMAGE_ASPECT_COLOR_BIT;
   }
}

#define ALL_ACCESS (VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT)

void
vkt_barrier(VkCommandBuffer cmd)
{
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, ALL_ACCESS,
                      VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, ALL_ACCESS);
}

void
vkt_begin_condition(struct vkx *vkx, VkCommandBuffer cmd, const struct vkx_buffer *words, uint32_t word,
                    bool inverted)
{
   const VkConditionalRenderingBeginInfoEXT info = {.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                    .buffer = words->buffer,
                                                    .offset = 4 * word,
                                                    .flags =
                                                       inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0};
   VKT_PROC(vkx, vkCmdBeginConditionalRenderingEXT)(cmd, &info);
}

void
vkt_transition(VkCommandBuffer cmd, const struct vkt_image *image, VkImageLayout from, VkImageLayout to)
{
   const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = ALL_ACCESS,
      .dstAccessMask = ALL_ACCESS,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image->image,
      .subresourceRange = {vkt_aspects(image->info.format), 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
   };
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 1, &barrier);
}

struct vkx_buffer
vkt_buffer_create(struct vkx *vkx, VkDeviceSize size_B, int fill)
{
   const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                    VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                    VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                    VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                    VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
   struct vkx_buffer buffer = vkx_buffer_create(vkx, size_B, usage, true);
   memset(buffer.map, fill, size_B);
   return buffer;
}

struct vkx_buffer
vkt_addressed_create(struct vkx *vkx, VkDeviceSize size_B, int fill)
{
   struct vkx_buffer buffer = {.size = size_B};
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = size_B,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
   };
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
   VkMemoryRequirements needs;
   vkGetBufferMemoryRequirements(vkx->device, buffer.buffer, &needs);
   const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   uint32_t type = 0;
   while (!(needs.memoryTypeBits >> type & 1) || (vkx->memory.memoryTypes[type].propertyFlags & wanted) != wanted)
      type++;
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .pNext = &flags,
                                          .allocationSize = needs.size + needs.alignment,
                                          .memoryTypeIndex = type};
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &buffer.memory), "vkAllocateMemory");
   vkx_check(vkBindBufferMemory(vkx->device, buffer.buffer, buffer.memory, needs.alignment), "vkBindBufferMemory");
   vkx_check(vkMapMemory(vkx->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.map), "vkMapMemory");
   buffer.map = (char *)buffer.map + needs.alignment;
   memset(buffer.map, fill, size_B);
   vkt_expect(vkt_address(vkx, &buffer) % 16 == 0, "the address is %#llx",
              (unsigned long long)vkt_address(vkx, &buffer));
   return buffer;
}

uint64_t
vkt_address(struct vkx *vkx, const struct vkx_buffer *buffer)
{
   const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                           .buffer = buffer->buffer};
   return VKT_PROC(vkx, vkGetBufferDeviceAddressKHR)(vkx->device, &info);
}

void
vkt_bindings_write(struct vkx *vkx, VkDescriptorSet set, uint32_t count, const struct vkt_descriptor *descriptors)
{
   for (uint32_t i = 0; i < count; i++)
      vkt_descriptor_write(vkx, set, i, 0, &descriptors[i]);
}

static VkDescriptorPool
create_pool(struct vkx *vkx, uint32_t count, const struct vkt_descriptor *descriptors)
{
   VkDescriptorPoolSize *sizes = malloc(count * sizeof(*sizes));
   for (uint32_t i = 0; i < count; i++)
      sizes[i] = (VkDescriptorPoolSize){descriptors[i].type, 1};
   VkDescriptorPool pool = vkt_pool_create(vkx, NULL, 0, 1, count, sizes);
   free(sizes);
   return pool;
}

VkDescriptorSet
vkt_bindings_create(struct vkx *vkx, VkDescriptorPool *pool, VkDescriptorSetLayout layout, uint32_t count,
                    const struct vkt_descriptor *descriptors)
{
   if (!*pool)
      *pool = create_pool(vkx, count, descriptors);
   VkDescriptorSet set;
   vkt_sets_allocate(vkx, NULL, *pool, 1, &layout, &set);
   vkt_bindings_write(vkx, set, count, descriptors);
   return set;
}

bool
vkt_is_indium(struct vkx *vkx)
{
   VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &driver};
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   return !strcmp(driver.driverName, "Indium");
}

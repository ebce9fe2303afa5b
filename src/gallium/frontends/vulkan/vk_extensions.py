"""What the driver offers: the core version and the extensions whose commands the dispatch tables know."""

API_VERSION = (1, 1)

INSTANCE_EXTENSIONS = [
  'VK_KHR_device_group_creation',
  'VK_KHR_external_fence_capabilities',
  'VK_KHR_external_memory_capabilities',
  'VK_KHR_external_semaphore_capabilities',
  'VK_KHR_get_physical_device_properties2',
]

DEVICE_EXTENSIONS = [
  'VK_KHR_bind_memory2',
  'VK_KHR_copy_commands2',
  'VK_KHR_create_renderpass2',
  'VK_KHR_dedicated_allocation',
  'VK_KHR_descriptor_update_template',
  'VK_KHR_device_group',
  'VK_KHR_draw_indirect_count',
  'VK_KHR_driver_properties',
  'VK_KHR_external_fence',
  'VK_KHR_external_fence_fd',
  'VK_KHR_external_memory',
  'VK_KHR_external_memory_fd',
  'VK_KHR_external_semaphore',
  'VK_KHR_external_semaphore_fd',
  'VK_KHR_get_memory_requirements2',
  'VK_KHR_image_format_list',
  'VK_KHR_imageless_framebuffer',
  'VK_KHR_maintenance1',
  'VK_KHR_maintenance2',
  'VK_KHR_maintenance3',
  'VK_KHR_multiview',
  'VK_KHR_relaxed_block_layout',
  'VK_KHR_sampler_mirror_clamp_to_edge',
  'VK_KHR_separate_depth_stencil_layouts',
  'VK_KHR_shader_draw_parameters',
  'VK_KHR_storage_buffer_storage_class',
  'VK_KHR_synchronization2',
  'VK_KHR_timeline_semaphore',
  'VK_KHR_uniform_buffer_standard_layout',
  'VK_EXT_fragment_shader_interlock',
  'VK_EXT_host_query_reset',
  'VK_EXT_index_type_uint8',
  'VK_EXT_scalar_block_layout',
  'VK_EXT_separate_stencil_usage',
  'VK_EXT_vertex_attribute_divisor',
]

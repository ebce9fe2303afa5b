/* Formats and images: what a device can do with them. */
#include "gallium/frontends/vulkan/vk_host_copy.h"
#include "gallium/frontends/vulkan/vk_modifier.h"
#include "gallium/frontends/vulkan/vk_sparse.h"
#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/format.h"
#include "util/macros.h"

uint32_t
vk_format_aspects(uint32_t format)
{
   const struct format_info *info = format_info(format);
   uint32_t aspects = 0;
   for (unsigned i = 0; info && i < info->component_count; i++) {
      if (info->components[i].name == FORMAT_DEPTH)
         aspects |= PIPE_ASPECT_DEPTH;
      else if (info->components[i].name == FORMAT_STENCIL)
         aspects |= PIPE_ASPECT_STENCIL;
   }
   return aspects ? aspects : PIPE_ASPECT_COLOR;
}

uint32_t
vk_aspects(VkImageAspectFlags aspects)
{
   return (aspects & (VK_IMAGE_ASPECT_COLOR_BIT | VK_PLANE_ASPECTS) ? PIPE_ASPECT_COLOR : 0) |
          (aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? PIPE_ASPECT_DEPTH : 0) |
          (aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? PIPE_ASPECT_STENCIL : 0);
}

struct feature {
   uint32_t pipe;
   VkFormatFeatureFlags vk;
};

static VkFormatFeatureFlags
map_features(const struct feature *map, unsigned count, uint32_t bits)
{
   VkFormatFeatureFlags features = 0;
   for (unsigned i = 0; i < count; i++)
      features |= bits & map[i].pipe ? map[i].vk : 0;
   return features;
}

VkFormatFeatureFlags
vk_image_features(uint32_t bits)
{
   static const struct feature map[] = {
      {PIPE_FORMAT_SAMPLED, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT},
      {PIPE_FORMAT_FILTER_LINEAR, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT},
      {PIPE_FORMAT_FILTER_MINMAX, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT},
      {PIPE_FORMAT_STORAGE, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT},
      {PIPE_FORMAT_STORAGE_ATOMIC, VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT},
      {PIPE_FORMAT_COLOR, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT},
      {PIPE_FORMAT_BLEND, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT},
      {PIPE_FORMAT_DEPTH_STENCIL, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT},
      {PIPE_FORMAT_BLIT_SRC, VK_FORMAT_FEATURE_BLIT_SRC_BIT},
      {PIPE_FORMAT_BLIT_DST, VK_FORMAT_FEATURE_BLIT_DST_BIT},
      {PIPE_FORMAT_SHADING_RATE, VK_FORMAT_FEATURE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR},
      {PIPE_FORMAT_TRANSFER, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT},
   };
   return map_features(map, ARRAY_SIZE(map), bits);
}

static bool
is_offered(uint32_t format)
{
   return vk_format_is_offered(format) && format_info(format);
}

static VkFormatFeatureFlags
buffer_features(const struct pipe_screen *screen, uint32_t format)
{
   static const struct feature map[] = {
      {PIPE_FORMAT_VERTEX, VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT},
      {PIPE_FORMAT_UNIFORM_TEXEL_BUFFER, VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT},
      {PIPE_FORMAT_STORAGE_TEXEL_BUFFER, VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT},
      {PIPE_FORMAT_STORAGE_TEXEL_BUFFER_ATOMIC, VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT},
   };
   if (!is_offered(format) || vk_format_planes(format) > 1)
      return 0;
   return map_features(map, ARRAY_SIZE(map), screen->format_features(screen, vk_stored_format(format), false));
}

static VkFormatFeatureFlags
plane_features(const struct pipe_screen *screen, uint32_t format, bool linear)
{
   return vk_image_features(screen->format_features(screen, format, linear));
}

static VkFormatFeatureFlags
planar_features(const struct pipe_screen *screen, uint32_t format, bool linear)
{
   VkFormatFeatureFlags planes[VK_MAX_PLANES] = {0};
   for (uint32_t i = 0; i < vk_format_planes(format); i++)
      planes[i] = plane_features(screen, vk_plane_format(format, i), linear);
   return vk_ycbcr_features(format, planes);
}

/* modifier: of images whose tiling it is. */
static VkFormatFeatureFlags
image_features(const struct pipe_screen *screen, uint32_t format, VkImageTiling tiling, uint64_t modifier)
{
   if (!is_offered(format))
      return 0;
   if (tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
      return vk_modifier_features(screen, format, modifier);
   if (vk_format_planes(format) > 1)
      return planar_features(screen, format, tiling == VK_IMAGE_TILING_LINEAR);
   return plane_features(screen, vk_stored_format(format), tiling == VK_IMAGE_TILING_LINEAR);
}

/* What such an image can do. */
static VkFormatFeatureFlags
features_of_image(const struct pipe_screen *screen, uint32_t format, const VkPhysicalDeviceImageFormatInfo2 *info)
{
   const VkPhysicalDeviceImageDrmFormatModifierInfoEXT *modifier =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT);
   return image_features(screen, format, info->tiling, modifier ? modifier->drmFormatModifier : 0);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                         VkFormatProperties *pFormatProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   *pFormatProperties = (VkFormatProperties){
      .linearTilingFeatures = image_features(device->screen, format, VK_IMAGE_TILING_LINEAR, 0),
      .optimalTilingFeatures = image_features(device->screen, format, VK_IMAGE_TILING_OPTIMAL, 0),
      .bufferFeatures = buffer_features(device->screen, format),
   };
}

VkFormatFeatureFlags2
vk_features_2(const struct pipe_screen *screen, uint32_t format, VkFormatFeatureFlags features)
{
   const bool depth = vk_format_aspects(format) & PIPE_ASPECT_DEPTH;
   const VkFormatFeatureFlags storage =
      VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
   VkFormatFeatureFlags2 all = features;
   if (features & storage)
      all |=
         VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT | VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
   if (features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT && depth)
      all |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
   if (features & VK_FORMAT_FEATURE_TRANSFER_SRC_BIT && screen->caps.host_image_copy)
      all |= VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT_EXT;
   return all;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice, VkFormat format,
                                          VkFormatProperties2 *pFormatProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   VkDrmFormatModifierPropertiesListEXT *modifiers = (VkDrmFormatModifierPropertiesListEXT *)vk_find_struct(
      pFormatProperties->pNext, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT);
   indium_GetPhysicalDeviceFormatProperties(physicalDevice, format, &pFormatProperties->formatProperties);
   VkDrmFormatModifierPropertiesList2EXT *modifiers_2 = (VkDrmFormatModifierPropertiesList2EXT *)vk_find_struct(
      pFormatProperties->pNext, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT);
   VkFormatProperties3 *properties =
      (VkFormatProperties3 *)vk_find_struct(pFormatProperties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
   const VkFormatProperties *features = &pFormatProperties->formatProperties;
   if (properties) {
      properties->linearTilingFeatures = vk_features_2(device->screen, format, features->linearTilingFeatures);
      properties->optimalTilingFeatures = vk_features_2(device->screen, format, features->optimalTilingFeatures);
      properties->bufferFeatures = vk_features_2(device->screen, format, features->bufferFeatures);
   }
   if (modifiers)
      vk_modifier_list(device->screen, format, modifiers);
   if (modifiers_2)
      vk_modifier_list_2(device->screen, format, modifiers_2);
}

static VkFormatFeatureFlags
features_of_usage(VkImageUsageFlags usage)
{
   return (usage & VK_IMAGE_USAGE_SAMPLED_BIT ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT : 0) |
          (usage & VK_IMAGE_USAGE_STORAGE_BIT ? VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT : 0) |
          (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT : 0) |
          (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT ? VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT : 0) |
          (usage & VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR
              ? VK_FORMAT_FEATURE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR
              : 0) |
          (usage & (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT)
              ? VK_FORMAT_FEATURE_TRANSFER_SRC_BIT
              : 0) |
          (usage & VK_IMAGE_USAGE_TRANSFER_DST_BIT ? VK_FORMAT_FEATURE_TRANSFER_DST_BIT : 0);
}

#define ATTACHMENT_FEATURES (VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)

static bool
usage_offered(VkImageUsageFlags usage, VkFormatFeatureFlags features)
{
   if ((usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT) && !(features & ATTACHMENT_FEATURES))
      return false;
   return !(features_of_usage(usage) & ~features);
}

/* Can a view of this format see an image of that one? By the classes of compatible formats. */
static bool
view_compatible(const struct format_info *view, const struct format_info *image, VkImageCreateFlags flags)
{
   const uint32_t planes = PIPE_ASPECT_DEPTH | PIPE_ASPECT_STENCIL;
   if (view->planes != 1 || view->block_size_B != image->block_size_B || view->compression ||
       (vk_format_aspects(view->format) | vk_format_aspects(image->format)) & planes)
      return false;
   return !image->compression || flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
}

/* Of a plane, or of all there is. */
static bool
view_compatible_with_plane(uint32_t view, uint32_t image, VkImageCreateFlags flags)
{
   bool compatible = false;
   for (uint32_t i = 0; i < vk_format_planes(image); i++)
      compatible |= view_compatible(format_info(view), format_info(vk_plane_format(image, i)), flags);
   return compatible;
}

/* What views of the image may be used for: with VK_IMAGE_CREATE_EXTENDED_USAGE_BIT more than its format can do. */
static VkFormatFeatureFlags
features_of_views(const struct pipe_screen *screen, const VkPhysicalDeviceImageFormatInfo2 *info,
                  VkFormatFeatureFlags features)
{
   const VkImageFormatListCreateInfo *list =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
   const uint32_t listed = list ? list->viewFormatCount : 0;
   if (!(info->flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT))
      return features;
   for (uint32_t i = 0; i < listed; i++)
      features |= features_of_image(screen, list->pViewFormats[i], info);
   for (uint32_t format = 1; !listed && format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; format++) {
      if (view_compatible_with_plane(format, info->format, info->flags))
         features |= features_of_image(screen, format, info);
   }
   return features;
}

/* The combinations of type, tiling and flags that no format has. */
static bool
shape_offered(const struct pipe_caps *caps, const VkPhysicalDeviceImageFormatInfo2 *info,
              VkFormatFeatureFlags features)
{
   const bool planar = vk_format_planes(info->format) > 1;
   const VkImageCreateFlags unsupported = VK_IMAGE_CREATE_PROTECTED_BIT | (planar ? 0 : VK_IMAGE_CREATE_DISJOINT_BIT);
   bool is_2d = info->type == VK_IMAGE_TYPE_2D, cube = info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
   bool linear_type = (is_2d || (info->type == VK_IMAGE_TYPE_1D && caps->linear_1d)) && !cube;
   if (info->flags & unsupported || (cube && !is_2d) || (info->tiling == VK_IMAGE_TILING_LINEAR && !linear_type))
      return false;
   if (format_info(info->format)->compression && info->type == VK_IMAGE_TYPE_1D)
      return false;
   if (planar)
      return is_2d && !cube && !vk_sparse(info->flags);
   return is_2d || !(features & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

static uint32_t
max_layers(const struct pipe_caps *caps, const VkPhysicalDeviceImageFormatInfo2 *info)
{
   if (info->type == VK_IMAGE_TYPE_3D || info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
      return 1;
   return info->tiling == VK_IMAGE_TILING_LINEAR ? caps->max_linear_layers : caps->max_layers;
}

static uint32_t
max_levels(const VkPhysicalDeviceImageFormatInfo2 *info, uint32_t width_px)
{
   const bool one = info->tiling != VK_IMAGE_TILING_OPTIMAL || vk_format_planes(info->format) > 1;
   return one ? 1 : log2_floor(width_px) + 1;
}

VkResult
vk_image_format_properties(struct vk_physical_device *device, const VkPhysicalDeviceImageFormatInfo2 *info,
                           VkImageFormatProperties *properties)
{
   const struct pipe_caps *caps = &device->screen->caps;
   const VkImageStencilUsageCreateInfo *stencil =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
   VkFormatFeatureFlags features = features_of_image(device->screen, info->format, info);
   /* Linear or with a modifier: of one level and sample. */
   bool single = info->tiling != VK_IMAGE_TILING_OPTIMAL;
   bool blocks_3d = info->type == VK_IMAGE_TYPE_3D && info->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
   *properties = (VkImageFormatProperties){0};
   if (!features || !shape_offered(caps, info, features) || (blocks_3d && !caps->max_block_views_3d_px) ||
       !usage_offered(info->usage, features_of_views(device->screen, info, features)) ||
       (stencil && !usage_offered(stencil->stencilUsage, features)) ||
       !vk_sparse_image_offered(device->screen, info) ||
       (info->usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT && !caps->host_image_copy) ||
       (info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT && !vk_modifier_image_offered(device->screen, info)))
      return VK_ERROR_FORMAT_NOT_SUPPORTED;

   VkExtent3D extent = {caps->max_image_2d_px, caps->max_image_2d_px, 1};
   if (info->type == VK_IMAGE_TYPE_1D)
      extent = (VkExtent3D){caps->max_image_1d_px, 1, 1};
   else if (info->type == VK_IMAGE_TYPE_3D)
      extent = (VkExtent3D){caps->max_image_3d_px, caps->max_image_3d_px, caps->max_image_3d_px};
   properties->maxMipLevels = max_levels(info, extent.width);
   if (blocks_3d)
      extent.width = extent.height = caps->max_block_views_3d_px;
   properties->maxExtent = extent;
   properties->maxArrayLayers = max_layers(caps, info);
   properties->sampleCounts = VK_SAMPLE_COUNT_1_BIT;
   if (!single && info->type == VK_IMAGE_TYPE_2D && features & ATTACHMENT_FEATURES &&
       !(info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT))
      properties->sampleCounts = vk_sparse(info->flags) == PIPE_SPARSE_RESIDENCY
                                    ? caps->sample_counts & vk_sparse_sample_counts(device->screen, info)
                                    : caps->sample_counts;
   if (info->usage & VK_IMAGE_USAGE_STORAGE_BIT)
      properties->sampleCounts &= caps->storage_sample_counts;
   if (info->usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT)
      properties->sampleCounts = VK_SAMPLE_COUNT_1_BIT;
   properties->maxResourceSize = VK_MAX_IMAGE_B;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format, VkImageType type,
                                              VkImageTiling tiling, VkImageUsageFlags usage, VkImageCreateFlags flags,
                                              VkImageFormatProperties *pImageFormatProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const VkPhysicalDeviceImageFormatInfo2 info = {
      .format = format, .type = type, .tiling = tiling, .usage = usage, .flags = flags};
   return vk_image_format_properties(device, &info, pImageFormatProperties);
}

/* Memory leaves and enters the process as a dma-buf, which is what an opaque file descriptor is too. What is the
 * process's own enters, too. */
static VkExternalMemoryProperties
external_memory(const struct vk_physical_device *device, VkExternalMemoryHandleTypeFlagBits handle_type)
{
   const VkExternalMemoryHandleTypeFlags known =
      VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
   if (handle_type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT && device->screen->caps.host_memory)
      return (VkExternalMemoryProperties){.externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
                                          .compatibleHandleTypes = handle_type};
   if (!(handle_type & known))
      return (VkExternalMemoryProperties){0};
   return (VkExternalMemoryProperties){
      .externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
      .exportFromImportedHandleTypes = handle_type,
      .compatibleHandleTypes = handle_type,
   };
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice physicalDevice,
                                               const VkPhysicalDeviceImageFormatInfo2 *pImageFormatInfo,
                                               VkImageFormatProperties2 *pImageFormatProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const VkPhysicalDeviceExternalImageFormatInfo *external =
      vk_find_struct(pImageFormatInfo->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
   VkExternalImageFormatProperties *external_properties = (VkExternalImageFormatProperties *)vk_find_struct(
      pImageFormatProperties->pNext, VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES);
   if (external && external->handleType) {
      VkExternalMemoryProperties properties = external_memory(device, external->handleType);
      const bool host = external->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
      if (!properties.externalMemoryFeatures || (host && pImageFormatInfo->tiling != VK_IMAGE_TILING_LINEAR))
         return VK_ERROR_FORMAT_NOT_SUPPORTED;
      if (external_properties)
         external_properties->externalMemoryProperties = properties;
   }
   VkHostImageCopyDevicePerformanceQueryEXT *performance = (VkHostImageCopyDevicePerformanceQueryEXT *)vk_find_struct(
      pImageFormatProperties->pNext, VK_STRUCTURE_TYPE_HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY_EXT);
   if (performance)
      vk_host_copy_performance(&device->screen->caps, pImageFormatInfo->usage, performance);
   VkSamplerYcbcrConversionImageFormatProperties *conversion =
      (VkSamplerYcbcrConversionImageFormatProperties *)vk_find_struct(
         pImageFormatProperties->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES);
   if (conversion)
      conversion->combinedImageSamplerDescriptorCount = vk_format_planes(pImageFormatInfo->format);
   const VkImageCompressionControlEXT *control =
      vk_find_struct(pImageFormatInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT);
   VkImageCompressionPropertiesEXT *compression = (VkImageCompressionPropertiesEXT *)vk_find_struct(
      pImageFormatProperties->pNext, VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT);
   if (compression)
      vk_fill_compression(compression, control && control->flags & VK_IMAGE_COMPRESSION_DISABLED_EXT);
   return vk_image_format_properties(device, pImageFormatInfo, &pImageFormatProperties->imageFormatProperties);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice physicalDevice,
                                                 const VkPhysicalDeviceExternalBufferInfo *pExternalBufferInfo,
                                                 VkExternalBufferProperties *pExternalBufferProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   /* Protected buffers are not offered, and memory of sparse ones is not shared. */
   pExternalBufferProperties->externalMemoryProperties =
      pExternalBufferInfo->flags ? (VkExternalMemoryProperties){0}
                                 : external_memory(device, pExternalBufferInfo->handleType);
}

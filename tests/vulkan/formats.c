/* What a Vulkan 1.1 device must offer and whether it does what it says: required formats, limits, images of every
 * format, shape and usage, memory types, queues, external handles. */
#include <string.h>

#include "required.h"
#include "vkt.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define LAST_FORMAT VK_FORMAT_ASTC_12x12_SRGB_BLOCK
#define SRC_DST (VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT)
#define ATTACHMENT (VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)

static struct vkx *vkx;

/* ---- required formats ---- */

/* The letters of required.h. */
static VkFormatFeatureFlags
features_of(const char *letters, bool buffer)
{
   static const struct {
      char letter;
      bool buffer;
      VkFormatFeatureFlags feature;
   } map[] = {
      {'s', false, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | SRC_DST},
      {'b', false, VK_FORMAT_FEATURE_BLIT_SRC_BIT},
      {'f', false, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT},
      {'i', false, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT},
      {'a', false, VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT},
      {'c', false, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT},
      {'d', false, VK_FORMAT_FEATURE_BLIT_DST_BIT},
      {'n', false, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT},
      {'z', false, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT},
      {'v', true, VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT},
      {'u', true, VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT},
      {'t', true, VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT},
      {'x', true, VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT},
   };
   VkFormatFeatureFlags features = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(map); i++)
      features |= strchr(letters, map[i].letter) && map[i].buffer == buffer ? map[i].feature : 0;
   if (!buffer && strchr(letters, 'I') && vkt_features.shaderStorageImageExtendedFormats)
      features |= VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
   return features;
}

static VkFormatProperties
properties_of(VkFormat format)
{
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, format, &properties);
   return properties;
}

static const char *
letters_of(VkFormat format)
{
   for (unsigned i = 0; i < ARRAY_SIZE(required_formats); i++) {
      if (required_formats[i].format == format)
         return required_formats[i].features;
   }
   return "";
}

static bool
is_depth(VkFormat format)
{
   return format >= VK_FORMAT_D16_UNORM && format <= VK_FORMAT_D32_SFLOAT_S8_UINT;
}

/* All formats from first to last can be sampled with filters. */
static bool
all_sampled(VkFormat first, VkFormat last)
{
   const VkFormatFeatureFlags wanted = features_of("sbf", false);
   for (VkFormat format = first; format <= last; format++) {
      if (wanted & ~properties_of(format).optimalTilingFeatures)
         return false;
   }
   return true;
}

static void
test_required_formats(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(required_formats); i++) {
      const struct required_format *row = &required_formats[i];
      VkFormatProperties properties = properties_of(row->format);
      VkFormatFeatureFlags image = features_of(row->features, false) & ~properties.optimalTilingFeatures;
      VkFormatFeatureFlags texels = features_of(row->features, true) & ~properties.bufferFeatures;
      vkt_expect(!image && !texels, "format %d misses %x in images, %x in buffers", row->format, image, texels);
   }
   for (VkFormat format = VK_FORMAT_D16_UNORM; format <= VK_FORMAT_D32_SFLOAT_S8_UINT; format++)
      vkt_expect(!properties_of(format).bufferFeatures, "buffers of depth format %d", format);
   const VkFormatFeatureFlags z = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
   vkt_expect((properties_of(VK_FORMAT_X8_D24_UNORM_PACK32).optimalTilingFeatures |
               properties_of(VK_FORMAT_D32_SFLOAT).optimalTilingFeatures) &
                 z,
              "depth of 24 or 32 bits");
   vkt_expect((properties_of(VK_FORMAT_D24_UNORM_S8_UINT).optimalTilingFeatures |
               properties_of(VK_FORMAT_D32_SFLOAT_S8_UINT).optimalTilingFeatures) &
                 z,
              "depth with stencil");
   bool bc = all_sampled(VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_BC7_SRGB_BLOCK);
   bool etc2 = all_sampled(VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, VK_FORMAT_EAC_R11G11_SNORM_BLOCK);
   bool astc = all_sampled(VK_FORMAT_ASTC_4x4_UNORM_BLOCK, VK_FORMAT_ASTC_12x12_SRGB_BLOCK);
   vkt_expect(bc || etc2 || astc, "a family of compressed formats");
   vkt_expect(bc == vkt_features.textureCompressionBC && etc2 == vkt_features.textureCompressionETC2 &&
                 astc == vkt_features.textureCompressionASTC_LDR,
              "features of compressed formats: %d %d %d", bc, etc2, astc);
}

static bool
device_has(const char *extension)
{
   VkExtensionProperties list[512];
   uint32_t count = ARRAY_SIZE(list);
   vkx_check(vkEnumerateDeviceExtensionProperties(vkx->physical, NULL, &count, list),
             "vkEnumerateDeviceExtensionProperties");
   for (uint32_t i = 0; i < count; i++) {
      if (!strcmp(list[i].extensionName, extension))
         return true;
   }
   return false;
}

/* They are there if the extension is. known: without those that Debian 12's validation layer does not know. */
static void
test_formats_of_extensions(bool known)
{
   static const struct {
      const char *extension;
      VkFormat format;
   } rows[] = {{"VK_EXT_4444_formats", VK_FORMAT_A4R4G4B4_UNORM_PACK16},
               {"VK_EXT_4444_formats", VK_FORMAT_A4B4G4R4_UNORM_PACK16},
               {"VK_KHR_maintenance5", VK_FORMAT_A1B5G5R5_UNORM_PACK16_KHR},
               {"VK_KHR_maintenance5", VK_FORMAT_A8_UNORM_KHR}};
   for (unsigned i = 0; i < (known ? 2 : ARRAY_SIZE(rows)); i++) {
      const VkFormatProperties got = properties_of(rows[i].format);
      vkt_expect(device_has(rows[i].extension) ? got.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT
                                               : !(got.optimalTilingFeatures | got.linearTilingFeatures),
                 "format %d of %s: %x", rows[i].format, rows[i].extension, got.optimalTilingFeatures);
   }
}

/* ---- limits ---- */

static void
test_limits(void)
{
   const VkPhysicalDeviceLimits *l = &vkx->properties.limits;
   const VkPhysicalDeviceFeatures *f = &vkt_features;
#define AT_LEAST(limit, value) vkt_expect(l->limit >= (value), #limit " is below its minimum");
#define AT_MOST(limit, value) vkt_expect(l->limit <= (value), #limit " is above its maximum");
#define HAS_BITS(limit, bits) vkt_expect(((bits) & ~l->limit) == 0, #limit " misses a bit");
#define AT_LEAST_IF(feature, limit, with, without) AT_LEAST(limit, f->feature ? (with) : (without))
#define AT_MOST_IF(feature, limit, with, without) AT_MOST(limit, f->feature ? (with) : (without))
   REQUIRED_LIMITS(AT_LEAST, AT_MOST, HAS_BITS, AT_LEAST_IF, AT_MOST_IF)
   vkt_expect(l->viewportBoundsRange[0] <= -2 * (float)l->maxViewportDimensions[0] &&
                 l->viewportBoundsRange[1] >= 2 * (float)l->maxViewportDimensions[0] - 1 &&
                 l->maxViewportDimensions[0] >= l->maxFramebufferWidth &&
                 l->maxViewportDimensions[1] >= l->maxFramebufferHeight,
              "viewports are smaller than framebuffers");
   vkt_expect(!(l->bufferImageGranularity & (l->bufferImageGranularity - 1)) &&
                 !(l->nonCoherentAtomSize & (l->nonCoherentAtomSize - 1)) &&
                 !(l->minMemoryMapAlignment & (l->minMemoryMapAlignment - 1)),
              "alignments are powers of two");
   vkt_expect(l->maxPerStageResources >= l->maxPerStageDescriptorStorageBuffers, "resources of a stage");
   VkPhysicalDeviceMaintenance3Properties maintenance3 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
   VkPhysicalDeviceMultiviewProperties multiview = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES,
                                                    .pNext = &maintenance3};
   VkPhysicalDeviceSubgroupProperties subgroup = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
                                                  .pNext = &multiview};
   VkPhysicalDevicePointClippingProperties points = {.sType =
                                                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES,
                                                     .pNext = &subgroup,
                                                     .pointClippingBehavior = VK_POINT_CLIPPING_BEHAVIOR_MAX_ENUM};
   VkPhysicalDeviceProperties2 two = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &points};
   vkGetPhysicalDeviceProperties2(vkx->physical, &two);
   vkt_expect(maintenance3.maxPerSetDescriptors >= 1024 && maintenance3.maxMemoryAllocationSize >= 1u << 30,
              "limits of maintenance3");
   vkt_expect(multiview.maxMultiviewViewCount >= 6 && multiview.maxMultiviewInstanceIndex >= (1u << 27) - 1,
              "limits of multiview");
   vkt_expect(subgroup.subgroupSize && !(subgroup.subgroupSize & (subgroup.subgroupSize - 1)) &&
                 subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT &&
                 subgroup.supportedOperations & VK_SUBGROUP_FEATURE_BASIC_BIT,
              "subgroups of compute shaders");
   vkt_expect(points.pointClippingBehavior <= VK_POINT_CLIPPING_BEHAVIOR_USER_CLIP_PLANES_ONLY, "point clipping");
   VkPhysicalDeviceFeatures offered; /* vkt_features leaves robust access out */
   vkGetPhysicalDeviceFeatures(vkx->physical, &offered);
   vkt_expect(offered.robustBufferAccess, "robustBufferAccess is not offered");
}

/* ---- images: what the query promises ---- */

static const VkImageCreateFlags flag_sets[] = {
   0,
   VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT,
   VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT,
   VK_IMAGE_CREATE_ALIAS_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
   VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT,
};

static const struct {
   VkImageUsageFlags usage;
   VkFormatFeatureFlags any_of;
} usages[] = {
   {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT},
   {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_TRANSFER_DST_BIT},
   {VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT},
   {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT},
   {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT},
   {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT},
   {VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, ATTACHMENT},
};

/* Every usage that the features allow. */
static VkImageUsageFlags
full_usage(VkFormatFeatureFlags features)
{
   VkImageUsageFlags usage = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(usages); i++)
      usage |= features & usages[i].any_of ? usages[i].usage : 0;
   return usage;
}

static void
check_memory(const VkImageCreateInfo *info, VkImage image)
{
   VkMemoryRequirements needs;
   vkGetImageMemoryRequirements(vkx->device, image, &needs);
   VkMemoryPropertyFlags wanted = info->tiling == VK_IMAGE_TILING_LINEAR
                                     ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                                     : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
   bool found = false;
   for (uint32_t i = 0; i < vkx->memory.memoryTypeCount; i++)
      found |= needs.memoryTypeBits >> i & 1 && (vkx->memory.memoryTypes[i].propertyFlags & wanted) == wanted;
   vkt_expect(found && needs.size && needs.alignment && !(needs.alignment & (needs.alignment - 1)) &&
                 !(needs.memoryTypeBits >> vkx->memory.memoryTypeCount),
              "memory of images of format %d, type %d, tiling %d", info->format, info->imageType, info->tiling);
}

static void
check_create(VkImageCreateInfo info, const char *what, bool may_be_large)
{
   VkImage image;
   info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
   VkResult result = vkCreateImage(vkx->device, &info, NULL, &image);
   vkt_expect(result == VK_SUCCESS || (may_be_large && result == VK_ERROR_OUT_OF_DEVICE_MEMORY),
              "%s of format %d, type %d, tiling %d, usage %x, flags %x: %d", what, info.format, info.imageType,
              info.tiling, info.usage, info.flags, result);
   if (result != VK_SUCCESS)
      return;
   check_memory(&info, image);
   vkDestroyImage(vkx->device, image, NULL);
}

static void
create_images(const VkImageCreateInfo *base, const VkImageFormatProperties *properties)
{
   bool cube = base->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
   VkImageCreateInfo info = *base;
   info.extent = (VkExtent3D){52, info.imageType == VK_IMAGE_TYPE_1D ? 1 : 52, 1};
   if (info.imageType == VK_IMAGE_TYPE_3D)
      info.extent.depth = 5;
   info.mipLevels = properties->maxMipLevels > 1 ? 6 : 1;
   info.arrayLayers = properties->maxArrayLayers < 12 ? 1 : 12;
   info.samples = VK_SAMPLE_COUNT_1_BIT;
   check_create(info, "an image", false);
   for (uint32_t samples = 2; samples <= 64; samples *= 2) {
      info.samples = samples;
      info.mipLevels = 1;
      if (properties->sampleCounts & samples)
         check_create(info, "samples", false);
   }
   info.samples = VK_SAMPLE_COUNT_1_BIT;
   info.arrayLayers = properties->maxArrayLayers;
   info.mipLevels = 1;
   if (!cube || info.arrayLayers >= 6)
      check_create(info, "layers", true);
   info.arrayLayers = cube ? 6 : 1;
   info.extent = properties->maxExtent;
   info.mipLevels = properties->maxMipLevels;
   check_create(info, "the largest image", true);
}

static void
check_promise(const VkImageCreateInfo *info, const VkImageFormatProperties *p, VkFormatFeatureFlags features)
{
   const VkPhysicalDeviceLimits *l = &vkx->properties.limits;
   bool linear = info->tiling == VK_IMAGE_TILING_LINEAR, cube = info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
   VkExtent3D least = {l->maxImageDimension1D, 1, 1};
   if (info->imageType == VK_IMAGE_TYPE_2D)
      least = (VkExtent3D){cube ? l->maxImageDimensionCube : l->maxImageDimension2D,
                           cube ? l->maxImageDimensionCube : l->maxImageDimension2D, 1};
   if (info->imageType == VK_IMAGE_TYPE_3D)
      least = (VkExtent3D){l->maxImageDimension3D, l->maxImageDimension3D, l->maxImageDimension3D};
   uint32_t levels = 1;
   while (p->maxExtent.width >> levels || p->maxExtent.height >> levels || p->maxExtent.depth >> levels)
      levels++;
   bool extents =
      p->maxExtent.width >= least.width && p->maxExtent.height >= least.height && p->maxExtent.depth >= least.depth;
   bool layers = linear || info->imageType == VK_IMAGE_TYPE_3D ? p->maxArrayLayers >= 1
                                                               : p->maxArrayLayers >= l->maxImageArrayLayers;
   bool single = linear || cube || info->imageType != VK_IMAGE_TYPE_2D || !(features & ATTACHMENT);
   bool samples = p->sampleCounts & VK_SAMPLE_COUNT_1_BIT && (!single || p->sampleCounts == VK_SAMPLE_COUNT_1_BIT);
   if (!single && !(info->usage & VK_IMAGE_USAGE_STORAGE_BIT))
      samples &= (p->sampleCounts & VK_SAMPLE_COUNT_4_BIT) != 0;
   vkt_expect((linear || extents) && (linear || p->maxMipLevels == levels) && p->maxMipLevels && layers && samples &&
                 p->maxResourceSize >= UINT64_C(1) << 31,
              "properties of format %d, type %d, tiling %d, usage %x, flags %x", info->format, info->imageType,
              info->tiling, info->usage, info->flags);
}

static VkResult
query(const VkImageCreateInfo *info, VkImageFormatProperties *properties)
{
   memset(properties, 0xcc, sizeof(*properties));
   return vkGetPhysicalDeviceImageFormatProperties(vkx->physical, info->format, info->imageType, info->tiling,
                                                   info->usage, info->flags, properties);
}

/* Must the device have images of this shape if the format's features allow the usage? */
static bool
is_required(const VkImageCreateInfo *info)
{
   if (info->tiling == VK_IMAGE_TILING_LINEAR || !letters_of(info->format)[0])
      return false;
   return !is_depth(info->format) || (info->imageType == VK_IMAGE_TYPE_2D);
}

static void
test_shape(VkImageCreateInfo info, VkFormatFeatureFlags features)
{
   VkImageFormatProperties properties;
   bool extended = info.flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
   for (unsigned i = 0; i < ARRAY_SIZE(usages); i++) {
      info.usage = usages[i].usage;
      VkResult result = query(&info, &properties);
      bool allowed = features & usages[i].any_of;
      if (result == VK_SUCCESS)
         check_promise(&info, &properties, features);
      vkt_expect(result == VK_SUCCESS || result == VK_ERROR_FORMAT_NOT_SUPPORTED, "the query's result %d", result);
      if (!allowed && !(extended && features))
         vkt_expect(result != VK_SUCCESS, "format %d, type %d, tiling %d, flags %x has usage %x", info.format,
                    info.imageType, info.tiling, info.flags, info.usage);
      if (allowed && is_required(&info))
         vkt_expect(result == VK_SUCCESS, "format %d, type %d, flags %x has no usage %x", info.format, info.imageType,
                    info.flags, info.usage);
   }
   info.usage = full_usage(features);
   if (features && query(&info, &properties) == VK_SUCCESS)
      create_images(&info, &properties);
}

static void
test_images(void)
{
   for (VkFormat format = 1; format <= LAST_FORMAT; format++) {
      VkFormatProperties all = properties_of(format);
      for (unsigned i = 0; i < 2 * 3 * ARRAY_SIZE(flag_sets); i++) {
         VkImageCreateInfo info = {
            .format = format, .tiling = i % 2, .imageType = i / 2 % 3, .flags = flag_sets[i / 6]};
         bool cube = info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
         bool slices = info.flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
         if ((!cube || info.imageType == VK_IMAGE_TYPE_2D) && (!slices || info.imageType == VK_IMAGE_TYPE_3D))
            test_shape(info,
                       info.tiling == VK_IMAGE_TILING_LINEAR ? all.linearTilingFeatures : all.optimalTilingFeatures);
      }
   }
}

/* An image whose own format cannot be stored to, for views of one that can; one whose stencil may do less. */
static void
test_extended_usage(bool radv)
{
   VkImageCreateInfo info = {.format = VK_FORMAT_R8G8B8A8_SRGB,
                             .imageType = VK_IMAGE_TYPE_2D,
                             .tiling = VK_IMAGE_TILING_OPTIMAL,
                             .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
                             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
   VkImageFormatProperties properties;
   if (!(properties_of(info.format).optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT))
      vkt_expect(query(&info, &properties) == VK_ERROR_FORMAT_NOT_SUPPORTED, "sRGB images with storage usage");
   info.flags |= VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
   vkt_expect(query(&info, &properties) == VK_SUCCESS, "sRGB images with extended storage usage");
   if (vkt_features.textureCompressionBC) {
      info.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
      info.flags |= VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
      vkt_expect(query(&info, &properties) == VK_SUCCESS, "BC1 images whose blocks are stored");
   }
   if (!vkt_has("VK_EXT_separate_stencil_usage") || radv) /* RADV 22.3.6 does not look at it */
      return;
   const VkImageStencilUsageCreateInfo stencil = {.sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
                                                  .stencilUsage = VK_IMAGE_USAGE_STORAGE_BIT};
   const VkPhysicalDeviceImageFormatInfo2 two = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                 .pNext = &stencil,
                                                 .format = VK_FORMAT_D32_SFLOAT_S8_UINT,
                                                 .type = VK_IMAGE_TYPE_2D,
                                                 .tiling = VK_IMAGE_TILING_OPTIMAL,
                                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
   VkImageFormatProperties2 out = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
   VkFormatFeatureFlags features = properties_of(two.format).optimalTilingFeatures;
   if (!(features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) && features)
      vkt_expect(vkGetPhysicalDeviceImageFormatProperties2(vkx->physical, &two, &out) ==
                    VK_ERROR_FORMAT_NOT_SUPPORTED,
                 "stencil with storage usage");
}

/* ---- memory, queues, external handles ---- */

static void
test_memory_types(void)
{
   const VkPhysicalDeviceMemoryProperties *m = &vkx->memory;
   const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   bool has_host = false, has_local = false, heap_local = false;
   for (uint32_t i = 0; i < m->memoryTypeCount; i++) {
      VkMemoryPropertyFlags flags = m->memoryTypes[i].propertyFlags;
      has_host |= (flags & host) == host;
      has_local |= flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
      bool local_heap = m->memoryTypes[i].heapIndex < m->memoryHeapCount &&
                        m->memoryHeaps[m->memoryTypes[i].heapIndex].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
      vkt_expect(!(flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) == !local_heap, "heap of memory type %u", i);
      for (uint32_t j = 0; j < i; j++) {
         VkMemoryPropertyFlags before = m->memoryTypes[j].propertyFlags;
         vkt_expect(before == flags || (before & flags) != flags, "memory type %u stands before %u", j, i);
      }
   }
   for (uint32_t i = 0; i < m->memoryHeapCount; i++)
      heap_local |= m->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
   vkt_expect(has_host && has_local && heap_local, "memory types that must be there");
}

static void
test_queues(void)
{
   VkQueueFamilyProperties families[8];
   uint32_t count = 8;
   vkGetPhysicalDeviceQueueFamilyProperties(vkx->physical, &count, families);
   bool both = false;
   for (uint32_t i = 0; i < count; i++) {
      const VkExtent3D *step = &families[i].minImageTransferGranularity;
      const VkQueueFlags work = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
      both |= (families[i].queueFlags & work) == work;
      vkt_expect(families[i].queueCount > 0, "queues of family %u", i);
      if (families[i].queueFlags & work)
         vkt_expect(step->width == 1 && step->height == 1 && step->depth == 1, "granularity of family %u", i);
      if (families[i].queueFlags & work && vkx->properties.limits.timestampComputeAndGraphics)
         vkt_expect(families[i].timestampValidBits >= 36, "time stamps of family %u", i);
   }
   vkt_expect(both, "a queue for graphics and compute");
}

static void
test_external(void)
{
   VkPhysicalDeviceExternalFenceInfo fence = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FENCE_INFO};
   VkExternalFenceProperties of_fence = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_FENCE_PROPERTIES};
   VkPhysicalDeviceExternalSemaphoreInfo semaphore = {.sType =
                                                         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO};
   VkExternalSemaphoreProperties of_semaphore = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
   VkPhysicalDeviceExternalBufferInfo memory = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
                                                .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
   VkExternalBufferProperties of_memory = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
   /* Windows' kinds of handle are never there. */
   fence.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_WIN32_BIT;
   semaphore.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE_BIT;
   memory.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_TEXTURE_BIT;
   for (int i = 0; i < 2; i++) {
      vkGetPhysicalDeviceExternalFenceProperties(vkx->physical, &fence, &of_fence);
      vkGetPhysicalDeviceExternalSemaphoreProperties(vkx->physical, &semaphore, &of_semaphore);
      vkGetPhysicalDeviceExternalBufferProperties(vkx->physical, &memory, &of_memory);
      const VkExternalMemoryProperties *m = &of_memory.externalMemoryProperties;
      VkFlags features[3] = {of_fence.externalFenceFeatures, of_semaphore.externalSemaphoreFeatures,
                             m->externalMemoryFeatures};
      bool own[3] = {of_fence.compatibleHandleTypes & fence.handleType,
                     of_semaphore.compatibleHandleTypes & semaphore.handleType,
                     m->compatibleHandleTypes & memory.handleType};
      const bool offered[3] = {vkt_has("VK_KHR_external_fence_fd"), vkt_has("VK_KHR_external_semaphore_fd"),
                               vkt_has("VK_KHR_external_memory_fd")};
      for (int j = 0; j < 3; j++)
         vkt_expect(i && offered[j] ? features[j] && own[j] : !features[j], "external handle %d of kind %d: %x", i, j,
                    features[j]);
      fence.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
      semaphore.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
      memory.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
   }
}

int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("formats");
   vkx = &device;
   test_required_formats();
   const char *quirks = vkx_option(argc, argv, "--quirks", "");
   test_formats_of_extensions(!strcmp(quirks, "validation"));
   test_limits();
   test_images();
   test_extended_usage(!strcmp(quirks, "radv"));
   test_memory_types();
   test_queues();
   test_external();
   return vkt_finish(vkx);
}

/* What a device of AGX offers of linear images: every format, type, usage and kind of cube, and pitches that an
 * application chooses; exactly what the published layout document allows (tests/asahi/layout/linear_rule.h). Texels
 * are for paths.c. */
#include "../asahi/layout/linear_rule.h"
#include "format_numbers.h"
#include "vkt.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum { WIDTH = 37, HEIGHT = 5, LAYERS = 3 };
static const VkImageType types[] = {VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D};
static const VkImageUsageFlags usages[] = {VK_IMAGE_USAGE_TRANSFER_SRC_BIT,     VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                           VK_IMAGE_USAGE_SAMPLED_BIT,          VK_IMAGE_USAGE_STORAGE_BIT,
                                           VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT};
static struct vkx *vkx;
static unsigned images, pitches;

/* Bytes of a texel; 0: no colour of plain texels. */
static uint32_t
texel_B(VkFormat format)
{
   return format >= VK_FORMAT_BC1_RGB_UNORM_BLOCK || vkt_aspects(format) != VK_IMAGE_ASPECT_COLOR_BIT
             ? 0
             : (uint32_t)number_size_B(format);
}

/* What is missing of the rule stands in the features of the format: of linear images as of tiled ones, but for blocks
 * and depth. */
static void
test_features(VkFormat format)
{
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, format, &properties);
   const VkFormatFeatureFlags tiled = properties.optimalTilingFeatures, linear = properties.linearTilingFeatures;
   vkt_expect(linear == (texel_B(format) ? tiled : 0), "format %u: linear 0x%x, tiled 0x%x", format, linear, tiled);
}

static bool
is_offered(const VkImageCreateInfo *info, VkImageFormatProperties *got)
{
   return vkGetPhysicalDeviceImageFormatProperties(vkx->physical, info->format, info->imageType, info->tiling,
                                                   info->usage, info->flags, got) == VK_SUCCESS;
}

/* Rows and layers of an image that is offered; one row has nothing after it. */
static void
test_rows(VkImageCreateInfo info, struct linear_rule_image *rule)
{
   const VkImageSubresource last = {VK_IMAGE_ASPECT_COLOR_BIT, 0, LAYERS - 1};
   VkSubresourceLayout layout;
   VkImage image;
   VkMemoryRequirements needs;
   info.arrayLayers = LAYERS;
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &image), "vkCreateImage");
   vkGetImageSubresourceLayout(vkx->device, image, &last, &layout);
   vkGetImageMemoryRequirements(vkx->device, image, &needs);
   rule->stride_B = layout.rowPitch;
   vkt_expect(linear_rule_stride(rule) && layout.rowPitch >= rule->row_B, "format %u: a pitch of %lu", info.format,
              (unsigned long)layout.rowPitch);
   vkt_expect(layout.arrayPitch >= rule->rows * layout.rowPitch && layout.offset == 2 * layout.arrayPitch &&
                 layout.size >= (rule->rows - 1) * layout.rowPitch + rule->row_B &&
                 layout.offset + layout.size <= needs.size,
              "format %u: layers %lu apart, the last one at %lu, of %lu", info.format,
              (unsigned long)layout.arrayPitch, (unsigned long)layout.offset, (unsigned long)layout.size);
   vkDestroyImage(vkx->device, image, NULL);
   images++;
}

static void
test_shape(VkFormat format, VkImageType type, bool cube, VkImageUsageFlags usage)
{
   VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                             .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                             .imageType = type,
                             .format = format,
                             .extent = {WIDTH, type == VK_IMAGE_TYPE_1D ? 1 : HEIGHT, 1},
                             .mipLevels = 1,
                             .samples = VK_SAMPLE_COUNT_1_BIT,
                             .tiling = VK_IMAGE_TILING_OPTIMAL,
                             .usage = usage};
   struct linear_rule_image rule = {.type = cube                       ? LINEAR_RULE_CUBE
                                            : type == VK_IMAGE_TYPE_1D ? LINEAR_RULE_1D
                                            : type == VK_IMAGE_TYPE_2D ? LINEAR_RULE_2D
                                                                       : LINEAR_RULE_3D,
                                    .levels = 1,
                                    .samples = 1,
                                    .is_block = !texel_B(format),
                                    .row_B = (uint64_t)WIDTH * texel_B(format),
                                    .rows = info.extent.height};
   VkImageFormatProperties tiled, got;
   const bool has = is_offered(&info, &tiled);
   info.tiling = VK_IMAGE_TILING_LINEAR;
   const bool offered = is_offered(&info, &got), allowed = has && linear_rule_shape(&rule);
   vkt_expect(offered == allowed, "format %u, type %u, usage 0x%x%s: linear images are %soffered", format, type,
              usage, cube ? ", cube" : "", offered ? "" : "not ");
   if (!offered)
      return;
   rule.levels = got.maxMipLevels;
   rule.samples = got.sampleCounts;
   vkt_expect(linear_rule_shape(&rule) && got.maxArrayLayers >= 256 && got.maxExtent.width == tiled.maxExtent.width,
              "format %u, type %u: %u levels, samples 0x%x, %u layers, %u px", format, type, got.maxMipLevels,
              got.sampleCounts, got.maxArrayLayers, got.maxExtent.width);
   test_rows(info, &rule);
}

/* ---- pitches of the application's ---- */

static void
test_pitch(VkFormat format, uint64_t pitch_B)
{
   const VkSubresourceLayout plane = {.rowPitch = pitch_B};
   const VkExternalMemoryImageCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
                                                     .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};
   const VkImageDrmFormatModifierExplicitCreateInfoEXT placed = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT,
      .pNext = &external,
      .drmFormatModifierPlaneCount = 1,
      .pPlaneLayouts = &plane};
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .pNext = &placed,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = format,
                                   .extent = {WIDTH, HEIGHT, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT,
                                   .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   const struct linear_rule_image rule = {
      .row_B = (uint64_t)WIDTH * texel_B(format), .rows = HEIGHT, .stride_B = pitch_B};
   VkImage image;
   const VkResult result = vkCreateImage(vkx->device, &info, NULL, &image);
   vkt_expect((result == VK_SUCCESS) == linear_rule_stride(&rule), "format %u, a pitch of %lu: %d", format,
              (unsigned long)pitch_B, result);
   if (result == VK_SUCCESS)
      vkDestroyImage(vkx->device, image, NULL);
   pitches++;
}

static bool
has_modifier(VkFormat format)
{
   VkDrmFormatModifierPropertiesEXT found[16];
   VkDrmFormatModifierPropertiesListEXT list = {.sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT,
                                                .drmFormatModifierCount = ARRAY_SIZE(found),
                                                .pDrmFormatModifierProperties = found};
   VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &list};
   vkGetPhysicalDeviceFormatProperties2(vkx->physical, format, &properties);
   for (uint32_t i = 0; i < list.drmFormatModifierCount; i++) {
      if (!found[i].drmFormatModifier)
         return true;
   }
   return false;
}

static void
test_pitches(VkFormat format)
{
   const uint64_t row_B = (uint64_t)WIDTH * texel_B(format), up_B = (row_B + 15) / 16 * 16;
   const uint64_t grid_B[] = {0,    4,        15,       16,        17,       row_B,          row_B + 1, up_B - 16,
                              up_B, up_B + 4, up_B + 8, up_B + 16, 3 * up_B, (1u << 21) - 8, 1u << 21};
   for (unsigned i = 0; i < ARRAY_SIZE(grid_B); i++)
      test_pitch(format, grid_B[i]);
}

int
main(void)
{
   struct vkx device = vkt_create("linear");
   vkx = &device;
   for (VkFormat format = 1; format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; format++) {
      test_features(format);
      for (unsigned i = 0; i < ARRAY_SIZE(types) * 2 * ARRAY_SIZE(usages); i++)
         test_shape(format, types[i % ARRAY_SIZE(types)], i / ARRAY_SIZE(types) % 2,
                    usages[i / ARRAY_SIZE(types) / 2]);
      if (vkt_has("VK_EXT_image_drm_format_modifier") && has_modifier(format))
         test_pitches(format);
   }
   vkt_expect(images > 300 && pitches > 300, "%u images, %u pitches", images, pitches);
   return vkt_finish(vkx);
}

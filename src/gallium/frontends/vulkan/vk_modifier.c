#include "gallium/frontends/vulkan/vk_modifier.h"

#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/macros.h"

static bool
is_known(const struct pipe_caps *caps, uint64_t modifier)
{
   for (uint32_t i = 0; i < caps->num_modifiers; i++) {
      if (caps->modifiers[i] == modifier)
         return true;
   }
   return false;
}

VkFormatFeatureFlags
vk_modifier_features(const struct pipe_screen *screen, uint32_t format, uint64_t modifier)
{
   VkFormatFeatureFlags planes[VK_MAX_PLANES] = {0};
   const uint32_t count = vk_format_planes(format);
   if (!is_known(&screen->caps, modifier))
      return 0;
   for (uint32_t i = 0; i < count; i++)
      planes[i] = vk_image_features(screen->modifier_features(screen, vk_plane_format(format, i), modifier));
   return count > 1 ? vk_ycbcr_features(format, planes) & ~(VkFormatFeatureFlags)VK_FORMAT_FEATURE_DISJOINT_BIT
                    : planes[0];
}

struct offered {
   uint64_t modifier;
   VkFormatFeatureFlags features;
};

/* The modifiers of a format; their number. */
static uint32_t
find_offered(const struct pipe_screen *screen, uint32_t format, struct offered offered[PIPE_MAX_MODIFIERS])
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < screen->caps.num_modifiers; i++) {
      const uint64_t modifier = screen->caps.modifiers[i];
      const VkFormatFeatureFlags features = vk_modifier_features(screen, format, modifier);
      if (features)
         offered[count++] = (struct offered){modifier, features};
   }
   return count;
}

void
vk_modifier_list(const struct pipe_screen *screen, uint32_t format, VkDrmFormatModifierPropertiesListEXT *list)
{
   struct offered offered[PIPE_MAX_MODIFIERS];
   const uint32_t count = find_offered(screen, format, offered);
   VkDrmFormatModifierPropertiesEXT *told = list->pDrmFormatModifierProperties;
   list->drmFormatModifierCount = told ? MIN2(list->drmFormatModifierCount, count) : count;
   for (uint32_t i = 0; told && i < list->drmFormatModifierCount; i++)
      told[i] =
         (VkDrmFormatModifierPropertiesEXT){offered[i].modifier, vk_format_planes(format), offered[i].features};
}

void
vk_modifier_list_2(const struct pipe_screen *screen, uint32_t format, VkDrmFormatModifierPropertiesList2EXT *list)
{
   struct offered offered[PIPE_MAX_MODIFIERS];
   const uint32_t count = find_offered(screen, format, offered);
   VkDrmFormatModifierProperties2EXT *told = list->pDrmFormatModifierProperties;
   list->drmFormatModifierCount = told ? MIN2(list->drmFormatModifierCount, count) : count;
   for (uint32_t i = 0; told && i < list->drmFormatModifierCount; i++)
      told[i] = (VkDrmFormatModifierProperties2EXT){offered[i].modifier, vk_format_planes(format),
                                                    vk_features_2(screen, format, offered[i].features)};
}

static enum pipe_result
create_planes(struct pipe_screen *screen, struct vk_image *image)
{
   enum pipe_result result = PIPE_OK;
   for (uint32_t i = 0; i < image->num_planes && result == PIPE_OK; i++)
      result = vk_image_plane_create(screen, image, i);
   if (result != PIPE_OK)
      vk_image_planes_destroy(screen, image);
   return result;
}

bool
vk_modifier_image_offered(struct pipe_screen *screen, const VkPhysicalDeviceImageFormatInfo2 *info)
{
   const VkPhysicalDeviceImageDrmFormatModifierInfoEXT *modifier =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT);
   const VkImageFormatListCreateInfo *views =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
   /* The driver says so by making one, of a size that no modifier minds. */
   struct vk_image image = {.num_planes = vk_format_planes(info->format),
                            .desc = {
                               .type = PIPE_IMAGE_2D,
                               .format = info->format,
                               .width_px = 64,
                               .height_px = 64,
                               .depth_px = 1,
                               .levels = 1,
                               .layers = 1,
                               .samples = 1,
                               .usage = vk_image_usage(info->usage),
                               .has_modifier = true,
                               .modifier = modifier ? modifier->drmFormatModifier : 0,
                               .shared = true,
                               .other_views = info->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
                               .num_view_formats = views ? views->viewFormatCount : 0,
                               .view_formats = views ? (const uint32_t *)views->pViewFormats : NULL,
                            }};
   const VkImageCreateFlags others =
      VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT | VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_DISJOINT_BIT;
   if (!modifier || info->type != VK_IMAGE_TYPE_2D || info->flags & others)
      return false;
   const bool offered = create_planes(screen, &image) == PIPE_OK;
   vk_image_planes_destroy(screen, &image);
   return offered;
}

static VkResult
create_placed(struct pipe_screen *screen, const VkImageDrmFormatModifierExplicitCreateInfoEXT *placed,
              struct vk_image *image)
{
   const bool has_planes = placed->drmFormatModifierPlaneCount == image->num_planes &&
                           vk_modifier_features(screen, image->desc.format, placed->drmFormatModifier);
   enum pipe_result result = has_planes ? PIPE_OK : PIPE_UNSUPPORTED;
   image->desc.modifier = placed->drmFormatModifier;
   image->desc.placed = true;
   for (uint32_t i = 0; i < image->num_planes && result == PIPE_OK; i++) {
      image->desc.offset_B = placed->pPlaneLayouts[i].offset;
      image->desc.row_pitch_B = placed->pPlaneLayouts[i].rowPitch;
      result = vk_image_plane_create(screen, image, i);
   }
   return result == PIPE_UNSUPPORTED ? VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT : vk_result(result);
}

static bool
is_listed(const VkImageDrmFormatModifierListCreateInfoEXT *list, uint64_t modifier)
{
   for (uint32_t i = 0; i < list->drmFormatModifierCount; i++) {
      if (list->pDrmFormatModifiers[i] == modifier)
         return true;
   }
   return false;
}

VkResult
vk_modifier_image_create(struct pipe_screen *screen, const VkImageCreateInfo *info, struct vk_image *image)
{
   const VkImageDrmFormatModifierListCreateInfoEXT *list =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT);
   const VkImageDrmFormatModifierExplicitCreateInfoEXT *placed =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
   enum pipe_result result = PIPE_UNSUPPORTED;
   image->desc.has_modifier = true;
   if (placed)
      return create_placed(screen, placed, image);
   for (uint32_t i = 0; list && i < screen->caps.num_modifiers && result == PIPE_UNSUPPORTED; i++) {
      image->desc.modifier = screen->caps.modifiers[i];
      if (is_listed(list, image->desc.modifier) &&
          vk_modifier_features(screen, image->desc.format, image->desc.modifier))
         result = create_planes(screen, image);
   }
   return vk_result(result);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetImageDrmFormatModifierPropertiesEXT(VkDevice device, VkImage _image,
                                              VkImageDrmFormatModifierPropertiesEXT *pProperties)
{
   VK_FROM(vk_image, image, _image);
   pProperties->drmFormatModifier = image->desc.modifier;
   return VK_SUCCESS;
}

/* Images whose layout has a name that other drivers know too: DRM format modifiers
 * (VK_EXT_image_drm_format_modifier). */
#ifndef INDIUM_VK_MODIFIER_H
#define INDIUM_VK_MODIFIER_H

#include "gallium/frontends/vulkan/vk_private.h"

/* Features of images of the format with a modifier; 0: there are none. */
VkFormatFeatureFlags vk_modifier_features(const struct pipe_screen *screen, uint32_t format, uint64_t modifier);

/* Fill in the modifiers of a format, or their number. */
void vk_modifier_list(const struct pipe_screen *screen, uint32_t format, VkDrmFormatModifierPropertiesListEXT *list);
void vk_modifier_list_2(const struct pipe_screen *screen, uint32_t format,
                        VkDrmFormatModifierPropertiesList2EXT *list);

/* Whether the driver makes images of that use with the modifier that the chain names. */
bool vk_modifier_image_offered(struct pipe_screen *screen, const VkPhysicalDeviceImageFormatInfo2 *info);

/* Creates the resource of an image that is described but for its modifier: the one that the chain of the info names,
 * or the best of its list. */
VkResult vk_modifier_image_create(struct pipe_screen *screen, const VkImageCreateInfo *info, struct vk_image *image);

#endif

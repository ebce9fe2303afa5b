/* Images of several planes, and samplers that convert from Y'CbCr. A plane is an image of its own to drivers, and the
 * conversion is arithmetic in shaders: drivers know of neither. */
#ifndef INDIUM_VK_YCBCR_H
#define INDIUM_VK_YCBCR_H

#include "gallium/frontends/vulkan/vk_private.h"

struct vk_ycbcr_conversion {
   struct nir_ycbcr conversion;
   VkFilter chroma_filter;
   uint64_t hash; /* of all that it was made from */
};

/* The plane of one aspect; 0 if that is no plane's. */
static inline uint32_t
vk_plane(VkImageAspectFlags aspect)
{
   const VkImageAspectFlags first = VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT;
   const VkImageAspectFlags second = VK_IMAGE_ASPECT_PLANE_2_BIT | VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT;
   return aspect & first ? 1 : aspect & second ? 2 : 0;
}

#define VK_PLANE_ASPECTS (VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT)

/* Bits of the planes of aspects: all of them if none is named. */
static inline uint32_t
vk_planes(VkImageAspectFlags aspects)
{
   const uint32_t named = (aspects & VK_PLANE_ASPECTS) / VK_IMAGE_ASPECT_PLANE_0_BIT;
   return named ? named : (1u << VK_MAX_PLANES) - 1;
}

/* Planes of a format; 1 of formats that nothing is known of. */
uint32_t vk_format_planes(uint32_t format);

/* The vk_stored_format() of a plane, or of the whole if there is one plane. */
uint32_t vk_plane_format(uint32_t format, uint32_t plane);

/* What the planes of a format can do together as an image. planes: of each, 0 for none. */
VkFormatFeatureFlags vk_ycbcr_features(uint32_t format, const VkFormatFeatureFlags planes[VK_MAX_PLANES]);

/* Samples by the immutable samplers of a layout that convert. False, with a line in the log: they are not chosen by
 * constants. */
bool vk_lower_ycbcr(struct nir_shader *shader, const struct pipe_pipeline_layout *layout);

#endif

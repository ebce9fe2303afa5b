/* Copies between images and memory of the application that the processor makes (VK_EXT_host_image_copy). */
#ifndef INDIUM_VK_HOST_COPY_H
#define INDIUM_VK_HOST_COPY_H

#include "gallium/frontends/vulkan/vk_private.h"

/* Fills in the layouts that images may be in: any that has texels. */
void vk_host_copy_properties(const struct pipe_caps *caps, VkPhysicalDeviceHostImageCopyPropertiesEXT *properties);

/* What the device loses if the processor copies such an image too. */
void vk_host_copy_performance(const struct pipe_caps *caps, VkImageUsageFlags usage,
                              VkHostImageCopyDevicePerformanceQueryEXT *query);

/* Compression has no fixed rate. */
static inline void
vk_fill_compression(VkImageCompressionPropertiesEXT *properties, bool plain)
{
   properties->imageCompressionFlags = plain ? VK_IMAGE_COMPRESSION_DISABLED_EXT : VK_IMAGE_COMPRESSION_DEFAULT_EXT;
   properties->imageCompressionFixedRateFlags = VK_IMAGE_COMPRESSION_FIXED_RATE_NONE_EXT;
}

#endif

/* Between the files that know sparse resources. */
#ifndef INDIUM_VK_SPARSE_H
#define INDIUM_VK_SPARSE_H

#include "gallium/frontends/vulkan/vk_private.h"

/* Flags of buffers or images, whose bits are the same. */
enum pipe_sparse vk_sparse(uint32_t flags);

/* Whether the device has buffers with such flags; and images, as far as the flags of sparse ones go. */
bool vk_sparse_offered(const struct pipe_caps *caps, uint32_t flags);
bool vk_sparse_image_offered(const struct pipe_screen *screen, const VkPhysicalDeviceImageFormatInfo2 *info);

/* Of images with residency that are offered. */
VkSampleCountFlags vk_sparse_sample_counts(const struct pipe_screen *screen,
                                           const VkPhysicalDeviceImageFormatInfo2 *info);

/* What vkGetPhysicalDeviceImageFormatProperties says. */
VkResult vk_image_format_properties(struct vk_physical_device *device, const VkPhysicalDeviceImageFormatInfo2 *info,
                                    VkImageFormatProperties *properties);

/* All binds of a batch, in its order; their number. binds may be NULL. */
uint32_t vk_sparse_binds(const struct pipe_screen *screen, const VkBindSparseInfo *info, struct pipe_bind *binds);

#endif

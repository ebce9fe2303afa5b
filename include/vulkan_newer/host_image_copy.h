/* VK_EXT_host_image_copy, which the Vulkan headers of Debian 12 (1.3.239) do not have yet; 1.3.258 is the first.
 * Source: the Vulkan specification (doc). */
#ifndef VULKAN_NEWER_HOST_IMAGE_COPY_H
#define VULKAN_NEWER_HOST_IMAGE_COPY_H

#include <vulkan/vulkan_core.h>

#ifndef VK_EXT_host_image_copy
#define VK_EXT_host_image_copy 1
#define VK_EXT_HOST_IMAGE_COPY_SPEC_VERSION 1
#define VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME "VK_EXT_host_image_copy"

#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES_EXT ((VkStructureType)1000270000)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES_EXT ((VkStructureType)1000270001)
#define VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT ((VkStructureType)1000270002)
#define VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY_EXT ((VkStructureType)1000270003)
#define VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO_EXT ((VkStructureType)1000270004)
#define VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT ((VkStructureType)1000270005)
#define VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO_EXT ((VkStructureType)1000270006)
#define VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO_EXT ((VkStructureType)1000270007)
#define VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE_EXT ((VkStructureType)1000270008)
#define VK_STRUCTURE_TYPE_HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY_EXT ((VkStructureType)1000270009)
#define VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT ((VkImageUsageFlagBits)0x00400000)
#define VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT_EXT UINT64_C(0x400000000000)

typedef enum VkHostImageCopyFlagBitsEXT {
   VK_HOST_IMAGE_COPY_MEMCPY_EXT = 1, /* the bytes as they lie in the image */
} VkHostImageCopyFlagBitsEXT;
typedef VkFlags VkHostImageCopyFlagsEXT;

typedef struct VkPhysicalDeviceHostImageCopyFeaturesEXT {
   VkStructureType sType;
   void *pNext;
   VkBool32 hostImageCopy;
} VkPhysicalDeviceHostImageCopyFeaturesEXT;

typedef struct VkPhysicalDeviceHostImageCopyPropertiesEXT {
   VkStructureType sType;
   void *pNext;
   uint32_t copySrcLayoutCount;
   VkImageLayout *pCopySrcLayouts;
   uint32_t copyDstLayoutCount;
   VkImageLayout *pCopyDstLayouts;
   uint8_t optimalTilingLayoutUUID[VK_UUID_SIZE];
   VkBool32 identicalMemoryTypeRequirements;
} VkPhysicalDeviceHostImageCopyPropertiesEXT;

typedef struct VkMemoryToImageCopyEXT {
   VkStructureType sType;
   const void *pNext;
   const void *pHostPointer;
   uint32_t memoryRowLength;
   uint32_t memoryImageHeight;
   VkImageSubresourceLayers imageSubresource;
   VkOffset3D imageOffset;
   VkExtent3D imageExtent;
} VkMemoryToImageCopyEXT;

typedef struct VkImageToMemoryCopyEXT {
   VkStructureType sType;
   const void *pNext;
   void *pHostPointer;
   uint32_t memoryRowLength;
   uint32_t memoryImageHeight;
   VkImageSubresourceLayers imageSubresource;
   VkOffset3D imageOffset;
   VkExtent3D imageExtent;
} VkImageToMemoryCopyEXT;

typedef struct VkCopyMemoryToImageInfoEXT {
   VkStructureType sType;
   const void *pNext;
   VkHostImageCopyFlagsEXT flags;
   VkImage dstImage;
   VkImageLayout dstImageLayout;
   uint32_t regionCount;
   const VkMemoryToImageCopyEXT *pRegions;
} VkCopyMemoryToImageInfoEXT;

typedef struct VkCopyImageToMemoryInfoEXT {
   VkStructureType sType;
   const void *pNext;
   VkHostImageCopyFlagsEXT flags;
   VkImage srcImage;
   VkImageLayout srcImageLayout;
   uint32_t regionCount;
   const VkImageToMemoryCopyEXT *pRegions;
} VkCopyImageToMemoryInfoEXT;

typedef struct VkCopyImageToImageInfoEXT {
   VkStructureType sType;
   const void *pNext;
   VkHostImageCopyFlagsEXT flags;
   VkImage srcImage;
   VkImageLayout srcImageLayout;
   VkImage dstImage;
   VkImageLayout dstImageLayout;
   uint32_t regionCount;
   const VkImageCopy2 *pRegions;
} VkCopyImageToImageInfoEXT;

typedef struct VkHostImageLayoutTransitionInfoEXT {
   VkStructureType sType;
   const void *pNext;
   VkImage image;
   VkImageLayout oldLayout;
   VkImageLayout newLayout;
   VkImageSubresourceRange subresourceRange;
} VkHostImageLayoutTransitionInfoEXT;

typedef struct VkSubresourceHostMemcpySizeEXT {
   VkStructureType sType;
   void *pNext;
   VkDeviceSize size;
} VkSubresourceHostMemcpySizeEXT;

typedef struct VkHostImageCopyDevicePerformanceQueryEXT {
   VkStructureType sType;
   void *pNext;
   VkBool32 optimalDeviceAccess;
   VkBool32 identicalMemoryLayout;
} VkHostImageCopyDevicePerformanceQueryEXT;

typedef VkResult(VKAPI_PTR *PFN_vkCopyMemoryToImageEXT)(VkDevice device, const VkCopyMemoryToImageInfoEXT *info);
typedef VkResult(VKAPI_PTR *PFN_vkCopyImageToMemoryEXT)(VkDevice device, const VkCopyImageToMemoryInfoEXT *info);
typedef VkResult(VKAPI_PTR *PFN_vkCopyImageToImageEXT)(VkDevice device, const VkCopyImageToImageInfoEXT *info);
typedef VkResult(VKAPI_PTR *PFN_vkTransitionImageLayoutEXT)(VkDevice device, uint32_t count,
                                                            const VkHostImageLayoutTransitionInfoEXT *transitions);

#endif
#endif

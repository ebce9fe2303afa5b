/* Sparse resources: which the device has, in which pieces, and their binding in the contract's words. */
#include "gallium/frontends/vulkan/vk_sparse.h"
#include "util/log.h"
#include "util/macros.h"

#define BINDING VK_IMAGE_CREATE_SPARSE_BINDING_BIT
#define RESIDENCY VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT
#define ALIASED VK_IMAGE_CREATE_SPARSE_ALIASED_BIT

_Static_assert((int)VK_BUFFER_CREATE_SPARSE_BINDING_BIT == BINDING &&
                  (int)VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT == RESIDENCY &&
                  (int)VK_BUFFER_CREATE_SPARSE_ALIASED_BIT == ALIASED,
               "flags of buffers and images are the same bits");

enum pipe_sparse
vk_sparse(uint32_t flags)
{
   return flags & RESIDENCY ? PIPE_SPARSE_RESIDENCY : flags & BINDING ? PIPE_SPARSE_BINDING : PIPE_SPARSE_NONE;
}

bool
vk_sparse_offered(const struct pipe_caps *caps, uint32_t flags)
{
   return !(flags & ~(uint32_t)(BINDING | RESIDENCY | ALIASED)) && flags & BINDING && caps->sparse_binding &&
          (!(flags & RESIDENCY) || caps->sparse_buffers) && (!(flags & ALIASED) || caps->sparse_aliased);
}

static struct pipe_image_desc
describe(const VkPhysicalDeviceImageFormatInfo2 *info, VkSampleCountFlagBits samples)
{
   return (struct pipe_image_desc){
      .type = (enum pipe_image_type)info->type,
      .format = info->format,
      .samples = (uint8_t)samples,
      .usage = vk_image_usage(info->usage),
      .block_views = info->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
      .slice_views = info->flags & VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT,
      .sparse = PIPE_SPARSE_RESIDENCY,
   };
}

/* Has the device such images with residency, and in which pieces? */
static bool
sparse_format(const struct pipe_screen *screen, const struct pipe_image_desc *desc, struct pipe_sparse_format *format)
{
   const struct pipe_caps *caps = &screen->caps;
   if (desc->type == PIPE_IMAGE_1D ||
       !(desc->type == PIPE_IMAGE_3D ? caps->sparse_images_3d : caps->sparse_images_2d))
      return false;
   if (desc->samples > 1 && (desc->type == PIPE_IMAGE_3D || !(caps->sparse_sample_counts & desc->samples)))
      return false;
   return screen->sparse_format(screen, desc, format);
}

bool
vk_sparse_image_offered(const struct pipe_screen *screen, const VkPhysicalDeviceImageFormatInfo2 *info)
{
   const VkImageCreateFlags flags = info->flags & (BINDING | RESIDENCY | ALIASED);
   const struct pipe_image_desc desc = describe(info, VK_SAMPLE_COUNT_1_BIT);
   struct pipe_sparse_format format;
   if (!flags)
      return true;
   /* The processor would have to find the memory of each piece. */
   if (info->usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT)
      return false;
   if (!(flags & BINDING) || !screen->caps.sparse_binding || (flags & ALIASED && !screen->caps.sparse_aliased))
      return false;
   return !(flags & RESIDENCY) || (info->tiling == VK_IMAGE_TILING_OPTIMAL && sparse_format(screen, &desc, &format));
}

VkSampleCountFlags
vk_sparse_sample_counts(const struct pipe_screen *screen, const VkPhysicalDeviceImageFormatInfo2 *info)
{
   VkSampleCountFlags counts = VK_SAMPLE_COUNT_1_BIT;
   for (uint32_t count = 2; count <= VK_SAMPLE_COUNT_64_BIT; count *= 2) {
      const struct pipe_image_desc desc = describe(info, (VkSampleCountFlagBits)count);
      struct pipe_sparse_format format;
      counts |= sparse_format(screen, &desc, &format) ? count : 0;
   }
   return counts;
}

/* ---- in which pieces ---- */

static VkSparseImageFormatProperties
properties_of(const struct pipe_sparse_format *format)
{
   return (VkSparseImageFormatProperties){
      .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
      .imageGranularity = {format->block_width_px, format->block_height_px, format->block_depth_px},
      .flags = (format->single_tail ? VK_SPARSE_IMAGE_FORMAT_SINGLE_MIPTAIL_BIT : 0) |
               (format->standard ? 0 : VK_SPARSE_IMAGE_FORMAT_NONSTANDARD_BLOCK_SIZE_BIT),
   };
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                                    VkImageType type, VkSampleCountFlagBits samples,
                                                    VkImageUsageFlags usage, VkImageTiling tiling,
                                                    uint32_t *pPropertyCount,
                                                    VkSparseImageFormatProperties *pProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const VkPhysicalDeviceImageFormatInfo2 info = {
      .format = format, .type = type, .tiling = tiling, .usage = usage, .flags = BINDING | RESIDENCY};
   const struct pipe_image_desc desc = describe(&info, samples);
   struct pipe_sparse_format found;
   VkImageFormatProperties image;
   /* A format is one of images with the samples and the usage, too. */
   bool offered = sparse_format(device->screen, &desc, &found) &&
                  vk_image_format_properties(device, &info, &image) == VK_SUCCESS && image.sampleCounts & samples;
   if (pProperties && *pPropertyCount && offered)
      *pProperties = properties_of(&found);
   *pPropertyCount = offered && (!pProperties || *pPropertyCount) ? 1 : 0;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice physicalDevice,
                                                     const VkPhysicalDeviceSparseImageFormatInfo2 *pFormatInfo,
                                                     uint32_t *pPropertyCount,
                                                     VkSparseImageFormatProperties2 *pProperties)
{
   indium_GetPhysicalDeviceSparseImageFormatProperties(physicalDevice, pFormatInfo->format, pFormatInfo->type,
                                                       pFormatInfo->samples, pFormatInfo->usage, pFormatInfo->tiling,
                                                       pPropertyCount, pProperties ? &pProperties->properties : NULL);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageSparseMemoryRequirements(VkDevice _device, VkImage _image, uint32_t *pSparseMemoryRequirementCount,
                                        VkSparseImageMemoryRequirements *pSparseMemoryRequirements)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   bool has_blocks = image->desc.sparse == PIPE_SPARSE_RESIDENCY;
   if (has_blocks && pSparseMemoryRequirements && *pSparseMemoryRequirementCount) {
      struct pipe_sparse_layout layout = device->screen->sparse_layout(image->planes[0], PIPE_ASPECT_COLOR);
      *pSparseMemoryRequirements = (VkSparseImageMemoryRequirements){
         .formatProperties = properties_of(&layout.format),
         .imageMipTailFirstLod = layout.tail_first_level,
         .imageMipTailSize = layout.tail_size_B,
         .imageMipTailOffset = layout.tail_offset_B,
         .imageMipTailStride = layout.format.single_tail ? 0 : layout.tail_stride_B,
      };
   }
   *pSparseMemoryRequirementCount =
      has_blocks && (!pSparseMemoryRequirements || *pSparseMemoryRequirementCount) ? 1 : 0;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageSparseMemoryRequirements2(VkDevice device, const VkImageSparseMemoryRequirementsInfo2 *pInfo,
                                         uint32_t *pSparseMemoryRequirementCount,
                                         VkSparseImageMemoryRequirements2 *pSparseMemoryRequirements)
{
   indium_GetImageSparseMemoryRequirements(device, pInfo->image, pSparseMemoryRequirementCount,
                                           pSparseMemoryRequirements ? &pSparseMemoryRequirements->memoryRequirements
                                                                     : NULL);
}

/* Of an image that is made to be asked. */
VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceImageSparseMemoryRequirements(VkDevice device, const VkDeviceImageMemoryRequirements *pInfo,
                                              uint32_t *pSparseMemoryRequirementCount,
                                              VkSparseImageMemoryRequirements2 *pSparseMemoryRequirements)
{
   VkImageSparseMemoryRequirementsInfo2 info = {.sType = VK_STRUCTURE_TYPE_IMAGE_SPARSE_MEMORY_REQUIREMENTS_INFO_2};
   if (indium_CreateImage(device, pInfo->pCreateInfo, NULL, &info.image) != VK_SUCCESS) {
      *pSparseMemoryRequirementCount = 0;
      return;
   }
   indium_GetImageSparseMemoryRequirements2(device, &info, pSparseMemoryRequirementCount, pSparseMemoryRequirements);
   indium_DestroyImage(device, info.image, NULL);
}

/* ---- binding ---- */

static struct pipe_bind
range_bind(struct pipe_resource *resource, const VkSparseMemoryBind *bind)
{
   VK_FROM(vk_memory, memory, bind->memory);
   return (struct pipe_bind){
      .resource = resource,
      .memory = memory ? memory->memory : NULL,
      .memory_offset_B = bind->memoryOffset,
      .offset_B = bind->resourceOffset,
      .size_B = bind->size,
   };
}

static struct pipe_bind
box_bind(const struct vk_image *image, const VkSparseImageMemoryBind *bind)
{
   VK_FROM(vk_memory, memory, bind->memory);
   return (struct pipe_bind){
      .resource = image->planes[0],
      .memory = memory ? memory->memory : NULL,
      .memory_offset_B = bind->memoryOffset,
      .is_box = true,
      .subresource = {vk_aspects(bind->subresource.aspectMask), bind->subresource.mipLevel,
                      bind->subresource.arrayLayer, 1},
      .offset = {bind->offset.x, bind->offset.y, bind->offset.z},
      .extent = {bind->extent.width, bind->extent.height, bind->extent.depth},
   };
}

/* Whole blocks may end outside of a level. */
static bool
is_within(int32_t offset, uint32_t extent, uint32_t level_px, uint32_t block_px)
{
   return offset >= 0 && (uint64_t)offset + extent <= (uint64_t)div_round_up(level_px, block_px) * block_px;
}

/* A box that the image does not have is the application's mistake: it must not bind what others have. */
static bool
is_box_there(const struct pipe_screen *screen, const struct vk_image *image, const VkSparseImageMemoryBind *bind)
{
   const struct pipe_image_desc *desc = &image->desc;
   const VkImageSubresource *of = &bind->subresource;
   const struct pipe_sparse_format block = screen->sparse_layout(image->planes[0], PIPE_ASPECT_COLOR).format;
   const uint32_t level = MIN2(of->mipLevel, 31u);
   const bool there =
      of->mipLevel < desc->levels && of->arrayLayer < desc->layers &&
      is_within(bind->offset.x, bind->extent.width, MAX2(desc->width_px >> level, 1u), block.block_width_px) &&
      is_within(bind->offset.y, bind->extent.height, MAX2(desc->height_px >> level, 1u), block.block_height_px) &&
      is_within(bind->offset.z, bind->extent.depth, MAX2(desc->depth_px >> level, 1u), block.block_depth_px);
   if (!there)
      log_error("vkQueueBindSparse: a bind of layer %u, level %u, %ux%ux%u texels from %d,%d,%d on is left out",
                of->arrayLayer, of->mipLevel, bind->extent.width, bind->extent.height, bind->extent.depth,
                bind->offset.x, bind->offset.y, bind->offset.z);
   return there;
}

static uint32_t
image_binds(const struct pipe_screen *screen, const VkSparseImageMemoryBindInfo *info, struct pipe_bind *binds)
{
   VK_FROM(vk_image, image, info->image);
   uint32_t count = 0;
   for (uint32_t i = 0; binds && i < info->bindCount; i++) {
      if (is_box_there(screen, image, &info->pBinds[i]))
         binds[count++] = box_bind(image, &info->pBinds[i]);
   }
   return binds ? count : info->bindCount;
}

uint32_t
vk_sparse_binds(const struct pipe_screen *screen, const VkBindSparseInfo *info, struct pipe_bind *binds)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < info->bufferBindCount; i++) {
      const VkSparseBufferMemoryBindInfo *of = &info->pBufferBinds[i];
      VK_FROM(vk_buffer, buffer, of->buffer);
      for (uint32_t j = 0; j < of->bindCount; j++, count++)
         if (binds)
            binds[count] = range_bind(buffer->resource, &of->pBinds[j]);
   }
   for (uint32_t i = 0; i < info->imageOpaqueBindCount; i++) {
      const VkSparseImageOpaqueMemoryBindInfo *of = &info->pImageOpaqueBinds[i];
      VK_FROM(vk_image, image, of->image);
      /* Metadata has no memory of its own. */
      for (uint32_t j = 0; j < of->bindCount; j++)
         if (!(of->pBinds[j].flags & VK_SPARSE_MEMORY_BIND_METADATA_BIT) && ++count && binds)
            binds[count - 1] = range_bind(image->planes[0], &of->pBinds[j]);
   }
   for (uint32_t i = 0; i < info->imageBindCount; i++)
      count += image_binds(screen, &info->pImageBinds[i], binds ? binds + count : NULL);
   return count;
}

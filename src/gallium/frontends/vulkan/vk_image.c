/* Images. */
#include "gallium/frontends/vulkan/vk_debug.h"
#include "gallium/frontends/vulkan/vk_modifier.h"
#include "gallium/frontends/vulkan/vk_sparse.h"
#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "gallium/frontends/vulkan/wsi/wsi.h"
#include "util/macros.h"

uint32_t
vk_image_usage(VkImageUsageFlags usage)
{
   return (usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT ? PIPE_USAGE_TRANSFER_SRC : 0) |
          (usage & VK_IMAGE_USAGE_TRANSFER_DST_BIT ? PIPE_USAGE_TRANSFER_DST : 0) |
          (usage & VK_IMAGE_USAGE_SAMPLED_BIT ? PIPE_USAGE_SAMPLED : 0) |
          (usage & VK_IMAGE_USAGE_STORAGE_BIT ? PIPE_USAGE_STORAGE : 0) |
          (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT ? PIPE_USAGE_COLOR : 0) |
          (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT ? PIPE_USAGE_DEPTH_STENCIL : 0) |
          (usage & VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR ? PIPE_USAGE_SHADING_RATE : 0) |
          (usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT ? PIPE_USAGE_INPUT_ATTACHMENT : 0) |
          (usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT ? PIPE_USAGE_HOST_TRANSFER : 0);
}

/* Shaders may store to any level through one view: VK_AMD_shader_image_load_store_lod. */
static bool
stores_to_levels(const struct vk_device *device, const struct pipe_image_desc *desc)
{
   return device->extensions[INDIUM_EXT_AMD_SHADER_IMAGE_LOAD_STORE_LOD] && desc->levels > 1 &&
          desc->usage & PIPE_USAGE_STORAGE;
}

/* What extensions say of the image's layout. */
static void
set_layout(const struct vk_device *device, struct pipe_image_desc *desc, const void *next)
{
   const VkImageCompressionControlEXT *compression =
      vk_find_struct(next, VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT);
   const VkImageAlignmentControlCreateInfoMESA *alignment =
      vk_find_struct(next, VK_STRUCTURE_TYPE_IMAGE_ALIGNMENT_CONTROL_CREATE_INFO_MESA);
   desc->plain |= compression && compression->flags & VK_IMAGE_COMPRESSION_DISABLED_EXT;
   desc->plain |= stores_to_levels(device, desc);
   desc->max_alignment_B = alignment ? alignment->maximumRequestedAlignment : 0;
}

enum pipe_result
vk_image_plane_create(struct pipe_screen *screen, struct vk_image *image, uint32_t plane)
{
   const struct format_info *info = format_info(image->desc.format);
   struct pipe_image_desc desc = image->desc;
   desc.format = vk_plane_format(image->desc.format, plane);
   if (image->num_planes > 1) {
      desc.width_px = div_round_up(desc.width_px, info->plane[plane].width_divisor);
      desc.height_px = div_round_up(desc.height_px, info->plane[plane].height_divisor);
   }
   /* Not of this image: what views are of is not known. */
   if (desc.format != image->desc.format)
      desc.num_view_formats = 0;
   return screen->image_create(screen, &desc, &image->planes[plane]);
}

void
vk_image_planes_destroy(struct pipe_screen *screen, struct vk_image *image)
{
   for (uint32_t i = 0; i < VK_MAX_PLANES; i++) {
      if (image->planes[i])
         screen->resource_destroy(screen, image->planes[i]);
      image->planes[i] = NULL;
   }
}

/* One after another, each where it is aligned, but where the application placed them. */
static void
place_planes(struct vk_device *device, struct vk_image *image)
{
   uint64_t end_B = 0;
   for (uint32_t i = 0; i < image->num_planes; i++) {
      const struct pipe_memory_requirements needs = device->screen->resource_requirements(image->planes[i]);
      image->plane_offsets_B[i] = image->disjoint || image->desc.placed ? 0 : align_up(end_B, needs.alignment_B);
      end_B = image->plane_offsets_B[i] + needs.size_B;
   }
}

static VkResult
create_planes(struct vk_device *device, const VkImageCreateInfo *info, struct vk_image *image)
{
   VkResult result = VK_SUCCESS;
   if (info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
      return vk_modifier_image_create(device->screen, info, image);
   for (uint32_t i = 0; i < image->num_planes && result == VK_SUCCESS; i++)
      result = vk_result(vk_image_plane_create(device->screen, image, i));
   return result;
}

static VkResult
init_image(struct vk_device *device, const VkImageCreateInfo *info, struct vk_image *image)
{
   image->aspects = vk_format_aspects(info->format);
   image->num_planes = vk_format_planes(info->format);
   image->disjoint = info->flags & VK_IMAGE_CREATE_DISJOINT_BIT && image->num_planes > 1;
   VkResult result = create_planes(device, info, image);
   image->desc.view_formats = NULL;
   if (result == VK_SUCCESS) {
      place_planes(device, image);
      if (vk_image_requirements(device, image, 0).size > VK_MAX_IMAGE_B)
         result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   if (result != VK_SUCCESS)
      vk_image_planes_destroy(device->screen, image);
   return result;
}

/* Of a sparse image, as pipe_image_desc.sparse_va. */
static uint64_t
wanted_address(const VkImageCreateInfo *info)
{
   const uint64_t *va = vk_captured_data(info->pNext);
   if (va && *va)
      return *va;
   return info->flags & VK_IMAGE_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT ? PIPE_VA_REPLAYED : 0;
}

static void
report_plane(const struct vk_device *device, VkDeviceAddressBindingTypeEXT event, const struct vk_image *image,
             uint32_t plane)
{
   vk_address_report_resource(device, event, VK_OBJECT_TYPE_IMAGE, image, image->planes[plane]);
}

static void
report_planes(const struct vk_device *device, VkDeviceAddressBindingTypeEXT event, const struct vk_image *image)
{
   for (uint32_t i = 0; i < image->num_planes; i++)
      report_plane(device, event, image, i);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateImage(VkDevice _device, const VkImageCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                   VkImage *pImage)
{
   VK_FROM(vk_device, device, _device);
   struct vk_image *image = vk_alloc(&device->alloc, pAllocator, sizeof(*image));
   if (!image)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pCreateInfo = wsi_image_info(pCreateInfo);
   const VkImageFormatListCreateInfo *views =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
   const VkExternalMemoryImageCreateInfo *external =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
   image->desc = (struct pipe_image_desc){
      .type = (enum pipe_image_type)pCreateInfo->imageType,
      .format = pCreateInfo->format,
      .width_px = pCreateInfo->extent.width,
      .height_px = pCreateInfo->extent.height,
      .depth_px = pCreateInfo->extent.depth,
      .levels = pCreateInfo->mipLevels,
      .layers = pCreateInfo->arrayLayers,
      .samples = (uint8_t)pCreateInfo->samples,
      .usage = vk_image_usage(pCreateInfo->usage),
      .linear = pCreateInfo->tiling == VK_IMAGE_TILING_LINEAR,
      .block_views = pCreateInfo->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
      .slice_views = pCreateInfo->flags & VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT,
      .sparse = vk_sparse(pCreateInfo->flags),
      .shared = external && external->handleTypes,
      .float_atomics = device->features.shaderImageFloat32Atomics,
      .concurrent = pCreateInfo->sharingMode == VK_SHARING_MODE_CONCURRENT,
      .other_views = pCreateInfo->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
      .num_view_formats = views ? views->viewFormatCount : 0,
      .view_formats = views ? (const uint32_t *)views->pViewFormats : NULL,
   };
   /* Compressed depth is planes: what samples have of them depends on where they lie. */
   image->desc.plain = pCreateInfo->flags & VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;
   image->desc.sparse_va = wanted_address(pCreateInfo);
   set_layout(device, &image->desc, pCreateInfo->pNext);
   const VkResult result = init_image(device, pCreateInfo, image);
   if (result != VK_SUCCESS) {
      vk_free(&device->alloc, pAllocator, image);
      return result;
   }
   if (image->desc.sparse)
      report_planes(device, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, image);
   *pImage = VK_TO(VkImage, image);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyImage(VkDevice _device, VkImage _image, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   if (!image)
      return;
   report_planes(device, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, image);
   vk_image_planes_destroy(device->screen, image);
   vk_free(&device->alloc, pAllocator, image);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageSubresourceLayout(VkDevice _device, VkImage _image, const VkImageSubresource *pSubresource,
                                 VkSubresourceLayout *pLayout)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   const uint32_t plane = vk_plane(pSubresource->aspectMask) % image->num_planes;
   struct pipe_subresource_layout layout = device->screen->image_layout(
      image->planes[plane], vk_aspects(pSubresource->aspectMask), pSubresource->mipLevel, pSubresource->arrayLayer);
   *pLayout = (VkSubresourceLayout){
      .offset = image->plane_offsets_B[plane] + layout.offset_B,
      .size = layout.size_B,
      .rowPitch = layout.row_pitch_B,
      .arrayPitch = layout.layer_pitch_B,
      .depthPitch = layout.depth_pitch_B,
   };
}

VkMemoryRequirements
vk_image_requirements(struct vk_device *device, const struct vk_image *image, uint32_t plane)
{
   VkMemoryRequirements all = vk_memory_requirements(device, image->planes[plane]);
   for (uint32_t i = 1; i < image->num_planes && !image->disjoint; i++) {
      const VkMemoryRequirements one = vk_memory_requirements(device, image->planes[i]);
      all.size = MAX2(all.size, image->plane_offsets_B[i] + one.size);
      all.alignment = MAX2(all.alignment, one.alignment);
      all.memoryTypeBits &= one.memoryTypeBits;
   }
   return all;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageMemoryRequirements(VkDevice _device, VkImage _image, VkMemoryRequirements *pMemoryRequirements)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   *pMemoryRequirements = vk_image_requirements(device, image, 0);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetImageMemoryRequirements2(VkDevice _device, const VkImageMemoryRequirementsInfo2 *pInfo,
                                   VkMemoryRequirements2 *pMemoryRequirements)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, pInfo->image);
   const VkImagePlaneMemoryRequirementsInfo *of =
      vk_find_struct(pInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO);
   const uint32_t plane = of && image->disjoint ? vk_plane(of->planeAspect) % image->num_planes : 0;
   pMemoryRequirements->memoryRequirements = vk_image_requirements(device, image, plane);
   vk_fill_dedicated(pMemoryRequirements->pNext);
}

/* Of an image that is made to be asked, as is the next. */
VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceImageSubresourceLayout(VkDevice device, const VkDeviceImageSubresourceInfo *pInfo,
                                       VkSubresourceLayout2 *pLayout)
{
   VkImage image;
   if (indium_CreateImage(device, pInfo->pCreateInfo, NULL, &image) != VK_SUCCESS) {
      pLayout->subresourceLayout = (VkSubresourceLayout){0};
      return;
   }
   indium_GetImageSubresourceLayout2(device, image, pInfo->pSubresource, pLayout);
   indium_DestroyImage(device, image, NULL);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetDeviceImageMemoryRequirements(VkDevice device, const VkDeviceImageMemoryRequirements *pInfo,
                                        VkMemoryRequirements2 *pMemoryRequirements)
{
   const VkImagePlaneMemoryRequirementsInfo plane = {.sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO,
                                                     .planeAspect = pInfo->planeAspect};
   VkImageMemoryRequirementsInfo2 info = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
                                          .pNext = &plane};
   if (indium_CreateImage(device, pInfo->pCreateInfo, NULL, &info.image) != VK_SUCCESS) {
      pMemoryRequirements->memoryRequirements = (VkMemoryRequirements){0};
      return;
   }
   indium_GetImageMemoryRequirements2(device, &info, pMemoryRequirements);
   indium_DestroyImage(device, info.image, NULL);
}

static void
bind_plane(struct vk_device *device, struct vk_image *image, uint32_t plane, VkDeviceMemory _memory,
           uint64_t offset_B)
{
   VK_FROM(vk_memory, memory, _memory);
   device->screen->resource_bind(image->planes[plane], memory->memory, offset_B + image->plane_offsets_B[plane]);
   report_plane(device, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, image, plane);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindImageMemory(VkDevice _device, VkImage _image, VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, _image);
   for (uint32_t i = 0; i < image->num_planes; i++)
      bind_plane(device, image, i, memory, memoryOffset);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BindImageMemory2(VkDevice _device, uint32_t bindInfoCount, const VkBindImageMemoryInfo *pBindInfos)
{
   VK_FROM(vk_device, device, _device);
   for (uint32_t i = 0; i < bindInfoCount; i++) {
      const VkBindImageMemoryInfo *info = &pBindInfos[i];
      VK_FROM(vk_image, image, info->image);
      const VkBindImagePlaneMemoryInfo *of =
         vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO);
      const VkDeviceMemory shown = wsi_bound_memory(info->pNext);
      if (shown)
         indium_BindImageMemory(_device, info->image, shown, 0);
      else if (of && image->disjoint)
         bind_plane(device, image, vk_plane(of->planeAspect) % image->num_planes, info->memory, info->memoryOffset);
      else
         indium_BindImageMemory(_device, info->image, info->memory, info->memoryOffset);
      vk_fill_bind_status(info->pNext, VK_SUCCESS);
   }
   return VK_SUCCESS;
}

/* Image views. */
#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/macros.h"

/* VK_COMPONENT_SWIZZLE_IDENTITY means the component's own place. */
static uint8_t
swizzle(VkComponentSwizzle component, enum pipe_swizzle own)
{
   switch (component) {
   case VK_COMPONENT_SWIZZLE_ZERO:
      return PIPE_SWIZZLE_0;
   case VK_COMPONENT_SWIZZLE_ONE:
      return PIPE_SWIZZLE_1;
   case VK_COMPONENT_SWIZZLE_R:
      return PIPE_SWIZZLE_R;
   case VK_COMPONENT_SWIZZLE_G:
      return PIPE_SWIZZLE_G;
   case VK_COMPONENT_SWIZZLE_B:
      return PIPE_SWIZZLE_B;
   case VK_COMPONENT_SWIZZLE_A:
      return PIPE_SWIZZLE_A;
   case VK_COMPONENT_SWIZZLE_IDENTITY:
   case VK_COMPONENT_SWIZZLE_MAX_ENUM:
      break;
   }
   return own;
}

/* Slices of a 3D image: a view of 3D has all of its level, or a part. */
static void
set_slices(struct vk_image_view *view, const VkImageViewCreateInfo *info)
{
   const struct pipe_image_desc *desc = &view->image->desc;
   const VkImageViewSlicedCreateInfoEXT *sliced =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT);
   const bool is_3d = info->viewType == VK_IMAGE_VIEW_TYPE_3D;
   const uint32_t all = MAX2(desc->depth_px >> view->range.base_level, 1u);
   if (is_3d) {
      view->range.base_layer = sliced ? sliced->sliceOffset : 0;
      view->range.layers = sliced ? sliced->sliceCount : VK_REMAINING_3D_SLICES_EXT;
   }
   if (is_3d ? view->range.layers == VK_REMAINING_3D_SLICES_EXT
             : info->subresourceRange.layerCount == VK_REMAINING_ARRAY_LAYERS)
      view->range.layers = all - view->range.base_layer;
}

static void
destroy_planes(struct vk_device *device, struct vk_image_view *view)
{
   for (uint32_t i = 0; i < VK_MAX_PLANES; i++) {
      if (view->planes[i])
         device->screen->image_view_destroy(device->screen, view->planes[i]);
   }
}

/* The planes that it is of: one by its aspect, or all. desc: without image and format. */
static enum pipe_result
create_planes(struct vk_device *device, const VkImageViewCreateInfo *info, struct pipe_image_view_desc *desc,
              struct vk_image_view *view)
{
   const struct vk_image *image = view->image;
   const bool one = info->subresourceRange.aspectMask & VK_PLANE_ASPECTS || image->num_planes == 1;
   enum pipe_result result = PIPE_OK;
   view->first_plane = one ? vk_plane(info->subresourceRange.aspectMask) % image->num_planes : 0;
   view->num_planes = one ? 1 : image->num_planes;
   for (uint32_t i = 0; i < view->num_planes && result == PIPE_OK; i++) {
      desc->image = image->planes[view->first_plane + i];
      desc->format = one ? view->format : vk_plane_format(info->format, i);
      result = device->screen->image_view_create(device->screen, desc, &view->planes[i]);
   }
   if (result != PIPE_OK)
      destroy_planes(device, view);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateImageView(VkDevice _device, const VkImageViewCreateInfo *pCreateInfo,
                       const VkAllocationCallbacks *pAllocator, VkImageView *pView)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, pCreateInfo->image);
   const VkImageViewUsageCreateInfo *usage =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
   const VkImageViewMinLodCreateInfoEXT *min_lod =
      vk_find_struct(pCreateInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
   struct vk_image_view *view = vk_alloc(&device->alloc, pAllocator, sizeof(*view));
   if (!view)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   view->image = image;
   view->format = vk_stored_format(pCreateInfo->format);
   view->range = vk_subresource_range(image, &pCreateInfo->subresourceRange);
   if (image->desc.type == PIPE_IMAGE_3D)
      set_slices(view, pCreateInfo);
   struct pipe_image_view_desc desc = {
      .type = (enum pipe_view_type)pCreateInfo->viewType,
      .swizzle = {swizzle(pCreateInfo->components.r, PIPE_SWIZZLE_R),
                  swizzle(pCreateInfo->components.g, PIPE_SWIZZLE_G),
                  swizzle(pCreateInfo->components.b, PIPE_SWIZZLE_B),
                  swizzle(pCreateInfo->components.a, PIPE_SWIZZLE_A)},
      .range = view->range,
      .min_lod = min_lod ? min_lod->minLod : 0,
      .usage = usage ? vk_image_usage(usage->usage) : image->desc.usage,
   };
   enum pipe_result result = create_planes(device, pCreateInfo, &desc, view);
   if (result != PIPE_OK) {
      vk_free(&device->alloc, pAllocator, view);
      return vk_result(result);
   }
   *pView = VK_TO(VkImageView, view);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyImageView(VkDevice _device, VkImageView imageView, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image_view, view, imageView);
   if (!view)
      return;
   destroy_planes(device, view);
   vk_free(&device->alloc, pAllocator, view);
}

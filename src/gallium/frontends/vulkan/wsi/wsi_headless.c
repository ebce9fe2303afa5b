/* Surfaces without a window (VK_EXT_headless_surface): what is presented is copied, and nobody looks at it. */
#include "gallium/frontends/vulkan/wsi/wsi.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateHeadlessSurfaceEXT(VkInstance _instance, const VkHeadlessSurfaceCreateInfoEXT *pCreateInfo,
                                const VkAllocationCallbacks *pAllocator, VkSurfaceKHR *pSurface)
{
   VK_FROM(vk_instance, instance, _instance);
   VkIcdSurfaceHeadless *surface = vk_alloc(&instance->alloc, pAllocator, sizeof(*surface));
   if (!surface)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   surface->base.platform = VK_ICD_WSI_PLATFORM_HEADLESS;
   *pSurface = VK_TO(VkSurfaceKHR, surface);
   return VK_SUCCESS;
}

static VkResult
describe(const VkIcdSurfaceBase *surface, struct wsi_description *out)
{
   *out = (struct wsi_description){
      .extent = {UINT32_MAX, UINT32_MAX},
      .alphas = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR |
                VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
      .num_formats = 8,
      .formats = {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB,
                  VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_A2R10G10B10_UNORM_PACK32,
                  VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R5G6B5_UNORM_PACK16},
   };
   return VK_SUCCESS;
}

static VkResult
open(struct wsi_swapchain *swapchain)
{
   swapchain->refresh_ns = 0; /* there is no display */
   return VK_SUCCESS;
}

static VkResult
show(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   return VK_SUCCESS;
}

const struct wsi_platform wsi_headless = {
   .kind = VK_ICD_WSI_PLATFORM_HEADLESS,
   .describe = describe,
   .open = open,
   .show = show,
};

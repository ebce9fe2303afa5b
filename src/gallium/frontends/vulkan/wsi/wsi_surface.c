/* What a device can do with a surface. */
#include "gallium/frontends/vulkan/wsi/wsi.h"
#include "util/macros.h"

static const VkPresentModeKHR modes[] = {
   VK_PRESENT_MODE_IMMEDIATE_KHR,
   VK_PRESENT_MODE_MAILBOX_KHR,
   VK_PRESENT_MODE_FIFO_KHR,
   VK_PRESENT_MODE_FIFO_RELAXED_KHR,
   VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR,
   VK_PRESENT_MODE_FIFO_LATEST_READY_EXT,
};

bool
wsi_mode_shared(VkPresentModeKHR mode)
{
   return mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR;
}

static VkImageUsageFlags
usages(const struct vk_physical_device *physical, VkFormat format)
{
   const uint32_t bits = physical->screen->format_features(physical->screen, format, false);
   const VkFormatFeatureFlags features = vk_image_features(bits);
   VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
   if (features & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)
      usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
   if (features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)
      usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
   if (features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)
      usage |= VK_IMAGE_USAGE_STORAGE_BIT;
   return usage;
}

VkResult
wsi_describe(const struct vk_physical_device *physical, const VkIcdSurfaceBase *surface, struct wsi_description *out)
{
   const struct wsi_platform *platform = wsi_platform(surface);
   const VkResult result = platform ? platform->describe(surface, out) : VK_ERROR_SURFACE_LOST_KHR;
   uint32_t kept = 0;
   if (result != VK_SUCCESS)
      return result;
   for (uint32_t i = 0; i < out->num_formats; i++) {
      if (usages(physical, out->formats[i]) & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
         out->formats[kept++] = out->formats[i];
   }
   out->num_formats = kept;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice physicalDevice, uint32_t queueFamilyIndex,
                                          VkSurfaceKHR surface, VkBool32 *pSupported)
{
   VK_FROM(vk_physical_device, physical, physicalDevice);
   struct wsi_description description;
   const uint32_t any = PIPE_CAN_GRAPHICS | PIPE_CAN_COMPUTE | PIPE_CAN_TRANSFER; /* all of them copy */
   const VkResult result = wsi_describe(physical, (VkIcdSurfaceBase *)(uintptr_t)surface, &description);
   *pSupported = result == VK_SUCCESS && description.num_formats &&
                 physical->screen->caps.queue_families[queueFamilyIndex].abilities & any;
   return result;
}

/* Of one present mode, or of all. */
static void
fill_capabilities(const struct vk_physical_device *physical, const struct wsi_description *description,
                  const VkPresentModeKHR *mode, VkSurfaceCapabilitiesKHR *out)
{
   const uint32_t max_px = physical->screen->caps.max_image_2d_px;
   const bool free = description->extent.width == UINT32_MAX, shared = mode && wsi_mode_shared(*mode);
   VkImageUsageFlags usage = 0; /* of any format: the application asks what its own can do */
   for (uint32_t i = 0; i < description->num_formats; i++)
      usage |= usages(physical, description->formats[i]);
   *out = (VkSurfaceCapabilitiesKHR){
      .minImageCount = shared ? 1 : 2,
      .maxImageCount = shared ? 1 : 0,
      .currentExtent = description->extent,
      .minImageExtent = free ? (VkExtent2D){1, 1} : description->extent,
      .maxImageExtent = free ? (VkExtent2D){max_px, max_px} : description->extent,
      .maxImageArrayLayers = 1,
      .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
      .supportedCompositeAlpha = description->alphas,
      .supportedUsageFlags = usage,
   };
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceSurfaceCapabilitiesKHR(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                               VkSurfaceCapabilitiesKHR *pSurfaceCapabilities)
{
   VK_FROM(vk_physical_device, physical, physicalDevice);
   struct wsi_description description;
   const VkResult result = wsi_describe(physical, (VkIcdSurfaceBase *)(uintptr_t)surface, &description);
   if (result == VK_SUCCESS)
      fill_capabilities(physical, &description, NULL, pSurfaceCapabilities);
   return result;
}

/* A swapchain may change between all modes that do not share their image. */
static void
fill_compatible(const VkPresentModeKHR *mode, VkSurfacePresentModeCompatibilityEXT *out)
{
   VkPresentModeKHR list[ARRAY_SIZE(modes)];
   uint32_t count = 0;
   VkResult ignored = VK_SUCCESS;
   for (uint32_t i = 0; i < ARRAY_SIZE(modes); i++) {
      if (mode && (modes[i] == *mode || (!wsi_mode_shared(*mode) && !wsi_mode_shared(modes[i]))))
         list[count++] = modes[i];
   }
   VK_ENUMERATE(out->pPresentModes, &out->presentModeCount, count, list, ignored);
   (void)ignored;
}

static void
fill_more(const VkPresentModeKHR *mode, const VkSurfaceCapabilitiesKHR *base, VkBaseOutStructure *out)
{
   switch ((uint32_t)out->sType) {
   case VK_STRUCTURE_TYPE_SHARED_PRESENT_SURFACE_CAPABILITIES_KHR:
      ((VkSharedPresentSurfaceCapabilitiesKHR *)out)->sharedPresentSupportedUsageFlags = base->supportedUsageFlags;
      break;
   case VK_STRUCTURE_TYPE_SURFACE_PROTECTED_CAPABILITIES_KHR:
      ((VkSurfaceProtectedCapabilitiesKHR *)out)->supportsProtected = VK_FALSE;
      break;
   case VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_COMPATIBILITY_EXT:
      fill_compatible(mode, (VkSurfacePresentModeCompatibilityEXT *)out);
      break;
   case VK_STRUCTURE_TYPE_SURFACE_PRESENT_SCALING_CAPABILITIES_EXT: {
      VkSurfacePresentScalingCapabilitiesEXT *scaling = (VkSurfacePresentScalingCapabilitiesEXT *)out;
      scaling->supportedPresentScaling = 0;
      scaling->supportedPresentGravityX = scaling->supportedPresentGravityY = 0;
      scaling->minScaledImageExtent = base->minImageExtent;
      scaling->maxScaledImageExtent = base->maxImageExtent;
      break;
   }
   case VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_ID_2_KHR:
      ((VkSurfaceCapabilitiesPresentId2KHR *)out)->presentId2Supported = VK_TRUE;
      break;
   case VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_WAIT_2_KHR:
      ((VkSurfaceCapabilitiesPresentWait2KHR *)out)->presentWait2Supported = VK_TRUE;
      break;
   default: /* others: not ours */
      break;
   }
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceSurfaceCapabilities2KHR(VkPhysicalDevice physicalDevice,
                                                const VkPhysicalDeviceSurfaceInfo2KHR *pSurfaceInfo,
                                                VkSurfaceCapabilities2KHR *pSurfaceCapabilities)
{
   VK_FROM(vk_physical_device, physical, physicalDevice);
   VkSurfaceCapabilitiesKHR *base = &pSurfaceCapabilities->surfaceCapabilities;
   const VkSurfacePresentModeEXT *mode =
      vk_find_struct(pSurfaceInfo->pNext, VK_STRUCTURE_TYPE_SURFACE_PRESENT_MODE_EXT);
   struct wsi_description description;
   const VkResult result = wsi_describe(physical, (VkIcdSurfaceBase *)(uintptr_t)pSurfaceInfo->surface, &description);
   if (result != VK_SUCCESS)
      return result;
   fill_capabilities(physical, &description, mode ? &mode->presentMode : NULL, base);
   for (VkBaseOutStructure *it = pSurfaceCapabilities->pNext; it; it = it->pNext) {
      fill_more(mode ? &mode->presentMode : NULL, base, it);
      if (it->sType == VK_STRUCTURE_TYPE_PRESENT_TIMING_SURFACE_CAPABILITIES_EXT)
         wsi_timing_capabilities((VkIcdSurfaceBase *)(uintptr_t)pSurfaceInfo->surface,
                                 (VkPresentTimingSurfaceCapabilitiesEXT *)it);
   }
   return VK_SUCCESS;
}

/* ---- formats and modes ---- */

/* Each format as it is and, if the application knows more colour spaces, with colours that nobody touches. */
static uint32_t
list_formats(const struct vk_physical_device *physical, const struct wsi_description *description,
             VkSurfaceFormatKHR *out)
{
   const bool spaces = physical->instance->extensions[INDIUM_EXT_EXT_SWAPCHAIN_COLORSPACE];
   uint32_t count = 0;
   for (uint32_t i = 0; i < description->num_formats; i++)
      out[count++] = (VkSurfaceFormatKHR){description->formats[i], VK_COLOR_SPACE_SRGB_NONLINEAR_KHR};
   for (uint32_t i = 0; i < description->num_formats && spaces; i++)
      out[count++] = (VkSurfaceFormatKHR){description->formats[i], VK_COLOR_SPACE_PASS_THROUGH_EXT};
   return count;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                          uint32_t *pSurfaceFormatCount, VkSurfaceFormatKHR *pSurfaceFormats)
{
   VK_FROM(vk_physical_device, physical, physicalDevice);
   VkSurfaceFormatKHR list[2 * WSI_MAX_FORMATS];
   struct wsi_description description;
   VkResult result = wsi_describe(physical, (VkIcdSurfaceBase *)(uintptr_t)surface, &description);
   if (result != VK_SUCCESS)
      return result;
   const uint32_t count = list_formats(physical, &description, list);
   VK_ENUMERATE(pSurfaceFormats, pSurfaceFormatCount, count, list, result);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceSurfaceFormats2KHR(VkPhysicalDevice physicalDevice,
                                           const VkPhysicalDeviceSurfaceInfo2KHR *pSurfaceInfo,
                                           uint32_t *pSurfaceFormatCount, VkSurfaceFormat2KHR *pSurfaceFormats)
{
   VkSurfaceFormatKHR list[2 * WSI_MAX_FORMATS];
   uint32_t count = pSurfaceFormats ? MIN2(*pSurfaceFormatCount, ARRAY_SIZE(list)) : 0;
   const VkResult result = indium_GetPhysicalDeviceSurfaceFormatsKHR(physicalDevice, pSurfaceInfo->surface, &count,
                                                                     pSurfaceFormats ? list : NULL);
   if (result < 0)
      return result;
   for (uint32_t i = 0; i < count && pSurfaceFormats; i++)
      pSurfaceFormats[i].surfaceFormat = list[i];
   *pSurfaceFormatCount = count;
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice physicalDevice, VkSurfaceKHR surface,
                                               uint32_t *pPresentModeCount, VkPresentModeKHR *pPresentModes)
{
   VkResult result = VK_SUCCESS;
   VK_ENUMERATE(pPresentModes, pPresentModeCount, (uint32_t)ARRAY_SIZE(modes), modes, result);
   return result;
}

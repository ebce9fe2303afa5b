/* Direct images: the display reads the swapchain's images themselves. They have a DRM format modifier that both know,
 * and the display imports their memory as a dma-buf. */
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "gallium/frontends/vulkan/wsi/wsi.h"
#include "util/macros.h"

#define DMA_BUF VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT

/* Whether the device makes the swapchain's images with the modifier. */
static bool
is_offered(const struct wsi_swapchain *swapchain, uint64_t modifier)
{
   const VkImageCreateInfo *image = &swapchain->image_info;
   const VkPhysicalDeviceExternalImageFormatInfo external = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO,
      .pNext = image->pNext, /* the list of formats, or nothing */
      .handleType = DMA_BUF,
   };
   const VkPhysicalDeviceImageDrmFormatModifierInfoEXT named = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
      .pNext = &external,
      .drmFormatModifier = modifier,
      .sharingMode = image->sharingMode,
   };
   const VkPhysicalDeviceImageFormatInfo2 info = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
      .pNext = &named,
      .format = image->format,
      .type = image->imageType,
      .tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT,
      .usage = image->usage,
      .flags = image->flags,
   };
   VkImageFormatProperties2 found = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
   const VkExtent3D *most = &found.imageFormatProperties.maxExtent;
   return indium_GetPhysicalDeviceImageFormatProperties2(VK_TO(VkPhysicalDevice, swapchain->device->physical), &info,
                                                         &found) == VK_SUCCESS &&
          image->extent.width <= most->width && image->extent.height <= most->height;
}

bool
wsi_direct_init(struct wsi_swapchain *swapchain, const uint64_t *modifiers, uint32_t count)
{
   VkImageCreateInfo *image = &swapchain->image_info;
   for (uint32_t i = 0; i < count && swapchain->num_modifiers < PIPE_MAX_MODIFIERS; i++) {
      if (is_offered(swapchain, modifiers[i]))
         swapchain->modifiers[swapchain->num_modifiers++] = modifiers[i];
   }
   if (!swapchain->num_modifiers)
      return false;
   swapchain->external = (VkExternalMemoryImageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, .pNext = image->pNext, .handleTypes = DMA_BUF};
   swapchain->modifier_list = (VkImageDrmFormatModifierListCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
      .pNext = &swapchain->external,
      .drmFormatModifierCount = swapchain->num_modifiers,
      .pDrmFormatModifiers = swapchain->modifiers,
   };
   image->pNext = &swapchain->modifier_list;
   image->tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
   swapchain->direct = true;
   return true;
}

bool
wsi_direct_same_device(const struct wsi_swapchain *swapchain, uint64_t device)
{
   const struct pipe_node *node = &swapchain->device->screen->caps.node;
   const unsigned of_major = major(device), of_minor = minor(device);
   return (of_major == node->render_major && of_minor == node->render_minor) ||
          (node->has_primary && of_major == node->primary_major && of_minor == node->primary_minor);
}

VkResult
wsi_direct_add(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   struct pipe_screen *screen = swapchain->device->screen;
   const struct vk_memory *memory = (const struct vk_memory *)image->memory;
   enum pipe_result result = screen->memory_export(screen, memory->memory, &image->fd);
   if (result == PIPE_OK && swapchain->explicit_sync)
      result = screen->sync_create(screen, false, &image->sync);
   return result == PIPE_OK ? swapchain->platform->add(swapchain, image) : vk_result(result);
}

void
wsi_direct_finish(struct wsi_swapchain *swapchain, struct wsi_image *image)
{
   struct pipe_screen *screen = swapchain->device->screen;
   if (image->sync)
      screen->sync_destroy(screen, image->sync);
   if (image->fd >= 0)
      close(image->fd);
}

struct wsi_plane
wsi_direct_plane(const struct wsi_swapchain *swapchain, const struct wsi_image *image)
{
   const VkDevice device = VK_TO(VkDevice, swapchain->device);
   const VkImageSubresource first = {.aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT};
   VkImageDrmFormatModifierPropertiesEXT modifier;
   VkSubresourceLayout layout;
   indium_GetImageDrmFormatModifierPropertiesEXT(device, image->image, &modifier);
   indium_GetImageSubresourceLayout(device, image->image, &first, &layout);
   return (struct wsi_plane){.fd = image->fd,
                             .offset_B = (uint32_t)layout.offset,
                             .pitch_B = (uint32_t)layout.rowPitch,
                             .modifier = modifier.drmFormatModifier};
}

/* ---- synchronisation ---- */

/* Kernels before 6.0 do not have the call: there a driver's submits wait for those of others by themselves. */
int
wsi_direct_readers(const struct wsi_image *image)
{
   struct dma_buf_export_sync_file readers = {.flags = DMA_BUF_SYNC_WRITE, .fd = -1};
   int result;
   do {
      result = ioctl(image->fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &readers);
   } while (result < 0 && (errno == EINTR || errno == EAGAIN));
   return result < 0 ? -1 : readers.fd;
}

static uint64_t
release_point(const struct wsi_image *image)
{
   return 2 * image->presents;
}

VkResult
wsi_direct_signal(struct wsi_swapchain *swapchain, struct wsi_image *image, uint64_t *release)
{
   struct pipe_screen *screen = swapchain->device->screen;
   *release = release_point(image);
   return vk_result(screen->sync_signal(screen, image->sync, *release - 1));
}

void
wsi_direct_hear(struct wsi_swapchain *swapchain)
{
   struct pipe_screen *screen = swapchain->device->screen;
   for (uint32_t i = 0; i < swapchain->num_images; i++) {
      struct wsi_image *image = &swapchain->images[i];
      uint64_t point = 0;
      if (image->state == WSI_SHOWN && screen->sync_query(screen, image->sync, &point) == PIPE_OK &&
          point >= release_point(image))
         wsi_release(swapchain, image);
   }
}

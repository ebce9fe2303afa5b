#include "display_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared_image.h"

static struct vkx display; /* its own device, made when it is needed */

static struct display_color
count(const char *rows, const struct display_image *image, uint32_t pitch_B)
{
   struct display_color found = {.color = *(const uint32_t *)rows & 0xffffff};
   for (uint32_t y = 0; y < image->height; y++) {
      const uint32_t *row = (const uint32_t *)(rows + (size_t)y * pitch_B);
      for (uint32_t x = 0; x < image->width; x++)
         found.wrong += (row[x] & 0xffffff) != found.color;
   }
   return found;
}

static struct display_color
read_linear(const struct display_image *image)
{
   const size_t size_B = image->offset_B + (size_t)image->pitch_B * image->height;
   const char *bytes = mmap(NULL, size_B, PROT_READ, MAP_SHARED, image->fd, 0);
   if (bytes == MAP_FAILED) {
      printf("a buffer of %zu bytes cannot be mapped\n", size_B);
      exit(1);
   }
   const struct display_color found = count(bytes + image->offset_B, image, image->pitch_B);
   munmap((void *)bytes, size_B);
   return found;
}

static struct vkt_image
import(const struct display_image *image)
{
   static const VkExternalMemoryImageCreateInfo external = {
      .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, .handleTypes = DMA_BUF};
   const VkSubresourceLayout layout = {.offset = image->offset_B, .rowPitch = image->pitch_B};
   const VkImageDrmFormatModifierExplicitCreateInfoEXT placed = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT,
      .pNext = &external,
      .drmFormatModifier = image->modifier,
      .drmFormatModifierPlaneCount = 1,
      .pPlaneLayouts = &layout};
   struct vkt_image out = {.info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .pNext = &placed,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_B8G8R8A8_UNORM,
                                    .extent = {image->width, image->height, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT,
                                    .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT}};
   vkx_check(vkCreateImage(display.device, &out.info, NULL, &out.image), "a client's image");
   shared_image_bind(&display, &out, dup(image->fd));
   return out;
}

static struct display_color
read_tiled(const struct display_image *image)
{
   if (!display.device)
      display = vkx_create_with("the display", VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME, NULL);
   struct vkt_image imported = import(image);
   const VkDeviceSize size_B = (VkDeviceSize)image->width * image->height * 4;
   struct vkx_buffer pixels = vkx_buffer_create(&display, size_B, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = imported.info.extent};
   VkCommandBuffer cmd = vkx_begin(&display);
   vkt_transition(cmd, &imported, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
   vkCmdCopyImageToBuffer(cmd, imported.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels.buffer, 1, &region);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&display, cmd);
   const struct display_color found = count(pixels.map, image, 4 * image->width);
   vkx_buffer_destroy(&display, &pixels);
   vkt_image_destroy(&display, &imported);
   return found;
}

struct display_color
display_image_color(const struct display_image *image)
{
   return image->modifier ? read_tiled(image) : read_linear(image); /* 0: DRM_FORMAT_MOD_LINEAR */
}

void
display_image_finish(void)
{
   if (display.device)
      vkx_destroy(&display);
   display = (struct vkx){0};
}

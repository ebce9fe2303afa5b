/* What applications ask of the layout of images: no compression, and less alignment. The texels are the same. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

enum { SIZE = 600 };

static struct vkx *vkx;
static struct vkx_buffer buffer;

/* Texels go in and out, and a colour is cleared. */
static void
check_texels(const struct vkt_image *image, const char *name)
{
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = image->info.extent};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   const VkClearColorValue color = {.float32 = {1, 0, 0, 1}};
   uint32_t *words = buffer.map;
   bool right = true;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      words[i] = i * 0x9e3779b1u;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, buffer.buffer, image->image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   memset(buffer.map, 0, SIZE * SIZE * 4);
   vkt_read(vkx, image, VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffer);
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      right &= words[i] == i * 0x9e3779b1u;
   vkt_expect(right, "%s: texels", name);
   cmd = vkx_begin(vkx);
   vkCmdClearColorImage(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, image, VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffer);
   right = true;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      right &= words[i] == 0xff0000ff;
   vkt_expect(right, "%s: a cleared colour", name);
}

static struct vkt_image
create_image(const void *next, VkImageUsageFlags usage)
{
   return vkt_image_create(
      vkx,
      (VkImageCreateInfo){.pNext = next,
                          .imageType = VK_IMAGE_TYPE_2D,
                          .format = VK_FORMAT_R8G8B8A8_UNORM,
                          .extent = {SIZE, SIZE, 1},
                          .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
}

static VkMemoryRequirements
requirements(const struct vkt_image *image)
{
   VkMemoryRequirements needs;
   vkGetImageMemoryRequirements(vkx->device, image->image, &needs);
   return needs;
}

static void
check_compression(VkImageUsageFlags usage)
{
   const VkImageCompressionControlEXT off = {.sType = VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT,
                                             .flags = VK_IMAGE_COMPRESSION_DISABLED_EXT};
   PFN_vkGetImageSubresourceLayout2EXT get_layout = VKT_PROC(vkx, vkGetImageSubresourceLayout2EXT);
   struct vkt_image image = create_image(NULL, usage), plain = create_image(&off, usage);
   const struct vkt_image *both[2] = {&image, &plain};
   if (!vkt_expect(get_layout != NULL, "vkGetImageSubresourceLayout2EXT"))
      return;
   for (unsigned i = 0; i < 2; i++) {
      const VkImageSubresource2EXT part = {.sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2_EXT,
                                           .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}};
      VkImageCompressionPropertiesEXT says = {.sType = VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT,
                                              .imageCompressionFixedRateFlags = ~0u};
      VkSubresourceLayout2EXT where = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2_EXT, .pNext = &says};
      get_layout(vkx->device, both[i]->image, &part, &where);
      vkt_expect(!i || says.imageCompressionFlags == VK_IMAGE_COMPRESSION_DISABLED_EXT, "usage %x: is not compressed",
                 usage);
      vkt_expect(!says.imageCompressionFixedRateFlags, "usage %x: no fixed rate", usage);
      check_texels(both[i], i ? "without compression" : "as the driver likes");
   }
   vkt_expect(requirements(&plain).size <= requirements(&image).size, "usage %x: size without compression", usage);
   vkt_image_destroy(vkx, &image);
   vkt_image_destroy(vkx, &plain);
}

static void
check_alignment(VkDeviceSize alignment)
{
   const VkImageAlignmentControlCreateInfoMESA control = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_ALIGNMENT_CONTROL_CREATE_INFO_MESA,
      .maximumRequestedAlignment = (uint32_t)alignment};
   struct vkt_image image = create_image(&control, VK_IMAGE_USAGE_SAMPLED_BIT);
   const VkDeviceSize got = requirements(&image).alignment;
   vkt_expect(got <= alignment, "alignment %u, not %u", (unsigned)got, (unsigned)alignment);
   check_texels(&image, "alignment");
   vkt_image_destroy(vkx, &image);
}

int
main(void)
{
   struct vkx device = vkt_create("layout_controls");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, SIZE * SIZE * 4, 0);
   if (vkt_has("VK_EXT_image_compression_control")) {
      check_compression(VK_IMAGE_USAGE_SAMPLED_BIT);
      check_compression(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   } else {
      vkt_skip("VK_EXT_image_compression_control");
   }
   if (vkt_has("VK_MESA_image_alignment_control")) {
      VkPhysicalDeviceImageAlignmentControlPropertiesMESA alignments = {
         .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ALIGNMENT_CONTROL_PROPERTIES_MESA};
      VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &alignments, {0}};
      vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
      for (uint32_t left = alignments.supportedImageAlignmentMask; left; left &= left - 1)
         check_alignment(left & -left);
   } else {
      vkt_skip("VK_MESA_image_alignment_control");
   }
   vkx_buffer_destroy(vkx, &buffer);
   vkt_expect(true, "the device");
   return vkt_finish(vkx);
}

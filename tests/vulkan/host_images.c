/* Images that the processor writes and the device reads, and the reverse, in all sizes of elements and in shapes that
 * reach over many blocks: whoever tiles them must mean the same bytes. Fails where
 * the processor may copy none. host_images */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define MAX_B (16u << 20)

static const struct {
   VkFormat format;
   uint32_t element_B;
} formats[] = {{VK_FORMAT_R8_UINT, 1},
               {VK_FORMAT_R16_UINT, 2},
               {VK_FORMAT_R32_UINT, 4},
               {VK_FORMAT_R32G32_UINT, 8},
               {VK_FORMAT_R32G32B32A32_UINT, 16},
               {VK_FORMAT_D16_UNORM, 2},
               {VK_FORMAT_D32_SFLOAT, 4},
               {VK_FORMAT_S8_UINT, 1}};
static const struct {
   const char *name;
   VkImageType type;
   VkExtent3D extent;
   uint32_t levels, layers;
   bool large; /* only of targets, whose blocks are large and whose patterns look far beyond them */
} shapes[] = {{"2D", VK_IMAGE_TYPE_2D, {530, 520, 1}, 1, 1, true},
              {"2D, small", VK_IMAGE_TYPE_2D, {131, 73, 1}, 1, 1, false},
              {"levels", VK_IMAGE_TYPE_2D, {150, 140, 1}, 8, 1, false},
              {"layers", VK_IMAGE_TYPE_2D, {70, 66, 1}, 1, 17, false},
              {"3D", VK_IMAGE_TYPE_3D, {68, 36, 34}, 1, 1, false}};
static const struct {
   const char *name;
   VkImageUsageFlags usage;
} usages[] = {{"sampled", VK_IMAGE_USAGE_SAMPLED_BIT},
              {"target", VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
              {"depth target", VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
              {"storage", VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT}};

static struct vkx device;
static struct vkx_buffer buffer;
static uint8_t *texels;
static unsigned tried;

/* A level of an image: its bytes, and where it is for both copies. */
struct part {
   const struct vkt_image *image;
   VkImageSubresourceLayers layers;
   VkExtent3D extent;
   size_t size_B;
};

static uint32_t
minified(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

static struct part
part_of(const struct vkt_image *image, uint32_t level, uint32_t element_B)
{
   const VkExtent3D *full = &image->info.extent;
   const VkExtent3D extent = {minified(full->width, level), minified(full->height, level),
                              minified(full->depth, level)};

   return (struct part){.image = image,
                        .layers = {vkt_aspects(image->info.format), level, 0, image->info.arrayLayers},
                        .extent = extent,
                        .size_B =
                           (size_t)element_B * extent.width * extent.height * extent.depth * image->info.arrayLayers};
}

/* Numbers that any format keeps: floats stay small and positive. */
static void
fill(const struct part *part)
{
   const bool is_float = part->image->info.format == VK_FORMAT_D32_SFLOAT;

   for (size_t i = 0; i < part->size_B; i += 4) {
      const uint32_t word = is_float ? vkt_random() % 0x3f800000u : vkt_random();
      memcpy(texels + i, &word, 4);
   }
}

static void
device_copies(const struct part *part, bool to_image)
{
   const VkBufferImageCopy copy = {.imageSubresource = part->layers, .imageExtent = part->extent};
   VkCommandBuffer cmd = vkx_begin(&device);

   vkt_barrier(cmd);
   if (to_image)
      vkCmdCopyBufferToImage(cmd, buffer.buffer, part->image->image, GENERAL, 1, &copy);
   else
      vkCmdCopyImageToBuffer(cmd, part->image->image, GENERAL, buffer.buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&device, cmd);
}

static void
processor_writes(const struct part *part)
{
   const VkMemoryToImageCopyEXT region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT,
                                          .pHostPointer = texels,
                                          .imageSubresource = part->layers,
                                          .imageExtent = part->extent};
   const VkCopyMemoryToImageInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT,
                                            .dstImage = part->image->image,
                                            .dstImageLayout = GENERAL,
                                            .regionCount = 1,
                                            .pRegions = &region};
   vkx_check(VKT_PROC(&device, vkCopyMemoryToImageEXT)(device.device, &info), "vkCopyMemoryToImageEXT");
}

static void
processor_reads(const struct part *part, uint8_t *out)
{
   const VkImageToMemoryCopyEXT region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY_EXT,
                                          .pHostPointer = out,
                                          .imageSubresource = part->layers,
                                          .imageExtent = part->extent};
   const VkCopyImageToMemoryInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO_EXT,
                                            .srcImage = part->image->image,
                                            .srcImageLayout = GENERAL,
                                            .regionCount = 1,
                                            .pRegions = &region};
   vkx_check(VKT_PROC(&device, vkCopyImageToMemoryEXT)(device.device, &info), "vkCopyImageToMemoryEXT");
}

static void
try_level(const struct part *part, const char *text)
{
   fill(part);
   memset(buffer.map, 0, part->size_B);
   processor_writes(part);
   device_copies(part, false);
   vkt_expect(!memcmp(buffer.map, texels, part->size_B), "%s, level %u: what the processor wrote", text,
              part->layers.mipLevel);
   fill(part);
   memcpy(buffer.map, texels, part->size_B);
   device_copies(part, true);
   uint8_t *read = calloc(1, part->size_B);
   processor_reads(part, read);
   vkt_expect(!memcmp(read, texels, part->size_B), "%s, level %u: what the device wrote", text,
              part->layers.mipLevel);
   free(read);
}

static bool
is_target(VkImageUsageFlags usage)
{
   return usage & (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

static void
try_image(unsigned format, unsigned shape, unsigned usage)
{
   const VkImageCreateInfo info = {.imageType = shapes[shape].type,
                                   .format = formats[format].format,
                                   .extent = shapes[shape].extent,
                                   .mipLevels = shapes[shape].levels,
                                   .arrayLayers = shapes[shape].layers,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .tiling = VK_IMAGE_TILING_OPTIMAL,
                                   .usage = usages[usage].usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                            VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT};
   VkImageFormatProperties offered;
   char text[96];

   if (shapes[shape].large && !is_target(usages[usage].usage))
      return;
   if (vkGetPhysicalDeviceImageFormatProperties(device.physical, info.format, info.imageType, info.tiling, info.usage,
                                                0, &offered) != VK_SUCCESS)
      return;
   snprintf(text, sizeof(text), "format %d, %s, %s", info.format, shapes[shape].name, usages[usage].name);
   struct vkt_image image = vkt_image_create(&device, info, false);
   VkCommandBuffer cmd = vkx_begin(&device);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkx_submit_and_wait(&device, cmd);
   for (uint32_t level = 0; level < info.mipLevels; level++) {
      const struct part part = part_of(&image, level, formats[format].element_B);
      try_level(&part, text);
   }
   vkt_image_destroy(&device, &image);
   tried++;
}

int
main(int argc, char **argv)
{
   vkx_expect_options(argc, argv, (const char *const[]){NULL}, "host_images");
   device = vkt_create("host_images");
   if (!vkt_expect(vkt_has("VK_EXT_host_image_copy"), "VK_EXT_host_image_copy"))
      return vkt_finish(&device);
   buffer = vkt_buffer_create(&device, MAX_B, 0);
   texels = malloc(MAX_B);
   for (unsigned i = 0; i < ARRAY_SIZE(formats) * ARRAY_SIZE(shapes) * ARRAY_SIZE(usages); i++)
      try_image(i % ARRAY_SIZE(formats), i / ARRAY_SIZE(formats) % ARRAY_SIZE(shapes),
                i / ARRAY_SIZE(formats) / ARRAY_SIZE(shapes));
   vkt_expect(tried > 0, "no image that the processor may copy");
   printf("%u images\n", tried);
   free(texels);
   vkx_buffer_destroy(&device, &buffer);
   return vkt_finish(&device);
}

/* Random blocks of every compressed format, decoded by blits to floats. -o FILE writes the texels, --against FILE
 * compares them with another device's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt.h"

enum { SIZE_PX = 128, LEVELS = 3, TEXELS = SIZE_PX * SIZE_PX * 2 };

/* tolerance: 0 where the definition is one of integers; elsewhere decoders may round endpoints, and lavapipe does. */
static const struct format {
   const char *name;
   VkFormat format;
   uint32_t block_B;
   float tolerance;
} formats[] = {
   {"BC1 RGB", VK_FORMAT_BC1_RGB_UNORM_BLOCK, 8, 2 / 250.0f},
   {"BC1 RGBA", VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 8, 2 / 250.0f},
   {"BC2", VK_FORMAT_BC2_UNORM_BLOCK, 16, 2 / 250.0f},
   {"BC3", VK_FORMAT_BC3_UNORM_BLOCK, 16, 2 / 250.0f},
   {"BC4", VK_FORMAT_BC4_UNORM_BLOCK, 8, 2 / 250.0f},
   {"BC4 signed", VK_FORMAT_BC4_SNORM_BLOCK, 8, 2 / 125.0f},
   {"BC5", VK_FORMAT_BC5_UNORM_BLOCK, 16, 2 / 250.0f},
   {"BC5 signed", VK_FORMAT_BC5_SNORM_BLOCK, 16, 2 / 125.0f},
   {"BC6H", VK_FORMAT_BC6H_UFLOAT_BLOCK, 16, 0},
   {"BC6H signed", VK_FORMAT_BC6H_SFLOAT_BLOCK, 16, 0},
   {"BC7", VK_FORMAT_BC7_UNORM_BLOCK, 16, 1e-6f},
};
enum { NUM_FORMATS = sizeof(formats) / sizeof(formats[0]) };

static VkImageSubresourceLayers
level_of(uint32_t level)
{
   return (VkImageSubresourceLayers){VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1};
}

static struct vkt_image
create(struct vkx *vkx, VkFormat format)
{
   return vkt_image_create(
      vkx,
      (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                          .format = format,
                          .extent = {SIZE_PX, SIZE_PX, 1},
                          .mipLevels = LEVELS,
                          .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT},
      false);
}

/* RGBA of all levels. */
static void
decode(struct vkx *vkx, const struct format *format, float *texels)
{
   struct vkx_buffer blocks = vkt_buffer_create(vkx, SIZE_PX * SIZE_PX * 2, 0);
   struct vkx_buffer decoded = vkt_buffer_create(vkx, TEXELS * 16, 0);
   for (uint32_t i = 0; i < blocks.size / 4; i++)
      ((uint32_t *)blocks.map)[i] = vkt_random();
   struct vkt_image from = create(vkx, format->format), to = create(vkx, VK_FORMAT_R32G32B32A32_SFLOAT);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &from, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_transition(cmd, &to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   VkDeviceSize at_px = 0;
   for (uint32_t level = 0; level < LEVELS; level++) {
      const uint32_t size = SIZE_PX >> level;
      const VkImageBlit blit = {.srcSubresource = level_of(level),
                                .srcOffsets = {{0}, {(int32_t)size, (int32_t)size, 1}},
                                .dstSubresource = level_of(level),
                                .dstOffsets = {{0}, {(int32_t)size, (int32_t)size, 1}}};
      const VkBufferImageCopy in = {.bufferOffset = at_px / 16 * format->block_B,
                                    .imageSubresource = level_of(level),
                                    .imageExtent = {size, size, 1}};
      const VkBufferImageCopy out = {
         .bufferOffset = at_px * 16, .imageSubresource = level_of(level), .imageExtent = {size, size, 1}};
      vkCmdCopyBufferToImage(cmd, blocks.buffer, from.image, VK_IMAGE_LAYOUT_GENERAL, 1, &in);
      vkt_barrier(cmd);
      vkCmdBlitImage(cmd, from.image, VK_IMAGE_LAYOUT_GENERAL, to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
                     VK_FILTER_NEAREST);
      vkt_barrier(cmd);
      vkCmdCopyImageToBuffer(cmd, to.image, VK_IMAGE_LAYOUT_GENERAL, decoded.buffer, 1, &out);
      at_px += size * size;
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   memcpy(texels, decoded.map, TEXELS * 16);
   vkt_image_destroy(vkx, &from);
   vkt_image_destroy(vkx, &to);
   vkx_buffer_destroy(vkx, &blocks);
   vkx_buffer_destroy(vkx, &decoded);
}

static void
compare(const struct format *format, const float *got, const float *want)
{
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < TEXELS * 4; i++) {
      if (!(fabsf(got[i] - want[i]) <= format->tolerance || got[i] == want[i]) && wrong++ < 3)
         printf("   %s: component %u of texel %u is %g, not %g\n", format->name, i % 4, i / 4, (double)got[i],
                (double)want[i]);
   }
   vkt_expect(!wrong, "%s: %u components differ", format->name, wrong);
}

int
main(int argc, char **argv)
{
   const char *out = vkx_option(argc, argv, "-o", NULL), *against = vkx_option(argc, argv, "--against", NULL);
   struct vkx vkx = vkt_create("blocks");
   FILE *file = fopen(out ? out : against, out ? "wb" : "rb");
   float *texels = calloc(TEXELS, 16), *foreign = calloc(TEXELS, 16);
   if (!file || !texels || !foreign)
      return 2;
   for (uint32_t i = 0; i < NUM_FORMATS; i++) {
      decode(&vkx, &formats[i], texels);
      if (out)
         vkt_expect(fwrite(texels, 16, TEXELS, file) == TEXELS, "%s: written", formats[i].name);
      else if (vkt_expect(fread(foreign, 16, TEXELS, file) == TEXELS, "%s: read", formats[i].name))
         compare(&formats[i], texels, foreign);
   }
   if (fclose(file))
      return 2;
   free(texels);
   free(foreign);
   return vkt_finish(&vkx);
}

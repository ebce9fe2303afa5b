/* Draws one triangle with each pair of shaders of a folder, N.vert.spv and N.frag.spv, and writes all texels to a
 * file: 16x16 of four floats a pair. pairs.txt has a line for each: 0, 1 or 2 for a list, a strip or a fan; samples.
 * varying_pairs.py makes such folders and knows what must come out. */
#include <stdio.h>
#include <stdlib.h>

#include "vkt_draw.h"

enum { SIZE_PX = 16, TEXEL_B = 16, MOST_WORDS = 1 << 16 };

static struct vkt_code
load(const char *folder, unsigned number, const char *stage, uint32_t *words)
{
   char path[1000];
   snprintf(path, sizeof(path), "%s/%u.%s.spv", folder, number, stage);
   FILE *file = fopen(path, "rb");
   size_t count = file ? fread(words, 4, MOST_WORDS, file) : 0;
   if (!count || count == MOST_WORDS) {
      fprintf(stderr, "varying_pairs: %s cannot be read\n", path);
      exit(1);
   }
   fclose(file);
   return (struct vkt_code){words, count * 4};
}

static void
resolve(VkCommandBuffer cmd, const struct vkt_image *from, const struct vkt_image *to)
{
   const VkImageSubresourceLayers layer = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
   const VkImageResolve region = {.srcSubresource = layer, .dstSubresource = layer, .extent = {SIZE_PX, SIZE_PX, 1}};
   vkCmdResolveImage(cmd, from->image, VK_IMAGE_LAYOUT_GENERAL, to->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

static void
draw(struct vkx *vkx, const char *folder, unsigned number, unsigned topology, unsigned samples,
     VkPipelineLayout layout, const struct vkx_buffer *out)
{
   /* size: fields of a draw */
   static const VkPrimitiveTopology topologies[] = {
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN};
   static uint32_t words[2][MOST_WORDS];
   const VkFormat format = VK_FORMAT_R32G32B32A32_SFLOAT;
   const VkExtent2D extent = {SIZE_PX, SIZE_PX};
   struct vkt_target target =
      vkt_target_create(vkx, format, VK_FORMAT_UNDEFINED, extent, 1, (VkSampleCountFlagBits)samples);
   struct vkt_target single = vkt_target_create(vkx, format, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   VkPipeline pipeline =
      vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                           .layout = layout,
                                                           .vertex = load(folder, number, "vert", words[0]),
                                                           .fragment = load(folder, number, "frag", words[1]),
                                                           .topology = topologies[topology],
                                                           .samples = (VkSampleCountFlagBits)samples});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_transition(cmd, &single.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   if (samples > 1)
      resolve(cmd, &target.color, &single.color);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, samples > 1 ? &single.color : &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, out);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkt_target_destroy(vkx, &target);
   vkt_target_destroy(vkx, &single);
}

int
main(int argc, char **argv)
{
   if (argc != 3) {
      fprintf(stderr, "usage: varying_pairs FOLDER FILE\n");
      return 2;
   }
   char path[1000];
   snprintf(path, sizeof(path), "%s/pairs.txt", argv[1]);
   FILE *list = fopen(path, "r"), *file = fopen(argv[2], "wb");
   if (!list || !file) {
      fprintf(stderr, "varying_pairs: %s or %s cannot be opened\n", path, argv[2]);
      return 1;
   }
   struct vkx vkx = vkt_create("varying_pairs");
   struct vkx_buffer out = vkt_buffer_create(&vkx, SIZE_PX * SIZE_PX * TEXEL_B, 0);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, 0, 0);
   unsigned topology, samples, count = 0;
   for (; fscanf(list, "%u %u", &topology, &samples) == 2; count++) {
      draw(&vkx, argv[1], count, topology % 3, samples, layout, &out);
      fwrite(out.map, 1, SIZE_PX * SIZE_PX * TEXEL_B, file);
   }
   fclose(list);
   vkt_expect(!fclose(file) && count, "%u pairs of shaders", count);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkx_buffer_destroy(&vkx, &out);
   return vkt_finish(&vkx);
}

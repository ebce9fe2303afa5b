/* Draws that read indices past the end of their range, with robustBufferAccess2: those are 0, whatever lies there. So
 * are all of no index buffer. Each index is a point that adds one to the pixel of its vertex. */
#include <string.h>

#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "index_ends.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "one_more.frag.inc"
};

enum { WIDTH_PX = 64, PIXELS = 2 * WIDTH_PX, INDICES = 48, CASES = 40, DRAWS = 2, PARAMETERS_AT = 256 };

static struct vkx *vkx;
static struct vkt_target target;
static struct vkx_buffer memory, picture; /* memory: indices, then parameters */
static VkPipeline pipeline;
static bool honeykrisp;

enum how { DIRECT, INDIRECT, SECONDARY, HOWS };

struct draws {
   uint32_t index_B, offset_B, range; /* range: indices */
   enum how how;
   bool no_buffer;
   VkDrawIndexedIndirectCommand draws[DRAWS];
};

/* None is 0. */
static uint32_t
index_at(uint32_t place)
{
   return place * 7 % 40 + 1;
}

static void
write_indices(uint32_t index_B)
{
   for (uint32_t i = 0; i < PARAMETERS_AT / index_B; i++) {
      const uint32_t value = index_at(i);
      memcpy((uint8_t *)memory.map + i * index_B, &value, index_B);
   }
}

/* Honeykrisp rounds the range up to words, copies indices wrongly that do not begin at a word, and puts no more than
 * 32 bytes of zeros (found.md). */
static void
avoid_quirks(struct draws *d)
{
   const uint32_t in_word = 4 / d->index_B;
   d->offset_B &= ~3u;
   d->range = (d->range + in_word - 1) & ~(in_word - 1);
   for (unsigned i = 0; i < DRAWS; i++) {
      VkDrawIndexedIndirectCommand *draw = &d->draws[i];
      const uint32_t over = draw->firstIndex + draw->indexCount - d->range;
      draw->indexCount -= (int32_t)over > 8 ? over - 8 : 0;
      draw->firstIndex &= ~(in_word - 1);
   }
}

static struct draws
random_draws(void)
{
   const uint32_t sizes_B[] = {1, 2, 4};
   struct draws d = {.index_B = sizes_B[vkt_random_below(3)], .how = vkt_random_below(HOWS)};
   d.offset_B = vkt_random_below(9) * d.index_B;
   d.range = 1 + vkt_random_below(INDICES - 10);
   d.no_buffer = !vkt_random_below(8) && vkt_has("VK_KHR_maintenance6");
   d.offset_B = d.no_buffer ? 0 : d.offset_B;
   d.range = d.no_buffer ? 0 : d.range;
   for (unsigned i = 0; i < DRAWS; i++)
      d.draws[i] = (VkDrawIndexedIndirectCommand){
         .instanceCount = 1 + vkt_random_below(2),
         .firstIndex = d.range ? vkt_random_below(d.range) : 0,
         .vertexOffset = (int32_t)vkt_random_below(3),
      };
   /* The last one reads past the end. */
   for (unsigned i = 0; i < DRAWS; i++) {
      const uint32_t inside = d.range - d.draws[i].firstIndex;
      const bool last = i + 1 == DRAWS;
      d.draws[i].indexCount = last ? inside + 1 + vkt_random_below(8) : 1 + vkt_random_below(inside + 20);
   }
   if (honeykrisp)
      avoid_quirks(&d);
   return d;
}

static void
record_draws(VkCommandBuffer cmd, const struct draws *d)
{
   const VkIndexType type = d->index_B == 1   ? VK_INDEX_TYPE_UINT8_EXT
                            : d->index_B == 2 ? VK_INDEX_TYPE_UINT16
                                              : VK_INDEX_TYPE_UINT32;
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   VKT_PROC(vkx, vkCmdBindIndexBuffer2KHR)
   (cmd, d->no_buffer ? VK_NULL_HANDLE : memory.buffer, d->offset_B, (VkDeviceSize)d->range * d->index_B, type);
   if (d->how == INDIRECT)
      vkCmdDrawIndexedIndirect(cmd, memory.buffer, PARAMETERS_AT, DRAWS, sizeof(d->draws[0]));
   for (unsigned i = 0; i < DRAWS && d->how != INDIRECT; i++) {
      const VkDrawIndexedIndirectCommand *draw = &d->draws[i];
      vkCmdDrawIndexed(cmd, draw->indexCount, draw->instanceCount, draw->firstIndex, draw->vertexOffset, 0);
   }
}

static void
record(VkCommandBuffer cmd, const struct draws *d)
{
   if (d->how == SECONDARY) {
      VkCommandBuffer secondary = vkt_secondary_begin(vkx, &target, 0, false);
      record_draws(secondary, d);
      vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(cmd, 1, &secondary);
   } else {
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
      record_draws(cmd, d);
   }
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
}

static void
expect(const struct draws *d, uint32_t pixels[PIXELS])
{
   memset(pixels, 0, PIXELS * sizeof(pixels[0]));
   for (unsigned n = 0; n < DRAWS; n++) {
      const VkDrawIndexedIndirectCommand *draw = &d->draws[n];
      for (uint32_t i = draw->firstIndex; i < draw->firstIndex + draw->indexCount; i++) {
         const uint32_t index = i < d->range ? index_at(d->offset_B / d->index_B + i) : 0;
         pixels[index + (uint32_t)draw->vertexOffset] += draw->instanceCount;
      }
   }
}

static void
test(const struct draws *d, uint32_t number)
{
   static const char *const names[HOWS] = {"direct", "indirect", "in a secondary"};
   uint32_t pixels[PIXELS];
   unsigned wrong = 0;
   write_indices(d->index_B);
   memcpy((uint8_t *)memory.map + PARAMETERS_AT, d->draws, sizeof(d->draws));
   expect(d, pixels);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   record(cmd, d);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &picture);
   for (unsigned i = 0; i < PIXELS; i++)
      wrong += ((const uint32_t *)picture.map)[i] != 0x01010101 * pixels[i];
   vkt_expect(!wrong, "case %u, %u indices of %u bytes at %u, %s%s: %u pixels are wrong", number, d->range,
              d->index_B, d->offset_B, names[d->how], d->no_buffer ? ", no buffer" : "", wrong);
}

static void
test_all(void)
{
   const VkPipelineColorBlendAttachmentState add = {.blendEnable = VK_TRUE,
                                                    .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                    .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                    .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                    .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                    .colorWriteMask = 0xf};
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, 0, 0);
   target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, (VkExtent2D){WIDTH_PX, 2}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   picture = vkt_buffer_create(vkx, 4 * PIXELS, 0);
   memory = vkt_buffer_create(vkx, 512, 0);
   pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                   .layout = layout,
                                                                   .vertex = VKT_CODE(vertex_code),
                                                                   .fragment = VKT_CODE(fragment_code),
                                                                   .points = true,
                                                                   .blend = &add});
   for (uint32_t i = 0; i < CASES; i++) {
      const struct draws draws = random_draws();
      test(&draws, i);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkx_buffer_destroy(vkx, &memory);
   vkx_buffer_destroy(vkx, &picture);
   vkt_target_destroy(vkx, &target);
}

int
main(int argc, char **argv)
{
   static const char *const names[] = {"--quirks", NULL};
   vkx_expect_options(argc, argv, names, "index_ends [--quirks honeykrisp]");
   honeykrisp = !strcmp(vkx_option(argc, argv, "--quirks", ""), "honeykrisp");
   vkt_robust = vkt_robust2 = true;
   struct vkx device = vkt_create("index_ends");
   vkx = &device;
   vkt_expect(true, "the device is there");
   if (vkt_has("VK_EXT_robustness2") && vkt_has("VK_KHR_maintenance5") && vkt_features.multiDrawIndirect)
      test_all();
   else
      vkt_skip("robustBufferAccess2");
   return vkt_finish(vkx);
}
